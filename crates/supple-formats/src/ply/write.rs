//! Writing PLY.

use crate::SurfaceFile;
use std::io::{self, Write};

/// Writes a PLY file, binary and little-endian, from which [`crate::read_ply`] reads the same
/// positions and triangles again, bit for bit.
///
/// Texture coordinates and normals are kept where every vertex has its own; otherwise they are lost, as groups
/// and materials are. Colours are bytes where they are whole parts of 255, else floats.
///
/// # Errors
/// Those of `out`.
pub fn write_ply(file: &SurfaceFile, mut out: impl Write) -> io::Result<()> {
    let has_uvs = is_per_vertex(file, file.uvs.len(), &file.triangle_uvs);
    let has_normals = is_per_vertex(file, file.normals.len(), &file.triangle_normals);
    let has_colours = !file.colours.is_empty() && file.colours.len() == file.positions.len();
    let bytes: Option<Vec<[u8; 3]>> = file.colours.iter().map(as_bytes).collect();
    writeln!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}", file.positions.len())?;
    let lists = [(true, "x y z"), (has_uvs, "s t"), (has_normals, "nx ny nz")];
    for name in lists.iter().filter(|(is_there, _)| *is_there).flat_map(|(_, names)| names.split(' ')) {
        writeln!(out, "property double {name}")?;
    }
    let kind = if bytes.is_some() { "uchar" } else { "float" };
    for name in ["red", "green", "blue"].iter().filter(|_| has_colours) {
        writeln!(out, "property {kind} {name}")?;
    }
    let is_short = file.polygons.iter().all(|corners| *corners < 256);
    let length = if is_short { "uchar" } else { "uint" };
    writeln!(out, "element face {}\nproperty list {length} uint vertex_indices\nend_header", file.faces())?;
    for (v, position) in file.positions.iter().enumerate() {
        let uv = file.uvs.get(v).filter(|_| has_uvs).into_iter().flatten();
        let normal = file.normals.get(v).filter(|_| has_normals).into_iter().flatten();
        for x in position.iter().chain(uv).chain(normal) {
            out.write_all(&x.to_le_bytes())?;
        }
        match &bytes {
            _ if !has_colours => {}
            Some(bytes) => out.write_all(&bytes[v])?,
            None => file.colours[v].iter().try_for_each(|x| out.write_all(&(*x as f32).to_le_bytes()))?,
        }
    }
    for face in file.face_list() {
        match is_short {
            true => out.write_all(&[face.corners as u8])?,
            false => out.write_all(&(face.corners as u32).to_le_bytes())?,
        }
        for vertex in face.of(&file.triangles) {
            out.write_all(&vertex.to_le_bytes())?;
        }
    }
    out.flush()
}

/// A colour as bytes, where that loses nothing.
fn as_bytes(colour: &[f64; 3]) -> Option<[u8; 3]> {
    let bytes = colour.map(|x| (x * 255.0).round() as u8);
    bytes.iter().zip(colour).all(|(byte, x)| (f64::from(*byte) / 255.0 - x).abs() < 1e-6).then_some(bytes)
}

fn is_per_vertex(file: &SurfaceFile, count: usize, table: &[Option<[u32; 3]>]) -> bool {
    let own = |(triangle, entry): (&[u32; 3], &Option<[u32; 3]>)| entry.as_ref() == Some(triangle);
    count > 0
        && count == file.positions.len()
        && file.triangles.len() == table.len()
        && file.triangles.iter().zip(table).all(own)
}
