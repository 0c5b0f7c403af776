//! `supple samples`: the built-in shots.

use crate::session::Session;
use supple_project::samples::{self, SampleLine, SamplesAnswer};

pub fn run(session: &Session) -> anyhow::Result<()> {
    session.answer(&samples::list(), text)
}

fn text(answer: &SamplesAnswer) -> String {
    let width = answer.samples.iter().map(|sample| sample.name.len()).max().unwrap_or(0);
    let line = |SampleLine { name, about }: &SampleLine| format!("{name:<width$}  {about}\n");
    answer.samples.iter().map(line).collect()
}
