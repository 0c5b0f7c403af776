//! `[body]`: what moves.

use super::{AT_LEAST_ONE, Anchor, Material, Region};
use crate::shot::describe::*;
use std::path::PathBuf;

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
});

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl Keys for Shape {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(["mesh", "surface", "fill"]);
    }

    fn read_keys(body: &Section<'_>) -> Result<Self, ShotError> {
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
        }
    }

    fn paths(&mut self, visit: Visit<'_>) {
        match self {
            Self::Mesh(path) | Self::Surface { surface: path, .. } => visit(path),
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
