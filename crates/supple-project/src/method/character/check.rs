//! What a handle of a character must be, whatever it asks: numbers, and a firmness that is one.

use crate::method::error::{EditError, HandleProblem};
use crate::shot::{Distance, Goal, Handle, Hold, Move, Orientation, Shot, Site, Zone};

/// A shot that was not read from a file may say what is for other methods.
pub(super) fn shot(shot: &Shot) -> Result<(), EditError> {
    match shot.edit.part {
        Some(_) => Err(EditError::Foreign { key: "part", method: shot.edit.method.name() }),
        None => Ok(()),
    }
}

/// All numbers of a handle are numbers.
pub(super) fn handle(handle: &Handle) -> Result<(), HandleProblem> {
    if let Some(Hold::Soft(weight)) = handle.hold
        && !(weight > 0.0 && weight.is_finite() && weight.recip().is_finite())
    {
        return Err(HandleProblem::Weight { weight });
    }
    let sites = [Some(&handle.site), handle.relative_to.as_ref()];
    let offsets = sites.into_iter().flatten().flat_map(|site| match site {
        Site::Joint { offset, .. } => offset.to_vec(),
        _ => Vec::new(),
    });
    match offsets.chain(numbers(&handle.goal)).find(|value| !value.is_finite()) {
        Some(value) => Err(HandleProblem::NotFinite { value }),
        None => Ok(()),
    }
}

fn numbers(goal: &Goal) -> Vec<f64> {
    match goal {
        Goal::To(numbers)
        | Goal::By(numbers)
        | Goal::Velocity(numbers)
        | Goal::Stay { at: Some(Move::To(numbers) | Move::By(numbers)) } => numbers.to_vec(),
        Goal::Plane { point, normal } => [*point, *normal].concat(),
        Goal::Distance(Distance::Metres(metres)) => vec![*metres],
        Goal::Orientation(Orientation::Quaternion(numbers)) => numbers.to_vec(),
        Goal::Inside(zone) | Goal::Outside(zone) => match zone {
            Zone::Box { min, max } => [*min, *max].concat(),
            Zone::Sphere { center, radius } => [center.as_slice(), &[*radius]].concat(),
            Zone::Below { at, .. } => vec![*at],
            Zone::Mesh(_) => Vec::new(),
        },
        Goal::Stay { at: None }
        | Goal::Distance(Distance::Input)
        | Goal::Orientation(Orientation::Input)
        | Goal::Path(_)
        | Goal::Along(_)
        | Goal::SameAs(_)
        | Goal::Turn { .. } => Vec::new(),
    }
}
