//! Naming and choosing vertices: named groups, and [`Select`], the one way every anchor, region,
//! load and handle says which vertices it means.

use crate::{Aabb, Vec3};
use std::collections::BTreeMap;
use supple_model::VertexId;

/// Named sets of vertices, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexGroups {
    groups: BTreeMap<String, Vec<VertexId>>,
}

impl VertexGroups {
    /// No groups.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `vertices` to the group `name`, which comes into being if need be; each counts once.
    pub fn add(&mut self, name: impl Into<String>, vertices: impl IntoIterator<Item = VertexId>) {
        let group = self.groups.entry(name.into()).or_default();
        group.extend(vertices);
        group.sort_unstable();
        group.dedup();
    }

    /// The vertices of a group, ascending.
    ///
    /// # Errors
    /// [`SelectError::UnknownGroup`], which lists the names there are.
    pub fn get(&self, name: &str) -> Result<&[VertexId], SelectError> {
        self.groups.get(name).map(Vec::as_slice).ok_or_else(|| SelectError::UnknownGroup {
            name: name.to_owned(),
            known: self.groups.keys().cloned().collect(),
        })
    }

    /// Every group by name, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[VertexId])> {
        self.groups.iter().map(|(name, vertices)| (name.as_str(), vertices.as_slice()))
    }

    /// Whether there are no groups at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// To the right.
    X,
    /// Up.
    Y,
    /// Towards the viewer.
    Z,
}

impl Axis {
    /// Which coordinate this is: 0, 1 or 2.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(["x", "y", "z"][self.index()])
    }
}

/// Which vertices are meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Select {
    /// These.
    Vertices(Vec<VertexId>),
    /// The members of a named group.
    Group(String),
    /// Those inside a box, its border included.
    Inside(Aabb),
    /// Those whose coordinate is at most `at`.
    Below {
        /// The coordinate looked at.
        axis: Axis,
        /// The limit, included.
        at: f64,
    },
    /// Those whose coordinate is at least `at`.
    Above {
        /// The coordinate looked at.
        axis: Axis,
        /// The limit, included.
        at: f64,
    },
}

/// A choice of vertices that cannot be made, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// No group has this name.
    #[error("there is no group {name:?}; {}", known_groups(known))]
    UnknownGroup {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A vertex that does not exist.
    #[error("there is no {vertex}: there are {vertices} vertices, counted from 0")]
    OutOfRange {
        /// The culprit.
        vertex: VertexId,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A choice that chooses nothing.
    #[error("no vertex is {0}")]
    Nothing(String),
}

fn known_groups(known: &[String]) -> String {
    if known.is_empty() { "there are none".into() } else { format!("there are {}", known.join(", ")) }
}

impl Select {
    /// The vertices meant, ascending, each once.
    ///
    /// # Errors
    /// An unknown group, a vertex that does not exist, or nothing chosen: see [`SelectError`].
    pub fn resolve(&self, positions: &[Vec3], groups: &VertexGroups) -> Result<Vec<VertexId>, SelectError> {
        let those = |keep: &dyn Fn(&Vec3) -> bool| -> Vec<VertexId> {
            let kept = positions.iter().enumerate().filter(|(_, p)| keep(p));
            kept.map(|(v, _)| VertexId::new(v)).collect()
        };
        let mut chosen = match self {
            Self::Vertices(vertices) => vertices.clone(),
            Self::Group(name) => groups.get(name)?.to_vec(),
            Self::Inside(region) => those(&|p| region.contains(p)),
            Self::Below { axis, at } => those(&|p| p[axis.index()] <= *at),
            Self::Above { axis, at } => those(&|p| p[axis.index()] >= *at),
        };
        chosen.sort_unstable();
        chosen.dedup();
        match chosen.last() {
            None => Err(SelectError::Nothing(self.to_string())),
            Some(&vertex) if vertex.index() >= positions.len() => {
                Err(SelectError::OutOfRange { vertex, vertices: positions.len() })
            }
            Some(_) => Ok(chosen),
        }
    }
}

impl std::fmt::Display for Select {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Vertices(_) => write!(f, "in the list"),
            Self::Group(name) => write!(f, "in group {name:?}"),
            Self::Inside(Aabb { min: a, max: b }) => {
                write!(f, "in the box ({}, {}, {}) to ({}, {}, {})", a.x, a.y, a.z, b.x, b.y, b.z)
            }
            Self::Below { axis, at } => write!(f, "at or below {axis} = {at}"),
            Self::Above { axis, at } => write!(f, "at or above {axis} = {at}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Vec<Vec3> {
        (0..5).map(|i| Vec3::new(f64::from(i), 0.0, -f64::from(i))).collect()
    }

    fn resolved(select: Select) -> Result<Vec<u32>, SelectError> {
        let mut groups = VertexGroups::new();
        groups.add("mast", [3, 1, 3].map(VertexId));
        groups.add("mast", [VertexId(0)]);
        groups.add("deck", [VertexId(9)]);
        groups.add("void", []);
        select.resolve(&line(), &groups).map(|chosen| chosen.iter().map(|v| v.0).collect())
    }

    #[test]
    fn every_way_of_choosing_gives_sorted_vertices() {
        assert_eq!(resolved(Select::Vertices([4, 2, 4].map(VertexId).into())).unwrap(), [2, 4]);
        assert_eq!(resolved(Select::Group("mast".into())).unwrap(), [0, 1, 3]);
        assert_eq!(resolved(Select::Below { axis: Axis::X, at: 1.0 }).unwrap(), [0, 1]);
        assert_eq!(resolved(Select::Above { axis: Axis::Z, at: -1.5 }).unwrap(), [0, 1]);
        let region = Aabb { min: Vec3::new(1.0, 0.0, -3.0), max: Vec3::new(9.0, 0.0, 0.0) };
        assert_eq!(resolved(Select::Inside(region)).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_there_is() {
        let message = |select| resolved(select).unwrap_err().to_string();
        assert_eq!(
            message(Select::Group("masts".into())),
            "there is no group \"masts\"; there are deck, mast, void"
        );
        assert_eq!(
            message(Select::Group("deck".into())),
            "there is no vertex 9: there are 5 vertices, counted from 0"
        );
        assert_eq!(message(Select::Group("void".into())), "no vertex is in group \"void\"");
        assert_eq!(message(Select::Vertices(vec![])), "no vertex is in the list");
        assert_eq!(message(Select::Above { axis: Axis::Y, at: 0.1 }), "no vertex is at or above y = 0.1");
        let empty = VertexGroups::new().get("a").unwrap_err();
        assert_eq!(empty.to_string(), "there is no group \"a\"; there are none");
    }
}
