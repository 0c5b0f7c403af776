//! `solve`: the edit of a shot file, found and written, in one call.

use super::keys::KeyFiles;
use super::{Begun, SolveAnswer, SolveSeconds, WriteOptions, save_baked};
use crate::body::Body;
use crate::cache::Cache;
use crate::error::ShotError;
use crate::lock::ShotLock;
use crate::method::drag::EditError;
use crate::method::{self, Method};
use crate::motion::{MotionError, Moving};
use crate::open::{InShot, NameShot, OpenError, moving};
use crate::outputs::{Overwrites, Reads};
use crate::shot::{MaterialEdit, Motion, Optimise, Shot};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_model::Progress;

/// The most frames that are made at another rate.
const MOST_FRAMES: usize = 1_000_000;

/// How the edited motion of a shot is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolveOptions {
    /// The skin, not the body; a motion that was imported on the skin is always written as that.
    pub skin: bool,
    /// A self-contained `.usda`, not a layer over the original.
    pub flatten: bool,
    /// Also write this shot, whose input is the edited motion and which has no handles.
    pub bake: Option<PathBuf>,
    /// Stop looking for a better edit after so long, and write the best one so far. Without: until it is found.
    pub stop_after: Option<Duration>,
    /// Frames per second of what is written, over the same seconds: for methods that know times between frames. Without:
    /// the shot's.
    pub fps: Option<f64>,
    /// Also write the whole body at every key into this folder, as poses that a shot can ask for; for the same methods.
    pub write_keys: Option<PathBuf>,
    /// Also write the forces that make the motion to this file: a `.csv` in the coordinates of its basis, or a motion file
    /// of newtons on every vertex; for the method `control`.
    pub forces: Option<PathBuf>,
    /// What of the material is chosen, whatever the shot says; for the method `material`.
    pub optimise: Option<Optimise>,
}

/// Why the edit of a shot was not written.
#[derive(Debug, thiserror::Error)]
pub enum SolveFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file that the shot reads was to be written.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// The motion cannot be written.
    #[error(transparent)]
    Output(#[from] MotionError),
    /// The edit cannot be found, or its motion not be written to its end.
    #[error(transparent)]
    Edit(#[from] InShot<EditError>),
    /// A shot cannot go on from the motion of a skin that its body does not follow.
    #[error("{}: --bake needs the motion of the body; leave out --skin", shot.display())]
    BakedSkin {
        /// The shot file.
        shot: PathBuf,
    },
    /// A rate that is none.
    #[error("--fps {}, got {fps}", Motion::FPS_RANGE)]
    Fps {
        /// The culprit.
        fps: f64,
    },
    /// A rate at which there are too many frames.
    #[error("--fps {fps} makes {frames} frames, but at most {MOST_FRAMES} can be written; lower it")]
    TooManyFrames {
        /// The culprit.
        fps: f64,
        /// How many.
        frames: usize,
    },
    /// A key that would be a frame of the motion, too.
    #[error("{} would be a key and a frame of the motion: choose another folder for --write-keys", file.display())]
    KeyInMotion {
        /// The file.
        file: PathBuf,
    },
    /// Something that the method of the shot cannot do.
    #[error(
        "{}: {option} is for {owners}, and this shot's method is {method:?}; leave it out",
        shot.display()
    )]
    NotKeyed {
        /// The shot file.
        shot: PathBuf,
        /// The option.
        option: &'static str,
        /// The methods that can.
        owners: &'static str,
        /// The method.
        method: &'static str,
    },
    /// The shot that goes on from there cannot be written.
    #[error(transparent)]
    Bake(EditError),
}

impl From<ShotError> for SolveFailed {
    fn from(error: ShotError) -> Self {
        OpenError::from(error).into()
    }
}

/// Finds the edit of the shot in the file `path` and writes its motion to `output`; the format is told by the ending.
/// Warnings go to `progress` as they come, and are in the answer, too.
///
/// # Errors
/// See [`SolveFailed`]. The motion is written whole or not at all.
///
/// # Examples
/// ```no_run
/// use supple_model::Progress;
/// use supple_project::solution::{SolveOptions, solve};
///
/// let (shot, output) = ("bird/bird.toml".as_ref(), "edited.glb".as_ref());
/// let answer = solve(shot, output, &SolveOptions::default(), &Progress::silent())?;
/// println!("{}: {} frames", answer.status, answer.frames);
/// # Ok::<(), supple_project::solution::SolveFailed>(())
/// ```
pub fn solve(
    path: &Path,
    output: &Path,
    options: &SolveOptions,
    progress: &Progress,
) -> Result<SolveAnswer, SolveFailed> {
    solve_shot(Shot::load(path)?, [path, output], &Cache::of_shot(path), options, progress)
}

/// [`solve()`] of a shot that was read, or never was in a file: `path` is what it is called.
///
/// # Errors
/// As there.
pub fn solve_shot(
    mut shot: Shot,
    [path, output]: [&Path; 2],
    cache: &Cache,
    options: &SolveOptions,
    progress: &Progress,
) -> Result<SolveAnswer, SolveFailed> {
    let begin = Instant::now();
    options.check(path, &shot)?;
    if let Some(optimise) = options.optimise {
        let settings = shot.edit.material_settings()?;
        shot.edit.set_material_settings(&MaterialEdit { optimise, ..settings })?;
    }
    for file in options.bake.iter().chain(&options.forces) {
        Reads::of(&shot).and(path).spared_by(std::slice::from_ref(file))?;
    }
    // A character has no body to load; its method reads all there is.
    let body = match shot.edit.method == crate::shot::Method::Character {
        true => None,
        false => Some(Arc::new(Body::read(&shot, progress).in_shot(path).map_err(OpenError::from)?)),
    };
    let opening = progress.part(0.0, 0.6);
    let mut method = match &body {
        Some(body) => {
            moving(path, body, options.skin)?;
            method::open(&shot, body.clone(), cache, &opening).in_shot(path)?
        }
        None if options.skin => return Err(OpenError::NoSkin { shot: path.to_path_buf() }.into()),
        None => method::open_shot(&shot, cache, &opening).in_shot(path)?,
    };
    method.about().warnings.iter().for_each(|warning| progress.warn(warning));
    method.about().notes.iter().for_each(|note| progress.warn(note));
    let prepare = begin.elapsed().as_secs_f64();
    let of = points_of(path, options, method.as_ref())?;
    let how = WriteOptions { of, flat: options.flatten, frames: None };
    let solving = progress.part(0.6, 1.0);
    let solving = options.stop_after.map_or_else(|| solving.clone(), |time| solving.stopped_after(time));
    method.settle(&solving.part(0.0, 0.6)).in_shot(path)?;
    let keys = options.apply(method.as_mut(), [path, output], &shot)?;
    // An error of the file to write is no error of the shot, and does not name it.
    let subject = method.about().subject.clone();
    let begun = Begun::new(output, &shot, &subject, &method.about(), &how)?;
    let solved = begun.fill(method.as_mut(), &solving).in_shot(path)?;
    solved.report.warnings().chain(solved.lost.clone()).for_each(|warning| progress.warn(warning));
    let solve = begin.elapsed().as_secs_f64() - prepare;
    if let Some(next) = &options.bake {
        let _lock = ShotLock::take(next, progress)?;
        save_baked(&shot, &method.about(), output, next).map_err(SolveFailed::Bake)?;
    }
    if let Some(written) = options.forces.as_ref().and_then(|file| method.write_forces(file)) {
        written.in_shot(path)?;
    }
    let keys = match (keys, &body) {
        (Some(keys), Some(body)) => keys.write(body)?,
        _ => Vec::new(),
    };
    let seconds = SolveSeconds { prepare, solve, total: begin.elapsed().as_secs_f64() };
    let answer = SolveAnswer::of([path, output], &method.about(), &solved, seconds);
    let (baked, forces) = (options.bake.clone(), options.forces.clone());
    Ok(SolveAnswer { keys, forces, baked, ..answer })
}

impl SolveOptions {
    /// Looks for what cannot be, before anything is done.
    fn check(&self, path: &Path, shot: &Shot) -> Result<(), SolveFailed> {
        if let Some(fps) = self.fps.filter(|fps| !Motion::is_fps(*fps)) {
            return Err(SolveFailed::Fps { fps });
        }
        let method = shot.edit.method;
        let keyed = ("the methods \"sparse\" and \"control\"", method.knows_times());
        let forced = ("the method \"control\"", method == crate::shot::Method::Control);
        let changed = ("the method \"material\"", method == crate::shot::Method::Material);
        let asked = [
            ("--fps", self.fps.is_some(), keyed),
            ("--write-keys", self.write_keys.is_some(), keyed),
            ("--forces", self.forces.is_some(), forced),
            ("--optimise", self.optimise.is_some(), changed),
        ];
        match asked.into_iter().find(|(_, is_asked, (_, can))| *is_asked && !can) {
            Some((option, _, (owners, _))) => {
                let (shot, method) = (path.to_path_buf(), method.name());
                Err(SolveFailed::NotKeyed { shot, option, owners, method })
            }
            None => Ok(()),
        }
    }

    /// Makes a motion that was found as it is asked for, and answers the keys that are to be written.
    fn apply(
        &self,
        method: &mut dyn Method,
        [path, output]: [&Path; 2],
        shot: &Shot,
    ) -> Result<Option<KeyFiles>, SolveFailed> {
        let Some(keyed) = method.keyed() else { return Ok(None) };
        let keys = self.write_keys.as_ref().map(|folder| KeyFiles::new(folder, keyed.keys()));
        if let Some(fps) = self.fps {
            keyed.resample(fps);
        }
        let clock = method.about().clock;
        if let Some(fps) = self.fps.filter(|_| clock.frames > MOST_FRAMES) {
            return Err(SolveFailed::TooManyFrames { fps, frames: clock.frames });
        }
        if let Some(keys) = &keys {
            Reads::of(shot).and(path).spared_by(&keys.files())?;
            if let Some(file) = keys.frame_of(output, clock) {
                return Err(SolveFailed::KeyInMotion { file });
            }
            keys.make_folder()?;
        }
        Ok(keys)
    }
}

/// Which vertices are written: those of a baked motion are those that were edited.
fn points_of(
    path: &Path,
    options: &SolveOptions,
    method: &dyn Method,
) -> Result<Option<Moving>, SolveFailed> {
    let edited = method.about().moving;
    match (options.skin, options.bake.is_some()) {
        (true, true) if edited != Moving::Skin => Err(SolveFailed::BakedSkin { shot: path.to_path_buf() }),
        (true, _) => Ok(Some(Moving::Skin)),
        (false, true) => Ok(Some(edited)),
        (false, false) => Ok(None),
    }
}
