//! Making a point: the row of the warp that belongs to it.
//!
//! A point Σ w_v u_v reads the change in space d without contacts at its own vertices and, through the multipliers of
//! the contacts its frame keeps, at theirs: coordinate i is Σ_v b_iv·d_v with
//!
//! > b_i = e_i w − Cᵀ S⁻¹ C A e_i w, B_iq = V_q Σ_a (A b_i)_a g_aᵀ.
//!
//! Contacts that shall move take it along by τᵀ S⁻¹ C A e_i w, whatever the edit.

use super::Warp;
use super::contacts::Held;
use super::error::WarpError;
use super::input::InputFrame;
use super::point::WarpPoint;
use super::weights::Weights;
use nalgebra::Matrix3;
use std::collections::BTreeMap;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// What a point reads of one component.
#[derive(Debug)]
pub(super) struct Read {
    pub component: usize,
    /// Its place among the floating components.
    pub floating: Option<usize>,
    /// b of its vertices, a coordinate in each row.
    pub vertices: Vec<(VertexId, Matrix3<f64>)>,
    /// Σ b.
    pub share: Matrix3<f64>,
}

impl Warp {
    /// The point Σ w_v u_v of the warped body: a vertex with weight 1, or a point inside an element. It
    /// serves every frame that keeps the same contacts as `frame`: all frames without, if it keeps none.
    ///
    /// # Errors
    /// A vertex that does not exist, or weights that mean nothing.
    pub fn point(&self, frame: &InputFrame, vertices: &[(VertexId, f64)]) -> Result<WarpPoint, WarpError> {
        self.check_vertices(vertices)?;
        let (weights, reads, shift) = match &frame.held {
            None => self.listen_alike(vertices),
            Some(held) => self.listen_each(held, vertices),
        };
        Ok(WarpPoint { vertices: vertices.to_vec(), weights, reads, shift, held: frame.held.clone() })
    }

    /// What the sum Σ w_v u_v reads of the change in space, of every component with all its vertices, and what contacts that
    /// shall move add.
    pub(super) fn reads_in_space(
        &self,
        frame: &InputFrame,
        vertices: &[(VertexId, f64)],
    ) -> Result<(Vec<Read>, Vec3), WarpError> {
        self.check_vertices(vertices)?;
        let n = self.vertices();
        Ok(match &frame.held {
            None => {
                let mut row = vec![0.0; n];
                self.moving(vertices).for_each(|(v, weight)| row[v.index()] += weight);
                (self.reads(|v| Matrix3::from_diagonal_element(row[v])), Vec3::zeros())
            }
            Some(held) => {
                let (read, shift) = self.read_held(held, vertices);
                (self.reads(|v| Matrix3::from_fn(|i, c| read[(3 * i + c) * n + v])), shift)
            }
        })
    }

    fn moving<'a>(&self, vertices: &'a [(VertexId, f64)]) -> impl Iterator<Item = &'a (VertexId, f64)> {
        vertices.iter().filter(|(v, _)| self.free[v.index()])
    }

    fn listen_alike(&self, vertices: &[(VertexId, f64)]) -> (Weights, Vec<Read>, Vec3) {
        let mut row = vec![0.0; self.vertices()];
        for (v, weight) in self.moving(vertices) {
            row[v.index()] += weight;
        }
        let reads = forget_held(self.reads(|v| Matrix3::from_diagonal_element(row[v])));
        self.poisson.solve(&mut row, self.vertices(), &mut Vec::new());
        let mut beta = vec![Vec3::zeros(); self.places()];
        self.cells.spread(&row, &mut beta);
        (Weights::Alike(beta), reads, Vec3::zeros())
    }

    fn listen_each(&self, held: &Held, vertices: &[(VertexId, f64)]) -> (Weights, Vec<Read>, Vec3) {
        let n = self.vertices();
        let (mut read, shift) = self.read_held(held, vertices);
        let reads = forget_held(self.reads(|v| Matrix3::from_fn(|i, c| read[(3 * i + c) * n + v])));
        self.poisson.solve(&mut read, n, &mut Vec::new());
        let mut B = vec![[Matrix3::zeros(); 3]; self.places()];
        let mut row = vec![Vec3::zeros(); self.places()];
        for (k, column) in read.chunks_exact(n).enumerate() {
            self.cells.spread(column, &mut row);
            for (B, row) in B.iter_mut().zip(&row) {
                B[k / 3].set_row(k % 3, &row.transpose());
            }
        }
        (Weights::Each(B), reads, shift)
    }

    /// For each coordinate of a point three columns: what it reads of the change in space where contacts are kept; and what
    /// those that shall move add.
    fn read_held(&self, held: &Held, vertices: &[(VertexId, f64)]) -> (Vec<f64>, Vec3) {
        let n = self.vertices();
        let mut read = vec![0.0; 9 * n];
        for (v, weight) in self.moving(vertices) {
            for i in 0..3 {
                read[4 * i * n + v.index()] += weight;
            }
        }
        let mut free = read.clone();
        self.poisson.solve(&mut free, n, &mut Vec::new());
        let mut shift = Vec3::zeros();
        for (i, (read, free)) in read.chunks_exact_mut(3 * n).zip(free.chunks_exact(3 * n)).enumerate() {
            let answer = held.reactions(free, n);
            shift[i] = held.shifted(&answer);
            let lambda: Vec<f64> = answer.iter().map(|l| -l).collect();
            held.add_forces(&lambda, read, n);
        }
        (read, shift)
    }

    /// What is read of each component, `b` of a vertex given.
    fn reads(&self, b: impl Fn(usize) -> Matrix3<f64>) -> Vec<Read> {
        let mut of_component: BTreeMap<usize, Vec<(VertexId, Matrix3<f64>)>> = BTreeMap::new();
        for v in 0..self.vertices() {
            let b = b(v);
            if b != Matrix3::zeros() {
                of_component.entry(self.component_of_vertex[v]).or_default().push((VertexId::new(v), b));
            }
        }
        let read = |(component, vertices): (usize, Vec<(VertexId, Matrix3<f64>)>)| {
            let floating = self.poisson.floating().iter().position(|part| part.component == component);
            let share = vertices.iter().map(|(_, b)| b).sum();
            Read { component, floating, vertices, share }
        };
        of_component.into_iter().map(read).collect()
    }
}

/// Vertices are read by themselves in what floats only.
fn forget_held(mut reads: Vec<Read>) -> Vec<Read> {
    reads.iter_mut().filter(|read| read.floating.is_none()).for_each(|read| read.vertices.clear());
    reads
}
