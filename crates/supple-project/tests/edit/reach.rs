//! Handles out of reach: followed as far as the body goes without being torn, and said to be.

use super::bodies::{FRAMES, Kind, LENGTH, START, Scene, apart, frames, pull, release, tip};
use std::path::Path;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::shot::{Axes, Goal, Handle, Hold, Shot, Site, When};
use supple_project::{Body, Cache, EditReport, EditStatus, Editor, Reason, Sample};

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
/// How many times as long as in the input a pulled piece may become.
const LIMIT: f64 = 1.5;

/// The gull, without its handle.
fn gull(folder: &Path) -> (Shot, Arc<Body>, Cache) {
    let path = Sample::named("bird").unwrap().write(folder).unwrap();
    let mut shot = Shot::load(&path).unwrap();
    shot.edit.handles.clear();
    let body = Arc::new(Body::load(&shot).unwrap());
    (shot, body, Cache::of_shot(&path))
}

/// The vertex farthest along a direction.
fn farthest(editor: &Editor, direction: Vec3) -> VertexId {
    let along = |v: &usize| editor.rest()[*v].dot(&direction);
    VertexId::new((0..editor.rest().len()).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap())
}

#[test]
fn measure() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body, cache) = gull(folder.path());
    let mut editor = Editor::open(&shot, body, &cache, &Progress::silent()).unwrap();
    let tail = farthest(&editor, -Vec3::x());
    let wing = farthest(&editor, -Vec3::z());
    println!(
        "size {} frames {} tail {tail:?} {:?}",
        editor.size(),
        editor.frames(),
        editor.rest()[tail.index()]
    );
    let input = frames(&editor);
    let mut look = |name: &str, frame: i32, v: VertexId, by: [f64; 3]| {
        let begin = std::time::Instant::now();
        let key = editor.add(pull(editor.start().0 + frame, v, Goal::By(by))).unwrap();
        let report = release(&mut editor);
        let moved = frames(&editor);
        let far = Vec3::from(by).norm();
        let at = |f: usize| {
            (0..input[f].len()).map(|v| (moved[f][v] - input[f][v]).norm()).fold(0.0, f64::max) / far
        };
        let all: Vec<f64> = (0..input.len()).map(at).collect();
        println!(
            "{name} at {frame}: {:?} it {} E {:.3e} over {:?} reason {:?} short {:.3} stat {:.1e} [{:.1} s]",
            report.status,
            report.iterations,
            report.energy,
            report.handles[0].over_distance,
            report.handles[0].reason,
            report.handles[0].shortfall(),
            report.stationarity,
            begin.elapsed().as_secs_f64()
        );
        println!(
            "   starts {:?}",
            report.starts.iter().map(|s| (s.start, s.energy, s.status, s.kept)).collect::<Vec<_>>()
        );
        println!(
            "   at {:.2}, all {:.2}, 70 away {:.2}, warnings {:?} inverted {:?}",
            all[frame as usize],
            all.iter().copied().fold(0.0, f64::max),
            all.iter()
                .enumerate()
                .filter(|(f, _)| (*f as i32 - frame).abs() >= 70)
                .map(|(_, x)| *x)
                .fold(0.0, f64::max),
            report.warnings().collect::<Vec<_>>(),
            report.inverted
        );
        editor.remove(key).unwrap();
    };
    look("tail 0.05", 100, tail, [0.0, 0.05, 0.0]);
    look("tail 0.3 up", 100, tail, [0.0, 0.3, 0.0]);
    look("tail 0.3 back", 100, tail, [-0.3, 0.0, 0.0]);
    look("tail 0.3 side", 100, tail, [0.0, 0.0, 0.3]);
    look("wing", 100, wing, [0.0, 0.4, 0.1]);
    look("wing", 140, wing, [0.0, 0.4, 0.1]);
}

#[test]
fn measure_bar() {
    for kind in [Kind::Solid, Kind::Voxels, Kind::Cloth, Kind::Springs, Kind::Skin] {
        for scene in [Scene::at_rest(kind), Scene::new(kind)] {
            let mut editor = scene.open();
            let input = scene.input();
            let tip = tip(&input);
            for by in [
                [2.0 * LENGTH, 0.0, 0.0],
                [0.9, 0.0, 0.0],
                [-1.0, 3.0, 0.0],
                [0.0, 0.3, 0.0],
                [-1.5, 0.3, 0.2],
            ] {
                let key = editor.add(pull(FRAME, tip, Goal::By(by))).unwrap();
                let begin = std::time::Instant::now();
                let report = release(&mut editor);
                println!(
                    "{kind:?} {by:?}: {:?} it {} E {:.3e} over {:?} {:?} short {:.3} starts {} [{:.1} s]",
                    report.status,
                    report.iterations,
                    report.energy,
                    report.handles[0].over_distance,
                    report.handles[0].reason,
                    report.handles[0].shortfall(),
                    report.starts.len(),
                    begin.elapsed().as_secs_f64()
                );
                editor.remove(key).unwrap();
            }
        }
    }
}
