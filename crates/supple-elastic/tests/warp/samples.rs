//! Bodies to warp, motions to edit, and what to measure.

use supple_elastic::{FreeVertices, InputFrame, Warp, Warpable};
use supple_mesh::shapes::{BodyMesh, box_mesh, voxel_beam};
use supple_mesh::{TetMesh, TriMesh, Vec3, VoxelMesh, signed_volume, trilinear};
use supple_model::{ElementId, VertexId};

/// Random numbers in [−1, 1), the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 * f64::powi(2.0, -52) - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    /// Three numbers per vertex, up to `size`.
    pub fn field(&mut self, vertices: usize, size: f64) -> Vec<f64> {
        (0..3 * vertices).map(|_| size * self.next()).collect()
    }
}

/// A displacement given at every place.
pub fn field(positions: &[Vec3], u: impl Fn(&Vec3) -> Vec3) -> Vec<f64> {
    positions.iter().flat_map(|x| <[f64; 3]>::from(u(x))).collect()
}

/// A motion given by where every place goes.
pub fn moved(positions: &[Vec3], to: impl Fn(&Vec3) -> Vec3) -> Vec<f64> {
    field(positions, |x| to(x) - x)
}

pub fn at(u: &[f64], v: usize) -> Vec3 {
    Vec3::from_column_slice(&u[3 * v..3 * v + 3])
}

pub fn places(positions: &[Vec3], u: &[f64]) -> Vec<Vec3> {
    positions.iter().enumerate().map(|(v, x)| x + at(u, v)).collect()
}

/// The largest difference of two vectors.
pub fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

pub fn applied(warp: &Warp, frame: &InputFrame, edit: &[f64]) -> Vec<f64> {
    let mut out = vec![f64::NAN; edit.len()];
    warp.apply(frame, edit, &mut out);
    out
}

/// One of every kind with its warp; where `anchored`, its vertices at x = 0 are.
pub struct Sample {
    pub name: &'static str,
    pub positions: Vec<Vec3>,
    pub warp: Warp,
}

impl Sample {
    fn new(name: &'static str, mesh: &impl Warpable, positions: &[Vec3], anchored: bool) -> Self {
        Self { name, positions: positions.to_vec(), warp: warp(mesh, positions, anchored) }
    }

    pub fn size(&self) -> usize {
        3 * self.positions.len()
    }
}

/// Masses that are not all alike, so that means are not averages.
pub fn masses(vertices: usize) -> Vec<f64> {
    (0..vertices).map(|v| 1.0 + (v % 5) as f64 / 3.0).collect()
}

pub fn warp(mesh: &impl Warpable, positions: &[Vec3], anchored: bool) -> Warp {
    let n = positions.len();
    let anchors: Vec<VertexId> =
        (0..n).filter(|&v| anchored && positions[v].x == 0.0).map(VertexId::new).collect();
    Warp::new(mesh, &masses(n), &FreeVertices::except(n, &anchors).unwrap()).unwrap()
}

pub fn all(anchored: bool) -> Vec<Sample> {
    let tets = box_mesh(Vec3::new(1.0, 0.3, 0.2), [7, 3, 2]).unwrap();
    let voxels = voxels(&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [3, 1, 0], [3, 1, 1]]);
    let strip = strip(8, 3, 0.9, 0.4);
    vec![
        Sample::new("tets", &tets, tets.positions(), anchored),
        Sample::new("voxels", &voxels, voxels.positions(), anchored),
        Sample::new("triangles", &strip, strip.positions(), anchored),
    ]
}

/// The warp of one of [`all`], made again: those who keep it want their own.
pub fn again(sample: &Sample, anchored: bool) -> Warp {
    let found = all(anchored).into_iter().find(|other| other.name == sample.name);
    found.unwrap().warp
}

pub fn voxels(cells: &[[usize; 3]]) -> VoxelMesh {
    VoxelMesh::of_cells(Vec3::zeros(), Vec3::new(0.25, 0.2, 0.3), cells).unwrap()
}

/// A flat strip in the plane z = 0, `across`×`up` squares of two triangles.
pub fn strip(across: usize, up: usize, length: f64, width: f64) -> TriMesh {
    let place = |v: usize| {
        let (i, j) = (v % (across + 1), v / (across + 1));
        Vec3::new(length * i as f64 / across as f64, width * j as f64 / up as f64, 0.0)
    };
    let square = |cell: usize| {
        let low = cell % across + (across + 1) * (cell / across);
        let [a, b, c, d] = [low, low + 1, low + across + 2, low + across + 1].map(VertexId::new);
        if cell.is_multiple_of(2) { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    };
    let positions = (0..(across + 1) * (up + 1)).map(place).collect();
    TriMesh::new(positions, (0..across * up).flat_map(square).collect()).unwrap()
}

pub fn paper_beam() -> VoxelMesh {
    match voxel_beam().unwrap().body {
        BodyMesh::Voxels(mesh) => mesh,
        _ => unreachable!("a beam of voxels"),
    }
}

/// The volume of a displaced mesh and the least Jacobian in it relative to rest.
pub fn tet_volume(mesh: &TetMesh, u: &[f64]) -> (f64, f64) {
    let moved = places(mesh.positions(), u);
    let volumes = mesh.tets().iter().enumerate().map(|(e, tet)| {
        let [a, b, c, d] = tet.map(|v| moved[v.index()]);
        (signed_volume(a, b, c, d), mesh.volume(ElementId::new(e)))
    });
    volumes
        .fold((0.0, f64::INFINITY), |(sum, least), (volume, rest)| (sum + volume, least.min(volume / rest)))
}

/// The same of voxels; Jacobians at their corners and Gauss points.
pub fn voxel_volume(mesh: &VoxelMesh, u: &[f64]) -> (f64, f64) {
    let moved = places(mesh.positions(), u);
    let (mut sum, mut least) = (0.0, f64::INFINITY);
    for (e, voxel) in mesh.voxels().iter().enumerate() {
        let (now, rest) = (voxel.map(|v| moved[v.index()]), mesh.corners(ElementId::new(e)));
        let determinant =
            |corners: &[Vec3; 8], xi: &Vec3| -> f64 { trilinear::jacobian(corners, xi).determinant() };
        for xi in trilinear::gauss_points() {
            sum += determinant(&now, &xi) / 8.0;
            least = least.min(determinant(&now, &xi) / determinant(&rest, &xi));
        }
        for corner in trilinear::CORNERS.map(Vec3::from) {
            least = least.min(determinant(&now, &corner) / determinant(&rest, &corner));
        }
    }
    (sum, least)
}
