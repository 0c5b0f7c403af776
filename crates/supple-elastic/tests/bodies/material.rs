//! Materials and regions: what they do, and how they are refused.

use crate::bodies::samples::{LAWS, affine, irregular_box, irregular_solid, material, noise};
use nalgebra::Matrix3;
use supple_elastic::{ElasticError, Extent, Law, Material, Part, Quantity, Region, Solid};
use supple_mesh::Vec3;
use supple_model::{ElementId, VertexId};

fn region(name: &str, extent: Extent) -> Region {
    Region { name: name.to_string(), extent, young: None, poisson: None, density: None }
}

fn elements(range: std::ops::Range<usize>) -> Extent {
    Extent::Elements(range.map(ElementId::new).collect())
}

fn refused(material: Material, regions: &[Region]) -> ElasticError {
    Solid::new(irregular_box(2), material, regions).expect_err("this must be refused")
}

#[test]
fn lame_parameters_of_a_known_material() {
    let material = Material { law: Law::Linear, young: 2.5, poisson: 0.25, density: 1.0 };
    assert!((material.lame_mu() - 1.0).abs() < 1e-15);
    assert!((material.lame_lambda() - 1.0).abs() < 1e-15);
}

#[test]
fn a_region_is_the_sum_of_its_parts() {
    // Energies add over elements, so half stiff and half soft lies between all stiff and all soft.
    let mesh = irregular_box(2);
    let u = noise(&irregular_solid(2, Law::Linear), 0.05, 1);
    for law in LAWS {
        let soft = material(law);
        let stiff = Material { young: 2e5, poisson: 0.1, density: 30.0, ..soft };
        let part = |range| Region {
            young: Some(2e5),
            poisson: Some(0.1),
            density: Some(30.0),
            ..region("part", elements(range))
        };
        let solid = |material, regions: &[Region]| Solid::new(mesh.clone(), material, regions).unwrap();
        let first = solid(soft, &[part(0..20)]);
        let second = solid(soft, &[part(20..48)]);
        let (all_soft, all_stiff) = (solid(soft, &[]), solid(stiff, &[]));
        let (sum, expected) =
            (first.energy(&u) + second.energy(&u), all_soft.energy(&u) + all_stiff.energy(&u));
        assert!((sum / expected - 1.0).abs() < 1e-13, "{law:?}: {sum} is not {expected}");
        assert!(first.energy(&u) > all_soft.energy(&u) && first.energy(&u) < all_stiff.energy(&u), "{law:?}");
        for v in 0..27 {
            let (sum, expected) =
                (first.masses()[v] + second.masses()[v], all_soft.masses()[v] + all_stiff.masses()[v]);
            assert!((sum / expected - 1.0).abs() < 1e-13, "{law:?}: mass {sum} is not {expected}");
        }
    }
}

#[test]
fn a_vertex_group_holds_the_elements_it_encloses() {
    // The lower half of the box: its 18 lower vertices enclose the 24 elements of the lower cells.
    let lower = region("lower", Extent::Vertices((0..18).map(VertexId).collect()));
    let heavy =
        Solid::new(irregular_box(2), material(Law::Linear), &[Region { density: Some(1400.0), ..lower }])
            .unwrap();
    let mesh = heavy.mesh();
    let lower_volume: f64 = (0..24).map(|e| mesh.volume(ElementId(e))).sum();
    let total: f64 = heavy.masses().iter().sum();
    assert!((total - 700.0 * (1.0 + lower_volume)).abs() < 1e-10, "{total}");
}

#[test]
fn later_regions_win_number_by_number() {
    let all = || elements(0..48);
    let regions = [
        Region { young: Some(1.0), poisson: Some(0.1), ..region("a", all()) },
        Region { young: Some(5.0), ..region("b", all()) },
    ];
    let expected = Material { young: 5.0, poisson: 0.1, ..material(Law::Linear) };
    let mesh = irregular_box(2);
    let layered = Solid::new(mesh.clone(), material(Law::Linear), &regions).unwrap();
    let u = affine(&layered, &Matrix3::from_diagonal(&Vec3::new(1.1, 1.0, 0.9)), &Vec3::zeros());
    let plain = Solid::new(mesh, expected, &[]).unwrap();
    assert_eq!(layered.energy(&u), plain.energy(&u));
}

#[test]
fn impossible_numbers_are_refused_with_their_value() {
    let good = material(Law::NeoHookean);
    for value in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        let message = refused(Material { young: value, ..good }, &[]).to_string();
        assert_eq!(
            message,
            format!(
                "the body's material: Young's modulus must be greater than 0 and finite, got {value} (pascals)"
            )
        );
        let message = refused(Material { density: value, ..good }, &[]).to_string();
        assert_eq!(
            message,
            format!(
                "the body's material: the density must be greater than 0 and finite, got {value} (kg/m³)"
            )
        );
    }
    for value in [0.5, 0.7, -1.0, -3.0, f64::NAN] {
        let message = refused(Material { poisson: value, ..good }, &[]).to_string();
        assert_eq!(
            message,
            format!(
                "the body's material: Poisson's ratio must be greater than -1 and less than 0.5, got \
                 {value} (0.5 would be incompressible; 0.49 is close)"
            )
        );
    }
    for value in [-0.999, 0.0, 0.499] {
        Solid::new(irregular_box(2), Material { poisson: value, ..good }, &[]).unwrap();
    }
}

#[test]
fn a_region_is_blamed_by_name() {
    let mast = region("mast", elements(0..1));
    let part = || Part::Region("mast".to_string());
    let with = |region| refused(material(Law::Linear), &[region]);
    let error = with(Region { young: Some(-1.0), ..mast.clone() });
    assert_eq!(error, ElasticError::NotPositive { part: part(), quantity: Quantity::Young, value: -1.0 });
    assert!(
        error
            .to_string()
            .starts_with("region \"mast\": Young's modulus must be greater than 0 and finite, got -1"),
        "{error}"
    );
    let error = with(Region { poisson: Some(0.5), ..mast.clone() });
    assert_eq!(error, ElasticError::Poisson { part: part(), value: 0.5 });
    let error = with(Region { density: Some(0.0), ..mast });
    assert_eq!(error, ElasticError::NotPositive { part: part(), quantity: Quantity::Density, value: 0.0 });
}

#[test]
fn a_region_of_what_does_not_exist_is_refused() {
    let with = |extent| refused(material(Law::Linear), &[region("mast", extent)]).to_string();
    assert_eq!(
        with(elements(40..50)),
        "region \"mast\": there is no element 48: the body has 48 elements, counted from 0"
    );
    assert_eq!(
        with(Extent::Vertices(vec![VertexId(3), VertexId(27)])),
        "region \"mast\": there is no vertex 27: the body has 27 vertices, counted from 0"
    );
    let empty =
        "region \"mast\" contains no element (an element belongs to a vertex group if all its vertices do)";
    assert_eq!(with(Extent::Vertices(vec![VertexId(3)])), empty);
    assert_eq!(with(Extent::Elements(vec![])), empty);
}
