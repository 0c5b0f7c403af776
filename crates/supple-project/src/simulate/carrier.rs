//! What is simulated: the body itself, or a cage of voxels it rides on.
//!
//! A body of fifty thousand tets moves much like one of two thousand voxels around it. With the weights E of
//! the body's vertices in the cage (each row sums to 1), u = E u_cage moves the body, Eᵀ f is what forces on
//! the body are to the cage, and points of the body that touch something are combinations of cage vertices.
//! A voxel only partly filled is as light and as soft as that part of it.

use super::{Anchors, SimulateError};
use crate::body::{Body, Matter};
use crate::shot::{self, Shot};
use crate::site::Row;
use std::sync::Arc;
use supple_elastic::{ElasticBody, Extent, FreeVertices, Region, Voxels};
use supple_mesh::{Embedding, TriMesh, Vec3, VoxelMesh, VoxelRule, fill_voxels};
use supple_model::{ElementId, Progress, VertexId};

/// How finely the part of a voxel that is filled is told.
const LEVELS: usize = 16;

/// What is simulated for a body.
#[derive(Debug)]
pub(crate) struct Carrier {
    /// The body that is simulated.
    pub elastic: Arc<ElasticBody>,
    /// Its vertices that may move.
    pub free: FreeVertices,
    /// How the shot's body rides on it; `None` when it is the shot's body.
    cage: Option<Embedding>,
    /// Anchored vertices, and who moves them.
    held: Vec<(VertexId, Vec<usize>)>,
}

impl Carrier {
    /// What a shot wants simulated.
    pub fn of(
        shot: &Shot,
        body: &Body,
        anchors: &Anchors,
        progress: &Progress,
    ) -> Result<Self, SimulateError> {
        match shot.simulate.cage {
            Some(cells) => Self::cage(shot, body, anchors, cells, progress),
            None => {
                let held = body.anchors.iter().map(|v| (*v, anchors.movers_of(*v))).collect();
                Ok(Self { elastic: body.elastic.clone(), free: body.free.clone(), cage: None, held })
            }
        }
    }

    fn cage(
        shot: &Shot,
        body: &Body,
        anchors: &Anchors,
        cells: usize,
        progress: &Progress,
    ) -> Result<Self, SimulateError> {
        let wrong = |problem: &str| Err(SimulateError::Cage { problem: problem.into() });
        if !shot.body.regions.is_empty() {
            return wrong("it has one material, but the body has `regions`; remove one of them");
        }
        let (centres, volumes) = match &body.matter {
            Matter::Solid(solid) => {
                let mesh = solid.mesh();
                middles(mesh.tets().len(), |e| mesh.corners(e), |e| mesh.volume(e))
            }
            Matter::Voxels(voxels) => {
                let mesh = voxels.mesh();
                middles(mesh.voxels().len(), |e| mesh.corners(e), |e| mesh.volume(e))
            }
            _ => return wrong("it works only for bodies of kind \"solid\" and \"voxels\"; remove it"),
        };
        let surface = TriMesh::skin(body.positions().to_vec(), body.surface.clone())
            .map_err(|problem| SimulateError::Cage { problem: problem.to_string() })?;
        let mesh = fill_voxels(&surface, cells, VoxelRule::Covering, progress)?;
        let regions = fillings(&mesh, &centres, &volumes, &shot.body.material.unwrap_or_default());
        let embedding = Embedding::in_voxels(&mesh, body.positions());
        let held = held(&embedding, mesh.positions(), body, anchors);
        let anchored: Vec<VertexId> = held.iter().map(|(v, _)| *v).collect();
        let free = FreeVertices::except(mesh.positions().len(), &anchored)?;
        let material = crate::body::elastic_material(shot.body.material.unwrap_or_default());
        let elastic: Arc<ElasticBody> = Arc::new(Voxels::new(mesh, material, &regions)?);
        Ok(Self { elastic, free, cage: Some(embedding), held })
    }

    /// Whether the body rides on a cage.
    pub fn is_cage(&self) -> bool {
        self.cage.is_some()
    }

    /// The points of the body's surface, as they ride on what is simulated.
    pub fn colliding(&self, body: &Body) -> (Vec<VertexId>, Vec<Row>) {
        let mut vertices: Vec<VertexId> = body.surface.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let rows = match &self.cage {
            None => vertices.iter().map(|v| vec![(*v, 1.0)]).collect(),
            Some(cage) => {
                let all: Vec<_> = cage.rows().collect();
                let row = |v: &VertexId| {
                    let (corners, weights) = all[v.index()];
                    let pairs = corners.iter().copied().zip(weights.iter().copied());
                    pairs.filter(|(_, w)| w.abs() > 1e-9).collect()
                };
                vertices.iter().map(row).collect()
            }
        };
        (vertices, rows)
    }

    /// What forces on the vertices of the body are on those of the carrier: Eᵀ f.
    pub fn forces(&self, of_body: &[f64]) -> Vec<f64> {
        let Some(cage) = &self.cage else { return of_body.to_vec() };
        let mut forces = vec![0.0; 3 * self.elastic.positions().len()];
        for ((corners, weights), force) in cage.rows().zip(of_body.chunks_exact(3)) {
            for (corner, weight) in corners.iter().zip(weights) {
                for c in 0..3 {
                    forces[3 * corner.index() + c] += weight * force[c];
                }
            }
        }
        forces
    }

    /// Where the vertices of the body are when the carrier is displaced by `u`.
    pub fn positions(&self, body: &Body, u: &[f64], out: &mut [[f64; 3]]) {
        let displacements: Vec<Vec3> = u.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let moved = match &self.cage {
            None => displacements,
            Some(cage) => {
                let mut moved = vec![Vec3::zeros(); body.positions().len()];
                cage.apply(&displacements, &mut moved);
                moved
            }
        };
        for ((out, rest), u) in out.iter_mut().zip(body.positions()).zip(&moved) {
            *out = (rest + u).into();
        }
    }

    /// Overwrites the displacements of anchored vertices with where they are at a frame.
    pub fn place_anchors(&self, anchors: &Anchors, frame: f64, u: &mut [f64]) {
        for (v, movers) in &self.held {
            let rest = self.elastic.positions()[v.index()];
            let displacement = anchors.place(movers, rest, frame) - rest;
            u[3 * v.index()..][..3].copy_from_slice(displacement.as_slice());
        }
    }
}

/// The middle and the volume of every element.
fn middles<const N: usize>(
    count: usize,
    corners: impl Fn(ElementId) -> [Vec3; N],
    volume: impl Fn(ElementId) -> f64,
) -> (Vec<Vec3>, Vec<f64>) {
    let elements = (0..count).map(ElementId::new);
    elements.map(|e| (corners(e).iter().sum::<Vec3>() / N as f64, volume(e))).unzip()
}

/// Regions of voxels that are filled alike.
fn fillings(mesh: &VoxelMesh, centres: &[Vec3], volumes: &[f64], material: &shot::Material) -> Vec<Region> {
    let mut filled = vec![0.0; mesh.voxels().len()];
    for (host, volume) in Embedding::in_voxels(mesh, centres).elements().iter().zip(volumes) {
        filled[host.index()] += volume / mesh.volume(*host);
    }
    let level = |part: f64| ((part * LEVELS as f64).round() as usize).clamp(1, LEVELS);
    let region = |wanted: usize| {
        let voxels = (0..filled.len()).filter(|&v| level(filled[v]) == wanted).map(ElementId::new).collect();
        let part = wanted as f64 / LEVELS as f64;
        Region {
            name: format!("voxels filled {wanted}/{LEVELS}"),
            extent: Extent::Elements(voxels),
            young: Some(part * material.young),
            poisson: None,
            density: Some(part * material.density),
        }
    };
    let has_some = |wanted: &usize| filled.iter().any(|part| level(*part) == *wanted);
    (1..LEVELS).filter(has_some).map(region).collect()
}

/// The corners of the voxels that hold anchored vertices, each moved as the nearest of those.
fn held(cage: &Embedding, positions: &[Vec3], body: &Body, anchors: &Anchors) -> Vec<(VertexId, Vec<usize>)> {
    let rows: Vec<_> = cage.rows().collect();
    let mut nearest: Vec<Option<(f64, VertexId)>> = vec![None; positions.len()];
    for &anchor in &body.anchors {
        for corner in rows[anchor.index()].0 {
            let distance = (positions[corner.index()] - body.positions()[anchor.index()]).norm_squared();
            let place = &mut nearest[corner.index()];
            if place.is_none_or(|(best, _)| distance < best) {
                *place = Some((distance, anchor));
            }
        }
    }
    let held = nearest.iter().enumerate().filter_map(|(v, near)| near.map(|(_, anchor)| (v, anchor)));
    held.map(|(v, anchor)| (VertexId::new(v), anchors.movers_of(anchor))).collect()
}
