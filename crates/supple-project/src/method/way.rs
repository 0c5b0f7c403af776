//! The way of a motion through the scene: what a view has to show to see all of it, and what follows the body.

use super::Points;
use rayon::prelude::*;
use std::sync::Arc;

/// Where a motion goes, told by some of its frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Way {
    /// The points that are farthest out: what has them in sight has all of the motion in sight.
    pub outline: Vec<[f32; 3]>,
    /// Frames, counted from 0, ascending, and the middle of the box around the points there.
    middles: Vec<(usize, [f32; 3])>,
}

impl Way {
    /// The way of a motion of so many frames, of which at most `most` are looked at, the first and the last among them.
    pub fn of(frames: usize, most: usize, mut points: impl FnMut(usize) -> Arc<Points>) -> Self {
        let (last, count) = (frames.saturating_sub(1), frames.min(most.max(2)));
        let mut way = Self::default();
        for k in 0..count {
            let frame = k * last / count.saturating_sub(1).max(1);
            let points = &points(frame).drawn;
            if let Some(middle) = middle(points) {
                way.middles.push((frame, middle));
                way.outline.par_extend(AXES.par_iter().flat_map_iter(|axis| ends(points, *axis)));
            }
        }
        way
    }

    /// The middle of the body in a frame, counted from 0; between those that were looked at, on a line.
    #[must_use]
    pub fn middle(&self, frame: usize) -> Option<[f64; 3]> {
        let after =
            self.middles.partition_point(|(at, _)| *at < frame).min(self.middles.len().checked_sub(1)?);
        let before = after.saturating_sub(1);
        let ((from, a), (to, b)) = (self.middles[before], self.middles[after]);
        let part = (frame.saturating_sub(from)) as f64 / to.saturating_sub(from).max(1) as f64;
        Some([0, 1, 2].map(|c| f64::from(a[c]) + part.min(1.0) * f64::from(b[c] - a[c])))
    }

    /// The lowest height it comes to.
    #[must_use]
    pub fn low(&self) -> Option<f32> {
        self.outline.iter().map(|p| p[1]).reduce(f32::min)
    }
}

/// Between opposite sides, edges and corners of a box.
const AXES: [[f32; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [1.0, -1.0, -1.0],
];

/// The points that are farthest out along an axis, both ways.
fn ends(points: &[[f32; 3]], axis: [f32; 3]) -> [[f32; 3]; 2] {
    let (mut low, mut high) = ((f32::INFINITY, [0.0; 3]), (f32::NEG_INFINITY, [0.0; 3]));
    for p in points {
        let along = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
        if along <= low.0 {
            low = (along, *p);
        }
        if along >= high.0 {
            high = (along, *p);
        }
    }
    [low.1, high.1]
}

fn middle(points: &[[f32; 3]]) -> Option<[f32; 3]> {
    let first = *points.first()?;
    let (low, high) = points.iter().fold((first, first), |(low, high), p| {
        let both = |f: fn(f32, f32) -> f32, a: [f32; 3]| [0, 1, 2].map(|c| f(a[c], p[c]));
        (both(f32::min, low), both(f32::max, high))
    });
    Some([0, 1, 2].map(|c| (low[c] + high[c]) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_that_travels_is_outlined_at_both_ends_and_followed_between() {
        let cube = |frame: usize| {
            let corner = |k: usize| [(k & 1) as f32 + frame as f32, (k >> 1 & 1) as f32, (k >> 2) as f32];
            Arc::new(Points { drawn: (0..8).map(corner).collect(), body: None })
        };
        let way = Way::of(101, 11, cube);
        let reach = |c: usize| {
            let all = way.outline.iter().map(|p| p[c]);
            all.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        assert_eq!((reach(0), reach(1), way.low()), ((0.0, 101.0), (0.0, 1.0), Some(0.0)));
        for frame in [0, 7, 10, 55, 100, 300] {
            let x = frame.min(100) as f64 + 0.5;
            assert_eq!(way.middle(frame), Some([x, 0.5, 0.5]), "frame {frame}");
        }
        assert_eq!(Way::of(0, 9, cube).middle(0), None);
        assert_eq!(Way::of(1, 9, cube).middle(0), Some([0.5; 3]));
    }
}
