//! Meshes and motions that are given in memory, under the names by which a shot calls its files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use supple_formats::MeshFile;
use supple_model::{Clock, FrameError, FrameSource};

/// What a shot reads from memory instead of from files. It is not saved with the shot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Given {
    pub meshes: BTreeMap<PathBuf, GivenMesh>,
    pub motions: BTreeMap<PathBuf, GivenMotion>,
}

/// A mesh in memory.
#[derive(Clone, Debug)]
pub(super) struct GivenMesh(pub Arc<MeshFile>);

impl PartialEq for GivenMesh {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A motion in memory; all who read it share it.
#[derive(Clone)]
pub(crate) struct GivenMotion {
    frames: Arc<Mutex<Box<dyn FrameSource>>>,
    /// When its frames are.
    pub clock: Clock,
}

impl GivenMotion {
    pub fn new(frames: Box<dyn FrameSource>, clock: Clock) -> Self {
        Self { frames: Arc::new(Mutex::new(frames)), clock }
    }
}

impl PartialEq for GivenMotion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.frames, &other.frames) && self.clock == other.clock
    }
}

impl fmt::Debug for GivenMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GivenMotion").field("clock", &self.clock).finish_non_exhaustive()
    }
}

impl FrameSource for GivenMotion {
    fn vertices(&self) -> usize {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).vertices()
    }

    fn frames(&self) -> usize {
        self.clock.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).read(index, positions)
    }
}

impl super::Shot {
    /// Gives a mesh, under the name by which `[body]` calls it.
    ///
    /// # Examples
    /// A triangle as a cloth, moved by nothing but memory:
    /// ```
    /// use supple_formats::{MeshFile, SurfaceFile};
    /// use supple_model::{Clock, Frame};
    /// use supple_project::shot::{Body, BodyKind, Input};
    /// use supple_project::Shot;
    ///
    /// let mut shot = Shot::new(".".as_ref(), Body::new(BodyKind::Cloth, "cape"))?;
    /// let rest = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let surface = SurfaceFile { positions: rest.clone(), triangles: vec![[0, 1, 2]], ..SurfaceFile::default() };
    /// shot.give_mesh("cape", MeshFile::Surface(surface));
    /// let clock = Clock { start: Frame(1), frames: 2, fps: 24.0 };
    /// shot.give_motion("flight", Box::new(vec![rest.clone(), rest]), clock);
    /// assert_eq!(supple_project::Body::load(&shot)?.positions().len(), 3);
    /// assert_eq!(shot.motion.input, Input::File("flight".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn give_mesh(&mut self, name: impl Into<PathBuf>, mesh: MeshFile) {
        self.given.meshes.insert(name.into(), GivenMesh(Arc::new(mesh)));
    }

    /// Gives the frames of the input motion and makes them the input under a name of their own. They are in the unit and axes
    /// that `[motion]` says; without, in metres with y up.
    pub fn give_motion(&mut self, name: impl Into<PathBuf>, frames: Box<dyn FrameSource>, clock: Clock) {
        let name = name.into();
        let clock = Clock { frames: clock.frames.min(frames.frames()), ..clock };
        self.keep_motion(&name, GivenMotion::new(frames, clock));
        self.motion.input = super::Input::File(name);
    }

    /// Keeps a motion under a name.
    pub(crate) fn keep_motion(&mut self, name: &Path, motion: GivenMotion) {
        self.given.motions.insert(name.to_path_buf(), motion);
    }

    /// Whether meshes or frames of it are in memory alone.
    #[must_use]
    pub fn is_in_memory(&self) -> bool {
        self.given != Given::default()
    }

    /// Lets go of the meshes it was given, and of its input motion.
    #[expect(clippy::type_complexity, reason = "each by its name")]
    pub(crate) fn take_given(&mut self) -> (Vec<(PathBuf, MeshFile)>, Option<(PathBuf, GivenMotion)>) {
        let motion = match &self.motion.input {
            super::Input::File(name) => self.given.motions.remove_entry(name),
            _ => None,
        };
        let given = std::mem::take(&mut self.given);
        (given.meshes.into_iter().map(|(name, mesh)| (name, MeshFile::clone(&mesh.0))).collect(), motion)
    }

    /// The mesh that has a name in the shot: given, or read from its file.
    pub(crate) fn mesh(&self, name: &Path) -> Result<MeshFile, supple_formats::FormatError> {
        match self.given.meshes.get(name) {
            Some(mesh) => Ok(MeshFile::clone(&mesh.0)),
            None => supple_formats::load_mesh(self.resolve(name)),
        }
    }

    /// The input motion, where it was given.
    pub(crate) fn given_motion(&self) -> Option<&GivenMotion> {
        let super::Input::File(name) = &self.motion.input else { return None };
        self.given.motions.get(name)
    }
}
