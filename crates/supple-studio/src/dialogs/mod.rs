//! Dialogs: what is asked about files, imports and exports, and how it is drawn. What is done with the answers is in
//! `dialog_flow`.

mod browse;
mod dropped;
mod export;
mod file_list;
mod files;
mod import;

pub use browse::Browse;
pub use dropped::{Dropped, UnknownFile};
pub use export::{ExportDialog, Exporting};
pub use files::{FileDialog, FileError, What, absolute};
pub use import::ImportDialog;

use std::path::{Path, PathBuf};
use supple_project::Import;
use supple_session::{Recoverable, Session};

/// What was done with a dialog in a frame of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It shall be done.
    Goes,
    /// It shall not.
    Cancels,
    /// Nothing yet.
    Stays,
}

impl Choice {
    fn of(goes: bool, cancels: bool) -> Self {
        match (goes, cancels) {
            (true, _) => Self::Goes,
            (_, true) => Self::Cancels,
            _ => Self::Stays,
        }
    }
}

/// What people call a format.
fn format_name(format: &str) -> String {
    match format {
        "gltf" => "glTF".to_owned(),
        "usd" | "fbx" | "bvh" | "pc2" | "mdd" | "obj" | "ply" => format.to_uppercase(),
        other => other.to_owned(),
    }
}

/// What ends the work on a document.
#[derive(Clone, Debug)]
pub enum Leaving {
    /// Another shot.
    Open(PathBuf),
    /// A built-in shot.
    Sample(&'static str),
    /// A shot of an animated surface, which is still to be made.
    Import(Box<Import>),
    /// A shot of an animated surface that was made while this one was changed.
    Arrived,
    /// The end.
    Quit,
}

/// The dialogs that are open.
#[derive(Default)]
pub struct Dialogs {
    /// What killed processes left, and nobody has decided about.
    pub left: Vec<Recoverable>,
    pub file: Option<FileDialog>,
    pub import: Option<ImportDialog>,
    pub export: Option<ExportDialog>,
    /// What waits for an answer whether to save.
    pub leaving: Option<Leaving>,
    /// What is done as soon as possible.
    pub ready: Option<Leaving>,
    /// Whether it is asked what becomes of a file that another program has written.
    pub overwrites: bool,
    pub browse: Browse,
    /// Whether the list of keys is shown.
    pub show_keys: bool,
    /// Whether the window closes without asking again.
    pub quits: bool,
}

impl Dialogs {
    pub fn new(left: Vec<Recoverable>) -> Self {
        Self { left, ..Self::default() }
    }

    /// Whether a dialog has to be answered before anything else.
    pub fn is_modal(&self) -> bool {
        let asks = [self.file.is_some(), self.import.is_some(), self.export.is_some()];
        asks.contains(&true) || self.leaving.is_some() || self.overwrites || !self.left.is_empty()
    }

    /// Looks for files in a list of its own.
    pub fn use_own_list(&mut self) {
        self.browse.use_own_list();
    }

    /// Asks for a shot to open.
    pub fn open(&mut self, session: &Session) {
        self.file = Some(FileDialog::open(session));
    }

    /// Asks where a file of the shot is now.
    pub fn locate(&mut self, file: &Path) {
        self.file = Some(FileDialog::locate(file));
    }

    /// Asks where to save.
    pub fn save_as(&mut self, session: &Session) {
        self.file = Some(FileDialog::save_as(session));
    }

    /// Asks where to export to.
    pub fn export(&mut self, session: &Session) {
        self.export = Some(ExportDialog::new(session));
    }

    /// Asks what to import; `path` may be empty.
    pub fn import(&mut self, path: &Path) {
        self.import = Some(ImportDialog::new(path));
    }

    /// Asks what becomes of its file, which another program has written.
    pub fn overwrite(&mut self) {
        self.overwrites = true;
    }

    /// Leaves the document, after asking if something would be lost.
    pub fn leave(&mut self, leaving: Leaving, session: &Session) {
        if session.document.is_changed() {
            self.leaving = Some(leaving);
        } else {
            self.ready = Some(leaving);
        }
    }
}
