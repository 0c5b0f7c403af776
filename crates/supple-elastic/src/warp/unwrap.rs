//! The right one of many rotation vectors.
//!
//! A rotation Q has a logarithm of at most half a turn and, about the same axis, others that are whole
//! turns longer. In a body twisted by two turns the shortest one jumps from π to −π between neighbours,
//! and an edit added to it would tear them apart. As long as no place is turned by more than ¾π nothing
//! can go wrong. Otherwise every element gets a vector that goes smoothly over the body and over time:
//!
//! 1. its rotation is averaged with those around it. A twisted beam's elements also tilt, each to its own
//!    side, and the logarithm makes the more of it the further they turn: at a whole turn it is all there
//!    is. On the average the tilts vanish;
//! 2. in time, the vector nearest to that of the frame before is taken, or the shortest in the first;
//! 3. in space, where that leaves neighbours more than half a turn apart: from the element at an anchor, or
//!    else of all, that is turned least, grow over the elements, the pair of neighbours that agree best
//!    first, and take of each the vector nearest to that of the neighbour it is reached from.
//!
//! Growing best first leaves what is inverted, whose rotations say little, to the end of every path; once
//! sound again it is back on its neighbours' branch. A place then takes the logarithm of its own rotation
//! that is nearest to its element's vector, up to ¾π. Past 1¼π it takes the element's vector itself, as far
//! along as its own rotation goes, and in between some of both. The warp may take any vectors for ω: what
//! they miss of the rotation stays in the stretch E.

use nalgebra::Matrix3;
use rayon::prelude::*;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::f64::consts::PI;
use supple_mesh::Vec3;
use supple_model::{ElementId, VertexId};
use supple_numerics::rotation;

/// Places whose logarithms are one task.
const PLACES_PER_TASK: usize = 512;
/// Up to where vectors are logarithms, and from where they are those of the neighbourhood.
const EXACT: f64 = 0.75 * PI;
const SMOOTH: f64 = 1.25 * PI;
/// How often rotations are averaged with their neighbours'.
const SWEEPS: usize = 6;
/// Within 60° of a whole turn, where |sin θ/2| is less than this, the axis of a rotation says little.
const AXIS: f64 = 0.5;

/// Which elements touch.
#[derive(Debug)]
pub(super) struct Unwrapping {
    /// The corners of all elements, one after the other.
    corners: Vec<VertexId>,
    /// Element e touches `touching[starts[e]..starts[e + 1]]`.
    starts: Vec<usize>,
    touching: Vec<ElementId>,
    /// Whether each has an anchored corner. What turns by 2π looks as if it did not turn; an anchor
    /// tells the two apart.
    anchored: Vec<bool>,
}

/// An element to be reached from a neighbour, the smallest difference of vectors first.
#[derive(Debug, PartialEq)]
struct Reach {
    difference: f64,
    element: usize,
    vector: Vec3,
}

impl Eq for Reach {}

impl Ord for Reach {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |reach: &Self| (reach.element, reach.vector.map(f64::to_bits).data.0[0]);
        self.difference.total_cmp(&other.difference).then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Reach {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Unwrapping {
    /// For elements that touch as `pairs` say, sorted by their first element.
    pub fn new(corners: Vec<VertexId>, pairs: &[(ElementId, ElementId)], anchored: Vec<bool>) -> Self {
        let mut starts = vec![0; anchored.len() + 1];
        for (e, _) in pairs {
            starts[e.index() + 1] += 1;
        }
        for e in 0..anchored.len() {
            starts[e + 1] += starts[e];
        }
        Self { corners, starts, touching: pairs.iter().map(|(_, other)| *other).collect(), anchored }
    }

    /// ω of every place, `places` of them in each element, where they are not [`are_turns`] already.
    pub fn turns(&self, rotations: &[Matrix3<f64>], places: usize, previous: Option<&[Vec3]>) -> Vec<Vec3> {
        let mut turns = vec![Vec3::zeros(); rotations.len()];
        each(&mut turns, |q| {
            previous.map_or_else(|| rotation::log(&rotations[q]), |turns| lift(&rotations[q], &turns[q]))
        });
        if turns.iter().all(|turn| turn.norm_squared() <= EXACT * EXACT) {
            return turns;
        }
        let smooth = self.average(rotations, places);
        let mut of_element = vec![Vec3::zeros(); smooth.len()];
        each(&mut of_element, |e| match previous {
            None => rotation::log(&smooth[e]),
            Some(turns) => {
                lift(&smooth[e], &(turns[e * places..][..places].iter().sum::<Vec3>() / places as f64))
            }
        });
        if !self.agree(&of_element) {
            self.grow(&smooth, &mut of_element);
        }
        each(&mut turns, |q| settle(&rotations[q], &of_element[q / places]));
        turns
    }

    /// Exact logarithms of all rotations, each that which is nearest to the vector of its neighbourhood.
    pub fn logarithms(&self, rotations: &[Matrix3<f64>], places: usize) -> Vec<Vec3> {
        let mut logarithms = self.turns(rotations, places, None);
        logarithms.par_iter_mut().zip(rotations).for_each(|(turn, Q)| *turn = rotation::log_near(Q, turn));
        logarithms
    }

    /// Overwrites `out` with the logarithm of the rotation of every place's neighbourhood; `votes` are rotations, each
    /// times its weight.
    pub fn steady(&self, votes: &[Matrix3<f64>], places: usize, out: &mut [Vec3]) {
        let smooth = self.average(votes, places);
        each(out, |q| rotation::log(&smooth[q / places]));
    }

    fn elements(&self) -> usize {
        self.anchored.len()
    }

    fn around(&self, element: usize) -> impl Iterator<Item = usize> + '_ {
        self.touching[self.starts[element]..self.starts[element + 1]].iter().map(|e| e.index())
    }

    /// The rotation of every element's neighbourhood, averaged by way of the vertices.
    fn average(&self, rotations: &[Matrix3<f64>], places: usize) -> Vec<Matrix3<f64>> {
        let mut smooth: Vec<Matrix3<f64>> = rotations
            .chunks_exact(places)
            .map(|own| own.iter().sum::<Matrix3<f64>>() / places as f64)
            .collect();
        let corners = || self.corners.chunks_exact(self.corners.len() / self.elements());
        let vertices = self.corners.iter().map(|v| v.index() + 1).max().unwrap_or(0);
        let mut at_vertex = vec![(Matrix3::zeros(), 0.0); vertices];
        for _ in 0..SWEEPS {
            at_vertex.fill((Matrix3::zeros(), 0.0));
            for (corners, own) in corners().zip(&smooth) {
                for v in corners {
                    at_vertex[v.index()].0 += own;
                    at_vertex[v.index()].1 += 1.0;
                }
            }
            for (corners, own) in corners().zip(&mut smooth) {
                let mean = |v: &VertexId| at_vertex[v.index()].0 / at_vertex[v.index()].1;
                *own = corners.iter().map(mean).sum::<Matrix3<f64>>() / corners.len() as f64;
            }
        }
        let mut averaged = smooth.clone();
        each(&mut averaged, |e| rotation::polar_rotation(&smooth[e]));
        averaged
    }

    /// Whether no neighbours are more than half a turn apart.
    fn agree(&self, vectors: &[Vec3]) -> bool {
        let close = |a: &Vec3, b: &Vec3| (a - b).norm_squared() <= PI * PI;
        (0..self.elements()).all(|e| self.around(e).all(|other| close(&vectors[e], &vectors[other])))
    }

    /// Replaces vectors by ones that neighbours agree about.
    fn grow(&self, rotations: &[Matrix3<f64>], vectors: &mut [Vec3]) {
        let mut seeds: Vec<usize> = (0..self.elements()).collect();
        seeds.sort_by(|&a, &b| {
            let held_first = self.anchored[b].cmp(&self.anchored[a]);
            let size = |e: usize| vectors[e].norm_squared();
            held_first.then(size(a).total_cmp(&size(b))).then(a.cmp(&b))
        });
        let mut reached = vec![false; self.elements()];
        let mut front = BinaryHeap::new();
        for seed in seeds {
            if reached[seed] {
                continue;
            }
            front.push(Reverse(Reach { difference: 0.0, element: seed, vector: vectors[seed] }));
            while let Some(Reverse(Reach { element, vector, .. })) = front.pop() {
                if std::mem::replace(&mut reached[element], true) {
                    continue;
                }
                vectors[element] = vector;
                for next in self.around(element).filter(|&next| !reached[next]) {
                    let there = lift(&rotations[next], &vector);
                    let difference = (there - vector).norm();
                    front.push(Reverse(Reach { difference, element: next, vector: there }));
                }
            }
        }
    }
}

/// Whether the shortest logarithms of all rotations are ω already, as they are while nothing turns far: each is at
/// most ¾π, and none of the others is nearer to the vector of the frame before.
pub(super) fn are_turns(logarithms: &[Vec3], previous: Option<&[Vec3]>) -> bool {
    let Some(previous) = previous else {
        return logarithms.iter().all(|turn| turn.norm_squared() <= EXACT * EXACT);
    };
    logarithms.iter().zip(previous).all(|(turn, near)| {
        let square = turn.norm_squared();
        // Less than half a turn apart along the axis, or nearly.
        let along = near.dot(turn) - square;
        square <= EXACT * EXACT
            && near.norm_squared() < PI * PI
            && along * along < 0.99 * PI * PI * square.max(f64::MIN_POSITIVE)
    })
}

/// Overwrites every entry with what `make` makes for it, on all threads.
fn each<T: Send>(out: &mut [T], make: impl Fn(usize) -> T + Sync) {
    out.par_iter_mut().enumerate().with_min_len(PLACES_PER_TASK).for_each(|(k, out)| *out = make(k));
}

/// A vector of Q near another: the nearest logarithm up to half a turn. Beyond, the other vector followed
/// along itself and, where the axis means something, drawn to the logarithm no faster than the rotations
/// differ.
fn lift(Q: &Matrix3<f64>, near: &Vec3) -> Vec3 {
    let exact = rotation::log_near(Q, near);
    let angle = near.norm();
    if angle < PI {
        return exact;
    }
    let follow = rotation::follow(Q, near);
    if (0.5 * angle).sin().abs() < AXIS {
        return follow;
    }
    let step = rotation::log(&rotation::exp(near).tr_mul(Q)).norm();
    let missing = exact - follow;
    follow + missing * (step / missing.norm()).min(1.0)
}

/// The vector of a place with rotation Q in an element with the vector `near`.
fn settle(Q: &Matrix3<f64>, near: &Vec3) -> Vec3 {
    let part = ((SMOOTH - near.norm()) / (SMOOTH - EXACT)).clamp(0.0, 1.0);
    if part == 1.0 {
        return rotation::log_near(Q, near);
    }
    let smooth = rotation::follow(Q, near);
    if part == 0.0 {
        return smooth;
    }
    smooth.lerp(&rotation::log_near(Q, &smooth), part * part * (3.0 - 2.0 * part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_that_are_turns_are_those_that_are_found() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 * f64::powi(2.0, -52) - 1.0
        };
        let (mut near, mut far) = (0, 0);
        for k in 0..4000 {
            let size = [1e-9, 0.1, 2.0, 4.0][k % 4];
            let mut vector = || Vec3::new(random(), random(), random()) * size;
            let (turn, before) = (vector(), vector());
            let Q = rotation::exp(&turn);
            let log = rotation::log(&Q);
            if are_turns(&[log], Some(&[before])) {
                assert_eq!(lift(&Q, &before), log, "{turn} {before}");
                near += 1;
            } else {
                far += 1;
            }
        }
        assert!(near > 2000 && far > 300, "{near} {far}");
        assert!(are_turns(&[Vec3::zeros()], Some(&[Vec3::x()])) && are_turns(&[Vec3::x()], None));
        assert!(!are_turns(&[Vec3::x() * 3.0], None));
    }
}
