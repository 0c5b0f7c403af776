//! Opening and saving: a path to type or to look for.

use super::{Browse, Choice, UnknownFile};
use crate::widgets::{field_error, id, modal, take_up};
use eframe::egui::{Context, Key, TextEdit, Ui};
use std::path::{Path, PathBuf};
use supple_session::{Session, SessionError};

/// A file that is asked for.
pub struct FileDialog {
    pub what: What,
    path: String,
    /// Why it could not be done.
    pub problem: Option<FileError>,
    is_new: bool,
    /// The file that will be replaced, once that was said.
    replaces: Option<PathBuf>,
}

/// Why a file is not taken.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Nothing is typed.
    #[error("Enter a path")]
    NoPath,
    /// Nothing is there.
    #[error("There is no file {}", .0.display())]
    NoFile(PathBuf),
    /// It is of no kind that can be opened.
    #[error(transparent)]
    Unknown(#[from] UnknownFile),
    /// It cannot be saved.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// What a file is asked for.
#[derive(Clone, PartialEq)]
pub enum What {
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

    /// The path that is typed.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.path.trim())
    }

    /// Shows it. A file that would be replaced is said to be first, unless it is the document's `own`.
    pub fn show(&mut self, ctx: &Context, browse: &mut Browse, own: Option<&Path>) -> Choice {
        if let Some(path) = browse.chosen() {
            self.path = path.display().to_string();
        }
        let (title, mut verb) = match self.what {
            What::Open => ("Open a file", "Open"),
            What::Save => ("Save as", "Save"),
            What::Locate(_) => ("Find missing file", "Use this file"),
        };
        let (mut goes, mut cancels) = (false, false);
        let escaped = modal(ctx, title, 480.0, |ui| {
            if browse.is_listed() {
                ui.disable();
            }
            goes |= self.field(ui, browse);
            // What is said later must not move the buttons away from under the mouse.
            ui.vertical(|ui| {
                ui.set_min_height(54.0);
                if let Some(file) = self.replaces.as_ref().filter(|file| **file == self.path()) {
                    field_error(ui, &format!("{} already exists and will be replaced", file.display()));
                    verb = "Replace";
                }
                if let Some(problem) = &self.problem {
                    field_error(ui, &problem.to_string());
                }
            });
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                goes |= id(ui.button(verb), "file-go").clicked();
                cancels = id(ui.button("Cancel"), "file-cancel").clicked();
            });
        });
        let path = self.path();
        let replaces = self.what == What::Save && path.is_file() && own != Some(path.as_path());
        if goes && replaces && self.replaces.as_ref() != Some(&path) {
            (self.replaces, goes) = (Some(path), false);
        }
        Choice::of(goes, escaped || cancels)
    }

    /// The path to type or to look for; answers whether Enter was pressed in it.
    fn field(&mut self, ui: &mut Ui, browse: &mut Browse) -> bool {
        let mut goes = false;
        let label = ui.label("Path");
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut self.path).desired_width(380.0));
            let field = id(field.labelled_by(label.id), "file-path");
            if std::mem::take(&mut self.is_new) {
                take_up(&field, &self.path);
            }
            goes = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if goes {
                // Where that was refused, one goes on typing.
                field.request_focus();
            }
            let button = ui.button("Browse …").on_hover_text("Choose a file");
            if id(button, "browse").clicked() {
                let ctx = ui.ctx().clone();
                browse.ask(self.what == What::Save, &self.path(), move || ctx.request_repaint());
            }
        });
        goes
    }
}

/// A path from the root on.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
