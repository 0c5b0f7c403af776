//! A mesh prim as a surface.

use super::attribute::{Attribute, targets};
use super::compose::{Prim, Stage};
use super::points::check_finite;
use super::primvars::{Corner, find_normals, find_uvs, read_colours, read_groups};
use crate::group::Groups;
use crate::scene::CornerOrder;
use crate::{FormatError, Problem, SurfaceFile};

/// The surface of a mesh where its points are first, in its own space, and how the file has its corners.
pub(super) fn read_surface(
    stage: &mut Stage,
    number: usize,
    frame: f64,
) -> Result<(SurfaceFile, CornerOrder), FormatError> {
    let prim = &stage.prims[number];
    let find = |name: &str| Attribute::find(stage, prim, name);
    let numbers = |name: &str| find(name).map_or(Ok(Vec::new()), |attribute| attribute.numbers());
    let (points, counts, indices) =
        (numbers("points")?, numbers("faceVertexCounts")?, numbers("faceVertexIndices")?);
    let (positions, _) = points.as_chunks::<3>();
    let mut surface = SurfaceFile { positions: positions.to_vec(), ..SurfaceFile::default() };
    if surface.positions.is_empty() {
        return Err(FormatError::whole_file(Problem::Empty("points")));
    }
    check_finite(&surface.positions, frame)?;
    let mut faces = Faces::read(&counts, &indices, surface.positions.len())?;
    let mut order = CornerOrder::Same;
    if find("orientation").is_some_and(|word| word.words().is_ok_and(|words| words == ["leftHanded"])) {
        faces.flip();
        order = CornerOrder::Turned;
    }
    if faces.list().any(|(_, corners)| corners.len() < 3) {
        order = CornerOrder::Fewer;
    }
    let size = 24 * surface.positions.len() + 48 * faces.corners.len();
    stage.layers.budget.take("meshes", size as u64, 1)?;
    let prim = &stage.prims[number];
    let uvs = find_uvs(stage, prim)?;
    let normals = find_normals(stage, prim)?;
    surface.uvs = uvs.as_ref().map(super::primvars::Primvar::values::<2>).unwrap_or_default();
    surface.normals = normals.as_ref().map(super::primvars::Primvar::values::<3>).unwrap_or_default();
    surface.colours = read_colours(stage, prim, &faces.corners, surface.positions.len())?;
    let mut groups = Groups::new(str::to_owned);
    let materials = read_subsets(stage, number, &faces, &mut surface, &mut groups)?;
    for (face, corners) in faces.list().filter(|(_, corners)| corners.len() >= 3) {
        let vertices: Vec<u32> = corners.iter().map(|corner| corner.vertex as u32).collect();
        let list = |primvar: &super::primvars::Primvar, size| {
            corners.iter().map(|corner| primvar.index(*corner, size)).collect::<Option<Vec<u32>>>()
        };
        let uvs = uvs.as_ref().and_then(|uvs| list(uvs, 2));
        let normals = normals.as_ref().and_then(|normals| list(normals, 3));
        surface.push_face(&vertices, uvs.as_deref(), normals.as_deref(), materials[face]);
    }
    surface.finish_faces();
    read_groups(stage, &stage.prims[number], &surface, &mut groups)?;
    surface.vertex_groups = groups.finish();
    Ok((surface, order))
}

/// The corners of a mesh, face after face.
struct Faces {
    corners: Vec<Corner>,
    /// Where each face begins, and at the end where the last one ends.
    starts: Vec<usize>,
}

impl Faces {
    fn read(counts: &[f64], indices: &[f64], vertices: usize) -> Result<Self, FormatError> {
        let mut starts = vec![0];
        let mut end = 0;
        for &count in counts {
            let is_count = count >= 0.0 && count.fract() == 0.0 && count <= indices.len() as f64;
            if !is_count {
                let problem = Problem::expected("a number of corners", &count.to_string());
                return Err(FormatError::whole_file(problem));
            }
            end += count as usize;
            starts.push(end);
        }
        if end != indices.len() {
            let problem = Problem::WrongCount { what: "corners", announced: end, found: indices.len() };
            return Err(FormatError::whole_file(problem));
        }
        let mut corners = Vec::with_capacity(indices.len());
        for (face, range) in starts.windows(2).enumerate() {
            for corner in range[0]..range[1] {
                let index = indices[corner];
                if !(index >= 0.0 && index.fract() == 0.0 && index < vertices as f64) {
                    let (number, count) = (index as i64, vertices);
                    let problem = Problem::NoSuchNumber { what: "point", number, count, first: 0 };
                    return Err(FormatError::whole_file(problem));
                }
                corners.push(Corner { face, vertex: index as usize, corner });
            }
        }
        Ok(Self { corners, starts })
    }

    /// Turns every face around, its first corner staying first.
    fn flip(&mut self) {
        for range in self.starts.windows(2) {
            if let Some((_, rest)) = self.corners[range[0]..range[1]].split_first_mut() {
                rest.reverse();
            }
        }
    }

    fn list(&self) -> impl Iterator<Item = (usize, &[Corner])> {
        self.starts.windows(2).map(|range| &self.corners[range[0]..range[1]]).enumerate()
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Subsets are groups; those that bind a material give it to their faces, the mesh to all others.
fn read_subsets(
    stage: &Stage,
    number: usize,
    faces: &Faces,
    surface: &mut SurfaceFile,
    groups: &mut Groups,
) -> Result<Vec<Option<u32>>, FormatError> {
    let material = |prim: &Prim| {
        let target = targets(stage, prim, "material:binding").into_iter().next()?;
        target.rsplit('/').next().map(str::to_owned)
    };
    let named =
        |name: String, surface: &mut SurfaceFile| match surface.materials.iter().position(|m| *m == name) {
            Some(known) => known as u32,
            None => {
                surface.materials.push(name);
                surface.materials.len() as u32 - 1
            }
        };
    let whole = material(&stage.prims[number]).map(|name| named(name, surface));
    let mut materials = vec![whole; faces.len()];
    let children = stage.prims[number].children.iter().map(|child| &stage.prims[*child]);
    let subsets = children.filter(|prim| prim.type_name == "GeomSubset");
    for subset in subsets {
        let name = subset.path.rsplit('/').next().unwrap_or_default();
        let group = groups.named(name);
        let of_points =
            Attribute::find(stage, subset, "elementType").map_or(Ok(Vec::new()), |a| a.words())? == ["point"];
        let members = Attribute::find(stage, subset, "indices").map_or(Ok(Vec::new()), |a| a.numbers())?;
        let material = material(subset).map(|name| named(name, surface));
        let count = if of_points { surface.positions.len() } else { faces.len() };
        for member in members {
            if !(member >= 0.0 && member < count as f64) {
                let (number, what) = (member as i64, if of_points { "point" } else { "face" });
                return Err(FormatError::whole_file(Problem::NoSuchNumber { what, number, count, first: 0 }));
            }
            let member = member as usize;
            if of_points {
                groups.members_mut(group).push(member as u32);
            } else {
                materials[member] = material.or(materials[member]);
                let corners = &faces.corners[faces.starts[member]..faces.starts[member + 1]];
                groups.members_mut(group).extend(corners.iter().map(|corner| corner.vertex as u32));
            }
        }
    }
    Ok(materials)
}

/// Checks that the faces are the same at all times.
pub(super) fn check_topology(stage: &Stage, prim: &Prim, codes_per_frame: f64) -> Result<(), FormatError> {
    for (name, what) in [("faceVertexCounts", "faces"), ("faceVertexIndices", "corners")] {
        let Some(attribute) = Attribute::find(stage, prim, name) else {
            continue;
        };
        let Some(((_, first), rest)) = attribute.samples.split_first() else {
            continue;
        };
        let mut expected = None;
        for (time, raw) in rest.iter().filter(|(_, raw)| raw != first) {
            if expected.is_none() {
                expected = Some(attribute.values.numbers(first)?);
            }
            let found = attribute.values.numbers(raw)?;
            if expected.as_ref() != Some(&found) {
                let (frame, object) = (time / codes_per_frame, crate::error::quoted(&prim.path));
                let expected = expected.map_or(0, |expected| expected.len());
                let problem = if found.len() == expected {
                    Problem::OtherFaces { frame, object }
                } else {
                    Problem::OtherTopology { frame, object, what, found: found.len(), expected }
                };
                return Err(FormatError::whole_file(problem));
            }
        }
    }
    Ok(())
}
