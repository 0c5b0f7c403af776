//! What body suits a surface: its kind, and how finely it is filled.
//!
//! | surface | body | what moves |
//! |---|---|---|
//! | closed | tets inside | the body, fitted to the surface |
//! | open, or not manifold | voxels around | the surface itself, with the modes of the voxels; the body where the surface is large or broken |
//! | any, by choice | cloth | the surface itself |

use super::error::ImportError;
use crate::body::BodyError;
use crate::shot::{BodyKind, Fill, FillMethod};
use std::collections::HashMap;
use std::path::Path;
use supple_formats::SurfaceFile;
use supple_mesh::{FillError, TriMesh, Vec3, VoxelRule, components, fill_tets, fill_voxels};
use supple_model::VertexId;

/// The fewest and the most vertices a body is given without being told how many cells; in between it has as many as
/// its skin.
const VERTICES: [usize; 2] = [800, 8000];
/// Cells along the longest side, tried first, and the bounds of what is tried.
const CELLS: usize = 24;
const CELL_BOUNDS: [usize; 2] = [4, 120];
/// Fillings tried.
const TRIES: usize = 5;
/// A surface of more vertices is not edited itself, but through a body.
const MOST_EDITED: usize = 20_000;

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
    pub(super) fn of(surface: &SurfaceFile) -> Self {
        let mut uses: HashMap<(u32, u32), u32> = HashMap::with_capacity(2 * surface.triangles.len());
        for &[a, b, c] in &surface.triangles {
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
    pub fill: Option<Fill>,
    /// Whether the body follows the surface, instead of the surface being edited as it is.
    pub fit: bool,
    /// What a person should know about the choice.
    pub notes: Vec<String>,
}

/// The body that suits `surface`, at rest, of the file at `path`.
pub(super) fn suited(
    surface: &SurfaceFile,
    asked: ImportKind,
    cells: Option<usize>,
    path: &Path,
) -> Result<Suited, ImportError> {
    let edges = Edges::of(surface);
    let mesh = skin(surface, path)?;
    let mut notes = Vec::new();
    if asked == ImportKind::Cloth {
        // A body of triangles has none without area, and no vertex alone.
        TriMesh::new(mesh.positions().to_vec(), mesh.triangles().to_vec())
            .map_err(|problem| broken(path, problem))?;
        return Ok(Suited { kind: BodyKind::Cloth, fill: None, fit: false, notes });
    }
    let wants_tets = asked == ImportKind::Solid || (asked == ImportKind::Auto && edges.are_closed());
    if wants_tets {
        match finest(&mesh, cells, |mesh, cells| fill_tets(mesh, cells).map(|body| tet_size(&body))) {
            Ok(cells) => {
                let fill = Some(Fill { method: FillMethod::Tets, cells });
                return Ok(Suited { kind: BodyKind::Solid, fill, fit: true, notes });
            }
            Err(problem) if asked == ImportKind::Solid => return Err(unfilled(path, problem)),
            Err(problem) => notes.push(format!("voxels instead of tets: {problem}")),
        }
    }
    let covered = |mesh: &TriMesh, cells| {
        fill_voxels(mesh, cells, VoxelRule::Covering)
            .map(|body| (body.positions().len(), components(body.positions().len(), body.voxels()).count))
    };
    let cells = finest(&mesh, cells, covered).map_err(|problem| unfilled(path, problem))?;
    let is_sound = TriMesh::new(mesh.positions().to_vec(), mesh.triangles().to_vec()).is_ok();
    let fit = !is_sound || mesh.positions().len() > MOST_EDITED;
    let fill = Some(Fill { method: FillMethod::Voxels, cells });
    Ok(Suited { kind: BodyKind::Voxels, fill, fit, notes })
}

fn tet_size(body: &supple_mesh::TetMesh) -> (usize, usize) {
    (body.positions().len(), components(body.positions().len(), body.tets()).count)
}

/// How many cells give a body about as many vertices as its skin has, within bounds. More are taken where fewer leave
/// the body in more pieces than its skin has.
fn finest(
    skin: &TriMesh,
    asked: Option<usize>,
    fill: impl Fn(&TriMesh, usize) -> Result<(usize, usize), FillError>,
) -> Result<usize, FillError> {
    if let Some(cells) = asked {
        return fill(skin, cells).map(|_| cells);
    }
    let pieces = components(skin.positions().len(), skin.triangles()).count;
    let wanted = skin.positions().len().clamp(VERTICES[0], VERTICES[1]);
    let mut cells = CELLS;
    let mut best: Option<(usize, usize)> = None;
    let mut last = None;
    for _ in 0..TRIES {
        let scale = match fill(skin, cells) {
            Ok((vertices, parts)) => {
                let is_whole = parts <= pieces;
                let off = vertices.abs_diff(wanted) + if is_whole { 0 } else { 100 * wanted };
                if best.is_none_or(|(least, _)| off < least) {
                    best = Some((off, cells));
                }
                if is_whole && vertices <= wanted + wanted / 2 && vertices + wanted / 2 >= wanted {
                    break;
                }
                let scale = (wanted as f64 / vertices as f64).cbrt();
                if is_whole { scale } else { scale.max(1.4) }
            }
            Err(problem) => {
                last = Some(problem);
                1.6
            }
        };
        let next = ((cells as f64 * scale).round() as usize).clamp(CELL_BOUNDS[0], CELL_BOUNDS[1]);
        if next == cells {
            break;
        }
        cells = next;
    }
    match (best, last) {
        (Some((_, cells)), _) => Ok(cells),
        (None, Some(problem)) => Err(problem),
        (None, None) => Ok(cells),
    }
}

/// The surface as a mesh that rides on a body.
fn skin(surface: &SurfaceFile, path: &Path) -> Result<TriMesh, ImportError> {
    let positions = surface.positions.iter().map(|p| Vec3::from(*p)).collect();
    let triangles = surface.triangles.iter().map(|t| t.map(VertexId)).collect();
    TriMesh::skin(positions, triangles).map_err(|problem| broken(path, problem))
}

fn broken(path: &Path, problem: supple_mesh::MeshError) -> ImportError {
    BodyError::Mesh { file: path.to_path_buf(), problem }.into()
}

fn unfilled(path: &Path, problem: FillError) -> ImportError {
    BodyError::Fill { file: path.to_path_buf(), problem }.into()
}
