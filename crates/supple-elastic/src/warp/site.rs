//! One site of a readout: where it is under an edit, and how that changes.

use super::motion::WarpedMotion;
use super::{Warp, WarpError, WarpPoint, WarpSite};
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Instant, Linearized};

/// A site and what reads it.
#[derive(Debug)]
pub(super) struct Site {
    pub given: WarpSite,
    /// Σ w_v x_v.
    pub rest: Vec3,
    pub reading: Reading,
}

/// How a site is read.
#[derive(Debug)]
pub(super) enum Reading {
    /// A point of each variant of the frame; of both frames if it is read between two.
    Warped(Vec<Arc<WarpPoint>>),
    /// A Σ w_v ū_v, and what the modes add to it.
    Plain { input: Vec3, rows: [Vec<f64>; 3] },
}

/// Sites of one time under the same edit, which share what the edit does to every place.
pub(super) struct Together<'a> {
    pub at: Instant,
    /// p, three numbers per vertex.
    pub edit: &'a [f64],
    pub sites: Vec<&'a Site>,
}

impl Together<'_> {
    /// Where each is.
    pub fn values(&self, motion: &WarpedMotion) -> Vec<[f64; 3]> {
        let (before, after) = beside(self.at);
        let (mut places, used) = self.places(motion, before, 0);
        if let Some((frame, share)) = after {
            let (then, _) = self.places(motion, frame, used);
            places
                .iter_mut()
                .zip(then)
                .for_each(|(place, then)| *place = *place * (1.0 - share) + then * share);
        }
        self.along_axes(&places)
    }

    /// Where they are at a frame, whose points are those from `from` on, and which point is the next.
    fn places(&self, motion: &WarpedMotion, frame: usize, from: usize) -> (Vec<Vec3>, usize) {
        let (warp, mut next) = (motion.warp(), from);
        let mut places: Vec<Vec3> = self.sites.iter().map(|site| site.rest).collect();
        for (input, weight) in motion.variants(frame) {
            warp.with_posed(input, self.edit, self.sites.len() > 1, |posed| {
                let read = places.par_iter_mut().zip(&self.sites);
                read.for_each(|(place, site)| {
                    *place += site.points()[next].value_posed(warp, posed) * weight;
                });
            });
            next += 1;
        }
        (places, next)
    }

    /// The same, and ∂(Σ w_v u_v)/∂p of each, 3n×3, into `out`.
    pub fn linearize(&self, motion: &WarpedMotion, out: &mut [MatMut<'_, f64>]) -> Vec<[f64; 3]> {
        let (before, after) = beside(self.at);
        let (mut places, used) = self.linearize_at(motion, before, 0, out);
        if let Some((frame, share)) = after {
            let mut slopes: Vec<Mat<f64>> = out.iter().map(|_| Mat::zeros(self.edit.len(), 3)).collect();
            let mut later: Vec<MatMut<'_, f64>> = slopes.iter_mut().map(Mat::as_mut).collect();
            let (then, _) = self.linearize_at(motion, frame, used, &mut later);
            places
                .iter_mut()
                .zip(then)
                .for_each(|(place, then)| *place = *place * (1.0 - share) + then * share);
            out.par_iter_mut()
                .zip(&slopes)
                .for_each(|(out, later)| blend(out.as_mut(), later.as_ref(), share));
        }
        self.along_axes(&places)
    }

    /// [`Self::places`] with derivatives.
    fn linearize_at(
        &self,
        motion: &WarpedMotion,
        frame: usize,
        from: usize,
        out: &mut [MatMut<'_, f64>],
    ) -> (Vec<Vec3>, usize) {
        let (warp, mut next) = (motion.warp(), from);
        let mut places: Vec<Vec3> = self.sites.iter().map(|site| site.rest).collect();
        for (input, weight) in motion.variants(frame) {
            warp.with_posed(input, self.edit, self.sites.len() > 1, |posed| {
                let read = places.par_iter_mut().zip(&self.sites).zip(out.par_iter_mut());
                read.for_each(|((place, site), out)| {
                    let point = &site.points()[next];
                    if next == from {
                        *place += point.linearize_posed(warp, posed, out.as_mut()) * weight;
                        return;
                    }
                    let mut other = Mat::zeros(self.edit.len(), 3);
                    *place += point.linearize_posed(warp, posed, other.as_mut()) * weight;
                    blend(out.as_mut(), other.as_ref(), weight);
                });
            });
            next += 1;
        }
        (places, next)
    }

    fn along_axes(&self, places: &[Vec3]) -> Vec<[f64; 3]> {
        places.iter().zip(&self.sites).map(|(place, site)| (site.given.axes * place).into()).collect()
    }
}

/// The frame of a time, or the one before it, and then also the one after with its share.
pub(super) fn beside(at: Instant) -> (usize, Option<(usize, f64)>) {
    let (before, share) = at.split();
    (before, (share > 0.0).then_some((before + 1, share)))
}

/// (1 − w) a + w b, into a.
fn blend(a: MatMut<'_, f64>, b: MatRef<'_, f64>, weight: f64) {
    for (a, b) in a.col_iter_mut().zip(b.col_iter()) {
        for (a, b) in a.iter_mut().zip(b.iter()) {
            *a = (1.0 - weight) * *a + weight * b;
        }
    }
}

impl Site {
    /// The points of a site that is warped.
    fn points(&self) -> &[Arc<WarpPoint>] {
        match &self.reading {
            Reading::Warped(points) => points,
            Reading::Plain { .. } => &[],
        }
    }

    /// Derivatives along x, y and z, columns, as rows along the axes.
    pub fn along_axes(&self, J: MatRef<'_, f64>) -> [Vec<f64>; 3] {
        let axes = &self.given.axes;
        std::array::from_fn(|i| {
            (0..J.nrows())
                .map(|k| axes[(i, 0)] * J[(k, 0)] + axes[(i, 1)] * J[(k, 1)] + axes[(i, 2)] * J[(k, 2)])
                .collect()
        })
    }

    pub fn plain_value(&self, z: &[f64]) -> [f64; 3] {
        let mut place = self.given.axes * self.rest;
        if let Reading::Plain { input, rows } = &self.reading {
            place += input;
            for (place, row) in place.iter_mut().zip(rows) {
                assert_eq!(row.len(), z.len(), "an entry per mode");
                *place += row.iter().zip(z).map(|(u, z)| u * z).sum::<f64>();
            }
        }
        place.into()
    }

    pub fn plain_linearized(&self, z: &[f64]) -> Linearized {
        let rows = match &self.reading {
            Reading::Plain { rows, .. } => rows.clone(),
            Reading::Warped(_) => Default::default(),
        };
        Linearized { value: self.plain_value(z), rows }
    }
}

impl Warp {
    /// Whether a site can be read: it has vertices that exist, numbers that mean something, and a time of the motion.
    pub(super) fn check_site(&self, site: &WarpSite, frames: usize) -> Result<(), WarpError> {
        self.check_vertices(&site.vertices)?;
        if !(0.0..=frames as f64 - 1.0).contains(&site.at.frames()) {
            return Err(WarpError::NoSuchFrame { at: site.at, frames });
        }
        let Some(&(first, _)) = site.vertices.first() else { return Err(WarpError::NoVertices) };
        if !site.axes.iter().all(|x| x.is_finite()) {
            return Err(WarpError::Degenerate { vertex: first });
        }
        Ok(())
    }
}
