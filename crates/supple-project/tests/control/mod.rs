//! Motions through key poses with the least force, from shots.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod bar;
mod chain;
mod floating;
mod replay;
mod wrong;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use supple_formats::{SurfaceFile, write_obj};
use supple_mesh::Vec3;
use supple_mesh::displacement;
use supple_model::Progress;
use supple_project::method::{self, Findings, Side, Value};
use supple_project::shot::{
    Anchor, Axis, BodyKind, Control, ControlBasis, Damping, Load, Method, Pose, Push, SecondsPerFrame, Shape,
    Shot, Site,
};
use supple_project::{Body, Cache, Report, Sample};
use tempfile::TempDir;

/// A body to be controlled.
pub struct Place {
    pub folder: TempDir,
    pub shot: Shot,
    body: OnceLock<Arc<Body>>,
}

/// A motion that was found.
pub struct Motion {
    pub frames: Vec<Vec<Vec3>>,
    pub report: Report,
    pub size: f64,
    pub warnings: Vec<String>,
}

impl Place {
    /// The built-in bar with so many frames, as rubber of tets.
    pub fn bar(frames: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = Sample::named("bar").unwrap().write(folder.path()).unwrap();
        let mut shot = Shot::load(&file).unwrap();
        shot.body.skin = None;
        Self::of(folder, shot, frames)
    }

    /// Two voxel legs with a beam over them, 1.4 long, 0.8 high: feet are groups. It stands in for what walks.
    pub fn stool(frames: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_stool(&folder.path().join("stool.inp"));
        let mut body = supple_project::shot::Body::new(BodyKind::Voxels, "stool.inp");
        body.material = Some(supple_project::shot::Material {
            law: supple_project::shot::Law::StVenantKirchhoff,
            young: 1e5,
            poisson: 0.4,
            density: 1000.0,
            thickness: None,
        });
        body.anchors = vec![Anchor::Below { axis: Axis::Y, at: 0.0 }];
        let shot = Shot::new(folder.path(), body).unwrap();
        Self::of(folder, shot, frames)
    }

    fn of(folder: TempDir, mut shot: Shot, frames: usize) -> Self {
        shot.edit.choose(Method::Control);
        shot.edit.damping = Some(Damping { mass: 0.2, stiffness: 0.003 });
        shot.motion.frames = Some(frames);
        shot.motion.fps = Some(24.0);
        Self { folder, shot, body: OnceLock::new() }
    }

    pub fn with(mut self, change: impl FnOnce(&mut Shot)) -> Self {
        change(&mut self.shot);
        self
    }

    /// Settings of its own.
    pub fn own(mut self, change: impl FnOnce(&mut Control)) -> Self {
        let mut own = self.shot.edit.control_settings().unwrap();
        change(&mut own);
        self.shot.edit.set_control_settings(&own).unwrap();
        self
    }

    pub fn basis(self, change: impl FnOnce(&mut ControlBasis)) -> Self {
        self.own(|own| change(&mut own.basis))
    }

    pub fn body(&self) -> Arc<Body> {
        self.body.get_or_init(|| Arc::new(Body::load(&self.shot).unwrap())).clone()
    }

    pub fn cache(&self) -> Cache {
        Cache::in_folders([self.folder.path().join("cache")])
    }

    /// Writes places of the body's vertices as a mesh.
    pub fn write(&self, name: &str, place: impl Fn(&Vec3) -> Vec3) {
        let positions: Vec<[f64; 3]> = self.body().positions().iter().map(|x| place(x).into()).collect();
        write_points(&self.folder.path().join(name), positions);
    }

    pub fn try_solve(&self) -> Result<Motion, String> {
        let (cache, progress) = (self.cache(), Progress::silent());
        let opened = method::open(&self.shot, self.body(), &cache, &progress);
        let mut method = opened.map_err(|error| error.to_string())?;
        let report = method.solve(&progress, &mut |_| Ok(())).map_err(|error| error.to_string())?;
        let about = method.about();
        let mut positions = vec![[0.0; 3]; about.rest.len()];
        let frame = |index: usize| {
            method.frame(Side::Output, index, &mut positions);
            positions.iter().map(|p| Vec3::from(*p)).collect()
        };
        let frames = (0..about.clock.frames).map(frame).collect();
        let warnings = report.warnings().collect();
        Ok(Motion { frames, report, size: about.size, warnings })
    }

    pub fn solve(&self) -> Motion {
        self.try_solve().unwrap()
    }

    /// Elements that are inside out in any frame.
    pub fn inverted(&self, motion: &Motion) -> usize {
        let body = self.body();
        let count = |frame: &Vec<Vec3>| {
            let places: Vec<[f64; 3]> = frame.iter().map(|x| (*x).into()).collect();
            body.elastic.inverted(&displacement(&places, body.positions()))
        };
        motion.frames.iter().map(count).sum()
    }
}

impl Motion {
    /// A number of each entry of a finding.
    pub fn each(&self, key: &str, name: &str) -> Vec<f64> {
        let finding = self.report.findings.iter().find(|finding| finding.key == key).unwrap();
        let Findings::Several(all) = &finding.found else { panic!("several of {key}") };
        let of = |one: &Vec<method::Quantity>| match &one.iter().find(|q| q.name == name).unwrap().value {
            Value::Number(number) => *number,
            Value::Count(count) => *count as f64,
            Value::Frame(frame) => f64::from(*frame),
            other => panic!("{name}: {other:?}"),
        };
        all.iter().map(of).collect()
    }
}

/// A pose under forces on groups.
pub fn under(frame: i32, loads: &[(&str, [f64; 3])]) -> Pose {
    let load = |(group, force): &(&str, [f64; 3])| Load {
        site: Site::Group((*group).to_owned()),
        push: Push::Force(*force),
        frames: None,
        stage: None,
    };
    Pose { file: None, loads: loads.iter().map(load).collect(), ..Pose::of_file(frame, "") }
}

pub fn seconds(shot: &mut Shot, seconds: f64) {
    shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(seconds);
}

/// Points alone, as a mesh file.
pub fn write_points(file: &Path, positions: Vec<[f64; 3]>) {
    let mut bytes = Vec::new();
    let surface = SurfaceFile { triangles: vec![[0, 1, 2]], positions, ..SurfaceFile::default() };
    write_obj(&surface, &mut bytes).unwrap();
    std::fs::write(file, bytes).unwrap();
}

fn write_stool(file: &Path) {
    use supple_formats::{Elements, Group, VolumeFile, write_abaqus};
    let edge = 0.2;
    let legs = [0, 5]
        .into_iter()
        .flat_map(|x| (0..3).flat_map(move |y| (0..2).flat_map(move |z| (0..2).map(move |i| [x + i, y, z]))));
    let beam = (0..7).flat_map(|x| (3..5).flat_map(move |y| (0..2).map(move |z| [x, y, z])));
    let cells: Vec<[usize; 3]> = legs.chain(beam).collect();
    let mesh = supple_mesh::VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(edge), &cells).unwrap();
    let at = |test: &dyn Fn(&Vec3) -> bool| -> Vec<u32> {
        (0..).zip(mesh.positions()).filter(|(_, p)| test(p)).map(|(v, _)| v).collect()
    };
    let group = |name: &str, members: Vec<u32>| Group { name: name.to_owned(), members };
    let volume = VolumeFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        elements: Elements::Hexes(mesh.voxels().iter().map(|voxel| voxel.map(|v| v.0)).collect()),
        vertex_groups: vec![
            group("left-foot", at(&|p| p.y < 1e-9 && p.x < 0.5)),
            group("right-foot", at(&|p| p.y < 1e-9 && p.x > 0.5)),
            group("top", at(&|p| p.y > 0.99)),
        ],
        ..VolumeFile::default()
    };
    let mut bytes = Vec::new();
    write_abaqus(&volume, &mut bytes).unwrap();
    std::fs::write(file, bytes).unwrap();
    assert!(matches!(Shape::Mesh(file.into()), Shape::Mesh(_)));
}
