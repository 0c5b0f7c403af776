//! A handle in the hand: steps of Broyden's method that leave U alone.
//!
//! When a handle is taken, the edit u₀ and the linearization J of all rows there are made exactly once. While it is
//! dragged the edit stays in the span of what the rows move,
//!
//! > u(α) = u₀ + Σ_b A_b α_b, A = P Jᵀ S⁺,
//!
//! one unknown per row: α_b is how far row b is to go, as J sees it. The body prepares the displacements of the A_b
//! at the times of the handles ([`Readout::restrict`], a pass over U), and the rows
//!
//! > R(α) = target − W(u(α)) − e(α) = 0
//!
//! are solved by Broyden's method. Its matrix H ≈ −(∂R/∂α)⁻¹ is exact at the start, where it is I, and each look at W
//! improves it: events that follow each other need one or two looks. Contacts are part of P and hold throughout.
//!
//! With many handles at many frames not all A_b are prepared everywhere. A_b moves, to first order, no row but b; at
//! the frame of a handle that is not in the hand, all that counts are the rows in the hand and its own.
//!
//! The directions wear: as the body turns, J is no longer what it was and u(α) costs more than it need. How far W has
//! left the tangent, |W(α) − W(0) + e − α|/|α|, tells. From [`WORN`] on a report asks for a new grip, which the caller
//! makes when there is time; from [`WORN_OUT`] on, or when the rows cannot be met, the step does it itself. Where not
//! all directions are prepared what is neglected grows with the third power of the bend, and [`WORN`] is the limit.

use super::report::DragReport;
use crate::HandleId;
use crate::error::SpacetimeError;
use crate::kernel::Order;
use crate::path::Path;
use crate::sqp::{HandleError, Layout, Problem, State, Stop, Tangent, Vector, add, largest, of_values};
use faer::Mat;
use nalgebra::{DMatrix, DVector};
use std::sync::{Arc, OnceLock};
use supple_model::{Along, Ask, Instant, Readout, Restricted};

/// How far from linear directions may be before they should be made anew,
const WORN: f64 = 0.08;
/// and before they must be.
const WORN_OUT: f64 = 0.15;
/// Looks at W in one step.
const LOOKS: usize = 6;
/// A look must bring the residual below this part, or the rows cannot be met along these directions.
const NEARER: f64 = 0.7;
/// Displacements up to which all directions are prepared at all frames,
const ALL: usize = 64;
/// and beyond which none are.
const MOST: usize = 256;

/// How a live step went.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveReport {
    /// The errors of all handles, soft ones too, in the order of ids.
    pub errors: Vec<HandleError>,
    /// How often the body was looked at.
    pub looks: usize,
    /// How far from linear the way since the handle was taken is, as a part of it.
    pub bend: f64,
    /// What the path costs; the errors of soft contacts included.
    pub energy: f64,
    /// Whether the handle should be taken anew ([`super::Drag::grab`]) when there is time.
    pub is_worn: bool,
    /// The report of the full step that was made, if one was: directions were worn out, did not lead to the target,
    /// or there are none.
    pub refreshed: Option<DragReport>,
}

/// A time during a drag: z + D α, α being [`super::Drag::amounts`].
#[derive(Clone, Debug)]
pub struct LiveView {
    /// Modal coordinates when the handle was taken.
    pub z: Vec<f64>,
    /// D, modes × rows.
    pub directions: Mat<f64>,
}

/// A handle in the hand, followed along fixed directions.
#[derive(Clone, Debug)]
pub(super) struct Broyden {
    layout: Arc<Layout>,
    /// u₀.
    start: Vector,
    /// A.
    directions: Arc<Vec<Vector>>,
    stops: Arc<Vec<Gauge>>,
    prepared: Option<Arc<dyn Restricted>>,
    /// S S⁺: of a row, the part that the edit can change.
    reach: DMatrix<f64>,
    /// −W − e, at 0 and at α.
    read: [DVector<f64>; 2],
    /// The largest part of R at 0 that the edit cannot change.
    missing: f64,
    /// From how much bend on directions must not be used.
    limit: f64,
    pub alpha: DVector<f64>,
    H: DMatrix<f64>,
    /// The paths of u₀ and of each A, once a frame is asked for.
    paths: Arc<OnceLock<(Path, Vec<Path>)>>,
}

/// A time of handles, and the rows whose directions count there.
#[derive(Debug)]
struct Gauge {
    stop: Stop,
    rows: Vec<usize>,
    z: Vec<f64>,
    /// A of those rows there, one after the other.
    directions: Vec<f64>,
}

/// What iterations led to.
pub(super) struct Followed {
    pub looks: usize,
    pub is_met: bool,
}

impl Broyden {
    /// With `hand` the handles that will be moved; none if there is too much to prepare.
    pub fn new(
        layout: Arc<Layout>,
        readout: &dyn Readout,
        state: &State,
        tangent: &Tangent,
        hand: &[HandleId],
    ) -> Option<Self> {
        let stops = layout.stops();
        let q = layout.rows;
        if q == 0 {
            return None;
        }
        let is_small = q * stops.len() <= ALL;
        let counts = |row: usize, stop: &Stop| {
            is_small
                || layout.held.iter().enumerate().any(|(k, held)| {
                    held.rows.contains(&row)
                        && (hand.contains(&held.goal.id) || stop.held.iter().any(|there| there.0 == k))
                })
        };
        let rows: Vec<Vec<usize>> =
            stops.iter().map(|stop| (0..q).filter(|&row| counts(row, stop)).collect()).collect();
        if rows.iter().map(|rows| 1 + rows.len()).sum::<usize>() > MOST {
            return None;
        }
        let directions = tangent.responses(layout.length());
        let states = layout.states(&state.edit.primal);
        let gauge = |(stop, rows): (Stop, Vec<usize>)| {
            let at = layout.at(stop.place);
            let own =
                rows.iter().flat_map(|&row| directions[row].primal[at.clone()].iter().copied()).collect();
            Gauge { z: states[stop.place].clone(), stop, rows, directions: own }
        };
        let stops: Vec<Gauge> = stops.into_iter().zip(rows).map(gauge).collect();
        let along: Vec<Along<'_>> =
            stops.iter().map(|gauge| gauge.stop.along(&gauge.z, &gauge.directions)).collect();
        let prepared = readout.restrict(&along).map(Arc::from);
        let here = -DVector::from_column_slice(&tangent.value) - layout.errors(&state.edit.primal);
        let (reach, rest) = (&tangent.S * tangent.inverse_matrix(), layout.targets() + &here);
        Some(Self {
            start: state.edit.clone(),
            directions: Arc::new(directions),
            stops: Arc::new(stops),
            prepared,
            missing: largest(&(&rest - &reach * &rest)),
            limit: if is_small { WORN_OUT } else { WORN },
            reach,
            read: [here.clone(), here],
            alpha: DVector::zeros(q),
            H: DMatrix::identity(q, q),
            paths: Arc::default(),
            layout,
        })
    }

    /// Follows the targets of `problem`, as far as it can; `close` is near enough.
    pub fn follow(&mut self, problem: &Problem<'_>, close: f64) -> Followed {
        let targets = problem.layout.targets();
        let mut residual = &self.reach * (&targets + &self.read[1]);
        let mut followed = Followed { looks: 0, is_met: largest(&residual) <= close };
        while !followed.is_met && followed.looks < LOOKS {
            let step = &self.H * &residual;
            let alpha = &self.alpha + &step;
            followed.looks += 1;
            let Ok(read) = self.read_at(problem.readout, &alpha) else { break };
            let next = &self.reach * (&targets + &read);
            let change = &residual - &next;
            if largest(&next) > NEARER * largest(&residual) {
                break;
            }
            self.learn(&step, &change);
            (self.alpha, self.read[1], residual) = (alpha, read, next);
            followed.is_met = largest(&residual) <= close;
        }
        let all = &targets + &self.read[1];
        followed.is_met &= largest(&(&all - &self.reach * &all)) <= self.missing + close;
        followed
    }

    /// Broyden's update: afterwards H y = s.
    fn learn(&mut self, s: &DVector<f64>, y: &DVector<f64>) {
        let seen = &self.H * y;
        let along = self.H.tr_mul(s);
        let product = along.dot(y);
        if product > 0.1 * s.norm_squared() {
            self.H.ger(1.0 / product, &(s - seen), &along, 1.0);
        }
    }

    /// −W − e at α.
    fn read_at(&self, readout: &dyn Readout, alpha: &DVector<f64>) -> Result<DVector<f64>, SpacetimeError> {
        let coefficients: Vec<Vec<f64>> =
            self.stops.iter().map(|gauge| gauge.rows.iter().map(|&row| alpha[row]).collect()).collect();
        let found = match &self.prepared {
            Some(prepared) => {
                prepared.values(&coefficients.iter().map(Vec::as_slice).collect::<Vec<&[f64]>>())
            }
            None => self.read_plainly(readout, &coefficients),
        };
        let stops = self.stops.iter().map(|gauge| &gauge.stop);
        let value = of_values(&self.layout, stops, &found)?;
        Ok(-DVector::from_vec(value) - self.layout.errors(&self.edit_at(alpha).primal))
    }

    /// The same of a body that has prepared nothing.
    fn read_plainly(&self, readout: &dyn Readout, coefficients: &[Vec<f64>]) -> Vec<[f64; 3]> {
        let mut states: Vec<Vec<f64>> = self.stops.iter().map(|gauge| gauge.z.clone()).collect();
        for ((z, gauge), c) in states.iter_mut().zip(self.stops.iter()).zip(coefficients) {
            for (direction, c) in gauge.directions.chunks_exact(self.layout.modes).zip(c) {
                add(z, *c, direction);
            }
        }
        let asks: Vec<Ask<'_>> = states
            .iter()
            .zip(self.stops.iter())
            .flat_map(|(z, gauge)| gauge.stop.sites.iter().map(|&site| Ask { site, at: gauge.stop.at, z }))
            .collect();
        readout.values(&asks)
    }

    /// u(α).
    pub fn edit(&self) -> Vector {
        self.edit_at(&self.alpha)
    }

    fn edit_at(&self, alpha: &DVector<f64>) -> Vector {
        let mut edit = self.start.clone();
        for (direction, alpha) in self.directions.iter().zip(alpha.iter()) {
            edit.add(*alpha, direction);
        }
        edit
    }

    /// How far W has left the tangent.
    pub fn bend(&self) -> f64 {
        let way = &self.reach * &self.alpha;
        let gone = &self.reach * (&self.read[0] - &self.read[1]);
        let far = way.norm();
        if far > 0.0 { (gone - way).norm() / far } else { 0.0 }
    }

    /// What became of the handles.
    pub fn report(&self, layout: &Layout, looks: usize) -> LiveReport {
        let (bend, edit) = (self.bend(), self.edit());
        let value = -(&self.read[1] + self.layout.errors(&edit.primal));
        let errors = layout.handle_errors(value.as_slice());
        let energy = layout.base_cost + 0.5 * edit.dot(&edit) - layout.penalty(&edit);
        LiveReport { errors, looks, bend, energy, is_worn: bend > WORN, refreshed: None }
    }

    /// Whether the directions must not be used any longer.
    pub fn is_worn_out(&self) -> bool {
        self.bend() > self.limit
    }

    /// z and D at a time.
    pub fn view(&self, at: Instant) -> LiveView {
        let (start, directions) = self.paths.get_or_init(|| {
            let duals: Vec<&[f64]> =
                self.directions.iter().map(|direction| direction.dual.as_slice()).collect();
            (self.layout.path(&self.start.dual), self.layout.paths(&duals, false))
        });
        let read = |path: &Path| {
            let mut z = vec![0.0; self.layout.modes];
            path.at(at, Order::Position, &mut z);
            z
        };
        let columns: Vec<Vec<f64>> = directions.iter().map(read).collect();
        LiveView {
            z: read(start),
            directions: Mat::from_fn(self.layout.modes, columns.len(), |k, b| columns[b][k]),
        }
    }
}
