//! A motion shows what its warp and its modes say, one frame or many.

use crate::warp::samples::{Random, Sample, all, apart, applied, moved};
use faer::Mat;
use std::ops::Range;
use std::sync::Arc;
use supple_elastic::{Basis, FreeVertices, WarpContact, WarpedMotion};
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};
use supple_numerics::rotation::exp;

pub const MODES: usize = 7;
pub const FRAMES: usize = 19;

/// Smooth shapes, zero where a sample is anchored.
pub fn basis(sample: &Sample, anchored: bool) -> Basis {
    let positions = &sample.positions;
    let anchors: Vec<VertexId> =
        (0..positions.len()).filter(|&v| anchored && positions[v].x == 0.0).map(VertexId::new).collect();
    let free = FreeVertices::except(positions.len(), &anchors).unwrap();
    let shapes = Mat::from_fn(3 * free.vertices().len(), MODES, |row, k| {
        let x = positions[free.vertices()[row / 3].index()];
        let wave = (1.0 + k as f64) * x.x + (row % 3) as f64 + 0.7 * k as f64 * x.y;
        0.3 * wave.sin() * if anchored { x.x } else { 1.0 }
    });
    Basis::new(shapes, free)
}

/// Frames that bend and, where nothing holds them, tumble; contacts at every fourth, and one that is blended.
pub fn motion(sample: &Sample, anchored: bool) -> WarpedMotion {
    let n = sample.positions.len();
    let frame = |i: usize| {
        let tumble = exp(&(Vec3::new(0.2, 0.3, -0.1) * if anchored { 0.0 } else { i as f64 }));
        moved(&sample.positions, |x| tumble * exp(&Vec3::new(0.05 * i as f64 * x.x, 0.1 * x.x, 0.0)) * x)
    };
    let inputs: Vec<Vec<f64>> = (0..FRAMES).map(frame).collect();
    let warp = crate::warp::samples::again(sample, anchored);
    let frames = warp.inputs(inputs.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
    let mut motion = WarpedMotion::new(warp, Arc::new(basis(sample, anchored)), frames);
    let contact = |v: usize| WarpContact {
        vertices: vec![(VertexId::new(v), 1.0)],
        normal: Some(Vec3::y()),
        shift: Vec3::zeros(),
    };
    for i in (0..FRAMES).step_by(4) {
        motion.hold(i, &[contact(n - 3)]).unwrap();
    }
    let mut other = motion.frame(5).clone();
    motion.warp().hold(&mut other, &[contact(n - 3), contact(n / 2)]).unwrap();
    motion.blend(5, other, 0.3);
    motion
}

pub fn coordinates(random: &mut Random, size: f64) -> Vec<f64> {
    (0..MODES).map(|_| size * random.next()).collect()
}

fn every(motion: &WarpedMotion, frames: Range<usize>, Z: &Mat<f64>) -> Vec<Vec<f64>> {
    let mut shown = Vec::new();
    let first = frames.start;
    motion
        .each(frames, Z.as_ref(), &Progress::silent(), |frame, u| {
            assert_eq!(frame, first + shown.len());
            shown.push(u.to_vec());
            Ok::<(), Cancelled>(())
        })
        .unwrap();
    shown
}

#[test]
fn a_frame_is_its_input_warped_by_the_modes() {
    for (sample, anchored) in both() {
        let motion = motion(&sample, anchored);
        let z = coordinates(&mut Random(3), 0.5);
        let mut edit = vec![f64::NAN; sample.size()];
        motion.basis().displacement(&z, &mut edit);
        for frame in 0..FRAMES {
            let mut out = vec![f64::NAN; sample.size()];
            motion.displacement(frame, &z, &mut out);
            let mut expected = applied(motion.warp(), motion.frame(frame), &edit);
            if frame == 5 {
                let n = sample.positions.len();
                let mut other = motion.frame(5).clone();
                let contacts = [n - 3, n / 2].map(|v| WarpContact {
                    vertices: vec![(VertexId::new(v), 1.0)],
                    normal: Some(Vec3::y()),
                    shift: Vec3::zeros(),
                });
                motion.warp().hold(&mut other, &contacts).unwrap();
                let second = applied(motion.warp(), &other, &edit);
                assert!(apart(&expected, &second) > 1e-3, "{}", sample.name);
                expected = expected.iter().zip(&second).map(|(a, b)| 0.7 * a + 0.3 * b).collect();
            }
            assert!(apart(&out, &expected) < 1e-14, "{} {frame}", sample.name);
        }
        let mut still = vec![f64::NAN; sample.size()];
        motion.displacement(4, &[0.0; MODES], &mut still);
        assert_eq!(still, motion.frame(4).displacement());
    }
}

#[test]
fn many_frames_are_single_ones_in_order() {
    for (sample, anchored) in both() {
        let mut motion = motion(&sample, anchored);
        for is_plain in [false, true] {
            motion.set_plain(is_plain);
            let mut random = Random(17);
            let Z = Mat::from_fn(MODES, FRAMES - 1, |_, _| 0.4 * random.next());
            // Rows one after the other serve as well as columns, and a block of a single frame as one of many.
            let across = Z.transpose().to_owned();
            let mut strided = Vec::new();
            let hand = |_: usize, u: &[f64]| {
                strided.push(u.to_vec());
                Ok::<(), Cancelled>(())
            };
            motion.each(1..18, across.transpose().subcols(0, 17), &Progress::silent(), hand).unwrap();
            let shown = every(&motion, 1..FRAMES, &Z);
            for (k, (strided, shown)) in strided.iter().zip(&shown).enumerate() {
                assert!(apart(strided, shown) < 1e-13, "{} {k}", sample.name);
            }
            for (k, shown) in shown.iter().enumerate() {
                let mut out = vec![f64::NAN; sample.size()];
                motion.displacement(k + 1, Z.col_as_slice(k), &mut out);
                assert!(apart(&out, shown) < 1e-13, "{} {k}", sample.name);
            }
        }
    }
}

#[test]
fn a_plain_motion_adds_the_modes_in_space() {
    for (sample, anchored) in both() {
        let mut motion = motion(&sample, anchored);
        motion.set_plain(true);
        let z = coordinates(&mut Random(11), 0.5);
        let (mut edit, mut out) = (vec![0.0; sample.size()], vec![f64::NAN; sample.size()]);
        motion.basis().displacement(&z, &mut edit);
        for frame in [0, 5, 14] {
            motion.displacement(frame, &z, &mut out);
            let mut change = vec![f64::NAN; sample.size()];
            motion.in_space(frame, &edit, &mut change);
            let input = motion.frame(frame).displacement();
            let expected: Vec<f64> = input.iter().zip(&change).map(|(u, d)| u + d).collect();
            assert!(apart(&out, &expected) < 1e-14, "{} {frame}", sample.name);
            assert!(!anchored || change == edit, "{} {frame}", sample.name);
        }
    }
}

#[test]
fn baked_frames_go_on_from_where_they_are() {
    let sample = &all(false)[0];
    let mut motion = motion(sample, false);
    let mut random = Random(9);
    let Z = Mat::from_fn(MODES, FRAMES, |_, _| 0.2 * random.next());
    let shown = every(&motion, 0..FRAMES, &Z);
    let baked = motion.warp().inputs(shown.iter().map(Vec::as_slice), &Progress::silent()).unwrap();
    motion.set_frames(baked);
    let again = every(&motion, 0..FRAMES, &Mat::zeros(MODES, FRAMES));
    assert_eq!(again, shown);
}

#[test]
fn cancelling_stops() {
    let sample = &all(true)[0];
    let motion = motion(sample, true);
    let progress = Progress::silent();
    let mut seen = 0;
    let Z = Mat::zeros(MODES, FRAMES);
    let ended = motion.each(0..FRAMES, Z.as_ref(), &progress, |_, _| {
        seen += 1;
        progress.cancel();
        Ok::<(), Cancelled>(())
    });
    assert!(ended.is_err() && seen < FRAMES);
    assert!(motion.warp().inputs([motion.frame(0).displacement()], &progress).is_err());
}

pub fn both() -> Vec<(Sample, bool)> {
    let of = |anchored| all(anchored).into_iter().map(move |sample| (sample, anchored));
    of(true).chain(of(false)).collect()
}
