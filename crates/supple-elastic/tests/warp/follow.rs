//! A body follows its skin: exactly where it can, as near and as rigid as its sum says where it cannot.

use crate::warp::samples::{Random, apart, at, field, moved};
use nalgebra::Matrix3;
use supple_elastic::{ElementRotations, FollowSettings, Follower};
use supple_mesh::shapes::box_mesh;
use supple_mesh::{Aabb, Embedding, Surface, TetMesh, Vec3, VoxelMesh};
use supple_model::{ElementId, Progress};
use supple_numerics::rotation::{exp, polar_rotation};

const STRICT: FollowSettings = FollowSettings { rigidity: 1e-3, tolerance: 1e-12, rounds: 2000 };

/// A block and a fine skin on it: its surface, and points between the vertices.
fn block() -> (TetMesh, Vec<Vec3>) {
    let mesh = box_mesh(Vec3::new(2.0, 0.6, 0.5), [8, 3, 2]).unwrap();
    let surface = Surface::of(&mesh);
    let corner = |v: &supple_model::VertexId| mesh.positions()[v.index()];
    let mut skin: Vec<Vec3> = surface.vertices().iter().map(corner).collect();
    for triangle in &surface.triangles {
        skin.push(triangle.iter().map(corner).sum::<Vec3>() / 3.0);
    }
    (mesh, skin)
}

#[test]
fn a_skin_that_turns_as_one_turns_the_body_inside_and_out() {
    let (mesh, skin) = block();
    let embedding = Embedding::of(&mesh, &skin);
    let follower = Follower::new(&mesh, &embedding, &vec![1.0; skin.len()], STRICT).unwrap();
    let turns = [Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.0, 2.6, 0.4), Vec3::new(-1.0, 1.0, 2.5)];
    let to = |k: usize| {
        let turn = exp(&turns[k]);
        move |x: &Vec3| turn * x + Vec3::new(5.0, -3.0, 0.5)
    };
    let targets: Vec<Vec<f64>> = (0..3).map(|k| moved(&skin, to(k))).collect();
    for (k, followed) in follower.follow(&targets, "", &Progress::silent()).unwrap().iter().enumerate() {
        assert!(followed.settled, "{} rounds", followed.rounds);
        let expected = moved(mesh.positions(), to(k));
        assert!(apart(&followed.pose, &expected) < 1e-9, "{}", apart(&followed.pose, &expected));
        assert!(followed.skin_max < 1e-9);
        // Each element turns as the whole does.
        for rotation in ElementRotations::of(&mesh).at(&followed.pose) {
            assert!((rotation - exp(&turns[k])).norm() < 1e-8);
        }
    }
}

/// Σ w |A u − ū|² + β Σ V |I + G u − R|², by hand.
fn cost(mesh: &TetMesh, embedding: &Embedding, target: &[f64], u: &[f64]) -> f64 {
    let body: Vec<Vec3> = (0..mesh.positions().len()).map(|v| at(u, v)).collect();
    let mut skin = vec![Vec3::zeros(); target.len() / 3];
    embedding.apply(&body, &mut skin);
    let near: f64 = skin.iter().enumerate().map(|(s, p)| (p - at(target, s)).norm_squared()).sum();
    let size = Aabb::around(mesh.positions()).size().norm();
    let (mut rigid, mut total) = (0.0, 0.0);
    for (e, tet) in mesh.tets().iter().enumerate() {
        let [a, b, c, d] = mesh.corners(ElementId::new(e));
        let [p, q, r, s] = tet.map(|v| mesh.positions()[v.index()] + body[v.index()]);
        let rest = Matrix3::from_columns(&[b - a, c - a, d - a]);
        let F = Matrix3::from_columns(&[q - p, r - p, s - p]) * rest.try_inverse().unwrap();
        let volume = rest.determinant() / 6.0;
        rigid += volume * (F - polar_rotation(&F)).norm_squared();
        total += volume;
    }
    near / skin.len() as f64 + STRICT.rigidity * 0.25 * size * size / total * rigid
}

#[test]
fn a_bent_skin_is_followed_at_the_least_cost() {
    let (mesh, skin) = block();
    let embedding = Embedding::of(&mesh, &skin);
    let mut random = Random(11);
    // Bent, twisted and ragged.
    let mut target = moved(&skin, |x| {
        let turn = exp(&Vec3::new(0.8 * x.x, 0.0, 0.9 * x.x));
        turn * Vec3::new(0.0, x.y, x.z) + Vec3::new(x.x, 0.4 * x.x * x.x, 0.0)
    });
    target.iter_mut().for_each(|t| *t += 0.02 * random.next());
    let follower = Follower::new(&mesh, &embedding, &vec![3.0; skin.len()], STRICT).unwrap();
    let followed = &follower.follow(std::slice::from_ref(&target), "", &Progress::silent()).unwrap()[0];
    assert!(followed.settled && followed.skin_rms < 0.05, "{} {}", followed.rounds, followed.skin_rms);
    let least = cost(&mesh, &embedding, &target, &followed.pose);
    for scale in [1e-2, 1e-4] {
        for _ in 0..20 {
            let step = random.field(mesh.positions().len(), scale);
            let other: Vec<f64> = followed.pose.iter().zip(&step).map(|(u, s)| u + s).collect();
            let opposite: Vec<f64> = followed.pose.iter().zip(&step).map(|(u, s)| u - s).collect();
            let (there, back) =
                (cost(&mesh, &embedding, &target, &other), cost(&mesh, &embedding, &target, &opposite));
            assert!(there > least && back > least);
            // No slope: the cost rises alike on both sides, up to the third order.
            let curvature = there + back - 2.0 * least;
            assert!(
                (there - back).abs() < (0.5 * scale / 1e-2 + 1e-3) * curvature,
                "{scale}: {there} {back}"
            );
        }
    }
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads_or_on_other_blocks() {
    let cells: Vec<[usize; 3]> = (0..24).map(|k| [k / 4, k / 2 % 2, k % 2]).collect();
    let mesh = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(0.3), &cells).unwrap();
    let skin: Vec<Vec3> = mesh.positions().iter().map(|x| x * 1.02).collect();
    let embedding = Embedding::in_voxels(&mesh, &skin);
    let follower =
        Follower::new(&mesh, &embedding, &vec![1.0; skin.len()], FollowSettings::default()).unwrap();
    let frame = |k: usize| field(&skin, |x| Vec3::new(0.0, 0.1 * k as f64 * x.x * x.x, 0.02 * k as f64));
    let frames: Vec<Vec<f64>> = (0..19).map(frame).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| follower.follow(&frames, "", &Progress::silent()).unwrap())
    };
    let all = run(1);
    assert_eq!(all, run(3));
    assert_eq!(all[..16], follower.follow(&frames[..16], "", &Progress::silent()).unwrap());
}
