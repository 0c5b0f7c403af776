//! The way out of an edit, one for the command line, the window and the library: a shot is opened by its method, the
//! edit is found, its motion is written, and, to go on from there, it becomes the input of another shot.
//! [`solve()`] does all of it with a shot file; [`simulate()`], [`pose()`] and [`fit()`] write what a body does that
//! nobody edits.

mod answer;
mod bake;
mod fit;
mod keys;
mod output;
mod plan;
mod pose;
mod simulate;
mod solve;

pub use answer::{HandleAnswer, SolveAnswer, SolveSeconds};
pub use bake::save_baked;
pub use fit::{FitAnswer, FitFailed, FittedPose, SkinFitOptions, fit};
pub use keys::{KeyAnswer, KeyAt};
pub use output::{MakeWriter, MotionOutput, Written};
pub use plan::{ExportError, ExportOptions, ExportOriginal, ExportPlan};
pub use pose::{PoseAnswer, PoseFailed, PoseOptions, PoseStage, pose};
pub use simulate::{SimulateAnswer, SimulateFailed, SimulateOptions, simulate};
pub use solve::{SolveFailed, SolveOptions, solve, solve_shot};

use crate::atomic;
use crate::method::drag::EditError;
use crate::method::{About, Method, Report};
use crate::motion::{MotionError, Moving};
use crate::outputs::Reads;
use crate::shot::Shot;
use crate::subject::Subject;
use std::ops::Range;
use std::path::{Path, PathBuf};
use supple_model::{Clock, Frame, Progress};

/// How a motion is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Which vertices. Without: those of the skin where it came with the motion, or what is edited.
    pub of: Option<Moving>,
    /// A `.usda` that stands for itself, not a layer over the original.
    pub flat: bool,
    /// Which frames, counted from 0. Without: all of them.
    pub frames: Option<Range<usize>>,
}

/// A motion that was written.
#[derive(Debug)]
pub struct Solved {
    /// What the vertices in the file are.
    pub of: Moving,
    /// The file.
    pub written: Written,
    /// What the edit came to.
    pub report: Report,
    /// What the format lost of it, if that matters.
    pub lost: Option<String>,
}

/// Finds the edit of a shot that was opened, and writes its motion; the format is told by the ending.
///
/// # Errors
/// An edit or a file that cannot be, and cancellation. Nothing is written then.
pub fn solve_into(
    path: &Path,
    shot: &Shot,
    method: &mut dyn Method,
    options: &WriteOptions,
    progress: &Progress,
) -> Result<Solved, EditError> {
    method.settle(&progress.part(0.0, 0.5))?;
    let subject = method.about().subject.clone();
    Begun::new(path, shot, &subject, &method.about(), options)?.fill(method, progress)
}

/// Finds the edit of a shot that was opened, and hands its motion to what `make` makes; `name` is what it is called.
///
/// # Errors
/// As [`solve_into`].
pub fn solve_to(
    name: &Path,
    make: &mut MakeWriter<'_>,
    shot: &Shot,
    method: &mut dyn Method,
    progress: &Progress,
) -> Result<Solved, EditError> {
    method.settle(&progress.part(0.0, 0.5))?;
    let subject = method.about().subject.clone();
    let (clock, given) = (method.about().clock, method.about().moving);
    let of = if shot.motion.is_fitted() { Moving::Skin } else { given };
    let output = MotionOutput::into_memory(name, shot, subject.as_ref(), of, clock, make)?;
    let output = match shot.edit.method == crate::shot::Method::Character {
        true => output,
        false => output.of_edit(shot, given)?,
    };
    let range = 0..clock.frames;
    Begun { output: Output::Points(Box::new(output)), of, range }.fill(method, progress)
}

/// A motion file that was begun, for an edit that is still to be found.
struct Begun<'a> {
    output: Output<'a>,
    of: Moving,
    /// The frames that are written, counted from 0.
    range: Range<usize>,
}

/// What a motion is written as.
enum Output<'a> {
    /// Points, frame by frame.
    Points(Box<MotionOutput<'a>>),
    /// The channels of a skeleton, whole.
    Skeleton(PathBuf),
}

impl<'a> Begun<'a> {
    fn new(
        path: &Path,
        shot: &Shot,
        subject: &'a dyn Subject,
        about: &About<'_>,
        options: &WriteOptions,
    ) -> Result<Self, MotionError> {
        let (clock, given) = (about.clock, about.moving);
        let is_character = shot.edit.method == crate::shot::Method::Character;
        if is_character && supple_formats::is_rig_path(path) {
            Reads::of(shot).spared_by(&[path.to_path_buf()])?;
            return Ok(Self {
                output: Output::Skeleton(path.to_path_buf()),
                of: given,
                range: 0..clock.frames,
            });
        }
        let of = options.of.unwrap_or(if shot.motion.is_fitted() { Moving::Skin } else { given });
        let range = options.frames.clone().unwrap_or(0..clock.frames);
        // A layer over the original has all of its frames.
        let flat = options.flat || range.len() < clock.frames;
        let clock = Clock { start: Frame(clock.number(range.start)), frames: range.len(), ..clock };
        let output = match is_character {
            true => MotionOutput::of_shot(path, shot, subject, of, clock)?,
            false => MotionOutput::restore(path, shot, subject, of, clock, flat)?.of_edit(shot, given)?,
        };
        Ok(Self { output: Output::Points(Box::new(output)), of, range })
    }

    /// Finds the edit and writes its motion.
    fn fill(mut self, method: &mut dyn Method, progress: &Progress) -> Result<Solved, EditError> {
        let size = method.about().size;
        let report = method.solve(progress, &mut |frame| {
            if let (Output::Points(output), true) = (&mut self.output, self.range.contains(&frame.index)) {
                output.write_edited(frame)?;
            }
            Ok(())
        })?;
        progress.check()?;
        let written = match self.output {
            Output::Points(output) => output.finish()?,
            Output::Skeleton(path) => write_skeleton(method, path, self.range.len())?,
        };
        let lost = written.lost(&report, size);
        Ok(Solved { of: self.of, written, report, lost })
    }
}

/// Writes the skeleton of a method, whole or not at all.
fn write_skeleton(method: &dyn Method, path: PathBuf, frames: usize) -> Result<Written, EditError> {
    let mut bytes = Vec::new();
    match method.write_skeleton(&mut bytes) {
        Some(written) => written?,
        None => return Err(EditError::NoSkeleton { file: path }),
    }
    atomic::replace(&path, &bytes).map_err(|source| MotionError::Write { file: path.clone(), source })?;
    Ok(Written { path, frames, contacts: None, farthest: 0.0 })
}
