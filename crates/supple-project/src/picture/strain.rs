//! How much a displaced body is strained: one computation for pictures and for the studio.
//!
//! The Green strain of a simplex is E = ½(FᵀF − I), with F = `D_s` `D_m`⁻¹ from its edges at rest (`D_m`)
//! and displaced (`D_s`): zero under every rigid motion, and for a small stretch by s in one direction s itself.
//! A triangle's edges are written in its own plane, a spring's along it, where E = ½(l²/L² − 1). Voxels are looked
//! at as six tets each. A vertex shows the mean of ‖E‖ (Frobenius) over its simplices, weighted by their sizes; a skin
//! blends those of the body it rides on. Where a skin is all that moves, its triangles are looked at.

use crate::body::{Body, Matter, Skin, split_into_tets};
use nalgebra::{Matrix2, Matrix3, Matrix3x2};
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// ‖E‖ at every vertex of `body`, with the vertices at `displaced`.
pub(crate) fn of_body(body: &Body, displaced: &[Vec3]) -> Vec<f64> {
    let rest = body.positions();
    match &body.matter {
        Matter::Solid(solid) => mean(rest, displaced, solid.mesh().tets(), of_tet),
        Matter::Voxels(voxels) => {
            let tets: Vec<[VertexId; 4]> = voxels.mesh().voxels().iter().flat_map(split_into_tets).collect();
            mean(rest, displaced, &tets, of_tet)
        }
        Matter::Cloth(cloth) => mean(rest, displaced, cloth.mesh().triangles(), of_triangle),
        Matter::Springs(springs) => mean(rest, displaced, springs.mesh().springs(), of_spring),
    }
}

/// ‖E‖ at every vertex of a surface alone.
pub(crate) fn of_surface(rest: &[Vec3], displaced: &[Vec3], triangles: &[[VertexId; 3]]) -> Vec<f64> {
    mean(rest, displaced, triangles, of_triangle)
}

/// Values at the vertices of a body, blended at those of its skin. Where the skin reaches out of the body the blend
/// extrapolates, but a magnitude is never negative.
pub(crate) fn on_skin(skin: &Skin, values: &[f64]) -> Vec<f64> {
    let rows = skin.embedding.rows();
    rows.map(|(vertices, weights)| {
        let blended: f64 = vertices.iter().zip(weights).map(|(v, w)| values[v.index()] * w).sum();
        blended.max(0.0)
    })
    .collect()
}

/// The mean at every vertex of a quantity and its weight on the simplices around it.
fn mean<const N: usize>(
    rest: &[Vec3],
    displaced: &[Vec3],
    simplices: &[[VertexId; N]],
    quantity: impl Fn([Vec3; N], [Vec3; N]) -> Option<(f64, f64)> + Sync,
) -> Vec<f64> {
    let of = |corners: &[VertexId; N]| {
        let at = |positions: &[Vec3]| corners.map(|v| positions[v.index()]);
        quantity(at(rest), at(displaced)).unwrap_or_default()
    };
    // Each simplex by itself on all threads, the sums in the order of the simplices on one.
    let all: Vec<(f64, f64)> = simplices.par_iter().map(of).collect();
    let mut sums = vec![(0.0, 0.0); rest.len()];
    for (corners, (value, weight)) in simplices.iter().zip(all) {
        for v in corners {
            let (sum, weights) = &mut sums[v.index()];
            *sum += weight * value;
            *weights += weight;
        }
    }
    sums.iter().map(|&(sum, weights)| if weights > 0.0 { sum / weights } else { 0.0 }).collect()
}

/// ‖E‖ and volume.
fn of_tet(rest: [Vec3; 4], displaced: [Vec3; 4]) -> Option<(f64, f64)> {
    let edges = |[a, b, c, d]: [Vec3; 4]| Matrix3::from_columns(&[b - a, c - a, d - a]);
    let f = edges(displaced) * edges(rest).try_inverse()?;
    let strain = (f.transpose() * f - Matrix3::identity()) * 0.5;
    Some((strain.norm(), edges(rest).determinant().abs() / 6.0))
}

/// ‖E‖ and area.
fn of_triangle(rest: [Vec3; 3], displaced: [Vec3; 3]) -> Option<(f64, f64)> {
    let edges = |[a, b, c]: [Vec3; 3]| Matrix3x2::from_columns(&[b - a, c - a]);
    let along = (rest[1] - rest[0]).try_normalize(0.0)?;
    let normal = along.cross(&(rest[2] - rest[0])).try_normalize(0.0)?;
    let plane = Matrix3x2::from_columns(&[along, normal.cross(&along)]);
    let flat = plane.transpose() * edges(rest);
    let f = edges(displaced) * flat.try_inverse()?;
    let strain = (f.transpose() * f - Matrix2::identity()) * 0.5;
    Some((strain.norm(), flat.determinant().abs() / 2.0))
}

/// |E| and length.
fn of_spring(rest: [Vec3; 2], displaced: [Vec3; 2]) -> Option<(f64, f64)> {
    let length = |[a, b]: [Vec3; 2]| (b - a).norm();
    let (before, now) = (length(rest), length(displaced));
    (before > 0.0).then(|| (0.5 * ((now / before).powi(2) - 1.0).abs(), before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_mesh::shapes::box_mesh;

    #[test]
    fn stretch_has_its_strain_and_rotation_none() {
        let mesh = box_mesh(Vec3::new(2.0, 1.0, 1.0), [2, 1, 1]).unwrap();
        let rest = mesh.positions();
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        let stretched =
            |s: f64| -> Vec<Vec3> { rest.iter().map(|p| turn * Vec3::new(p.x * s, p.y, p.z)).collect() };
        let face: Vec<[VertexId; 3]> = supple_mesh::Surface::of(&mesh)
            .triangles
            .into_iter()
            .filter(|t| t.iter().all(|v| rest[v.index()].z == 0.0))
            .collect();
        let strains = |s: f64| {
            let mut all = mean(rest, &stretched(s), mesh.tets(), of_tet);
            let flat = mean(rest, &stretched(s), &face, of_triangle);
            all.extend(face.iter().flatten().map(|v| flat[v.index()]));
            // Two corners that differ along x alone, as a spring.
            let ends = [rest.iter().position(|p| p.x == 0.0), rest.iter().position(|p| p.x == 2.0)];
            let spring = ends.map(|v| VertexId::new(v.unwrap()));
            all.extend(mean(rest, &stretched(s), &[spring], of_spring).into_iter().filter(|e| *e != 0.0));
            all
        };
        assert!(strains(1.0).iter().all(|e| *e < 1e-14));
        // E_xx = (s² − 1)/2, all other entries vanish.
        assert!(strains(1.2).iter().all(|e| (e - 0.22).abs() < 1e-14));
    }
}
