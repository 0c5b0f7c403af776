//! Which points of a regular grid are inside, asking about few of them one by one.
//!
//! Most points are far from the surface, where the answer is the same for whole neighbourhoods. A
//! block of points is answered at once if the ball around it is known to be all inside or all
//! outside; else it is halved along its longest side.

use crate::Vec3;
use crate::stuffing::Grid;
use rayon::prelude::*;

/// Points along the edge of the blocks that are shared out among threads.
const BLOCK: usize = 16;
/// Smaller blocks are asked about point by point.
const FEW: usize = 8;

/// Something that tells inside from outside.
pub(super) trait Inside: Sync {
    /// Whether a point is inside.
    fn contains(&self, point: &Vec3) -> bool;
    /// Whether a whole ball is inside, or outside; `None` if that is not known.
    fn fills_ball(&self, center: &Vec3, radius: f64) -> Option<bool>;
}

/// Points with indices from `low` up to but without `high`.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub low: [usize; 3],
    pub high: [usize; 3],
}

impl Block {
    fn side(&self, axis: usize) -> usize {
        self.high[axis] - self.low[axis]
    }

    /// Along x first, then y, then z.
    pub fn points(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let Self { low, high } = *self;
        (low[2]..high[2])
            .flat_map(move |k| (low[1]..high[1]).flat_map(move |j| (low[0]..high[0]).map(move |i| [i, j, k])))
    }

    fn halves(&self) -> [Self; 2] {
        let longest = if self.side(0) >= self.side(1) { 0 } else { 1 };
        let axis = if self.side(2) > self.side(longest) { 2 } else { longest };
        let [mut first, mut second] = [*self; 2];
        first.high[axis] = self.low[axis] + self.side(axis) / 2;
        second.low[axis] = first.high[axis];
        [first, second]
    }
}

/// Whether each point of the grid is inside.
pub(super) fn inside(solid: &impl Inside, grid: &Grid) -> Vec<bool> {
    let blocks = grid.counts.map(|n| n.div_ceil(BLOCK));
    let all = Block { low: [0; 3], high: blocks };
    let answers: Vec<Vec<([usize; 3], bool)>> = all
        .points()
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|block| {
            let low = block.map(|b| b * BLOCK);
            let high = [0, 1, 2].map(|i| (low[i] + BLOCK).min(grid.counts[i]));
            let mut answers = Vec::new();
            decide(solid, grid, Block { low, high }, &mut answers);
            answers
        })
        .collect();
    let [nx, ny, nz] = grid.counts;
    let mut result = vec![false; nx * ny * nz];
    for ([i, j, k], inside) in answers.into_iter().flatten() {
        result[i + nx * (j + ny * k)] = inside;
    }
    result
}

fn decide(solid: &impl Inside, grid: &Grid, block: Block, answers: &mut Vec<([usize; 3], bool)>) {
    let points: usize = (0..3).map(|axis| block.side(axis)).product();
    if points < FEW {
        answers.extend(block.points().map(|p| (p, solid.contains(&grid.position(p)))));
        return;
    }
    let (first, last) = (grid.position(block.low), grid.position(block.high.map(|h| h - 1)));
    match solid.fills_ball(&((first + last) / 2.0), (last - first).norm() / 2.0) {
        Some(inside) => answers.extend(block.points().map(|p| (p, inside))),
        None => block.halves().into_iter().for_each(|half| decide(solid, grid, half, answers)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A ball of radius 1 that counts how often it is asked.
    #[derive(Default)]
    struct Ball(AtomicUsize);

    impl Inside for Ball {
        fn contains(&self, point: &Vec3) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed);
            point.norm() < 1.0
        }

        fn fills_ball(&self, center: &Vec3, radius: f64) -> Option<bool> {
            self.0.fetch_add(1, Ordering::Relaxed);
            ((center.norm() - 1.0).abs() > radius).then(|| center.norm() < 1.0)
        }
    }

    #[test]
    fn blocks_answer_as_their_points_do_with_fewer_questions() {
        let grid = Grid { origin: Vec3::new(-1.3, -1.2, -1.1), step: 0.05, counts: [50, 47, 33] };
        let ball = Ball::default();
        let answers = inside(&ball, &grid);
        let all = Block { low: [0; 3], high: grid.counts };
        assert!(all.points().zip(&answers).all(|(p, inside)| *inside == (grid.position(p).norm() < 1.0)));
        assert_eq!(answers.len(), 50 * 47 * 33);
        assert!(ball.0.into_inner() < answers.len() / 2);
    }
}
