//! Motions whose material is chosen: Table 1 and Fig. 6 of Li et al. 2014 again; and what few elements cost and miss that
//! stand for a body.

mod choose;
pub(crate) mod few;
mod hand;
mod recovery;

use super::BenchOptions;
use super::row::Row;
use supple_model::Progress;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = few::rows(options, &progress.part(0.0, 0.3))?;
    rows.extend(choose::rows(options, &progress.part(0.3, 0.7))?);
    rows.extend(hand::rows(options)?);
    rows.extend(recovery::rows(options, &progress.part(0.8, 1.0))?);
    Ok(rows)
}
