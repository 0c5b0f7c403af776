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

impl ShownFrames {
    /// The displacements of frames under their edits U z, in the order asked for. Those that are not known take one
    /// pass over U together.
    pub fn of(&self, motion: &WarpedMotion, asked: &[(usize, &[f64])]) -> Vec<Arc<Vec<f64>>> {
        let known = self.0.lock().map(|known| known.clone()).unwrap_or_default();
        let find = |&(frame, z): &(usize, &[f64])| {
            known
                .iter()
                .find(|shown| shown.frame == frame && shown.z == z)
                .map(|shown| shown.displacement.clone())
        };
        let mut found: Vec<Option<Arc<Vec<f64>>>> = asked.iter().map(find).collect();
        let unknown: Vec<usize> = (0..asked.len()).filter(|k| found[*k].is_none()).collect();
        if !unknown.is_empty() {
            let wanted: Vec<(usize, &[f64])> = unknown.iter().map(|k| asked[*k]).collect();
            for (k, made) in unknown.into_iter().zip(motion.shown(&wanted)) {
                found[k] = Some(Arc::new(made));
            }
            let shown = |(&(frame, z), displacement): (&(usize, &[f64]), &Option<Arc<Vec<f64>>>)| {
                Some(Shown { frame, z: z.to_vec(), displacement: displacement.clone()? })
            };
            if let Ok(mut last) = self.0.lock() {
                *last = asked.iter().zip(&found).filter_map(shown).collect();
            }
        }
        found.into_iter().flatten().collect()
    }
}
