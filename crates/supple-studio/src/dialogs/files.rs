//! Opening and saving: a path to type or to look for.

use super::{dropped, field_error, modal};
use crate::Studio;
use crate::ids::id;
use eframe::egui::{Context, Key, TextEdit};
use std::path::{Path, PathBuf};
use supple_project::session::{Session, SessionError};

/// A file that is asked for.
pub struct FileDialog {
    what: What,
    path: String,
    problem: Option<String>,
    is_new: bool,
    /// The file that will be replaced, once that was said.
    replaces: Option<PathBuf>,
}

#[derive(Clone, PartialEq)]
enum What {
    Open,
    Save,
    /// Where a file of the shot is now, which it names so.
    Locate(PathBuf),
}

impl FileDialog {
    pub fn open(session: &Session) -> Self {
        let path = session.recent().paths().first().map_or(String::new(), |path| path.display().to_string());
        Self { what: What::Open, path, problem: None, is_new: true, replaces: None }
    }

    pub fn locate(file: &Path) -> Self {
        let path = file.display().to_string();
        Self { what: What::Locate(file.to_path_buf()), path, problem: None, is_new: true, replaces: None }
    }

    pub fn save_as(session: &Session) -> Self {
        let document = &session.document;
        let untitled = || absolute(Path::new(&format!("{}.toml", document.title())));
        let path = document.path().map_or_else(untitled, Path::to_path_buf);
        let path = path.display().to_string();
        Self { what: What::Save, path, problem: None, is_new: true, replaces: None }
    }
}

/// A path from the root on.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.file.take() else { return };
    if let Some(path) = studio.dialogs.browse.chosen() {
        dialog.path = path.display().to_string();
    }
    let (title, mut verb) = match dialog.what {
        What::Open => ("Open shot", "Open"),
        What::Save => ("Save as", "Save"),
        What::Locate(_) => ("Find missing file", "Use this file"),
    };
    let (mut goes, mut cancels) = (false, false);
    let is_listed = studio.dialogs.browse.is_listed();
    let escaped = modal(ctx, title, 480.0, |ui| {
        if is_listed {
            ui.disable();
        }
        let label = ui.label("Path");
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut dialog.path).desired_width(380.0));
            let field = id(field.labelled_by(label.id), "file-path");
            if std::mem::take(&mut dialog.is_new) {
                field.request_focus();
            }
            goes |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let browse = ui.button("Browse …").on_hover_text("Choose a file");
            if id(browse, "browse").clicked() {
                let ctx = ctx.clone();
                let saves = dialog.what == What::Save;
                studio
                    .dialogs
                    .browse
                    .ask(saves, Path::new(dialog.path.trim()), move || ctx.request_repaint());
            }
        });
        // What is said later must not move the buttons away from under the mouse.
        ui.vertical(|ui| {
            ui.set_min_height(54.0);
            let replaced = dialog.replaces.as_ref().filter(|file| **file == Path::new(dialog.path.trim()));
            if let Some(file) = replaced {
                field_error(ui, &format!("{} already exists and will be replaced", file.display()));
                verb = "Replace";
            }
            if let Some(problem) = &dialog.problem {
                field_error(ui, problem);
            }
        });
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            goes |= id(ui.button(verb), "file-go").clicked();
            cancels = id(ui.button("Cancel"), "file-cancel").clicked();
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
        match act(studio, &dialog.what, &dialog.path) {
            Ok(()) => return,
            Err(problem) => dialog.problem = Some(problem),
        }
    }
    if escaped || cancels {
        studio.dialogs.browse.close();
    } else {
        studio.dialogs.file = Some(dialog);
    }
}

/// Whether a path stands for many files.
fn is_series(path: &Path) -> bool {
    path.to_string_lossy().contains(['#', '%'])
}

fn act(studio: &mut Studio, what: &What, path: &str) -> Result<(), String> {
    let path = PathBuf::from(path.trim());
    if path.as_os_str().is_empty() {
        return Err("Enter a path".to_owned());
    }
    match what {
        What::Open if dropped::is_unknown(&path) => return Err(dropped::unknown(&path)),
        What::Open if !path.is_file() && !is_series(&path) => {
            return Err(format!("There is no file {}", path.display()));
        }
        // A motion or a mesh goes on to the import.
        What::Open => dropped::take(studio, &[path]),
        What::Locate(_) if !path.is_file() => return Err(format!("There is no file {}", path.display())),
        What::Locate(file) => {
            let to = absolute(&path);
            studio.session.document.change("Locate file", |shot| shot.relocate(file, &to));
        }
        What::Save => match studio.session.save_as(&path) {
            Err(SessionError::ChangedOnDisk { .. }) => studio.dialogs.overwrite(),
            saved => {
                if saved.map_err(|error| error.to_string())? {
                    studio.toasts.good(format!("Saved {}", studio.session.document.title()));
                }
            }
        },
    }
    Ok(())
}
