//! Few shapes and few elements that stand for the whole warp: t_B, t_cub and the error of Table 1, and what reading costs.
//!
//! | work | is | residual |
//! |---|---|---|
//! | basis | shapes of changes, with the edits they are made for; modes are there | – |
//! | cubature | at most as many elements as were published, chosen for as many edits | error over other edits |
//! | read a handle, reduced | where it is under an edit, and ∂W/∂z; beside it the same on the whole warp | how far the two are apart |

use super::case::Case;
use crate::bench::median;
use crate::bench::row::Row;
use anyhow::{Context, ensure};
use nalgebra::Matrix3;
use std::sync::Arc;
use std::time::Instant;
use supple_elastic::{
    Cubature, ReducedBasis, ReducedReadout, ReducedSettings, ReducedWarp, Training, WarpReadout, WarpSite,
    WarpedMotion,
};
use supple_mesh::Vec3;
use supple_model::{Ask, Progress, Readout, VertexId};
use supple_project::shot::{Feel, Method, Shot};
use supple_project::{Body, Cache, DragMethod, prepare_modes};

/// Modes whose edits are read: R.
const MODES: usize = 80;
/// Runs of reading.
const READS: usize = 400;

/// A row of Table 1: its sample, seconds for basis and cubature, edits that it is chosen for, elements, and its error.
pub(crate) struct Published {
    pub sample: &'static str,
    pub basis: f64,
    pub cubature: f64,
    pub pairs: usize,
    pub elements: usize,
    pub error: f64,
}

pub(crate) const TABLE: [Published; 6] = [
    Published { sample: "t-rex-jump", basis: 21.8, cubature: 19.8, pairs: 250, elements: 74, error: 0.029 },
    Published {
        sample: "flower-circle",
        basis: 6.7,
        cubature: 16.1,
        pairs: 300,
        elements: 80,
        error: 0.0145,
    },
    Published { sample: "bird-flap", basis: 4.2, cubature: 14.4, pairs: 200, elements: 77, error: 0.018 },
    Published {
        sample: "beam-recovery",
        basis: 15.1,
        cubature: 17.1,
        pairs: 500,
        elements: 69,
        error: 0.0046,
    },
    Published {
        sample: "dinosaur-recovery",
        basis: 16.7,
        cubature: 18.6,
        pairs: 500,
        elements: 79,
        error: 0.01,
    },
    Published { sample: "skateboard", basis: 16.9, cubature: 17.4, pairs: 420, elements: 80, error: 0.0135 },
];

/// The reduced warp of a sample as in its row, and what it took.
pub(crate) struct Few {
    pub motion: Arc<WarpedMotion>,
    pub reduced: Arc<ReducedWarp>,
    pub held_out: Vec<supple_elastic::TrainingPair>,
    /// Elements of the body.
    pub of: usize,
    /// Elements that are looked at.
    pub elements: usize,
    pub basis_seconds: f64,
    pub cubature_seconds: f64,
}

impl Few {
    /// Makes it for a shot.
    pub fn new(shot: &Shot, cache: &Cache, row: &Published, progress: &Progress) -> anyhow::Result<Self> {
        let mut shot = shot.clone();
        shot.edit.choose(Method::Drag);
        (shot.edit.feel, shot.edit.modes) = (Feel::Lively, MODES);
        shot.edit.handles.clear();
        shot.edit.poses.clear();
        let body = Arc::new(Body::load(&shot)?);
        let modes = prepare_modes(&body, MODES, cache, progress)?.modes;
        let editor = DragMethod::open(&shot, body.clone(), cache, progress)?;
        let (motion, masses) = (editor.motion().clone(), body.elastic.masses());
        ensure!(motion.warp().vertices() == masses.len(), "a motion of the body");
        let settings =
            ReducedSettings { pairs: row.pairs, places: row.elements, ..ReducedSettings::default() };
        let begin = Instant::now();
        let training = Training::new(&motion, modes.eigenvalues(), &settings, progress)?;
        let basis = ReducedBasis::new(&motion, &training, masses, &settings, progress)?;
        let basis_seconds = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        let cubature = Cubature::new(&motion, &basis, &training, &settings, progress)?;
        let cubature_seconds = begin.elapsed().as_secs_f64();
        let elements = cubature.elements(motion.warp()).len();
        let reduced = Arc::new(ReducedWarp::new(motion.warp().clone(), motion.basis(), basis, cubature)?);
        let held_out = training.held_out().to_vec();
        let of = body.matter.elements();
        Ok(Self { motion, reduced, held_out, of, elements, basis_seconds, cubature_seconds })
    }

    /// How far frames under the edits that were held out are from those of the whole warp, as a part of what the edit
    /// changes; the root of the mean square of all, shapes that are left out included.
    pub fn apart(&self) -> f64 {
        let size = 3 * self.motion.warp().vertices();
        let [mut edit, mut whole, mut few] = [const { Vec::new() }; 3];
        [&mut edit, &mut whole, &mut few].into_iter().for_each(|field| field.resize(size, 0.0));
        let squares = self.held_out.iter().map(|pair| {
            let frame = self.motion.frame(pair.frame);
            self.motion.basis().displacement(&pair.z, &mut edit);
            self.motion.warp().apply(frame, &edit, &mut whole);
            self.reduced.displacement(frame, &pair.z, &mut few);
            let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            square(&whole, &few) / square(&whole, frame.displacement()).max(f64::MIN_POSITIVE)
        });
        (squares.sum::<f64>() / self.held_out.len().max(1) as f64).sqrt()
    }
}

pub(super) fn rows(case: &Case) -> anyhow::Result<Vec<Row>> {
    let published = TABLE.iter().find(|row| row.sample == case.name).context("a row of the table")?;
    let few = Few::new(&case.shot, &case.cache(), published, &Progress::silent())?;
    let apart = few.apart();
    ensure!(apart < 0.1, "frames are {apart:e} off those of the whole warp");
    let error = few.reduced.cubature().held_out();
    let name = published.sample;
    let made = |work: &str, seconds: f64, paper: f64, residual: Option<f64>| Row {
        elements: Some(few.of),
        modes: Some(MODES),
        published_seconds: Some(paper),
        residual,
        ..Row::new(name, work, seconds)
    };
    Ok(vec![
        made("basis", few.basis_seconds, published.basis, None),
        made(
            &format!("cubature, {} elements", few.elements),
            few.cubature_seconds,
            published.cubature,
            Some(error),
        ),
        read(name, &few)?,
    ])
}

/// The vertex that an edit moves farthest, read by both.
fn read(name: &str, few: &Few) -> anyhow::Result<Row> {
    let pair = few.held_out.first().context("an edit that was held out")?;
    let (motion, size) = (&few.motion, 3 * few.motion.warp().vertices());
    let (mut edit, mut shown) = (vec![0.0; size], vec![0.0; size]);
    motion.basis().displacement(&pair.z, &mut edit);
    motion.warp().apply(motion.frame(pair.frame), &edit, &mut shown);
    let input = motion.frame(pair.frame).displacement();
    let by = |v: &usize| (0..3).map(|c| (shown[3 * v + c] - input[3 * v + c]).powi(2)).sum::<f64>();
    let farthest = (0..size / 3).max_by(|a, b| by(a).total_cmp(&by(b))).context("a vertex")?;
    let vertices = vec![(VertexId::new(farthest), 1.0)];
    let site = WarpSite { vertices, at: pair.frame.into(), axes: Matrix3::identity() };
    let mut whole = WarpReadout::new(motion.clone());
    whole.add(site.clone())?;
    let reduced = ReducedReadout::of(few.reduced.clone(), &whole)?;
    // No edit twice: whoever has seen one may know it.
    let other = |k: usize| pair.z.iter().map(|z| z * (1.0 - 1e-6 * k as f64)).collect::<Vec<f64>>();
    let edits: Vec<Vec<f64>> = (0..READS).map(other).collect();
    let timed = |readout: &dyn Readout, count: usize| {
        let one = |z: &Vec<f64>| {
            let begin = Instant::now();
            let found = readout.linearized(&[Ask { site: 0, at: site.at, z }]).remove(0);
            (begin.elapsed().as_secs_f64(), found)
        };
        let mut found: Vec<_> = edits[..count].iter().map(one).collect();
        let first = found.swap_remove(0).1;
        (median(found.into_iter().map(|(seconds, _)| seconds).collect()), first)
    };
    let (seconds, near) = timed(&reduced, READS);
    let (all, exact) = timed(&whole, READS / 10);
    let off = (Vec3::from(near.value) - Vec3::from(exact.value)).norm() / by(&farthest).sqrt();
    ensure!(off < 0.1, "the handle is {off:e} of its way off");
    Ok(Row {
        elements: Some(few.of),
        modes: Some(MODES),
        peer_seconds: Some(all),
        peer: Some("the same read on the whole warp"),
        residual: Some(off),
        ..Row::new(name, "read a handle, reduced", seconds)
    })
}
