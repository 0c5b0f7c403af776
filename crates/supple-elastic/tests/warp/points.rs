//! A point by itself is the point of the whole, and its derivative is one.

use crate::warp::samples::{Random, Sample, all, applied, at, field, moved};
use supple_elastic::{InputFrame, WarpContact};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_numerics::rotation::exp;

/// Frames that bend, tumble, are turned inside out, and keep contacts.
fn frames(sample: &Sample) -> Vec<InputFrame> {
    let mut random = Random(41);
    let n = sample.positions.len();
    let bent = |x: &Vec3| exp(&Vec3::new(0.3, 0.9 * x.x, 0.4 * x.x)) * x;
    let tumble = exp(&Vec3::new(2.0, 1.0, -1.0));
    let inputs = [
        vec![0.0; 3 * n],
        moved(&sample.positions, |x| tumble * bent(x) + Vec3::new(3.0, 0.0, -1.0)),
        random.field(n, 0.3),
    ];
    let mut frames: Vec<InputFrame> = inputs.iter().map(|input| sample.warp.input(input)).collect();
    frames.extend(sample.warp.steady_inputs(inputs.iter().map(Vec::as_slice), &Progress::silent()).unwrap());
    for k in 0..6 {
        let mut frame = frames[k].clone();
        let contact = |v: usize, normal| WarpContact {
            vertices: vec![(VertexId::new(v), 1.0)],
            normal,
            shift: Vec3::zeros(),
        };
        let contacts = [contact(n - 3, Some(Vec3::new(0.1, 1.0, 0.3))), contact(n / 2, None)];
        sample.warp.hold(&mut frame, &contacts).unwrap();
        frames.push(frame);
    }
    frames
}

/// A vertex, one in contact, an anchored one, and a point between three.
fn points(n: usize) -> Vec<Vec<(VertexId, f64)>> {
    let id = VertexId::new;
    vec![
        vec![(id(n - 1), 1.0)],
        vec![(id(n - 3), 1.0)],
        vec![(id(0), 1.0)],
        vec![(id(1), 0.2), (id(n - 2), 0.5), (id(n / 3), 0.3)],
    ]
}

#[test]
fn a_point_is_where_the_whole_warp_puts_it() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let n = sample.positions.len();
        let mut random = Random(43);
        for frame in frames(&sample) {
            for size in [1e-3, 0.3] {
                let edit = random.field(n, size);
                let whole = applied(&sample.warp, &frame, &edit);
                for vertices in points(n) {
                    let point = sample.warp.point(&frame, &vertices).unwrap();
                    let wanted: Vec3 = vertices.iter().map(|(v, w)| at(&whole, v.index()) * *w).sum();
                    let got = point.value(&sample.warp, &frame, &edit);
                    assert!((got - wanted).norm() < 1e-12, "{} {got} {wanted}", sample.name);
                }
            }
        }
    }
}

/// What turns a held body as a whole turns the edit with it, by any angle. Rotation vectors that add up do not.
#[test]
fn steady_edits_are_the_same_however_far_the_input_has_turned() {
    for sample in all(true) {
        let n = sample.positions.len();
        let steady = |input: &[f64]| {
            sample.warp.steady_inputs([input], &Progress::silent()).unwrap().into_iter().next().unwrap()
        };
        let edit = field(&sample.positions, |x| Vec3::new(0.1 * x.y, 0.5 * x.x * x.x, -0.3 * x.x));
        let still = applied(&sample.warp, &steady(&vec![0.0; 3 * n]), &edit);
        let mut added = 0.0_f64;
        for angle in [0.5, 2.0, 3.1, 3.3, 5.0] {
            let R = exp(&(Vec3::new(1.0, 2.0, -0.5).normalize() * angle));
            let input = moved(&sample.positions, |x| R * x);
            let off = |u: &[f64]| {
                let each = (0..n).map(|v| {
                    (sample.positions[v] + at(u, v) - R * (sample.positions[v] + at(&still, v))).norm()
                });
                each.fold(0.0, f64::max)
            };
            added = added.max(off(&applied(&sample.warp, &sample.warp.input(&input), &edit)));
            let off = off(&applied(&sample.warp, &steady(&input), &edit));
            assert!(off < 1e-12, "{} {angle} {off:e}", sample.name);
        }
        assert!(added > 0.01, "{} {added}", sample.name);
    }
}

/// Two legs that a coarse body joins are far apart in a stride, and what joins them is ten times as long as it was: a
/// pull on one leg swelled and shrank with every stride, as the torn elements swung the other end by their length.
#[test]
fn steady_edits_swing_nothing_by_what_the_input_tears() {
    const TURN: f64 = 0.3;
    for sample in all(true) {
        let n = sample.positions.len();
        let edit = field(&sample.positions, |x| Vec3::z().cross(x) * TURN);
        let torn = moved(&sample.positions, |x| x + Vec3::x() * if x.x > 0.5 { 5.0 } else { 0.0 });
        let farthest = |frame: &InputFrame| {
            let shown = applied(&sample.warp, frame, &edit);
            let moves = (0..n).map(|v| (at(&shown, v) - at(frame.displacement(), v)).norm());
            moves.fold(0.0, f64::max)
        };
        let steady =
            |input: &[f64]| farthest(&sample.warp.steady_inputs([input], &Progress::silent()).unwrap()[0]);
        let (sound, swung) = (steady(&vec![0.0; 3 * n]), steady(&torn));
        assert!(swung < 1.5 * sound, "{}: {swung} instead of {sound}", sample.name);
        let added = farthest(&sample.warp.input(&torn));
        assert!(added > 3.0 * sound, "{}: {added} instead of {sound}", sample.name);
    }
}

#[test]
fn the_gradient_of_a_point_is_its_derivative() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let n = sample.positions.len();
        let mut random = Random(47);
        for frame in frames(&sample) {
            for size in [0.0, 0.05, 0.4] {
                let edit = random.field(n, size);
                for vertices in points(n) {
                    let point = sample.warp.point(&frame, &vertices).unwrap();
                    let gradient = point.gradient(&sample.warp, &frame, &edit);
                    for _ in 0..2 {
                        let direction = random.field(n, 1.0);
                        let h = 1e-5;
                        let at = |s: f64| {
                            let edit: Vec<f64> =
                                edit.iter().zip(&direction).map(|(p, d)| p + s * d).collect();
                            point.value(&sample.warp, &frame, &edit)
                        };
                        // Fourth order, so that curvature of large turns does not count as an error.
                        let difference = ((at(h) - at(-h)) * 8.0 - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
                        let product =
                            |i: usize| -> f64 { (0..3 * n).map(|k| gradient[(k, i)] * direction[k]).sum() };
                        let exact = Vec3::new(product(0), product(1), product(2));
                        let scale = exact.norm().max(1.0);
                        assert!(
                            (exact - difference).norm() < 1e-6 * scale,
                            "{} {exact} {difference}",
                            sample.name
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn single_entries_of_the_gradient_are_right() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let n = sample.positions.len();
        let edit = field(&sample.positions, |x| Vec3::new(0.1 * x.y, 0.5 * x.x * x.x, -0.3 * x.x));
        let frame = &frames(&sample)[1];
        let point = sample.warp.point(frame, &[(VertexId::new(n - 1), 1.0)]).unwrap();
        let gradient = point.gradient(&sample.warp, frame, &edit);
        for k in (0..3 * n).step_by(7) {
            let at = |h: f64| {
                let mut edit = edit.clone();
                edit[k] += h;
                point.value(&sample.warp, frame, &edit)
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            for i in 0..3 {
                assert!((gradient[(k, i)] - difference[i]).abs() < 1e-8, "{} {k}", sample.name);
            }
        }
    }
}

#[test]
#[should_panic(expected = "contacts of this frame")]
fn a_point_made_without_contacts_is_not_used_with_them() {
    let sample = &all(true)[0];
    let frames = frames(sample);
    let point = sample.warp.point(&frames[0], &points(20)[0]).unwrap();
    let _ = point.value(&sample.warp, &frames[6], &vec![0.0; sample.size()]);
}
