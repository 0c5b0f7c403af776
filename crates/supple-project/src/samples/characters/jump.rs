//! A jump in a plane: Fig. 1.
//!
//! The feet stand for 12 of 37 frames, roll over the toes, are in the air from frame 15 to 24, where the hips are thrown:
//!
//! > p(t) = p₀ + v t + ½ g t²
//!
//! and stand again until the end.

use super::ask::{ask, limits};
use super::feet::{Hermite, Stand, Swing, foot, through};
use super::figure::{Figure, Pose, bend};
use super::{End, Kept};
use crate::ShotError;
use crate::shot::{Goal, Handle, Joint, Move, Shot, Site, When};
use nalgebra::Vector3;
use supple_formats::RigFile;

const FRAMES: usize = 37;
const FPS: f64 = 15.0;
const GRAVITY: Vector3<f64> = Vector3::new(0.0, -9.81, 0.0);
/// Frames, counted from 0: hips lowest, toes off the ground, feet on it, hips lowest again, the end.
const LOW: f64 = 7.0;
const OFF: f64 = 14.0;
const DOWN: f64 = 23.0;
const SOFT: f64 = 28.0;
const END: f64 = 36.0;
/// The last frame in which the feet are flat at first.
const FLAT: f64 = 11.0;
/// Where the hips are when the toes leave the ground, and how fast.
const THROWN: Vector3<f64> = Vector3::new(0.34, 0.98, 0.0);
const SPEED: Vector3<f64> = Vector3::new(1.6, 2.8, 0.0);
/// Where the ankles come down.
const LANDING: Vector3<f64> = Vector3::new(1.52, 0.08, 0.0);

/// The hips.
fn root(frame: f64) -> Vector3<f64> {
    let way = |from: f64, to: f64| ((frame - from) / (to - from), (to - from) / FPS);
    let stands = Vector3::new(0.02, 0.93, 0.0);
    let low = Vector3::new(-0.07, 0.62, 0.0);
    let flown = |seconds: f64| THROWN + SPEED * seconds + GRAVITY * (0.5 * seconds * seconds);
    if frame <= LOW {
        let there = Hermite::at(frame / LOW);
        stands * there.from + low * there.to
    } else if frame <= OFF {
        let (u, seconds) = way(LOW, OFF);
        let back = Hermite::at(1.0 - u);
        low * back.to + THROWN * back.from - SPEED * (seconds * back.speed)
    } else if frame <= DOWN {
        flown((frame - OFF) / FPS)
    } else if frame <= SOFT {
        let (u, seconds) = way(DOWN, SOFT);
        let there = Hermite::at(u);
        let flight = (DOWN - OFF) / FPS;
        let speed = SPEED + GRAVITY * flight;
        flown(flight) * there.from + speed * (seconds * there.speed) + Vector3::new(1.42, 0.6, 0.0) * there.to
    } else {
        let there = Hermite::at(way(SOFT, END).0);
        Vector3::new(1.42, 0.6, 0.0) * there.from + Vector3::new(1.53, 0.9, 0.0) * there.to
    }
}

/// The ankle and the turn of the foot: on the ground as feet are, in the air drawn up, seen from the hips.
fn ankle(frame: f64) -> (Vector3<f64>, f64) {
    let stand = |first, last, ankle| Stand { first, last, ankle };
    let stands = [stand(0.0, FLAT, Vector3::new(0.0, 0.08, 0.0)), stand(DOWN, END, LANDING)];
    let swing = Swing { roll: OFF - FLAT, lift: 0.0 };
    if frame <= OFF || frame >= DOWN {
        return foot(&stands, swing, frame);
    }
    let u = (frame - OFF) / (DOWN - OFF);
    let there = Hermite::at(u);
    let (off, turn) = foot(&stands, swing, OFF);
    let drawn = Vector3::new(0.1, 0.3, 0.0) * (16.0 * (u * (1.0 - u)).powi(2));
    let seen = (off - root(OFF)) * there.from + (LANDING - root(DOWN)) * there.to + drawn;
    (root(frame) + seen, turn * there.from)
}

fn pose(figure: &Figure, frame: f64) -> Pose {
    let mut pose = figure.rest();
    pose.root = root(frame);
    let keyed = |keys: &[(f64, f64)]| through(keys, frame).to_radians();
    pose.turns[0] = bend(keyed(&[
        (0.0, -3.0),
        (LOW, -48.0),
        (OFF, -8.0),
        (19.0, -4.0),
        (DOWN, -16.0),
        (SOFT, -42.0),
        (END, -4.0),
    ]));
    pose.turns[figure.head] =
        bend(keyed(&[(0.0, 3.0), (LOW, 25.0), (OFF, 15.0), (DOWN, 0.0), (SOFT, 20.0), (END, 3.0)]));
    let shoulder = keyed(&[
        (0.0, 5.0),
        (6.0, -55.0),
        (9.0, -45.0),
        (OFF, 140.0),
        (19.0, 165.0),
        (DOWN, 95.0),
        (SOFT, 55.0),
        (END, 5.0),
    ]);
    let elbow = keyed(&[(0.0, 8.0), (6.0, 12.0), (10.0, 45.0), (19.0, 12.0), (DOWN, 25.0), (END, 8.0)]);
    let (ankle, turn) = ankle(frame);
    for (arm, leg) in figure.arms.into_iter().zip(figure.legs) {
        pose.turns[arm[0]] = bend(shoulder);
        pose.turns[arm[1]] = bend(elbow);
        figure.reach(&mut pose, leg, ankle, -1.0);
        figure.orient(&mut pose, leg[2], &bend(turn));
    }
    pose
}

/// The jump and its three drags: the hand at the top of it, the hips when it comes down, a knee at the end.
pub fn plane(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let figure = Figure::planar();
    let poses: Vec<Pose> = (0..FRAMES).map(|frame| pose(&figure, frame as f64)).collect();
    ask(shot, Kept { keys: 7, start: End::Clamped })?;
    if let crate::shot::Shape::Skeleton(skeleton) = &mut shot.body.shape {
        let tied = |part: &&str| Joint {
            name: format!("Right{part}"),
            tie: Some(format!("Left{part}")),
            ..Joint::default()
        };
        skeleton.joints = ["Arm", "ForeArm", "UpLeg", "Leg", "Foot"].iter().map(tied).collect();
    }
    limits(shot, true, true);
    let toe = || Site::joint("LeftFoot_end");
    let handles = &mut shot.edit.handles;
    let flat = Goal::Orientation(crate::shot::Orientation::Input);
    for (frames, at) in [(1..=12, Some(Move::By([0.0; 3]))), (24..=37, None)] {
        handles.push(Handle::new(When::Frames(frames.clone()), toe(), Goal::Stay { at }));
        handles.push(Handle::new(When::Frames(frames), Site::joint("LeftFoot"), flat.clone()));
    }
    // Where it lands is free, but on the ground.
    let ground = Goal::Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
    handles.push(Handle::new(When::Frames(24..=37), toe(), ground));
    let drags = [
        (20, "LeftForeArm_end", [0.05, 0.25, 0.0]),
        (24, "Hips", [0.1, 0.03, 0.0]),
        (37, "LeftLeg", [0.1, -0.02, 0.0]),
    ];
    let drag = |(frame, joint, by)| Handle::new(When::Frame(frame), Site::joint(joint), Goal::By(by));
    handles.extend(drags.map(drag));
    let name = shot.body.shape.file().file_stem().unwrap_or_default().to_string_lossy();
    Ok(figure.file(&name, FPS, &poses))
}
