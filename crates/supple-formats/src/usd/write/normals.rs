//! Normals over time. They come after all points but are made with them: a file of their own keeps them until then.
//!
//! Where every vertex has one they are `normals`; where some have several, `primvars:normals` with indices for the
//! corners, which is a part of the size. Of the two, readers take the primvar.

use super::numbers::{push_directions, push_integers};
use crate::SurfaceFile;
use crate::motion::folder_of;
use crate::normals::MovingNormals;
use crate::scene::{CornerOrder, Transform};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

const PRIMVAR: &str = "primvars:normals";

/// Under which name a file gets normals that has these attributes.
pub(super) fn name_of(normals: &MovingNormals, known: &[String]) -> &'static str {
    let is_primvar = !normals.is_per_vertex() || known.iter().any(|name| name == PRIMVAR);
    if is_primvar { PRIMVAR } else { "normals" }
}

pub(super) struct NormalSamples {
    normals: MovingNormals,
    file: File,
    /// Where the next frame goes.
    at: u64,
    /// What is said before the frames.
    head: Vec<u8>,
    buffer: Vec<u8>,
    turned: Vec<[f32; 3]>,
}

impl NormalSamples {
    /// Begins those of a file at `path`, whose faces have their corners in this order.
    pub fn new(
        path: &Path,
        name: &str,
        normals: MovingNormals,
        order: CornerOrder,
        indent: &str,
    ) -> io::Result<Self> {
        let interpolation = if normals.is_per_vertex() { "vertex" } else { "faceVarying" };
        let mut head = format!(
            "{indent}normal3f[] {name} (\n{indent}    interpolation = \"{interpolation}\"\n{indent})\n"
        )
        .into_bytes();
        if name == PRIMVAR {
            head.extend(format!("{indent}int[] {name}:indices = ").bytes());
            if normals.is_per_vertex() {
                head.extend(b"None");
            } else {
                push_integers(&mut head, corners(normals.surface(), order));
            }
            head.push(b'\n');
        }
        head.extend(format!("{indent}normal3f[] {name}.timeSamples = {{\n").bytes());
        let file = tempfile::tempfile_in(folder_of(path))?;
        Ok(Self {
            normals: normals.without_rest(),
            file,
            at: 0,
            head,
            buffer: Vec::new(),
            turned: Vec::new(),
        })
    }

    /// Keeps the normals of a frame, of an object that this places in the world; [`Self::accept`] ends it.
    ///
    /// With n·(q − p) = 0 in the world and q − p = M (q′ − p′), the normal of the object is Mᵀ n.
    pub fn keep(&mut self, begin: &str, positions: &[[f64; 3]], placement: &Transform) -> io::Result<()> {
        let normals = self.normals.at(positions);
        self.buffer.clear();
        self.buffer.extend(begin.bytes());
        if *placement == Transform::IDENTITY {
            push_directions(&mut self.buffer, normals);
        } else {
            let back = |n: &[f32; 3]| placement.normal_back(n.map(f64::from)).map(|x| x as f32);
            self.turned.clear();
            self.turned.extend(normals.iter().map(back));
            push_directions(&mut self.buffer, &self.turned);
        }
        self.buffer.extend(b",\n");
        self.file.seek(SeekFrom::Start(self.at))?;
        self.file.write_all(&self.buffer)
    }

    /// The frame that was kept is one of the file.
    pub fn accept(&mut self) {
        self.at += self.buffer.len() as u64;
    }

    /// Appends all frames to a file. How many bytes.
    pub fn append_to(mut self, file: &mut File) -> io::Result<u64> {
        self.file.set_len(self.at)?;
        self.file.seek(SeekFrom::Start(0))?;
        file.write_all(&self.head)?;
        io::copy(&mut self.file, file).map(|bytes| bytes + self.head.len() as u64)
    }
}

/// The normals of all corners, as they stand in the file.
fn corners(surface: &SurfaceFile, order: CornerOrder) -> Vec<u32> {
    let mut corners = Vec::new();
    for face in surface.face_list() {
        let begin = corners.len();
        corners.extend(face.of_all(&surface.triangle_normals));
        if order == CornerOrder::Turned {
            corners[begin + 1..].reverse();
        }
    }
    corners
}
