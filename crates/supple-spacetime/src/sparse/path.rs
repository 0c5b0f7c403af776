//! The motion between keys, at any time.

use crate::kernel::{MeanPath, Order};
use crate::path::{Load, Path};
use supple_model::Instant;

/// The least costly motion through what was found at the keys.
#[derive(Clone, Debug)]
pub struct SparsePath {
    mean: MeanPath,
    path: Path,
}

impl SparsePath {
    pub(super) fn new(mean: MeanPath, mut loads: Vec<Load>) -> Self {
        loads.sort_by_key(|load| (load.at, load.order));
        let path = Path::new(mean.kernel().clone(), loads);
        Self { mean, path }
    }

    /// Overwrites `out` with the position or velocity of every mode at a time.
    ///
    /// # Panics
    /// When there is no such time, or `out` has not one entry per mode.
    pub fn at(&self, at: impl Into<Instant>, order: Order, out: &mut [f64]) {
        let at = at.into();
        self.path.at(at, order, out);
        let mut mean = vec![0.0; out.len()];
        self.mean.at(at, order, &mut mean);
        out.iter_mut().zip(&mean).for_each(|(out, mean)| *out += mean);
    }
}
