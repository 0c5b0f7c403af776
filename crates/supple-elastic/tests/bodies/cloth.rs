//! Cloth: stretching, bending, fabrics and their refusal.

use crate::bodies::samples::{affine, fabric, irregular_sheet, largest, rotation};
use nalgebra::Matrix3;
use std::f64::consts::{PI, TAU};
use supple_elastic::{Cloth, ElasticError, Extent, Fabric, FabricRegion, Part, Quantity};
use supple_mesh::{TriMesh, Vec3};
use supple_model::{ElementId, VertexId};

fn flat(fabric: Fabric) -> Cloth {
    Cloth::new(irregular_sheet(3, |_, _| 0.0), fabric, &[]).unwrap()
}

/// 1.5 m × 1.5 m.
const AREA: f64 = 2.25;

#[test]
fn patch_test_an_affine_map_of_the_plane_is_in_equilibrium_inside() {
    let cloth = flat(fabric());
    let F = rotation() * Matrix3::new(1.1, 0.3, 0.0, 0.2, 0.8, 0.0, 0.0, 0.0, 1.0);
    let force = cloth.force(&affine(&cloth, &F, &Vec3::new(0.1, 0.2, 0.3)));
    for v in [5, 6, 9, 10] {
        let error = largest(&force[3 * v..3 * v + 3]) / largest(&force);
        assert!(error < 1e-13, "vertex {v} feels {error}");
    }
}

#[test]
fn stretching_and_shearing_have_the_closed_form_energy() {
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-11;
    let Fabric { young, poisson, thickness, .. } = fabric();
    let volume = AREA * thickness;
    // A strip pulled lengthwise and free to narrow, in Green strains.
    let e = 0.3;
    let strip = Vec3::new((1.0_f64 + 2.0 * e).sqrt(), (1.0 - 2.0 * poisson * e).sqrt(), 1.0);
    let stretch =
        |cloth: &Cloth| cloth.energy(&affine(cloth, &Matrix3::from_diagonal(&strip), &Vec3::zeros()));
    assert!(close(stretch(&flat(fabric())), volume * 0.5 * young * e * e));
    // Longer one way, shorter the other, no change of area to first order: only the shear modulus resists.
    let sheared = Vec3::new((1.0_f64 + 2.0 * e).sqrt(), (1.0 - 2.0 * e).sqrt(), 1.0);
    let mu = young / (2.0 * (1.0 + poisson));
    for shear in [1.0, 0.2] {
        let cloth = flat(Fabric { shear, ..fabric() });
        let energy = cloth.energy(&affine(&cloth, &Matrix3::from_diagonal(&sheared), &Vec3::zeros()));
        assert!(close(energy, volume * shear * mu * 2.0 * e * e), "{energy}");
    }
    // `shear` leaves the resistance to a change of area alone.
    let swell = |shear| {
        let cloth = flat(Fabric { shear, ..fabric() });
        cloth.energy(&affine(&cloth, &(Matrix3::identity() * 1.1), &Vec3::zeros()))
    };
    assert!(close(swell(0.2), swell(1.0)));
}

/// A strip `length` × 0.5 of right triangles, all cut alike.
fn strip(cells: usize, length: f64, fabric: Fabric) -> Cloth {
    let positions = (0..3 * (cells + 1))
        .map(|v| Vec3::new(length * (v / 3) as f64 / cells as f64, 0.25 * (v % 3) as f64, 0.0))
        .collect();
    let triangles = (0..2 * cells).flat_map(|cell| {
        let low = cell % 2 + 3 * (cell / 2);
        let [a, b, c, d] = [low, low + 3, low + 4, low + 1].map(VertexId::new);
        [[a, b, c], [a, c, d]]
    });
    Cloth::new(TriMesh::new(positions, triangles.collect()).unwrap(), fabric, &[]).unwrap()
}

#[test]
fn a_strip_rolled_up_stores_the_energy_of_a_bent_plate() {
    // Rolled around a cylinder of circumference 1 and therefore not stretched: D/2 κ² per area. With the
    // Poisson ratio 0 the free long edges do not curl.
    let fabric = Fabric { poisson: 0.0, ..fabric() };
    let error = |cells: usize| {
        let cloth = strip(cells, 0.5, fabric);
        let radius = 1.0 / TAU;
        let roll = |x: &Vec3| {
            let angle = x.x / radius;
            Vec3::new(radius * angle.sin(), x.y, radius * (1.0 - angle.cos())) - x
        };
        let u: Vec<f64> = cloth.positions().iter().flat_map(|x| roll(x).data.0[0]).collect();
        // The chords are shorter than the arcs, which stretching would notice: what it costs is taken off.
        let chords = 2.0 * radius * (0.25 / cells as f64 / radius).sin() / (0.5 / cells as f64);
        let stretch =
            0.5 * 0.5 * fabric.thickness * fabric.young * 0.5 * ((chords * chords - 1.0) / 2.0).powi(2);
        let bent = 0.5 * fabric.plate_stiffness() / (radius * radius) * 0.25;
        (cloth.energy(&u) - stretch) / bent - 1.0
    };
    // Of the rows of edges across the strip the two at its ends do not bend, one row's share together.
    for cells in [10, 40] {
        let missing = error(cells) + 1.0 / cells as f64;
        assert!(missing.abs() < 1e-9, "{cells} cells: {missing}");
    }
}

#[test]
fn a_fold_costs_the_same_both_ways_and_more_the_sharper_it_is() {
    let cloth = strip(2, 1.0, fabric());
    let fold = |angle: f64| {
        let turn = |x: &Vec3| {
            let out = (x.x - 0.5).max(0.0);
            Vec3::new(out * (angle.cos() - 1.0), 0.0, out * angle.sin())
        };
        cloth.energy(&cloth.positions().iter().flat_map(|x| turn(x).data.0[0]).collect::<Vec<_>>())
    };
    let energies: Vec<f64> = (0..=100).map(|k| fold(PI * f64::from(k) / 100.0)).collect();
    assert!(energies.is_sorted_by(|a, b| a < b), "{energies:?}");
    for angle in [0.1, 1.0, 3.0, PI - 1e-4] {
        assert!((fold(angle) / fold(-angle) - 1.0).abs() < 1e-10, "{angle}");
        // The energy is quadratic in the angle all the way.
        assert!((fold(angle) / fold(0.1) / (angle / 0.1).powi(2) - 1.0).abs() < 1e-10, "{angle}");
    }
}

#[test]
fn bending_does_not_see_which_way_triangles_face() {
    let mesh = irregular_sheet(3, |x, y| 0.1 * x * x + 0.2 * y);
    let turned = mesh
        .triangles()
        .iter()
        .enumerate()
        .map(|(t, &[a, b, c])| if t % 2 == 0 { [a, b, c] } else { [b, a, c] });
    let turned = TriMesh::new(mesh.positions().to_vec(), turned.collect()).unwrap();
    let [a, b] = [mesh, turned].map(|mesh| Cloth::new(mesh, fabric(), &[]).unwrap());
    let u = crate::bodies::samples::noise(&a, 0.1, 4);
    assert!((a.energy(&u) / b.energy(&u) - 1.0).abs() < 1e-12);
}

#[test]
fn mass_is_density_times_thickness_times_area() {
    let cloth = flat(fabric());
    let total: f64 = cloth.masses().iter().sum();
    assert!((total / (700.0 * 0.02 * AREA) - 1.0).abs() < 1e-13, "{total}");
    let moment: Vec3 = cloth.masses().iter().zip(cloth.positions()).map(|(m, x)| x * *m).sum();
    assert!((moment / total - Vec3::new(0.75, 0.75, 0.0)).norm() < 1e-13);
}

fn region(name: &str, elements: std::ops::Range<usize>) -> FabricRegion {
    FabricRegion {
        name: name.to_string(),
        extent: Extent::Elements(elements.map(ElementId::new).collect()),
        young: None,
        poisson: None,
        thickness: None,
        density: None,
        shear: None,
        bending: None,
    }
}

#[test]
fn a_region_is_the_sum_of_its_parts() {
    let mesh = irregular_sheet(3, |x, _| 0.2 * x * x);
    let stiff = |range| FabricRegion {
        young: Some(9e4),
        poisson: Some(0.1),
        thickness: Some(0.03),
        density: Some(100.0),
        shear: Some(0.5),
        bending: Some(2.0),
        ..region("hem", range)
    };
    let cloth = |regions: &[FabricRegion]| Cloth::new(mesh.clone(), fabric(), regions).unwrap();
    let [none, first, second, all] =
        [cloth(&[]), cloth(&[stiff(0..7)]), cloth(&[stiff(7..18)]), cloth(&[stiff(0..18)])];
    let u = crate::bodies::samples::noise(&none, 0.05, 1);
    let (sum, expected) = (first.energy(&u) + second.energy(&u), none.energy(&u) + all.energy(&u));
    assert!((sum / expected - 1.0).abs() < 1e-13, "{sum} is not {expected}");
    let mass = |cloth: &Cloth| cloth.masses().iter().sum::<f64>();
    assert!(((mass(&first) + mass(&second)) / (mass(&none) + mass(&all)) - 1.0).abs() < 1e-13);
}

#[test]
fn impossible_numbers_are_refused_with_their_value() {
    let good = fabric();
    let refused = |fabric| Cloth::new(irregular_sheet(2, |_, _| 0.0), fabric, &[]).unwrap_err();
    for value in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        for (fabric, expected) in [
            (Fabric { young: value, ..good }, Quantity::Young),
            (Fabric { thickness: value, ..good }, Quantity::Thickness),
            (Fabric { density: value, ..good }, Quantity::Density),
            (Fabric { shear: value, ..good }, Quantity::Shear),
            (Fabric { bending: Some(value), ..good }, Quantity::Bending),
        ] {
            let error = refused(fabric);
            assert!(
                matches!(&error, ElasticError::NotPositive { part: Part::Body, quantity, .. } if *quantity == expected),
                "{error}"
            );
        }
    }
    assert_eq!(
        refused(Fabric { thickness: -0.1, ..good }).to_string(),
        "the body's material: the thickness must be greater than 0 and finite, got -0.1 (metres)"
    );
    assert!(matches!(
        refused(Fabric { poisson: 0.5, ..good }),
        ElasticError::Poisson { part: Part::Body, .. }
    ));
}

#[test]
fn a_region_is_blamed_by_name() {
    let refused =
        |region| Cloth::new(irregular_sheet(2, |_, _| 0.0), fabric(), &[region]).unwrap_err().to_string();
    assert_eq!(
        refused(FabricRegion { bending: Some(0.0), ..region("hem", 0..2) }),
        "region \"hem\": the bending stiffness must be greater than 0 and finite, got 0 (newton metres)"
    );
    assert_eq!(
        refused(region("hem", 6..10)),
        "region \"hem\": there is no element 8: the body has 8 elements, counted from 0"
    );
    assert!(refused(region("hem", 0..0)).starts_with("region \"hem\" contains no element"));
}

#[test]
fn a_mesh_with_a_triangle_without_area_is_refused() {
    let positions = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::x() * 2.0];
    let skin = TriMesh::skin(positions, vec![[0, 1, 2].map(VertexId), [0, 1, 3].map(VertexId)]).unwrap();
    let error = Cloth::new(skin, fabric(), &[]).unwrap_err();
    assert_eq!(error.to_string(), "element 1 has no area: its corners lie on a line");
}
