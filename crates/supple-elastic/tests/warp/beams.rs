//! Beams twisted and bent far: nothing inverts, little changes its size.

use crate::warp::samples::{applied, field, moved, paper_beam, places, tet_volume, voxel_volume, warp};
use std::f64::consts::PI;
use supple_mesh::Vec3;
use supple_mesh::shapes::box_mesh;
use supple_numerics::rotation::exp;

/// The length of the middle line of a beam along x, through the means of its cross-sections.
fn length(positions: &[Vec3], u: &[f64]) -> f64 {
    let moved = places(positions, u);
    let mut stations: Vec<f64> = positions.iter().map(|x| x.x).collect();
    stations.sort_unstable_by(f64::total_cmp);
    stations.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    let middle = |x: f64| {
        let here = (0..positions.len()).filter(|&v| (positions[v].x - x).abs() < 1e-9);
        let section: Vec<Vec3> = here.map(|v| moved[v]).collect();
        section.iter().sum::<Vec3>() / section.len() as f64
    };
    let line: Vec<Vec3> = stations.into_iter().map(middle).collect();
    line.windows(2).map(|two| (two[1] - two[0]).norm()).sum()
}

/// The twist p = α x eₓ × (x − c) turns the section at x by α x, growing to 720°.
#[test]
fn a_beam_of_voxels_twists_by_two_turns() {
    let mesh = paper_beam();
    let warp = warp(&mesh, mesh.positions(), true);
    let axis = Vec3::new(0.0, 0.12, 0.04);
    let edit = field(mesh.positions(), |x| Vec3::x().cross(&(x - axis)) * (4.0 * PI * x.x / 2.0));
    let none = vec![0.0; edit.len()];
    let out = applied(&warp, &warp.input(&none), &edit);
    let (volume, least) = voxel_volume(&mesh, &out);
    let rest = 2.0 * 0.24 * 0.08;
    let stretch = length(mesh.positions(), &out) / 2.0;
    println!(
        "720° twist: volume {:+.2} %, length {:+.2} %, least Jacobian {least:.3}",
        100.0 * (volume / rest - 1.0),
        100.0 * (stretch - 1.0)
    );
    assert!(least > 0.0, "an element is inverted: {least}");
    assert!((stretch - 1.0).abs() < 0.03, "length {stretch}");
    // The end section has turned by two turns and stands as it stood.
    let end = mesh.positions().iter().position(|x| x.x > 1.99 && x.y < 0.01 && x.z < 0.01).unwrap();
    let place = places(mesh.positions(), &out)[end];
    let arm = (mesh.positions()[end] - axis).yz();
    let turned = (place - axis).yz();
    let angle = (arm.x * turned.y - arm.y * turned.x).atan2(arm.dot(&turned));
    println!(
        "720° twist: end section off by {:.2}°, arm {:.3}",
        angle.to_degrees(),
        turned.norm() / arm.norm()
    );
    assert!(angle.abs() < 0.35, "{angle}");
}

#[test]
fn slender_beams_keep_their_volume_when_bent_and_twisted() {
    let size = Vec3::new(20.0, 1.0, 1.0);
    let mesh = box_mesh(size, [60, 3, 3]).unwrap();
    let warp = warp(&mesh, mesh.positions(), true);
    let rest = warp.input(&vec![0.0; 3 * mesh.positions().len()]);
    let middle = Vec3::new(0.0, 0.5, 0.5);
    // Pure bending to half a circle: the section at x turns by κx, p = κ(−xy, x²/2) in the linear theory.
    let kappa = PI / size.x;
    let bend = field(mesh.positions(), |x| Vec3::new(-x.x * (x.y - 0.5), x.x * x.x / 2.0, 0.0) * kappa);
    let twist = field(mesh.positions(), |x| Vec3::x().cross(&(x - middle)) * (PI * x.x / size.x));
    let both: Vec<f64> = bend.iter().zip(&twist).map(|(a, b)| a + b).collect();
    for (name, edit) in [("bent", bend), ("twisted", twist), ("both", both)] {
        let out = applied(&warp, &rest, &edit);
        let (volume, least) = tet_volume(&mesh, &out);
        let (change, stretch) = (volume / 20.0 - 1.0, length(mesh.positions(), &out) / 20.0 - 1.0);
        println!(
            "20:1:1 {name}: volume {:+.2} %, length {:+.2} %, least {least:.3}",
            100.0 * change,
            100.0 * stretch
        );
        assert!(change.abs() < 0.05 && least > 0.0, "{name}: {change} {least}");
        assert!(stretch.abs() < 0.03, "{name}: {stretch}");
    }
}

/// A bent input, bent further about the same axis: as if bent at once.
#[test]
fn bending_a_bent_beam_bends_it_further() {
    let size = Vec3::new(10.0, 0.5, 0.5);
    let mesh = box_mesh(size, [40, 2, 2]).unwrap();
    let warp = warp(&mesh, mesh.positions(), true);
    // Bent to an arc of curvature κ about z.
    let arc = |kappa: f64| {
        moved(mesh.positions(), |x| {
            let angle = kappa * x.x;
            let tip = Vec3::new(angle.sin(), 1.0 - angle.cos(), 0.0) / kappa;
            tip + exp(&Vec3::new(0.0, 0.0, angle)) * Vec3::new(0.0, x.y - 0.25, x.z)
        })
    };
    let kappa = 0.5 * PI / size.x;
    let further = field(mesh.positions(), |x| Vec3::new(-x.x * (x.y - 0.25), x.x * x.x / 2.0, 0.0) * kappa);
    let out = applied(&warp, &warp.input(&arc(kappa)), &further);
    let wanted = arc(2.0 * kappa);
    let worst = places(mesh.positions(), &out)
        .iter()
        .zip(places(mesh.positions(), &wanted))
        .map(|(a, b)| (a - b).norm())
        .fold(0.0, f64::max);
    // The linear edit alone would put the tip 3 m away from there.
    assert!(worst < 0.05, "{worst}");
}
