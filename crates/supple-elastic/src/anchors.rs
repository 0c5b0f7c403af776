//! Which vertices may move.
//!
//! Anchored vertices are taken out of every linear system: a *full* vector has 3 numbers per vertex of
//! the body, a *free* vector 3 per vertex that is not anchored, in the same order.

use crate::{ElasticError, Part, material::membership};
use supple_model::VertexId;

/// The vertices of a body that may move, and their places in the systems to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeVertices {
    /// Free index → vertex, ascending.
    vertices: Vec<VertexId>,
    /// Vertex → free index.
    index: Vec<Option<usize>>,
}

impl FreeVertices {
    /// Every one of `count` vertices is free: a body that floats.
    #[must_use]
    pub fn all(count: usize) -> Self {
        Self { vertices: (0..count).map(VertexId::new).collect(), index: (0..count).map(Some).collect() }
    }

    /// Every one of `count` vertices is free except `anchors`, which may repeat themselves.
    ///
    /// # Errors
    /// When an anchor does not exist or nothing is left to move.
    pub fn except(count: usize, anchors: &[VertexId]) -> Result<Self, ElasticError> {
        let anchored = membership(anchors, count, || Part::Anchors)?;
        let vertices: Vec<_> = (0..count).filter(|&v| !anchored[v]).map(VertexId::new).collect();
        if vertices.is_empty() {
            return Err(ElasticError::AllAnchored { vertices: count });
        }
        let mut index = vec![None; count];
        for (k, v) in vertices.iter().enumerate() {
            index[v.index()] = Some(k);
        }
        Ok(Self { vertices, index })
    }

    /// The free vertices, ascending; the k-th has the numbers 3k, 3k+1, 3k+2 of a free vector.
    #[must_use]
    pub fn vertices(&self) -> &[VertexId] {
        &self.vertices
    }

    /// The place of a vertex among the free ones, `None` when it is anchored.
    ///
    /// # Panics
    /// When the body has no such vertex.
    #[must_use]
    pub fn index(&self, vertex: VertexId) -> Option<usize> {
        self.index[vertex.index()]
    }

    /// How many vertices the body has, anchored ones included.
    #[must_use]
    pub fn body_vertices(&self) -> usize {
        self.index.len()
    }

    /// Copies the free entries of `full` to `free`.
    ///
    /// # Panics
    /// When a length does not fit.
    pub fn gather(&self, full: &[f64], free: &mut [f64]) {
        self.check_lengths(full, free);
        for (v, place) in self.vertices.iter().zip(free.chunks_exact_mut(3)) {
            place.copy_from_slice(&full[3 * v.index()..3 * v.index() + 3]);
        }
    }

    /// Copies `free` to the free entries of `full`. Anchored entries keep what they hold, so that
    /// anchors may be displaced.
    ///
    /// # Panics
    /// When a length does not fit.
    pub fn scatter(&self, free: &[f64], full: &mut [f64]) {
        self.check_lengths(full, free);
        for (v, value) in self.vertices.iter().zip(free.chunks_exact(3)) {
            full[3 * v.index()..3 * v.index() + 3].copy_from_slice(value);
        }
    }

    fn check_lengths(&self, full: &[f64], free: &[f64]) {
        assert_eq!(full.len(), 3 * self.index.len(), "a full vector has three numbers per vertex");
        assert_eq!(free.len(), 3 * self.vertices.len(), "a free vector has three numbers per free vertex");
    }
}
