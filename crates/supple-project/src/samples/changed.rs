//! The built-in shots of the method `material`: bodies whose material changes so that what is asked of them needs little
//! force (Li et al. 2014, Fig. 1, 5, 8 and 14).
//!
//! Where a point is asked to go round, only two of its coordinates are: how high a stem is when it bends that far is its own
//! affair.

use super::files::Content;
use super::scenes::{self, SampleBuilder, rubber};
use super::{Bodily, Made, Sample, SampleError, icon, quick};
use crate::shot::{
    Axes, Damping, End, Ends, Goal, Handle, Hold, Input, MaterialEdit, Method, Pose, Site, When,
};
use std::f64::consts::{FRAC_PI_3, FRAC_PI_4, TAU};
use supple_mesh::{Vec3, shapes};

type Done = Result<(), SampleError>;

/// Frames per second of all of them.
const FPS: f64 = 24.0;

pub(super) const BIRD_FLAP: Sample = Sample {
    name: "bird-flap",
    about: "a gull that flaps: three poses, and a cage that is stiffer on one side",
    made: Made::Body(Bodily {
        shape: shapes::bird,
        anchors: Some("body"),
        material: rubber(1e5),
        modes: 80,
        scene: flap,
        icon: icon::flapping,
        quick: None,
    }),
};

pub(super) const FLOWER_CIRCLE: Sample = Sample {
    name: "flower-circle",
    about: "a flower whose disc goes round twice, far out: its material changes so that it likes to",
    made: Made::Body(Bodily {
        shape: shapes::flower,
        anchors: Some("base"),
        material: rubber(6e7),
        modes: 80,
        scene: circle,
        icon: icon::bowed,
        quick: None,
    }),
};

pub(super) const FLOWER_NEAR: Sample = Sample {
    name: "flower-near",
    about: "a flower whose disc goes round once, near to where it stands",
    made: Made::Body(Bodily {
        shape: shapes::flower,
        anchors: Some("base"),
        material: rubber(6e7),
        modes: 80,
        scene: near,
        icon: icon::nodding,
        quick: None,
    }),
};

pub(super) const SKATEBOARD: Sample = Sample {
    name: "skateboard",
    about: "a sauropod on a board, over waves: it crouches and looks about",
    made: Made::Body(Bodily {
        shape: shapes::dinosaur,
        anchors: Some("feet"),
        material: rubber(3e6),
        modes: 80,
        scene: skateboard,
        icon: icon::rolling,
        quick: None,
    }),
};

pub(super) const T_REX_JUMP: Sample = Sample {
    name: "t-rex-jump",
    about: "a T. rex that squats, springs up and snaps at a plane",
    made: Made::Body(Bodily {
        shape: shapes::t_rex,
        anchors: Some("feet"),
        material: rubber(4e7),
        modes: 80,
        scene: snap,
        icon: icon::squatting,
        quick: Some(quick::T_REX),
    }),
};

impl SampleBuilder<'_> {
    /// Makes the shot one of `material`, at rest at both ends.
    fn changed(&mut self, modes: usize) {
        self.shot.edit.choose(Method::Material);
        self.shot.edit.modes = modes;
        self.shot.edit.ends = Ends::Apart { start: Some(End::Clamped), end: Some(End::Clamped) };
    }

    /// The disc of a flower at rest goes round, so far out: from the first frame on, a handle every so many.
    fn round(&mut self, frames: usize, [first, every, count]: [i32; 3], turns: f64, radius: f64) {
        self.changed(80);
        (self.shot.motion.frames, self.shot.motion.fps) = (Some(frames), Some(FPS));
        let cent = |x: f64| (100.0 * x).round() / 100.0 + 0.0;
        for k in 0..count {
            let angle = turns * TAU * f64::from(k) / f64::from(count - 1);
            let by = [cent(radius * angle.cos()), 0.0, cent(radius * angle.sin())];
            let axes = Some(Axes([true, false, true]));
            let handle =
                Handle::new(When::Frame(first + every * k), Site::Group("disc".into()), Goal::By(by));
            self.shot.edit.handles.push(Handle { axes, ..handle });
        }
    }
}

/// One turn, near to where it stands: 5 handles from frame 20 to 100, and a material that begins as slow as that: as fast as
/// usual it would go round once from each handle to the next.
fn near(scene: &mut SampleBuilder<'_>) -> Done {
    scene.round(200, [20, 20, 5], 1.0, 0.12);
    let own = MaterialEdit { period: Some(80.0), ..MaterialEdit::default() };
    scene.shot.edit.set_material_settings(&own)?;
    Ok(())
}

/// Two turns, far out: 20 handles from frame 30 to 125.
fn circle(scene: &mut SampleBuilder<'_>) -> Done {
    scene.round(380, [30, 5, 20], 2.0, 0.45);
    Ok(())
}

/// How far a wing is bent up, and down, radians over its length; metres from the mirror plane where it begins.
const UP: f64 = FRAC_PI_3;
const DOWN: f64 = -FRAC_PI_4;
const ROOT: f64 = 0.11;
const SPAN: f64 = 1.15;

/// Where a point of a bird is when its wings are bent along arcs.
fn winged(x: &Vec3, by: f64) -> [f64; 3] {
    let out = (x.z.abs() - ROOT).max(0.0);
    let (curve, angle) = (by / SPAN, by * out / SPAN);
    let (along, up) = (angle.sin() / curve, (1.0 - angle.cos()) / curve);
    let away = ROOT.min(x.z.abs()) + along - if out > 0.0 { x.y * angle.sin() } else { 0.0 };
    let y = up + if out > 0.0 { x.y * angle.cos() } else { x.y };
    [x.x, y, away * x.z.signum()]
}

/// Wings up, down and up again; the left one is stiffer.
fn flap(scene: &mut SampleBuilder<'_>) -> Done {
    scene.changed(80);
    (scene.shot.motion.frames, scene.shot.motion.fps) = (Some(150), Some(FPS));
    let young = scene.shot.body.material.unwrap_or_default().young;
    scene.region("left-wing", 1.15 * young);
    let rest = scene.shape.body.positions();
    let pose = |by: f64| rest.iter().map(|x| winged(x, by)).collect();
    let file = scene.file("-poses.pc2", Content::Frames(vec![pose(UP), pose(DOWN)], FPS));
    let pose = |(frame, of): (i32, i32)| Pose { file_frame: Some(of), ..Pose::of_file(frame, &file) };
    scene.shot.edit.poses = [(10, 1), (20, 2), (30, 1)].map(pose).into();
    Ok(())
}

/// Squats, springs up and snaps at a plane that flies round it: nine moments, three points each.
fn snap(scene: &mut SampleBuilder<'_>) -> Done {
    scenes::lifting_feet(scene)?;
    scene.shot.edit.handles.clear();
    scene.shot.motion.frames = Some(350);
    scene.changed(80);
    // Frame, how far head, hips and tail go up, and how far the head turns aside.
    let moments = [
        (30, -0.12, -0.1, -0.06, 0.0),
        (42, -0.2, -0.16, -0.1, 0.1),
        (52, 0.12, 0.08, 0.02, 0.2),
        (60, 0.22, 0.12, 0.06, 0.28),
        (72, 0.1, 0.04, 0.02, 0.3),
        (90, -0.16, -0.12, -0.06, 0.1),
        (104, -0.2, -0.14, -0.08, -0.15),
        (116, 0.22, 0.12, 0.06, -0.3),
        (132, 0.05, 0.02, 0.0, -0.2),
    ];
    for (frame, head, hips, tail, aside) in moments {
        for (group, by) in [
            ("head", [0.0, head, aside]),
            ("body", [0.0, hips, 0.3 * aside]),
            ("tail", [0.0, tail, -0.5 * aside]),
        ] {
            // Not hard: how far legs bend and stretch is not known to the centimetre.
            let handle = Handle::new(When::Frame(frame), Site::Group(group.into()), Goal::By(by));
            scene.shot.edit.handles.push(Handle { hold: Some(Hold::Soft(10.0)), ..handle });
        }
    }
    Ok(())
}

/// Frames of the ride.
const RIDE: usize = 620;

/// Where the ride has a point at a time from 0 to 1: along x in waves, turned as its way is.
fn ridden(x: &Vec3, t: f64) -> Vec3 {
    let along = 9.0 * t;
    let wave = |u: f64| 0.25 * (1.0 - (TAU * u / 3.0).cos());
    let slope = 0.25 * TAU / 3.0 * (TAU * along / 3.0).sin();
    let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), slope.atan());
    turn * x + Vec3::new(along, wave(along), 0.0)
}

/// Crouched and leant over, `by` from 0 to 1: what is high comes down and aside.
fn crouched(x: &Vec3, by: f64) -> Vec3 {
    let high = (x.y / 1.6).clamp(0.0, 1.0);
    x + Vec3::new(0.1, -0.25 * x.y.min(1.0), 0.0) * (by * high)
        + Vec3::new(0.0, 0.0, 0.3 * by) * (high * high)
}

/// A dinosaur that rides over waves on a board: it crouches in their valleys, and looks about.
fn skateboard(scene: &mut SampleBuilder<'_>) -> Done {
    scene.changed(80);
    (scene.shot.motion.frames, scene.shot.motion.fps) = (Some(RIDE), Some(FPS));
    scene.shot.edit.damping = Some(Damping { mass: 0.0, stiffness: 0.001 });
    let rest = scene.shape.body.positions().to_vec();
    let at = |frame: i32| f64::from(frame - 1) / (RIDE as f64 - 1.0);
    let frame = |k: usize| -> Vec<[f64; 3]> {
        let t = k as f64 / (RIDE as f64 - 1.0);
        rest.iter().map(|x| ridden(x, t).into()).collect()
    };
    let file = scene.file("-ride.pc2", Content::Frames((0..RIDE).map(frame).collect(), FPS));
    scene.shot.motion.input = Input::File(file);
    // Twelve poses, and two points at fifty moments between them.
    let when = |k: i32| 25 + 50 * k;
    let pose = |k: i32| -> Vec<[f64; 3]> {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let turned = |x: &Vec3| {
            let there = crouched(x, 0.6);
            Vec3::new(there.x, there.y, x.z + side * (there.z - x.z))
        };
        rest.iter().map(|x| ridden(&turned(x), at(when(k))).into()).collect()
    };
    let poses = scene.file("-poses.pc2", Content::Frames((0..12).map(pose).collect(), FPS));
    scene.shot.edit.poses = (0..12)
        .map(|k| Pose { file_frame: Some(k + 1), hold: Hold::Soft(30.0), ..Pose::of_file(when(k), &poses) })
        .collect();
    for k in 0..50 {
        let (frame, angle) = (35 + 11 * k, TAU * f64::from(k) / 10.0);
        for (group, far) in [("head", 0.15), ("tail", -0.12)] {
            let by = [0.0, 0.5 * far * angle.cos(), far * angle.sin()];
            let by = by.map(|x: f64| (1000.0 * x).round() / 1000.0 + 0.0);
            let handle = Handle::new(When::Frame(frame), Site::Group(group.into()), Goal::By(by));
            scene.shot.edit.handles.push(Handle { hold: Some(Hold::Soft(100.0)), ..handle });
        }
    }
    Ok(())
}
