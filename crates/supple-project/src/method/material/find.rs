//! From handles and poses to a material and the motion under it.

use super::ground::Ground;
use super::matter::periods;
use super::optimise::{self, Optimised};
use super::reader::Reader;
use crate::method::drag::{DragMethod, Settled};
use crate::method::error::EditError;
use crate::shot::Optimise;
use supple_model::{Progress, Status};
use supple_spacetime::{KnownEdit, Material};

/// The motion under a material that was chosen.
pub(super) struct Found {
    pub editor: DragMethod,
    pub settled: Settled,
    pub chosen: Chosen,
}

/// A material, and how it was chosen.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub material: Material,
    /// What the motion was before the material was chosen; none where it was not.
    pub before: Option<Before>,
    /// How it was chosen; none where it was not.
    pub optimised: Option<Optimised>,
    /// Why what was found is not used.
    pub note: Option<String>,
}

/// A motion under the material it began with.
#[derive(Clone, Debug)]
pub(super) struct Before {
    /// ½∫f².
    pub energy: f64,
    /// The largest force.
    pub force: f64,
    /// Frames in which every shape swung once; none for what did not.
    pub periods: Vec<Option<f64>>,
}

/// The largest force of an edit, in the norm of the mass.
pub(super) fn largest_force(editor: &DragMethod) -> f64 {
    editor.forces().map_or(0.0, |forces| forces.norms.iter().copied().fold(0.0, f64::max))
}

/// The motion that an editor asks for, found from one that is known where there is one.
fn answered(
    editor: &mut DragMethod,
    known: Option<&KnownEdit>,
    progress: &Progress,
) -> Result<Settled, EditError> {
    match known {
        Some(known) => editor.settle_from(known, progress),
        None => editor.settle(progress),
    }
}

/// Finds a material that needs little force, and the motion under it. Stopped, what there was before is good.
pub(super) fn find(ground: &Ground, first: &Material, progress: &Progress) -> Result<Found, EditError> {
    let mut editor = ground.editor(first, &progress.part(0.0, 0.02))?;
    let begun = Chosen { material: first.clone(), before: None, optimised: None, note: None };
    let asks = ground.shot.edit.handles.iter().any(|handle| handle.muted != Some(true));
    if ground.settings.optimise == Optimise::None || (!asks && ground.poses.is_empty()) {
        let settled = editor.settle(&progress.part(0.02, 1.0))?;
        return Ok(Found { editor, settled, chosen: begun });
    }
    progress.report("preparing the material", 0.02)?;
    let reader = Reader::new(ground, &progress.part(0.02, 0.2))?;
    let known = optimise::begun(ground, first, &editor, &reader, &progress.part(0.2, 0.25))?;
    let settled = answered(&mut editor, known.as_ref(), &progress.part(0.25, 0.45))?;
    if progress.is_stopped() {
        return Ok(Found { editor, settled, chosen: begun });
    }
    let (energy, force) = (settled.energy, largest_force(&editor));
    let before = Before { energy, force, periods: periods(ground.dt, first) };
    let optimised = optimise::optimise(ground, first, &editor, &reader, &progress.part(0.45, 0.7))?;
    let mut next = ground.editor(&optimised.material, &progress.part(0.7, 0.72))?;
    let after = answered(&mut next, optimised.known.as_ref(), &progress.part(0.72, 1.0))?;
    let met = |settled: &Settled| settled.status == Status::Settled;
    let note = if progress.is_stopped() && !met(&after) {
        Some("stopped before there was a motion under the new material; this is the first one")
    } else if met(&settled) && !met(&after) {
        Some("a material was found under which handles are missed; this is the motion under the first one")
    } else {
        None
    };
    Ok(match note {
        Some(note) => {
            let mut settled = settled;
            if progress.is_stopped() {
                settled.status = Status::Stopped;
            }
            let chosen = Chosen { note: Some(note.to_owned()), before: Some(before), ..begun };
            Found { editor, settled, chosen }
        }
        None => {
            let material = optimised.material.clone();
            let chosen = Chosen { material, before: Some(before), optimised: Some(optimised), note: None };
            Found { editor: next, settled: after, chosen }
        }
    })
}
