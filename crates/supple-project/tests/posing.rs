//! A body in the hand: pulled by a spring, load on load, pinned; what it comes to is the pose that a shot asks for.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::path::Path;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Clock, Frame, Progress, VertexId};
use supple_project::method::{Balance, Hand, LiveError, PoseAsk, PoseSession, PoseStep, Posing};
use supple_project::shot::{Load, Method, Pin, Pose, Push, Shot, Site, When};
use supple_project::{Body, Sample, key_poses};

/// A bar that is held on the left, without a skin.
fn bar(folder: &Path) -> (Shot, Arc<Body>) {
    let mut shot = Shot::load(&Sample::named("bar").unwrap().write(folder).unwrap()).unwrap();
    shot.body.skin = None;
    shot.edit.method = Method::Control;
    let body = Arc::new(Body::load(&shot).unwrap());
    (shot, body)
}

/// The vertex that is farthest to the right.
fn tip(body: &Body) -> VertexId {
    let places = body.positions().iter().enumerate();
    VertexId::new(places.max_by(|a, b| a.1.x.total_cmp(&b.1.x)).unwrap().0)
}

fn pulled(site: Site, by: [f64; 3]) -> PoseAsk {
    PoseAsk { hand: Some(Hand { site, by }), ..PoseAsk::default() }
}

/// Steps until it no longer moves.
fn rest(session: &mut PoseSession, ask: &PoseAsk) -> PoseStep {
    for _ in 0..300 {
        let step = session.step(ask, &Progress::silent()).unwrap();
        if step.balance != Balance::Moving {
            return step;
        }
    }
    panic!("it moves on and on");
}

fn load(site: Site, force: [f64; 3], stage: usize) -> Load {
    Load { site, push: Push::Force(force), frames: None, stage: Some(stage) }
}

/// The largest difference between what is drawn and the pose of a shot that asks for these loads and pins.
fn off(shot: &Shot, body: &Body, ask: &PoseAsk, step: &PoseStep) -> f64 {
    let mut keyed = shot.clone();
    let (loads, pins) = (ask.loads.clone(), ask.pins.clone());
    keyed.edit.poses = vec![Pose { when: When::Frame(5), file: None, loads, pins, ..Pose::of_file(5, "") }];
    let clock = Clock { start: Frame(1), frames: 10, fps: 24.0 };
    let found = key_poses(&keyed, body, clock, &Progress::silent()).unwrap();
    let places = body.positions().iter().zip(found[0].displacement.chunks_exact(3));
    let differ = places
        .zip(&step.points.drawn)
        .flat_map(|((x, u), drawn)| (0..3).map(move |c| (x[c] + u[c] - f64::from(drawn[c])).abs()));
    differ.fold(0.0, f64::max)
}

/// What is written into the shot is a force; it has to hold the body where the hand has left it.
#[test]
fn the_force_of_the_hand_alone_holds_what_it_pulled() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body) = bar(folder.path());
    let mut session = PoseSession::new(&shot, body.clone()).unwrap();
    let site = Site::Vertex(tip(&body));
    let by = [0.0, 0.1, 0.03];
    let step = rest(&mut session, &pulled(site.clone(), by));
    assert_eq!(step.balance, Balance::Found);
    let at = Vec3::from(step.points.drawn[tip(&body).index()].map(f64::from));
    let gone = at - body.positions()[tip(&body).index()];
    // A spring four times as firm as the point goes about four fifths of the way, along the pull.
    let part = gone.dot(&Vec3::from(by)) / Vec3::from(by).norm_squared();
    assert!((0.7..0.95).contains(&part), "{part}");
    let ask = PoseAsk { loads: vec![load(site, step.force.unwrap(), 1)], ..PoseAsk::default() };
    assert!(off(&shot, &body, &ask, &step) < 1e-5, "{}", off(&shot, &body, &ask, &step));
}

#[test]
fn loads_stack_pins_hold_and_a_step_back_gives_the_shape_before() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body) = bar(folder.path());
    let mut session = PoseSession::new(&shot, body.clone()).unwrap();
    let site = Site::Vertex(tip(&body));
    let first = pulled(site.clone(), [0.0, 0.1, 0.0]);
    let up = rest(&mut session, &first);
    let frozen =
        PoseAsk { loads: vec![load(site.clone(), up.force.unwrap(), 1)], stage: 2, ..PoseAsk::default() };
    let same = rest(&mut session, &frozen);
    let largest = |a: &PoseStep, b: &PoseStep| {
        let pairs = a.points.drawn.iter().zip(&b.points.drawn);
        pairs.flat_map(|(a, b)| (0..3).map(move |c| (a[c] - b[c]).abs())).fold(0.0_f32, f32::max)
    };
    assert!(largest(&same, &up) < 1e-6, "frozen, it stays: {}", largest(&same, &up));
    // Pinned there, the tip stays when the middle is pulled down.
    let half = 0.5 * body.positions()[tip(&body).index()].x;
    let middle = body.positions().iter().enumerate();
    let middle = middle.min_by(|a, b| (a.1.x - half).abs().total_cmp(&(b.1.x - half).abs())).unwrap().0;
    let pinned = PoseAsk {
        pins: vec![Pin { site: site.clone(), stage: Some(2) }],
        hand: Some(Hand { site: Site::Vertex(VertexId::new(middle)), by: [0.0, -0.05, 0.0] }),
        ..frozen.clone()
    };
    let down = rest(&mut session, &pinned);
    let tip = tip(&body).index();
    let moved = |step: &PoseStep, v: usize| step.points.drawn[v][1] - up.points.drawn[v][1];
    assert!(moved(&down, tip).abs() < 1e-6 && moved(&down, middle) < -0.02, "{}", moved(&down, middle));
    let mut all = PoseAsk { hand: None, ..pinned };
    all.loads.push(load(Site::Vertex(VertexId::new(middle)), down.force.unwrap(), 2));
    assert!(off(&shot, &body, &all, &down) < 1e-5, "{}", off(&shot, &body, &all, &down));
    let back = rest(&mut session, &first);
    assert!(largest(&back, &up) < 1e-4, "{}", largest(&back, &up));
}

#[test]
fn what_gives_way_is_told_and_a_step_back_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body) = bar(folder.path());
    let mut session = PoseSession::new(&shot, body.clone()).unwrap();
    let site = Site::Group("right".into());
    // Straight into the bar: it collapses, as bodies of this law do.
    let crushed =
        PoseAsk { loads: vec![load(site.clone(), [-1e6, 0.0, 0.0], 1)], stage: 2, ..PoseAsk::default() };
    assert_eq!(rest(&mut session, &crushed).balance, Balance::Lost);
    let step = rest(&mut session, &pulled(site, [0.0, 0.05, 0.0]));
    assert_eq!(step.balance, Balance::Found);
    let still = rest(&mut session, &PoseAsk::default());
    let rest_shape = still.points.drawn.iter().zip(body.positions());
    let away = rest_shape.flat_map(|(p, x)| (0..3).map(move |c| (f64::from(p[c]) - x[c]).abs()));
    assert!(away.fold(0.0, f64::max) < 1e-5, "without loads it is at rest");
}

#[test]
fn a_hand_on_what_stays_and_cancelling_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body) = bar(folder.path());
    let mut session = PoseSession::new(&shot, body.clone()).unwrap();
    let held = body.anchors[0];
    let error = session.step(&pulled(Site::Vertex(held), [0.1; 3]), &Progress::silent()).unwrap_err();
    assert_eq!(error.to_string(), "This part stays in place. Pull at another one.");
    let far = pulled(Site::Vertex(VertexId(9_999_999)), [0.1; 3]);
    let error = session.step(&far, &Progress::silent()).unwrap_err().to_string();
    assert!(error.contains("there is no vertex 9999999"), "{error}");
    let cancelled = Progress::silent();
    cancelled.cancel();
    let two = PoseAsk {
        loads: vec![load(Site::Group("right".into()), [0.0, 5.0, 0.0], 1)],
        stage: 2,
        ..PoseAsk::default()
    };
    assert_eq!(session.step(&two, &cancelled).unwrap_err(), LiveError::Cancelled);
    assert_eq!(rest(&mut session, &two).balance, Balance::Found);
    assert!(off(&shot, &body, &two, &rest(&mut session, &two)) < 1e-5);
}

#[test]
fn the_same_bits_at_one_thread_and_two() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body) = bar(folder.path());
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut session = PoseSession::new(&shot, body.clone()).unwrap();
            let site = Site::Vertex(tip(&body));
            for k in 1..=5 {
                let by = [0.0, 0.02 * f64::from(k), 0.0];
                session.step(&pulled(site.clone(), by), &Progress::silent()).unwrap();
            }
            rest(&mut session, &pulled(site, [0.0, 0.1, 0.0]))
        })
    };
    assert!(on(1) == on(2));
}
