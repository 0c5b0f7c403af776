//! Derivatives of rows against central differences, at edits that are not zero.

use super::limit::LimitKind;
use super::point::jacobian;
use super::*;
use crate::freedoms::{Freedoms, Posed};
use crate::sample::{self, assert_derivatives, differences, numbers, vector};
use nalgebra::Unit;
use std::sync::Arc;

const FRAME: usize = 7;
const FRAMES: usize = 20;

struct Scene {
    figure: crate::Figure,
    motion: crate::Motion,
    freedoms: Freedoms,
    d: Vec<f64>,
}

impl Scene {
    fn new() -> Self {
        let (figure, motion) = sample::figure(Vec::new(), FRAMES);
        let freedoms = sample::freedoms(&figure.skeleton);
        let d = numbers(freedoms.len(), 3, 0.4);
        Self { figure, motion, freedoms, d }
    }

    fn pose(&self, frame: usize, d: &[f64]) -> Posed {
        self.freedoms.pose(&self.figure.skeleton, &self.motion, frame, d)
    }

    fn at(&self, point: &Point) -> Vector3<f64> {
        point.at(&self.figure.skeleton, &self.pose(FRAME, &self.d).world)
    }
}

fn hand() -> Point {
    Point::Joint { joint: sample::HAND, offset: Vector3::new(0.05, -0.02, 0.03) }
}

/// Ties count once; hinges, slides and balls all have their place.
#[test]
fn freedoms_are_those_of_the_joints() {
    let scene = Scene::new();
    // root 6, spine 3, arm 3, elbow 1, hip 3, knee 1, foot 3, slider 2 + 3; tied joints none of their own.
    assert_eq!(scene.freedoms.len(), 25);
    assert_eq!(scene.figure.skeleton.freedoms(), 25);
    assert_eq!(scene.freedoms.turns(sample::OTHER_ARM), scene.freedoms.turns(sample::ARM));
    let only_hand = Freedoms::new(&scene.figure.skeleton, |j| j == sample::OTHER_ARM);
    assert_eq!(only_hand.len(), 3);
}

/// What is written is what was solved for.
#[test]
fn a_written_frame_stands_where_the_edit_puts_it() {
    let scene = Scene::new();
    let skeleton = &scene.figure.skeleton;
    let mut written = scene.motion.clone();
    scene.freedoms.apply(skeleton, &mut written, FRAME, &scene.d);
    let (world, posed) = (written.world(skeleton, FRAME), scene.pose(FRAME, &scene.d).world);
    let plain = scene.freedoms.world(skeleton, &scene.motion, FRAME, &scene.d);
    for j in 0..skeleton.joints().len() {
        assert!((world.positions[j] - posed.positions[j]).norm() < 1e-14);
        assert!((world.rotations[j] - posed.rotations[j]).norm() < 1e-14);
        assert!((plain.positions[j] - posed.positions[j]).norm() < 1e-14);
    }
    let mut same = scene.motion.clone();
    scene.freedoms.apply(skeleton, &mut same, FRAME, &vec![0.0; scene.freedoms.len()]);
    assert_eq!(same, scene.motion);
}

#[test]
fn points_move_as_their_jacobian_says() {
    let scene = Scene::new();
    let skeleton = &scene.figure.skeleton;
    let n = scene.freedoms.len();
    let joints =
        (0..skeleton.joints().len()).map(|joint| Point::Joint { joint, offset: vector(joint) * 0.1 });
    for point in joints.chain([Point::CenterOfMass]) {
        let place = |d: &[f64]| {
            point.at(skeleton, &scene.freedoms.world(skeleton, &scene.motion, FRAME, d)).as_slice().to_vec()
        };
        let mut J = vec![0.0; 3 * n];
        jacobian(skeleton, &scene.pose(FRAME, &scene.d), &point, 1.0, &mut J);
        let found = differences(&scene.d, &place);
        assert_derivatives(&|axis, k| J[3 * k + axis], &found, &format!("{point:?}"));
    }
}

/// Reads a constraint's rows and derivatives, and holds both against each other; of parts the one most missed.
fn check(scene: &Scene, constraint: &Constraint, floating: Option<Vector3<f64>>, what: &str) -> Read {
    let all = (0..parts(constraint)).map(|part| check_part(scene, constraint, floating, part, what));
    all.max_by(|a, b| a.r[0].total_cmp(&b.r[0])).expect("there is a part")
}

fn check_part(
    scene: &Scene,
    constraint: &Constraint,
    floating: Option<Vector3<f64>>,
    part: usize,
    what: &str,
) -> Read {
    let skeleton = &scene.figure.skeleton;
    let scale = scene.figure.scale();
    let n = scene.freedoms.len();
    let at = |d: &[f64]| {
        let world = scene.freedoms.world(skeleton, &scene.motion, FRAME, d);
        read(skeleton, &world, constraint, (FRAME, part), floating.as_ref(), scale)
            .expect("it asks for something")
    };
    let found = at(&scene.d);
    let mut J = vec![0.0; found.rows * n];
    found.jacobian(skeleton, &scene.pose(FRAME, &scene.d), constraint, &mut vec![0.0; 3 * n], &mut J);
    // r = c − g and J = ∂g/∂d.
    let g = |d: &[f64]| {
        let read = at(d);
        read.r[..read.rows].iter().map(|r| -r).collect()
    };
    assert_derivatives(&|row, k| J[row * n + k], &differences(&scene.d, &g), what);
    found
}

#[test]
fn rows_of_places_change_as_their_derivatives_say() {
    let scene = Scene::new();
    let p = scene.at(&hand());
    let of = |goal: Goal| Constraint::new((3, 12), hand(), goal);
    let from = |goal: Goal| Constraint { seen_from: Some(Point::joint(sample::FOOT)), ..of(goal) };
    let target = Targets::One(p + Vector3::new(0.1, 0.2, -0.1));
    let all = check(&scene, &of(Goal::At(target.clone())), None, "at");
    assert_eq!((all.rows, all.is_bound), (3, false));
    for (value, expected) in all.r.iter().zip([0.1, 0.2, -0.1]) {
        assert!((value - expected).abs() < 1e-14);
    }
    let two = Constraint { axes: [true, false, true], ..of(Goal::At(target.clone())) };
    assert_eq!(check(&scene, &two, None, "two coordinates").rows, 2);
    check(&scene, &from(Goal::At(target.clone())), None, "seen from");
    let mass = Constraint { seen_from: Some(Point::CenterOfMass), ..of(Goal::At(target.clone())) };
    check(&scene, &mass, None, "seen from the centre of mass");
    let mass = Constraint { point: Point::CenterOfMass, ..of(Goal::At(target)) };
    check(&scene, &mass, None, "the centre of mass");
    check(&scene, &of(Goal::Stay), Some(p * 1.1), "stay");
    let plane = Goal::Plane { point: vector(4), normal: vector(5) * 3.0 };
    let read = check(&scene, &of(plane), None, "plane");
    assert!((read.r[0] - (vector(4) - p).dot(&vector(5).normalize())).abs() < 1e-14);
    check(&scene, &from(Goal::Distance(Targets::One(0.4))), None, "distance");
}

#[test]
fn rows_of_lines_are_free_along_them() {
    let scene = Scene::new();
    let p = scene.at(&hand());
    let (a, b) = (p + Vector3::new(-1.0, 0.1, 0.2), p + Vector3::new(1.0, 0.15, -0.1));
    let line = Constraint::new((3, 12), hand(), Goal::Along(vec![a, b, b + Vector3::y()]));
    let read = check(&scene, &line, None, "along");
    let r = Vector3::from(read.r);
    assert!(r.dot(&(b - a)).abs() < 1e-14 && r.norm() > 0.1);
    // Beyond the end it is asked for the end.
    let line = Constraint::new((3, 12), hand(), Goal::Along(vec![a, p + Vector3::new(-0.3, 0.1, 0.2)]));
    let read = check(&scene, &line, None, "end of the line");
    assert!((Vector3::from(read.r) - Vector3::new(-0.3, 0.1, 0.2)).norm() < 1e-14);
}

#[test]
fn rows_of_turns_change_as_their_derivatives_say() {
    let scene = Scene::new();
    for (joint, near) in [(sample::FOOT, 0.2), (sample::ELBOW, 1.0), (sample::ROOT, 2.5), (sample::HAND, 0.0)]
    {
        let W = scene.pose(FRAME, &scene.d).world.rotations[joint];
        let W = UnitQuaternion::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(W));
        let target = W * UnitQuaternion::from_axis_angle(&Unit::new_normalize(vector(joint)), near);
        let goal = Goal::Orientation(Targets::One(target));
        let constraint = Constraint::new((3, 12), Point::joint(joint), goal);
        let read = check(&scene, &constraint, None, &format!("orientation {joint}"));
        let arc = Vector3::from(read.r).norm();
        assert!((arc - near * scene.figure.scale().arm).abs() < 1e-13, "{arc}");
    }
}

/// A ball, as a shape of its own would be.
struct Bowl(Vector3<f64>);

impl Shape for Bowl {
    fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>) {
        ((point - self.0).norm() - 0.5, (point - self.0).normalize())
    }
}

#[test]
fn rows_of_regions_say_how_deep_and_which_way() {
    let scene = Scene::new();
    let p = scene.at(&hand());
    let half = Vector3::new(0.3, 0.4, 0.5);
    let around = p + Vector3::new(0.2, 0.05, -0.1);
    let away = p + Vector3::new(1.0, 0.2, 0.1);
    let corner = p + Vector3::new(1.0, 0.9, 0.8);
    let boxed = |center: Vector3<f64>| Region::Box { min: center - half, max: center + half };
    let ball = |center: Vector3<f64>| Region::Sphere { center, radius: 0.5 };
    let below = |by: f64| Region::Below { normal: Vector3::y(), at: p.y + by };
    let bowl = |center: Vector3<f64>| Region::shape(Arc::new(Bowl(Vector3::zeros()))).moved(&center);
    let outside = [boxed(around), ball(around), below(0.1), bowl(around)];
    let inside = [boxed(away), boxed(corner), ball(away), below(-0.1), bowl(away)];
    for region in outside.iter().chain(&inside) {
        let is_in = outside.contains(region);
        let goal = if is_in { Goal::Outside(region.clone()) } else { Goal::Inside(region.clone()) };
        let read = check(&scene, &Constraint::new((3, 12), hand(), goal), None, &format!("{region:?}"));
        assert!(read.is_bound && read.rows == 1 && read.r[0] > 0.01, "{region:?} {read:?}");
        // Moved as far as is missing, the point is at the border, wherever the region was moved to.
        let (distance, direction) = region.distance(&p);
        assert!((direction.norm() - 1.0).abs() < 1e-12);
        let by = vector(9);
        let there = region.moved(&by).distance(&(p + by - direction * distance)).0;
        assert!(there.abs() < 1e-12, "{region:?} {there}");
        // The other side asks for nothing.
        let goal = if is_in { Goal::Inside(region.clone()) } else { Goal::Outside(region.clone()) };
        let read = check(&scene, &Constraint::new((3, 12), hand(), goal), None, &format!("{region:?}"));
        assert!(read.r[0] < 0.0);
    }
}

#[test]
fn targets_left_out_ask_for_nothing() {
    let scene = Scene::new();
    let world = scene.pose(FRAME, &scene.d).world;
    let targets = (3..13).map(|f| (f != FRAME).then(Vector3::zeros)).collect();
    let constraint = Constraint::new((3, 12), hand(), Goal::At(Targets::Each(targets)));
    let of =
        |frame| read(&scene.figure.skeleton, &world, &constraint, (frame, 0), None, scene.figure.scale());
    assert!(of(FRAME).is_none() && of(FRAME + 1).is_some());
}

fn kinds() -> Vec<LimitKind> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let channels = orders.into_iter().flat_map(|order| (0..3).map(move |index| (order, index)));
    let channels = channels.map(|(order, index)| LimitKind::Channel { order, index });
    let bone = Vector3::new(0.3, -0.4, 0.1);
    channels.chain([LimitKind::Cone(bone), LimitKind::Twist(bone)]).collect()
}

#[test]
fn limits_change_as_their_derivatives_say() {
    let scene = Scene::new();
    let skeleton = &scene.figure.skeleton;
    let scale = scene.figure.scale();
    let mut joints = [sample::ARM, sample::ELBOW, sample::FOOT, sample::ROOT].iter().cycle();
    for kind in kinds() {
        for side in [-1.0, 1.0] {
            let joint = *joints.next().expect("they go round");
            let world = scene.pose(FRAME, &scene.d).world;
            let outer = skeleton.joints()[joint]
                .parent
                .map_or_else(nalgebra::Matrix3::identity, |p| world.rotations[p]);
            let turned = outer.transpose() * world.rotations[joint];
            let angle = Limit { joint, kind, least: -0.1, most: 0.1 }.angle(&turned).expect("no pole").0;
            // Passed by a tenth of a radian.
            let (least, most) =
                if side > 0.0 { (angle - 0.5, angle - 0.1) } else { (angle + 0.1, angle + 0.5) };
            let limit = Limit { joint, kind, least, most };
            let row = |d: &[f64], J: Option<&mut [f64]>| {
                read_limit(skeleton, &scene.pose(FRAME, d), &limit, scale, J).expect("no pole")
            };
            let mut J = vec![9.0; scene.freedoms.len()];
            let r = row(&scene.d, Some(&mut J));
            assert!((r - 0.1 * scale.arm).abs() < 1e-13, "{kind:?} {r}");
            assert!(limit.excess(angle).is_some_and(|(by, way)| (by - 0.1).abs() < 1e-13 && way == -side));
            let found = differences(&scene.d, &|d| vec![-row(d, None)]);
            assert_derivatives(&|_, k| J[k], &found, &format!("{kind:?} of {joint}"));
        }
    }
}

/// A knee whose bend is the middle channel bends by more than a quarter turn and is still read as one.
#[test]
fn a_middle_channel_beyond_a_quarter_turn_is_read_as_it_is_turned() {
    for (order, index) in [([2, 0, 1], 1), ([0, 1, 2], 0), ([1, 2, 0], 2)] {
        for degrees in [-4.0_f64, 30.0, 89.0, 100.0, 140.0, 155.0] {
            let kind = LimitKind::Channel { order, index };
            let limit = Limit { joint: 0, kind, least: -0.1, most: 150.0_f64.to_radians() };
            let turned = supple_numerics::rotation::exp(&Vector3::x().scale(degrees.to_radians()));
            let (angle, _) = limit.angle(&turned).expect("no pole");
            assert!(
                (angle.to_degrees() - degrees).abs() < 1e-9,
                "{order:?} {degrees}: {}",
                angle.to_degrees()
            );
            assert_eq!(limit.excess(angle).is_some(), degrees > 150.0);
        }
    }
}

/// The twist about a direction and the swing away from it, of turns that are made from both.
#[test]
fn cones_and_twists_measure_what_a_turn_is_made_of() {
    let bone = Vector3::new(0.0, -0.4, 0.0);
    for (swing, twist) in [(0.4, 0.9), (1.2, -1.5), (2.0, 0.2)] {
        let turned = supple_numerics::rotation::exp(&Vector3::new(swing, 0.0, 0.0))
            * supple_numerics::rotation::exp(&(bone.normalize() * twist));
        let of = |kind| Limit { joint: 0, kind, least: -3.0, most: 3.0 }.angle(&turned).expect("no pole").0;
        assert!((of(LimitKind::Cone(bone)) - swing).abs() < 1e-12);
        assert!((of(LimitKind::Twist(bone)) - twist).abs() < 1e-12, "{}", of(LimitKind::Twist(bone)));
    }
}

#[test]
fn seams_change_as_their_derivatives_say() {
    let scene = Scene::new();
    let n = scene.freedoms.len();
    let frames = seam_spans((2, FRAMES - 3));
    assert_eq!(frames, [2, 3, FRAMES - 4, FRAMES - 3]);
    let d: Vec<f64> = (0..4).flat_map(|k| numbers(n, 20 + k, 0.3)).collect();
    let rows = |d: &[f64]| {
        let posed: Vec<Posed> = (0..4).map(|k| scene.pose(frames[k], &d[k * n..(k + 1) * n])).collect();
        let of = [&posed[0], &posed[1], &posed[2], &posed[3]];
        seam_rows(&scene.figure.skeleton, of, scene.figure.up, n, scene.figure.scale())
    };
    let found = rows(&d);
    let flat = |d: &[f64]| -> Vec<f64> {
        rows(d).iter().flat_map(|rows| (0..rows.rows).map(|k| -rows.r[k]).collect::<Vec<_>>()).collect()
    };
    let all: Vec<(usize, usize)> =
        found.iter().enumerate().flat_map(|(i, rows)| (0..rows.rows).map(move |k| (i, k))).collect();
    let J = |row: usize, unknown: usize| {
        let (i, k) = all[row];
        found[i].parts[unknown / n][k * n + unknown % n]
    };
    assert_derivatives(&J, &differences(&d, &flat), "seam");
}
