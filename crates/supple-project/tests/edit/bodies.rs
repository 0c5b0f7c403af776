//! Small bodies with a motion, each in a folder of its own.
//!
//! All are 2 long, along x; what is held is held at x = 0. Their input bends them about z and back, so that
//! edits meet elements that have turned; the free one tumbles and flies as well. Frames begin at 5.

use super::meshes::{mesh_name, write_body, write_sheets};
use std::f64::consts::TAU;
use std::sync::Arc;
use supple_formats::{MotionSettings, create_motion};
use supple_mesh::Vec3;
use supple_model::{Frame, Progress, VertexId};
use supple_project::shot::{
    Anchor, Axis, Body as BodyShot, Feel, Goal, Handle, Input, Shot, Site, Skin, When,
};
use supple_project::{Body, Cache, DragMethod, EditError, EditReport, InputMotion};
use tempfile::TempDir;

pub const START: i32 = 5;
pub const FRAMES: usize = 36;
pub const FPS: f64 = 24.0;
pub const LENGTH: f64 = 2.0;

/// What there is to edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Solid,
    Voxels,
    Cloth,
    Springs,
    /// Sheets that cross, riding on voxels; the motion is that of the sheets.
    Skin,
    /// A solid that nothing holds.
    Flying,
    /// A cloth all of which lies in a plane.
    Flat,
}

/// All but those that are for a purpose.
pub const KINDS: [Kind; 6] =
    [Kind::Solid, Kind::Voxels, Kind::Cloth, Kind::Springs, Kind::Skin, Kind::Flying];

/// A shot and the folder it lives in.
pub struct Scene {
    pub folder: TempDir,
    pub shot: Shot,
}

impl Scene {
    /// A body and its motion.
    pub fn new(kind: Kind) -> Self {
        let pose = |frame: usize, p: &Vec3| match kind {
            Kind::Flying => fly(frame as f64, bend(p, swing(frame as f64))),
            _ => bend(p, swing(frame as f64)),
        };
        Self::moving(kind, FRAMES, pose)
    }

    /// A body that stays at rest.
    pub fn at_rest(kind: Kind) -> Self {
        let mut scene = Self::still(kind);
        scene.shot.motion.frames = Some(FRAMES);
        scene.shot.motion.start = Some(START);
        scene
    }

    /// A body whose vertices move as told.
    pub fn moving(kind: Kind, frames: usize, pose: impl Fn(usize, &Vec3) -> Vec3) -> Self {
        let mut scene = Self::still(kind);
        let body = scene.body();
        let rest = match (&body.skin, kind) {
            (Some(skin), Kind::Skin) => skin.mesh.positions(),
            _ => body.positions(),
        };
        let frames: Vec<Vec<Vec3>> =
            (0..frames).map(|frame| rest.iter().map(|p| pose(frame, p)).collect()).collect();
        scene.move_as(&frames);
        scene
    }

    fn still(kind: Kind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut body = BodyShot::new(write_body(folder.path(), kind), mesh_name(kind));
        if kind == Kind::Skin {
            write_sheets(folder.path());
            body.skin = Some(Skin { mesh: "sheets.obj".into(), embedding: None });
        }
        if kind != Kind::Flying {
            body.anchors = vec![Anchor::Below { axis: Axis::X, at: 0.0 }];
        }
        let mut shot = Shot::new(folder.path(), body).unwrap();
        shot.edit.modes = 24;
        shot.edit.feel = Feel::Lively;
        Self { folder, shot }
    }

    /// Gives the shot these frames as its input.
    pub fn move_as(&mut self, frames: &[Vec<Vec3>]) {
        let settings = MotionSettings::new(frames[0].len(), Frame(START), FPS, frames.len());
        let mut writer = create_motion(self.folder.path().join("input.pc2"), settings, None).unwrap();
        for frame in frames {
            let positions: Vec<[f64; 3]> = frame.iter().map(|p| (*p).into()).collect();
            writer.write(&positions).unwrap();
        }
        writer.finish().unwrap();
        self.shot.motion.input = Input::File("input.pc2".into());
    }

    /// The same with something changed.
    pub fn with(mut self, change: impl FnOnce(&mut Shot)) -> Self {
        change(&mut self.shot);
        self
    }

    pub fn body(&self) -> Body {
        Body::load(&self.shot).unwrap()
    }

    pub fn cache(&self) -> Cache {
        Cache::in_folders([self.folder.path().join("test.cache")])
    }

    pub fn try_open(&self) -> Result<DragMethod, EditError> {
        DragMethod::open(&self.shot, Arc::new(self.body()), &self.cache(), &Progress::silent())
    }

    pub fn open(&self) -> DragMethod {
        self.try_open().unwrap()
    }

    /// The frames before any edit, as the file has them.
    pub fn input(&self) -> Vec<Vec<Vec3>> {
        let mut input =
            InputMotion::open(&self.shot, &self.body(), &self.cache(), &Progress::silent()).unwrap();
        let mut positions = vec![[0.0; 3]; input.vertices()];
        let mut frames = Vec::new();
        for index in 0..input.clock.frames {
            input.read(index, &mut positions).unwrap();
            frames.push(positions.iter().map(|p| Vec3::from(*p)).collect());
        }
        frames
    }

    /// What the shot's edit comes to, solved anew.
    pub fn solved(&self) -> (Vec<Vec<Vec3>>, EditReport) {
        let mut editor = self.open();
        let report = release(&mut editor);
        (frames(&editor), report)
    }
}

/// How far the input is bent at a frame: the angle of its end, radians.
pub fn swing(frame: f64) -> f64 {
    0.8 * (TAU * frame / 20.0).sin()
}

/// Bends what lies along x about z, on an arc of this angle at its end.
pub fn bend(p: &Vec3, angle: f64) -> Vec3 {
    let k = angle / LENGTH;
    let s = k * p.x;
    let (along, up) = if k.abs() < 1e-9 { (p.x, 0.0) } else { (s.sin() / k, (1.0 - s.cos()) / k) };
    Vec3::new(along - s.sin() * p.y, up + s.cos() * p.y, p.z)
}

/// Throws and tumbles a point.
pub fn fly(frame: f64, p: Vec3) -> Vec3 {
    let t = frame / FPS;
    let turned = nalgebra::Rotation3::new(Vec3::new(1.0, 2.0, 0.5) * t) * p;
    turned + Vec3::new(1.5 * t, 4.0 * t - 4.9 * t * t, 0.0)
}

/// The edited motion as the editor has it.
pub fn frames(editor: &DragMethod) -> Vec<Vec<Vec3>> {
    let mut frames = Vec::new();
    let each = |_: usize, positions: &[[f64; 3]]| {
        frames.push(positions.iter().map(|p| Vec3::from(*p)).collect());
        Ok(())
    };
    editor.each_frame(&Progress::silent(), each).unwrap();
    frames
}

pub fn release(editor: &mut DragMethod) -> EditReport {
    editor.release(&Progress::silent()).unwrap()
}

/// The largest distance between two motions.
pub fn apart(a: &[Vec<Vec3>], b: &[Vec<Vec3>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    // Not by `f64::max`, which has no eye for what is no number.
    pairs.map(|(a, b)| (a - b).norm()).max_by(f64::total_cmp).unwrap()
}

/// The vertex at the far end of the body, of what moves.
pub fn tip(input: &[Vec<Vec3>]) -> VertexId {
    let far = input[0].iter().enumerate().max_by(|a, b| a.1.x.total_cmp(&b.1.x));
    VertexId::new(far.unwrap().0)
}

/// A hard handle on one vertex.
pub fn pull(frame: i32, vertex: VertexId, goal: Goal) -> Handle {
    Handle::new(When::Frame(frame), Site::Vertex(vertex), goal)
}

/// z at a frame, of modes or their velocities.
pub fn z(editor: &DragMethod, frame: usize, order: supple_spacetime::Order) -> Vec<f64> {
    let mut z = vec![0.0; editor.modes()];
    editor.path().at(frame, order, &mut z);
    z
}

/// U z.
pub fn shape(editor: &DragMethod, z: &[f64]) -> Vec<Vec3> {
    let basis = editor.motion().basis();
    let mut p = vec![0.0; 3 * basis.vertices()];
    basis.displacement(z, &mut p);
    p.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

/// The linear edit at a frame.
pub fn linear(editor: &DragMethod, frame: usize) -> Vec<Vec3> {
    shape(editor, &z(editor, frame, supple_spacetime::Order::Position))
}

/// The same as it moves the body in space, if nothing bent.
pub fn linear_in_space(editor: &DragMethod, frame: usize) -> Vec<Vec3> {
    let edit: Vec<f64> = linear(editor, frame).iter().flat_map(|p| <[f64; 3]>::from(*p)).collect();
    let mut change = vec![0.0; edit.len()];
    editor.motion().in_space(frame, &edit, &mut change);
    change.chunks_exact(3).map(Vec3::from_column_slice).collect()
}
