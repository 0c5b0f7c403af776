//! Opening and saving: a path to type or to look for.

use super::{Leaving, field_error, modal};
use crate::Studio;
use eframe::egui::{Context, Key, TextEdit};
use std::path::{Path, PathBuf};
use supple_project::session::Session;

/// A file that is asked for.
pub struct FileDialog {
    what: What,
    path: String,
    problem: Option<String>,
    is_new: bool,
    /// The file that will be replaced, once that was said.
    replaces: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Open,
    Save,
}

impl FileDialog {
    pub fn open(session: &Session) -> Self {
        let path = session.recent().paths().first().map_or(String::new(), |path| path.display().to_string());
        Self { what: What::Open, path, problem: None, is_new: true, replaces: None }
    }

    pub fn save_as(session: &Session) -> Self {
        let path = session
            .document
            .path()
            .map_or_else(|| beside(Path::new(session.document.title()), "toml"), Path::to_path_buf);
        let path = path.display().to_string();
        Self { what: What::Save, path, problem: None, is_new: true, replaces: None }
    }
}

/// A path with another ending, from the root on.
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    std::path::absolute(path.with_extension(extension)).unwrap_or_else(|_| path.to_path_buf())
}

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.file.take() else { return };
    if let Some(path) = studio.dialogs.browse.chosen() {
        dialog.path = path.display().to_string();
    }
    let (title, mut verb) = match dialog.what {
        What::Open => ("Open a shot", "Open"),
        What::Save => ("Save as", "Save"),
    };
    let (mut goes, mut cancels) = (false, false);
    let escaped = modal(ctx, title, 480.0, |ui| {
        let label = ui.label("Path");
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut dialog.path).desired_width(380.0));
            let field = field.labelled_by(label.id);
            if std::mem::take(&mut dialog.is_new) {
                field.request_focus();
            }
            goes |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if ui.button("Browse …").on_hover_text("The system's own dialog, where there is one").clicked()
            {
                let ctx = ctx.clone();
                studio.dialogs.browse.ask(dialog.what != What::Open, move || ctx.request_repaint());
            }
        });
        // What is said later must not move the buttons away from under the mouse.
        ui.vertical(|ui| {
            ui.set_min_height(54.0);
            let replaced = dialog.replaces.as_ref().filter(|file| **file == Path::new(dialog.path.trim()));
            if let Some(file) = replaced {
                field_error(ui, &format!("{} is there already and will be replaced", file.display()));
                verb = "Replace";
            }
            if let Some(problem) = &dialog.problem {
                field_error(ui, problem);
            }
        });
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            goes |= ui.button(verb).clicked();
            cancels = ui.button("Cancel").clicked();
        });
    });
    let path = PathBuf::from(dialog.path.trim());
    let is_own = studio.session.document.path() == Some(path.as_path());
    if goes
        && dialog.what == What::Save
        && path.is_file()
        && !is_own
        && dialog.replaces.as_ref() != Some(&path)
    {
        (dialog.replaces, goes) = (Some(path), false);
    }
    if goes {
        match act(studio, dialog.what, &dialog.path) {
            Ok(()) => return,
            Err(problem) => dialog.problem = Some(problem),
        }
    }
    if !escaped && !cancels {
        studio.dialogs.file = Some(dialog);
    }
}

fn act(studio: &mut Studio, what: What, path: &str) -> Result<(), String> {
    let path = PathBuf::from(path.trim());
    if path.as_os_str().is_empty() {
        return Err("there is no path yet".to_owned());
    }
    match what {
        What::Open if !path.is_file() => return Err(format!("there is no file {}", path.display())),
        What::Open => studio.dialogs.leave(Leaving::Open(path), &studio.session),
        What::Save => {
            if studio.session.save_as(&path).map_err(|error| error.to_string())? {
                studio.toasts.good(format!("{} is saved", studio.session.document.title()));
            }
        }
    }
    Ok(())
}
