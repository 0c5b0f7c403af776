//! What body suits a surface: its kind, and how finely it is filled.
//!
//! Vertices that coincide in every frame count as one: a seam of texture or normals is no border.
//!
//! | surface | body |
//! |---|---|
//! | one piece, closed | tets inside; voxels where tets would lose thin parts |
//! | one piece, open or branching, of 100 to 200,000 vertices | cloth: the surface itself |
//! | several pieces; fewer or more vertices; triangles without area | voxels around all of it |
//! | any, by choice | tets or voxels; cloth for one piece |
//!
//! What fills follows the surface, which rides on it; a cloth is read off the surface.

use super::error::ImportError;
use super::resolution::{Filled, finest};
use crate::body::{BodyError, Filling, RestMesh};
use crate::shot::{BodyKind, Fill, FillMethod};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use supple_formats::SurfaceFile;
use supple_mesh::{
    Aabb, Embedding, FillError, Surface, TetMesh, TriMesh, TriangleTree, Vec3, Weld, components,
};
use supple_model::{Progress, VertexId};

/// The fewest and the most vertices of a surface that is a cloth without being asked for.
const CLOTH: [usize; 2] = [100, 200_000];
/// Tets lose a part of the surface that is more than so many cells outside of them.
const STICKS_OUT: f64 = 2.0;

/// What kind of body to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportKind {
    /// As the surface suggests.
    #[default]
    Auto,
    /// Tets inside of it.
    Solid,
    /// Voxels around it.
    Voxels,
    /// The surface itself.
    Cloth,
    /// A skeleton; no surface.
    Character,
}

/// A surface at its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Edges of one triangle.
    pub open: usize,
    /// Edges of more than two.
    pub branching: usize,
}

impl Edges {
    pub(super) fn of(triangles: &[[VertexId; 3]]) -> Self {
        let mut uses: HashMap<(VertexId, VertexId), u32> = HashMap::with_capacity(2 * triangles.len());
        for &[a, b, c] in triangles {
            for (v, w) in [(a, b), (b, c), (c, a)] {
                *uses.entry((v.min(w), v.max(w))).or_default() += 1;
            }
        }
        let count = |wanted: fn(&u32) -> bool| uses.values().filter(|n| wanted(n)).count();
        Self { open: count(|n| *n == 1), branching: count(|n| *n > 2) }
    }

    pub(super) fn are_closed(self) -> bool {
        self == Self::default()
    }
}

/// A body for a surface.
pub(super) struct Suited {
    pub kind: BodyKind,
    /// The surface and what fills it.
    pub filled: Option<(TriMesh, Filling)>,
    /// The mesh of a cloth, and which vertex of the surface each of its vertices is; nothing where the surface is the cloth.
    pub cloth: Option<(TriMesh, Vec<VertexId>)>,
    /// The surface at its edges.
    pub edges: Edges,
    /// What a person should know about the choice.
    pub notes: Vec<String>,
}

/// A surface to find a body for.
struct Subject<'a> {
    mesh: TriMesh,
    weld: &'a Weld,
    topology: Topology,
    path: &'a Path,
    progress: &'a Progress,
}

/// A body of tets, and whether parts of the surface are not in it.
struct Tets {
    suited: Suited,
    lose_parts: bool,
}

/// The body that suits `surface`, at rest, of the file at `path`.
pub(super) fn suited(
    surface: &SurfaceFile,
    weld: &Weld,
    asked: ImportKind,
    cells: Option<usize>,
    path: &Path,
    progress: &Progress,
) -> Result<Suited, ImportError> {
    let subject = Subject::of(surface, weld, path, progress)?;
    let is_free = asked == ImportKind::Auto;
    match if is_free { subject.topology.suggests() } else { asked } {
        ImportKind::Cloth => match subject.cloth() {
            Err(problem) if is_free => {
                subject.voxels(cells, vec![format!("voxels instead of cloth: {problem}")])
            }
            cloth => cloth,
        },
        ImportKind::Solid => match subject.tets(cells) {
            Ok(Tets { lose_parts: true, .. }) if is_free && cells.is_none() => {
                let note = "voxels instead of tets: tets would lose parts of the surface that are thinner \
                            than a cell";
                subject.voxels(cells, vec![note.to_owned()])
            }
            Ok(Tets { suited, .. }) => Ok(suited),
            Err(problem) if is_free => {
                subject.voxels(cells, vec![format!("voxels instead of tets: {problem}")])
            }
            Err(problem) => Err(unfilled(path, problem)),
        },
        ImportKind::Voxels | ImportKind::Auto => subject.voxels(cells, Vec::new()),
        ImportKind::Character => Err(ImportError::NoSkeleton { file: path.to_path_buf() }),
    }
}

/// How a surface hangs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Topology {
    /// How many vertices it has, copies and unused ones left out.
    pub vertices: usize,
    pub pieces: usize,
    pub edges: Edges,
}

impl Topology {
    /// Of triangles between so many vertices, of which some are one.
    pub fn of(triangles: &[[VertexId; 3]], weld: &Weld) -> Self {
        let joined = weld.triangles(triangles);
        let parts = components(weld.leaders().len(), &joined);
        let used: HashSet<VertexId> = joined.iter().flatten().copied().collect();
        let pieces: HashSet<usize> = used.iter().map(|v| parts.of_vertex[v.index()]).collect();
        Self { vertices: used.len(), pieces: pieces.len(), edges: Edges::of(&joined) }
    }

    /// Of a surface whose vertices are joined as they coincide at rest.
    pub fn at_rest(surface: &SurfaceFile, rest: &[[f64; 3]]) -> Self {
        Self::of(&corners(surface), &Weld::of(rest))
    }

    /// The body it suggests.
    pub fn suggests(self) -> ImportKind {
        match self.pieces {
            1 if self.edges.are_closed() => ImportKind::Solid,
            1 if (CLOTH[0]..=CLOTH[1]).contains(&self.vertices) => ImportKind::Cloth,
            _ => ImportKind::Voxels,
        }
    }
}

impl<'a> Subject<'a> {
    fn of(
        surface: &SurfaceFile,
        weld: &'a Weld,
        path: &'a Path,
        progress: &'a Progress,
    ) -> Result<Self, ImportError> {
        let positions = surface.positions.iter().map(|p| Vec3::from(*p)).collect();
        let mesh = TriMesh::skin(positions, corners(surface)).map_err(|problem| broken(path, problem))?;
        progress.check()?;
        let topology = Topology::of(mesh.triangles(), weld);
        progress.check()?;
        Ok(Self { mesh, weld, topology, path, progress })
    }

    fn cloth(&self) -> Result<Suited, ImportError> {
        if self.topology.pieces > 1 {
            return Err(ImportError::Pieces { file: self.path.to_path_buf(), pieces: self.topology.pieces });
        }
        let (body, sources) = self.weld.body(&self.mesh).map_err(|problem| broken(self.path, problem))?;
        let is_surface = body == self.mesh;
        let cloth = (!is_surface).then_some((body, sources));
        let edges = self.topology.edges;
        Ok(Suited { kind: BodyKind::Cloth, filled: None, cloth, edges, notes: Vec::new() })
    }

    fn tets(&self, cells: Option<usize>) -> Result<Tets, FillError> {
        let (filled, filling) = self.finest(FillMethod::Tets, cells)?;
        let sticks_out = |mesh: &RestMesh| match mesh {
            RestMesh::Tets(body) => self.sticks_out(body, filled.cells) > STICKS_OUT,
            RestMesh::Voxels(_) | RestMesh::Triangles(_) => false,
        };
        let lose_parts = filled.parts > self.topology.pieces || sticks_out(&filling.mesh);
        let mut notes = self.notes(&filled);
        if lose_parts {
            notes.push(
                "parts of the surface are too thin for the tets and lie outside them; use --kind voxels to \
                 include them"
                    .into(),
            );
        }
        Ok(Tets { suited: self.filled(filling, notes), lose_parts })
    }

    fn voxels(&self, cells: Option<usize>, mut notes: Vec<String>) -> Result<Suited, ImportError> {
        let found = self.finest(FillMethod::Voxels, cells);
        let (filled, filling) = found.map_err(|problem| unfilled(self.path, problem))?;
        notes.extend(self.notes(&filled));
        Ok(self.filled(filling, notes))
    }

    /// The filling that suits, and its size.
    fn finest(&self, method: FillMethod, cells: Option<usize>) -> Result<(Filled, Filling), FillError> {
        finest(self.topology.vertices, self.topology.pieces, cells, |cells| {
            let filling = Filling::new(&self.mesh, Fill { method, cells }, self.progress)?;
            self.progress.check()?;
            let vertices = filling.mesh.positions().len();
            Ok((Filled { cells, vertices, parts: filling.pieces(), specks: filling.specks }, filling))
        })
    }

    fn filled(&self, filling: Filling, notes: Vec<String>) -> Suited {
        let kind = match filling.fill.method {
            FillMethod::Tets => BodyKind::Solid,
            FillMethod::Voxels => BodyKind::Voxels,
        };
        let filled = Some((self.mesh.clone(), filling));
        Suited { kind, filled, cloth: None, edges: self.topology.edges, notes }
    }

    /// What a person should know about a filling.
    fn notes(&self, filled: &Filled) -> Vec<String> {
        let mut notes = Vec::new();
        if filled.specks > 0 {
            notes.push(format!(
                "removed tiny loose pieces of the body in parts thinner than a cell ({}); the surface there \
                 follows the nearest part of the body",
                filled.specks
            ));
        }
        if filled.parts > self.topology.pieces {
            notes.push(format!(
                "the body is in {} pieces, the surface in {}: parts thinner than a cell are lost; try \
                 --cells {} to keep them",
                filled.parts,
                self.topology.pieces,
                2 * filled.cells
            ));
        }
        notes
    }

    /// The edge of a cell.
    fn cell(&self, cells: usize) -> f64 {
        Aabb::around(self.mesh.positions()).size().max() / cells as f64
    }

    /// How many cells the surface is outside of the tets at most.
    fn sticks_out(&self, body: &TetMesh, cells: usize) -> f64 {
        let embedding = Embedding::of(body, self.mesh.positions());
        let skin = TriangleTree::new(body.positions(), &Surface::of(body).triangles);
        let outside = embedding
            .rows()
            .zip(self.mesh.positions())
            .filter(|((_, weights), _)| weights.iter().any(|w| *w < 0.0));
        let far = outside.filter_map(|(_, p)| skin.closest(p)).map(|at| at.distance).fold(0.0, f64::max);
        far / self.cell(cells)
    }
}

fn corners(surface: &SurfaceFile) -> Vec<[VertexId; 3]> {
    surface.triangles.iter().map(|t| t.map(VertexId)).collect()
}

fn broken(path: &Path, problem: supple_mesh::MeshError) -> ImportError {
    BodyError::Mesh { file: path.to_path_buf(), problem }.into()
}

fn unfilled(path: &Path, problem: FillError) -> ImportError {
    BodyError::Fill { file: path.to_path_buf(), problem }.into()
}
