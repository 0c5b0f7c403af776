//! The picture of an import: the object as it will be, in metres with y up, playing slowly, and on the spot if it travels;
//! the others paler.

use super::ImportDialog;
use crate::camera::{Camera, Vec3};
use crate::numbers::metres;
use crate::scene::{Drawn, Shape, Stroke, Surface};
use crate::small_view::SmallScene;
use crate::{colours, small_view};
use eframe::egui::{Sense, Ui, vec2};
use std::sync::Arc;
use std::time::Duration;
use supple_project::{PreviewFrame, PreviewObject, PreviewScene, Space};

const SIZE: [f32; 2] = [420.0, 330.0];
/// Frames that are shown in a second.
const PACE: f64 = 8.0;
/// How tall the person is that stands beside it, in metres.
const PERSON: f64 = 1.75;

/// What was made of the file to be drawn.
#[derive(Default)]
pub struct ImportView {
    camera: Camera,
    /// What the camera was set for.
    framed: Option<FramedFor>,
    scene: Option<(Arc<PreviewScene>, Vec<Arc<Shape>>)>,
    surfaces: Option<(Shown, Vec<Drawn>)>,
}

/// What the camera was set for.
#[derive(Clone, Copy, PartialEq)]
struct FramedFor {
    space: Space,
    /// The object that is imported.
    chosen: Option<usize>,
    /// How many there are.
    objects: usize,
}

/// What is drawn.
#[derive(Clone, Copy, PartialEq)]
struct Shown {
    /// Which of the frames that were read.
    slot: usize,
    /// How many there are.
    frames: usize,
    space: Space,
    /// The object that is imported.
    chosen: Option<usize>,
    /// Tells its rest shapes apart.
    rest: usize,
}

pub fn show(ui: &mut Ui, dialog: &mut ImportDialog) {
    let width = ui.available_width().clamp(120.0, SIZE[0]);
    let size = vec2(width, width * SIZE[1] / SIZE[0]);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    small_view::name(&response, "Import preview", "import-view");
    let space = dialog.space();
    let chosen = dialog.checked().map(|checked| checked.object);
    let now = ui.input(|input| input.time);
    let count = dialog.seen.frames.len();
    let slot = if count > 0 { (now * PACE) as usize % count } else { 0 };
    if count > 1 {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(1.0 / PACE));
    }
    let Some(scene) = dialog.seen.scene.clone() else {
        small_view::empty(ui, rect, "No preview yet");
        return;
    };
    let bounds = bounds(&scene, chosen, space);
    let surfaces = surfaces(dialog, &scene, slot, space, chosen);
    let size = (bounds[1] - bounds[0]).norm();
    let mut view = std::mem::take(&mut dialog.view);
    let key = FramedFor { space, chosen, objects: scene.objects.len() };
    if view.framed != Some(key) {
        view.framed = Some(key);
        let aspect = f64::from(SIZE[0] / SIZE[1]);
        view.camera.frame(&with_person(bounds), 0.04 * size, aspect);
    }
    small_view::turn(&mut view.camera, ui, &response);
    let mut strokes = small_view::floor(bounds, ui.visuals());
    strokes.extend(person(bounds));
    strokes.extend(axes(bounds, size));
    let drawn = SmallScene { place: small_view::IMPORT, surfaces, strokes, size };
    small_view::paint(ui, rect, &view.camera, drawn);
    dialog.view = view;
    words(ui, dialog, &scene, bounds, slot);
}

/// The corners of what is imported, inside; of everything while that is not known.
fn bounds(scene: &PreviewScene, chosen: Option<usize>, space: Space) -> [Vec3; 2] {
    let is_meant = |k: usize| chosen.is_none_or(|chosen| chosen == k);
    let objects = scene.objects.iter().enumerate().filter(|(k, _)| is_meant(*k));
    let far = Vec3::repeat(f64::INFINITY);
    objects.flat_map(|(_, object)| object.bounds).fold([far, -far], |[low, high], corner| {
        let corner = Vec3::from(space.inside(corner));
        [low.inf(&corner), high.sup(&corner)]
    })
}

fn surfaces(
    dialog: &mut ImportDialog,
    scene: &Arc<PreviewScene>,
    slot: usize,
    space: Space,
    chosen: Option<usize>,
) -> Vec<Drawn> {
    let Some(frame) = dialog.seen.frames.get(slot).cloned() else { return Vec::new() };
    let rest = dialog.checked().map(|checked| checked.rest.clone());
    let (frames, mark) = (dialog.seen.frames.len(), rest.as_ref().map_or(0, |rest| mark(rest)));
    let key = Shown { slot, frames, space, chosen, rest: mark };
    let view = &mut dialog.view;
    if !view.scene.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, scene)) {
        let empty = |object: &PreviewObject| Shape::new(&[], object.drawn.clone());
        view.scene = Some((scene.clone(), scene.objects.iter().map(empty).collect()));
        view.surfaces = None;
    }
    let Some((_, shapes)) = &view.scene else { return Vec::new() };
    if !view.surfaces.as_ref().is_some_and(|(of, _)| *of == key) {
        let away = chosen.map_or(Vec3::zeros(), |k| travelled(&dialog.seen.frames, slot, k, space));
        let moved = |points: &[[f32; 3]], away: Vec3| -> Vec<[f32; 3]> {
            let inside = |p: &[f32; 3]| Vec3::from(space.inside(p.map(f64::from))) - away;
            points.iter().map(|p| inside(p).map(|x| x as f32).into()).collect()
        };
        let make = |(k, points): (usize, &Arc<Vec<[f32; 3]>>)| {
            let colour = if chosen.is_none_or(|chosen| chosen == k) { colours::BODY } else { colours::PALE };
            let surface = Arc::new(Surface::new(moved(points, away), &shapes[k]));
            Drawn { shape: shapes[k].clone(), surface, colour }
        };
        let mut drawn: Vec<Drawn> = frame.objects.iter().enumerate().map(make).collect();
        if let (Some(k), Some(rest)) =
            (chosen, rest.filter(|rest| Some(rest) != chosen.map(|k| &*frame.objects[k])))
        {
            let surface = Arc::new(Surface::new(moved(&rest, Vec3::zeros()), &shapes[k]));
            drawn.push(Drawn { shape: shapes[k].clone(), surface, colour: colours::GHOST });
        }
        view.surfaces = Some((key, drawn));
    }
    view.surfaces.iter().flat_map(|(_, drawn)| drawn.clone()).collect()
}

/// How far an object has come in one of the frames that were read, if it leaves the place where it begins: it is shown
/// there all the same.
fn travelled(frames: &[PreviewFrame], slot: usize, object: usize, space: Space) -> Vec3 {
    let corners = |slot: usize| {
        let points =
            frames.get(slot).and_then(|frame| frame.objects.get(object)).map_or(&[][..], |points| points);
        let far = Vec3::repeat(f64::INFINITY);
        points.iter().fold([far, -far], |[low, high], p| {
            let p = Vec3::from(space.inside(p.map(f64::from)));
            [low.inf(&p), high.sup(&p)]
        })
    };
    let middle = |[low, high]: [Vec3; 2]| (low + high) / 2.0;
    let first = corners(0);
    let (begins, size) = (middle(first), (first[1] - first[0]).norm());
    let travels = [frames.len() / 2, frames.len().saturating_sub(1)]
        .into_iter()
        .any(|slot| (middle(corners(slot)) - begins).norm() > 0.7 * size);
    let away = middle(corners(slot)) - begins;
    if travels && away.norm().is_finite() { away } else { Vec3::zeros() }
}

/// Tells rest shapes apart.
fn mark(rest: &[[f32; 3]]) -> usize {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    rest.iter().flatten().for_each(|x| x.to_bits().hash(&mut hasher));
    hasher.finish() as usize
}

/// Where the person stands, if it would be seen beside something of this size.
fn stands([low, high]: [Vec3; 2]) -> Option<Vec3> {
    let size = (high - low).norm();
    let is_seen = (0.15 * PERSON..40.0 * PERSON).contains(&size);
    is_seen.then(|| Vec3::new(low.x - 0.35 * PERSON, low.y, (low.z + high.z) / 2.0))
}

/// What is to be seen: the corners of the box, and the person.
fn with_person(bounds: [Vec3; 2]) -> Vec<Vec3> {
    let corner = |k: usize| Vec3::from_fn(|c, _| bounds[(k >> c) & 1][c]);
    let head = |feet: Vec3| feet + Vec3::new(0.0, PERSON, 0.0);
    (0..8).map(corner).chain(stands(bounds).into_iter().flat_map(|feet| [feet, head(feet)])).collect()
}

/// A person beside it, so that a wrong unit is seen.
fn person(bounds: [Vec3; 2]) -> Vec<Stroke> {
    let Some(feet) = stands(bounds) else { return Vec::new() };
    let at = |x: f64, y: f64| {
        let p = feet + Vec3::new(x, y, 0.0) * PERSON;
        [p.x as f32, p.y as f32, p.z as f32]
    };
    let line = |from: [f32; 3], to: [f32; 3]| Stroke { from, to, colour: [150, 150, 150, 255], width: 3.0 };
    let mut strokes = vec![
        line(at(-0.07, 0.0), at(0.0, 0.47)),
        line(at(0.07, 0.0), at(0.0, 0.47)),
        line(at(0.0, 0.47), at(0.0, 0.84)),
        line(at(-0.14, 0.5), at(0.0, 0.8)),
        line(at(0.14, 0.5), at(0.0, 0.8)),
    ];
    // A round head.
    let turn = |k: i32| f64::from(k) * std::f64::consts::TAU / 10.0;
    let around = |k: i32| at(0.055 * turn(k).sin(), 0.92 + 0.07 * turn(k).cos());
    strokes.extend((0..10).map(|k| line(around(k), around(k + 1))));
    strokes
}

/// The axes inside, at a corner: y is up.
fn axes([low, _]: [Vec3; 2], size: f64) -> Vec<Stroke> {
    let corner = low - Vec3::new(0.08, 0.0, 0.08) * size;
    let axis = |c: usize| {
        let mut tip = corner;
        tip[c] += 0.25 * size;
        let [from, to] = [corner, tip].map(|p| [p.x as f32, p.y as f32, p.z as f32]);
        Stroke { from, to, colour: colours::rgba(colours::AXES[c], 1.0), width: 2.5 }
    };
    (0..3).map(axis).collect()
}

/// What is seen, in numbers.
fn words(ui: &mut Ui, dialog: &ImportDialog, scene: &PreviewScene, bounds: [Vec3; 2], slot: usize) {
    let size = bounds[1] - bounds[0];
    let [x, y, z] = [size.x, size.y, size.z].map(metres);
    let shown = dialog.seen.frames.get(slot).map_or(0, |frame| frame.index) as i32;
    ui.strong(format!("{x} wide, {y} high, {z} deep"));
    let squares = metres(small_view::square(size.norm()));
    ui.weak(format!(
        "Grid squares: {squares}. Green is up, yellow is the rest shape. The figure is 1.75 m tall."
    ));
    let last = scene.start.saturating_add_unsigned(scene.frames.saturating_sub(1) as u32);
    let motion = match scene.frames {
        1 => "static".to_owned(),
        count => format!(
            "{count} frames, {} to {last}, {} fps; showing frame {}",
            scene.start,
            scene.fps,
            scene.start.saturating_add(shown)
        ),
    };
    ui.label(format!("{}: {motion}", crate::dialogs::format_name(scene.format)));
    if let Some(checked) = dialog.checked() {
        let object = &scene.objects[checked.object];
        ui.label(format!("{}: {} vertices, {} triangles", object.name, object.vertices, object.triangles));
        ui.label(format!("Rest shape: {}", checked.rest_name));
        if !checked.groups.is_empty() {
            let names: Vec<String> =
                checked.groups.iter().take(8).map(|(name, size)| format!("{name} ({size})")).collect();
            ui.label(format!("Groups: {}", names.join(", ")));
        }
    }
    let others = scene.objects.len() - 1;
    if others > 0 {
        let words = if others == 1 { "other object becomes" } else { "other objects become" };
        ui.label(format!("{others} {words} scenery"));
    }
    for note in scene.notes.iter().take(3) {
        ui.weak(note);
    }
}
