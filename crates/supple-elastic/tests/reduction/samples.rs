//! Beams with key poses.

use crate::statics::samples::{at, largest, load_on, material, noise, poser, solved, tets, voxels};
use faer::{Mat, MatRef};
use std::sync::Arc;
use supple_elastic::{ElasticBody, FreeVertices, KeyBasis, KeyBasisReport, KeyBasisSettings, KeyPose, Law};
use supple_mesh::Vec3;
use supple_model::{Progress, ReducedDynamics};

/// A body with the pose it begins in, the keys it has to meet, and the loads that hold them all.
pub struct Chain {
    pub body: Arc<ElasticBody>,
    pub free: FreeVertices,
    pub start: Vec<f64>,
    pub keys: Vec<Vec<f64>>,
    pub loads: Vec<Vec<f64>>,
}

/// The size of the beams; their end is pulled.
pub const SIZE: Vec3 = Vec3::new(1.0, 0.25, 0.2);

pub fn beam(law: Law) -> Arc<ElasticBody> {
    tets(SIZE, [6, 2, 2], material(law))
}

pub fn voxel_beam(law: Law) -> Arc<ElasticBody> {
    voxels(SIZE, [5, 2, 1], material(law))
}

/// The body held at x = 0, with its far end pulled by these forces: where it begins, then the keys.
pub fn pulled(body: &Arc<ElasticBody>, forces: &[Vec3]) -> Chain {
    let mut poser = poser(body, |p| p.x == 0.0);
    let free = FreeVertices::except(body.positions().len(), &at(body, |p| p.x == 0.0)).unwrap();
    let end = at(body, |p| p.x == 1.0);
    let (mut keys, mut loads) = (Vec::new(), Vec::new());
    for force in forces {
        loads.push(load_on(body, &end, *force));
        solved(&mut poser, &loads[loads.len() - 1]);
        keys.push(poser.pose().to_vec());
    }
    Chain { body: body.clone(), free, start: keys.remove(0), keys, loads }
}

/// One that begins bent, goes up and then to a side.
pub fn bent(body: &Arc<ElasticBody>) -> Chain {
    pulled(body, &[Vec3::new(0.0, -8.0, 0.0), Vec3::new(0.0, 12.0, 0.0), Vec3::new(2.0, 3.0, 9.0)])
}

impl Chain {
    pub fn made(&self, settings: &KeyBasisSettings<'_>) -> (KeyBasis, KeyBasisReport) {
        let keys: Vec<KeyPose<'_>> =
            self.keys.iter().map(|key| KeyPose { displacement: key, load: None }).collect();
        KeyBasis::new(&self.body, &self.free, &self.start, &keys, settings, &Progress::silent()).unwrap()
    }

    pub fn basis(&self) -> KeyBasis {
        self.made(&KeyBasisSettings::default()).0
    }
}

/// Coordinates of a few states that strain a beam of a metre by some tenths.
pub fn states(basis: &KeyBasis, count: usize) -> Vec<f64> {
    let r = basis.coordinates();
    let mut z = noise(r * count, 11);
    for (k, z) in z.iter_mut().enumerate() {
        let column = basis.basis().shapes().col(k % r);
        *z *= 0.15 / column.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
    }
    z
}

/// q₀ + U z.
pub fn pose(basis: &KeyBasis, z: &[f64]) -> Vec<f64> {
    let mut pose = vec![0.0; basis.start().len()];
    basis.poses(z, &mut pose);
    pose
}

/// Uᵀ R and UᵀK U of the whole body at a pose.
pub fn whole(body: &ElasticBody, basis: &KeyBasis, pose: &[f64]) -> (Vec<f64>, Mat<f64>) {
    let U = basis.basis().shapes();
    let K = body.stiffness(pose, basis.basis().free()).to_dense();
    (basis.force_of(&body.force(pose)), U.transpose() * K * U)
}

/// R and K of one state.
pub fn reduced(forces: &dyn ReducedDynamics, z: &[f64]) -> (Vec<f64>, Mat<f64>) {
    let r = forces.coordinates();
    let (mut R, mut K) = (vec![f64::NAN; r], vec![f64::NAN; r * r]);
    forces.stiffness(z, &mut R, &mut K);
    (R, square(&K, r))
}

/// ∂(K λ)/∂z of one state.
pub fn curvature(forces: &dyn ReducedDynamics, z: &[f64], lambda: &[f64]) -> Mat<f64> {
    let mut out = vec![f64::NAN; z.len() * z.len()];
    forces.curvature(z, lambda, &mut out);
    square(&out, z.len())
}

pub fn square(values: &[f64], r: usize) -> Mat<f64> {
    MatRef::from_column_major_slice(values, r, r).to_owned()
}

/// The largest difference of two matrices.
pub fn between(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    (a - b).norm_max()
}

/// The largest part of a field over all vertices that a basis does not have, over the field.
pub fn missing(basis: &KeyBasis, field: &[f64]) -> f64 {
    let pose: Vec<f64> = basis.start().iter().zip(field).map(|(q, x)| q + x).collect();
    basis.coordinates_of(&pose).1 / largest(field)
}

/// K against differences of R, and the curvature against differences of K λ; both are symmetric.
pub fn check_derivatives(forces: &dyn ReducedDynamics, z: &[f64], name: &str) {
    let r = forces.coordinates();
    let scale = largest(z);
    let lambda = noise(r, 5);
    let times = |z: &[f64]| {
        let (R, K) = reduced(forces, z);
        let product: Vec<f64> = (0..r).map(|i| (0..r).map(|j| K[(i, j)] * lambda[j]).sum()).collect();
        (R, product)
    };
    let (K, H) = (reduced(forces, z).1, curvature(forces, z, &lambda));
    let (mut errors, h) = ([0.0_f64; 2], 1e-4 * scale);
    for k in 0..r {
        // Of fourth order, so that what is compared is not the rule.
        let at = |steps: f64| {
            let mut z = z.to_vec();
            z[k] += steps * h;
            times(&z)
        };
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
        let rule = |a: f64, b: f64, c: f64, d: f64| (8.0 * (c - b) - (d - a)) / (12.0 * h);
        for i in 0..r {
            errors[0] = errors[0].max((rule(a.0[i], b.0[i], c.0[i], d.0[i]) - K[(i, k)]).abs());
            errors[1] = errors[1].max((rule(a.1[i], b.1[i], c.1[i], d.1[i]) - H[(i, k)]).abs());
        }
    }
    let [force, stiffness] = errors;
    assert!(force < 1e-6 * K.norm_max(), "{name}: K is off by {}", force / K.norm_max());
    let size = H.norm_max().max(1e-6 * K.norm_max());
    assert!(stiffness < 1e-6 * size, "{name}: the curvature is off by {}", stiffness / size);
    assert_eq!(K, K.transpose().to_owned(), "{name}");
    assert!(between(&H, &H.transpose().to_owned()) < 1e-9 * size, "{name}");
}
