//! The surface of a skeleton: an octahedron for each bone, which its upper joint carries.

use nalgebra::Vector3;
use supple_character::{Motion, Skeleton, World};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// Where the four corners around a bone are along it, and how far from it, as parts of its length.
const WAIST: (f64, f64) = (0.2, 0.1);
/// Bones shorter than this part of the longest are not drawn.
const SHORTEST: f64 = 1e-4;

/// Vertices of a bone: the first is at its upper joint, the last at its lower one.
const CORNERS: usize = 6;
const LAST: usize = CORNERS - 1;

/// The surface of a skeleton.
#[derive(Clone, Debug)]
pub struct Bones {
    /// For each vertex the joint that carries it, and where it is in that joint's axes.
    vertices: Vec<(usize, Vector3<f64>)>,
    /// For each vertex the joint that one means by it: the nearer end of its bone.
    pub joints: Vec<usize>,
    /// Where vertices are at rest.
    pub rest: Vec<Vec3>,
    /// The triangles between them.
    pub triangles: Vec<[VertexId; 3]>,
}

impl Bones {
    /// The bones of a skeleton whose joints `is_there`; a bone belongs to its upper joint.
    #[must_use]
    pub fn new(skeleton: &Skeleton, is_there: impl Fn(usize) -> bool) -> Self {
        let joints = skeleton.joints();
        let longest = joints.iter().map(|joint| joint.offset.norm()).fold(0.0, f64::max);
        let mut bones = Self { vertices: vec![], joints: vec![], rest: vec![], triangles: vec![] };
        for (j, joint) in joints.iter().enumerate() {
            let Some(parent) = joint.parent.filter(|parent| is_there(*parent)) else { continue };
            let length = joint.offset.norm();
            if length > SHORTEST * longest {
                bones.add(parent, j, &joint.offset, length);
            }
        }
        if bones.vertices.is_empty() {
            // Nothing but joints at one place: a mark where they are.
            bones.add(0, 0, &Vector3::y(), 1.0);
        }
        let world = Motion::rest(skeleton, 1).world(skeleton, 0);
        bones.rest = bones.at(&world).collect();
        bones
    }

    fn add(&mut self, parent: usize, child: usize, offset: &Vector3<f64>, length: f64) {
        let first = self.vertices.len() as u32;
        let along = offset / length;
        let side = Vector3::ith(along.iamin(), 1.0).cross(&along).normalize();
        let other = along.cross(&side);
        let waist = offset * WAIST.0;
        let out = WAIST.1 * length;
        let corners = [
            Vector3::zeros(),
            waist + side * out,
            waist + other * out,
            waist - side * out,
            waist - other * out,
        ];
        self.vertices.extend(corners.into_iter().chain([*offset]).map(|v| (parent, v)));
        self.joints.extend([parent, parent, parent, parent, parent, child]);
        for k in 0..4 {
            let (a, b) = (1 + k, 1 + (k + 1) % 4);
            self.triangles.push([0, b, a].map(|v| VertexId(first + v)));
            self.triangles.push([5, a, b].map(|v| VertexId(first + v)));
        }
    }

    /// The vertex that is at a joint which `is_it`: the upper or the lower end of a bone. None where no bone ends there.
    pub fn end(&self, is_it: impl Fn(usize) -> bool) -> Option<VertexId> {
        let is_end = |v: &usize| matches!(v % CORNERS, 0 | LAST) && is_it(self.joints[*v]);
        (0..self.joints.len()).find(is_end).map(VertexId::new)
    }

    /// Where the vertices are when the joints are somewhere.
    pub fn at<'a>(&'a self, world: &'a World) -> impl Iterator<Item = Vec3> + 'a {
        self.vertices.iter().map(|(joint, v)| world.positions[*joint] + world.rotations[*joint] * v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_character::Joint;

    /// Dropped feet took the shins along: figures without feet ended at their knees.
    #[test]
    fn a_joint_that_is_dropped_still_ends_the_bone_above_it() {
        let below = |name: &str, parent: usize| Joint::new(name, Some(parent), -Vector3::y());
        let joints = vec![
            Joint::new("Hip", None, Vector3::zeros()),
            below("Knee", 0),
            below("Ankle", 1),
            below("Toe", 2),
        ];
        let skeleton = Skeleton::new(joints).unwrap();
        let bones = |last: usize| Bones::new(&skeleton, |j| j <= last);
        let (whole, without_foot) = (bones(3), bones(1));
        assert_eq!((whole.rest.len(), without_foot.rest.len()), (3 * CORNERS, 2 * CORNERS));
        let ankle = without_foot.end(|j| j == 2).unwrap();
        assert_eq!(without_foot.rest[ankle.index()], Vec3::new(0.0, -2.0, 0.0));
        assert_eq!((without_foot.end(|j| j == 3), whole.end(|j| j == 0)), (None, Some(VertexId(0))));
    }
}
