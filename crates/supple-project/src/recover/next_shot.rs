//! The shot with what was found: stiffness of regions, damping, and a table of modes for its edits.

use super::given::Given;
use super::{RecoverAnswer, RecoverError, UniformBasis};
use crate::atomic;
use crate::shot::{Damping, Input, Material, MaterialEdit, Method, Optimise, SecondsPerFrame, Shot};
use std::path::{Path, PathBuf};
use supple_formats::{Mixture, Mixtures, write_mixtures};
use supple_spacetime::Recovered;

/// What is written: the shot, and the table of modes beside it.
pub(super) fn files(output: &Path) -> Vec<PathBuf> {
    vec![output.to_path_buf(), output.with_extension("material.csv")]
}

/// Writes both.
pub(super) fn write(
    shot: &Shot,
    (given, basis): (&Given, &UniformBasis),
    found: &Recovered,
    answer: &RecoverAnswer,
    output: &Path,
) -> Result<(), RecoverError> {
    let table = output.with_extension("material.csv");
    let mut bytes = Vec::new();
    write_mixtures(&mixtures(found, given, basis), &mut bytes)
        .and_then(|()| atomic::replace(&table, &bytes))
        .map_err(|source| RecoverError::Write { file: table.clone(), source })?;
    // From its own folder on, the table is beside it.
    let mut next = shot.moved(output, |_| None)?;
    stiffen(&mut next, answer);
    // Eigenvalues are told per second.
    next.motion.seconds_per_frame = SecondsPerFrame::Seconds(given.seconds_per_frame);
    next.edit.choose(Method::Material);
    if let Some(damping) = answer.damping {
        let damping = Damping { mass: damping.mass, stiffness: damping.stiffness };
        next.edit.damping = Some(damping);
        if shot.motion.input == Input::Simulate {
            next.simulate.damping = damping;
        }
    }
    let own = MaterialEdit {
        file: table.file_name().map(PathBuf::from),
        optimise: Optimise::None,
        shapes: None,
        period: None,
        space: MaterialEdit::default().space,
        ..shot.edit.material_settings().unwrap_or_default()
    };
    next.edit.set_material_settings(&own)?;
    next.save(output)?;
    Ok(())
}

/// The modes, per second.
fn mixtures(found: &Recovered, given: &Given, basis: &UniformBasis) -> Mixtures {
    let seconds = given.seconds_per_frame;
    let mode = |k: usize| Mixture {
        eigenvalue: found.eigenvalues[k] / (seconds * seconds),
        damping: found.damping[k] / seconds,
        parts: found.shapes.col(k).iter().copied().collect(),
    };
    Mixtures {
        vertices: given.displacements.first().map(|u| u.len() / 3),
        uniform: basis.eigenvalues.iter().map(|lambda| lambda / basis.eigenvalues[0]).collect(),
        modes: (0..found.eigenvalues.len()).map(mode).collect(),
    }
}

/// Gives regions the moduli that are determined; others stay as they are.
fn stiffen(next: &mut Shot, answer: &RecoverAnswer) {
    for found in answer.regions.iter().filter(|region| region.determined) {
        match &found.group {
            Some(group) => {
                let named = next.body.regions.iter_mut().filter(|region| region.group == *group);
                if let Some(region) = named.filter(|region| region.young.is_some()).last() {
                    region.young = Some(found.young);
                }
            }
            // Without a material of its own the body is of those its file brings along, and stays so.
            None => {
                if let Some(material) = next.body.material {
                    next.body.material = Some(Material { young: found.young, ..material });
                }
            }
        }
    }
}
