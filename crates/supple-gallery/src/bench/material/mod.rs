//! Motions whose material is chosen: Table 1 and Fig. 6 of Li et al. 2014 again; and what few elements cost and miss that
//! stand for a body.

mod case;
mod choose;
pub(crate) mod few;
mod hand;
mod recovery;

use super::BenchOptions;
use super::row::Row;
use anyhow::Context;
use case::Case;
use supple_model::Progress;

/// Samples, and the kinds of rows they have.
const CASES: [(&str, &[Kind]); 8] = [
    ("beam-recovery", &[few::rows, recovery::rows]),
    ("bird-flap", &[few::rows, choose::rows]),
    ("dinosaur-recovery", &[few::rows, recovery::rows]),
    ("flower", &[choose::one_handle]),
    ("flower-circle", &[few::rows, choose::rows]),
    ("flower-near", &[hand::rows]),
    ("skateboard", &[few::rows, choose::rows]),
    ("t-rex-jump", &[few::rows, choose::rows, hand::rows]),
];

type Kind = fn(&Case) -> anyhow::Result<Vec<Row>>;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (index, (name, kinds)) in CASES.into_iter().enumerate().filter(|(_, (name, _))| options.wants(name)) {
        let case = Case::new(name)?;
        for (k, kind) in kinds.iter().enumerate() {
            let done = index as f64 + k as f64 / kinds.len() as f64;
            progress.report(name, done / CASES.len() as f64)?;
            rows.extend(kind(&case).with_context(|| name)?);
        }
    }
    Ok(rows)
}
