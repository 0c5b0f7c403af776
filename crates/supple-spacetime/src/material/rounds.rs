//! Rounds: the motion, then stiffness and damping, then the shapes, each accepted where V falls.

use super::asked::{Asked, Found, Made};
use super::carried::carrying;
use super::error::MaterialError;
use super::fit::{Bounds, fit};
use super::linear::Linear;
use super::report::{Ended, MaterialIterate, MaterialStage, MaterialStep};
use super::settings::Optimise;
use super::shapes::{Block, improved};
use crate::kernel::{Order, Oscillator};
use crate::sqp::{Ending, Tolerance};
use nalgebra::DMatrix;
use std::sync::Arc;
use supple_model::{Progress, Readout};

/// Parts of a step that are tried where all of it does not lower V.
const PARTS: [f64; 4] = [1.0, 0.5, 0.2, 0.05];
/// Rows from which on the step on the shapes is left out: what it solves is dense in them.
pub(super) const MANY: usize = 1500;

/// What a search goes through.
pub(super) struct Search<'a> {
    pub asked: Asked<'a>,
    /// What (λ, d) of every shape may be; none for rigid ones.
    pub bounds: &'a [Option<Bounds>],
    pub block: Block,
    pub readout: &'a dyn Readout,
    /// How exactly motions are solved for, and in how many iterations at once.
    pub how: (Tolerance, usize),
}

/// Who watches, and what was seen so far.
pub(super) struct Watch<'a> {
    pub look: &'a mut dyn FnMut(&MaterialIterate<'_>),
    pub steps: Vec<MaterialStep>,
    pub round: usize,
}

impl Watch<'_> {
    pub fn seen(&mut self, stage: MaterialStage, found: &Found) {
        let step = MaterialStep { stage, energy: found.value };
        self.steps.push(step);
        (self.look)(&MaterialIterate { round: self.round, step, found });
    }
}

impl Search<'_> {
    /// Rounds until one gains too little.
    ///
    /// # Errors
    /// When the readout is not finite, or the caller cancels.
    pub fn run(
        &self,
        best: &mut Found,
        watch: &mut Watch<'_>,
        progress: &Progress,
    ) -> Result<Ended, MaterialError> {
        let settings = self.asked.settings;
        if settings.optimise == Optimise::None {
            return Ok(if best.ending == Ending::Stopped { Ended::Stopped } else { Ended::Settled });
        }
        if settings.optimise == Optimise::All {
            self.carry(best, watch, progress)?;
        }
        for round in 1..=settings.rounds {
            if progress.is_stopped() {
                return Ok(Ended::Stopped);
            }
            // How many rounds there will be is not known: the bar fills ever more slowly.
            let share = |round: usize| 1.0 - 1.0 / (1.0 + 0.1 * round as f64);
            let part = progress.part(share(round - 1), share(round));
            let before = best.value;
            watch.round = round;
            self.stiffen(best, watch, &part.part(0.0, 0.5))?;
            if settings.optimise == Optimise::All && !progress.is_stopped() {
                self.reshape(best, watch, &part.part(0.5, 1.0))?;
            }
            if before - best.value <= settings.gain * before && !progress.is_stopped() {
                return Ok(Ended::Settled);
            }
        }
        Ok(Ended::OutOfRounds)
    }

    /// Shapes that carry the poses, to begin with.
    fn carry(
        &self,
        best: &mut Found,
        watch: &mut Watch<'_>,
        progress: &Progress,
    ) -> Result<bool, MaterialError> {
        let columns: Vec<_> = self.asked.poses.iter().map(|pose| &pose.target * pose.weight.sqrt()).collect();
        if columns.is_empty() || progress.is_stopped() {
            return Ok(false);
        }
        let (from, row) = (&best.made.material.S, self.block.row);
        let poses = DMatrix::from_columns(&columns).rows(row, from.nrows() - row).into_owned();
        let Some(block) = carrying(&poses, &self.block.of(from)) else { return Ok(false) };
        let material = best.made.material.with_shapes(self.block.put(from, &block));
        let seen = self.asked.seen(best, self.readout)?;
        let made = Made::new(&self.asked, material, progress)?;
        let state = made.reading_as(&seen);
        let found = self.asked.solved(Arc::new(made), state, self.readout, self.how, progress);
        self.taken(found, best, (MaterialStage::Shapes, watch))
    }

    /// Stiffness and damping of every shape for the path as it is, then the path.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn stiffen(
        &self,
        best: &mut Found,
        watch: &mut Watch<'_>,
        progress: &Progress,
    ) -> Result<bool, MaterialError> {
        progress.check()?;
        let now = best.made.material.modes().to_vec();
        let Some(moments) = best.made.path(&best.state).moments() else { return Ok(false) };
        let of = |((mode, moments), bounds): ((&Oscillator, _), &Option<Bounds>)| {
            bounds.as_ref().map_or(*mode, |bounds| fit(moments, bounds))
        };
        let wanted: Vec<Oscillator> = now.iter().zip(&moments).zip(self.bounds).map(of).collect();
        if wanted == now {
            return Ok(false);
        }
        let seen = self.asked.seen(best, self.readout)?;
        for part in PARTS {
            let between = |from: f64, to: f64| if part < 1.0 { from + part * (to - from) } else { to };
            let modes = now.iter().zip(&wanted).map(|(from, to)| Oscillator {
                eigenvalue: between(from.eigenvalue, to.eigenvalue),
                delta: between(from.delta, to.delta),
            });
            let material = best.made.material.with_modes(modes.collect());
            let found = match Made::new(&self.asked, material, progress) {
                Ok(made) => {
                    let state = made.reading_as(&seen);
                    self.asked.solved(Arc::new(made), state, self.readout, self.how, progress)
                }
                Err(error) => Err(error),
            };
            if self.taken(found, best, (MaterialStage::Stiffness, &mut *watch))? {
                return Ok(true);
            }
            if progress.is_stopped() {
                break;
            }
        }
        Ok(false)
    }

    /// Other shapes, then the path.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn reshape(
        &self,
        best: &mut Found,
        watch: &mut Watch<'_>,
        progress: &Progress,
    ) -> Result<bool, MaterialError> {
        progress.check()?;
        let seen = self.asked.seen(best, self.readout)?;
        let mut linear = Linear::new(best.made.material.S.ncols());
        linear.add_all(&self.asked, &best.made, &seen);
        if linear.count() > MANY || linear.count() == 0 {
            return Ok(false);
        }
        let linear = linear.over(best.made.layout.kernel());
        let toward = (!self.asked.poses.is_empty()).then(|| self.toward(best));
        let from = &best.made.material.S;
        let steps = self.asked.settings.shape_steps;
        let Some(to) = improved(&linear, (from, self.block), toward.as_ref(), steps, progress)? else {
            return Ok(false);
        };
        let from = from.clone();
        for part in PARTS {
            let S = if part < 1.0 {
                let between = self.block.of(&(&from + (&to - &from) * part));
                self.block.put(&from, &super::stiefel::polar(&between, &self.block.of(&from)))
            } else {
                to.clone()
            };
            let made = Made::new(&self.asked, best.made.material.with_shapes(S), progress)?;
            let state = made.reading_as(&seen);
            let found = self.asked.solved(Arc::new(made), state, self.readout, self.how, progress);
            if self.taken(found, best, (MaterialStage::Shapes, &mut *watch))? {
                return Ok(true);
            }
            if progress.is_stopped() {
                break;
            }
        }
        Ok(false)
    }

    /// Σ w x̂ zᵀ of the poses.
    fn toward(&self, best: &Found) -> DMatrix<f64> {
        let path = best.made.path(&best.state);
        let mut sum = DMatrix::zeros(best.made.material.S.nrows(), best.made.material.S.ncols());
        let mut z = nalgebra::DVector::zeros(sum.ncols());
        for pose in self.asked.poses {
            path.at(pose.at, Order::Position, z.as_mut_slice());
            sum.ger(pose.weight, &pose.target, &z, 1.0);
        }
        sum
    }

    /// Takes what was found if it is better; what no kernel can be made of, or what cannot be read, is not.
    fn taken(
        &self,
        found: Result<Found, MaterialError>,
        best: &mut Found,
        (stage, watch): (MaterialStage, &mut Watch<'_>),
    ) -> Result<bool, MaterialError> {
        use crate::SpacetimeError::Cancelled;
        let found = match found {
            Ok(found) => found,
            Err(MaterialError::Spacetime(Cancelled(cancelled))) => return Err(cancelled.into()),
            Err(_) => return Ok(false),
        };
        if !self.asked.is_better(&found, best, self.how.0) {
            return Ok(false);
        }
        *best = found;
        watch.seen(stage, best);
        Ok(true)
    }
}
