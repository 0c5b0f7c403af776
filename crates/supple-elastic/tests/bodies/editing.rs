//! The stiffness that smooth edits are made with: what it charges for stretching and for turning.

use nalgebra::Matrix3;
use supple_elastic::{
    Cloth, ElasticBody, Fabric, FreeVertices, Law, Material, Network, Solid, SpringMass, SpringMaterial,
    SpringStiffness, Springs, TENSION, Voxels,
};
use supple_mesh::shapes::box_mesh;
use supple_mesh::{TriMesh, Vec3, VoxelMesh};
use supple_model::{Progress, VertexId};

const YOUNG: f64 = 3e4;
const SIZE: [f64; 3] = [1.0, 0.5, 0.25];

fn material(law: Law) -> Material {
    Material { law, young: YOUNG, poisson: 0.3, density: 700.0 }
}

/// 2 × 2 squares in the plane z = 0, 1 by 0.5.
fn sheet() -> TriMesh {
    let place = |v: usize| Vec3::new(0.5 * (v % 3) as f64, 0.25 * (v / 3) as f64, 0.0);
    let corner = |i: usize, j: usize| VertexId::new(i + 3 * j);
    let squares = (0..4).map(|s| (s % 2, s / 2));
    let triangles = squares.flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    TriMesh::new((0..9).map(place).collect(), triangles.collect()).unwrap()
}

fn cloth(thickness: f64) -> Cloth {
    let fabric = Fabric {
        young: YOUNG / thickness,
        poisson: 0.3,
        thickness,
        density: 700.0,
        shear: 1.0,
        bending: None,
    };
    Cloth::new(sheet(), fabric, &[]).unwrap()
}

/// uᵀ K u with u = A x, for the editing stiffness and for that of the body.
fn charged(body: &ElasticBody, A: &Matrix3<f64>) -> [f64; 2] {
    let free = FreeVertices::all(body.positions().len());
    let u: Vec<f64> = body.positions().iter().flat_map(|x| <[f64; 3]>::from(A * x)).collect();
    let rest = vec![0.0; u.len()];
    [body.editing_stiffness(&free), body.stiffness(&rest, &free)].map(|K| {
        let mut pull = vec![0.0; u.len()];
        K.mul(&u, &mut pull);
        u.iter().zip(pull).map(|(u, f)| u * f).sum()
    })
}

#[test]
fn an_even_gradient_is_charged_in_closed_form() {
    // ∫ |∇u|² of u = A x is |A|² times the volume, whatever the elements.
    let volume: f64 = SIZE.iter().product();
    let tets = box_mesh(Vec3::from(SIZE), [2, 2, 2]).unwrap();
    let cells: Vec<[usize; 3]> = (0..8).map(|c| [c % 2, c / 2 % 2, c / 4]).collect();
    let voxels = VoxelMesh::of_cells(Vec3::zeros(), Vec3::from(SIZE) / 2.0, &cells).unwrap();
    let A = Matrix3::new(0.3, -0.2, 0.5, 0.1, 0.4, -0.6, 0.7, 0.2, -0.1);
    for law in [Law::Linear, Law::StVenantKirchhoff, Law::NeoHookean] {
        let solid = Solid::new(tets.clone(), material(law), &[]).unwrap();
        let cubes = Voxels::new(voxels.clone(), material(law), &[]).unwrap();
        let bodies: [&ElasticBody; 2] = [&solid, &cubes];
        for body in bodies {
            let [edit, plain] = charged(body, &A);
            let expected = plain + TENSION * YOUNG * volume * A.norm_squared();
            assert!((edit - expected).abs() < 1e-10 * expected, "{law:?}: {edit}, {expected}");
        }
    }
}

#[test]
fn turning_costs_what_the_tension_says_and_thickness_drops_out_of_cloth() {
    // A turn about x lifts the sheet out of its plane: the membrane does not feel it.
    let turn = Vec3::new(0.8, 0.0, 0.0).cross_matrix();
    let area = 0.5;
    for thickness in [1e-4, 1e-2] {
        let [edit, plain] = charged(&cloth(thickness), &turn);
        // Only ∂u/∂y counts: the sheet has no extent along z.
        let expected = TENSION * YOUNG * area * 0.64;
        assert!((edit - expected).abs() < 1e-9 * expected, "{edit}, {expected}");
        assert!(plain.abs() < 1e-6 * expected);
    }
    let thin = cloth(1e-4).editing_stiffness(&FreeVertices::all(9));
    let thick = cloth(1e-2).editing_stiffness(&FreeVertices::all(9));
    for (a, b) in thin.values().iter().zip(thick.values()) {
        assert!((a - b).abs() < 1e-9 * YOUNG, "{a}, {b}");
    }
}

#[test]
fn only_translations_are_free_of_charge() {
    let body = cloth(1e-3);
    let free = FreeVertices::all(9);
    let modes = body.modes_of(&body.editing_stiffness(&free), &free, 6, &Progress::silent()).unwrap();
    assert_eq!(modes.rigid(), 3);
    // Pinned along an edge it is no hinge.
    let pinned = FreeVertices::except(9, &[VertexId(0), VertexId(1), VertexId(2)]).unwrap();
    let lowest = |K| body.modes_of(&K, &pinned, 3, &Progress::silent()).unwrap().eigenvalues().to_vec();
    let (edit, plain) =
        (lowest(body.editing_stiffness(&pinned)), lowest(body.stiffness(&vec![0.0; 27], &pinned)));
    assert!(edit[0] > 1e3 * plain[0], "{edit:?}, {plain:?}");
}

#[test]
fn springs_resist_crosswise_too() {
    let ends = [VertexId(0), VertexId(1)];
    let network = Network::new(vec![Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0)], vec![ends]).unwrap();
    let material =
        SpringMaterial { stiffness: SpringStiffness::PerSpring(50.0), mass: SpringMass::PerVertex(1.0) };
    let body = Springs::new(network, material, &[]).unwrap();
    let K = body.editing_stiffness(&FreeVertices::except(2, &[VertexId(0)]).unwrap()).to_dense();
    for (axis, expected) in [50.0 * (1.0 + TENSION), 50.0 * TENSION, 50.0 * TENSION].into_iter().enumerate() {
        assert!((K[(axis, axis)] - expected).abs() < 1e-12 * expected);
    }
}
