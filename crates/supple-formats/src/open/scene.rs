//! From a path to a scene, the format chosen by the ending.

use crate::alembic::open_alembic;
use crate::fbx::open_fbx;
use crate::gltf::open_gltf;
use crate::scene::{CornerOrder, Placement, Scene, SceneFormat, SceneObject, StillFrames, Transform};
use crate::usd::open_usd;
use crate::{FormatError, MeshFile, MotionReader, Problem, SurfaceFile};
use crate::{is_motion_path, load_mesh, motion::what_is_in, open_motion};
use std::path::Path;
use supple_model::{Clock, FrameSource};

/// Opens a scene: `.usda`, `.usdc`, `.usd`, `.usdz`, `.gltf`, `.glb`, `.fbx`, `.abc`; a mesh of any format,
/// which is a scene of one frame; a series of meshes. Point caches have no faces: see [`Scene::of_motion`].
///
/// # Errors
/// An ending that is none of these, a file that cannot be read, whatever its reader finds, a file without a
/// mesh; all name the file.
pub fn open_scene(path: impl AsRef<Path>) -> Result<Scene, FormatError> {
    let path = path.as_ref();
    if path.is_dir() {
        return Err(FormatError::whole_file(Problem::Folder(what_is_in(path))).in_file(path));
    }
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let scene = match extension.to_str() {
        Some("usda" | "usdc" | "usd" | "usdz") => open_usd(path),
        Some("gltf" | "glb") => open_gltf(path),
        Some("fbx") => open_fbx(path),
        Some("abc") => open_alembic(path),
        _ if is_motion_path(path) => {
            open_motion(path).and_then(|motion| Scene::of_motion(motion, None, path))
        }
        Some("obj" | "ply" | "stl" | "msh" | "mesh" | "veg" | "abq" | "inp" | "node" | "ele") => {
            open_mesh(path)
        }
        _ => Err(FormatError::whole_file(Problem::UnknownScene)),
    };
    scene.map_err(|error| if error.path.is_some() { error } else { error.in_file(path) })
}

fn open_mesh(path: &Path) -> Result<Scene, FormatError> {
    match load_mesh(path)? {
        MeshFile::Surface(surface) => {
            let frames = StillFrames { positions: surface.positions.clone(), frames: 1 };
            Ok(Scene::of_frames(SceneFormat::Mesh, surface, Box::new(frames), path))
        }
        MeshFile::Volume(_) => {
            let what = "a mesh of volume elements as a scene of surfaces".to_owned();
            Err(FormatError::whole_file(Problem::Unsupported(what)))
        }
    }
}

impl Scene {
    /// A scene of one object: a motion, and its faces where the motion has none of its own.
    ///
    /// # Errors
    /// No faces at all, a mesh with another number of vertices, a first frame that cannot be read.
    pub fn of_motion(
        mut motion: Box<dyn MotionReader>,
        topology: Option<SurfaceFile>,
        path: &Path,
    ) -> Result<Self, FormatError> {
        let own = motion.topology().cloned();
        let Some(mut surface) = topology.or(own) else {
            return Err(FormatError::whole_file(Problem::NeedsMesh));
        };
        let (found, expected) = (surface.positions.len(), motion.vertices());
        if found != expected {
            let (culprit, reference) = ("the mesh".to_owned(), "the motion".to_owned());
            let problem = Problem::OtherCount { what: "vertices", culprit, found, reference, expected };
            return Err(FormatError::whole_file(problem));
        }
        motion.read(0, &mut surface.positions).map_err(FormatError::of_frame)?;
        let (start, fps) = (motion.info().start_frame(), motion.info().fps);
        let scene = Self::of_frames(SceneFormat::Motion, surface, Box::new(Plain(motion)), path);
        Ok(Self { fps, start, ..scene })
    }

    /// A scene of one object whose points come from memory: `surface` is it in the first frame.
    #[must_use]
    pub fn of_points(surface: SurfaceFile, frames: Box<dyn FrameSource>, name: &Path, clock: Clock) -> Self {
        let scene = Self::of_frames(SceneFormat::Motion, surface, frames, name);
        Self { fps: Some(clock.fps), start: Some(clock.start), frames: clock.frames, ..scene }
    }

    fn of_frames(
        format: SceneFormat,
        surface: SurfaceFile,
        frames: Box<dyn FrameSource>,
        path: &Path,
    ) -> Self {
        let count = frames.frames();
        let object = SceneObject {
            name: name_of(path, count > 1),
            surface,
            rest: None,
            animated: count > 1,
            frames,
            placement: Placement::Still(Transform::IDENTITY),
            derived: Vec::new(),
            instances: Vec::new(),
            corners: CornerOrder::Same,
        };
        Self {
            format,
            objects: vec![object],
            metres_per_unit: None,
            up: None,
            fps: None,
            start: None,
            frames: count,
            codes_per_frame: 1.0,
            notes: Vec::new(),
        }
    }
}

/// What the contents of a file without names are called: as the file, and of a series as what its files share, without the
/// pattern or number. Files that share nothing else are called as their folder.
#[must_use]
pub fn name_of(path: &Path, is_series: bool) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_number = |c: char| c.is_ascii_digit() || c == '#';
    if !is_series && !stem.contains('#') {
        return stem.into_owned();
    }
    let between = ['.', '-', '_', ' '];
    let shared = stem.trim_end_matches(is_number).trim_end_matches(between);
    let shared = shared.trim_start_matches('#').trim_start_matches(between);
    if !shared.is_empty() {
        return shared.to_owned();
    }
    let folder = std::path::absolute(path).ok().and_then(|path| Some(path.parent()?.file_name()?.to_owned()));
    folder.map_or_else(|| "series".to_owned(), |folder| folder.to_string_lossy().into_owned())
}

/// A reader of motion as a source of frames.
struct Plain(Box<dyn MotionReader>);

impl FrameSource for Plain {
    fn vertices(&self) -> usize {
        self.0.vertices()
    }

    fn frames(&self) -> usize {
        self.0.frames()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), supple_model::FrameError> {
        self.0.read(index, positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A series `0001.obj`, `0002.obj` became an object "####", and a prim `____` in USD.
    #[test]
    fn what_has_no_name_is_called_as_its_folder() {
        for (path, is_series, name) in [
            ("takes/curtain.0001.obj", true, "curtain"),
            ("takes/curtain_####.obj", true, "curtain"),
            ("takes/####-cape.obj", true, "cape"),
            ("takes/2nd.12.ply", true, "2nd"),
            ("takes/####.obj", true, "takes"),
            ("takes/0001.obj", true, "takes"),
            ("takes/0001.obj", false, "0001"),
            ("takes/run.pc2", true, "run"),
        ] {
            assert_eq!(name_of(Path::new(path), is_series), name, "{path}");
        }
        let own = std::env::current_dir().unwrap();
        assert_eq!(name_of(Path::new("####.obj"), true), own.file_name().unwrap().to_string_lossy());
        assert_eq!(name_of(Path::new("/####.obj"), true), "series");
    }
}
