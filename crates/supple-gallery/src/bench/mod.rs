//! `supple bench`: whole capabilities against the clock, with the published figure beside ours.
//!
//! Every bench computes for real, measures medians, and checks its last state against a fresh,
//! independent computation: a fast wrong answer is a failure, not a row.

pub mod drag;
mod elastic;
pub mod feel;
mod fill;
mod formats;
mod import;
mod modes;
mod narwhal;
mod peer;
mod pose;
mod render;
mod row;
mod simulate;
#[cfg(feature = "studio")]
mod studio;
mod subject;
mod surface;

use crate::session::Session;
use anyhow::Context;
use clap::builder::PossibleValuesParser;
use row::Row;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;
use supple_model::Progress;

/// Options of `supple bench`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples:\n  supple bench modes --peers\n  supple bench feel --data motions\n\nThe second \
                  measures edits of the motions made by bench/motions/make.py, and fails if a bar is \
                  missed.\n\nJSON: bench, rows [case, work, seconds, published_seconds, peer_seconds, peer, \
                  residual, peer_residual, elements, modes, threads, peak_rss_mib]; with no name: benches \
                  [bench, rows], all but feel; feel: bench, feel, missed, all [lines], motions [name, \
                  vertices, frames, kind, still, coinciding, touching, import_seconds, lines [measured, \
                  value, bar, ok], pulls]"
)]
pub struct BenchArgs {
    /// The bench to run [default: all but feel]
    #[arg(value_parser = PossibleValuesParser::new(BENCHES.iter().map(|(name, _)| *name).chain([feel::NAME])))]
    name: Option<String>,
    /// A folder with bridge.abq, bridge.bou and bridge.obj, the bridge of Barbič, Sin and Grinspun 2012, and dinosaur.abq
    /// and dinosaur.bou of Barbič, da Silva and Popović 2009; for feel: the folder of motions [default: the built-in bodies]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Only cases whose name has this word
    #[arg(long, value_name = "WORD")]
    case: Option<String>,
    /// Also run other programs on the same matrices (needs python3; makes a virtual environment)
    #[arg(long)]
    peers: bool,
    /// For feel: number of drags of 5, 12 and 25 % of the size each, or three numbers such as 0,3,1
    #[arg(long, value_name = "N", value_parser = feel::parse_pulls, default_value = "24")]
    pulls: [usize; 3],
    /// For feel: use the energy of Barbič, Sin and Grinspun 2012, with no bars to pass
    #[arg(long)]
    lively: bool,
}

impl BenchArgs {
    /// Whether a case is to be run.
    fn wants(&self, case: &str) -> bool {
        self.case.as_ref().is_none_or(|word| case.contains(word.as_str()))
    }
}

type Run = fn(&BenchArgs, &Progress) -> anyhow::Result<Vec<Row>>;

const BENCHES: &[(&str, Run)] = &[
    ("drag", drag::run),
    ("elastic", elastic::run),
    ("fill", fill::run),
    ("formats", formats::run),
    ("import", import::run),
    ("modes", modes::run),
    ("pose", pose::run),
    ("render", render::run),
    ("simulate", simulate::run),
    #[cfg(feature = "studio")]
    ("studio", studio::run),
];

/// What a bench measured.
#[derive(Serialize)]
struct Report {
    bench: &'static str,
    rows: Vec<Row>,
}

/// What all benches measured.
#[derive(Serialize)]
struct Reports {
    benches: Vec<Report>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&row::table(self.bench, &self.rows))
    }
}

impl fmt::Display for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.benches.iter().try_for_each(|report| writeln!(f, "{report}"))
    }
}

/// Runs the benches asked for and prints their rows.
pub fn run(args: &BenchArgs, session: &Session) -> anyhow::Result<()> {
    if args.name.as_deref() == Some(feel::NAME) {
        return feel::run(args, session).context("bench feel");
    }
    let one = |(bench, run): &(&'static str, Run)| -> anyhow::Result<Report> {
        let mut rows = run(args, session.progress()).with_context(|| format!("bench {bench}"))?;
        rows.retain(|row| args.wants(&row.case));
        Ok(Report { bench, rows })
    };
    match BENCHES.iter().find(|(name, _)| args.name.as_deref() == Some(*name)) {
        Some(bench) => session.answer(&one(bench)?),
        None => session.answer(&Reports { benches: BENCHES.iter().map(one).collect::<Result<_, _>>()? }),
    }
}

/// The median of the seconds `work` takes, over `repeats` runs after one to warm up.
fn median_seconds(repeats: usize, mut work: impl FnMut()) -> f64 {
    work();
    let timed = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    median((0..repeats).map(timed).collect())
}

/// The middle one of some values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// |a − b| / |b|.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}
