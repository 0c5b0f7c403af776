//! The path an edit takes: amplitudes and velocities of all modes at any frame.
//!
//! A path is a sum of kernels, z_k(i) = Σ_j Σ_o P_k(i,j)\[0,o\] g_k(j,o). The loads g(j,o) = Σ_a c_a μ_a gather all
//! rows a at frame j of order o, so that thousands of rows on few frames cost no more than those frames.
//!
//! | wanted | how | cost |
//! |---|---|---|
//! | one frame | kernel look-ups, [`Path::at`] | r · loads |
//! | many frames | a sweep forward and one back, [`Path::states`] | r · T, whatever the loads |
//! | the force that drives it, if it has any | from neighbouring states, [`Path::forces`], [`Path::peak_forces`] | r · T |

mod force;
mod smooth;
mod sweep;

pub use force::{Forces, Peak};

use crate::kernel::{Kernel, Order, Shape};
use faer::Mat;
use std::ops::Range;
use std::sync::Arc;

/// What all rows of one frame and order pull with, mode by mode.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub frame: usize,
    pub order: Order,
    /// g, one number per mode.
    pub pull: Vec<f64>,
}

/// The least costly path of all modes under some rows.
#[derive(Clone, Debug)]
pub struct Path {
    kernel: Arc<Kernel>,
    /// In the order of frames, then orders, each pair once.
    loads: Vec<Load>,
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
        debug_assert!(loads.is_sorted_by(|a, b| (a.frame, a.order) < (b.frame, b.order)));
        Self { kernel, loads }
    }

    pub(crate) fn into_loads(self) -> Vec<Load> {
        self.loads
    }

    /// The kernel it is made of.
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// Overwrites `out` with the position or velocity of every mode at `frame`.
    ///
    /// # Panics
    /// When there is no such frame, or `out` has not one entry per mode.
    pub fn at(&self, frame: usize, order: Order, out: &mut [f64]) {
        let mut covariance = vec![0.0; out.len()];
        out.fill(0.0);
        for load in &self.loads {
            self.kernel.covariance((frame, order), (load.frame, load.order), &mut covariance);
            for ((z, p), g) in out.iter_mut().zip(&covariance).zip(&load.pull) {
                *z += p * g;
            }
        }
    }

    /// Positions and velocities of all modes over a range of frames, equal to [`Self::at`] up to round-off.
    ///
    /// # Panics
    /// When the range leaves the motion.
    #[must_use]
    pub fn states(&self, frames: Range<usize>) -> States {
        assert!(frames.start <= frames.end && frames.end <= self.kernel.settings().frames);
        match self.kernel.shape() {
            Shape::Smooth(smooth) => smooth::states(&self.kernel, smooth, &self.loads, frames),
            _ => sweep::states(&self.kernel, &self.loads, frames),
        }
    }
}
