//! `supple samples`: the built-in shots.

use crate::session::Session;
use serde::Serialize;
use std::fmt;
use supple_project::SAMPLES;

#[derive(Serialize)]
struct Answer {
    samples: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    about: &'static str,
}

pub fn run(session: &Session) -> anyhow::Result<()> {
    let samples = SAMPLES.iter().map(|sample| Line { name: sample.name, about: sample.about }).collect();
    session.answer(&Answer { samples })
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.samples.iter().map(|sample| sample.name.len()).max().unwrap_or(0);
        for Line { name, about } in &self.samples {
            writeln!(f, "{name:<width$}  {about}")?;
        }
        Ok(())
    }
}
