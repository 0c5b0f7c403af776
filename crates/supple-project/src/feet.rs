//! Where feet stand: found and put into a shot, or held in a capture that is written anew.

use crate::atomic;
use crate::character::{Character, CharacterError, GUESSED_UP, up_of};
use crate::error::ShotError;
use crate::lock::ShotLock;
use crate::method::character::CharacterMethod;
use crate::method::{EditError, Method};
use crate::open::{InShot, NameShot};
use crate::outputs::{Overwrites, Reads};
use crate::shot::{Axis, Body, Goal, Handle, Input, Motion, Shot, Site, When};
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_character::plants::{Plant, PlantSettings, find};
use supple_model::Progress;

/// A point of a foot that stands over a range of frames.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlantAnswer {
    /// The joint.
    pub joint: String,
    /// From the joint to the point, in metres along the joint's own axes.
    pub offset: [f64; 3],
    /// The first frame, the scene's number.
    pub frame: i32,
    /// The last.
    pub last_frame: i32,
    /// How far it slides, in metres.
    pub slide_before: f64,
    /// How far it slides when it is held; null where that is not known yet.
    pub slide_after: Option<f64>,
}

/// What `supple plants` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlantsAnswer {
    /// The shot.
    pub shot: PathBuf,
    /// The plants that were added as handles.
    pub plants: Vec<PlantAnswer>,
    /// Plants that were found where a handle stays already.
    pub held_already: usize,
}

/// What `supple clean` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CleanAnswer {
    /// What was read.
    pub input: PathBuf,
    /// What was written.
    pub output: PathBuf,
    /// Metres per unit of the file, as given or guessed.
    pub unit: f64,
    /// Its frames.
    pub frames: usize,
    /// What is held.
    pub plants: Vec<PlantAnswer>,
    /// How the solution ended.
    pub status: &'static str,
    /// How far a joint moves, at most, in metres.
    pub largest_move: f64,
    /// How far one turns, at most, in degrees.
    pub largest_turn: f64,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Options of [`clean`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CleanOptions {
    /// Metres per unit of the file. Without: the likely one.
    pub unit: Option<f64>,
    /// The axis of the file that points up. Without: the likely one.
    pub up: Option<Axis>,
}

/// Why feet cannot be held.
#[derive(Debug, thiserror::Error)]
pub enum PlantsFailed {
    /// The shot cannot be read or saved.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// Its character cannot be had, or edited.
    #[error(transparent)]
    Edit(#[from] InShot<EditError>),
    /// The output is the input.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// The output cannot be written.
    #[error("{}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// What is written must be a skeleton.
    #[error("{}: the cleaned motion is a skeleton; choose a name that ends in .bvh", file.display())]
    NotBvh {
        /// The culprit.
        file: PathBuf,
    },
    /// Cancelled.
    #[error(transparent)]
    Cancelled(#[from] supple_model::Cancelled),
}

/// Adds a handle that stays for every foot that stands in the input of a shot.
///
/// # Errors
/// See [`PlantsFailed`]; the shot is as it was then.
pub fn plants(path: &Path, progress: &Progress) -> Result<PlantsAnswer, PlantsFailed> {
    let character = load(&Shot::load(path)?, path, progress)?;
    let found = find_in(&character);
    let _lock = ShotLock::take(path, progress)?;
    let mut shot = Shot::load(path)?;
    let (mut added, mut held) = (Vec::new(), 0);
    for plant in &found {
        let handle = handle_of(&character, plant);
        if shot.edit.handles.iter().any(|other| is_same(other, &handle)) {
            held += 1;
            continue;
        }
        shot.edit.handles.push(handle);
        added.push(answer(&character, plant, None));
    }
    if !added.is_empty() {
        shot.save(path)?;
    }
    Ok(PlantsAnswer { shot: path.to_path_buf(), plants: added, held_already: held })
}

/// The plants that the input of a shot has, as handles that stay.
///
/// # Errors
/// When its character cannot be had, and cancellation.
pub fn found(shot: &Shot, progress: &Progress) -> Result<Vec<Handle>, EditError> {
    let character = Character::load(shot, progress)?;
    Ok(find_in(&character).iter().map(|plant| handle_of(&character, plant)).collect())
}

/// Those of some plants that no handle of a shot keeps in place already.
#[must_use]
pub fn not_held(shot: &Shot, found: Vec<Handle>) -> Vec<Handle> {
    let is_held = |plant: &Handle| shot.edit.handles.iter().any(|other| is_same(other, plant));
    found.into_iter().filter(|plant| !is_held(plant)).collect()
}

/// Takes the sliding of feet out of a capture: finds where they stand, holds them there, and writes the motion; what is
/// not touched keeps its text.
///
/// # Errors
/// See [`PlantsFailed`]; nothing is written then.
pub fn clean(
    input: &Path,
    output: &Path,
    options: &CleanOptions,
    progress: &Progress,
) -> Result<CleanAnswer, PlantsFailed> {
    if !supple_formats::is_rig_path(output) {
        return Err(PlantsFailed::NotBvh { file: output.to_path_buf() });
    }
    let folder = std::env::current_dir()
        .map_err(|source| PlantsFailed::Write { file: input.to_path_buf(), source })?;
    let mut shot = Shot::new(&folder, Body::character(input))?;
    Reads::of(&shot).spared_by(&[output.to_path_buf()])?;
    let up = match options.up {
        Some(up) => up,
        None => up_of(input).map_err(EditError::from).in_shot(input)?,
    };
    shot.motion = Motion {
        input: Input::File(input.to_path_buf()),
        unit: options.unit,
        up: Some(up),
        ..Motion::default()
    };
    let character = load(&shot, input, &progress.part(0.0, 0.1))?;
    let found = find_in(&character);
    shot.edit.handles = found.iter().map(|plant| handle_of(&character, plant)).collect();
    let mut method = CharacterMethod::open(&shot, &progress.part(0.1, 0.2)).in_shot(input)?;
    let report = method.solve(&progress.part(0.2, 1.0), &mut |_| Ok(())).in_shot(input)?;
    let mut bytes = Vec::new();
    if let Some(written) = method.write_skeleton(&mut bytes) {
        written.in_shot(input)?;
    }
    atomic::replace(output, &bytes)
        .map_err(|source| PlantsFailed::Write { file: output.to_path_buf(), source })?;
    let slide = |plant: &Plant| Some(plant.slide(&character.figure, method.edited()));
    let mut notes = character.notes.clone();
    if options.up.is_none() && up != Axis::Y {
        notes.push(GUESSED_UP.to_owned());
    }
    if found.is_empty() {
        notes.push(
            "no foot was found that stands: nothing is changed; slower than 0.2 m/s and within 3 cm of the ground \
             counts, so see whether unit and axis up are right"
                .to_owned(),
        );
    }
    Ok(CleanAnswer {
        input: input.to_path_buf(),
        output: output.to_path_buf(),
        unit: character.rig.unit,
        frames: character.clock.frames,
        plants: found.iter().map(|plant| answer(&character, plant, slide(plant))).collect(),
        status: report.status.name(),
        largest_move: report.number("largest_move", "length").unwrap_or(0.0),
        largest_turn: report.number("largest_turn", "degrees").unwrap_or(0.0),
        notes,
    })
}

fn load(shot: &Shot, path: &Path, progress: &Progress) -> Result<Character, InShot<EditError>> {
    let character = Character::load(shot, progress).map_err(|error: CharacterError| EditError::from(error));
    character.in_shot(path)
}

fn find_in(character: &Character) -> Vec<Plant> {
    find(&character.figure, &character.motion, 1.0 / character.clock.fps, &PlantSettings::default())
}

fn name(character: &Character, plant: &Plant) -> String {
    character.rig.file.joints[character.rig.of_file[plant.joint]].name.clone()
}

fn handle_of(character: &Character, plant: &Plant) -> Handle {
    let number = |index: usize| character.clock.number(index);
    let when = When::Frames(number(plant.frames.0)..=number(plant.frames.1));
    // Tenths of millimetres say where a heel is.
    let offset = plant.offset.map(|x| (x * 1e4).round() / 1e4);
    Handle::new(
        when,
        Site::Joint { name: name(character, plant), offset: offset.into() },
        Goal::Stay { at: None },
    )
}

/// Whether a handle keeps the same joint in place over some of the same frames.
fn is_same(other: &Handle, handle: &Handle) -> bool {
    let (a, b) = (other.when.range(), handle.when.range());
    let overlaps = a.start() <= b.end() && b.start() <= a.end();
    overlaps && matches!(other.goal, Goal::Stay { .. }) && other.site == handle.site
}

fn answer(character: &Character, plant: &Plant, slide_after: Option<f64>) -> PlantAnswer {
    PlantAnswer {
        joint: name(character, plant),
        offset: plant.offset.into(),
        frame: character.clock.number(plant.frames.0),
        last_frame: character.clock.number(plant.frames.1),
        slide_before: plant.slide(&character.figure, &character.motion),
        slide_after,
    }
}
