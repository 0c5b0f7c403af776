//! Controlled motions: derivatives, minima against independent solvers, what is asked, what is told.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod bodies;
mod derivatives;
mod keys;
mod linear;
mod nonlinear;
mod oracle;
mod replay;
mod watched;
mod windows;
mod wrong;

use supple_model::Progress;
use supple_spacetime::{ControlGuess, ControlProblem, ControlSettings, ControlSolution};

fn quiet() -> Progress {
    Progress::silent()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn solved(problem: &ControlProblem, settings: &ControlSettings, guess: &ControlGuess) -> ControlSolution {
    problem.solve(settings, guess, &quiet(), &mut |_| {}).unwrap()
}
