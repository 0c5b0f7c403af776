//! The body under one set of anchors: its modes, and its warp in their coordinates.
//!
//! In flight nothing is held. Translations go, because the centre of mass falls by itself, and so do the turns that a
//! linear mode can only begin: the body is known about its centre of mass, without its first six modes.

use crate::body::{Body, RestMesh};
use crate::method::error::EditError;
use crate::modes::{check_modes, prepare_modes_of};
use crate::shot::Feel;
use crate::site::Row;
use crate::{Cache, CacheWarning};
use faer::Mat;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use supple_elastic::{Basis, FreeVertices, ModalBlock, ModalRow, ModalWarp, Warp};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// The rigid modes of a body that nothing holds.
const RIGID: usize = 6;

/// A body under one set of anchors.
#[derive(Debug)]
pub(super) struct Ground {
    /// The vertices that stay, ascending; none in flight.
    pub held: Vec<VertexId>,
    /// Whether it flies.
    pub flies: bool,
    /// λ of every mode.
    pub eigenvalues: Vec<f64>,
    /// U.
    pub basis: Basis,
    /// W.
    pub warp: ModalWarp,
    center: OnceLock<Arc<ModalRow>>,
    /// Points that were asked for together, the last ones first.
    blocks: Mutex<Vec<(Vec<Row>, Arc<ModalBlock>)>>,
}

/// So many of them are kept.
const BLOCKS: usize = 8;

/// What a [`Ground`] is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GroundKey {
    pub held: Vec<VertexId>,
    pub flies: bool,
    pub modes: usize,
}

/// The grounds that were made, each once.
#[derive(Debug, Default)]
pub(in crate::method) struct Grounds {
    made: Vec<(GroundKey, Arc<Ground>)>,
    /// What was wrong with the cache on the way.
    pub warnings: Vec<CacheWarning>,
}

impl Grounds {
    /// One of them, made now if need be.
    pub(super) fn get(
        &mut self,
        body: &Body,
        key: GroundKey,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Arc<Ground>, EditError> {
        if let Some((_, ground)) = self.made.iter().find(|(made, _)| *made == key) {
            return Ok(ground.clone());
        }
        let (ground, warnings) = Ground::new(body, &key, cache, progress)?;
        self.warnings.extend(warnings);
        let ground = Arc::new(ground);
        self.made.push((key, ground.clone()));
        Ok(ground)
    }
}

impl Ground {
    fn new(
        body: &Body,
        key: &GroundKey,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<(Self, Vec<CacheWarning>), EditError> {
        let count = body.positions().len();
        let free = FreeVertices::except(count, &key.held)?;
        let left_out = if key.flies { RIGID } else { 0 };
        check_modes(body, key.modes + left_out)?;
        let prepared = prepare_modes_of(
            body,
            &free,
            Feel::Lively,
            key.modes + left_out,
            cache,
            &progress.part(0.0, 0.9),
        )?;
        let modes = prepared.modes;
        let eigenvalues = modes.eigenvalues()[left_out.min(modes.count())..].to_vec();
        let basis = match left_out {
            0 => Basis::of(modes),
            _ => {
                let shapes = Mat::from_fn(3 * free.vertices().len(), eigenvalues.len(), |row, k| {
                    modes.shape(left_out + k)[row]
                });
                Basis::new(shapes, free.clone())
            }
        };
        let masses = body.elastic.masses();
        let warp = match &body.rest {
            RestMesh::Tets(mesh) => Warp::new(mesh, masses, &free),
            RestMesh::Voxels(mesh) => Warp::new(mesh, masses, &free),
            RestMesh::Triangles(mesh) => Warp::new(mesh, masses, &free),
        }?;
        progress.report("preparing the warp", 0.95)?;
        let warp = ModalWarp::new(Arc::new(warp), &basis);
        let (held, flies) = (key.held.clone(), key.flies);
        Ok((
            Self { held, flies, eigenvalues, basis, warp, center: OnceLock::new(), blocks: Mutex::default() },
            prepared.warnings,
        ))
    }

    /// The row of the centre of mass.
    pub fn center(&self, body: &Body) -> Result<Arc<ModalRow>, EditError> {
        if let Some(row) = self.center.get() {
            return Ok(row.clone());
        }
        let row = Arc::new(self.warp.row(&center_of_mass(body))?);
        Ok(self.center.get_or_init(|| row).clone())
    }

    /// Some points together, made now if need be.
    pub fn block(&self, points: &[Row]) -> Result<Arc<ModalBlock>, EditError> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match blocks.iter().position(|(known, _)| known == points) {
            Some(place) => blocks.remove(place),
            None => (points.to_vec(), Arc::new(self.warp.block(points)?)),
        };
        let block = found.1.clone();
        blocks.insert(0, found);
        blocks.truncate(BLOCKS);
        Ok(block)
    }
}

/// The centre of mass, as shares of all vertices.
pub(super) fn center_of_mass(body: &Body) -> Row {
    let masses = body.elastic.masses();
    let total: f64 = masses.iter().sum();
    masses.iter().enumerate().map(|(v, mass)| (VertexId::new(v), mass / total)).collect()
}

/// Where it is at rest.
pub(crate) fn center_at_rest(body: &Body) -> Vec3 {
    center_of_mass(body).iter().map(|(v, share)| body.positions()[v.index()] * *share).sum()
}
