//! From the files a shot names to a body that can move.

use crate::shot::{self, Anchor, BodyKind, Shot};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_elastic::{ElasticError, Extent, FreeVertices, Law, Material, Region, Solid};
use supple_formats::{Elements, FormatError, MeshFile, SurfaceFile, VolumeFile};
use supple_mesh::{
    Aabb, Axis, Embedding, EmbeddingError, MeshError, Select, SelectError, TetMesh, TriMesh, Vec3,
    VertexGroups, signed_volume,
};
use supple_model::{ElementId, VertexId};

/// A body as its files describe it.
#[derive(Debug)]
pub struct Body {
    /// Mesh, material and mass.
    pub solid: Arc<Solid>,
    /// Named parts.
    pub groups: VertexGroups,
    /// The vertices that stay in place, ascending.
    pub anchors: Vec<VertexId>,
    /// The vertices that may move.
    pub free: FreeVertices,
    /// The fine mesh that rides on it.
    pub skin: Option<Skin>,
}

/// A fine mesh and how it rides on a body.
#[derive(Clone, Debug)]
pub struct Skin {
    /// The mesh at rest.
    pub mesh: TriMesh,
    /// Its place in the body.
    pub embedding: Embedding,
}

/// Why a body could not be made; names the file and the culprit.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// A file could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A mesh is not usable.
    #[error("{}: {problem}", file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: MeshError,
    },
    /// A file holds something else than what is needed.
    #[error("{}: {found}, but {needed}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// What it holds.
        found: &'static str,
        /// What is needed, and the way out.
        needed: &'static str,
    },
    /// Anchors or a region choose vertices that cannot be chosen.
    #[error("{part}: {problem}")]
    Select {
        /// Which part of the shot.
        part: String,
        /// Why not.
        problem: SelectError,
    },
    /// An embedding does not fit body and skin.
    #[error("{}: {problem}", file.display())]
    Embedding {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: EmbeddingError,
    },
    /// Material, regions or anchors make no body.
    #[error(transparent)]
    Elastic(#[from] ElasticError),
    /// A kind of body this version cannot build.
    #[error("a body of kind \"{kind}\" cannot be built by this version, which builds \"solid\" ones")]
    Kind {
        /// The word in the shot.
        kind: &'static str,
    },
    /// A surface that would have to be filled.
    #[error("a body cannot be filled from its `surface` by this version; name a `mesh` of tets")]
    Fill,
}

impl Body {
    /// Reads the body of a shot.
    ///
    /// # Errors
    /// Names the file and the culprit: see [`BodyError`].
    pub fn load(shot: &Shot) -> Result<Self, BodyError> {
        let spec = &shot.body;
        if spec.kind != BodyKind::Solid {
            return Err(BodyError::Kind { kind: spec.kind.name() });
        }
        let shot::Shape::Mesh(mesh) = &spec.shape else {
            return Err(BodyError::Fill);
        };
        let path = shot.resolve(mesh);
        let file = load_volume(&path)?;
        let groups = vertex_groups(&file);
        let mesh = tet_mesh(&path, &file)?;
        let anchors = anchors(shot, mesh.positions(), &groups)?;
        let free = FreeVertices::except(mesh.positions().len(), &anchors)?;
        let law = spec.material.unwrap_or_default().law;
        let (material, mut regions) = match spec.material {
            Some(material) => (elastic_material(material), Vec::new()),
            None => file_materials(&file, law),
        };
        for region in &spec.regions {
            regions.push(elastic_region(region, &file, &groups)?);
        }
        let solid = Arc::new(Solid::new(mesh, material, &regions)?);
        let skin = spec.skin.as_ref().map(|skin| load_skin(shot, skin, solid.mesh())).transpose()?;
        Ok(Self { solid, groups, anchors, free, skin })
    }
}

/// Reads a file of tets.
///
/// # Errors
/// A surface or hexahedra where tets are needed, and whatever the reader finds.
pub fn load_volume(path: &Path) -> Result<VolumeFile, BodyError> {
    match supple_formats::load_mesh(path)? {
        MeshFile::Volume(file) => Ok(file),
        MeshFile::Surface(_) => Err(BodyError::Content {
            file: path.to_path_buf(),
            found: "this is a surface",
            needed: "a solid body needs a mesh of tets (.veg, .abq, .inp, .node/.ele)",
        }),
    }
}

/// The tet mesh of a file. Programs differ in which way round a tet is positive: a file in which every
/// one is negative is turned over as a whole; one in which only some are is broken.
///
/// # Errors
/// Names the file and the vertex or tet to blame.
pub fn tet_mesh(path: &Path, file: &VolumeFile) -> Result<TetMesh, BodyError> {
    let Elements::Tets(tets) = &file.elements else {
        return Err(BodyError::Content {
            file: path.to_path_buf(),
            found: "the elements are hexahedra",
            needed: "a solid body needs tets",
        });
    };
    let positions = positions(&file.positions);
    let mut tets: Vec<[VertexId; 4]> = tets.iter().map(|tet| tet.map(VertexId)).collect();
    let inside_out = |tet: &[VertexId; 4]| {
        let [a, b, c, d] = tet.map(|v| positions.get(v.index()).copied().unwrap_or_default());
        signed_volume(a, b, c, d) < 0.0
    };
    if tets.iter().all(inside_out) {
        tets.iter_mut().for_each(|tet| tet.swap(2, 3));
    }
    TetMesh::new(positions, tets).map_err(|problem| BodyError::Mesh { file: path.to_path_buf(), problem })
}

/// The surface mesh of a file, for drawing.
///
/// # Errors
/// Names the file and the vertex or triangle to blame.
pub fn tri_mesh(path: &Path, file: &SurfaceFile) -> Result<TriMesh, BodyError> {
    let triangles = file.triangles.iter().map(|triangle| triangle.map(VertexId)).collect();
    TriMesh::skin(positions(&file.positions), triangles)
        .map_err(|problem| BodyError::Mesh { file: path.to_path_buf(), problem })
}

fn positions(points: &[[f64; 3]]) -> Vec<Vec3> {
    points.iter().map(|p| Vec3::from(*p)).collect()
}

fn vertex_groups(file: &VolumeFile) -> VertexGroups {
    let mut groups = VertexGroups::new();
    for group in &file.vertex_groups {
        groups.add(group.name.clone(), group.members.iter().copied().map(VertexId));
    }
    groups
}

fn anchors(shot: &Shot, positions: &[Vec3], groups: &VertexGroups) -> Result<Vec<VertexId>, BodyError> {
    let axis = |axis: shot::Axis| [Axis::X, Axis::Y, Axis::Z][axis.index()];
    let mut anchors = Vec::new();
    for anchor in &shot.body.anchors {
        let select = match anchor {
            Anchor::Vertices(vertices) => Select::Vertices(vertices.clone()),
            Anchor::Group(name) => Select::Group(name.clone()),
            Anchor::Below { axis: a, at } => Select::Below { axis: axis(*a), at: *at },
            Anchor::Above { axis: a, at } => Select::Above { axis: axis(*a), at: *at },
            Anchor::Box { min, max } => Select::Inside(Aabb { min: (*min).into(), max: (*max).into() }),
            Anchor::File(path) => {
                let vertices = supple_formats::load_bou(shot.resolve(path))?;
                Select::Vertices(vertices.into_iter().map(VertexId).collect())
            }
        };
        let chosen = select
            .resolve(positions, groups)
            .map_err(|problem| BodyError::Select { part: "the anchors".into(), problem })?;
        anchors.extend(chosen);
    }
    anchors.sort_unstable();
    anchors.dedup();
    Ok(anchors)
}

fn elastic_material(material: shot::Material) -> Material {
    let law = match material.law {
        shot::Law::Linear => Law::Linear,
        shot::Law::StVenantKirchhoff => Law::StVenantKirchhoff,
        shot::Law::NeoHookean => Law::NeoHookean,
    };
    Material { law, young: material.young, poisson: material.poisson, density: material.density }
}

/// The materials a mesh file brings along, over the default one.
fn file_materials(file: &VolumeFile, law: shot::Law) -> (Material, Vec<Region>) {
    let of_element = file.element_materials();
    let regions = file.materials.iter().enumerate().filter_map(|(m, material)| {
        let elements: Vec<ElementId> =
            (0..of_element.len()).filter(|&e| of_element[e] == Some(m)).map(ElementId::new).collect();
        (!elements.is_empty()).then(|| Region {
            name: material.name.clone(),
            extent: Extent::Elements(elements),
            young: Some(material.young),
            poisson: Some(material.poisson),
            density: Some(material.density),
        })
    });
    let default = shot::Material { law, ..shot::Material::default() };
    (elastic_material(default), regions.collect())
}

/// A region names a group of elements, or else of vertices.
fn elastic_region(
    region: &shot::Region,
    file: &VolumeFile,
    groups: &VertexGroups,
) -> Result<Region, BodyError> {
    let extent = match file.element_groups.iter().find(|group| group.name == region.group) {
        Some(group) => Extent::Elements(group.members.iter().copied().map(ElementId).collect()),
        None => {
            let vertices = groups.get(&region.group).map_err(|problem| BodyError::Select {
                part: format!("region \"{}\"", region.group),
                problem,
            })?;
            Extent::Vertices(vertices.to_vec())
        }
    };
    let (young, poisson, density) = (region.young, region.poisson, region.density);
    Ok(Region { name: region.group.clone(), extent, young, poisson, density })
}

fn load_skin(shot: &Shot, skin: &shot::Skin, body: &TetMesh) -> Result<Skin, BodyError> {
    let path = shot.resolve(&skin.mesh);
    let mesh = match supple_formats::load_mesh(&path)? {
        MeshFile::Surface(file) => tri_mesh(&path, &file)?,
        MeshFile::Volume(_) => {
            return Err(BodyError::Content {
                file: path,
                found: "this is a volume",
                needed: "a skin is a surface (.obj)",
            });
        }
    };
    let embedding = match &skin.embedding {
        Some(file) => given_embedding(&shot.resolve(file), mesh.positions().len(), body)?,
        None => Embedding::of(body, mesh.positions()),
    };
    Ok(Skin { mesh, embedding })
}

fn given_embedding(path: &Path, skin_vertices: usize, body: &TetMesh) -> Result<Embedding, BodyError> {
    let file = supple_formats::load_interp(path)?;
    let wrong = |found, needed| BodyError::Content { file: path.to_path_buf(), found, needed };
    if file.pairs_per_vertex != 4 {
        return Err(wrong("the rows have not four pairs", "a skin rides on the four corners of a tet"));
    }
    let rows: Vec<&[(u32, f64)]> = file.rows().collect();
    if rows.len() != skin_vertices {
        return Err(wrong(
            "the number of rows is not that of the skin's vertices",
            "each skin vertex needs one row",
        ));
    }
    let vertices: Vec<_> = rows.iter().map(|row| std::array::from_fn(|k| VertexId(row[k].0))).collect();
    let weights: Vec<_> = rows.iter().map(|row| std::array::from_fn(|k| row[k].1)).collect();
    Embedding::from_weights(body.positions().len(), body.tets(), &vertices, &weights)
        .map_err(|problem| BodyError::Embedding { file: path.to_path_buf(), problem })
}
