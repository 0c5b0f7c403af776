//! Writing STL.

use super::HEADER;
use crate::SurfaceFile;
use std::io::{self, Write};

/// Writes a binary STL file. Reading it gives the same triangles with coordinates rounded to `f32`;
/// vertices that coincide become one, those of no triangle are lost, as are groups and texture
/// coordinates.
///
/// # Errors
/// Those of `out`; a coordinate beyond the range of `f32`, a corner that does not exist, or more
/// triangles than STL can count, as [`io::ErrorKind::InvalidInput`].
pub fn write_stl(file: &SurfaceFile, mut out: impl Write) -> io::Result<()> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
    let count = u32::try_from(file.triangles.len())
        .map_err(|_| invalid(format!("{} triangles are too many for STL", file.triangles.len())))?;
    // A text file begins with "solid", so the header does not.
    let mut header = [b' '; HEADER];
    header[..10].copy_from_slice(b"binary STL");
    out.write_all(&header)?;
    out.write_all(&count.to_le_bytes())?;
    for (t, triangle) in file.triangles.iter().enumerate() {
        let mut corners = [[0f32; 3]; 3];
        for (corner, &vertex) in corners.iter_mut().zip(triangle) {
            let position = file.positions.get(vertex as usize);
            let position =
                position.ok_or_else(|| invalid(format!("triangle {t}: vertex {vertex} does not exist")))?;
            *corner = position.map(|x| x as f32);
            if corner.iter().any(|x| !x.is_finite()) {
                return Err(invalid(format!("vertex {vertex} is out of the range of STL")));
            }
        }
        let mut record = Vec::with_capacity(super::TRIANGLE);
        for x in normal(corners).iter().chain(corners.as_flattened()) {
            record.extend(x.to_le_bytes());
        }
        record.extend([0; 2]);
        out.write_all(&record)?;
    }
    out.flush()
}

/// The unit normal, or 0 where the triangle has none.
fn normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let edge = |to: [f32; 3]| [0, 1, 2].map(|i| f64::from(to[i]) - f64::from(a[i]));
    let (u, v) = (edge(b), edge(c));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = cross.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() { cross.map(|x| (x / length) as f32) } else { [0.0; 3] }
}
