//! A part of a motion: made ready, that is its basis, its forces and what is asked of it; then solved.

use super::arcs::arcs;
use super::basis::{basis, deformation};
use super::entry::Entry;
use super::error::ControlError;
use super::moves::Moves;
use super::reduced;
use super::setup::Setup;
use super::stretch::Stretch;
use super::timing::Timing;
use crate::key_poses::KeyPose;
use crate::method::error::EditError;
use crate::method::time::damping;
use crate::shot::{self, End, Ends};
use std::sync::Arc;
use supple_elastic::{KeyBasis, KeyBasisReport, RigidMotion, RigidPath};
use supple_model::{Progress, ReducedDynamics};
use supple_spacetime::{
    ControlAsked, ControlDamping, ControlGuess, ControlKey, ControlPath, ControlProblem, ControlSettings,
    ControlSolution, ControlSolver, ControlStart, ControlTask, ControlTime, Hold,
};

/// A part that can be solved.
pub(super) struct Ready {
    pub stretch: Stretch,
    pub basis: KeyBasis,
    pub made: KeyBasisReport,
    pub rigid: Option<RigidPath>,
    pub problem: ControlProblem,
    pub lost: Lost,
    /// The frame of the motion at which it begins, counted from 0.
    pub begin: usize,
    pub dynamics: Arc<dyn ReducedDynamics>,
    time: Arc<ControlTime>,
}

/// What a part could not take over from the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lost {
    /// Of the kinetic energy, as a part of it.
    pub velocity: f64,
}

/// A part that was solved.
pub(super) struct Piece {
    pub ready: Ready,
    pub moves: Moves,
    pub solution: ControlSolution,
    /// What every motion on the way cost.
    pub costs: Vec<f64>,
}

impl Ready {
    /// Makes a part ready that begins like this, at a frame of the motion.
    pub fn new(
        setup: &Setup,
        stretch: &Stretch,
        timing: Timing,
        (entry, begin): (&Entry, usize),
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let segment = stretch.segment;
        if stretch.poses.is_empty() {
            return Err(ControlError::NoPose { segment }.into());
        }
        progress.report("making the basis", 0.0)?;
        let (basis, made) = basis(setup, stretch, entry, &progress.part(0.0, 0.7))?;
        progress.report("reducing the forces", 0.7)?;
        let dynamics =
            reduced::forces(&setup.shot, &setup.body, &basis, &setup.cache, &progress.part(0.7, 1.0))?;
        let time = timing.of(&made, stretch, entry.step);
        let is_free = begin == stretch.lead && free_start(setup);
        let rigid = stretch.floats().then(|| rigid(setup, stretch, &time, (entry, begin), is_free));
        let (start, lost) = start(setup, stretch, &basis, &time, entry, is_free);
        let keys = keys(setup, stretch, &basis, timing.mean)?;
        let task = ControlTask {
            time: time.clone(),
            damping: damped(setup, timing.mean),
            start,
            load: weight(setup, stretch, &basis, timing.mean),
            pushes: Vec::new(),
            keys,
        };
        let problem = ControlProblem::new(dynamics.clone(), task).map_err(|error| named(stretch, error))?;
        let (stretch, time) = (stretch.clone(), Arc::new(time));
        Ok(Self { stretch, basis, made, rigid: rigid.flatten(), problem, lost, begin, dynamics, time })
    }

    /// The same part with another start or other loads.
    pub fn pushed(&self, task: ControlTask) -> Result<ControlProblem, supple_spacetime::ControlError> {
        ControlProblem::new(self.dynamics.clone(), task)
    }

    /// Where the body is on a path of this part.
    pub fn moves(&self, setup: &Setup, path: ControlPath) -> Moves {
        Moves {
            body: setup.body.clone(),
            basis: self.basis.clone(),
            rigid: self.rigid.clone(),
            time: self.time.clone(),
            path,
            begin: self.begin,
        }
    }

    /// Solves it; `look` sees every motion on the way, and what it costs.
    pub fn solve(
        self,
        setup: &Setup,
        progress: &Progress,
        look: &mut dyn FnMut(&Moves, f64),
    ) -> Result<Piece, EditError> {
        let own = &setup.own;
        let settings = ControlSettings {
            solver: match own.solver {
                shot::ControlSolver::Newton => ControlSolver::Newton,
                shot::ControlSolver::Cg => ControlSolver::Cg,
            },
            effort: match own.effort {
                shot::Effort::Auto => None,
                shot::Effort::Of(effort) => Some(effort),
            },
            keys_per_window: own.keys_per_window,
            ..ControlSettings::default()
        };
        let guess = self.guess(own.guess);
        let mut costs = Vec::new();
        let solved = self.problem.solve(&settings, &guess, progress, &mut |iterate| {
            costs.push(iterate.cost.objective);
            look(&self.moves(setup, iterate.path.clone()), iterate.cost.objective);
        });
        let solution = solved.map_err(|error| named(&self.stretch, error))?;
        let moves = self.moves(setup, solution.path.clone());
        Ok(Piece { ready: self, moves, solution, costs })
    }

    /// What a search begins with.
    pub fn guess(&self, guess: shot::Guess) -> ControlGuess {
        match guess {
            shot::Guess::Zero => ControlGuess::Zero,
            shot::Guess::Pd => ControlGuess::Pd,
            shot::Guess::Arcs => self.arcs(),
        }
    }

    fn arcs(&self) -> ControlGuess {
        let poses = self.stretch.poses.iter().zip(self.made.poses.iter().skip(1));
        let mut whole: Vec<(usize, Vec<f64>)> =
            poses.map(|((frame, _), pose)| (*frame, pose.coordinates.clone())).collect();
        whole.dedup_by_key(|(frame, _)| *frame);
        ControlGuess::Path(arcs(self.dynamics.as_ref(), &whole, self.stretch.frames))
    }
}

impl Piece {
    /// How it ends.
    pub fn ended(&self) -> Entry {
        ended(&self.moves)
    }

    /// Where a pose of it wants the vertices that stand `there` at its frame, three numbers each: what is held stays, and
    /// a body that floats is asked for its shape.
    pub fn asked(&self, pose: &KeyPose, frame: usize, there: &[f64]) -> Vec<f64> {
        let mut asked = pose.displacement.clone();
        if let Some(rigid) = &self.ready.rigid {
            let elastic = &self.moves.body.elastic;
            let own = RigidMotion::nearest(elastic, &pose.displacement).apart(elastic, &pose.displacement);
            rigid.at((self.ready.begin + frame) as f64).motion.joined(elastic, &own, &mut asked);
        }
        for vertex in &self.ready.stretch.held {
            let at = 3 * vertex.index()..3 * vertex.index() + 3;
            asked[at.clone()].copy_from_slice(&there[at]);
        }
        asked
    }
}

/// How a part ends.
pub(super) fn ended(moves: &Moves) -> Entry {
    let last = moves.frames();
    Entry {
        displacement: moves.displacement(last as f64),
        velocity: moves.velocity(last),
        step: moves.time.steps.last().copied(),
    }
}

/// Whether a motion may begin anywhere.
pub(super) fn free_start(setup: &Setup) -> bool {
    matches!(setup.shot.edit.ends, Ends::Apart { start: Some(End::Free), .. })
}

fn damped(setup: &Setup, seconds: f64) -> ControlDamping {
    let damping = damping(&setup.shot.edit, seconds);
    ControlDamping { mass: damping.mass, stiffness: damping.stiffness }
}

/// Where a body goes that nothing holds, by frames of the whole motion: as is said, or smoothly through its poses.
fn rigid(
    setup: &Setup,
    stretch: &Stretch,
    time: &ControlTime,
    (entry, begin): (&Entry, usize),
    is_free: bool,
) -> Option<RigidPath> {
    if let Some(path) = &setup.rigid {
        return Some(path.clone());
    }
    let afloat = entry.afloat(&setup.body);
    let nearest = |pose: &KeyPose| RigidMotion::nearest(&setup.body.elastic, &pose.displacement);
    let mut knots: Vec<(f64, RigidMotion)> = Vec::new();
    if !is_free {
        knots.push((begin as f64, afloat.motion));
    }
    // Parts of a pose do not say where the body is.
    let whole = stretch.poses.iter().filter(|(_, pose)| pose.vertices.is_none());
    knots.extend(whole.map(|(frame, pose)| ((begin + frame) as f64, nearest(pose))));
    // Frames are the time of the path.
    let step = entry.step.or(time.steps.first().copied()).unwrap_or_default();
    let (speed, spin) = afloat.speed;
    RigidPath::through(&knots, (!is_free).then_some((speed * step, spin * step)))
}

/// The two frames a part begins with, and what of the velocity that leaves out.
fn start(
    setup: &Setup,
    stretch: &Stretch,
    basis: &KeyBasis,
    time: &ControlTime,
    entry: &Entry,
    is_free: bool,
) -> (ControlStart, Lost) {
    if is_free {
        return (ControlStart::Free, Lost::default());
    }
    let rate = if stretch.floats() { entry.afloat(&setup.body).rate } else { entry.velocity.clone() };
    let (speed, velocity) = basis.velocity_of(&rate);
    let before = speed.iter().map(|v| -v * time.before).collect();
    let lost = if rate.iter().any(|v| *v != 0.0) { velocity } else { 0.0 };
    (ControlStart::Frames { before, first: vec![0.0; basis.coordinates()] }, Lost { velocity: lost })
}

/// What gravity does, where that is asked for; a body that floats falls as a whole, if at all.
fn weight(setup: &Setup, stretch: &Stretch, basis: &KeyBasis, seconds: f64) -> Vec<f64> {
    let Some(gravity) = setup.gravity().filter(|_| !stretch.floats()) else { return Vec::new() };
    let pace = setup.clock.fps * seconds;
    let gravity = gravity / (pace * pace);
    let masses = setup.body.elastic.masses();
    basis.force_of(&masses.iter().flat_map(|mass| (gravity * *mass).data.0[0]).collect::<Vec<f64>>())
}

/// The poses of a part in its coordinates, those of one frame together.
fn keys(
    setup: &Setup,
    stretch: &Stretch,
    basis: &KeyBasis,
    seconds: f64,
) -> Result<Vec<ControlKey>, EditError> {
    let mut keys: Vec<ControlKey> = Vec::new();
    for (frame, pose) in &stretch.poses {
        let key = key(setup, stretch, basis, (*frame, pose), seconds)?;
        match keys.last_mut().filter(|last| last.frame == *frame) {
            Some(last) => join(last, key),
            None => keys.push(key),
        }
    }
    Ok(keys)
}

fn key(
    setup: &Setup,
    stretch: &Stretch,
    basis: &KeyBasis,
    (frame, pose): (usize, &KeyPose),
    seconds: f64,
) -> Result<ControlKey, EditError> {
    let hold = match pose.hold {
        shot::Hold::Hard => Hold::Hard,
        shot::Hold::Soft(weight) => Hold::Soft(weight),
    };
    let asked = deformation(setup, stretch, &pose.displacement);
    let pace = setup.clock.fps * seconds;
    let speed = pose.velocity.as_ref().map(|velocity| {
        let own: Vec<f64> = velocity.iter().map(|v| v / pace).collect();
        match stretch.floats() {
            true => RigidMotion::nearest(&setup.body.elastic, &pose.displacement).directions_apart(&own),
            false => own,
        }
    });
    if let Some(vertices) = &pose.vertices {
        let (mut rows, mut target, mut velocity) = (Vec::new(), Vec::new(), Vec::new());
        for vertex in vertices {
            let root = setup.body.elastic.masses()[vertex.index()].sqrt();
            for (axis, row) in basis.basis().row(&[(*vertex, 1.0)]).into_iter().enumerate() {
                let at = 3 * vertex.index() + axis;
                rows.extend(row.iter().map(|entry| root * entry));
                target.push(root * (asked[at] - basis.start()[at]));
                velocity.extend(speed.as_ref().map(|speed| root * speed[at]));
            }
        }
        let velocity = speed.map(|_| velocity);
        return Ok(ControlKey { frame, asked: ControlAsked::Rows(rows), target, velocity, hold });
    }
    let count = basis.coordinates();
    let which = match &pose.components {
        None => ControlAsked::Whole,
        Some(components) => {
            let mut weights = vec![0.0; count];
            for &component in components {
                match weights.get_mut(component - 1) {
                    Some(weight) => *weight = 1.0,
                    None => {
                        let pose = pose.number;
                        return Err(ControlError::Component { pose, component, count }.into());
                    }
                }
            }
            ControlAsked::Components(weights)
        }
    };
    let (target, velocity) = (basis.coordinates_of(&asked).0, speed.map(|speed| basis.velocity_of(&speed).0));
    Ok(ControlKey { frame, asked: which, target, velocity, hold })
}

/// Asks for the rows of another key, too; that both have rows and are as hard was seen before.
fn join(key: &mut ControlKey, other: ControlKey) {
    let (ControlAsked::Rows(rows), ControlAsked::Rows(others)) = (&mut key.asked, other.asked) else {
        return;
    };
    // Of both the error counts by its own weight.
    let scale = match (key.hold, other.hold) {
        (Hold::Soft(one), Hold::Soft(another)) => (another / one).sqrt(),
        _ => 1.0,
    };
    rows.extend(others.iter().map(|entry| scale * entry));
    key.target.extend(other.target.iter().map(|value| scale * value));
    match (&mut key.velocity, other.velocity) {
        (Some(velocity), Some(other)) => velocity.extend(other.iter().map(|value| scale * value)),
        (velocity, _) => *velocity = None,
    }
}

/// An error of the solver, with the pose to blame.
pub(super) fn named(stretch: &Stretch, problem: supple_spacetime::ControlError) -> EditError {
    use supple_spacetime::ControlError as Problem;
    let at = match &problem {
        Problem::Cancelled(cancelled) => return EditError::Cancelled(*cancelled),
        Problem::KeyAtStart => Some(0),
        Problem::KeyOutside { frame, .. }
        | Problem::TwoKeys { frame }
        | Problem::KeyCount { frame, .. }
        | Problem::KeyNotFinite { frame }
        | Problem::KeyWeight { frame, .. }
        | Problem::KeyHold { frame, .. }
        | Problem::KeyEmpty { frame }
        | Problem::HardKey { frame } => Some(*frame),
        _ => None,
    };
    let pose = at.and_then(|at| stretch.poses.iter().find(|(frame, _)| *frame == at)).map(|(_, pose)| pose);
    match (pose, &problem) {
        (Some(pose), Problem::KeyAtStart) => {
            ControlError::AtStart { pose: pose.number, when: pose.when.clone() }.into()
        }
        (Some(pose), Problem::HardKey { .. }) => ControlError::Hard { pose: pose.number }.into(),
        _ => ControlError::Solver { segment: stretch.segment, pose: pose.map(|pose| pose.number), problem }
            .into(),
    }
}
