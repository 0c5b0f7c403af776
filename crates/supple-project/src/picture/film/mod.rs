//! A motion to be drawn: a surface frame by frame, of a shot before and after its edit or of a file alone.
//!
//! Frames are read one at a time. What a picture of many frames has to know beforehand (where the camera must look,
//! how far the colours reach, the ways of points) is found by one walk over them, [`Film::survey`].

mod error;
mod survey;

pub use error::FilmError;
pub use survey::{Survey, Wanted};

use super::{Colouring, Drawn, Picture, strain};
use crate::body::Body;
use crate::contacts::{ContactPoint, Contacts};
use crate::edit::{EditReport, Editor, HandleMark};
use crate::import::{MotionFile, Source};
use crate::motion::{Detail, InputMotion, Moving};
use crate::shot::Shot;
use crate::{Cache, CacheWarning};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Frame, FrameSource, Progress, VertexId};

/// Before or after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The motion as it came.
    Input,
    /// The edited motion.
    Output,
}

/// A motion file, opened to be drawn.
struct FilmFile {
    frames: Box<dyn FrameSource>,
    triangles: Vec<[u32; 3]>,
    first: Vec<Vec3>,
}

enum Reel {
    Edit { editor: Box<Editor>, report: Box<EditReport>, detail: Option<Detail> },
    Input { body: Arc<Body>, motion: Box<InputMotion>, contacts: Contacts, detail: Option<Detail> },
    File(FilmFile),
}

/// A motion to be drawn.
pub struct Film {
    /// The scene's number of the first frame.
    pub start: Frame,
    /// How many there are.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// What was wrong with the cache on the way, if anything.
    pub warnings: Vec<CacheWarning>,
    drawn: Drawn,
    reel: Reel,
}

impl Film {
    /// The input motion of a shot; `contacts` says whether its contacts are wanted.
    ///
    /// # Errors
    /// See [`FilmError`].
    pub fn of_input(
        shot: &Shot,
        body: Arc<Body>,
        cache: &Cache,
        (drawn, contacts): (Drawn, bool),
        progress: &Progress,
    ) -> Result<Self, FilmError> {
        let mut motion = InputMotion::open(shot, &body, cache, progress)?;
        if motion.of == Moving::Skin && drawn == Drawn::Body {
            return Err(FilmError::SkinOnly);
        }
        let detail = if motion.of == Moving::Body { Detail::of(shot, &body)? } else { None };
        let contacts = match contacts {
            true => Contacts::gather(shot, &body, &mut motion, progress)?,
            false => Contacts::default(),
        };
        let warnings = std::mem::take(&mut motion.warnings);
        let (start, frames, fps) = (motion.start, motion.frames, motion.fps);
        let reel = Reel::Input { body, motion: Box::new(motion), contacts, detail };
        Ok(Self { start, frames, fps, warnings, drawn, reel })
    }

    /// The motion of a shot before and after its edit, which is found first.
    ///
    /// # Errors
    /// See [`FilmError`].
    pub fn of_edit(
        shot: &Shot,
        body: Arc<Body>,
        cache: &Cache,
        drawn: Drawn,
        progress: &Progress,
    ) -> Result<Self, FilmError> {
        let detail = Detail::of(shot, &body)?;
        let mut editor = Editor::open(shot, body, cache, &progress.part(0.0, 0.7))?;
        if editor.moving() == Moving::Skin && drawn == Drawn::Body {
            return Err(FilmError::SkinOnly);
        }
        let report = editor.release(&progress.part(0.7, 1.0))?;
        let warnings = std::mem::take(&mut editor.warnings);
        let (start, frames, fps) = (editor.start(), editor.frames(), editor.fps());
        let detail = detail.filter(|_| editor.moving() == Moving::Body);
        let reel = Reel::Edit { editor: Box::new(editor), report: Box::new(report), detail };
        Ok(Self { start, frames, fps, warnings, drawn, reel })
    }

    /// The motion in a file, in metres with y up. Displacement and strain are told from its first frame.
    ///
    /// # Errors
    /// See [`FilmError`].
    pub fn of_file(file: &MotionFile) -> Result<Self, FilmError> {
        let source = Source::open(file)?;
        let triangles = source.object().surface.triangles.clone();
        let (start, fps) = (source.start(), source.fps());
        let mut frames = source.into_frames();
        let mut first = vec![[0.0; 3]; frames.vertices()];
        frames.read(0, &mut first)?;
        let first = first.into_iter().map(Vec3::from).collect();
        let count = frames.frames();
        let reel = Reel::File(FilmFile { frames: Box::new(frames), triangles, first });
        Ok(Self { start, frames: count, fps, warnings: Vec::new(), drawn: Drawn::Skin, reel })
    }

    /// What the edit came to; `None` where nothing is edited.
    #[must_use]
    pub fn report(&self) -> Option<&EditReport> {
        match &self.reel {
            Reel::Edit { report, .. } => Some(report),
            _ => None,
        }
    }

    /// The editor, where there is an edit.
    #[must_use]
    pub fn editor(&self) -> Option<&Editor> {
        match &self.reel {
            Reel::Edit { editor, .. } => Some(editor),
            _ => None,
        }
    }

    /// The number of a frame counted from 0.
    #[must_use]
    pub fn number(&self, index: usize) -> i32 {
        self.start.0.saturating_add_unsigned(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The place of a frame in the motion.
    ///
    /// # Errors
    /// When it has no such frame.
    pub fn index(&self, frame: Frame) -> Result<usize, FilmError> {
        let index = i64::from(frame.0) - i64::from(self.start.0);
        usize::try_from(index).ok().filter(|index| *index < self.frames).ok_or_else(|| {
            let (first, last) = (self.start.0, self.number(self.frames.saturating_sub(1)));
            FilmError::NoFrame { frame, first, last }
        })
    }

    /// The points of what moves at a frame.
    fn points(&mut self, index: usize, side: Side) -> Result<(Moving, Vec<[f64; 3]>), FilmError> {
        match &mut self.reel {
            Reel::Edit { editor, .. } => {
                let mut positions = vec![[0.0; 3]; editor.rest().len()];
                match side {
                    Side::Output => editor.frame(index, &mut positions),
                    Side::Input => {
                        let u = editor.motion().frame(index).displacement().chunks_exact(3);
                        for ((out, x), u) in positions.iter_mut().zip(editor.rest()).zip(u) {
                            *out = (x + Vec3::from_column_slice(u)).into();
                        }
                    }
                }
                Ok((editor.moving(), positions))
            }
            Reel::Input { motion, .. } => {
                let mut positions = vec![[0.0; 3]; motion.vertices()];
                motion.read(index, &mut positions)?;
                Ok((motion.of, positions))
            }
            Reel::File(file) => {
                let mut positions = vec![[0.0; 3]; file.first.len()];
                file.frames.read(index, &mut positions)?;
                Ok((Moving::Skin, positions))
            }
        }
    }

    /// The surface at a frame, counted from 0.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn picture(
        &mut self,
        index: usize,
        side: Side,
        colouring: Option<Colouring>,
    ) -> Result<Picture, FilmError> {
        let (of, points) = self.points(index, side)?;
        let mut picture = self.surface(index, side, of, &points)?;
        if let Some(colouring) = colouring {
            let values = self.values(index, colouring, of, &points, &picture)?;
            picture.scalars = Some((values, colouring.label()));
        }
        Ok(picture)
    }

    fn surface(
        &mut self,
        index: usize,
        side: Side,
        of: Moving,
        points: &[[f64; 3]],
    ) -> Result<Picture, FilmError> {
        let drawn = self.drawn;
        let (body, detail, before) = match &mut self.reel {
            Reel::Edit { editor, detail, .. } => {
                let before = editor.motion().frame(index).displacement().to_vec();
                (editor.body().clone(), detail, before)
            }
            Reel::Input { body, detail, .. } => (body.clone(), detail, displacement(body, points)),
            Reel::File(file) => {
                let positions = points.iter().map(|p| Vec3::from(*p)).collect();
                let triangles: Vec<[VertexId; 3]> = file.triangles.iter().map(|t| t.map(VertexId)).collect();
                return Ok(Picture::new(positions, &triangles));
            }
        };
        match (&body.skin, detail, drawn) {
            (Some(skin), Some(detail), Drawn::Skin) => {
                let after = match side {
                    Side::Input => before.clone(),
                    Side::Output => displacement(&body, points),
                };
                let places = detail.skin(index, skin, &before, &after)?;
                Ok(Picture::of_frame(&body, Moving::Skin, Drawn::Skin, places))
            }
            _ => Ok(Picture::of_frame(&body, of, drawn, points)),
        }
    }

    /// What the colours of the surface say.
    fn values(
        &mut self,
        index: usize,
        colouring: Colouring,
        of: Moving,
        points: &[[f64; 3]],
        picture: &Picture,
    ) -> Result<Vec<f64>, FilmError> {
        let apart = |from: &[Vec3]| picture.positions.iter().zip(from).map(|(a, b)| (a - b).norm()).collect();
        if colouring == Colouring::Edit {
            let before = self.picture(index, Side::Input, None)?;
            return Ok(apart(&before.positions));
        }
        let body = match &self.reel {
            Reel::Edit { editor, .. } => editor.body(),
            Reel::Input { body, .. } => body,
            Reel::File(file) if colouring == Colouring::Displacement => return Ok(apart(&file.first)),
            Reel::File(file) => {
                return Ok(strain::of_surface(&file.first, &picture.positions, &picture.corners()));
            }
        };
        let rest = Picture::of_body(body, self.drawn);
        match (colouring, of) {
            (Colouring::Strain, Moving::Body) => {
                let places: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
                let norms = strain::of_body(body, &places);
                Ok(match (&body.skin, self.drawn) {
                    (Some(skin), Drawn::Skin) => strain::on_skin(skin, &norms),
                    _ => norms,
                })
            }
            (Colouring::Strain, Moving::Skin) => {
                Ok(strain::of_surface(&rest.positions, &picture.positions, &picture.corners()))
            }
            _ => Ok(apart(&rest.positions)),
        }
    }

    /// Where the vertices of the surface are at a frame, counted from 0.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn places(&mut self, index: usize, side: Side) -> Result<Vec<Vec3>, FilmError> {
        Ok(self.picture(index, side, None)?.positions)
    }

    /// The vertex of the surface that the edit moves farthest at the frame of its first handle; without an edit, the one
    /// that is farthest from where it began in the middle of the motion.
    ///
    /// # Errors
    /// When a frame cannot be read.
    pub fn busiest(&mut self) -> Result<VertexId, FilmError> {
        let first = self.report().and_then(|report| report.handles.first()).map(|handle| Frame(handle.frame));
        let (now, then) = match first {
            Some(frame) => {
                let index = self.index(frame)?;
                (self.places(index, Side::Output)?, self.places(index, Side::Input)?)
            }
            None => (self.places(self.frames / 2, Side::Input)?, self.places(0, Side::Input)?),
        };
        let moved = now.iter().zip(&then).map(|(a, b)| (a - b).norm_squared()).enumerate();
        Ok(VertexId::new(moved.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(v, _)| v)))
    }

    /// What handles hold at a frame, counted from 0; nothing where nothing is edited.
    #[must_use]
    pub fn handles(&self, index: usize) -> Vec<HandleMark> {
        self.editor().map(|editor| editor.marks(index)).unwrap_or_default()
    }

    /// Where what moves touches something at a frame, and the normal there.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn contacts(&mut self, index: usize, side: Side) -> Result<Vec<[Vec3; 2]>, FilmError> {
        let found: Vec<ContactPoint> = match &self.reel {
            Reel::Edit { editor, .. } => editor.contacts().at(index).to_vec(),
            Reel::Input { contacts, .. } => contacts.at(index).to_vec(),
            Reel::File(_) => return Ok(Vec::new()),
        };
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let (_, points) = self.points(index, side)?;
        Ok(found.iter().map(|contact| [points[contact.vertex().index()].into(), contact.normal]).collect())
    }
}

fn displacement(body: &Body, points: &[[f64; 3]]) -> Vec<f64> {
    points.iter().zip(body.positions()).flat_map(|(p, x)| <[f64; 3]>::from(Vec3::from(*p) - x)).collect()
}

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film")
            .field("start", &self.start)
            .field("frames", &self.frames)
            .finish_non_exhaustive()
    }
}
