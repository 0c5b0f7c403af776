//! Motion on its way to a file, with what touches something beside it.
//!
//! The motion of a shot whose input is a file goes back as that file has it: in its unit and axes, from its first
//! frame on, under the name of its object and with all the object carries; see [`MotionOutput::restore`].

use crate::atomic;
use crate::method::EditedFrame;
use crate::method::Report;
use crate::motion::{Detail, MotionError, Moving, Original, displaced, displacement_over, surface_at};
use crate::outputs::{Reads, beside};
use crate::shot::{Input, Shot};
use crate::source::{MotionFile, Source, Space};
use crate::subject::Subject;
use std::path::{Path, PathBuf};
use supple_formats::{
    MotionSettings, MotionWriter, SceneFormat, create_motion, create_over, is_motion_path,
    is_single_precision, name_of, write_contacts,
};
use supple_mesh::Weld;
use supple_model::{Clock, Contact, Frame, FrameError};

/// A motion file in the making, from positions of the body's vertices.
pub struct MotionOutput<'a> {
    writer: Box<dyn MotionWriter>,
    subject: &'a dyn Subject,
    of: Moving,
    path: PathBuf,
    frames: usize,
    contacts: Vec<Contact>,
    /// Whether contacts are recorded at all.
    records_contacts: bool,
    /// What the positions handed in are those of.
    given: Moving,
    /// That of the file.
    space: Space,
    /// The largest coordinate that was written, in the file's unit.
    farthest: f64,
    /// What of the file an edit leaves alone.
    before: Option<Before>,
}

/// Makes what takes the frames of a motion, when it is known how many vertices they have and how many they are.
pub type MakeWriter<'a> = dyn FnMut(usize, Clock) -> Result<Box<dyn MotionWriter>, MotionError> + 'a;

/// What a file is needed for when its motion goes back.
enum Before {
    /// What the skin has beyond the body.
    Detail(Detail),
    /// Points that no edit moves.
    Original(Original),
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The file, or the pattern of a series.
    pub path: PathBuf,
    /// How many frames.
    pub frames: usize,
    /// How many contacts, and where, if they were recorded.
    pub contacts: Option<(PathBuf, usize)>,
    /// How far from the origin a coordinate is, at most; metres.
    pub farthest: f64,
}

/// A format that moves points by more than this part of the body's size has lost its shape.
const LOST: f64 = 1e-3;

impl Written {
    /// By how much the numbers of the format move a coordinate at most, metres: half of the step from a single to the next,
    /// at the farthest one. Nothing where the format holds doubles.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        if !is_single_precision(&self.path) || self.farthest == 0.0 {
            return 0.0;
        }
        0.5 * f64::from(f32::EPSILON) * self.farthest.log2().floor().exp2()
    }

    /// What is lost of an edit of a body of this size because the format has too few digits so far from the origin, and
    /// what to do; nothing where the rounding is small beside the body and beside every pull.
    #[must_use]
    pub fn lost(&self, report: &Report, size: f64) -> Option<String> {
        let pulls = report.handles.iter().filter(|handle| !handle.of_velocity && handle.asked > 0.0);
        let least = pulls.map(|handle| handle.asked).fold(f64::INFINITY, f64::min);
        let rounding = self.rounding();
        (rounding > LOST * size || rounding > least).then(|| {
            let length =
                |x: f64| if (0.01..1e4).contains(&x) { format!("{x:.2} m") } else { format!("{x:.1e} m") };
            format!(
                "{} stores seven digits, so points {} from the origin are off by up to {}: write a series \
                 of .ply or .obj files, which store all digits, or move the body to the origin",
                self.path.display(),
                length(self.farthest),
                length(rounding)
            )
        })
    }
}

impl<'a> MotionOutput<'a> {
    /// Begins a file of the motion of the body, or of its skin if it has one and that is asked for.
    ///
    /// # Errors
    /// An ending that is no motion's, a folder that cannot be written to; all name the file.
    pub fn create(
        path: &Path,
        subject: &'a dyn Subject,
        of: Moving,
        clock: Clock,
    ) -> Result<Self, MotionError> {
        Self::named(path, &name_of(path, false), subject, of, clock)
    }

    fn named(
        path: &Path,
        name: &str,
        subject: &'a dyn Subject,
        of: Moving,
        clock: Clock,
    ) -> Result<Self, MotionError> {
        let rest: Vec<[f64; 3]> = subject.positions().iter().map(|p| (*p).into()).collect();
        let topology = surface_at(subject, of, &rest);
        let name = format!("/{name}");
        let settings = MotionSettings { name, ..settings(topology.positions.len(), clock) };
        let writer = create_motion(path, settings, Some(&topology))?;
        Ok(Self::with_writer(writer, path, subject, of))
    }

    /// [`Self::create`] for a motion made from a shot, which is not written over anything the shot reads.
    ///
    /// # Errors
    /// Those of [`Self::create`], and a file that the shot reads.
    pub fn of_shot(
        path: &Path,
        shot: &Shot,
        subject: &'a dyn Subject,
        of: Moving,
        clock: Clock,
    ) -> Result<Self, MotionError> {
        Reads::of(shot).spared_by_motion(path, clock.start.0)?;
        Self::named(path, &source_name(shot), subject, of, clock)
    }

    fn with_writer(writer: Box<dyn MotionWriter>, path: &Path, subject: &'a dyn Subject, of: Moving) -> Self {
        Self {
            writer,
            subject,
            of,
            path: path.to_path_buf(),
            frames: 0,
            contacts: Vec::new(),
            records_contacts: false,
            given: Moving::Body,
            space: Space::default(),
            farthest: 0.0,
            before: None,
        }
    }

    /// Begins a file as the input of the shot is one. A `.usda` of something in USD is a layer over the original that
    /// holds nothing but new points, unless it is to be `flat`. A shot without such an input gets
    /// [`Self::create`]'s.
    ///
    /// # Errors
    /// Those of [`Self::of_shot`], and an original that is gone.
    pub fn restore(
        path: &Path,
        shot: &Shot,
        subject: &'a dyn Subject,
        of: Moving,
        clock: Clock,
        flat: bool,
    ) -> Result<Self, MotionError> {
        let file = MotionFile::of_shot(shot);
        if file.is_none() && shot.given_motion().is_none() {
            return Self::of_shot(path, shot, subject, of, clock);
        }
        Reads::of(shot).spared_by_motion(path, clock.start.0)?;
        let vertices = match (of, subject.skin()) {
            (Moving::Skin, Some(skin)) => skin.mesh.positions().len(),
            _ => subject.positions().len(),
        };
        let source = match &file {
            Some(file) if has_faces(file)? => Some(Source::open(file)?),
            _ => None,
        };
        let mut source = source.filter(|source| source.vertices() == vertices);
        let space = Space::of_shot(shot)?;
        // What a shot says of its file, where that says nothing or something else, holds for what is written as well.
        let (unit, up) = (Some(space.unit), Some(space.up_axis()));
        if let Some(source) = &mut source {
            (source.scene.metres_per_unit, source.scene.up) = (unit, up);
        }
        let mut settings = settings(vertices, clock);
        settings.name = format!("/{}", source_name(shot));
        (settings.metres_per_unit, settings.up) = (unit, up);
        let writer = match (&source, &file) {
            (Some(source), Some(file)) if !flat && is_layer(path, source, clock.start) => {
                create_over(path, &file.path, &source.scene, source.object)?
            }
            (Some(source), _) => {
                let object = source.object();
                settings.name.clone_from(&object.name);
                create_motion(path, settings, Some(&object.surface))?
            }
            (None, _) => {
                let rest: Vec<[f64; 3]> = subject.positions().iter().map(|p| (*p).into()).collect();
                create_motion(path, settings, Some(&surface_at(subject, of, &rest)))?
            }
        };
        Ok(Self { space, ..Self::with_writer(writer, path, subject, of) })
    }

    /// Begins a motion that goes somewhere else than to a file: `make` is told how many vertices and which frames it has,
    /// and its points are in the unit and axes of the shot's input. It is called `name` where something is said of it.
    ///
    /// # Errors
    /// An original that is gone, and those of `make`.
    pub fn into_memory(
        name: &Path,
        shot: &Shot,
        subject: &'a dyn Subject,
        of: Moving,
        clock: Clock,
        make: &mut MakeWriter<'_>,
    ) -> Result<Self, MotionError> {
        let vertices = match (of, subject.skin()) {
            (Moving::Skin, Some(skin)) => skin.mesh.positions().len(),
            _ => subject.positions().len(),
        };
        let writer = make(vertices, clock)?;
        Ok(Self { space: Space::of_shot(shot)?, ..Self::with_writer(writer, name, subject, of) })
    }

    /// Takes frames of an edited motion of the body or of its skin, see [`Self::write_edited`]. Then the skin has what
    /// the file has of it beyond the body, vertices that are one in the file stay one, and whatever the edit does not move
    /// is the file's own, to the bit.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(crate) fn of_edit(self, shot: &Shot, given: Moving) -> Result<Self, MotionError> {
        let before = match (given, self.of, self.subject.skin()) {
            (Moving::Body, Moving::Skin, _) => match self.subject.body() {
                Some(body) => Detail::of(shot, body)?.map(Before::Detail),
                None => None,
            },
            (Moving::Skin, _, Some(skin)) => Original::of(shot, skin.weld.clone())?.map(Before::Original),
            _ => Original::of(shot, Weld::none(self.subject.positions().len()))?.map(Before::Original),
        };
        Ok(Self { given, before, ..self })
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
        let subject = self.subject;
        let skin = subject.skin().filter(|_| self.of == Moving::Skin && self.given == Moving::Body);
        let mut places =
            skin.map_or_else(|| positions.to_vec(), |skin| skin.on_body(subject.positions(), positions));
        if !self.space.is_inside() {
            places.iter_mut().for_each(|p| *p = self.space.outside(*p));
        }
        self.contacts.extend_from_slice(contacts);
        self.write_places(&places)
    }

    /// Takes the next frame of an edited motion.
    ///
    /// # Errors
    /// When it cannot be written, or the original cannot be read.
    ///
    /// # Panics
    /// When there are not as many positions as vertices.
    pub(crate) fn write_edited(&mut self, edited: &EditedFrame<'_>) -> Result<(), FrameError> {
        let EditedFrame { index, input, positions } = *edited;
        let subject = self.subject;
        let places = match (&mut self.before, subject.skin()) {
            (Some(Before::Detail(detail)), Some(skin)) => {
                let after = displacement_over(positions, subject.positions(), input);
                detail.skin(index, skin, input, &after)?;
                detail.written(skin)
            }
            (Some(Before::Original(original)), skin) => {
                let rest = match (self.given, skin) {
                    (Moving::Skin, Some(skin)) => skin.mesh.positions(),
                    _ => subject.positions(),
                };
                original.written(index, positions, &displaced(rest, input))?
            }
            _ => return self.write(positions, &[]),
        };
        self.write_places(&places)
    }

    fn write_places(&mut self, places: &[[f64; 3]]) -> Result<(), FrameError> {
        self.writer.write(places)?;
        let coordinates = places.iter().flatten().map(|x| x.abs());
        self.farthest = coordinates.fold(self.farthest, f64::max);
        self.frames += 1;
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
            let file = beside(&self.path, ".contacts.csv");
            let mut bytes = Vec::new();
            write_contacts(&self.contacts, &mut bytes)
                .and_then(|()| atomic::replace(&file, &bytes))
                .map_err(|source| MotionError::Write { file: file.clone(), source })?;
            contacts = Some((file, self.contacts.len()));
        }
        let farthest = self.farthest * self.space.unit;
        Ok(Written { path: self.path, frames: self.frames, contacts, farthest })
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

/// What the moving thing is called where no file has a name for it: as the file of the motion, or else of the body.
fn source_name(shot: &Shot) -> String {
    match &shot.motion.input {
        Input::File(file) => name_of(&shot.resolve(file), is_motion_path(shot.resolve(file))),
        Input::Rest | Input::Simulate => name_of(&shot.resolve(shot.body.shape.file()), false),
    }
}

/// Whether a file says which vertices are joined to faces: all but point caches do.
fn has_faces(file: &MotionFile) -> Result<bool, MotionError> {
    if file.topology.is_some() || !is_motion_path(&file.path) {
        return Ok(true);
    }
    Ok(supple_formats::open_motion(&file.path)?.topology().is_some())
}

/// Whether a motion is written as a layer over its original.
fn is_layer(path: &Path, source: &Source, start: Frame) -> bool {
    let is_text = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("usda"));
    is_text
        && source.scene.format == SceneFormat::Usd
        && source.scene.start.is_none_or(|first| first == start)
}

fn settings(vertices: usize, clock: Clock) -> MotionSettings {
    MotionSettings::new(vertices, clock.start, clock.fps, clock.frames)
}
