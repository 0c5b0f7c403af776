//! Editing a motion: handles are added, dragged and let go, and the whole motion follows.
//!
//! An [`DragMethod`] holds all that one shot's edit needs:
//!
//! ```text
//! body, input motion                          → figure: what moves, body or skin          [figure]
//! modes U, λ of the part that may change      → basis
//! contacts of the input, clustered            → rows that always hold, and what the warp keeps [contacts]
//! feel, reach, spread, ends, window           → kernel of spacetime                       [feel, time]
//! every handle                                → wishes: point, frame, coordinates         [wish, handles]
//! wishes                                      → rows on the linear edit, or grips on the warped motion [solver]
//! grips that would stretch the body too far   → followed as far as it reaches            [limit, piece, reason]
//! handles on what is planted                 → move the plant                             [plant]
//! what would go through floor or obstacles    → held on their surface                      [barrier, press]
//! the least costly edit                       → z at every frame, warped frames, report    [report]
//! ```
//!
//! Handles hold on the warped motion (`exact`, the default), or on the linear edit that is warped afterwards
//! (Barbič, Sin and Grinspun 2012); without a warp the two are the same.

mod barrier;
mod editing;
mod feel;
mod figure;
mod firm;
mod grabbed;
mod handles;
mod levels;
mod limit;
mod marks;
mod outcome;
mod output;
mod piece;
mod plant;
mod playback;
mod points;
mod press;
mod reason;
mod report;
mod setup;
mod solver;
mod tell;
mod time;
mod web;
mod wish;

pub use crate::method::error::{EditError, HandleProblem};
pub(super) use editing::{Editing, open as open_live};
pub use feel::Smoothness;
pub use grabbed::DragStep;
pub use handles::HandleKey;
pub(super) use levels::{Levels, Prepared};
pub use marks::HandleMark;
pub use playback::Playback;
pub(crate) use points::riders;
pub use reason::Reason;
pub(super) use setup::{Made, WholeAsk, begin};
pub use solver::Settled;
pub use supple_spacetime::{StartPoint, StartReport};

pub use outcome::{ContactOutcome, Deepest, EditReport, ForcePeak, Inverted, Penetration, VolumeChange};

use crate::body::Body;
use crate::contacts::Contacts;
use crate::method::{About, EditedFrame, Method, Report, Side};
use crate::motion::{Detail, Moving};
use crate::shot::Shot;
use crate::subject::Subject;
use crate::{Cache, CacheWarning};
use barrier::Barrier;
use figure::Figure;
use grabbed::Grabbed;
use handles::Handles;
use press::Pressed;
use solver::Solver;
use std::sync::{Arc, Mutex, OnceLock};
use supple_elastic::{WarpReadout, WarpedMotion};
use supple_mesh::Vec3;
use supple_model::{Clock, Progress, VertexId};
use supple_spacetime::{Constraints, FrameProblem, Grip, HandleId, Kernel, Path, Row};
use time::Time;

/// A motion that is being edited.
///
/// Frames are counted from 0 here; [`Self::clock`] knows the scene's numbers.
///
/// # Examples
/// The tip of a beam, one frame of whose motion is pulled up:
/// ```no_run
/// use std::path::Path;
/// use std::sync::Arc;
/// use supple_model::Progress;
/// use supple_project::shot::{Goal, Handle, Site, When};
/// use supple_project::{Body, Cache, DragMethod, Shot, WriteOptions, solve_into};
///
/// let (path, progress) = (Path::new("beam.toml"), Progress::silent());
/// let shot = Shot::load(path)?;
/// let body = Arc::new(Body::load(&shot)?);
/// let mut drag = DragMethod::open(&shot, body, &Cache::of_shot(path), &progress)?;
/// drag.add(Handle::new(When::Frame(100), Site::Group("right".into()), Goal::By([0.0, 0.3, 0.0])))?;
/// let solved = solve_into(Path::new("edited.pc2"), &shot, &mut drag, &WriteOptions::default(), &progress)?;
/// println!("{}: {:.1e} m off", solved.report.status.name(), solved.report.handles[0].error);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DragMethod {
    shot: Shot,
    body: Arc<Body>,
    /// The same, for whoever draws and writes it.
    subject: Arc<dyn Subject>,
    figure: Arc<Figure>,
    time: Time,
    /// The motion as it is shown, and before anything new is held out of floor and obstacles.
    motion: Arc<WarpedMotion>,
    bare: Arc<WarpedMotion>,
    kernel: Arc<Kernel>,
    contacts: Contacts,
    /// The contacts as rows, before anything new is held.
    base: Constraints,
    /// What an edit may push the body through, how far each frame of the input is from it, and what is held.
    barrier: Option<Arc<Barrier>>,
    clearances: OnceLock<Vec<f64>>,
    pressed: Pressed,
    eigenvalues: Vec<f64>,
    /// What edits are made of, where another method chose it.
    made: Option<Made>,
    /// How freely modes take part, where the feel is smooth.
    smoothness: Option<Smoothness>,
    solver: Solver,
    handles: Handles,
    hand: Option<Grabbed>,
    /// What the skin has beyond a body that follows it.
    detail: Option<Arc<Mutex<Detail>>>,
    /// What of the shot has no effect, or another one than written.
    pub notes: Vec<String>,
    /// What was wrong with the cache on the way, if anything.
    pub warnings: Vec<CacheWarning>,
}

impl DragMethod {
    /// Prepares all that an edit of `shot` needs, and adds its handles. Modes and a simulated input come from
    /// the cache if they are there.
    ///
    /// # Errors
    /// Names the part of the shot to blame, see [`EditError`].
    pub fn open(shot: &Shot, body: Arc<Body>, cache: &Cache, progress: &Progress) -> Result<Self, EditError> {
        setup::open(shot, body, &mut Levels::default(), cache, progress)
    }

    /// When the frames are.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.time.clock
    }

    /// Physical seconds per frame, as the edit knows them.
    #[must_use]
    pub fn seconds_per_frame(&self) -> f64 {
        self.time.dt
    }

    /// What the vertices of the motion are.
    #[must_use]
    pub fn moving(&self) -> Moving {
        self.figure.of
    }

    /// How many modes edits are made of.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.eigenvalues.len()
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &Arc<Body> {
        &self.body
    }

    /// Where the vertices of the motion are at rest.
    #[must_use]
    pub fn rest(&self) -> &[Vec3] {
        &self.figure.positions
    }

    /// The diagonal of the box around what moves, at rest: the unit of errors.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.figure.size
    }

    /// What touches the body in the input, as far as the edit keeps it.
    #[must_use]
    pub fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    /// The motion as it is shown: input frames, modes and warp.
    #[must_use]
    pub fn motion(&self) -> &Arc<WarpedMotion> {
        &self.motion
    }

    /// The size of the edit's force on a point, per kilogram, its largest value between each frame and the next; m/s² in
    /// the body's own time. A point is some vertices of the motion with their weights. None where edits have no force.
    #[must_use]
    pub fn force_at(&self, point: &[(VertexId, f64)]) -> Option<Vec<f64>> {
        let rows: [Vec<f64>; 3] = self.motion.basis().row(point);
        self.path().forces_seen(&rows)
    }

    /// What the skin has beyond a body that follows it.
    pub(super) fn detail(&self) -> Option<&Arc<Mutex<Detail>>> {
        self.detail.as_ref()
    }

    /// How freely modes take part in an edit, where its feel is smooth.
    #[must_use]
    pub fn smoothness(&self) -> Option<&Smoothness> {
        self.smoothness.as_ref()
    }

    /// Whether the edit can be anything but zero at a frame; the window it is outside of, if that is why it cannot.
    pub(super) fn movable(&self, frame: usize) -> Result<(), Option<[usize; 2]>> {
        self.kernel.movable(frame).map_err(|problem| match problem {
            FrameProblem::OutsideWindow { first, last, .. } => Some([first, last]),
            _ => None,
        })
    }

    /// What handles ask of the warped motion, with the sites they read.
    pub(super) fn grips(&self) -> Option<(Vec<(HandleId, Grip)>, &WarpReadout)> {
        self.solver.grips()
    }

    /// The rows of the contacts there are.
    pub(super) fn contact_rows(&self) -> Vec<Row> {
        let clusters = self.contacts.clusters.iter();
        clusters
            .flat_map(|cluster| setup::contact_rows(&self.bare, &cluster.contact, Vec3::zeros()))
            .collect()
    }

    /// What the kernel depends on beside the shapes.
    pub(super) fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// The edit as it is, mode by mode.
    #[must_use]
    pub fn path(&self) -> Path {
        self.solver.path()
    }
}

impl Method for DragMethod {
    fn about(&self) -> About<'_> {
        About {
            subject: &self.subject,
            moving: self.figure.of,
            rest: &self.figure.positions,
            clock: self.time.clock,
            seconds_per_frame: self.time.dt,
            size: self.figure.size,
            modes: self.modes(),
            contacts: &self.contacts,
            notes: &self.notes,
            warnings: &self.warnings,
        }
    }

    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]) {
        match side {
            Side::Output => Self::frame(self, index, positions),
            Side::Input => self.displaced(self.motion.frame(index).displacement(), positions),
        }
    }

    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError> {
        Self::solve(self, progress, each).map(|report| self.told(report))
    }

    fn marks(&self, index: usize) -> Vec<HandleMark> {
        Self::marks(self, index)
    }
}
