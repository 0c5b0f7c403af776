//! The contacts of shots: read, found in frames, refused.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use supple_formats::{SurfaceFile, write_contacts, write_obj};
use supple_mesh::{TriMesh, Vec3, shapes};
use supple_model::{Contact, ContactKind, Frame, Progress, VertexId};
use supple_project::shot::{
    Anchor, Body as BodyShot, BodyKind, ClusterLimits, Clustering, ContactSource, Contacts as Section,
    Damping, Detect, Floor, Input, Obstacle, ObstacleShape, Recorder, Shot,
};
use supple_project::{
    Body, Cache, ContactPoint, Contacts, ContactsError, InputMotion, MotionOutput, Moving, Sample,
};

/// How near a touch is, as a part of the size.
const WITHIN: f64 = 0.01;
const RADIUS: f64 = 0.5;

fn write_mesh(folder: &Path, name: &str, mesh: &TriMesh) {
    let file = SurfaceFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        ..SurfaceFile::default()
    };
    let mut bytes = Vec::new();
    write_obj(&file, &mut bytes).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
}

/// A shot of a network of springs along a surface, which moves as told: frames begin at 5.
fn moving(folder: &Path, mesh: &TriMesh, frames: &[Vec<Vec3>], contacts: &[Contact]) -> Shot {
    write_mesh(folder, "body.obj", mesh);
    let mut shot = Shot::new(folder, BodyShot::new(BodyKind::Springs, "body.obj")).unwrap();
    let body = Body::load(&shot).unwrap();
    // A series of text files keeps every bit.
    let file = folder.join("motion.####.obj");
    let output = MotionOutput::create(&file, &body, Moving::Body, (Frame(5), 24.0, frames.len())).unwrap();
    let mut output = output.with_contacts();
    for (index, frame) in frames.iter().enumerate() {
        let positions: Vec<[f64; 3]> = frame.iter().map(|p| (*p).into()).collect();
        let of_frame: Vec<Contact> =
            contacts.iter().filter(|c| c.frame.0 == 5 + index as i32).copied().collect();
        output.write(&positions, &of_frame).unwrap();
    }
    output.finish().unwrap();
    shot.motion.input = Input::File("motion.0005.obj".into());
    shot
}

fn gather(shot: &Shot) -> Result<Contacts, ContactsError> {
    let body = Body::load(shot).unwrap();
    let cache = Cache::in_folders([shot.folder().join("test.cache")]);
    let mut input = InputMotion::open(shot, &body, &cache, &Progress::silent()).unwrap();
    Contacts::gather(shot, &body, &mut input, &Progress::silent())
}

fn detecting(what: Detect) -> Option<Section> {
    Some(Section::new(ContactSource::Detect(Detect { within: WITHIN, ..what })))
}

fn vertices(contacts: &[ContactPoint]) -> BTreeSet<usize> {
    contacts.iter().map(|c| c.vertex().index()).collect()
}

fn ball() -> TriMesh {
    shapes::ball(Vec3::zeros(), RADIUS, 12).unwrap()
}

fn size(mesh: &TriMesh) -> f64 {
    supple_mesh::Aabb::around(mesh.positions()).size().norm()
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
    let obstacle = |shape| vec![Obstacle { shape, friction: None }];

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

/// A strip of ten squares along x, and the same folded over its middle square, the layers `gap` apart.
fn fold(gap: f64) -> (TriMesh, Vec<Vec3>) {
    let rest: Vec<Vec3> =
        (0..=11).flat_map(|i| [0.0, 0.1].map(|z| Vec3::new(0.1 * f64::from(i), 0.0, z))).collect();
    let squares = (0..11).map(|i| [2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2].map(VertexId::new));
    let triangles = squares.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let bend = |p: &Vec3| if p.x < 0.55 { *p } else { Vec3::new(1.1 - p.x, gap, p.z) };
    let folded = rest.iter().map(bend).collect();
    (TriMesh::new(rest, triangles).unwrap(), folded)
}

#[test]
fn a_folded_strip_touches_itself() {
    let folder = tempfile::tempdir().unwrap();
    let gap = 0.5 * WITHIN;
    let (strip, folded) = fold(gap);
    let flat = strip.positions().to_vec();
    let mut shot = moving(folder.path(), &strip, &[flat, folded.clone(), folded.clone()], &[]);
    shot.body.anchors = vec![Anchor::Above { axis: supple_project::shot::Axis::X, at: 1.05 }];
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
fn a_list_of_contacts_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let (strip, folded) = fold(0.5);
    let contact =
        |frame, vertex, normal, kind| Contact { frame: Frame(frame), vertex: VertexId(vertex), normal, kind };
    let list = [
        contact(5, 23, [0.0, 1.0, 0.0], ContactKind::Stick),
        contact(5, 2, [0.0, 1.0, 0.0], ContactKind::Slide),
        contact(6, 2, [0.0, 0.6, 0.8], ContactKind::Slide),
        contact(6, 2, [0.0, 1.0, 0.0], ContactKind::Stick),
    ];
    let mut shot = moving(folder.path(), &strip, &[folded.clone(), folded], &list);
    assert_eq!(gather(&shot).unwrap(), gather_off(&shot), "a file that is not named is not read");
    let section = Section::new(ContactSource::File("motion.####.obj.contacts.csv".into()));
    shot.contacts = Some(Section { cluster: Clustering::Apart, ..section.clone() });
    let read = gather(&shot).unwrap();
    let mut expected: Vec<(usize, u32, Vec3, ContactKind)> =
        list.iter().map(|c| ((c.frame.0 - 5) as usize, c.vertex.0, c.normal.into(), c.kind)).collect();
    expected.swap(0, 1);
    let found: Vec<_> = read.all.iter().map(|c| (c.frame, c.vertex().0, c.normal, c.kind)).collect();
    assert_eq!(found, expected);
    assert_eq!(
        read.clusters.iter().map(|c| &c.contact).collect::<Vec<_>>(),
        read.all.iter().collect::<Vec<_>>()
    );
    assert_eq!(read.changes(), [1]);

    // What cannot move, and what is said twice, is left out.
    let twice = [list[1], list[0], contact(5, 2, [0.0, 1.0, 0.0], ContactKind::Stick)];
    let mut bytes = Vec::new();
    write_contacts(&twice, &mut bytes).unwrap();
    fs::write(folder.path().join("twice.csv"), bytes).unwrap();
    shot.contacts = Some(Section::new(ContactSource::File("twice.csv".into())));
    shot.body.anchors = vec![Anchor::Vertices(vec![VertexId(23)])];
    let twice = gather(&shot).unwrap();
    assert_eq!((twice.all.len(), twice.dropped, twice.all[0].kind), (1, 2, ContactKind::Stick));
}

fn gather_off(shot: &Shot) -> Contacts {
    let off = Section { off: true, ..Section::new(ContactSource::File("nowhere.csv".into())) };
    let mut shot = shot.clone();
    shot.contacts = Some(off);
    gather(&shot).unwrap()
}

#[test]
fn wrong_contacts_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (strip, folded) = fold(0.5);
    let mut shot = moving(folder.path(), &strip, &[folded.clone(), folded], &[]);
    let mut said = |source: ContactSource| {
        shot.contacts = Some(Section::new(source));
        gather(&shot).unwrap_err().to_string()
    };
    let file = folder.path().join("list.csv");
    let shown = file.display();
    let mut listed = |rows: &str| {
        fs::write(&file, format!("frame,vertex,nx,ny,nz,kind\n{rows}\n")).unwrap();
        said(ContactSource::File("list.csv".into()))
    };
    let late = format!("{shown}: contact 2: frame 7 is not in the motion, which has frames 5 to 6");
    assert_eq!(listed("5,0,0,1,0,slide\n7,0,0,1,0,slide"), late);
    for frame in ["4", "-2147483648", "2147483647"] {
        let early =
            format!("{shown}: contact 1: frame {frame} is not in the motion, which has frames 5 to 6");
        assert_eq!(listed(&format!("{frame},0,0,1,0,slide")), early);
    }
    let missing = format!(
        "{shown}: contact 1: there is no vertex 24: the body that moves has 24 vertices, counted from 0"
    );
    assert_eq!(listed("5,24,0,1,0,slide"), missing);
    assert!(listed("5,4294967295,0,1,0,slide").contains("there is no vertex 4294967295"));
    assert!(listed("5,0,nan,1,0,slide").starts_with(&format!("{shown}: line 2: ")));
    assert!(listed("5,0,0,0,0,slide").contains("line 2: expected a normal of length 1"));
    assert!(listed("5,0,0,1,0,glue").contains("line 2: expected stick or slide"));
    assert!(said(ContactSource::File("gone.csv".into())).contains("gone.csv"));
    assert!(said(ContactSource::From(Recorder::Simulation)).contains("the input is not simulated"));
    let mesh = Detect { mesh: Some("gone.obj".into()), ..Detect::default() };
    assert!(said(ContactSource::Detect(mesh)).contains("gone.obj"));
    let point =
        Obstacle { shape: ObstacleShape::Sphere { center: [f64::NAN; 3], radius: 1.0 }, friction: None };
    shot.simulate.obstacles = vec![point];
    shot.contacts = detecting(Detect { obstacles: true, ..Detect::default() });
    assert!(gather(&shot).unwrap_err().to_string().starts_with("obstacle 1: a sphere"));
}

#[test]
fn a_record_that_is_no_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (strip, _) = fold(0.5);
    write_mesh(folder.path(), "body.obj", &strip);
    let mut shot = Shot::new(folder.path(), BodyShot::new(BodyKind::Springs, "body.obj")).unwrap();
    let body = Body::load(&shot).unwrap();
    let cache = Cache::in_folders([folder.path().join("test.cache")]);
    let mut input = InputMotion::open(&shot, &body, &cache, &Progress::silent()).unwrap();
    shot.motion.input = Input::Simulate;
    let contact = |normal| Contact { frame: Frame(1), vertex: VertexId(3), normal, kind: ContactKind::Slide };
    for normal in [[0.0; 3], [f64::NAN, 1.0, 0.0], [f64::INFINITY, 0.0, 0.0]] {
        input.contacts = vec![contact([0.0, 1.0, 0.0]), contact(normal)];
        let error = Contacts::gather(&shot, &body, &mut input, &Progress::silent()).unwrap_err();
        assert!(matches!(&error, ContactsError::BadNormal { contact, .. } if contact.number == 2));
        assert!(error.to_string().starts_with("contact 2 of the simulation: ("), "{error}");
    }
    for length in [1e-300, 1e300] {
        input.contacts = vec![contact([0.0, -length, 0.0])];
        let contacts = Contacts::gather(&shot, &body, &mut input, &Progress::silent()).unwrap();
        assert_eq!(contacts.all[0].normal, -Vec3::y());
    }
}

/// A bar that falls flat on the floor and stays there.
fn fallen(folder: &Path) -> Shot {
    let file = Sample::named("bar").unwrap().write(folder).unwrap();
    let mut shot = Shot::load(&file).unwrap();
    shot.motion.input = Input::Simulate;
    shot.motion.frames = Some(16);
    shot.body.anchors.clear();
    shot.simulate.damping = Damping { mass: 0.0, stiffness: 0.02 };
    shot.simulate.floor = Some(Floor { height: -0.01, friction: 0.5 });
    shot.simulate.cage = Some(8);
    shot.simulate.substeps = 2;
    shot
}

#[test]
fn frames_show_the_contacts_that_their_simulation_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = fallen(folder.path());
    let recorded = gather(&shot).unwrap();
    assert!(recorded.all.len() > 50 && recorded.clusters.len() < recorded.all.len() / 4);
    shot.contacts = Some(Section::new(ContactSource::From(Recorder::Simulation)));
    assert_eq!(gather(&shot).unwrap(), recorded, "the record is what counts without the section");
    shot.contacts = Some(Section { off: true, ..shot.contacts.unwrap() });
    assert_eq!(gather(&shot).unwrap().all, []);

    shot.contacts = detecting(Detect { obstacles: true, ..Detect::default() });
    shot.contacts.as_mut().unwrap().source =
        ContactSource::Detect(Detect { obstacles: true, within: 1e-4, ..Detect::default() });
    let found = gather(&shot).unwrap();
    let places = |contacts: &Contacts| -> BTreeSet<(usize, VertexId)> {
        contacts.all.iter().map(|c| (c.frame, c.vertex())).collect()
    };
    let (recorded_places, found_places) = (places(&recorded), places(&found));
    assert!(recorded_places.is_subset(&found_places), "what pressed on the floor is near it");
    assert!(found.all.iter().all(|c| c.normal == Vec3::y()));
    // What is near and did not press may be found besides.
    assert!(
        found_places.len() < 2 * recorded_places.len(),
        "{} {}",
        recorded_places.len(),
        found_places.len()
    );
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
    for frame in 0..input.frames {
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
    shot.contacts = detecting(Detect { floor: Some(floor), ..Detect::default() });
    shot.contacts.as_mut().unwrap().source =
        ContactSource::Detect(Detect { floor: Some(floor), within: 1e-9, ..Detect::default() });
    let contacts = Contacts::gather(&shot, &body, &mut input, &Progress::silent()).unwrap();
    assert_eq!(contacts.dropped, 0);
    assert!(contacts.at(frame).iter().any(|c| c.vertex().index() == vertex));
    // Anchored: what rides on anchors alone.
    shot.contacts = detecting(Detect { floor: Some(1e3), ..Detect::default() });
    let buried = Contacts::gather(&shot, &body, &mut input, &Progress::silent()).unwrap();
    let count = skin.mesh.triangles().iter().flatten().collect::<BTreeSet<_>>().len() * input.frames;
    assert_eq!(buried.all.len() + buried.dropped, count, "all of the skin is below this floor");
    let rows: Vec<_> = skin.embedding.rows().collect();
    let moves = |v: usize| {
        let (corners, weights) = rows[v];
        corners.iter().zip(weights).any(|(c, w)| *w != 0.0 && !body.anchors.contains(c))
    };
    assert!(buried.dropped > 0 && vertices(&buried.all).into_iter().all(moves));
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
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| gather(&shot).unwrap())
    };
    let one = with(1);
    assert!(one.all.iter().any(ContactPoint::is_self) && one.all.iter().any(|c| !c.is_self()));
    assert_eq!(with(2), one);
    assert_eq!(with(5), one);

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
            let what = Detect { floor: Some(-1e300), itself: true, within, ..Detect::default() };
            shot.contacts = Some(Section::new(ContactSource::Detect(what)));
            let contacts = gather(&shot).unwrap();
            for contact in contacts.all.iter().chain(contacts.clusters.iter().map(|c| &c.contact)) {
                assert!((contact.normal.norm() - 1.0).abs() < 1e-9);
            }
        }
    }
}
