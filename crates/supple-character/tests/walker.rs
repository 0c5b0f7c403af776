//! A person who walks: feet that stand still where they stand, legs of two bones that reach them, all of it known.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use supple_character::{
    Constraint, CurveKind, Edit, Figure, Goal, Joint, Keys, Layer, Limit, Metric, Motion, Point, Skeleton,
    Turns,
};

pub const FPS: f64 = 120.0;
/// Frames of a gait cycle, of which a foot stands for the first part.
const CYCLE: f64 = 168.0;
const STANDS: f64 = 0.62;
/// Metres of a cycle.
const STRIDE: f64 = 1.1;
const THIGH: f64 = 0.43;
const SHANK: f64 = 0.42;
const ANKLE: f64 = 0.09;
const FOOT: [f64; 2] = [0.14, 0.07];

/// Joints by name, so that tests read like sentences.
pub struct Names {
    pub hips: usize,
    pub knee: usize,
    pub feet: [usize; 2],
    pub toes: [usize; 2],
    pub hands: [usize; 2],
    pub elbow: usize,
    pub head: usize,
}

pub fn names(skeleton: &Skeleton) -> Names {
    let find = |name: &str| skeleton.find(name).expect("it is a joint of the walker");
    Names {
        hips: find("Hips"),
        knee: find("LeftLeg"),
        feet: [find("LeftFoot"), find("RightFoot")],
        toes: [find("LeftToe"), find("RightToe")],
        hands: [find("LeftHand"), find("RightHand")],
        elbow: find("LeftForeArm"),
        head: find("Head"),
    }
}

pub fn skeleton() -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut add = |name: String, parent: Option<usize>, x: f64, y: f64, z: f64, turns: Turns| {
        joints.push(Joint { turns, ..Joint::new(name, parent, Vector3::new(x, y, z)) });
        joints.len() - 1
    };
    let ball = Turns::Ball;
    let hips = add("Hips".into(), None, 0.0, 0.93, 0.0, ball);
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let thigh = add(format!("{side}UpLeg"), Some(hips), x, -0.06, 0.0, ball);
        let shank = add(format!("{side}Leg"), Some(thigh), 0.0, -THIGH, 0.0, ball);
        let foot = add(format!("{side}Foot"), Some(shank), 0.0, -SHANK, 0.0, ball);
        let toe = add(format!("{side}Toe"), Some(foot), 0.0, -ANKLE, FOOT[0], ball);
        add(format!("{side}Toe_end"), Some(toe), 0.0, 0.0, FOOT[1], Turns::Fixed);
    }
    let spine = add("Spine".into(), Some(hips), 0.0, 0.12, 0.0, ball);
    let chest = add("Chest".into(), Some(spine), 0.0, 0.22, 0.0, ball);
    let head = add("Head".into(), Some(chest), 0.0, 0.25, 0.02, ball);
    add("Head_end".into(), Some(head), 0.0, 0.18, 0.0, Turns::Fixed);
    for (side, x) in [("Left", 1.0), ("Right", -1.0)] {
        let arm = add(format!("{side}Arm"), Some(chest), 0.18 * x, 0.18, 0.0, ball);
        let fore = add(format!("{side}ForeArm"), Some(arm), 0.0, -0.29, 0.0, ball);
        let hand = add(format!("{side}Hand"), Some(fore), 0.0, -0.25, 0.0, ball);
        add(format!("{side}Hand_end"), Some(hand), 0.0, -0.09, 0.0, Turns::Fixed);
    }
    Skeleton::new(joints).expect("the walker fits together")
}

/// 0 to 1 with rest at both ends.
fn ease(u: f64) -> f64 {
    u * u * (3.0 - 2.0 * u)
}

/// Where an ankle is, how the foot is pitched, by the phase of its gait in cycles.
fn ankle(phase: f64, x: f64) -> (Vector3<f64>, f64) {
    let (step, u) = (phase.floor(), phase - phase.floor());
    let swing = ((u - STANDS) / (1.0 - STANDS)).max(0.0);
    let z = STRIDE * (step + ease(swing));
    let lift = (std::f64::consts::PI * swing).sin().powi(2);
    (Vector3::new(x, ANKLE + 0.11 * lift, z), 0.35 * lift)
}

/// The phase of a foot in cycles; the left one begins in the middle of a stance.
fn phase(frame: f64, side: usize) -> f64 {
    frame / CYCLE + 0.3 + 0.5 * side as f64
}

/// Frames a foot stands in, first and last.
pub fn stances(frames: usize, side: usize) -> Vec<(usize, usize)> {
    let stands = |f: usize| {
        let phase = phase(f as f64, side);
        phase - phase.floor() <= STANDS
    };
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for f in (0..frames).filter(|f| stands(*f)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == f => *last = f,
            _ => ranges.push((f, f)),
        }
    }
    ranges
}

fn about(axis: Vector3<f64>, angle: f64) -> Matrix3<f64> {
    Rotation3::from_scaled_axis(axis * angle).into_inner()
}

/// A bone whose −y points along something and whose x is as near as can be to a direction.
fn bone(along: &Vector3<f64>, x: &Vector3<f64>) -> Matrix3<f64> {
    let y = -along.normalize();
    let x = (x - y * y.dot(x)).normalize();
    Matrix3::from_columns(&[x, y, x.cross(&y)])
}

/// The walk; `slide` moves the root about once a cycle by about so many metres, and the feet with it.
pub fn walk(skeleton: &Skeleton, frames: usize, slide: f64) -> Motion {
    let mut motion = Motion::rest(skeleton, frames);
    let local = |motion: &mut Motion, f: usize, j: usize, turned: Matrix3<f64>| {
        let turned = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turned));
        motion.set(f, j, turned, skeleton.joints()[j].offset);
    };
    for f in 0..frames {
        let t = f as f64;
        let beat = std::f64::consts::TAU * (t / CYCLE + 0.3);
        let root = Vector3::new(
            0.02 * beat.sin(),
            0.88 + 0.012 * (2.0 * beat).cos(),
            STRIDE * (t / CYCLE + 0.3 - 0.5 * STANDS),
        );
        let pelvis = about(Vector3::y(), 0.08 * beat.cos()) * about(Vector3::z(), 0.03 * beat.sin());
        for side in 0..2 {
            let thigh = 1 + 5 * side;
            let hip = root + pelvis * skeleton.joints()[thigh].offset;
            let (mut ankle, pitch) = ankle(phase(t, side), if side == 0 { 0.09 } else { -0.09 });
            ankle.z -= 0.5 * STRIDE * side as f64;
            let reach = ankle - hip;
            let far = reach.norm().min(THIGH + SHANK - 1e-4);
            let forward = reach.cross(&-(pelvis * Vector3::x())).normalize();
            let along = (far * far + THIGH * THIGH - SHANK * SHANK) / (2.0 * far);
            let out = (THIGH * THIGH - along * along).sqrt();
            let knee = hip + reach.normalize() * along + forward * out;
            let plane = reach.cross(&forward).normalize();
            let plane = if plane.dot(&(pelvis * Vector3::x())) > 0.0 { plane } else { -plane };
            let (upper, lower) = (bone(&(knee - hip), &plane), bone(&(ankle - knee), &plane));
            local(&mut motion, f, thigh, pelvis.transpose() * upper);
            local(&mut motion, f, thigh + 1, upper.transpose() * lower);
            local(&mut motion, f, thigh + 2, lower.transpose() * about(Vector3::x(), pitch));
        }
        let swing = |joint: &str, axis: Vector3<f64>, angle: f64, motion: &mut Motion| {
            local(motion, f, skeleton.find(joint).expect("a joint"), about(axis, angle));
        };
        swing("Spine", Vector3::y(), -0.06 * beat.cos(), &mut motion);
        swing("Chest", Vector3::y(), -0.1 * beat.cos(), &mut motion);
        for (side, sign) in [("Left", -1.0), ("Right", 1.0)] {
            swing(&format!("{side}Arm"), Vector3::x(), sign * 0.4 * beat.sin(), &mut motion);
            swing(&format!("{side}ForeArm"), Vector3::x(), -0.5 + sign * 0.2 * beat.sin(), &mut motion);
        }
        let drift = Vector3::new(0.5 * beat.cos(), 0.0, (beat + 0.4).sin()) * slide;
        let pelvis = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(pelvis));
        motion.set(f, 0, pelvis, root + drift);
    }
    motion
}

/// A walk, its figure and an edit of all its frames by keys of 0.2 s, free at both ends.
pub fn edit(frames: usize, limits: Vec<Limit>) -> (Edit, Motion) {
    let skeleton = skeleton();
    let motion = walk(&skeleton, frames, 0.0);
    let figure = Figure::new(skeleton, limits, 1, &motion);
    (of(figure, frames), motion)
}

pub fn of(figure: Figure, frames: usize) -> Edit {
    let layer = Layer {
        curve: CurveKind::BSpline,
        keys: Keys::Seconds(0.2),
        window: (0, frames - 1),
        clamped: [false; 2],
        smoothing: 0.0,
    };
    Edit {
        figure,
        constraints: Vec::new(),
        layers: vec![layer],
        is_loop: false,
        frame_seconds: 1.0 / FPS,
        metric: Metric::Blocks,
    }
}

/// Where a point of the walker is.
pub fn at(skeleton: &Skeleton, motion: &Motion, frame: usize, joint: usize) -> Vector3<f64> {
    motion.world(skeleton, frame).positions[joint]
}

pub fn hold(frames: (usize, usize), joint: usize, goal: Goal) -> Constraint {
    Constraint::new(frames, Point::joint(joint), goal)
}

/// The farthest any joint is from where it was, in metres.
pub fn farthest(skeleton: &Skeleton, a: &Motion, b: &Motion) -> f64 {
    let of = |f: usize| {
        let (a, b) = (a.world(skeleton, f), b.world(skeleton, f));
        a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    };
    (0..a.frames()).map(of).fold(0.0, f64::max)
}

/// The largest turn of any joint from how it was turned from its parent, in degrees, with its joint and frame.
pub fn largest_turn(a: &Motion, b: &Motion) -> (f64, usize, usize) {
    let turn = |f: usize, j: usize| a.rotation(f, j).angle_to(&b.rotation(f, j)).to_degrees();
    let all = (0..a.frames()).flat_map(|f| (0..a.joints()).map(move |j| (turn(f, j), j, f)));
    all.fold((0.0, 0, 0), |most, next| if next.0 > most.0 { next } else { most })
}

/// The largest acceleration of any joint, m/s².
pub fn acceleration(skeleton: &Skeleton, motion: &Motion) -> f64 {
    let worlds: Vec<_> = (0..motion.frames()).map(|f| motion.world(skeleton, f).positions).collect();
    let of = |w: &[Vec<Vector3<f64>>]| {
        (0..w[0].len()).map(|j| (w[0][j] - w[1][j] * 2.0 + w[2][j]).norm() * FPS * FPS).fold(0.0, f64::max)
    };
    worlds.windows(3).map(of).fold(0.0, f64::max)
}
