//! Small bodies and displacements to test with.

use nalgebra::{Matrix3, Rotation3};
use supple_elastic::{Law, Material, Solid};
use supple_mesh::{TetMesh, Vec3};
use supple_model::VertexId;

pub const LAWS: [Law; 3] = [Law::Linear, Law::StVenantKirchhoff, Law::NeoHookean];

pub fn material(law: Law) -> Material {
    Material { law, young: 3e4, poisson: 0.4, density: 700.0 }
}

/// Reproducible numbers in −1…1.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2f64.powi(52) - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.next())
    }
}

/// A box of `cells`³ cubes of edge 0.5, six tets each, whose inner vertices are moved at random, so that
/// no two elements are alike. The first vertex is at (1, 2, 3).
pub fn irregular_box(cells: usize) -> TetMesh {
    let side = cells + 1;
    let index = |i: usize, j: usize, k: usize| i + side * (j + side * k);
    let mut random = Random(7);
    let mut positions = Vec::new();
    for k in 0..side {
        for j in 0..side {
            for i in 0..side {
                let inside = [i, j, k].iter().all(|&c| c > 0 && c < cells);
                let jitter = if inside { random.vector() * 0.1 } else { Vec3::zeros() };
                positions
                    .push(Vec3::new(1.0, 2.0, 3.0) + Vec3::new(i as f64, j as f64, k as f64) * 0.5 + jitter);
            }
        }
    }
    // The six orders in which a path from one corner of a cube to the opposite one takes the axes.
    let paths = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let mut tets = Vec::new();
    for cell in 0..cells.pow(3) {
        let origin = [cell % cells, cell / cells % cells, cell / cells / cells];
        for (p, path) in paths.iter().enumerate() {
            let mut at = origin;
            let mut corners = [index(at[0], at[1], at[2]); 4];
            for (step, &axis) in path.iter().enumerate() {
                at[axis] += 1;
                corners[step + 1] = index(at[0], at[1], at[2]);
            }
            if p >= 3 {
                corners.swap(2, 3);
            }
            tets.push(corners.map(VertexId::new));
        }
    }
    TetMesh::new(positions, tets).expect("a valid mesh")
}

pub fn irregular_solid(cells: usize, law: Law) -> Solid {
    Solid::new(irregular_box(cells), material(law), &[]).expect("a valid solid")
}

/// The displacement that takes every x to F x + shift.
pub fn affine(mesh: &TetMesh, F: &Matrix3<f64>, shift: &Vec3) -> Vec<f64> {
    mesh.positions().iter().flat_map(|x| (F * x + shift - x).data.0[0]).collect()
}

/// Every vertex moved at random by at most `size` along each axis.
pub fn noise(mesh: &TetMesh, size: f64, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    (0..3 * mesh.positions().len()).map(|_| size * random.next()).collect()
}

pub fn rotation() -> Matrix3<f64> {
    Rotation3::from_euler_angles(0.7, -2.1, 1.3).into_inner()
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}
