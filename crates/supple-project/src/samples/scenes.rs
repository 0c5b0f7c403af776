//! What moves the built-in bodies: shaking ground, gusts, lifted feet, stairs, a ball, an artist's keys.

use super::SampleError;
use super::files::{Content, surface};
use crate::shot::{
    self, Axes, Damping, Floor, Goal, Handle, Initial, Input, Load, Obstacle, ObstacleShape, Push, Region,
    Shot, Site, Substeps, When,
};
use std::f64::consts::TAU;
use std::io::{self, Write};
use std::path::PathBuf;
use supple_formats::Track;
use supple_mesh::shapes::{self, Flap, Shape, Stairs};
use supple_mesh::{Aabb, TriMesh, Vec3, VertexGroups};
use supple_model::VertexId;

/// Rubber of a given Young's modulus, pascals.
pub(super) const fn rubber(young: f64) -> shot::Material {
    shot::Material {
        law: shot::Law::StVenantKirchhoff,
        young,
        poisson: 0.45,
        density: 1000.0,
        thickness: None,
    }
}

/// A built-in shot in the making.
pub(super) struct SampleBuilder<'a> {
    /// The name of the sample, with which all its files begin.
    pub name: &'static str,
    /// Its body.
    pub shape: &'a Shape,
    /// What it says.
    pub shot: &'a mut Shot,
    /// Files besides body and skin.
    pub files: Vec<(String, Content)>,
}

impl SampleBuilder<'_> {
    /// Adds a file and returns its path.
    pub(super) fn file(&mut self, ending: &str, content: Content) -> PathBuf {
        let name = format!("{}{ending}", self.name);
        self.files.push((name.clone(), content));
        name.into()
    }

    pub(super) fn written(
        &mut self,
        ending: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, SampleError> {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(|source| SampleError::Write { file: ending.into(), source })?;
        Ok(self.file(ending, Content::Bytes(bytes)))
    }

    /// Adds a track of `columns`, a row for each of the first `frames` frames.
    fn track(
        &mut self,
        ending: &str,
        columns: &[&str],
        frames: usize,
        row: impl Fn(f64) -> Vec<f64>,
    ) -> Result<PathBuf, SampleError> {
        let columns = columns.iter().map(|name| (*name).to_owned()).collect();
        let round = |x: f64| (x * 1e6).round() / 1e6;
        let rows = (0..frames).map(|k| {
            let values = row(k as f64 / 24.0).into_iter().map(round).collect();
            ((k + 1) as f64, values)
        });
        let track = Track { columns, rows: rows.collect() };
        self.written(ending, |out| supple_formats::write_track(&track, out))
    }

    fn simulated(&mut self, frames: usize) {
        self.shot.motion.input = Input::Simulate;
        self.shot.simulate.substeps = Substeps::Count(1);
        self.shot.motion.frames = Some(frames);
        self.shot.motion.fps = Some(24.0);
    }

    fn push(&mut self, group: &str, push: Push, frames: [i32; 2]) {
        let (site, frames) = (Site::Group(group.into()), Some(frames[0]..=frames[1]));
        self.shot.loads.push(Load { site, push, frames, stage: None });
    }

    /// Asks that something be moved at a frame: the edit of the shot, to begin with.
    fn pull(&mut self, frame: i32, site: Site, by: [f64; 3]) {
        self.shot.edit.handles.push(Handle::new(When::Frame(frame), site, Goal::By(by)));
    }

    /// The vertex of a group that is farthest along a direction.
    fn tip(&self, group: &str, direction: Vec3) -> Site {
        let positions = self.shape.body.positions();
        let members = self.shape.groups.get(group).unwrap_or_default();
        let along = |v: &VertexId| positions[v.index()].dot(&direction);
        let farthest = members.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
        Site::Near(farthest.map_or(Vec3::zeros(), |v| positions[v.index()]).into())
    }

    pub(super) fn region(&mut self, group: &str, young: f64) {
        let region = Region { group: group.into(), young: Some(young), poisson: None, density: None };
        self.shot.body.regions.push(region);
    }
}

/// From 0 to 1 between two times, smoothly.
fn ramp(from: f64, to: f64, t: f64) -> f64 {
    let s = ((t - from) / (to - from)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// Up within half a second, down again before `end`.
fn swell(end: f64, t: f64) -> f64 {
    ramp(0.0, 0.5, t) * (1.0 - ramp(end - 0.5, end, t))
}

/// At rest, with nothing to move it.
pub(super) fn still(_: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    Ok(())
}

/// The ground shakes for five seconds, near the frequencies of the masts.
pub(super) fn shaken(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(240);
    let shake = |t: f64| {
        vec![0.045 * swell(5.0, t) * (TAU * 1.3 * t).sin(), 0.06 * swell(5.0, t) * (TAU * 1.7 * t).sin()]
    };
    let track = scene.track("-shake.csv", &["x", "z"], 125, shake)?;
    let simulate = &mut scene.shot.simulate;
    simulate.anchors_motion = Some(track);
    simulate.damping = Damping { mass: 0.1, stiffness: 0.003 };
    simulate.initial.settle = true;
    let tip = scene.tip("mast-left", Vec3::y());
    scene.pull(120, tip, [0.0, 0.0, 0.2]);
    Ok(())
}

/// The stairs a body of this shape falls down: along z, the body lying along their edges at the top.
fn stairs_for(shape: &Shape) -> Result<TriMesh, SampleError> {
    let bounds = Aabb::around(shape.body.positions());
    let stairs = Stairs {
        steps: 14,
        rise: 0.42,
        tread: 0.5,
        width: bounds.size().x + 2.4,
        landing: 1.6,
        floor: 9.0,
        ..Stairs::default()
    };
    let mesh = shapes::stairs(&stairs)?;
    // Turned so that x becomes z, and placed so that the landing is a hand below the body, its edge a bit
    // in front of it.
    let middle = bounds.center();
    let place = |p: &Vec3| Vec3::new(middle.x - p.z, p.y - stairs.height() - 0.05, p.x + middle.z + 0.25);
    let positions = mesh.positions().iter().map(place).collect();
    Ok(TriMesh::skin(positions, mesh.triangles().to_vec())?)
}

/// Down the stairs with a push and a twist, ten seconds of it in slow motion.
pub(super) fn down_the_stairs(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(600);
    let stairs = stairs_for(scene.shape)?;
    let mesh = scene.written("-stairs.obj", |out| {
        supple_formats::write_obj(&surface(&stairs, &VertexGroups::new()), out)
    })?;
    let simulate = &mut scene.shot.simulate;
    simulate.obstacles =
        vec![Obstacle { shape: ObstacleShape::Mesh(mesh), object: None, friction: Some(0.06) }];
    simulate.damping = Damping { mass: 0.02, stiffness: 0.004 };
    simulate.initial =
        Initial { velocity: Some([0.0, 0.0, 1.8]), spin: Some([3.0, 0.0, 0.3]), ..Initial::default() };
    simulate.seconds_per_frame = Some(1.0 / 60.0);
    simulate.cage = Some(40);
    // While the head is in the air.
    scene.pull(100, Site::Group("jaw".into()), [0.0, 0.2, 0.0]);
    Ok(())
}

/// The rod is drawn to and fro, then stops.
pub(super) fn drawn(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(240);
    let draw = |t: f64| {
        vec![0.3 * swell(5.0, t) * (TAU * 0.4 * t).sin(), 0.25 * swell(5.0, t) * (TAU * 0.55 * t).sin()]
    };
    let track = scene.track("-rod.csv", &["x", "z"], 125, draw)?;
    let simulate = &mut scene.shot.simulate;
    simulate.anchors_motion = Some(track);
    simulate.damping = Damping { mass: 0.2, stiffness: 0.005 };
    simulate.initial.settle = true;
    simulate.substeps = Substeps::Count(2);
    scene.pull(120, Site::Group("hem".into()), [0.0, 0.0, 0.6]);
    // As high as the cloth, which hardly stretches, lets it go.
    scene.shot.edit.handles[0].axes = Some(Axes([false, false, true]));
    Ok(())
}

/// Two gusts that go round, then calm.
pub(super) fn in_the_wind(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(240);
    let gust = |t: f64| {
        let strength = 220.0 * (swell(3.0, t) + swell(2.5, t - 3.2));
        vec![strength * (TAU * 0.6 * t).cos(), 0.0, strength * (TAU * 0.6 * t).sin()]
    };
    let track = scene.track("-gusts.csv", &["x", "y", "z"], 145, gust)?;
    scene.push("petals", Push::Track(track), [1, 145]);
    let simulate = &mut scene.shot.simulate;
    simulate.damping = Damping { mass: 0.2, stiffness: 0.004 };
    simulate.initial.settle = true;
    scene.pull(120, Site::Group("disc".into()), [0.3, 0.0, 0.0]);
    // As low as the stem lets it go.
    scene.shot.edit.handles[0].axes = Some(Axes([true, false, true]));
    Ok(())
}

/// Left foot, right foot, left foot, right foot.
pub(super) fn lifting_feet(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(240);
    const STRIDE: f64 = 1.25;
    let lift = |t: f64| {
        let within = t % (2.0 * STRIDE);
        let up = |from: f64| {
            let s = (within - from) / STRIDE;
            if (0.0..1.0).contains(&s) { (0.5 * TAU * s).sin().powi(2) } else { 0.0 }
        };
        let (left, right) = if t < 8.0 { (up(0.0), up(STRIDE)) } else { (0.0, 0.0) };
        vec![0.13 * left, 0.02 * left, -8.0 * left, 0.13 * right, 0.02 * right, -8.0 * right]
    };
    let columns =
        ["left-foot.y", "left-foot.x", "left-foot.rz", "right-foot.y", "right-foot.x", "right-foot.rz"];
    let track = scene.track("-feet.csv", &columns, 200, lift)?;
    let simulate = &mut scene.shot.simulate;
    simulate.anchors_motion = Some(track);
    simulate.damping = Damping { mass: 0.3, stiffness: 0.004 };
    simulate.initial.settle = true;
    scene.pull(120, Site::Group("head".into()), [-0.1, 0.15, 0.15]);
    Ok(())
}

/// Stiff at both ends and soft between; pushed up and down for thirty frames, then left to itself.
pub(super) fn uneven_beam(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(300);
    scene.region("middle", 1.2e7);
    scene.region("outer", 1e8);
    let push = |t: f64| vec![0.0, 170.0 * (TAU * t / 1.25).sin(), 35.0 * (TAU * t / 1.25).sin()];
    let track = scene.track("-push.csv", &["x", "y", "z"], 31, push)?;
    scene.push("right", Push::Track(track), [1, 30]);
    let simulate = &mut scene.shot.simulate;
    simulate.gravity = [0.0; 3];
    simulate.damping = Damping { mass: 0.1, stiffness: 0.0005 };
    simulate.substeps = Substeps::Count(2);
    scene.pull(100, Site::Group("right".into()), [-0.2, 0.8, 0.0]);
    Ok(())
}

/// Stiff where it is held and soft beyond; pushed up and down for thirty frames of three hundred, then left to itself.
pub(super) fn pushed_thick_beam(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(300);
    let material = scene.shot.body.material.get_or_insert_default();
    material.density = 100.0;
    scene.region("middle", 1.8e4);
    scene.region("outer", 4e4);
    let push = |t: f64| vec![0.0, 160.0 * (TAU * t / 1.25).sin(), 0.0];
    let track = scene.track("-push.csv", &["x", "y", "z"], 30, push)?;
    scene.push("right", Push::Track(track), [1, 30]);
    let simulate = &mut scene.shot.simulate;
    simulate.gravity = [0.0; 3];
    simulate.damping = Damping { mass: 0.1, stiffness: 0.002 };
    simulate.substeps = Substeps::Count(2);
    scene.pull(100, Site::Group("right".into()), [-0.1, 0.4, 0.0]);
    Ok(())
}

/// A stiff body, a neck and a tail of different softness; let go from where two forces held it.
pub(super) fn uneven_dinosaur(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(300);
    scene.region("neck", 1.2e6);
    scene.region("tail", 8e5);
    scene.region("body", 8e6);
    scene.push("head", Push::Force([40.0, -110.0, 130.0]), [1, 1]);
    scene.push("tail", Push::Force([0.0, 80.0, -100.0]), [1, 1]);
    let simulate = &mut scene.shot.simulate;
    simulate.gravity = [0.0; 3];
    simulate.damping = Damping { mass: 0.05, stiffness: 0.001 };
    simulate.initial.settle = true;
    simulate.substeps = Substeps::Count(2);
    scene.pull(100, Site::Group("head".into()), [-0.1, -0.4, 0.3]);
    Ok(())
}

/// The same in steps so short that the body swings as its material has it, not as steps do.
pub(super) fn swinging_dinosaur(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    uneven_dinosaur(scene)?;
    scene.shot.simulate.substeps = Substeps::Count(8);
    Ok(())
}

/// Let go above a ball.
pub(super) fn over_a_ball(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    scene.simulated(120);
    let ball = ObstacleShape::Sphere { center: [0.0, 0.3, 0.0], radius: 0.3 };
    let simulate = &mut scene.shot.simulate;
    simulate.obstacles = vec![Obstacle { shape: ball, object: None, friction: Some(0.3) }];
    simulate.floor = Some(Floor { height: 0.0, friction: 0.4 });
    simulate.damping = Damping { mass: 0.5, stiffness: 0.002 };
    simulate.substeps = Substeps::Count(2);
    // A corner, before it lies on the floor and is held there.
    scene.pull(8, Site::Near([0.6, 0.7, 0.6]), [0.05, 0.2, 0.05]);
    Ok(())
}

/// Flying as an animator keyed it: no simulation.
pub(super) fn flying(scene: &mut SampleBuilder<'_>) -> Result<(), SampleError> {
    let flap = Flap::of(scene.shape);
    let skin = scene.shape.skin.as_ref().map_or(0, |skin| skin.positions().len());
    let mut positions = vec![Vec3::zeros(); skin];
    let frames = (0..Flap::FRAMES).map(|index| {
        flap.skin(index, &mut positions);
        positions.iter().map(|p| (*p).into()).collect()
    });
    let frames: Vec<Vec<[f64; 3]>> = frames.collect();
    let file = scene.file("-flight.pc2", Content::Frames(frames, Flap::FRAMES_PER_SECOND));
    scene.shot.motion.input = Input::File(file);
    scene.shot.motion.fps = Some(Flap::FRAMES_PER_SECOND);
    let tip = scene.tip("left-wing", -Vec3::z());
    scene.pull(100, tip, [0.0, 0.4, 0.1]);
    Ok(())
}
