//! A mesh as a surface.

use crate::SurfaceFile;
use crate::group::Groups;

/// All of a mesh but its positions.
pub(super) fn read_surface(node: &ufbx::Node, mesh: &ufbx::Mesh) -> SurfaceFile {
    let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
    let mut surface = SurfaceFile::default();
    if mesh.vertex_uv.exists {
        surface.uvs = mesh.vertex_uv.values.iter().map(|uv| [finite(uv.x), finite(uv.y)]).collect();
    }
    // The library makes normals where there are none; those are not the file's.
    if mesh.vertex_normal.exists && !mesh.generated_normals {
        let normals = mesh.vertex_normal.values.iter();
        surface.normals = normals.map(|n| [finite(n.x), finite(n.y), finite(n.z)]).collect();
    }
    let materials = if !node.materials.is_empty() { &node.materials } else { &mesh.materials };
    surface.materials = materials.iter().map(|material| material.element.name.to_string()).collect();
    let mut groups = Groups::new(str::to_owned);
    let vertices = mesh.vertices.len() as u32;
    for (f, face) in mesh.faces.iter().enumerate() {
        let corners =
            face.index_begin as usize..(face.index_begin as usize).saturating_add(face.num_indices as usize);
        let list = |indices: &[u32], count: usize| -> Option<Vec<u32>> {
            let part = indices.get(corners.clone())?;
            part.iter().all(|index| (*index as usize) < count).then(|| part.to_vec())
        };
        let Some(of_face) = list(&mesh.vertex_indices, vertices as usize).filter(|list| list.len() >= 3)
        else {
            continue;
        };
        let uvs = list(&mesh.vertex_uv.indices, surface.uvs.len()).filter(|_| !surface.uvs.is_empty());
        let normals =
            list(&mesh.vertex_normal.indices, surface.normals.len()).filter(|_| !surface.normals.is_empty());
        let material = mesh.face_material.get(f).copied();
        let material = material.filter(|material| (*material as usize) < surface.materials.len());
        if let Some(material) = material.filter(|_| surface.materials.len() > 1) {
            let group = groups.named(&surface.materials[material as usize]);
            groups.members_mut(group).extend(&of_face);
        }
        let own = mesh.face_group.get(f).and_then(|group| mesh.face_groups.get(*group as usize));
        if let Some(own) = own.filter(|own| !own.name.is_empty()) {
            let group = groups.named(&own.name);
            groups.members_mut(group).extend(&of_face);
        }
        surface.push_face(&of_face, uvs.as_deref(), normals.as_deref(), material);
    }
    surface.finish_faces();
    surface.colours = read_colours(mesh);
    add_joints(mesh, &mut groups);
    surface.vertex_groups = groups.finish();
    surface
}

/// One colour for each vertex: that of its first corner.
fn read_colours(mesh: &ufbx::Mesh) -> Vec<[f64; 3]> {
    if !mesh.vertex_color.exists {
        return Vec::new();
    }
    let colour = |first: &u32| {
        let index = *mesh.vertex_color.indices.get(*first as usize)?;
        let colour = mesh.vertex_color.values.get(index as usize)?;
        Some([colour.x, colour.y, colour.z].map(|x| if x.is_finite() { x } else { 0.0 }))
    };
    mesh.vertex_first_index.iter().map(|first| colour(first).unwrap_or([0.0; 3])).collect()
}

/// The vertices that follow a joint are a group of its name.
fn add_joints(mesh: &ufbx::Mesh, groups: &mut Groups) {
    for cluster in mesh.skin_deformers.iter().flat_map(|skin| skin.clusters.iter()) {
        let Some(bone) = &cluster.bone_node else {
            continue;
        };
        let group = groups.named(&bone.element.name);
        let pairs = cluster.vertices.iter().zip(cluster.weights.iter());
        let members =
            pairs.filter(|(vertex, weight)| **weight > 0.0 && (**vertex as usize) < mesh.vertices.len());
        groups.members_mut(group).extend(members.map(|(vertex, _)| *vertex));
    }
}
