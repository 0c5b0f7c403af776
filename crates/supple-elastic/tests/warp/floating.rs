//! Bodies nothing holds: their centroids follow the edit in space, and rotating the input rotates the shape.

use crate::warp::samples::{Random, all, apart, applied, at, field, masses, moved};
use nalgebra::Matrix3;
use supple_elastic::{FreeVertices, Warp};
use supple_mesh::shapes::box_mesh;
use supple_mesh::{TetMesh, Vec3};
use supple_model::VertexId;
use supple_numerics::rotation::exp;

fn centroid(u: &[f64], vertices: std::ops::Range<usize>) -> Vec3 {
    let masses = masses(vertices.end);
    let total: f64 = vertices.clone().map(|v| masses[v]).sum();
    vertices.map(|v| at(u, v) * masses[v]).sum::<Vec3>() / total
}

#[test]
fn the_centroid_moves_as_the_edit_says() {
    for sample in all(false) {
        let n = sample.positions.len();
        let mut random = Random(7);
        // However the body has turned, its centre goes where the edit says in space.
        let R = exp(&Vec3::new(1.0, -2.0, 0.5));
        let input = moved(&sample.positions, |x| R * x * 1.3);
        let edit = random.field(n, 0.1);
        let out = applied(&sample.warp, &sample.warp.input(&input), &edit);
        let expected = centroid(&input, 0..n) + centroid(&edit, 0..n);
        assert!((centroid(&out, 0..n) - expected).norm() < 1e-13, "{}", sample.name);
        // A pure translation moves every vertex alike.
        let shift = Vec3::new(0.3, -2.0, 0.1);
        let out = applied(&sample.warp, &sample.warp.input(&input), &field(&sample.positions, |_| shift));
        for v in 0..n {
            assert!((at(&out, v) - at(&input, v) - shift).norm() < 1e-12, "{}", sample.name);
        }
    }
}

/// Deformations turn with the body; where its centre goes does not.
#[test]
fn a_rotated_input_gives_the_rotated_shape() {
    for sample in all(false) {
        let mut random = Random(19);
        let bent = |x: &Vec3| exp(&Vec3::new(0.0, 0.9 * x.x, 0.4 * x.x)) * x;
        let edit = field(&sample.positions, |x| Vec3::new(0.0, 0.6 * x.x * x.x, 0.3 * x.x));
        let still = applied(&sample.warp, &sample.warp.input(&moved(&sample.positions, bent)), &edit);
        for _ in 0..5 {
            let (R, t) = (exp(&(random.vector() * 4.0)), random.vector());
            let turned = moved(&sample.positions, |x| R * bent(x) + t);
            let out = applied(&sample.warp, &sample.warp.input(&turned), &edit);
            let shift = centroid(&edit, 0..sample.positions.len());
            for (v, x) in sample.positions.iter().enumerate() {
                let wanted = R * (x + at(&still, v) - shift) + t + shift;
                assert!((x + at(&out, v) - wanted).norm() < 1e-11, "{}", sample.name);
            }
        }
    }
}

/// Two boxes, the first anchored, the second loose and tumbling: each is warped as if alone.
#[test]
fn components_do_not_hear_of_each_other() {
    let part = box_mesh(Vec3::new(1.0, 0.3, 0.2), [5, 2, 2]).unwrap();
    let n = part.positions().len();
    let beside = Vec3::new(0.0, 2.0, 0.0);
    let positions: Vec<Vec3> =
        part.positions().iter().copied().chain(part.positions().iter().map(|x| x + beside)).collect();
    let second = part.tets().iter().map(|tet| tet.map(|v| VertexId::new(v.index() + n)));
    let both = TetMesh::new(positions.clone(), part.tets().iter().copied().chain(second).collect()).unwrap();
    let anchors: Vec<VertexId> = (0..n).filter(|&v| positions[v].x == 0.0).map(VertexId::new).collect();
    let masses = [masses(n), masses(n)].concat();
    let warp = Warp::new(&both, &masses, &FreeVertices::except(2 * n, &anchors).unwrap()).unwrap();

    let mut random = Random(2);
    let tumbled = |x: &Vec3| exp(&Vec3::new(2.0, 1.0, -1.5)) * x + Vec3::new(0.0, 5.0, 0.0);
    let rattle: Vec<Vec3> = (0..2 * n).map(|_| random.vector() * 0.02).collect();
    let input: Vec<f64> = (0..2 * n)
        .flat_map(|v| {
            let x = positions[v];
            <[f64; 3]>::from(if v < n { rattle[v] } else { tumbled(&(x + rattle[v])) - x })
        })
        .collect();
    let edit = random.field(2 * n, 0.1);
    let out = applied(&warp, &warp.input(&input), &edit);

    let held = Warp::new(&part, &masses[..n], &FreeVertices::except(n, &anchors).unwrap()).unwrap();
    let alone = applied(&held, &held.input(&input[..3 * n]), &edit[..3 * n]);
    assert!(apart(&alone, &out[..3 * n]) < 1e-13);
    // Seen from the rest shape of the part alone, the second box is displaced by `beside` more.
    let loose = Warp::new(&part, &masses[..n], &FreeVertices::all(n)).unwrap();
    let shifted: Vec<f64> = input[3 * n..].iter().enumerate().map(|(k, u)| u + beside[k % 3]).collect();
    let alone = applied(&loose, &loose.input(&shifted), &edit[3 * n..]);
    let back: Vec<f64> = alone.iter().enumerate().map(|(k, u)| u - beside[k % 3]).collect();
    assert!(apart(&back, &out[3 * n..]) < 1e-12);
}

#[test]
fn the_rotation_taken_out_is_that_of_the_input() {
    for sample in all(false) {
        let R = exp(&Vec3::new(1.0, -2.0, 0.5));
        let frame = sample.warp.input(&moved(&sample.positions, |x| R * x));
        assert!((sample.warp.rotation_of(&frame, VertexId(3)) - R).norm() < 1e-12, "{}", sample.name);
    }
    let anchored = &all(true)[0];
    let frame = anchored.warp.input(&moved(&anchored.positions, |x| exp(&Vec3::x()) * x));
    assert_eq!(anchored.warp.rotation_of(&frame, VertexId(0)), Matrix3::identity());
}
