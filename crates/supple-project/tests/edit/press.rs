//! Edits go no deeper into floor and obstacles than their input.

use super::bodies::{FRAMES, Kind, START, Scene, frames, release};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::shot::{
    Contacts, Feel, Floor, Goal, Handle, NewContacts, Obstacle, ObstacleShape, Shot, Site, When,
};
use supple_project::{EditReport, Reason, Status};

const INDEX: usize = 18;

/// A block that bounces on the floor at height 0, and turns a little.
fn bouncing() -> Scene {
    let pose = |frame: usize, p: &Vec3| {
        let phase = frame as f64 / 9.0;
        let height = 0.5 * (1.0 - (2.0 * phase.fract() - 1.0).powi(2));
        let tilt = 0.15 * (frame as f64 * 0.3).sin();
        let (s, c) = tilt.sin_cos();
        let q = Vec3::new(p.x - 1.0, p.y, p.z);
        let turned = Vec3::new(c * q.x - s * q.y, s * q.x + c * q.y, q.z);
        turned + Vec3::new(1.0, height + 1.0 * s.abs(), 0.0)
    };
    Scene::moving(Kind::Flying, FRAMES, pose)
        .with(|shot| shot.simulate.floor = Some(Floor { height: 0.0, friction: 0.0 }))
}

fn pulled(scene: Scene, site: Site, by: [f64; 3]) -> Scene {
    scene.with(|shot| {
        shot.edit.handles = vec![Handle::new(When::Frame(START + INDEX as i32), site, Goal::By(by))];
    })
}

/// How much deeper below the floor than in the input anything is, by looking at every vertex.
fn below(scene: &Scene, moved: &[Vec<Vec3>]) -> (f64, usize, usize) {
    let input = scene.input();
    let mut deepest = (0.0, 0, 0);
    for (frame, (before, after)) in input.iter().zip(moved).enumerate() {
        for (vertex, (before, after)) in before.iter().zip(after).enumerate() {
            let depth = before.y.min(0.0) - after.y;
            if depth > deepest.0 {
                deepest = (depth, vertex, frame);
            }
        }
    }
    deepest
}

fn solved(scene: &Scene) -> (Vec<Vec<Vec3>>, EditReport, f64) {
    let mut editor = scene.open();
    let report = release(&mut editor);
    (frames(&editor), report, editor.size())
}

fn reporting(shot: &mut Shot) {
    shot.contacts.get_or_insert_default().new = Some(NewContacts::Report);
}

/// A centre of mass pulled down took the whole body half a metre below the floor, and the report was content.
#[test]
fn a_block_pulled_down_stays_above_the_floor() {
    for (exact, feel) in [(true, Feel::Smooth), (false, Feel::Smooth), (true, Feel::Lively)] {
        for by in [-0.4, -0.1] {
            let scene = pulled(bouncing(), Site::CenterOfMass, [0.0, by, 0.0])
                .with(|shot| (shot.edit.exact, shot.edit.feel, shot.edit.modes) = (exact, feel, 40));
            let (moved, report, size) = solved(&scene);
            let (depth, vertex, frame) = below(&scene, &moved);
            assert!(depth <= 1e-6 * size, "{exact} {feel:?} {by}: {depth} at {vertex}, {frame}; {report:?}");
            let through = report.penetration.unwrap();
            assert!(through.held > 0 && through.deepest.is_none_or(|found| found.depth <= 1e-6 * size));
            assert_eq!(report.inverted.map(|worst| worst.count), Some(0));
            // What it could not follow it says.
            let handle = &report.handles[0];
            let is_met = handle.error <= 1e-5 * size;
            assert!(is_met || (report.status == Status::Compromise && handle.reason.is_some()));
        }
    }
}

/// A body pulled down in the middle of a hop came a third of the way: in the frames before and after, in which it stands, so
/// many rows held it that half of them would have pulled, and it was thought that it could not be kept out.
#[test]
fn a_hop_that_is_made_lower_stays_above_the_floor_before_and_after() {
    let scene = bouncing().with(|shot| {
        let when = When::Frame(START + 22);
        shot.edit.handles = vec![Handle::new(when, Site::CenterOfMass, Goal::By([0.0, -0.25, 0.0]))];
        (shot.edit.feel, shot.edit.modes) = (Feel::Smooth, 40);
    });
    let (moved, report, size) = solved(&scene);
    let (depth, vertex, frame) = below(&scene, &moved);
    assert!(depth <= 1e-5 * size, "{depth} at {vertex}, {frame}; {report:?}");
    assert!(report.handles[0].error <= 1e-5 * size, "{report:?}");
    assert_eq!(report.inverted.map(|worst| worst.count), Some(0));
}

/// Those who want to go through may, and are told how deep, where and when.
#[test]
fn a_report_tells_what_went_through_and_changes_nothing() {
    let scene = pulled(bouncing(), Site::CenterOfMass, [0.0, -0.4, 0.0]);
    let scene = scene.with(reporting);
    let (moved, report, size) = solved(&scene);
    let (depth, vertex, frame) = below(&scene, &moved);
    assert!(depth > 0.1 * size, "{depth}");
    let found = report.penetration.unwrap();
    assert_eq!(found.held, 0);
    let deepest = found.deepest.unwrap();
    assert!((deepest.depth - depth).abs() < 1e-12);
    assert_eq!((deepest.vertex.index(), deepest.frame), (vertex, START + frame as i32));
    assert_eq!(report.status, Status::Settled);
    // As if there were no floor.
    let (bare, bare_report, _) =
        solved(&scene.with(|shot| (shot.simulate.floor, shot.contacts) = (None, None)));
    assert_eq!(bare, moved);
    assert_eq!(bare_report.penetration, None);
}

/// A body that is held at one end and bent onto a box comes to lie on it.
#[test]
fn an_anchored_body_lies_on_an_obstacle_and_does_not_stick_to_it() {
    let scene = Scene::at_rest(Kind::Voxels).with(|shot| {
        let shape = ObstacleShape::Box { min: [1.2, -1.0, -1.0], max: [3.0, -0.1, 1.0] };
        shot.simulate.obstacles = vec![Obstacle { shape, object: None, friction: None }];
        (shot.edit.modes, shot.edit.feel) = (60, Feel::Smooth);
    });
    let body = scene.body();
    let tip = body.positions().iter().position(|p| p.x == 2.0 && p.y == 0.4).unwrap();
    let site = Site::Vertex(supple_model::VertexId::new(tip));
    let scene = pulled(scene, site, [0.0, -0.5, 0.0]);
    let (moved, report, size) = solved(&scene);
    let inside = |p: &Vec3| p.x > 1.2 && p.y < -0.1;
    let deepest = moved.iter().flatten().filter(|p| inside(p)).map(|p| -0.1 - p.y).fold(0.0, f64::max);
    assert!(deepest <= 1e-6 * size, "{deepest}; {report:?}");
    assert_eq!(report.handles[0].reason, Some(Reason::Contradicts), "{report:?}");
    // It touches where it is pressed.
    let lowest = moved[INDEX].iter().filter(|p| p.x > 1.2).map(|p| p.y).fold(f64::INFINITY, f64::min);
    assert!((lowest + 0.1).abs() < 1e-3 * size, "{lowest}");
    // Lifted, it is as free as before.
    let lifted = scene.with(|shot| shot.edit.handles[0].goal = Goal::By([0.0, 0.3, 0.0]));
    let (_, report, _) = solved(&lifted);
    assert_eq!((report.penetration.unwrap().held, report.status), (0, Status::Settled));
}

/// What is held depends on the handles alone: not on how they came to be where they are, nor on threads.
#[test]
fn letting_go_twice_or_on_the_way_leads_to_the_same() {
    let scene = pulled(bouncing(), Site::CenterOfMass, [0.0, -0.1, 0.0]).with(|shot| shot.edit.modes = 30);
    let (once, _, _) = solved(&scene);
    let mut editor = scene.open();
    let key = editor.handles().next().unwrap().0;
    let there = scene.shot.edit.handles[0].clone();
    editor.set(key, Handle { goal: Goal::By([0.0, -0.5, 0.0]), ..there.clone() }).unwrap();
    release(&mut editor);
    editor.set(key, there).unwrap();
    release(&mut editor);
    assert_eq!(frames(&editor), once);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(pool.install(|| solved(&scene).0), once);
}

/// `[contacts]` with nothing but what becomes of new ones is a section, and a missing obstacle is named where it counts.
#[test]
fn what_cannot_be_read_is_an_error_where_it_was_asked_for() {
    let scene = Scene::at_rest(Kind::Flying).with(|shot| {
        let shape = ObstacleShape::Mesh("gone.obj".into());
        shot.simulate.obstacles = vec![Obstacle { shape, object: None, friction: None }];
    });
    let editor = scene.open();
    // A motion from a file may have brought along what moves there: it does not count unless it is asked for.
    let found = bouncing().with(|shot| shot.simulate.obstacles = scene.shot.simulate.obstacles.clone());
    assert!(found.open().notes.iter().all(|note| !note.contains("gone.obj")));
    assert!(editor.notes.iter().any(|note| note.contains("gone.obj")), "{:?}", editor.notes);
    let held = Contacts { new: Some(NewContacts::Hold), ..Contacts::default() };
    let scene = scene.with(|shot| shot.contacts = Some(held));
    assert!(scene.try_open().unwrap_err().to_string().contains("gone.obj"));
}

/// Nothing is held while a handle is in the hand; how deep it goes is told with every event.
#[test]
fn the_depth_is_known_while_dragging() {
    let scene = pulled(bouncing(), Site::CenterOfMass, [0.0, 0.0, 0.0]).with(|shot| shot.edit.modes = 40);
    let mut editor = scene.open();
    let (key, _) = editor.handles().next().unwrap();
    release(&mut editor);
    editor.grab(key, INDEX, &Progress::silent()).unwrap();
    let mut u = vec![0.0; 3 * editor.rest().len()];
    let mut depths = Vec::new();
    for by in [0.1, -0.2, -0.4] {
        editor.drag([0.0, by, 0.0], &Progress::silent()).unwrap();
        editor.shown(&mut u).unwrap();
        depths.push(editor.depth(INDEX, &u));
    }
    assert_eq!(depths[0], None);
    let (first, second) = (depths[1].unwrap(), depths[2].unwrap());
    assert!((second - first - 0.2).abs() < 0.02, "{depths:?}");
}
