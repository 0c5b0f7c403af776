//! Clusters against a search of the whole graph, and what contacts say of frames.

use super::cluster::{Cluster, Graph};
use super::{ContactPoint, Contacts};
use proptest::prelude::*;
use std::collections::BTreeSet;
use supple_mesh::Vec3;
use supple_model::{ContactKind, VertexId};

const SIDE: usize = 5;
const SPACING: f64 = 0.1;

/// A flat sheet of 5 × 5 vertices.
fn sheet() -> (Vec<Vec3>, Vec<[VertexId; 3]>) {
    let points = (0..SIDE * SIDE).map(|v| Vec3::new((v % SIDE) as f64, 0.0, (v / SIDE) as f64) * SPACING);
    let corners = (0..SIDE - 1).flat_map(|j| (0..SIDE - 1).map(move |i| SIDE * j + i));
    let triangles = corners.flat_map(|v| [[v, v + SIDE, v + SIDE + 1], [v, v + SIDE + 1, v + 1]]);
    (points.collect(), triangles.map(|t| t.map(VertexId::new)).collect())
}

fn contact(frame: usize, vertex: usize, normal: Vec3, kind: ContactKind) -> ContactPoint {
    ContactPoint { frame, vertices: vec![(VertexId::new(vertex), 1.0)], normal, kind, plant: None }
}

fn up(frame: usize, vertex: usize) -> ContactPoint {
    contact(frame, vertex, Vec3::y(), ContactKind::Slide)
}

fn touching(frame: usize, vertex: usize, touched: usize) -> ContactPoint {
    let vertices = vec![(VertexId::new(vertex), 1.0), (VertexId::new(touched), -1.0)];
    ContactPoint { vertices, ..up(frame, vertex) }
}

fn clusters(contacts: &[ContactPoint], frames: usize, size: f64) -> Vec<Cluster> {
    let (rest, triangles) = sheet();
    Graph::new(contacts, &rest, &triangles).clusters(frames, size)
}

/// Contacts of some vertices at some frames, some of them with two normals, some self-contacts.
fn some_contacts() -> impl Strategy<Value = Vec<ContactPoint>> {
    let normal = prop::array::uniform3(-1.0..1.0_f64)
        .prop_filter_map("a direction", |n| Vec3::from(n).try_normalize(0.01));
    let kind = prop::bool::ANY.prop_map(|s| if s { ContactKind::Stick } else { ContactKind::Slide });
    let touched = prop::option::weighted(0.3, 0..SIDE * SIDE);
    let one = (0..12_usize, 0..SIDE * SIDE, normal, kind, touched);
    prop::collection::vec(one, 0..90).prop_map(|list| {
        let mut all: Vec<ContactPoint> = list
            .into_iter()
            .map(|(frame, vertex, normal, kind, touched)| {
                let mut contact = contact(frame, vertex, normal, kind);
                contact.vertices.extend(touched.map(|v| (VertexId::new(v), -1.0)));
                contact
            })
            .collect();
        all.sort_by_key(|c| (c.frame, c.vertex()));
        all
    })
}

/// The definition: same frame and neighbours or the same vertex, or the same vertex a frame apart; and what
/// is touched by both the same or neighbours, or by neither.
fn adjacent(a: &ContactPoint, b: &ContactPoint, triangles: &[[VertexId; 3]]) -> bool {
    let near =
        |x: VertexId, y: VertexId| x == y || triangles.iter().any(|t| t.contains(&x) && t.contains(&y));
    let nodes = if a.frame == b.frame {
        near(a.vertex(), b.vertex())
    } else {
        a.frame.abs_diff(b.frame) == 1 && a.vertex() == b.vertex()
    };
    let sides = match (a.vertices.get(1), b.vertices.get(1)) {
        (None, None) => true,
        (Some((x, _)), Some((y, _))) => near(*x, *y),
        _ => false,
    };
    nodes && sides
}

/// Breadth first over every pair.
fn reached(part: &[usize], contacts: &[ContactPoint]) -> Vec<Vec<usize>> {
    let (_, triangles) = sheet();
    let mut left: BTreeSet<usize> = part.iter().copied().collect();
    let mut parts = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut reached, mut next) = (vec![first], 0);
        while next < reached.len() {
            let from = reached[next];
            let found: Vec<usize> = left
                .iter()
                .copied()
                .filter(|c| adjacent(&contacts[from], &contacts[*c], &triangles))
                .collect();
            found.iter().for_each(|c| assert!(left.remove(c)));
            reached.extend(found);
            next += 1;
        }
        reached.sort_unstable();
        parts.push(reached);
    }
    parts
}

/// What stands for a part, word by word; of vertices that are as near but for rounding any.
fn representative(part: &[usize], contacts: &[ContactPoint]) -> (usize, Vec<VertexId>, Vec3, ContactKind) {
    let (rest, _) = sheet();
    let n = part.len() as f64;
    let time = part.iter().map(|c| contacts[*c].frame as f64).sum::<f64>() / n;
    let frame = (0..12).min_by(|a, b| (*a as f64 - time).abs().total_cmp(&(*b as f64 - time).abs())).unwrap();
    let mean = part.iter().map(|c| rest[contacts[*c].vertex().index()]).sum::<Vec3>() / n;
    let there = part.iter().filter(|c| contacts[**c].frame == frame).map(|c| contacts[*c].vertex());
    let distance = |v: &VertexId| (rest[v.index()] - mean).norm();
    let nearest = there.clone().map(|v| distance(&v)).fold(f64::INFINITY, f64::min);
    let vertices = there.filter(|v| distance(v) < nearest + 1e-12).collect();
    let normal = part.iter().map(|c| contacts[*c].normal).sum::<Vec3>().normalize();
    let sticking = part.iter().filter(|c| contacts[**c].kind == ContactKind::Stick).count();
    let kind = if sticking > part.len() - sticking { ContactKind::Stick } else { ContactKind::Slide };
    (frame, vertices, normal, kind)
}

proptest! {
    #[test]
    fn connected_parts_are_those_of_a_full_search(contacts in some_contacts()) {
        let (rest, triangles) = sheet();
        let graph = Graph::new(&contacts, &rest, &triangles);
        let every: Vec<usize> = (0..contacts.len()).collect();
        prop_assert_eq!(graph.connected(&every), reached(&every, &contacts));
        let odd: Vec<usize> = every.into_iter().filter(|c| c % 3 != 0).collect();
        prop_assert_eq!(graph.connected(&odd), reached(&odd, &contacts));
    }

    /// Of normals alike nothing is cut but by the limits, and without limits nothing at all.
    #[test]
    fn without_limits_clusters_are_the_connected_parts(mut contacts in some_contacts()) {
        contacts.iter_mut().for_each(|c| c.normal = (Vec3::y() + 0.2 * c.normal).normalize());
        let every: Vec<usize> = (0..contacts.len()).collect();
        let found = clusters(&contacts, 100, 100.0);
        let parts = reached(&every, &contacts);
        prop_assert_eq!(found.len(), parts.len());
        for part in parts {
            let (frame, vertices, normal, kind) = representative(&part, &contacts);
            let frames = contacts[part[0]].frame..=contacts[part[part.len() - 1]].frame;
            let is_it = |c: &&Cluster| {
                (c.contact.frame, c.members, &c.frames, c.contact.kind) == (frame, part.len(), &frames, kind)
                    && (c.contact.normal - normal).norm() < 1e-12
                    && vertices.contains(&c.contact.vertex())
            };
            prop_assert!(found.iter().any(|c| is_it(&c)), "{:?} {:?}", part, found);
        }
    }

    #[test]
    fn no_cluster_is_larger_than_allowed(
        contacts in some_contacts(), frames in 1..6_usize, size in 0.05..0.5
    ) {
        let (rest, triangles) = sheet();
        let graph = Graph::new(&contacts, &rest, &triangles);
        let mut waiting = vec![(0..contacts.len()).collect::<Vec<_>>()];
        let mut parts = Vec::new();
        while let Some(part) = waiting.pop() {
            for part in graph.connected(&part) {
                match graph.split(&part, frames, size) {
                    Some(halves) => {
                        prop_assert!(halves.iter().all(|half| !half.is_empty()));
                        let mut both = halves.concat();
                        both.sort_unstable();
                        prop_assert_eq!(&both, &part);
                        waiting.extend(halves);
                    }
                    None => parts.push(part),
                }
            }
        }
        for part in &parts {
            let of = |c: &usize| &contacts[*c];
            prop_assert!(of(&part[part.len() - 1]).frame - of(&part[0]).frame < frames);
            let mean = part.iter().map(|c| of(c).normal).sum::<Vec3>().normalize();
            prop_assert!(part.iter().all(|c| of(c).normal.dot(&mean) > 0.866));
            for (a, b) in part.iter().flat_map(|a| part.iter().map(move |b| (a, b))) {
                let apart = |x: VertexId, y: VertexId| (rest[x.index()] - rest[y.index()]).norm();
                prop_assert!(apart(of(a).vertex(), of(b).vertex()) <= size + 1e-12);
                if let (Some((x, _)), Some((y, _))) = (of(a).vertices.get(1), of(b).vertices.get(1)) {
                    prop_assert!(apart(*x, *y) <= size + 1e-12);
                }
            }
        }
        let found = graph.clusters(frames, size);
        prop_assert_eq!(found.len(), parts.len());
        prop_assert_eq!(found.iter().map(|c| c.members).sum::<usize>(), contacts.len());
        for cluster in &found {
            let holds = |c: &ContactPoint| {
                c.frame == cluster.contact.frame && c.vertices == cluster.contact.vertices
            };
            prop_assert!(contacts.iter().any(holds), "what stands for a cluster is one of its contacts");
            prop_assert!((cluster.contact.normal.norm() - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_long_contact_is_cut_into_the_fewest_equal_pieces() {
    let lengths = |frames: usize, limit: usize| {
        let contacts: Vec<_> = (0..frames).map(|f| up(f, 7)).collect();
        clusters(&contacts, limit, 1.0).iter().map(|c| c.members).collect::<Vec<_>>()
    };
    assert_eq!(lengths(8, 8), [8]);
    assert_eq!(lengths(9, 8), [4, 5]);
    assert_eq!(lengths(24, 8), [8, 8, 8]);
    assert_eq!(lengths(25, 8), [6, 6, 6, 7]);
    assert_eq!(lengths(3, 1), [1, 1, 1]);
}

#[test]
fn a_cluster_is_held_in_its_middle() {
    // Three vertices of a row for three frames, and one of them two longer: the mean is frame 27/11, x = 0.1 · 13/11.
    let mut contacts: Vec<_> = (1..=3).flat_map(|f| (0..3).map(move |v| up(f, v))).collect();
    contacts.push(contact(4, 2, Vec3::new(0.28, 0.96, 0.0), ContactKind::Stick));
    contacts.push(contact(5, 2, Vec3::y(), ContactKind::Stick));
    let found = clusters(&contacts, 10, 1.0);
    let [cluster] = &found[..] else { panic!("{found:?}") };
    assert_eq!((cluster.contact.frame, cluster.contact.vertex()), (2, VertexId(1)));
    assert_eq!((cluster.members, &cluster.frames, cluster.contact.kind), (11, &(1..=5), ContactKind::Slide));
    assert!((cluster.contact.normal - Vec3::new(0.28, 10.96, 0.0).normalize()).norm() < 1e-15);
    // Between two frames the earlier one, and half sticking is sliding.
    let pair = [up(3, 6), contact(4, 6, Vec3::y(), ContactKind::Stick)];
    let found = clusters(&pair, 10, 1.0);
    assert_eq!((found[0].contact.frame, found[0].contact.kind), (3, ContactKind::Slide));
}

#[test]
fn normals_that_cancel_are_not_one_contact() {
    let [left, right] = [Vec3::x(), -Vec3::x()];
    let squeezed = [0, 1, 2].map(|v| contact(0, v, if v == 1 { left } else { right }, ContactKind::Slide));
    let found = clusters(&squeezed, 10, 1.0);
    assert_eq!(
        found.iter().map(|c| (c.contact.vertex().0, c.members)).collect::<Vec<_>>(),
        [(0, 1), (1, 1), (2, 1)]
    );
    assert_eq!(found.iter().map(|c| c.contact.normal).collect::<Vec<_>>(), [right, left, right]);
    // In a corner a vertex has two, each with the neighbours that share it.
    let corner = |v: usize| [up(0, v), contact(0, v, Vec3::x(), ContactKind::Slide)];
    let found = clusters(&[corner(0), corner(1), corner(2)].concat(), 10, 1.0);
    assert_eq!(found.iter().map(|c| c.members).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn self_contacts_hang_together_by_both_sides() {
    // Row 0 touches row 4; in the second list one of them touches the other end of it.
    let fold = [touching(0, 0, 20), touching(0, 1, 21), touching(0, 2, 22), touching(1, 2, 23)];
    assert_eq!(clusters(&fold, 10, 1.0).len(), 1);
    let torn = [touching(0, 0, 20), touching(0, 1, 24), touching(0, 2, 22), up(0, 2)];
    let found = clusters(&torn, 10, 1.0);
    assert_eq!(found.iter().map(|c| c.members).collect::<Vec<_>>(), [1, 1, 1, 1]);
}

#[test]
fn contacts_say_what_touches_at_a_frame_and_when_that_changes() {
    let stick = |f, v| contact(f, v, Vec3::y(), ContactKind::Stick);
    let all =
        vec![up(1, 3), up(1, 4), up(2, 3), up(2, 4), up(3, 3), stick(3, 4), touching(5, 3, 20), up(6, 3)];
    let contacts = Contacts { all, frames: 9, ..Contacts::default() };
    assert_eq!(contacts.at(2), [up(2, 3), up(2, 4)]);
    assert_eq!((contacts.at(0), contacts.at(4), contacts.at(100)), (&[][..], &[][..], &[][..]));
    assert_eq!(contacts.changes(), [1, 3, 4, 5, 6, 7]);
    assert_eq!(Contacts::default().changes(), [0_usize; 0]);
}
