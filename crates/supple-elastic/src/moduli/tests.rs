#![expect(clippy::single_range_in_vec_init, reason = "a motion may be one stretch of frames")]

use super::*;
use crate::{
    Damping, FreeVertices, Integrator, Law, Material, Region, Simulation, SimulationSettings, Solid,
};
use std::sync::Arc;
use supple_mesh::shapes::box_mesh;
use supple_mesh::{TetMesh, Vec3};
use supple_model::VertexId;
use supple_numerics::random::Random;

const FRAME: f64 = 1.0 / 48.0;
const YOUNG: [f64; 3] = [4e5, 1.5e5, 8e5];
const DAMPING: Damping = Damping { mass: 0.4, stiffness: 0.002 };

fn mesh() -> TetMesh {
    box_mesh(Vec3::new(1.2, 0.2, 0.2), [9, 2, 2]).unwrap()
}

fn third(x: f64) -> usize {
    ((x / 0.4).floor() as usize).min(2)
}

/// The thirds of the bar, the first being the body where no region is.
fn regions(young: impl Fn(usize) -> Option<f64>) -> Vec<Region> {
    let part = |g: usize| Region {
        name: format!("third {g}"),
        extent: crate::Extent::Vertices(
            (0..)
                .zip(mesh().positions())
                .filter(|(_, x)| (0.4 * g as f64 - 1e-9..0.4 * (g + 1) as f64 + 1e-9).contains(&x.x))
                .map(|(v, _)| VertexId(v))
                .collect(),
        ),
        young: young(g),
        poisson: None,
        density: None,
    };
    (1..3).map(part).collect()
}

fn material(young: f64) -> Material {
    Material { law: Law::StVenantKirchhoff, young, poisson: 0.4, density: 500.0 }
}

struct Given {
    unit: Solid,
    warp: Arc<Warp>,
    free: FreeVertices,
    regions: Vec<usize>,
    frames: Vec<Vec<f64>>,
    tests: Vec<Vec<f64>>,
}

/// A bar held at one end that swings after a blow, under gravity if asked for.
fn swinging(gravity: [f64; 3], speed: f64) -> Given {
    let solid = Arc::new(Solid::new(mesh(), material(YOUNG[0]), &regions(|g| Some(YOUNG[g]))).unwrap());
    let held: Vec<VertexId> =
        (0..).zip(mesh().positions()).filter(|(_, x)| x.x < 1e-9).map(|(v, _)| VertexId(v)).collect();
    let free = FreeVertices::except(solid.masses().len(), &held).unwrap();
    let settings = SimulationSettings {
        seconds_per_step: FRAME / 4.0,
        integrator: Integrator::Newmark,
        damping: DAMPING,
        gravity,
        ..SimulationSettings::default()
    };
    let mut simulation = Simulation::new(solid.clone(), free.clone(), settings).unwrap();
    let zero = vec![0.0; 3 * solid.masses().len()];
    let blow: Vec<f64> = mesh()
        .positions()
        .iter()
        .flat_map(|x| [0.0, speed * x.x * x.x, 0.6 * speed * x.x * (x.x - 0.9)])
        .collect();
    simulation.set_state(&zero, &blow).unwrap();
    let mut frames = vec![zero.clone()];
    for _ in 0..90 {
        for _ in 0..4 {
            simulation.step(&zero, &zero, &Progress::silent()).unwrap();
        }
        frames.push(simulation.displacement().to_vec());
    }
    let unit = Solid::new(mesh(), material(1.0), &[]).unwrap();
    let modes = unit.modes(&free, 6, &Progress::silent()).unwrap();
    let of = solid.stiffness_regions(&regions(|g| Some(YOUNG[g]))).unwrap();
    Given {
        regions: of.iter().map(|k| k.map_or(0, |k| k + 1)).collect(),
        tests: (0..6).map(|k| modes.displacement(k)).collect(),
        warp: Arc::new(Warp::new(&mesh(), unit.masses(), &free).unwrap()),
        unit,
        free,
        frames,
    }
}

impl Given {
    fn problem<'a>(&'a self, runs: &'a [Range<usize>], gravity: Option<[f64; 3]>) -> ModuliProblem<'a> {
        ModuliProblem {
            body: &self.unit,
            warp: &self.warp,
            free: &self.free,
            regions: &self.regions,
            frames: &self.frames,
            runs,
            seconds_per_frame: FRAME,
            gravity,
            tests: &self.tests,
            window: 20,
        }
    }

    fn moduli(&self, gravity: Option<[f64; 3]>) -> Moduli {
        find_moduli(&self.problem(&[0..91], gravity), &Progress::silent()).unwrap().unwrap()
    }
}

fn off(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

#[test]
fn regions_are_those_that_say_how_stiff_they_are() {
    let given = swinging([0.0; 3], 0.0);
    let middle = |e: usize| {
        let corners = mesh().tets()[e];
        corners.iter().map(|v| mesh().positions()[v.index()].x).sum::<f64>() / 4.0
    };
    assert!((0..given.regions.len()).all(|e| given.regions[e] == third(middle(e))));
    let silent = given.unit.stiffness_regions(&regions(|_| None)).unwrap();
    assert!(silent.iter().all(Option::is_none));
    let found = find_moduli(&given.problem(&[0..15], None), &Progress::silent()).unwrap();
    assert_eq!(found, None, "shorter than the bump");
}

/// A bar that bends by a tenth of its length, whether or not it is known what pulls it down.
#[test]
fn moduli_and_damping_of_a_simulated_bar_come_back() {
    let gravity = [0.0, -9.81, 0.0];
    let given = swinging(gravity, 1.2);
    for known in [Some(gravity), None] {
        let found = given.moduli(known);
        for (modulus, truth) in found.regions[..2].iter().zip(YOUNG) {
            assert!(modulus.is_determined && off(modulus.young, truth) < 0.01, "{known:?} {found:?}");
        }
        // The free end bears half a percent of the energy.
        assert!(!found.regions[2].is_determined && off(found.regions[2].young, YOUNG[2]) < 0.1, "{found:?}");
        assert!(off(found.mass_damping, DAMPING.mass) < 0.2, "{found:?}");
        assert!(off(found.stiffness_damping, DAMPING.stiffness) < 0.2, "{found:?}");
        assert!(found.residual < 0.02, "{found:?}");
        let shares: f64 = found.regions.iter().map(|region| region.share).sum();
        assert!((shares - 1.0).abs() < 1e-12);
    }
}

/// Every number of every frame is off by this part of the motion; what is held, as a capture has it, too.
fn noisy(given: &Given, part: f64, seed: u64) -> Vec<Vec<f64>> {
    let square: f64 = given.frames.iter().flatten().map(|u| u * u).sum();
    let size = part * (square / (given.frames.len() * given.frames[0].len()) as f64).sqrt();
    let mut random = Random::new(seed);
    given.frames.iter().map(|frame| frame.iter().map(|u| u + size * random.normal()).collect()).collect()
}

/// Raw frames say nothing with noise of 5 % on every vertex: its strain stiffens what it is in. Bars that bend little, and by
/// a fifth of their length, several draws of noise each.
#[test]
fn noise_is_separated_from_motion() {
    for speed in [0.2, 1.2] {
        let given = swinging([0.0; 3], speed);
        for seed in 1..=4 {
            let noisy = noisy(&given, 0.05, seed);
            let problem = ModuliProblem { frames: &noisy, ..given.problem(&[0..91], Some([0.0; 3])) };
            let found = find_moduli(&problem, &Progress::silent()).unwrap().unwrap();
            let told = format!("speed {speed}, seed {seed}: {found:?}");
            assert!((2..12).contains(&found.components), "{told}");
            for (modulus, truth) in found.regions.iter().zip(YOUNG) {
                let (off, is_strained) = (off(modulus.young, truth), modulus.share >= 0.05);
                assert!(!is_strained || (modulus.is_determined && off < 0.1), "{told}");
                assert!(!modulus.is_determined || off < 4.0 * modulus.uncertainty, "{told}");
            }
            assert!(found.regions.iter().filter(|modulus| modulus.share >= 0.05).count() == 2, "{told}");
        }
    }
}

#[test]
fn what_does_not_deform_is_not_determined() {
    let mut given = swinging([0.0; 3], 1.2);
    // One tet at the free end, a region by itself.
    let last = (0..given.regions.len()).rfind(|e| given.regions[*e] == 2).unwrap();
    given.regions[last] = 3;
    let found = given.moduli(Some([0.0; 3]));
    assert!(!found.regions[3].is_determined && found.regions[0].is_determined, "{found:?}");
}

#[test]
fn noise_alone_has_a_floor() {
    // Singular values of a 400 × 100 matrix of noise 1 lie between 10 and 30.
    let noise: Vec<f64> = (0..100).map(|k| 30.0 - 0.2 * k as f64).collect();
    assert_eq!(denoise::standing_out(&noise, 400, 100).0, 1);
    let sizes: Vec<f64> = [900.0, 300.0, 80.0].into_iter().chain(noise).collect();
    assert_eq!(denoise::standing_out(&sizes, 400, 103).0, 3);
    assert_eq!(denoise::standing_out(&[1.0, 1e-3, 1e-9, 0.0, 0.0], 400, 5).0, 2);
}

#[test]
fn cancelling_is_heard_and_threads_do_not_matter() {
    let given = swinging([0.0; 3], 1.2);
    let progress = Progress::silent();
    progress.cancel();
    assert!(find_moduli(&given.problem(&[0..91], None), &progress).is_err());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| given.moduli(None));
        found.regions.iter().map(|region| region.young.to_bits()).collect::<Vec<u64>>()
    };
    assert_eq!(run(1), run(2));
}
