//! What is asked of edits that look natural: some pulls come to a few numbers, each beside its bar.
//!
//! Medians and the like of few pulls are chance: each has a bar only where enough pulls were read for it. 95 % of twenty
//! pulls, or 99 % of seventy, would be all of them; over all motions together there are enough.

use super::measure::{Seen, quantile};
use serde::Serialize;

/// A pull and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Of the size.
    pub percent: u32,
    pub vertex: usize,
    /// The scene's number.
    pub frame: i32,
    /// How the solution ended; null where the pull was refused.
    pub status: Option<&'static str>,
    /// Why it was refused.
    pub refused: Option<String>,
    /// Whether a warning came with it.
    pub warned: bool,
    /// Elements that the edit alone turned inside out, in the worst frame; null for what has none.
    pub turned: Option<usize>,
    pub iterations: usize,
    pub seconds: f64,
    #[serde(flatten)]
    pub seen: Option<Seen>,
}

/// What a number must be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bar {
    AtMost(f64),
    AtLeast(f64),
}

impl Bar {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtMost(bar) => value <= bar,
            Self::AtLeast(bar) => value >= bar,
        }
    }
}

/// One line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub measured: &'static str,
    /// Null where nothing of the kind was pulled, or is there.
    pub value: Option<f64>,
    /// Null where none is asked.
    pub bar: Option<Bar>,
    pub ok: bool,
}

/// What was read of some pulls.
struct Read {
    value: f64,
    /// Of how many pulls.
    pulls: usize,
}

struct Measure {
    name: &'static str,
    bar: Bar,
    read: fn(&[Outcome]) -> Option<Read>,
}

impl Measure {
    /// Of so many pulls it is no chance.
    fn enough(&self) -> usize {
        match self.name {
            name if name.ends_with("median") => 15,
            name if name.ends_with("95 %") => 60,
            name if name.starts_with("settled") => 100,
            _ => 0,
        }
    }
}

use Bar::{AtLeast, AtMost};

const MEASURES: &[Measure] = &[
    Measure {
        name: "largest / pull, 95 %",
        bar: AtMost(1.25),
        read: |all| part(all, 0.95, far(1.0), |s| Some(s.here)),
    },
    Measure {
        name: "largest / pull",
        bar: AtMost(1.5),
        read: |all| part(all, 1.0, far(1.0), |s| Some(s.here)),
    },
    Measure {
        name: "largest of all frames / pull, 95 %",
        bar: AtMost(1.6),
        read: |all| part(all, 0.95, far(1.0), |s| Some(s.largest)),
    },
    Measure {
        name: "largest of all frames / pull",
        bar: AtMost(2.0),
        read: |all| part(all, 1.0, far(1.0), |s| Some(s.largest)),
    },
    Measure {
        name: "beyond reach / largest",
        bar: AtMost(0.05),
        read: |all| part(all, 1.0, any, |s| s.beyond_reach),
    },
    Measure {
        name: "beyond 1.5 reach / pull",
        bar: AtMost(0.01),
        read: |all| part(all, 1.0, any, |s| s.beyond_more),
    },
    Measure {
        name: "still vertices that moved",
        bar: AtMost(0.0),
        read: |all| part(all, 1.0, any, |s| Some(s.moved as f64)),
    },
    Measure {
        name: "coinciding vertices that parted",
        bar: AtMost(0.0),
        read: |all| part(all, 1.0, any, |s| Some(s.parted as f64)),
    },
    Measure { name: "gaps opened / pull", bar: AtMost(0.02), read: |all| part(all, 1.0, any, |s| s.gap) },
    Measure {
        name: "edges, median",
        bar: AtMost(0.15),
        read: |all| part(all, 0.5, middling(2.0), |s| Some(s.edges)),
    },
    Measure {
        name: "edges, 95 %",
        bar: AtMost(0.3),
        read: |all| part(all, 0.95, middling(2.0), |s| Some(s.edges)),
    },
    Measure {
        name: "share that follows by half",
        bar: AtLeast(0.03),
        read: |all| part(all, 0.0, middling(0.0), |s| Some(s.follows)),
    },
    Measure {
        name: "edges at the handle, median",
        bar: AtMost(0.25),
        read: |all| part(all, 0.5, middling(0.0), |s| Some(s.at_handle)),
    },
    Measure { name: "step / pull", bar: AtMost(0.12), read: |all| part(all, 1.0, any, |s| Some(s.step)) },
    Measure {
        name: "settled, of those farther than a pull",
        bar: AtLeast(0.99),
        read: |all| {
            let far: Vec<bool> =
                all.iter().filter(|o| is_far(o, 1.0)).map(|o| o.status == Some("settled")).collect();
            (!far.is_empty()).then(|| {
                let settled = far.iter().filter(|settled| **settled).count();
                Read { value: settled as f64 / far.len() as f64, pulls: far.len() }
            })
        },
    },
    Measure {
        name: "nearer, compromised without a warning",
        bar: AtMost(0.0),
        read: |all| {
            let mut near = all.iter().filter(|o| o.seen.is_some() && !is_far(o, 1.0)).peekable();
            near.peek()?;
            Some(count(near.filter(|o| o.status == Some("compromise") && !o.warned).count()))
        },
    },
    Measure {
        name: "unfinished or stalled",
        bar: AtMost(0.0),
        read: |all| {
            Some(count(all.iter().filter(|o| matches!(o.status, Some("unfinished" | "stalled"))).count()))
        },
    },
    Measure {
        name: "elements turned at 5 and 12 %",
        bar: AtMost(0.0),
        read: |all| {
            let turned = all.iter().filter(|o| o.percent <= 12).filter_map(|o| o.turned);
            turned.max().map(count)
        },
    },
    Measure {
        name: "pulls that were refused",
        bar: AtMost(0.0),
        read: |all| Some(count(all.iter().filter(|o| o.refused.is_some()).count())),
    },
];

fn any(_: &Outcome) -> bool {
    true
}

/// Whether a pulled vertex is farther than so many pulls from what never moves.
fn is_far(outcome: &Outcome, pulls: f64) -> bool {
    outcome.seen.as_ref().is_some_and(|seen| seen.held.is_none_or(|held| held > pulls))
}

fn far(pulls: f64) -> impl Fn(&Outcome) -> bool {
    move |outcome| is_far(outcome, pulls)
}

/// The same of pulls of 12 %.
fn middling(pulls: f64) -> impl Fn(&Outcome) -> bool {
    move |outcome| outcome.percent == 12 && is_far(outcome, pulls)
}

/// A number that each single pull can make too large.
fn count(found: usize) -> Read {
    Read { value: found as f64, pulls: 0 }
}

/// A quantile of what is read from some of the pulls.
fn part(
    all: &[Outcome],
    part: f64,
    of: impl Fn(&Outcome) -> bool,
    read: fn(&Seen) -> Option<f64>,
) -> Option<Read> {
    let read = all.iter().filter(|outcome| of(outcome)).filter_map(|outcome| read(outcome.seen.as_ref()?));
    let mut read: Vec<f64> = read.collect();
    Some(Read { value: quantile(&mut read, part)?, pulls: read.len() })
}

/// The table of some pulls; without bars all of it holds.
pub fn lines(all: &[Outcome], with_bars: bool) -> Vec<Line> {
    let line = |measure: &Measure| {
        let read = (measure.read)(all);
        let is_enough = read.as_ref().is_none_or(|read| read.pulls >= measure.enough());
        let bar = (with_bars && is_enough).then_some(measure.bar);
        let value = read.map(|read| read.value);
        let ok = value.zip(bar).is_none_or(|(value, bar)| bar.holds(value));
        Line { measured: measure.name, value, bar, ok }
    };
    MEASURES.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
