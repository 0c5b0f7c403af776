//! The edited motion as the input of another shot, to go on from there.

use super::{EditError, Editor};
use crate::atomic;
use crate::error::ShotError;
use crate::motion::MotionError;
use crate::shot::{Contacts, Input, Shot};
use std::path::{Path, PathBuf};
use supple_model::{Contact, Frame};

impl Editor {
    /// Writes the shot `next`, whose input is the motion in the file `edited` and which has no handles. What
    /// the simulation of the old input recorded of contacts goes to a file beside that motion, because the new
    /// input is no simulation.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn save_baked(&self, edited: &Path, next: &Path) -> Result<(), EditError> {
        let absolute = |path: &Path| {
            std::path::absolute(path)
                .map_err(|source| EditError::from(ShotError::Read { file: path.to_path_buf(), source }))
        };
        let mut baked: Shot = self.shot.clone();
        baked.edit.handles.clear();
        baked.motion.input = Input::File(absolute(edited)?);
        baked.motion.start = Some(self.clock.start.0);
        baked.motion.frames = Some(self.clock.frames);
        baked.motion.fps = Some(self.clock.fps);
        let recorded = match &self.shot.contacts {
            None => self.shot.motion.input == Input::Simulate && !self.contacts.all.is_empty(),
            Some(said) if said.names_none() => {
                self.shot.motion.input == Input::Simulate && !self.contacts.all.is_empty()
            }
            Some(said) => said.from.is_some(),
        };
        if recorded {
            let mut file = edited.as_os_str().to_owned();
            file.push(".contacts.csv");
            let file = PathBuf::from(file);
            self.save_contacts(&file)?;
            // All of them are in that file, whatever else they were known from.
            let file = Some(absolute(&file)?);
            let said = self.shot.contacts.clone().unwrap_or_default();
            baked.contacts = Some(Contacts { file, detect: None, from: None, ..said });
        }
        Ok(baked.save(next)?)
    }

    fn save_contacts(&self, file: &Path) -> Result<(), EditError> {
        let contact = |frame: usize| Frame(self.clock.number(frame));
        let contacts: Vec<Contact> = self
            .contacts
            .all
            .iter()
            .filter(|point| !point.is_self())
            .map(|point| Contact {
                frame: contact(point.frame),
                vertex: point.vertex(),
                normal: point.normal.into(),
                kind: point.kind,
            })
            .collect();
        let mut bytes = Vec::new();
        supple_formats::write_contacts(&contacts, &mut bytes)
            .and_then(|()| atomic::replace(file, &bytes))
            .map_err(|source| MotionError::Write { file: file.to_path_buf(), source })?;
        Ok(())
    }
}
