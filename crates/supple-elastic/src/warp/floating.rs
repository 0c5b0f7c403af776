//! Components that nothing holds: how an edit moves them as a whole.
//!
//! The edit p of such a component is taken apart into a shift, a turn and the rest,
//!
//! > p = t + θ × r + p′, r = x − c, t = Σ m p, θ = I⁻¹ Σ m r × p,
//!
//! over masses m that sum to 1, with c the centre of mass at rest and I = Σ m (r² − r rᵀ) the inertia about it;
//! a line and a point do not turn about all axes, their I⁻¹ is a pseudo-inverse. With R the rotation taken
//! out of the frame, c̄ the centre of the input there and d(p) the change of shape that the warp finds in the
//! frame that tumbles along, the component moves in space by
//!
//! > t + R d(p)                                        where it turns little,
//! > t + (exp θ − I)(x + ū − c̄) + exp(θ) R d(p′)      where it turns far, see [`super::spin`].
//!
//! So a push moves the body along a straight path however it tumbles, and where it turns far a turn is about an
//! axis that stands still; only the deformation turns along. Both are zero for no edit, to the bit.

use super::Warp;
use super::input::InputFrame;
use super::mesh::Parts;
use crate::FreeVertices;
use nalgebra::Matrix3;
use std::borrow::Cow;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::rotation;

/// An axis about which a component has less than this part of its largest inertia is one it does not turn about.
const NO_INERTIA: f64 = 1e-10;

/// A component nothing holds.
#[derive(Debug)]
pub(super) struct Floating {
    pub component: usize,
    pub vertices: Vec<VertexId>,
    /// m: the masses of those vertices, together 1.
    pub weights: Vec<f64>,
    /// r of those vertices.
    pub arms: Vec<Vec3>,
    /// I⁻¹.
    pub inverse_inertia: Matrix3<f64>,
}

impl Floating {
    fn new(component: usize, vertices: Vec<VertexId>, positions: &[Vec3], masses: &[f64]) -> Self {
        let total: f64 = vertices.iter().map(|v| masses[v.index()]).sum();
        // What weighs nothing has a middle all the same.
        let weight = |v: &VertexId| {
            if total > 0.0 { masses[v.index()] / total } else { 1.0 / vertices.len() as f64 }
        };
        let weights: Vec<f64> = vertices.iter().map(weight).collect();
        let centre: Vec3 = vertices.iter().zip(&weights).map(|(v, m)| positions[v.index()] * *m).sum();
        let arms: Vec<Vec3> = vertices.iter().map(|v| positions[v.index()] - centre).collect();
        let inertia = arms.iter().zip(&weights).map(|(r, m)| -r.cross_matrix() * r.cross_matrix() * *m).sum();
        Self { component, vertices, weights, arms, inverse_inertia: pseudo_inverse(&inertia) }
    }

    /// Σ m x of one column.
    pub fn mean(&self, column: &[f64]) -> f64 {
        self.vertices.iter().zip(&self.weights).map(|(v, w)| w * column[v.index()]).sum()
    }

    /// t of an edit.
    pub fn shift(&self, edit: &[f64]) -> Vec3 {
        let members = self.vertices.iter().zip(&self.weights);
        members.map(|(v, m)| at(edit, *v) * *m).sum()
    }

    /// θ of an edit.
    pub fn turn(&self, edit: &[f64]) -> Vec3 {
        let members = self.vertices.iter().zip(&self.weights).zip(&self.arms);
        self.inverse_inertia * members.map(|((v, m), r)| r.cross(&at(edit, *v)) * *m).sum::<Vec3>()
    }
}

/// The components nothing holds.
pub(super) fn floating(parts: &Parts, masses: &[f64], free: &FreeVertices) -> Vec<Floating> {
    let of_vertex = &parts.components.of_vertex;
    let mut members = vec![Vec::new(); parts.components.count];
    let mut held = vec![false; parts.components.count];
    for (v, &component) in of_vertex.iter().enumerate() {
        let vertex = VertexId::new(v);
        members[component].push(vertex);
        held[component] |= free.index(vertex).is_none();
    }
    let loose = members.into_iter().enumerate().filter(|(component, _)| !held[*component]);
    loose.map(|(component, vertices)| Floating::new(component, vertices, &parts.positions, masses)).collect()
}

/// The inverse of a symmetric matrix about the axes along which it is not zero.
fn pseudo_inverse(A: &Matrix3<f64>) -> Matrix3<f64> {
    if !A.iter().all(|x| x.is_finite()) {
        return Matrix3::zeros();
    }
    let eigen = A.symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|x| if x > NO_INERTIA * largest { x.recip() } else { 0.0 });
    eigen.eigenvectors * Matrix3::from_diagonal(&inverse) * eigen.eigenvectors.transpose()
}

/// What an edit does to the floating components of a frame as wholes.
#[derive(Debug)]
pub(super) struct Rigid<'a> {
    /// One for each of them.
    pub parts: Vec<Moved>,
    /// exp(θ) R of every component; R where θ is not taken out.
    pub rotations: Cow<'a, [Matrix3<f64>]>,
}

/// How a component is moved as a whole.
#[derive(Debug)]
pub(super) struct Moved {
    /// t.
    pub shift: Vec3,
    /// θ and exp θ, where it is taken out.
    pub turn: Option<(Vec3, Matrix3<f64>)>,
}

impl Warp {
    /// t and θ of an edit.
    pub(super) fn rigid<'a>(&self, frame: &'a InputFrame, edit: &[f64]) -> Rigid<'a> {
        let mut rotations = Cow::Borrowed(&*frame.rotations);
        let moved = |part: &Floating| {
            let turn = frame.spins[part.component].then(|| {
                let theta = part.turn(edit);
                (theta, rotation::exp(&theta))
            });
            if let Some((_, turned)) = &turn {
                rotations.to_mut()[part.component] = turned * frame.rotations[part.component];
            }
            Moved { shift: part.shift(edit), turn }
        };
        let parts = self.poisson.floating().iter().map(moved).collect();
        Rigid { parts, rotations }
    }

    /// The edit without the turns that are taken out; its shifts do not matter to gradients.
    pub(super) fn shape_of<'a>(&self, rigid: &Rigid<'_>, edit: &'a [f64]) -> Cow<'a, [f64]> {
        let mut shape = Cow::Borrowed(edit);
        for (part, moved) in self.poisson.floating().iter().zip(&rigid.parts) {
            let Some((theta, _)) = &moved.turn else { continue };
            let shape = shape.to_mut();
            for (v, r) in part.vertices.iter().zip(&part.arms) {
                let turned = theta.cross(r);
                for c in 0..3 {
                    shape[3 * v.index() + c] -= turned[c];
                }
            }
        }
        shape
    }

    /// x + ū − c̄ of a vertex.
    pub(super) fn arm(&self, frame: &InputFrame, vertex: VertexId) -> Vec3 {
        let centre = frame.centres[self.component_of_vertex[vertex.index()]];
        self.positions[vertex.index()] + at(&frame.input, vertex) - centre
    }

    /// The rotation R that is taken out of the component of a vertex: I where something holds it.
    ///
    /// # Panics
    /// When there is no such vertex.
    #[must_use]
    pub fn rotation_of(&self, frame: &InputFrame, vertex: VertexId) -> Matrix3<f64> {
        frame.rotations[self.component_of_vertex[vertex.index()]]
    }
}

fn at(u: &[f64], v: VertexId) -> Vec3 {
    Vec3::from_column_slice(&u[3 * v.index()..][..3])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(positions: &[Vec3]) -> Floating {
        let vertices = (0..positions.len()).map(VertexId::new).collect();
        let masses: Vec<f64> = (0..positions.len()).map(|v| 1.0 + v as f64).collect();
        Floating::new(0, vertices, positions, &masses)
    }

    /// t + θ × r at every vertex.
    fn rigid(part: &Floating, t: Vec3, theta: Vec3) -> Vec<f64> {
        part.arms.iter().flat_map(|r| <[f64; 3]>::from(t + theta.cross(r))).collect()
    }

    #[test]
    fn shifts_and_turns_are_found() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.3], [0.4, 1.0, 2.0]];
        let part = part(&corners.map(Vec3::from));
        let (t, theta) = (Vec3::new(0.3, -1.0, 2.0), Vec3::new(-5.0, 0.1, 0.7));
        let edit = rigid(&part, t, theta);
        assert!((part.shift(&edit) - t).norm() < 1e-14 && (part.turn(&edit) - theta).norm() < 1e-13);
    }

    #[test]
    fn a_line_turns_about_two_axes_and_a_point_about_none() {
        let along = Vec3::new(1.0, 2.0, -2.0) / 3.0;
        let line = part(&[0.0, 0.5, 2.0, 3.0].map(|s| along * s));
        let theta = Vec3::new(0.4, 0.3, 0.5);
        let found = line.turn(&rigid(&line, Vec3::x(), theta));
        assert!((found - (theta - along * along.dot(&theta))).norm() < 1e-13, "{found}");
        let point = part(&[Vec3::new(3.0, 1.0, 0.1)]);
        assert_eq!(point.turn(&[1.0, 2.0, 3.0]), Vec3::zeros());
    }
}
