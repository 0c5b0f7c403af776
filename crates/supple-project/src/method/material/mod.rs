//! A motion whose material changes along with it, so that it needs little force (Li, Huang, de Goes, Jin, Bao and Desbrun
//! 2014).
//!
//! ```text
//! input motion, modes                              → Ŵ, λ, h; poses as x̄                       [ground, pose]
//! the first modes                                  → a material to begin with: S, λ, δ          [ground]
//! a material                                       → a basis and a kernel: an editor of `drag`  [ground]
//! handles, poses                                   → the motion under that material             [the editor]
//! modes, input                                     → few shapes and elements that stand for all  [reduced]
//! grips of the handles, read by them               → the material that needs the least force    [optimise]
//! that material                                    → another editor; its motion, frames, report [the editor, report]
//! ```
//!
//! A material (Ŵ S, λ, δ) is an ordinary basis with ordinary oscillators: letting go, frames, contacts and most of the
//! report are those of [`super::drag`], with handles held on the warp of the whole body.

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod changing;
mod error;
mod file;
mod find;
mod ground;
mod matter;
mod optimise;
mod part;
mod pose;
mod reader;
mod reduced;
mod report;
mod warm;

pub(super) use changing::open as open_live;
pub use error::MaterialError;
pub use part::{ChosenMaterial, MaterialPart};
pub(crate) use reduced::prepare;
pub use reduced::{Prepared, PreparedError};

use crate::Cache;
use crate::body::Body;
use crate::method::drag::{DragMethod, HandleMark, Levels};
use crate::method::error::EditError;
use crate::method::{About, EditedFrame, Method, Report, Side};
use crate::shot::Shot;
use find::find;
use ground::Ground;
use std::sync::Arc;
use supple_model::Progress;
use supple_spacetime::Material;

/// A motion and the material it is made of.
pub struct MaterialMethod {
    ground: Ground,
    /// What it begins with.
    first: Material,
    /// The motion under the material that was found, or under the first.
    editor: DragMethod,
}

impl MaterialMethod {
    /// Prepares all that a motion and its material need; modes and a simulated input come from the cache if they are there.
    ///
    /// # Errors
    /// Names the part of the shot to blame, see [`EditError`].
    pub fn open(shot: &Shot, body: Arc<Body>, cache: &Cache, progress: &Progress) -> Result<Self, EditError> {
        let mut ground = Ground::new(shot, body, &mut Levels::default(), cache, &progress.part(0.0, 0.9))?;
        let first = ground.first()?;
        let editor = ground.begin(&first, &progress.part(0.9, 1.0))?;
        Ok(Self { ground, first, editor })
    }
}

impl Method for MaterialMethod {
    fn about(&self) -> About<'_> {
        let warnings = &self.ground.prepared.warnings;
        About { modes: self.ground.modes(), warnings, ..self.editor.about() }
    }

    fn frame(&self, side: Side, index: usize, positions: &mut [[f64; 3]]) {
        Method::frame(&self.editor, side, index, positions);
    }

    fn solve(
        &mut self,
        progress: &Progress,
        each: &mut dyn FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<Report, EditError> {
        let found = find(&self.ground, &self.first, &progress.part(0.0, 0.6))?;
        let outcome = found.editor.tell(found.settled, &progress.part(0.6, 1.0), each)?;
        let mut report = found.editor.told(outcome);
        found.chosen.add_to(&mut report, &self.ground, &found.editor);
        self.editor = found.editor;
        Ok(report)
    }

    fn amplitudes(&self) -> Vec<Vec<f64>> {
        let states = self.editor.path().states(0..self.editor.clock().frames);
        states.position.row_iter().map(|row| row.iter().copied().collect()).collect()
    }

    fn marks(&self, index: usize) -> Vec<HandleMark> {
        Method::marks(&self.editor, index)
    }
}
