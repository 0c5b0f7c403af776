//! Skins: points that follow joints, p' = Σ_j w_j·M_j·B_j·p.

use super::accessor::Arrays;
use super::animation::Tracks;
use super::nodes::Nodes;
use crate::scene::Transform;
use crate::{FormatError, Problem};

/// A change of size that is more than the rounding of matrices and the pose of a joint.
const RESCALED: f64 = 0.01;

/// What the points of an object follow.
pub(super) struct Skin {
    /// The node of each joint, and its inverse bind matrix.
    joints: Vec<(usize, Transform)>,
    /// For every vertex, joints and weights.
    pub influences: Vec<Vec<(u32, f64)>>,
}

impl Skin {
    pub fn read(arrays: &Arrays, skin: usize) -> Result<Self, FormatError> {
        let skins = &arrays.document.skins;
        let Some(skin) = skins.get(skin) else {
            let (number, count) = (skin as i64, skins.len());
            return Err(FormatError::whole_file(Problem::NoSuchNumber {
                what: "skin",
                number,
                count,
                first: 0,
            }));
        };
        let count = arrays.document.nodes.len();
        if let Some(node) = skin.joints.iter().find(|node| **node >= count) {
            let number = *node as i64;
            return Err(FormatError::whole_file(Problem::NoSuchNumber {
                what: "node",
                number,
                count,
                first: 0,
            }));
        }
        let matrices = match skin.inverse_bind_matrices {
            Some(accessor) => arrays.numbers(accessor, 16)?,
            None => Vec::new(),
        };
        let (matrices, _) = matrices.as_chunks::<16>();
        let bind = |joint: usize| matrices.get(joint).map_or(Transform::IDENTITY, Transform::from_columns);
        let joints = skin.joints.iter().enumerate().map(|(joint, node)| (*node, bind(joint))).collect();
        Ok(Self { joints, influences: Vec::new() })
    }

    /// Adds the influences of the vertices of a primitive: `JOINTS_0` and `WEIGHTS_0`, and so on.
    pub fn extend(
        &mut self,
        arrays: &Arrays,
        primitive: &super::document::Primitive,
        vertices: usize,
    ) -> Result<(), FormatError> {
        let first = self.influences.len();
        self.influences.resize(first + vertices, Vec::new());
        for set in 0..4 {
            let find = |name: &str| primitive.attributes.get(&format!("{name}_{set}")).copied();
            let (Some(joints), Some(weights)) = (find("JOINTS"), find("WEIGHTS")) else {
                break;
            };
            let (joints, weights) = (arrays.numbers(joints, 4)?, arrays.numbers(weights, 4)?);
            for (at, (joint, weight)) in joints.iter().zip(&weights).enumerate().take(4 * vertices) {
                if *weight > 0.0 && weight.is_finite() {
                    if *joint >= self.joints.len() as f64 {
                        let (number, count) = (*joint as i64, self.joints.len());
                        let problem = Problem::NoSuchNumber { what: "joint", number, count, first: 0 };
                        return Err(FormatError::whole_file(problem));
                    }
                    self.influences[first + at / 4].push((*joint as u32, *weight));
                }
            }
        }
        Ok(())
    }

    pub fn moves(&self, nodes: &Nodes, tracks: &[Tracks]) -> bool {
        self.joints.iter().any(|(node, _)| nodes.chain(*node).any(|above| tracks[above].moves()))
    }

    /// The matrices M_j·B_j at a time.
    pub fn matrices(&self, arrays: &Arrays, nodes: &Nodes, tracks: &[Tracks], time: f64) -> Vec<Transform> {
        let place = |(node, bind): &(usize, Transform)| nodes.place(arrays, tracks, *node, time).after(bind);
        self.joints.iter().map(place).collect()
    }

    /// How the bind pose has to be placed to be as large as the points are: by the first joint, where that changes their
    /// size. Meshes in centimetres below a node that makes metres of them are common.
    pub fn rescaled(&self, matrices: &[Transform]) -> Option<Transform> {
        let place = matrices.first()?;
        let m = &place.0;
        let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
        let volume = m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1);
        let size = volume.abs().cbrt();
        (size > 0.0 && size.is_finite() && (size - 1.0).abs() > RESCALED).then_some(*place)
    }

    /// Moves the points. Those that follow nothing stay; weights count in proportion to their sum.
    pub fn apply(&self, matrices: &[Transform], points: &mut [[f64; 3]]) {
        for (point, influences) in points.iter_mut().zip(&self.influences) {
            let sum: f64 = influences.iter().map(|(_, weight)| weight).sum();
            if sum > 0.0 {
                let mut moved = [0.0; 3];
                for (joint, weight) in influences {
                    let p = matrices[*joint as usize].apply(*point);
                    for i in 0..3 {
                        moved[i] += weight / sum * p[i];
                    }
                }
                *point = moved;
            }
        }
    }
}
