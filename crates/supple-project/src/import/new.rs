//! A shot from an animated surface.
//!
//! ```text
//! file → object, frames in metres, y up                        [source]
//! rest shape: asked for, in the file, or the first frame
//! surface at rest → SHOT.skin.obj, with its groups
//! all frames: what never moves, what coincides                [skin]
//! body: tets inside, voxels around, or the surface itself      [shape]
//! a cloth with seams → SHOT.body.obj, a vertex for all copies
//! vertices that never move → the group "still", the anchors
//! other objects → SHOT.NAME.obj, obstacles that are drawn too
//! frames of the surface → frames of the body, in the cache     [motion::fitted]
//! ```

use super::beside::{Beside, Room, body, scenery, whole};
use super::error::ImportError;
use super::shape::{Edges, ImportKind, suited};
use super::skin::{STILL_GROUP, Survey, add_groups, add_tiles, inside_surface};
use crate::body::{Body, BodyError, Filling};
use crate::contacts::{Contacts, ContactsError};
use crate::motion::{FitSummary, InputMotion};
use crate::outputs::Reads;
use crate::shot::{self, Anchor, BodyKind, GivenMotion, Input, Motion, Shot};
use crate::source::{MotionFile, Source, Space, surface};
use crate::{Cache, CacheWarning};
use std::path::{Path, PathBuf};
use supple_elastic::ElasticError;
use supple_formats::{Group, Scene, SurfaceFile, Up};
use supple_mesh::{TriMesh, Weld};
use supple_model::{Clock, FrameSource, Progress};

/// The most modes a new shot asks for.
const MODES: usize = 100;

/// A rest shape that takes vertices farther apart that coincide in every frame, in parts of the size, is of another kind: that
/// of cloth before it was sewn, say.
const APART: f64 = 1e-3;

/// What to make a shot of, and how.
///
/// # Examples
/// ```no_run
/// use supple_model::Progress;
/// use supple_project::{Import, MotionFile};
///
/// let file = MotionFile { path: "cape.usdc".into(), ..MotionFile::default() };
/// let import = Import { file, ..Import::default() };
/// let imported = import.write("cape.toml".as_ref(), &Progress::silent())?;
/// println!("{} of {} vertices; {}", imported.object, imported.surface[0], imported.notes.join("; "));
/// # Ok::<(), supple_project::ImportError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The motion.
    pub file: MotionFile,
    /// The rest shape, where the file's own is not meant.
    pub rest: Option<RestShape>,
    /// The kind of body.
    pub kind: ImportKind,
    /// Cells along the longest side of the body.
    pub cells: Option<usize>,
    /// A table of groups of vertices, besides those the file has.
    pub groups: Option<PathBuf>,
    /// Whether a shot that is there is written over.
    pub force: bool,
}

/// Where a rest shape comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RestShape {
    /// A frame of the motion.
    Frame(i32),
    /// A mesh, in the unit and axes of the motion.
    File(PathBuf),
}

/// What was made.
#[derive(Debug)]
pub struct Imported {
    /// The shot, as saved.
    pub shot: Shot,
    /// The object it is of.
    pub object: String,
    /// Its vertices and triangles.
    pub surface: [usize; 2],
    /// Whether it is closed.
    pub edges: Edges,
    /// What the rest shape is.
    pub rest: String,
    /// Metres in a unit of the file, and its axis up.
    pub space: Space,
    /// When the frames are.
    pub clock: Clock,
    /// Vertices and elements of the body.
    pub body: [usize; 2],
    /// What its elements are called.
    pub elements: &'static str,
    /// How many vertices of the surface never move, and are held.
    pub still: usize,
    /// How many are copies of others, made where texture or normals have a seam; they stay with them.
    pub copies: usize,
    /// The files written, the shot first.
    pub files: Vec<PathBuf>,
    /// The objects that became scenery.
    pub scenery: Vec<String>,
    /// How well the body follows the surface; nothing where it is the surface.
    pub fit: Option<FitSummary>,
    /// What a person should know.
    pub notes: Vec<String>,
    /// What was wrong with the cache.
    pub warnings: Vec<CacheWarning>,
}

impl Import {
    /// What to call the shot: as the file, without its ending and without the number of a file of a series; a series that
    /// is numbers alone is called as its folder.
    #[must_use]
    pub fn name(&self) -> String {
        let path = &self.file.path;
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let stem = text(path.file_stem());
        let ending = text(path.extension()).to_lowercase();
        let is_series = ["obj", "ply"].contains(&ending.as_str());
        let name = stem.split(['#', '%']).next().unwrap_or_default();
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_numbered = bare.is_empty() || bare.ends_with(['.', '_', '-']);
        let name = if is_series && is_numbered { bare } else { name };
        let name = name.trim_end_matches(['.', '_', '-']);
        if !name.is_empty() {
            return name.to_owned();
        }
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        let folder = text(whole.parent().and_then(Path::file_name));
        if folder.is_empty() { "imported".to_owned() } else { folder }
    }

    /// Writes the shot `path` and the files it needs beside it, and carries the motion to its body.
    ///
    /// # Errors
    /// A file that cannot be read, several objects of which none is named, a surface no body can be made of, a shot
    /// that is there already: see [`ImportError`].
    pub fn write(&self, path: &Path, progress: &Progress) -> Result<Imported, ImportError> {
        if path.exists() && !self.force {
            return Err(ImportError::Exists { file: path.to_path_buf() });
        }
        let reads = self.reads();
        reads.spared_by(&[path.to_path_buf()])?;
        progress.report("reading the file", 0.0)?;
        let source = Source::open(&self.file)?;
        let mut beside = Beside::new(Room::Files { path, reads: &reads });
        self.of_source(source, &mut beside, &Cache::of_shot(path), progress)
    }

    /// The shot of an animated surface in memory, which keeps the meshes it needs: no file is written. `surface` says what
    /// its faces and groups are; the points come from `frames`, in the unit and axes of [`MotionFile`], whose path is but a
    /// name.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn of_frames(
        &self,
        surface: SurfaceFile,
        frames: Box<dyn FrameSource>,
        clock: Clock,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Imported, ImportError> {
        progress.report("reading frames", 0.0)?;
        let name = &self.file.path;
        let mut given = GivenMotion::new(frames, clock);
        let mut surface = SurfaceFile { positions: vec![[0.0; 3]; given.vertices()], ..surface };
        given.read(0, &mut surface.positions)?;
        let scene = Scene::of_points(surface, Box::new(given.clone()), name, clock);
        let source = Source::of_scene(scene, &self.file)?;
        self.of_source(source, &mut Beside::new(Room::Memory { name, motion: given }), cache, progress)
    }

    fn of_source(
        &self,
        mut source: Source,
        beside: &mut Beside<'_>,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Imported, ImportError> {
        let mut notes = source.scene.notes.clone();
        let survey = Survey::of(&mut source, &progress.part(0.0, 0.2))?;
        let (skin, rest_name) = self.skin(&mut source, &survey, &mut notes)?;
        progress.report("filling the surface", 0.2)?;
        let suited = suited(&skin, &survey.weld, self.kind, self.cells, &self.file.path)?;
        let spec = body((&skin, &survey.weld), &suited, beside)?;
        let is_fitted = suited.kind != BodyKind::Cloth || suited.cloth.is_some();
        let mut shot = Shot::new(&beside.folder(), spec)?;
        if survey.holds_still() {
            shot.body.anchors = vec![Anchor::Group(STILL_GROUP.to_owned())];
        }
        shot.motion = self.motion(&source, beside.motion(&self.file.path)?, is_fitted)?;
        beside.give(&mut shot);
        let scenery = scenery(&source, &mut shot, beside)?;
        let (body, is_held) = load(&mut shot, &survey.weld, suited.filled.as_ref())?;
        shot.edit.modes = MODES.min(3 * body.free.vertices().len());
        beside.save(&mut shot)?;
        let mut input = InputMotion::open(&shot, &body, cache, &progress.part(0.3, 0.9))?;
        if stands_on_ground(&shot, &body, &mut input, &progress.part(0.9, 1.0))? {
            shot.set_plants(true);
            beside.save(&mut shot)?;
            notes.push(
                "parts that stand on the ground stay planted; Keep plants in Method, or plants in [contacts], lets them go".to_owned(),
            );
        }
        notes.extend(suited.notes);
        notes.extend(survey.about_still(&source, is_held));
        let others = source.scene.objects.iter().enumerate().filter(|(k, _)| *k != source.object);
        let moving: Vec<&str> =
            others.filter(|(_, object)| object.animated).map(|(_, object)| object.name.as_str()).collect();
        let moves = |name: &str| {
            shot.simulate.obstacles.iter().any(|obstacle| obstacle.object.as_deref() == Some(name))
        };
        notes.extend(moving.iter().map(|name| match moves(name) {
            true => format!("{name} is animated: it is drawn where it moves, and edits pass through it"),
            false => format!("{name} is animated; frozen at the first frame as scenery"),
        }));
        Ok(Imported {
            object: source.object().name.clone(),
            surface: [skin.positions.len(), skin.triangles.len()],
            edges: suited.edges,
            rest: rest_name,
            space: source.space,
            clock: input.clock,
            body: [body.positions().len(), body.matter.elements()],
            elements: body.matter.element_name(),
            still: if is_held { survey.still.len() } else { 0 },
            copies: survey.weld.copies(),
            files: std::mem::take(&mut beside.files),
            scenery,
            fit: input.fit,
            notes,
            warnings: input.warnings,
            shot,
        })
    }

    /// What is read, and so not written.
    fn reads(&self) -> Reads {
        let rest = match &self.rest {
            Some(RestShape::File(file)) => Some(file),
            _ => None,
        };
        rest.into_iter().chain(&self.groups).fold(Reads::of_motion(&self.file), |reads, file| reads.and(file))
    }

    /// The surface at rest with its groups, and what its rest shape is.
    fn skin(
        &self,
        source: &mut Source,
        survey: &Survey,
        notes: &mut Vec<String>,
    ) -> Result<(SurfaceFile, String), ImportError> {
        let (mut rest, mut name) = self.rest_shape(source)?;
        if survey.apart(&rest) > APART && self.rest.is_none() {
            notes.push(
                "the file's rest shape is not used: it is in pieces that are joined in the frames".to_owned(),
            );
            let first = source.start().0;
            (rest, name) = (source.object().surface.positions.clone(), format!("the first frame, {first}"));
        }
        let mut skin = inside_surface(source, source.object, rest);
        if !survey.still.is_empty() {
            skin.vertex_groups.push(Group { name: STILL_GROUP.to_owned(), members: survey.still.clone() });
        }
        add_tiles(&mut skin);
        if let Some(file) = &self.groups {
            add_groups(&mut skin, file)?;
        }
        Ok((skin, name))
    }

    /// The rest shape in the file's own space, and what it is.
    pub(super) fn rest_shape(&self, source: &mut Source) -> Result<(Vec<[f64; 3]>, String), ImportError> {
        let vertices = source.vertices();
        match &self.rest {
            Some(RestShape::File(file)) => {
                let positions = surface(file)?.positions;
                if positions.len() != vertices {
                    let (file, found) = (file.clone(), positions.len());
                    return Err(ImportError::OtherRest { file, found, expected: vertices });
                }
                Ok((positions, format!("{}", file.display())))
            }
            Some(RestShape::Frame(frame)) => {
                let first = source.start().0;
                let count = source.scene.frames;
                let last = first.saturating_add_unsigned(count as u32 - 1);
                let index = usize::try_from(i64::from(*frame) - i64::from(first)).ok().filter(|k| *k < count);
                let file = self.file.path.clone();
                let index = index.ok_or(ImportError::NoFrame { file, frame: *frame, first, last })?;
                let mut positions = vec![[0.0; 3]; vertices];
                let object = source.object;
                source.scene.objects[object].frames.read(index, &mut positions)?;
                Ok((positions, format!("frame {frame}")))
            }
            None => Ok(match &source.object().rest {
                Some(rest) => (rest.clone(), "from the file".to_owned()),
                None => {
                    let first = source.object().surface.positions.clone();
                    (first, format!("the first frame, {} (the file has no rest shape)", source.start().0))
                }
            }),
        }
    }

    fn motion(&self, source: &Source, input: PathBuf, fit: bool) -> Result<Motion, ImportError> {
        let several = source.scene.objects.len() > 1;
        let (space, scene) = (source.space, &source.scene);
        // What goes without saying is not said, unless the file says something else.
        let is_plain = scene.metres_per_unit.is_none_or(|unit| unit == 1.0);
        let is_upright = scene.up.is_none_or(|up| up == Up::Y);
        Ok(Motion {
            input: Input::File(input),
            object: several.then(|| source.object().name.clone()),
            topology: self.file.topology.as_deref().map(whole).transpose()?,
            unit: (space.unit != 1.0 || !is_plain).then_some(space.unit),
            up: (space.up != shot::Axis::Y || !is_upright).then_some(space.up),
            fit: fit.then_some(true),
            start: Some(source.start().0),
            frames: Some(source.scene.frames),
            fps: Some(source.fps()),
            ..Motion::default()
        })
    }
}

/// Whether parts of a body stand on the ground for a while.
fn stands_on_ground(
    shot: &Shot,
    body: &Body,
    input: &mut InputMotion,
    progress: &Progress,
) -> Result<bool, ImportError> {
    match Contacts::has_low_plants(shot, body, input, progress) {
        Ok(stands) => Ok(stands),
        Err(ContactsError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(ContactsError::Frame(problem)) => Err(problem.into()),
        // Nothing else is read.
        Err(_) => Ok(false),
    }
}

/// The body of a shot, and whether anything holds it: what a coarse body cannot tell from all of itself does not.
fn load(
    shot: &mut Shot,
    weld: &Weld,
    filled: Option<&(TriMesh, Filling)>,
) -> Result<(Body, bool), ImportError> {
    let body = |shot: &Shot| Body::load_with(shot, |_| weld.clone(), filled);
    match body(shot) {
        Err(BodyError::Elastic(ElasticError::AllAnchored { .. })) => {
            shot.body.anchors.clear();
            Ok((body(shot)?, false))
        }
        body => Ok((body?, !shot.body.anchors.is_empty())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::MADE;
    use supple_mesh::Vec3;

    /// Shots used to be called after the sample that was open before, and a series of numbers "####".
    #[test]
    fn a_shot_is_called_after_its_file() {
        let name = |path: &str| {
            let file = MotionFile { path: path.into(), ..MotionFile::default() };
            Import { file, ..Import::default() }.name()
        };
        let names =
            ["/a/walk.usda", "/a/walk.v2.glb", "/a/tent.0001.obj", "/a/tent_####.obj", "/a/take2.obj"];
        assert_eq!(names.map(name), ["walk", "walk.v2", "tent", "tent", "take2"]);
        assert_eq!([name("/a/cape/####.obj"), name("/a/cape/0007.ply")], ["cape", "cape"]);
        assert_eq!(name("/####.obj"), "imported");
    }
    /// The body that was found to suit was filled again to see what sticks out of it, and again to be loaded.
    #[test]
    fn a_surface_is_filled_once_at_each_resolution() {
        let folder = tempfile::tempdir().unwrap();
        let ball = supple_mesh::shapes::ball(Vec3::zeros(), 1.0, 6).unwrap();
        for frame in 1..=2 {
            let moved = |p: &Vec3| (p + Vec3::y() * f64::from(frame)).into();
            let surface = SurfaceFile {
                positions: ball.positions().iter().map(moved).collect(),
                triangles: ball.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
                ..SurfaceFile::default()
            };
            let mut bytes = Vec::new();
            supple_formats::write_obj(&surface, &mut bytes).unwrap();
            std::fs::write(folder.path().join(format!("ball.{frame:04}.obj")), bytes).unwrap();
        }
        let file = MotionFile { path: folder.path().join("ball.0001.obj"), ..MotionFile::default() };
        for kind in [ImportKind::Auto, ImportKind::Voxels] {
            MADE.take();
            let import = Import { file: file.clone(), kind, force: true, ..Import::default() };
            let imported = import.write(&folder.path().join("ball.toml"), &Progress::silent()).unwrap();
            let mut made = MADE.take();
            let shot::Shape::Surface { fill, .. } = imported.shot.body.shape else { panic!("a filling") };
            assert!(made.contains(&fill.unwrap()));
            let all = made.len();
            made.sort_unstable_by_key(|fill| (fill.method == shot::FillMethod::Tets, fill.cells));
            made.dedup();
            assert_eq!(made.len(), all, "{made:?}");
        }
    }
}
