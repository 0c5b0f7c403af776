//! Modes of bodies against closed forms, exact symmetries and rigid motions.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod beams;
mod chains;
mod plates;
mod solids;

use supple_elastic::{ElasticBody, FreeVertices, Modes};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

fn modes(body: &ElasticBody, anchored: impl Fn(&Vec3) -> bool, count: usize) -> Modes {
    let positions = body.positions();
    let anchors: Vec<VertexId> =
        (0..positions.len()).filter(|&v| anchored(&positions[v])).map(VertexId::new).collect();
    let free = FreeVertices::except(positions.len(), &anchors).unwrap();
    body.modes(&free, count, &Progress::silent()).unwrap()
}

fn assert_certified(modes: &Modes) {
    let certificate = modes.certificate();
    assert!(certificate.residuals.iter().all(|r| *r <= 1e-8), "{:?}", certificate.residuals);
    assert!(certificate.orthonormality <= 1e-8);
    assert_eq!(certificate.found, certificate.counted);
}

/// The share of a mode's motion (mass-weighted) along one axis.
fn share_along(modes: &Modes, k: usize, axis: usize) -> f64 {
    let shape = modes.shape(k);
    let along: f64 = shape.iter().skip(axis).step_by(3).map(|x| x * x).sum();
    along / shape.iter().map(|x| x * x).sum::<f64>()
}
