//! Contacts found in frames whose shapes are known in closed form.

use super::{WITHIN, detecting, detecting_within, fold, gather, moving, vertices, write_mesh};
use std::collections::BTreeSet;
use supple_mesh::{Aabb, TriMesh, Vec3, shapes};
use supple_model::{ContactKind, Progress, VertexId};
use supple_project::shot::{
    Anchor, Axis, ClusterLimits, Clustering, Contacts as Section, Detect, Floor, Obstacle, ObstacleShape,
    Shot,
};
use supple_project::{Body, Cache, ContactPoint, Contacts, ContactsError, InputMotion, Moving, Sample};

const RADIUS: f64 = 0.5;

fn ball() -> TriMesh {
    shapes::ball(Vec3::zeros(), RADIUS, 12).unwrap()
}

fn size(mesh: &TriMesh) -> f64 {
    Aabb::around(mesh.positions()).size().norm()
}

/// What touches is what is nearer than `within`, up to rounding; `gaps` says how far each vertex is.
fn is_exactly(found: &[ContactPoint], gaps: &[f64], within: f64) {
    let touching = vertices(found);
    for (v, gap) in gaps.iter().enumerate() {
        if (gap - within).abs() > 1e-9 {
            assert_eq!(touching.contains(&v), *gap < within, "vertex {v}, {gap} away");
        }
    }
}

#[test]
fn a_ball_that_rolls_touches_the_floor_below_its_middle() {
    let folder = tempfile::tempdir().unwrap();
    let ball = ball();
    let height = -0.25;
    let angle = |frame: usize| 0.1 * frame as f64;
    // At height(v) = r − r cos of the angle from the bottom.
    let at = |frame: usize, p: &Vec3| {
        let (sin, cos) = angle(frame).sin_cos();
        let turned = Vec3::new(cos * p.x + sin * p.y, cos * p.y - sin * p.x, p.z);
        turned + Vec3::new(RADIUS * angle(frame), height + RADIUS, 0.0)
    };
    let frames: Vec<Vec<Vec3>> =
        (0..12).map(|f| ball.positions().iter().map(|p| at(f, p)).collect()).collect();
    let mut shot = moving(folder.path(), &ball, &frames, &[]);
    shot.contacts = detecting(Detect { floor: Some(height), ..Detect::default() });
    let contacts = gather(&shot).unwrap();
    for frame in 0..12 {
        let found = contacts.at(frame);
        assert!(found.len() > 5);
        assert!(found.iter().all(|c| c.normal == Vec3::y() && c.kind == ContactKind::Slide && !c.is_self()));
        let bottom = Vec3::new(angle(frame).sin(), -angle(frame).cos(), 0.0);
        let gaps: Vec<f64> = ball.positions().iter().map(|p| RADIUS - p.dot(&bottom)).collect();
        is_exactly(found, &gaps, WITHIN * size(&ball));
    }
    assert_eq!(contacts.changes(), (1..12).collect::<Vec<_>>(), "other vertices at every frame");
    assert_eq!(contacts.clusters.iter().map(|c| c.members).sum::<usize>(), contacts.all.len());
    let wide = Clustering::Together(ClusterLimits { size: 0.5, ..ClusterLimits::default() });
    shot.contacts.as_mut().unwrap().cluster = wide;
    let lengths: Vec<usize> =
        gather(&shot).unwrap().clusters.iter().map(|c| c.frames.clone().count()).collect();
    assert_eq!(lengths, [6, 6], "one place of contact that moves on");

    // The same with the floor of [simulate], and as a stick.
    shot.simulate.floor = Some(Floor { height, friction: 1.0 });
    let what = Detect { obstacles: true, ..Detect::default() };
    shot.contacts = detecting(what).map(|c| Section { kind: Some(ContactKind::Stick), blend: 4, ..c });
    let sticking = gather(&shot).unwrap();
    assert_eq!((vertices(&sticking.all), sticking.blend), (vertices(&contacts.all), 4));
    assert!(sticking.all.iter().all(|c| c.kind == ContactKind::Stick));
    assert!(sticking.clusters.iter().all(|c| c.contact.kind == ContactKind::Stick));
}

#[test]
fn what_touches_a_sphere_a_box_or_a_mesh_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let ball = ball();
    let frame: Vec<Vec3> = ball.positions().iter().map(|p| p + Vec3::new(0.0, 1.0, 0.0)).collect();
    let mut shot = moving(folder.path(), &ball, &[frame.clone(), frame.clone()], &[]);
    let within = WITHIN * size(&ball);
    let obstacle = |shape| vec![Obstacle { shape, object: None, friction: None }];

    let center = Vec3::new(0.3, 0.2, 0.0);
    shot.simulate.obstacles = obstacle(ObstacleShape::Sphere { center: center.into(), radius: 0.36 });
    shot.contacts = detecting(Detect { obstacles: true, ..Detect::default() });
    let contacts = gather(&shot).unwrap();
    assert!(contacts.all.len() > 5);
    let gaps: Vec<f64> = frame.iter().map(|p| (p - center).norm() - 0.36).collect();
    is_exactly(&contacts.all, &gaps, within);
    for contact in &contacts.all {
        let radial = (frame[contact.vertex().index()] - center).normalize();
        assert!((contact.normal - radial).norm() < 1e-12);
    }

    shot.simulate.obstacles = obstacle(ObstacleShape::Box { min: [-1.0, 0.0, -1.0], max: [1.0, 0.5, 1.0] });
    let on_box = gather(&shot).unwrap();
    is_exactly(&on_box.all, &frame.iter().map(|p| p.y - 0.5).collect::<Vec<_>>(), within);
    let plate =
        |y: f64| [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, z]| Vec3::new(x, y, z));
    let triangles = [[0, 2, 1], [0, 3, 2]].map(|t| t.map(VertexId)).to_vec();
    write_mesh(folder.path(), "plate.obj", &TriMesh::new(plate(0.5).to_vec(), triangles).unwrap());
    shot.contacts = detecting(Detect { mesh: Some("plate.obj".into()), ..Detect::default() });
    let on_mesh = gather(&shot).unwrap();
    assert!(on_mesh.all.len() > 5);
    assert_eq!(vertices(&on_mesh.all), vertices(&on_box.all));
    // The same plane told by the box, the plate and the floor is one contact.
    let what =
        Detect { floor: Some(0.5), obstacles: true, mesh: Some("plate.obj".into()), ..Detect::default() };
    shot.contacts = detecting(what);
    assert_eq!(gather(&shot).unwrap().all, on_box.all);
}

#[test]
fn a_corner_is_two_contacts_and_a_hollow_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let ball = ball();
    let frame = ball.positions().to_vec();
    let mut shot = moving(folder.path(), &ball, &[frame.clone(), frame.clone()], &[]);
    // A hollow of facets finer than a touch is near: its triangles look inward.
    let bowl = shapes::ball(Vec3::zeros(), 1.02 * RADIUS, 40).unwrap();
    let inward = bowl.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    write_mesh(folder.path(), "bowl.obj", &TriMesh::new(bowl.positions().to_vec(), inward).unwrap());
    shot.contacts = detecting(Detect { mesh: Some("bowl.obj".into()), ..Detect::default() });
    let found = gather(&shot).unwrap();
    assert_eq!(found.at(0).len(), frame.len());
    for (contact, x) in found.at(0).iter().zip(&frame) {
        assert!(contact.normal.dot(&x.normalize()) < -0.99);
    }
    // A vertex that touches a wall and the floor below it.
    let tip =
        (0..frame.len()).min_by(|a, b| (frame[*a].x + frame[*a].y).total_cmp(&(frame[*b].x + frame[*b].y)));
    let at = frame[tip.unwrap()];
    let wall = ObstacleShape::Box { min: [at.x - 1.0, -1.0, -1.0], max: [at.x, 1.0, 1.0] };
    shot.simulate.obstacles = vec![Obstacle { shape: wall, object: None, friction: None }];
    let what = Detect { floor: Some(at.y), obstacles: true, ..Detect::default() };
    shot.contacts = detecting_within(1e-9, what);
    let found = gather(&shot).unwrap();
    let both: Vec<Vec3> =
        found.at(0).iter().filter(|c| c.vertex().index() == tip.unwrap()).map(|c| c.normal).collect();
    assert_eq!(both, [Vec3::y(), Vec3::x()]);
}

#[test]
fn a_folded_strip_touches_itself() {
    let folder = tempfile::tempdir().unwrap();
    let gap = 0.5 * WITHIN;
    let (strip, folded) = fold(gap);
    let flat = strip.positions().to_vec();
    let mut shot = moving(folder.path(), &strip, &[flat, folded.clone(), folded.clone()], &[]);
    shot.body.anchors = vec![Anchor::Above { axis: Axis::X, at: 1.05 }];
    shot.contacts = detecting(Detect { itself: true, ..Detect::default() });
    let contacts = gather(&shot).unwrap();
    assert_eq!(contacts.at(0), []);
    let expected: BTreeSet<usize> = (0..24).filter(|v| !(10..14).contains(v)).collect();
    for frame in [1, 2] {
        assert_eq!(vertices(contacts.at(frame)), expected);
        for contact in contacts.at(frame) {
            assert!(contact.is_self() && contact.vertices[0].1 == 1.0);
            let touched: f64 = contact.vertices[1..].iter().map(|(_, w)| w).sum();
            assert!((touched + 1.0).abs() < 1e-12 && contact.vertices[1..].iter().all(|(_, w)| *w < 0.0));
            let apart: Vec3 = contact.vertices.iter().map(|(v, w)| folded[v.index()] * *w).sum();
            let up = if folded[contact.vertex().index()].y > 0.0 { 1.0 } else { -1.0 };
            assert!((apart - Vec3::y() * (up * gap)).norm() < 1e-12);
            assert!((contact.normal - Vec3::y() * up).norm() < 1e-12);
        }
    }
    assert_eq!((contacts.changes(), contacts.dropped), (vec![1], 0), "what an anchor touches can move");
    let both = contacts.clusters.iter().map(|c| c.contact.normal.y.signum()).collect::<Vec<_>>();
    assert!(both.contains(&1.0) && both.contains(&-1.0), "each side for itself");
    assert!(contacts.clusters.len() < contacts.all.len() / 2);
    // Layers farther apart do not touch.
    let (strip, folded) = fold(2.5 * WITHIN);
    let folder = tempfile::tempdir().unwrap();
    let mut far = moving(folder.path(), &strip, &[folded.clone(), folded], &[]);
    far.contacts = shot.contacts;
    assert_eq!(gather(&far).unwrap().all, []);
}

#[test]
fn a_motion_of_the_skin_has_contacts_of_the_skin() {
    let folder = tempfile::tempdir().unwrap();
    let file = Sample::named("bird").unwrap().write(folder.path()).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    let body = Body::load(&shot).unwrap();
    let skin = body.skin.as_ref().unwrap();
    let cache = Cache::in_folders([folder.path().join("test.cache")]);
    let mut input = InputMotion::open(&shot, &body, &cache, &Progress::silent()).unwrap();
    assert_eq!(input.of, Moving::Skin);
    let mut positions = vec![[0.0; 3]; input.vertices()];
    let mut lowest = (f64::INFINITY, 0, 0);
    for frame in 0..input.clock.frames {
        input.read(frame, &mut positions).unwrap();
        for triangle in skin.mesh.triangles() {
            for v in triangle.map(VertexId::index) {
                if positions[v][1] < lowest.0 {
                    lowest = (positions[v][1], frame, v);
                }
            }
        }
    }
    let (floor, frame, vertex) = lowest;
    shot.contacts = detecting_within(1e-9, Detect { floor: Some(floor), ..Detect::default() });
    let contacts = Contacts::gather(&shot, &body, &mut input, &Progress::silent()).unwrap();
    assert_eq!(contacts.dropped, 0);
    assert!(contacts.at(frame).iter().any(|c| c.vertex().index() == vertex));
    // Anchored: what rides on anchors alone.
    shot.contacts = detecting(Detect { floor: Some(1e3), ..Detect::default() });
    let buried = Contacts::gather(&shot, &body, &mut input, &Progress::silent()).unwrap();
    let count = skin.mesh.triangles().iter().flatten().collect::<BTreeSet<_>>().len() * input.clock.frames;
    assert_eq!(buried.all.len() + buried.dropped, count, "all of the skin is below this floor");
    let rows: Vec<_> = skin.embedding.rows().collect();
    let moves = |v: usize| {
        let (corners, weights) = rows[v];
        corners.iter().zip(weights).any(|(c, w)| *w != 0.0 && !body.anchors.contains(c))
    };
    assert!(buried.dropped > 0 && vertices(&buried.all).into_iter().all(moves));
}

/// The contacts of a shot, however many threads look for them.
fn same_on_any_threads(shot: &Shot) -> Contacts {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| gather(shot).unwrap())
    };
    let one = with(1);
    assert_eq!(with(2), one);
    assert_eq!(with(5), one);
    one
}

#[test]
fn threads_change_nothing_and_cancelling_stops() {
    let folder = tempfile::tempdir().unwrap();
    let (strip, folded) = fold(0.5 * WITHIN);
    let frames: Vec<Vec<Vec3>> = (0..40)
        .map(|f| folded.iter().map(|p| p + Vec3::new(0.0, 0.001 * f64::from(f % 7), 0.0)).collect())
        .collect();
    let mut shot = moving(folder.path(), &strip, &frames, &[]);
    shot.contacts = detecting(Detect { floor: Some(0.004), itself: true, ..Detect::default() });
    let one = same_on_any_threads(&shot);
    assert!(one.all.iter().any(ContactPoint::is_self) && one.all.iter().any(|c| !c.is_self()));
    // Many vertices, which come near one after the other.
    let elsewhere = tempfile::tempdir().unwrap();
    let ball = ball();
    let frames: Vec<Vec<Vec3>> =
        (0..40).map(|f| ball.positions().iter().map(|p| p * (1.0 + 0.02 * f64::from(f))).collect()).collect();
    let mut growing = moving(elsewhere.path(), &ball, &frames, &[]);
    growing.simulate.floor = Some(Floor { height: -0.6, friction: 0.0 });
    let sphere = ObstacleShape::Sphere { center: [0.0, 1.0, 0.0], radius: 0.4 };
    growing.simulate.obstacles = vec![Obstacle { shape: sphere, object: None, friction: None }];
    growing.contacts = detecting(Detect { obstacles: true, ..Detect::default() });
    assert!(same_on_any_threads(&growing).all.len() > 1000);

    let body = Body::load(&shot).unwrap();
    let cache = Cache::in_folders([folder.path().join("test.cache")]);
    let mut input = InputMotion::open(&shot, &body, &cache, &Progress::silent()).unwrap();
    let progress = Progress::silent();
    progress.cancel();
    let stopped = Contacts::gather(&shot, &body, &mut input, &progress);
    assert!(matches!(stopped, Err(ContactsError::Cancelled(_))));
}

#[test]
fn numbers_beyond_all_measure_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let (strip, _) = fold(0.5);
    for scale in [1e300, 1e-300, 0.0] {
        let frame: Vec<Vec3> = strip.positions().iter().map(|p| p * scale).collect();
        let mut shot = moving(folder.path(), &strip, &[frame.clone(), frame], &[]);
        for within in [1e-300, 1.0, 1e300] {
            let what = Detect { floor: Some(-1e300), itself: true, ..Detect::default() };
            shot.contacts = detecting_within(within, what);
            let contacts = gather(&shot).unwrap();
            for contact in contacts.all.iter().chain(contacts.clusters.iter().map(|c| &c.contact)) {
                assert!((contact.normal.norm() - 1.0).abs() < 1e-9);
            }
        }
    }
}
