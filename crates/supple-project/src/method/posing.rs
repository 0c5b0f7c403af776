//! A pose in the making: the body in balance under loads and pins, and one point of it in the hand of a person.
//!
//! A spring draws the point to where the hand is, f = k (t − x(u)); all other loads stay as they are. Loads and pins come in
//! stages, as those of a shot do: a pin holds where the stages before have brought it.
//!
//! ```text
//! step(ask), until it rests:
//!     stages that are asked for as they were found: go on from the last of them
//!     the others but the last: pin, load, solve R(u) = f                                      [Poser::solve]
//!     the last: f += (I + kC)⁻¹ (k (t − x) − f), C how the point gives way                    [Poser::compliance]
//!               a bounded piece of work towards R(u) = f                                      [Poser::update]
//! ```
//!
//! | symbol | name | what it is |
//! |---|---|---|
//! | u | pose | displacement of every vertex |
//! | t, x | target, place | where the point is drawn to and where it is, from rest |
//! | f | force | of the spring |
//! | k | firmness | of the spring: four times what the point gives way by when it is taken |

use super::live_error::LiveError;
use super::player::drawn;
use super::stage::Points;
use crate::body::Body;
use crate::shot::{Load, Pin, Shot, Site};
use crate::simulate::{Loads, SimulateError};
use crate::site::{Points as SitePoints, Row};
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_elastic::{PoseReport, Poser, StaticsError};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// What is asked of a body that is being posed.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseAsk {
    /// Forces on it.
    pub loads: Vec<Load>,
    /// What is held.
    pub pins: Vec<Pin>,
    /// The stage the hand is in, the first 1; loads and pins are of this one or earlier ones.
    pub stage: usize,
    /// The point in the hand.
    pub hand: Option<Hand>,
}

impl Default for PoseAsk {
    fn default() -> Self {
        Self { loads: Vec::new(), pins: Vec::new(), stage: 1, hand: None }
    }
}

/// What a hand does with a point, or with the middle of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// What it holds.
    pub site: Site,
    /// How far from rest it draws that.
    pub by: [f64; 3],
}

/// Whether a pose is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// The body still moves.
    Moving,
    /// It rests.
    Found,
    /// It finds no rest: it gives way under the loads.
    Lost,
}

/// How far a pose is.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseStep {
    /// Whether it is found.
    pub balance: Balance,
    /// Where everything is.
    pub points: Points,
    /// The force of the hand, N.
    pub force: Option<[f64; 3]>,
    /// The forces that are left, as a part of the loads.
    pub residual: f64,
}

/// Poses a body, a bounded piece of work at a time.
pub trait Posing: Send {
    /// Comes closer to the pose that is asked for.
    ///
    /// # Errors
    /// A load or pin that is nowhere on the body, a hand on what stays in place, and cancellation; nothing changes then.
    fn step(&mut self, ask: &PoseAsk, progress: &Progress) -> Result<PoseStep, LiveError>;
}

/// The spring is so many times as firm as the point it draws: with 4 that goes four fifths of the way.
const FIRMNESS: f64 = 4.0;
/// A force that changes less than this part of itself has come to rest.
const CALM: f64 = 1e-4;
/// Steps after which a body that still moves counts as giving way.
const PATIENCE: usize = 200;

/// A body that is being posed.
#[derive(Debug)]
pub struct PoseSession {
    shot: Shot,
    body: Arc<Body>,
    poser: Poser,
    /// Stages that were found, from the first on.
    found: Vec<Found>,
    /// The stage the poser is in.
    present: Option<Present>,
    hand: Option<Spring>,
    /// Loads of the stage the poser is in, and their forces.
    steady: Option<(Vec<Load>, Vec<f64>)>,
    /// What was asked last, and the steps since.
    asked: Option<PoseAsk>,
    steps: usize,
    /// How that ended.
    ended: Option<Balance>,
}

/// What a stage adds.
#[derive(Clone, Debug, Default, PartialEq)]
struct Stage {
    loads: Vec<Load>,
    pins: Vec<Pin>,
}

#[derive(Debug)]
struct Found {
    stage: Stage,
    pose: Vec<f64>,
    /// Forces of this stage and those before it.
    load: Vec<f64>,
}

#[derive(Debug)]
struct Present {
    /// Counted from 0.
    stage: usize,
    pins: Vec<Pin>,
    /// All that is pinned.
    pinned: Vec<VertexId>,
}

/// The spring between the hand and a point.
#[derive(Debug)]
struct Spring {
    site: Site,
    points: SitePoints,
    /// The middle of its points.
    point: Row,
    firmness: f64,
    compliance: Matrix3<f64>,
    force: Vec3,
}

impl PoseSession {
    /// A body at rest, of which nothing is asked yet.
    ///
    /// # Errors
    /// When it is too large.
    pub fn new(shot: &Shot, body: Arc<Body>) -> Result<Self, LiveError> {
        let poser = Poser::new(body.elastic.clone(), body.free.clone());
        let poser = poser.map_err(|error| LiveError::said(&error))?;
        Ok(Self {
            shot: shot.clone(),
            body,
            poser,
            found: Vec::new(),
            present: None,
            hand: None,
            steady: None,
            asked: None,
            steps: 0,
            ended: None,
        })
    }

    /// Brings the body to the beginning of the last stage that is asked for. Answers whether the body bears the others.
    fn prepare(&mut self, ask: &PoseAsk, progress: &Progress) -> Result<bool, LiveError> {
        let stages = stages(ask);
        let last = stages.len() - 1;
        let known = stages[..last].iter().zip(&self.found);
        let known = known.take_while(|(stage, found)| **stage == found.stage).count();
        for (index, stage) in stages.iter().enumerate().take(last).skip(known) {
            let share = |done: usize| (done - known) as f64 / (last - known) as f64;
            self.enter(index, &stages)?;
            let load = self.forces(&stage.loads)?;
            self.set_load(&load)?;
            let report = self.poser.solve(&progress.part(share(index), share(index + 1)));
            let report: PoseReport = report.map_err(told)?;
            if !report.status.is_solved() {
                self.present = None;
                return Ok(false);
            }
            let load = self.poser.load();
            self.found.push(Found { stage: stage.clone(), pose: self.poser.pose().to_vec(), load });
        }
        self.enter(last, &stages)?;
        self.found.truncate(last);
        Ok(true)
    }

    /// Goes to the beginning of a stage, unless the body is in it: pinned as it says, under the loads of those before.
    fn enter(&mut self, index: usize, stages: &[Stage]) -> Result<(), LiveError> {
        let stage = &stages[index];
        let is_there = |present: &Present| present.stage == index && present.pins == stage.pins;
        let same_before = self.found.iter().map(|found| &found.stage).take(index).eq(&stages[..index]);
        if same_before && self.present.as_ref().is_some_and(is_there) && self.found.len() <= index + 1 {
            self.found.truncate(index);
            return Ok(());
        }
        self.found.truncate(index);
        // Where something goes wrong, nothing is known of where the body is.
        let before = self.present.take();
        let mut pinned = Vec::new();
        for pin in stages[..=index].iter().flat_map(|stage| &stage.pins) {
            let points = SitePoints::of(&pin.site, &self.body).map_err(|error| LiveError::said(&error))?;
            pinned.extend(points.vertices());
        }
        pinned.sort_unstable();
        pinned.dedup();
        let load = self.found.last().map(|found| found.load.clone());
        let load = load.unwrap_or_else(|| vec![0.0; self.poser.pose().len()]);
        self.go_back()?;
        if before.is_none_or(|present| present.pinned != pinned) {
            let others = self.poser.pinned().to_vec();
            self.poser.unpin(&others).map_err(told)?;
            self.poser.pin(&pinned).map_err(told)?;
        }
        self.poser.unload();
        self.set_load(&load)?;
        self.poser.freeze();
        self.hand = None;
        self.present = Some(Present { stage: index, pins: stage.pins.clone(), pinned });
        Ok(())
    }

    /// Puts the body where the last stage that was found has left it.
    fn go_back(&mut self) -> Result<(), LiveError> {
        let pose = self.found.last().map(|found| found.pose.clone());
        let pose = pose.unwrap_or_else(|| vec![0.0; self.poser.pose().len()]);
        if self.poser.pose() == pose { Ok(()) } else { self.poser.set_pose(&pose).map_err(told) }
    }

    /// Loads as forces on the vertices of the body.
    fn forces(&self, loads: &[Load]) -> Result<Vec<f64>, LiveError> {
        let mut alone = self.shot.clone();
        alone.loads = loads.to_vec();
        let loads = Loads::load(&alone, &self.body).map_err(|error| LiveError::said(&error))?;
        let mut forces = vec![0.0; 3 * self.body.positions().len()];
        (1..=loads.stages()).for_each(|stage| loads.add_stage(stage, &mut forces));
        Ok(forces)
    }

    fn set_load(&mut self, load: &[f64]) -> Result<(), LiveError> {
        self.poser.set_load(load).map_err(told)
    }

    /// Takes hold of what the hand has.
    fn take(&mut self, hand: &Hand) -> Result<(), LiveError> {
        if self.hand.as_ref().is_some_and(|spring| spring.site == hand.site) {
            return Ok(());
        }
        let points = SitePoints::of(&hand.site, &self.body).map_err(|error| LiveError::said(&error))?;
        let point = points.mean();
        let compliance = Matrix3::from(self.poser.compliance(&point)).transpose();
        let mean = compliance.trace() / 3.0;
        if !(mean > 0.0 && mean.is_finite()) {
            return Err(LiveError::Said("This part stays in place. Pull at another one.".to_owned()));
        }
        let (site, firmness) = (hand.site.clone(), FIRMNESS / mean);
        self.hand = Some(Spring { site, points, point, firmness, compliance, force: Vec3::zeros() });
        Ok(())
    }

    /// A piece of work in the last stage.
    fn go_on(&mut self, ask: &PoseAsk) -> Result<(Balance, f64), LiveError> {
        let of_stage: Vec<Load> =
            ask.loads.iter().filter(|load| of(load.stage) == ask.stage).cloned().collect();
        if of_stage.is_empty() && self.hand.is_none() {
            // Nothing is asked that was not found before.
            self.go_back()?;
        }
        let mut load = match self.steady.take() {
            Some((loads, forces)) if loads == of_stage => forces,
            _ => self.forces(&of_stage)?,
        };
        self.steady = Some((of_stage, load.clone()));
        let mut is_calm = true;
        if let (Some(spring), Some(hand)) = (&mut self.hand, &ask.hand) {
            let away = Vec3::from(hand.by) - place(&spring.point, self.poser.pose());
            is_calm = spring.follow(away);
            spring.points.push(spring.force.into(), &mut load);
        }
        self.set_load(&load)?;
        let update = self.poser.update();
        if let Some(spring) = self.hand.as_mut().filter(|_| update.refactored) {
            spring.compliance = Matrix3::from(self.poser.compliance(&spring.point)).transpose();
        }
        self.steps += 1;
        let all = self.poser.load().iter().map(|f| f * f).sum::<f64>().sqrt();
        let residual = if all > 0.0 { update.residual / all } else { 0.0 };
        let is_whole = update.residual.is_finite();
        let balance = match update.status.is_solved() && is_calm {
            true if self.body.elastic.inverted(self.poser.pose()) > 0 => Balance::Lost,
            true => Balance::Found,
            false if !is_whole || self.steps > PATIENCE => Balance::Lost,
            false => Balance::Moving,
        };
        Ok((balance, residual))
    }

    fn step_with(&self, balance: Balance, residual: f64) -> PoseStep {
        let force = self.hand.as_ref().map(|spring| spring.force.into());
        PoseStep { balance, points: drawn(&self.body, self.poser.pose()), force, residual }
    }
}

impl Posing for PoseSession {
    fn step(&mut self, ask: &PoseAsk, progress: &Progress) -> Result<PoseStep, LiveError> {
        if self.asked.as_ref() != Some(ask) {
            if self.ended == Some(Balance::Lost) {
                // What gave way is not where another pose begins.
                (self.present, self.hand) = (None, None);
            }
            (self.steps, self.ended, self.asked) = (0, None, Some(ask.clone()));
        }
        if let Some(ended) = self.ended {
            return Ok(self.step_with(ended, 0.0));
        }
        let bears = self.prepare(ask, progress).inspect_err(|_| self.asked = None)?;
        if !bears {
            self.ended = Some(Balance::Lost);
            return Ok(self.step_with(Balance::Lost, 1.0));
        }
        match &ask.hand {
            Some(hand) => self.take(hand)?,
            None => self.hand = None,
        }
        let (balance, residual) = self.go_on(ask)?;
        self.ended = (balance != Balance::Moving).then_some(balance);
        Ok(self.step_with(balance, residual))
    }
}

impl Spring {
    /// Takes in how far the hand is away from the point; answers whether that changes nothing any more.
    fn follow(&mut self, away: Vec3) -> bool {
        let wanted = away * self.firmness;
        let missing = wanted - self.force;
        if missing.norm() <= CALM * wanted.norm() {
            return true;
        }
        let system = Matrix3::identity() + self.compliance * self.firmness;
        let change = system.try_inverse().map_or(missing / (1.0 + FIRMNESS), |inverse| inverse * missing);
        self.force += change;
        false
    }
}

/// What is asked, stage by stage; at least one.
fn stages(ask: &PoseAsk) -> Vec<Stage> {
    let last = ask.stage.max(1);
    let stage = |number: usize| Stage {
        loads: ask.loads.iter().filter(|load| of(load.stage) == number).cloned().collect(),
        pins: ask.pins.iter().filter(|pin| of(pin.stage) == number).cloned().collect(),
    };
    (1..=last).map(stage).collect()
}

fn of(stage: Option<usize>) -> usize {
    stage.unwrap_or(1)
}

/// How far a point is from rest.
fn place(point: &Row, pose: &[f64]) -> Vec3 {
    point.iter().map(|(v, weight)| Vec3::from_column_slice(&pose[3 * v.index()..][..3]) * *weight).sum()
}

fn told(error: StaticsError) -> LiveError {
    match error {
        StaticsError::Cancelled(_) => LiveError::Cancelled,
        error => LiveError::said(&SimulateError::from(error)),
    }
}
