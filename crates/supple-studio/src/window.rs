//! The real window.

use crate::Studio;
use eframe::egui::{ViewportBuilder, vec2};
use std::path::Path;
use std::sync::Arc;
use supple_project::Sample;
use supple_project::method::RealNumerics;
use supple_session::{Document, Home, SessionError};

/// What plain `supple` opens.
const FIRST: &str = "bird";

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum NoWindow {
    /// There is no display, or nothing to draw with.
    #[error(transparent)]
    Display(#[from] NoDisplay),
    /// The shot cannot be opened.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// Why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum NoDisplay {
    /// Nobody says where a display is.
    #[error("no display found: DISPLAY and WAYLAND_DISPLAY are not set")]
    Unknown,
    /// The display has no window for the studio, or no driver to draw with.
    #[error("cannot open a window: {0}; install a graphics driver (Debian: libvulkan1 mesa-vulkan-drivers)")]
    Window(eframe::Error),
}

/// Opens the studio on a shot, or an untitled sample, and answers when it is closed.
///
/// # Errors
/// When there is no display, or the shot cannot be read.
pub fn open_window(shot: Option<&Path>) -> Result<(), NoWindow> {
    if !has_display() {
        return Err(NoDisplay::Unknown.into());
    }
    let home = Home::of_user()?;
    let left = home.recoverable();
    let document = match shot {
        Some(path) => Document::open(path, &home)?,
        None => Document::sample(Sample::named(FIRST).map_err(SessionError::from)?, &home)?,
    };
    let viewport = ViewportBuilder::default()
        .with_title("Supple")
        .with_app_id("supple")
        .with_inner_size(crate::settings::Settings::of(&home).size().unwrap_or(vec2(1360.0, 820.0)))
        .with_min_inner_size(vec2(720.0, 480.0))
        .with_drag_and_drop(true);
    let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    let made = |context: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        Ok(Box::new(Studio::new(context, document, &home, Arc::<RealNumerics>::default(), left)))
    };
    Ok(eframe::run_native("supple", options, Box::new(made)).map_err(NoDisplay::Window)?)
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
