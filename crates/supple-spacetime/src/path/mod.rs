//! The path an edit takes: amplitudes and velocities of all modes at any time.
//!
//! A path is a sum of kernels, z_k(i) = Σ_j Σ_o P_k(i,j)\[0,o\] g_k(j,o), beside the [`MeanPath`] if one is given. The loads g(j,o) = Σ_a c_a μ_a gather all
//! rows a at time j of order o, so that thousands of rows on few frames cost no more than those frames.
//!
//! | wanted | how | cost |
//! |---|---|---|
//! | one time | kernel look-ups, [`Path::at`] | r · loads |
//! | many frames | a sweep forward and one back, [`Path::states`] | r · T, whatever the loads |
//! | what its energy would be under another stiffness and damping | Gauss points between frames, `moments` | r · T |
//! | the force that drives it, if it has any | from the states around, [`Path::forces`], [`Path::peak_forces`] | r · T |

mod force;
mod moments;
mod smooth;
mod sweep;

pub use force::{Forces, Peak};
pub(crate) use moments::Moments;

use crate::kernel::{Kernel, MeanPath, Moment, Order, Shape};
use faer::Mat;
use std::ops::Range;
use std::sync::Arc;
use supple_model::Instant;

/// What all rows of one time and order pull with, mode by mode.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub at: Instant,
    pub order: Order,
    /// g, one number per mode.
    pub pull: Vec<f64>,
}

/// The least costly path of all modes under some rows.
#[derive(Clone, Debug)]
pub struct Path {
    /// What is given of it, a start, an end, a load; at rest if none.
    mean: Option<Arc<MeanPath>>,
    kernel: Arc<Kernel>,
    /// In the order of times, then orders, each pair once.
    loads: Vec<Load>,
    /// When each of them is.
    moments: Vec<Moment>,
}

/// A load and its time in the kernel.
#[derive(Clone, Copy)]
struct Placed<'a> {
    load: &'a Load,
    moment: &'a Moment,
}

/// Amplitudes and velocities of all modes over some frames.
#[derive(Clone, Debug)]
pub struct States {
    /// z, modes × frames.
    pub position: Mat<f64>,
    /// ż, modes × frames.
    pub velocity: Mat<f64>,
}

impl Path {
    pub(crate) fn new(kernel: Arc<Kernel>, loads: Vec<Load>) -> Self {
        debug_assert!(loads.is_sorted_by(|a, b| (a.at, a.order) < (b.at, b.order)));
        let moments = loads.iter().map(|load| kernel.moment(load.at)).collect();
        Self { mean: None, kernel, loads, moments }
    }

    /// The same loads beside another mean path of the same kernel.
    pub(crate) fn beside(self, mean: Option<Arc<MeanPath>>) -> Self {
        Self { mean, ..self }
    }

    pub(crate) fn into_loads(self) -> Vec<Load> {
        self.loads
    }

    /// The kernel it is made of.
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// The loads in the window; others do nothing.
    fn placed(&self) -> impl Iterator<Item = Placed<'_>> {
        let placed = self.loads.iter().zip(&self.moments).map(|(load, moment)| Placed { load, moment });
        placed.filter(|placed| !placed.moment.is_outside)
    }

    /// Overwrites `out` with the position or velocity of every mode at a time.
    ///
    /// # Panics
    /// When there is no such time, see [`Kernel::covariance`], or `out` has not one entry per mode.
    pub fn at(&self, at: impl Into<Instant>, order: Order, out: &mut [f64]) {
        out.fill(0.0);
        let at = at.into();
        let moment = self.kernel.moment(at);
        let mut covariance = vec![0.0; out.len()];
        for Placed { load, moment: there } in self.placed() {
            self.kernel.between((&moment, order), (there, load.order), &mut covariance);
            for ((z, p), g) in out.iter_mut().zip(&covariance).zip(&load.pull) {
                *z += p * g;
            }
        }
        if let Some(mean) = &self.mean {
            let mut given = covariance;
            mean.at(at, order, &mut given);
            out.iter_mut().zip(&given).for_each(|(z, given)| *z += given);
        }
    }

    /// Positions and velocities of all modes over a range of frames, equal to [`Self::at`] up to round-off.
    ///
    /// # Panics
    /// When the range leaves the motion.
    #[must_use]
    pub fn states(&self, frames: Range<usize>) -> States {
        assert!(frames.start <= frames.end && frames.end <= self.kernel.settings().frames);
        let loads: Vec<Placed<'_>> = self.placed().collect();
        let mut states = match self.kernel.shape() {
            Shape::Smooth(smooth) => smooth::states(&self.kernel, smooth, &loads, frames.clone()),
            _ => sweep::states(&self.kernel, &loads, frames.clone()),
        };
        if let Some(mean) = &self.mean {
            let mut given = vec![0.0; self.kernel.modes()];
            for (states, order) in
                [(&mut states.position, Order::Position), (&mut states.velocity, Order::Velocity)]
            {
                for (frame, column) in frames.clone().zip(states.col_iter_mut()) {
                    mean.at(frame, order, &mut given);
                    column.iter_mut().zip(&given).for_each(|(z, given)| *z += given);
                }
            }
        }
        states
    }
}
