//! What is in a file, told without opinions: counts, sizes, shape, and what keeps it from being used.
//!
//! [`describe`] chooses by the ending of the path. A mesh that no body can be made of is described all
//! the same, as far as it goes, and says why in its `problem`; only a file that cannot be read is an
//! error. Every struct serialises to plain JSON, whose keys are the names of the fields.

mod answer;
mod motion;
mod scene;
mod segment;
mod shot;
mod skeleton;
mod surface;
mod volume;

pub use answer::{InfoAnswer, info};
pub use motion::{MotionInfo, TableInfo};
pub use scene::{ObjectInfo, SceneInfo};
pub use segment::SegmentInfo;
pub use shot::{BodyInfo, CacheInfo, MaterialInfo, ShotInfo, SkinInfo};
pub use skeleton::{CharacterInfo, LayerInfo, SkeletonInfo};
pub use surface::SurfaceInfo;
pub use volume::{AngleInfo, TetInfo, VolumeInfo};

use crate::ShotError;
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_character::SkeletonError;
use supple_formats::{FormatError, Group, InterpolationFile, MeshFile};
use supple_mesh::{Aabb, Vec3};
use supple_model::{Cancelled, FrameError, Progress};

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FileInfo {
    /// A shot.
    Shot(Box<ShotInfo>),
    /// Volume elements.
    Volume(VolumeInfo),
    /// A surface.
    Surface(SurfaceInfo),
    /// A motion.
    Motion(MotionInfo),
    /// Animated surfaces by name.
    Scene(SceneInfo),
    /// A skeleton and its motion.
    Skeleton(SkeletonInfo),
    /// What touches something in a motion.
    Contacts(TableInfo),
    /// Numbers over frames.
    Track(TableInfo),
    /// A list of fixed vertices.
    FixedVertices(FixedVerticesInfo),
    /// How a skin rides on a body.
    Embedding(EmbeddingInfo),
}

/// A file that cannot be described.
#[derive(Debug, thiserror::Error)]
pub enum InfoError {
    /// The shot cannot be read.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// The mesh, list or embedding cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A frame of the motion cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The joints of a skeleton do not fit together.
    #[error("{}: {source}", file.display())]
    Skeleton {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: SkeletonError,
    },
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The ending of the name belongs to no known kind of file.
    #[error("{}: unknown file type; use .toml (a shot), {MESHES}, .usda, .usdc, .usd, .usdz, .gltf, .glb, \
             .fbx, .abc (scenes), .pc2, .mdd, name.####.obj, .ply (motion), .bvh (skeletons), .csv (contacts \
             and tracks), .bou or .interp", file.display())]
    UnknownEnding {
        /// The file.
        file: PathBuf,
    },
}

const MESHES: &str = ".obj, .ply, .stl, .veg, .abq, .inp, .msh, .mesh, .node/.ele";

/// Describes the file at `path`.
///
/// # Errors
/// A file that cannot be read, or whose ending is unknown; cancellation.
pub fn describe(path: &Path, progress: &Progress) -> Result<FileInfo, InfoError> {
    if path.is_dir()
        && let Err(error) = supple_formats::open_motion(path)
    {
        return Err(error.into());
    }
    if supple_formats::is_motion_path(path) {
        return Ok(FileInfo::Motion(MotionInfo::of(path, progress)?));
    }
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("toml") => Ok(FileInfo::Shot(Box::new(ShotInfo::of(path)?))),
        Some("usda" | "usdc" | "usd" | "usdz" | "gltf" | "glb" | "fbx" | "abc") => {
            Ok(FileInfo::Scene(SceneInfo::of(path, progress)?))
        }
        Some("bvh") => SkeletonInfo::of(supple_formats::load_rig(path)?)
            .map(FileInfo::Skeleton)
            .map_err(|source| InfoError::Skeleton { file: path.to_path_buf(), source }),
        Some("csv") => match supple_formats::load_contacts(path) {
            Ok(contacts) => Ok(FileInfo::Contacts(TableInfo::of_contacts(&contacts))),
            Err(error) if path.to_string_lossy().contains("contacts") => Err(error.into()),
            Err(_) => Ok(FileInfo::Track(TableInfo::of_track(&supple_formats::load_track(path)?))),
        },
        Some("bou") => Ok(FileInfo::FixedVertices(FixedVerticesInfo::of(&supple_formats::load_bou(path)?))),
        Some("interp") => Ok(FileInfo::Embedding(EmbeddingInfo::of(&supple_formats::load_interp(path)?))),
        Some("obj" | "ply" | "stl" | "veg" | "abq" | "inp" | "msh" | "mesh" | "node" | "ele") => {
            Ok(match supple_formats::load_mesh(path)? {
                MeshFile::Surface(file) => FileInfo::Surface(SurfaceInfo::of(&file)),
                MeshFile::Volume(file) => FileInfo::Volume(VolumeInfo::of(path, &file)),
            })
        }
        _ => Err(InfoError::UnknownEnding { file: path.to_path_buf() }),
    }
}

/// A list of fixed vertices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FixedVerticesInfo {
    /// How many different ones.
    pub vertices: usize,
    /// The smallest, counted from 0.
    pub first: Option<u32>,
    /// The largest: the body has at least one vertex more.
    pub last: Option<u32>,
}

impl FixedVerticesInfo {
    fn of(list: &[u32]) -> Self {
        let mut sorted = list.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        Self { vertices: sorted.len(), first: sorted.first().copied(), last: sorted.last().copied() }
    }
}

/// How a skin rides on a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmbeddingInfo {
    /// How many vertices the skin has.
    pub skin_vertices: usize,
    /// How many body vertices each of them blends: four in a tet, eight in a cube.
    pub corners: usize,
    /// The largest body vertex, counted from 0: the body has at least one more.
    pub last_body_vertex: u32,
    /// The most negative weight: how far the skin reaches out of the body, in elements.
    pub smallest_weight: f64,
    /// The largest distance of a vertex' weights from summing to 1.
    pub sum_error: f64,
}

impl EmbeddingInfo {
    fn of(file: &InterpolationFile) -> Self {
        let sum_error = |row: &[(u32, f64)]| (row.iter().map(|pair| pair.1).sum::<f64>() - 1.0).abs();
        Self {
            skin_vertices: file.rows().len(),
            corners: file.pairs_per_vertex,
            last_body_vertex: file.pairs.iter().map(|pair| pair.0).max().unwrap_or(0),
            smallest_weight: file.pairs.iter().map(|pair| pair.1).fold(f64::INFINITY, f64::min),
            sum_error: file.rows().map(sum_error).fold(0.0, f64::max),
        }
    }
}

/// A box around everything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BoundsInfo {
    /// The smallest coordinates.
    pub min: [f64; 3],
    /// The largest coordinates.
    pub max: [f64; 3],
}

impl BoundsInfo {
    fn of(positions: &[Vec3]) -> Option<Self> {
        let bounds = Aabb::around(positions);
        (!positions.is_empty()).then(|| Self { min: bounds.min.into(), max: bounds.max.into() })
    }

    /// The lengths of the box.
    #[must_use]
    pub fn size(&self) -> [f64; 3] {
        std::array::from_fn(|axis| self.max[axis] - self.min[axis])
    }
}

/// A named part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupInfo {
    /// Its name.
    pub name: String,
    /// How many vertices or elements it has.
    pub size: usize,
}

impl GroupInfo {
    fn all(groups: &[Group]) -> Vec<Self> {
        groups.iter().map(|group| Self { name: group.name.clone(), size: group.members.len() }).collect()
    }
}

fn points(positions: &[[f64; 3]]) -> Vec<Vec3> {
    positions.iter().map(|p| Vec3::from(*p)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_vertices_count_once() {
        let info = FixedVerticesInfo::of(&[7, 3, 7]);
        assert_eq!(info, FixedVerticesInfo { vertices: 2, first: Some(3), last: Some(7) });
        assert_eq!(FixedVerticesInfo::of(&[]), FixedVerticesInfo { vertices: 0, first: None, last: None });
    }

    #[test]
    fn an_embedding_tells_how_far_it_reaches_out() {
        let pairs = vec![(5, 0.25), (7, 0.75), (6, 1.5), (2, -0.501)];
        let info = EmbeddingInfo::of(&InterpolationFile { pairs_per_vertex: 2, pairs });
        assert_eq!((info.skin_vertices, info.corners, info.last_body_vertex), (2, 2, 7));
        assert_eq!(info.smallest_weight, -0.501);
        assert!((info.sum_error - 0.001).abs() < 1e-12);
    }

    #[test]
    fn an_unknown_ending_lists_the_known_ones() {
        let text = describe(Path::new("film.mov"), &Progress::silent()).unwrap_err().to_string();
        assert!(text.starts_with("film.mov: ") && text.contains(".toml") && text.contains(".veg"), "{text}");
    }
}
