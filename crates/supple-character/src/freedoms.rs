//! What an edit may change in a frame: d, a number per freedom.
//!
//! > R_j = R₀_j exp(d_j),  t_j = t₀_j + d_j
//!
//! d_j of a hinge is along its axis. To the right of R₀ it is in the joint's own axes, so that the answer depends
//! neither on the order of channels in a file nor on poles of angles. A freedom moves a point p of the figure by
//! ω × (p − p_j), ω the column of W_j J_r(d_j) it has, J_r the right Jacobian of exp; or along an axis of the parent.
//!
//! Only freedoms that rows touch are there: the others stay as the input has them, to the bit.

use crate::motion::{Motion, World};
use crate::skeleton::{Skeleton, Turns};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use supple_numerics::rotation;

/// Which freedoms an edit has, and where they stand in d.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedoms {
    len: usize,
    joints: Vec<Place>,
}

/// Where the freedoms of a joint stand in d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Of the coordinates that move.
    moves: [Option<usize>; 3],
    /// The first of those that turn.
    turns: Option<usize>,
}

/// A freedom in a frame: how it moves the scene.
#[derive(Clone, Copy, Debug)]
pub enum Screw {
    /// Moves all that hangs on the joint along this.
    Slide(Vector3<f64>),
    /// Turns all that hangs on the joint about this, through the joint.
    Spin(Vector3<f64>),
}

/// A frame under an edit: where joints are, and what each freedom does.
#[derive(Clone, Debug)]
pub struct Posed {
    /// Where the joints are.
    pub world: World,
    /// By joint: (place in d, what it does).
    screws: Vec<[Option<(usize, Screw)>; 6]>,
}

impl Posed {
    /// What the freedoms of a joint do.
    pub fn screws(&self, joint: usize) -> impl Iterator<Item = (usize, Screw)> + '_ {
        self.screws[joint].iter().flatten().copied()
    }
}

impl Freedoms {
    /// Those of the joints that are `wanted`, in the order of joints; joints that are tied bring what they are tied to.
    #[must_use]
    pub fn new(skeleton: &Skeleton, wanted: impl Fn(usize) -> bool) -> Self {
        let joints = skeleton.joints();
        let owner = |j: usize| joints[j].tie.unwrap_or(j);
        let mut is_wanted = vec![false; joints.len()];
        for j in (0..joints.len()).filter(|j| wanted(*j)) {
            is_wanted[owner(j)] = true;
        }
        let mut len = 0;
        let mut take = |count: usize| {
            len += count;
            len - count
        };
        let mut places = vec![Place { moves: [None; 3], turns: None }; joints.len()];
        for j in (0..joints.len()).filter(|j| is_wanted[*j]) {
            let moves = joints[j].moves.map(|moves| moves.then(|| take(1)));
            let turns = match joints[j].turns.freedoms() {
                0 => None,
                count => Some(take(count)),
            };
            places[j] = Place { moves, turns };
        }
        for j in 0..joints.len() {
            places[j] = places[owner(j)];
        }
        Self { len, joints: places }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where the freedoms to move of a joint stand in d.
    #[must_use]
    pub fn moves(&self, joint: usize) -> [Option<usize>; 3] {
        self.joints[joint].moves
    }

    /// Where the freedoms to turn of a joint begin in d.
    #[must_use]
    pub fn turns(&self, joint: usize) -> Option<usize> {
        self.joints[joint].turns
    }

    /// d_j as a rotation vector in the joint's own axes.
    fn vector(&self, turns: Turns, joint: usize, d: &[f64]) -> Option<Vector3<f64>> {
        let at = self.joints[joint].turns?;
        match turns {
            Turns::Fixed => None,
            Turns::Hinge(axis) => Some(axis.into_inner() * d[at]),
            Turns::Ball => Some(Vector3::new(d[at], d[at + 1], d[at + 2])),
        }
    }

    /// How far d turns a joint, at most, in radians.
    #[must_use]
    pub fn largest_turn(&self, skeleton: &Skeleton, d: &[f64]) -> f64 {
        let joints = skeleton.joints().iter().enumerate();
        let turns = joints.filter_map(|(j, joint)| self.vector(joint.turns, j, d));
        turns.map(|vector| vector.norm()).fold(0.0, f64::max)
    }

    /// t₀ + d.
    fn shifted(&self, joint: usize, translation: Vector3<f64>, d: &[f64]) -> Vector3<f64> {
        let mut translation = translation;
        for (axis, at) in self.joints[joint].moves.iter().enumerate() {
            if let Some(at) = at {
                translation[axis] += d[*at];
            }
        }
        translation
    }

    /// Where joints are under an edit, and nothing more.
    #[must_use]
    pub fn world(&self, skeleton: &Skeleton, motion: &Motion, frame: usize, d: &[f64]) -> World {
        let mut world = World::new(skeleton.joints().len());
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let mut rotation = motion.rotation(frame, j).to_rotation_matrix().into_inner();
            if let Some(vector) = self.vector(joint.turns, j, d) {
                rotation *= rotation::exp(&vector);
            }
            world.place(j, joint.parent, &rotation, &self.shifted(j, motion.translation(frame, j), d));
        }
        world
    }

    /// Where joints are under an edit, and what its freedoms do there.
    #[must_use]
    pub fn pose(&self, skeleton: &Skeleton, motion: &Motion, frame: usize, d: &[f64]) -> Posed {
        let mut world = World::new(skeleton.joints().len());
        let mut screws = vec![[None; 6]; skeleton.joints().len()];
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let mut rotation = motion.rotation(frame, j).to_rotation_matrix().into_inner();
            let mut right = Matrix3::identity();
            if let Some(vector) = self.vector(joint.turns, j, d) {
                let (turn, left) = rotation::exp_and_jacobian(&vector);
                rotation *= turn;
                // The right Jacobian is the left one transposed.
                right = left.transpose();
            }
            world.place(j, joint.parent, &rotation, &self.shifted(j, motion.translation(frame, j), d));
            let outer = joint.parent.map_or_else(Matrix3::identity, |parent| world.rotations[parent]);
            let place = &self.joints[j];
            for axis in 0..3 {
                screws[j][axis] =
                    place.moves[axis].map(|at| (at, Screw::Slide(outer.column(axis).into_owned())));
            }
            let Some(at) = place.turns else { continue };
            let turned = world.rotations[j] * right;
            match joint.turns {
                Turns::Fixed => {}
                Turns::Hinge(axis) => screws[j][3] = Some((at, Screw::Spin(turned * axis.into_inner()))),
                Turns::Ball => {
                    for axis in 0..3 {
                        screws[j][3 + axis] =
                            Some((at + axis, Screw::Spin(turned.column(axis).into_owned())));
                    }
                }
            }
        }
        Posed { world, screws }
    }

    /// Writes a frame of the edited motion; what the edit does not touch stays as it is, to the bit.
    pub fn apply(&self, skeleton: &Skeleton, motion: &mut Motion, frame: usize, d: &[f64]) {
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let place = &self.joints[j];
            let mut rotation = motion.rotation(frame, j);
            let mut translation = motion.translation(frame, j);
            if let Some(vector) = self.vector(joint.turns, j, d).filter(|vector| *vector != Vector3::zeros())
            {
                rotation *= UnitQuaternion::from_scaled_axis(vector);
                rotation.renormalize();
            }
            if place.moves.iter().flatten().any(|at| d[*at] != 0.0) {
                translation = self.shifted(j, translation, d);
            }
            motion.set(frame, j, rotation, translation);
        }
    }
}
