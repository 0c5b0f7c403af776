//! `supple bench`: whole capabilities against the clock, with the published figure beside ours.
//!
//! Every bench computes for real, measures medians, and checks its last state against a fresh,
//! independent computation: a fast wrong answer is a failure, not a row.

mod elastic;
mod modes;
mod peer;
mod render;
mod row;
mod subject;

use anyhow::{Context, bail};
use row::Row;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `supple bench`.
#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// Which bench; without a name all of them run
    pub name: Option<String>,
    /// A folder with bridge.abq and bridge.bou, the bridge of Barbič, Sin and Grinspun 2012
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Run other programs on the same matrices too (python3; makes a virtual environment)
    #[arg(long)]
    pub peers: bool,
}

type Run = fn(&BenchArgs) -> anyhow::Result<Vec<Row>>;

const BENCHES: &[(&str, Run)] = &[("elastic", elastic::run), ("modes", modes::run), ("render", render::run)];

/// Runs the benches asked for and prints their rows.
///
/// # Errors
/// An unknown bench, data that cannot be read, a peer that cannot run, a result that is wrong.
pub fn run(args: &BenchArgs, as_json: bool) -> anyhow::Result<()> {
    let chosen: Vec<_> = match &args.name {
        None => BENCHES.iter().collect(),
        Some(name) => BENCHES.iter().filter(|(known, _)| known == name).collect(),
    };
    if chosen.is_empty() {
        let known: Vec<&str> = BENCHES.iter().map(|(name, _)| *name).collect();
        bail!("there is no bench {:?}; there are {}", args.name.as_deref().unwrap_or(""), known.join(", "));
    }
    let mut reports = Vec::new();
    for (name, run) in chosen {
        let rows = run(args).with_context(|| format!("bench {name}"))?;
        if !as_json {
            println!("{}", row::table(name, &rows));
        }
        reports.push(json!({ "bench": name, "rows": rows }));
    }
    if as_json {
        match reports.as_slice() {
            [report] => println!("{report}"),
            _ => println!("{}", json!({ "benches": reports })),
        }
    }
    Ok(())
}

/// The median of the seconds `work` takes, over `repeats` runs after one to warm up.
fn median_seconds(repeats: usize, mut work: impl FnMut()) -> f64 {
    work();
    let mut seconds: Vec<f64> = (0..repeats)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[repeats / 2]
}
