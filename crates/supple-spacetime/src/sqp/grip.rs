//! A handle on the warped motion.

use super::goal::{Goal, Sight};
use crate::HandleId;
use crate::error::{RowName, SpacetimeError};
use crate::kernel::Kernel;
use crate::rows::Hold;
use supple_model::Instant;

/// What a handle asks: where a site is at a time, or the way there from another, all of its coordinates or some.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The site, in the list of the body that is read.
    pub site: usize,
    /// When: a frame, counted from 0, or any time between frames.
    pub at: Instant,
    /// The site and time whose place is taken away, if any: a velocity is the way from the frame before to the one
    /// after.
    pub less: Option<(usize, Instant)>,
    /// What that should be, coordinate by coordinate; `None` leaves one free.
    pub target: [Option<f64>; 3],
    /// How strictly.
    pub hold: Hold,
}

impl Grip {
    /// A hard handle on a position.
    #[must_use]
    pub fn position(site: usize, at: impl Into<Instant>, target: [f64; 3]) -> Self {
        Self { site, at: at.into(), less: None, target: target.map(Some), hold: Hold::Hard }
    }

    /// What the solver is to meet.
    pub(crate) fn goal(&self, id: HandleId) -> Goal {
        Goal { id, sights: self.sights().collect(), target: self.target, hold: self.hold }
    }

    /// The sites and times it reads.
    fn sights(&self) -> impl Iterator<Item = Sight> {
        let less = self.less.map(|(site, at)| Sight { site, at, sign: -1.0 });
        std::iter::once(Sight { site: self.site, at: self.at, sign: 1.0 }).chain(less)
    }

    /// The sites alone.
    pub(crate) fn sites(&self) -> impl Iterator<Item = usize> {
        self.sights().map(|sight| sight.site)
    }

    /// The coordinates asked for, with their targets.
    fn rows(&self) -> impl Iterator<Item = (usize, f64)> {
        self.target.into_iter().enumerate().filter_map(|(axis, target)| Some((axis, target?)))
    }

    /// Whether another asks for the same coordinates.
    pub(crate) fn same_rows(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.target[axis].is_some() == other.target[axis].is_some())
    }

    /// Checks all but the site.
    pub(crate) fn check(&self, kernel: &Kernel, id: HandleId) -> Result<(), SpacetimeError> {
        let Some((first, _)) = self.rows().next() else {
            return Err(SpacetimeError::EmptyHandle(id));
        };
        let row = RowName::Handle(id, first);
        // A way can be changed at either end.
        let ends = self.sights().map(|sight| kernel.movable(sight.at));
        let found = ends.reduce(|one, other| if one.is_ok() { one } else { other });
        found.unwrap_or(Ok(())).map_err(|problem| SpacetimeError::Frame { row, problem })?;
        for (axis, value) in self.rows() {
            if !value.is_finite() {
                return Err(SpacetimeError::BadTarget { row: RowName::Handle(id, axis), value });
            }
        }
        match self.hold {
            Hold::Soft(value) if !(value > 0.0 && value.is_finite() && (1.0 / value).is_finite()) => {
                Err(SpacetimeError::BadHold { row, value })
            }
            _ => Ok(()),
        }
    }
}
