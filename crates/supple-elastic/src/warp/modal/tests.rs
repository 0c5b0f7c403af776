use super::*;
use crate::{FreeVertices, Law, Material, Solid};
use supple_mesh::shapes::box_mesh;
use supple_model::Progress;

/// A bar, held at one end or not at all, and its lowest modes.
fn bar(is_held: bool) -> (ModalWarp, Basis, Vec<f64>) {
    let mesh = box_mesh(Vec3::new(1.0, 0.3, 0.2), [5, 2, 1]).unwrap();
    let positions = mesh.positions().to_vec();
    let material = Material { law: Law::Linear, young: 1e6, poisson: 0.3, density: 1000.0 };
    let anchors: Vec<VertexId> =
        (0..positions.len()).filter(|v| positions[*v].x < 1e-9).map(VertexId::new).collect();
    let anchors = if is_held { anchors } else { Vec::new() };
    let free = FreeVertices::except(positions.len(), &anchors).unwrap();
    let body = Solid::new(mesh.clone(), material, &[]).unwrap();
    let modes = body.modes(&free, 10, &Progress::silent()).unwrap();
    let masses = body.masses().to_vec();
    let warp = Arc::new(Warp::new(&mesh, &masses, &free).unwrap());
    let basis = Basis::of(modes);
    (ModalWarp::new(warp, &basis), basis, masses)
}

/// Coordinates of a large edit, and of another.
fn coordinates(modes: &Basis, size: f64) -> (Vec<f64>, Vec<f64>) {
    let most = modes.shapes().norm_max();
    let of = |seed: usize| {
        (0..modes.modes()).map(move |k| size / most * ((seed + 7 * k) as f64 * 1.7).sin() / (1.0 + k as f64))
    };
    (of(1).collect(), of(4).collect())
}

fn moved(z: &[f64], by: f64, along: &[f64]) -> Vec<f64> {
    z.iter().zip(along).map(|(z, d)| z + by * d).collect()
}

fn displacement(warp: &ModalWarp, z: &[f64]) -> Vec<f64> {
    let mut u = vec![0.0; 3 * warp.vertices()];
    warp.displacement(&warp.shape(z, None), &mut u);
    u
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn it_is_the_warp_of_a_body_at_rest() {
    for is_held in [true, false] {
        let (modal, basis, _) = bar(is_held);
        let (z, _) = coordinates(&basis, 0.8);
        let mut p = vec![0.0; 3 * modal.vertices()];
        basis.displacement(&z, &mut p);
        let mut expected = p.clone();
        modal.warp.apply(&modal.warp.input(&vec![0.0; p.len()]), &p, &mut expected);
        assert!(distance(&displacement(&modal, &z), &expected) < 1e-12, "held: {is_held}");
    }
}

#[test]
fn derivatives_at_all_vertices_are_those_of_differences() {
    let step = 1e-5;
    for is_held in [true, false] {
        let (modal, basis, _) = bar(is_held);
        let (z, rate) = coordinates(&basis, 0.8);
        let (shape, change) = (modal.shape(&z, None), modal.shape(&rate, None));
        let (after, before) =
            (displacement(&modal, &moved(&z, step, &rate)), displacement(&modal, &moved(&z, -step, &rate)));
        let expected: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        let mut velocity = vec![0.0; expected.len()];
        modal.velocity(&shape, &change, &mut velocity);
        assert!(distance(&velocity, &expected) < 1e-8, "held: {is_held}");
        let (slopes, along) = (modal.slopes(&shape), modal.slopes_along(&shape, &change));
        let rows = |slopes: &ModalSlopes, v: usize| {
            let mut rows = vec![0.0; 3 * modal.modes()];
            slopes.add(VertexId::new(v), 1.0, &mut rows);
            rows
        };
        let ahead = modal.slopes(&modal.shape(&moved(&z, step, &rate), None));
        let behind = modal.slopes(&modal.shape(&moved(&z, -step, &rate), None));
        for v in 0..modal.vertices() {
            for (i, row) in rows(&slopes, v).chunks_exact(modal.modes()).enumerate() {
                let found: f64 = row.iter().zip(&rate).map(|(j, d)| j * d).sum();
                assert!((found - velocity[3 * v + i]).abs() < 1e-11);
            }
            let difference: Vec<f64> =
                (rows(&ahead, v).iter().zip(rows(&behind, v))).map(|(a, b)| (a - b) / (2.0 * step)).collect();
            assert!(distance(&rows(&along, v), &difference) < 1e-8);
        }
    }
}

#[test]
fn a_mean_is_read_without_a_solve() {
    for is_held in [true, false] {
        let (modal, basis, masses) = bar(is_held);
        let total: f64 = masses.iter().sum();
        let all: Vec<(VertexId, f64)> =
            masses.iter().enumerate().map(|(v, m)| (VertexId::new(v), m / total)).collect();
        let row = modal.row(&all).unwrap();
        let (z, rate) = coordinates(&basis, 0.8);
        let (shape, change) = (modal.shape(&z, None), modal.shape(&rate, None));
        let mean = |u: &[f64]| -> Vec3 {
            all.iter().map(|(v, w)| Vec3::from_column_slice(&u[3 * v.index()..][..3]) * *w).sum()
        };
        assert!((row.value(&modal, &shape) - mean(&displacement(&modal, &z))).norm() < 1e-13);
        let mut velocity = vec![0.0; 3 * modal.vertices()];
        modal.velocity(&shape, &change, &mut velocity);
        assert!((row.velocity(&modal, &shape, &change) - mean(&velocity)).norm() < 1e-12);
        let (mut own, mut along) = (vec![0.0; 3 * modal.modes()], vec![0.0; 3 * modal.modes()]);
        row.add_slopes(&modal, &shape, 1.0, &mut own);
        row.add_slopes_along(&modal, (&shape, &change), 1.0, &mut along);
        let (slopes, along_all) = (modal.slopes(&shape), modal.slopes_along(&shape, &change));
        let (mut expected, mut expected_along) = (vec![0.0; own.len()], vec![0.0; own.len()]);
        for (v, w) in &all {
            slopes.add(*v, *w, &mut expected);
            along_all.add(*v, *w, &mut expected_along);
        }
        assert!(distance(&own, &expected) < 1e-12 && distance(&along, &expected_along) < 1e-11);
    }
}

#[test]
fn curvature_is_how_projected_slopes_change() {
    let (modal, basis, _) = bar(true);
    let (z, rate) = coordinates(&basis, 0.8);
    let (shape, change) = (modal.shape(&z, None), modal.shape(&rate, None));
    let forces: Vec<Vec3> = (0..modal.vertices())
        .map(|v| Vec3::new((v as f64).sin(), (2.0 * v as f64).cos(), 0.3 * (v % 5) as f64))
        .collect();
    let stresses = modal.stresses(&forces);
    let none = vec![Matrix3::zeros(); stresses.len()];
    let [found_along, found] = modal.curvatures(&shape, &change, [&none, &stresses]);
    let step = 1e-5;
    let scale = found.norm_max();
    for k in 0..modal.modes() {
        let mut unit = vec![0.0; modal.modes()];
        unit[k] = step / 30.0;
        let at = |by: f64| modal.shape(&moved(&z, by, &unit), None);
        let (after, before) = (modal.slopes(&at(1.0)), modal.slopes(&at(-1.0)));
        let difference: Vec<f64> = (after.project(&forces).iter().zip(before.project(&forces)))
            .map(|(a, b)| (a - b) / (2.0 * unit[k]))
            .collect();
        let column: Vec<f64> = (0..modal.modes()).map(|l| found[(l, k)]).collect();
        assert!(distance(&column, &difference) < 1e-6 * scale, "{column:?} {difference:?}");
        let (after, before) = (modal.slopes_along(&at(1.0), &change), modal.slopes_along(&at(-1.0), &change));
        let difference: Vec<f64> = (after.project(&forces).iter().zip(before.project(&forces)))
            .map(|(a, b)| (a - b) / (2.0 * unit[k]))
            .collect();
        let column: Vec<f64> = (0..modal.modes()).map(|l| found_along[(l, k)]).collect();
        assert!(distance(&column, &difference) < 1e-5 * found_along.norm_max());
    }
    // A force on a mean does what the same force shared out among its vertices does.
    let row = modal.row(&[(VertexId::new(7), 0.5), (VertexId::new(20), 0.5)]).unwrap();
    let (force, mut of_row) = (Vec3::new(1.0, -2.0, 0.5), vec![Matrix3::zeros(); stresses.len()]);
    row.add_stresses(&force, &mut of_row);
    let mut shared = vec![Vec3::zeros(); modal.vertices()];
    (shared[7], shared[20]) = (force * 0.5, force * 0.5);
    for (a, b) in of_row.iter().zip(&modal.stresses(&shared)) {
        assert!((a - b).norm() < 1e-13);
    }
}

#[test]
fn a_shape_is_carried_over_to_the_bit_of_rounding() {
    let (modal, basis, _) = bar(true);
    let (z, _) = coordinates(&basis, 0.8);
    // What the modes can be is found again,
    let u = displacement(&modal, &z);
    // and what they cannot stays beside them: any displacement, of the anchors too.
    let bent: Vec<f64> = u.iter().enumerate().map(|(k, u)| u + 0.02 * (k as f64 * 0.7).sin()).collect();
    let carried = modal.carried(&bent);
    let (shape, near) = modal.fitted(&bent);
    let beyond = modal.beyond(&shape, &near);
    let mut found = vec![0.0; u.len()];
    modal.displacement(&modal.shape(&near, Some((&beyond, 1.0))), &mut found);
    for (found, carried) in found.iter_mut().zip(&carried) {
        *found += carried;
    }
    assert!(distance(&found, &bent) < 1e-12, "{}", distance(&found, &bent));
    // The strains of z alone are fitted by z itself.
    let again = modal.nearest(&modal.shape(&z, None));
    assert!(distance(&again, &z) < 1e-9 * z.iter().fold(0.0_f64, |m, x| m.max(x.abs())));
}

/// An arm that was curled by more than half a turn came out as a ball after a landing: some of its elements were taken to
/// have turned the other way round.
#[test]
fn what_is_curled_by_more_than_half_a_turn_stays_curled() {
    let (modal, basis, _) = bar(true);
    // The first mode that bends it, as far as turns its end by 250°.
    let turned = |z: &[f64]| modal.shape(z, None).strains.iter().map(turn_of).fold(0.0, f64::max);
    let mut z = vec![0.0; basis.modes()];
    z[0] = 1.0;
    z[0] = 250_f64.to_radians() / turned(&z);
    let u = displacement(&modal, &z);
    let (shape, near) = modal.fitted(&u);
    let most = shape.strains.iter().map(turn_of).fold(0.0, f64::max);
    assert!(most > 220_f64.to_radians(), "{}", most.to_degrees());
    assert!((near[0] / z[0] - 1.0).abs() < 0.05, "{} {}", near[0], z[0]);
    // Without what the modes cannot hold it is where it was, nearly.
    let off = distance(&displacement(&modal, &near), &u);
    assert!(off < 0.05, "{off}");
}

fn turn_of(strain: &Strain) -> f64 {
    Vec3::from_column_slice(&strain[..3]).norm()
}

#[test]
fn many_points_are_read_as_one_by_one() {
    for is_held in [true, false] {
        let (modal, basis, _) = bar(is_held);
        let (z, speed) = coordinates(&basis, 0.8);
        let (shape, change) = (modal.shape(&z, None), modal.shape(&speed, None));
        let points: Vec<Vec<(VertexId, f64)>> =
            (0..7).map(|k| vec![(VertexId::new(4 + 3 * k), 0.7), (VertexId::new(30 - k), 0.3)]).collect();
        let block = modal.block(&points).unwrap();
        let (values, speeds) = (block.values(&shape), block.velocities(&shape, &change));
        let (slopes, along) = (block.slopes(&modal, &shape), block.slopes_along(&modal, &shape, &change));
        let forces: Vec<Vec3> = (0..7).map(|k| Vec3::new(1.0, 0.3 * f64::from(k), -0.5)).collect();
        let mut together = vec![Matrix3::zeros(); modal.places()];
        block.add_stresses(&forces, &mut together);
        let mut each = vec![Matrix3::zeros(); modal.places()];
        for (p, point) in points.iter().enumerate() {
            let row = modal.row(point).unwrap();
            assert!((row.value(&modal, &shape) - values[p]).norm() < 1e-13);
            assert!((row.velocity(&modal, &shape, &change) - speeds[p]).norm() < 1e-13);
            let mut own = vec![0.0; 3 * modal.modes()];
            row.add_slopes(&modal, &shape, 1.0, &mut own);
            assert!(distance(&own, &slopes[p * own.len()..][..own.len()]) < 1e-12, "held: {is_held}");
            own.fill(0.0);
            row.add_slopes_along(&modal, (&shape, &change), 1.0, &mut own);
            assert!(distance(&own, &along[p * own.len()..][..own.len()]) < 1e-11, "held: {is_held}");
            row.add_stresses(&forces[p], &mut each);
        }
        assert!(together.iter().zip(&each).all(|(a, b)| (a - b).norm() < 1e-13));
    }
}

/// Of frames that are edits of the modes, and of one that tumbles besides.
#[test]
fn coordinates_of_a_motion_are_those_of_its_frames_however_it_tumbles() {
    for is_held in [true, false] {
        let (modal, basis, _) = bar(is_held);
        let rigid = if is_held { 0 } else { 6 };
        let own = basis.shapes().subcols(rigid, 10 - rigid).to_owned();
        let basis = Basis::new(own, basis.free().clone());
        let modal = ModalWarp::new(modal.warp.clone(), &basis);
        let frames: Vec<Vec<f64>> =
            [0.0, 0.3, 0.8].map(|size| displacement(&modal, &coordinates(&basis, size).0)).to_vec();
        let read = |frames: &[Vec<f64>]| {
            modal.coordinates(frames.iter().map(Vec::as_slice), &Progress::silent()).unwrap()
        };
        let found = read(&frames);
        for (i, u) in frames.iter().enumerate() {
            let far = distance(found.col_as_slice(i), &modal.fitted(u).1);
            let given = coordinates(&basis, [0.0, 0.3, 0.8][i]).0;
            let size = given.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
            // What floats is moved back first, which frames by themselves are not.
            if is_held {
                assert!(distance(found.col_as_slice(i), &given) <= 0.3 * size + 1e-12, "frame {i}");
                assert!(far <= 1e-9 * size + 1e-12, "frame {i}: {far}");
            }
        }
        if !is_held {
            let turned = |(i, u): (usize, &Vec<f64>)| -> Vec<f64> {
                let R = rotation::exp(&(Vec3::new(0.4, 1.0, -0.3) * (1.6 * i as f64)));
                let place =
                    |v: usize| modal.warp.positions[v] + Vec3::from_column_slice(&u[3 * v..3 * v + 3]);
                (0..modal.vertices())
                    .flat_map(|v| {
                        let moved = R * place(v) + Vec3::new(1.0, 2.0, 3.0) - modal.warp.positions[v];
                        <[f64; 3]>::from(moved)
                    })
                    .collect()
            };
            let tumbling: Vec<Vec<f64>> = frames.iter().enumerate().map(turned).collect();
            let found_too = read(&tumbling);
            for i in 0..3 {
                let far = distance(found.col_as_slice(i), found_too.col_as_slice(i));
                assert!(far < 1e-9 * found.norm_max(), "{far}");
            }
        }
    }
    let (modal, ..) = bar(true);
    let progress = Progress::silent();
    progress.cancel();
    let frame = vec![0.0; 3 * modal.vertices()];
    assert!(modal.coordinates([frame.as_slice()].into_iter(), &progress).is_err());
}
