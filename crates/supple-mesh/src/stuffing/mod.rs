//! Filling a solid with well-shaped tets: isosurface stuffing.
//!
//! The solid is a function f, negative inside, of which only values are asked, so that anything
//! that can tell inside from outside will do. Labelle and Shewchuk, "Isosurface Stuffing: Fast
//! Tetrahedral Meshes with Good Dihedral Angles" (SIGGRAPH 2007), uniform version:
//!
//! 1. evaluate f on a body-centred cubic [`lattice`], whose tets are all alike;
//! 2. find the *cut point* on every edge whose ends differ in sign ([`cuts`]);
//! 3. warp a lattice point onto a cut point that comes too close to it: its sign becomes zero and
//!    the cuts of its edges are forgotten;
//! 4. replace every tet that has an inside corner by the [`stencils`] of its signs;
//! 5. take apart what touches without sharing a face ([`hinges`]; not in the paper).
//!
//! Every dihedral angle of the result lies between 10.5° and 164.9°, wherever the cuts are: a test
//! tries every stencil with all its points and cuts at their limits.
//! Details thinner than the lattice are lost, and sharp edges are bevelled by up to a cell.

mod cuts;
mod error;
mod lattice;
mod solid;
mod stencils;

use crate::surface::OPPOSITE_FACE;
use crate::{Aabb, Surface, TetMesh, TriMesh, Vec3, hinges};
use cuts::Cuts;
pub use error::FillError;
pub(crate) use lattice::{Grid, Lattice};
use rayon::prelude::*;
pub(crate) use solid::{Solid, root};
use supple_model::{Cancelled, Progress, VertexId};

/// Where and how finely a solid is filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filling {
    /// A box that holds the whole solid.
    pub bounds: Aabb,
    /// Edge length of a lattice cube, metres; a cube inside the solid holds twelve tets.
    pub cell: f64,
    /// Lattices with more cubes are refused; each takes some 20 bytes.
    pub max_cells: usize,
}

impl Filling {
    /// The default of [`Filling::max_cells`]: memory stays below about 1 GB.
    pub const MAX_CELLS: usize = 40_000_000;

    /// Fills `bounds` with cubes of edge `cell`.
    #[must_use]
    pub fn new(bounds: Aabb, cell: f64) -> Self {
        Self { bounds, cell, max_cells: Self::MAX_CELLS }
    }

    /// Tets that fill the solid {x : f(x) < 0}.
    ///
    /// # Errors
    /// Settings that make no lattice, a function that encloses nothing, is not finite somewhere or
    /// reaches beyond the bounds: see [`FillError`].
    pub fn tets(&self, f: impl Fn(Vec3) -> f64 + Sync) -> Result<TetMesh, FillError> {
        self.tets_of(&f, &Progress::silent())
    }

    /// [`Filling::tets`] for any kind of solid.
    pub(crate) fn tets_of(&self, solid: &impl Solid, progress: &Progress) -> Result<TetMesh, FillError> {
        let stuffed = Stuffed::new(self, solid, progress)?;
        progress.check()?;
        let (mut nodes, mut tets) = compact(&stuffed.tets);
        hinges::split(&mut nodes, &mut tets, &OPPOSITE_FACE);
        Ok(TetMesh::new(stuffed.positions(&nodes), tets)?)
    }

    /// The surface {x : f(x) = 0} alone, its triangles counter-clockwise seen from outside: what
    /// [`Surface::of`] gives for [`Filling::tets`], without ever making the tets inside.
    ///
    /// # Errors
    /// As [`Filling::tets`].
    pub fn surface(&self, f: impl Fn(Vec3) -> f64 + Sync) -> Result<TriMesh, FillError> {
        let stuffed = Stuffed::new(self, &f, &Progress::silent())?;
        let on_surface = |node: &VertexId| !stuffed.cuts.is_inside(*node);
        // A boundary face has three corners on the surface, so only such tets matter; a face of
        // that kind between two tets is cancelled because both are here.
        let near_surface = |t: &&[VertexId; 4]| t.iter().filter(|n| on_surface(n)).count() >= 3;
        let shell: Vec<_> = stuffed.tets.iter().filter(near_surface).copied().collect();
        let mut triangles = Surface::of_tets(&shell).triangles;
        triangles.retain(|t| t.iter().all(on_surface));
        let (nodes, triangles) = compact(&triangles);
        Ok(TriMesh::new(stuffed.positions(&nodes), triangles)?)
    }
}

/// All tets of a filled solid, between *nodes*: lattice points first, then cut points.
struct Stuffed {
    lattice: Lattice,
    cuts: Cuts,
    tets: Vec<[VertexId; 4]>,
}

impl Stuffed {
    fn new(filling: &Filling, solid: &impl Solid, progress: &Progress) -> Result<Self, FillError> {
        let lattice = Lattice::new(filling)?;
        progress.check()?;
        let values = solid.values(&lattice);
        check_values(&lattice, &values)?;
        progress.check()?;
        let cuts = Cuts::new(&lattice, &values, solid);
        let cut = |a: usize, b: usize| cuts.node(a, b);
        // One task per layer of cubes, joined in order.
        let layers: Vec<Vec<[VertexId; 4]>> = (0..lattice.layers())
            .into_par_iter()
            .map(|layer| {
                progress.check()?;
                let mut tets = Vec::new();
                lattice.for_each_tet(layer, |corners| {
                    let signs = corners.map(|p| cuts.sign(p));
                    if signs.contains(&1) {
                        stencils::clip(&lattice, corners, signs, &cut, &mut tets);
                    }
                });
                Ok(tets)
            })
            .collect::<Result<_, Cancelled>>()?;
        let tets = layers.concat();
        if tets.is_empty() {
            return Err(FillError::Nothing { cell: filling.cell });
        }
        Ok(Self { lattice, cuts, tets })
    }

    fn positions(&self, nodes: &[VertexId]) -> Vec<Vec3> {
        nodes.iter().map(|n| self.cuts.position(&self.lattice, *n)).collect()
    }
}

fn check_values(lattice: &Lattice, values: &[f64]) -> Result<(), FillError> {
    if let Some(p) = values.iter().position(|v| !v.is_finite()) {
        return Err(FillError::NonFinite { at: lattice.position(p) });
    }
    match (0..values.len()).find(|&p| values[p] < 0.0 && lattice.is_border(p)) {
        Some(p) => Err(FillError::BeyondBounds { at: lattice.position(p) }),
        None => Ok(()),
    }
}

/// Renumbers the nodes in use from 0 in ascending order: the nodes, and the elements between them.
fn compact<const N: usize>(elements: &[[VertexId; N]]) -> (Vec<VertexId>, Vec<[VertexId; N]>) {
    let last = elements.iter().flatten().max().map_or(0, |n| n.index() + 1);
    let mut used = vec![false; last];
    for node in elements.iter().flatten() {
        used[node.index()] = true;
    }
    let mut nodes = Vec::new();
    let mut number = vec![VertexId(0); last];
    for node in (0..last).filter(|&n| used[n]) {
        number[node] = VertexId::new(nodes.len());
        nodes.push(VertexId::new(node));
    }
    let renumbered = elements.iter().map(|e| e.map(|n| number[n.index()])).collect();
    (nodes, renumbered)
}

#[cfg(test)]
pub(crate) mod tests;
