//! No edit gives the input back, whatever the input is; rigid edits are rigid motions.

use crate::warp::samples::{Random, all, apart, applied, at, field, moved};
use supple_mesh::Vec3;
use supple_numerics::rotation::exp;

#[test]
fn no_edit_gives_the_input_back_bit_for_bit() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let mut random = Random(3);
        let none = vec![0.0; sample.size()];
        // Small, large, and so large that most elements are inverted.
        for size in [0.0, 0.01, 0.3, 5.0] {
            let input = random.field(sample.positions.len(), size);
            let frame = sample.warp.input(&input);
            assert_eq!(applied(&sample.warp, &frame, &none), input, "{} {size}", sample.name);
        }
    }
}

#[test]
fn a_vanishing_edit_changes_next_to_nothing() {
    // Unlike no edit at all it takes the way through all targets, with their rounding.
    for sample in [all(true), all(false)].into_iter().flatten() {
        let mut random = Random(5);
        for size in [0.01, 0.3, 5.0] {
            let input = random.field(sample.positions.len(), size);
            let edit = random.field(sample.positions.len(), 1e-18);
            let out = applied(&sample.warp, &sample.warp.input(&input), &edit);
            assert!(apart(&out, &input) < 1e-12 * size.max(1.0), "{} {size}", sample.name);
        }
    }
}

#[test]
fn inverted_and_flat_elements_survive_an_edit() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let mirrored = moved(&sample.positions, |x| Vec3::new(-x.x, x.y, x.z));
        let flat = moved(&sample.positions, |x| Vec3::new(x.x, 0.0, 0.0));
        let point = moved(&sample.positions, |_| Vec3::zeros());
        let edit = field(&sample.positions, |x| Vec3::new(0.0, 0.1 * x.x * x.x, 0.05 * x.x));
        for input in [mirrored, flat, point] {
            let frame = sample.warp.input(&input);
            let out = applied(&sample.warp, &frame, &edit);
            assert!(out.iter().all(|x| x.is_finite()), "{}", sample.name);
            // A mirrored body still follows the edit as one piece: about as far as the edit moves it.
            assert!(apart(&out, &input) < 0.5, "{}", sample.name);
        }
    }
}

/// p = ω × x has the skew gradient [ω] everywhere; warped it is the rotation by |ω| about ω.
#[test]
fn a_linear_rotation_becomes_that_rotation() {
    for sample in all(false) {
        let rest = sample.warp.input(&vec![0.0; sample.size()]);
        for omega in [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.5, -2.0, 1.0), Vec3::new(-3.0, 4.0, 6.0)] {
            let edit = field(&sample.positions, |x| omega.cross(x));
            let out = applied(&sample.warp, &rest, &edit);
            let place = |v: usize| sample.positions[v] + at(&out, v);
            for v in 1..sample.positions.len() {
                let expected = exp(&omega) * (sample.positions[v] - sample.positions[0]);
                assert!((place(v) - place(0) - expected).norm() < 1e-12, "{} {omega}", sample.name);
            }
        }
    }
}

/// On an input that is turned and scaled, a linear rotation about the same axis turns it further.
#[test]
fn turns_about_one_axis_add_up() {
    for sample in all(false) {
        let to = |angle: f64| {
            let Q = exp(&Vec3::new(0.0, 0.0, angle));
            moved(&sample.positions, |x| Q * x * 1.2)
        };
        let edit = field(&sample.positions, |x| Vec3::z().cross(x));
        let out = applied(&sample.warp, &sample.warp.input(&to(0.7)), &edit);
        let expected = to(1.7);
        for v in 1..sample.positions.len() {
            let [got, wanted] = [&out, &expected].map(|u| at(u, v) - at(u, 0));
            assert!((got - wanted).norm() < 1e-12, "{}", sample.name);
        }
    }
}

#[test]
fn anchors_stay_where_the_input_has_them() {
    for sample in all(true) {
        let mut random = Random(11);
        let input = random.field(sample.positions.len(), 0.05);
        let edit = random.field(sample.positions.len(), 0.1);
        let out = applied(&sample.warp, &sample.warp.input(&input), &edit);
        let mut moving = 0;
        for (v, x) in sample.positions.iter().enumerate() {
            if x.x == 0.0 {
                assert_eq!(at(&out, v), at(&input, v));
            } else {
                moving += usize::from((at(&out, v) - at(&input, v)).norm() > 1e-3);
            }
        }
        assert!(moving > sample.positions.len() / 2);
    }
}

/// The warp against its definition: a dense least-squares fit of the targets, by finite differences of the
/// gradients of a body of two tets.
#[test]
fn the_fit_is_the_least_squares_one() {
    use nalgebra::{DMatrix, DVector, Matrix3};
    use supple_mesh::TetMesh;
    use supple_model::VertexId;
    let mut random = Random(23);
    let mut positions = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(1.0, 1.0, 1.0)];
    positions[1].x = 1.3;
    let tets = [[0, 1, 2, 3], [1, 4, 2, 3]].map(|tet: [u32; 4]| tet.map(VertexId));
    let mesh = TetMesh::new(positions.clone(), tets.to_vec()).unwrap();
    let warp = crate::warp::samples::warp(&mesh, &positions, true);
    let (input, edit) = (random.field(5, 0.4), random.field(5, 0.4));
    let out = applied(&warp, &warp.input(&input), &edit);

    let gradient = |tet: &[VertexId; 4], u: &[f64]| {
        let edges = |at: &dyn Fn(usize) -> Vec3| {
            let [a, b, c, d] = tet.map(|v| at(v.index()));
            Matrix3::from_columns(&[b - a, c - a, d - a])
        };
        edges(&|v| at(u, v)) * edges(&|v| positions[v]).try_inverse().unwrap()
    };
    let mut rows = Vec::new();
    let mut wanted = Vec::new();
    for (e, tet) in tets.iter().enumerate() {
        let F = gradient(tet, &input) + Matrix3::identity();
        let svd = F.svd(true, true);
        let (u, v_t) = (svd.u.unwrap(), svd.v_t.unwrap());
        assert!(F.determinant() > 0.0);
        let (Q, S) = (u * v_t, v_t.transpose() * Matrix3::from_diagonal(&svd.singular_values) * v_t);
        let omega = nalgebra::Rotation3::from_matrix_unchecked(Q).scaled_axis();
        let H = gradient(tet, &edit);
        let skew = (H - H.transpose()) / 2.0;
        let turn = omega + Vec3::new(skew[(2, 1)], skew[(0, 2)], skew[(1, 0)]);
        let target = nalgebra::Rotation3::new(turn).matrix() * (S + (H + H.transpose()) / 2.0);
        let root = mesh.volume(supple_model::ElementId::new(e)).sqrt();
        let fixed: Vec<f64> =
            (0..15).map(|k| if positions[k / 3].x == 0.0 { input[k] } else { 0.0 }).collect();
        let missing = (target - Matrix3::identity() - gradient(tet, &fixed)) * root;
        wanted.extend(missing.iter().copied());
        let column = |k: usize| {
            let mut unit = vec![0.0; 15];
            unit[k] = root;
            gradient(tet, &unit)
        };
        let free = (0..15).filter(|k| positions[k / 3].x != 0.0);
        rows.push(free.map(|k| column(k).as_slice().to_vec()).collect::<Vec<_>>());
    }
    let A = DMatrix::from_fn(18, 6, |r, c| rows[r / 9][c][r % 9]);
    let x = A.svd(true, true).solve(&DVector::from_vec(wanted), 1e-12).unwrap();
    let free: Vec<f64> = (0..15).filter(|k| positions[k / 3].x != 0.0).map(|k| out[k]).collect();
    assert!(apart(&free, x.as_slice()) < 1e-12, "{free:?} {x}");
}
