//! Plates of cloth against the closed forms.

use crate::modes::{assert_certified, modes, share_along};
use supple_elastic::{Cloth, Fabric};
use supple_mesh::{TriMesh, Vec3};
use supple_model::VertexId;

const FABRIC: Fabric =
    Fabric { young: 1e7, poisson: 0.3, thickness: 0.01, density: 1000.0, shear: 1.0, bending: None };

/// A unit square with a frame of half a cell around it, of `cells`² cells in all, cut alike.
///
/// Where two rows of vertices are held the plate is clamped midway between them: of the deflections that
/// vanish on both rows, the smooth ones have their double zero there.
fn plate(cells: usize, fabric: Fabric) -> Cloth {
    irregular_plate(cells, fabric, 0.0)
}

/// The same with its inner vertices moved by up to `jitter` cells, and cut at random if that is not 0.
fn irregular_plate(cells: usize, fabric: Fabric, jitter: f64) -> Cloth {
    let side = cells + 1;
    let mut seed = 5_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        jitter * ((seed >> 11) as f64 / 2f64.powi(52) - 1.0)
    };
    let mut at = |k: usize, inside: bool| {
        let moved = if inside { random() } else { 0.0 };
        (k as f64 - 0.5 + moved) / (cells - 1) as f64
    };
    let place = |v: usize| {
        let inside = [v % side, v / side].iter().all(|&k| k >= 2 && k + 2 <= cells);
        Vec3::new(at(v % side, inside), at(v / side, inside), 0.0)
    };
    let positions = (0..side * side).map(place).collect();
    let triangles = (0..cells * cells).flat_map(|cell| {
        let low = cell % cells + side * (cell / cells);
        let [a, b, c, d] = [low, low + 1, low + side + 1, low + side].map(VertexId::new);
        if random() > 0.0 { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    });
    Cloth::new(TriMesh::new(positions, triangles.collect()).unwrap(), fabric, &[]).unwrap()
}

/// The first three frequencies of a clamped plate over Leissa's (1969, "Vibration of Plates", table 4.24):
/// ω = c √(D/(ρ h)), c = 35.992, 73.413, 73.413 and, computed later to more digits, 35.985, 73.394, 73.394.
fn clamped(cloth: &Cloth, cells: usize, bending: f64) -> [f64; 3] {
    let inner = 0.6 / (cells - 1) as f64;
    let held = |x: f64| x < inner || x > 1.0 - inner;
    let modes = modes(cloth, |p| held(p.x) || held(p.y), 3);
    assert_certified(&modes);
    assert!((0..3).all(|k| share_along(&modes, k, 2) > 0.999), "bending comes first");
    let root = (bending / (FABRIC.density * FABRIC.thickness)).sqrt();
    let published = [35.985, 73.394, 73.394];
    std::array::from_fn(|k| modes.eigenvalues()[k].sqrt() / (published[k] * root))
}

#[test]
fn a_clamped_plate_vibrates_as_leissa_says_and_converges() {
    let errors =
        |cells| clamped(&plate(cells, FABRIC), cells, FABRIC.plate_stiffness()).map(|r| (r - 1.0).abs());
    let (coarse, fine) = (errors(11), errors(21));
    // Second order: half the cell leaves a quarter of the error, which is 0.4 % and 2.2 % to begin with.
    assert!(coarse[0] < 0.005 && coarse[1].max(coarse[2]) < 0.025, "{coarse:?}");
    for k in 0..3 {
        assert!(fine[k] < 0.3 * coarse[k], "mode {k}: {coarse:?} {fine:?}");
    }
}

#[test]
fn a_clamped_plate_cut_at_random_is_within_two_percent() {
    for jitter in [1e-6, 0.25] {
        let ratios = clamped(&irregular_plate(21, FABRIC, jitter), 21, FABRIC.plate_stiffness());
        assert!(ratios.iter().all(|r| (r - 1.0).abs() < 0.02), "{jitter}: {ratios:?}");
    }
}

#[test]
fn a_given_bending_stiffness_takes_the_place_of_the_plates() {
    let ratios = clamped(&plate(21, Fabric { bending: Some(2.0), ..FABRIC }), 21, 2.0);
    assert!((ratios[0] - 1.0).abs() < 0.002, "{ratios:?}");
}

#[test]
fn a_strip_clamped_at_one_end_vibrates_like_a_beam() {
    // Free edges bear no moment. With the Poisson ratio 0 a strip is a beam of stiffness D per width; cut
    // along x into a few cells it is clamped between the first two columns.
    let fabric = Fabric { poisson: 0.0, ..FABRIC };
    let (cells, length) = (40, 39.5 / 39.0);
    let cloth = plate(cells, fabric);
    let modes = modes(&cloth, |p| p.x < 0.6 / 39.0, 1);
    let root = (fabric.plate_stiffness() / (fabric.density * fabric.thickness)).sqrt();
    let ratio = modes.eigenvalues()[0].sqrt() / (1.875_104_068_7_f64.powi(2) / f64::powi(length, 2) * root);
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
fn a_free_plate_has_six_rigid_modes_and_vibrates_as_leissa_says() {
    // Poisson's ratio counts here, and the edges that bear no moment: first order only, 5 % to begin with.
    let errors = |cells: usize| {
        let modes = modes(&plate(cells, FABRIC), |_| false, 9);
        assert_certified(&modes);
        assert_eq!(modes.rigid(), 6);
        let side = cells as f64 / (cells - 1) as f64;
        let root = (FABRIC.plate_stiffness() / (FABRIC.density * FABRIC.thickness)).sqrt() / (side * side);
        let published = [13.489, 19.789, 24.432];
        [6, 7, 8].map(|k| (modes.eigenvalues()[k].sqrt() / (published[k - 6] * root) - 1.0).abs())
    };
    let (coarse, fine) = (errors(10), errors(20));
    for k in 0..3 {
        assert!(coarse[k] < 0.055 && fine[k] < 0.5 * coarse[k], "mode {k}: {coarse:?} {fine:?}");
    }
}
