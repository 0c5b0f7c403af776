//! What is in a shot.

use super::segment::{self, SegmentInfo};
use super::skeleton::CharacterInfo;
use super::{BoundsInfo, GroupInfo, TetInfo};
use crate::body::{Body, Matter};
use crate::shot::{BodyKind, Shot, Skeleton, read_text};
use crate::{Cache, ShotError};
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_mesh::components;
use supple_model::ElementId;

/// A shot, and the body its files make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShotInfo {
    /// What its first lines say about it, where they are a comment.
    pub about: Option<String>,
    /// The word for what the body is made of: "solid", "cloth" and so on.
    pub body_kind: &'static str,
    /// The file of its rest shape, or of its skeleton.
    pub mesh: PathBuf,
    /// How many modes the shot asks for; a character has none.
    pub modes: usize,
    /// The word for how the motion answers.
    pub method: &'static str,
    /// How many frames the motion of a character has, and about how many one that is made of keys; `None` for other methods,
    /// and without a body.
    pub frames: Option<usize>,
    /// The segments of such a motion, where it has some and there is a body.
    pub segments: Vec<SegmentInfo>,
    /// The material of the body; `None` when the mesh file says, or else the default.
    pub material: Option<MaterialInfo>,
    /// The groups with another material.
    pub regions: Vec<String>,
    /// The body, where it can be made.
    pub body: Option<BodyInfo>,
    /// The character, where it is one and its file can be read.
    pub character: Option<CharacterInfo>,
    /// The skin, where there is one.
    pub skin: Option<SkinInfo>,
    /// What is in the cache folder beside the shot.
    pub cache: CacheInfo,
    /// Why no body can be made.
    pub problem: Option<String>,
}

/// A body ready to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyInfo {
    /// How many vertices.
    pub vertices: usize,
    /// How many elements.
    pub elements: usize,
    /// "tets", "voxels", "triangles" or "springs".
    pub element_kind: &'static str,
    /// Where it is at rest.
    pub bounds: Option<BoundsInfo>,
    /// Its volume at rest, where it has one.
    pub volume: Option<f64>,
    /// Its mass.
    pub mass: f64,
    /// How many pieces hang together.
    pub parts: usize,
    /// Triangles on its surface.
    pub surface_triangles: usize,
    /// The sharpest and bluntest tets.
    pub tets: Option<TetInfo>,
    /// How many vertices stay in place.
    pub anchors: usize,
    /// How many numbers its motion has: three per vertex that may move.
    pub degrees_of_freedom: usize,
    /// Named groups of vertices.
    pub vertex_groups: Vec<GroupInfo>,
}

/// The fine mesh that rides on a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkinInfo {
    /// Its file.
    pub file: PathBuf,
    /// How many vertices.
    pub vertices: usize,
    /// How many triangles.
    pub triangles: usize,
    /// The file that says how it hangs on the body; `None` when that is computed.
    pub embedding: Option<PathBuf>,
}

/// A material.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MaterialInfo {
    /// The word for how stress follows from strain.
    pub law: &'static str,
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Mass per volume.
    pub density: f64,
}

/// What a cache folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CacheInfo {
    /// How many entries.
    pub entries: usize,
    /// Their size on disk.
    pub bytes: u64,
}

impl ShotInfo {
    pub(super) fn of(path: &Path) -> Result<Self, ShotError> {
        let shot = Shot::load(path)?;
        if let Some(skeleton) = shot.body.skeleton() {
            return Ok(Self::of_character(path, &shot, skeleton));
        }
        let spec = &shot.body;
        let body = Body::load(&shot);
        let skin = body.as_ref().ok().and_then(|body| body.skin.as_ref()).zip(spec.skin.as_ref());
        Ok(Self {
            about: about(path),
            body_kind: spec.kind.name(),
            mesh: spec.shape.file().clone(),
            modes: shot.edit.modes,
            method: shot.edit.method.name(),
            frames: body.as_ref().ok().and_then(|body| segment::frames(&shot, body)),
            segments: body.as_ref().map_or_else(|_| Vec::new(), |body| SegmentInfo::all(&shot, body)),
            material: spec.material.map(|material| MaterialInfo {
                law: material.law.name(),
                young: material.young,
                poisson: material.poisson,
                density: material.density,
            }),
            regions: spec.regions.iter().map(|region| region.group.clone()).collect(),
            skin: skin.map(|(skin, files)| SkinInfo {
                file: files.mesh.clone(),
                vertices: skin.mesh.positions().len(),
                triangles: skin.mesh.triangles().len(),
                embedding: files.embedding.clone(),
            }),
            cache: CacheInfo::of(path),
            body: body.as_ref().ok().map(BodyInfo::of),
            character: None,
            problem: body.err().map(|error| error.to_string()),
        })
    }

    fn of_character(path: &Path, shot: &Shot, skeleton: &Skeleton) -> Self {
        let (found, problem) = match CharacterInfo::of(shot, skeleton) {
            Ok(found) => (Some(found), None),
            Err(problem) => (None, Some(problem)),
        };
        let (character, frames) = found.unzip();
        Self {
            about: about(path),
            body_kind: shot.body.kind.name(),
            mesh: skeleton.file.clone(),
            modes: 0,
            method: shot.edit.method.name(),
            frames,
            segments: Vec::new(),
            material: None,
            regions: Vec::new(),
            body: None,
            character,
            skin: None,
            cache: CacheInfo::of(path),
            problem,
        }
    }

    /// Whether its body is a skeleton.
    #[must_use]
    pub fn is_of_character(&self) -> bool {
        self.body_kind == BodyKind::Character.name()
    }
}

impl CacheInfo {
    /// An unreadable folder holds nothing that could be used.
    fn of(shot: &Path) -> Self {
        let entries = Cache::in_folders([shot.with_extension("cache")]).list().unwrap_or_default();
        Self { entries: entries.len(), bytes: entries.iter().map(|entry| entry.bytes).sum() }
    }
}

impl BodyInfo {
    fn of(body: &Body) -> Self {
        let positions = body.positions();
        let (volume, parts, tets) = match &body.matter {
            Matter::Solid(solid) => {
                let mesh = solid.mesh();
                let tets: Vec<[u32; 4]> = mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect();
                let volume = (0..tets.len()).map(|t| mesh.volume(ElementId::new(t))).sum();
                (Some(volume), components(positions.len(), mesh.tets()), TetInfo::of(positions, &tets))
            }
            Matter::Voxels(voxels) => {
                let mesh = voxels.mesh();
                let volume = (0..mesh.voxels().len()).map(|e| mesh.volume(ElementId::new(e))).sum();
                (Some(volume), components(positions.len(), mesh.voxels()), None)
            }
            Matter::Cloth(cloth) => (None, components(positions.len(), cloth.mesh().triangles()), None),
            Matter::Springs(springs) => (None, components(positions.len(), springs.mesh().springs()), None),
        };
        Self {
            vertices: positions.len(),
            elements: body.matter.elements(),
            element_kind: body.matter.element_name(),
            bounds: BoundsInfo::of(positions),
            volume,
            mass: body.elastic.masses().iter().sum(),
            parts: parts.count,
            surface_triangles: body.surface.len(),
            tets,
            anchors: body.anchors.len(),
            degrees_of_freedom: 3 * body.free.vertices().len(),
            vertex_groups: body
                .groups
                .iter()
                .map(|(name, vertices)| GroupInfo { name: name.to_owned(), size: vertices.len() })
                .collect(),
        }
    }
}

/// The comment at the top of a shot file.
fn about(path: &Path) -> Option<String> {
    let text = read_text(path).ok()?;
    let lines = text.lines().map_while(|line| line.strip_prefix('#'));
    let words = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}
