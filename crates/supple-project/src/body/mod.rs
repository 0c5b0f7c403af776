//! From the files a shot names to a body that can move.

mod error;
mod filling;
mod matter;
mod rest;
mod skin;

pub use error::{BodyError, OtherBody};
pub(crate) use filling::Filling;
#[cfg(test)]
pub(crate) use filling::MADE;
pub use matter::Matter;
pub(crate) use matter::{elastic_material, solid_regions, thickness};
pub(crate) use rest::{RestMesh, split_into_tets, visible_mesh, volume_surface};
pub use skin::Skin;

use crate::KeyHasher;
use crate::shot::{self, Anchor, Shot};
use crate::source::weld_of;
use rest::Rest;
use std::sync::{Arc, OnceLock};
use supple_elastic::{BlockMatrix, ElasticBody, FreeVertices};
use supple_mesh::{Aabb, Axis, Select, TriMesh, Vec3, VertexGroups, Weld};
use supple_model::{Progress, VertexId};

/// A body as its files describe it.
///
/// # Examples
/// ```
/// use supple_project::{Body, Sample, Shot};
///
/// # let folder = tempfile::tempdir()?;
/// let shot = Shot::load(&Sample::named("beam")?.write(folder.path())?)?;
/// let body = Body::load(&shot)?;
/// assert_eq!((body.matter.elements(), body.matter.element_name()), (75, "voxels"));
/// assert!(body.skin.is_some() && body.anchors.len() == 8, "its left end is held");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Body {
    /// Its mesh and what it is made of.
    pub matter: Matter,
    /// The same without its kind: energy, force, stiffness, mass, modes.
    pub elastic: Arc<ElasticBody>,
    /// The triangles one sees of it, between its own vertices.
    pub surface: Vec<[VertexId; 3]>,
    /// Named parts.
    pub groups: VertexGroups,
    /// The vertices that stay in place, ascending.
    pub anchors: Vec<VertexId>,
    /// The vertices that may move.
    pub free: FreeVertices,
    /// The fine mesh that rides on it.
    pub skin: Option<Skin>,
    /// Its elements at rest, those that springs were made of too.
    pub(crate) rest: RestMesh,
    /// See [`Self::stiffness`].
    stiffness: OnceLock<BlockMatrix>,
}

impl Body {
    /// Reads the body of a shot. A body filled from a surface has that surface as its skin unless the
    /// shot names another.
    ///
    /// # Errors
    /// Names the file and the culprit: see [`BodyError`].
    pub fn load(shot: &Shot) -> Result<Self, BodyError> {
        Self::read(shot, &Progress::silent())
    }

    /// [`Self::load`], which takes a second for a surface that has to be filled, and can be cancelled.
    ///
    /// # Errors
    /// As there.
    pub fn read(shot: &Shot, progress: &Progress) -> Result<Self, BodyError> {
        Self::read_with(shot, |vertices| weld_of(shot, vertices, progress), None, progress)
    }

    /// [`Self::read`], where it is known which of so many vertices of the skin are one, and perhaps what fills a surface.
    pub(crate) fn read_with(
        shot: &Shot,
        weld: impl FnOnce(usize) -> Weld,
        filled: Option<&(TriMesh, Filling)>,
        progress: &Progress,
    ) -> Result<Self, BodyError> {
        let spec = &shot.body;
        progress.report("reading the body", 0.0)?;
        let mut rest = Rest::load(shot, filled, progress)?;
        let filled = rest.filled.take();
        progress.check()?;
        let mut skin = match (&spec.skin, &filled) {
            (Some(skin), _) => Some(Skin::load(shot, skin, &rest.mesh)?),
            (None, Some((surface, _))) => Some(Skin::around(&rest.mesh, surface.clone())),
            (None, None) => None,
        };
        progress.check()?;
        let groups = rest.groups.clone();
        let mut anchors = anchored(shot, &spec.anchors, rest.mesh.positions(), &groups)?;
        if let Some(skin) = &mut skin {
            skin.join(weld(skin.mesh.positions().len()), &rest.mesh);
            progress.check()?;
            let pinned = match (&spec.skin, &filled) {
                (None, Some((surface, groups))) => pinned(shot, surface.positions(), groups),
                _ => Vec::new(),
            };
            skin.pin(&pinned, &mut anchors);
        }
        progress.check()?;
        let free = FreeVertices::except(rest.mesh.positions().len(), &anchors)?;
        let surface = rest.mesh.surface();
        let mesh = rest.mesh.clone();
        let matter = Matter::new(spec, rest, &shot.resolve(spec.shape.file()))?;
        Ok(Self {
            elastic: matter.elastic(),
            matter,
            surface,
            groups,
            anchors,
            free,
            skin,
            rest: mesh,
            stiffness: OnceLock::new(),
        })
    }

    /// Where the vertices are at rest.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        self.elastic.positions()
    }

    /// K at rest over the vertices that may move. It is kept: modes are made of it, and the cache asks for what modes and
    /// simulations are made of.
    pub(crate) fn stiffness(&self) -> &BlockMatrix {
        self.stiffness.get_or_init(|| self.stiffness_of(&self.free))
    }

    /// The same over other vertices, not kept.
    pub(crate) fn stiffness_of(&self, free: &FreeVertices) -> BlockMatrix {
        #[cfg(test)]
        ASSEMBLED.set(ASSEMBLED.get() + 1);
        self.elastic.stiffness(&vec![0.0; 3 * self.positions().len()], free)
    }

    /// Adds all that poses of it depend on: places, masses, what holds it, what it is made of, groups and the skin.
    pub(crate) fn hashed(&self, hasher: KeyHasher, shot: &Shot) -> KeyHasher {
        let mut hasher = hasher
            .f64s("positions", self.positions().iter().flat_map(|p| p.data.0[0]))
            .f64s("masses", self.elastic.masses().iter().copied())
            .u32s("anchors", self.anchors.iter().map(|v| v.0))
            .f64s("stiffness", self.stiffness().values().iter().copied())
            // Numbers are printed with every digit they have.
            .str("material", &format!("{:?} {:?}", shot.body.material, shot.body.regions));
        for (name, members) in self.groups.iter() {
            hasher = hasher.str("group", name).u32s("members", members.iter().map(|v| v.0));
        }
        let weights =
            self.skin.iter().flat_map(|skin| skin.embedding.rows()).flat_map(|(_, weights)| weights);
        hasher.f64s("skin", weights.copied().collect::<Vec<f64>>())
    }

    /// Whether a vertex, of the skin where there is one, is held by the anchors.
    #[must_use]
    pub fn is_anchored(&self, vertex: VertexId) -> bool {
        match &self.skin {
            Some(skin) => skin.held.get(vertex.index()).copied().unwrap_or(false),
            None => self.anchors.binary_search(&vertex).is_ok(),
        }
    }

    /// Where the vertices are when displaced by `u`, three numbers per vertex.
    pub(crate) fn displaced(&self, u: &[f64]) -> Vec<[f64; 3]> {
        let moved = u.chunks_exact(3).map(Vec3::from_column_slice);
        self.positions().iter().zip(moved).map(|(x, u)| (x + u).into()).collect()
    }
}

#[cfg(test)]
thread_local! {
    /// How often this thread assembled a stiffness.
    pub(crate) static ASSEMBLED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The vertices that anchors mean, ascending.
pub(crate) fn anchored(
    shot: &Shot,
    asked: &[Anchor],
    positions: &[Vec3],
    groups: &VertexGroups,
) -> Result<Vec<VertexId>, BodyError> {
    let mut anchors = Vec::new();
    for anchor in asked {
        let select = match (by_name_or_place(anchor), anchor) {
            (Some(select), _) => select,
            (None, Anchor::File(path)) => {
                let vertices = supple_formats::load_bou(shot.resolve(path))?;
                Select::Vertices(vertices.into_iter().map(VertexId).collect())
            }
            (None, Anchor::Vertices(vertices)) => Select::Vertices(vertices.clone()),
            (None, _) => continue,
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

/// The vertices of a surface that the anchors mean, which are named in words that hold for it as for what fills it. That
/// there are any was seen before.
fn pinned(shot: &Shot, positions: &[Vec3], groups: &VertexGroups) -> Vec<VertexId> {
    let selects = shot.body.anchors.iter().filter_map(by_name_or_place);
    selects.filter_map(|select| select.resolve(positions, groups).ok()).flatten().collect()
}

/// What an anchor chooses, unless it counts vertices.
fn by_name_or_place(anchor: &Anchor) -> Option<Select> {
    let axis = |axis: shot::Axis| [Axis::X, Axis::Y, Axis::Z][axis.index()];
    match anchor {
        Anchor::Group(name) => Some(Select::Group(name.clone())),
        Anchor::Below { axis: a, at } => Some(Select::Below { axis: axis(*a), at: *at }),
        Anchor::Above { axis: a, at } => Some(Select::Above { axis: axis(*a), at: *at }),
        Anchor::Box { min, max } => Some(Select::Inside(Aabb { min: (*min).into(), max: (*max).into() })),
        Anchor::Vertices(_) | Anchor::File(_) => None,
    }
}
