//! The spacetime kernel: how a pull on a mode at one time moves it at another.
//!
//! An edit of a motion is p = U z, z_k(t) the amplitude of mode k. It costs the force that the equations of
//! motion lack, E = ½ Σ_k ∫ (z̈_k + 2δ_k ż_k + λ_k z_k)² dt (Barbič 2012, Eq. 2, before its discretisation; the
//! same functional as in Schulz 2014). Every mode is an oscillator s = (z, ż) driven by f at the cost ½∫f².
//!
//! The least costly path with given values at some times is Gaussian regression: if f were white noise, the
//! states would have the covariance P(i,j) (2×2, times i and j), and that covariance is the reproducing kernel
//! of the cost. All that an edit needs is linear in it:
//!
//! > z(i) = Σ_a P(i, i_a)\[0, o_a\] c_a μ_a
//!
//! for rows a at times i_a on position (o = 0) or velocity (o = 1); see [`crate::rows`].
//!
//! Times are real numbers of frames ([`Instant`]), whatever damping, stiffness and ends there are: P is a closed form of
//! the time, and tables keep what frames need of it. What is computed between frames ([`moment`]) costs some exponentials
//! per mode. A path may also be given beside what rows ask of it, as a mean path ([`mean`]):
//!
//! | kernel | P, rows and paths at any time | start or end given | constant load |
//! |---|---|---|---|
//! | of forces, clamped ends | yes | yes | yes |
//! | of forces, free ends or a loop | yes | no: such ends are found | yes |
//! | without oscillations | yes | where clamped | no: it knows no forces |
//! | smooth | yes | where clamped | no: it knows no forces |
//!
//! Ends lie on frames. A motion that lasts another time is one of as many frames, each a little longer or shorter.
//!
//! - [`Oscillator`]: Φ and Q of one mode, for every damping;
//! - [`Energy`], [`Reach`]: other energies, as other oscillators; the smooth one has one profile for all modes instead;
//! - [`Settings`], [`Ends`]: frames, window, rest, free ends and loops;
//! - [`Kernel`]: P(i,j) of all modes, i and j any two times;
//! - [`MeanPath`]: a start and an end that are given, and a constant load; rows ask for what is to be added to it
//!   ([`Row::beside`](crate::Row::beside)).
//!
//! Finite differences in time (Barbič 2012, App. A) converge to this kernel as dt → 0. With a free end they
//! break down as soon as λ·dt² > 4, where the explicit recurrence is unstable; the kernel is exact for any dt.

mod mean;
mod modes;
mod moment;
mod open;
mod oscillator;
mod periodic;
mod reach;
mod settings;
mod smooth;
mod table;

pub use mean::{Given, MeanPath, ModalState};
pub use oscillator::Oscillator;
pub use reach::{Energy, Reach};
pub use settings::{End, Ends, Home, Settings, Start};

pub(crate) use moment::{Link, Moment};
pub(crate) use open::Open;
pub(crate) use oscillator::{GAUSS, inverse};
pub(crate) use periodic::Periodic;
pub(crate) use reach::Factored;
pub(crate) use smooth::{Known, Smooth, stages};
pub(crate) use table::Table;

use crate::error::{FrameProblem, SpacetimeError};
use modes::Modes;
use supple_model::Instant;

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
    /// 0 for positions, 1 for velocities: the place of its entries in 2×2 blocks.
    #[must_use]
    pub fn index(self) -> usize {
        match self {
            Self::Position => 0,
            Self::Velocity => 1,
        }
    }
}

/// The covariance P(i,j) of every mode for every pair of times.
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
/// // And to the time half-way between 60 and 61: nearly all of it.
/// let mut half = [0.0];
/// kernel.covariance((60.5, Order::Position), (60, Order::Position), &mut half);
/// assert!(half[0] / covariance(60, 60) > 0.9);
/// # Ok::<(), supple_spacetime::SpacetimeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kernel {
    settings: Settings,
    range: (usize, usize),
    count: usize,
    modes: Modes,
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
        let modes = Modes::new(modes, &settings)?;
        let shape = match settings.ends {
            Ends::Loop { period } => Shape::Periodic(Periodic::new(&modes, period)?),
            Ends::Open { start, end } => Shape::Open(Open::new(&modes, range.1 - range.0 + 1, (start, end))?),
        };
        Ok(Self { settings, range, count: modes.count(), modes, shape })
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
        Ok(Self { settings, range, count: variances.len(), modes: Modes::default(), shape })
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

    /// Whether an edit can be anything but zero at a time.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn movable(&self, at: impl Into<Instant>) -> Result<(), FrameProblem> {
        self.settings.movable(self.range, at.into())
    }

    /// Overwrites `out` with P_k(i,j)\[a,b\] for every mode k; zero outside the window.
    ///
    /// Swapping the two gives the same bits.
    ///
    /// # Panics
    /// When a time is before the first frame or after the last, or `out` has not one entry per mode. After the last frame
    /// of a loop there is the time until the first one comes again.
    pub fn covariance(
        &self,
        (i, a): (impl Into<Instant>, Order),
        (j, b): (impl Into<Instant>, Order),
        out: &mut [f64],
    ) {
        let (i, j) = (self.moment(i.into()), self.moment(j.into()));
        self.between((&i, a), (&j, b), out);
    }

    /// The same of moments.
    pub(crate) fn between(&self, (i, a): (&Moment, Order), (j, b): (&Moment, Order), out: &mut [f64]) {
        assert_eq!(out.len(), self.count, "one entry per mode");
        if i.is_outside || j.is_outside {
            return out.fill(0.0);
        }
        let [later, earlier] = sorted((i, a), (j, b));
        match &self.shape {
            Shape::Open(open) => open.covariance(&self.modes, later, earlier, out),
            Shape::Periodic(periodic) => periodic.covariance(&self.modes, later, earlier, out),
            Shape::Smooth(smooth) => {
                let kappa = smooth.profile(later, earlier);
                for (x, variance) in out.iter_mut().zip(&smooth.variances) {
                    *x = variance * kappa;
                }
            }
        }
    }

    /// A time, ready to be looked up.
    pub(crate) fn moment(&self, at: Instant) -> Moment {
        let local = self.local_time(at);
        let (time, is_outside) = (local.unwrap_or(0.0), local.is_none());
        let (mut own, mut known) = (None, None);
        let (time, frame) = (Instant::new(time), time as usize);
        if time != frame.into() {
            match &self.shape {
                Shape::Open(open) => own = Some(Box::new(open.at(&self.modes, time.frames()))),
                Shape::Periodic(_) => {}
                Shape::Smooth(smooth) => known = smooth.known_at(time.frames()).map(Box::new),
            }
        }
        Moment { time, frame, is_outside, own, known }
    }

    /// Frames since the window's first, or within the loop; none outside the window.
    fn local_time(&self, at: Instant) -> Option<f64> {
        assert!(self.settings.covers(at), "there is no frame {at}");
        match self.settings.ends {
            Ends::Loop { period } => Some(at.frames() % period as f64),
            Ends::Open { .. } => {
                let (first, last) = self.range;
                (at >= first.into() && at <= last.into()).then(|| at.frames() - first as f64)
            }
        }
    }

    /// How a load between two frames reaches them; none at frames, and for the smooth kernel.
    pub(crate) fn link(&self, moment: &Moment) -> Option<Link> {
        match &self.shape {
            _ if !moment.is_between() => None,
            Shape::Open(open) => Some(Link::open(&self.modes, open, moment)),
            Shape::Periodic(_) => Some(Link::periodic(&self.modes, moment)),
            Shape::Smooth(_) => None,
        }
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

    /// The modes as the oscillators of their energies; none for the smooth kernel.
    pub(crate) fn factored(&self) -> &[Factored] {
        &self.modes.factored
    }
}

/// Two times with their orders, the later one first.
pub(crate) fn sorted<'a>(
    (i, a): (&'a Moment, Order),
    (j, b): (&'a Moment, Order),
) -> [(&'a Moment, usize); 2] {
    let (one, other) = ((i, a.index()), (j, b.index()));
    if (i.time, a) < (j.time, b) { [other, one] } else { [one, other] }
}
