//! What the figures of Barbič, Sin and Grinspun, Interactive Editing of Deformable Simulations (2012), claim, on
//! bodies small enough to check it in seconds.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use nalgebra::{Matrix3, Rotation3};
use std::path::Path;
use std::sync::Arc;
use supple_formats::{Elements, VolumeFile};
use supple_mesh::{Vec3, VoxelMesh};
use supple_model::{Progress, VertexId};
use supple_project::shot::{Goal, Handle, Input, Shot, Site, Turn, When};
use supple_project::{Body, Cache, DragMethod, EditReport, Sample};
use tempfile::TempDir;

/// A shot and the folder of its files.
struct Stage {
    folder: TempDir,
    shot: Shot,
}

impl Stage {
    /// A sample at rest.
    fn still(sample: &str, frames: usize, modes: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut shot = Shot::load(&Sample::named(sample).unwrap().write(folder.path()).unwrap()).unwrap();
        shot.motion.input = Input::Rest;
        shot.motion.frames = Some(frames);
        shot.edit.modes = modes;
        shot.edit.handles.clear();
        Self { folder, shot }
    }

    /// A deck on which two masts stand, tied to each other at their tops: cells of a quarter of a metre, the
    /// ends of the deck held.
    fn twin_masts(frames: usize, modes: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let deck = (0..16).map(|i| [i, 0, 0]);
        let masts = [4, 11].into_iter().flat_map(|i| (1..6).map(move |j| [i, j, 0]));
        let cable = (5..11).map(|i| [i, 5, 0]);
        let cells: Vec<[usize; 3]> = deck.chain(masts).chain(cable).collect();
        let mesh = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(0.25), &cells).unwrap();
        let file = VolumeFile {
            positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
            elements: Elements::Hexes(mesh.voxels().iter().map(|voxel| voxel.map(|v| v.0)).collect()),
            ..VolumeFile::default()
        };
        let mut bytes = Vec::new();
        supple_formats::write_abaqus(&file, &mut bytes).unwrap();
        std::fs::write(folder.path().join("masts.inp"), bytes).unwrap();
        let text = format!(
            "[body]\nkind = 'voxels'\nmesh = 'masts.inp'\nmaterial = {{ young = 1e6 }}\nanchors = [{{ below = {{ axis = \
             'x', at = 0.0 }} }}, {{ above = {{ axis = 'x', at = 4.0 }} }}]\n[motion]\ninput = 'rest'\nframes = \
             {frames}\n[edit]\nfeel = 'lively'\nmodes = {modes}\n"
        );
        let shot = Shot::parse(&folder.path().join("masts.toml"), &text).unwrap();
        Self { folder, shot }
    }

    fn open(&self) -> DragMethod {
        let body = Arc::new(Body::load(&self.shot).unwrap());
        let cache = Cache::of_shot(&Path::new(self.folder.path()).join("shot.toml"));
        DragMethod::open(&self.shot, body, &cache, &Progress::silent()).unwrap()
    }
}

fn nearest(editor: &DragMethod, point: [f64; 3]) -> VertexId {
    let off = |v: &usize| (editor.rest()[*v] - Vec3::from(point)).norm();
    let all = 0..editor.rest().len();
    VertexId::new(all.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap())
}

/// Pulls a vertex at a frame counted from 0.
fn pull(editor: &mut DragMethod, index: i32, vertex: VertexId, goal: Goal) {
    let when = When::Frame(editor.clock().start.0 + index);
    editor.add(Handle::new(when, Site::BodyVertex(vertex), goal)).unwrap();
}

/// The whole motion, frame by frame.
fn motion(editor: &mut DragMethod) -> (Vec<Vec<Vec3>>, EditReport) {
    let mut frames = Vec::new();
    let report = editor.solve(&Progress::silent(), |frame| {
        frames.push(frame.positions.iter().map(|p| Vec3::from(*p)).collect());
        Ok(())
    });
    (frames, report.unwrap())
}

/// How far a vertex is from rest along a direction, frame by frame.
fn displacement(editor: &DragMethod, frames: &[Vec<Vec3>], v: VertexId, direction: Vec3) -> Vec<f64> {
    let rest = editor.rest()[v.index()];
    frames.iter().map(|frame| (frame[v.index()] - rest).dot(&direction)).collect()
}

fn extremes(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
}

/// Figure 2: pulling one mast at one frame makes it swing before that frame, and the other mast with it.
#[test]
fn a_mast_swings_before_it_is_pulled_and_takes_the_other_along() {
    const FRAME: usize = 60;
    const PULL: f64 = 0.2;
    let mut editor = Stage::twin_masts(120, 60).open();
    let (left, right) = (nearest(&editor, [1.0, 1.5, 0.0]), nearest(&editor, [3.0, 1.5, 0.0]));
    pull(&mut editor, FRAME as i32, left, Goal::By([PULL, 0.0, 0.0]));
    let (frames, report) = motion(&mut editor);
    let mast = displacement(&editor, &frames, left, Vec3::x());
    assert!((mast[FRAME] - PULL).abs() < 1e-6 * editor.size());
    // Long before the pull, where a plain blend towards it would hardly have begun.
    let [low, high] = extremes(&mast[..FRAME - 12]);
    assert!(low < -0.02 * PULL && high > 0.02 * PULL, "the mast swings from {low} to {high}");
    let [low, high] = extremes(&displacement(&editor, &frames, right, Vec3::x()));
    assert!(high - low > 0.1 * PULL, "the other mast swings from {low} to {high}");
    assert_eq!(report.inverted.map(|worst| worst.count), Some(0));
    // It begins at rest.
    assert_eq!(mast[0], 0.0);
}

/// Figure 3: the more modes, the nearer to the edit of all of them.
#[test]
fn more_modes_come_nearer_to_all_of_them() {
    let edited = |modes: usize| {
        let mut editor = Stage::still("beam", 60, modes).open();
        let tip = nearest(&editor, [2.0, 0.24, 0.0]);
        pull(&mut editor, 40, tip, Goal::By([-0.05, 0.3, 0.2]));
        motion(&mut editor).0
    };
    let distance = |a: &[Vec<Vec3>], b: &[Vec<Vec3>]| -> f64 {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(a, b)| (a - b).norm_squared()).sum::<f64>().sqrt()
    };
    let all = edited(600);
    let rest = Stage::still("beam", 60, 10).open().rest().to_vec();
    let whole = distance(&all, &vec![rest; all.len()]);
    let errors: Vec<f64> = [6, 25, 100, 400].map(|r| distance(&edited(r), &all) / whole).to_vec();
    assert!(errors.windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
    assert!(errors[0] > 1e-3 && errors[3] < 1e-3, "{errors:?}");
    assert_eq!(distance(&edited(600), &all), 0.0);
}

/// The rotation that best takes points from one place to another.
fn rotation(from: &[Vec3], to: &[Vec3]) -> Rotation3<f64> {
    let mean = |points: &[Vec3]| points.iter().sum::<Vec3>() / points.len() as f64;
    let (x0, y0) = (mean(from), mean(to));
    let sum: Matrix3<f64> = from.iter().zip(to).map(|(x, y)| (y - y0) * (x - x0).transpose()).sum();
    let svd = sum.svd(true, true);
    let (u, vt) = (svd.u.unwrap(), svd.v_t.unwrap());
    let sign = Matrix3::from_diagonal(&Vec3::new(1.0, 1.0, (u * vt).determinant().signum()));
    Rotation3::from_matrix_unchecked(u * sign * vt)
}

/// Section 8: bends by 45° and 60° are reached within 1 % by the whole end, though only corners of it are held.
#[test]
fn bends_are_reached_and_turn_no_element_inside_out() {
    for degrees in [45.0, 60.0] {
        let mut editor = Stage::still("beam", 60, 200).open();
        let corners =
            [[2.0, 0.0, 0.0], [2.0, 0.24, 0.0], [2.0, 0.24, 0.08], [1.76, 0.0, 0.08], [1.76, 0.24, 0.0]];
        for corner in corners {
            let turn = Goal::from(Turn { about: [1.0, 0.12, 0.04], axis: [0.0, 0.0, 1.0], degrees });
            let v = nearest(&editor, corner);
            pull(&mut editor, 40, v, turn);
        }
        let (frames, report) = motion(&mut editor);
        let end = |all: &[Vec3]| -> Vec<Vec3> {
            let inside = all.iter().zip(editor.rest()).filter(|(_, rest)| rest.x > 1.7);
            inside.map(|(p, _)| *p).collect()
        };
        let turned = rotation(&end(editor.rest()), &end(&frames[40])).scaled_axis().z.to_degrees();
        assert!((turned / degrees - 1.0).abs() < 0.01, "{turned}° of {degrees}°");
        assert_eq!(report.inverted.map(|worst| worst.count), Some(0), "{degrees}°");
    }
}

/// Power of a signal, faded in and out, at frequencies above `limit` per frame, as a part of all but the mean's.
fn fast_share(signal: &[f64], limit: f64) -> f64 {
    let n = signal.len();
    let turn = |i: usize, k: usize| std::f64::consts::TAU * ((i * k) % n) as f64 / n as f64;
    let faded: Vec<f64> =
        signal.iter().enumerate().map(|(i, x)| (0.5 - 0.5 * turn(i, 1).cos()) * x).collect();
    let power = |k: usize| {
        let sum = |wave: fn(f64) -> f64| -> f64 {
            faded.iter().enumerate().map(|(i, x)| x * wave(turn(i, k))).sum()
        };
        sum(f64::cos).powi(2) + sum(f64::sin).powi(2)
    };
    let all: Vec<f64> = (1..=n / 2).map(power).collect();
    let fast: f64 = (1..=n / 2).filter(|k| *k as f64 / n as f64 > limit).map(|k| all[k - 1]).sum();
    fast / all.iter().sum::<f64>()
}

/// Figure 9: an edit has frequencies that a Catmull-Rom spline through its frames has not.
#[test]
fn edits_have_frequencies_that_splines_have_not() {
    const KEYS: usize = 30;
    let mut editor = Stage::twin_masts(180, 60).open();
    let (left, right) = (nearest(&editor, [1.0, 1.5, 0.0]), nearest(&editor, [3.0, 1.5, 0.0]));
    pull(&mut editor, 90, left, Goal::By([0.2, 0.0, 0.0]));
    let (frames, _) = motion(&mut editor);
    let change = displacement(&editor, &frames, right, Vec3::x());
    let keys: Vec<f64> = change.iter().copied().step_by(KEYS).collect();
    let key = |k: usize| keys[k.min(keys.len() - 1)];
    let spline: Vec<f64> = (0..change.len())
        .map(|i| {
            let (k, t) = (i / KEYS, (i % KEYS) as f64 / KEYS as f64);
            let (a, b, c, d) = (key(k.saturating_sub(1)), key(k), key(k + 1), key(k + 2));
            let cubic = (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t + (3.0 * (b - c) + d - a) * t * t * t;
            0.5 * (2.0 * b + (c - a) * t + cubic)
        })
        .collect();
    let limit = 1.0 / KEYS as f64;
    let (edit, keyed) = (fast_share(&change, limit), fast_share(&spline, limit));
    assert!(edit > 0.5 && keyed < 0.2 * edit, "edit {edit}, spline {keyed}");
}
