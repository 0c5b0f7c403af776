//! The rest shape of a body, from its file or by filling a surface.

use super::{BodyError, Filling};
use crate::shot::{BodyKind, Fill, FillMethod, Shape, Shot};
use rayon::prelude::*;
use std::path::Path;
use supple_formats::{Elements, Group, Material, MeshFile, SurfaceFile, VolumeFile};
use supple_mesh::{
    MeshError, Surface, SurfacePoint, TetMesh, TriMesh, TriangleTree, Vec3, VertexGroups, VoxelMesh,
    signed_volume,
};
use supple_model::{Progress, VertexId};

/// Cells along the longest side of a surface that is filled without saying how finely.
const CELLS: usize = 40;

/// A rest shape and what its file says about it.
pub(super) struct Rest {
    pub mesh: RestMesh,
    pub groups: VertexGroups,
    pub element_groups: Vec<Group>,
    /// The materials of the file, and which of them each element has.
    pub materials: Vec<Material>,
    pub element_materials: Vec<Option<usize>>,
    /// The surface that was filled, to ride on what it was filled with, and its own groups.
    pub filled: Option<(TriMesh, VertexGroups)>,
}

/// The elements of a rest shape.
#[derive(Clone, Debug)]
pub(crate) enum RestMesh {
    Tets(TetMesh),
    Voxels(VoxelMesh),
    Triangles(TriMesh),
}

impl RestMesh {
    fn of_volume(path: &Path, file: &VolumeFile) -> Result<Self, BodyError> {
        let positions = points(&file.positions);
        match &file.elements {
            Elements::Tets(tets) => tet_mesh(positions, tets).map(Self::Tets),
            Elements::Hexes(hexes) => {
                VoxelMesh::new(positions, hexes.iter().map(|hex| hex.map(VertexId)).collect())
                    .map(Self::Voxels)
            }
        }
        .map_err(|problem| BodyError::Mesh { file: path.to_path_buf(), problem })
    }

    pub(crate) fn positions(&self) -> &[Vec3] {
        match self {
            Self::Tets(mesh) => mesh.positions(),
            Self::Voxels(mesh) => mesh.positions(),
            Self::Triangles(mesh) => mesh.positions(),
        }
    }

    /// The triangles one sees.
    pub(super) fn surface(&self) -> Vec<[VertexId; 3]> {
        match self {
            Self::Tets(mesh) => Surface::of(mesh).triangles,
            Self::Voxels(mesh) => Surface::of_voxels(mesh).triangles,
            Self::Triangles(mesh) => mesh.triangles().to_vec(),
        }
    }
}

impl Rest {
    /// The rest shape of a shot's body; a surface that was filled before is not filled again.
    pub(super) fn load(
        shot: &Shot,
        filled: Option<&(TriMesh, Filling)>,
        progress: &Progress,
    ) -> Result<Self, BodyError> {
        match &shot.body.shape {
            Shape::Mesh(mesh) => Self::of_file(&shot.resolve(mesh), shot.mesh(mesh)?),
            Shape::Surface { surface, fill } => {
                let mesh = shot.mesh(surface)?;
                progress.check()?;
                let fill = (shot.body.kind, fill.as_ref());
                Self::of_surface(&shot.resolve(surface), mesh, fill, filled, progress)
            }
            Shape::Skeleton(_) => Err(BodyError::Kind { kind: shot.body.kind.name() }),
        }
    }

    fn of_file(path: &Path, mesh: MeshFile) -> Result<Self, BodyError> {
        Ok(match mesh {
            MeshFile::Surface(file) => {
                Self::of_triangles(tri_mesh(path, &file)?, groups(&file.vertex_groups))
            }
            MeshFile::Volume(file) => {
                let mesh = RestMesh::of_volume(path, &file)?;
                let element_materials = file.element_materials();
                Self {
                    mesh,
                    groups: groups(&file.vertex_groups),
                    element_groups: file.element_groups,
                    materials: file.materials,
                    element_materials,
                    filled: None,
                }
            }
        })
    }

    fn of_surface(
        path: &Path,
        mesh: MeshFile,
        (kind, fill): (BodyKind, Option<&Fill>),
        filled: Option<&(TriMesh, Filling)>,
        progress: &Progress,
    ) -> Result<Self, BodyError> {
        let MeshFile::Surface(file) = mesh else {
            return Err(BodyError::Content {
                file: path.to_path_buf(),
                found: "this is a volume",
                needed: "`surface` names a surface to fill; a volume is given as `mesh`",
            });
        };
        let surface = tri_mesh(path, &file)?;
        let surface_groups = groups(&file.vertex_groups);
        let method = match (kind, fill.map(|fill| fill.method)) {
            (BodyKind::Solid, None | Some(FillMethod::Tets)) => FillMethod::Tets,
            (BodyKind::Voxels, None | Some(FillMethod::Voxels)) => FillMethod::Voxels,
            (_, None) => return Ok(Self::of_triangles(surface, surface_groups)),
            (kind, Some(method)) => {
                return Err(BodyError::FillKind { made: method.name(), kind: kind.name() });
            }
        };
        let fill = Fill { method, cells: fill.map_or(CELLS, |fill| fill.cells) };
        let mesh = match filled.filter(|(of, filling)| *of == surface && filling.fill == fill) {
            Some((_, filling)) => filling.mesh.clone(),
            None => {
                let made = Filling::new(&surface, fill, progress);
                made.map_err(|problem| BodyError::Fill { file: path.to_path_buf(), problem })?.mesh
            }
        };
        progress.check()?;
        let groups = nearest_groups(&surface, &surface_groups, mesh.positions());
        Ok(Self { filled: Some((surface, surface_groups)), ..Self::bare(mesh, groups) })
    }

    fn of_triangles(mesh: TriMesh, groups: VertexGroups) -> Self {
        Self::bare(RestMesh::Triangles(mesh), groups)
    }

    fn bare(mesh: RestMesh, groups: VertexGroups) -> Self {
        Self {
            mesh,
            groups,
            element_groups: Vec::new(),
            materials: Vec::new(),
            element_materials: Vec::new(),
            filled: None,
        }
    }
}

/// The tets of a file. Programs differ in which way round a tet is positive: a file in which every one is
/// negative is turned over as a whole; one in which only some are is broken.
fn tet_mesh(positions: Vec<Vec3>, tets: &[[u32; 4]]) -> Result<TetMesh, MeshError> {
    let mut tets: Vec<[VertexId; 4]> = tets.iter().map(|tet| tet.map(VertexId)).collect();
    let inside_out = |tet: &[VertexId; 4]| {
        let [a, b, c, d] = tet.map(|v| positions.get(v.index()).copied().unwrap_or_default());
        signed_volume(a, b, c, d) < 0.0
    };
    if tets.iter().all(inside_out) {
        tets.iter_mut().for_each(|tet| tet.swap(2, 3));
    }
    TetMesh::new(positions, tets)
}

/// The triangles one sees of the volume in a file.
///
/// # Errors
/// A mesh that cannot be used.
pub(crate) fn volume_surface(path: &Path, file: &VolumeFile) -> Result<Vec<[VertexId; 3]>, BodyError> {
    Ok(RestMesh::of_volume(path, file)?.surface())
}

/// The surface mesh of a file, as a skin: slivers and unused vertices do no harm.
///
/// # Errors
/// Names the file and the vertex or triangle to blame.
pub(super) fn tri_mesh(path: &Path, file: &SurfaceFile) -> Result<TriMesh, BodyError> {
    let triangles = file.triangles.iter().map(|triangle| triangle.map(VertexId)).collect();
    TriMesh::skin(points(&file.positions), triangles)
        .map_err(|problem| BodyError::Mesh { file: path.to_path_buf(), problem })
}

/// The triangles one sees of any mesh file, with the positions they refer to.
///
/// # Errors
/// A file that cannot be read, or whose mesh cannot be used.
pub(crate) fn visible_mesh(path: &Path) -> Result<(Vec<Vec3>, Vec<[VertexId; 3]>), BodyError> {
    let mesh = Rest::of_file(path, supple_formats::load_mesh(path)?)?.mesh;
    let surface = mesh.surface();
    Ok((mesh.positions().to_vec(), surface))
}

/// The six tets around the diagonal from corner 0 to corner 6 of a hexahedron.
pub(crate) fn split_into_tets<T: Copy>(hexahedron: &[T; 8]) -> [[T; 4]; 6] {
    const RING: [usize; 7] = [1, 2, 3, 7, 4, 5, 1];
    std::array::from_fn(|k| [0, RING[k], RING[k + 1], 6].map(|corner| hexahedron[corner]))
}

fn points(positions: &[[f64; 3]]) -> Vec<Vec3> {
    positions.iter().map(|p| Vec3::from(*p)).collect()
}

fn groups(groups: &[Group]) -> VertexGroups {
    let mut named = VertexGroups::new();
    for group in groups {
        named.add(group.name.clone(), group.members.iter().copied().map(VertexId));
    }
    named
}

/// The groups of a surface carried over to what fills it: a vertex belongs to those that hold the greater
/// part of the surface point nearest to it. A group too small for that, as a pin in a corner, has the vertices nearest to
/// its members.
fn nearest_groups(surface: &TriMesh, groups: &VertexGroups, positions: &[Vec3]) -> VertexGroups {
    let mut carried = VertexGroups::new();
    if groups.is_empty() {
        return carried;
    }
    let tree = TriangleTree::of(surface);
    let nearest: Vec<_> = positions.par_iter().map(|p| tree.closest(p)).collect();
    for (name, members) in groups.iter() {
        let share = |point: &SurfacePoint| -> f64 {
            let corners = surface.triangles()[point.triangle.index()];
            let held = corners.iter().zip(point.weights).filter(|(v, _)| members.binary_search(v).is_ok());
            held.map(|(_, weight)| weight).sum()
        };
        let held = nearest.iter().enumerate().filter(|(_, p)| p.as_ref().is_some_and(|p| share(p) > 0.5));
        let mut chosen: Vec<usize> = held.map(|(v, _)| v).collect();
        if chosen.is_empty() {
            let distance = |v: usize, at: &Vec3| (positions[v] - at).norm_squared();
            chosen.extend(members.iter().filter_map(|member| {
                let at = surface.positions()[member.index()];
                (0..positions.len()).min_by(|v, w| distance(*v, &at).total_cmp(&distance(*w, &at)))
            }));
        }
        carried.add(name, chosen.into_iter().map(VertexId::new));
    }
    carried
}
