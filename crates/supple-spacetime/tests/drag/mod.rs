//! Handles on bodies that warp their edits: held, at least cost, whatever way they were dragged.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

pub mod bodies;
mod given;
mod held;
mod linear;
mod live;
mod oracle;
mod release;
mod smooth;
mod starts;
mod trouble;
mod wide;

use crate::random::Random;
use std::sync::Arc;
use supple_model::Progress;
use supple_spacetime::{
    Constraints, Drag, DragReport, DragSettings, Grip, HandleId, Kernel, Oscillator, Settings,
};

const FRAMES: usize = 40;

/// A kernel whose modes stiffen as those of a beam, `per` of them at a time.
fn kernel(modes: usize, per: usize) -> Arc<Kernel> {
    let dt = 1.0 / 24.0;
    let of = |k: usize| {
        let eigenvalue = 30.0 * (2.0 * (k / per) as f64 + 1.0).powi(4) * (1.0 + 0.1 * (k % per) as f64);
        Oscillator { eigenvalue, delta: 0.02 + 0.25 * 2.0 * dt / std::f64::consts::PI * eigenvalue }
    };
    let modes: Vec<Oscillator> = (0..modes).map(of).collect();
    Arc::new(Kernel::new(&modes, Settings::new(FRAMES, dt)).unwrap())
}

fn drag(kernel: &Arc<Kernel>) -> Drag {
    Drag::new(&Constraints::new(kernel.clone()), DragSettings::new(1.0)).unwrap()
}

/// Handles 0, 1, … on a kernel without contacts.
fn with(kernel: &Arc<Kernel>, grips: &[Grip]) -> Drag {
    let mut drag = drag(kernel);
    for (id, grip) in grips.iter().enumerate() {
        drag.add(HandleId(id as u64), *grip).unwrap();
    }
    drag
}

fn silent() -> Progress {
    Progress::silent()
}

/// The largest error of any coordinate.
fn error(report: &DragReport) -> f64 {
    report.errors.iter().flat_map(|handle| handle.error).fold(0.0, |most, error| error.abs().max(most))
}
