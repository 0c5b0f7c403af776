//! Reading PLY.

use super::header::{Element, Header, Property};
use crate::source::{Scalar, Source};
use crate::{FormatError, Problem, SurfaceFile};

/// Reads a PLY file, text or binary. Its vertices keep their numbers.
///
/// # Errors
/// A header out of order, vertices without `x`, `y` and `z`, faces without a list of vertices,
/// another number of rows than announced, a coordinate that is not a finite number, a face with fewer
/// than 3 corners, a corner that does not exist, triangle strips, a file without vertices.
pub fn read_ply(bytes: &[u8]) -> Result<SurfaceFile, FormatError> {
    let mut source = Source::new(bytes);
    let header = Header::read(&mut source)?;
    if header.element("tristrips").is_some() && header.element("face").is_none() {
        return Err(FormatError::whole_file(Problem::Unsupported("a surface of triangle strips".to_owned())));
    }
    let vertices = header.element("vertex").map_or(0, |vertices| vertices.count);
    if vertices == 0 {
        return Err(FormatError::whole_file(Problem::Empty("vertices")));
    }
    source.set_encoding(header.encoding);
    let mut file = SurfaceFile::default();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(&mut source, element, &mut file)?,
            "face" => read_faces(&mut source, element, vertices, &mut file)?,
            _ => skip_element(&mut source, element)?,
        }
    }
    source.end_file()?;
    file.finish_faces();
    let per_vertex: Vec<Option<[u32; 3]>> = file.triangles.iter().copied().map(Some).collect();
    if !file.uvs.is_empty() {
        file.triangle_uvs.clone_from(&per_vertex);
    }
    if !file.normals.is_empty() {
        file.triangle_normals = per_vertex;
    }
    Ok(file)
}

/// The index of the property with one of these names, unless it is a list.
fn number_named(element: &Element, names: &[&str]) -> Option<usize> {
    element.properties.iter().position(|p| p.list.is_none() && names.contains(&p.name.as_str()))
}

fn read_vertices(
    source: &mut Source<'_>,
    element: &Element,
    file: &mut SurfaceFile,
) -> Result<(), FormatError> {
    let missing = FormatError::whole_file(Problem::Empty("x, y and z among the properties of its vertices"));
    let [Some(x), Some(y), Some(z)] = ["x", "y", "z"].map(|name| number_named(element, &[name])) else {
        return Err(missing);
    };
    let together = |names: &[&[&str]]| {
        names.iter().map(|names| number_named(element, names)).collect::<Option<Vec<usize>>>()
    };
    let uv = together(&[&["s", "u", "texture_u"], &["t", "v", "texture_v"]]);
    let normal = together(&[&["nx"], &["ny"], &["nz"]]);
    let colour = together(&[&["red", "r"], &["green", "g"], &["blue", "b"]]);
    let mut is_used = vec![false; element.properties.len()];
    for property in
        [x, y, z].into_iter().chain([&uv, &normal, &colour].into_iter().flatten().flatten().copied())
    {
        is_used[property] = true;
    }
    // Whole numbers count from black, 0, to the largest of their type.
    let full = |property: usize| element.properties[property].scalar.largest().unwrap_or(1.0);
    let mut values = vec![0.0; element.properties.len()];
    for _ in 0..element.count {
        source.begin_row("the announced properties of a vertex");
        for (i, property) in element.properties.iter().enumerate() {
            if is_used[i] {
                values[i] = source.number(property.scalar)?;
            } else {
                skip_property(source, property)?;
            }
        }
        source.end_row()?;
        file.positions.push([values[x], values[y], values[z]]);
        file.uvs.extend(uv.as_deref().map(|uv| [values[uv[0]], values[uv[1]]]));
        file.normals.extend(normal.as_deref().map(|n| [values[n[0]], values[n[1]], values[n[2]]]));
        file.colours.extend(colour.as_deref().map(|c| [0, 1, 2].map(|i| values[c[i]] / full(c[i]))));
    }
    Ok(())
}

fn read_faces(
    source: &mut Source<'_>,
    element: &Element,
    vertices: u64,
    file: &mut SurfaceFile,
) -> Result<(), FormatError> {
    let is_corners =
        |p: &Property| p.list.is_some() && (p.name == "vertex_indices" || p.name == "vertex_index");
    let Some(corners_at) = element.properties.iter().position(is_corners) else {
        return Err(FormatError::whole_file(Problem::Empty("list of vertex_indices in its faces")));
    };
    let mut corners = Vec::new();
    for _ in 0..element.count {
        source.begin_row("the announced properties of a face");
        for (i, property) in element.properties.iter().enumerate() {
            match property.list {
                Some(length) if i == corners_at => {
                    let types = (length, property.scalar);
                    read_corners(source, types, vertices, &mut corners)?;
                }
                _ => skip_property(source, property)?,
            }
        }
        source.end_row()?;
        file.push_face(&corners, None, None, None);
    }
    Ok(())
}

/// Reads the corners of a face, of which there are at least 3, as a length and a list of these types.
fn read_corners(
    source: &mut Source<'_>,
    (length, item): (Scalar, Scalar),
    vertices: u64,
    corners: &mut Vec<u32>,
) -> Result<(), FormatError> {
    corners.clear();
    let count = source.count(length)?;
    if count < 3 {
        let (expected, found) = ("at least 3 corners".to_owned(), count.to_string());
        return Err(source.error(Problem::Expected { expected, found }));
    }
    for _ in 0..count {
        let number = source.integer(item)?;
        let vertex = u32::try_from(number).ok().filter(|&vertex| u64::from(vertex) < vertices);
        corners.push(vertex.ok_or_else(|| {
            let count = usize::try_from(vertices).unwrap_or(usize::MAX);
            source.error(Problem::NoSuchNumber { what: "vertex", number, count, first: 0 })
        })?);
    }
    Ok(())
}

fn skip_element(source: &mut Source<'_>, element: &Element) -> Result<(), FormatError> {
    // Without properties a row takes no space, so there is nothing to pass over, whatever the count.
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        source.begin_row("the announced properties of an element");
        for property in &element.properties {
            skip_property(source, property)?;
        }
        source.end_row()?;
    }
    Ok(())
}

fn skip_property(source: &mut Source<'_>, property: &Property) -> Result<(), FormatError> {
    let count = match property.list {
        Some(length) => source.count(length)?,
        None => 1,
    };
    source.skip(property.scalar, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_is_skipped() {
        let file = read_ply(
            b"ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info x\r\nelement camera 1\r\nproperty list uchar float view\r\n\
              property int id\r\nelement nothing 4000000000\r\nelement vertex 5\r\nproperty float quality\r\nproperty double y\r\n\
              property int x\r\nproperty uchar z\r\nelement face 2\r\nproperty uchar flag\r\n\
              property list uchar uint vertex_index\r\nproperty list uchar float texcoord\r\nend_header\r\n\
              3 0.5 nan 1 7\r\nnan 0 0 0\r\n0 0 1 0\r\n0 1.5 1 0\r\n0 1 0 0\r\n0 2 -2 255\r\n\
              1 3 0 1 2 2 .5 .5\r\n0 4 3 2 1 4 0\r\n",
        )
        .unwrap();
        assert_eq!(file.positions[2], [1.0, 1.5, 0.0]);
        assert_eq!(file.positions[4], [-2.0, 2.0, 255.0]);
        assert_eq!(file.triangles, [[0, 1, 2], [3, 2, 1], [3, 1, 4]]);
        assert!(file.uvs.is_empty() && file.triangle_uvs.is_empty());
    }

    #[test]
    fn vertices_may_have_texture_coordinates() {
        let file = read_ply(
            b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
              property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
              0 0 0 0.25 0.5\n1 0 0 0 0\n0 1 0 1 1\n3 2 1 0\n",
        )
        .unwrap();
        assert_eq!(file.uvs, [[0.25, 0.5], [0.0, 0.0], [1.0, 1.0]]);
        assert_eq!(file.triangle_uvs, [Some([2, 1, 0])]);
    }
}
