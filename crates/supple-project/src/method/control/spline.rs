//! The Catmull–Rom spline through the poses of a motion, to be compared with it: what keys alone make.
//!
//! > q(t) = cubic from q_k to q_{k+1} with the rates (q_{k+1} − q_{k−1}) / (t_{k+1} − t_{k−1}), one-sided at both ends.

use super::chain::Chain;

/// A spline through whole poses, vertex by vertex.
pub(super) struct Spline {
    /// Frames of the motion, ascending, counted from 0, and displacements.
    knots: Vec<(f64, Vec<f64>)>,
}

impl Spline {
    /// Through where the motion begins and all poses that are asked of the whole body.
    pub fn through(chain: &Chain) -> Self {
        let mut knots = Vec::new();
        for piece in &chain.pieces {
            if knots.is_empty() {
                knots.push((piece.ready.begin as f64, piece.moves.displacement(0.0)));
            }
            let whole = piece.ready.stretch.poses.iter().filter(|(_, pose)| pose.vertices.is_none());
            for (frame, pose) in whole {
                let time = (piece.ready.begin + frame) as f64;
                let there = piece.moves.displacement(*frame as f64);
                let knot = (time, piece.asked(pose, *frame, &there));
                match knots.last_mut().filter(|(last, _)| *last == time) {
                    Some(last) => *last = knot,
                    None => knots.push(knot),
                }
            }
        }
        Self { knots }
    }

    /// How far every vertex is from rest at a time, in frames from the first; three numbers each.
    pub fn displacement(&self, time: f64) -> Vec<f64> {
        let last = self.knots.len() - 1;
        let k = self.knots.partition_point(|(at, _)| *at <= time);
        if k == 0 || k > last {
            return self.knots[k.min(last)].1.clone();
        }
        let (from, to) = (&self.knots[k - 1], &self.knots[k]);
        let (before, after) = (&self.knots[k.saturating_sub(2)], &self.knots[(k + 1).min(last)]);
        let span = to.0 - from.0;
        let s = (time - from.0) / span;
        let [s2, s3] = [s * s, s * s * s];
        let weights = [2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s, 3.0 * s2 - 2.0 * s3, s3 - s2];
        let rate =
            |a: &(f64, Vec<f64>), b: &(f64, Vec<f64>), i: usize| span * (b.1[i] - a.1[i]) / (b.0 - a.0);
        (0..from.1.len())
            .map(|i| {
                let rates = [rate(before, to, i), rate(from, after, i)];
                weights[0] * from.1[i] + weights[1] * rates[0] + weights[2] * to.1[i] + weights[3] * rates[1]
            })
            .collect()
    }
}
