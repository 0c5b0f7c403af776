//! Writing glTF: one mesh, still, or with a morph target for every frame but the first.

mod document;
mod layout;
mod writer;

use crate::SurfaceFile;
use document::Contents;
use layout::{Layout, Normals};
use std::io::{self, Write};

pub(crate) use writer::GltfWriter;

/// Writes a `.glb` of one mesh that does not move. Polygons become triangles; vertices are split where texture
/// coordinates or normals differ, and [`crate::open_scene`] joins them again; groups are lost.
///
/// # Errors
/// Those of `out`, and more bytes than the 4 GiB a `.glb` can hold.
pub fn write_glb(surface: &SurfaceFile, name: &str, mut out: impl Write) -> io::Result<()> {
    let layout = Layout::new(surface, Normals::Fixed);
    let mut bytes = layout.bytes.clone();
    let points: Vec<[f32; 3]> = surface.positions.iter().map(|p| p.map(|x| x as f32)).collect();
    layout.push_points(&points, &mut bytes);
    let contents = Contents { bounds: vec![layout::bounds(&points)], ..Contents::still(name) };
    let mut json = contents.json(&layout, None).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = u32::try_from(28 + json.len() + bytes.len());
    let length = length.map_err(|_| io::Error::other("a .glb ends at 4 GiB"))?;
    out.write_all(b"glTF")?;
    for number in [2, length, json.len() as u32] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    out.write_all(&(bytes.len() as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    out.write_all(&bytes)?;
    out.flush()
}
