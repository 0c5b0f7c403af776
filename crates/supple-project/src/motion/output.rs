//! Motion on its way to a file, with what touches something beside it.

use super::{MotionError, Moving};
use crate::atomic;
use crate::body::{Body, Skin};
use std::path::{Path, PathBuf};
use supple_formats::{MotionSettings, MotionWriter, SurfaceFile, create_motion, write_contacts};
use supple_mesh::Vec3;
use supple_model::{Contact, Frame, FrameError, VertexId};

/// A motion file in the making, from positions of the body's vertices.
pub struct MotionOutput<'a> {
    writer: Box<dyn MotionWriter>,
    body: &'a Body,
    of: Moving,
    path: PathBuf,
    frames: usize,
    contacts: Vec<Contact>,
    /// Whether contacts are recorded at all.
    records_contacts: bool,
    /// What the positions handed in are those of.
    given: Moving,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// How many frames.
    pub frames: usize,
    /// How many contacts, and where, if they were recorded.
    pub contacts: Option<(PathBuf, usize)>,
}

impl<'a> MotionOutput<'a> {
    /// Begins a file of the motion of the body, or of its skin if it has one and that is asked for.
    ///
    /// # Errors
    /// An ending that is no motion's, a folder that cannot be written to; all name the file.
    pub fn create(
        path: &Path,
        body: &'a Body,
        of: Moving,
        (start, fps, frames): (Frame, f64, usize),
    ) -> Result<Self, MotionError> {
        let rest: Vec<[f64; 3]> = body.positions().iter().map(|p| (*p).into()).collect();
        let topology = surface_at(body, of, &rest);
        let settings = MotionSettings::new(topology.positions.len(), start, fps, frames);
        let writer = create_motion(path, settings, Some(&topology))?;
        let path = path.to_path_buf();
        Ok(Self {
            writer,
            body,
            of,
            path,
            frames: 0,
            contacts: Vec::new(),
            records_contacts: false,
            given: Moving::Body,
        })
    }

    /// Also writes `OUT.contacts.csv`, even when nothing touches anything.
    #[must_use]
    pub fn with_contacts(self) -> Self {
        Self { records_contacts: true, ..self }
    }

    /// Takes frames of the skin, not of the body.
    #[must_use]
    pub fn of_skin(self) -> Self {
        Self { given: Moving::Skin, ..self }
    }

    /// Takes the next frame: where the vertices of the body are, or those of the skin after
    /// [`Self::of_skin`], and what touches something.
    ///
    /// # Errors
    /// When it cannot be written.
    ///
    /// # Panics
    /// When there are not as many positions as vertices.
    pub fn write(&mut self, positions: &[[f64; 3]], contacts: &[Contact]) -> Result<(), FrameError> {
        match (self.of, &self.body.skin) {
            (Moving::Skin, Some(skin)) if self.given == Moving::Body => {
                self.writer.write(&carried(skin, self.body, positions))?;
            }
            _ => self.writer.write(positions)?,
        }
        self.frames += 1;
        self.contacts.extend_from_slice(contacts);
        Ok(())
    }

    /// How many frames were taken.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Puts the motion in place, as far as it came, and the contacts beside it.
    ///
    /// # Errors
    /// When no frame was taken, or a file cannot be written.
    pub fn finish(self) -> Result<Written, MotionError> {
        self.writer.finish()?;
        let mut contacts = None;
        if self.records_contacts {
            let mut file = self.path.into_os_string();
            file.push(".contacts.csv");
            let file = PathBuf::from(file);
            let mut bytes = Vec::new();
            write_contacts(&self.contacts, &mut bytes)
                .and_then(|()| atomic::replace(&file, &bytes))
                .map_err(|source| MotionError::Write { file: file.clone(), source })?;
            contacts = Some((file, self.contacts.len()));
        }
        Ok(Written { frames: self.frames, contacts })
    }
}

impl std::fmt::Debug for MotionOutput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MotionOutput")
            .field("path", &self.path)
            .field("frames", &self.frames)
            .finish_non_exhaustive()
    }
}

/// Where the vertices of a skin are when those of its body are at `positions`.
fn carried(skin: &Skin, body: &Body, positions: &[[f64; 3]]) -> Vec<[f64; 3]> {
    // Displacements, so that a body at rest leaves its skin where it is to the last bit.
    let moved: Vec<Vec3> = positions.iter().zip(body.positions()).map(|(p, x)| Vec3::from(*p) - x).collect();
    let mut of_skin = vec![Vec3::zeros(); skin.mesh.positions().len()];
    skin.embedding.displace(skin.mesh.positions(), &moved, &mut of_skin);
    of_skin.iter().map(|p| (*p).into()).collect()
}

/// The surface of a body, or its skin, when the body's vertices are at `positions`. That of the body keeps
/// all of its vertices in their order, inner ones too.
pub(crate) fn surface_at(body: &Body, of: Moving, positions: &[[f64; 3]]) -> SurfaceFile {
    let triangles = |list: &[[VertexId; 3]]| list.iter().map(|t| t.map(|v| v.0)).collect();
    match (of, &body.skin) {
        (Moving::Skin, Some(skin)) => SurfaceFile {
            positions: carried(skin, body, positions),
            triangles: triangles(skin.mesh.triangles()),
            ..SurfaceFile::default()
        },
        _ => SurfaceFile {
            positions: positions.to_vec(),
            triangles: triangles(&body.surface),
            ..SurfaceFile::default()
        },
    }
}
