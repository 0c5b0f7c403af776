//! Contacts that the warp keeps.
//!
//! What touches in the input must not leave its place when the frame is warped. A contact asks that a
//! weighted sum of vertices, Σ w_v u_v, keeps its input value along a normal (it slides) or in all
//! directions (it sticks): rows C d = 0 for the change d of the shape. They enter the Poisson equation by
//! their multipliers (Barbič, Sin and Grinspun, Interactive Editing of Deformable Simulations, 2012, Eq. 9):
//!
//! > d = d₀ − A Cᵀ λ, S λ = C d₀ − τ, S = C A Cᵀ,
//!
//! d₀ the change without contacts, A the inverse Laplacian, and τ how far contacts shall move: 0 for what touches in
//! the input, the way to the surface for what an edit would push through. A column of A per vertex in contact gives S,
//! once; each warp costs one more solve. Rows that repeat others are left out by pivoting. All of it is meant in
//! space, after the turns of floating components: A is the same along all axes.

use super::error::WarpError;
use super::input::InputFrame;
use super::{COLUMNS_PER_SOLVE, Warp};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// A row is left out when others explain all but this part of it.
const DEPENDENT: f64 = 1e-13;

/// A contact that the warp keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpContact {
    /// What touches: a vertex with weight 1, a point in an element, or the difference of two vertices that
    /// touch each other, with weights 1 and −1.
    pub vertices: Vec<(VertexId, f64)>,
    /// The normal along which it may not move, in space; `None` where it may not move at all.
    pub normal: Option<Vec3>,
    /// How far it shall be from where the input has it, in space; of what has a normal only the part along it counts.
    pub shift: Vec3,
}

/// C and the factor of S.
#[derive(Debug)]
pub(super) struct Held {
    rows: Vec<Row>,
    /// L of S = L Lᵀ over the rows that are kept, row by row.
    factor: Vec<Vec<f64>>,
    /// τ of these rows; nothing where all are 0.
    shifts: Option<Vec<f64>>,
}

/// A row of C: vertices that may move, and the direction it reads there.
type Row = Vec<(VertexId, Vec3)>;

/// A row and its τ.
type Asked = (Row, f64);

impl Warp {
    /// Makes `frame` keep its contacts. An earlier set is replaced; none at all frees the frame.
    ///
    /// # Errors
    /// A contact on a vertex that does not exist, or with numbers that mean nothing.
    pub fn hold(&self, frame: &mut InputFrame, contacts: &[WarpContact]) -> Result<(), WarpError> {
        let mut rows = Vec::new();
        for contact in contacts {
            self.check_vertices(&contact.vertices)?;
            let degenerate = || WarpError::Degenerate { vertex: contact.vertices[0].0 };
            if !contact.shift.iter().all(|x| x.is_finite()) {
                return Err(degenerate());
            }
            match contact.normal {
                Some(normal) => {
                    let unit = normal.try_normalize(0.0).filter(|n| n.iter().all(|x| x.is_finite()));
                    rows.push(self.contact_row(contact, unit.ok_or_else(degenerate)?));
                }
                None => {
                    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
                    rows.extend(axes.map(|axis| self.contact_row(contact, axis)));
                }
            }
        }
        rows.retain(|(row, _): &Asked| !row.is_empty());
        frame.held = (!rows.is_empty()).then(|| Arc::new(self.factor_contacts(rows)));
        Ok(())
    }

    /// What a contact reads along `direction`, and what that shall be; anchored vertices never change.
    fn contact_row(&self, contact: &WarpContact, direction: Vec3) -> Asked {
        let moving = contact.vertices.iter().filter(|(v, w)| self.free[v.index()] && *w != 0.0);
        (moving.map(|(v, w)| (*v, direction * *w)).collect(), contact.shift.dot(&direction))
    }

    fn factor_contacts(&self, asked: Vec<Asked>) -> Held {
        let (rows, shifts): (Vec<Row>, Vec<f64>) = asked.into_iter().unzip();
        let mut vertices: Vec<VertexId> = rows.iter().flatten().map(|(v, _)| *v).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let place = |v: &VertexId| vertices.binary_search(v).expect("every vertex of a row");
        // A between vertices in contact, column by column.
        let n = self.vertices();
        let mut between = Vec::with_capacity(vertices.len() * vertices.len());
        let mut room = Vec::new();
        for block in vertices.chunks(COLUMNS_PER_SOLVE) {
            let mut columns = vec![0.0; n * block.len()];
            for (v, column) in block.iter().zip(columns.chunks_exact_mut(n)) {
                column[v.index()] = 1.0;
            }
            self.poisson.solve(&mut columns, n, &mut room);
            for column in columns.chunks_exact(n) {
                between.extend(vertices.iter().map(|v| column[v.index()]));
            }
        }
        let entry = |a: &Row, b: &Row| -> f64 {
            let pairs = a.iter().flat_map(|(v, x)| b.iter().map(move |(w, y)| (v, w, x.dot(y))));
            pairs.map(|(v, w, dot)| dot * between[place(v) * vertices.len() + place(w)]).sum()
        };
        Held::new(rows, &shifts, entry)
    }
}

impl Held {
    /// Cholesky with the largest pivot first, rows scaled to a unit diagonal.
    fn new(rows: Vec<Row>, shifts: &[f64], entry: impl Fn(&Row, &Row) -> f64) -> Self {
        let scales: Vec<f64> = rows.iter().map(|row| entry(row, row).max(0.0).sqrt().recip()).collect();
        let mut left: Vec<usize> = (0..rows.len()).filter(|&k| scales[k].is_finite()).collect();
        let mut pivots: Vec<f64> = vec![1.0; rows.len()];
        // Column by column of L over all rows; entries of rows already chosen are not needed any more.
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut chosen: Vec<usize> = Vec::new();
        while let Some(next) =
            left.iter().copied().max_by(|&a, &b| pivots[a].total_cmp(&pivots[b]).then(b.cmp(&a)))
        {
            if pivots[next] <= DEPENDENT {
                break;
            }
            left.retain(|&k| k != next);
            let root = pivots[next].sqrt();
            let mut column = vec![0.0; rows.len()];
            column[next] = root;
            for &k in &left {
                let before: f64 = columns.iter().map(|column| column[k] * column[next]).sum();
                column[k] = (entry(&rows[k], &rows[next]) * scales[k] * scales[next] - before) / root;
                pivots[k] -= column[k] * column[k];
            }
            columns.push(column);
            chosen.push(next);
        }
        let factor = (0..chosen.len()).map(|i| (0..=i).map(|j| columns[j][chosen[i]]).collect()).collect();
        let scaled = |k: usize| rows[k].iter().map(|(v, x)| (*v, x * scales[k])).collect();
        let shifts = shifts
            .iter()
            .any(|shift| *shift != 0.0)
            .then(|| chosen.iter().map(|&k| shifts[k] * scales[k]).collect());
        Self { rows: chosen.into_iter().map(scaled).collect(), factor, shifts }
    }

    /// λ for a change d, three columns of n numbers, after which contacts are where they shall be.
    pub fn multipliers(&self, d: &[f64], n: usize) -> Vec<f64> {
        let mut missing = self.read(d, n);
        if let Some(shifts) = &self.shifts {
            missing.iter_mut().zip(shifts).for_each(|(read, shift)| *read -= shift);
        }
        self.solve(missing)
    }

    /// S⁻¹ C d: λ where contacts shall stay where they are.
    pub fn reactions(&self, d: &[f64], n: usize) -> Vec<f64> {
        self.solve(self.read(d, n))
    }

    /// λᵀ τ.
    pub fn shifted(&self, lambda: &[f64]) -> f64 {
        let shifts = self.shifts.iter().flatten();
        lambda.iter().zip(shifts).map(|(lambda, shift)| lambda * shift).sum()
    }

    /// C d.
    fn read(&self, d: &[f64], n: usize) -> Vec<f64> {
        let read = |row: &Row| -> f64 {
            row.iter().map(|(v, x)| (0..3).map(|c| x[c] * d[c * n + v.index()]).sum::<f64>()).sum()
        };
        self.rows.iter().map(read).collect()
    }

    /// S⁻¹ x.
    fn solve(&self, mut lambda: Vec<f64>) -> Vec<f64> {
        for i in 0..lambda.len() {
            let before: f64 = self.factor[i][..i].iter().zip(&lambda).map(|(l, x)| l * x).sum();
            lambda[i] = (lambda[i] - before) / self.factor[i][i];
        }
        for i in (0..lambda.len()).rev() {
            lambda[i] /= self.factor[i][i];
            for j in 0..i {
                lambda[j] -= self.factor[i][j] * lambda[i];
            }
        }
        lambda
    }

    /// Adds Cᵀ λ to three columns of n numbers.
    pub fn add_forces(&self, lambda: &[f64], out: &mut [f64], n: usize) {
        for (row, lambda) in self.rows.iter().zip(lambda) {
            for (v, x) in row {
                for c in 0..3 {
                    out[c * n + v.index()] += lambda * x[c];
                }
            }
        }
    }
}
