//! A thief who comes, picks up a treasure with both hands and runs off with it: Fig. 7.

use super::ask::{Feet, ask, hinges, limits};
use super::feet::{Hermite, Stand, Swing, stand, through};
use super::figure::{Figure, Pose, bend};
use super::{End, Kept};
use crate::ShotError;
use crate::shot::{Distance, Goal, Handle, Shot, Site, When};
use nalgebra::{Rotation3, Vector3};
use supple_formats::RigFile;

const FRAMES: usize = 100;
const FPS: f64 = 30.0;
const SWING: Swing = Swing { roll: 3.0, lift: 0.07 };
/// Where the treasure lies, and how far each wrist is from its middle.
const SPOT: Vector3<f64> = Vector3::new(1.36, 0.3, 0.0);
const HALF: f64 = 0.16;
/// Frames, counted from 0: hands begin to reach, have the treasure, lift it, carry it.
const REACHES: f64 = 32.0;
const TAKES: f64 = 46.0;
const LIFTS: f64 = 49.0;
const CARRIES: f64 = 62.0;
/// How far an arm reaches without being stretched out.
const FARTHEST: f64 = 0.52;
/// The hips: frame, forward, up.
const HIPS: &[(f64, f64, f64)] = &[
    (-8.0, -0.29, 0.88),
    (8.0, 0.29, 0.87),
    (18.0, 0.6, 0.865),
    (26.0, 0.76, 0.85),
    (34.0, 0.86, 0.76),
    (46.0, 0.88, 0.56),
    (51.0, 0.89, 0.56),
    (60.0, 1.02, 0.78),
    (66.0, 1.28, 0.845),
    (76.0, 1.9, 0.84),
    (86.0, 2.55, 0.84),
    (96.0, 3.2, 0.84),
    (106.0, 3.85, 0.84),
];
/// Where feet are flat: the first and the last frame, and how far ahead.
const LEFT: &[(f64, f64, f64)] =
    &[(-8.0, 4.0, 0.08), (18.0, 62.0, 0.9), (76.0, 83.0, 2.2), (96.0, 110.0, 3.5)];
const RIGHT: &[(f64, f64, f64)] = &[
    (-22.0, -10.0, -0.42),
    (8.0, 20.0, 0.54),
    (32.0, 57.0, 0.78),
    (66.0, 73.0, 1.55),
    (86.0, 93.0, 2.85),
    (106.0, 115.0, 4.15),
];

fn feet() -> [Vec<Stand>; 2] {
    [(LEFT, -0.09), (RIGHT, 0.09)].map(|(stands, side)| {
        let stand = |(first, last, ahead): &(f64, f64, f64)| Stand {
            first: *first,
            last: *last,
            ankle: Vector3::new(*ahead, 0.08, side),
        };
        stands.iter().map(stand).collect()
    })
}

/// How much of the way from one frame to another is done, from 0 to 1, gently.
fn done(from: f64, to: f64, frame: f64) -> f64 {
    Hermite::at(((frame - from) / (to - from)).clamp(0.0, 1.0)).to
}

fn pose(figure: &Figure, feet: &[Vec<Stand>; 2], frame: f64) -> Pose {
    let mut pose = figure.rest();
    let hips = |pick: fn(&(f64, f64, f64)) -> f64| {
        through(&HIPS.iter().map(|key| (key.0, pick(key))).collect::<Vec<_>>(), frame)
    };
    pose.root = Vector3::new(hips(|key| key.1), hips(|key| key.2), 0.0);
    let keyed = |keys: &[(f64, f64)]| bend(through(keys, frame).to_radians());
    pose.turns[0] = keyed(&[(24.0, -4.0), (46.0, -38.0), (51.0, -38.0), (64.0, -14.0), (100.0, -12.0)]);
    if let (Some(spine), Some(neck)) = (figure.spine, figure.neck) {
        pose.turns[spine] = keyed(&[(24.0, -2.0), (46.0, -38.0), (51.0, -38.0), (64.0, -4.0), (100.0, -2.0)]);
        pose.turns[neck] = keyed(&[(24.0, 2.0), (46.0, 25.0), (51.0, 25.0), (64.0, 5.0), (100.0, 2.0)]);
    }
    pose.turns[figure.head] = keyed(&[(24.0, 2.0), (46.0, 20.0), (51.0, 20.0), (64.0, 8.0), (100.0, 6.0)]);
    stand(figure, &mut pose, [&feet[0], &feet[1]], SWING, frame);
    arms(figure, &mut pose, frame);
    pose
}

/// Arms swing until they reach for the treasure, and then hold it at both sides, in front of the chest.
fn arms(figure: &Figure, pose: &mut Pose, frame: f64) {
    let (chest, turned) = figure.place(pose, figure.spine.unwrap_or_default());
    let carried = chest + turned * Vector3::new(0.3, 0.12, 0.0);
    let treasure = SPOT.lerp(&carried, done(LIFTS, CARRIES, frame));
    let reaches = done(REACHES, TAKES, frame);
    let swing = (std::f64::consts::TAU * (frame + 2.0) / 28.0).cos();
    for (limb, side) in figure.arms.into_iter().zip([-1.0, 1.0]) {
        let out = Rotation3::from_axis_angle(&Vector3::x_axis(), -0.1 * side).into_inner();
        pose.turns[limb[0]] = bend(0.4 * swing * side) * out;
        pose.turns[limb[1]] = bend(0.5 + 0.2 * swing * side);
        if reaches > 0.0 {
            let (hand, _) = figure.place(pose, limb[2]);
            let (shoulder, _) = figure.place(pose, limb[0]);
            let to = hand.lerp(&(treasure + Vector3::z() * (HALF * side)), reaches) - shoulder;
            // Until the back is bent the arm goes where it can.
            let share = if reaches < 1.0 { (FARTHEST / to.norm()).min(1.0) } else { 1.0 };
            let target = shoulder + to * share;
            figure.reach(pose, limb, target, 1.0);
        }
    }
}

/// The treasure lies elsewhere: the hands go there, and stay as far apart while they carry it.
pub fn space(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let figure = Figure::of_balls();
    let feet = feet();
    let poses: Vec<Pose> = (0..FRAMES).map(|frame| pose(&figure, &feet, frame as f64)).collect();
    ask(shot, Kept { keys: 10, start: End::Free })?;
    hinges(shot, &[]);
    limits(shot, false, false);
    Feet { stands: &feet, roll: SWING.roll, frames: FRAMES, floats: false, ankles: false }.ask(shot);
    let taken = TAKES as i32 + 1;
    for hand in ["LeftHand", "RightHand"] {
        let goal = Goal::By([0.08, 0.05, 0.15]);
        let handle = Handle::new(When::Frame(taken), Site::joint(hand), goal);
        shot.edit.handles.push(Handle { prop: Some("treasure".into()), ..handle });
    }
    let frames = When::Frames(taken..=FRAMES as i32);
    let apart = Handle::new(frames, Site::joint("LeftHand"), Goal::Distance(Distance::Input));
    shot.edit.handles.push(Handle { relative_to: Some(Site::joint("RightHand")), ..apart });
    let name = shot.body.shape.file().file_stem().unwrap_or_default().to_string_lossy();
    Ok(figure.file(&name, FPS, &poses))
}
