//! What openings of a shot share, level by level. Each is made from the one above and from the settings named here, and
//! made again only when these change:
//!
//! ```text
//! body                                    the shot's [body] and files
//! ├ scenery                               [simulate]
//! └ input: displacements, detail          [motion], [simulate], [[load]]
//!   ├ contacts                            [contacts]
//!   ├ barrier                             [contacts]
//!   └ figure, warp                        part
//!     ├ warped frames                     feel
//!     └ basis of modes                    feel, modes
//!       └ kernel, rows, handles           all else: made at every opening
//! ```

use super::EditError;
use super::barrier::Barrier;
use super::figure::{Figure, movable};
use super::setup::{check_room, in_the_way};
use crate::body::Body;
use crate::contacts::{self, Contacts};
use crate::method::kept::{Kept, Same};
use crate::modes::prepare_modes_of;
use crate::motion::{Detail, InputMotion, Moving};
use crate::scenery::Scenery;
use crate::shot::{self, Feel, Input, Shot};
use crate::{Cache, CacheWarning};
use std::sync::{Arc, Mutex};
use supple_elastic::{Basis, InputFrame, Warp};
use supple_mesh::{Vec3, displacement};
use supple_model::{Clock, Progress};

/// The input, and what the shot says of contacts.
type OfContacts = (Same<InputLevel>, Option<shot::Contacts>);

/// What openings of a shot share.
#[derive(Debug, Default)]
pub(in crate::method) struct Levels {
    input: Kept<(Same<Body>, Shot), Arc<InputLevel>>,
    contacts: Kept<OfContacts, Contacts>,
    barrier: Kept<OfContacts, Option<Arc<Barrier>>>,
    warp: Kept<(Same<InputLevel>, Option<String>), Arc<WarpLevel>>,
    frames: Kept<(Same<WarpLevel>, Feel), Arc<Vec<InputFrame>>>,
    basis: Kept<(Same<WarpLevel>, Feel, usize), Arc<BasisLevel>>,
    scenery: Kept<(Same<Body>, shot::Simulate, shot::Motion), Vec<Scenery>>,
}

/// The input, in memory.
#[derive(Debug)]
pub(in crate::method) struct InputLevel {
    pub of: Moving,
    pub clock: Clock,
    /// Frame by frame, from rest, three numbers per vertex.
    pub displacements: Vec<Vec<f64>>,
    /// What the skin has beyond a body that follows it.
    pub detail: Option<Arc<Mutex<Detail>>>,
}

/// What an edit moves, and how.
#[derive(Debug)]
pub(in crate::method) struct WarpLevel {
    pub figure: Arc<Figure>,
    pub warp: Arc<Warp>,
}

/// The modes that edits are made of.
#[derive(Debug)]
pub(in crate::method) struct BasisLevel {
    pub basis: Arc<Basis>,
    pub eigenvalues: Vec<f64>,
}

/// All levels of one opening.
pub(in crate::method) struct Prepared {
    pub input: Arc<InputLevel>,
    pub contacts: Contacts,
    pub moved: Arc<WarpLevel>,
    pub frames: Arc<Vec<InputFrame>>,
    pub modes: Arc<BasisLevel>,
    /// What an edit may push the body through.
    pub(super) barrier: Option<Arc<Barrier>>,
    /// What is told of that.
    pub(super) notes: Vec<String>,
    /// What was wrong with the cache, where it was asked this time.
    pub warnings: Vec<CacheWarning>,
}

/// The part of a shot that its input comes from.
fn source(shot: &Shot) -> Shot {
    let mut source = shot.clone();
    (source.edit, source.contacts) = (shot::Edit::default(), None);
    source
}

impl Levels {
    /// Whether the input of a shot is in memory.
    pub fn has_input(&self, shot: &Shot, body: &Arc<Body>) -> bool {
        self.input.known(&(Same(body.clone()), source(shot))).is_some()
    }

    /// Makes what there is not yet.
    pub(in crate::method) fn prepare(
        &mut self,
        shot: &Shot,
        body: &Arc<Body>,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Prepared, EditError> {
        let free = movable(body, shot.edit.part.as_deref())?;
        let mut warnings = Vec::new();
        let (input, contacts) = self.input(shot, body, cache, &mut warnings, &progress.part(0.0, 0.45))?;
        let (feel, count) = (shot.edit.feel, shot.edit.modes);
        check_room(body, input.of, input.clock.frames, count)?;
        let moved = self.warp.get((Same(input.clone()), shot.edit.part.clone()), || {
            let figure = Figure::new(body, input.of, &free)?;
            let warp = Arc::new(figure.warp(body)?);
            Ok::<_, EditError>(Arc::new(WarpLevel { figure: Arc::new(figure), warp }))
        })?;
        let modes = self.basis.get((Same(moved.clone()), feel, count), || {
            let prepared = prepare_modes_of(body, &free, feel, count, cache, &progress.part(0.45, 0.8))?;
            warnings.extend(prepared.warnings);
            let eigenvalues = prepared.modes.eigenvalues().to_vec();
            let basis = Arc::new(moved.figure.basis(body, prepared.modes));
            Ok::<_, EditError>(Arc::new(BasisLevel { basis, eigenvalues }))
        })?;
        let frames = self.frames.get((Same(moved.clone()), feel), || {
            let (each, part) = (input.displacements.iter().map(Vec::as_slice), progress.part(0.8, 1.0));
            let frames = match feel {
                Feel::Smooth => moved.warp.steady_inputs(each, &part)?,
                Feel::Lively => moved.warp.inputs(each, &part)?,
            };
            Ok::<_, EditError>(Arc::new(frames))
        })?;
        let (barrier, note) = in_the_way(shot, self.barrier(shot, body, &input))?;
        let notes = note.into_iter().collect();
        Ok(Prepared { input, contacts, moved, frames, modes, barrier, notes, warnings })
    }

    /// The input with its contacts. Files are read where one of the two is not there yet.
    fn input(
        &mut self,
        shot: &Shot,
        body: &Arc<Body>,
        cache: &Cache,
        warnings: &mut Vec<CacheWarning>,
        progress: &Progress,
    ) -> Result<(Arc<InputLevel>, Contacts), EditError> {
        let key = (Same(body.clone()), source(shot));
        let known = self.input.known(&key);
        let touched = |input: &Arc<InputLevel>| (Same(input.clone()), shot.contacts.clone());
        if let Some(input) = &known
            && let Some(contacts) = self.contacts.known(&touched(input))
        {
            return Ok((input.clone(), contacts));
        }
        if !matches!(shot.motion.input, Input::File(_)) {
            // Before they are simulated.
            check_room(body, Moving::Body, shot.motion.clock().frames, shot.edit.modes)?;
        }
        let mut motion = InputMotion::open(shot, body, cache, &progress.part(0.0, 0.7))?;
        warnings.append(&mut motion.warnings);
        check_room(body, motion.of, motion.clock.frames, shot.edit.modes)?;
        let contacts = Contacts::gather(shot, body, &mut motion, &progress.part(0.7, 0.85))?;
        let input =
            self.input.get(key, || InputLevel::read(shot, body, motion, &progress.part(0.85, 1.0)))?;
        self.contacts.get(touched(&input), || Ok::<_, EditError>(contacts.clone()))?;
        Ok((input, contacts))
    }

    /// What stands around the body, to be drawn.
    pub(in crate::method) fn scenery(&mut self, shot: &Shot, body: &Arc<Body>) -> Vec<Scenery> {
        let look = || Ok::<_, std::convert::Infallible>(Scenery::around(shot, body));
        self.scenery
            .get((Same(body.clone()), shot.simulate.clone(), shot.motion.clone()), look)
            .unwrap_or_default()
    }

    /// What an edit may push the body through.
    fn barrier(
        &mut self,
        shot: &Shot,
        body: &Body,
        input: &Arc<InputLevel>,
    ) -> Result<Option<Arc<Barrier>>, contacts::ContactsError> {
        self.barrier.get((Same(input.clone()), shot.contacts.clone()), || {
            Ok(Barrier::of(shot, body, input.of, input.detail.is_some())?.map(Arc::new))
        })
    }
}

impl InputLevel {
    /// Reads all frames.
    fn read(
        shot: &Shot,
        body: &Body,
        mut motion: InputMotion,
        progress: &Progress,
    ) -> Result<Arc<Self>, EditError> {
        let rest = match (motion.of, &body.skin) {
            (Moving::Skin, Some(skin)) => skin.mesh.positions(),
            _ => body.positions(),
        };
        let displacements = displacements(&mut motion, rest, progress)?;
        let detail = if motion.of == Moving::Body { Detail::of(shot, body)? } else { None };
        Ok(Arc::new(Self {
            of: motion.of,
            clock: motion.clock,
            displacements,
            detail: detail.map(|detail| Arc::new(Mutex::new(detail))),
        }))
    }
}

/// All frames of the input, from rest.
fn displacements(
    input: &mut InputMotion,
    rest: &[Vec3],
    progress: &Progress,
) -> Result<Vec<Vec<f64>>, EditError> {
    let mut positions = vec![[0.0; 3]; rest.len()];
    let mut frames = Vec::with_capacity(input.clock.frames);
    for index in 0..input.clock.frames {
        progress.report("reading frames", index as f64 / input.clock.frames as f64)?;
        input.read(index, &mut positions)?;
        frames.push(displacement(&positions, rest));
    }
    Ok(frames)
}
