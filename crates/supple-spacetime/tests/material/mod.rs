//! Materials found with the motion they are for.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod circle;
mod drags;
mod flap;
mod oracle;
mod random_problems;
mod trouble;

use crate::drag::bodies::Beam;
use supple_model::Progress;
use supple_spacetime::{
    End, Ends, Grip, HandleId, MaterialEdit, MaterialReport, MaterialSettings, Optimise, Settings, Start,
};

const DT: f64 = 1.0 / 24.0;

/// The eigenvalues of a beam whose modes come five at a time.
fn eigenvalues(modes: usize) -> Vec<f64> {
    let of = |k: usize| 30.0 * (2.0 * (k / 5) as f64 + 1.0).powi(4) * (1.0 + 0.1 * (k % 5) as f64);
    (0..modes).map(of).collect()
}

/// Frames between two ends at rest.
fn at_rest(frames: usize) -> Settings {
    Settings { ends: Ends::Open { start: Start::Rest, end: End::Rest }, ..Settings::new(frames, DT) }
}

fn silent() -> Progress {
    Progress::silent()
}

/// The tip of a beam goes round twice, in two coordinates.
fn circling(frames: usize, handles: usize, optimise: Optimise, shapes: usize) -> (MaterialEdit, Beam) {
    let body = Beam::new(20, [0.0; 3], frames, 0.05);
    let settings = MaterialSettings { shapes, optimise, floor: [0.05, 1e-4], ..MaterialSettings::new(1.0) };
    let mut edit = MaterialEdit::new(&eigenvalues(20), at_rest(frames), Vec::new(), settings).unwrap();
    let (first, last) = (frames / 6, frames * 5 / 8);
    for id in 0..handles {
        let share = id as f64 / (handles - 1) as f64;
        let at = first + (share * (last - first) as f64).round() as usize;
        let (sin, cos) = (2.0 * std::f64::consts::TAU * share).sin_cos();
        let target = [None, Some(0.4 * cos), Some(0.4 * sin)];
        let grip = Grip { target, ..Grip::position(0, at, [0.0; 3]) };
        edit.add(HandleId(id as u64), grip).unwrap();
    }
    (edit, body)
}

fn released(edit: &mut MaterialEdit, body: &Beam) -> MaterialReport {
    edit.release(body, &silent(), &mut |_| {}).unwrap()
}

/// The largest force of the motion in the mass.
fn peak(edit: &MaterialEdit) -> f64 {
    let forces = edit.material().forces(&edit.path().unwrap()).unwrap();
    forces.into_iter().fold(0.0, f64::max)
}

/// V after every step.
fn energies(report: &MaterialReport) -> Vec<f64> {
    report.steps.iter().map(|step| step.energy).collect()
}
