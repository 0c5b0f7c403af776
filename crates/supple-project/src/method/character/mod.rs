//! The motion of a character, edited under constraints (Gleicher 1997): from a shot to frames of its bones and channels of
//! its file.
//!
//! ```text
//! [body] skeleton, joints, limits        Character: joints, how they turn, the input motion
//! [edit.character], [[edit.layer]]       layers: curves over their windows
//! [[edit.handle]]                        constraints (ask)
//! release                                the edited motion; what is missing of each handle is measured on it
//! ```

mod ask;
mod check;
mod live;
mod report;

pub(super) use live::open_live;

use super::about::{About, EditedFrame, Method, Side};
use super::drag::{HandleKey, HandleMark};
use super::error::EditError;
use super::report::Report;
use crate::CacheWarning;
use crate::character::{Character, CharacterError};
use crate::contacts::Contacts;
use crate::motion::Moving;
use crate::shot::Shot;
use crate::subject::Subject;
use ask::Asked;
use std::io::Write;
use std::sync::Arc;
use supple_character::{Goal, Motion, Solution, release};
use supple_formats::{FormatError, rewrite_bvh, write_bvh};
use supple_model::Progress;

/// A character that was opened to be edited.
#[derive(Debug)]
pub struct CharacterMethod {
    character: Arc<Character>,
    subject: Arc<dyn Subject>,
    asked: Asked,
    solution: Option<Arc<Solution>>,
    contacts: Contacts,
    notes: Vec<String>,
    warnings: Vec<CacheWarning>,
}

impl CharacterMethod {
    /// Opens a shot of a character with all that it asks for.
    ///
    /// # Errors
    /// Names the part of the shot to blame.
    pub fn open(shot: &Shot, progress: &Progress) -> Result<Self, EditError> {
        progress.report("reading the skeleton", 0.0)?;
        let character = Arc::new(Character::load(shot, progress)?);
        let asked = Asked::of(shot, &character)?;
        Ok(Self::with(character, asked))
    }

    fn with(character: Arc<Character>, asked: Asked) -> Self {
        Self {
            subject: character.clone(),
            notes: character.notes.clone(),
            character,
            asked,
            solution: None,
            contacts: Contacts::default(),
            warnings: Vec::new(),
        }
    }

    /// The edited motion; the input before it is found.
    #[must_use]
    pub fn edited(&self) -> &Motion {
        self.solution.as_ref().map_or(&self.character.motion, |solution| &solution.motion)
    }

    /// What is edited.
    #[must_use]
    pub fn character(&self) -> &Character {
        &self.character
    }

    /// What is asked of it.
    #[must_use]
    pub fn edit(&self) -> &supple_character::Edit {
        &self.asked.edit
    }

    /// What was found, once it is.
    #[must_use]
    pub fn solution(&self) -> Option<&Solution> {
        self.solution.as_deref()
    }

    fn found(&mut self, progress: &Progress) -> Result<Arc<Solution>, EditError> {
        if let Some(found) = &self.solution {
            return Ok(found.clone());
        }
        let found = Arc::new(release(&self.asked.edit, &self.character.motion, progress)?);
        self.solution = Some(found.clone());
        Ok(found)
    }
}

impl Method for CharacterMethod {
    fn about(&self) -> About<'_> {
        About {
            subject: &self.subject,
            moving: Moving::Body,
            rest: &self.character.bones.rest,
            clock: self.character.clock,
            seconds_per_frame: 1.0 / self.character.clock.fps,
            size: self.character.figure.size,
            modes: 0,
            contacts: &self.contacts,
            notes: &self.notes,
            warnings: &self.warnings,
        }
    }

    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]) {
        let motion = match side {
            Side::Input => &self.character.motion,
            Side::Output => self.edited(),
        };
        self.character.surface(motion, index, positions);
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), EditError> {
        self.found(progress).map(drop)
    }

    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError> {
        let found = self.found(&progress.part(0.0, 0.8))?;
        let (writing, frames) = (progress.part(0.8, 1.0), self.character.clock.frames);
        let rest = &self.character.bones.rest;
        let (mut before, mut after) = (vec![[0.0; 3]; rest.len()], vec![[0.0; 3]; rest.len()]);
        let mut input = vec![0.0; 3 * rest.len()];
        for index in 0..frames {
            writing.report("making frames", index as f64 / frames as f64)?;
            self.frame(Side::Input, index, &mut before);
            self.frame(Side::Output, index, &mut after);
            let from_rest = before.iter().zip(rest).flat_map(|(p, x)| [p[0] - x.x, p[1] - x.y, p[2] - x.z]);
            input.iter_mut().zip(from_rest).for_each(|(out, value)| *out = value);
            each(&EditedFrame { index, input: &input, positions: &after })?;
        }
        Ok(report::of(&self.character, &self.asked, &found))
    }

    fn marks(&self, index: usize) -> Vec<HandleMark> {
        let skeleton = &self.character.figure.skeleton;
        let world = self.edited().world(skeleton, index);
        let here = self.asked.edit.constraints.iter().zip(&self.asked.places);
        here.filter(|(constraint, _)| (constraint.frames.0..=constraint.frames.1).contains(&index))
            .map(|(constraint, place)| {
                let at = constraint.point.at(skeleton, &world);
                let asked = match &constraint.goal {
                    Goal::At(targets) if constraint.seen_from.is_none() => {
                        targets.get(index - constraint.frames.0).unwrap_or(at)
                    }
                    _ => at,
                };
                HandleMark { key: HandleKey(*place as u32 + 1), at, asked }
            })
            .collect()
    }

    fn write_skeleton(&self, out: &mut dyn Write) -> Option<Result<(), EditError>> {
        let Some(file) = &self.character.file else {
            return Some(self.write_whole(out).map_err(|error| CharacterError::from(error).into()));
        };
        let bytes = match supple_formats::read_file(file) {
            Ok(bytes) => bytes,
            Err(source) => return Some(Err(CharacterError::Read { file: file.clone(), source }.into())),
        };
        Some(self.rewrite(&bytes, out).map_err(|error| CharacterError::from(error).into()))
    }
}

impl CharacterMethod {
    /// A motion that was made from rest, on its skeleton.
    fn write_whole(&self, out: &mut dyn Write) -> Result<(), FormatError> {
        let (rig, clip) = (&self.character.rig, &self.character.clip);
        write_bvh(&rig.file, &rig.clip(clip, &rig.motion(clip), self.edited()), out)
    }

    /// The file of the motion with the channels that the edit changes; all other text as it is.
    fn rewrite(&self, bytes: &[u8], out: &mut dyn Write) -> Result<(), FormatError> {
        let (rig, clip) = (&self.character.rig, &self.character.clip);
        let width = rig.file.channel_count();
        let edited = rig.clip(clip, &rig.motion(clip), self.edited());
        let changed = |frame: usize, channel: usize| {
            let at = frame * width + channel;
            let (before, after) = (clip.values.get(at)?, edited.values.get(at)?);
            (before.to_bits() != after.to_bits()).then_some(*after)
        };
        rewrite_bvh(bytes, &mut |frame, channel| changed(frame, channel), out)
    }
}
