//! Baking: the edited motion as the next input, as often as one likes.

use super::bodies::{Kind, LENGTH, START, Scene, apart, frames, pull, release, tip};
use supple_formats::write_contacts;
use supple_mesh::Vec3;
use supple_model::{Contact, ContactKind, Frame, Progress, VertexId};
use supple_project::method::Method as _;
use supple_project::shot::{Contacts as Section, Goal, Input, Shot};
use supple_project::{Body, DragMethod, Status, WriteOptions, save_baked, solve_into};

/// Inwards too: outwards a bent cloth is soon taut.
const BY: [f64; 3] = [-0.2, 0.2, 0.1];

#[test]
fn one_can_bake_and_go_on_again_and_again() {
    for kind in [Kind::Solid, Kind::Cloth, Kind::Skin, Kind::Flying] {
        for warp in [true, false] {
            let scene = Scene::new(kind).with(|shot| {
                shot.edit.warp = warp;
                shot.edit.modes = 40;
            });
            let tip = tip(&scene.input());
            let mut editor = scene.open();
            for round in 0..3 {
                let (before, index) = (frames(&editor), 12 + 7 * round);
                let key = editor.add(pull(START + index as i32, tip, Goal::By(BY))).unwrap();
                assert_eq!(key.0, 1, "numbers begin anew");
                let report = release(&mut editor);
                assert_eq!(report.status, Status::Settled, "{kind:?}, round {round}: {report:?}");
                let edited = frames(&editor);
                let change = edited[index][tip.index()] - before[index][tip.index()];
                assert!((change - Vec3::from(BY)).norm() < 1e-6 * LENGTH, "{kind:?}: {change}");
                editor.bake(&Progress::silent()).unwrap();
                assert_eq!(editor.handles().count(), 0);
                let untouched = apart(&frames(&editor), &edited);
                assert!(untouched < 1e-13 * LENGTH, "{kind:?}: {untouched:e}");
                release(&mut editor);
                assert!(apart(&frames(&editor), &edited) < 1e-13 * LENGTH);
            }
            let far = apart(&frames(&editor), &scene.input());
            assert!(far > 0.1, "{kind:?}, warp {warp}: {far}");
        }
    }
}

#[test]
fn handles_that_were_not_let_go_are_baked_all_the_same() {
    let scene = Scene::new(Kind::Solid);
    let tip = tip(&scene.input());
    let scene = scene.with(|shot| shot.edit.handles = vec![pull(START + 16, tip, Goal::By(BY))]);
    let expected = scene.solved().0;
    let mut editor = scene.open();
    editor.bake(&Progress::silent()).unwrap();
    assert!(apart(&frames(&editor), &expected) < 1e-13 * LENGTH);
}

/// Solves and writes motion and next shot, as the command does; the frames.
fn saved(shot: &Shot, editor: &mut DragMethod, folder: &std::path::Path) -> (Vec<Vec<Vec3>>, Shot) {
    let motion = folder.join("edited.pc2");
    let how = WriteOptions { of: Some(editor.moving()), ..WriteOptions::default() };
    solve_into(&motion, shot, editor, &how, &Progress::silent()).unwrap();
    // In another folder than the shot it comes from.
    let next = folder.join("next");
    std::fs::create_dir(&next).unwrap();
    save_baked(shot, &editor.about(), &motion, &next.join("next.toml")).unwrap();
    (frames(editor), Shot::load(&next.join("next.toml")).unwrap())
}

fn reopened(scene: &Scene, shot: &Shot) -> DragMethod {
    let body = Body::load(shot).unwrap().into();
    DragMethod::open(shot, body, &scene.cache(), &Progress::silent()).unwrap()
}

#[test]
fn a_saved_bake_opens_again_with_the_same_frames() {
    for kind in [Kind::Solid, Kind::Skin, Kind::Flying] {
        let scene = Scene::new(kind);
        let tip = tip(&scene.input());
        let scene = scene.with(|shot| shot.edit.handles = vec![pull(START + 16, tip, Goal::By(BY))]);
        let mut editor = scene.open();
        let (expected, next) = saved(&scene.shot, &mut editor, scene.folder.path());
        assert!(next.edit.handles.is_empty());
        assert_eq!(next.motion.start, Some(START));
        let again = reopened(&scene, &next);
        assert_eq!(
            (again.clock().start, again.clock().frames, again.moving()),
            (editor.clock().start, editor.clock().frames, editor.moving())
        );
        let far = apart(&frames(&again), &expected);
        assert!(far < 1e-6 * LENGTH && far > 0.0, "f32 round-off, no less: {kind:?} {far:e}");
    }
}

#[test]
fn contacts_survive_a_bake() {
    // Listed in a file, which is in the folder of the first shot.
    let scene = Scene::at_rest(Kind::Voxels);
    let body = scene.body();
    let under = (0..body.positions().len()).filter(|v| body.positions()[*v].y == 0.0).map(VertexId::new);
    let contact = |vertex| Contact {
        frame: Frame(START + 12),
        vertex,
        normal: [0.0, 1.0, 0.0],
        kind: ContactKind::Slide,
    };
    let mut bytes = Vec::new();
    write_contacts(&under.map(contact).collect::<Vec<_>>(), &mut bytes).unwrap();
    std::fs::write(scene.folder.path().join("c.csv"), bytes).unwrap();
    let tip = tip(&scene.input());
    let scene = scene.with(|shot| {
        shot.contacts = Some(Section::of_file("c.csv"));
        shot.edit.handles = vec![pull(START + 14, tip, Goal::By([0.0, -0.2, 0.1]))];
    });
    let mut editor = scene.open();
    let (_, next) = saved(&scene.shot, &mut editor, scene.folder.path());
    let contacts = editor.contacts().clone();
    assert!(!contacts.all.is_empty());
    assert_eq!(reopened(&scene, &next).contacts(), &contacts);
    editor.bake(&Progress::silent()).unwrap();
    assert_eq!(editor.contacts(), &contacts);
    editor.add(pull(START + 13, tip, Goal::By([0.0, -0.2, 0.1]))).unwrap();
    let report = release(&mut editor);
    assert!(report.contacts.linear_drift < 1e-6 && report.contacts.drift < 1e-3, "{:?}", report.contacts);
}

#[test]
fn what_a_simulation_recorded_is_written_down_for_the_next_shot() {
    let scene = Scene::at_rest(Kind::Flying).with(|shot| {
        shot.motion.input = Input::Simulate;
        shot.motion.frames = Some(12);
        shot.simulate.floor = Some(supple_project::shot::Floor { height: 0.0, friction: 0.5 });
    });
    let tip = tip(&scene.input());
    let scene = scene.with(|shot| shot.edit.handles = vec![pull(START + 8, tip, Goal::By([0.0, 0.2, 0.0]))]);
    let mut editor = scene.open();
    let (expected, next) = saved(&scene.shot, &mut editor, scene.folder.path());
    assert!(!editor.contacts().all.is_empty());
    let again = reopened(&scene, &next);
    assert!(apart(&frames(&again), &expected) < 1e-6 * LENGTH);
    let key = |c: &supple_project::ContactPoint| (c.frame, c.vertex(), c.kind);
    let keys = |editor: &DragMethod| editor.contacts().all.iter().map(key).collect::<Vec<_>>();
    assert_eq!(keys(&again), keys(&editor));
}
