//! Poses that are asked for whole: a number for every mode of the body.
//!
//! A pose x̄ is asked of x = C S z. With SᵀS = I, in the scaled coordinates x̂ = C⁻¹ x̄, the modes decouple:
//!
//! > ½w‖S z − x̂‖² = ½w‖z − Sᵀx̂‖² + ½w (‖x̂‖² − ‖Sᵀx̂‖²).
//!
//! The first part is a row for each shape, z_k = (Sᵀx̂)_k, soft or hard; the second is what the shapes cannot hold of the
//! pose, whatever z. Of a pose that is hard the first part is a constraint and the second costs w all the same: so much that to
//! hold a part of the pose is cheaper for every shape than to leave it.

use super::error::{MaterialError, MaterialPart};
use super::matter::Material;
use crate::kernel::{Kernel, Order};
use crate::rows::{Hold, Row};
use nalgebra::DVector;
use supple_model::Instant;

/// How much more it costs to leave a hard pose than to go there.
const FIRM: f64 = 10.0;

/// A pose that is asked for whole.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialPose {
    /// When.
    pub at: Instant,
    /// x̄, a number for every mode of the body.
    pub pose: Vec<f64>,
    /// How strictly.
    pub hold: Hold,
}

/// A pose, ready to be asked for.
#[derive(Clone, Debug)]
pub(super) struct Posed {
    pub at: Instant,
    /// x̂.
    pub target: DVector<f64>,
    pub hold: Hold,
    /// w.
    pub weight: f64,
}

impl MaterialPose {
    pub(super) fn check(&self, pose: usize, kernel: &Kernel, modes: usize) -> Result<(), MaterialError> {
        let found = self.pose.len();
        if found != modes {
            return Err(MaterialError::ModeCount { what: MaterialPart::Pose(pose), found, modes });
        }
        if let Some(value) = self.pose.iter().copied().find(|x| !x.is_finite()) {
            return Err(MaterialError::BadPose { pose, value });
        }
        if let Hold::Soft(value) = self.hold
            && !(value > 0.0 && value.is_finite() && (1.0 / value).is_finite())
        {
            return Err(MaterialError::BadPose { pose, value });
        }
        kernel.movable(self.at).map_err(|problem| MaterialError::PoseTime { pose, at: self.at, problem })
    }

    /// `kernel` is that of the start.
    pub(super) fn posed(&self, scale: &[f64], kernel: &Kernel) -> Posed {
        let target = DVector::from_iterator(scale.len(), self.pose.iter().zip(scale).map(|(x, c)| x / c));
        let weight = match self.hold {
            Hold::Soft(weight) => weight,
            Hold::Hard => {
                let mut variance = vec![0.0; kernel.modes()];
                kernel.covariance((self.at, Order::Position), (self.at, Order::Position), &mut variance);
                let stiffest = variance.into_iter().filter(|p| *p > 0.0).fold(f64::INFINITY, f64::min);
                if stiffest.is_finite() { FIRM / stiffest } else { 0.0 }
            }
        };
        Posed { at: self.at, target, hold: self.hold, weight }
    }
}

impl Posed {
    /// Sᵀx̂.
    pub fn held(&self, material: &Material) -> DVector<f64> {
        material.S.tr_mul(&self.target)
    }

    /// A row for each shape.
    pub fn rows(&self, material: &Material) -> impl Iterator<Item = Row> {
        let held = self.held(material);
        let shapes = material.S.ncols();
        let (at, hold) = (self.at, self.hold);
        (0..shapes).map(move |k| {
            let mut weights = vec![0.0; shapes];
            weights[k] = 1.0;
            Row { hold, ..Row::position(at, weights, held[k]) }
        })
    }

    /// ½w (‖x̂‖² − ‖Sᵀx̂‖²).
    pub fn cost_of_rest(&self, material: &Material) -> f64 {
        0.5 * self.weight * (self.target.norm_squared() - self.held(material).norm_squared())
    }

    /// ‖x̂ − S Sᵀx̂‖².
    fn rest(&self, material: &Material) -> f64 {
        (&self.target - &material.S * self.held(material)).norm_squared()
    }

    /// The part of the pose that the shapes cannot hold, 0 to 1, as a length.
    pub fn missed(&self, material: &Material) -> f64 {
        let size = self.target.norm();
        if size > 0.0 { self.rest(material).sqrt() / size } else { 0.0 }
    }
}
