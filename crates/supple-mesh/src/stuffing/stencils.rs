//! How a lattice tet is cut down to the inside, by the signs of its corners.
//!
//! What remains is the tet itself, a smaller tet, a pyramid or a prism; the latter two have flat
//! four-sided faces that are split by a diagonal. Two tets sharing such a face must split it alike,
//! so the diagonal follows from the face alone (Labelle and Shewchuk §3): it ends at the cut of the
//! long edge; if both cut edges are short, a parity of lattice coordinates decides, which differs
//! between neighbouring faces around the long edge and so never leaves a prism without a split.

use super::lattice::Lattice;
use supple_model::VertexId;

/// A lattice tet to be cut down.
struct Stencil<'a> {
    lattice: &'a Lattice,
    corners: [usize; 4],
    cut: &'a dyn Fn(usize, usize) -> VertexId,
}

/// Appends the tets that fill the inside of a lattice tet with at least one inside corner. `cut`
/// gives the node on the edge between two lattice points.
pub(super) fn clip(
    lattice: &Lattice,
    corners: [usize; 4],
    signs: [i8; 4],
    cut: &dyn Fn(usize, usize) -> VertexId,
    out: &mut Vec<[VertexId; 4]>,
) {
    let stencil = Stencil { lattice, corners, cut };
    let with = |sign: i8| (0..4).filter(move |&k| signs[k] == sign);
    let (inside, outside) = (with(1).count(), with(-1).count());
    // Corner indices by role, in an order that keeps the volume positive.
    let mut roles = [0; 4];
    for (slot, k) in roles.iter_mut().zip(with(1).chain(with(0)).chain(with(-1))) {
        *slot = k;
    }
    match (inside, outside) {
        (_, 0) => out.push(corners.map(VertexId::new)),
        (1, _) => out.push(
            [0, 1, 2, 3].map(|k| if signs[k] < 0 { stencil.cut(roles[0], k) } else { stencil.corner(k) }),
        ),
        (2, 1) => stencil.pyramid(even(roles, [0, 1]), out),
        (2, _) => stencil.wedge(even(roles, [2, 3]), out),
        _ => stencil.truncated(even(roles, [0, 1]), out),
    }
}

/// The permutation made even by swapping two of its entries if need be.
fn even(mut permutation: [usize; 4], swap: [usize; 2]) -> [usize; 4] {
    let inversions = (0..4).flat_map(|i| (0..i).map(move |j| (j, i)));
    let odd = inversions.filter(|&(j, i)| permutation[j] > permutation[i]).count() % 2 == 1;
    if odd {
        permutation.swap(swap[0], swap[1]);
    }
    permutation
}

impl Stencil<'_> {
    fn corner(&self, k: usize) -> VertexId {
        VertexId::new(self.corners[k])
    }

    fn cut(&self, k: usize, l: usize) -> VertexId {
        (self.cut)(self.corners[k], self.corners[l])
    }

    /// For the face with corners p, q inside and n outside: whether the diagonal of what is left
    /// runs from p to the cut of q n, rather than from q to the cut of p n.
    fn diagonal_at(&self, p: usize, q: usize, n: usize) -> bool {
        // Corners 0, 1 and corners 2, 3 are the ends of the long edges.
        let is_long = |k: usize, l: usize| k ^ 1 == l;
        if is_long(q, n) {
            return true;
        }
        if is_long(p, n) {
            return false;
        }
        let [p, n] = [p, n].map(|k| self.lattice.coordinates(self.corners[k]));
        (0..3).filter(|&i| p[i] > n[i]).count() % 2 == 0
    }

    /// Two corners inside, one on the surface, one outside.
    fn pyramid(&self, [p, q, zero, n]: [usize; 4], out: &mut Vec<[VertexId; 4]>) {
        let (pn, qn) = (self.cut(p, n), self.cut(q, n));
        let [from, to] = if self.diagonal_at(p, q, n) { [self.corner(p), qn] } else { [self.corner(q), pn] };
        let apex = self.corner(zero);
        out.push([self.corner(p), self.corner(q), apex, to]);
        out.push([from, qn, apex, pn]);
    }

    /// Three corners inside, one outside: a prism between the face inside and the cut.
    fn truncated(&self, [p, q, r, n]: [usize; 4], out: &mut Vec<[VertexId; 4]>) {
        let inside = [p, q, r];
        // Sorting by "the diagonal leaves i towards j": two of the diagonals meet at the long
        // edge's cut, so the three are never cyclic.
        let mut order = [0, 1, 2];
        order.sort_by_key(|&i| {
            (0..3).filter(|&j| j != i && self.diagonal_at(inside[j], inside[i], n)).count()
        });
        prism(inside.map(|k| self.corner(k)), inside.map(|k| self.cut(k, n)), order, out);
    }

    /// Two corners inside, two outside: a prism between the triangles at the corners inside.
    fn wedge(&self, [p, q, n, m]: [usize; 4], out: &mut Vec<[VertexId; 4]>) {
        let tops = [self.corner(p), self.cut(p, n), self.cut(p, m)];
        let bottoms = [self.corner(q), self.cut(q, n), self.cut(q, m)];
        // The diagonals of the faces p q n and p q m leave p q at different ends, which leaves one
        // choice on the surface.
        let order = if self.diagonal_at(p, q, n) { [2, 0, 1] } else { [1, 0, 2] };
        prism(tops, bottoms, order, out);
    }
}

/// Splits a prism with (top₀, top₁, top₂, bottom₀) of positive volume into three tets whose
/// diagonals run from the tops of rails earlier in `order` to the bottoms of later ones.
fn prism(tops: [VertexId; 3], bottoms: [VertexId; 3], order: [usize; 3], out: &mut Vec<[VertexId; 4]>) {
    let [t0, t1, t2] = order.map(|i| tops[i]);
    let [b0, b1, b2] = order.map(|i| bottoms[i]);
    let cyclic = (order[0] + 1) % 3 == order[1];
    for tet in [[t0, t1, t2, b2], [t0, t1, b2, b1], [t0, b1, b2, b0]] {
        let [a, b, c, d] = tet;
        out.push(if cyclic { tet } else { [a, c, b, d] });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stuffing::Filling;
    use crate::stuffing::cuts::{ALPHA_LONG, ALPHA_SHORT};
    use crate::stuffing::tests::{HIGH, LOW, tet_angles};
    use crate::{Aabb, Vec3};
    use std::cell::RefCell;

    /// The part of a tet's volume where the linear function with these values at the corners is
    /// positive: Σ vᵢ³ / Πⱼ (vᵢ − vⱼ) over the positive vᵢ, a divided difference.
    fn positive_part(values: [f64; 4]) -> f64 {
        let term = |i: usize| {
            let others = (0..4).filter(|&j| j != i).map(|j| values[i] - values[j]);
            values[i].powi(3) / others.product::<f64>()
        };
        (0..4).filter(|&i| values[i] > 0.0).map(term).sum()
    }

    fn volume([a, b, c, d]: [Vec3; 4]) -> f64 {
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    }

    #[test]
    fn every_pattern_of_signs_fills_exactly_the_inside() {
        let bounds = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        let lattice = Lattice::new(&Filling::new(bounds, 1.0)).unwrap();
        let mut checked = 0;
        lattice.for_each_tet(1, |corners| {
            for pattern in 0..81 {
                let signs = [1, 3, 9, 27].map(|p| (pattern / p % 3) as i8 - 1);
                let magnitudes = [0.9, 1.1, 0.8, 1.25];
                let values = [0, 1, 2, 3].map(|k| f64::from(signs[k]) * magnitudes[k]);
                // A vanishing slope in the sum's denominators: two zeros differ by a hair instead.
                let distinct =
                    [0, 1, 2, 3].map(|k| if signs[k] == 0 { -1e-9 * (k + 1) as f64 } else { values[k] });
                let expected = positive_part(distinct) * volume(corners.map(|p| lattice.position(p)));

                let cut_points = RefCell::new(Vec::new());
                let cut = |a: usize, b: usize| {
                    let [ia, ib] = [a, b].map(|p| corners.iter().position(|c| *c == p).unwrap());
                    let t = values[ia] / (values[ia] - values[ib]);
                    cut_points.borrow_mut().push(lattice.position(a).lerp(&lattice.position(b), t));
                    VertexId::new(lattice.points() + cut_points.borrow().len() - 1)
                };
                let mut tets = Vec::new();
                if signs.contains(&1) {
                    clip(&lattice, corners, signs, &cut, &mut tets);
                }
                let cut_points = cut_points.borrow();
                let position = |n: VertexId| match n.index().checked_sub(lattice.points()) {
                    Some(cut) => cut_points[cut],
                    None => lattice.position(n.index()),
                };
                let volumes: Vec<f64> = tets.iter().map(|t| volume(t.map(position))).collect();
                assert!(volumes.iter().all(|v| *v > 1e-3), "{signs:?} {volumes:?}");
                assert!((volumes.iter().sum::<f64>() - expected).abs() < 1e-8, "{signs:?} {volumes:?}");
                checked += 1;
            }
        });
        assert!(checked > 81 * 12);
    }

    /// A lattice tet with some of its points warped and its edges cut somewhere.
    struct Case {
        corners: [usize; 4],
        signs: [i8; 4],
        positions: [Vec3; 4],
        /// Which end each cut is near: bit n for the n-th cut.
        near: usize,
    }

    impl Case {
        /// The smallest and largest angle of the tets that fill its inside.
        fn angles(&self, lattice: &Lattice) -> (f64, f64) {
            let cuts = RefCell::new(Vec::<([usize; 2], Vec3)>::new());
            let cut = |a: usize, b: usize| {
                let edge = [a.min(b), a.max(b)];
                let mut cuts = cuts.borrow_mut();
                let known = cuts.iter().position(|(e, _)| *e == edge);
                let number = known.unwrap_or_else(|| {
                    let [from, to] = edge.map(|p| lattice.position(p));
                    let alpha = if (to - from).norm() > 0.9 { ALPHA_LONG } else { ALPHA_SHORT };
                    let t = if self.near >> cuts.len() & 1 == 1 { alpha } else { 1.0 - alpha };
                    cuts.push((edge, from.lerp(&to, t)));
                    cuts.len() - 1
                });
                VertexId::new(lattice.points() + number)
            };
            let mut tets = Vec::new();
            clip(lattice, self.corners, self.signs, &cut, &mut tets);
            let cuts = cuts.borrow();
            let position = |n: VertexId| match n.index().checked_sub(lattice.points()) {
                Some(cut) => cuts[cut].1,
                None => self.positions[self.corners.iter().position(|c| *c == n.index()).unwrap()],
            };
            let each = tets.iter().map(|tet| tet_angles(tet.map(position)));
            each.fold((180.0, 0.0), |(low, high), (l, h)| (f64::min(low, l), f64::max(high, h)))
        }
    }

    /// How far a point may warp: not at all, or along one of its 14 edges to the limit.
    fn warps() -> Vec<Vec3> {
        let long = (0..6).map(|n| Vec3::ith(n / 2, if n % 2 == 0 { ALPHA_LONG } else { -ALPHA_LONG }));
        let half =
            |n: usize, bit: usize| if n >> bit & 1 == 0 { ALPHA_SHORT / 2.0 } else { -ALPHA_SHORT / 2.0 };
        let short = (0..8).map(|n| Vec3::new(half(n, 0), half(n, 1), half(n, 2)));
        std::iter::once(Vec3::zeros()).chain(long).chain(short).collect()
    }

    /// The tets around the three long edges from one centre, in every pattern of signs, with every
    /// point on the surface at every limit of its warp and every cut at both of its limits.
    #[test]
    fn angles_are_bounded_however_points_warp_and_edges_are_cut() {
        let bounds = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        let lattice = Lattice::new(&Filling::new(bounds, 1.0)).unwrap();
        let mut tets = Vec::new();
        lattice.for_each_tet(1, |corners| tets.push(corners));
        let first = tets[tets.len() / 2][0];
        tets.retain(|corners| corners[0] == first);
        assert!(tets.len() >= 8);
        let warps = warps();
        let patterns = (0..81).map(|pattern| [1, 3, 9, 27].map(|p| (pattern / p % 3) as i8 - 1));
        let (mut low, mut high) = (180.0_f64, 0.0_f64);
        for signs in patterns.filter(|signs| signs.contains(&1)) {
            let count = |sign: i8| signs.iter().filter(|s| **s == sign).count();
            let cuts = count(1) * count(-1);
            for (corners, choice) in
                tets.iter().flat_map(|t| (0..warps.len().pow(count(0) as u32)).map(move |c| (*t, c)))
            {
                let mut positions = corners.map(|p| lattice.position(p));
                let on_surface = (0..4).filter(|&k| signs[k] == 0);
                for (n, k) in on_surface.enumerate() {
                    positions[k] += warps[choice / warps.len().pow(n as u32) % warps.len()];
                }
                for near in 0..1 << cuts {
                    let (l, h) = Case { corners, signs, positions, near }.angles(&lattice);
                    (low, high) = (low.min(l), high.max(h));
                }
            }
        }
        assert!(low > LOW && high < HIGH, "dihedral angles from {low} to {high}");
    }
}
