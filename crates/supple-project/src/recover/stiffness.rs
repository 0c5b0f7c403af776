//! Young's modulus of every region of a shot, from the same frames.

use super::answer::{RecoveredDamping, RecoveredRegion};
use super::given::Given;
use super::{RecoverError, UniformBasis};
use crate::body::{Body, Matter, elastic_material, solid_regions};
use crate::shot::{Input, Shot};
use std::f64::consts::TAU;
use std::sync::Arc;
use supple_elastic::{ElasticBody, Material, ModuliProblem, Region, Solid, Voxels, find_moduli};
use supple_model::Progress;
use supple_spacetime::Recovered;

/// Test modes. So many tell regions apart that the motion bends alike.
const TESTS: usize = 12;
/// How long the bump is, as a part of what the strongest mode takes for a swing,
const BUMP: f64 = 0.8;
/// and at least, in frames.
const SHORTEST: usize = 8;

/// Finds the moduli of a body; none of one that is no solid.
pub(super) fn find(
    shot: &Shot,
    body: &Body,
    basis: &UniformBasis,
    given: &Given,
    found: &Recovered,
    progress: &Progress,
) -> Result<Option<(Vec<RecoveredRegion>, RecoveredDamping)>, RecoverError> {
    let regions = solid_regions(shot, progress)?;
    let material = Material { young: 1.0, ..elastic_material(shot.body.material.unwrap_or_default()) };
    let soft: Vec<Region> = (regions.iter())
        .map(|region| Region { young: None, ..region.clone() })
        .filter(|region| region.poisson.is_some() || region.density.is_some())
        .collect();
    let (unit, of_element) = match &body.matter {
        Matter::Solid(solid) => {
            let unit: Arc<ElasticBody> = Arc::new(Solid::new(solid.mesh().clone(), material, &soft)?);
            (unit, solid.stiffness_regions(&regions)?)
        }
        Matter::Voxels(voxels) => {
            let unit: Arc<ElasticBody> = Arc::new(Voxels::new(voxels.mesh().clone(), material, &soft)?);
            (unit, voxels.stiffness_regions(&regions)?)
        }
        Matter::Cloth(_) | Matter::Springs(_) => {
            progress.warn("how stiff regions are is found of solids and voxels only; [body] is neither");
            return Ok(None);
        }
    };
    if shot.simulate.cage.is_some() && shot.motion.input == Input::Simulate {
        progress
            .warn("the motion is simulated on a `cage`, which is stiffer than the body: so are its regions");
    }
    // Regions that hold an element at all, the body outside of them first.
    let mut held: Vec<Option<usize>> = of_element.clone();
    held.sort_unstable();
    held.dedup();
    let place = |region: &Option<usize>| held.binary_search(region).unwrap_or(0);
    let tests = tests(basis);
    let problem = ModuliProblem {
        body: &unit,
        warp: basis.warp.warp(),
        free: &body.free,
        regions: &of_element.iter().map(place).collect::<Vec<usize>>(),
        frames: &given.displacements,
        runs: &given.runs,
        seconds_per_frame: given.seconds_per_frame,
        gravity: given.gravity,
        tests: &tests,
        window: window(given, found),
    };
    let Some(moduli) = find_moduli(&problem, progress)? else { return Ok(None) };
    let region = |(of, modulus): (&Option<usize>, &supple_elastic::Modulus)| RecoveredRegion {
        group: of.map(|k| regions[k].name.clone()),
        young: modulus.young,
        determined: modulus.is_determined,
        uncertainty: Some(modulus.uncertainty).filter(|x| x.is_finite()),
        share: modulus.share,
    };
    let damping = RecoveredDamping { mass: moduli.mass_damping, stiffness: moduli.stiffness_damping };
    Ok(Some((held.iter().zip(&moduli.regions).map(region).collect(), damping)))
}

/// Each test mode in the measure of its energy, vᵀK v = λ: noise of the vertices is as λ in its rows, and what tells regions
/// apart is in those of high modes; between the two neither drowns the other.
fn tests(basis: &UniformBasis) -> Vec<Vec<f64>> {
    let first = basis.eigenvalues.first().copied().unwrap_or(1.0);
    let scaled =
        |(shape, lambda): (&Vec<f64>, &f64)| shape.iter().map(|v| v * (first / lambda).sqrt()).collect();
    basis.shapes.iter().zip(&basis.eigenvalues).take(TESTS).map(scaled).collect()
}

/// How many frames the bump takes.
fn window(given: &Given, found: &Recovered) -> usize {
    let longest = given.runs.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
    let main = (0..found.shares.len()).max_by(|&a, &b| found.shares[a].total_cmp(&found.shares[b]));
    let period = main.map_or(0.0, |k| TAU / found.eigenvalues[k].sqrt());
    // An even number: the bump is highest at a frame.
    let frames = (BUMP * period / 2.0).round() as usize * 2;
    frames.clamp(SHORTEST, (longest / 2).max(SHORTEST))
}
