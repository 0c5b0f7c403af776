//! Importing an animated surface: what `supple new` asks, with a picture of what will come of it.

mod options;
mod view;

use super::{Browse, Choice, Dropped};
use crate::widgets::{field_error, id, modal, scrolled};
use eframe::egui::{Context, ProgressBar, Ui};
use std::path::{Path, PathBuf};
use supple_project::shot::Axis;
use supple_project::{
    Import, ImportChecked, ImportField, ImportKind, ImportPreview, ImportWrong, MotionFile, PreviewState,
    RestShape, Space, parse_unit,
};
use view::ImportView;

/// An import that is being described.
pub struct ImportDialog {
    path: String,
    topology: String,
    object: String,
    rest: String,
    groups: String,
    unit: String,
    up: Option<Axis>,
    kind: ImportKind,
    cells: usize,
    /// The file as it is looked into.
    preview: Option<ImportPreview>,
    seen: PreviewState,
    view: ImportView,
    /// Whose file the system's dialog asks for.
    browses: ImportField,
    /// Whether it was tried to import what is not whole.
    was_refused: bool,
    is_new: bool,
}

impl ImportDialog {
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.display().to_string(),
            topology: String::new(),
            object: String::new(),
            rest: String::new(),
            groups: String::new(),
            unit: String::new(),
            up: None,
            kind: ImportKind::Auto,
            cells: 0,
            preview: None,
            seen: PreviewState::default(),
            view: ImportView::default(),
            browses: ImportField::Path,
            was_refused: false,
            is_new: true,
        }
    }

    /// The mesh of a point cache that was dropped with it.
    pub fn with_topology(mut self, path: &Path) -> Self {
        self.topology = path.display().to_string();
        self
    }

    /// Takes in a file that was dropped on the dialog: a table of groups, the mesh of a point cache, the point cache of a
    /// mesh, or another motion.
    pub fn take(&mut self, file: Dropped) {
        let text = |path: &Path| path.display().to_string();
        let ends = |path: &str, ending: &[&str]| {
            let path = path.to_lowercase();
            ending.iter().any(|ending| path.trim().ends_with(ending))
        };
        match file {
            Dropped::Groups(path) => self.groups = text(&path),
            Dropped::CacheWithMesh(cache, mesh) => (self.path, self.topology) = (text(&cache), text(&mesh)),
            Dropped::Mesh(path) if ends(&self.path, &[".pc2", ".mdd"]) => self.topology = text(&path),
            Dropped::Cache(path) if ends(&self.path, &[".obj", ".ply", ".stl"]) => {
                self.topology = std::mem::replace(&mut self.path, text(&path));
            }
            Dropped::Cache(path) | Dropped::Mesh(path) | Dropped::Motion(path) => {
                *self = Self { groups: std::mem::take(&mut self.groups), ..Self::new(&path) };
            }
            Dropped::Shot(_) | Dropped::Contacts(_) | Dropped::Unknown(_) => {}
        }
    }

    /// What is described.
    pub fn import(&self) -> Import {
        let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let rest = text(&self.rest).map(|rest| match rest.parse() {
            Ok(frame) => RestShape::Frame(frame),
            Err(_) => RestShape::File(rest.into()),
        });
        Import {
            file: MotionFile {
                path: self.path.trim().into(),
                topology: text(&self.topology).map(PathBuf::from),
                object: text(&self.object),
                unit: parse_unit(&self.unit).ok(),
                up: self.up,
            },
            rest,
            kind: self.kind,
            cells: (self.cells > 0).then_some(self.cells),
            groups: text(&self.groups).map(PathBuf::from),
            force: false,
        }
    }

    /// Looks into the file, and checks what is asked of it.
    fn look(&mut self, ctx: &Context) {
        let import = self.import();
        if import.file.path.as_os_str().is_empty() {
            (self.preview, self.seen) = (None, PreviewState::default());
            return;
        }
        if !self.preview.as_ref().is_some_and(|preview| preview.serves(&import)) {
            let ctx = ctx.clone();
            self.preview = Some(ImportPreview::of(&import, move || ctx.request_repaint()));
        }
        if let Some(preview) = &self.preview {
            preview.check(&import);
            self.seen = preview.seen();
        }
    }

    /// What is known to be wrong.
    fn wrong(&self) -> Option<&ImportWrong> {
        let checked = self.seen.checked.as_ref().and_then(|(_, result)| result.as_ref().err());
        self.seen.problem.as_ref().or(checked)
    }

    fn checked(&self) -> Option<&ImportChecked> {
        self.seen.checked.as_ref().and_then(|(_, result)| result.as_deref().ok())
    }

    /// What is wrong with the unit.
    fn wrong_unit(&self) -> Option<String> {
        if self.unit.trim().is_empty() {
            None
        } else {
            parse_unit(&self.unit).err().map(|wrong| wrong.to_string())
        }
    }

    /// Where the points of the file will be: as asked, as the file says, in metres with y up.
    fn space(&self) -> Space {
        let scene = self.seen.scene.as_deref();
        let unit = parse_unit(&self.unit).ok().or(scene.and_then(|scene| scene.unit));
        let up = self.up.or(scene.and_then(|scene| scene.up));
        Space { unit: unit.unwrap_or(1.0), up: up.unwrap_or(Axis::Y) }
    }

    /// Says what is wrong with a field, if it is that one.
    fn say_wrong(&self, ui: &mut Ui, field: ImportField) {
        if let Some(wrong) = self.wrong().filter(|wrong| wrong.field == field) {
            field_error(ui, &wrong.text);
        }
    }

    /// Shows it.
    pub fn show(&mut self, ctx: &Context, browse: &mut Browse) -> Choice {
        if let Some(path) = browse.chosen() {
            let path = path.display().to_string();
            match self.browses {
                ImportField::Topology => self.topology = path,
                ImportField::Groups => self.groups = path,
                ImportField::Rest => self.rest = path,
                ImportField::Path | ImportField::Object => self.path = path,
            }
        }
        self.look(ctx);
        let (mut goes, mut cancels) = (false, false);
        let escaped = modal(ctx, "Import motion", 880.0, |ui| {
            scrolled(ui, |ui| {
                ui.horizontal_top(|ui| {
                    ui.vertical(|ui| {
                        // What is found out later must not move the buttons away from under the mouse.
                        ui.set_width(430.0);
                        ui.set_min_height(580.0);
                        options::show(ui, self, browse);
                    });
                    ui.add_space(8.0);
                    ui.vertical(|ui| view::show(ui, self));
                });
            });
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                goes = id(ui.button("Import"), "import").clicked();
                cancels = id(ui.button("Cancel"), "import-cancel").clicked();
                reading(ui, self);
            });
        });
        let is_wrong = self.path.trim().is_empty() || self.wrong().is_some() || self.wrong_unit().is_some();
        self.was_refused |= goes && is_wrong;
        Choice::of(goes && !is_wrong, escaped || cancels)
    }
}

/// How far reading is, and a way to stop it.
fn reading(ui: &mut Ui, dialog: &ImportDialog) {
    let Some((what, fraction)) = dialog.seen.doing.clone() else { return };
    ui.add(ProgressBar::new(fraction as f32).desired_width(170.0).text(what));
    let stop = ui.small_button("×").on_hover_text("Stop reading").accessible_name("Stop reading");
    if let Some(preview) = dialog.preview.as_ref().filter(|_| stop.clicked()) {
        preview.cancel();
    }
}
