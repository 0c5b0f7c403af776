//! Elements of every kind, and the one way in which they are added up.
//!
//! A body's energy is a sum over elements, E(u) = Σ_e E_e(u), each of which feels a few vertices, its
//! *corners*: four of a tet, eight of a voxel, two of a spring. Elements of one kind form a batch; a body
//! is one or more batches. Elements are evaluated in runs of fixed length into a buffer, then every vertex
//! adds up its own entries in the order of the elements. No two threads write to one place and no sum
//! depends on how many threads there are: the results are the same bits on any number of them.

use crate::FreeVertices;
use crate::law::{Lame, Law};
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::fmt::Debug;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::sparse::Assembly;

/// Elements evaluated as one task.
const ELEMENTS_PER_TASK: usize = 256;
/// Vertices summed as one task.
const VERTICES_PER_TASK: usize = 512;

/// A 3×3 block, row by row.
pub(crate) type Block = [[f64; 3]; 3];

/// A place inside an element where its strain is measured; see [`crate::gradient`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct StrainPlace {
    pub law: Law,
    pub lame: Lame,
    /// The volume it stands for.
    pub volume: f64,
}

/// One term of the energy. Displacements u are those of the whole body.
pub(crate) trait Element: Debug + Send + Sync + 'static {
    /// How many vertices it feels.
    const CORNERS: usize;

    /// At how many places it measures strain under a [`Law`]; zero for one that does not.
    const PLACES: usize = 0;

    /// Those vertices, all different.
    fn corners(&self) -> &[VertexId];

    /// One of these places, `None` when there is no such one; overwrites `gradients` with those of all corners there.
    fn strain_place(&self, _place: usize, _gradients: &mut [Vec3]) -> Option<StrainPlace> {
        None
    }

    /// E_e, zero at rest.
    fn energy(&self, u: &[f64]) -> f64;

    /// Overwrites `out` with ∂E_e/∂x_a of every corner a.
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]);

    /// Overwrites `out` with the blocks ∂²E_e/∂x_a∂x_b, b ≤ a, of its corners: (0,0), (1,0), (1,1), (2,0),
    /// … The diagonal ones are symmetric to the last bit.
    fn blocks(&self, u: &[f64], out: &mut [Block]);

    /// Overwrites `out` with what the element adds to the editing stiffness beside its own blocks at rest, see
    /// [`crate::ElasticBody::editing_stiffness`]: the numbers w of blocks w·I, in the order of [`Self::blocks`]. None
    /// for one that takes no part in it at all.
    fn tension(&self, out: &mut [f64]) -> Option<()>;

    /// Whether it is turned inside out at `u`; never, for one without an inside.
    fn is_inverted(&self, _u: &[f64]) -> bool {
        false
    }
}

/// How many blocks b ≤ a so many corners have.
const fn pairs(corners: usize) -> usize {
    corners * (corners + 1) / 2
}

/// The displacement of one vertex.
#[inline]
pub(crate) fn displacement(u: &[f64], vertex: VertexId) -> Vec3 {
    Vec3::from_column_slice(&u[3 * vertex.index()..][..3])
}

/// nalgebra keeps columns, the assembly takes rows.
#[inline]
pub(crate) fn rows(block: Matrix3<f64>) -> Block {
    block.transpose().into()
}

/// Elements of one kind. The loops are compiled once per kind, so that not knowing it costs one call per
/// batch.
pub(crate) trait Batch: Debug + Send + Sync {
    fn elements(&self) -> usize;
    fn corners_per_element(&self) -> usize;
    /// The corners of all elements, one after the other.
    fn corners(&self) -> Vec<VertexId>;
    fn energy(&self, u: &[f64]) -> f64;
    /// Overwrites `out` with the energy of every element.
    fn energies(&self, u: &[f64], out: &mut [f64]);
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]);
    fn blocks(&self, u: &[f64], out: &mut [Block]);
    /// The blocks at rest `u`, and `share` times the tension of every element; see [`Element::tension`].
    fn editing_blocks(&self, u: &[f64], share: f64, out: &mut [Block]);
    /// How many are turned inside out.
    fn inverted(&self, u: &[f64]) -> usize;
    /// See [`Element::PLACES`].
    fn places_per_element(&self) -> usize;
    /// See [`Element::strain_place`]; places are counted through all elements.
    fn strain_place(&self, place: usize, gradients: &mut [Vec3]) -> Option<StrainPlace>;
}

impl<E: Element> Batch for Vec<E> {
    fn elements(&self) -> usize {
        self.len()
    }

    fn corners_per_element(&self) -> usize {
        E::CORNERS
    }

    fn corners(&self) -> Vec<VertexId> {
        self.iter().flat_map(E::corners).copied().collect()
    }

    fn energies(&self, u: &[f64], out: &mut [f64]) {
        let runs = self.par_chunks(ELEMENTS_PER_TASK).zip(out.par_chunks_mut(ELEMENTS_PER_TASK));
        runs.for_each(|(run, out)| run.iter().zip(out).for_each(|(e, out)| *out = e.energy(u)));
    }

    fn energy(&self, u: &[f64]) -> f64 {
        let runs = self.par_chunks(ELEMENTS_PER_TASK);
        let energies: Vec<f64> = runs.map(|run| run.iter().map(|e| e.energy(u)).sum()).collect();
        energies.iter().sum()
    }

    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]) {
        let room = out.par_chunks_mut(ELEMENTS_PER_TASK * E::CORNERS);
        self.par_chunks(ELEMENTS_PER_TASK).zip(room).for_each(|(run, out)| {
            for (element, forces) in run.iter().zip(out.chunks_exact_mut(E::CORNERS)) {
                element.forces(u, forces);
            }
        });
    }

    fn inverted(&self, u: &[f64]) -> usize {
        self.par_chunks(ELEMENTS_PER_TASK).map(|run| run.iter().filter(|e| e.is_inverted(u)).count()).sum()
    }

    fn places_per_element(&self) -> usize {
        E::PLACES
    }

    fn strain_place(&self, place: usize, gradients: &mut [Vec3]) -> Option<StrainPlace> {
        let element = self.get(place.checked_div(E::PLACES)?)?;
        element.strain_place(place % E::PLACES, gradients)
    }

    fn editing_blocks(&self, u: &[f64], share: f64, out: &mut [Block]) {
        let size = pairs(E::CORNERS);
        let room = out.par_chunks_mut(ELEMENTS_PER_TASK * size);
        self.par_chunks(ELEMENTS_PER_TASK).zip(room).for_each(|(run, out)| {
            let mut tension = vec![0.0; size];
            for (element, blocks) in run.iter().zip(out.chunks_exact_mut(size)) {
                editing_blocks(element, u, share, &mut tension, blocks);
            }
        });
    }

    fn blocks(&self, u: &[f64], out: &mut [Block]) {
        let size = pairs(E::CORNERS);
        let room = out.par_chunks_mut(ELEMENTS_PER_TASK * size);
        self.par_chunks(ELEMENTS_PER_TASK).zip(room).for_each(|(run, out)| {
            for (element, blocks) in run.iter().zip(out.chunks_exact_mut(size)) {
                element.blocks(u, blocks);
            }
        });
    }
}

/// One element's part of [`Batch::editing_blocks`].
fn editing_blocks<E: Element>(element: &E, u: &[f64], share: f64, tension: &mut [f64], out: &mut [Block]) {
    if element.tension(tension).is_none() {
        out.fill(Block::default());
        return;
    }
    element.blocks(u, out);
    for (block, weight) in out.iter_mut().zip(tension) {
        for c in 0..3 {
            block[c][c] += share * *weight;
        }
    }
}

/// All the elements of a body.
#[derive(Debug)]
pub(crate) struct Elements {
    batches: Vec<Box<dyn Batch>>,
    incidence: Incidence,
}

impl Elements {
    /// The elements of `batches` on `vertices` vertices.
    pub fn new(vertices: usize, batches: Vec<Box<dyn Batch>>) -> Self {
        let corners: Vec<VertexId> = batches.iter().flat_map(|batch| batch.corners()).collect();
        Self { batches, incidence: Incidence::new(vertices, &corners) }
    }

    /// The elements of a body of one kind; `None` when there are several.
    pub fn only_batch(&self) -> Option<&dyn Batch> {
        match &self.batches[..] {
            [batch] => Some(&**batch),
            _ => None,
        }
    }

    /// Room for what [`Self::force`] needs per corner.
    pub fn corner_room(&self) -> Vec<[f64; 3]> {
        vec![Default::default(); self.incidence.corners.len()]
    }

    /// Room for what [`Self::blocks`] writes.
    pub fn block_room(&self) -> Vec<Block> {
        let counts = self.batches.iter().map(|batch| batch.elements() * pairs(batch.corners_per_element()));
        vec![Default::default(); counts.sum()]
    }

    /// How many elements are turned inside out at `u`.
    pub fn inverted(&self, u: &[f64]) -> usize {
        self.batches.iter().map(|batch| batch.inverted(u)).sum()
    }

    pub fn energy(&self, u: &[f64]) -> f64 {
        self.batches.iter().map(|batch| batch.energy(u)).sum()
    }

    /// Overwrites `force` with ∂E/∂u.
    pub fn force(&self, u: &[f64], corner_forces: &mut [[f64; 3]], force: &mut [f64]) {
        let mut rest = &mut *corner_forces;
        for batch in &self.batches {
            let size = batch.elements() * batch.corners_per_element();
            let (own, others) = rest.split_at_mut(size);
            batch.forces(u, own);
            rest = others;
        }
        self.incidence.sum(corner_forces, force);
    }

    /// Overwrites `blocks` with those of every element, in the order [`Self::assembly`] expects.
    pub fn blocks(&self, u: &[f64], blocks: &mut [Block]) {
        self.each_batch(blocks, |batch, own| batch.blocks(u, own));
    }

    /// The same for the editing stiffness at rest.
    pub fn editing_blocks(&self, rest: &[f64], share: f64, blocks: &mut [Block]) {
        self.each_batch(blocks, |batch, own| batch.editing_blocks(rest, share, own));
    }

    fn each_batch(&self, blocks: &mut [Block], fill: impl Fn(&dyn Batch, &mut [Block])) {
        let mut rest = blocks;
        for batch in &self.batches {
            let size = batch.elements() * pairs(batch.corners_per_element());
            let (own, others) = rest.split_at_mut(size);
            fill(&**batch, own);
            rest = others;
        }
    }

    /// The plan by which element blocks become a matrix over the free vertices.
    pub fn assembly(&self, free: &FreeVertices) -> Assembly {
        let place = |v| free.index(v);
        let places: Vec<Vec<Option<usize>>> =
            self.batches.iter().map(|batch| batch.corners().into_iter().map(place).collect()).collect();
        let sizes = self.batches.iter().map(|batch| batch.corners_per_element());
        let elements = places.iter().zip(sizes).flat_map(|(places, size)| places.chunks_exact(size));
        Assembly::new(free.vertices().len(), elements)
    }
}

/// For every vertex, the corners of elements that are this vertex, in the order of the elements.
#[derive(Debug)]
struct Incidence {
    /// The corners of vertex v: `corners[starts[v]..starts[v + 1]]`.
    starts: Vec<usize>,
    /// Counted through all elements.
    corners: Vec<usize>,
}

impl Incidence {
    fn new(vertices: usize, of_corner: &[VertexId]) -> Self {
        let mut starts = vec![0; vertices + 1];
        for v in of_corner {
            starts[v.index() + 1] += 1;
        }
        for v in 1..starts.len() {
            starts[v] += starts[v - 1];
        }
        let mut next = starts.clone();
        let mut corners = vec![0; of_corner.len()];
        for (corner, v) in of_corner.iter().enumerate() {
            corners[next[v.index()]] = corner;
            next[v.index()] += 1;
        }
        Self { starts, corners }
    }

    /// Overwrites `out` with the sum over the corners of each vertex.
    fn sum(&self, corner_values: &[[f64; 3]], out: &mut [f64]) {
        out.par_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, out)| {
            for (k, out) in out.chunks_exact_mut(3).enumerate() {
                let v = task * VERTICES_PER_TASK + k;
                let mut sum = [0.0; 3];
                for &corner in &self.corners[self.starts[v]..self.starts[v + 1]] {
                    for c in 0..3 {
                        sum[c] += corner_values[corner][c];
                    }
                }
                out.copy_from_slice(&sum);
            }
        });
    }
}
