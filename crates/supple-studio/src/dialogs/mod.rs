//! Dialogs: files, imports, exports, what was not saved, what can be recovered, the list of keys.

mod browse;
mod dropped;
mod export;
mod file_list;
mod files;
mod import;
mod prompts;

use crate::Studio;
use browse::Browse;
pub use dropped::take as take_dropped;
use eframe::egui::{Context, Id, Key, Label, Modal, Popup, RichText, ScrollArea, Ui};
use export::ExportDialog;
use files::FileDialog;
use import::ImportDialog;
use std::path::{Path, PathBuf};
use supple_project::Import;
use supple_project::session::{Recoverable, Session};

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
    left: Vec<Recoverable>,
    file: Option<FileDialog>,
    import: Option<ImportDialog>,
    export: Option<ExportDialog>,
    /// What waits for an answer whether to save.
    leaving: Option<Leaving>,
    /// What is done as soon as possible.
    ready: Option<Leaving>,
    /// Whether it is asked what becomes of a file that another program has written.
    overwrites: bool,
    browse: Browse,
    /// Whether the list of keys is shown.
    pub show_keys: bool,
    quits: bool,
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

/// Shows the dialogs that are open.
pub fn show(studio: &mut Studio, ctx: &Context) {
    prompts::hear_close(studio, ctx);
    prompts::recover(studio, ctx);
    prompts::hear_arrived(studio);
    prompts::overwrite(studio, ctx);
    prompts::unsaved(studio, ctx);
    files::show(studio, ctx);
    import::show(studio, ctx);
    export::show(studio, ctx);
    studio.dialogs.browse.show(ctx);
    prompts::keys(studio, ctx);
    if let Some(leaving) = studio.dialogs.ready.take() {
        prompts::leave_now(studio, ctx, leaving);
    }
}

/// A dialog in the middle of the window; answers whether it was closed by Esc.
fn modal(ctx: &Context, title: &str, width: f32, content: impl FnOnce(&mut Ui)) -> bool {
    let has_popup = Popup::is_any_open(ctx);
    let shown = Modal::new(Id::unique(title)).show(ctx, |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 40.0));
        ui.heading(title);
        ui.add_space(6.0);
        content(ui);
    });
    // Esc closes what has popped up in it, or over it, first.
    let is_meant = shown.is_top_modal && !has_popup;
    is_meant && ctx.input_mut(|input| input.consume_key(eframe::egui::Modifiers::NONE, Key::Escape))
}

/// What is in a large dialog above its buttons: in a small window it is scrolled.
fn scrolled(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = ui.ctx().content_rect().height() - 130.0;
    ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, content);
}

/// Says beside a field what is wrong with it.
pub fn field_error(ui: &mut Ui, words: &str) {
    let colour = crate::colours::text(crate::colours::RED, ui.visuals());
    ui.add(Label::new(RichText::new(words).color(colour)).wrap());
}
