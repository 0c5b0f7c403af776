//! What is asked of a motion: layers of curves, constraints, and what comes of them.

use crate::constraint::Constraint;
use crate::curve::{Curve, CurveKind, CurveSettings};
use crate::figure::Figure;
use crate::freedoms::Freedoms;
use crate::metric::Metric;
use crate::motion::Motion;
use crate::skeleton::Skeleton;
use crate::solve::{Asked, Penalty, State};

/// ℓ of the last layer, seconds.
pub const SMOOTHING: f64 = 0.07;
/// Seconds between frames that have rows while keys are few.
pub const SAMPLED: f64 = 0.05;
/// Where rows give, as a part of the figure's size: 5 mm of a grown person.
pub(crate) const GIVE: f64 = 0.005 / 1.7;

/// How many keys a layer has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Keys {
    /// So many.
    Count(usize),
    /// One every so many seconds.
    Seconds(f64),
}

/// A displacement curve as a document has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// What it is made of.
    pub curve: CurveKind,
    /// Its keys.
    pub keys: Keys,
    /// Its first and last frame.
    pub window: (usize, usize),
    /// Whether the edit vanishes at them.
    pub clamped: [bool; 2],
    /// ℓ of its cost, in seconds.
    pub smoothing: f64,
}

/// What is asked of a motion.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What moves.
    pub figure: Figure,
    /// What is asked.
    pub constraints: Vec<Constraint>,
    /// Its layers, at least one.
    pub layers: Vec<Layer>,
    /// Whether the last frame repeats the first.
    pub is_loop: bool,
    /// Seconds per frame.
    pub frame_seconds: f64,
    /// Which entries of the metric count.
    pub metric: Metric,
}

/// A motion that answers, and how well.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The edited motion.
    pub motion: Motion,
    /// By constraint: the largest part of it that is missing, in metres.
    pub misses: Vec<f64>,
    /// By limit: how far it is passed, in radians.
    pub passed: Vec<f64>,
    /// What is missing at the seam of a loop, in metres.
    pub seam: f64,
    /// Steps that were taken.
    pub steps: usize,
    /// Rows that were asked, all frames.
    pub rows: usize,
    /// Whether every layer came to its end.
    pub is_settled: bool,
    /// Whether the best so far was asked for before that.
    pub is_stopped: bool,
}

impl Edit {
    /// How rows are weighed at an ε.
    #[must_use]
    pub fn penalty(&self, epsilon: f64) -> Penalty {
        Penalty { epsilon, give: GIVE * self.figure.size }
    }

    /// Frames between those that have rows while keys are few.
    #[must_use]
    pub fn every(&self) -> usize {
        ((SAMPLED / self.frame_seconds).round() as usize).max(1)
    }

    /// The curve of a layer.
    #[must_use]
    pub fn curve(&self, layer: &Layer) -> Curve {
        let frames = layer.window.1 - layer.window.0;
        let keys = match layer.keys {
            Keys::Count(keys) => keys,
            Keys::Seconds(seconds) => {
                // As many as are that far apart; a B-spline has three more than pieces.
                let pieces =
                    (frames as f64 * self.frame_seconds / seconds.max(1e-6)).round().min(frames as f64);
                pieces as usize
                    + if matches!(layer.curve, CurveKind::Linear | CurveKind::Cubic) { 1 } else { 3 }
            }
        };
        Curve::new(&CurveSettings {
            kind: layer.curve,
            window: layer.window,
            keys: keys.max(1),
            clamped: layer.clamped,
            smoothing: layer.smoothing / self.frame_seconds,
        })
    }

    /// The last layer: a key on every frame that some layer may change.
    #[must_use]
    pub fn last_layer(&self) -> Layer {
        let first = self.layers.iter().min_by_key(|layer| layer.window.0);
        let last = self.layers.iter().max_by_key(|layer| layer.window.1);
        let (first, last) = (
            first.map_or((0, false), |l| (l.window.0, l.clamped[0])),
            last.map_or((0, false), |l| (l.window.1, l.clamped[1])),
        );
        Layer {
            curve: CurveKind::Frames,
            keys: Keys::Count(0),
            window: (first.0, last.0),
            clamped: [first.1, last.1],
            smoothing: SMOOTHING,
        }
    }
}

/// Whose rows they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowsOf {
    /// A curve with few keys: what only stays slips as it did.
    FewKeys,
    /// One that is to meet all that is asked, or a motion that is measured.
    All,
}

/// What is asked of one curve on top of a motion.
pub(crate) fn asked<'a>(
    edit: &'a Edit,
    below: &'a Motion,
    curve: &'a Curve,
    counts: &'a dyn Fn(usize) -> bool,
    every: usize,
    rows: RowsOf,
) -> Asked<'a> {
    Asked {
        figure: &edit.figure,
        motion: below,
        curve,
        constraints: &edit.constraints,
        counts,
        is_loop: edit.is_loop,
        every,
        keeps_slips: rows == RowsOf::FewKeys,
        metric: edit.metric,
    }
}

/// Writes the frames of a curve.
pub(crate) fn apply(
    skeleton: &Skeleton,
    curve: &Curve,
    freedoms: &Freedoms,
    state: &State,
    motion: &mut Motion,
) {
    let mut d = vec![0.0; freedoms.len()];
    let (first, last) = curve.window();
    for frame in first..=last {
        curve.at(frame, &state.x, &mut d);
        freedoms.apply(skeleton, motion, frame, &d);
    }
}
