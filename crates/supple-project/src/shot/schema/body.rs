//! `[body]`: what moves.

use super::{AT_LEAST_ONE, Anchor, Material, Region, Skeleton};
use crate::shot::describe::*;
use std::path::PathBuf;

/// Said of what only elastic bodies have.
pub(in crate::shot) const ELASTIC: &str = "is for elastic bodies, and this body is a character; remove it";

/// `[body]`: what moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What it is made of.
    pub kind: BodyKind,
    /// Where its rest shape comes from.
    pub shape: Shape,
    /// The fine mesh that rides on it.
    pub skin: Option<Skin>,
    /// The material, wherever no region says otherwise. Without one, what the mesh file says, or else
    /// [`Material::default`].
    pub material: Option<Material>,
    /// The vertices that stay in place: the union of these; none for a free body.
    pub anchors: Vec<Anchor>,
    /// Where the material differs. A later region wins over an earlier one.
    pub regions: Vec<Region>,
}

table!([Body] {
    kind: required,
    shape: part,
    skin: part,
    material: optional,
    anchors: optional,
    regions: optional,
} check Body::check);

impl Body {
    /// A free body without skin, whose file says all of its shape.
    #[must_use]
    pub fn new(kind: BodyKind, mesh: impl Into<PathBuf>) -> Self {
        Self {
            kind,
            shape: Shape::Mesh(mesh.into()),
            skin: None,
            material: None,
            anchors: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// A character whose skeleton is as its file has it.
    #[must_use]
    pub fn character(skeleton: impl Into<PathBuf>) -> Self {
        let skeleton = Skeleton::new(skeleton.into());
        Self { shape: Shape::Skeleton(skeleton), ..Self::new(BodyKind::Character, "") }
    }

    /// The skeleton of a character.
    #[must_use]
    pub fn skeleton(&self) -> Option<&Skeleton> {
        match &self.shape {
            Shape::Skeleton(skeleton) => Some(skeleton),
            Shape::Mesh(_) | Shape::Surface { .. } => None,
        }
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let is_elastic = self.kind != BodyKind::Character;
        let held = "is for elastic bodies; hold a joint of a character with a handle, as in `stay = true`";
        section.demand("anchors", is_elastic, held)?;
        for key in ["skin", "embedding", "material", "regions"] {
            section.demand(key, is_elastic, ELASTIC)?;
        }
        Ok(())
    }
}

/// `kind`: what a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// A volume of tetrahedra.
    Solid,
    /// A volume of cubes.
    Voxels,
    /// A surface that bends.
    Cloth,
    /// Points with springs between them.
    Springs,
    /// A skeleton.
    Character,
}

words!(BodyKind {
    Solid = "solid",
    Voxels = "voxels",
    Cloth = "cloth",
    Springs = "springs",
    Character = "character",
});

/// Where the rest shape of a body comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `mesh`: a file that holds it.
    Mesh(PathBuf),
    /// `surface`: a file of its surface, to be filled.
    Surface {
        /// The file.
        surface: PathBuf,
        /// How to fill it. Without: as its topology suggests.
        fill: Option<Fill>,
    },
    /// `skeleton`: a file of joints, for a character.
    Skeleton(Skeleton),
}

impl Shape {
    /// The file it comes from.
    #[must_use]
    pub fn file(&self) -> &PathBuf {
        match self {
            Self::Mesh(file) | Self::Surface { surface: file, .. } => file,
            Self::Skeleton(skeleton) => &skeleton.file,
        }
    }
}

impl Keys for Shape {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(["mesh", "surface", "fill"]);
        Skeleton::names(known);
    }

    fn read_keys(body: &Section<'_>) -> Result<Self, ShotError> {
        let kind: BodyKind = body.required("kind")?.read()?;
        if kind == BodyKind::Character {
            for key in ["mesh", "surface", "fill"] {
                let skeleton =
                    "is for elastic bodies; a character has a `skeleton`, as in `skeleton = \"walk.bvh\"`";
                body.demand(key, false, skeleton)?;
            }
            return Skeleton::read_keys(body).map(Self::Skeleton);
        }
        for key in Skeleton::KEYS {
            let problem = format!("is for a character, and this body's kind is {:?}; remove it", kind.name());
            body.demand(key, false, &problem)?;
        }
        if body.one_of(&["mesh", "surface"], "")? == "surface" {
            return Ok(Self::Surface {
                surface: body.required("surface")?.read()?,
                fill: body.read("fill")?,
            });
        }
        body.demand("fill", false, "is for a `surface`; a `mesh` is already filled")?;
        Ok(Self::Mesh(body.required("mesh")?.read()?))
    }

    fn write_keys(&self, body: &mut dyn TableLike) -> Result<(), ShotError> {
        match self {
            Self::Mesh(mesh) => put(body, "mesh", mesh),
            Self::Surface { surface, fill } => {
                put(body, "surface", surface)?;
                put(body, "fill", fill)
            }
            Self::Skeleton(skeleton) => skeleton.write_keys(body),
        }
    }

    fn paths(&mut self, visit: Visit<'_>) {
        match self {
            Self::Mesh(path) | Self::Surface { surface: path, .. } => visit(path),
            Self::Skeleton(skeleton) => Keys::paths(skeleton, visit),
        }
    }
}

/// `fill`: how to make a volume from a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// With what.
    pub method: FillMethod,
    /// How many cells the longest side takes.
    pub cells: usize,
}

table!(Fill { method: required, cells: required } check Fill::check);

impl Fill {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("cells", self.cells > 0, AT_LEAST_ONE)
    }
}

/// `method` of `fill`: with what to fill a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillMethod {
    /// Tetrahedra that follow it.
    Tets,
    /// Cubes that cover it.
    Voxels,
}

words!(FillMethod { Tets = "tets", Voxels = "voxels" });

/// `skin` and `embedding`: the fine mesh that rides on a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skin {
    /// The file of the mesh.
    pub mesh: PathBuf,
    /// The file that says how it hangs on the body; without one that is computed.
    pub embedding: Option<PathBuf>,
}

impl Keys for Option<Skin> {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(["skin", "embedding"]);
    }

    fn read_keys(body: &Section<'_>) -> Result<Self, ShotError> {
        let Some(mesh) = body.read("skin")? else {
            body.demand("embedding", false, "places the skin on the body, but there is no `skin`")?;
            return Ok(None);
        };
        Ok(Some(Skin { mesh, embedding: body.read("embedding")? }))
    }

    fn write_keys(&self, body: &mut dyn TableLike) -> Result<(), ShotError> {
        let Some(skin) = self else { return Ok(()) };
        put(body, "skin", &skin.mesh)?;
        put(body, "embedding", &skin.embedding)
    }

    fn paths(&mut self, visit: Visit<'_>) {
        for path in
            self.iter_mut().flat_map(|skin| std::iter::once(&mut skin.mesh).chain(&mut skin.embedding))
        {
            visit(path);
        }
    }
}
