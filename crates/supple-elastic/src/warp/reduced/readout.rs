//! Where chosen points of a body are on its motion, by the reduced warp: a [`Readout`] that takes some tens of
//! microseconds for a point with its derivative.
//!
//! Sites are those of [`super::super::WarpReadout`]: a weighted sum of vertices at one time, read along three axes. All
//! that a site reads of the body is made when it is added, so that neither B nor the modes are passed over again: three
//! 3×3 matrices for each place of the cubature, see [`super::site`].

use super::super::site::beside;
use super::super::{WarpError, WarpReadout, WarpSite, WarpedMotion};
use super::ReducedWarp;
use super::site::{Placed, Reading};
use super::stations::Whole;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use supple_mesh::Vec3;
use supple_model::{Ask, Instant, Linearized, Readout};

/// Asks answered as one task: fewer are not worth waking a thread.
const ASKS_PER_TASK: usize = 4;

/// Sites on a motion whose edits are shown by the reduced warp.
#[derive(Clone, Debug)]
pub struct ReducedReadout {
    reduced: Arc<ReducedWarp>,
    motion: Arc<WarpedMotion>,
    sites: Vec<Option<Arc<Site>>>,
    /// Frames at the places of the cubature, made when a site needs them: both variants of those that are blended.
    placed: Arc<Mutex<Frames>>,
}

/// By frame and variant.
type Frames = BTreeMap<(usize, usize), Arc<Placed>>;

#[derive(Debug)]
struct Site {
    given: WarpSite,
    /// Σ w_v x_v.
    rest: Vec3,
    /// Of the frame it is read at, or of the two it is between, every variant with its weight.
    frames: Vec<Vec<(f64, Reading)>>,
    /// How far it is from the first to the second.
    share: f64,
}

impl ReducedReadout {
    /// No sites yet.
    ///
    /// # Panics
    /// When the motion is of another body or has other modes, or shows its edits plainly.
    #[must_use]
    pub fn new(reduced: Arc<ReducedWarp>, motion: Arc<WarpedMotion>) -> Self {
        assert_eq!(motion.warp().vertices(), reduced.warp().vertices(), "a motion of this body");
        assert_eq!(motion.basis().modes(), reduced.modes(), "a motion with these modes");
        assert!(!motion.is_plain(), "a motion that warps its edits");
        Self { reduced, motion, sites: Vec::new(), placed: Arc::default() }
    }

    /// The sites of a readout of the whole warp, by the same numbers.
    ///
    /// # Errors
    /// As [`Self::add`].
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn of(reduced: Arc<ReducedWarp>, whole: &WarpReadout) -> Result<Self, WarpError> {
        let mut readout = Self::new(reduced, whole.motion().clone());
        for site in whole.given() {
            let made = site.map(|site| readout.make(site.clone())).transpose()?;
            readout.sites.push(made.map(Arc::new));
        }
        Ok(readout)
    }

    /// The reduced warp that reads.
    #[must_use]
    pub fn reduced(&self) -> &Arc<ReducedWarp> {
        &self.reduced
    }

    /// The motion that is read.
    #[must_use]
    pub fn motion(&self) -> &Arc<WarpedMotion> {
        &self.motion
    }

    /// Adds a site and gives its number: that of one removed earlier, or the next.
    ///
    /// # Errors
    /// A vertex or time that does not exist, or numbers that mean nothing.
    pub fn add(&mut self, site: WarpSite) -> Result<usize, WarpError> {
        let made = Some(Arc::new(self.make(site)?));
        let vacant = self.sites.iter().position(Option::is_none);
        let number = vacant.unwrap_or(self.sites.len());
        match vacant {
            Some(number) => self.sites[number] = made,
            None => self.sites.push(made),
        }
        Ok(number)
    }

    /// Removes a site. The others keep their numbers; this one may be given to another.
    ///
    /// # Panics
    /// When there is no such site.
    pub fn remove(&mut self, site: usize) {
        assert!(self.sites[site].take().is_some(), "a site that is there");
    }

    fn make(&self, given: WarpSite) -> Result<Site, WarpError> {
        let warp = self.reduced.warp();
        warp.check_site(&given, self.motion.frames())?;
        let rest = given.vertices.iter().map(|(v, w)| warp.positions[v.index()] * *w).sum();
        let (before, after) = beside(given.at);
        let share = after.map_or(0.0, |(_, share)| share);
        let frames = std::iter::once(before).chain(after.map(|(frame, _)| frame));
        let read = |(frame, variant, weight): (usize, usize, f64)| {
            let placed = self.placed(frame, variant);
            Ok((weight, Reading::new(&self.reduced, placed, &given.vertices)?))
        };
        let variants = |frame: usize| {
            let variants = self.motion.variants(frame).enumerate();
            variants.map(|(variant, (_, weight))| read((frame, variant, weight))).collect()
        };
        let frames = frames.map(variants).collect::<Result<_, WarpError>>()?;
        Ok(Site { given, rest, frames, share })
    }

    fn placed(&self, frame: usize, variant: usize) -> Arc<Placed> {
        let known = self.placed.lock().ok().and_then(|known| known.get(&(frame, variant)).cloned());
        if let Some(known) = known {
            return known;
        }
        let input =
            self.motion.variants(frame).nth(variant).map_or(self.motion.frame(frame), |(input, _)| input);
        let made = Arc::new(Placed::new(&self.reduced, input));
        if let Ok(mut known) = self.placed.lock() {
            known.insert((frame, variant), made.clone());
        }
        made
    }

    fn site(&self, site: usize, at: Instant) -> &Site {
        let found = self.sites[site].as_deref().expect("a site that was not removed");
        assert_eq!(found.given.at, at, "the time of this site");
        found
    }

    /// Answers asks, a few as one task.
    fn answer<T: Send>(&self, asks: &[Ask<'_>], of: impl Fn(&Site, &[f64]) -> T + Sync) -> Vec<T> {
        let answer = |ask: &Ask<'_>| of(self.site(ask.site, ask.at), ask.z);
        if asks.len() <= ASKS_PER_TASK {
            return asks.iter().map(answer).collect();
        }
        asks.par_iter().with_min_len(ASKS_PER_TASK).map(answer).collect()
    }
}

impl Site {
    fn value(&self, of: &ReducedWarp, z: &[f64]) -> [f64; 3] {
        let place = self.mixed(|_, weight, reading| {
            let wholes = of.stations.wholes_at(&of.warp, &reading.placed.frame, z);
            reading.value(of, z, &wholes) * weight
        });
        (self.given.axes * place).into()
    }

    /// What `read` finds at each frame, from where the site is at rest; it is told which part of the whole that is.
    fn mixed(&self, mut read: impl FnMut(f64, f64, &Reading) -> Vec3) -> Vec3 {
        let mut at = |variants: &[(f64, Reading)], share: f64| {
            variants
                .iter()
                .fold(self.rest, |sum, (weight, reading)| sum + read(share * weight, *weight, reading))
        };
        match self.frames.as_slice() {
            [before, after] => {
                at(before, 1.0 - self.share) * (1.0 - self.share) + at(after, self.share) * self.share
            }
            others => others.iter().map(|variants| at(variants, 1.0)).sum(),
        }
    }

    fn linearized(&self, of: &ReducedWarp, z: &[f64]) -> Linearized {
        let modes = z.len();
        let mut rows = vec![0.0; 3 * modes];
        let place = self.mixed(|part, weight, reading| {
            let wholes: Vec<Whole> = of.stations.wholes_at(&of.warp, &reading.placed.frame, z);
            reading.linearized(of, z, &wholes, part, &mut rows) * weight
        });
        let axes = &self.given.axes;
        let row = |i: usize| {
            let along = |k: usize| {
                axes[(i, 0)] * rows[k] + axes[(i, 1)] * rows[modes + k] + axes[(i, 2)] * rows[2 * modes + k]
            };
            (0..modes).map(along).collect()
        };
        Linearized { value: (axes * place).into(), rows: [row(0), row(1), row(2)] }
    }
}

impl Readout for ReducedReadout {
    fn modes(&self) -> usize {
        self.reduced.modes()
    }

    fn sites(&self) -> usize {
        self.sites.len()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        self.answer(asks, |site, z| site.value(&self.reduced, z))
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        self.answer(asks, |site, z| site.linearized(&self.reduced, z))
    }

    fn inverted(&self, frame: usize, z: &[f64]) -> usize {
        let cells = &self.reduced.warp().cells;
        if !cells.has_inside() {
            return 0;
        }
        let input = self.motion.frame(frame);
        let mut shown = vec![0.0; input.displacement().len()];
        self.reduced.displacement(input, z, &mut shown);
        cells.inverted(input.displacement(), &shown)
    }
}
