//! The meshes of an FBX file.

use super::frames::{FbxFrames, Shared, allocator, matrix, rejected};
use super::surface::read_surface;
use crate::blob::Blob;
use crate::normals::carry_normals;
use crate::scene::{
    CornerOrder, MOST_FRAMES, Placement, Scene, SceneFormat, SceneObject, StillFrames, Transform, Up, guarded,
};
use crate::{FormatError, Problem};
use std::path::Path;
use std::sync::{Arc, Mutex};
use supple_model::{Frame, FrameSource};
use ufbx::{CoordinateAxis, IndexErrorHandling, LoadOpts};

/// The largest file that is given to the library, which holds it whole.
const LARGEST: u64 = 4 << 30;

/// What the library may take: this, and so many bytes for each of the file, which may be compressed.
const GRANTED: u64 = 256 << 20;
const PER_BYTE: u64 = 32;

/// Opens an `.fbx`.
pub(crate) fn open_fbx(path: &Path) -> Result<Scene, FormatError> {
    let blob = Blob::open(path)?;
    if blob.len() > LARGEST {
        return Err(FormatError::whole_file(Problem::TooLarge { what: "contents of an .fbx" }).in_file(path));
    }
    let bytes = blob.bytes(0, blob.len(), "the file")?;
    read(&bytes, path).map_err(|error| if error.path.is_some() { error } else { error.in_file(path) })
}

/// Reads FBX from memory.
///
/// # Errors
/// Those of [`crate::open_scene`].
pub fn read_fbx(bytes: &[u8]) -> Result<Scene, FormatError> {
    read(bytes, Path::new(""))
}

fn read(bytes: &[u8], path: &Path) -> Result<Scene, FormatError> {
    guarded("ufbx", || read_scene(bytes, path))
}

fn read_scene(bytes: &[u8], path: &Path) -> Result<Scene, FormatError> {
    let memory_limit = (GRANTED + PER_BYTE * bytes.len() as u64) as usize;
    let opts = LoadOpts {
        temp_allocator: allocator(memory_limit),
        result_allocator: allocator(memory_limit),
        evaluate_skinning: true,
        ignore_embedded: true,
        // Only FBX: the library would also read OBJ, of which there is a reader here.
        file_format: ufbx::FileFormat::Fbx,
        index_error_handling: IndexErrorHandling::AbortLoading,
        node_depth_limit: 512,
        generate_missing_normals: false,
        ..LoadOpts::default()
    };
    let scene = ufbx::load_memory(bytes, opts).map_err(|error| rejected(&error))?;
    let fps =
        Some(scene.settings.frames_per_second).filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(24.0);
    let (first, frames) = find_frames(&scene, fps)?;
    let nodes: Vec<usize> = (0..scene.nodes.len()).filter(|node| scene.nodes[*node].mesh.is_some()).collect();
    let path = path.to_path_buf();
    let recent = Mutex::new(None);
    let shared = Arc::new(Shared { scene, path, first, fps, frames, memory_limit, recent });
    let mut objects = Vec::new();
    for node in nodes {
        objects.extend(read_object(&shared, node)?);
    }
    if objects.is_empty() {
        return Err(FormatError::whole_file(Problem::NoMeshes { why: String::new() }));
    }
    let settings = &shared.scene.settings;
    let is_animated = objects.iter().any(|object| object.animated);
    let has_caches = !shared.scene.cache_deformers.is_empty();
    let note = "geometry caches next to the file were not read: export the points into the file".to_owned();
    Ok(Scene {
        format: SceneFormat::Fbx,
        objects,
        metres_per_unit: Some(settings.unit_meters).filter(|unit| unit.is_finite() && *unit > 0.0),
        up: match settings.axes.up {
            CoordinateAxis::PositiveX => Some(Up::X),
            CoordinateAxis::PositiveY => Some(Up::Y),
            CoordinateAxis::PositiveZ => Some(Up::Z),
            _ => None,
        },
        fps: Some(fps),
        start: is_animated.then_some(Frame(first as i32)),
        frames,
        codes_per_frame: 1.0,
        notes: if has_caches { vec![note] } else { Vec::new() },
    })
}

/// The first frame, and how many there are.
fn find_frames(scene: &ufbx::Scene, fps: f64) -> Result<(f64, usize), FormatError> {
    if scene.anim_curves.is_empty() {
        return Ok((0.0, 1));
    }
    let first = (scene.anim.time_begin * fps).round();
    let last = (scene.anim.time_end * fps).round().max(first);
    if !(first.abs() < 1e9 && last.abs() < 1e9) || last - first >= MOST_FRAMES as f64 {
        return Err(FormatError::whole_file(Problem::TooLarge { what: "frames" }));
    }
    Ok((first, (last - first) as usize + 1))
}

fn read_object(shared: &Arc<Shared>, number: usize) -> Result<Option<SceneObject>, FormatError> {
    let node = &shared.scene.nodes[number];
    let Some(mesh) = node.mesh.as_ref().filter(|mesh| !mesh.vertices.is_empty()) else {
        return Ok(None);
    };
    let vertices = mesh.vertices.len();
    let mut surface = read_surface(node, mesh);
    surface.positions = vec![[0.0; 3]; vertices];
    shared.points(number, 0, &mut surface.positions)?;
    let has_deformers = mesh.skin_deformers.len() + mesh.blend_deformers.len() > 0;
    let animated = shared.frames > 1 && (has_deformers || moves(shared, node));
    let rest = (!mesh.skin_deformers.is_empty()).then(|| {
        let place = matrix(&node.geometry_to_world);
        mesh.vertices.iter().map(|p| place.apply([p.x, p.y, p.z])).collect::<Vec<_>>()
    });
    let rest = rest.filter(|points| points.iter().flatten().all(|x| x.is_finite()));
    if !surface.normals.is_empty() {
        let place = matrix(&node.geometry_to_world);
        place.turn_normals(&mut surface.normals);
        carry_normals(&mut surface, mesh.vertices.iter().map(|p| place.apply([p.x, p.y, p.z])).collect());
    }
    let positions = surface.positions.clone();
    let frames: Box<dyn FrameSource> = if animated {
        Box::new(FbxFrames { shared: shared.clone(), node: number, vertices })
    } else {
        Box::new(StillFrames { positions, frames: shared.frames })
    };
    Ok(Some(SceneObject {
        name: path_of(node),
        surface,
        rest,
        frames,
        placement: Placement::Still(Transform::IDENTITY),
        animated,
        derived: Vec::new(),
        instances: Vec::new(),
        corners: CornerOrder::Same,
    }))
}

/// The names of a node and of those above it.
fn path_of(node: &ufbx::Node) -> String {
    let mut path = String::new();
    let mut at = Some(node);
    while let Some(node) = at.filter(|node| !node.is_root) {
        path = format!("/{}{path}", node.element.name.replace('/', "_"));
        at = node.parent.as_deref();
    }
    path
}

/// Whether a node or one above it is not always in the same place.
fn moves(shared: &Shared, node: &ufbx::Node) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        let place = |frame: usize| {
            let time = (shared.first + frame as f64) / shared.fps;
            let t = ufbx::evaluate_transform(&shared.scene.anim, node, time);
            let (p, r, s) = (t.translation, t.rotation, t.scale);
            [p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z]
        };
        let first = place(0);
        if (1..shared.frames).any(|frame| place(frame) != first) {
            return true;
        }
        at = node.parent.as_deref();
    }
    false
}
