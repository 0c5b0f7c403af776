//! The shot file, `shot.toml`: one project as text that people write, read and diff.
//!
//! ```
//! # let text = r#"
//! [body]
//! kind = "solid"
//! mesh = "bridge.msh"               # or: surface = "bridge.obj", fill = { method = "tets", cells = 60 }
//! skin = "bridge-fine.obj"
//! material = { young = 2e6, poisson = 0.45, density = 1000.0 }
//! anchors = { below = { axis = "y", at = 0.05 } }   # or vertices = [..], group = "base"
//! regions = [ { group = "mast", young = 2e7 } ]
//!
//! [motion]
//! input = "bridge-sim.pc2"          # or "rest", or "simulate": computed from [simulate]
//! start = 1                         # the scene's number of the first frame
//! frames = 240
//! fps = 24
//! seconds_per_frame = 0.02          # physical time per frame; or "auto"
//! object = "/root/bridge"           # of a file with several; topology = "bridge.obj" for faces of a point cache
//! unit = 0.01                       # metres in a unit of the file, and up = "z", its axis that points up
//! fit = true                        # the body follows the frames of its skin
//!
//! [edit]
//! method = "drag"
//! modes = 200
//! damping = { mass = 0.1, stiffness = 0.01 }
//! ends = { start = "clamped", end = "free" }        # or ends = "loop"
//! window = [20, 180]
//!
//! [[edit.handle]]
//! frame = 60                        # or frames = [60, 72]
//! vertex = 1234                     # or body_vertex, vertices, group, near, center_of_mass or joint
//! to = [1.2, 3.4, 0.0]              # or by, velocity, plane = { point, normal }, path = "curve.csv"
//! hold = "hard"                     # or a weight
//!
//! ## [[edit.pose]]                   # a whole-body key, for the methods sparse, material and control
//! ## frame = 90                      # or frames = [90, 120] and every = 5, from a motion
//! ## file = "crouch.obj"             # file_frame = 12 of a motion; or loads = [..], pins = [..] as below
//! ## velocity = [0, 1, 0]            # or a file of them
//! ## group = "upper"                 # only this part
//!
//! [simulate]                        # for input = "simulate" and `supple simulate`
//! integrator = "newmark"            # or "euler"
//! substeps = 2
//! gravity = [0, -9.81, 0]
//! damping = { mass = 0.1, stiffness = 0.01 }
//! floor = { height = 0.0, friction = 0.4 }
//! obstacles = [{ mesh = "stairs.obj", friction = 0.4 }]   # or sphere = { center, radius }, box = { min, max }
//! anchors_motion = "deck.csv"       # frame,x,y,z or frame,GROUP.x,GROUP.y,GROUP.z,GROUP.rx,..
//! initial = { settle = true }       # and pose = "bent.obj", velocity = [..], spin = [..]
//! cage = 24                         # simulate a cage of so many voxels along the body, which rides on it
//!
//! [[load]]                          # for simulate and pose
//! group = "mast"                    # or whatever a handle holds
//! force = [0, 0, 50]                # all together; or track = "wind.csv" (frame,x,y,z)
//! frames = [1, 20]
//! stage = 2                         # pose: comes on top of what stage 1 gave
//!
//! [[pin]]                           # pose: stays where it is when its stage begins
//! group = "deck"
//! stage = 2
//!
//! [contacts]
//! file = "contacts.csv"             # or from = "simulation", or detect = { floor = 0.0 }
//! kind = "slide"                    # or "stick"; without: as recorded
//! off = false                       # true: kept, and not held
//! cluster = { frames = 8, size = 0.1 }              # the largest that is held as one; or false
//! blend = 0                         # frames over which a change of contacts is spread
//! # "#;
//! # let shot = supple_project::Shot::parse(std::path::Path::new("bridge.toml"), text)?;
//! # assert_eq!((shot.edit.handles.len(), shot.loads.len(), shot.pins.len()), (1, 1, 1));
//! # assert_eq!(shot.contacts.and_then(|contacts| contacts.kind).map(|kind| kind.name()), Some("slide"));
//! # Ok::<(), supple_project::ShotError>(())
//! ```
//!
//! - Only `[body]` with `kind` and one of `mesh` or `surface` is required; the types say what the
//!   rest is when it is left out. An unknown key or word is an error that names the nearest known
//!   one, with file, line and column.
//! - A body of kind `character` has a `skeleton` instead, with `joints` and `limits`, and the method `character`, which may
//!   be left out; `[[edit.layer]]` and goals such as `stay`, `along` and `outside` are for it alone.
//! - `anchors` takes one of `vertices`, `group`, `below`/`above = { axis, at }`, `box = { min, max }`
//!   or `file`, or a list of such tables, whose union it is.
//! - `detect` looks in the frames for what touches `floor`, a height, the `obstacles = true` of
//!   `[simulate]`, a `mesh` or the body's surface, `self = true`: any of them, `within` a part of the
//!   body's size.
//! - A key of `[edit]` that the method does not use is an error that names the methods that do; what a method has of its
//!   own, `[edit.expert]` for `drag` and `[edit.METHOD]` for the others, is kept while another is chosen.
//! - Frames are the scene's own numbers, and ranges include both ends.
//! - Paths are relative to the file. Saving keeps comments and layout of everything that did not
//!   change, and moves relative paths along when the file goes elsewhere.

mod check;
mod describe;
mod entry;
mod field;
mod given;
mod keyed;
mod merge;
mod relative;
mod save;
mod schema;
mod section;
mod suggest;

pub use schema::{
    Anchor, At, Axes, Axis, Body, BodyKind, Bound, Character, ClusterLimits, Clustering, Components,
    Contacts, Control, ControlBasis, ControlSolver, Curve, Damping, Detect, Distance, Edit, Effort, End,
    Ends, Expert, Feel, Fill, FillMethod, Flight, Floor, FrameTime, Goal, Guess, Handle, Hold, Initial,
    Input, Integrator, Joint, KeySpacing, Land, Law, Layer, Length, Limit, Load, Material, MaterialEdit,
    Method, Metric, Motion, Move, NewContacts, Obstacle, ObstacleShape, Optimise, Orientation, OwnTable, Pin,
    Pose, PoseVelocity, Push, Reach, Recorded, Recorder, Region, SecondsPerFrame, Segment, Shape, Simulate,
    Site, Skeleton, Skin, Sparse, SparseSolver, Spread, Substeps, Together, Turn, Turns, When, Zone,
};
pub use supple_model::ContactKind;

use describe::*;
use field::Source;
use given::Given;
pub(crate) use given::GivenMotion;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
pub(crate) use suggest::{advice, nearest};
use toml_edit::Document;

/// No shot is this large; a mesh or a film picked by mistake may be.
const LARGEST_FILE: u64 = 64 << 20;

/// One project: a body, its motion and what to do with it, in the folder its paths start from.
///
/// # Examples
/// ```
/// # use std::path::Path;
/// # use supple_project::shot::{Body, BodyKind, Shot};
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let mut shot = Shot::new(folder, Body::new(BodyKind::Solid, "bridge.msh"))?;
/// shot.edit.modes = 200;
/// shot.save(&folder.join("bridge.toml"))?;
/// assert_eq!(Shot::load(&folder.join("bridge.toml"))?, shot);
///
/// let misspelt = "[body]\nkind = 'solid'\nmesh = 'bridge.msh'\nmaterial = { yung = 2e6 }";
/// assert_eq!(
///     Shot::parse(Path::new("bridge.toml"), misspelt).unwrap_err().to_string(),
///     "bridge.toml:4:14: unknown key `yung` in [body.material]; did you mean `young`?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// What moves.
    pub body: Body,
    /// Its frames before any edit.
    pub motion: Motion,
    /// What is asked of them, and how they may answer.
    pub edit: Edit,
    /// How to make them.
    pub simulate: Simulate,
    /// `[[load]]`: the forces on the body, for simulation and static poses.
    pub loads: Vec<Load>,
    /// `[[pin]]`: what a static pose holds in place.
    pub pins: Vec<Pin>,
    /// What has to stay in touch.
    pub contacts: Option<Contacts>,
    folder: PathBuf,
    given: Given,
}

table!([Shot] {
    body: required,
    motion: optional,
    edit: optional,
    simulate: optional,
    loads as "load": optional,
    pins as "pin": optional,
    contacts: optional,
    folder: absent,
    given: absent,
});

impl Shot {
    /// Says whether what stands still for a while is kept there. What is left of `[contacts]` then says nothing, and goes.
    pub fn set_plants(&mut self, keeps: bool) {
        let contacts = self.contacts.get_or_insert_default();
        let mut detect = contacts.detect.take().unwrap_or_default();
        detect.plants = keeps;
        contacts.detect = Some(detect).filter(|detect| detect.plants || detect.touches());
        if *contacts == Contacts::default() {
            self.contacts = None;
        }
    }

    /// A new shot whose relative paths start from `folder`.
    ///
    /// # Errors
    /// When `folder` is relative and there is no current folder.
    pub fn new(folder: &Path, body: Body) -> Result<Self, ShotError> {
        Ok(Self::bare(body, absolute(folder)?))
    }

    fn bare(body: Body, folder: PathBuf) -> Self {
        Self {
            edit: Edit { method: Method::of(body.kind), ..Edit::default() },
            body,
            motion: Motion::default(),
            simulate: Simulate::default(),
            loads: Vec::new(),
            pins: Vec::new(),
            contacts: None,
            folder,
            given: Given::default(),
        }
    }

    /// Reads a shot file. One that is reached through a symbolic link finds its files beside the link, or beside the file
    /// the link leads to: wherever more of them are.
    ///
    /// # Errors
    /// Names the file, line, column and key to blame: see [`ShotError`].
    pub fn load(path: &Path) -> Result<Self, ShotError> {
        let shot = Self::parse(path, &read_text(path)?)?;
        let Some(real) = linked_folder(path)? else { return Ok(shot) };
        let files = shot.files();
        let missing = |folder: &Path| files.iter().filter(|file| !is_there(&folder.join(file))).count();
        let folder = if missing(&real) < missing(&shot.folder) { real } else { shot.folder.clone() };
        Ok(Self { folder, ..shot })
    }

    /// Reads the text of a shot file that is, or will be, at `path`.
    ///
    /// # Errors
    /// As [`Shot::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ShotError> {
        let source = Source { file: path, text };
        let document = Document::parse(text).map_err(|error| ShotError::Syntax {
            at: source.at(error.span().map_or(0, |span| span.start)),
            message: error.message().replace('\n', ", "),
        })?;
        let root = Field::root(&source, document.as_table());
        let shot = check::sections(root.read()?, &root.keys::<Self>()?)?;
        Ok(Self { folder: folder_of(path)?, ..shot })
    }

    /// The folder relative paths start from.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a path of this shot leads.
    #[must_use]
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    /// Writes the shot to `path`, whole or not at all, and moves it there: its paths become relative
    /// to the new folder. A file already there keeps its permissions, comments and layout wherever
    /// its values did not change.
    ///
    /// # Errors
    /// When the file cannot be written, a path is not text, or the shot holds a value that
    /// [`Shot::load`] would refuse; neither file nor shot has changed then.
    pub fn save(&mut self, path: &Path) -> Result<(), ShotError> {
        let mut moved = self.clone();
        moved.move_to(home(path, &self.folder)?);
        let (text, saved) = save::text(&moved, path)?;
        crate::atomic::replace(path, text.as_bytes())
            .map_err(|source| ShotError::Write { file: path.to_path_buf(), source })?;
        *self = saved;
        Ok(())
    }

    /// Every file the shot names, as written.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        Keys::paths(&mut self.clone(), &mut |path| files.push(path.clone()));
        files
    }

    /// Files the shot names that are not there, as written. Series are left out: their names stand for many.
    #[must_use]
    pub fn missing(&self) -> Vec<PathBuf> {
        let is_series = |file: &Path| file.to_string_lossy().contains(['#', '%']);
        let mut missing = self.files();
        missing.retain(|file| !is_series(file) && !self.resolve(file).exists());
        missing.dedup();
        missing
    }

    /// Reads another file wherever it named this one, as written.
    pub fn relocate(&mut self, file: &Path, to: &Path) {
        Keys::paths(self, &mut |path| {
            if path == file {
                *path = to.to_path_buf();
            }
        });
    }

    /// What the shot says, whatever its files are called: for keys of the cache.
    pub(crate) fn without_paths(&self) -> Self {
        let mut nameless = self.clone();
        Keys::paths(&mut nameless, &mut |path| *path = PathBuf::new());
        nameless
    }

    /// Where every file the shot names is, without `.` and `..`.
    #[must_use]
    pub fn places(&self) -> Vec<PathBuf> {
        self.files().iter().map(|file| relative::normal(&self.resolve(file))).collect()
    }

    /// The same shot as it would be in the file `path`. A file of it that `place` knows another place of is there now.
    ///
    /// # Errors
    /// When the folder of `path` cannot be known.
    pub fn moved(&self, path: &Path, place: impl Fn(&Path) -> Option<PathBuf>) -> Result<Self, ShotError> {
        let (mut moved, folder) = (self.clone(), self.folder.clone());
        Keys::paths(&mut moved, &mut |path| {
            if let Some(place) = place(&relative::normal(&folder.join(&*path))) {
                *path = place;
            }
        });
        moved.move_to(home(path, &self.folder)?);
        Ok(moved)
    }

    /// The text that [`Self::save`] would write to `path`, for a shot that is of its folder.
    ///
    /// # Errors
    /// As [`Self::save`], of which nothing is written.
    pub fn text(&self, path: &Path) -> Result<String, ShotError> {
        Ok(save::text(self, path)?.0)
    }

    fn move_to(&mut self, folder: PathBuf) {
        let from = std::mem::replace(&mut self.folder, folder.clone());
        Keys::paths(self, &mut |path| *path = relative::rebase(path, &from, &folder));
    }
}

/// The folder of the file that a symbolic link leads to; `None` for what is no link, and for one to the same folder.
fn linked_folder(path: &Path) -> Result<Option<PathBuf>, ShotError> {
    if !path.is_symlink() {
        return Ok(None);
    }
    let Ok(target) = path.canonicalize() else { return Ok(None) };
    let (real, beside) = (folder_of(&target)?, folder_of(path)?);
    let is_same = beside.canonicalize().is_ok_and(|beside| beside == real);
    Ok((!is_same).then_some(real))
}

/// The folder that paths start from in a shot saved to `path`, which was in the folder `now`: that of the file which is
/// written, unless its paths have been found beside a link to it.
fn home(path: &Path, now: &Path) -> Result<PathBuf, ShotError> {
    let beside = folder_of(path)?;
    Ok(linked_folder(path)?.filter(|_| now != beside).unwrap_or(beside))
}

/// Whether a file is there, or one of a series.
fn is_there(path: &Path) -> bool {
    path.exists() || supple_formats::files_of(path).len() > 1
}

fn folder_of(path: &Path) -> Result<PathBuf, ShotError> {
    absolute(path.parent().unwrap_or(Path::new("")))
}

/// So that changing the current folder changes nothing. Symbolic links stay as they are.
fn absolute(folder: &Path) -> Result<PathBuf, ShotError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::path::absolute(folder).map_err(|source| ShotError::Read { file: folder.to_path_buf(), source })
}

pub(crate) fn read_text(path: &Path) -> Result<String, ShotError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // One byte more tells a file of the largest size from a larger one, whatever its metadata say.
        supple_formats::open_file(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| ShotError::Read { file: path.to_path_buf(), source })?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(ShotError::TooLarge { file: path.to_path_buf(), limit: LARGEST_FILE });
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..good]);
        ShotError::NotText { at: Source { file: path, text: &text }.at(good) }
    })
}
