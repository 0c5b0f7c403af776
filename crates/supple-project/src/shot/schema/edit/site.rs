//! What a handle, a load or a pin holds.

use crate::shot::describe::*;
use supple_model::VertexId;

/// What a handle holds. Vertices are those of the skin where there is one, of the body otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Site {
    /// `vertex`: one vertex.
    Vertex(VertexId),
    /// `body_vertex`: one vertex of the body, skin or not.
    BodyVertex(VertexId),
    /// `vertices`: these.
    Vertices(Vec<VertexId>),
    /// `group`: those of a named group.
    Group(String),
    /// `near`: the vertex nearest to this point.
    Near([f64; 3]),
    /// `joint`: a joint of a character, or a point of its bone.
    Joint {
        /// Which.
        name: String,
        /// `offset`: how far from the joint, in metres along the joint's own axes; 0 when left out.
        offset: [f64; 3],
    },
    /// `center_of_mass = true`: that of the whole body.
    CenterOfMass,
}

/// What one site is.
const CHOICES: &[&str] = &["vertex", "body_vertex", "vertices", "group", "near", "joint", "center_of_mass"];

impl Site {
    /// A joint itself.
    #[must_use]
    pub fn joint(name: impl Into<String>) -> Self {
        Self::Joint { name: name.into(), offset: [0.0; 3] }
    }

    /// Its key in the file.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Vertex(_) => "vertex",
            Self::BodyVertex(_) => "body_vertex",
            Self::Vertices(_) => "vertices",
            Self::Group(_) => "group",
            Self::Near(_) => "near",
            Self::Joint { .. } => "joint",
            Self::CenterOfMass => "center_of_mass",
        }
    }
}

impl Keys for Site {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(CHOICES);
        known.push("offset");
    }

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
        let key = section.one_of(CHOICES, "")?;
        section.demand("offset", key == "joint", "belongs to `joint`: a point of its bone")?;
        let field = section.required(key)?;
        Ok(match key {
            "vertex" => Self::Vertex(field.read()?),
            "body_vertex" => Self::BodyVertex(field.read()?),
            "vertices" => match field.read()? {
                vertices if Vec::is_empty(&vertices) => return Err(field.bad("is empty")),
                vertices => Self::Vertices(vertices),
            },
            "group" => Self::Group(field.read()?),
            "near" => Self::Near(field.read()?),
            "joint" => {
                Self::Joint { name: field.read()?, offset: section.read("offset")?.unwrap_or_default() }
            }
            _ => field.yes().map(|()| Self::CenterOfMass)?,
        })
    }

    fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
        match self {
            Self::Vertex(vertex) | Self::BodyVertex(vertex) => put(table, self.key(), vertex),
            Self::Vertices(vertices) => put(table, "vertices", vertices),
            Self::Group(name) => put(table, "group", name),
            Self::Near(point) => put(table, "near", point),
            Self::Joint { name, offset } => {
                put(table, "joint", name)?;
                let is_off = *offset != [0.0; 3];
                put(table, "offset", &is_off.then_some(*offset))
            }
            Self::CenterOfMass => put(table, "center_of_mass", &true),
        }
    }
}
