//! The fine mesh that rides on a body.

use super::BodyError;
use super::rest::{RestMesh, tri_mesh};
use crate::shot::{self, Shot};
use std::collections::HashMap;
use std::path::Path;
use supple_formats::MeshFile;
use supple_mesh::{Embedding, TriMesh, Vec3, Weld, vertex_elements};
use supple_model::VertexId;

/// A vertex of the body with less weight does not carry a skin vertex: it has that weight by rounding.
const CARRIES: f64 = 1e-9;

/// A fine mesh and how it rides on a body.
#[derive(Clone, Debug)]
pub struct Skin {
    /// The mesh at rest.
    pub mesh: TriMesh,
    /// Its place in the body. Vertices that are one ride as one.
    pub embedding: Embedding,
    /// Which of its vertices coincide in every frame of the input.
    pub weld: Weld,
    /// Whether each of its vertices is an anchor, which comes out of an edit as it went in.
    pub held: Vec<bool>,
}

impl Skin {
    fn new(mesh: TriMesh, embedding: Embedding) -> Self {
        let vertices = mesh.positions().len();
        Self { mesh, embedding, weld: Weld::none(vertices), held: vec![false; vertices] }
    }

    /// A skin whose place in the body is found.
    pub(super) fn on(body: &RestMesh, mesh: TriMesh) -> Self {
        let points = mesh.positions();
        let embedding = match body {
            RestMesh::Tets(body) => Embedding::of(body, points),
            RestMesh::Voxels(body) => Embedding::in_voxels(body, points),
            RestMesh::Triangles(body) => Embedding::on_triangles(body, points),
        };
        Self::new(mesh, embedding)
    }

    /// The surface that a body fills, whose thin parts may be far outside of it.
    pub(super) fn around(body: &RestMesh, mesh: TriMesh) -> Self {
        let mut skin = Self::on(body, mesh);
        skin.embedding.draw_in();
        skin
    }

    /// Makes vertices that are one in every frame of the input ride as one. On a cloth they ride on the vertex they are.
    pub(super) fn join(&mut self, weld: Weld, body: &RestMesh) {
        self.weld = weld;
        if let RestMesh::Triangles(cloth) = body {
            self.sit_on(cloth);
        }
        self.embedding.share(self.weld.leaders());
    }

    /// Puts the vertices that are those of the cloth, to the bit, on them. Where several are at one place, as the lips of a
    /// closed mouth, their order tells which is which.
    fn sit_on(&mut self, cloth: &TriMesh) {
        let mut used: Vec<VertexId> =
            self.weld.triangles(self.mesh.triangles()).into_iter().flatten().collect();
        used.sort_unstable();
        used.dedup();
        let of_skin = by_place(used.iter().copied(), self.mesh.positions());
        let all = (0..cloth.positions().len()).map(VertexId::new);
        let around = vertex_elements(cloth.positions().len(), cloth.triangles());
        for (place, vertices) in by_place(all, cloth.positions()) {
            let Some(skins) = of_skin.get(&place) else { continue };
            if vertices.len() != skins.len() {
                continue;
            }
            for (vertex, skin) in vertices.iter().zip(skins) {
                let Some(element) = around[*vertex].first() else { continue };
                self.embedding.sit(*skin, *vertex, *element, &cloth.triangles()[element.index()]);
            }
        }
    }

    /// Anchors all of the body that carries one of the vertices in `pinned`, and takes down which vertices are anchors:
    /// those, and all that ride on anchors alone.
    pub(super) fn pin(&mut self, pinned: &[VertexId], anchors: &mut Vec<VertexId>) {
        let mut held = vec![false; self.held.len()];
        for v in pinned {
            held[self.weld.leaders()[v.index()].index()] = true;
        }
        for v in (0..held.len()).filter(|v| held[*v]).map(VertexId::new) {
            anchors.extend(self.carriers(v));
        }
        anchors.sort_unstable();
        anchors.dedup();
        for leader in self.weld.leaders() {
            held[leader.index()] |= self.carriers(*leader).all(|v| anchors.binary_search(&v).is_ok());
        }
        self.held = self.weld.leaders().iter().map(|leader| held[leader.index()]).collect();
    }

    /// The vertices of the body that carry one of the skin.
    pub(crate) fn carriers(&self, skin: VertexId) -> impl Iterator<Item = VertexId> {
        let (corners, weights) = self.embedding.row(skin);
        corners.iter().zip(weights).filter(|(_, weight)| weight.abs() > CARRIES).map(|(v, _)| *v)
    }

    /// The skin a shot names.
    pub(super) fn load(shot: &Shot, skin: &shot::Skin, body: &RestMesh) -> Result<Self, BodyError> {
        let path = shot.resolve(&skin.mesh);
        let MeshFile::Surface(file) = shot.mesh(&skin.mesh)? else {
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
        Ok(Self::new(mesh, embedding))
    }
}

/// Vertices by where they are, to the bit; −0 is 0.
fn by_place(
    vertices: impl Iterator<Item = VertexId>,
    positions: &[Vec3],
) -> HashMap<[u64; 3], Vec<VertexId>> {
    let mut found: HashMap<[u64; 3], Vec<VertexId>> = HashMap::new();
    for v in vertices {
        let p = positions[v.index()];
        found.entry([p.x, p.y, p.z].map(|x| (x + 0.0).to_bits())).or_default().push(v);
    }
    found
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
            "the number of pairs per row does not match the corners of an element",
            "each skin vertex must follow the corners of one element",
        ));
    }
    let rows: Vec<&[(u32, f64)]> = file.rows().collect();
    if rows.len() != skin_vertices {
        return Err(wrong(
            "the number of rows does not match the skin's vertices",
            "there must be one row per skin vertex",
        ));
    }
    let vertices: Vec<[VertexId; N]> =
        rows.iter().map(|row| std::array::from_fn(|k| VertexId(row[k].0))).collect();
    let weights: Vec<[f64; N]> = rows.iter().map(|row| std::array::from_fn(|k| row[k].1)).collect();
    Embedding::from_weights(body_vertices, elements, &vertices, &weights)
        .map_err(|problem| BodyError::Embedding { file: path.to_path_buf(), problem })
}
