//! Bodies that tumble: pushes go along straight paths, turns are about axes that stand still, and all of it has
//! derivatives.

use crate::warp::motion::{MODES, basis, coordinates};
use crate::warp::samples::{Random, Sample, again, all, apart, applied, at, field, masses, moved};
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_elastic::{
    Basis, FreeVertices, InputFrame, Warp, WarpContact, WarpPoint, WarpReadout, WarpSite, WarpedMotion,
};
use supple_mesh::shapes::box_mesh;
use supple_mesh::{TetMesh, Vec3};
use supple_model::{Ask, Progress, Readout, VertexId};
use supple_numerics::rotation::exp;

const FRAMES: usize = 60;

/// One turn in 40 frames about an axis that is not one of the body's, thrown along an arc.
fn tumble(i: usize) -> (Matrix3<f64>, Vec3) {
    let angle = std::f64::consts::TAU * i as f64 / 40.0;
    let t = i as f64 / 24.0;
    (exp(&(Vec3::new(1.0, 2.0, -0.5).normalize() * angle)), Vec3::new(t, 2.0 * t - 4.9 * t * t, 0.0))
}

fn spinning(sample: &Sample, bent: impl Fn(&Vec3) -> Vec3) -> WarpedMotion {
    let inputs: Vec<Vec<f64>> = (0..FRAMES)
        .map(|i| {
            let (R, t) = tumble(i);
            moved(&sample.positions, |x| R * bent(x) + t)
        })
        .collect();
    let warp = again(sample, false);
    let frames = warp.inputs(inputs.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
    WarpedMotion::new(warp, Arc::new(basis(sample, false)), frames)
}

fn bend(x: &Vec3) -> Vec3 {
    exp(&Vec3::new(0.3, 0.9 * x.x, 0.4 * x.x)) * x
}

fn centre(sample: &Sample, u: &[f64]) -> Vec3 {
    let masses = masses(sample.positions.len());
    let places = sample.positions.iter().enumerate().map(|(v, x)| (x + at(u, v)) * masses[v]);
    places.sum::<Vec3>() / masses.iter().sum::<f64>()
}

/// t and θ by a dense least squares fit, mass for mass: another way to what the warp takes out.
fn whole(sample: &Sample, edit: &[f64]) -> (Vec3, Vec3) {
    let c = centre(sample, &vec![0.0; sample.size()]);
    let masses = masses(sample.positions.len());
    let mut A = nalgebra::DMatrix::zeros(sample.size(), 6);
    let mut b = nalgebra::DVector::zeros(sample.size());
    for (v, x) in sample.positions.iter().enumerate() {
        let root = masses[v].sqrt();
        let turn = -(x - c).cross_matrix();
        for row in 0..3 {
            A[(3 * v + row, row)] = root;
            (0..3).for_each(|k| A[(3 * v + row, 3 + k)] = root * turn[(row, k)]);
            b[3 * v + row] = root * edit[3 * v + row];
        }
    }
    let found = A.svd(true, true).solve(&b, 1e-14).unwrap();
    (Vec3::new(found[0], found[1], found[2]), Vec3::new(found[3], found[4], found[5]))
}

fn shown(motion: &WarpedMotion, frame: usize, edit: &[f64]) -> Vec<f64> {
    let mut out = vec![f64::NAN; edit.len()];
    motion.apply(frame, edit, &mut out);
    out
}

#[test]
fn a_push_is_the_same_at_every_vertex_and_frame() {
    let push = Vec3::new(1.0, -0.4, 0.2);
    for sample in all(false) {
        let mut motion = spinning(&sample, bend);
        let edit = field(&sample.positions, |_| push);
        for (reach, is_plain) in [(24, false), (0, false), (24, true), (0, true)] {
            motion.set_reach(reach);
            motion.set_plain(is_plain);
            for frame in 0..FRAMES {
                let out = shown(&motion, frame, &edit);
                for v in 0..sample.positions.len() {
                    let d = at(&out, v) - at(motion.frame(frame).displacement(), v);
                    assert!((d - push).norm() < 1e-12, "{} {frame}", sample.name);
                }
            }
        }
    }
}

#[test]
fn a_turn_is_about_an_axis_in_space_where_the_body_turns_far() {
    for sample in all(false) {
        let motion = spinning(&sample, bend);
        let c = centre(&sample, &vec![0.0; sample.size()]);
        for theta in [Vec3::new(0.0, 0.0, 0.3), Vec3::new(-3.0, 4.0, 1.0)] {
            let edit = field(&sample.positions, |x| theta.cross(&(x - c)));
            for frame in [0, 7, 31] {
                let input = motion.frame(frame).displacement();
                let middle = centre(&sample, input);
                let out = shown(&motion, frame, &edit);
                for (v, x) in sample.positions.iter().enumerate() {
                    let wanted = middle + exp(&theta) * (x + at(input, v) - middle);
                    assert!((x + at(&out, v) - wanted).norm() < 1e-11, "{} {frame}", sample.name);
                }
            }
        }
    }
}

/// About its own axes where turning far takes longer than an edit does.
#[test]
fn a_turn_is_about_the_bodys_own_axis_where_it_turns_little() {
    for sample in all(false) {
        let mut motion = spinning(&sample, |x| *x);
        motion.set_reach(3);
        let c = centre(&sample, &vec![0.0; sample.size()]);
        let theta = Vec3::new(0.7, -0.2, 1.1);
        let edit = field(&sample.positions, |x| theta.cross(&(x - c)));
        for frame in [0, 7, 31] {
            let input = motion.frame(frame).displacement();
            let (middle, R) = (centre(&sample, input), tumble(frame).0);
            let out = shown(&motion, frame, &edit);
            for (v, x) in sample.positions.iter().enumerate() {
                let wanted = middle + exp(&(R * theta)) * (x + at(input, v) - middle);
                assert!((x + at(&out, v) - wanted).norm() < 1e-11, "{} {frame}", sample.name);
            }
        }
    }
}

/// What neither pushes nor turns the body does the same whichever axes turns are meant in.
#[test]
fn deformations_turn_with_the_body() {
    for sample in all(false) {
        let mut motion = spinning(&sample, bend);
        let mut edit = Random(3).field(sample.positions.len(), 0.1);
        let (t, theta) = whole(&sample, &edit);
        let c = centre(&sample, &vec![0.0; sample.size()]);
        for (v, x) in sample.positions.iter().enumerate() {
            let rest = at(&edit, v) - t - theta.cross(&(x - c));
            edit[3 * v..3 * v + 3].copy_from_slice(rest.as_slice());
        }
        for frame in [0, 7, 31] {
            motion.set_reach(24);
            let far = shown(&motion, frame, &edit);
            motion.set_reach(0);
            assert!(apart(&far, &shown(&motion, frame, &edit)) < 1e-12, "{}", sample.name);
            let R = tumble(frame).0;
            let still = shown(&motion, 0, &edit);
            for v in 0..sample.positions.len() {
                let change = |out: &[f64], i: usize| at(out, v) - at(motion.frame(i).displacement(), v);
                assert!((change(&far, frame) - R * change(&still, 0)).norm() < 1e-12, "{}", sample.name);
            }
        }
    }
}

#[test]
fn no_edit_is_no_change_to_the_bit() {
    for sample in all(false) {
        let motion = spinning(&sample, bend);
        for frame in 0..FRAMES {
            let out = shown(&motion, frame, &vec![0.0; sample.size()]);
            assert_eq!(out, motion.frame(frame).displacement(), "{} {frame}", sample.name);
        }
    }
}

#[test]
fn a_plain_motion_shows_the_linear_edit_in_space() {
    for sample in all(false) {
        let mut motion = spinning(&sample, bend);
        motion.set_plain(true);
        let edit = Random(5).field(sample.positions.len(), 0.3);
        let (t, theta) = whole(&sample, &edit);
        let c = centre(&sample, &vec![0.0; sample.size()]);
        for frame in [0, 11, 40] {
            let input = motion.frame(frame).displacement().to_vec();
            let R = motion.warp().rotation_of(motion.frame(frame), VertexId(0));
            for reach in [24, 0] {
                motion.set_reach(reach);
                let out = shown(&motion, frame, &edit);
                for (v, x) in sample.positions.iter().enumerate() {
                    let (p, r) = (at(&edit, v), x - c);
                    let change = if reach == 24 {
                        t + theta.cross(&(R * r)) + R * (p - t - theta.cross(&r))
                    } else {
                        t + R * (p - t)
                    };
                    assert!((at(&out, v) - at(&input, v) - change).norm() < 1e-12, "{}", sample.name);
                }
            }
        }
    }
}

/// Rows of the linear edit are those of what is shown plainly, and of the warp where a body is not bent.
#[test]
fn rows_of_the_linear_edit_are_the_derivative_of_no_edit() {
    for sample in all(false) {
        let n = sample.positions.len();
        let vertices = vec![(VertexId::new(n - 1), 1.0), (VertexId(0), -0.3)];
        for reach in [24, 0] {
            for (bends, is_plain) in [(false, false), (false, true), (true, true)] {
                let mut motion = if bends { spinning(&sample, bend) } else { spinning(&sample, |x| *x) };
                motion.set_reach(reach);
                motion.set_plain(is_plain);
                let axes = exp(&Vec3::new(0.4, -0.9, 0.3));
                let mut readout = WarpReadout::new(Arc::new(motion.clone()));
                let site = WarpSite { vertices: vertices.clone(), at: 17.into(), axes };
                let site = readout.add(site).unwrap();
                let ask = Ask { site, at: 17.into(), z: &[0.0; MODES] };
                let found = readout.linearized(&[ask]).remove(0);
                let z = coordinates(&mut Random(8), 1.0);
                let mut edit = vec![0.0; sample.size()];
                motion.basis().displacement(&z, &mut edit);
                let mut change = vec![0.0; sample.size()];
                motion.in_space(17, &edit, &mut change);
                let change: Vec3 = vertices.iter().map(|(v, w)| at(&change, v.index()) * *w).sum();
                for axis in 0..3 {
                    let row = motion.edit_row(17, &vertices, axes.row(axis).transpose());
                    assert!(apart(&row, &found.rows[axis]) < 1e-12, "{} {reach}", sample.name);
                    let sum: f64 = row.iter().zip(&z).map(|(row, z)| row * z).sum();
                    assert!((sum - (axes * change)[axis]).abs() < 1e-12, "{} {reach}", sample.name);
                }
            }
        }
    }
}

/// Three boxes, one held, one that sways and one that spins, with contacts between and on them.
struct Boxes {
    positions: Vec<Vec3>,
    motion: WarpedMotion,
    one: usize,
}

impl Boxes {
    fn new() -> Self {
        let part = box_mesh(Vec3::new(1.0, 0.3, 0.2), [4, 2, 1]).unwrap();
        let one = part.positions().len();
        let beside = |k: usize| Vec3::new(0.0, 2.0 * k as f64, 0.0);
        let positions: Vec<Vec3> =
            (0..3).flat_map(|k| part.positions().iter().map(move |x| x + beside(k))).collect();
        let tets = (0..3)
            .flat_map(|k| part.tets().iter().map(move |tet| tet.map(|v| VertexId::new(v.index() + k * one))));
        let mesh = TetMesh::new(positions.clone(), tets.collect()).unwrap();
        let anchors: Vec<VertexId> = (0..one).filter(|&v| positions[v].x == 0.0).map(VertexId::new).collect();
        let free = FreeVertices::except(3 * one, &anchors).unwrap();
        let warp = Warp::new(&mesh, &masses(3 * one), &free).unwrap();
        let mut random = Random(13);
        let rattle: Vec<Vec3> = (0..3 * one).map(|_| random.vector() * 0.02).collect();
        let inputs: Vec<Vec<f64>> = (0..20)
            .map(|i| {
                let place = |v: usize| {
                    let (x, k) = (positions[v], v / one);
                    let turn = match k {
                        0 => Matrix3::identity(),
                        1 => exp(&(Vec3::new(0.1, 0.2, 0.0) * f64::from(i).sin())),
                        _ => tumble(i as usize).0,
                    };
                    turn * (x + rattle[v] - beside(k)) + beside(k)
                };
                (0..3 * one).flat_map(|v| <[f64; 3]>::from(place(v) - positions[v])).collect()
            })
            .collect();
        let frames = warp.inputs(inputs.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
        let shapes = faer::Mat::from_fn(3 * free.vertices().len(), 1, |_, _| 1.0);
        let mut motion = WarpedMotion::new(warp, Arc::new(Basis::new(shapes, free)), frames);
        let id = |k: usize, v: usize| VertexId::new(k * one + v);
        let contact = |vertices, normal| WarpContact { vertices, normal, shift: Vec3::zeros() };
        let contacts = [
            contact(vec![(id(2, one - 1), 1.0)], Some(Vec3::new(0.1, 1.0, 0.3))),
            contact(vec![(id(2, 3), 1.0)], None),
            contact(vec![(id(0, one - 2), 1.0), (id(2, 5), -1.0)], Some(Vec3::new(1.0, 1.0, 0.0))),
            contact(vec![(id(1, 4), 1.0), (id(2, 9), -1.0)], Some(Vec3::new(0.0, 1.0, 1.0))),
        ];
        motion.hold(11, &contacts).unwrap();
        motion.hold(12, &contacts[..2]).unwrap();
        Self { positions, motion, one }
    }

    /// Points of each, between them, and those in contact.
    fn points(&self) -> Vec<Vec<(VertexId, f64)>> {
        let id = |k: usize, v: usize| VertexId::new(k * self.one + v);
        let last = self.one - 1;
        vec![
            vec![(id(0, last), 1.0)],
            vec![(id(1, last), 1.0)],
            vec![(id(2, last), 1.0)],
            vec![(id(2, 5), 0.5), (id(2, 0), 0.5)],
            vec![(id(0, last), 1.0), (id(1, 2), -0.7), (id(2, 1), -0.3)],
        ]
    }
}

#[test]
fn points_of_spinning_bodies_are_where_the_whole_warp_puts_them() {
    let boxes = Boxes::new();
    let (warp, n) = (boxes.motion.warp(), boxes.positions.len());
    let mut random = Random(43);
    for frame in [7, 11, 12].map(|i| boxes.motion.frame(i)) {
        for size in [1e-3, 0.3, 1.5] {
            let edit = random.field(n, size);
            let whole = applied(warp, frame, &edit);
            for vertices in boxes.points() {
                let point = warp.point(frame, &vertices).unwrap();
                let wanted: Vec3 = vertices.iter().map(|(v, w)| at(&whole, v.index()) * *w).sum();
                assert!((point.value(warp, frame, &edit) - wanted).norm() < 1e-12);
                let mut gradient = faer::Mat::zeros(edit.len(), 3);
                let value = point.linearize(warp, frame, &edit, gradient.as_mut());
                assert!((value - wanted).norm() < 1e-12);
            }
        }
    }
}

/// An edit that turns the whole of the spinning box by `theta`, and shakes everything.
fn turned(boxes: &Boxes, theta: &Vec3, shake: f64, random: &mut Random) -> Vec<f64> {
    let mut edit = random.field(boxes.positions.len(), shake);
    for v in 2 * boxes.one..boxes.positions.len() {
        let turn = theta.cross(&(boxes.positions[v] - boxes.positions[2 * boxes.one]));
        (0..3).for_each(|c| edit[3 * v + c] += turn[c]);
    }
    edit
}

fn derivative_off(
    point: &WarpPoint,
    warp: &Warp,
    frame: &InputFrame,
    edit: &[f64],
    random: &mut Random,
) -> f64 {
    let gradient = point.gradient(warp, frame, edit);
    let direction = random.field(edit.len() / 3, 1.0);
    let at = |s: f64| {
        let edit: Vec<f64> = edit.iter().zip(&direction).map(|(p, d)| p + s * d).collect();
        point.value(warp, frame, &edit)
    };
    let h = 1e-4;
    let difference = ((at(h) - at(-h)) * 8.0 - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    let product = |i: usize| -> f64 { (0..edit.len()).map(|k| gradient[(k, i)] * direction[k]).sum() };
    let exact = Vec3::new(product(0), product(1), product(2));
    (exact - difference).norm() / exact.norm().max(0.1)
}

#[test]
fn derivatives_of_spinning_bodies_are_exact() {
    let boxes = Boxes::new();
    let warp = boxes.motion.warp();
    let mut random = Random(47);
    for frame in [7, 11, 12].map(|i| boxes.motion.frame(i)) {
        for theta in [Vec3::zeros(), Vec3::new(0.3, -0.1, 0.2), Vec3::new(2.5, -3.0, 1.0)] {
            for shake in [0.0, 0.05] {
                let edit = turned(&boxes, &theta, shake, &mut random);
                for vertices in boxes.points() {
                    let point = warp.point(frame, &vertices).unwrap();
                    let off = derivative_off(&point, warp, frame, &edit, &mut random);
                    assert!(off < 1e-6, "{vertices:?} {theta} {off:e}");
                }
            }
        }
    }
}

#[test]
fn contacts_of_spinning_bodies_hold() {
    let boxes = Boxes::new();
    let frame = boxes.motion.frame(11);
    let edit = turned(&boxes, &Vec3::new(0.5, -1.0, 2.0), 0.1, &mut Random(51));
    let out = applied(boxes.motion.warp(), frame, &edit);
    let change = |k: usize, v: usize| {
        let v = k * boxes.one + v;
        at(&out, v) - at(frame.displacement(), v)
    };
    let last = boxes.one - 1;
    assert!(Vec3::new(0.1, 1.0, 0.3).dot(&change(2, last)).abs() < 1e-12);
    assert!(change(2, 3).norm() < 1e-12);
    assert!(Vec3::new(1.0, 1.0, 0.0).dot(&(change(0, last - 1) - change(2, 5))).abs() < 1e-12);
    assert!(Vec3::new(0.0, 1.0, 1.0).dot(&(change(1, 4) - change(2, 9))).abs() < 1e-12);
    // They do bend the body: without them none of this holds.
    let mut free = frame.clone();
    boxes.motion.warp().hold(&mut free, &[]).unwrap();
    assert!(apart(&out, &applied(boxes.motion.warp(), &free, &edit)) > 1e-2);
}
