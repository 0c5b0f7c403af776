//! Edits keep what touches where it touches.

use super::bodies::{
    FPS, FRAMES, Kind, LENGTH, START, Scene, apart, bend, fly, frames, linear_in_space, pull, release, swing,
    tip,
};
use std::fs;
use supple_formats::write_contacts;
use supple_mesh::Vec3;
use supple_model::{Contact, ContactKind, Frame, VertexId};
use supple_project::shot::{Clustering, Contacts as Section, Damping, Detect, Floor, Goal, Input, Shot};
use supple_project::{ContactPoint, DragMethod, EditReport, Status};

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
const UP: [f64; 3] = [0.0, 1.0, 0.0];

/// Lists contacts in a file of the scene.
fn listed(scene: &mut Scene, contacts: &[Contact]) {
    let mut bytes = Vec::new();
    write_contacts(contacts, &mut bytes).unwrap();
    fs::write(scene.folder.path().join("contacts.csv"), bytes).unwrap();
    scene.shot.contacts = Some(Section::of_file("contacts.csv"));
}

/// A beam of voxels at rest, whose underside lies on something from frame index 10 to 20.
fn lying(kind: ContactKind) -> Scene {
    let mut scene = Scene::at_rest(Kind::Voxels);
    let body = scene.body();
    let under: Vec<usize> = (0..body.positions().len()).filter(|v| body.positions()[*v].y == 0.0).collect();
    let at = |frame: i32| {
        under.iter().map(move |v| Contact {
            frame: Frame(START + frame),
            vertex: VertexId::new(*v),
            normal: UP,
            kind,
        })
    };
    listed(&mut scene, &(10..=20).flat_map(at).collect::<Vec<_>>());
    scene
}

/// Pushes the far end down and aside while the body lies.
fn pushed(scene: Scene) -> Scene {
    let body = scene.body();
    let top = Vec3::new(LENGTH, 0.4, 0.2);
    let vertex = body.positions().iter().position(|p| (p - top).norm() < 1e-9).unwrap();
    scene
        .with(|shot| shot.edit.handles = vec![pull(FRAME, VertexId::new(vertex), Goal::By([0.0, -0.1, 0.2]))])
}

/// What a contact has moved by.
fn change(contact: &ContactPoint, after: &[Vec3], before: &[Vec3]) -> Vec3 {
    contact.vertices.iter().map(|(v, weight)| (after[v.index()] - before[v.index()]) * *weight).sum()
}

/// How far a change leaves what its contact allows.
fn drift(contact: &ContactPoint, change: Vec3) -> f64 {
    match contact.kind {
        ContactKind::Slide => change.dot(&contact.normal).abs(),
        ContactKind::Stick => change.norm(),
    }
}

/// Solves, checks both promises and that the report tells the truth.
fn keeps(scene: &Scene) -> (DragMethod, EditReport) {
    let input = scene.input();
    let mut editor = scene.open();
    let report = release(&mut editor);
    let moved = frames(&editor);
    let size = editor.size();
    let contacts = editor.contacts();
    assert!(!contacts.all.is_empty());
    let worst = contacts
        .all
        .iter()
        .map(|contact| drift(contact, change(contact, &moved[contact.frame], &input[contact.frame])) / size)
        .fold(0.0, f64::max);
    assert!(worst <= 1e-3, "warped: {worst:e}; {:?}", report.contacts);
    assert!((worst - report.contacts.drift).abs() <= 1e-9, "{worst:e}; {:?}", report.contacts);
    let zero = vec![Vec3::zeros(); input[0].len()];
    for cluster in &contacts.clusters {
        let contact = &cluster.contact;
        let far = drift(contact, change(contact, &linear_in_space(&editor, contact.frame), &zero)) / size;
        assert!(far <= 1e-6, "linear: {far:e} at {}", contact.frame);
    }
    assert!(report.contacts.linear_drift <= 1e-6, "{:?}", report.contacts);
    assert_eq!(
        (report.contacts.all, report.contacts.clusters),
        (contacts.all.len(), contacts.clusters.len())
    );
    (editor, report)
}

fn off(shot: &mut Shot) {
    shot.contacts.as_mut().unwrap().off = true;
}

#[test]
fn what_slides_stays_in_its_plane_and_what_sticks_stays_where_it_is() {
    for (exact, kind) in [
        (true, ContactKind::Slide),
        (false, ContactKind::Slide),
        (true, ContactKind::Stick),
        (false, ContactKind::Stick),
    ] {
        for cluster in [Clustering::default(), Clustering::Apart] {
            let scene = pushed(lying(kind)).with(|shot| {
                shot.edit.exact = exact;
                shot.edit.modes = 40;
                shot.contacts.as_mut().unwrap().cluster = cluster;
            });
            let (editor, report) = keeps(&scene);
            assert!(report.contacts.clusters < report.contacts.all || cluster == Clustering::Apart);
            let moved = frames(&editor);
            let input = scene.input();
            // What slides may slide, and the handle makes it do so.
            let slides =
                editor.contacts().at(INDEX).iter().map(|c| change(c, &moved[INDEX], &input[INDEX]).norm());
            let slides = slides.fold(0.0, f64::max);
            assert!(if kind == ContactKind::Slide { slides > 0.02 } else { slides < 1e-3 }, "{slides}");
            // Without them the underside goes through what it lies on.
            let free = scene.with(off).solved().0;
            let below = editor.contacts().at(INDEX).iter().map(|c| free[INDEX][c.vertex().index()].y);
            assert!(below.fold(0.0, f64::min) < -0.05);
        }
    }
}

#[test]
fn a_handle_and_its_contacts_are_both_met_where_they_can_be() {
    let scene = pushed(lying(ContactKind::Slide)).with(|shot| shot.edit.modes = 80);
    let tip = match &scene.shot.edit.handles[0].site {
        supple_project::shot::Site::Vertex(v) => *v,
        other => panic!("{other:?}"),
    };
    let scene = scene.with(|shot| shot.edit.handles[0].goal = Goal::By([0.0, 0.0, 0.2]));
    let (editor, report) = keeps(&scene);
    assert_eq!(report.status, Status::Settled, "{report:?}");
    let shift = frames(&editor)[INDEX][tip.index()] - scene.input()[INDEX][tip.index()];
    assert!((shift - Vec3::new(0.0, 0.0, 0.2)).norm() < 1e-6 * LENGTH, "{shift}");
}

#[test]
fn contacts_of_a_simulation_and_those_found_in_its_frames_are_kept() {
    let scene = Scene::at_rest(Kind::Flying).with(|shot| {
        shot.motion.input = Input::Simulate;
        shot.motion.frames = Some(24);
        shot.simulate.damping = Damping { mass: 0.0, stiffness: 0.02 };
        shot.simulate.floor = Some(Floor { height: -0.05, friction: 0.2 });
    });
    let resting = scene.input();
    assert!(resting[23].iter().map(|p| p.y).fold(1.0, f64::min) < -0.045, "it fell");
    let tip = tip(&resting);
    let scene =
        scene.with(|shot| shot.edit.handles = vec![pull(START + 18, tip, Goal::By([0.0, -0.1, 0.2]))]);
    let free = scene.input()[18].iter().map(|p| p.y).fold(1.0, f64::min);
    let sources = [
        None,
        Some(Section::recorded()),
        Some(Section::detected(Detect { floor: Some(-0.05), ..Detect::default() })),
    ];
    let mut scene = scene;
    for source in sources {
        scene.shot.contacts = source;
        let (editor, _) = keeps(&scene);
        let lowest = frames(&editor)[18].iter().map(|p| p.y).fold(1.0, f64::min);
        assert!(lowest > free - 0.01 * LENGTH, "{lowest} and {free}");
    }
    let through = scene.with(off).solved().0;
    let lowest = through[18].iter().map(|p| p.y).fold(1.0, f64::min);
    assert!(lowest < free - 0.03 * LENGTH, "off: {lowest} and {free}");
}

#[test]
fn a_fold_stays_closed() {
    // A strip of cloth folded over a third of the way, its layers a hair apart, from the first frame on.
    let gap = 0.004;
    let fold = |p: &Vec3| {
        let (x, lifted) = if p.x > 1.1 { (2.2 - p.x, gap) } else { (p.x, 0.0) };
        Vec3::new(x, lifted, p.z)
    };
    let scene = Scene::moving(Kind::Flat, FRAMES, |_, p| fold(p));
    let end = tip(&Scene::at_rest(Kind::Flat).input());
    let scene = scene.with(|shot| {
        shot.edit.modes = 40;
        shot.contacts = Some(Section::detected(Detect { itself: true, within: 0.004, ..Detect::default() }));
        shot.edit.handles = vec![pull(FRAME, end, Goal::By([0.0, 0.4, 0.0]))];
        shot.edit.exact = false;
    });
    let (editor, _) = keeps(&scene);
    assert!(editor.contacts().all.iter().all(ContactPoint::is_self));
    let input = scene.input();
    let opened = |moved: &[Vec<Vec3>]| {
        let gaps = editor.contacts().at(INDEX).iter();
        gaps.map(|c| change(c, &moved[INDEX], &input[INDEX]).dot(&c.normal).abs()).fold(0.0, f64::max)
    };
    let closed = opened(&frames(&editor));
    let free = opened(&scene.with(off).solved().0);
    assert!(closed < 1e-3 * LENGTH && free > 0.05, "{closed} and {free}");
}

#[test]
fn normals_turn_with_a_body_that_tumbles() {
    // At the frame of the contact it has turned by more than half a turn; the normal is told in space.
    let pose = |frame: usize, p: &Vec3| fly(1.6 * frame as f64, bend(p, swing(frame as f64)));
    let mut scene = Scene::moving(Kind::Flying, FRAMES, pose);
    let input = scene.input();
    let tip = tip(&Scene::at_rest(Kind::Flying).input());
    let normal: [f64; 3] = Vec3::new(0.6, -0.5, 1.0).normalize().into();
    let frame = Frame(START + 24);
    listed(&mut scene, &[Contact { frame, vertex: tip, normal, kind: ContactKind::Slide }]);
    let along = Vec3::from(normal).cross(&Vec3::x()).normalize() * 0.3;
    let pull_off = Vec3::from(normal) * 0.3 + along;
    let pulled = vec![pull(START + 22, tip, Goal::By(pull_off.into()))];
    let mut scene = scene.with(|shot| shot.edit.handles = pulled);
    for exact in [true, false] {
        scene.shot.edit.exact = exact;
        scene.shot.contacts.as_mut().unwrap().off = false;
        let (editor, _) = keeps(&scene);
        let change = frames(&editor)[24][tip.index()] - input[24][tip.index()];
        assert!(change.norm() > 0.05, "it slides: {change}");
        scene.shot.contacts.as_mut().unwrap().off = true;
        let free = scene.solved().0[24][tip.index()] - input[24][tip.index()];
        assert!(free.dot(&Vec3::from(normal)).abs() > 0.05, "{free}");
    }
}

#[test]
fn blending_softens_the_change_of_what_touches() {
    let largest_jump = |blend: usize| {
        let scene = pushed(lying(ContactKind::Slide)).with(|shot| {
            shot.edit.exact = false;
            shot.contacts.as_mut().unwrap().blend = blend;
            // Few clusters, so that the warp has something left to hold.
            shot.contacts.as_mut().unwrap().cluster =
                Clustering::Together(supple_project::shot::ClusterLimits { frames: 40, size: 2.0 });
        });
        let moved = scene.solved().0;
        // The body is let go at 21: what changes there, less what changes a frame earlier and later anyway.
        let step = |frame: usize, v: usize| moved[frame][v] - moved[frame - 1][v];
        let jump = |v: usize| (step(21, v) - 0.5 * (step(20, v) + step(22, v))).norm();
        (0..moved[0].len()).map(jump).fold(0.0, f64::max)
    };
    let jumps = [0, 2, 5].map(largest_jump);
    assert!(jumps[1] < 0.8 * jumps[0] && jumps[2] < 0.6 * jumps[0], "{jumps:?}");
}

#[test]
fn contacts_outside_of_a_part_do_not_matter() {
    let scene = lying(ContactKind::Stick).with(|shot| shot.edit.part = Some("outer".into()));
    let scene = pushed(scene);
    let (_, report) = keeps(&scene);
    assert!(report.contacts.drift < 1e-9, "{:?}", report.contacts);
    assert!(apart(&scene.solved().0, &scene.input()) > 0.01);
    assert!((scene.open().clock().fps - FPS).abs() < 1e-12);
}
