//! Springs: networks, stiffness, mass and their refusal.

use crate::bodies::samples::{irregular_sheet, irregular_voxels, rest, spring_material};
use supple_elastic::{
    ElasticError, Extent, Network, Quantity, SpringMass, SpringMaterial, SpringRegion, SpringStiffness,
    Springs,
};
use supple_mesh::{MeshError, Vec3};
use supple_model::{ElementId, VertexId};

/// Two springs in a row along x, 1 m and 2 m long.
fn row() -> Network {
    let positions = vec![Vec3::zeros(), Vec3::x(), Vec3::x() * 3.0];
    Network::new(positions, vec![[0, 1].map(VertexId), [2, 1].map(VertexId)]).unwrap()
}

fn springs(stiffness: SpringStiffness, mass: SpringMass) -> Springs {
    Springs::new(row(), SpringMaterial { stiffness, mass }, &[]).unwrap()
}

#[test]
fn a_stretched_spring_pulls_by_its_stiffness() {
    let mut u = vec![0.0; 9];
    u[6] = 0.5;
    let one = springs(SpringStiffness::PerSpring(8.0), SpringMass::PerVertex(0.1));
    assert_eq!(one.energy(&u), 1.0);
    assert_eq!(one.force(&u), [0.0, 0.0, 0.0, -4.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let by_length = springs(SpringStiffness::ByLength(8.0), SpringMass::PerVertex(0.1));
    assert_eq!(by_length.force(&u)[6], 2.0);
}

#[test]
fn mass_is_given_per_vertex_or_per_length() {
    let stiffness = SpringStiffness::PerSpring(1.0);
    assert_eq!(springs(stiffness, SpringMass::PerVertex(0.1)).masses(), [0.1, 0.1, 0.1]);
    assert_eq!(springs(stiffness, SpringMass::PerLength(4.0)).masses(), [2.0, 6.0, 4.0]);
}

#[test]
fn a_collapsed_spring_pushes_its_ends_apart() {
    let row = springs(SpringStiffness::PerSpring(8.0), SpringMass::PerVertex(0.1));
    let mut u = rest(&row);
    u[0] = 1.0;
    assert_eq!(row.energy(&u), 4.0);
    // R holds the spring, so the spring itself pushes the first vertex back along −x.
    assert_eq!(row.force(&u)[..6], [8.0, 0.0, 0.0, -8.0, 0.0, 0.0]);
}

#[test]
fn small_stretches_keep_their_digits() {
    let row = springs(SpringStiffness::PerSpring(8.0), SpringMass::PerVertex(0.1));
    let mut u = rest(&row);
    (u[6], u[7]) = (1e-12, 1e-12);
    assert!((row.force(&u)[6] / 8e-12 - 1.0).abs() < 1e-11);
}

#[test]
fn springs_join_the_corners_of_elements_once() {
    let sheet = irregular_sheet(2, |_, _| 0.0);
    let network = Network::between_corners(sheet.positions().to_vec(), sheet.triangles()).unwrap();
    // 12 sides of squares and 4 diagonals.
    assert_eq!(network.springs().len(), 16);
    let voxels = irregular_voxels(1);
    let network = Network::between_corners(voxels.positions().to_vec(), voxels.voxels()).unwrap();
    assert_eq!(network.springs().len(), 28);
}

#[test]
fn a_region_changes_the_stiffness_of_its_springs() {
    let stiff = |extent| SpringRegion {
        name: "stay".to_string(),
        extent,
        stiffness: SpringStiffness::PerSpring(100.0),
    };
    let material =
        SpringMaterial { stiffness: SpringStiffness::PerSpring(1.0), mass: SpringMass::PerVertex(1.0) };
    let u = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let with = |extent| Springs::new(row(), material, &[stiff(extent)]);
    let ends = Extent::Vertices([1, 2].map(VertexId).to_vec());
    assert_eq!(with(ends).unwrap().force(&u)[6], 100.0);
    assert_eq!(with(Extent::Elements(vec![ElementId(0)])).unwrap().force(&u)[6], 1.0);
    let error = with(Extent::Elements(vec![ElementId(2)])).unwrap_err();
    assert!(error.to_string().starts_with("region \"stay\": there is no element 2"), "{error}");
}

#[test]
fn impossible_numbers_are_refused_with_their_value() {
    let good = spring_material();
    for value in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        for (material, expected) in [
            (
                SpringMaterial { stiffness: SpringStiffness::PerSpring(value), ..good },
                Quantity::SpringStiffness,
            ),
            (SpringMaterial { stiffness: SpringStiffness::ByLength(value), ..good }, Quantity::SpringModulus),
            (SpringMaterial { mass: SpringMass::PerVertex(value), ..good }, Quantity::VertexMass),
            (SpringMaterial { mass: SpringMass::PerLength(value), ..good }, Quantity::LinearDensity),
        ] {
            let error = Springs::new(row(), material, &[]).unwrap_err();
            assert!(
                matches!(&error, ElasticError::NotPositive { quantity, .. } if *quantity == expected),
                "{error}"
            );
        }
    }
}

#[test]
fn impossible_networks_are_refused() {
    let refused = |positions: &[Vec3], springs: &[[u32; 2]]| {
        Network::new(positions.to_vec(), springs.iter().map(|s| s.map(VertexId)).collect()).unwrap_err()
    };
    let points = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    let element = ElementId(1);
    assert_eq!(refused(&[], &[]), MeshError::Empty("vertices"));
    assert_eq!(refused(&points, &[]), MeshError::Empty("springs"));
    assert_eq!(refused(&points, &[[0, 1], [1, 3]]), MeshError::BadIndex { element, index: 3, vertices: 3 });
    assert_eq!(
        refused(&points, &[[0, 1], [2, 2]]),
        MeshError::RepeatedVertex { element, vertex: VertexId(2) }
    );
    assert_eq!(refused(&points, &[[0, 1]]), MeshError::IsolatedVertex { vertex: VertexId(2) });
    assert_eq!(
        refused(&points, &[[0, 1], [1, 2], [1, 0]]),
        MeshError::DuplicateElement { first: ElementId(0), second: ElementId(2) }
    );
    assert_eq!(
        refused(&[Vec3::zeros(), Vec3::new(0.0, f64::NAN, 0.0)], &[[0, 1]]),
        MeshError::NonFinite { vertex: VertexId(1) }
    );
    let network = Network::new(vec![Vec3::x(), Vec3::x()], vec![[0, 1].map(VertexId)]).unwrap();
    let error = Springs::new(network, spring_material(), &[]).unwrap_err();
    assert_eq!(error.to_string(), "element 0 has no length: its ends coincide");
}
