//! The body of a segment at one time, from modal coordinates to vertices and back.
//!
//! > u = W(z; l s) + c, v = ∂W·(ż; l' s): s is what is left of the shape before, of which the share l is there, and c what
//! > moved anchors do. Without the warp W is U z. In flight both are about the centre of mass.
//!
//! A pose that was read off a motion gives back the very z and ż it was made of.

use super::fit::{about_center, mass_weighted, nearest};
use super::goal::Leftover;
use super::ground::Ground;
use crate::body::Body;
use supple_elastic::ModalShape;

/// Steps of Gauss and Newton towards a pose.
const STEPS: usize = 30;
/// A step that gains less than this part of the error is the last.
const GAIN: f64 = 1e-12;

/// The body of a segment at one time.
pub(super) struct Figure<'a> {
    pub body: &'a Body,
    pub ground: &'a Ground,
    /// Whether modes are warped.
    pub warps: bool,
    /// s, l and l'.
    pub left: Option<Leftover>,
    /// c, three numbers per vertex.
    pub carried: Option<&'a [f64]>,
}

impl Figure<'_> {
    /// u, three numbers per vertex.
    pub fn displacement(&self, z: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; 3 * self.ground.warp.vertices()];
        if self.warps {
            self.ground.warp.displacement(&self.shape(z), &mut u);
        } else {
            self.ground.basis.displacement(z, &mut u);
            self.add_leftover(|left| left.share, &mut u);
        }
        if let Some(carried) = self.carried {
            u.iter_mut().zip(carried).for_each(|(u, carried)| *u += carried);
        }
        self.about_center(u)
    }

    /// v, three numbers per vertex, per second of the body's time.
    pub fn velocity(&self, z: &[f64], speed: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; 3 * self.ground.warp.vertices()];
        if self.warps {
            let warp = &self.ground.warp;
            let change = warp.shape(speed, self.left.as_ref().map(|left| (&*left.shape, left.rate)));
            warp.velocity(&self.shape(z), &change, &mut v);
        } else {
            self.ground.basis.displacement(speed, &mut v);
            self.add_leftover(|left| left.rate, &mut v);
        }
        self.about_center(v)
    }

    /// z with which u comes nearest to a displacement, by mass: least squares of turns and strains, then steps through the
    /// warp.
    pub fn pose(&self, u: &[f64]) -> Vec<f64> {
        let still = vec![0.0; self.ground.basis.modes()];
        if !self.warps {
            return self.projected(&self.missing(u, &still).0);
        }
        let warp = &self.ground.warp;
        let mut z = warp.fitted(u).1;
        let (mut left, mut cost) = self.missing(u, &z);
        for _ in 0..STEPS {
            let step = nearest(self.ground, self.body, &warp.slopes(&self.shape(&z)), &left).modal;
            let Some((next, rest, lower)) = self.step(u, &z, &step, cost) else { break };
            let gained = cost - lower;
            (z, left, cost) = (next, rest, lower);
            if gained <= GAIN * cost {
                break;
            }
        }
        z
    }

    /// ż with which v comes nearest to a field of velocities, by mass.
    pub fn speed(&self, z: &[f64], v: &[f64]) -> Vec<f64> {
        let given = self.velocity(z, &vec![0.0; z.len()]);
        let own: Vec<f64> = v.iter().zip(given).map(|(v, given)| v - given).collect();
        match self.warps {
            true => nearest(self.ground, self.body, &self.ground.warp.slopes(&self.shape(z)), &own).modal,
            false => self.projected(&own),
        }
    }

    fn shape(&self, z: &[f64]) -> ModalShape {
        self.ground.warp.shape(z, self.left.as_ref().map(|left| (&*left.shape, left.share)))
    }

    /// What is left is small enough to be faded as it is.
    fn add_leftover(&self, of: fn(&Leftover) -> f64, field: &mut [f64]) {
        let Some(left) = &self.left else { return };
        let mut own = vec![0.0; field.len()];
        self.ground.warp.displacement(&left.shape, &mut own);
        field.iter_mut().zip(&own).for_each(|(x, own)| *x += of(left) * own);
    }

    /// Uᵀ M of a field: modes are orthonormal by mass.
    fn projected(&self, field: &[f64]) -> Vec<f64> {
        let weighted = mass_weighted(self.body, field);
        let modal = self.ground.basis.project(weighted.as_ref());
        (0..modal.nrows()).map(|k| modal[(k, 0)]).collect()
    }

    /// How far z is from a displacement, vertex by vertex, and Σ m |.|².
    fn missing(&self, u: &[f64], z: &[f64]) -> (Vec<f64>, f64) {
        let off = self.displacement(z).iter().zip(u).map(|(now, u)| u - now).collect();
        let left = self.about_center(off);
        let masses = self.body.elastic.masses();
        let cost = left.iter().enumerate().map(|(k, left)| masses[k / 3] * left * left).sum();
        (left, cost)
    }

    /// The longest part of a step that gains something: z, what is missing there, and its cost.
    fn step(&self, u: &[f64], z: &[f64], step: &[f64], cost: f64) -> Option<(Vec<f64>, Vec<f64>, f64)> {
        let mut length = 1.0;
        while length >= 1e-4 {
            let next: Vec<f64> = z.iter().zip(step).map(|(z, s)| z + length * s).collect();
            let (left, lower) = self.missing(u, &next);
            if lower < cost {
                return Some((next, left, lower));
            }
            length *= 0.5;
        }
        None
    }

    /// A field about the centre of mass, in flight.
    pub fn about_center(&self, mut field: Vec<f64>) -> Vec<f64> {
        if self.ground.flies {
            about_center(self.body, &mut field);
        }
        field
    }
}
