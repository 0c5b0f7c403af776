//! What is asked of edits that look natural: the pulls of one motion come to a few numbers, each beside its bar.

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
    /// Elements that the edit alone turned inside out; null for what has none.
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

struct Measure {
    name: &'static str,
    bar: Bar,
    value: fn(&[Outcome]) -> Option<f64>,
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
        let bar = with_bars.then_some(measure.bar);
        let ok = value.zip(bar).is_none_or(|(value, bar)| bar.holds(value));
        Line { measured: measure.name, value, bar, ok }
    };
    MEASURES.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(percent: u32) -> Outcome {
        let seen = Seen {
            held: Some(3.0),
            here: 1.1,
            largest: 1.2,
            beyond_reach: Some(0.04),
            beyond_more: Some(0.001),
            moved: 0,
            parted: 0,
            gap: Some(0.01),
            edges: 0.1,
            follows: 0.3,
            at_handle: 0.1,
            step: 0.07,
            off: 0.0,
        };
        Outcome {
            percent,
            vertex: 0,
            frame: 1,
            status: Some("settled"),
            refused: None,
            warned: false,
            turned: Some(0),
            iterations: 4,
            seconds: 0.1,
            seen: Some(seen),
        }
    }

    fn missed(all: &[Outcome]) -> Vec<&'static str> {
        lines(all, true).iter().filter(|line| !line.ok).map(|line| line.measured).collect()
    }

    fn with(percent: u32, change: impl Fn(&mut Outcome, &mut Seen)) -> Vec<Outcome> {
        let mut all = vec![good(5), good(12), good(25)];
        let mut bad = good(percent);
        let mut seen = bad.seen.take().unwrap();
        change(&mut bad, &mut seen);
        bad.seen = Some(seen);
        all.push(bad);
        all
    }

    #[test]
    fn every_bar_can_be_missed() {
        assert_eq!(missed(&with(12, |_, _| ())), [""; 0]);
        type Change = fn(&mut Outcome, &mut Seen);
        let wrong: &[(u32, Change, &[&str])] = &[
            (5, |_, s| s.here = 1.4, &["largest / pull, 95 %"]),
            (5, |_, s| s.here = 1.6, &["largest / pull, 95 %", "largest / pull"]),
            (25, |_, s| s.largest = 1.7, &["largest of all frames / pull, 95 %"]),
            (
                25,
                |_, s| s.largest = 2.1,
                &["largest of all frames / pull, 95 %", "largest of all frames / pull"],
            ),
            (5, |_, s| s.beyond_reach = Some(0.06), &["beyond reach / largest"]),
            (5, |_, s| s.beyond_more = Some(0.02), &["beyond 1.5 reach / pull"]),
            (25, |_, s| s.moved = 1, &["still vertices that moved"]),
            (25, |_, s| s.parted = 1, &["coinciding vertices that parted"]),
            (25, |_, s| s.gap = Some(0.03), &["gaps opened / pull"]),
            (12, |_, s| s.edges = 0.4, &["edges, 95 %"]),
            (12, |_, s| s.follows = 0.01, &["share that follows by half"]),
            (25, |_, s| s.step = 0.2, &["step / pull"]),
            (5, |o, _| o.status = Some("compromise"), &["settled, of those farther than a pull"]),
            (
                5,
                |o, s| (o.status, s.held) = (Some("compromise"), Some(0.9)),
                &["nearer, compromised without a warning"],
            ),
            (5, |o, s| (o.status, s.held) = (Some("unfinished"), Some(0.9)), &["unfinished or stalled"]),
            (12, |o, _| o.turned = Some(2), &["elements turned at 5 and 12 %"]),
        ];
        for (percent, change, names) in wrong {
            assert_eq!(missed(&with(*percent, change)), *names);
        }
        let refused = Outcome { refused: Some("no".into()), status: None, seen: None, ..good(5) };
        assert_eq!(missed(&[good(5), refused]), ["pulls that were refused"]);
        let stiff = |o: &mut Outcome| o.seen.iter_mut().for_each(|s| (s.edges, s.at_handle) = (0.2, 0.3));
        let mut all = vec![good(12); 3];
        all.iter_mut().skip(1).for_each(stiff);
        assert_eq!(missed(&all), ["edges, median", "edges at the handle, median"]);
    }

    #[test]
    fn what_is_near_to_held_vertices_or_of_another_size_is_left_out() {
        assert_eq!(missed(&with(25, |_, s| (s.here, s.largest, s.held) = (9.0, 9.0, Some(0.8)))), [""; 0]);
        assert_eq!(missed(&with(12, |_, s| (s.edges, s.held) = (9.0, Some(1.9)))), [""; 0]);
        assert_eq!(missed(&with(25, |o, s| (o.turned, s.edges, s.follows) = (Some(9), 9.0, 0.0))), [""; 0]);
        let warned = with(5, |o, s| (o.status, o.warned, s.held) = (Some("compromise"), true, Some(0.5)));
        assert_eq!(missed(&warned), [""; 0]);
    }

    #[test]
    fn without_bars_nothing_is_missed() {
        let lines = lines(&with(5, |_, s| s.here = 40.0), false);
        assert!(lines.iter().all(|line| line.ok && line.bar.is_none()));
        assert_eq!(lines[1].value, Some(40.0));
    }
}
