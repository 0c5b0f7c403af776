//! The published solver: conjugate gradients over the forces (Polak and Ribière), line searches by values alone.
//!
//! ```text
//! repeat  g = ∂E/∂w by the adjoint of the motion that w makes;  β = max(0, gᵀ(g − g₋)/g₋ᵀg₋), d = −g + β d₋
//!         a from E(w + a d), each a simulation: doubled until E rises, or cut until it falls, then parabolas
//! ```

use super::adjoint::gradient;
use super::error::ControlError;
use super::model::{Balance, Model};
use super::report::ControlStage;
use super::rollout::simulate;
use super::small::{add, dot, norm};
use super::watch::{Ended, Found, Tally, Watch};
use supple_model::Progress;

/// How often a step is doubled or cut,
const BRACKETS: usize = 40;
/// and made better by parabolas.
const PARABOLAS: usize = 2;

/// The forces on the way.
struct Cg<'a> {
    model: &'a Model,
    balance: Balance,
    /// The first two frames, and room for the others.
    start: Vec<f64>,
    forwards: usize,
}

/// A length of the step with what it costs and the motion that it makes.
#[derive(Clone)]
struct Trial {
    length: f64,
    objective: f64,
    z: Vec<f64>,
}

/// The minimum near the forces of a motion.
pub(super) fn minimise(
    model: &Model,
    z: Vec<f64>,
    balance: Balance,
    (tolerance, most): (f64, usize),
    watch: &mut Watch<'_>,
) -> Result<Found, ControlError> {
    let mut w = model.rows.forces(&z, &model.elastic(&z, watch.progress)?);
    let mut cg = Cg { model, balance, start: z.clone(), forwards: 1 };
    let mut z = simulate(model, &w, z, watch.progress)?;
    let (mut last, mut d): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let (mut length, mut tally, mut ended) = (0.0, Tally::default(), Ended::OutOfSteps);
    let mut optimality = f64::INFINITY;
    while tally.frames < most {
        let mut point = model.point(z.clone(), watch.progress)?;
        point.w.clone_from(&w);
        let cost = model.cost(&z, &w, balance);
        if watch.seen(model, (ControlStage::Cg, tally.frames), cost, &z)? {
            ended = Ended::Stopped;
            break;
        }
        let (g, scale) = gradient(model, &point, balance);
        tally.gradients += 1;
        optimality = norm(&g) / scale.max(f64::MIN_POSITIVE);
        if optimality <= tolerance {
            ended = Ended::Found;
            break;
        }
        let momentum =
            if last.is_empty() { 0.0 } else { ((dot(&g, &g) - dot(&g, &last)) / dot(&last, &last)).max(0.0) };
        let mut next: Vec<f64> = g.iter().map(|g| -g).collect();
        add(&mut next, momentum, &d);
        let is_steepest = momentum == 0.0 || dot(&next, &g) >= 0.0;
        d = if is_steepest { g.iter().map(|g| -g).collect() } else { next };
        let slope = dot(&d, &g);
        // The last gain over this slope, or that of a parabola with its minimum at 0.
        let first = if length == 0.0 { cost.objective / -slope } else { length };
        let Some(best) = cg.search(&w, &d, (cost.objective, slope), first, watch.progress)? else {
            if is_steepest {
                ended = Ended::Stalled;
                break;
            }
            (last, d) = (Vec::new(), Vec::new());
            continue;
        };
        add(&mut w, best.length, &d);
        (z, length, last) = (best.z, best.length, g);
        tally.frames += 1;
    }
    tally.forwards = cg.forwards;
    Ok(Found { z, ended, optimality, tally })
}

impl Cg<'_> {
    fn trial(
        &mut self,
        w: &[f64],
        d: &[f64],
        length: f64,
        progress: &Progress,
    ) -> Result<Trial, ControlError> {
        self.forwards += 1;
        let mut w = w.to_vec();
        add(&mut w, length, d);
        match simulate(self.model, &w, self.start.clone(), progress) {
            Ok(z) => {
                let objective = self.model.cost(&z, &w, self.balance).objective;
                Ok(Trial {
                    length,
                    objective: if objective.is_finite() { objective } else { f64::INFINITY },
                    z,
                })
            }
            Err(ControlError::Simulation { .. }) => {
                Ok(Trial { length, objective: f64::INFINITY, z: Vec::new() })
            }
            Err(other) => Err(other),
        }
    }

    /// A length that costs less than what there is; none if there is none.
    fn search(
        &mut self,
        w: &[f64],
        d: &[f64],
        (objective, slope): (f64, f64),
        first: f64,
        progress: &Progress,
    ) -> Result<Option<Trial>, ControlError> {
        let mut low = Trial { length: 0.0, objective, z: Vec::new() };
        let mut middle = self.trial(w, d, first, progress)?;
        let mut rounds = 0;
        while middle.objective >= objective {
            rounds += 1;
            if rounds > BRACKETS {
                return Ok(None);
            }
            let length = middle.length;
            let bend = middle.objective - objective - slope * length;
            let shorter = -0.5 * slope * length * length / bend;
            let shorter =
                if shorter.is_finite() { shorter.clamp(0.05 * length, 0.5 * length) } else { 0.1 * length };
            let next = self.trial(w, d, shorter, progress)?;
            if next.objective < objective {
                let high = std::mem::replace(&mut middle, next);
                return self.narrowed(w, d, [low, middle, high], progress).map(Some);
            }
            middle = next;
        }
        loop {
            let high = self.trial(w, d, 2.0 * middle.length, progress)?;
            rounds += 1;
            if high.objective >= middle.objective {
                return self.narrowed(w, d, [low, middle, high], progress).map(Some);
            }
            if rounds > BRACKETS {
                return Ok(Some(high));
            }
            low = std::mem::replace(&mut middle, high);
        }
    }

    /// The best of a bracket after some parabolas.
    fn narrowed(
        &mut self,
        w: &[f64],
        d: &[f64],
        [mut low, mut middle, mut high]: [Trial; 3],
        progress: &Progress,
    ) -> Result<Trial, ControlError> {
        for _ in 0..PARABOLAS {
            let (left, right) = (middle.length - low.length, high.length - middle.length);
            let (down, up) = (low.objective - middle.objective, high.objective - middle.objective);
            let bend = left * up + right * down;
            let at = middle.length + 0.5 * (right * right * down - left * left * up) / bend;
            let is_inside =
                at > low.length && at < high.length && (at - middle.length).abs() > 1e-3 * middle.length;
            if !at.is_finite() || !is_inside {
                break;
            }
            let trial = self.trial(w, d, at, progress)?;
            let is_left = at < middle.length;
            if trial.objective < middle.objective {
                let old = std::mem::replace(&mut middle, trial);
                if is_left { high = old } else { low = old }
            } else if is_left {
                low = trial;
            } else {
                high = trial;
            }
        }
        Ok(middle)
    }
}
