//! S of many rows as a matrix of which columns can be asked for, scaled to unit diagonal.
//!
//! > Ŝ_ab = d_a d_b (Σ_k c_ak c_bk P_k(i_a,i_b)\[o_a,o_b\] + \[a = b\]/w_a), d_a = 1/√S_aa
//!
//! It is never stored. All rows of a time and order form a group; a block of columns against one group is one
//! product of that group's weights with the columns' weights times P_k, mode by mode.

use super::pivoted::Columns;
use super::row::Row;
use crate::kernel::{Kernel, Moment, Order};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, Par};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use supple_model::{Cancelled, Instant, Progress};
use supple_numerics::simd;

/// Rows at one time on one order.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub at: Instant,
    /// The same, ready to be looked up.
    moment: Moment,
    pub order: Order,
    pub rows: Range<usize>,
}

impl Group {
    fn moment(&self) -> (&Moment, Order) {
        (&self.moment, self.order)
    }
}

/// The rows as a matrix of which columns can be asked for.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub kernel: Arc<Kernel>,
    /// c, modes × rows, sorted by time and order.
    pub weights: Mat<f64>,
    pub groups: Vec<Group>,
    /// The group of each row.
    group_of: Vec<usize>,
    /// 1/w.
    pub compliance: Vec<f64>,
    /// D, zero for rows that no mode moves.
    pub scale: Vec<f64>,
}

impl System {
    /// Of rows sorted by time and order, with anything beside them.
    pub fn new(kernel: Arc<Kernel>, rows: &[(usize, Row)]) -> Self {
        let weights = Mat::from_fn(kernel.modes(), rows.len(), |k, row| rows[row].1.weights[k]);
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of = Vec::with_capacity(rows.len());
        for (index, (_, row)) in rows.iter().enumerate() {
            match groups.last_mut() {
                Some(last) if (last.at, last.order) == row.place() => last.rows.end = index + 1,
                _ => {
                    let (moment, rows) = (kernel.moment(row.at), index..index + 1);
                    groups.push(Group { at: row.at, moment, order: row.order, rows });
                }
            }
            group_of.push(groups.len() - 1);
        }
        let compliance: Vec<f64> = rows.iter().map(|(_, row)| row.hold.compliance()).collect();
        let mut scale = vec![0.0; rows.len()];
        let mut variance = vec![0.0; kernel.modes()];
        for group in &groups {
            kernel.between(group.moment(), group.moment(), &mut variance);
            for row in group.rows.clone() {
                let c = weights.col(row);
                let moved: f64 = c.iter().zip(&variance).map(|(c, p)| c * c * p).sum();
                scale[row] = inverse_root(moved + compliance[row]);
            }
        }
        Self { kernel, weights, groups, group_of, compliance, scale }
    }

    /// The rows of `out` cut into groups.
    pub fn bands<'a>(&self, out: MatMut<'a, f64>) -> Vec<(&Group, MatMut<'a, f64>)> {
        let mut bands = Vec::with_capacity(self.groups.len());
        let mut rest = out;
        for group in &self.groups {
            let (band, below) = rest.split_at_row_mut(group.rows.len());
            bands.push((group, band));
            rest = below;
        }
        bands
    }

    /// D S of one group's rows against rows of a handle.
    pub fn cross(&self, group: &Group, rows: &[Row], moments: &[Moment], mut out: MatMut<'_, f64>) {
        let mut covariance = vec![0.0; self.kernel.modes()];
        let mut pulled = vec![0.0; self.kernel.modes()];
        let mut looked_up = None;
        for (column, row) in rows.iter().enumerate() {
            if looked_up != Some(row.place()) {
                self.kernel.between(group.moment(), (&moments[column], row.order), &mut covariance);
                looked_up = Some(row.place());
            }
            for ((x, p), c) in pulled.iter_mut().zip(&covariance).zip(&row.weights) {
                *x = p * c;
            }
            for (local, index) in group.rows.clone().enumerate() {
                let c = self.weights.col(index);
                let c = c.try_as_col_major().map_or(&[][..], |c| c.as_slice());
                out[(local, column)] = self.scale[index] * dot(c, &pulled);
            }
        }
    }

    /// D S D of one group's rows against rows `which`.
    fn block(&self, group: &Group, which: &[usize], mut out: MatMut<'_, f64>) {
        let modes = self.kernel.modes();
        let mut covariance = vec![0.0; modes];
        let mut looked_up = None;
        let mut pulled = Mat::<f64>::zeros(modes, which.len());
        for (column, &row) in which.iter().enumerate() {
            let other = self.group_of[row];
            if looked_up != Some(other) {
                self.kernel.between(group.moment(), self.groups[other].moment(), &mut covariance);
                looked_up = Some(other);
            }
            let c = self.weights.col(row);
            for ((x, c), p) in pulled.col_mut(column).iter_mut().zip(c.iter()).zip(&covariance) {
                *x = c * p * self.scale[row];
            }
        }
        let weights = self.weights.as_ref().subcols(group.rows.start, group.rows.len());
        matmul(out.as_mut(), Accum::Replace, weights.transpose(), pulled.as_ref(), 1.0, Par::Seq);
        for (column, &row) in which.iter().enumerate() {
            for (local, index) in group.rows.clone().enumerate() {
                out[(local, column)] *= self.scale[index];
                if index == row {
                    out[(local, column)] = if self.scale[row] > 0.0 { 1.0 } else { 0.0 };
                }
            }
        }
    }
}

impl Columns for System {
    fn diagonal(&self) -> Vec<f64> {
        self.scale.iter().map(|d| if *d > 0.0 { 1.0 } else { 0.0 }).collect()
    }

    fn group(&self, row: usize) -> usize {
        self.group_of[row]
    }

    fn columns(&self, which: &[usize], out: MatMut<'_, f64>, progress: &Progress) -> Result<(), Cancelled> {
        self.bands(out).into_par_iter().try_for_each(|(group, band)| {
            progress.check()?;
            self.block(group, which, band);
            Ok(())
        })
    }
}

/// 1/√x, or 0 where there is nothing to scale.
pub(super) fn inverse_root(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x.sqrt() } else { 0.0 }
}

/// Σ x y in eight interleaved sums, which the compiler can run side by side.
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    const LANES: usize = 8;
    simd::widest(
        #[inline(always)]
        || {
            let mut sums = [0.0; LANES];
            let (xs, ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
            let rest: f64 = xs.remainder().iter().zip(ys.remainder()).map(|(x, y)| x * y).sum();
            for (x, y) in xs.zip(ys) {
                for lane in 0..LANES {
                    sums[lane] += x[lane] * y[lane];
                }
            }
            sums.iter().sum::<f64>() + rest
        },
    )
}
