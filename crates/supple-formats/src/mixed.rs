//! Files that may hold a volume, its surface, or both, on one list of vertices.
//!
//! With tets or hexahedra it is a volume, and elements of lower dimension only name vertices: a
//! group of triangles becomes the group of their vertices, as anchors need it. Without, the
//! triangles and quadrilaterals are a surface.

use crate::group::Groups;
use crate::{Elements, FormatError, Group, MeshFile, Problem, SurfaceFile, VolumeFile};
use std::collections::HashMap;

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Point,
    Line,
    Triangle,
    Quad,
    Tet,
    Hex,
}

impl Shape {
    pub fn dimension(self) -> u8 {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quad => 2,
            Self::Tet | Self::Hex => 3,
        }
    }

    pub fn corners(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quad | Self::Tet => 4,
            Self::Hex => 8,
        }
    }
}

/// The corners of an element; those beyond [`Shape::corners`] are 0.
pub(crate) type Corners = [u32; 8];

/// A mesh in the making.
#[derive(Default)]
pub(crate) struct MixedMesh {
    pub positions: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
    tets: Vec<[u32; 4]>,
    hexes: Vec<[u32; 8]>,
    groups: Vec<Labelled>,
    group_of: HashMap<(u8, i64), usize>,
}

/// Members with one label on elements of one dimension.
struct Labelled {
    dimension: u8,
    label: i64,
    /// Elements in dimension 3, vertices below.
    members: Vec<u32>,
}

impl MixedMesh {
    /// Adds an element and gives its index among those of its kind.
    pub fn add(&mut self, shape: Shape, corners: &Corners) -> Result<u32, Problem> {
        let &[a, b, c, d, ..] = corners;
        let index = match shape {
            Shape::Point | Shape::Line => 0,
            Shape::Triangle => push(&mut self.triangles, [a, b, c]),
            Shape::Quad => {
                push(&mut self.triangles, [a, b, c]);
                push(&mut self.triangles, [a, c, d])
            }
            Shape::Tet => push(&mut self.tets, [a, b, c, d]),
            Shape::Hex => push(&mut self.hexes, *corners),
        };
        if !self.tets.is_empty() && !self.hexes.is_empty() {
            return Err(Problem::Unsupported("a mesh of tets and hexahedra together".to_owned()));
        }
        Ok(index)
    }

    /// Puts an element into the group of a label; 0 stands for none.
    pub fn label(&mut self, shape: Shape, corners: &Corners, index: u32, label: i64) {
        if label == 0 {
            return;
        }
        let dimension = shape.dimension();
        let group = *self.group_of.entry((dimension, label)).or_insert_with(|| {
            self.groups.push(Labelled { dimension, label, members: Vec::new() });
            self.groups.len() - 1
        });
        let members = &mut self.groups[group].members;
        match dimension {
            3 => members.push(index),
            _ => members.extend(&corners[..shape.corners()]),
        }
    }

    /// The file. `name` gives the names of groups that have one, by dimension and label.
    pub fn finish(self, name: impl Fn(u8, i64) -> Option<String>) -> Result<MeshFile, FormatError> {
        let (vertex_groups, element_groups) = named(self.groups, name);
        let elements =
            if self.hexes.is_empty() { Elements::Tets(self.tets) } else { Elements::Hexes(self.hexes) };
        let (positions, triangles) = (self.positions, self.triangles);
        if !elements.is_empty() {
            let volume =
                VolumeFile { positions, elements, vertex_groups, element_groups, ..VolumeFile::default() };
            return Ok(MeshFile::Volume(volume));
        }
        if triangles.is_empty() {
            return Err(FormatError::whole_file(Problem::Empty("tets, hexahedra or triangles")));
        }
        Ok(MeshFile::Surface(SurfaceFile { positions, triangles, vertex_groups, ..SurfaceFile::default() }))
    }
}

/// Groups of vertices and of elements. Those without a name are called after their label.
fn named(groups: Vec<Labelled>, name: impl Fn(u8, i64) -> Option<String>) -> (Vec<Group>, Vec<Group>) {
    let mut vertices = Groups::new(str::to_owned);
    let mut elements = Groups::new(str::to_owned);
    for Labelled { dimension, label, members } in groups {
        let (groups, kind) = match dimension {
            0 => (&mut vertices, "point"),
            1 => (&mut vertices, "curve"),
            2 => (&mut vertices, "surface"),
            _ => (&mut elements, "region"),
        };
        let name = name(dimension, label).unwrap_or_else(|| format!("{kind}-{label}"));
        let group = groups.named(&name);
        groups.members_mut(group).extend(members);
    }
    (vertices.finish(), elements.finish())
}

fn push<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    (list.len() - 1) as u32
}
