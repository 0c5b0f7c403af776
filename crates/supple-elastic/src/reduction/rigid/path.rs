//! A smooth rigid motion through given ones: acceleration is continuous, in turning as in moving.
//!
//! Centres follow a cubic spline. Between knots i and i + 1 the body is turned by
//!
//! > T(t) = T_i exp φ(t),   φ(t_i) = 0,   φ(t_{i+1}) = Φ_i = log(T_iᵀ T_{i+1}),
//!
//! φ a cubic polynomial of time. Its spin, as the body sees it, is ω = J(φ) φ̇ with J the right Jacobian, so that φ̇ at both
//! ends follows from ω_i, ω_{i+1}. Accelerations agree at the knots:
//!
//! > J(Φ) φ̈(h) + N(Φ, φ̇(h)) on the left = φ̈(0) on the right,   N = J̇ φ̇,
//!
//! a tridiagonal system for ω but for N, which is of second order and taken from the solution before until nothing changes
//! (a few rounds). About a fixed axis N is zero and the angle a cubic spline. Both ends are natural (no acceleration), or
//! the first one has the velocity it is given.

use super::RigidMotion;
use nalgebra::{DMatrix, DVector, Matrix3};
use supple_mesh::Vec3;
use supple_numerics::rotation;

/// Rounds for N at most, and the change of the spin, relative, that is none.
const ROUNDS: usize = 40;
const SETTLED: f64 = 1e-13;

/// A rigid motion on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidState {
    /// Where it is.
    pub motion: RigidMotion,
    /// ċ, metres per second.
    pub velocity: Vec3,
    /// How fast it turns, radians per second, about axes of space.
    pub spin: Vec3,
}

/// A rigid motion over time.
#[derive(Clone, Debug)]
pub struct RigidPath {
    times: Vec<f64>,
    motions: Vec<RigidMotion>,
    /// ċ at the knots.
    velocities: Vec<Vec3>,
    /// ω at the knots, about axes of the body.
    spins: Vec<Vec3>,
}

/// A cubic polynomial from 0 to `end`, with these slopes at both ends: its value, slope and curvature.
fn cubic(end: &Vec3, slopes: [&Vec3; 2], h: f64, t: f64) -> [Vec3; 3] {
    let [a, b] = slopes;
    let s = t / h;
    // end, a h and b h times the Hermite polynomials.
    let value =
        end * (s * s * (3.0 - 2.0 * s)) + a * (h * s * (1.0 - s) * (1.0 - s)) - b * (h * s * s * (1.0 - s));
    let slope =
        end * (6.0 * s * (1.0 - s) / h) + a * ((1.0 - s) * (1.0 - 3.0 * s)) - b * (s * (2.0 - 3.0 * s));
    let curvature =
        end * ((6.0 - 12.0 * s) / (h * h)) + a * ((6.0 * s - 4.0) / h) + b * ((6.0 * s - 2.0) / h);
    [value, slope, curvature]
}

/// J(φ): the spin about axes of the body is J φ̇.
fn jacobian(phi: &Vec3) -> Matrix3<f64> {
    rotation::left_jacobian(phi).transpose()
}

/// N = J̇ φ̇ at φ: with J = I − b φ× + c φ×φ×, −ḃ φ×φ̇ + ċ φ×(φ×φ̇) + c φ̇×(φ×φ̇).
fn turning(phi: &Vec3, rate: &Vec3) -> Vec3 {
    let t = phi.norm_squared();
    let [a, b, c] = rotation::coefficients_of(t);
    // Derivatives by θ²: b' = (a − 2b)/2θ², c' = (b − 3c)/2θ², as series where these lose digits.
    let (db, dc) = if t < 1e-2 {
        (-1.0 / 24.0 + t / 360.0 - t * t / 13440.0, -1.0 / 120.0 + t / 2520.0 - t * t / 120_960.0)
    } else {
        ((a - 2.0 * b) / (2.0 * t), (b - 3.0 * c) / (2.0 * t))
    };
    let change = 2.0 * phi.dot(rate);
    let across = phi.cross(rate);
    across * (-db * change) + phi.cross(&across) * (dc * change) + rate.cross(&across) * c
}

impl RigidPath {
    /// The path through motions at ascending times, seconds; `begin` is ċ and the spin it begins with, free when there is
    /// none. `None` when there is no motion, times do not ascend, or a number is not finite.
    #[must_use]
    pub fn through(knots: &[(f64, RigidMotion)], begin: Option<(Vec3, Vec3)>) -> Option<Self> {
        let times: Vec<f64> = knots.iter().map(|knot| knot.0).collect();
        let motions: Vec<RigidMotion> = knots.iter().map(|knot| knot.1).collect();
        let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        let fine = |m: &RigidMotion| finite(&m.centre) && m.turn.iter().all(|x| x.is_finite());
        let ascending = times.windows(2).all(|t| t[0] < t[1]) && times.iter().all(|t| t.is_finite());
        let begins = begin.is_none_or(|(velocity, spin)| finite(&velocity) && finite(&spin));
        if motions.is_empty() || !ascending || !motions.iter().all(fine) || !begins {
            return None;
        }
        let steps: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
        let pairs = || motions.windows(2);
        let moves: Vec<Vec3> = pairs().map(|m| m[1].centre - m[0].centre).collect();
        let velocities = slopes(&moves, &steps, begin.map(|(velocity, _)| velocity), None);
        let turns: Vec<Vec3> = pairs().map(|m| rotation::log(&m[0].turn.tr_mul(&m[1].turn))).collect();
        let spin = begin.map(|(_, spin)| motions[0].turn.tr_mul(&spin));
        let spins = spins(&turns, &steps, spin);
        Some(Self { times, motions, velocities, spins })
    }

    /// Where it is at any time. Before the first knot and after the last it moves and turns on evenly.
    #[must_use]
    pub fn at(&self, time: f64) -> RigidState {
        let last = self.times.len() - 1;
        let after = self.times.partition_point(|t| *t <= time);
        if after == 0 || after > last {
            return self.beyond(if after == 0 { 0 } else { last }, time);
        }
        let i = after - 1;
        let (h, t) = (self.times[after] - self.times[i], time - self.times[i]);
        let [from, to] = [&self.motions[i], &self.motions[after]];
        let [centre, velocity, _] =
            cubic(&(to.centre - from.centre), [&self.velocities[i], &self.velocities[after]], h, t);
        let end = rotation::log(&from.turn.tr_mul(&to.turn));
        let rate = rate_at(&end, &self.spins[after]);
        let [phi, rate, _] = cubic(&end, [&self.spins[i], &rate], h, t);
        let turn = from.turn * rotation::exp(&phi);
        let motion = RigidMotion { centre: from.centre + centre, turn };
        RigidState { motion, velocity, spin: turn * (jacobian(&phi) * rate) }
    }

    fn beyond(&self, knot: usize, time: f64) -> RigidState {
        let (t, motion) = (time - self.times[knot], &self.motions[knot]);
        let (velocity, spin) = (self.velocities[knot], self.spins[knot]);
        let turn = motion.turn * rotation::exp(&(spin * t));
        let motion = RigidMotion { centre: motion.centre + velocity * t, turn };
        RigidState { motion, velocity, spin: turn * spin }
    }
}

/// φ̇ of this spin, about axes of the body, at φ: J⁻¹ω. J is regular for turns of less than a whole one.
fn rate_at(phi: &Vec3, spin: &Vec3) -> Vec3 {
    jacobian(phi).try_inverse().map_or(*spin, |inverse| inverse * spin)
}

/// ω at the knots.
fn spins(turns: &[Vec3], steps: &[f64], begin: Option<Vec3>) -> Vec<Vec3> {
    let mut spins = slopes(turns, steps, begin, None);
    for _ in 0..ROUNDS {
        let second: Vec<Vec3> =
            turns.iter().zip(&spins[1..]).map(|(turn, spin)| turning(turn, &rate_at(turn, spin))).collect();
        let next = slopes(turns, steps, begin, Some(&second));
        let size = next.iter().map(Vec3::norm).fold(0.0, f64::max);
        let change = next.iter().zip(&spins).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        spins = next;
        if change <= SETTLED * size {
            break;
        }
    }
    spins
}

/// The slopes at knots that make the second derivative continuous: of a path through `ends`, one step after the other, or
/// of turns by them, whose N is `second`.
fn slopes(ends: &[Vec3], steps: &[f64], begin: Option<Vec3>, second: Option<&[Vec3]>) -> Vec<Vec3> {
    let knots = ends.len() + 1;
    let (mut A, mut b) = (DMatrix::zeros(3 * knots, 3 * knots), DVector::zeros(3 * knots));
    let mut add = |row: usize, column: usize, block: Matrix3<f64>| {
        let mut view = A.fixed_view_mut::<3, 3>(3 * row, 3 * column);
        view += block;
    };
    let mut right = |row: usize, value: Vec3| {
        let mut view = b.fixed_rows_mut::<3>(3 * row);
        view += value;
    };
    let one = Matrix3::identity();
    for (i, (end, h)) in ends.iter().zip(steps).enumerate() {
        let J = if second.is_some() { jacobian(end) } else { one };
        let inverse = J.try_inverse().unwrap_or(one);
        // What is said at the left knot: the curvature of this step begins there.
        if i > 0 || begin.is_none() {
            add(i, i, one * (4.0 / h));
            add(i, i + 1, inverse * (2.0 / h));
            right(i, end * (6.0 / (h * h)));
        }
        // And at the right one, where it ends.
        add(i + 1, i, J * (2.0 / h));
        add(i + 1, i + 1, one * (4.0 / h));
        right(i + 1, J * end * (6.0 / (h * h)) - second.map_or(Vec3::zeros(), |second| second[i]));
    }
    if let Some(begin) = begin {
        add(0, 0, one);
        right(0, begin);
    } else if ends.is_empty() {
        add(0, 0, one);
    }
    let solution = A.lu().solve(&b).unwrap_or_else(|| DVector::zeros(3 * knots));
    (0..knots).map(|k| Vec3::new(solution[3 * k], solution[3 * k + 1], solution[3 * k + 2])).collect()
}

#[cfg(test)]
mod tests;
