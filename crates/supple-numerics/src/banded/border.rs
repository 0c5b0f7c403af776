//! The border: unknowns that touch blocks anywhere along the band.

use super::matrix::BlockBanded;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use std::collections::BTreeMap;

/// A column that has fallen below this part of its largest entry is over: what is left of it is below the last digit.
const FADED: f64 = 1e-19;

/// Unknowns at the border, in groups that touch the same blocks.
#[derive(Clone, Debug)]
pub struct Border {
    size: usize,
    groups: Vec<Group>,
    corner: Mat<f64>,
    schur: Option<PartialPivLu<f64>>,
}

/// Some columns: B before [`Border::factor`], Y after it.
#[derive(Clone, Debug)]
struct Group {
    /// Its first column.
    at: usize,
    width: usize,
    /// a × width of every block that is not zero.
    blocks: BTreeMap<usize, Vec<f64>>,
}

impl Group {
    /// Whether it has something at this block: given there, or handed on from the blocks before.
    fn is_active(&self, block: usize, matrix: &BlockBanded) -> bool {
        std::iter::once(block).chain(matrix.before(block)).any(|block| self.blocks.contains_key(&block))
    }
}

impl Border {
    /// No unknowns, beside blocks of this size.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self { size, groups: Vec::new(), corner: Mat::zeros(0, 0), schur: None }
    }

    /// How many unknowns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.corner.nrows()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds `width` unknowns that touch nothing yet; answers their group.
    pub fn add(&mut self, width: usize) -> usize {
        let at = self.len();
        self.groups.push(Group { at, width, blocks: BTreeMap::new() });
        let old = std::mem::replace(&mut self.corner, Mat::zeros(at + width, at + width));
        self.corner.as_mut().submatrix_mut(0, 0, at, at).copy_from(&old);
        self.groups.len() - 1
    }

    /// The first unknown of a group.
    #[must_use]
    pub fn start(&self, group: usize) -> usize {
        self.groups[group].at
    }

    /// The rows of B of a block in the columns of a group, zeros at first.
    pub fn block_mut(&mut self, group: usize, block: usize) -> MatMut<'_, f64> {
        let (group, size) = (&mut self.groups[group], self.size);
        let values = group.blocks.entry(block).or_insert_with(|| vec![0.0; size * group.width]);
        MatMut::from_column_major_slice_mut(values, size, group.width)
    }

    /// C, whose both triangles count.
    pub fn corner_mut(&mut self) -> MatMut<'_, f64> {
        self.corner.as_mut()
    }

    /// Y in the place of B, and the factors of S, beside a matrix that was factored.
    pub fn factor(&mut self, matrix: &BlockBanded) {
        if self.is_empty() {
            return;
        }
        let mut largest = vec![0.0_f64; self.groups.len()];
        let mut schur = self.corner.clone();
        for block in matrix.order() {
            let is_active = |g: &usize| self.groups[*g].is_active(block, matrix);
            let active: Vec<usize> = (0..self.groups.len()).filter(is_active).collect();
            let of_group = |g: &usize| self.groups[*g].at..self.groups[*g].at + self.groups[*g].width;
            let columns: Vec<usize> = active.iter().flat_map(of_group).collect();
            if columns.is_empty() {
                continue;
            }
            let y = self.forward(&active, columns.len(), block, matrix);
            self.store(&active, &y, block, &mut largest);
            let mut product = Mat::zeros(columns.len(), columns.len());
            matmul(product.as_mut(), Accum::Replace, y.transpose(), &y, 1.0, Par::Seq);
            for (j, column) in columns.iter().enumerate() {
                for (i, row) in columns.iter().enumerate() {
                    schur[(*row, *column)] -= product[(i, j)];
                }
            }
        }
        self.schur = Some(schur.partial_piv_lu());
    }

    /// L_ii⁻¹ (B_i − Σ_j L_ij Y_j) in the columns of some groups, j the blocks that are eliminated before i.
    fn forward(&self, active: &[usize], columns: usize, block: usize, matrix: &BlockBanded) -> Mat<f64> {
        let size = self.size;
        let gather = |block: usize| {
            let mut out = Mat::zeros(size, columns);
            let mut at = 0;
            for group in active.iter().map(|g| &self.groups[*g]) {
                if let Some(values) = group.blocks.get(&block) {
                    let part = MatRef::from_column_major_slice(values, size, group.width);
                    out.as_mut().submatrix_mut(0, at, size, group.width).copy_from(part);
                }
                at += group.width;
            }
            out
        };
        let mut y = gather(block);
        for j in matrix.before(block) {
            matmul(y.as_mut(), Accum::Add, matrix.coupling(block, j), gather(j), -1.0, Par::Seq);
        }
        solve_lower_triangular_in_place(matrix.diagonal(block), y.as_mut(), Par::Seq);
        y
    }

    /// Keeps Y of a block, as far as it has not faded.
    fn store(&mut self, active: &[usize], y: &Mat<f64>, block: usize, largest: &mut [f64]) {
        let size = self.size;
        let mut at = 0;
        for g in active {
            let group = &mut self.groups[*g];
            let part = y.as_ref().submatrix(0, at, size, group.width);
            at += group.width;
            let height = part.norm_max();
            largest[*g] = largest[*g].max(height);
            if !group.blocks.contains_key(&block) && height <= FADED * largest[*g] {
                continue;
            }
            let values = group.blocks.entry(block).or_insert_with(|| vec![0.0; size * group.width]);
            MatMut::from_column_major_slice_mut(values, size, group.width).copy_from(part);
        }
    }

    /// Overwrites x and y with the solution, beside a matrix that was factored as this was.
    ///
    /// # Panics
    /// When [`Self::factor`] did not come first.
    pub fn solve(&self, matrix: &BlockBanded, x: &mut [f64], y: &mut [f64]) {
        matrix.forward(x);
        if !self.is_empty() {
            let size = self.size;
            for group in &self.groups {
                for (block, rows) in &group.blocks {
                    let own = &x[block * size..][..size];
                    for (column, values) in rows.chunks_exact(size).enumerate() {
                        y[group.at + column] -= values.iter().zip(own).map(|(a, b)| a * b).sum::<f64>();
                    }
                }
            }
            let schur = self.schur.as_ref().expect("the border is factored before it is solved with");
            schur.solve_in_place(MatMut::from_column_major_slice_mut(y, self.len(), 1));
            for group in &self.groups {
                for (block, rows) in &group.blocks {
                    let own = &mut x[block * size..][..size];
                    for (column, values) in rows.chunks_exact(size).enumerate() {
                        let factor = y[group.at + column];
                        own.iter_mut().zip(values).for_each(|(x, value)| *x -= factor * value);
                    }
                }
            }
        }
        matrix.backward(x);
    }
}
