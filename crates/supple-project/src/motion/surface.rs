//! The surface of what moves.

use super::Moving;
use crate::subject::Subject;
use supple_formats::SurfaceFile;
use supple_model::VertexId;

/// The surface of what moves, or its skin, when its own points are at `positions`. Its own surface keeps
/// all of its vertices in their order, inner ones too.
pub(crate) fn surface_at(subject: &dyn Subject, of: Moving, positions: &[[f64; 3]]) -> SurfaceFile {
    let triangles = |list: &[[VertexId; 3]]| list.iter().map(|t| t.map(|v| v.0)).collect();
    match (of, subject.skin()) {
        (Moving::Skin, Some(skin)) => SurfaceFile {
            positions: skin.on_body(subject.positions(), positions),
            triangles: triangles(skin.mesh.triangles()),
            ..SurfaceFile::default()
        },
        _ => SurfaceFile {
            positions: positions.to_vec(),
            triangles: triangles(subject.triangles()),
            ..SurfaceFile::default()
        },
    }
}
