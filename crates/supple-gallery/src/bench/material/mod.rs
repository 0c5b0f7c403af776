//! Motions whose material is chosen: Table 1 and Fig. 6 of Li et al. 2014 again, as far as edits and poses go.

mod choose;
mod hand;

use super::BenchOptions;
use super::row::Row;
use supple_model::Progress;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = choose::rows(options, &progress.part(0.0, 0.9))?;
    rows.extend(hand::rows(options)?);
    Ok(rows)
}
