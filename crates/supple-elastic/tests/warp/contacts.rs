//! Contacts stay where they touch, and do as little as they can.

use crate::warp::samples::{Random, Sample, all, apart, applied, at, field, moved};
use supple_elastic::{WarpContact, WarpError};
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::rotation::exp;

fn slide(v: usize, normal: Vec3) -> WarpContact {
    WarpContact { vertices: vec![(VertexId::new(v), 1.0)], normal: Some(normal), shift: Vec3::zeros() }
}

fn stick(v: usize) -> WarpContact {
    WarpContact { vertices: vec![(VertexId::new(v), 1.0)], normal: None, shift: Vec3::zeros() }
}

/// Slides, sticks, a pair that touches itself, and rows that repeat others.
fn contacts(sample: &Sample) -> Vec<WarpContact> {
    let n = sample.positions.len();
    let normal = Vec3::new(0.2, 1.0, -0.3);
    let pair = WarpContact {
        vertices: vec![(VertexId::new(n / 3), 1.0), (VertexId::new(n - 2), -1.0)],
        normal: Some(Vec3::new(1.0, 1.0, 0.0)),
        shift: Vec3::zeros(),
    };
    vec![
        slide(n - 1, normal),
        slide(n / 2, Vec3::y()),
        stick(n - 4),
        pair,
        slide(n - 1, -normal * 3.0),
        stick(n - 4),
    ]
}

/// The largest movement along what the contacts forbid.
fn slip(contacts: &[WarpContact], out: &[f64], input: &[f64]) -> f64 {
    let read = |contact: &WarpContact| {
        let moved: Vec3 =
            contact.vertices.iter().map(|(v, w)| (at(out, v.index()) - at(input, v.index())) * *w).sum();
        contact.normal.map_or(moved.norm(), |n| n.normalize().dot(&moved).abs())
    };
    contacts.iter().map(read).fold(0.0, f64::max)
}

#[test]
fn contacts_hold_to_the_last_digits() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let mut random = Random(31);
        let tumble = exp(&Vec3::new(0.4, 1.0, -0.8));
        let input = moved(&sample.positions, |x| tumble * (x + random_bend(x)));
        let edit = random.field(sample.positions.len(), 0.2);
        let contacts = contacts(&sample);
        let mut frame = sample.warp.input(&input);
        let without = applied(&sample.warp, &frame, &edit);
        assert!(slip(&contacts, &without, &input) > 1e-2, "{}", sample.name);
        sample.warp.hold(&mut frame, &contacts).unwrap();
        let out = applied(&sample.warp, &frame, &edit);
        assert!(slip(&contacts, &out, &input) < 1e-12, "{} {}", sample.name, slip(&contacts, &out, &input));
        // Sliding ones do slide, and no edit is still no change.
        let n = sample.positions.len();
        assert!((at(&out, n - 1) - at(&input, n - 1)).norm() > 1e-3);
        assert_eq!(applied(&sample.warp, &frame, &vec![0.0; 3 * n]), input);
        sample.warp.hold(&mut frame, &[]).unwrap();
        assert_eq!(applied(&sample.warp, &frame, &edit), without);
    }
}

/// A foot that an edit pushed through the floor has to come up to it: contacts may be asked to move, and points read it.
#[test]
fn contacts_that_shall_move_do_so_whatever_the_edit_and_points_know_it() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        let n = sample.positions.len();
        let mut random = Random(5);
        let input = moved(&sample.positions, |x| x + random_bend(x));
        let edit = random.field(n, 0.1);
        let shift = Vec3::new(0.02, -0.05, 0.03);
        let normal = Vec3::new(0.2, 1.0, -0.3).normalize();
        let contacts = [WarpContact { shift, ..slide(n - 1, normal) }, WarpContact { shift, ..stick(n - 4) }];
        let mut frame = sample.warp.input(&input);
        sample.warp.hold(&mut frame, &contacts).unwrap();
        let out = applied(&sample.warp, &frame, &edit);
        let moved = |v: usize| at(&out, v) - at(&input, v);
        assert!((moved(n - 1).dot(&normal) - shift.dot(&normal)).abs() < 1e-12, "{}", sample.name);
        assert!((moved(n - 4) - shift).norm() < 1e-12, "{}", sample.name);
        for v in [n - 1, n - 4, n / 2] {
            let point = sample.warp.point(&frame, &[(VertexId::new(v), 1.0)]).unwrap();
            let read = point.value(&sample.warp, &frame, &edit);
            assert!((read - at(&out, v)).norm() < 1e-11, "{} {v}: {read} {}", sample.name, at(&out, v));
        }
        let endless = WarpContact { shift: Vec3::repeat(f64::NAN), ..stick(n - 4) };
        assert!(sample.warp.hold(&mut frame, &[endless]).is_err());
    }
}

fn random_bend(x: &Vec3) -> Vec3 {
    Vec3::new(0.0, 0.2 * x.x * x.x, -0.1 * x.x)
}

/// The constrained fit is optimal: the difference to the free one is orthogonal, in the metric of the
/// Laplacian, to every motion the contacts allow. Where one vertex sticks, that difference is a multiple of
/// one column of the inverse: two contacts at one vertex give the same as an anchor there.
#[test]
fn a_vertex_that_sticks_is_an_anchor() {
    use supple_elastic::{FreeVertices, Warp};
    use supple_mesh::shapes::box_mesh;
    let mesh = box_mesh(Vec3::new(1.0, 0.3, 0.2), [7, 3, 2]).unwrap();
    let n = mesh.positions().len();
    let ends: Vec<usize> = (0..n).filter(|&v| mesh.positions()[v].x == 0.0).collect();
    let more = [n - 1, n / 2];
    let warp_of = |anchors: &[usize]| {
        let anchors: Vec<VertexId> = anchors.iter().copied().map(VertexId::new).collect();
        Warp::new(&mesh, &vec![1.0; n], &FreeVertices::except(n, &anchors).unwrap()).unwrap()
    };
    let (warp, anchored) = (warp_of(&ends), warp_of(&[&ends[..], &more].concat()));
    let mut random = Random(8);
    let (input, edit) = (random.field(n, 0.05), random.field(n, 0.2));
    let mut frame = warp.input(&input);
    warp.hold(&mut frame, &more.map(stick)).unwrap();
    let held = applied(&warp, &frame, &edit);
    // Three slides along independent normals are a stick.
    let slides =
        more.map(|v| [Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 2.0)].map(|d| slide(v, d)));
    let mut frame = warp.input(&input);
    warp.hold(&mut frame, slides.as_flattened()).unwrap();
    let slid = applied(&warp, &frame, &edit);
    let wanted = applied(&anchored, &anchored.input(&input), &edit);
    assert!(apart(&held, &wanted) < 1e-12 && apart(&slid, &wanted) < 1e-12);
}

/// On a body that floats the centroid obeys the edit while contacts hold.
#[test]
fn contacts_and_centroids_hold_together() {
    for sample in all(false) {
        let n = sample.positions.len();
        let edit = field(&sample.positions, |x| Vec3::new(0.1, 0.3 * x.x, 0.2 * x.x * x.x));
        let tumble = exp(&Vec3::new(0.5, -1.0, 0.3));
        let input = moved(&sample.positions, |x| tumble * x);
        let mut frame = sample.warp.input(&input);
        let contacts = [slide(0, Vec3::y()), slide(n - 1, Vec3::y())];
        let centroid = |u: &[f64]| {
            let masses = crate::warp::samples::masses(n);
            let total: f64 = masses.iter().sum();
            (0..n).map(|v| at(u, v) * masses[v]).sum::<Vec3>() / total
        };
        sample.warp.hold(&mut frame, &contacts).unwrap();
        let out = applied(&sample.warp, &frame, &edit);
        assert!(slip(&contacts, &out, &input) < 1e-12);
        let wanted = centroid(&input) + centroid(&edit);
        assert!((centroid(&out) - wanted).norm() < 1e-12, "{}", sample.name);
    }
}

#[test]
fn wrong_contacts_and_points_name_their_vertex() {
    let sample = &all(true)[0];
    let n = sample.positions.len();
    let mut frame = sample.warp.input(&vec![0.0; 3 * n]);
    let missing = WarpError::NoSuchVertex { vertex: VertexId::new(n), vertices: n };
    assert_eq!(sample.warp.hold(&mut frame, &[stick(n)]), Err(missing.clone()));
    assert_eq!(sample.warp.point(&frame, &[(VertexId::new(n), 1.0)]).unwrap_err(), missing);
    let flawed = WarpError::Degenerate { vertex: VertexId(2) };
    assert_eq!(sample.warp.hold(&mut frame, &[slide(2, Vec3::zeros())]), Err(flawed.clone()));
    assert_eq!(sample.warp.point(&frame, &[(VertexId(2), f64::NAN)]).unwrap_err(), flawed);
}
