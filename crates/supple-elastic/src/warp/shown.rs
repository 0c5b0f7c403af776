//! Whole frames under an edit, for whoever looks at more than the sites of a readout.
//!
//! Those that were made last are kept: whether an edit turns elements inside out and how far it stretches the body are
//! asked one after the other.

use super::motion::WarpedMotion;
use std::sync::{Arc, Mutex};

/// Frames that were made last.
#[derive(Debug, Default)]
pub(super) struct ShownFrames(Mutex<Vec<Shown>>);

/// A frame under the edit U z.
#[derive(Clone, Debug)]
struct Shown {
    frame: usize,
    z: Vec<f64>,
    displacement: Arc<Vec<f64>>,
}

impl Shown {
    fn is_of(&self, frame: usize, z: &[f64]) -> bool {
        self.frame == frame && self.z == z
    }
}

impl ShownFrames {
    /// The displacements of frames under their edits U z, in the order asked for. Those that are not known take one
    /// pass over U together.
    pub fn of(&self, motion: &WarpedMotion, asked: &[(usize, &[f64])]) -> Vec<Arc<Vec<f64>>> {
        let known = self.0.lock().map(|known| known.clone()).unwrap_or_default();
        let is_known = |(frame, z): &(usize, &[f64])| known.iter().any(|shown| shown.is_of(*frame, z));
        let unknown: Vec<(usize, &[f64])> = asked.iter().copied().filter(|asked| !is_known(asked)).collect();
        let made = if unknown.is_empty() { Vec::new() } else { motion.shown(&unknown) };
        let made = unknown.iter().zip(made).map(|((frame, z), displacement)| Shown {
            frame: *frame,
            z: z.to_vec(),
            displacement: Arc::new(displacement),
        });
        let all: Vec<Shown> = known.iter().cloned().chain(made).collect();
        let find = |(frame, z): &(usize, &[f64])| all.iter().find(|shown| shown.is_of(*frame, z)).cloned();
        let found: Vec<Shown> = asked.iter().filter_map(find).collect();
        let displacements = found.iter().map(|shown| shown.displacement.clone()).collect();
        if let Ok(mut last) = self.0.lock() {
            *last = found;
        }
        displacements
    }
}
