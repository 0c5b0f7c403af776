//! What a shot file can say, as types. Paths are as written in the file; [`Shot::resolve`] says
//! where they lead.
//!
//! [`Shot::resolve`]: super::Shot::resolve

use std::path::PathBuf;
use supple_model::VertexId;

/// `[body]`: what moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// What it is made of.
    pub kind: BodyKind,
    /// The file of the rest shape.
    pub mesh: PathBuf,
    /// The fine mesh that rides on it.
    pub skin: Option<Skin>,
    /// The material, wherever no region says otherwise.
    pub material: Material,
    /// The vertices that stay in place: the union of these; none for a free body.
    pub anchors: Vec<Anchor>,
    /// Where the material differs. A later region wins over an earlier one.
    pub regions: Vec<Region>,
}

impl Body {
    /// A free body without skin, of the default material.
    #[must_use]
    pub fn new(kind: BodyKind, mesh: impl Into<PathBuf>) -> Self {
        Self {
            kind,
            mesh: mesh.into(),
            skin: None,
            material: Material::default(),
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
}

impl BodyKind {
    /// Its word in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
        }
    }
}

/// `skin` and `embedding`: the fine mesh that rides on a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skin {
    /// The file of the mesh.
    pub mesh: PathBuf,
    /// The file that says how it hangs on the body; without one that is computed.
    pub embedding: Option<PathBuf>,
}

/// `material`: what a body is made of, in the units of its mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// How stress follows from strain.
    pub law: Law,
    /// Young's modulus: stiffness.
    pub young: f64,
    /// Poisson's ratio: 0 keeps its width when stretched, nearly ½ keeps its volume.
    pub poisson: f64,
    /// Mass per volume.
    pub density: f64,
}

impl Default for Material {
    /// Soft rubber.
    fn default() -> Self {
        Self { law: Law::default(), young: 1e6, poisson: 0.45, density: 1000.0 }
    }
}

/// `law`: how stress follows from strain. At rest all have the same stiffness, so modes do not depend
/// on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// `linear`: small strain; swells under rotation.
    Linear,
    /// `stvk`: St. Venant–Kirchhoff; right under rotation, weak when squashed.
    #[default]
    StVenantKirchhoff,
    /// `neo-hookean`: right under rotation, and recovers from inverted elements.
    NeoHookean,
}

impl Law {
    /// Its word in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::StVenantKirchhoff => "stvk",
            Self::NeoHookean => "neo-hookean",
        }
    }
}

/// An entry of `anchors`: which vertices stay in place.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// `vertices`: these.
    Vertices(Vec<VertexId>),
    /// `group`: those of a named group of the mesh file.
    Group(String),
    /// `below`: those whose coordinate is at most `at`.
    Below {
        /// The coordinate.
        axis: Axis,
        /// Its bound.
        at: f64,
    },
    /// `above`: those whose coordinate is at least `at`.
    Above {
        /// The coordinate.
        axis: Axis,
        /// Its bound.
        at: f64,
    },
    /// `box`: those inside, the faces included.
    Box {
        /// The least corner.
        min: [f64; 3],
        /// The greatest corner.
        max: [f64; 3],
    },
    /// `file`: those a file of vertex numbers lists.
    File(PathBuf),
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// Its word in the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }

    /// The place of this coordinate in a vector.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// An entry of `regions`: where the material differs, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// The named group of elements.
    pub group: String,
    /// Young's modulus there.
    pub young: Option<f64>,
    /// Poisson's ratio there.
    pub poisson: Option<f64>,
    /// Mass per volume there.
    pub density: Option<f64>,
}

/// `[edit]`: how the motion may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// How many modes of vibration to compute.
    pub modes: usize,
}

impl Default for Edit {
    fn default() -> Self {
        Self { modes: 60 }
    }
}
