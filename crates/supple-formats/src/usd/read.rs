//! The meshes of a USD file.

use super::attribute::{Attribute, targets};
use super::compose::Stage;
use super::load::codes_per_second;
use super::mesh::{check_topology, read_surface};
use super::points::{PointFrames, Timeline};
use super::primvars::read_rest;
use super::xform::{Operations, chain};
use crate::blob::Blob;
use crate::scene::{MOST_FRAMES, Placement, Scene, SceneFormat, SceneObject, StillFrames, Transform, Up};
use crate::{FormatError, Problem};
use std::path::{Path, PathBuf};
use supple_model::Frame;

/// Opens a USD file.
pub(crate) fn open_usd(path: &Path) -> Result<Scene, FormatError> {
    read_usd_blob(Blob::open(path)?, path).map_err(|e| if e.path.is_some() { e } else { e.in_file(path) })
}

/// The files a USD file is made of, and those its layers would be read from if they were there.
pub(crate) fn layer_files(path: &Path) -> Vec<PathBuf> {
    let stage = Blob::open(path).and_then(|blob| Stage::open(blob, path));
    stage.map_or_else(|_| Vec::new(), |stage| stage.layers.files())
}

/// Reads USD from memory; files it refers to are looked for from the working directory on.
///
/// # Errors
/// Those of [`crate::open_scene`].
pub fn read_usd(bytes: &[u8]) -> Result<Scene, FormatError> {
    read_usd_blob(Blob::memory(bytes), Path::new(""))
}

/// Reads USD that is open, and was at `path`.
pub(crate) fn read_usd_blob(blob: Blob, path: &Path) -> Result<Scene, FormatError> {
    let mut stage = Stage::open(blob, path)?;
    let is_shown = |number: &usize| {
        let prim = &stage.prims[*number];
        let purpose = Attribute::find(&stage, prim, "purpose").and_then(|word| word.words().ok());
        prim.type_name == "Mesh" && purpose != Some(vec!["guide".to_owned()])
    };
    let meshes: Vec<usize> = (0..stage.prims.len()).filter(is_shown).collect();
    if meshes.is_empty() {
        let why = stage.layers.notes.first().map_or_else(String::new, |note| format!(" ({note})"));
        let problem = Problem::NoMeshes { why };
        return Err(FormatError::whole_file(problem));
    }
    let mut operations = Vec::with_capacity(stage.prims.len());
    for number in 0..stage.prims.len() {
        operations.push(Operations::read(&mut stage, number)?);
    }
    let (timeline, is_numbered) = find_timeline(&stage, &operations, &meshes)?;
    let mut objects = Vec::new();
    for number in meshes {
        let object = read_object(&mut stage, &operations, number, timeline, path);
        objects.push(object.map_err(|error| error.of_object(&stage.prims[number].path))?);
    }
    let metadata = &stage.layers.layer(0).metadata;
    let (fps, up) =
        (codes_per_second(stage.layers.layer(0)) / timeline.codes_per_frame, metadata.up_axis.as_deref());
    Ok(Scene {
        format: SceneFormat::Usd,
        objects,
        metres_per_unit: metadata.metres_per_unit.filter(|unit| unit.is_finite() && *unit > 0.0),
        up: match up {
            Some("X") => Some(Up::X),
            Some("Y") => Some(Up::Y),
            Some("Z") => Some(Up::Z),
            _ => None,
        },
        fps: Some(fps),
        start: is_numbered.then_some(Frame(timeline.first as i32)),
        frames: timeline.frames,
        codes_per_frame: timeline.codes_per_frame,
        notes: stage.layers.notes,
    })
}

/// The frames of the scene: what the file says, or else what its samples span. Whether it says anything.
fn find_timeline(
    stage: &Stage,
    operations: &[Operations],
    meshes: &[usize],
) -> Result<(Timeline, bool), FormatError> {
    let layer = stage.layers.layer(0);
    let codes = codes_per_second(layer);
    let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let codes_per_frame = layer.metadata.frames_per_second.filter(is_rate).map_or(1.0, |fps| codes / fps);
    let codes_per_frame = if is_rate(&codes_per_frame) { codes_per_frame } else { 1.0 };
    let mut span: Option<(f64, f64)> = None;
    let mut widen = |time: f64| {
        span = Some(span.map_or((time, time), |(low, high)| (low.min(time), high.max(time))));
    };
    for &number in meshes {
        let prim = &stage.prims[number];
        if let Some(points) = Attribute::find(stage, prim, "points").filter(|points| points.samples.len() > 1)
        {
            points.samples.iter().for_each(|(time, _)| widen(*time));
        }
        for above in chain(stage, operations, prim, number) {
            operations[above].times().for_each(&mut widen);
        }
    }
    let said = layer.metadata.start.zip(layer.metadata.end);
    let is_span = |(start, end): &(f64, f64)| start.is_finite() && end.is_finite() && start <= end;
    let is_long = |(start, end): &(f64, f64)| start < end;
    let said = said.filter(is_span);
    let Some((first, last)) = span else {
        let first = said.map_or(0.0, |(start, _)| (start / codes_per_frame).round());
        return Ok((Timeline { first, codes_per_frame, frames: 1 }, said.is_some() && in_range(first)));
    };
    let (start, end) = said.filter(is_long).unwrap_or((first, last));
    // A frame that is off by no more than rounding counts as there.
    let first = (start / codes_per_frame - 1e-6).ceil();
    let last = (end / codes_per_frame + 1e-6).floor().max(first);
    if !(in_range(first) && in_range(last)) || last - first >= MOST_FRAMES as f64 {
        return Err(FormatError::whole_file(Problem::TooLarge { what: "frames" }));
    }
    Ok((Timeline { first, codes_per_frame, frames: (last - first) as usize + 1 }, true))
}

fn in_range(frame: f64) -> bool {
    frame.abs() < 1e9
}

fn read_object(
    stage: &mut Stage,
    operations: &[Operations],
    number: usize,
    timeline: Timeline,
    path: &Path,
) -> Result<SceneObject, FormatError> {
    check_topology(stage, &stage.prims[number], timeline.codes_per_frame)?;
    let (mut surface, corners) = read_surface(stage, number, timeline.first)?;
    let placement = place(stage, operations, number, timeline)?;
    let prim = &stage.prims[number];
    let name = prim.path.clone();
    if !targets(stage, prim, "skel:skeleton").is_empty()
        || Attribute::find(stage, prim, "primvars:skel:jointIndices").is_some()
    {
        stage.layers.notes.push(format!(
            "{name} is animated by a skeleton, which is not supported in USD: export the animated points \
             (in Blender, switch off Armatures and Shape Keys), or use .glb or .fbx"
        ));
    }
    let prim = &stage.prims[number];
    let Some(points) = Attribute::find(stage, prim, "points") else {
        return Err(FormatError::whole_file(Problem::Empty("points")));
    };
    let first = placement.at(0);
    let placed =
        |points: Vec<[f64; 3]>| -> Vec<[f64; 3]> { points.into_iter().map(|p| first.apply(p)).collect() };
    let vertices = surface.positions.len();
    first.turn_normals(&mut surface.normals);
    let rest = read_rest(stage, prim, vertices)?.map(placed);
    let animated = points.samples.len() > 1 || matches!(placement, Placement::Moving(_));
    let mut frames =
        PointFrames::new(&points, vertices, placement.clone(), timeline, (path.to_path_buf(), name.clone()));
    supple_model::FrameSource::read(&mut frames, 0, &mut surface.positions).map_err(FormatError::of_frame)?;
    let derived = ["normals", "primvars:normals", "velocities", "accelerations"];
    let derived = derived.into_iter().filter(|name| Attribute::find(stage, prim, name).is_some());
    let derived = derived.map(str::to_owned).collect();
    let instances = instances_above(stage, number);
    let positions = surface.positions.clone();
    let frames: Box<dyn supple_model::FrameSource> = if animated {
        Box::new(frames)
    } else {
        Box::new(StillFrames { positions, frames: timeline.frames })
    };
    Ok(SceneObject { name, surface, rest, frames, placement, animated, derived, instances, corners })
}

/// Where a prim is in every frame.
fn place(
    stage: &mut Stage,
    operations: &[Operations],
    number: usize,
    timeline: Timeline,
) -> Result<Placement, FormatError> {
    let chain = chain(stage, operations, &stage.prims[number], number);
    let at = |index: usize| {
        let time = timeline.code(index);
        chain.iter().fold(Transform::IDENTITY, |all, above| all.after(&operations[*above].at(time)))
    };
    if chain.iter().any(|above| operations[*above].is_moving()) {
        stage.layers.budget.take("transforms", timeline.frames as u64, size_of::<Transform>() as u64)?;
        Ok(Placement::of((0..timeline.frames).map(at).collect()))
    } else {
        Ok(Placement::Still(at(0)))
    }
}

/// The paths of a prim and of those above it that are instances.
fn instances_above(stage: &Stage, number: usize) -> Vec<String> {
    let mut instances = Vec::new();
    let mut above = Some(number);
    while let Some(prim) = above.map(|above| &stage.prims[above]) {
        if prim.is_instance {
            instances.push(prim.path.clone());
        }
        above = prim.parent;
    }
    instances
}
