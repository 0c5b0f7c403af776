//! What is asked of edits that look natural: some pulls come to a few numbers, each beside its bar.
//!
//! Medians and the like of few pulls are chance: with fewer than [`ENOUGH`] they have no bar.

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

/// So many pulls a median or a quantile needs.
const ENOUGH: usize = 20;
/// Of a third of twenty pulls 95 % are all; such lines need more.
const MANY: usize = 60;

struct Measure {
    name: &'static str,
    bar: Bar,
    value: fn(&[Outcome]) -> Option<f64>,
}

impl Measure {
    /// How many pulls it takes.
    fn enough(&self) -> usize {
        if self.name.ends_with("95 %") { MANY } else { ENOUGH }
    }

    /// Whether it is one of most pulls, not of all.
    fn is_of_most(&self) -> bool {
        self.name.ends_with("median") || self.name.ends_with("95 %")
    }
}

use Bar::{AtLeast, AtMost};

const MEASURES: &[Measure] = &[
    Measure {
        name: "largest / pull, 95 %",
        bar: AtMost(1.25),
        value: |all| part(all, 0.95, far(1.0), |s| Some(s.here)),
    },
    Measure {
        name: "largest / pull",
        bar: AtMost(1.5),
        value: |all| part(all, 1.0, far(1.0), |s| Some(s.here)),
    },
    Measure {
        name: "largest of all frames / pull, 95 %",
        bar: AtMost(1.6),
        value: |all| part(all, 0.95, far(1.0), |s| Some(s.largest)),
    },
    Measure {
        name: "largest of all frames / pull",
        bar: AtMost(2.0),
        value: |all| part(all, 1.0, far(1.0), |s| Some(s.largest)),
    },
    Measure {
        name: "beyond reach / largest",
        bar: AtMost(0.05),
        value: |all| part(all, 1.0, any, |s| s.beyond_reach),
    },
    Measure {
        name: "beyond 1.5 reach / pull",
        bar: AtMost(0.01),
        value: |all| part(all, 1.0, any, |s| s.beyond_more),
    },
    Measure {
        name: "still vertices that moved",
        bar: AtMost(0.0),
        value: |all| part(all, 1.0, any, |s| Some(s.moved as f64)),
    },
    Measure {
        name: "coinciding vertices that parted",
        bar: AtMost(0.0),
        value: |all| part(all, 1.0, any, |s| Some(s.parted as f64)),
    },
    Measure { name: "gaps opened / pull", bar: AtMost(0.02), value: |all| part(all, 1.0, any, |s| s.gap) },
    Measure {
        name: "edges, median",
        bar: AtMost(0.15),
        value: |all| part(all, 0.5, middling(2.0), |s| Some(s.edges)),
    },
    Measure {
        name: "edges, 95 %",
        bar: AtMost(0.3),
        value: |all| part(all, 0.95, middling(2.0), |s| Some(s.edges)),
    },
    Measure {
        name: "share that follows by half",
        bar: AtLeast(0.03),
        value: |all| part(all, 0.0, middling(0.0), |s| Some(s.follows)),
    },
    Measure {
        name: "edges at the handle, median",
        bar: AtMost(0.25),
        value: |all| part(all, 0.5, middling(0.0), |s| Some(s.at_handle)),
    },
    Measure { name: "step / pull", bar: AtMost(0.12), value: |all| part(all, 1.0, any, |s| Some(s.step)) },
    Measure {
        name: "settled, of those farther than a pull",
        bar: AtLeast(0.99),
        value: |all| {
            let far: Vec<bool> =
                all.iter().filter(|o| is_far(o, 1.0)).map(|o| o.status == Some("settled")).collect();
            (!far.is_empty())
                .then(|| far.iter().filter(|settled| **settled).count() as f64 / far.len() as f64)
        },
    },
    Measure {
        name: "nearer, compromised without a warning",
        bar: AtMost(0.0),
        value: |all| {
            let mut near = all.iter().filter(|o| o.seen.is_some() && !is_far(o, 1.0)).peekable();
            near.peek()?;
            Some(near.filter(|o| o.status == Some("compromise") && !o.warned).count() as f64)
        },
    },
    Measure {
        name: "unfinished or stalled",
        bar: AtMost(0.0),
        value: |all| {
            Some(all.iter().filter(|o| matches!(o.status, Some("unfinished" | "stalled"))).count() as f64)
        },
    },
    Measure {
        name: "elements turned at 5 and 12 %",
        bar: AtMost(0.0),
        value: |all| {
            let turned = all.iter().filter(|o| o.percent <= 12).filter_map(|o| o.turned);
            turned.max().map(|most| most as f64)
        },
    },
    Measure {
        name: "pulls that were refused",
        bar: AtMost(0.0),
        value: |all| Some(all.iter().filter(|o| o.refused.is_some()).count() as f64),
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

/// A quantile of what is read from some of the pulls.
fn part(
    all: &[Outcome],
    part: f64,
    of: impl Fn(&Outcome) -> bool,
    read: fn(&Seen) -> Option<f64>,
) -> Option<f64> {
    let read = all.iter().filter(|outcome| of(outcome)).filter_map(|outcome| read(outcome.seen.as_ref()?));
    quantile(&mut read.collect::<Vec<f64>>(), part)
}

/// The table of some pulls; without bars all of it holds.
pub fn lines(all: &[Outcome], with_bars: bool) -> Vec<Line> {
    let line = |measure: &Measure| {
        let value = (measure.value)(all);
        let by_chance = measure.is_of_most() && all.len() < measure.enough();
        let bar = (with_bars && !by_chance).then_some(measure.bar);
        let ok = value.zip(bar).is_none_or(|(value, bar)| bar.holds(value));
        Line { measured: measure.name, value, bar, ok }
    };
    MEASURES.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
