//! What is in a file of a skeleton and its motion, and in a shot of one.

use crate::import::{FoundSkeleton, UnitFrom};
use crate::shot::{Shot, Skeleton};
use serde::Serialize;
use std::path::Path;
use supple_character::SkeletonError;
use supple_formats::{RigClip, RigFile, load_rig};

/// A skeleton and its motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkeletonInfo {
    /// How many joints, without the ends of limbs.
    pub joints: usize,
    /// How many ends of limbs.
    pub end_sites: usize,
    /// How many numbers make a pose.
    pub degrees_of_freedom: usize,
    /// How many frames there are.
    pub frames: usize,
    /// Frames per second.
    pub fps: Option<f64>,
    /// How tall the figure is, m.
    pub height: f64,
    /// Metres in a unit of the file.
    pub unit: f64,
    /// What says so.
    pub unit_from: UnitFrom,
    /// The same in words.
    #[serde(skip)]
    pub unit_reason: &'static str,
    /// The joints that turn about one axis only, whatever channels they have.
    pub hinges: Vec<String>,
    /// What a person should know: what is called another way here than in the file, a first frame that is a pose of its own.
    pub notes: Vec<String>,
}

impl SkeletonInfo {
    pub(super) fn of(file: RigFile) -> Result<Self, SkeletonError> {
        let found = FoundSkeleton::of(file, None, None)?;
        let [joints, end_sites] = found.joints();
        let clip = found.clip();
        Ok(Self {
            joints,
            end_sites,
            degrees_of_freedom: found.rig.file.channel_count(),
            frames: clip.map_or(0, |clip| clip.frames),
            fps: clip.map(RigClip::fps),
            height: found.height,
            unit: found.space.unit,
            unit_from: found.unit_from,
            unit_reason: found.unit_reason(),
            notes: found.notes(),
            hinges: found.hinges,
        })
    }
}

/// A character of a shot, as the file of its skeleton has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CharacterInfo {
    /// How many joints, without the ends of limbs.
    pub joints: usize,
    /// How many ends of limbs.
    pub end_sites: usize,
    /// How many numbers make a pose.
    pub degrees_of_freedom: usize,
    /// Frames per second.
    pub fps: Option<f64>,
    /// How tall the figure is, m.
    pub height: f64,
    /// The joints that turn about one axis only, whatever channels they have.
    pub hinges: Vec<String>,
    /// How many handles the shot has.
    pub handles: usize,
    /// The layers of its edit.
    pub layers: Vec<LayerInfo>,
}

/// A layer of an edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayerInfo {
    /// Its name.
    pub name: String,
    /// How many handles it answers.
    pub handles: usize,
    /// Whether it is left alone for now.
    pub muted: bool,
}

impl CharacterInfo {
    /// The character of a shot, and how many frames its motion has; or what is wrong with the file.
    pub(super) fn of(shot: &Shot, skeleton: &Skeleton) -> Result<(Self, usize), String> {
        let path = shot.resolve(&skeleton.file);
        let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = load_rig(&path).map_err(|error| error.to_string())?;
        let found =
            FoundSkeleton::of(file, shot.motion.unit, shot.motion.up).map_err(|error| said(&error))?;
        let [joints, end_sites] = found.joints();
        let clip = of_motion(shot, &path)?.or_else(|| found.clip().cloned());
        let frames = shot.motion.frames.or(clip.as_ref().map(|clip| clip.frames));
        let edit = &shot.edit;
        let layers = edit.layers.iter().map(|layer| LayerInfo {
            name: layer.name.clone(),
            handles: edit.handles.iter().filter(|handle| handle.layer.as_ref() == Some(&layer.name)).count(),
            muted: layer.muted == Some(true),
        });
        let info = Self {
            joints,
            end_sites,
            degrees_of_freedom: found.rig.file.channel_count(),
            fps: shot.motion.fps.or(clip.as_ref().map(RigClip::fps)),
            height: found.height,
            handles: edit.handles.len(),
            layers: layers.collect(),
            hinges: found.hinges,
        };
        Ok((info, frames.unwrap_or(0)))
    }
}

/// The clip of a motion that is in a file of its own.
fn of_motion(shot: &Shot, skeleton: &Path) -> Result<Option<RigClip>, String> {
    let crate::shot::Input::File(file) = &shot.motion.input else { return Ok(None) };
    let file = shot.resolve(file);
    if file == skeleton {
        return Ok(None);
    }
    let rig = load_rig(&file).map_err(|error| error.to_string())?;
    Ok(rig.clips.into_iter().next())
}
