//! The second half of the search: Newton's method on all frames at once.
//!
//! ```text
//! hard keys: reached by Gauss and Newton's step with those rows fixed, in parts where that bends too much; fixed from then on
//! repeat  H with ∂(Kλ)/∂z; where that is not definite, with the largest share of it that is, or with none: the better step
//!         d = −H⁻¹ g;  done where ½ gᵀH⁻¹g is a small enough part of E
//!         where d does not gain what it should: s = w(z + d) − w − J d, c = −H⁻¹ εJᵀh̄ s with the same factor,
//!         the best of z + a d and z + a d + a² c for many a side by side
//! ```
//!
//! Where nothing gains though H is not definite, the motion is at a saddle and leaves it ([`super::saddle`]).

use super::error::ControlError;
use super::model::{Balance, Model, Point, least};
use super::normal::{Normal, Shape};
use super::report::{ControlCost, ControlStage};
use super::saddle;
use super::small::{add, dot, norm};
use super::watch::{Ended, Tally, Watch};
use supple_model::{Cancelled, Progress};

/// A step that gains this part of what it should is taken as it is.
const BELIEVED: f64 = 0.5;
/// Lengths of other steps that are tried side by side, group after group.
const LENGTHS: [&[f64]; 3] = [
    &[1.0, 0.5, 0.25, 0.125],
    &[0.0625, 0.03125, 0.015_625],
    &[0.007_812_5, 0.001_953_125, 0.000_488_281_25],
];
/// A gain below this part of the objective is among its last digits.
const NOISE: f64 = 1e-11;
/// So is a step that gained less than this part of it.
const IDLE: f64 = 1e-12;
/// So many steps after one another may be there.
const QUIET: usize = 4;
/// At this optimality a motion that no step improves is in a minimum.
const STILL: f64 = 1e-6;
/// By what the diagonal of Gauss and Newton's matrix grows first, and at most.
const DAMPING: (f64, f64) = (1e-6, 1e6);
/// Shares of the curvature where all of it is too much.
const SHARES: [f64; 4] = [0.5, 0.25, 0.1, 0.03];
/// Saddles that are left.
const SADDLES: usize = 3;
/// Parts in which hard keys are reached, at most.
const PARTS: usize = 200;
/// Hard keys are reached when what is left is below this part of the motion.
const REACHED: f64 = 1e-10;

/// A search on all frames.
pub(super) struct Finish<'a> {
    pub model: &'a Model,
    pub balance: Balance,
    pub tolerance: f64,
    /// Iterations at most, those of the tally included.
    pub most: usize,
}

/// A factor, the step that it leads to, and half of what its slope says it gains.
struct Direction {
    normal: Normal,
    step: Vec<f64>,
    gain: f64,
}

/// What a step came to.
struct Next {
    /// Where it leads, if anywhere.
    z: Option<Vec<f64>>,
    optimality: f64,
    /// Whether Newton's matrix is positive definite.
    is_definite: bool,
    /// Whether all that could be gained is noise.
    is_quiet: bool,
}

impl Finish<'_> {
    /// The minimum near a motion, its optimality and how the search for it ended.
    pub fn run(
        &self,
        z: Vec<f64>,
        watch: &mut Watch<'_>,
        tally: &mut Tally,
    ) -> Result<(Vec<f64>, Ended, f64), ControlError> {
        let mut z = if self.model.is_hard() { self.reach(z, watch, tally)? } else { z };
        let (mut saddles, mut quiet, mut damping, mut optimality) = (0, 0, 0.0, f64::INFINITY);
        let mut last = f64::INFINITY;
        while tally.iterations() < self.most {
            let point = self.model.point(z, watch.progress)?;
            let cost = self.model.cost(&point.z, &point.w, self.balance);
            if watch.seen(self.model, (ControlStage::Frames, tally.frames), cost, &point.z)? {
                return Ok((point.z, Ended::Stopped, optimality));
            }
            let next = self.next(&point, cost, &mut damping, watch.progress)?;
            optimality = next.optimality;
            let is_idle = last - cost.objective < IDLE * cost.objective;
            quiet = if next.is_quiet || is_idle { quiet + 1 } else { 0 };
            last = cost.objective;
            tally.frames += 1;
            let mut better = next.z.filter(|_| quiet <= QUIET);
            if better.is_none() && !next.is_definite && saddles < SADDLES {
                saddles += 1;
                better = saddle::left(self.model, &point, self.balance, watch.progress)?;
            }
            let Some(better) = better else {
                let is_still = optimality <= self.tolerance.max(STILL);
                return Ok((point.z, if is_still { Ended::Found } else { Ended::Stalled }, optimality));
            };
            z = self.held(better);
        }
        Ok((z, Ended::OutOfSteps, optimality))
    }

    /// One step: Newton's; where its matrix is not definite, or its step gains nothing, the better one of a step with a
    /// part of the curvature and of Gauss and Newton's.
    fn next(
        &self,
        point: &Point,
        cost: ControlCost,
        damping: &mut f64,
        progress: &Progress,
    ) -> Result<Next, ControlError> {
        let gradient = self.model.released(self.model.gradient(point, self.balance));
        let floor = cost.objective + self.model.nothing(&point.z, self.balance.effort);
        let optimality = |direction: &Direction| (direction.gain.max(0.0) / floor).sqrt();
        let lambda = self.model.rows.multipliers(self.balance.effort, &point.w);
        let curvature = self.model.curvature(&point.z, &lambda, progress)?;
        let bent = |share: f64| self.direction(point, &gradient, Some((share, &curvature)), 0.0);
        let mut next = Next { z: None, optimality: f64::INFINITY, is_definite: false, is_quiet: false };
        if let Some(newton) = bent(1.0) {
            next.is_definite = true;
            next.optimality = optimality(&newton);
            next.is_quiet = newton.gain <= NOISE * cost.objective;
            if next.optimality > self.tolerance {
                next.z = self.best(point, cost, &newton, progress)?.map(|(z, _)| z);
            }
            if next.z.is_some() || next.optimality <= self.tolerance {
                return Ok(next);
            }
        }
        let partly = SHARES.iter().find_map(|share| bent(*share));
        let mut best = match partly {
            Some(direction) => self.best(point, cost, &direction, progress)?,
            None => None,
        };
        while *damping <= DAMPING.1 {
            if let Some(gauss) = self.direction(point, &gradient, None, *damping) {
                if !next.is_definite {
                    next.optimality = optimality(&gauss);
                    next.is_quiet = gauss.gain <= NOISE * cost.objective;
                }
                if next.optimality <= self.tolerance && *damping == 0.0 {
                    return Ok(next);
                }
                best = better(best, self.best(point, cost, &gauss, progress)?);
            }
            if best.is_some() {
                break;
            }
            *damping = if *damping == 0.0 { DAMPING.0 } else { 10.0 * *damping };
        }
        let may_shrink = *damping > DAMPING.0 && *damping <= DAMPING.1;
        *damping = if may_shrink { 0.1 * *damping } else { 0.0 };
        next.z = best.map(|(z, _)| z);
        Ok(next)
    }

    /// Hard keys of one frame to the last digit.
    fn held(&self, mut z: Vec<f64>) -> Vec<f64> {
        self.model.targets.iter().for_each(|target| target.hold(&mut z, self.model.size()));
        z
    }

    /// The step of Gauss and Newton's matrix with a share of the curvature; none where it is not positive definite.
    fn direction(
        &self,
        point: &Point,
        gradient: &[f64],
        curvature: Option<(f64, &[f64])>,
        damping: f64,
    ) -> Option<Direction> {
        let shape =
            Shape { balance: self.balance, curvature, holds: self.model.is_hard(), damping, every: 0.0 };
        let normal = Normal::new(self.model, point, &shape)?;
        let step = normal.step(gradient, &self.model.gaps(&point.z));
        let gain = -0.5 * dot(gradient, &step);
        gain.is_finite().then_some(Direction { normal, step, gain })
    }

    /// The best motion along a step, and what it costs; none if none is better.
    fn best(
        &self,
        point: &Point,
        cost: ControlCost,
        direction: &Direction,
        progress: &Progress,
    ) -> Result<Option<(Vec<f64>, f64)>, Cancelled> {
        let Direction { normal, step, gain } = direction;
        let moved = |s: f64, curve: &[f64]| {
            let mut z = point.z.clone();
            add(&mut z, s, step);
            add(&mut z, s * s, curve);
            z
        };
        let full = moved(1.0, &[]);
        let R = self.model.elastic(&full, progress)?;
        let w = self.model.rows.forces(&full, &R);
        let there = self.model.cost(&full, &w, self.balance).objective;
        let is_noise = *gain <= NOISE * cost.objective && there <= (1.0 + NOISE) * cost.objective;
        if cost.objective - there >= BELIEVED * gain || is_noise {
            return Ok(Some((full, there)));
        }
        let curve = self.curve(point, normal, step, &w);
        let is_curved = curve.iter().all(|x| x.is_finite());
        for lengths in LENGTHS {
            let mut paths: Vec<Vec<f64>> = lengths.iter().map(|s| moved(*s, &[])).collect();
            if is_curved {
                paths.extend(lengths.iter().map(|s| moved(*s, &curve)));
            }
            let costs = self.model.costs(&paths, self.balance, progress)?;
            if let Some(best) = least(&costs, cost.objective) {
                return Ok(Some((paths.swap_remove(best), costs[best].objective)));
            }
        }
        Ok(None)
    }

    /// −H⁻¹ εJᵀh̄ s: what the forces at the end of the step are off its straight line, made good by the same factor.
    fn curve(&self, point: &Point, normal: &Normal, step: &[f64], there: &[f64]) -> Vec<f64> {
        let mut off = there.to_vec();
        add(&mut off, -1.0, &point.w);
        add(&mut off, -1.0, &self.model.rows.changes(&point.K, step));
        let mut pull = self.model.rows.pulled_back(&point.K, self.balance.effort, &off);
        pull[..self.model.first() * self.model.size()].fill(0.0);
        normal.step(&self.model.released(pull), &vec![0.0; self.model.gaps(&point.z).len()])
    }

    /// A motion that meets its hard keys, near one that does not.
    fn reach(
        &self,
        mut z: Vec<f64>,
        watch: &mut Watch<'_>,
        tally: &mut Tally,
    ) -> Result<Vec<f64>, ControlError> {
        let model = self.model;
        for _ in 0..PARTS {
            let mut shift = vec![0.0; z.len()];
            model.targets.iter().for_each(|target| {
                if target.fixes() {
                    target.add_pull(-1.0, &target.gap(&z, model.size()), &mut shift, model.size());
                }
            });
            let gaps = model.gaps(&z);
            let scale = norm(&z) + norm(&shift);
            let rate = model.rows.steps.iter().fold(f64::INFINITY, |least, step| least.min(*step));
            if norm(&shift) + rate * norm(&gaps) <= REACHED * scale {
                break;
            }
            let point = model.point(z, watch.progress)?;
            let next = self.part(&point, &shift, &gaps, watch.progress)?;
            let Some(next) = next else { return Ok(point.z) };
            tally.frames += 1;
            let w = model.rows.forces(&next, &model.elastic(&next, watch.progress)?);
            let cost = model.cost(&next, &w, self.balance);
            z = next;
            if watch.seen(model, (ControlStage::Frames, tally.frames), cost, &z)? {
                break;
            }
        }
        Ok(self.held(z))
    }

    /// A part of the way to the hard keys, as large as the straight step that leads there can be believed.
    fn part(
        &self,
        point: &Point,
        shift: &[f64],
        gaps: &[f64],
        progress: &Progress,
    ) -> Result<Option<Vec<f64>>, Cancelled> {
        let (model, balance) = (self.model, self.balance);
        let shape = Shape { balance, curvature: None, holds: true, damping: 0.0, every: 0.0 };
        let Some(normal) = Normal::new(model, point, &shape) else { return Ok(None) };
        let start = model.cost(&point.z, &point.w, balance).objective;
        let mut part = 1.0;
        loop {
            let (mut moved, mut w) = (point.z.clone(), point.w.clone());
            add(&mut moved, part, shift);
            add(&mut w, part, &model.rows.changes(&point.K, shift));
            let gradient = model.released(model.gradient_with(&point.K, &moved, &w, balance));
            let wanted: Vec<f64> = model.gaps(&moved);
            let left: Vec<f64> = wanted.iter().zip(gaps).map(|(gap, all)| gap - (1.0 - part) * all).collect();
            let step = normal.step(&gradient, &left);
            add(&mut moved, 1.0, &step);
            add(&mut w, 1.0, &model.rows.changes(&point.K, &step));
            let believed = model.cost(&moved, &w, balance).objective;
            let there = model.costs(std::slice::from_ref(&moved), balance, progress)?[0].objective;
            let is_last = part < 1e-3;
            if there <= 4.0 * (believed + start) || (is_last && there.is_finite()) {
                return Ok(Some(moved));
            }
            if is_last {
                return Ok(None);
            }
            part *= 0.5;
        }
    }
}

/// The one that costs less.
fn better(a: Option<(Vec<f64>, f64)>, b: Option<(Vec<f64>, f64)>) -> Option<(Vec<f64>, f64)> {
    [a, b].into_iter().flatten().min_by(|a, b| a.1.total_cmp(&b.1))
}
