//! Walking, in a plane and in space: Fig. 2 to 6.
//!
//! Hips go on at one speed, highest over the foot that stands; feet are flat for 14 of 32 frames, roll over their toes for 6
//! and swing for 12, so both are on the ground for a while in every step.

use super::ask::{Feet, ask};
use super::feet::{Stand, Swing, stand};
use super::figure::{Figure, Pose, bend};
use super::{End, Kept};
use crate::ShotError;
use crate::shot::{Goal, Handle, Move, Shot, Site, When};
use nalgebra::{Rotation3, Vector3};
use std::f64::consts::TAU;
use supple_formats::RigFile;

/// Frames of two steps.
const CYCLE: f64 = 32.0;
/// Frames in which a foot is flat.
const FLAT: f64 = 14.0;
/// How far two steps lead, metres.
const STRIDE: f64 = 1.2;
/// How far an ankle is ahead of the hips when its foot comes down.
const AHEAD: f64 = 0.3;
const SWING: Swing = Swing { roll: 6.0, lift: 0.06 };
const FPS: f64 = 30.0;

/// Where the feet stand in so many frames: every other step from the first on, left and right.
fn steps(frames: usize, apart: f64) -> [Vec<Stand>; 2] {
    [(0.0, -apart), (0.5, apart)].map(|(phase, side)| {
        let stand = |k: i32| {
            let first = (f64::from(k) + phase) * CYCLE - 4.0;
            let ankle = Vector3::new(STRIDE / CYCLE * first + AHEAD, 0.08, side);
            Stand { first, last: first + FLAT, ankle }
        };
        let last = (frames as f64 / CYCLE).ceil() as i32 + 1;
        (-1..=last).map(stand).collect()
    })
}

/// A frame of the walk; sway, sideways lean and turns of hips and shoulders only in space.
fn pose(figure: &Figure, feet: &[Vec<Stand>; 2], frame: f64) -> Pose {
    let mut pose = figure.rest();
    let phase = TAU * (frame + 4.0) / CYCLE;
    // Left is in the middle of its stand where this is 1.
    let over = (phase - TAU * 0.5 * FLAT / CYCLE).cos();
    let height = 0.885 + 0.018 * (2.0 * over * over - 1.0);
    pose.root = Vector3::new(STRIDE / CYCLE * frame, height, 0.0);
    let swing = phase.cos();
    pose.turns[0] = bend(-0.06 - 0.015 * (2.0 * over * over - 1.0));
    if let (Some(spine), Some(neck)) = (figure.spine, figure.neck) {
        pose.root.z = -0.025 * over;
        let turn = |angle: f64| Rotation3::from_axis_angle(&Vector3::y_axis(), angle).into_inner();
        let lean = |angle: f64| Rotation3::from_axis_angle(&Vector3::x_axis(), angle).into_inner();
        pose.turns[0] = turn(0.08 * swing) * lean(-0.03 * over) * pose.turns[0];
        pose.turns[spine] = turn(-0.16 * swing) * lean(0.035 * over);
        pose.turns[neck] = turn(0.08 * swing);
        for (limb, out) in figure.arms.iter().zip([0.1, -0.1]) {
            pose.turns[limb[0]] = lean(out);
            pose.turns[limb[2]] = bend(0.1);
        }
    }
    pose.turns[figure.head] = bend(0.06 + 0.02 * (2.0 * over * over - 1.0));
    for (limb, swing) in figure.arms.iter().zip([-swing, swing]) {
        pose.turns[limb[0]] = bend(0.42 * swing - 0.02) * pose.turns[limb[0]];
        pose.turns[limb[1]] = bend(0.4 + 0.2 * swing);
    }
    stand(figure, &mut pose, [&feet[0], &feet[1]], SWING, frame);
    pose
}

fn walk(figure: &Figure, frames: usize, shot: &Shot) -> (RigFile, [Vec<Stand>; 2]) {
    let feet = steps(frames, if figure.spine.is_some() { 0.09 } else { 0.0 });
    let poses: Vec<Pose> = (0..frames).map(|frame| pose(figure, &feet, frame as f64)).collect();
    let name = shot.body.shape.file().file_stem().unwrap_or_default().to_string_lossy();
    (figure.file(&name, FPS, &poses), feet)
}

/// Fig. 3 and 4: a plant is moved up and on, as if something was there to step on.
pub fn plane(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let figure = Figure::planar();
    let (rig, feet) = walk(&figure, 81, shot);
    ask(shot, Kept { keys: 12, start: End::Free })?;
    super::ask::limits(shot, false, true);
    Feet { stands: &feet, roll: SWING.roll, frames: 81, floats: false, ankles: false }.ask(shot);
    moved(shot, 35, [0.08, 0.12, 0.0]);
    Ok(rig)
}

/// Fig. 5: the hand reaches farther in the last frame, and plants float.
pub fn plane_slide(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let figure = Figure::planar();
    let (rig, feet) = walk(&figure, 55, shot);
    ask(shot, Kept { keys: 6, start: End::Clamped })?;
    super::ask::limits(shot, false, true);
    Feet { stands: &feet, roll: SWING.roll, frames: 55, floats: true, ankles: false }.ask(shot);
    let goal = Goal::By([0.45, 0.1, 0.0]);
    shot.edit.handles.push(Handle::new(When::Frame(55), Site::joint("LeftForeArm_end"), goal));
    Ok(rig)
}

/// Fig. 2: a plant is moved sideways.
pub fn space(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let (rig, feet) = walk(&Figure::of_balls(), 88, shot);
    ask(shot, Kept { keys: 10, start: End::Clamped })?;
    Feet { stands: &feet, roll: SWING.roll, frames: 88, floats: false, ankles: false }.ask(shot);
    moved(shot, 45, [0.05, 0.0, 0.15]);
    Ok(rig)
}

/// Fig. 6: the same without feet and hands, with hinges for knees and elbows, and a head that only nods.
pub fn without_feet(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let (rig, feet) = walk(&Figure::of_balls(), 88, shot);
    ask(shot, Kept { keys: 10, start: End::Clamped })?;
    super::ask::hinges(shot, &["Head"]);
    super::ask::drop_ends(shot);
    Feet { stands: &feet, roll: SWING.roll, frames: 88, floats: false, ankles: true }.ask(shot);
    moved(shot, 45, [0.05, 0.0, 0.15]);
    Ok(rig)
}

/// What Fig. 5 shows, in space.
pub fn space_slide(shot: &mut Shot) -> Result<RigFile, ShotError> {
    let (rig, feet) = walk(&Figure::of_balls(), 54, shot);
    ask(shot, Kept { keys: 5, start: End::Free })?;
    super::ask::hinges(shot, &[]);
    super::ask::drop_ends(shot);
    super::ask::limits(shot, false, false);
    Feet { stands: &feet, roll: SWING.roll, frames: 54, floats: true, ankles: true }.ask(shot);
    let wrist = Site::Joint { name: "LeftForeArm".into(), offset: [0.0, -0.25, 0.0] };
    shot.edit.handles.push(Handle::new(When::Frame(54), wrist, Goal::By([0.4, 0.1, 0.1])));
    Ok(rig)
}

/// Moves the plant that is on the ground in a frame and begins last.
fn moved(shot: &mut Shot, frame: i32, by: [f64; 3]) {
    let is_it = |handle: &&mut Handle| {
        matches!(handle.goal, Goal::Stay { .. }) && handle.when.range().contains(&frame)
    };
    if let Some(handle) = shot.edit.handles.iter_mut().filter(is_it).max_by_key(|h| *h.when.range().start()) {
        handle.goal = Goal::Stay { at: Some(Move::By(by)) };
    }
}
