//! A whole file: the mesh with all it carries.

use super::numbers::{identifier, push_integers, push_tuples};
use super::writer::{Frame, metadata};
use crate::surface::Face;
use crate::{Group, MotionSettings, SurfaceFile};
use std::collections::{BTreeSet, HashSet};

/// What goes around the points of a mesh.
pub(super) fn frame(settings: &MotionSettings, surface: &SurfaceFile) -> Frame {
    let mut names: Vec<String> =
        settings.name.split('/').filter(|name| !name.is_empty()).map(identifier).collect();
    if names.is_empty() {
        names.push("mesh".to_owned());
    }
    let head = metadata(settings, 1.0, &format!("    defaultPrim = \"{}\"\n", names[0]));
    let mut middle = b"\n)\n".to_vec();
    let (mut indent, mut tail) = (String::new(), String::new());
    for (depth, name) in names.iter().enumerate() {
        let is_mesh = depth + 1 == names.len();
        let kind = if is_mesh { "Mesh" } else { "Xform" };
        let schema = if is_mesh && !surface.triangle_materials.is_empty() {
            " (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)"
        } else {
            ""
        };
        push(&mut middle, &format!("\n{indent}def {kind} \"{name}\"{schema}\n{indent}{{\n"));
        tail = format!("{indent}}}\n{tail}");
        indent.push_str("    ");
        if depth == 0 && !surface.triangle_materials.is_empty() {
            push_materials(&mut middle, &material_names(surface), &indent);
        }
    }
    let root = format!("/{}/materials", names[0]);
    push_mesh(&mut middle, surface, settings.expected_frames == 1, &root, &indent);
    Frame { head, middle, tail, indent }
}

fn push(text: &mut Vec<u8>, more: &str) {
    text.extend_from_slice(more.as_bytes());
}

/// The materials by the names USD takes, each different.
fn material_names(surface: &SurfaceFile) -> Vec<String> {
    let mut taken = HashSet::new();
    surface.materials.iter().map(|name| unique(identifier(name), &mut taken)).collect()
}

fn unique(name: String, taken: &mut HashSet<String>) -> String {
    let mut free = name.clone();
    let mut number = 1;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

fn push_materials(text: &mut Vec<u8>, names: &[String], indent: &str) {
    push(text, &format!("{indent}def Scope \"materials\"\n{indent}{{\n"));
    for name in names {
        push(text, &format!("{indent}    def Material \"{name}\"\n{indent}    {{\n{indent}    }}\n"));
    }
    push(text, &format!("{indent}}}\n"));
}

fn push_mesh(text: &mut Vec<u8>, surface: &SurfaceFile, is_still: bool, materials: &str, indent: &str) {
    let faces: Vec<Face> = surface.face_list().collect();
    push(
        text,
        &format!("{indent}uniform token subdivisionScheme = \"none\"\n{indent}int[] faceVertexCounts = "),
    );
    push_integers(text, faces.iter().map(|face| face.corners as u32));
    push(text, &format!("\n{indent}int[] faceVertexIndices = "));
    push_integers(text, faces.iter().flat_map(|face| face.of(&surface.triangles)));
    push(text, "\n");
    if !surface.triangle_uvs.is_empty() {
        let uvs: Vec<[f32; 2]> = surface.uvs.iter().map(|uv| uv.map(|x| x as f32)).collect();
        let (name, kind) = ("primvars:st", "texCoord2f");
        push_corners(text, (name, kind, indent), &faces, uvs, &surface.triangle_uvs);
    }
    // Those of a surface that moves come after its points.
    if is_still && !surface.triangle_normals.is_empty() {
        let normals: Vec<[f32; 3]> = surface.normals.iter().map(|normal| normal.map(|x| x as f32)).collect();
        let (name, kind) = ("primvars:normals", "normal3f");
        push_corners(text, (name, kind, indent), &faces, normals, &surface.triangle_normals);
    }
    if surface.colours.len() == surface.positions.len() {
        let colours: Vec<[f32; 3]> = surface.colours.iter().map(|colour| colour.map(|x| x as f32)).collect();
        push(text, &format!("{indent}color3f[] primvars:displayColor = "));
        push_tuples(text, &colours);
        push(text, &format!(" (\n{indent}    interpolation = \"vertex\"\n{indent})\n"));
    }
    push_subsets(text, surface, &faces, materials, indent);
}

/// A primvar for every corner: values and indices. Faces that have none get a value of their own, 0.
fn push_corners<const N: usize>(
    text: &mut Vec<u8>,
    (name, kind, indent): (&str, &str, &str),
    faces: &[Face],
    mut values: Vec<[f32; N]>,
    table: &[Option<[u32; 3]>],
) {
    let none = values.len() as u32;
    let mut indices = Vec::new();
    for face in faces {
        match face.of_some(table) {
            Some(corners) => indices.extend(corners),
            None => indices.extend(std::iter::repeat_n(none, face.corners)),
        }
    }
    if indices.contains(&none) {
        values.push([0.0; N]);
    }
    push(text, &format!("{indent}{kind}[] {name} = "));
    push_tuples(text, &values);
    push(
        text,
        &format!(
            " (\n{indent}    interpolation = \"faceVarying\"\n{indent})\n{indent}int[] {name}:indices = "
        ),
    );
    push_integers(text, indices);
    push(text, "\n");
}

/// Materials as subsets of faces; groups as subsets of points, but those that are a material's.
fn push_subsets(text: &mut Vec<u8>, surface: &SurfaceFile, faces: &[Face], materials: &str, indent: &str) {
    let mut taken = HashSet::new();
    let mut written: Vec<(String, BTreeSet<u32>)> = Vec::new();
    for (material, name) in material_names(surface).into_iter().enumerate() {
        let has = |face: &Face| {
            surface.triangle_materials.get(face.triangle).copied().flatten() == Some(material as u32)
        };
        let members: Vec<usize> = (0..faces.len()).filter(|face| has(&faces[*face])).collect();
        if members.is_empty() {
            continue;
        }
        let vertices = members.iter().flat_map(|face| faces[*face].of(&surface.triangles)).collect();
        taken.insert(name.clone());
        push_subset(text, (&name, "face", indent), members.iter().map(|face| *face as u32), Some(materials));
        written.push((name, vertices));
    }
    for Group { name, members } in &surface.vertex_groups {
        let identifier = identifier(name);
        let is_same = |(known, vertices): &(String, BTreeSet<u32>)| {
            *known == identifier && vertices.iter().eq(members.iter())
        };
        if !written.iter().any(is_same) {
            let name = unique(identifier, &mut taken);
            push_subset(text, (&name, "point", indent), members.iter().copied(), None);
        }
    }
}

fn push_subset(
    text: &mut Vec<u8>,
    (name, kind, indent): (&str, &str, &str),
    members: impl IntoIterator<Item = u32>,
    materials: Option<&str>,
) {
    let schema = match materials {
        Some(_) => " (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n)",
        None => "",
    };
    push(text, &format!("{indent}def GeomSubset \"{name}\"{schema}\n{indent}{{\n"));
    push(text, &format!("{indent}    uniform token elementType = \"{kind}\"\n"));
    let family = if materials.is_some() { "materialBind" } else { "group" };
    push(text, &format!("{indent}    uniform token familyName = \"{family}\"\n{indent}    int[] indices = "));
    push_integers(text, members);
    push(text, "\n");
    if let Some(materials) = materials {
        push(text, &format!("{indent}    rel material:binding = <{materials}/{name}>\n"));
    }
    push(text, &format!("{indent}}}\n"));
}
