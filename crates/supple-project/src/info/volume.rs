//! What is in a file of volume elements.

use super::{BoundsInfo, GroupInfo, points};
use crate::body::{BodyError, split_into_tets, volume_surface};
use serde::Serialize;
use std::path::Path;
use supple_formats::{Elements, VolumeFile};
use supple_mesh::{Vec3, components, signed_volume};
use supple_model::{ElementId, VertexId};

/// A file of volume elements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VolumeInfo {
    /// How many vertices.
    pub vertices: usize,
    /// How many elements.
    pub elements: usize,
    /// "tets" or "hexahedra".
    pub element_kind: &'static str,
    /// Where it is; `None` without vertices.
    pub bounds: Option<BoundsInfo>,
    /// The sum of all elements' volumes, none of them counted as negative.
    pub volume: f64,
    /// How many pieces hang together.
    pub parts: usize,
    /// Triangles on the surface, where the mesh can be used.
    pub surface_triangles: Option<usize>,
    /// The sharpest and bluntest tets.
    pub tets: Option<TetInfo>,
    /// Named groups of vertices.
    pub vertex_groups: Vec<GroupInfo>,
    /// Named groups of elements.
    pub element_groups: Vec<GroupInfo>,
    /// The names of the materials the file brings along.
    pub materials: Vec<String>,
    /// Why no body can be made of it.
    pub problem: Option<String>,
}

/// How well shaped tets are: 70.5° all around is regular, near 0° or 180° is flat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TetInfo {
    /// The smallest angle between two faces of one tet.
    pub smallest_dihedral: AngleInfo,
    /// The largest one.
    pub largest_dihedral: AngleInfo,
}

/// An angle and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AngleInfo {
    /// In degrees.
    pub degrees: f64,
    /// The element it is in.
    pub element: ElementId,
}

impl VolumeInfo {
    pub(super) fn of(path: &Path, file: &VolumeFile) -> Self {
        let positions = points(&file.positions);
        let surface = volume_surface(path, file);
        let (element_kind, volume, parts, tets) = match &file.elements {
            Elements::Tets(tets) => {
                ("tets", volume(&positions, tets), parts(&positions, tets), TetInfo::of(&positions, tets))
            }
            Elements::Hexes(hexes) => {
                let tets: Vec<[u32; 4]> = hexes.iter().flat_map(split_into_tets).collect();
                ("hexahedra", volume(&positions, &tets), parts(&positions, hexes), None)
            }
        };
        Self {
            vertices: positions.len(),
            elements: file.elements.len(),
            element_kind,
            bounds: BoundsInfo::of(&positions),
            volume,
            parts,
            surface_triangles: surface.as_ref().ok().map(Vec::len),
            tets,
            vertex_groups: GroupInfo::all(&file.vertex_groups),
            element_groups: GroupInfo::all(&file.element_groups),
            materials: file.materials.iter().map(|material| material.name.clone()).collect(),
            problem: surface.err().map(|error| problem(&error)),
        }
    }
}

/// What is wrong, without the name of the file, which whoever asks knows.
fn problem(error: &BodyError) -> String {
    match error {
        BodyError::Mesh { problem, .. } => problem.to_string(),
        BodyError::Content { found, needed, .. } => format!("{found}, but {needed}"),
        other => other.to_string(),
    }
}

fn volume(positions: &[Vec3], tets: &[[u32; 4]]) -> f64 {
    tets.iter()
        .map(|tet| {
            let [a, b, c, d] = tet.map(|v| positions[v as usize]);
            signed_volume(a, b, c, d).abs()
        })
        .sum()
}

fn parts<const N: usize>(positions: &[Vec3], elements: &[[u32; N]]) -> usize {
    let elements: Vec<[VertexId; N]> = elements.iter().map(|corners| corners.map(VertexId)).collect();
    components(positions.len(), &elements).count
}

impl TetInfo {
    /// `None` without tets.
    pub(super) fn of(positions: &[Vec3], tets: &[[u32; 4]]) -> Option<Self> {
        let angles = |(t, tet): (usize, &[u32; 4])| {
            let element = ElementId::new(t);
            dihedrals(tet.map(|v| positions[v as usize])).map(|degrees| AngleInfo { degrees, element })
        };
        let all = || tets.iter().enumerate().flat_map(angles);
        Some(Self {
            smallest_dihedral: all().reduce(|a, b| if b.degrees < a.degrees { b } else { a })?,
            largest_dihedral: all().reduce(|a, b| if b.degrees > a.degrees { b } else { a })?,
        })
    }
}

/// The angles between the faces of a tet, degrees; 0 where a face has no area. Two faces with outward
/// normals m and n meet at the angle π − ∠(m, n).
fn dihedrals([a, b, c, d]: [Vec3; 4]) -> [f64; 6] {
    let normal = |p: Vec3, q: Vec3, r: Vec3| (q - p).cross(&(r - p));
    let normals = [normal(b, c, d), normal(a, d, c), normal(a, b, d), normal(a, c, b)];
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].map(|(i, j)| {
        let (m, n) = (normals[i], normals[j]);
        // atan2(0, -0) would call a face without area flat instead of sharp.
        if m.norm() * n.norm() == 0.0 { 0.0 } else { m.cross(&n).norm().atan2(-m.dot(&n)).to_degrees() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_formats::Group;

    fn corner_tet() -> VolumeFile {
        VolumeFile {
            positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            elements: Elements::Tets(vec![[0, 1, 2, 3]]),
            vertex_groups: vec![Group { name: "top".into(), members: vec![3] }],
            ..VolumeFile::default()
        }
    }

    #[test]
    fn a_corner_of_a_cube_has_the_angles_of_one() {
        let info = VolumeInfo::of(Path::new("a.veg"), &corner_tet());
        let tets = info.tets.unwrap();
        // Between the slanted face and the others: arctan √2.
        assert!((tets.smallest_dihedral.degrees - 2.0_f64.sqrt().atan().to_degrees()).abs() < 1e-12);
        assert!((tets.largest_dihedral.degrees - 90.0).abs() < 1e-12);
        assert!((info.volume - 1.0 / 6.0).abs() < 1e-15);
        assert_eq!((info.parts, info.surface_triangles, info.problem), (1, Some(4), None));
        assert_eq!(info.vertex_groups, [GroupInfo { name: "top".into(), size: 1 }]);
    }

    #[test]
    fn an_unusable_mesh_is_described_with_its_problem() {
        let mut file = corner_tet();
        file.positions.push([5.0; 3]);
        file.elements = Elements::Tets(vec![[0, 1, 2, 3], [0, 1, 3, 2]]);
        let info = VolumeInfo::of(Path::new("a.veg"), &file);
        assert_eq!((info.vertices, info.elements, info.parts), (5, 2, 2));
        assert!((info.volume - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!(info.surface_triangles, None);
        assert!(info.problem.unwrap().starts_with("element 1 has negative volume"));

        let nothing = VolumeInfo::of(Path::new("a.veg"), &VolumeFile::default());
        assert_eq!((nothing.bounds, nothing.tets, nothing.parts), (None, None, 0));
        assert!(nothing.problem.is_some());
    }

    #[test]
    fn hexahedra_have_the_volume_of_their_tets() {
        let positions = [0, 1].iter().flat_map(|z| {
            [[0.0, 0.0], [2.0, 0.0], [2.0, 3.0], [0.0, 3.0]].map(|[x, y]| [x, y, f64::from(*z)])
        });
        let file = VolumeFile {
            positions: positions.collect(),
            elements: Elements::Hexes(vec![[0, 1, 2, 3, 4, 5, 6, 7]]),
            ..VolumeFile::default()
        };
        let info = VolumeInfo::of(Path::new("a.veg"), &file);
        assert!((info.volume - 6.0).abs() < 1e-12);
        assert_eq!((info.element_kind, info.tets), ("hexahedra", None));
        assert_eq!(info.problem, None, "voxels can be bodies");
    }
}
