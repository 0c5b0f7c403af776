//! Writing OBJ.
//!
//! OBJ groups hold faces, ours hold vertices: a face is written into every group that holds all its
//! corners, and the vertices of a group that no such face reaches are written as points in it.

use super::MAX_GROUPS_PER_FACE;
use crate::SurfaceFile;
use crate::surface::Face;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::io::{self, Write};

/// Writes a Wavefront OBJ file from which [`crate::read_obj`] reads the same again, bit for bit.
///
/// Two things OBJ has no room for: groups without members are lost, and white space, `#` and `\` in
/// the names of groups and materials become `_`. Materials come back as groups too.
///
/// # Errors
/// Those of `out`.
pub fn write_obj(file: &SurfaceFile, mut out: impl Write) -> io::Result<()> {
    write_obj_positions(&file.positions, &file.colours, &mut out)?;
    write_obj_normals(&file.normals, &mut out)?;
    write_obj_topology(file, &mut out)?;
    out.flush()
}

/// The first part of an OBJ file, which in a series is another one in every frame.
pub(crate) fn write_obj_positions(
    positions: &[[f64; 3]],
    colours: &[[f64; 3]],
    mut out: impl Write,
) -> io::Result<()> {
    for (v, [x, y, z]) in positions.iter().enumerate() {
        match colours.get(v) {
            Some([r, g, b]) => writeln!(out, "v {x:?} {y:?} {z:?} {r:?} {g:?} {b:?}")?,
            None => writeln!(out, "v {x:?} {y:?} {z:?}")?,
        }
    }
    Ok(())
}

/// The second part, another one in every frame too; in single precision that of a series.
pub(crate) fn write_obj_normals<T: Debug>(normals: &[[T; 3]], mut out: impl Write) -> io::Result<()> {
    normals.iter().try_for_each(|[x, y, z]| writeln!(out, "vn {x:?} {y:?} {z:?}"))
}

/// The rest of it, the same in every frame of a series.
pub(crate) fn write_obj_topology(file: &SurfaceFile, mut out: impl Write) -> io::Result<()> {
    for [u, v] in &file.uvs {
        writeln!(out, "vt {u:?} {v:?}")?;
    }
    let faces: Vec<Face> = file.face_list().collect();
    let groups = FaceGroups::new(file, &faces);
    let names: Vec<String> = file.vertex_groups.iter().map(|group| plain_name(&group.name)).collect();
    for (name, loose) in names.iter().zip(&groups.loose) {
        // Named here, before the faces, so that the groups keep their order.
        writeln!(out, "g {name}")?;
        for vertex in loose {
            writeln!(out, "p {}", u64::from(*vertex) + 1)?;
        }
    }
    if !names.is_empty() {
        writeln!(out, "g")?;
    }
    let mut current: &[u32] = &[];
    let mut material = None;
    for (f, face) in faces.iter().enumerate() {
        if groups.of_face[f] != current {
            current = &groups.of_face[f];
            write!(out, "g")?;
            for &group in current {
                write!(out, " {}", names[group as usize])?;
            }
            writeln!(out)?;
        }
        let own = file.triangle_materials.get(face.triangle).copied().flatten();
        if own != material {
            material = own;
            let name = own.and_then(|own| file.materials.get(own as usize));
            writeln!(out, "usemtl {}", name.map_or_else(String::new, |name| plain_name(name)))?;
        }
        write_face(&mut out, file, *face)?;
    }
    Ok(())
}

fn write_face(out: &mut impl Write, file: &SurfaceFile, face: Face) -> io::Result<()> {
    let uvs = face.of_some(&file.triangle_uvs);
    let normals = face.of_some(&file.triangle_normals);
    write!(out, "f")?;
    for (i, vertex) in face.of(&file.triangles).enumerate() {
        let number = |list: &Option<Vec<u32>>| list.as_ref().map(|list| u64::from(list[i]) + 1);
        write!(out, " {}", u64::from(vertex) + 1)?;
        match (number(&uvs), number(&normals)) {
            (None, None) => {}
            (Some(uv), None) => write!(out, "/{uv}")?,
            (None, Some(normal)) => write!(out, "//{normal}")?,
            (Some(uv), Some(normal)) => write!(out, "/{uv}/{normal}")?,
        }
    }
    writeln!(out)
}

/// A name that OBJ reads as one word.
fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_whitespace() || c.is_control() || c == '#' || c == '\\' { '_' } else { c };
    if name.is_empty() { "_".to_owned() } else { name.chars().map(plain).collect() }
}

struct FaceGroups {
    /// The groups that each face is written into, ascending.
    of_face: Vec<Vec<u32>>,
    /// The vertices of each group that its faces do not reach.
    loose: Vec<BTreeSet<u32>>,
}

impl FaceGroups {
    fn new(file: &SurfaceFile, faces: &[Face]) -> Self {
        let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); file.positions.len()];
        for (g, group) in file.vertex_groups.iter().enumerate() {
            for &vertex in &group.members {
                if let Some(groups) = of_vertex.get_mut(vertex as usize) {
                    groups.push(g as u32);
                }
            }
        }
        let holds = |vertex: u32, group: &u32| {
            of_vertex.get(vertex as usize).is_some_and(|groups| groups.binary_search(group).is_ok())
        };
        let mut loose: Vec<BTreeSet<u32>> =
            file.vertex_groups.iter().map(|group| group.members.iter().copied().collect()).collect();
        let mut of_face = Vec::with_capacity(faces.len());
        for face in faces {
            let corners: Vec<u32> = face.of(&file.triangles).collect();
            let candidates =
                corners.first().and_then(|a| of_vertex.get(*a as usize)).map_or(&[][..], Vec::as_slice);
            let shared = candidates.iter().filter(|group| corners.iter().all(|vertex| holds(*vertex, group)));
            let groups: Vec<u32> = shared.copied().take(MAX_GROUPS_PER_FACE).collect();
            for &group in &groups {
                for vertex in &corners {
                    loose[group as usize].remove(vertex);
                }
            }
            of_face.push(groups);
        }
        Self { of_face, loose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;

    #[test]
    fn faces_stand_under_their_groups_and_the_rest_are_points() {
        let file = SurfaceFile {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 1e-300]],
            triangles: vec![[0, 1, 2], [1, 2, 3]],
            vertex_groups: vec![
                Group { name: "left half".into(), members: vec![0, 1, 2] },
                Group { name: "pins".into(), members: vec![0, 3] },
            ],
            ..SurfaceFile::default()
        };
        let mut out = Vec::new();
        write_obj(&file, &mut out).unwrap();
        let expected = "v 0.0 0.0 0.0\nv 1.0 0.0 0.0\nv 0.0 0.1 0.0\nv 0.0 0.0 1e-300\n\
                        g left_half\ng pins\np 1\np 4\ng\ng left_half\nf 1 2 3\ng\nf 2 3 4\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_face_may_be_in_more_groups_than_one_line_names() {
        let group = |g: usize| Group { name: format!("g{g}"), members: vec![0, 1, 2] };
        let file = SurfaceFile {
            positions: vec![[0.0; 3]; 3],
            triangles: vec![[0, 1, 2]],
            vertex_groups: (0..MAX_GROUPS_PER_FACE + 4).map(group).collect(),
            ..SurfaceFile::default()
        };
        let mut out = Vec::new();
        write_obj(&file, &mut out).unwrap();
        assert_eq!(crate::read_obj(&out).unwrap(), file);
    }
}
