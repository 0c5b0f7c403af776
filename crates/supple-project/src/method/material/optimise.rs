//! The material under which what is asked needs the least force.
//!
//! Handles are read on the reduced warp of the body, over all modes, or on the whole one where that misses too much; what a
//! material makes of them, the solver knows ([`supple_spacetime::MaterialEdit`]).

use super::error::MaterialError;
use super::ground::Ground;
use super::reduced::Reduced;
use crate::method::drag::DragMethod;
use crate::method::error::EditError;
use crate::shot;
use supple_elastic::ReducedReadout;
use supple_model::{Progress, Readout, Status};
use supple_spacetime::{
    Hold, Material, MaterialEdit, MaterialPose, MaterialReport, MaterialSettings, MaterialStep, Optimise,
    Order,
};

/// A material that was chosen, and how.
#[derive(Clone, Debug)]
pub(super) struct Optimised {
    pub material: Material,
    /// Rounds of all steps.
    pub rounds: usize,
    /// The steps, with the energy after each.
    pub steps: Vec<MaterialStep>,
    /// The reduced warp it was chosen over; none where the whole one was read.
    pub reduced: Option<Reduced>,
    /// Why it was not.
    pub note: Option<String>,
    /// How it ended.
    pub status: Status,
}

/// The material that the solver begins with, and what it may do.
pub(super) fn settings(ground: &Ground, first: &Material) -> MaterialSettings {
    let size = ground.prepared.moved.figure.size;
    MaterialSettings {
        shapes: first.modes().len() - ground.rigid(),
        period: None,
        range: ground.settings.range,
        space: ground.settings.space,
        floor: [ground.damping.mass, ground.damping.stiffness],
        optimise: match ground.settings.optimise {
            shot::Optimise::None => Optimise::None,
            shot::Optimise::Stiffness => Optimise::Stiffness,
            shot::Optimise::All => Optimise::All,
        },
        ..MaterialSettings::new(size)
    }
}

/// What the handles of `editor` and the poses ask, ready to be solved. `whole` reads the same handles over all modes.
pub(super) fn asked(
    ground: &Ground,
    first: &Material,
    editor: &DragMethod,
    whole: &DragMethod,
) -> Result<MaterialEdit, EditError> {
    let time = *editor.kernel().settings();
    let mut edit =
        MaterialEdit::new(&ground.eigenvalues, time, whole.contact_rows(), settings(ground, first))
            .map_err(EditError::from)?;
    if ground.settings.file.is_some() {
        edit.start_from(first.clone())?;
    }
    for (id, grip) in editor.grips().map(|(grips, _)| grips).unwrap_or_default() {
        edit.add(id, grip)?;
    }
    let mut variances = vec![0.0; editor.kernel().modes()];
    let rigid = ground.rigid();
    let pose = |pose: &super::pose::PoseAsk| {
        let place = (pose.frame, Order::Position);
        editor.kernel().covariance(place, place, &mut variances);
        let own = &variances[rigid..];
        let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        let hold = match pose.hold {
            shot::Hold::Soft(weight) if mean > 0.0 => Hold::Soft(weight / mean),
            _ => Hold::Hard,
        };
        MaterialPose { at: pose.frame.into(), pose: pose.x.clone(), hold }
    };
    edit.set_poses(ground.poses.iter().map(pose).collect())?;
    Ok(edit)
}

/// Finds the material for what `editor` asks.
pub(super) fn optimise(
    ground: &Ground,
    first: &Material,
    editor: &DragMethod,
    progress: &Progress,
) -> Result<Optimised, EditError> {
    progress.report("preparing the material", 0.0)?;
    let whole = ground.whole(&progress.part(0.0, 0.05))?;
    let mut edit = asked(ground, first, editor, &whole)?;
    let Some((handles, full)) = whole.grips() else { return Err(MaterialError::NotRead.into()) };
    // Poses are not read, and what is not warped is read at once.
    let is_read = !(handles.is_empty() || full.motion().is_plain());
    let made = if is_read { ground.reduced(&progress.part(0.05, 0.4))? } else { None };
    let reduced = made.filter(|reduced| reduced.note().is_none());
    let few = reduced.map(|reduced| ReducedReadout::of(reduced.warp.clone(), full)).transpose()?;
    let readout: &dyn Readout = few.as_ref().map_or(full, |few| few as &dyn Readout);
    let MaterialReport { rounds, steps, status, .. } =
        edit.release(readout, &progress.part(0.4, 1.0), &mut |_| {})?;
    Ok(Optimised {
        material: edit.material().clone(),
        rounds,
        steps,
        reduced: reduced.cloned(),
        note: made.and_then(Reduced::note),
        status,
    })
}
