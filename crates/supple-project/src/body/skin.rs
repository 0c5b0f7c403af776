//! The fine mesh that rides on a body.

use super::BodyError;
use super::rest::{RestMesh, tri_mesh};
use crate::shot::{self, Shot};
use std::path::Path;
use supple_formats::MeshFile;
use supple_mesh::{Embedding, TriMesh};
use supple_model::VertexId;

/// A fine mesh and how it rides on a body.
#[derive(Clone, Debug)]
pub struct Skin {
    /// The mesh at rest.
    pub mesh: TriMesh,
    /// Its place in the body.
    pub embedding: Embedding,
}

impl Skin {
    /// A skin whose place in the body is found.
    pub(super) fn on(body: &RestMesh, mesh: TriMesh) -> Self {
        let points = mesh.positions();
        let embedding = match body {
            RestMesh::Tets(body) => Embedding::of(body, points),
            RestMesh::Voxels(body) => Embedding::in_voxels(body, points),
            RestMesh::Triangles(body) => Embedding::on_triangles(body, points),
        };
        Self { mesh, embedding }
    }

    /// The skin a shot names.
    pub(super) fn load(shot: &Shot, skin: &shot::Skin, body: &RestMesh) -> Result<Self, BodyError> {
        let path = shot.resolve(&skin.mesh);
        let MeshFile::Surface(file) = supple_formats::load_mesh(&path)? else {
            return Err(BodyError::Content {
                file: path,
                found: "this is a volume",
                needed: "a skin is a surface (.obj, .ply, .stl)",
            });
        };
        let mesh = tri_mesh(&path, &file)?;
        let Some(embedding) = &skin.embedding else {
            return Ok(Self::on(body, mesh));
        };
        let path = shot.resolve(embedding);
        let (vertices, skin_vertices) = (body.positions().len(), mesh.positions().len());
        let embedding = match body {
            RestMesh::Tets(body) => given(&path, skin_vertices, vertices, body.tets()),
            RestMesh::Voxels(body) => given(&path, skin_vertices, vertices, body.voxels()),
            RestMesh::Triangles(body) => given(&path, skin_vertices, vertices, body.triangles()),
        }?;
        Ok(Self { mesh, embedding })
    }
}

/// The embedding a file gives, in a body of elements with N corners.
fn given<const N: usize>(
    path: &Path,
    skin_vertices: usize,
    body_vertices: usize,
    elements: &[[VertexId; N]],
) -> Result<Embedding, BodyError> {
    let file = supple_formats::load_interp(path)?;
    let wrong = |found, needed| BodyError::Content { file: path.to_path_buf(), found, needed };
    if file.pairs_per_vertex != N {
        return Err(wrong(
            "the rows have not as many pairs as an element has corners",
            "a skin vertex rides on the corners of one element",
        ));
    }
    let rows: Vec<&[(u32, f64)]> = file.rows().collect();
    if rows.len() != skin_vertices {
        return Err(wrong(
            "the number of rows is not that of the skin's vertices",
            "each skin vertex needs one row",
        ));
    }
    let vertices: Vec<[VertexId; N]> =
        rows.iter().map(|row| std::array::from_fn(|k| VertexId(row[k].0))).collect();
    let weights: Vec<[f64; N]> = rows.iter().map(|row| std::array::from_fn(|k| row[k].1)).collect();
    Embedding::from_weights(body_vertices, elements, &vertices, &weights)
        .map_err(|problem| BodyError::Embedding { file: path.to_path_buf(), problem })
}
