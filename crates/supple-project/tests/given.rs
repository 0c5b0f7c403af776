//! A shot whose mesh, skin and frames come from memory is the shot of files.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use crate::edit::bodies::{FPS, FRAMES, KINDS, Kind, START, Scene, apart, pull, tip};
use supple_formats::load_mesh;
use supple_mesh::Vec3;
use supple_model::{Clock, Frame, Progress};
use supple_project::shot::{Goal, Shape, Shot};
use supple_project::{Body, DragMethod};

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
