//! Feet that stand, roll over their toes, and swing to where they stand next; and smooth curves through a few values.

use super::figure::{Figure, Pose, TOE, bend};
use nalgebra::Vector3;

/// How far the heel is turned up when the toes leave the ground, in radians.
const ROLL: f64 = 0.8;

/// A foot that is flat on the ground from one frame to another, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// The first frame.
    pub first: f64,
    /// The last one.
    pub last: f64,
    /// Where its ankle is.
    pub ankle: Vector3<f64>,
}

/// How a foot gets from a stand to the next.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    /// Frames in which it rolls over the toes, which stand still.
    pub roll: f64,
    /// How much higher than on the straight way it is in the middle.
    pub lift: f64,
}

/// Where an ankle is in a frame, and how far the foot is turned about z.
pub fn foot(stands: &[Stand], swing: Swing, frame: f64) -> (Vector3<f64>, f64) {
    let Some(last) = stands.iter().rev().find(|stand| stand.first <= frame).or(stands.first()) else {
        return (Vector3::zeros(), 0.0);
    };
    let next = stands.iter().find(|stand| stand.first > frame);
    let (true, Some(next)) = (frame > last.last, next) else { return (last.ankle, 0.0) };
    let rolled = |turn: f64| last.ankle + TOE - bend(turn) * TOE;
    let off = last.last + swing.roll;
    if frame <= off {
        let u = (frame - last.last) / swing.roll;
        let turn = -ROLL * u * u * (1.5 - 0.5 * u);
        return (rolled(turn), turn);
    }
    let frames = next.first - off;
    let u = (frame - off) / frames;
    // At the speed it has when it leaves the ground.
    let spin = -1.5 * ROLL / swing.roll;
    let from = rolled(-ROLL);
    let arm = from - (last.ankle + TOE);
    let speed = Vector3::new(-arm.y, arm.x, 0.0) * spin;
    let lift = Vector3::y() * (swing.lift * 16.0 * (u * (1.0 - u)).powi(2));
    let hermite = Hermite::at(u);
    let ankle = from * hermite.from + speed * (frames * hermite.speed) + next.ankle * hermite.to + lift;
    (ankle, -ROLL * hermite.from + spin * frames * hermite.speed)
}

/// Puts the feet where they are in a frame; the hips must be where they are already.
pub fn stand(figure: &Figure, pose: &mut Pose, feet: [&[Stand]; 2], swing: Swing, frame: f64) {
    for (limb, stands) in figure.legs.into_iter().zip(feet) {
        let (ankle, turn) = foot(stands, swing, frame);
        figure.reach(pose, limb, ankle, -1.0);
        figure.orient(pose, limb[2], &bend(turn));
    }
}

/// Weights of a cubic that begins at `from` with `speed` and comes to rest at `to`.
pub struct Hermite {
    /// Of where it begins.
    pub from: f64,
    /// Of how fast it begins, per whole way.
    pub speed: f64,
    /// Of where it comes to rest.
    pub to: f64,
}

impl Hermite {
    /// A part of the way.
    pub fn at(u: f64) -> Self {
        let to = u * u * (3.0 - 2.0 * u);
        Self { from: 1.0 - to, speed: u * (1.0 - u) * (1.0 - u), to }
    }
}

/// A smooth curve through values at frames, level at both ends: Catmull and Rom's.
pub fn through(keys: &[(f64, f64)], frame: f64) -> f64 {
    let slope = |k: usize| match (k.checked_sub(1).map(|k| keys[k]), keys.get(k + 1)) {
        (Some(before), Some(after)) => (after.1 - before.1) / (after.0 - before.0),
        _ => 0.0,
    };
    let Some(k) = keys.iter().position(|key| key.0 > frame) else {
        return keys.last().map_or(0.0, |key| key.1);
    };
    let Some(before) = k.checked_sub(1) else { return keys[k].1 };
    let frames = keys[k].0 - keys[before].0;
    let u = (frame - keys[before].0) / frames;
    let (there, back) = (Hermite::at(u), Hermite::at(1.0 - u));
    keys[before].1 * there.from
        + keys[k].1 * there.to
        + frames * (slope(before) * there.speed - slope(k) * back.speed)
}
