//! Rotations past half a turn, over elements and over frames.

use crate::warp::samples::{
    all, applied, at, field, moved, paper_beam, strip, tet_volume, voxel_volume, warp,
};
use std::f64::consts::PI;
use supple_elastic::{InputFrame, Warpable};
use supple_mesh::Vec3;
use supple_mesh::shapes::box_mesh;
use supple_model::Progress;
use supple_numerics::rotation::exp;

/// Sections of a beam along x, turned about its axis by `total` at its end.
fn twisted(positions: &[Vec3], axis: Vec3, length: f64, total: f64) -> Vec<f64> {
    moved(positions, |x| axis + exp(&Vec3::new(total * x.x / length, 0.0, 0.0)) * (x - axis))
}

/// An anchored body that turns as a whole by 3π within 30 frames; anchors turn along.
#[test]
fn rotations_go_on_growing_over_frames() {
    for sample in all(true) {
        let axis = Vec3::new(0.2, -0.3, 0.933).normalize();
        let angle = |i: usize| 3.0 * PI * i as f64 / 30.0;
        let motion: Vec<Vec<f64>> =
            (0..=30).map(|i| moved(&sample.positions, |x| exp(&(axis * angle(i))) * x)).collect();
        let frames = sample.warp.inputs(motion.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
        for (i, frame) in frames.iter().enumerate() {
            for turn in frame.rotation_vectors() {
                assert!((turn - axis * angle(i)).norm() < 1e-10, "{} frame {i}: {turn}", sample.name);
            }
        }
        // By itself the last frame is an odd half turn, the same for all elements.
        let alone = sample.warp.input(&motion[30]);
        for turn in alone.rotation_vectors() {
            assert!((turn - alone.rotation_vectors()[0]).norm() < 1e-6, "{}", sample.name);
        }
    }
}

fn grows_along(frame: &InputFrame, total: f64) {
    let turns = frame.rotation_vectors();
    let most = turns.iter().map(|t| t.x).fold(f64::NEG_INFINITY, f64::max);
    let least = turns.iter().map(|t| t.x).fold(f64::INFINITY, f64::min);
    assert!(least > -0.2 && least < 0.5, "{least}");
    assert!((most - total).abs() < 0.5, "{most} of {total}");
    // Twisted elements tilt, but their vectors keep to the axis.
    let aside = turns.iter().map(|t| t.yz().norm()).fold(0.0, f64::max);
    println!("twist by {total:.2}: {least:.2} to {most:.2}, aside {aside:.2}");
    assert!(aside < 1.0, "{aside}");
}

#[test]
fn rotations_go_on_growing_along_a_twisted_body() {
    let total = 4.0 * PI;
    let voxels = paper_beam();
    let input = twisted(voxels.positions(), Vec3::new(0.0, 0.12, 0.04), 2.0, total);
    grows_along(&warp(&voxels, voxels.positions(), true).input(&input), total);
    let tets = box_mesh(Vec3::new(4.0, 0.3, 0.3), [48, 2, 2]).unwrap();
    let input = twisted(tets.positions(), Vec3::new(0.0, 0.15, 0.15), 4.0, total);
    grows_along(&warp(&tets, tets.positions(), true).input(&input), total);
    let cloth = strip(60, 3, 4.0, 0.2);
    let input = twisted(cloth.positions(), Vec3::new(0.0, 0.1, 0.0), 4.0, total);
    grows_along(&warp(&cloth, cloth.positions(), true).input(&input), total);
}

/// Twisted frame by frame it ends where the last frame alone does, and no vector ever jumps.
#[test]
fn twisting_over_frames_and_along_the_body_agree() {
    let mesh = paper_beam();
    let warp = warp(&mesh, mesh.positions(), true);
    let total = |i: usize| 4.0 * PI * i as f64 / 60.0;
    let axis = Vec3::new(0.0, 0.12, 0.04);
    let motion: Vec<Vec<f64>> = (0..=60).map(|i| twisted(mesh.positions(), axis, 2.0, total(i))).collect();
    let frames = warp.inputs(motion.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
    for (i, two) in frames.windows(2).enumerate() {
        grows_along(&two[1], total(i + 1));
        let vectors = two[0].rotation_vectors().iter().zip(two[1].rotation_vectors());
        let jump = vectors.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(jump < 0.6, "frame {i}: {jump}");
    }
}

/// A beam twisted by two turns in the input, twisted back by the edit: it comes out straight, which it can
/// only when no neighbours disagree about their turns. Returns how far it is off, relative to its length.
fn untwisted(mesh: &impl Warpable, positions: &[Vec3], axis: Vec3, length: f64) -> (Vec<f64>, f64) {
    let warp = warp(mesh, positions, true);
    let input = twisted(positions, axis, length, 4.0 * PI);
    let back = field(positions, |x| Vec3::x().cross(&(x - axis)) * (-4.0 * PI * x.x / length));
    let out = applied(&warp, &warp.input(&input), &back);
    let worst = (0..positions.len()).map(|v| at(&out, v).norm()).fold(0.0, f64::max);
    println!("untwisted: off by {:.2} % of the length", 100.0 * worst / length);
    (out, worst / length)
}

#[test]
fn a_twisted_input_can_be_untwisted() {
    // Strains of the linear twist and of the finite one differ by its square: beams come out straight, but
    // a little longer.
    let mesh = paper_beam();
    let (out, off) = untwisted(&mesh, mesh.positions(), Vec3::new(0.0, 0.12, 0.04), 2.0);
    let (volume, least) = voxel_volume(&mesh, &out);
    assert!(off < 0.1 && least > 0.6 && (volume / 0.0384 - 1.0).abs() < 0.02, "{off} {least} {volume}");
    let mesh = box_mesh(Vec3::new(4.0, 0.3, 0.3), [48, 2, 2]).unwrap();
    let (out, off) = untwisted(&mesh, mesh.positions(), Vec3::new(0.0, 0.15, 0.15), 4.0);
    let (volume, least) = tet_volume(&mesh, &out);
    assert!(off < 0.1 && least > 0.3 && (volume / 0.36 - 1.0).abs() < 0.05, "{off} {least} {volume}");
    let mesh = strip(60, 3, 4.0, 0.2);
    let (_, off) = untwisted(&mesh, mesh.positions(), Vec3::new(0.0, 0.1, 0.0), 4.0);
    assert!(off < 0.15, "{off}");
}

/// An element inside out for some frames returns to the branch of its neighbours.
#[test]
fn an_inverted_element_does_not_lead_its_neighbours_astray() {
    let mesh = box_mesh(Vec3::new(1.0, 0.3, 0.3), [6, 2, 2]).unwrap();
    let warp = warp(&mesh, mesh.positions(), true);
    let corner = mesh.positions().iter().position(|x| x.x > 0.99 && x.y < 0.01 && x.z < 0.01).unwrap();
    // One corner circles through the body and back to its place.
    let motion: Vec<Vec<f64>> = (0..=40)
        .map(|i| {
            let angle = 2.0 * PI * f64::from(i) / 40.0;
            let mut u = vec![0.0; 3 * mesh.positions().len()];
            u[3 * corner] = -0.4 * (1.0 - angle.cos());
            u[3 * corner + 1] = 0.4 * angle.sin();
            u[3 * corner + 2] = 0.3 * (2.0 * angle).sin();
            u
        })
        .collect();
    let frames = warp.inputs(motion.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
    let most = |i: usize| frames[i].rotation_vectors().iter().map(Vec3::norm).fold(0.0, f64::max);
    assert!((0..=40).any(|i| most(i) > 2.0), "some element turned far");
    assert!(most(40) < 1e-6, "{}", most(40));
}

#[test]
fn all_frames_at_once_are_frames_one_after_the_other() {
    for sample in [all(true), all(false)].into_iter().flatten() {
        // Slow at first, then past half a turn and more within few frames, and back.
        let angle = |i: usize| 0.02 * i as f64 + 9.0 * (0.15 * i as f64).sin().max(0.0);
        let motion: Vec<Vec<f64>> = (0..40)
            .map(|i| moved(&sample.positions, |x| exp(&Vec3::new(angle(i) * x.x, 0.3 * x.x, 0.0)) * x))
            .collect();
        let frames = sample.warp.inputs(motion.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
        let mut before: Option<InputFrame> = None;
        let mut most: f64 = 0.0;
        for (frame, displacement) in frames.iter().zip(&motion) {
            let alone = match &before {
                None => sample.warp.input(displacement),
                Some(before) => sample.warp.input_after(displacement, before),
            };
            assert_eq!(frame.rotation_vectors(), alone.rotation_vectors(), "{}", sample.name);
            assert_eq!(frame.displacement(), displacement);
            most = frame.rotation_vectors().iter().map(Vec3::norm).fold(most, f64::max);
            before = Some(alone);
        }
        assert!(most > PI, "{} {most}", sample.name);
    }
}
