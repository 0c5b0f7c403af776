//! The basis of a part: its poses, the ways between them, and modes or recorded shapes.

use super::entry::Entry;
use super::error::ControlError;
use super::setup::Setup;
use super::stretch::Stretch;
use crate::body::anchored;
use crate::method::error::EditError;
use crate::modes::{check_modes, prepare_modes_of};
use crate::shot::Feel;
use faer::Mat;
use supple_elastic::{
    Basis, FreeVertices, KeyBasis, KeyBasisError, KeyBasisReport, KeyBasisSettings, KeyPose, RigidMotion,
};
use supple_model::{Progress, VertexId};

/// The rigid modes of a body that nothing holds.
const RIGID: usize = 6;
/// A velocity below this part of the size in a second is none.
const STILL: f64 = 1e-12;

/// The deformation of a pose: all of it where something holds the body.
pub(super) fn deformation(setup: &Setup, stretch: &Stretch, displacement: &[f64]) -> Vec<f64> {
    match stretch.floats() {
        true => {
            let elastic = &setup.body.elastic;
            RigidMotion::nearest(elastic, displacement).apart(elastic, displacement)
        }
        false => displacement.to_vec(),
    }
}

/// The basis of a part that begins like this; the deformation it begins in.
pub(super) fn basis(
    setup: &Setup,
    stretch: &Stretch,
    entry: &Entry,
    progress: &Progress,
) -> Result<(KeyBasis, KeyBasisReport), EditError> {
    let own = &setup.own.basis;
    let modes = modes(setup, stretch, &progress.part(0.0, 0.5))?;
    let recorded: Vec<Vec<f64>> =
        setup.recorded.iter().map(|shape| deformation(setup, stretch, shape)).collect();
    let (start, rate) = match stretch.floats() {
        true => {
            let afloat = entry.afloat(&setup.body);
            (afloat.deformation, afloat.rate)
        }
        false => (entry.displacement.clone(), entry.velocity.clone()),
    };
    let moves = rate.iter().any(|v| v.abs() > STILL * setup.size);
    let settings = KeyBasisSettings {
        tangents: own.tangents,
        samples: own.samples,
        modes: modes.as_ref(),
        recorded: &recorded,
        recorded_size: stretch.modes,
        kept: if moves { std::slice::from_ref(&rate) } else { &[] },
        size: own.size,
    };
    made(setup, stretch, &start, &settings, &progress.part(0.5, 1.0))
}

/// What tangents alone tell of a part that begins in a pose.
pub(super) fn of_tangents(
    setup: &Setup,
    stretch: &Stretch,
    displacement: &[f64],
    progress: &Progress,
) -> Result<KeyBasisReport, EditError> {
    let start = deformation(setup, stretch, displacement);
    match made(setup, stretch, &start, &KeyBasisSettings::default(), progress) {
        Ok((_, report)) => Ok(report),
        // Poses that are all like the start suggest no time.
        Err(EditError::Control(error)) if is_empty(&error) => Ok(KeyBasisReport::default()),
        Err(error) => Err(error),
    }
}

fn is_empty(error: &ControlError) -> bool {
    matches!(error, ControlError::Basis { problem: KeyBasisError::Empty, .. })
}

fn made(
    setup: &Setup,
    stretch: &Stretch,
    start: &[f64],
    settings: &KeyBasisSettings<'_>,
    progress: &Progress,
) -> Result<(KeyBasis, KeyBasisReport), EditError> {
    let body = &setup.body;
    let free = FreeVertices::except(body.positions().len(), &stretch.held)?;
    let poses: Vec<Vec<f64>> =
        stretch.poses.iter().map(|(_, pose)| deformation(setup, stretch, &pose.displacement)).collect();
    let keys: Vec<KeyPose<'_>> =
        poses.iter().map(|displacement| KeyPose { displacement, load: None }).collect();
    KeyBasis::new(&body.elastic, &free, start, &keys, settings, progress).map_err(|problem| match problem {
        KeyBasisError::Cancelled(cancelled) => EditError::Cancelled(cancelled),
        problem => ControlError::Basis { segment: stretch.segment, problem }.into(),
    })
}

/// The modes of a part; none where recorded shapes take their place.
fn modes(setup: &Setup, stretch: &Stretch, progress: &Progress) -> Result<Option<Basis>, EditError> {
    let (body, own) = (&setup.body, &setup.own.basis);
    if stretch.modes == 0 || own.recorded.is_some() {
        return Ok(None);
    }
    let held: Vec<VertexId> = match &own.mode_anchors {
        None => stretch.held.clone(),
        Some(anchors) => anchored(&setup.shot, anchors, body.positions(), &body.groups)
            .map_err(|error| EditError::NoBody(Box::new(error)))?,
    };
    let free = FreeVertices::except(body.positions().len(), &held)?;
    let rigid = if held.is_empty() { RIGID } else { 0 };
    let count = stretch.modes + rigid;
    check_modes(body, count)?;
    let modes = prepare_modes_of(body, &free, Feel::Lively, count, &setup.cache, progress)?.modes;
    if rigid == 0 {
        return Ok(Some(Basis::of(modes)));
    }
    let rows = 3 * free.vertices().len();
    let shapes = Mat::from_fn(rows, modes.count() - rigid, |row, k| modes.shape(rigid + k)[row]);
    Ok(Some(Basis::new(shapes, free)))
}
