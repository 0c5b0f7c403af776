//! One site of a readout: where it is under an edit, and how that changes.

use super::motion::WarpedMotion;
use super::{WarpPoint, WarpSite};
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::Linearized;

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
    /// A point of each variant of the frame.
    Warped(Vec<Arc<WarpPoint>>),
    /// A Σ w_v ū_v, and what the modes add to it.
    Plain { input: Vec3, rows: [Vec<f64>; 3] },
}

/// Sites of one frame under the same edit, which share what the edit does to every place.
pub(super) struct Together<'a> {
    pub frame: usize,
    /// p, three numbers per vertex.
    pub edit: &'a [f64],
    pub sites: Vec<&'a Site>,
}

impl Together<'_> {
    /// Where each is.
    pub fn values(&self, motion: &WarpedMotion) -> Vec<[f64; 3]> {
        let warp = motion.warp();
        let mut places: Vec<Vec3> = self.sites.iter().map(|site| site.rest).collect();
        for (variant, (input, weight)) in motion.variants(self.frame).enumerate() {
            warp.with_posed(input, self.edit, self.sites.len() > 1, |posed| {
                let read = places.par_iter_mut().zip(&self.sites);
                read.for_each(|(place, site)| {
                    *place += site.points()[variant].value_posed(warp, posed) * weight;
                });
            });
        }
        self.along_axes(&places)
    }

    /// The same, and ∂(Σ w_v u_v)/∂p of each, 3n×3, into `out`.
    pub fn linearize(&self, motion: &WarpedMotion, out: &mut [MatMut<'_, f64>]) -> Vec<[f64; 3]> {
        let warp = motion.warp();
        let mut places: Vec<Vec3> = self.sites.iter().map(|site| site.rest).collect();
        for (variant, (input, weight)) in motion.variants(self.frame).enumerate() {
            warp.with_posed(input, self.edit, self.sites.len() > 1, |posed| {
                let read = places.par_iter_mut().zip(&self.sites).zip(out.par_iter_mut());
                read.for_each(|((place, site), out)| {
                    let point = &site.points()[variant];
                    if variant == 0 {
                        *place += point.linearize_posed(warp, posed, out.as_mut()) * weight;
                        return;
                    }
                    let mut other = Mat::zeros(self.edit.len(), 3);
                    *place += point.linearize_posed(warp, posed, other.as_mut()) * weight;
                    for (out, other) in out.as_mut().col_iter_mut().zip(other.col_iter()) {
                        for (out, other) in out.iter_mut().zip(other.iter()) {
                            *out = (1.0 - weight) * *out + weight * other;
                        }
                    }
                });
            });
        }
        self.along_axes(&places)
    }

    fn along_axes(&self, places: &[Vec3]) -> Vec<[f64; 3]> {
        places.iter().zip(&self.sites).map(|(place, site)| (site.given.axes * place).into()).collect()
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
