//! A list of files, for where the system has no dialog for that.

use super::dropped::Dropped;
use crate::widgets::{field_error, id, modal};
use eframe::egui::{Context, Key, ScrollArea, TextEdit};
use std::io;
use std::path::{Path, PathBuf};

/// So many entries of a folder are listed.
const MOST: usize = 2000;

/// The files of a folder.
pub struct FileList {
    /// Whether a new file is looked for.
    saves: bool,
    folder: PathBuf,
    /// The folders and files there, each in order, or why there are none.
    entries: io::Result<Vec<Entry>>,
    name: String,
    chosen: Option<PathBuf>,
}

/// What is in a folder.
struct Entry {
    name: String,
    is_folder: bool,
}

impl FileList {
    /// Begins at a path: its folder, or the nearest above that is there.
    pub fn new(saves: bool, from: &Path) -> Self {
        let whole = std::path::absolute(from).unwrap_or_default();
        let above = whole.ancestors().find(|path| path.is_dir()).map(Path::to_path_buf);
        let folder = above.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/"));
        let name = whole.file_name().filter(|_| saves).unwrap_or_default().to_string_lossy().into_owned();
        let mut list = Self { saves, folder, entries: Ok(Vec::new()), name, chosen: None };
        list.read();
        list
    }

    /// The file that was chosen, once.
    pub fn chosen(&mut self) -> Option<PathBuf> {
        self.chosen.take()
    }

    fn read(&mut self) {
        self.entries = std::fs::read_dir(&self.folder).map(|entries| {
            let entry = |entry: std::fs::DirEntry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_folder = entry.path().is_dir();
                // What cannot be opened would only be in the way.
                let is_known = is_folder || self.saves || is_read(&name);
                (!name.starts_with('.') && is_known).then_some(Entry { name, is_folder })
            };
            let mut all: Vec<Entry> = entries.flatten().filter_map(entry).take(MOST).collect();
            all.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
            all
        });
    }

    fn enter(&mut self, folder: PathBuf) {
        self.folder = folder;
        self.read();
    }

    /// Shows it; answers whether it stays.
    pub fn show(&mut self, ctx: &Context) -> bool {
        let (mut goes, mut cancels, mut enters, mut takes) = (false, false, None, None);
        let escaped = modal(ctx, "Choose a file", 460.0, |ui| {
            ui.horizontal(|ui| {
                let up = ui.button("Up").on_hover_text("Parent folder");
                if id(up, "list-up").clicked() {
                    enters = self.folder.parent().map(Path::to_path_buf);
                }
                ui.label(self.folder.display().to_string());
            });
            ui.separator();
            let height = (ui.ctx().content_rect().height() - 220.0).clamp(80.0, 340.0);
            let area = ScrollArea::vertical().auto_shrink([false, false]).max_height(height);
            area.show(ui, |ui| match &self.entries {
                Err(problem) => field_error(ui, &problem.to_string()),
                Ok(entries) => {
                    for Entry { name, is_folder } in entries {
                        let words = if *is_folder { format!("{name}/") } else { name.clone() };
                        let line = ui.selectable_label(!is_folder && *name == self.name, words);
                        let line = id(line, &format!("list-{name}"));
                        if line.clicked() && *is_folder {
                            enters = Some(self.folder.join(name));
                        } else if line.clicked() {
                            takes = Some(name.clone());
                        }
                        goes |= line.double_clicked() && !is_folder;
                    }
                }
            });
            ui.separator();
            ui.horizontal(|ui| {
                let label = ui.label("File");
                let field = ui.add(TextEdit::singleline(&mut self.name).desired_width(250.0));
                let field = id(field.labelled_by(label.id), "list-name");
                goes |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                let verb = if self.saves { "Save here" } else { "Choose" };
                goes |= id(ui.button(verb), "list-go").clicked();
                cancels = id(ui.button("Back"), "list-back").clicked();
            });
        });
        if let Some(folder) = enters {
            self.enter(folder);
        }
        if let Some(name) = takes {
            self.name = name;
        }
        let path = self.folder.join(self.name.trim());
        if goes && path.is_dir() {
            self.enter(path);
        } else if goes && (self.saves || path.is_file()) {
            self.chosen = Some(path);
        }
        !(escaped || cancels) || self.chosen.is_some()
    }
}

/// Whether files of this name are read at all; tables are, whatever is in them.
fn is_read(name: &str) -> bool {
    name.to_lowercase().ends_with(".csv") || !matches!(Dropped::of(name.as_ref()), Dropped::Unknown(_))
}
