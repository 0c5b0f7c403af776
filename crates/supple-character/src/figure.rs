//! A figure: a skeleton, how it is used in a motion, and how far its joints may turn.

use crate::constraint::{Limit, Scale};
use crate::motion::Motion;
use crate::skeleton::{Skeleton, Turns};
use nalgebra::{Matrix3, SymmetricEigen, Unit, UnitQuaternion, Vector3};
use supple_numerics::rotation;

/// An axis a joint turns about by less than this on average, in radians, is one it does not use.
const UNUSED: f64 = 0.05 * std::f64::consts::PI / 180.0;
/// √25: what turns about an unused axis weigh more.
const UNUSED_WEIGHT: f64 = 5.0;
/// What every turn weighs as if it had this arm, as a part of the figure's height.
const ARM: f64 = 0.1 / 1.7;

/// A skeleton that is edited.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its joints.
    pub skeleton: Skeleton,
    /// How far they may turn.
    pub limits: Vec<Limit>,
    /// The axis that points up.
    pub up: usize,
    /// How tall it is: its largest extent in the motion.
    pub size: f64,
    /// What turns of a joint in its own axes are multiplied by before they are weighed: unused axes cost more.
    pub(crate) stiff: Vec<Matrix3<f64>>,
}

impl Figure {
    /// A skeleton as a motion uses it.
    #[must_use]
    pub fn new(skeleton: Skeleton, limits: Vec<Limit>, up: usize, motion: &Motion) -> Self {
        let first = usize::from(begins_with_a_rest_pose(&skeleton, motion));
        let stiff = (0..skeleton.joints().len())
            .map(|j| Matrix3::identity() + use_of(motion, j, first).unused() * (UNUSED_WEIGHT - 1.0))
            .collect();
        let size = size(&skeleton, motion);
        Self { skeleton, limits, up, size, stiff }
    }

    /// What rows are measured by.
    #[must_use]
    pub fn scale(&self) -> Scale {
        Scale { arm: ARM * self.size }
    }
}

/// The largest extent of the joints along any axis, in frames spread over the motion.
#[must_use]
pub fn size(skeleton: &Skeleton, motion: &Motion) -> f64 {
    let step = (motion.frames() / 16).max(1);
    let extent = |frame: usize| {
        let world = motion.world(skeleton, frame);
        let axis = |k: usize| {
            let values = || world.positions.iter().map(|p| p[k]);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        axis(0).max(axis(1)).max(axis(2))
    };
    let mut sizes: Vec<f64> = (0..motion.frames()).step_by(step).map(extent).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0).max(1e-9)
}

/// Whether the first frame is a pose of its own, as captures put it before a motion: far from the second, where all other
/// frames are near each other.
#[must_use]
pub fn begins_with_a_rest_pose(skeleton: &Skeleton, motion: &Motion) -> bool {
    if motion.frames() < 4 {
        return false;
    }
    let step = |a: usize, b: usize| {
        let (a, b) = (motion.world(skeleton, a), motion.world(skeleton, b));
        a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    let later = (1..motion.frames() - 1).step_by((motion.frames() / 200).max(1));
    let largest = later.map(|f| step(f, f + 1)).fold(0.0, f64::max);
    let first = step(0, 1);
    first > 3.0 * largest && first > 0.05 * size(skeleton, motion)
}

/// How a joint turns in a motion: about its mean, along three axes of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct JointUse {
    /// The mean R̄.
    pub mean: UnitQuaternion<f64>,
    /// The axes of log(R̄ᵀ R), most used first.
    pub axes: [Vector3<f64>; 3],
    /// The root mean square of the turns about each, in radians.
    pub turns: [f64; 3],
}

impl JointUse {
    /// The part of a turn that is about axes the joint does not use.
    fn unused(&self) -> Matrix3<f64> {
        let unused = self.axes.iter().zip(self.turns).filter(|(_, turn)| *turn < UNUSED);
        unused.map(|(axis, _)| axis * axis.transpose()).sum()
    }

    /// The one axis it turns about, if there is just one.
    #[must_use]
    pub fn hinge(&self) -> Option<Unit<Vector3<f64>>> {
        (self.turns[0] >= UNUSED && self.turns[1] < UNUSED).then(|| Unit::new_normalize(self.axes[0]))
    }
}

/// How a joint turns in a motion, from a frame on.
#[must_use]
pub fn use_of(motion: &Motion, joint: usize, first: usize) -> JointUse {
    let frames = first..motion.frames();
    let start = motion.rotation(first.min(motion.frames() - 1), joint);
    // The mean in the chart of the first frame, then in its own.
    let mut mean = start;
    for _ in 0..3 {
        let sum: Vector3<f64> = frames.clone().map(|f| from(&mean, &motion.rotation(f, joint))).sum();
        mean *= UnitQuaternion::from_scaled_axis(sum / frames.len().max(1) as f64);
    }
    let mut spread = Matrix3::zeros();
    for f in frames.clone() {
        let turn = from(&mean, &motion.rotation(f, joint));
        spread += turn * turn.transpose();
    }
    let eigen = SymmetricEigen::new(spread / frames.len().max(1) as f64);
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    JointUse {
        mean,
        axes: order.map(|k| eigen.eigenvectors.column(k).into_owned()),
        turns: order.map(|k| eigen.eigenvalues[k].max(0.0).sqrt()),
    }
}

fn from(mean: &UnitQuaternion<f64>, turned: &UnitQuaternion<f64>) -> Vector3<f64> {
    rotation::log(&(mean.inverse() * turned).to_rotation_matrix().into_inner())
}

/// What a joint may turn about: one that is a hinge in the motion about that axis.
#[must_use]
pub fn hinge_of(motion: &Motion, joint: usize, first: usize) -> Turns {
    use_of(motion, joint, first).hinge().map_or(Turns::Ball, Turns::Hinge)
}
