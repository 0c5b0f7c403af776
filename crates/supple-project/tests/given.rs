//! A shot whose mesh, skin and frames come from memory is the shot of files.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use crate::edit::bodies::{FPS, FRAMES, KINDS, Kind, START, Scene, apart, pull, tip};
use supple_formats::{
    FormatError, MotionSettings, MotionWriter, SurfaceFile, create_motion, load_mesh, write_obj,
};
use supple_mesh::Vec3;
use supple_model::{Clock, Frame, FrameError, FrameSink, Progress};
use supple_project::import::keep;
use supple_project::method;
use supple_project::shot::{Axis, Goal, Handle, Shape, Shot};
use supple_project::solution::solve_to;
use supple_project::{Body, Cache, DragMethod, Import, ImportError, ImportKind, MotionFile, Space};

fn edited(shot: &Shot, scene: &Scene) -> Vec<Vec<Vec3>> {
    let body = Body::load(shot).unwrap().into();
    let mut method = DragMethod::open(shot, body, &scene.cache(), &Progress::silent()).unwrap();
    method.release(&Progress::silent()).unwrap();
    crate::edit::bodies::frames(&method)
}

#[test]
fn an_edit_of_what_is_in_memory_has_the_bits_of_one_of_files() {
    for kind in KINDS {
        let scene = Scene::new(kind);
        let input = scene.input();
        let tip = tip(&input);
        let scene =
            scene.with(|shot| shot.edit.handles = vec![pull(START + 9, tip, Goal::By([0.0, 0.3, 0.1]))]);
        let expected = edited(&scene.shot, &scene);

        let mut shot = scene.shot.clone();
        let Shape::Mesh(mesh) = shot.body.shape.clone() else { panic!("{kind:?} has a mesh") };
        shot.give_mesh(&mesh, load_mesh(shot.resolve(&mesh)).unwrap());
        if let Some(skin) = shot.body.skin.clone() {
            shot.give_mesh(&skin.mesh, load_mesh(shot.resolve(&skin.mesh)).unwrap());
        }
        let frames: Vec<Vec<[f64; 3]>> =
            input.iter().map(|frame| frame.iter().map(|p| (*p).into()).collect()).collect();
        let clock = Clock { start: Frame(START), frames: FRAMES, fps: FPS };
        shot.give_motion("a motion that is no file", Box::new(frames), clock);
        for file in std::fs::read_dir(scene.folder.path()).unwrap().map(|file| file.unwrap().path()) {
            if file.is_file() {
                std::fs::remove_file(file).unwrap();
            }
        }
        assert!(edited(&shot, &scene) == expected, "{kind:?}");
        assert!(apart(&expected, &input) > 0.1 || kind == Kind::Flat, "{kind:?}");
    }
}

/// Frames in memory that are not those of the body say so, by the name they were given under.
#[test]
fn frames_of_another_body_are_refused_by_name() {
    let scene = Scene::new(Kind::Solid);
    let mut shot = scene.shot.clone();
    let clock = Clock { start: Frame(START), frames: 1, fps: FPS };
    shot.give_motion("seven points", Box::new(vec![vec![[0.0; 3]; 7]]), clock);
    let body = Body::load(&shot).unwrap().into();
    let opened = DragMethod::open(&shot, body, &scene.cache(), &Progress::silent());
    let words = opened.map(|_| ()).unwrap_err().to_string();
    assert!(words.contains("seven points: 7 vertices"), "{words}");
}

/// An array of a program was written to files to be edited; it is edited where it is, and its bits are those by way of files.
#[test]
fn a_motion_in_memory_is_imported_and_edited_as_that_of_files() {
    let (surface, frames) = flapping();
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock { start: Frame(11), frames: frames.len(), fps: 25.0 };
    let settings = MotionSettings::new(frames[0].len(), clock.start, clock.fps, clock.frames);
    let input = folder.path().join("in.mdd");
    let mut writer = create_motion(&input, settings, None).unwrap();
    frames.iter().for_each(|frame| writer.write(frame).unwrap());
    writer.finish().unwrap();
    let mesh = folder.path().join("rest.obj");
    let mut bytes = Vec::new();
    write_obj(&surface, &mut bytes).unwrap();
    std::fs::write(&mesh, bytes).unwrap();
    let silent = Progress::silent();
    let space = Space { unit: 0.01, up: Axis::Z };
    for kind in [ImportKind::Cloth, ImportKind::Voxels] {
        let of = |path: &std::path::Path, topology| Import {
            file: MotionFile {
                path: path.into(),
                topology,
                unit: Some(space.unit),
                up: Some(space.up),
                ..MotionFile::default()
            },
            kind,
            force: true,
            ..Import::default()
        };
        let path = folder.path().join("files.toml");
        let mut filed = of(&input, Some(mesh.clone())).write(&path, &silent).unwrap().shot;
        let cache = Cache::of_shot(&path);
        let given = of("points".as_ref(), None).of_frames(
            surface.clone(),
            Box::new(frames.clone()),
            clock,
            &cache,
            &silent,
        );
        let mut given = given.unwrap().shot;
        assert!(given.is_in_memory() && !filed.is_in_memory());
        let pull = "[{ frame = 19, vertex = 99, by = [0, 3, 8] }]";
        let pull = space.handle_inside(&Handle::list(pull).unwrap()[0]);
        for shot in [&mut filed, &mut given] {
            (shot.motion.start, shot.motion.fps, shot.edit.modes) = (Some(11), Some(25.0), 20);
            shot.edit.handles = vec![pull.clone()];
        }
        let expected = solved(&filed, &cache);
        assert!(solved(&given, &cache) == expected, "{kind:?}");
        let moved = |c: usize| expected[8][99][c] - frames[8][99][c];
        assert!(
            (moved(1) - 3.0).abs() < 1e-4 && (moved(2) - 8.0).abs() < 1e-4,
            "{kind:?}: {:?}",
            [0, 1, 2].map(moved)
        );
        // Saved, its files are read from then on.
        let kept = keep(&mut given, &folder.path().join(format!("{kind:?}.toml")), false, &silent).unwrap();
        assert!(!given.is_in_memory() && kept.rounding == 0.0, "{kept:?}");
        let again = Shot::load(&kept.files[0]).unwrap();
        assert!(solved(&again, &cache) == expected, "{kind:?}");
        let other = of("points".as_ref(), None).of_frames(
            surface.clone(),
            Box::new(frames.clone()),
            clock,
            &cache,
            &silent,
        );
        let twice = keep(&mut other.unwrap().shot, &kept.files[0], false, &silent);
        assert!(matches!(twice, Err(ImportError::Exists { .. })), "{twice:?}");
    }
}

/// The frames of an edited motion, in the unit and axes of its input.
fn solved(shot: &Shot, cache: &Cache) -> Vec<Vec<[f64; 3]>> {
    let silent = Progress::silent();
    let mut method = method::open_shot(shot, cache, &silent).unwrap();
    let frames = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut make = |_: usize, _: Clock| Ok(Box::new(Kept(frames.clone())) as Box<dyn MotionWriter>);
    solve_to("out".as_ref(), &mut make, shot, method.as_mut(), &silent).unwrap();
    frames.lock().unwrap().clone()
}

/// Frames that are kept.
struct Kept(std::sync::Arc<std::sync::Mutex<Vec<Vec<[f64; 3]>>>>);

impl FrameSink for Kept {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.0.lock().unwrap().push(positions.to_vec());
        Ok(())
    }
}

impl MotionWriter for Kept {
    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        Ok(())
    }
}

/// A cloth of 100 vertices, in centimetres with z up, in numbers that single precision holds.
fn flapping() -> (SurfaceFile, Vec<Vec<[f64; 3]>>) {
    let place = |v: usize, frame: f64| {
        let (x, y) = ((v % 10) as f64 * 10.0, (v / 10) as f64 * 10.0);
        [x, y, f64::from((y * y / 400.0 * (0.4 * frame).sin()) as f32)]
    };
    let frames: Vec<Vec<[f64; 3]>> =
        (0..24).map(|frame| (0..100).map(|v| place(v, f64::from(frame))).collect()).collect();
    let quads: Vec<[u32; 4]> =
        (0..90).filter(|v| v % 10 < 9).map(|v: u32| [v, v + 1, v + 11, v + 10]).collect();
    let surface = SurfaceFile::of_polygons(frames[0].clone(), quads.iter().map(<[u32; 4]>::as_slice));
    (surface, frames)
}
