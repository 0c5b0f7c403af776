//! A motion to be drawn: a surface frame by frame, of a shot before and after its edit or of a file alone.
//!
//! Frames are read one at a time. What a picture of many frames has to know beforehand (where the camera must look,
//! how far the colours reach, the ways of points) is found by one walk over them, [`Film::survey`].

mod error;
mod survey;

pub use error::FilmError;
pub use survey::{Survey, Wanted};

use super::{Colouring, Drawn, Picture, strain};
use crate::Cache;
use crate::body::Body;
use crate::contacts::{ContactPoint, Contacts};
use crate::method::drag::HandleMark;
use crate::method::{self, Method, Report, Side};
use crate::motion::{Detail, InputMotion, Moving};
use crate::shot::{Ends, Shot, advice};
use crate::source::{MotionFile, Source};
use crate::subject::Subject;
use std::sync::Arc;
use supple_mesh::{Vec3, displacement};
use supple_model::{Clock, Frame, FrameSource, Progress, VertexId};

/// A motion file, opened to be drawn.
struct FilmFile {
    frames: Box<dyn FrameSource>,
    triangles: Vec<[u32; 3]>,
    first: Vec<Vec3>,
}

enum Reel {
    Edit { method: Box<dyn Method>, report: Box<Report>, detail: Option<Detail> },
    Input { body: Arc<Body>, motion: Box<InputMotion>, contacts: Contacts, detail: Option<Detail> },
    File(FilmFile),
}

/// A motion to be drawn.
pub struct Film {
    /// When its frames are.
    pub clock: Clock,
    /// What was wrong with the cache on the way, if anything.
    pub warnings: Vec<String>,
    drawn: Drawn,
    /// Whether its method edits anything: that of a character is opened to move it, too.
    is_edited: bool,
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
        let warnings = motion.warnings.iter().map(ToString::to_string).collect();
        let clock = motion.clock;
        let reel = Reel::Input { body, motion: Box::new(motion), contacts, detail };
        Ok(Self { clock, warnings, drawn, is_edited: false, reel })
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
        let method = method::open(shot, body, cache, &progress.part(0.0, 0.7))?;
        Self::of_method(method, detail, drawn, &progress.part(0.7, 1.0))
    }

    /// The motion of a character, before its edit or also after it, which is found first.
    ///
    /// # Errors
    /// See [`FilmError`].
    pub fn of_character(
        shot: &Shot,
        cache: &Cache,
        is_edited: bool,
        progress: &Progress,
    ) -> Result<Self, FilmError> {
        let mut shot = shot.clone();
        if !is_edited {
            (shot.edit.handles, shot.edit.ends) = (Vec::new(), Ends::default());
        }
        let method = method::open_shot(&shot, cache, &progress.part(0.0, 0.3))?;
        let film = Self::of_method(method, None, Drawn::Bones, &progress.part(0.3, 1.0))?;
        Ok(Self { is_edited, ..film })
    }

    /// The motion that a method was opened on, before and after its edit, which is found first; with what the skin has
    /// beyond a body that follows it.
    ///
    /// # Errors
    /// See [`FilmError`].
    pub fn of_method(
        mut method: Box<dyn Method>,
        detail: Option<Detail>,
        drawn: Drawn,
        progress: &Progress,
    ) -> Result<Self, FilmError> {
        let moving = method.about().moving;
        if moving == Moving::Skin && drawn == Drawn::Body {
            return Err(FilmError::SkinOnly);
        }
        let report = method.solve(progress, &mut |_| Ok(()))?;
        let clock = method.about().clock;
        let warnings = method.about().warnings.iter().map(ToString::to_string).collect();
        let detail = detail.filter(|_| moving == Moving::Body);
        let reel = Reel::Edit { method, report: Box::new(report), detail };
        Ok(Self { clock, warnings, drawn, is_edited: true, reel })
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
        let clock = Clock { start, frames: frames.frames(), fps };
        let reel = Reel::File(FilmFile { frames: Box::new(frames), triangles, first });
        Ok(Self { clock, warnings: Vec::new(), drawn: Drawn::Skin, is_edited: false, reel })
    }

    /// What the edit came to; `None` where nothing is edited.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        match &self.reel {
            Reel::Edit { report, .. } if self.is_edited => Some(report),
            _ => None,
        }
    }

    /// The method that edits it, where there is an edit.
    #[must_use]
    pub fn method(&self) -> Option<&dyn Method> {
        match &self.reel {
            Reel::Edit { method, .. } if self.is_edited => Some(method.as_ref()),
            _ => None,
        }
    }

    /// What moves; a file has nothing but a surface.
    fn subject(&self) -> Option<&dyn Subject> {
        match &self.reel {
            Reel::Edit { method, .. } => Some(method.about().subject),
            Reel::Input { body, .. } => Some(body),
            Reel::File(_) => None,
        }
    }

    /// Whether it is of a character: what one sees are its bones.
    #[must_use]
    pub fn has_bones(&self) -> bool {
        self.subject().is_some_and(|subject| !subject.joints().is_empty())
    }

    /// The vertex of the surface that is at a joint.
    ///
    /// # Errors
    /// When there is none; names the joint that was meant.
    pub fn at_joint(&self, joint: &str) -> Result<VertexId, FilmError> {
        let found = self.subject().and_then(|subject| subject.point_of(joint));
        found.ok_or_else(|| {
            let known = self.subject().map(|subject| subject.joints()).unwrap_or_default();
            let advice = match known.is_empty() {
                true => "only a character has joints; name vertices by their numbers".to_owned(),
                false => advice(joint, &known),
            };
            FilmError::NoJoint { joint: joint.to_owned(), advice }
        })
    }

    /// The place of a frame in the motion.
    ///
    /// # Errors
    /// When it has no such frame.
    pub fn index(&self, frame: Frame) -> Result<usize, FilmError> {
        let (first, last) = self.clock.span();
        self.clock.index(frame).ok_or(FilmError::NoFrame { frame, first, last })
    }

    /// The points of what moves at a frame.
    fn points(&mut self, index: usize, side: Side) -> Result<(Moving, Vec<[f64; 3]>), FilmError> {
        match &mut self.reel {
            Reel::Edit { method, .. } => {
                let mut positions = vec![[0.0; 3]; method.about().rest.len()];
                method.frame(side, index, &mut positions);
                Ok((method.about().moving, positions))
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
        let (subject, detail, input): (Arc<dyn Subject>, _, _) = match &mut self.reel {
            Reel::Edit { method, detail, .. } => {
                let mut input = vec![[0.0; 3]; method.about().rest.len()];
                method.frame(Side::Input, index, &mut input);
                (method.about().subject.clone(), detail, input)
            }
            Reel::Input { body, detail, .. } => (body.clone(), detail, points.to_vec()),
            Reel::File(file) => {
                let positions = points.iter().map(|p| Vec3::from(*p)).collect();
                let triangles: Vec<[VertexId; 3]> = file.triangles.iter().map(|t| t.map(VertexId)).collect();
                return Ok(Picture::new(positions, &triangles));
            }
        };
        match (subject.skin(), detail, drawn) {
            (Some(skin), Some(detail), Drawn::Skin) => {
                let before = displacement(&input, subject.positions());
                let after = match side {
                    Side::Input => before.clone(),
                    Side::Output => displacement(points, subject.positions()),
                };
                let places = detail.skin(index, skin, &before, &after)?;
                Ok(Picture::of_frame(&subject, Moving::Skin, Drawn::Skin, places))
            }
            _ => Ok(Picture::of_frame(&subject, of, drawn, points)),
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
        let subject: &dyn Subject = match &self.reel {
            Reel::Edit { method, .. } => method.about().subject,
            Reel::Input { body, .. } => body,
            Reel::File(file) if colouring == Colouring::Displacement => return Ok(apart(&file.first)),
            Reel::File(file) => {
                return Ok(strain::of_surface(&file.first, &picture.positions, &picture.corners()));
            }
        };
        let rest = Picture::of_body(subject, self.drawn);
        match (colouring, of, subject.body()) {
            (Colouring::Strain, Moving::Body, Some(body)) => {
                let places: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
                let norms = strain::of_body(body, &places);
                Ok(match (&body.skin, self.drawn) {
                    (Some(skin), Drawn::Skin) => strain::on_skin(skin, &norms),
                    _ => norms,
                })
            }
            (Colouring::Strain, ..) => {
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
            None => (self.places(self.clock.frames / 2, Side::Input)?, self.places(0, Side::Input)?),
        };
        let moved = now.iter().zip(&then).map(|(a, b)| (a - b).norm_squared()).enumerate();
        Ok(VertexId::new(moved.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(v, _)| v)))
    }

    /// What handles hold at a frame, counted from 0; nothing where nothing is edited.
    #[must_use]
    pub fn handles(&self, index: usize) -> Vec<HandleMark> {
        self.method().map(|method| method.marks(index)).unwrap_or_default()
    }

    /// Where what moves touches something at a frame, and the normal there.
    ///
    /// # Errors
    /// When the frame cannot be read.
    pub fn contacts(&mut self, index: usize, side: Side) -> Result<Vec<[Vec3; 2]>, FilmError> {
        let found: Vec<ContactPoint> = match &self.reel {
            Reel::Edit { method, .. } => method.about().contacts.at(index).to_vec(),
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

impl std::fmt::Debug for Film {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Film").field("clock", &self.clock).finish_non_exhaustive()
    }
}
