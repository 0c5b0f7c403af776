//! What is asked, at one material: kernel, contacts and poses, the places of handles, and the motion that grants it.

use super::error::MaterialError;
use super::matter::Material;
use super::mixed::MixedReadout;
use super::poses::Posed;
use super::settings::MaterialSettings;
use crate::HandleId;
use crate::kernel::{Kernel, Settings};
use crate::path::Path;
use crate::rows::{Contacts, Hold, Row};
use crate::sqp::{
    Covector, Ending, Grip, Layout, Outcome, Prior, Problem, Reading, State, Tangent, Tolerance, Vector,
    linearized_at,
};
use nalgebra::DVector;
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::{Progress, Readout};

/// How often a way down from a saddle is looked for.
const DESCENTS: usize = 3;

/// What is asked, whatever the material.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub time: Settings,
    pub settings: &'a MaterialSettings,
    /// Over the body's modes.
    pub contacts: &'a [Row],
    pub poses: &'a [Posed],
    pub handles: &'a BTreeMap<HandleId, Grip>,
}

/// The same at one material.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub material: Material,
    pub layout: Layout,
    /// What poses cost that the shapes cannot hold.
    pub rest: f64,
}

/// A motion at a material.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub made: Arc<Made>,
    pub state: State,
    pub ending: Ending,
    /// What handles lack, row by row; of soft ones beside the errors they are granted.
    pub residual: DVector<f64>,
    /// The most that hard ones lack.
    pub missed: f64,
    /// ½ Σ w e² of soft handles.
    pub penalty: f64,
    /// V.
    pub value: f64,
    pub stationarity: f64,
}

/// What the body says at a motion: covectors over x̂ of every row, and what rows read with these.
pub(super) struct Seen {
    pub rows: Vec<Covector>,
    /// J x̂, and the errors of soft rows.
    pub reads: DVector<f64>,
}

impl Made {
    /// # Errors
    /// When no kernel can be made of the material, a contact is wrong, or the caller cancels.
    pub fn new(asked: &Asked<'_>, material: Material, progress: &Progress) -> Result<Self, MaterialError> {
        let kernel = Arc::new(Kernel::new(material.modes(), asked.time)?);
        let shapes = material.columns();
        let seen = |row: &Row| {
            let weights = shapes.iter().map(|column| crate::rows::dot(column, &row.weights)).collect();
            Row { weights, ..row.clone() }
        };
        let mut rows: Vec<Row> = asked.contacts.iter().map(seen).collect();
        rows.extend(asked.poses.iter().flat_map(|pose| pose.rows(&material)));
        let contacts = if rows.is_empty() {
            Contacts::none(kernel.clone())
        } else {
            Contacts::new(kernel.clone(), rows, progress)?
        };
        let rest = asked.poses.iter().map(|pose| pose.cost_of_rest(&material)).sum();
        let prior = Prior { kernel, contacts: Arc::new(contacts), mean: None };
        Ok(Self { layout: Layout::new(prior, goals(asked), usize::MAX), material, rest })
    }

    /// The same with the handles as they are now.
    pub fn with_handles(&self, asked: &Asked<'_>) -> Self {
        let layout = Layout::new(self.layout.prior().clone(), goals(asked), usize::MAX);
        Self { material: self.material.clone(), layout, rest: self.rest }
    }

    /// The edit that reads what was seen, where rows are linear, at least cost.
    pub fn reading_as(&self, seen: &Seen) -> State {
        let through = |row: &Covector| {
            let part = |(place, covector): &(usize, Vec<f64>)| {
                let column = DVector::from_column_slice(covector);
                (*place, self.material.S.tr_mul(&column).as_slice().to_vec())
            };
            Covector { parts: row.parts.iter().map(part).collect() }
        };
        let rows: Vec<Covector> = seen.rows.iter().map(through).collect();
        let tangent = Tangent::of(&self.layout, Reading { value: vec![0.0; rows.len()], rows });
        let lacking = &seen.reads - tangent.reads(&self.layout.base());
        let mut edit = Vector::zero(self.layout.length());
        tangent.add_pulls(&mut edit, 1.0, &tangent.inverse(&lacking));
        State::at(edit)
    }

    /// The motion of a state.
    pub fn path(&self, state: &State) -> Path {
        self.layout.path(&state.edit.dual)
    }
}

fn goals(asked: &Asked<'_>) -> Vec<crate::sqp::Goal> {
    asked.handles.iter().map(|(&id, grip)| grip.goal(id)).collect()
}

impl Asked<'_> {
    /// The least costly motion at a material, from a state.
    ///
    /// # Errors
    /// When the readout is not finite there, or the caller cancels.
    pub fn solved(
        &self,
        made: Arc<Made>,
        mut state: State,
        readout: &dyn Readout,
        (tolerance, iterations): (Tolerance, usize),
        progress: &Progress,
    ) -> Result<Found, MaterialError> {
        let mixed = MixedReadout::new(readout, made.material.columns().to_vec());
        let problem = Problem { layout: &made.layout, readout: &mixed, size: self.settings.size };
        let outcome = problem.solve(&mut state, tolerance, iterations, progress)?;
        Ok(found(made, state, outcome))
    }

    /// The same, and from beside the saddles that leads to.
    ///
    /// # Errors
    /// As [`Self::solved`].
    pub fn settled(
        &self,
        made: Arc<Made>,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<Found, MaterialError> {
        let how = (self.settings.release, self.settings.release_iterations);
        let zero = State::at(Vector::zero(made.layout.length()));
        let mut best = self.solved(made, zero, readout, how, progress)?;
        for _ in 0..DESCENTS {
            if best.ending != Ending::Settled || progress.is_stopped() {
                break;
            }
            let mixed = MixedReadout::new(readout, best.made.material.columns().to_vec());
            let problem = Problem { layout: &best.made.layout, readout: &mixed, size: self.settings.size };
            let tangent = problem.tangent(&mut best.state)?;
            let gap = problem.gap(&best.state, &tangent);
            let Some(aside) = problem.aside(&best.state, &tangent, &gap) else { break };
            let other = self.solved(best.made.clone(), State::at(aside), readout, how, progress)?;
            if !self.is_better(&other, &best, self.settings.release) {
                break;
            }
            best = other;
        }
        Ok(best)
    }

    /// Whether handles are where they are asked to be as nearly as before, and V is less.
    pub fn is_better(&self, found: &Found, known: &Found, tolerance: Tolerance) -> bool {
        let close = tolerance.position * self.settings.size;
        found.missed <= known.missed.max(close) && found.value < known.value
    }

    /// What the body says at a motion.
    ///
    /// # Errors
    /// When the readout is not finite there.
    pub fn seen(&self, found: &Found, readout: &dyn Readout) -> Result<Seen, MaterialError> {
        let Found { made, state, .. } = found;
        let x: Vec<Vec<f64>> =
            made.layout.states(&state.edit.primal).iter().map(|z| made.material.coordinates(z)).collect();
        let Reading { mut rows, .. } = linearized_at(&made.layout, readout, &x, Vec::new())?;
        let mut reads = made.layout.errors(&state.edit.primal);
        let soft = made.layout.soft_entries();
        for ((read, lacking), _) in
            reads.iter_mut().zip(&found.residual).zip(&soft).filter(|(_, soft)| soft.is_some())
        {
            *read += lacking;
        }
        let scale = made.material.scale();
        for (row, read) in rows.iter_mut().zip(reads.iter_mut()) {
            for (place, covector) in &mut row.parts {
                *read += crate::rows::dot(covector, &x[*place]);
                covector.iter_mut().zip(scale).for_each(|(x, c)| *x *= c);
            }
        }
        Ok(Seen { rows, reads })
    }

    /// ½ Σ w e² of soft contacts and poses, by what they pull with.
    pub fn contact_penalty(&self, made: &Made, state: &State) -> f64 {
        let pulls = made.layout.contact_multipliers(&state.edit.dual);
        let shapes = made.material.S.ncols();
        let holds = self.contacts.iter().map(|row| row.hold);
        let holds = holds.chain(self.poses.iter().flat_map(|pose| std::iter::repeat_n(pose.hold, shapes)));
        let of = |(hold, pull): (Hold, &f64)| 0.5 * hold.compliance() * pull * pull;
        holds.zip(&pulls).map(of).sum()
    }
}

fn found(made: Arc<Made>, state: State, outcome: Outcome) -> Found {
    let Outcome { ending, gap, .. } = outcome;
    let (layout, edit) = (&made.layout, &state.edit);
    // Rows that repeat others but for their softness are left out of the solution: what they lack is no less an error.
    let errors = layout.errors(&edit.primal) + &gap.residual;
    let (mut missed, mut penalty) = (0.0_f64, 0.0);
    for (row, soft) in layout.soft_entries().into_iter().enumerate() {
        match soft {
            Some(soft) => penalty += 0.5 * errors[row] * errors[row] / layout.compliance(soft),
            None => missed = missed.max(errors[row].abs()),
        }
    }
    let force = layout.base_cost + 0.5 * edit.dot(edit).max(0.0) - layout.penalty(edit);
    let value = force + penalty + made.rest;
    let stationarity = if gap.size > 0.0 { gap.gradient / gap.size } else { 0.0 };
    Found { made, state, ending, residual: gap.residual, missed, penalty, value, stationarity }
}
