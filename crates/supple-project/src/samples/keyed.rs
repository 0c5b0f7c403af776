//! The built-in shots of the method `sparse`: a few keys, and a whole motion (Schulz et al. 2014, Fig. 1 to 9).
//!
//! Lengths are metres, velocities metres per second of the playback. Every one says how fast its body lives: with the
//! automatic time all of a step would happen in its last three frames.

use super::SampleError;
use super::scenes::SampleBuilder;
use crate::shot::{
    Anchor, At, Damping, End, Ends, Flight, Goal, Handle, Hold, Land, Length, Method, Move, SecondsPerFrame,
    Segment, Site, Together, Turn, When,
};

/// The acceleration of free fall.
const GRAVITY: [f64; 3] = [0.0, -9.81, 0.0];
/// Where segments end.
const END: When = When::At(At::End);
/// How firmly soles are sent to the ground: less, and they land tilted.
const SOLE: f64 = 1e6;

type Done = Result<(), SampleError>;

impl SampleBuilder<'_> {
    /// Makes the shot one of keys, of a body that lives so fast and is damped so much.
    fn keys(&mut self, seconds_per_frame: f64, damping: Option<[f64; 2]>) {
        self.shot.edit.damping = damping.map(|[mass, stiffness]| Damping { mass, stiffness });
        self.shot.edit.choose(Method::Sparse);
        self.shot.edit.ends = Ends::default();
        self.shot.motion.fps = Some(24.0);
        self.shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(seconds_per_frame);
    }

    /// A block with one key on its top.
    fn key_top(&mut self, goal: impl Into<Goal>) -> Done {
        self.keys(0.01, None);
        self.shot.motion.frames = Some(49);
        self.shot.edit.handles = vec![each(When::Frame(25), "top", goal)];
        Ok(())
    }
}

/// A key on every vertex of a group.
fn each(when: When, group: &str, goal: impl Into<Goal>) -> Handle {
    let points = Some(Together::Each);
    Handle { points, ..Handle::new(when, Site::Group(group.into()), goal.into()) }
}

/// A key on every vertex of a sole.
fn sole(when: When, group: &str, goal: impl Into<Goal>) -> Handle {
    Handle { hold: Some(Hold::Soft(SOLE)), ..each(when, group, goal) }
}

/// A key on the centre of mass.
fn center(when: When, goal: Goal) -> Handle {
    Handle::new(when, Site::CenterOfMass, goal)
}

/// A segment on the ground.
fn ground(anchors: &str, frames: f64, handles: Vec<Handle>) -> Segment {
    let anchors = Some(vec![Anchor::Group(anchors.into())]);
    Segment { anchors, handles, ..Segment::new(Length::Frames(frames)) }
}

/// A segment in the air, until the centre of mass is as high again as at rest.
fn flight(handles: Vec<Handle>) -> Segment {
    Segment { handles, ..Segment::new(Length::Flight(Flight { land: Land::Rest })) }
}

/// A part seen from the centre of mass.
fn from_center(handle: Handle) -> Handle {
    Handle { relative_to: Some(Site::CenterOfMass), ..handle }
}

pub(super) fn stretch(scene: &mut SampleBuilder<'_>) -> Done {
    scene.key_top(Goal::By([0.0, 0.45, 0.0]))
}

pub(super) fn tilt(scene: &mut SampleBuilder<'_>) -> Done {
    // About its side, so that it stretches, too.
    scene.key_top(Turn { about: [0.5, 0.5, 0.25], axis: [0.0, 0.0, -1.0], degrees: 90.0 })
}

pub(super) fn twist(scene: &mut SampleBuilder<'_>) -> Done {
    let turn = Turn { about: [0.25, 1.3, 0.25], axis: [0.0, 1.0, 0.0], degrees: 180.0 };
    // Upwards, too: it spirals.
    scene.key_top(Goal::Turn { turn, then: Some(Move::By([0.0, 0.25, 0.0])) })
}

/// The belly up, out and down, over and over.
pub(super) fn laugh(scene: &mut SampleBuilder<'_>) -> Done {
    scene.keys(0.02, Some([0.5, 0.002]));
    scene.shot.motion.frames = Some(25);
    scene.shot.edit.ends = Ends::Loop;
    let belly = |frame: i32, by: [f64; 3]| each(When::Frame(frame), "belly", Goal::By(by));
    scene.shot.edit.handles =
        vec![belly(1, [0.0, 0.03, 0.0]), belly(9, [0.03, -0.03, 0.0]), belly(17, [0.0, -0.025, 0.0])];
    Ok(())
}

/// Off the ground and down to it again.
fn jump(sole_group: &str, velocity: [f64; 3], rise: [f64; 3]) -> [Segment; 2] {
    let crouch =
        ground(sole_group, 24.0, vec![center(END, Goal::Velocity(velocity)), center(END, Goal::By(rise))]);
    // Feet below the body again, a little ahead of it.
    let ahead = [0.05 * velocity[0], 0.0, 0.05 * velocity[2]];
    let land = flight(vec![from_center(sole(END, sole_group, Goal::By(ahead)))]);
    [crouch, land]
}

pub(super) fn x_jump(scene: &mut SampleBuilder<'_>) -> Done {
    scene.keys(0.015, Some([2.0, 0.01]));
    scene.shot.edit.gravity = Some(GRAVITY);
    let [crouch, land] = jump("feet", [1.5, 3.0, 0.0], [0.12, 0.1, 0.0]);
    scene.shot.edit.segments = vec![crouch, land, ground("feet", 36.0, Vec::new())];
    Ok(())
}

pub(super) fn cactus_jump(scene: &mut SampleBuilder<'_>) -> Done {
    scene.keys(0.025, Some([1.5, 0.01]));
    scene.shot.edit.gravity = Some(GRAVITY);
    let [crouch, land] = jump("foot", [0.0, 3.4, 0.0], [0.0, 0.12, 0.0]);
    scene.shot.edit.segments = vec![crouch, land, ground("foot", 36.0, Vec::new())];
    Ok(())
}

pub(super) fn cactus_triple_jump(scene: &mut SampleBuilder<'_>) -> Done {
    scene.keys(0.025, Some([1.5, 0.01]));
    scene.shot.edit.gravity = Some(GRAVITY);
    let mut segments = Vec::new();
    for (forward, up) in [(1.0, 2.2), (1.2, 2.5), (1.4, 2.8)] {
        segments.extend(jump("foot", [forward, up, 0.0], [0.08, 0.1, 0.0]));
    }
    segments.push(ground("foot", 36.0, Vec::new()));
    scene.shot.edit.segments = segments;
    Ok(())
}

/// Onto its hands, and on to its feet again: half a turn about z each.
pub(super) fn handspring(scene: &mut SampleBuilder<'_>) -> Done {
    scene.keys(0.006, Some([3.0, 0.02]));
    let height = 1.8;
    let over = |x: f64| Turn { about: [x, height / 2.0, 0.0], axis: [0.0, 0.0, -1.0], degrees: 180.0 };
    let then = |x: f64| Some(Move::By([x, 0.0, 0.0]));
    let hands = Goal::Turn { turn: over(0.0), then: then(1.3) };
    let feet = Goal::Turn { turn: over(1.3), then: then(1.3) };
    scene.shot.edit.segments = vec![
        ground("feet", 40.0, vec![sole(END, "hands", hands)]),
        ground("hands", 40.0, vec![sole(END, "feet", feet)]),
        ground("feet", 36.0, Vec::new()),
    ];
    Ok(())
}

/// One foot after the other, along z.
pub(super) fn walk(scene: &mut SampleBuilder<'_>) -> Done {
    scene.keys(0.004, Some([2.0, 0.01]));
    let step = 0.5;
    let mut segments = Vec::new();
    let mut stands = "left-foot";
    for number in 0..5 {
        let swings = if stands == "left-foot" { "right-foot" } else { "left-foot" };
        let far = if number == 0 || number == 4 { 0.5 * step } else { step };
        // Without this key the foot would wind up through the ground.
        let lifted = sole(When::At(At::Frames(11.0)), swings, Goal::By([0.0, 0.17, 0.45 * far]));
        let put = sole(END, swings, Goal::By([0.0, 0.0, far]));
        let down = each(END, swings, Goal::Velocity([0.0, -0.3, 0.0]));
        segments.push(ground(stands, 24.0, vec![lifted, put, down]));
        stands = swings;
    }
    if let Some(last) = segments.last_mut() {
        last.end = Some(End::Free);
    }
    scene.shot.edit.segments = segments;
    Ok(())
}
