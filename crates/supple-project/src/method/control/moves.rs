//! Where the body of a part is at any time, by its coordinates and, where nothing holds it, by the rigid motion it is on.
//!
//! > u = q₀ + U z(t), or c(t) + T(t) (x − x̄ + q₀ + U z(t)) − x for a body that floats.
//!
//! Between frames z is the cubic with the rates (z₊ − z₋)/2 at both.

use crate::body::Body;
use std::sync::Arc;
use supple_elastic::{KeyBasis, RigidPath};
use supple_mesh::Vec3;
use supple_spacetime::{ControlPath, ControlTime};

/// Where the body of a part is at any time.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    pub body: Arc<Body>,
    pub basis: KeyBasis,
    /// By frames of the whole motion, counted from 0; none for a body that is held.
    pub rigid: Option<RigidPath>,
    pub time: Arc<ControlTime>,
    pub path: ControlPath,
    /// The frame of the whole motion at which the part begins, counted from 0.
    pub begin: usize,
}

impl Moves {
    /// Frames from its first to its last.
    pub fn frames(&self) -> usize {
        self.time.frames() - 1
    }

    /// z of a frame; before the first that before it, after the last the last.
    fn frame(&self, frame: isize) -> &[f64] {
        match usize::try_from(frame) {
            Err(_) => self.path.before(),
            Ok(frame) => self.path.frame(frame.min(self.frames())),
        }
    }

    /// z so many frames from the first.
    pub fn coordinates(&self, at: f64) -> Vec<f64> {
        let at = at.clamp(0.0, self.frames() as f64);
        let (low, s) = (at.floor() as isize, at.fract());
        if s == 0.0 {
            return self.frame(low).to_vec();
        }
        let [before, from, to, after] = [low - 1, low, low + 1, low + 2].map(|frame| self.frame(frame));
        let [s2, s3] = [s * s, s * s * s];
        let weights = [2.0 * s3 - 3.0 * s2 + 1.0, s3 - 2.0 * s2 + s, 3.0 * s2 - 2.0 * s3, s3 - s2];
        let value = |k: usize| {
            let rates = [0.5 * (to[k] - before[k]), 0.5 * (after[k] - from[k])];
            weights[0] * from[k] + weights[1] * rates[0] + weights[2] * to[k] + weights[3] * rates[1]
        };
        (0..from.len()).map(value).collect()
    }

    /// How far every vertex is from rest, so many frames from the first; three numbers each.
    pub fn displacement(&self, at: f64) -> Vec<f64> {
        self.displaced(&self.coordinates(at), at)
    }

    /// The same of given coordinates.
    pub fn displaced(&self, z: &[f64], at: f64) -> Vec<f64> {
        let mut deformation = vec![0.0; self.basis.start().len()];
        self.basis.poses(z, &mut deformation);
        let Some(rigid) = &self.rigid else { return deformation };
        let mut u = vec![0.0; deformation.len()];
        rigid.at(self.begin as f64 + at).motion.joined(&self.body.elastic, &deformation, &mut u);
        u
    }

    /// The frame before the first, three numbers per vertex.
    fn before(&self) -> Vec<f64> {
        self.displaced(self.path.before(), -1.0)
    }

    /// How fast every vertex moves at a frame, per second of the body's own time, by the frame before it; three numbers
    /// each.
    pub fn velocity(&self, frame: usize) -> Vec<f64> {
        let now = self.displacement(frame as f64);
        let (before, step) = match frame.checked_sub(1) {
            Some(before) => (self.displacement(before as f64), self.time.steps[before]),
            None => (self.before(), self.time.before),
        };
        now.iter().zip(before).map(|(now, before)| (now - before) / step).collect()
    }

    /// Where the vertices are, so many frames from the first.
    pub fn positions(&self, at: f64) -> Vec<Vec3> {
        let u = self.displacement(at);
        let moved = u.chunks_exact(3).map(Vec3::from_column_slice);
        self.body.positions().iter().zip(moved).map(|(x, u)| x + u).collect()
    }

    /// The force on every vertex that is w in the coordinates, newtons in the scene; three numbers each.
    pub fn spread(&self, w: &[f64], at: f64) -> Vec<f64> {
        let mut force = vec![0.0; self.basis.start().len()];
        self.basis.spread_force(w, &mut force);
        if let Some(rigid) = &self.rigid {
            let turn = rigid.at(self.begin as f64 + at).motion.turn;
            for force in force.chunks_exact_mut(3) {
                let turned = turn * Vec3::from_column_slice(force);
                force.copy_from_slice(turned.as_slice());
            }
        }
        force
    }

    /// What forces on vertices of the scene are in the coordinates.
    pub fn gathered(&self, forces: &[f64], at: f64) -> Vec<f64> {
        match &self.rigid {
            None => self.basis.force_of(forces),
            Some(rigid) => {
                let motion = rigid.at(self.begin as f64 + at).motion;
                self.basis.force_of(&motion.directions_apart(forces))
            }
        }
    }
}
