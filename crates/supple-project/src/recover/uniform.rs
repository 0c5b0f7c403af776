//! The body of uniform material and its modes, in which motions are read.

use super::RecoverError;
use crate::Cache;
use crate::body::{Body, RestMesh};
use crate::modes::{check_modes, prepare_modes};
use crate::shot::{Material, Shot};
use faer::Mat;
use std::sync::Arc;
use supple_elastic::{Basis, ModalWarp, Modes, Warp};
use supple_model::Progress;

/// How many modes motions are read in: R.
const MODES: usize = 80;
/// How stiff the uniform material is, which does not matter.
const YOUNG: f64 = 1e6;

/// The lowest modes of a body as if it was made of one material, without those that only move it as a whole. Mixtures in the
/// table that `supple recover` writes are of these.
#[derive(Debug)]
pub struct UniformBasis {
    /// λ of each, 1/s², up to a factor that is the same for all.
    pub eigenvalues: Vec<f64>,
    /// The warp in these modes, orthonormal in the mass.
    pub warp: ModalWarp,
    /// Each as a displacement of all vertices.
    pub shapes: Vec<Vec<f64>>,
}

impl UniformBasis {
    /// That of a shot, whatever its regions, its stiffness and its law.
    ///
    /// # Errors
    /// A body that cannot be had, failures of the eigensolver, cancellation.
    pub fn new(shot: &Shot, cache: &Cache, progress: &Progress) -> Result<Self, RecoverError> {
        let (body, modes) = modes_of(shot, cache, progress)?;
        let rigid = modes.rigid();
        let kept = (modes.count() - rigid).min(MODES);
        let masses = body.elastic.masses();
        let warp = match &body.rest {
            RestMesh::Tets(mesh) => Warp::new(mesh, masses, &body.free),
            RestMesh::Voxels(mesh) => Warp::new(mesh, masses, &body.free),
            RestMesh::Triangles(mesh) => Warp::new(mesh, masses, &body.free),
        }?;
        let shapes: Mat<f64> = modes.shapes().subcols(rigid, kept).to_owned();
        Ok(Self {
            eigenvalues: modes.eigenvalues()[rigid..rigid + kept].to_vec(),
            shapes: (rigid..rigid + kept).map(|k| modes.displacement(k)).collect(),
            warp: ModalWarp::new(Arc::new(warp), &Basis::new(shapes, body.free.clone())),
        })
    }
}

/// The modes of a shot's body as if it was made of one material, those that deform nothing among them.
///
/// # Errors
/// As [`UniformBasis::new`].
pub(crate) fn uniform_modes(shot: &Shot, cache: &Cache, progress: &Progress) -> Result<Modes, RecoverError> {
    modes_of(shot, cache, progress).map(|(_, modes)| modes)
}

fn modes_of(shot: &Shot, cache: &Cache, progress: &Progress) -> Result<(Body, Modes), RecoverError> {
    let body = Body::read(&uniform(shot), progress)?;
    let free = 3 * body.free.vertices().len();
    // What floats has six modes more, that deform nothing.
    let count = (MODES + if body.anchors.is_empty() { 6 } else { 0 }).min(free);
    check_modes(&body, count)?;
    let prepared = prepare_modes(&body, count, cache, progress)?;
    prepared.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok((body, prepared.modes))
}

/// The shot with a body of one material.
fn uniform(shot: &Shot) -> Shot {
    let mut uniform = shot.clone();
    let material = shot.body.material.unwrap_or_default();
    uniform.body.material = Some(Material { young: YOUNG, ..material });
    uniform.body.regions.clear();
    uniform
}
