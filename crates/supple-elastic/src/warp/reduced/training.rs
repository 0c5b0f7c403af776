//! Edits of frames for which shapes and places are chosen.
//!
//! Each is a pair of a frame of the motion, in turn, and modal coordinates z. Where the motion bends, every other z is what
//! leads from its frame to another: z_j − z_i, with z_i the coordinates whose turns and strains come nearest to those of
//! frame i, V-weighted over all places. All others are random states
//!
//! > z_k = g_k λ₁/λ_k, g normally distributed,
//!
//! where random forces on all modes take a body, λ₁ the first that is not 0 and that of rigid modes. A random state is
//! scaled until the place that turns most, of some hundred, turns by an angle between 0 and 90°.

use super::super::WarpedMotion;
use super::ReducedSettings;
use super::stations::Stations;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Accum, Mat, Par, Side};
use nalgebra::Matrix3;
use std::f64::consts::{FRAC_PI_2, PI};
use supple_model::{Cancelled, Progress};
use supple_numerics::random::Random;

/// Frames of a motion that are told apart, so that preparing them costs little whatever its length.
const FRAMES: usize = 64;
/// What turns no place of the body by more than this is no edit to learn from: 1°.
const LEAST_TURN: f64 = PI / 180.0;

/// Places that tell how far a state turns.
const LOOKS: usize = 600;

/// An edit of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingPair {
    /// The frame.
    pub frame: usize,
    /// z.
    pub z: Vec<f64>,
}

/// Edits of a motion.
#[derive(Debug)]
pub struct Training {
    /// All places.
    pub(super) stations: Stations,
    pairs: Vec<TrainingPair>,
    held_out: usize,
}

impl Training {
    /// Edits of a motion by its modes, whose `eigenvalues` say how stiff they are.
    ///
    /// # Errors
    /// [`Cancelled`].
    ///
    /// # Panics
    /// When there is not an eigenvalue for each mode, or the motion has no frames.
    pub fn new(
        motion: &WarpedMotion,
        eigenvalues: &[f64],
        settings: &ReducedSettings,
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        assert_eq!(eigenvalues.len(), motion.basis().modes(), "an eigenvalue for each mode");
        assert!(motion.frames() > 0, "a motion with frames");
        let warp = motion.warp();
        let stations = Stations::new(warp, motion.basis(), (0..warp.places()).collect());
        let mut random = Random::new(settings.seed);
        let count = motion.frames().min(FRAMES);
        let frame = |k: usize| (2 * k + 1) * motion.frames() / (2 * count);
        let known = fitted(motion, &stations, &(0..count).map(frame).collect::<Vec<_>>(), progress)?;
        let scales = scales(eigenvalues);
        let mut pairs = Vec::with_capacity(settings.pairs + settings.held_out);
        for s in 0..settings.pairs + settings.held_out {
            progress.check()?;
            let [at, other] = [0, 1].map(|_| ((0.5 + 0.5 * random.uniform()) * count as f64) as usize);
            let led = (s % 2 == 1).then(|| {
                known[other].iter().zip(&known[at]).map(|(to, from)| to - from).collect::<Vec<f64>>()
            });
            let led = led.filter(|z| largest_turn(&stations, z) > LEAST_TURN);
            let z = led.unwrap_or_else(|| state(&stations, &scales, &mut random));
            pairs.push(TrainingPair { frame: frame(at), z });
        }
        Ok(Self { stations, pairs, held_out: settings.held_out })
    }

    /// The edits that shapes and places are chosen for.
    #[must_use]
    pub fn pairs(&self) -> &[TrainingPair] {
        &self.pairs[..self.pairs.len() - self.held_out]
    }

    /// Those that are kept from the choice, to tell how good it is.
    #[must_use]
    pub fn held_out(&self) -> &[TrainingPair] {
        &self.pairs[self.pairs.len() - self.held_out..]
    }

    /// All of them, those that are kept from the choice last.
    #[must_use]
    pub fn all(&self) -> &[TrainingPair] {
        &self.pairs
    }

    /// Overwrites `out` with the change that an edit asks for at every place.
    pub(super) fn changes(&self, motion: &WarpedMotion, pair: &TrainingPair, out: &mut [Matrix3<f64>]) {
        let (warp, frame) = (motion.warp(), motion.frame(pair.frame));
        let wholes = self.stations.wholes_at(warp, frame, &pair.z);
        let z = self.stations.padded(&pair.z);
        for ((e, out), stand) in out.iter_mut().enumerate().zip(self.stations.stands(warp, frame)) {
            *out = stand.change(&self.stations.edit(e, &z, &wholes));
        }
    }
}

/// λ₁/λ_k.
fn scales(eigenvalues: &[f64]) -> Vec<f64> {
    let first = eigenvalues.iter().copied().filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    let scale = |value: &f64| if *value > first { first / value } else { 1.0 };
    eigenvalues.iter().map(scale).collect()
}

/// A random state.
fn state(stations: &Stations, scales: &[f64], random: &mut Random) -> Vec<f64> {
    let mut z: Vec<f64> = scales.iter().map(|scale| scale * random.normal()).collect();
    let (most, angle) = (largest_turn(stations, &z), FRAC_PI_2 * (0.5 + 0.5 * random.uniform()));
    let factor = if most > 0.0 { angle / most } else { 1.0 };
    z.iter_mut().for_each(|z| *z *= factor);
    z
}

/// The largest |π| of some places.
fn largest_turn(stations: &Stations, z: &[f64]) -> f64 {
    let padded = stations.padded(z);
    let turn = |e: usize| {
        let s = stations.strain(e, &padded);
        s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
    };
    (0..stations.count())
        .step_by(stations.count().div_ceil(LOOKS).max(1))
        .map(turn)
        .fold(0.0, f64::max)
        .sqrt()
}

/// z of some frames: argmin Σ V |N z − s|², turns and strains off the diagonal counted as a gradient has them, twice.
fn fitted(
    motion: &WarpedMotion,
    stations: &Stations,
    frames: &[usize],
    progress: &Progress,
) -> Result<Vec<Vec<f64>>, Cancelled> {
    let (warp, r) = (motion.warp(), stations.modes());
    let volumes = warp.cells.volumes();
    let root = |e: usize, b: usize| (volumes[e] * if (3..6).contains(&b) { 1.0 } else { 2.0 }).sqrt();
    let rows = Mat::from_fn(9 * stations.count(), r, |row, k| {
        let (e, b) = (row / 9, row % 9);
        root(e, b) * stations.rows(e)[b * stations.stride() + k]
    });
    let mut strains = Mat::zeros(9 * stations.count(), frames.len());
    for (k, frame) in frames.iter().enumerate() {
        progress.check()?;
        let column = strains.col_as_slice_mut(k);
        for (e, stand) in stations.stands(warp, motion.frame(*frame)).iter().enumerate() {
            for (b, s) in stand.strain().iter().enumerate() {
                column[9 * e + b] = root(e, b) * s;
            }
        }
    }
    let (mut H, mut sums) = (Mat::zeros(r, r), Mat::zeros(r, frames.len()));
    matmul(H.as_mut(), Accum::Replace, rows.transpose(), rows.as_ref(), 1.0, Par::Seq);
    matmul(sums.as_mut(), Accum::Replace, rows.transpose(), strains.as_ref(), 1.0, Par::Seq);
    // A translation of what floats bends nothing.
    let most = (0..r).map(|k| H[(k, k)]).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    (0..r).for_each(|k| H[(k, k)] += 1e-12 * most);
    let found = H.llt(Side::Lower).map_or_else(|_| Mat::zeros(r, frames.len()), |factor| factor.solve(&sums));
    Ok((0..frames.len()).map(|k| found.col_as_slice(k).to_vec()).collect())
}
