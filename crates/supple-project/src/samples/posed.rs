//! The built-in shots of the method `control`: key poses, and a whole motion (Barbič, da Silva and Popović 2009, Fig. 1, 2, 5,
//! 7 and 8).
//!
//! Poses of a flower and a bridge are those that forces bend them to, those of a walk stand on feet that were put down, an
//! elephant's are a rig's.

use super::SampleError;
use super::files::{Content, bytes, points, surface};
use super::scenes::SampleBuilder;
use crate::shot::{
    Anchor, At, BodyKind, Control, ControlBasis, Damping, Ends, Length, Load, Method, Pose, Push, Recorded,
    SecondsPerFrame, Segment, Site, When,
};
use std::f64::consts::{FRAC_PI_4, TAU};
use std::sync::Arc;
use supple_elastic::{ElasticBody, FreeVertices, Law, Material, Poser, Solid};
use supple_formats::Track;
use supple_mesh::shapes::{BodyMesh, elephant_stride};
use supple_mesh::{Surface, TriMesh, Vec3, VertexGroups};
use supple_model::{Progress, VertexId};

type Done = Result<(), SampleError>;

/// A load on a group, to a hundredth of a newton: shots are read by people.
fn load(group: &str, force: [f64; 3]) -> Load {
    let force = force.map(|newtons| (100.0 * newtons).round() / 100.0 + 0.0);
    Load { site: Site::Group(group.into()), push: Push::Force(force), frames: None, stage: None }
}

/// A pose under loads.
fn under(frame: i32, loads: Vec<Load>) -> Pose {
    Pose { file: None, loads, ..Pose::of_file(frame, "") }
}

impl SampleBuilder<'_> {
    /// Makes the shot one of poses, of a body that is damped so much.
    fn poses(&mut self, frames: Option<usize>, fps: f64, basis: ControlBasis, damping: [f64; 2]) -> Done {
        self.shot.edit.choose(Method::Control);
        self.shot.edit.ends = Ends::default();
        let [mass, stiffness] = damping;
        self.shot.edit.damping = Some(Damping { mass, stiffness });
        self.shot.edit.set_control_settings(&Control { basis, ..Control::default() })?;
        (self.shot.motion.frames, self.shot.motion.fps) = (frames, Some(fps));
        Ok(())
    }

    /// The body, to be posed; of tets only.
    fn solid(&self) -> Result<Arc<ElasticBody>, SampleError> {
        let BodyMesh::Tets(mesh) = &self.shape.body else { return Err(SampleError::NoPose) };
        let of = self.shot.body.material.unwrap_or_default();
        let material = Material {
            law: Law::StVenantKirchhoff,
            young: of.young,
            poisson: of.poisson,
            density: of.density,
        };
        let solid = Solid::new(mesh.clone(), material, &[]).map_err(|_| SampleError::NoPose)?;
        Ok(Arc::new(solid))
    }

    /// Writes the body where its vertices are, as a mesh.
    fn body_file(&mut self, ending: &str, places: Vec<Vec3>) -> Result<std::path::PathBuf, SampleError> {
        let BodyMesh::Tets(mesh) = &self.shape.body else { return Err(SampleError::NoPose) };
        let mesh = TriMesh::skin(places, Surface::of(mesh).triangles)?;
        let content = bytes(|out| supple_formats::write_obj(&surface(&mesh, &VertexGroups::new()), out))?;
        Ok(self.file(ending, content))
    }
}

/// Half a step, metres, and newtons that lift a foot ahead and up while the body leans over the other one: a leg that is
/// pressed together instead is pressed into folds.
const STEP: f64 = 0.2;
const LIFT: [f64; 3] = [4.0, 12.0, 0.0];
const FEET: [&str; 2] = ["left-foot", "right-foot"];

/// Five steps along x, each with one foot on the ground: the other one lifted, then put down.
pub(super) fn walk(scene: &mut SampleBuilder<'_>) -> Done {
    const FRAMES: f64 = 120.0;
    let feet = Some(vec![Anchor::Group("feet".into())]);
    let basis = ControlBasis { modes: 18, mode_anchors: feet, ..ControlBasis::default() };
    scene.poses(None, 60.0, basis, [0.5, 0.01])?;
    let body = scene.solid()?;
    // Where the left and the right foot stand, in half steps.
    let mut stand = [0.0, 0.0];
    let mut segments = Vec::new();
    for (number, to) in [1.0, 2.0, 3.0, 4.0, 4.0].into_iter().enumerate() {
        let swings = number % 2;
        let lifted = lifted(scene, &body, swings, stand[1 - swings] * STEP)?;
        stand[swings] = to;
        let down = on_feet(scene, &body, stand.map(|steps| steps * STEP))?;
        let mut poses = Vec::new();
        for (name, places, when) in [("lifted", lifted, At::Frames(FRAMES / 2.0)), ("down", down, At::End)] {
            let file = scene.body_file(&format!("-{}-{name}.obj", number + 1), places)?;
            poses.push(Pose { when: When::At(when), ..Pose::of_file(0, file) });
        }
        let anchors = Some(vec![Anchor::Group(FEET[1 - swings].into())]);
        segments.push(Segment { anchors, poses, ..Segment::new(Length::Frames(FRAMES)) });
    }
    scene.shot.edit.segments = segments;
    Ok(())
}

/// The body on one foot, so far ahead, the other one lifted.
fn lifted(
    scene: &SampleBuilder<'_>,
    body: &Arc<ElasticBody>,
    swings: usize,
    ahead: f64,
) -> Result<Vec<Vec3>, SampleError> {
    let count = body.positions().len();
    let group = |foot: usize| scene.shape.groups.get(FEET[foot]).unwrap_or_default();
    let share = Vec3::from(LIFT) / group(swings).len().max(1) as f64;
    let mut forces = vec![0.0; 3 * count];
    for v in group(swings) {
        forces[3 * v.index()..][..3].copy_from_slice(share.as_slice());
    }
    let wrong = |_| SampleError::NoPose;
    let free = FreeVertices::except(count, group(1 - swings)).map_err(|_| SampleError::NoPose)?;
    let mut poser = Poser::new(body.clone(), free).map_err(wrong)?;
    poser.set_load(&forces).map_err(wrong)?;
    Ok(balanced(&mut poser, body)?.iter().map(|place| place + Vec3::x() * ahead).collect())
}

/// The body on both feet, so far ahead each.
fn on_feet(
    scene: &SampleBuilder<'_>,
    body: &Arc<ElasticBody>,
    feet: [f64; 2],
) -> Result<Vec<Vec3>, SampleError> {
    let rest = body.positions();
    let groups = FEET.map(|name| scene.shape.groups.get(name).unwrap_or_default());
    // To begin with, legs are between feet and hips.
    let middle = 0.5 * (feet[0] + feet[1]);
    let mut u: Vec<Vec3> = (rest.iter())
        .map(|x| {
            let foot = feet[usize::from(x.z > 0.0)];
            Vec3::x() * (middle + (foot - middle) * smooth((0.6 - x.y) / 0.48))
        })
        .collect();
    for (members, foot) in groups.into_iter().zip(feet) {
        members.iter().for_each(|v| u[v.index()] = Vec3::x() * foot);
    }
    let held: Vec<VertexId> = groups.concat();
    let wrong = |_| SampleError::NoPose;
    let free = FreeVertices::except(rest.len(), &held).map_err(|_| SampleError::NoPose)?;
    let mut poser = Poser::new(body.clone(), free).map_err(wrong)?;
    poser.set_pose(&u.iter().flat_map(|u| u.data.0[0]).collect::<Vec<f64>>()).map_err(wrong)?;
    balanced(&mut poser, body)
}

/// Where a body is in balance.
fn balanced(poser: &mut Poser, body: &ElasticBody) -> Result<Vec<Vec3>, SampleError> {
    let report = poser.solve(&Progress::silent()).map_err(|_| SampleError::NoPose)?;
    if !report.status.is_solved() {
        return Err(SampleError::NoPose);
    }
    let moved = poser.pose().chunks_exact(3).map(Vec3::from_column_slice);
    Ok(body.positions().iter().zip(moved).map(|(x, u)| x + u).collect())
}

/// The large bloom along a figure eight, the small one round a circle, twice; in the time of the playback, of which a quarter
/// turn takes less than half a swing of the small bloom: given longer, it swings to and fro between its poses.
pub(super) fn dance(scene: &mut SampleBuilder<'_>) -> Done {
    scene.poses(
        Some(301),
        60.0,
        ControlBasis { modes: 10, size: Some(22), ..ControlBasis::default() },
        [0.3, 0.004],
    )?;
    scene.shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(1.0 / 60.0);
    let (wide, deep, round) = (BLOOM[0], BLOOM[1], BLOOM[2]);
    let pose = |k: i32| {
        let (eight, circle) = (FRAC_PI_4 * f64::from(k), 2.0 * FRAC_PI_4 * f64::from(k));
        let bloom = [deep * (2.0 * eight).sin(), 0.0, wide * eight.sin()];
        let small = [round * circle.sin(), 0.0, round * (1.0 - circle.cos())];
        under(
            1 + (37.5 * f64::from(k)).round() as i32,
            vec![load("bloom", bloom), load("small-bloom", small)],
        )
    };
    scene.shot.edit.poses = (1..=8).map(pose).collect();
    Ok(())
}

/// Newtons: the large bloom aside and ahead, the small one.
const BLOOM: [f64; 3] = [3.6, 2.8, 7.5];

/// Through the water along x: the tail beats to and fro, the fins follow by themselves.
pub(super) fn swim(scene: &mut SampleBuilder<'_>) -> Done {
    let recorded = fins(scene)?;
    let basis = ControlBasis {
        modes: 19,
        recorded: Some(Recorded::File(recorded)),
        size: Some(24),
        ..ControlBasis::default()
    };
    scene.poses(Some(211), 60.0, basis, [0.5, 0.004])?;
    let columns = ["x", "y", "z", "rx", "ry", "rz"].map(str::to_owned).to_vec();
    let row = |k: usize| {
        let s = k as f64 / 210.0;
        // Head and tail swing to the same side, as little at both ends of the way as a fish that begins and ends.
        let (beat, share) = (TAU * BEATS * s, smooth(s / BEGUN) * smooth((1.0 - s) / BEGUN));
        let ahead = 2.4 * s * s * (1.5 - 0.5 * s);
        let (aside, turned) = (0.04 * share * beat.sin(), -7.0 * share * beat.cos());
        (1.0 + k as f64, vec![ahead, 0.06 * (TAU * s).sin(), aside, 0.0, turned, 0.0])
    };
    let track = Track { columns, rows: (0..=210).step_by(6).map(row).collect() };
    let path = scene.written("-swim.csv", |out| supple_formats::write_track(&track, out))?;
    let own = Control { rigid: Some(path), ..scene.shot.edit.control_settings()? };
    scene.shot.edit.set_control_settings(&own)?;
    let side = |frame: i32, by: f64| {
        let pull = |group: &str, share: f64| load(group, [0.0, 0.0, by * share]);
        under(frame, vec![pull("tail", TAIL), pull("back-fin", -0.2 * TAIL)])
    };
    scene.shot.edit.poses = [(43, 1.0), (85, -1.0), (127, 1.0), (169, -1.0), (211, 0.0)]
        .map(|(frame, by)| side(frame, by))
        .to_vec();
    Ok(())
}

/// How often the tail beats, and the part of the way in which it gets going and calms down.
const BEATS: f64 = 2.5;
const BEGUN: f64 = 0.2;
/// Newtons on the tail.
const TAIL: f64 = 26.0;
/// Newtons on a fin that is pulled.
const FIN: f64 = 2.0;

/// From 0 to 1, smoothly.
fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// The fish with its fins pulled, front and back of each one after the other: a motion, frame by frame.
fn fins(scene: &mut SampleBuilder<'_>) -> Result<std::path::PathBuf, SampleError> {
    let body = scene.solid()?;
    let count = body.positions().len();
    let wrong = |_| SampleError::NoPose;
    let mut poser = Poser::new(body.clone(), FreeVertices::all(count)).map_err(wrong)?;
    let mut frames = Vec::new();
    let ways = [Vec3::x(), Vec3::y(), Vec3::z()];
    for group in ["left-fin", "right-fin", "back-fin", "belly-fin"] {
        let mut members = scene.shape.groups.get(group).unwrap_or_default().to_vec();
        members.sort_by(|a, b| {
            let x = |v: &VertexId| body.positions()[v.index()].x;
            x(a).total_cmp(&x(b)).then(a.cmp(b))
        });
        // Its front and its back each bend it otherwise.
        let (back, front) = members.split_at(members.len() / 2);
        for (part, way) in [back, front].into_iter().flat_map(|part| ways.map(|way| (part, way))) {
            for way in [way, -way] {
                let share = FIN / part.len().max(1) as f64;
                let mut forces = vec![0.0; 3 * count];
                for v in part {
                    forces[3 * v.index()..][..3].copy_from_slice((way * share).as_slice());
                }
                poser.set_load(&forces).map_err(wrong)?;
                frames.push(points(&balanced(&mut poser, &body)?));
            }
        }
    }
    Ok(scene.file("-fins.pc2", Content::Frames(frames, 24.0)))
}

/// How much of the rig's stride the body bears, and how far ahead a quarter of it leads, metres.
const STRIDE: f64 = 0.5;
const AHEAD: f64 = 0.15;

/// Two strides as a rig has them, eight poses of the skin on the way.
pub(super) fn stride(scene: &mut SampleBuilder<'_>) -> Done {
    scene.poses(
        Some(241),
        60.0,
        ControlBasis { modes: 10, size: Some(16), ..ControlBasis::default() },
        [0.5, 0.003],
    )?;
    let rest = scene.shape.skin.as_ref().map_or(&[][..], TriMesh::positions).to_vec();
    let key = |k: usize| {
        let ahead = Vec3::new(AHEAD * k as f64, 0.0, 0.0);
        let posed = elephant_stride(&rest, 0.25 * k as f64, STRIDE);
        points(&posed.iter().map(|x| x + ahead).collect::<Vec<Vec3>>())
    };
    let file = scene.file("-keys.pc2", Content::Frames((1..=8).map(key).collect(), 24.0));
    let pose = |k: i32| Pose { file_frame: Some(k), ..Pose::of_file(1 + 30 * k, &file) };
    scene.shot.edit.poses = (1..=8).map(pose).collect();
    Ok(())
}

/// A bridge of springs that is bent to one side, to the other, and down.
pub(super) fn sway(scene: &mut SampleBuilder<'_>) -> Done {
    scene.shot.body.kind = BodyKind::Springs;
    scene.poses(
        Some(151),
        60.0,
        ControlBasis { modes: 10, size: Some(18), ..ControlBasis::default() },
        [0.3, 0.004],
    )?;
    let [aside, down] = DECK;
    scene.shot.edit.poses = vec![
        under(51, vec![load("deck", [0.0, 0.0, aside])]),
        under(101, vec![load("deck", [0.0, 0.0, -aside])]),
        under(151, vec![load("deck", [0.0, -down, 0.0])]),
    ];
    Ok(())
}

/// Newtons on the deck.
const DECK: [f64; 2] = [60.0, 40.0];
