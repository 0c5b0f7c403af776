//! Simulations of a whole motion: under forces, under a controller's pull, under feedback.
//!
//! ```text
//! for every frame f: w from what is known of the frames before f
//!                    z_f by a time step of the body, R_f with it
//! ```

use super::error::ControlError;
use super::model::{Model, Point};
use super::policy::{Policy, add_feedback, stiff};
use super::rows::Equation;
use super::small::{add, dot};
use super::stepper::{EXACT, ROUGH, Stepper};
use supple_model::Progress;

/// The motion that forces make, from the first two frames of `z`, which is overwritten.
pub(super) fn simulate(
    model: &Model,
    forces: &[f64],
    mut z: Vec<f64>,
    progress: &Progress,
) -> Result<Vec<f64>, ControlError> {
    let r = model.size();
    let mut run = Run::new(model, &z, EXACT);
    for (e, w) in forces.chunks_exact(r).enumerate() {
        progress.check()?;
        extrapolate(&mut z, e + 2, r);
        let equation = model.rows.equations[e];
        if !run.step(&equation, e, w, &mut z) {
            return Err(ControlError::Simulation { frame: e + 1 });
        }
    }
    Ok(z)
}

/// The motion under a spring k and damper d to a path of as many frames, from the first two frames of `z`; where it does
/// not go on it holds still.
pub(super) fn pulled(
    model: &Model,
    (k, d): (f64, f64),
    path: &[f64],
    mut z: Vec<f64>,
    progress: &Progress,
) -> Result<Vec<f64>, ControlError> {
    let r = model.size();
    let mut run = Run::new(model, &z, EXACT);
    let mut w = vec![0.0; r];
    for e in 0..model.rows.equations.len() {
        progress.check()?;
        let (equation, pull) = model.rows.equations[e].pulled(k, d);
        w.fill(0.0);
        pull.iter().enumerate().for_each(|(j, pull)| add(&mut w, *pull, &path[(e + j) * r..][..r]));
        extrapolate(&mut z, e + 2, r);
        if !run.step(&equation, e, &w, &mut z) {
            for f in e + 2..model.frames() {
                z.copy_within((e + 1) * r..(e + 2) * r, f * r);
            }
            break;
        }
    }
    Ok(z)
}

/// The motion under feedback, s of the step; none where a time step leads nowhere.
pub(super) fn rolled_out(
    model: &Model,
    point: &Point,
    policy: &Policy<'_>,
    s: f64,
    progress: &Progress,
) -> Result<Option<Vec<f64>>, ControlError> {
    let (r, frames) = (model.size(), model.frames());
    let mut z = point.z.clone();
    let (mut delta, mut stiffly) = (vec![0.0; z.len()], vec![0.0; z.len()]);
    let deviate = |f: usize, z: &[f64], delta: &mut [f64], stiffly: &mut [f64]| {
        let at = f * r..(f + 1) * r;
        let own = delta[at.clone()].iter_mut().zip(&z[at.clone()]).zip(&point.z[at.clone()]);
        own.for_each(|((delta, z), old)| *delta = z - old);
        stiff(point, f, &delta[at.clone()], &mut stiffly[at]);
    };
    for f in model.first()..2 {
        let (known, own) = delta.split_at_mut(f * r);
        policy.predict(model, f, s, known, &mut own[..r]);
        add(&mut z[f * r..(f + 1) * r], 1.0, &own[..r]);
        deviate(f, &z, &mut delta, &mut stiffly);
    }
    let mut run = Run::new(model, &z, ROUGH);
    let mut w = vec![0.0; r];
    for f in 2..frames {
        progress.check()?;
        let e = f - 2;
        let (known, own) = delta.split_at_mut(f * r);
        policy.predict(model, f, s, known, &mut own[..r]);
        add(&mut z[f * r..(f + 1) * r], 1.0, &own[..r]);
        stiff(point, f, &own[..r], &mut stiffly[f * r..(f + 1) * r]);
        w.copy_from_slice(&point.w[e * r..][..r]);
        add_feedback(model, e, &delta, &stiffly, &mut w);
        // Where the step is not found z is where it was looked for, and costs what it costs.
        run.step(&model.rows.equations[e], e, &w, &mut z);
        if !dot(&z[f * r..][..r], &z[f * r..][..r]).is_finite() {
            return Ok(None);
        }
        deviate(f, &z, &mut delta, &mut stiffly);
    }
    Ok(Some(z))
}

/// A guess of a frame: the parabola, or line, through those before it.
pub(super) fn extrapolate(z: &mut [f64], frame: usize, r: usize) {
    let (known, own) = z.split_at_mut(frame * r);
    for k in 0..r {
        let before = |j: usize| known[(frame - j) * r + k];
        own[k] =
            if frame > 2 { 3.0 * (before(1) - before(2)) + before(3) } else { 2.0 * before(1) - before(2) };
    }
}

/// A simulation under way: R of all frames so far.
struct Run<'a> {
    model: &'a Model,
    R: Vec<f64>,
    stepper: Stepper,
    force: Vec<f64>,
}

impl<'a> Run<'a> {
    fn new(model: &'a Model, z: &[f64], small: f64) -> Self {
        let r = model.size();
        let mut R = vec![0.0; z.len()];
        model.dynamics.force(&z[..2 * r], &mut R[..2 * r]);
        Self { model, R, stepper: Stepper::new(r, small), force: vec![0.0; r] }
    }

    /// Frame e + 2 under w and the task's loads, from a guess in its place.
    fn step(&mut self, equation: &Equation, e: usize, w: &[f64], z: &mut [f64]) -> bool {
        let r = w.len();
        self.force.copy_from_slice(w);
        add(&mut self.force, 1.0, &self.model.rows.loads[e * r..][..r]);
        let at = e * r..(e + 3) * r;
        let R = &mut self.R[at.clone()];
        self.stepper.step(&*self.model.dynamics, equation, &self.force, &mut z[at], R)
    }
}
