//! How much a displaced body is strained.
//!
//! The Green strain of a tet is E = ½(FᵀF − I), with F = `D_s` `D_m`⁻¹ from its edges at rest (`D_m`)
//! and displaced (`D_s`): zero under every rigid motion. A vertex shows the mean of ‖E‖ over its tets,
//! weighted by their volumes.

use nalgebra::Matrix3;
use supple_mesh::{TetMesh, Vec3};
use supple_model::ElementId;

/// ‖E‖ at every vertex, with the vertices at `displaced`.
pub(super) fn norms(mesh: &TetMesh, displaced: &[Vec3]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); displaced.len()];
    for (t, tet) in mesh.tets().iter().enumerate() {
        let element = ElementId::new(t);
        let rest = edges(mesh.corners(element));
        let Some(inverse) = rest.try_inverse() else { continue };
        let f = edges(tet.map(|v| displaced[v.index()])) * inverse;
        let strain = (f.transpose() * f - Matrix3::identity()) * 0.5;
        let volume = mesh.volume(element);
        for v in tet {
            let (sum, weight) = &mut sums[v.index()];
            *sum += volume * strain.norm();
            *weight += volume;
        }
    }
    sums.iter().map(|(sum, weight)| sum / weight).collect()
}

fn edges([a, b, c, d]: [Vec3; 4]) -> Matrix3<f64> {
    Matrix3::from_columns(&[b - a, c - a, d - a])
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_mesh::shapes::box_mesh;

    #[test]
    fn stretch_has_its_strain_and_rotation_none() {
        let mesh = box_mesh(Vec3::new(2.0, 1.0, 1.0), [2, 1, 1]).unwrap();
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        let stretched = |s: f64| -> Vec<Vec3> {
            mesh.positions().iter().map(|p| turn * Vec3::new(p.x * s, p.y, p.z)).collect()
        };
        assert!(norms(&mesh, &stretched(1.0)).iter().all(|e| *e < 1e-14));
        // E_xx = (s² − 1)/2, all other entries vanish.
        assert!(norms(&mesh, &stretched(1.2)).iter().all(|e| (e - 0.22).abs() < 1e-14));
    }
}
