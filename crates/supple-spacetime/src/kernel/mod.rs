//! The spacetime kernel: how a pull on a mode at one frame moves it at another.
//!
//! An edit of a motion is p = U z, z_k(t) the amplitude of mode k. It costs the force that the equations of
//! motion lack, E = ½ Σ_k ∫ (z̈_k + 2δ_k ż_k + λ_k z_k)² dt (Barbič 2012, Eq. 2, before its discretisation; the
//! same functional as in Schulz 2014). Every mode is an oscillator s = (z, ż) driven by f at the cost ½∫f².
//!
//! The least costly path with given values at some frames is Gaussian regression: if f were white noise, the
//! states would have the covariance P(i,j) (2×2, frames i and j), and that covariance is the reproducing kernel
//! of the cost. All that an edit needs is linear in it:
//!
//! > z(i) = Σ_a P(i, i_a)\[0, o_a\] c_a μ_a
//!
//! for rows a at frames i_a on position (o = 0) or velocity (o = 1); see [`crate::rows`].
//!
//! - [`Oscillator`]: Φ and Q of one mode, for every damping;
//! - [`Energy`], [`Reach`]: other energies, as other oscillators; the smooth one has one profile for all modes instead;
//! - [`Settings`], [`Ends`]: frames, window, rest, free ends and loops;
//! - [`Kernel`]: P(i,j) of all modes.
//!
//! Finite differences in time (Barbič 2012, App. A) converge to this kernel as dt → 0. With a free end they
//! break down as soon as λ·dt² > 4, where the explicit recurrence is unstable; the kernel is exact for any dt.

mod open;
mod oscillator;
mod periodic;
mod reach;
mod settings;
mod smooth;
mod table;

pub use oscillator::Oscillator;
pub use reach::{Energy, Reach};
pub use settings::{End, Ends, Home, Settings, Start};

pub(crate) use open::Open;
pub(crate) use oscillator::inverse;
pub(crate) use periodic::Periodic;
pub(crate) use reach::Factored;
pub(crate) use smooth::{Smooth, stages};
pub(crate) use table::Table;

use crate::error::{FrameProblem, Quantity, SpacetimeError};

/// Whether a row reads the position or the velocity of a mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// z.
    #[default]
    Position,
    /// ż, per second of the body's own time. A velocity per second of playback is to be multiplied by
    /// 1/(fps·dt).
    Velocity,
}

impl Order {
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Velocity => 1,
        }
    }
}

/// The covariance P(i,j) of every mode for every pair of frames.
///
/// # Examples
/// ```
/// use supple_spacetime::{Kernel, Order, Oscillator, Settings};
///
/// let mode = Oscillator { eigenvalue: 4.0, delta: 0.1 };
/// let kernel = Kernel::new(&[mode], Settings::new(120, 1.0 / 24.0))?;
/// let mut covariance = |i, j| {
///     let mut entry = [0.0];
///     kernel.covariance((i, Order::Position), (j, Order::Position), &mut entry);
///     entry[0]
/// };
/// // What a pull of one at frame 60 does to frame 66: most of it.
/// let follows = covariance(66, 60) / covariance(60, 60);
/// assert!(follows > 0.5 && follows < 1.0);
/// # Ok::<(), supple_spacetime::SpacetimeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kernel {
    settings: Settings,
    range: (usize, usize),
    count: usize,
    /// None for the smooth kernel.
    modes: Vec<Factored>,
    shape: Shape,
}

/// The tables behind a kernel.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Open(Open),
    Periodic(Periodic),
    Smooth(Smooth),
}

impl Kernel {
    /// The kernel of these modes. It takes about 100 bytes per mode and frame.
    ///
    /// # Errors
    /// When a number cannot be what it is, the window or loop does not fit the motion, or nothing holds a mode:
    /// a free start without a cost of positions, a loop with modes that drift or swing at no cost. When the energy is
    /// the smooth one, which [`Self::smooth`] is for.
    pub fn new(modes: &[Oscillator], settings: Settings) -> Result<Self, SpacetimeError> {
        let range = settings.range()?;
        if let Energy::Smooth { .. } = settings.energy {
            return Err(SpacetimeError::SmoothEnergy);
        }
        check_modes(modes)?;
        let factors = space_factors(modes, settings.spread)?;
        let factored: Vec<Factored> = modes
            .iter()
            .map(|mode| Factored::new(*mode, settings.energy, settings.reach_of(*mode)))
            .collect();
        let frames = range.1 - range.0 + 1;
        let shape = match settings.ends {
            Ends::Loop { period } => {
                Shape::Periodic(Periodic::new(&factored, &factors, period, settings.dt)?)
            }
            Ends::Open { start, end } => {
                Shape::Open(Open::new(&factored, &factors, frames, settings.dt, (start, end))?)
            }
        };
        Ok(Self { settings, range, count: modes.len(), modes: factored, shape })
    }

    /// The kernel with one time profile for all modes, P_k(i,j) = g_k κ(i − j), g the `variances`. It takes about
    /// 100 bytes per frame. The settings' energy must be [`Energy::Smooth`]; their `reach` and `spread` do not count.
    ///
    /// # Errors
    /// When the energy is another, a variance is negative or not finite or all are zero, the window or loop does not
    /// fit the motion, an end is at rest at half a frame, or two ends at rest are so close that the reach hides what
    /// is between them.
    pub fn smooth(variances: &[f64], settings: Settings) -> Result<Self, SpacetimeError> {
        let Energy::Smooth { reach } = settings.energy else { return Err(SpacetimeError::NotSmooth) };
        let range = settings.range()?;
        let frames = match settings.ends {
            Ends::Loop { period } => period,
            Ends::Open { .. } => range.1 - range.0 + 1,
        };
        let shape = Shape::Smooth(Smooth::new(variances, &settings, reach, frames)?);
        Ok(Self { settings, range, count: variances.len(), modes: Vec::new(), shape })
    }

    /// Whether its energy is that of forces, so that paths have some; the smooth kernel has none.
    #[must_use]
    pub fn has_forces(&self) -> bool {
        !matches!(self.shape, Shape::Smooth(_))
    }

    /// How many modes there are.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.count
    }

    /// What it was made for.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The first and last frame of the window; those of the motion if there is none.
    #[must_use]
    pub fn range(&self) -> (usize, usize) {
        self.range
    }

    /// Whether an edit can be anything but zero at `frame`.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn movable(&self, frame: usize) -> Result<(), FrameProblem> {
        self.settings.movable(self.range, frame)
    }

    /// Overwrites `out` with P_k(i,j)\[a,b\] for every mode k; zero outside the window.
    ///
    /// Swapping the two gives the same bits.
    ///
    /// # Panics
    /// When there is no such frame, or `out` has not one entry per mode.
    pub fn covariance(&self, (i, a): (usize, Order), (j, b): (usize, Order), out: &mut [f64]) {
        assert!(i.max(j) < self.settings.frames && out.len() == self.modes());
        let Some([later, earlier]) = self.sorted((i, a.index()), (j, b.index())) else {
            out.fill(0.0);
            return;
        };
        match &self.shape {
            Shape::Open(open) => open.covariance(later, earlier, out),
            Shape::Periodic(periodic) => {
                out.copy_from_slice(periodic.lag.entry(later.0 - earlier.0, later.1, earlier.1));
            }
            Shape::Smooth(smooth) => {
                let kappa = smooth.profile(later, earlier);
                for (x, variance) in out.iter_mut().zip(&smooth.variances) {
                    *x = variance * kappa;
                }
            }
        }
    }

    /// κ of the smooth kernel, ends included; 0 outside the window and for other kernels.
    pub(crate) fn profile(&self, one: (usize, usize), other: (usize, usize)) -> f64 {
        match (&self.shape, self.sorted(one, other)) {
            (Shape::Smooth(smooth), Some([later, earlier])) => smooth.profile(later, earlier),
            _ => 0.0,
        }
    }

    /// Two frames with their orders, counted within the window, the later one first; none outside it.
    fn sorted(&self, (i, a): (usize, usize), (j, b): (usize, usize)) -> Option<[(usize, usize); 2]> {
        let (first, last) = self.range;
        if i.min(j) < first || i.max(j) > last {
            return None;
        }
        let (one, other) = ((self.local(i), a), (self.local(j), b));
        Some(if one < other { [other, one] } else { [one, other] })
    }

    /// The frame counted from the window's first, or within the loop.
    pub(crate) fn local(&self, frame: usize) -> usize {
        match self.settings.ends {
            Ends::Loop { period } => frame % period,
            Ends::Open { .. } => frame - self.range.0,
        }
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn factored(&self) -> &[Factored] {
        &self.modes
    }
}

fn check_modes(modes: &[Oscillator]) -> Result<(), SpacetimeError> {
    if modes.is_empty() {
        return Err(SpacetimeError::NoModes);
    }
    for (mode, Oscillator { eigenvalue, delta }) in modes.iter().enumerate() {
        for (quantity, value) in [(Quantity::Eigenvalue, *eigenvalue), (Quantity::Damping, *delta)] {
            // The square must fit too, for the discriminant λ − δ² and for λ' = √(λ² + ε).
            if !((value * value).is_finite() && value >= 0.0) {
                return Err(SpacetimeError::BadMode { mode, quantity, value });
            }
        }
    }
    Ok(())
}

/// (λ₁/λ_k)^s, 1 for rigid modes.
fn space_factors(modes: &[Oscillator], spread: f64) -> Result<Vec<f64>, SpacetimeError> {
    let elastic = modes.iter().map(|mode| mode.eigenvalue).filter(|value| *value > 0.0);
    let lowest = elastic.fold(f64::INFINITY, f64::min);
    let factor = |value: f64| if value > 0.0 { (lowest / value).powf(spread) } else { 1.0 };
    let factors: Vec<f64> = modes.iter().map(|mode| factor(mode.eigenvalue)).collect();
    if factors.iter().all(|x| x.is_finite()) {
        Ok(factors)
    } else {
        Err(SpacetimeError::BadNumber { quantity: Quantity::Spread, value: spread })
    }
}
