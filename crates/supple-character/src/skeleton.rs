//! Skeletons: joints in a tree, and how each of them may turn.

use nalgebra::{Unit, Vector3};

/// A joint, and with it the bone that leads to it from its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// What it is called.
    pub name: String,
    /// The joint it hangs on, always an earlier one; none for the root.
    pub parent: Option<usize>,
    /// Where it is from its parent, in the parent's axes, at rest.
    pub offset: Vector3<f64>,
    /// Which of its coordinates an edit may move.
    pub moves: [bool; 3],
    /// How an edit may turn it.
    pub turns: Turns,
    /// The joint it follows: both have the same freedoms, and so the same edit.
    pub tie: Option<usize>,
    /// What the bone that leads to it weighs; none: in proportion to the cube of its length.
    pub mass: Option<f64>,
}

impl Joint {
    /// A joint that turns every way.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: Option<usize>, offset: Vector3<f64>) -> Self {
        let moves = [parent.is_none(); 3];
        Self { name: name.into(), parent, offset, moves, turns: Turns::Ball, tie: None, mass: None }
    }
}

/// How an edit may turn a joint: R = R₀ exp(d) with d of so many dimensions, in the joint's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turns {
    /// Not at all.
    Fixed,
    /// About one axis.
    Hinge(Unit<Vector3<f64>>),
    /// Every way.
    Ball,
}

impl Turns {
    /// How many freedoms that is.
    #[must_use]
    pub fn freedoms(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge(_) => 1,
            Self::Ball => 3,
        }
    }
}

/// What is wrong with a skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkeletonError {
    /// There is nothing.
    #[error("the skeleton has no joints")]
    Empty,
    /// A joint before its parent.
    #[error("joint \"{joint}\" comes before its parent")]
    Order {
        /// Its name.
        joint: String,
    },
    /// A joint that is tied to one that turns another way, is tied itself, or comes later.
    #[error(
        "joint \"{joint}\" cannot be tied to \"{to}\": both must turn and move alike, and \"{to}\" must not be tied itself"
    )]
    Tie {
        /// Its name.
        joint: String,
        /// What it is tied to.
        to: String,
    },
}

/// Joints in a tree, parents first.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// Weights of the joints in the centre of mass: the mass of a bone is half at each of its ends. They sum to one.
    shares: Vec<f64>,
}

impl Skeleton {
    /// A skeleton of these joints.
    ///
    /// # Errors
    /// When there are none, or they do not fit together.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        for (j, joint) in joints.iter().enumerate() {
            if joint.parent.is_some_and(|parent| parent >= j) {
                return Err(SkeletonError::Order { joint: joint.name.clone() });
            }
            if let Some(to) = joint.tie {
                let alike = |to: &Joint| {
                    to.tie.is_none()
                        && to.turns.freedoms() == joint.turns.freedoms()
                        && to.moves == joint.moves
                };
                if to == j || !joints.get(to).is_some_and(alike) {
                    let to = joints.get(to).map_or_else(String::new, |to| to.name.clone());
                    return Err(SkeletonError::Tie { joint: joint.name.clone(), to });
                }
            }
        }
        let shares = shares(&joints);
        Ok(Self { joints, shares })
    }

    /// Its joints, parents first.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// How much each joint counts in the centre of mass; they sum to one.
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The joint of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    /// A joint and those it hangs on, up to the root.
    pub fn chain(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |j| self.joints[*j].parent)
    }

    /// Freedoms of an edit: coordinates that move and ways to turn, those of tied joints once.
    #[must_use]
    pub fn freedoms(&self) -> usize {
        let free = self.joints.iter().filter(|joint| joint.tie.is_none());
        free.map(|joint| joint.turns.freedoms() + joint.moves.iter().filter(|moves| **moves).count()).sum()
    }
}

/// A bone weighs in proportion to the cube of its length, as bodies of one shape do, and half of it counts at each end.
fn shares(joints: &[Joint]) -> Vec<f64> {
    let mut shares = vec![0.0; joints.len()];
    for (j, joint) in joints.iter().enumerate() {
        let Some(parent) = joint.parent else {
            shares[j] += joint.mass.unwrap_or(0.0);
            continue;
        };
        let mass = joint.mass.unwrap_or_else(|| joint.offset.norm().powi(3));
        shares[j] += 0.5 * mass;
        shares[parent] += 0.5 * mass;
    }
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 {
        shares.iter_mut().for_each(|share| *share /= sum);
    } else {
        shares.fill(1.0 / joints.len() as f64);
    }
    shares
}
