//! The material under which what is asked needs the least force.
//!
//! Handles are read on the reduced warp of the body, over all modes, or on the whole one where that misses too much; what a
//! material makes of them, the solver knows ([`supple_spacetime::MaterialEdit`]).

use super::ground::Ground;
use super::reader::Reader;
use super::reduced::Reduced;
use crate::method::drag::DragMethod;
use crate::method::error::EditError;
use crate::shot;
use supple_model::{Progress, Status};
use supple_spacetime::{
    Grip, Hold, KnownEdit, Material, MaterialEdit, MaterialPose, MaterialReport, MaterialSettings,
    MaterialStep, Optimise, Order,
};

/// A material that was chosen, and how.
#[derive(Clone, Debug)]
pub(super) struct Optimised {
    pub material: Material,
    /// The motion under it as the reduced warp has it; none where the whole one was read.
    pub known: Option<KnownEdit>,
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
        space: ground.space(),
        floor: [ground.damping.mass, ground.damping.stiffness],
        optimise: match ground.settings.optimise {
            shot::Optimise::None => Optimise::None,
            shot::Optimise::Stiffness => Optimise::Stiffness,
            shot::Optimise::All => Optimise::All,
        },
        ..MaterialSettings::new(size)
    }
}

/// What the handles of `editor` and the poses ask, ready to be solved. `reader` reads the same handles over all modes.
pub(super) fn asked(
    ground: &Ground,
    first: &Material,
    editor: &DragMethod,
    reader: &Reader,
    settings: MaterialSettings,
) -> Result<MaterialEdit, EditError> {
    let time = *editor.kernel().settings();
    let mut edit = MaterialEdit::new(&ground.eigenvalues, time, reader.contact_rows(), settings)
        .map_err(EditError::from)?;
    if ground.settings.file.is_some() {
        edit.start_from(first.clone())?;
    }
    let grips = |of: &DragMethod| of.grips().map(|(grips, _)| grips).unwrap_or_default();
    for ((id, grip), (_, read)) in grips(editor).into_iter().zip(grips(reader.whole())) {
        edit.add(id, Grip { site: read.site, less: read.less, ..grip })?;
    }
    let mut variances = vec![0.0; editor.kernel().modes()];
    let rigid = ground.rigid();
    let reduced = reader.reduced().map(|reduced| &*reduced.warp);
    let pose = |pose: &super::pose::PoseAsk| {
        let place = (pose.frame, Order::Position);
        editor.kernel().covariance(place, place, &mut variances);
        let own = &variances[rigid..];
        let mean = own.iter().sum::<f64>() / own.len().max(1) as f64;
        let hold = match pose.hold {
            shot::Hold::Soft(weight) if mean > 0.0 => Hold::Soft(weight / mean),
            _ => Hold::Hard,
        };
        MaterialPose { at: pose.frame.into(), pose: pose.read_by(reduced), hold }
    };
    edit.set_poses(ground.poses.iter().map(pose).collect())?;
    Ok(edit)
}

/// The motion under a material as the reduced warp has it, for the whole one to go on from; none where that is read.
pub(super) fn begun(
    ground: &Ground,
    material: &Material,
    editor: &DragMethod,
    reader: &Reader,
    progress: &Progress,
) -> Result<Option<KnownEdit>, EditError> {
    if reader.reduced().is_none() {
        return Ok(None);
    }
    let mut edit = asked(ground, material, editor, reader, settings(ground, material))?;
    edit.hold(reader.readout()?, progress)?;
    Ok(edit.known())
}

/// Finds the material for what `editor` asks.
pub(super) fn optimise(
    ground: &Ground,
    first: &Material,
    editor: &DragMethod,
    reader: &Reader,
    progress: &Progress,
) -> Result<Optimised, EditError> {
    let mut edit = asked(ground, first, editor, reader, settings(ground, first))?;
    let MaterialReport { rounds, steps, status, .. } =
        edit.release(reader.readout()?, progress, &mut |_| {})?;
    Ok(Optimised {
        material: edit.material().clone(),
        known: reader.reduced().and_then(|_| edit.known()),
        rounds,
        steps,
        reduced: reader.reduced().cloned(),
        note: reader.note().map(str::to_owned),
        status,
    })
}
