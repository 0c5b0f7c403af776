//! `recover`: the material of the motion a shot has, in one call (Li et al. 2014, §6.3).
//!
//! ```text
//! the input motion; the body of uniform material, whatever the shot says, and its modes       (part.rs, uniform.rs)
//! frames in which nothing pushes: no loads, no contacts, anchors that stand still             (given.rs)
//! modal coordinates of all frames
//! frequency, damping and shape of what swings in them, from frames A to B; how far what follows from
//!   that is from the frames after B                                                           (supple-spacetime)
//! Young's modulus of the shot's regions, from the same frames                                 (stiffness.rs)
//! a shot with what was found                                                                  (next_shot.rs)
//! ```

mod answer;
mod error;
mod given;
mod next_shot;
mod part;
mod stiffness;
mod uniform;

pub use answer::{HeldOut, RecoverAnswer, RecoveredDamping, RecoveredMode, RecoveredRegion};
pub use error::{RecoverError, RecoverFailed};
pub use part::RecoverPart;
pub use uniform::UniformBasis;
pub(crate) use uniform::uniform_modes;

use crate::body::Body;
use crate::cache::Cache;
use crate::open::{NameShot, open};
use crate::outputs::Reads;
use crate::shot::Shot;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_model::Progress;
pub use supple_spacetime::{Optimise, Recovered, RecoverySettings, RecoveryStart};

/// What is recovered, and where it goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecoverOptions {
    /// The frames to learn from, by their numbers; without, the first half of the motion.
    pub frames: Option<RangeInclusive<i32>>,
    /// A shot to write, with what was found.
    pub output: Option<PathBuf>,
    /// What of the material is searched for.
    pub optimise: Optimise,
    /// Where the search begins.
    pub start: RecoveryStart,
    /// How many modes are looked for, at most; 10 without.
    pub shapes: Option<usize>,
}

/// Recovers the material of the motion of the shot in the file `path`. To [stop](Progress::stop) gives the best so far;
/// warnings go to `progress`.
///
/// # Errors
/// See [`RecoverFailed`].
pub fn recover(
    path: &Path,
    options: &RecoverOptions,
    progress: &Progress,
) -> Result<RecoverAnswer, RecoverFailed> {
    let begin = Instant::now();
    let (shot, body) = open(path, progress)?;
    if let Some(output) = &options.output {
        Reads::of(&shot).and(path).spared_by(&next_shot::files(output))?;
    }
    let answer = recover_shot(&shot, &body, &Cache::of_shot(path), options, progress).in_shot(path)?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(RecoverAnswer { shot: path.to_path_buf(), seconds, ..answer })
}

/// The same of a shot in memory; whoever asks sees to it that the output spares what is read.
///
/// # Errors
/// See [`RecoverError`].
pub fn recover_shot(
    shot: &Shot,
    body: &Body,
    cache: &Cache,
    options: &RecoverOptions,
    progress: &Progress,
) -> Result<RecoverAnswer, RecoverError> {
    let begin = Instant::now();
    let part = RecoverPart::open((shot, body), options.frames.as_ref(), cache, &progress.part(0.0, 0.75))?;
    let plain = RecoverySettings::default();
    let settings = RecoverySettings {
        shapes: options.shapes.unwrap_or(plain.shapes).max(1),
        optimise: options.optimise,
        start: options.start,
        ..plain
    };
    let found = part.recover(&settings, &progress.part(0.75, 0.85))?;
    let before = part.unoptimised(&settings)?;
    let (given, error) = (&part.given, |found: &Recovered| part.held_out(found));
    let held_out = error(&found).zip(error(&before)).map(|(error, unoptimised)| HeldOut {
        error,
        unoptimised,
        frames: given.ahead.len(),
    });
    let stiffness = stiffness::find(shot, body, &part.basis, given, &found, &progress.part(0.85, 1.0))?;
    let mut answer = RecoverAnswer::of(given, &found, held_out, stiffness);
    if let Some(output) = &options.output {
        next_shot::write(shot, (given, &part.basis), &found, &answer, output)?;
        answer.next_shot = Some(output.clone());
        answer.material = next_shot::files(output).into_iter().nth(1);
    }
    answer.seconds = begin.elapsed().as_secs_f64();
    Ok(answer)
}
