//! A motion and how it shows an edit.
//!
//! At each frame i an edit z_i of the modes is p = U z_i, and the body is at ū_i warped by p, [`Warp`]. Or, without
//! a warp, plainly where the modes would take it if nothing bent, see [`super::linear`].
//!
//! Where the set of contacts changes from one frame to the next, what the warp keeps changes with it and the shape
//! would jump. Such frames are warped twice, W_a with the contacts of one side and W_b with those of the other, and
//! shown as (1 − w) W_a + w W_b.

use super::apply::is_nothing;
use super::linear::WholeRows;
use super::{InputFrame, Warp, WarpContact, WarpError, spin};
use crate::Basis;
use faer::{Mat, MatRef};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use supple_model::{Cancelled, Progress};

/// Frames that are made together: their edits are one product with U, and 16 of them take less than 50 ms.
const FRAMES_PER_BLOCK: usize = 16;
/// How long an edit lasts if nobody says: a second of film.
const REACH: usize = 24;

/// The frames of a motion, ready to show edits. Clones share all that is large.
#[derive(Clone, Debug)]
pub struct WarpedMotion {
    warp: Arc<Warp>,
    basis: Arc<Basis>,
    frames: Vec<InputFrame>,
    /// A second variant of some frames, and its weight.
    others: Vec<Option<(InputFrame, f64)>>,
    is_plain: bool,
    reach: usize,
    /// What the modes do to floating components as wholes, made when it is asked for.
    whole_rows: OnceLock<Vec<WholeRows>>,
}

impl WarpedMotion {
    /// Frames of the body of `warp`, edited by the modes of `basis`.
    ///
    /// # Panics
    /// When `basis` or a frame is of another body.
    #[must_use]
    pub fn new(warp: impl Into<Arc<Warp>>, basis: Arc<Basis>, frames: Vec<InputFrame>) -> Self {
        let warp = warp.into();
        assert_eq!(basis.vertices(), warp.vertices(), "the modes of this body");
        let mut motion = Self {
            warp,
            basis,
            frames: Vec::new(),
            others: Vec::new(),
            is_plain: false,
            reach: REACH,
            whole_rows: OnceLock::new(),
        };
        motion.set_frames(frames);
        motion
    }

    /// In how many frames an edit comes and goes; 24 unless said. A component nothing holds that turns by more than
    /// 30° within so many frames, anywhere in the motion, is turned by edits about axes that stand still in space,
    /// and not about its own.
    pub fn set_reach(&mut self, frames: usize) {
        self.reach = frames;
        let spins = spin::spins(&self.frames, frames);
        let others = self.others.iter_mut().flatten().map(|(other, _)| other);
        self.frames.iter_mut().chain(others).for_each(|frame| frame.spins = spins.clone());
    }

    /// Whether edits are added plainly, without a warp.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Says whether edits are added plainly, without a warp.
    pub fn set_plain(&mut self, is_plain: bool) {
        self.is_plain = is_plain;
    }

    /// The warp.
    #[must_use]
    pub fn warp(&self) -> &Arc<Warp> {
        &self.warp
    }

    /// The modes.
    #[must_use]
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// A frame of the input.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn frame(&self, frame: usize) -> &InputFrame {
        &self.frames[frame]
    }

    /// Other frames in place of all there are, no longer blended: those of a baked edit, say.
    ///
    /// # Panics
    /// When a frame is of another body.
    pub fn set_frames(&mut self, frames: Vec<InputFrame>) {
        frames.iter().for_each(|frame| self.warp.check_length(frame.displacement()));
        self.others = vec![None; frames.len()];
        self.frames = frames;
        self.set_reach(self.reach);
    }

    /// Another frame in place of one, no longer blended. How far components turn is not looked at anew.
    ///
    /// # Panics
    /// When there is no such frame, or the new one is of another body.
    pub fn set_frame(&mut self, frame: usize, input: InputFrame) {
        self.warp.check_length(input.displacement());
        let spins = self.frames[frame].spins.clone();
        self.frames[frame] = InputFrame { spins, ..input };
        self.others[frame] = None;
    }

    /// Makes a frame keep contacts, see [`Warp::hold`].
    ///
    /// # Errors
    /// As [`Warp::hold`].
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn hold(&mut self, frame: usize, contacts: &[WarpContact]) -> Result<(), WarpError> {
        self.warp.hold(&mut self.frames[frame], contacts)
    }

    /// Shows a frame as (1 − w) W_a + w W_b with `other` as b: the same frame with other contacts, usually.
    ///
    /// # Panics
    /// When there is no such frame, `other` is of another body, or the weight is not between 0 and 1.
    pub fn blend(&mut self, frame: usize, other: InputFrame, weight_of_other: f64) {
        assert!((0.0..=1.0).contains(&weight_of_other), "a weight between 0 and 1");
        self.warp.check_length(other.displacement());
        let other = InputFrame { spins: self.frames[frame].spins.clone(), ..other };
        self.others[frame] = (weight_of_other > 0.0).then_some((other, weight_of_other));
    }

    /// The variants of a frame with their weights, which sum to 1.
    pub(super) fn variants(&self, frame: usize) -> impl Iterator<Item = (&InputFrame, f64)> {
        let other = self.others[frame].as_ref().map(|(other, weight)| (other, *weight));
        let weight = 1.0 - other.map_or(0.0, |(_, weight)| weight);
        std::iter::once((&self.frames[frame], weight)).chain(other)
    }

    /// Overwrites `out` with the displacement of a frame under the edit p; three numbers per vertex both. Without an edit
    /// it is the input, bit for bit.
    ///
    /// # Panics
    /// When there is no such frame, or a slice has not three numbers per vertex.
    pub fn apply(&self, frame: usize, edit: &[f64], out: &mut [f64]) {
        self.show(&self.frames[frame], edit, out);
        self.mix(frame, edit, out);
    }

    /// Overwrites `out` with the displacement of a frame under the edit U z.
    ///
    /// # Panics
    /// When there is no such frame, `z` has not one entry per mode, or `out` not three numbers per vertex.
    pub fn displacement(&self, frame: usize, z: &[f64], out: &mut [f64]) {
        let mut edit = vec![0.0; out.len()];
        self.basis.displacement(z, &mut edit);
        self.apply(frame, &edit, out);
    }

    /// The displacements of some frames, each under its edit U z; one pass over U.
    ///
    /// # Panics
    /// When there is no such frame, or a z has not one entry per mode.
    #[must_use]
    pub fn shown(&self, asked: &[(usize, &[f64])]) -> Vec<Vec<f64>> {
        let edits: Vec<&[f64]> = asked.iter().map(|(_, z)| *z).collect();
        let size = 3 * self.warp.vertices();
        let edits = self.edits(&edits);
        let each = asked.par_iter().zip(edits.par_chunks_exact(size));
        each.map(|((frame, _), edit)| {
            let mut out = vec![0.0; size];
            self.apply(*frame, edit, &mut out);
            out
        })
        .collect()
    }

    /// U z of some edits, one after the other.
    pub(super) fn edits(&self, edits: &[&[f64]]) -> Vec<f64> {
        let mut out = vec![0.0; edits.len() * 3 * self.warp.vertices()];
        match edits {
            [z] => self.basis.displacement(z, &mut out),
            _ => {
                let Z = Mat::from_fn(self.basis.modes(), edits.len(), |k, edit| edits[edit][k]);
                self.basis.displacements(Z.as_ref(), &mut out);
            }
        }
        out
    }

    /// Hands on the displacements of a range of frames, in order; column k of Z (r×F) is the edit of the k-th of
    /// them. Few frames are held at a time.
    ///
    /// # Errors
    /// When the caller cancels, or what `hand` answers.
    ///
    /// # Panics
    /// When the frames do not exist or Z has not a column for each of them and a row per mode.
    pub fn each<E: From<Cancelled>>(
        &self,
        frames: Range<usize>,
        Z: MatRef<'_, f64>,
        progress: &Progress,
        mut hand: impl FnMut(usize, &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        assert_eq!(Z.ncols(), frames.len(), "an edit for every frame");
        let size = 3 * self.warp.vertices();
        let room = size * FRAMES_PER_BLOCK.min(frames.len());
        let (mut edits, mut shown) = (vec![0.0; room], vec![0.0; room]);
        let tell = |done: usize| progress.report("computing frames", done as f64 / frames.len() as f64);
        for done in (0..frames.len()).step_by(FRAMES_PER_BLOCK) {
            tell(done)?;
            let count = FRAMES_PER_BLOCK.min(frames.len() - done);
            let (edits, shown) = (&mut edits[..count * size], &mut shown[..count * size]);
            self.basis.displacements(Z.subcols(done, count), edits);
            let first = frames.start + done;
            self.block(first, edits, shown);
            for (k, shown) in shown.chunks_exact(size).enumerate() {
                tell(done + k)?;
                hand(first + k, shown)?;
            }
        }
        Ok(())
    }

    /// Frames from `first` on, as many as there are edits.
    fn block(&self, first: usize, edits: &[f64], out: &mut [f64]) {
        let size = 3 * self.warp.vertices();
        let each = edits.par_chunks_exact(size).zip(out.par_chunks_exact_mut(size));
        if self.is_plain {
            each.enumerate().for_each(|(k, (edit, out))| self.apply(first + k, edit, out));
        } else {
            let frames: Vec<&InputFrame> = self.frames[first..first + edits.len() / size].iter().collect();
            self.warp.apply_many(&frames, edits, out);
            let each = edits.par_chunks_exact(size).zip(out.par_chunks_exact_mut(size));
            each.enumerate().for_each(|(k, (edit, out))| self.mix(first + k, edit, out));
        }
    }

    /// Blends a second variant into what the first one gave. Without an edit both are the input.
    fn mix(&self, frame: usize, edit: &[f64], out: &mut [f64]) {
        if let Some((other, weight)) = self.others[frame].as_ref().filter(|_| !is_nothing(edit)) {
            let mut second = vec![0.0; out.len()];
            self.show(other, edit, &mut second);
            for (out, second) in out.iter_mut().zip(second) {
                *out = (1.0 - weight) * *out + weight * second;
            }
        }
    }

    fn show(&self, input: &InputFrame, edit: &[f64], out: &mut [f64]) {
        if self.is_plain && is_nothing(edit) {
            out.copy_from_slice(input.displacement());
        } else if self.is_plain {
            self.show_unwarped(input, edit, out);
        } else {
            self.warp.apply(input, edit, out);
        }
    }

    pub(super) fn whole_rows(&self) -> &[WholeRows] {
        self.whole_rows.get_or_init(|| WholeRows::of(self.warp.poisson.floating(), &self.basis))
    }
}
