//! Contacts somebody wrote down: as they were written, against what the frames show, or refused.

use super::{detecting, detecting_within, fold, gather, moving, write_mesh};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use supple_formats::write_contacts;
use supple_mesh::Vec3;
use supple_model::{Contact, ContactKind, Frame, Progress, VertexId};
use supple_project::shot::{
    Anchor, Body as BodyShot, BodyKind, Clustering, Contacts as Section, Damping, Detect, Floor, Input,
    Obstacle, ObstacleShape, Shot, Substeps,
};
use supple_project::{Body, Cache, Contacts, ContactsError, InputMotion, Sample};

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
    let section = Section::of_file("motion.####.obj.contacts.csv");
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
    shot.contacts = Some(Section::of_file("twice.csv"));
    shot.body.anchors = vec![Anchor::Vertices(vec![VertexId(23)])];
    let twice = gather(&shot).unwrap();
    assert_eq!((twice.all.len(), twice.dropped, twice.all[0].kind), (1, 2, ContactKind::Stick));
}

fn gather_off(shot: &Shot) -> Contacts {
    let off = Section { off: true, ..Section::of_file("nowhere.csv") };
    let mut shot = shot.clone();
    shot.contacts = Some(off);
    gather(&shot).unwrap()
}

#[test]
fn wrong_contacts_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (strip, folded) = fold(0.5);
    let mut shot = moving(folder.path(), &strip, &[folded.clone(), folded], &[]);
    let mut said = |section: Section| {
        shot.contacts = Some(section);
        gather(&shot).unwrap_err().to_string()
    };
    let file = folder.path().join("list.csv");
    let shown = file.display();
    let mut listed = |rows: &str| {
        fs::write(&file, format!("frame,vertex,nx,ny,nz,kind\n{rows}\n")).unwrap();
        said(Section::of_file("list.csv"))
    };
    let late = format!("{shown}: contact 2: frame 7 is not in the motion, which has frames 5 to 6");
    assert_eq!(listed("5,0,0,1,0,slide\n7,0,0,1,0,slide"), late);
    for frame in ["4", "-2147483648", "2147483647"] {
        let early =
            format!("{shown}: contact 1: frame {frame} is not in the motion, which has frames 5 to 6");
        assert_eq!(listed(&format!("{frame},0,0,1,0,slide")), early);
    }
    let missing =
        format!("{shown}: contact 1: there is no vertex 24: the moving body has 24 vertices, counted from 0");
    assert_eq!(listed("5,24,0,1,0,slide"), missing);
    assert!(listed("5,4294967295,0,1,0,slide").contains("there is no vertex 4294967295"));
    assert!(listed("5,0,nan,1,0,slide").starts_with(&format!("{shown}: line 2: ")));
    assert!(listed("5,0,0,0,0,slide").contains("line 2: expected a normal of length 1"));
    assert!(listed("5,0,0,1,0,glue").contains("line 2: expected stick or slide"));
    assert!(said(Section::of_file("gone.csv")).contains("gone.csv"));
    assert!(said(Section::recorded()).contains("the input is not simulated"));
    let mesh = Detect { mesh: Some("gone.obj".into()), ..Detect::default() };
    assert!(said(Section::detected(mesh)).contains("gone.obj"));
    let point = Obstacle {
        shape: ObstacleShape::Sphere { center: [f64::NAN; 3], radius: 1.0 },
        object: None,
        friction: None,
    };
    shot.simulate.obstacles = vec![point];
    shot.contacts = detecting(Detect { obstacles: true, ..Detect::default() });
    assert!(gather(&shot).unwrap_err().to_string().starts_with("obstacle 1: the radius of a sphere"));
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
        assert!(error.to_string().starts_with("contact 2 of the simulation: the normal ("), "{error}");
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
    shot.simulate.substeps = Substeps::Count(2);
    shot
}

#[test]
fn frames_show_the_contacts_that_their_simulation_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut shot = fallen(folder.path());
    let recorded = gather(&shot).unwrap();
    assert!(recorded.all.len() > 50 && recorded.clusters.len() < recorded.all.len() / 4);
    shot.contacts = Some(Section::recorded());
    assert_eq!(gather(&shot).unwrap(), recorded, "the record is what counts without the section");
    shot.contacts = Some(Section { off: true, ..shot.contacts.unwrap() });
    assert_eq!(gather(&shot).unwrap().all, []);

    shot.contacts = detecting_within(1e-4, Detect { obstacles: true, ..Detect::default() });
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
