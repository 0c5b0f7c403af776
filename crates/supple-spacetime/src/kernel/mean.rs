//! What a path is given beside what rows ask: where it begins and ends, and a constant force along it.
//!
//! With a load F on a mode (gravity, say) the energy is
//!
//! > E(z) = ½∫ ((z̈ + 2δż + λz − F)² + εz² + ηż²) dt,
//!
//! and the mean path z̄ is the least of it among all paths with the given ends. Rows are then asked of the rest: of all
//! paths that do what rows ask, the least costly one is z̄ + u, u the kernel's answer to what z̄ lacks of their targets,
//! and E(z̄ + u) = E(z̄) + ½⟨u,u⟩. With a free end and no cost of positions and velocities (ε = η = 0) z̄ is the motion
//! that nothing else drives, z̈ + 2δż + λz = F, from the given start.
//!
//! With λ', δ' and G of [`super::reach`] and F' = Fλ/λ' (F if λ' = 0), the states s₀, s_e at the ends,
//!
//! > E = ½∫(f' − F')² dt − ½ s_eᵀGs_e + hᵀs_e + ½ s₀ᵀGs₀ − hᵀs₀ + const, h = (2δ'F' − 2δF, F' − F).
//!
//! Known from the start at time t is m_t = Φ(t) m₀ + F' c(t), c the response to a unit force, with the covariance P_t of
//! [`super::open`]. The end adds a costate y, which is carried back to t:
//!
//! > z̄(t) = m_t + P_t Φ(e−t)ᵀ y.
//!
//! | start | m₀ | end | y |
//! |---|---|---|---|
//! | clamped | the state given | clamped | P_e⁻¹ (s_e − m_e), s_e the state given |
//! | free | G⁻¹ h | free | (I − GP_e)⁻¹ (G m_e − h) |
//! | arriving | (F'/λ', 0), where the load alone leads | | |
//!
//! In a loop z̄ = F'/λ' throughout. Under the smooth kernel z̄(t) = cov(t, c) C⁻¹ c for the values c of clamped ends; it
//! knows no forces, hence no load.

use super::modes::Modes;
use super::open::Open;
use super::oscillator::inverse;
use super::reach::{Energy, Factored};
use super::settings::{End, Ends, Start};
use super::smooth::{HELD, Smooth};
use super::{Kernel, Order, Shape};
use crate::error::{Quantity, SpacetimeError};
use nalgebra::{Matrix2, Vector2};
use std::sync::Arc;
use supple_model::Instant;

/// Positions and velocities of all modes at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModalState {
    /// z, one number per mode.
    pub position: Vec<f64>,
    /// ż, per second of the body's own time.
    pub velocity: Vec<f64>,
}

/// What a path is given beside what rows ask.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Where it begins; at rest if `None`. The kernel's start must be clamped to a frame.
    pub start: Option<ModalState>,
    /// Where it ends; at rest if `None`. The kernel's end must be clamped to a frame.
    pub end: Option<ModalState>,
    /// F, a constant force on every mode; none if `None`. For modes that are orthonormal in the mass gravity is UᵀMg.
    pub load: Option<Vec<f64>>,
}

/// The least costly path with given ends under a given load: what rows are asked beside.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use supple_spacetime::{Given, Kernel, MeanPath, Order, Oscillator, Settings};
///
/// // A mass without stiffness falls.
/// let rigid = Oscillator { eigenvalue: 0.0, delta: 0.0 };
/// let kernel = Arc::new(Kernel::new(&[rigid], Settings::new(25, 1.0 / 24.0))?);
/// let mean = MeanPath::new(kernel, &Given { load: Some(vec![-9.81]), ..Given::default() })?;
/// let mut z = [0.0];
/// mean.at(18.5, Order::Position, &mut z);
/// let t: f64 = 18.5 / 24.0;
/// assert!((z[0] + 0.5 * 9.81 * t * t).abs() < 1e-12);
/// # Ok::<(), supple_spacetime::SpacetimeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeanPath {
    kernel: Arc<Kernel>,
    course: Course,
    /// F, if there is one.
    load: Option<Vec<f64>>,
}

/// What is known of every mode.
#[derive(Clone, Debug)]
enum Course {
    Open(Vec<Known>),
    /// F'/λ'.
    Loop(Vec<f64>),
    /// C⁻¹ c in terms of w.
    Smooth(Vec<[f64; HELD]>),
}

/// What is known of a mode with two ends.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// m₀.
    start: Vector2<f64>,
    /// F'.
    force: f64,
    /// y.
    costate: Vector2<f64>,
    /// s_e of a clamped end.
    end: Option<Vector2<f64>>,
}

impl MeanPath {
    /// The mean path beside a kernel.
    ///
    /// # Errors
    /// When a number is missing or not finite, a state is given at an end that is not clamped to a frame, or a load to a
    /// kernel whose energy is not that of forces.
    pub fn new(kernel: Arc<Kernel>, given: &Given) -> Result<Self, SpacetimeError> {
        given.check(&kernel)?;
        let course = match kernel.shape() {
            Shape::Open(open) => Course::Open(known(&kernel, open, given)),
            Shape::Periodic(_) => {
                let steady = |(k, mode)| steady(mode, given.load_of(k))[0];
                Course::Loop(kernel.factored().iter().enumerate().map(steady).collect())
            }
            Shape::Smooth(smooth) => Course::Smooth(clamped(smooth, given, kernel.modes())),
        };
        Ok(Self { kernel, course, load: given.load.clone() })
    }

    /// F' and F of a mode.
    pub(crate) fn load(&self, k: usize) -> (f64, f64) {
        let load = |load: &Vec<f64>| (factored_load(&self.kernel.factored()[k], load[k]).0, load[k]);
        self.load.as_ref().map_or((0.0, 0.0), load)
    }

    /// The kernel it belongs to.
    #[must_use]
    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.kernel
    }

    /// Overwrites `out` with the position or velocity of every mode at a time; zero outside the window.
    ///
    /// # Panics
    /// When there is no such time, see [`Kernel::covariance`], or `out` has not one entry per mode.
    pub fn at(&self, at: impl Into<Instant>, order: Order, out: &mut [f64]) {
        assert_eq!(out.len(), self.kernel.modes(), "one entry per mode");
        out.fill(0.0);
        let Some(time) = self.kernel.local_time(at.into()) else { return };
        match (&self.course, self.kernel.shape()) {
            (Course::Open(known), Shape::Open(open)) => {
                for (k, (out, known)) in out.iter_mut().zip(known).enumerate() {
                    *out = known.at(open, &self.kernel.modes, k, time)[order.index()];
                }
            }
            (Course::Smooth(values), Shape::Smooth(smooth)) => {
                let Some(w) = smooth.known_at(time) else { return };
                for (out, x) in out.iter_mut().zip(values) {
                    *out = (0..HELD).map(|p| w[order.index()][p] * x[p]).sum();
                }
            }
            (Course::Loop(steady), _) if order == Order::Position => out.copy_from_slice(steady),
            _ => {}
        }
    }
}

impl Given {
    fn load_of(&self, k: usize) -> f64 {
        self.load.as_ref().map_or(0.0, |load| load[k])
    }

    fn check(&self, kernel: &Kernel) -> Result<(), SpacetimeError> {
        let modes = kernel.modes();
        let count = |quantity: Quantity, numbers: &[f64]| {
            if numbers.len() != modes {
                return Err(SpacetimeError::GivenCount { quantity, found: numbers.len(), modes });
            }
            let bad = numbers.iter().position(|x| !x.is_finite());
            bad.map_or(Ok(()), |mode| Err(SpacetimeError::NotFinite { mode, quantity, value: numbers[mode] }))
        };
        let (start, end) = match kernel.settings().ends {
            Ends::Open { start, end } => (start == Start::Rest, end == End::Rest),
            Ends::Loop { .. } => (false, false),
        };
        for (state, is_clamped, [position, velocity]) in [
            (&self.start, start, [Quantity::StartPosition, Quantity::StartVelocity]),
            (&self.end, end, [Quantity::EndPosition, Quantity::EndVelocity]),
        ] {
            let Some(state) = state else { continue };
            if !is_clamped {
                return Err(SpacetimeError::NotClamped { quantity: position });
            }
            count(position, &state.position)?;
            count(velocity, &state.velocity)?;
        }
        let Some(load) = &self.load else { return Ok(()) };
        if kernel.settings().energy != Energy::Force {
            return Err(SpacetimeError::LoadWithoutForces);
        }
        count(Quantity::Load, load)
    }
}

/// One mode of a state; at rest if there is none.
fn state_of(state: Option<&ModalState>, k: usize) -> Vector2<f64> {
    state.map_or(Vector2::zeros(), |state| Vector2::new(state.position[k], state.velocity[k]))
}

/// What is known of every mode with two ends.
fn known(kernel: &Kernel, open: &Open, given: &Given) -> Vec<Known> {
    let modes = &kernel.modes;
    let of = |(k, mode): (usize, &Factored)| {
        let load = given.load_of(k);
        let (force, h) = factored_load(mode, load);
        let start = match open.start() {
            Start::Rest | Start::RestAtHalf => state_of(given.start.as_ref(), k),
            Start::Free => mode.free_start().map_or(Vector2::zeros(), |P| P * h),
            Start::Arriving => steady(mode, load),
        };
        let end = (open.end() != End::Free).then(|| state_of(given.end.as_ref(), k));
        let mut known = Known { start, force, costate: Vector2::zeros(), end };
        let last = open.last_time();
        let (m, P) = (known.begun(open, modes, k, last), open.prior_of(modes, k, last));
        known.costate = match end {
            Some(end) => inverse(&P) * (end - m),
            None => inverse(&(Matrix2::identity() - mode.end * P)) * (mode.end * m - h),
        };
        known
    };
    modes.factored.iter().enumerate().map(of).collect()
}

/// F' and h. With d = λ' − λ and x = δ' − δ, h = F/λ' (2(xλ − δd), −d), which has no difference of large numbers in it.
fn factored_load(mode: &Factored, load: f64) -> (f64, Vector2<f64>) {
    let (from, stiffness) = (mode.from, mode.oscillator.eigenvalue);
    let (d, x) = (mode.eigenvalue_gain, mode.delta_gain);
    if stiffness == 0.0 {
        return (load, Vector2::new(2.0 * x * load, 0.0));
    }
    let share = load / stiffness;
    let h = Vector2::new(2.0 * share * (x * from.eigenvalue - from.delta * d), -share * d);
    (share * from.eigenvalue, h)
}

/// Where a load alone leads in the end, (F'/λ', 0).
fn steady(mode: &Factored, load: f64) -> Vector2<f64> {
    Vector2::new(factored_load(mode, load).0 / mode.oscillator.eigenvalue, 0.0)
}

/// C⁻¹ c of the smooth kernel, in terms of w.
fn clamped(smooth: &Smooth, given: &Given, modes: usize) -> Vec<[f64; HELD]> {
    let value = |k: usize| {
        let (start, end) = (state_of(given.start.as_ref(), k), state_of(given.end.as_ref(), k));
        smooth.whitened(|frame, order| if frame == 0 { start[order] } else { end[order] })
    };
    (0..modes).map(value).collect()
}

impl Known {
    /// z̄ and its velocity, for mode k at a local time.
    fn at(&self, open: &Open, modes: &Modes, k: usize, time: f64) -> Vector2<f64> {
        let left = open.left(time) * modes.dt;
        if let Some(end) = self.end.filter(|_| left <= 0.0) {
            return end;
        }
        let m = self.begun(open, modes, k, time);
        if self.costate == Vector2::zeros() {
            return m;
        }
        let back = modes.factored[k].oscillator.transition(left).transpose() * self.costate;
        m + open.prior_of(modes, k, time) * back
    }

    /// m_t.
    fn begun(&self, open: &Open, modes: &Modes, k: usize, time: f64) -> Vector2<f64> {
        let oscillator = modes.factored[k].oscillator;
        let since = open.since(time) * modes.dt;
        oscillator.transition(since) * self.start + oscillator.response(since) * self.force
    }
}
