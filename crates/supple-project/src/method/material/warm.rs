//! The material while a handle is in the hand: every event of the mouse changes the motion, its stiffnesses and dampings; while
//! the hand rests, the shapes follow. What is let go is found anew, from the beginning.

use super::ground::Ground;
use super::optimise::{asked, settings};
use super::reader::Reader;
use crate::method::drag::DragMethod;
use crate::method::error::EditError;
use crate::method::live::Making;
use crate::method::player::Player;
use crate::method::stage::Points;
use supple_model::Progress;
use supple_spacetime::{Hold, Material, MaterialEdit, MaterialReport, Order, Path};

/// A material that follows a hand.
pub(super) struct Warm {
    edit: MaterialEdit,
    reader: Reader,
    player: Player,
    /// The motion as it is, in shapes of the material.
    shown: Option<(Path, Material)>,
}

impl Warm {
    /// What handles and poses ask, under a material to begin with.
    pub fn new(
        ground: &Ground,
        (first, now): (&Material, &Material),
        editor: &DragMethod,
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let reader = Reader::at_once(ground, &progress.part(0.0, 0.5))?;
        let mut edit = asked(ground, first, editor, &reader, settings(ground, first))?;
        edit.start_from(now.clone())?;
        let report = edit.hold(reader.readout()?, &progress.part(0.5, 1.0))?;
        let mut warm = Self { edit, player: Player::of_editor(reader.whole()), reader, shown: None };
        warm.took(&report);
        Ok(warm)
    }

    /// Follows what `editor` asks by now; answers how far the worst hard handle is off.
    pub fn follow(&mut self, editor: &DragMethod, progress: &Progress) -> Result<f64, EditError> {
        for (id, grip) in editor.grips().map(|(grips, _)| grips).unwrap_or_default() {
            self.edit.set_target(id, grip.target)?;
        }
        let report = self.edit.step(self.reader.readout()?, progress)?;
        Ok(self.took(&report))
    }

    /// A whole round, shapes too.
    pub fn improve(&mut self, progress: &Progress) -> Result<(), EditError> {
        let report = self.edit.improve(self.reader.readout()?, progress)?;
        self.took(&report);
        Ok(())
    }

    fn took(&mut self, report: &MaterialReport) -> f64 {
        self.shown = self.edit.path().map(|path| (path, self.edit.material().clone()));
        let hard = self.edit.handles().map(|(_, grip)| grip.hold == Hold::Hard);
        let errors = report.errors.iter().zip(hard).filter(|(_, is_hard)| *is_hard);
        errors.flat_map(|(handle, _)| handle.error).fold(0.0, |worst: f64, x| worst.max(x.abs()))
    }

    /// A part of a frame.
    pub fn go_on(&mut self, making: &mut Making) -> Option<Points> {
        let (shown, frame) = (&self.shown, making.frame);
        self.player.go_on_at(making, || {
            let Some((path, material)) = shown else { return Vec::new() };
            let mut z = vec![0.0; material.modes().len()];
            path.at(frame, Order::Position, &mut z);
            material.coordinates(&z)
        })
    }
}
