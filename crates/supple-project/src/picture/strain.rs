//! How much a displaced body is strained: one computation for pictures and for the studio.
//!
//! The Green strain E of tets and triangles is that of [`supple_elastic::tet_strain`]; a spring's is E = ½(l²/L² − 1)
//! along it. Voxels are looked at as six tets each. A vertex shows the mean of ‖E‖ over its simplices, weighted by their
//! sizes; a skin blends those of the body it rides on. Where a skin is all that moves, its triangles are looked at.

use crate::body::{Body, Matter, Skin, split_into_tets};
use rayon::prelude::*;
use supple_elastic::{Strain, tet_strain, triangle_strain};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// ‖E‖ at every vertex of `body`, with the vertices at `displaced`.
pub(crate) fn of_body(body: &Body, displaced: &[Vec3]) -> Vec<f64> {
    let rest = body.positions();
    match &body.matter {
        Matter::Solid(solid) => mean(rest, displaced, solid.mesh().tets(), tet_strain),
        Matter::Voxels(voxels) => {
            let tets: Vec<[VertexId; 4]> = voxels.mesh().voxels().iter().flat_map(split_into_tets).collect();
            mean(rest, displaced, &tets, tet_strain)
        }
        Matter::Cloth(cloth) => mean(rest, displaced, cloth.mesh().triangles(), triangle_strain),
        Matter::Springs(springs) => mean(rest, displaced, springs.mesh().springs(), spring_strain),
    }
}

/// ‖E‖ at every vertex of a surface alone.
pub(crate) fn of_surface(rest: &[Vec3], displaced: &[Vec3], triangles: &[[VertexId; 3]]) -> Vec<f64> {
    mean(rest, displaced, triangles, triangle_strain)
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

/// The mean at every vertex of ‖E‖ on the simplices around it.
fn mean<const N: usize>(
    rest: &[Vec3],
    displaced: &[Vec3],
    simplices: &[[VertexId; N]],
    strain: impl Fn(&[Vec3; N], &[Vec3; N]) -> Option<Strain> + Sync,
) -> Vec<f64> {
    let of = |corners: &[VertexId; N]| {
        let at = |positions: &[Vec3]| corners.map(|v| positions[v.index()]);
        strain(&at(rest), &at(displaced)).unwrap_or_default()
    };
    // Each simplex by itself on all threads, the sums in the order of the simplices on one.
    let all: Vec<Strain> = simplices.par_iter().map(of).collect();
    let mut sums = vec![(0.0, 0.0); rest.len()];
    for (corners, Strain { norm, size }) in simplices.iter().zip(all) {
        for v in corners {
            let (sum, sizes) = &mut sums[v.index()];
            *sum += size * norm;
            *sizes += size;
        }
    }
    sums.iter().map(|&(sum, sizes)| if sizes > 0.0 { sum / sizes } else { 0.0 }).collect()
}

/// |E| and length of a spring.
fn spring_strain(rest: &[Vec3; 2], displaced: &[Vec3; 2]) -> Option<Strain> {
    let length = |[a, b]: &[Vec3; 2]| (b - a).norm();
    let (before, now) = (length(rest), length(displaced));
    (before > 0.0).then(|| Strain { norm: 0.5 * ((now / before).powi(2) - 1.0).abs(), size: before })
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
            let mut all = mean(rest, &stretched(s), mesh.tets(), tet_strain);
            let flat = mean(rest, &stretched(s), &face, triangle_strain);
            all.extend(face.iter().flatten().map(|v| flat[v.index()]));
            // Two corners that differ along x alone, as a spring.
            let ends = [rest.iter().position(|p| p.x == 0.0), rest.iter().position(|p| p.x == 2.0)];
            let spring = ends.map(|v| VertexId::new(v.unwrap()));
            all.extend(mean(rest, &stretched(s), &[spring], spring_strain).into_iter().filter(|e| *e != 0.0));
            all
        };
        assert!(strains(1.0).iter().all(|e| *e < 1e-14));
        // E_xx = (s² − 1)/2, all other entries vanish.
        assert!(strains(1.2).iter().all(|e| (e - 0.22).abs() < 1e-14));
    }
}
