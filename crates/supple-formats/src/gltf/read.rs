//! The meshes of a glTF file.

use super::accessor::Arrays;
use super::animation::{Tracks, read_tracks};
use super::buffers;
use super::frames::{MorphFrames, Shared};
use super::nodes::Nodes;
use super::skin::Skin;
use super::surface::Shape;
use crate::blob::Blob;
use crate::motion::rate_of_times;
use crate::normals::carry_normals;
use crate::scene::{
    Budget, CornerOrder, MOST_FRAMES, Placement, Scene, SceneFormat, SceneObject, StillFrames, Transform, Up,
};
use crate::{FormatError, Problem};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_model::{Frame, FrameSource};

/// Opens a `.gltf` or `.glb`.
pub(crate) fn open_gltf(path: &Path) -> Result<Scene, FormatError> {
    read_blob(&Blob::open(path)?, path).map_err(|e| if e.path.is_some() { e } else { e.in_file(path) })
}

/// The files that hold the buffers of a glTF file.
pub(crate) fn buffer_files(path: &Path) -> Vec<PathBuf> {
    let document = Blob::open(path).and_then(|blob| buffers::split(&blob));
    document.map_or_else(|_| Vec::new(), |(document, _)| buffers::files(&document, path))
}

/// Reads glTF from memory.
///
/// # Errors
/// Those of [`crate::open_scene`].
pub fn read_gltf(bytes: &[u8]) -> Result<Scene, FormatError> {
    read_blob(&Blob::memory(bytes), Path::new(""))
}

fn read_blob(blob: &Blob, path: &Path) -> Result<Scene, FormatError> {
    let (document, chunk) = buffers::split(blob)?;
    let buffers = buffers::open(&document, chunk, path)?;
    let mut budget = Budget::for_file(blob.len() + buffers.iter().map(Blob::len).sum::<u64>());
    let arrays = Arrays { document, buffers };
    let mut notes = Vec::new();
    let nodes = Nodes::read(&arrays)?;
    let tracks = read_tracks(&arrays, &mut budget, &mut notes)?;
    let (first, fps, frames) = find_timeline(&tracks)?;
    let has_mesh = |node: &usize| arrays.document.nodes[*node].mesh.is_some();
    let (meshes, hidden): (Vec<usize>, Vec<usize>) =
        nodes.order.iter().copied().filter(has_mesh).partition(|node| nodes.is_visible(&arrays, *node));
    notes.extend(hidden.iter().map(|node| format!("{} is hidden and was ignored", nodes.paths[*node])));
    let is_many = |node: &&usize| arrays.document.nodes[**node].extensions.instances.is_some();
    notes.extend(meshes.iter().filter(is_many).map(|node| {
        format!("{} is read once: its instances (EXT_mesh_gpu_instancing) were ignored", nodes.paths[*node])
    }));
    let shared = Arc::new(Shared { arrays, nodes, tracks, path: path.to_path_buf(), first, fps, frames });
    let mut objects = Vec::new();
    for node in meshes {
        let object = read_object(&shared, node, &mut budget, &mut notes);
        objects.extend(object.map_err(|error| error.of_object(&shared.nodes.paths[node]))?);
    }
    if objects.is_empty() {
        let why = notes.first().map_or_else(String::new, |note| format!(" ({note})"));
        return Err(FormatError::whole_file(Problem::NoMeshes { why }));
    }
    let is_animated = objects.iter().any(|object| object.animated);
    Ok(Scene {
        format: SceneFormat::Gltf,
        objects,
        metres_per_unit: Some(1.0),
        up: Some(Up::Y),
        fps: is_animated.then_some(fps),
        start: is_animated.then_some(Frame(first as i32)),
        frames,
        codes_per_frame: 1.0,
        notes,
    })
}

/// The first frame, frames per second and how many frames, from the times of all keys.
fn find_timeline(tracks: &[Tracks]) -> Result<(f64, f64, usize), FormatError> {
    let mut times: Vec<f64> = tracks.iter().flat_map(Tracks::times).collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    let (Some(start), Some(end)) = (times.first(), times.last()) else {
        return Ok((0.0, 24.0, 1));
    };
    let fps = rate_of_times(&times).unwrap_or(24.0);
    let first = (start * fps + 1e-3).floor();
    let last = (end * fps - 1e-3).ceil().max(first);
    if !(first.abs() < 1e9 && last.abs() < 1e9) || last - first >= MOST_FRAMES as f64 {
        return Err(FormatError::whole_file(Problem::TooLarge { what: "frames" }));
    }
    Ok((first, fps, (last - first) as usize + 1))
}

fn read_object(
    shared: &Arc<Shared>,
    node: usize,
    budget: &mut Budget,
    notes: &mut Vec<String>,
) -> Result<Option<SceneObject>, FormatError> {
    let (arrays, nodes, tracks) = (&shared.arrays, &shared.nodes, &shared.tracks);
    let of = &arrays.document.nodes[node];
    let mut skin = of.skin.map(|skin| Skin::read(arrays, skin)).transpose()?;
    let mut shape = Shape::read(arrays, of.mesh.unwrap_or_default(), &mut skin, budget, notes)?;
    if shape.vertices == 0 {
        return Ok(None);
    }
    let mut base = Vec::with_capacity(shape.vertices);
    for part in &shape.parts {
        base.extend(arrays.points(part.positions)?);
    }
    // A skin places its points by itself.
    let is_moving = nodes.chain(node).any(|above| tracks[above].moves());
    let placement = match &skin {
        Some(_) => Placement::Still(Transform::IDENTITY),
        None if is_moving => {
            budget.take("transforms", shared.frames as u64, size_of::<Transform>() as u64)?;
            let at = |index| nodes.place(arrays, tracks, node, shared.time(index));
            Placement::of((0..shared.frames).map(at).collect())
        }
        None => Placement::Still(nodes.place(arrays, tracks, node, shared.time(0))),
    };
    let morphs = tracks[node].weights.as_ref().is_some_and(|track| track.times.len() > 1);
    let skins = skin.as_ref().is_some_and(|skin| skin.moves(nodes, tracks));
    let animated = morphs || skins || matches!(placement, Placement::Moving(_));
    let vertices = shape.surface_vertices();
    let rest = skin.as_ref().map(|skin| {
        let mut points = rest_points(&shape, &base, vertices);
        if let Some(place) = skin.rescaled(&skin.matrices(arrays, nodes, tracks, shared.time(0))) {
            points.iter_mut().for_each(|point| *point = place.apply(*point));
        }
        points
    });
    let rest = rest.filter(|points| points.iter().flatten().all(|x| x.is_finite()));
    let mut surface = std::mem::take(&mut shape.surface);
    surface.positions = vec![[0.0; 3]; vertices];
    let name = nodes.paths[node].clone();
    let (shared, object) = (shared.clone(), name.clone());
    let frames =
        MorphFrames { shared, object, node, shape, skin, placement: placement.clone(), base, vertices };
    frames.read_frame(0, &mut surface.positions)?;
    if !surface.normals.is_empty() {
        let (place, points) = (placement.at(0), rest_points(&frames.shape, &frames.base, vertices));
        place.turn_normals(&mut surface.normals);
        carry_normals(&mut surface, points.into_iter().map(|point| place.apply(point)).collect());
    }
    let count = frames.frames();
    let frames: Box<dyn FrameSource> = if animated {
        Box::new(frames)
    } else {
        Box::new(StillFrames { positions: surface.positions.clone(), frames: count })
    };
    let (derived, instances, corners) = (Vec::new(), Vec::new(), CornerOrder::Same);
    Ok(Some(SceneObject { name, surface, rest, frames, placement, animated, derived, instances, corners }))
}

/// The bind pose: the points of the mesh itself.
fn rest_points(shape: &Shape, base: &[[f64; 3]], vertices: usize) -> Vec<[f64; 3]> {
    let Some(sources) = &shape.sources else {
        return base.to_vec();
    };
    let mut rest = vec![[0.0; 3]; vertices];
    sources.iter().zip(base).for_each(|(vertex, point)| rest[*vertex as usize] = *point);
    rest
}
