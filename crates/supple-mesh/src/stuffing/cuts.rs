//! Where lattice edges cross the surface, and which lattice points move there.

use super::lattice::Lattice;
use crate::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;
use supple_model::VertexId;

/// A cut point nearer to the end of a long edge than this part of its length warps that end.
const ALPHA_LONG: f64 = 0.24999;
/// The same for short edges. The two are the paper's, found by search to give the best angles.
const ALPHA_SHORT: f64 = 0.41189;
/// A cut point is found once f there is this small beside its values at the ends of the edge.
const ROOT_TOLERANCE: f64 = 1e-7;
/// Steps of the root finder; smooth functions take four or five.
const ROOT_STEPS: usize = 60;

/// A cut edge: its ends, the smaller number first.
type Edge = (u32, u32);

struct Cut {
    edge: Edge,
    position: Vec3,
    /// The end that is too close, if any, and how close.
    violated: Option<(u32, f64)>,
}

/// The signs of all lattice points and the cuts between them, after warping.
pub(super) struct Cuts {
    /// +1 inside, −1 outside, 0 on the surface.
    signs: Vec<i8>,
    warped: HashMap<u32, Vec3>,
    /// Cut edges in ascending order, and where they are cut.
    edges: Vec<Edge>,
    positions: Vec<Vec3>,
}

impl Cuts {
    /// Finds all cut points of f, given its `values` at the lattice points, and warps.
    pub fn new(lattice: &Lattice, values: &[f64], f: &(impl Fn(Vec3) -> f64 + Sync)) -> Self {
        let mut cuts: Vec<Cut> = (0..values.len())
            .into_par_iter()
            .flat_map_iter(|a| {
                let mut found = Vec::new();
                lattice.for_each_edge(a, |b, long| {
                    if opposite(values[a], values[b]) {
                        found.push(find_cut(lattice, values, (a.min(b), a.max(b)), long, f));
                    }
                });
                found
            })
            .collect();
        cuts.par_sort_unstable_by_key(|cut| cut.edge);

        let mut signs: Vec<i8> = values.iter().map(|v| i8::from(*v < 0.0) - i8::from(*v > 0.0)).collect();
        let mut nearest: HashMap<u32, (f64, Vec3)> = HashMap::new();
        for cut in &cuts {
            if let Some((end, distance)) = cut.violated {
                let best = nearest.entry(end).or_insert((f64::INFINITY, cut.position));
                if distance < best.0 {
                    *best = (distance, cut.position);
                }
                signs[end as usize] = 0;
            }
        }
        cuts.retain(|cut| signs[cut.edge.0 as usize] != 0 && signs[cut.edge.1 as usize] != 0);
        Self {
            signs,
            warped: nearest.into_iter().map(|(point, (_, position))| (point, position)).collect(),
            edges: cuts.iter().map(|cut| cut.edge).collect(),
            positions: cuts.iter().map(|cut| cut.position).collect(),
        }
    }

    /// The sign of a lattice point: +1 inside, −1 outside, 0 on the surface.
    pub fn sign(&self, point: usize) -> i8 {
        self.signs[point]
    }

    /// The node of the cut on the edge between two lattice points of opposite sign.
    pub fn node(&self, a: usize, b: usize) -> VertexId {
        let edge = (a.min(b) as u32, a.max(b) as u32);
        let cut = self.edges.binary_search(&edge).expect("an edge between opposite signs is cut");
        VertexId::new(self.signs.len() + cut)
    }

    /// Whether a node is a lattice point inside the solid, rather than on its surface.
    pub fn is_inside(&self, node: VertexId) -> bool {
        self.signs.get(node.index()) == Some(&1)
    }

    /// Where a node ends up.
    pub fn position(&self, lattice: &Lattice, node: VertexId) -> Vec3 {
        match node.index().checked_sub(self.signs.len()) {
            Some(cut) => self.positions[cut],
            None => self.warped.get(&node.0).copied().unwrap_or_else(|| lattice.position(node.index())),
        }
    }
}

/// Whether two values have opposite signs, neither being zero.
fn opposite(a: f64, b: f64) -> bool {
    (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)
}

fn find_cut(
    lattice: &Lattice,
    values: &[f64],
    (a, b): (usize, usize),
    long: bool,
    f: &impl Fn(Vec3) -> f64,
) -> Cut {
    let (from, to) = (lattice.position(a), lattice.position(b));
    let t = root(values[a], values[b], |t| f(from.lerp(&to, t)));
    let alpha = if long { ALPHA_LONG } else { ALPHA_SHORT };
    let (a, b) = (a as u32, b as u32);
    let length = (to - from).norm();
    let violated = if t < alpha {
        Some((a, t * length))
    } else if 1.0 - t < alpha {
        Some((b, (1.0 - t) * length))
    } else {
        None
    };
    Cut { edge: (a, b), position: from.lerp(&to, t), violated }
}

/// Where g, with g(0) and g(1) of opposite signs, changes sign in (0, 1).
///
/// The Illinois method: the secant through the bracket's ends, and when the same end is kept twice
/// its value is halved, so that the next step moves it. Every third step halves the bracket
/// instead, so that a jump is found to a millionth of the edge.
fn root(mut g0: f64, mut g1: f64, g: impl Fn(f64) -> f64) -> f64 {
    let small = ROOT_TOLERANCE * g0.abs().max(g1.abs());
    let (mut t0, mut t1) = (0.0, 1.0);
    let mut kept = 0;
    for step in 0..ROOT_STEPS {
        let part = if step % 3 == 2 { 0.5 } else { g0 / (g0 - g1) };
        let t = t0 + part * (t1 - t0);
        let value = g(t);
        if value.abs() <= small {
            return t;
        }
        if opposite(g0, value) {
            (t1, g1) = (t, value);
            g0 *= if kept == -1 { 0.5 } else { 1.0 };
            kept = -1;
        } else {
            (t0, g0) = (t, value);
            g1 *= if kept == 1 { 0.5 } else { 1.0 };
            kept = 1;
        }
    }
    (t0 + t1) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_smooth_steep_and_jumping_functions() {
        let find = |g: &dyn Fn(f64) -> f64| root(g(0.0), g(1.0), g);
        assert!((find(&|t| t - 0.3) - 0.3).abs() < 1e-7);
        assert!((find(&|t| 0.2_f64.powi(5) - t.powi(5)) - 0.2).abs() < 1e-4);
        assert!((find(&|t| if t < 0.77 { -0.5 } else { 0.5 }) - 0.77).abs() < 1e-6);
        assert!((find(&|t| if t < 0.01 { 0.1 } else { -10.0 }) - 0.01).abs() < 1e-6);
        assert!((find(&|t| (9.0 * t).exp() - 40.0) - 40_f64.ln() / 9.0).abs() < 1e-6);
    }
}
