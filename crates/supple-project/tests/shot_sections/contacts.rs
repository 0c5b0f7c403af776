//! Section `[contacts]`.

use super::{full, parse, refused};
use supple_project::shot::{ClusterLimits, Clustering, ContactKind, Contacts, Detect, NewContacts, Recorder};

#[test]
fn the_contacts_of_a_full_shot_are_read() {
    let contacts = Contacts {
        file: Some("contacts.csv".into()),
        kind: Some(ContactKind::Stick),
        off: true,
        cluster: Clustering::Together(ClusterLimits { frames: 12, size: 0.05 }),
        blend: 3,
        ..Contacts::default()
    };
    assert_eq!(full().contacts, Some(contacts));
}

#[test]
fn contacts_are_read() {
    let contacts = |lines: &str| parse(&format!("[contacts]\n{lines}")).unwrap().contacts.unwrap();
    let floor = Detect { floor: Some(0.5), ..Detect::default() };
    assert_eq!(contacts("detect = { floor = 0.5 }"), Contacts::detected(floor));
    let all = Detect {
        floor: None,
        obstacles: true,
        mesh: Some("stairs.obj".into()),
        itself: true,
        plants: true,
        within: 0.01,
    };
    assert_eq!(
        contacts(
            "detect = { obstacles = true, mesh = 'stairs.obj', self = true, plants = true, within = 0.01 }"
        )
        .detect,
        Some(all)
    );
    // Several sources at once, and none at all.
    let both = contacts("file = 'a'\ndetect = { floor = 0.5 }\nnew = 'report'");
    assert_eq!((both.file, both.new), (Some("a".into()), Some(NewContacts::Report)));
    assert!(both.detect.is_some() && both.from.is_none());
    let held = Contacts { new: Some(NewContacts::Hold), ..Contacts::default() };
    assert_eq!(contacts("new = 'hold'"), held);
    let simulated = contacts("from = 'simulation'\ncluster = false");
    assert_eq!(simulated.from, Some(Recorder::Simulation));
    assert_eq!(simulated.cluster, Clustering::Apart);
    assert_eq!(contacts("file = 'a'\ncluster = true").cluster, Clustering::default());
    let longer = ClusterLimits { frames: 9, ..ClusterLimits::default() };
    assert_eq!(contacts("file = 'a'\ncluster = { frames = 9 }").cluster, Clustering::Together(longer));
}

#[test]
fn mistakes_in_contacts_are_named() {
    refused(&[
        (
            "[contacts]\ndetect = { flor = 0 }",
            "5:12: unknown key `flor` in [contacts.detect]; did you mean `floor`?",
        ),
        (
            "[contacts]\ndetect = { within = 0.1 }",
            "5:10: `contacts.detect` has nothing to detect: add floor, obstacles, mesh, self or plants",
        ),
        (
            "[contacts]\ndetect = { self = true, within = 0 }",
            "5:34: `contacts.detect.within` must be greater than 0, got 0",
        ),
        (
            "[contacts]\nfrom = 'simulator'",
            "5:8: `contacts.from` cannot be \"simulator\"; did you mean `simulation`?",
        ),
        (
            "[contacts]\nfile = 'a'\ncluster = 3",
            "6:11: `contacts.cluster` takes true, false or a table, found a whole number",
        ),
        (
            "[contacts]\nfile = 'a'\ncluster = { frames = 0 }",
            "6:22: `contacts.cluster.frames` must be at least 1, got 0",
        ),
        (
            "[contacts]\nfile = 'a'\ncluster = { size = -1 }",
            "6:20: `contacts.cluster.size` must be greater than 0, got -1",
        ),
        (
            "[contacts]\nfile = 'a'\nblend = -1",
            "6:9: `contacts.blend` must be between 0 and 4294967295, got -1",
        ),
        (
            "[contacts]\nfile = 'a'\nkind = 'slid'",
            "6:8: `contacts.kind` cannot be \"slid\"; did you mean `slide`?",
        ),
    ]);
}
