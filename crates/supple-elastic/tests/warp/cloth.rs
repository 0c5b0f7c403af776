//! Triangles: rotations out of their plane, and folds.

use crate::warp::samples::{applied, field, places, strip, warp};
use std::f64::consts::PI;
use supple_mesh::Vec3;

/// Relative changes of the lengths of all edges, the largest.
fn strain(mesh: &supple_mesh::TriMesh, u: &[f64]) -> f64 {
    let moved = places(mesh.positions(), u);
    let edges = mesh.triangles().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    edges
        .map(|(a, b)| {
            let [now, rest] = [&moved[..], mesh.positions()].map(|x| (x[a.index()] - x[b.index()]).norm());
            (now / rest - 1.0).abs()
        })
        .fold(0.0, f64::max)
}

/// A strip held at one end that curls up by 180°: linearly it stretches to several times its length.
#[test]
fn a_strip_flaps_over_without_stretching() {
    let mesh = strip(40, 4, 2.0, 0.3);
    let warp = warp(&mesh, mesh.positions(), true);
    let none = vec![0.0; 3 * mesh.positions().len()];
    let edit = field(mesh.positions(), |x| Vec3::z() * (PI * x.x * x.x / 4.0));
    let out = applied(&warp, &warp.input(&none), &edit);
    println!(
        "180° flap: edges change by {:.2} %, linearly by {:.0} %",
        100.0 * strain(&mesh, &out),
        100.0 * strain(&mesh, &edit)
    );
    assert!(strain(&mesh, &edit) > 1.0);
    assert!(strain(&mesh, &out) < 0.03, "{}", strain(&mesh, &out));
    // Half a circle of length 2: its end is a diameter above its beginning.
    let tip = mesh.positions().iter().position(|x| x.x == 2.0 && x.y > 0.1).unwrap();
    let place = places(mesh.positions(), &out)[tip];
    assert!((place.z - 4.0 / PI).abs() < 0.05 && place.x.abs() < 0.05, "{place}");
}

/// On a strip that is folded already, a fold back unfolds it.
#[test]
fn the_opposite_edit_unfolds_a_folded_strip() {
    let mesh = strip(40, 4, 2.0, 0.3);
    let warp = warp(&mesh, mesh.positions(), true);
    let none = vec![0.0; 3 * mesh.positions().len()];
    let edit = field(mesh.positions(), |x| Vec3::z() * (PI * x.x * x.x / 4.0));
    let folded = applied(&warp, &warp.input(&none), &edit);
    let back: Vec<f64> = edit.iter().map(|p| -p).collect();
    let out = applied(&warp, &warp.input(&folded), &back);
    let worst = out.iter().fold(0.0_f64, |worst, u| worst.max(u.abs()));
    assert!(worst < 0.02, "{worst}");
}
