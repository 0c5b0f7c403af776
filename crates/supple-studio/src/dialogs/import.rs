//! Importing an animated surface: what `supple new` asks, with what is in the file beside it.

use super::modal;
use crate::Studio;
use eframe::egui::{ComboBox, Context, DragValue, Grid, TextEdit, Ui};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use supple_model::Progress;
use supple_project::info::{FileInfo, describe};
use supple_project::shot::Axis;
use supple_project::{Import, ImportKind, MotionFile, RestShape};

/// An import that is being described.
pub struct ImportDialog {
    path: String,
    topology: String,
    object: String,
    rest: String,
    unit: f64,
    up: Option<Axis>,
    kind: ImportKind,
    cells: usize,
    preview: Preview,
    problem: Option<String>,
}

/// What is in the file, found out beside the window.
#[derive(Default)]
struct Preview {
    of: String,
    answer: Option<Receiver<(Vec<String>, String)>>,
    objects: Vec<String>,
    words: String,
}

impl ImportDialog {
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.display().to_string(),
            topology: String::new(),
            object: String::new(),
            rest: String::new(),
            unit: 0.0,
            up: None,
            kind: ImportKind::Auto,
            cells: 0,
            preview: Preview::default(),
            problem: None,
        }
    }

    /// The mesh of a point cache that was dropped with it.
    pub fn with_topology(mut self, path: &Path) -> Self {
        self.topology = path.display().to_string();
        self
    }

    fn import(&self) -> Import {
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
                unit: (self.unit > 0.0).then_some(self.unit),
                up: self.up,
            },
            rest,
            kind: self.kind,
            cells: (self.cells > 0).then_some(self.cells),
            ..Import::default()
        }
    }
}

impl Preview {
    fn look(&mut self, path: &str, ctx: &Context) {
        if self.of != path {
            path.clone_into(&mut self.of);
            (self.objects, self.words) = (Vec::new(), String::new());
            let (file, ctx) = (PathBuf::from(path.trim()), ctx.clone());
            if !file.is_file() && !path.contains(['#', '%']) {
                self.answer = None;
                return;
            }
            let (sender, receiver) = channel();
            self.answer = Some(receiver);
            "looking into it …".clone_into(&mut self.words);
            std::thread::spawn(move || {
                let words = match describe(&file, &Progress::silent()) {
                    Ok(info) => words(&info),
                    Err(error) => (Vec::new(), error.to_string()),
                };
                // Another file may have been named since.
                let _ = sender.send(words);
                ctx.request_repaint();
            });
        }
        if let Some(found) = self.answer.as_ref().and_then(|answer| answer.try_recv().ok()) {
            (self.objects, self.words) = found;
            self.answer = None;
        }
    }
}

/// The objects of a file, and a few lines on it.
fn words(info: &FileInfo) -> (Vec<String>, String) {
    match info {
        FileInfo::Motion(info) => {
            let needs = if info.triangles.is_none() { "; it has no faces of its own" } else { "" };
            (
                Vec::new(),
                format!("{}: {} vertices, {} frames{needs}", info.format, info.vertices, info.frames),
            )
        }
        FileInfo::Scene(info) => {
            let line = |object: &supple_project::info::ObjectInfo| {
                let moves = if object.animated { "moves" } else { "stands still" };
                format!(
                    "\n{}: {} vertices, {} triangles, {moves}",
                    object.name, object.vertices, object.triangles
                )
            };
            let lines: String = info.objects.iter().take(8).map(line).collect();
            let objects = info.objects.iter().map(|object| object.name.clone()).collect();
            (
                objects,
                format!("{}: {} frames, {} objects{lines}", info.format, info.frames, info.objects.len()),
            )
        }
        FileInfo::Surface(info) => (
            Vec::new(),
            format!("a mesh of {} vertices, {} triangles; it does not move", info.vertices, info.triangles),
        ),
        _ => (Vec::new(), "this is no motion of a surface".to_owned()),
    }
}

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.import.take() else { return };
    if let Some(path) = studio.dialogs.browse.chosen() {
        dialog.path = path.display().to_string();
    }
    dialog.preview.look(&dialog.path.clone(), ctx);
    let (mut goes, mut cancels) = (false, false);
    let escaped = modal(ctx, "Import a motion", 520.0, |ui| {
        let label = ui.label("Path (.usda .usdc .gltf .glb .fbx .abc .pc2 .mdd, name.####.obj or .ply)");
        ui.horizontal(|ui| {
            let field = ui.add(TextEdit::singleline(&mut dialog.path).desired_width(420.0));
            field.labelled_by(label.id);
            if ui.button("Browse …").clicked() {
                let ctx = ctx.clone();
                studio.dialogs.browse.ask(false, move || ctx.request_repaint());
            }
        });
        ui.weak(&dialog.preview.words);
        ui.add_space(4.0);
        Grid::new("import").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| options(ui, &mut dialog));
        if let Some(problem) = &dialog.problem {
            ui.colored_label(crate::colours::RED, problem);
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            goes = ui.button("Import").clicked();
            cancels = ui.button("Cancel").clicked();
        });
    });
    if goes && dialog.path.trim().is_empty() {
        dialog.problem = Some("there is no path yet".to_owned());
    } else if goes {
        let task = studio.session.document.import_task(dialog.import());
        if let Some(task) = studio.hear(task) {
            studio.session.jobs.start(task);
        }
        return;
    }
    if !escaped && !cancels {
        studio.dialogs.import = Some(dialog);
    }
}

fn options(ui: &mut Ui, dialog: &mut ImportDialog) {
    let text = |ui: &mut Ui, name: &str, value: &mut String, hint: &str| {
        let label = ui.label(name).on_hover_text(hint);
        ui.add(TextEdit::singleline(value).desired_width(340.0).hint_text(hint)).labelled_by(label.id);
        ui.end_row();
    };
    text(ui, "Mesh of a point cache", &mut dialog.topology, "faces for .pc2 and .mdd");
    text(ui, "Rest shape", &mut dialog.rest, "the file's own; or a frame, or a mesh");
    let label = ui.label("Object");
    if dialog.preview.objects.is_empty() {
        ui.add(TextEdit::singleline(&mut dialog.object).desired_width(340.0).hint_text("the one that moves"))
            .labelled_by(label.id);
    } else {
        let name = if dialog.object.is_empty() { "the one that moves" } else { &dialog.object };
        let objects = dialog.preview.objects.clone();
        ComboBox::from_id_salt("object").selected_text(name.to_owned()).show_ui(ui, |ui| {
            ui.selectable_value(&mut dialog.object, String::new(), "the one that moves");
            for object in objects {
                ui.selectable_value(&mut dialog.object, object.clone(), object);
            }
        });
    }
    ui.end_row();
    ui.label("Body");
    let kinds = [
        (ImportKind::Auto, "as the surface suggests"),
        (ImportKind::Solid, "solid: tets inside"),
        (ImportKind::Voxels, "voxels around it"),
        (ImportKind::Cloth, "cloth: the surface itself"),
    ];
    let name = kinds.iter().find(|kind| kind.0 == dialog.kind).map_or("", |kind| kind.1);
    ComboBox::from_id_salt("kind").selected_text(name).show_ui(ui, |ui| {
        for (kind, name) in kinds {
            ui.selectable_value(&mut dialog.kind, kind, name);
        }
    });
    ui.end_row();
    let label = ui.label("Cells").on_hover_text("Along the longest side; 0: chosen for you");
    ui.add(DragValue::new(&mut dialog.cells).range(0..=400)).labelled_by(label.id);
    ui.end_row();
    let label = ui.label("Metres in a unit").on_hover_text("0: as the file says");
    ui.add(DragValue::new(&mut dialog.unit).range(0.0..=1e6).speed(0.01)).labelled_by(label.id);
    ui.end_row();
    ui.label("Up");
    ui.horizontal(|ui| {
        ui.selectable_value(&mut dialog.up, None, "as the file says");
        ui.selectable_value(&mut dialog.up, Some(Axis::Y), "y");
        ui.selectable_value(&mut dialog.up, Some(Axis::Z), "z");
    });
    ui.end_row();
}
