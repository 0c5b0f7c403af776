//! Writing PLY.

use crate::SurfaceFile;
use std::io::{self, Write};

/// Writes a PLY file, binary and little-endian, from which [`crate::read_ply`] reads the same
/// positions and triangles again, bit for bit.
///
/// Texture coordinates are kept where every vertex has its own; otherwise they are lost, as groups are.
///
/// # Errors
/// Those of `out`.
pub fn write_ply(file: &SurfaceFile, mut out: impl Write) -> io::Result<()> {
    let has_uvs = has_uv_per_vertex(file);
    writeln!(out, "ply\nformat binary_little_endian 1.0\nelement vertex {}", file.positions.len())?;
    let names: &[&str] = if has_uvs { &["x", "y", "z", "s", "t"] } else { &["x", "y", "z"] };
    for name in names {
        writeln!(out, "property double {name}")?;
    }
    writeln!(
        out,
        "element face {}\nproperty list uchar uint vertex_indices\nend_header",
        file.triangles.len()
    )?;
    for (v, position) in file.positions.iter().enumerate() {
        let uv = file.uvs.get(v).filter(|_| has_uvs).into_iter().flatten();
        for x in position.iter().chain(uv) {
            out.write_all(&x.to_le_bytes())?;
        }
    }
    for triangle in &file.triangles {
        out.write_all(&[3])?;
        for vertex in triangle {
            out.write_all(&vertex.to_le_bytes())?;
        }
    }
    out.flush()
}

fn has_uv_per_vertex(file: &SurfaceFile) -> bool {
    let own = |(triangle, uvs): (&[u32; 3], &Option<[u32; 3]>)| uvs.as_ref() == Some(triangle);
    !file.uvs.is_empty()
        && file.uvs.len() == file.positions.len()
        && file.triangles.len() == file.triangle_uvs.len()
        && file.triangles.iter().zip(&file.triangle_uvs).all(own)
}
