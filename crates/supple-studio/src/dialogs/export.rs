//! Exporting the edited motion: what will be written, seen before it is.

use super::{Browse, Choice};
use crate::camera::{Camera, Vec3};
use crate::look::Look;
use crate::pictures::Pictures;
use crate::small_view::{self, SmallScene};
use crate::widgets::{field_error, id, modal, scrolled, take_up};
use eframe::egui::{Context, DragValue, Grid, Key, Sense, TextEdit, Ui, vec2};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use supple_project::{ExportError, ExportOptions, ExportOriginal, ExportPlan, MotionError};
use supple_session::{Picture, Session};

const SIZE: [f32; 2] = [300.0, 230.0];

/// An export that is being described.
pub struct ExportDialog {
    path: String,
    options: ExportOptions,
    /// What the input of the shot was, found beside the window.
    original: Option<Result<ExportOriginal, MotionError>>,
    answer: Option<Receiver<Result<ExportOriginal, MotionError>>>,
    plan: Option<Planned>,
    pictures: Pictures,
    camera: Option<Camera>,
    is_new: bool,
    /// Whether it has to be said that files are to be replaced.
    asks: bool,
    /// Whether it shall begin as soon as it is known what it will do.
    goes: bool,
}

/// A plan, and what it is of.
struct Planned {
    path: PathBuf,
    options: ExportOptions,
    plan: Result<ExportPlan, ExportError>,
}

/// What there is to be exported.
pub struct Exporting {
    /// A frame of it.
    pub picture: Option<Arc<Picture>>,
    /// The frames that are offered as a range.
    pub around: RangeInclusive<i32>,
    /// From where it is seen.
    pub eye: Camera,
}

impl ExportDialog {
    pub fn new(session: &Session) -> Self {
        let title = session.document.title();
        let path = match session.document.path() {
            Some(path) => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                path.with_file_name(format!("{stem}-edited.glb"))
            }
            None => super::files::absolute(Path::new(&format!("{title}-edited.glb"))),
        };
        Self {
            path: path.display().to_string(),
            options: ExportOptions::default(),
            original: None,
            answer: None,
            plan: None,
            pictures: Pictures::default(),
            camera: None,
            is_new: true,
            asks: false,
            goes: false,
        }
    }

    /// Finds out what the input was, and makes a plan when something has changed.
    fn look(&mut self, session: &Session, picture: Option<&Picture>, ctx: &Context) {
        if self.original.is_none() && self.answer.is_none() {
            let (sender, receiver) = channel();
            let (shot, ctx) = (session.document.shot().clone(), ctx.clone());
            self.answer = Some(receiver);
            std::thread::spawn(move || {
                // The dialog may be gone by then.
                let _ = sender.send(ExportOriginal::of(&shot));
                ctx.request_repaint();
            });
        }
        if let Some(original) = self.answer.as_ref().and_then(|answer| answer.try_recv().ok()) {
            (self.original, self.answer) = (Some(original), None);
        }
        let (path, options) = (self.path(), self.options);
        let (Some(Ok(original)), Some(picture)) = (&self.original, picture) else { return };
        let is_of_this = |planned: &Planned| planned.path == path && planned.options == options;
        if !self.plan.as_ref().is_some_and(is_of_this) {
            let (stage, points, shot) = (&picture.stage, &picture.points, session.document.shot());
            let plan = ExportPlan::of(&path, stage, points, shot, options, original);
            self.plan = Some(Planned { path, options, plan });
            self.asks = false;
        }
    }

    /// The path that is typed.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.path.trim())
    }

    /// How to export.
    pub fn options(&self) -> ExportOptions {
        self.options
    }

    fn planned(&self) -> Option<&ExportPlan> {
        self.plan.as_ref().and_then(|planned| planned.plan.as_ref().ok())
    }

    /// What is wrong with it, in words.
    fn problem(&self) -> Option<String> {
        if let Some(Err(problem)) = &self.original {
            return Some(problem.to_string());
        }
        self.plan.as_ref().and_then(|planned| planned.plan.as_ref().err()).map(ToString::to_string)
    }

    /// Shows it.
    pub fn show(
        &mut self,
        ctx: &Context,
        browse: &mut Browse,
        session: &Session,
        what: &Exporting,
    ) -> Choice {
        if let Some(path) = browse.chosen() {
            self.path = path.display().to_string();
        }
        let picture = what.picture.as_ref();
        self.look(session, picture.map(Arc::as_ref), ctx);
        let (mut goes, mut cancels) = (false, false);
        let escaped = modal(ctx, "Export edited motion", 720.0, |ui| {
            scrolled(ui, |ui| {
                goes |= path(ui, self, browse);
                ui.add_space(4.0);
                ui.horizontal_top(|ui| {
                    ui.vertical(|ui| {
                        // What is found out later must not move the buttons away from under the mouse.
                        ui.set_width(400.0);
                        ui.set_min_height(270.0);
                        options(ui, self, picture.map(Arc::as_ref), &what.around);
                        contents(ui, self);
                    });
                    ui.vertical(|ui| preview(ui, self, picture, &what.eye));
                });
            });
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let verb = if self.asks { "Replace" } else { "Export" };
                goes |= id(ui.button(verb), "export").clicked();
                cancels = id(ui.button("Cancel"), "export-cancel").clicked();
            });
        });
        self.goes |= goes;
        Choice::of(self.goes && self.is_ready(), escaped || cancels)
    }

    /// Whether it can begin: nothing is wrong, and what is there may be replaced.
    fn is_ready(&mut self) -> bool {
        match self.planned().map(|plan| plan.replaces.is_some()) {
            Some(false) => true,
            Some(true) if self.asks => true,
            Some(true) => {
                (self.asks, self.goes) = (true, false);
                false
            }
            None => {
                self.goes &= self.problem().is_none();
                false
            }
        }
    }
}

/// The path; answers whether Enter was pressed in it.
fn path(ui: &mut Ui, dialog: &mut ExportDialog, browse: &mut Browse) -> bool {
    let label = ui.label("Path");
    let mut goes = false;
    ui.horizontal(|ui| {
        let field =
            ui.add(TextEdit::singleline(&mut dialog.path).desired_width(ui.available_width() - 100.0));
        let field = id(field.labelled_by(label.id), "export-path");
        if std::mem::take(&mut dialog.is_new) {
            take_up(&field, &dialog.path);
        }
        goes = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if goes {
            field.request_focus();
        }
        if ui.button("Browse …").on_hover_text("Choose a file").clicked() {
            let ctx = ui.ctx().clone();
            browse.ask(true, &dialog.path(), move || ctx.request_repaint());
        }
    });
    ui.weak("Format follows the extension: .glb .gltf .usda .pc2 .mdd, name.####.obj or .ply");
    if let Some(problem) = dialog.problem() {
        field_error(ui, &problem);
    }
    goes
}

fn options(ui: &mut Ui, dialog: &mut ExportDialog, picture: Option<&Picture>, around: &RangeInclusive<i32>) {
    let body = picture.and_then(|picture| picture.stage.body.as_ref());
    let has_both = body.is_some_and(|body| body.skin.is_some())
        && picture.is_some_and(|picture| picture.points.body.is_some());
    // A motion that was imported on its skin goes back on it, whatever is chosen.
    let must_be_skin = !dialog.options.skin && dialog.planned().is_some_and(|plan| plan.is_skin);
    let mut skin = dialog.options.skin || must_be_skin;
    ui.horizontal(|ui| {
        ui.add_enabled_ui(has_both && !must_be_skin, |ui| {
            let hint = "The simulation mesh; a motion imported on a skin is always exported on that skin";
            let field = ui.radio_value(&mut skin, false, "Body").on_hover_text(hint);
            id(field.on_disabled_hover_text(hint), "export-body");
            id(ui.radio_value(&mut skin, true, "Skin").on_hover_text("The fine render mesh"), "export-skin");
        });
    });
    dialog.options.skin = skin && !must_be_skin;
    if let Some(picture) = picture {
        frames(ui, &mut dialog.options, picture, around);
    }
    let is_text = dialog.path.trim().to_lowercase().ends_with(".usda");
    ui.add_enabled_ui(is_text, |ui| {
        ui.checkbox(&mut dialog.options.flat, "Self-contained .usda")
            .on_hover_text("Contains the whole mesh instead of a layer over the original file");
    });
}

/// Which frames, the scene's numbers.
fn frames(ui: &mut Ui, options: &mut ExportOptions, picture: &Picture, around: &RangeInclusive<i32>) {
    let (first, last) = picture.stage.clock.span();
    let mut some = options.frames.is_some();
    ui.horizontal(|ui| {
        let field = ui.checkbox(&mut some, "Frame range").on_hover_text("Off: all frames");
        if id(field.clone(), "export-range").changed() {
            options.frames = some.then_some([*around.start(), *around.end()]);
        }
        if let Some([from, to]) = &mut options.frames {
            let field = ui.add(DragValue::new(from).range(first..=*to));
            id(field.on_hover_text("First frame to export").accessible_name("Export from"), "export-from");
            ui.label("to");
            let field = ui.add(DragValue::new(to).range(*from..=last));
            id(field.on_hover_text("Last frame to export").accessible_name("Export to"), "export-to");
        }
    });
}

/// What will be written.
fn contents(ui: &mut Ui, dialog: &ExportDialog) {
    ui.separator();
    let Some(plan) = dialog.planned() else {
        if dialog.problem().is_none() {
            ui.weak("Checking …");
        }
        return;
    };
    Grid::new("plan").num_columns(2).spacing([12.0, 3.0]).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.label(value);
            ui.end_row();
        };
        row("Format", super::format_name(plan.format));
        row("Frames", format!("{}, {} to {}", plan.count(), plan.frames[0], plan.frames[1]));
        let of = if plan.is_skin { "the skin" } else { "the body" };
        row("Vertices", format!("{} of {of}", plan.vertices));
        row("Size", size(plan.bytes));
        let unit = if plan.space.unit == 1.0 {
            "metres".to_owned()
        } else {
            format!("1 unit = {} m", plan.space.unit)
        };
        row("Units", format!("{unit}, {} up", plan.space.up.name().to_uppercase()));
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let ([first, .., last], true) = (plan.files.as_slice(), plan.files.len() > 1) {
            row("Files", format!("{} to {}", name(first), name(last)));
        }
        if let Some(over) = &plan.over {
            row("Layer over", name(over));
        }
    });
    if let Some(file) = &plan.replaces {
        let words = format!("{} already exists and will be replaced", file.display());
        field_error(ui, &words);
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        100_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// The motion as it is played, body or skin.
fn preview(ui: &mut Ui, dialog: &mut ExportDialog, picture: Option<&Arc<Picture>>, eye: &Camera) {
    let width = ui.available_width().clamp(120.0, SIZE[0]);
    let size = vec2(width, width * SIZE[1] / SIZE[0]);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    small_view::name(&response, "Export preview", "export-view");
    let Some(picture) = picture else { return small_view::empty(ui, rect, "No preview yet") };
    let stage = &picture.stage;
    let body = dialog.planned().is_some_and(|plan| !plan.is_skin);
    let look = Look { body, ghost: false, ..Look::default() };
    let surfaces = dialog.pictures.surfaces(picture, 0, &look, false);
    let camera = dialog.camera.get_or_insert(*eye);
    small_view::turn(camera, ui, &response);
    let far = Vec3::repeat(f64::INFINITY);
    let bounds = stage.rest.iter().fold([far, -far], |[low, high], p| {
        let p = Vec3::from(p.map(f64::from));
        [low.inf(&p), high.sup(&p)]
    });
    let strokes = small_view::floor(bounds, ui.visuals());
    let scene = SmallScene { place: small_view::EXPORT, surfaces, strokes, size: stage.size };
    small_view::paint(ui, rect, camera, scene);
}
