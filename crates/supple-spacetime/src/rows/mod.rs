//! What is asked of an edit, and the multipliers that grant it at least cost.
//!
//! Rows a ask c_a · z(i_a) = t_a, of positions or velocities, at frames or any other times. With the kernel P and
//!
//! > S_ab = Σ_k c_ak c_bk P_k(i_a,i_b)\[o_a,o_b\] (+ 1/w_a on the diagonal of a soft row of weight w_a),
//!
//! the least costly path is z_k(i) = Σ_a P_k(i,i_a)\[0,o_a\] c_ak μ_a with μ = S⁺ t; its energy is ½ μᵀ S μ, 1/w left out
//! (Barbič 2012, Eq. 5 and App. B, with P in place of the inverse of the finite-difference matrix).
//!
//! | rows | how often they change | how they are held |
//! |---|---|---|
//! | contacts | never | one pivoted Cholesky factorization, [`contacts`], [`system`], [`pivoted`] |
//! | handles | added, moved, removed | the Schur complement of the contacts, one small pseudoinverse, [`pseudoinverse`] |
//!
//! With L the contacts' factor, Y_h = L⁻¹ S_ch and u = L⁻¹ t_c:
//!
//! ```text
//! add a handle      S_hh' − Y_hᵀ Y_h' against itself and every other handle h'; nothing else is touched
//! remove it         forget these
//! move it           μ_h = (S_hh − YᵀY)⁺ (t_h − Yᵀ u),  μ_c = L⁻ᵀ (u − Y μ_h)
//! ```
//!
//! Handles stand in the order of their ids and each pair's block is computed from the two alone, so the result is
//! a function of what is there, to the last bit, and not of how it came to be.

mod contacts;
mod edit;
mod pivoted;
mod pseudoinverse;
mod row;
mod system;

pub use edit::{Edit, Report, Unmet};
pub use row::{Hold, Row};

pub(crate) use contacts::{Contacts, Coupling};
pub(crate) use system::dot;

use crate::HandleId;
use crate::error::{RowName, SpacetimeError};
use crate::kernel::{Kernel, Moment, Order};
use crate::path::Path;
use faer::Mat;
use pseudoinverse::Pseudoinverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::{Instant, Progress};
use system::inverse_root;

/// Contacts and handles on one kernel.
#[derive(Clone, Debug)]
pub struct Constraints {
    kernel: Arc<Kernel>,
    contacts: Arc<Contacts>,
    handles: BTreeMap<HandleId, Handle>,
    /// S_hh' − Y_hᵀ Y_h' of every pair, the lower id first.
    blocks: BTreeMap<(HandleId, HandleId), Mat<f64>>,
    /// That of all blocks together, while the handles stay the same.
    inverse: Option<Arc<Pseudoinverse>>,
}

/// A group of rows that come and go together, usually the three coordinates of a vertex.
#[derive(Clone, Debug)]
struct Handle {
    rows: Vec<Row>,
    /// When each is.
    moments: Vec<Moment>,
    coupling: Coupling,
    /// D: 1/√S_aa, 1/w included.
    scale: Vec<f64>,
}

impl Constraints {
    /// No contacts, no handles.
    #[must_use]
    pub fn new(kernel: Arc<Kernel>) -> Self {
        Self::over(kernel.clone(), Contacts::none(kernel))
    }

    /// These contacts, factored, and no handles.
    ///
    /// A contact at a frame where the edit is at rest anyway is left out if its target is zero.
    ///
    /// # Errors
    /// When a row is wrong, naming its place in the list, or the caller cancels.
    pub fn with_contacts(
        kernel: Arc<Kernel>,
        rows: Vec<Row>,
        progress: &Progress,
    ) -> Result<Self, SpacetimeError> {
        let contacts = Contacts::new(kernel.clone(), rows, progress)?;
        Ok(Self::over(kernel, contacts))
    }

    fn over(kernel: Arc<Kernel>, contacts: Contacts) -> Self {
        Self {
            kernel,
            contacts: Arc::new(contacts),
            handles: BTreeMap::new(),
            blocks: BTreeMap::new(),
            inverse: None,
        }
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// The contacts, factored.
    pub(crate) fn contacts(&self) -> &Arc<Contacts> {
        &self.contacts
    }

    /// The handles there are, in the order of their ids.
    pub fn handles(&self) -> impl Iterator<Item = (HandleId, &[Row])> {
        self.handles.iter().map(|(id, handle)| (*id, handle.rows.as_slice()))
    }

    /// Adds a handle.
    ///
    /// # Errors
    /// When the id is taken or a row is wrong: its time outside the window or at rest, a number not finite.
    pub fn add(&mut self, id: HandleId, rows: Vec<Row>) -> Result<(), SpacetimeError> {
        if self.handles.contains_key(&id) {
            return Err(SpacetimeError::HandleTaken(id));
        }
        if rows.is_empty() {
            return Err(SpacetimeError::EmptyHandle(id));
        }
        for (index, row) in rows.iter().enumerate() {
            let name = RowName::Handle(id, index);
            row.check(&self.kernel, name)?;
            self.kernel.movable(row.at).map_err(|problem| SpacetimeError::Frame { row: name, problem })?;
        }
        let coupling = self.contacts.couple(&rows);
        let moments = rows.iter().map(|row| self.kernel.moment(row.at)).collect();
        let mut handle = Handle { rows, moments, coupling, scale: Vec::new() };
        let mut own = self.gram(&handle, &handle);
        handle.scale = handle
            .rows
            .iter()
            .enumerate()
            .map(|(a, row)| {
                own[(a, a)] += row.hold.compliance();
                inverse_root(own[(a, a)])
            })
            .collect();
        take_explained(&mut own, &handle, &handle);
        self.blocks.insert((id, id), own);
        for (&other, there) in &self.handles {
            let key = (id.min(other), id.max(other));
            let (first, second) = if id < other { (&handle, there) } else { (there, &handle) };
            let mut block = self.gram(first, second);
            take_explained(&mut block, first, second);
            self.blocks.insert(key, block);
        }
        self.handles.insert(id, handle);
        self.inverse = None;
        Ok(())
    }

    /// Gives a handle other targets.
    ///
    /// # Errors
    /// When there is no such handle, or not one finite target per row.
    pub fn set_targets(&mut self, id: HandleId, targets: &[f64]) -> Result<(), SpacetimeError> {
        let handle = self.handles.get_mut(&id).ok_or(SpacetimeError::NoHandle(id))?;
        let rows = handle.rows.len();
        if targets.len() != rows {
            return Err(SpacetimeError::TargetCount { id, rows, targets: targets.len() });
        }
        if let Some(index) = targets.iter().position(|t| !t.is_finite()) {
            let row = RowName::Handle(id, index);
            return Err(SpacetimeError::BadTarget { row, value: targets[index] });
        }
        for (row, target) in handle.rows.iter_mut().zip(targets) {
            row.target = *target;
        }
        Ok(())
    }

    /// Removes a handle.
    ///
    /// # Errors
    /// When there is no such handle.
    pub fn remove(&mut self, id: HandleId) -> Result<(), SpacetimeError> {
        self.handles.remove(&id).ok_or(SpacetimeError::NoHandle(id))?;
        self.blocks.retain(|(a, b), _| *a != id && *b != id);
        self.inverse = None;
        Ok(())
    }

    /// The least costly edit that does what all rows ask.
    pub fn solve(&mut self) -> Edit {
        let inverse = self.inverse();
        edit::solve(self, &inverse)
    }

    /// The path that moves one row of a handle by one, all other targets being zero: edits are linear in their
    /// targets, so while a handle is dragged only multiples of this are added.
    ///
    /// # Errors
    /// When there is no such handle.
    ///
    /// # Panics
    /// When the handle has no such row.
    pub fn response(&mut self, id: HandleId, row: usize) -> Result<Path, SpacetimeError> {
        let handle = self.handles.get(&id).ok_or(SpacetimeError::NoHandle(id))?;
        assert!(row < handle.rows.len(), "{id} has no row {row}");
        let before: usize = self.handles.range(..id).map(|(_, handle)| handle.rows.len()).sum();
        let inverse = self.inverse();
        let mut t = vec![0.0; inverse.dropped.len()];
        t[before + row] = 1.0;
        let multipliers = inverse.solve(&t);
        Ok(edit::path(self, false, &multipliers).0)
    }

    fn inverse(&mut self) -> Arc<Pseudoinverse> {
        if let Some(inverse) = &self.inverse {
            return inverse.clone();
        }
        let mut starts = BTreeMap::new();
        let mut scale = Vec::new();
        for (id, handle) in &self.handles {
            starts.insert(*id, scale.len());
            scale.extend_from_slice(&handle.scale);
        }
        let mut S = Mat::zeros(scale.len(), scale.len());
        for ((a, b), block) in &self.blocks {
            for j in 0..block.ncols() {
                for i in 0..block.nrows() {
                    S[(starts[a] + i, starts[b] + j)] = block[(i, j)];
                    S[(starts[b] + j, starts[a] + i)] = block[(i, j)];
                }
            }
        }
        let inverse = Arc::new(Pseudoinverse::new(S, &scale));
        self.inverse = Some(inverse.clone());
        inverse
    }

    /// S of two handles' rows, 1/w left out.
    fn gram(&self, first: &Handle, second: &Handle) -> Mat<f64> {
        let mut gram = Mat::zeros(first.rows.len(), second.rows.len());
        let mut covariance = vec![0.0; self.kernel.modes()];
        let mut looked_up: Option<[(Instant, Order); 2]> = None;
        for (i, a) in first.rows.iter().enumerate() {
            for (j, b) in second.rows.iter().enumerate() {
                let places = [a.place(), b.place()];
                if looked_up != Some(places) {
                    let (one, other) = ((&first.moments[i], a.order), (&second.moments[j], b.order));
                    self.kernel.between(one, other, &mut covariance);
                    looked_up = Some(places);
                }
                gram[(i, j)] = weighted_dot(&a.weights, &b.weights, &covariance);
            }
        }
        gram
    }
}

/// Σ (x y) p, the same bits with x and y exchanged.
fn weighted_dot(x: &[f64], y: &[f64], p: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (xs, ys, ps) = (x.chunks_exact(LANES), y.chunks_exact(LANES), p.chunks_exact(LANES));
    let rest = xs.remainder().iter().zip(ys.remainder()).zip(ps.remainder());
    let rest: f64 = rest.map(|((x, y), p)| x * y * p).sum();
    for ((x, y), p) in xs.zip(ys).zip(ps) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane] * p[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// S_hh' − Y_hᵀ Y_h'.
fn take_explained(gram: &mut Mat<f64>, first: &Handle, second: &Handle) {
    fn column(Y: &Mat<f64>, index: usize) -> &[f64] {
        Y.col(index).try_as_col_major().map_or(&[], |column| column.as_slice())
    }
    for i in 0..gram.nrows() {
        for j in 0..gram.ncols() {
            gram[(i, j)] -= dot(column(&first.coupling.forward, i), column(&second.coupling.forward, j));
        }
    }
}
