//! One time of a kernel, ready to be looked up, and how a load there reaches the frames around it.
//!
//! The kernel's formulas hold at every time t. At frames its tables have all they need; between frames it is computed
//! here, once for all look-ups at that time:
//!
//! | kernel | at t |
//! |---|---|
//! | with two ends | P_t and L_t, see [`super::open`] |
//! | of a loop | nothing: only the lag between two times counts |
//! | smooth | w(t), see [`super::smooth`] |
//!
//! A load g at a time t between the frames i and n = i + 1 reaches all other frames through these two. What it adds to
//! the state that is carried forward from n, and to the costate that is carried back from i, are products with
//!
//! > two ends: Φ(n−t) P_t and Φ(t−i)ᵀ L_tᵀ; loop: Φ(n−t) Q(t−i) and Φ(t−i)ᵀ,
//!
//! so that sweeps over frames serve loads between them, too.

use super::modes::Modes;
use super::open::Open;
use super::smooth::Known;
use super::table::Table;
use nalgebra::Matrix2;
use supple_model::Instant;

/// One time of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Frames since the window's first, or within the loop.
    pub time: Instant,
    /// The last such frame that is not after it.
    pub frame: usize,
    /// Whether it is outside the window, where all is zero.
    pub is_outside: bool,
    /// P_t and L_t between frames of a kernel with two ends.
    pub(super) own: Option<Box<At>>,
    /// w(t) between frames of the smooth kernel, if an end is at rest.
    pub(super) known: Option<Box<Known>>,
}

/// What a kernel with two ends has at one time.
#[derive(Clone, Debug)]
pub(super) struct At {
    /// P_t, scaled.
    pub prior: Table,
    /// L_t; none if it is the identity.
    pub gain: Option<Table>,
}

impl Moment {
    /// Whether it is between two frames.
    pub fn is_between(&self) -> bool {
        self.time != Instant::from(self.frame)
    }

    /// Frames since the frame before it.
    pub fn since(&self) -> f64 {
        self.time.frames() - self.frame as f64
    }

    /// Frames until the frame after it.
    pub fn until(&self) -> f64 {
        (self.frame + 1) as f64 - self.time.frames()
    }

    /// The table of P and its place there.
    pub(super) fn prior<'a>(&'a self, open: &'a Open) -> (&'a Table, usize) {
        self.own.as_ref().map_or((&open.prior, self.frame), |own| (&own.prior, 0))
    }

    /// The table of L and its place there; none if L is the identity.
    pub(super) fn gain<'a>(&'a self, open: &'a Open) -> Option<(&'a Table, usize)> {
        match &self.own {
            Some(own) => own.gain.as_ref().map(|gain| (gain, 0)),
            None => open.gain.as_ref().map(|gain| (gain, self.frame)),
        }
    }
}

/// Frames from one time to a later one, and the same as a whole number if it is one.
pub(super) fn lag(later: &Moment, earlier: &Moment) -> (f64, Option<usize>) {
    if !later.is_between() && !earlier.is_between() {
        let lag = later.frame - earlier.frame;
        return (lag as f64, Some(lag));
    }
    let lag = Instant::new(later.time.frames() - earlier.time.frames());
    (lag.frames(), lag.frame())
}

/// How a load between two frames reaches them.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// What it adds to the state at the frame after it.
    pub onward: Table,
    /// What it adds to the costate at the frame before it.
    pub back: Table,
}

impl Link {
    /// In a kernel with two ends.
    pub(super) fn open(modes: &Modes, open: &Open, moment: &Moment) -> Self {
        let ((prior, at), gain) = (moment.prior(open), moment.gain(open));
        let (until, since) = (modes.transition(moment.until()), modes.transition(moment.since()));
        let gained = |k: usize| gain.map_or(Matrix2::identity(), |(gain, at)| gain.get(at, k));
        Self {
            onward: Table::new(1, modes.count(), |_, k| until.get(0, k) * prior.get(at, k)),
            back: Table::new(1, modes.count(), |_, k| (gained(k) * since.get(0, k)).transpose()),
        }
    }

    /// In a loop.
    pub(super) fn periodic(modes: &Modes, moment: &Moment) -> Self {
        let (until, since) = (modes.transition(moment.until()), modes.transition(moment.since()));
        let driven = moment.since() * modes.dt;
        let mut onward =
            Table::new(1, modes.count(), |_, k| until.get(0, k) * modes.factored[k].oscillator.noise(driven));
        onward.scale(&modes.factors);
        Self { onward, back: Table::new(1, modes.count(), |_, k| since.get(0, k).transpose()) }
    }
}
