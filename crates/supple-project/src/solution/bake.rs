//! The edited motion as the input of another shot, to go on from there.

use crate::atomic;
use crate::error::ShotError;
use crate::method::About;
use crate::method::drag::EditError;
use crate::motion::MotionError;
use crate::shot::{Contacts, Feel, Input, Method, SecondsPerFrame, Shot};
use std::path::{Path, PathBuf};
use supple_model::{Contact, Frame};

/// Writes the shot `next`, whose input is the motion in the file `edited` and which has no handles. What
/// the simulation of the old input recorded of contacts goes to a file beside that motion, because the new
/// input is no simulation.
///
/// # Errors
/// When a file cannot be written.
pub fn save_baked(shot: &Shot, about: &About<'_>, edited: &Path, next: &Path) -> Result<(), EditError> {
    let absolute = |path: &Path| {
        std::path::absolute(path)
            .map_err(|source| EditError::from(ShotError::Read { file: path.to_path_buf(), source }))
    };
    let mut baked: Shot = shot.clone();
    baked.edit.handles.clear();
    baked.edit.layers.clear();
    if shot.edit.method != Method::Character {
        baked.edit.choose(Method::Drag);
        // A method without modes says nothing of their number.
        let most = about.subject.body().map_or(usize::MAX, |body| 3 * body.free.vertices().len());
        baked.edit.modes = baked.edit.modes.min(most);
    }
    baked.motion.input = Input::File(absolute(edited)?);
    baked.motion.start = Some(about.clock.start.0);
    baked.motion.frames = Some(about.clock.frames);
    baked.motion.fps = Some(about.clock.fps);
    if shot.edit.method.knows_times() {
        at_rate(&mut baked, shot.motion.clock().fps / about.clock.fps);
        if baked.edit.feel == Feel::Smooth {
            // What the old method made its motion with; a smooth edit has no use for it.
            baked.motion.seconds_per_frame = SecondsPerFrame::Auto;
            baked.edit.damping = None;
        }
    }
    let recorded = match &shot.contacts {
        None => shot.motion.input == Input::Simulate && !about.contacts.all.is_empty(),
        Some(said) if said.names_none() => {
            shot.motion.input == Input::Simulate && !about.contacts.all.is_empty()
        }
        Some(said) => said.from.is_some(),
    };
    if recorded {
        let mut file = edited.as_os_str().to_owned();
        file.push(".contacts.csv");
        let file = PathBuf::from(file);
        save_contacts(about, &file)?;
        // All of them are in that file, whatever else they were known from.
        let file = Some(absolute(&file)?);
        let said = shot.contacts.clone().unwrap_or_default();
        baked.contacts = Some(Contacts { file, detect: None, from: None, ..said });
    }
    Ok(baked.save(next)?)
}

/// What else a shot says of frames that are now so many of the old ones long.
fn at_rate(baked: &mut Shot, step: f64) {
    if let SecondsPerFrame::Seconds(seconds) = &mut baked.motion.seconds_per_frame {
        *seconds *= step;
    }
    if step != 1.0 {
        baked.edit.window = None;
    }
}

fn save_contacts(about: &About<'_>, file: &Path) -> Result<(), EditError> {
    let contact = |frame: usize| Frame(about.clock.number(frame));
    let contacts: Vec<Contact> = about
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
