//! Motion of a skeleton, and where that puts its joints.
//!
//! > W_j = W_parent R_j,  p_j = p_parent + W_parent t_j (forward kinematics)

use crate::skeleton::Skeleton;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// How the joints of a skeleton are turned and placed, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    frames: usize,
    joints: usize,
    rotations: Vec<UnitQuaternion<f64>>,
    translations: Vec<Vector3<f64>>,
}

impl Motion {
    /// A motion that stays at rest.
    #[must_use]
    pub fn rest(skeleton: &Skeleton, frames: usize) -> Self {
        let joints = skeleton.joints().len();
        let offsets: Vec<Vector3<f64>> = skeleton.joints().iter().map(|joint| joint.offset).collect();
        Self {
            frames,
            joints,
            rotations: vec![UnitQuaternion::identity(); frames * joints],
            translations: std::iter::repeat_n(offsets, frames).flatten().collect(),
        }
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// How many joints there are.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// How a joint is turned from its parent.
    #[must_use]
    pub fn rotation(&self, frame: usize, joint: usize) -> UnitQuaternion<f64> {
        self.rotations[frame * self.joints + joint]
    }

    /// Where a joint is from its parent, in the parent's axes.
    #[must_use]
    pub fn translation(&self, frame: usize, joint: usize) -> Vector3<f64> {
        self.translations[frame * self.joints + joint]
    }

    /// Sets how a joint is turned and placed in a frame.
    pub fn set(
        &mut self,
        frame: usize,
        joint: usize,
        rotation: UnitQuaternion<f64>,
        translation: Vector3<f64>,
    ) {
        self.rotations[frame * self.joints + joint] = rotation;
        self.translations[frame * self.joints + joint] = translation;
    }

    /// Where the joints are in a frame.
    #[must_use]
    pub fn world(&self, skeleton: &Skeleton, frame: usize) -> World {
        let mut world = World::new(self.joints);
        let at = frame * self.joints;
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let rotation = self.rotations[at + j].to_rotation_matrix().into_inner();
            world.place(j, joint.parent, &rotation, &self.translations[at + j]);
        }
        world
    }

    /// Some frames of it, from one to another, both included.
    #[must_use]
    pub fn cut(&self, first: usize, last: usize) -> Self {
        let range = first * self.joints..(last + 1) * self.joints;
        Self {
            frames: last + 1 - first,
            joints: self.joints,
            rotations: self.rotations[range.clone()].to_vec(),
            translations: self.translations[range].to_vec(),
        }
    }
}

/// Where joints are, and how they are turned, in the axes of the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// W_j.
    pub rotations: Vec<Matrix3<f64>>,
    /// p_j.
    pub positions: Vec<Vector3<f64>>,
}

impl World {
    /// Room for so many joints.
    #[must_use]
    pub fn new(joints: usize) -> Self {
        Self { rotations: vec![Matrix3::identity(); joints], positions: vec![Vector3::zeros(); joints] }
    }

    /// Puts a joint where it is from its parent, which is placed already.
    #[inline]
    pub fn place(
        &mut self,
        joint: usize,
        parent: Option<usize>,
        rotation: &Matrix3<f64>,
        translation: &Vector3<f64>,
    ) {
        let (outer, at) = parent.map_or_else(
            || (Matrix3::identity(), Vector3::zeros()),
            |parent| (self.rotations[parent], self.positions[parent]),
        );
        self.rotations[joint] = outer * rotation;
        self.positions[joint] = at + outer * translation;
    }
}
