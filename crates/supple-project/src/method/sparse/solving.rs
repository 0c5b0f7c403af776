//! From a part of a motion as it is asked for to the part solved: keys at their times, whole poses that are given, loads,
//! and the stages in which goals are approached.

use super::asked::{Asking, weigh};
use super::entry::{Ended, Entry};
use super::error::SparseError;
use super::figure::Figure;
use super::flight::Ballistic;
use super::goal::WarpedGoal;
use super::linear::LinearGoal;
use super::part::{Aim, Part};
use super::piece::{Key, KeyGoal, Piece, inner_time, leftover};
use super::placement::Placement;
use super::setup::Setup;
use super::stretch::{Span, Stretch, StretchEnds, times};
use crate::key_poses::KeyPose;
use crate::method::error::{EditError, HandleProblem};
use crate::method::time::oscillators;
use crate::shot::{Hold, Land, When};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Instant, Progress};
use supple_spacetime::{
    End, Ends, Given, Kernel, MeanPath, ModalState, Order, Pin, Reach, Settings, SparseKey, SparseProblem,
    SparseSettings, Start,
};

/// The longest part, in frames.
const LONGEST: f64 = 1e5;
/// Frames that a kernel between two given states has at least.
const FEWEST: f64 = 2.0;
/// A turn is approached in steps of so much, in radians.
const TURN_STEP: f64 = std::f64::consts::FRAC_PI_4 * 1.000_001;

/// A part on its way to being solved.
struct Solving<'a> {
    setup: &'a Setup,
    stretch: &'a Stretch,
    entry: Entry,
    length: f64,
    /// Frames of the kernel.
    inner: usize,
    /// Whether it begins as another part ends.
    follows: bool,
    /// F, and the balance under it.
    load: Option<Vec<f64>>,
    balance: Vec<f64>,
}

/// Whole poses that are given hard: where the motion begins and ends, and in between.
#[derive(Default)]
struct Poses {
    start: Option<ModalState>,
    end: Option<ModalState>,
    pins: Vec<Pin>,
    /// All their times, in frames.
    times: Vec<Instant>,
    /// The displacement from rest of one at the end, wherever that is held.
    last: Option<Vec<f64>>,
}

impl Piece {
    /// Solves a part, the `number`th of its motion, that begins as the one before ended; from the same part as it was
    /// solved before, if there is one. `longer` has the last word on its length.
    pub fn solve(
        setup: &Setup,
        (stretch, number): (&Stretch, usize),
        before: Option<&Ended>,
        longer: impl FnOnce(f64) -> f64,
        from: Option<&Self>,
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let ground = &stretch.ground;
        let entry = before.map(|ended| Entry::after(ended, &setup.body, ground, setup.gravity(), setup.size));
        let placement = entry.as_ref().map_or(Placement::identity(), |entry| entry.placement);
        let load = setup.load(ground, &placement)?;
        let balance = setup.balance(ground, load.as_deref());
        let entry = entry.unwrap_or_else(|| Entry::at_rest(&balance));
        let length = longer(match stretch.span {
            Span::Frames(frames) => frames,
            Span::Flight(land) => flight_frames(setup, &entry, land, number)?,
        });
        let inner = (length - 1e-9).ceil().max(FEWEST) as usize;
        let follows = before.is_some();
        Solving { setup, stretch, entry, length, inner, follows, load, balance }.solve(from, progress)
    }
}

/// Looks for what is wrong with what is asked of a part, as far as that can be known before it is solved.
pub(super) fn check(setup: &Setup, stretch: &Stretch, follows: bool) -> Result<(), EditError> {
    let ground = &stretch.ground;
    let load = setup.load(ground, &Placement::identity())?;
    let balance = setup.balance(ground, load.as_deref());
    let mut entry = Entry::at_rest(&balance);
    let length = match stretch.span {
        Span::Frames(frames) if frames > LONGEST => {
            let most = LONGEST as usize;
            return Err(SparseError::TooManyFrames { frames, most, segment: stretch.segment }.into());
        }
        // The last one may get a little longer.
        Span::Frames(frames) => frames,
        Span::Flight(_) => {
            let gravity = setup.gravity().unwrap_or_default();
            entry.flight = follows.then(|| Ballistic { from: setup.center, speed: Vec3::zeros(), gravity });
            LONGEST
        }
    };
    let solving = Solving { setup, stretch, entry, length, inner: 1, follows, load, balance };
    solving.parts()?;
    stretch.poses.iter().try_for_each(|pose| solving.pose_times(pose).map(drop))
}

impl Solving<'_> {
    fn solve(self, from: Option<&Piece>, progress: &Progress) -> Result<Piece, EditError> {
        let poses = self.poses()?;
        let mut parts = self.parts()?;
        let kernel = Arc::new(self.kernel()?);
        for (time, parts) in &mut parts {
            let at = self.inner_time(*time);
            for part in &mut *parts {
                weigh(part, &self.stretch.ground, &kernel, at, self.setup.size);
            }
        }
        let given = Given {
            start: self
                .is_clamped_start()
                .then(|| poses.start.clone().unwrap_or_else(|| self.entry.state.clone())),
            end: self.is_clamped_end().then(|| {
                poses.end.clone().unwrap_or_else(|| ModalState {
                    position: self.balance.clone(),
                    velocity: vec![0.0; self.balance.len()],
                })
            }),
            load: self.load.clone(),
        };
        let mean = MeanPath::new(kernel, &given)?;
        let times: BTreeSet<Instant> = parts.keys().chain(&poses.times).copied().collect();
        let mut keys = Vec::new();
        for (time, parts) in parts {
            keys.push((time.frames(), self.goal(time.frames(), parts)?));
        }
        let asked = |(at, goal): &(f64, KeyGoal)| SparseKey {
            at: self.inner_time(Instant::new(*at)),
            goal: goal.goal(),
        };
        let problem = SparseProblem::new(mean, &poses.pins, keys.iter().map(asked).collect())?;
        let stages = keys.iter().flat_map(|(_, goal)| goal.parts()).map(stages).max().unwrap_or(1);
        let settings = SparseSettings { stages, ..self.setup.settings };
        let from = from.filter(|from| from.solution.fits(&problem)).map(|from| &from.solution);
        let solution = problem.solve(&settings, from, progress)?;
        let found = |(k, (at, goal))| Key { at, goal, state: problem.state(&solution, k) };
        let keys: Vec<Key> = keys.into_iter().enumerate().map(found).collect();
        Ok(Piece {
            body: self.setup.body.clone(),
            ground: self.stretch.ground.clone(),
            length: self.length,
            inner: self.inner as f64,
            path: problem.path(&solution),
            keys,
            times: times.into_iter().map(Instant::frames).collect(),
            end_pose: poses.last,
            solution,
            fade: self.setup.fade,
            dt: self.setup.dt,
            warps: self.setup.shot.edit.warp,
            entry: self.entry,
        })
    }

    fn is_clamped_start(&self) -> bool {
        matches!(self.stretch.ends, StretchEnds::Open { free_start: false, .. })
    }

    fn is_clamped_end(&self) -> bool {
        matches!(self.stretch.ends, StretchEnds::Open { free_end: false, .. })
    }

    fn inner_time(&self, at: Instant) -> Instant {
        inner_time(at.frames(), self.length, self.inner as f64)
    }

    fn kernel(&self) -> Result<Kernel, EditError> {
        let setup = self.setup;
        let dt = setup.dt * self.length / self.inner as f64;
        let eigenvalues = &self.stretch.ground.eigenvalues;
        let ends = match self.stretch.ends {
            StretchEnds::Loop => Ends::Loop { period: self.inner },
            StretchEnds::Open { free_start, free_end } => Ends::Open {
                start: if free_start { Start::Arriving } else { Start::Rest },
                end: if free_end { End::Free } else { End::Rest },
            },
        };
        let drifts = eigenvalues.first().is_some_and(|lambda| *lambda == 0.0);
        let needs_hold = match ends {
            Ends::Loop { .. } => drifts,
            Ends::Open { start, .. } => start == Start::Arriving,
        };
        let hold = Reach { position: (self.length * setup.dt).powi(-4), velocity: 0.0 };
        let settings = Settings {
            window: self.stretch.window,
            ends,
            reach: if needs_hold { hold } else { Reach::default() },
            ..Settings::new(self.inner + 1, dt)
        };
        Ok(Kernel::new(&oscillators(&setup.shot.edit, eigenvalues, setup.dt), settings)?)
    }

    fn asking(&self, at: f64) -> Asking<'_> {
        let asking = Asking {
            body: &self.setup.body,
            ground: &self.stretch.ground,
            placement: self.entry.placement,
            falling: None,
            pace: self.setup.pace(),
            carried: self.entry.carried.as_deref(),
        };
        asking.after(self.entry.flight.as_ref(), at * self.setup.dt)
    }

    /// Whether nothing can be asked at a time, because the motion is given there.
    fn is_given(&self, at: f64) -> bool {
        let (from, to) =
            self.stretch.window.map_or((0.0, self.length), |(from, to)| (from as f64, to as f64));
        (at <= from && self.is_clamped_start()) || (at >= to && self.is_clamped_end())
    }

    /// What is said of a time at which the motion is given.
    fn given(&self, when: &When) -> HandleProblem {
        match (when, &self.setup.shot.edit.window) {
            (When::Frame(frame), Some(window)) if !window.contains(frame) => {
                HandleProblem::OutsideWindow { frame: *frame, first: *window.start(), last: *window.end() }
            }
            _ => HandleProblem::Given { when: when.clone() },
        }
    }

    /// All that is asked, time by time.
    fn parts(&self) -> Result<BTreeMap<Instant, Vec<Part>>, EditError> {
        let mut all: BTreeMap<Instant, Vec<Part>> = BTreeMap::new();
        let mut hard: BTreeMap<Instant, usize> = BTreeMap::new();
        let modes = self.stretch.ground.eigenvalues.len();
        for (number, handle) in &self.stretch.handles {
            let named = |problem| EditError::Handle {
                handle: format!("handle {number}"),
                problem: Box::new(problem),
            };
            for at in times(&handle.when, self.length, &self.setup.shot.motion).map_err(named)? {
                if self.is_given(at) {
                    return Err(named(self.given(&handle.when)));
                }
                let part = self.asking(at).handle(handle, *number).map_err(named)?;
                let numbers = hard.entry(Instant::new(at)).or_default();
                *numbers += part.hard_numbers();
                if *numbers > modes {
                    let (numbers, when) = (*numbers, handle.when.clone());
                    return Err(named(HandleProblem::TooMany { numbers, when, modes }));
                }
                all.entry(Instant::new(at)).or_default().push(part);
            }
        }
        for pose in self.stretch.poses.iter().filter(|pose| !is_whole(pose)) {
            for at in self.pose_times(pose)? {
                if self.is_given(at) {
                    return Err(pose_error(pose, self.given(&pose.when)));
                }
                all.entry(Instant::new(at)).or_default().extend(self.asking(at).pose(pose));
            }
        }
        all.retain(|_, parts| !parts.is_empty());
        Ok(all)
    }

    fn pose_times(&self, pose: &KeyPose) -> Result<Vec<f64>, EditError> {
        let when: &When = &pose.when;
        let times = times(when, self.length, &self.setup.shot.motion);
        match times.map_err(|problem| pose_error(pose, problem))? {
            times if self.follows && times.iter().any(|at| *at <= 0.0) => {
                Err(pose_error(pose, HandleProblem::Given { when: when.clone() }))
            }
            times => Ok(times),
        }
    }

    /// Whole poses that are given hard.
    fn poses(&self) -> Result<Poses, EditError> {
        let mut found = Poses::default();
        for pose in self.stretch.poses.iter().filter(|pose| is_whole(pose)) {
            for at in self.pose_times(pose)? {
                let figure = self.figure(at);
                let z = figure.pose(&pose.displacement);
                let speed = pose
                    .velocity
                    .as_ref()
                    .map(|velocity| figure.speed(&z, &self.asking(at).velocity_of(velocity)));
                found.times.push(Instant::new(at));
                if at >= self.length {
                    found.last = Some(figure.about_center(pose.displacement.clone()));
                }
                let still = || vec![0.0; z.len()];
                if at <= 0.0 && self.is_clamped_start() {
                    found.start = Some(ModalState { velocity: speed.unwrap_or_else(still), position: z });
                } else if at >= self.length && self.is_clamped_end() {
                    found.end = Some(ModalState { velocity: speed.unwrap_or_else(still), position: z });
                } else {
                    let at = self.inner_time(Instant::new(at));
                    found.pins.push(Pin { at, order: Order::Position, values: z });
                    found.pins.extend(speed.map(|values| Pin { at, order: Order::Velocity, values }));
                }
            }
        }
        Ok(found)
    }

    fn figure(&self, at: f64) -> Figure<'_> {
        Figure {
            body: &self.setup.body,
            ground: &self.stretch.ground,
            warps: self.setup.shot.edit.warp,
            left: leftover(&self.entry, at, self.setup.fade, self.setup.dt),
            carried: self.entry.carried.as_deref(),
        }
    }

    fn goal(&self, at: f64, parts: Vec<Part>) -> Result<KeyGoal, EditError> {
        let (setup, ground) = (self.setup, &self.stretch.ground);
        let warped = |parts: Vec<Part>| {
            let left = leftover(&self.entry, at, setup.fade, setup.dt);
            WarpedGoal::new(&setup.body, ground.clone(), left, parts)
        };
        Ok(match (setup.shot.edit.warp, setup.shot.edit.exact) {
            (true, true) => KeyGoal::Warped(Arc::new(warped(parts)?)),
            (true, false) => {
                let seen = warped(parts.clone())?;
                KeyGoal::WarpedAfter { asked: Arc::new(LinearGoal::new(ground, parts)), seen }
            }
            (false, _) => KeyGoal::Linear(Arc::new(LinearGoal::new(ground, parts))),
        })
    }
}

/// In how many stages a part is approached.
fn stages(part: &Part) -> usize {
    match &part.aim {
        Aim::Turn { angle, .. } => (angle.abs() / TURN_STEP).ceil().max(1.0) as usize,
        Aim::Each(_) => 1,
    }
}

/// Whether a pose is given for all of the body, hard.
pub(super) fn is_whole(pose: &KeyPose) -> bool {
    pose.vertices.is_none() && pose.hold == Hold::Hard
}

fn pose_error(pose: &KeyPose, problem: HandleProblem) -> EditError {
    EditError::Handle { handle: format!("pose {}", pose.number), problem: Box::new(problem) }
}

/// How long a flight is.
fn flight_frames(setup: &Setup, entry: &Entry, land: Land, segment: usize) -> Result<f64, EditError> {
    let Some(flight) = &entry.flight else { return Ok(setup.clock.fps) };
    let height = match land {
        Land::Height(height) => height,
        Land::Rest => flight.up().dot(&setup.center),
    };
    let Some(seconds) = flight.lands(height) else {
        let speed = flight.up().dot(&flight.speed) * setup.pace();
        return Err(SparseError::NeverLands { segment, height, apex: flight.apex(), speed }.into());
    };
    match seconds / setup.dt {
        frames if frames <= LONGEST => Ok(frames),
        frames => Err(SparseError::TooLong { segment, frames }.into()),
    }
}
