//! The rigid motion of a body that floats, apart from its deformation.
//!
//! > y = c + T (x − x̄ + d)
//!
//! x̄ is the centre of mass at rest, c the one of the pose, T the turn that leaves least to the deformation d: it makes
//! Σ m |d|² minimal. Then Σ m d = 0 and Σ m (x − x̄) × d = 0, so that d has no part of a rigid motion at rest.

mod path;

pub use path::{RigidPath, RigidState};

use crate::ElasticBody;
use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_numerics::rotation::polar_rotation;

/// Where a body that floats is, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// c, where the centre of mass is.
    pub centre: Vec3,
    /// T, how the body is turned from rest.
    pub turn: Matrix3<f64>,
}

impl RigidMotion {
    /// Where the body is at rest.
    #[must_use]
    pub fn rest(body: &ElasticBody) -> Self {
        Self { centre: mean(body, |v| body.positions()[v]), turn: Matrix3::identity() }
    }

    /// The rigid motion nearest to a displacement, three numbers per vertex, in the mass of the body.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn nearest(body: &ElasticBody, displacement: &[f64]) -> Self {
        check_length(body, displacement);
        let rest = Self::rest(body).centre;
        let place = |v: usize| body.positions()[v] + at(displacement, v);
        let centre = mean(body, place);
        let products = body.masses().iter().enumerate().map(|(v, m)| {
            let arm = body.positions()[v] - rest;
            (place(v) - centre) * arm.transpose() * *m
        });
        Self { centre, turn: polar_rotation(&products.sum()) }
    }

    /// d of a displacement, three numbers per vertex: what is left when the body is moved back.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn apart(&self, body: &ElasticBody, displacement: &[f64]) -> Vec<f64> {
        check_length(body, displacement);
        let rest = Self::rest(body).centre;
        let deformation = |(v, x): (usize, &Vec3)| {
            let place = x + at(displacement, v) - self.centre;
            (self.turn.tr_mul(&place) - (x - rest)).data.0[0]
        };
        body.positions().iter().enumerate().flat_map(deformation).collect()
    }

    /// Overwrites `out` with the displacement of the deformation d under this motion.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    pub fn joined(&self, body: &ElasticBody, deformation: &[f64], out: &mut [f64]) {
        check_length(body, deformation);
        check_length(body, out);
        let rest = Self::rest(body).centre;
        for (v, (x, out)) in body.positions().iter().zip(out.chunks_exact_mut(3)).enumerate() {
            let place = self.centre + self.turn * (x - rest + at(deformation, v));
            out.copy_from_slice((place - x).as_slice());
        }
    }

    /// Forces or other directions, three numbers each, as the body sees them: Tᵀ f.
    #[must_use]
    pub fn directions_apart(&self, directions: &[f64]) -> Vec<f64> {
        let directions = directions.chunks_exact(3).map(Vec3::from_column_slice);
        directions.flat_map(|f| self.turn.tr_mul(&f).data.0[0]).collect()
    }
}

impl RigidState {
    /// The velocity of the deformation, three numbers per vertex, of a body that is displaced and moves: what is left of
    /// its velocity when it is seen from the frame that moves along, ḋ = Tᵀ (v − ċ − ω × (y − c)).
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn velocity_apart(&self, body: &ElasticBody, displacement: &[f64], velocity: &[f64]) -> Vec<f64> {
        check_length(body, displacement);
        check_length(body, velocity);
        let own = |(v, x): (usize, &Vec3)| {
            let arm = x + at(displacement, v) - self.motion.centre;
            let left = at(velocity, v) - self.velocity - self.spin.cross(&arm);
            self.motion.turn.tr_mul(&left).data.0[0]
        };
        body.positions().iter().enumerate().flat_map(own).collect()
    }

    /// The state of a body that is displaced and moves, so that neither d nor ḋ has a part of a rigid motion at rest:
    /// Σ m ḋ = 0 and Σ m (x − x̄) × ḋ = 0.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn nearest(body: &ElasticBody, displacement: &[f64], velocity: &[f64]) -> Self {
        check_length(body, velocity);
        let motion = RigidMotion::nearest(body, displacement);
        let rest = RigidMotion::rest(body).centre;
        let mean = mean(body, |v| at(velocity, v));
        let (mut inertia, mut momentum) = (Matrix3::zeros(), Vec3::zeros());
        for (v, m) in body.masses().iter().enumerate() {
            // Σ m a × (v − ċ − ω × b) = 0, the arms a at rest, turned along, and b now.
            let a = motion.turn * (body.positions()[v] - rest);
            let b = body.positions()[v] + at(displacement, v) - motion.centre;
            inertia += (Matrix3::from_diagonal_element(a.dot(&b)) - b * a.transpose()) * *m;
            momentum += a.cross(&(at(velocity, v) - mean)) * *m;
        }
        let spin = inertia
            .svd(true, true)
            .solve(&momentum, LEAST_INERTIA * inertia.norm())
            .unwrap_or_else(|_| Vec3::zeros());
        Self { motion, velocity: mean, spin }
    }
}

/// Bodies of less than this part of their inertia about an axis lie on it: they do not say how fast they turn about it.
const LEAST_INERTIA: f64 = 1e-12;

/// Σ m of(v) / Σ m.
fn mean(body: &ElasticBody, of: impl Fn(usize) -> Vec3) -> Vec3 {
    let sum: Vec3 = body.masses().iter().enumerate().map(|(v, m)| of(v) * *m).sum();
    sum / body.masses().iter().sum::<f64>()
}

fn at(field: &[f64], vertex: usize) -> Vec3 {
    Vec3::from_column_slice(&field[3 * vertex..3 * vertex + 3])
}

fn check_length(body: &ElasticBody, field: &[f64]) {
    assert_eq!(field.len(), 3 * body.positions().len(), "three numbers per vertex");
}
