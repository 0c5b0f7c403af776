//! Where lattice edges cross the surface, and which lattice points move there.

use super::lattice::Lattice;
use super::solid::{Solid, opposite};
use crate::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;
use supple_model::VertexId;

/// A cut point nearer to the end of a long edge than this part of its length warps that end.
pub(super) const ALPHA_LONG: f64 = 0.28;
/// The same for short edges. The two were found by search to give the best smallest angle when every
/// point may warp along any of its edges, whatever its neighbours do.
pub(super) const ALPHA_SHORT: f64 = 0.4;

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
    /// Finds all cut points of a solid, given its `values` at the lattice points, and warps.
    pub fn new(lattice: &Lattice, values: &[f64], solid: &impl Solid) -> Self {
        let mut cuts: Vec<Cut> = (0..values.len())
            .into_par_iter()
            .flat_map_iter(|a| {
                let mut found = Vec::new();
                lattice.for_each_edge(a, |b, long| {
                    if opposite(values[a], values[b]) {
                        found.push(find_cut(lattice, values, (a.min(b), a.max(b)), long, solid));
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

fn find_cut(
    lattice: &Lattice,
    values: &[f64],
    (a, b): (usize, usize),
    long: bool,
    solid: &impl Solid,
) -> Cut {
    let (from, to) = (lattice.position(a), lattice.position(b));
    let t = solid.crossing([from, to], [values[a], values[b]]);
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
