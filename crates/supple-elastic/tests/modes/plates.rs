//! Plates of cloth against the closed forms.

use crate::{assert_certified, modes, share_along};
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
    let side = cells + 1;
    let at = |k: usize| (k as f64 - 0.5) / (cells - 1) as f64;
    let positions = (0..side * side).map(|v| Vec3::new(at(v % side), at(v / side), 0.0)).collect();
    let triangles = (0..cells * cells).flat_map(|cell| {
        let low = cell % cells + side * (cell / cells);
        let [a, b, c, d] = [low, low + 1, low + side + 1, low + side].map(VertexId::new);
        [[a, b, c], [a, c, d]]
    });
    Cloth::new(TriMesh::new(positions, triangles.collect()).unwrap(), fabric, &[]).unwrap()
}

/// The first three frequencies of a clamped plate over Leissa's (1969, "Vibration of Plates", table 4.24):
/// ω = c √(D/(ρ h)), c = 35.992, 73.413, 73.413 and, computed later to more digits, 35.985, 73.394, 73.394.
fn clamped(cells: usize, fabric: Fabric, bending: f64) -> [f64; 3] {
    let cloth = plate(cells, fabric);
    let inner = 0.6 / (cells - 1) as f64;
    let held = |x: f64| x < inner || x > 1.0 - inner;
    let modes = modes(&cloth, |p| held(p.x) || held(p.y), 3);
    assert_certified(&modes);
    assert!((0..3).all(|k| share_along(&modes, k, 2) > 0.999), "bending comes first");
    let root = (bending / (fabric.density * fabric.thickness)).sqrt();
    let published = [35.985, 73.394, 73.394];
    std::array::from_fn(|k| modes.eigenvalues()[k].sqrt() / (published[k] * root))
}

#[test]
fn a_clamped_plate_vibrates_as_leissa_says_and_converges() {
    let errors = |cells| clamped(cells, FABRIC, FABRIC.plate_stiffness()).map(|ratio| (ratio - 1.0).abs());
    let (coarse, fine) = (errors(11), errors(21));
    // Second order: half the cell leaves a quarter of the error, which is 0.4 % and 2.2 % to begin with.
    assert!(coarse[0] < 0.005 && coarse[1].max(coarse[2]) < 0.025, "{coarse:?}");
    for k in 0..3 {
        assert!(fine[k] < 0.3 * coarse[k], "mode {k}: {coarse:?} {fine:?}");
    }
}

#[test]
fn a_given_bending_stiffness_takes_the_place_of_the_plates() {
    let ratios = clamped(21, Fabric { bending: Some(2.0), ..FABRIC }, 2.0);
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
fn a_floating_cloth_has_six_rigid_modes() {
    let modes = modes(&plate(8, FABRIC), |_| false, 8);
    assert_certified(&modes);
    assert_eq!(modes.rigid(), 6);
}
