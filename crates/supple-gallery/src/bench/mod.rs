//! Whole capabilities against the clock, with the published figure beside ours.
//!
//! Every bench computes for real, measures medians, and checks its last state against a fresh,
//! independent computation: a fast wrong answer is a failure, not a row.

mod character;
mod control;
pub(crate) mod drag;
mod elastic;
pub(crate) mod feel;
mod fill;
mod formats;
mod import;
mod material;
mod modes;
mod narwhal;
mod peer;
mod pose;
mod render;
mod row;
mod simulate;
mod sparse;
#[cfg(feature = "studio")]
mod studio;
mod subject;
mod surface;

use anyhow::Context;
use row::Row;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;
use supple_model::Progress;

/// What to measure, and on what.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// The bench, see [`names`]. None: all but `feel`.
    pub name: Option<String>,
    /// A folder with the bodies of the papers; for `feel` a folder of motions, for `character` of captures. None: the bodies that are built in.
    pub data: Option<PathBuf>,
    /// Only cases whose name has this word.
    pub case: Option<String>,
    /// Whether other programs are run on the same matrices, too.
    pub peers: bool,
    /// For `feel`: how many pulls of 5, 12 and 25 % of the size.
    pub pulls: [usize; 3],
    /// For `feel`: the energy of Barbič, Sin and Grinspun 2012, with no bars to pass.
    pub lively: bool,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self { name: None, data: None, case: None, peers: false, pulls: [24; 3], lively: false }
    }
}

impl BenchOptions {
    /// Whether a case is to be run.
    fn wants(&self, case: &str) -> bool {
        self.case.as_ref().is_none_or(|word| case.contains(word.as_str()))
    }
}

type Run = fn(&BenchOptions, &Progress) -> anyhow::Result<Vec<Row>>;

const BENCHES: &[(&str, Run)] = &[
    ("character", character::run),
    ("control", control::run),
    ("drag", drag::run),
    ("elastic", elastic::run),
    ("fill", fill::run),
    ("formats", formats::run),
    ("import", import::run),
    ("material", material::run),
    ("modes", modes::run),
    ("pose", pose::run),
    ("render", render::run),
    ("simulate", simulate::run),
    ("sparse", sparse::run),
    #[cfg(feature = "studio")]
    ("studio", studio::run),
];

/// What a bench measured.
#[derive(Serialize)]
struct Report {
    bench: &'static str,
    rows: Vec<Row>,
}

/// What was measured; `Display` is a table, or several.
#[derive(Serialize)]
pub struct BenchAnswer(Measured);

#[derive(Serialize)]
#[serde(untagged)]
enum Measured {
    One(Report),
    All { benches: Vec<Report> },
    Feel(feel::FeelAnswer),
}

impl BenchAnswer {
    /// What is not as good as it must be, where there are bars to pass.
    #[must_use]
    pub fn missed(&self) -> Option<String> {
        match &self.0 {
            Measured::Feel(answer) => answer.missed(),
            Measured::One(_) | Measured::All { .. } => None,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&row::table(self.bench, &self.rows))
    }
}

impl fmt::Display for BenchAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Measured::One(report) => report.fmt(f),
            Measured::All { benches } => benches.iter().try_for_each(|report| writeln!(f, "{report}")),
            Measured::Feel(answer) => answer.fmt(f),
        }
    }
}

/// The names of the benches; `feel`, the last, is run only when it is named.
pub fn names() -> impl Iterator<Item = &'static str> {
    BENCHES.iter().map(|(name, _)| *name).chain([feel::NAME])
}

/// Runs the benches asked for.
///
/// # Errors
/// A bench that fails, and that is one whose last result is wrong, too; it is named. A missed bar is none: see
/// [`BenchAnswer::missed`].
pub fn measure(options: &BenchOptions, progress: &Progress) -> anyhow::Result<BenchAnswer> {
    if options.name.as_deref() == Some(feel::NAME) {
        let answer = feel::run(options, progress).context("bench feel")?;
        return Ok(BenchAnswer(Measured::Feel(answer)));
    }
    let one = |(bench, run): &(&'static str, Run)| -> anyhow::Result<Report> {
        let mut rows = run(options, progress).with_context(|| format!("bench {bench}"))?;
        rows.retain(|row| options.wants(&row.case));
        Ok(Report { bench, rows })
    };
    Ok(BenchAnswer(match BENCHES.iter().find(|(name, _)| options.name.as_deref() == Some(*name)) {
        Some(bench) => Measured::One(one(bench)?),
        None => Measured::All { benches: BENCHES.iter().map(one).collect::<Result<_, _>>()? },
    }))
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
