//! The surface of what moves.

use super::Moving;
use crate::body::Body;
use supple_formats::SurfaceFile;
use supple_model::VertexId;

/// The surface of a body, or its skin, when the body's vertices are at `positions`. That of the body keeps
/// all of its vertices in their order, inner ones too.
pub(crate) fn surface_at(body: &Body, of: Moving, positions: &[[f64; 3]]) -> SurfaceFile {
    let triangles = |list: &[[VertexId; 3]]| list.iter().map(|t| t.map(|v| v.0)).collect();
    match (of, &body.skin) {
        (Moving::Skin, Some(skin)) => SurfaceFile {
            positions: skin.on_body(body, positions),
            triangles: triangles(skin.mesh.triangles()),
            ..SurfaceFile::default()
        },
        _ => SurfaceFile {
            positions: positions.to_vec(),
            triangles: triangles(&body.surface),
            ..SurfaceFile::default()
        },
    }
}
