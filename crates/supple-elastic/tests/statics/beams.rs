//! Cantilevers against beam theory.
//!
//! A tip load P bends a slender beam by P L³ / 3EI and shears it by P L / (κ G A), κ = 5/6 (Timoshenko).
//! For large P the centre line is an elastica: with θ the angle of the tip,
//! s(φ) = √(EI/2P) ∫₀^φ dφ / √(sin θ − sin φ), s(θ) = L, and the tip goes down by ∫ sin φ ds.

use crate::statics::samples::{distance, load_on, material, mean, poser, solved, tets, voxels};
use faer::linalg::solvers::Solve;
use std::sync::Arc;
use supple_elastic::{ElasticBody, FreeVertices, Law, Material};
use supple_mesh::Vec3;

const SIZE: Vec3 = Vec3::new(1.0, 0.05, 0.05);

/// Poisson's ratio 0 leaves plate effects out.
const MATERIAL: Material =
    Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.0, density: 1000.0 };

fn bending_stiffness() -> f64 {
    MATERIAL.young * SIZE.z * SIZE.y.powi(3) / 12.0
}

/// How far the tip goes down under `load`.
fn sag(beam: &Arc<ElasticBody>, load: f64) -> f64 {
    let tip = crate::statics::samples::at(beam, |p| p.x == SIZE.x);
    let mut poser = poser(beam, |p| p.x == 0.0);
    solved(&mut poser, &load_on(beam, &tip, Vec3::new(0.0, -load, 0.0)));
    -mean(poser.pose(), &tip).y
}

#[test]
fn a_small_tip_load_bends_a_cantilever_as_timoshenko_says() {
    let load = 1e-3;
    let shear = load * SIZE.x / (5.0 / 6.0 * MATERIAL.young / 2.0 * SIZE.y * SIZE.z);
    let theory = load * SIZE.x.powi(3) / (3.0 * bending_stiffness()) + shear;
    // Voxels cut along x only bend too stiffly by ½ (a/h)², a their length: the error is quartered by
    // halving them, as the closed form of that excess says.
    for (cells, expected) in [(40, 0.125), (80, 0.03125), (160, 0.0078)] {
        let ratio = theory / sag(&voxels(SIZE, [cells, 1, 1], MATERIAL), load);
        assert!((ratio - 1.0 - expected).abs() < 0.004, "{cells}: {ratio}");
    }
}

/// The sag of an elastica of bending stiffness 1 and length 1 under a tip load, by bisection for the tip's
/// angle; φ = θ − t² takes the singularity out of the integrals.
fn elastica(load: f64) -> f64 {
    let integrate = |theta: f64, f: &dyn Fn(f64) -> f64| {
        let n = 2000;
        let end = theta.sqrt();
        let at = |t: f64| {
            let phi = theta - t * t;
            // sin θ − sin φ = 2 cos((θ+φ)/2) sin(t²/2)
            let root = (2.0 * (0.5 * (theta + phi)).cos() * (0.5 * t * t).sin()).sqrt();
            f(phi) * 2.0 * t / root
        };
        (0..n).map(|i| at((f64::from(i) + 0.5) / f64::from(n) * end)).sum::<f64>() * end / f64::from(n)
    };
    let scale = 1.0 / (2.0 * load).sqrt();
    let (mut low, mut high) = (1e-6, std::f64::consts::FRAC_PI_2 - 1e-6);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if scale * integrate(middle, &|_| 1.0) < 1.0 { low = middle } else { high = middle }
    }
    scale * integrate(low, &f64::sin)
}

#[test]
fn the_elastica_is_that_of_the_tables() {
    // Bisshopp and Drucker (1945): P L² / EI = 1, 2, 10.
    for (load, sag) in [(1.0, 0.30172), (2.0, 0.49346), (10.0, 0.81061)] {
        assert!((elastica(load) - sag).abs() < 1e-4, "{load}: {}", elastica(load));
    }
}

#[test]
fn a_large_tip_load_bends_a_cantilever_to_an_elastica() {
    let beam = voxels(SIZE, [160, 1, 1], MATERIAL);
    for load in [2.0, 10.0] {
        let found = sag(&beam, load * bending_stiffness());
        // The beam is 20 times as long as high; shear and stretch, which an elastica has none of, and
        // elements somewhat stiff in bending make up the rest.
        assert!((found / elastica(load) - 1.0).abs() < 0.006, "{load}: {found} {}", elastica(load));
    }
}

#[test]
fn finer_tets_come_closer_to_the_elastica() {
    let load = 3.0 * bending_stiffness();
    let [coarse, fine] =
        [[20, 1, 1], [40, 2, 2]].map(|cells| elastica(3.0) - sag(&tets(SIZE, cells, MATERIAL), load));
    assert!(fine > 0.0 && fine < 0.75 * coarse, "{coarse} {fine}");
}

#[test]
fn the_linear_law_gives_a_dense_solve() {
    let beam = tets(Vec3::new(1.0, 0.2, 0.3), [5, 2, 2], material(Law::Linear));
    let anchors = crate::statics::samples::at(&beam, |p| p.x == 0.0);
    let free = FreeVertices::except(beam.positions().len(), &anchors).unwrap();
    let load = crate::statics::samples::noise(3 * beam.positions().len(), 3);
    let mut poser = poser(&beam, |p| p.x == 0.0);
    let report = solved(&mut poser, &load);
    assert!(report.iterations <= 2 && report.steps.len() == 1);

    let K = beam.stiffness(&vec![0.0; load.len()], &free).to_dense();
    let mut f = vec![0.0; K.nrows()];
    free.gather(&load, &mut f);
    let dense = K.partial_piv_lu().solve(faer::Col::from_fn(f.len(), |i| f[i]));
    let mut expected = vec![0.0; load.len()];
    free.scatter(&(0..f.len()).map(|i| dense[i]).collect::<Vec<_>>(), &mut expected);
    assert!(distance(poser.pose(), &expected) < 1e-9 * crate::statics::samples::largest(&expected));
}
