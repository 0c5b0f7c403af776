//! What is asked of the warped motion, and the rows it becomes.

use crate::HandleId;
use crate::kernel::Order;
use crate::rows::Hold;
use std::ops::Range;
use supple_model::Instant;

/// What a handle asks: where a site is at a time, or how far it is from other sites and times, all coordinates or some.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Goal {
    pub id: HandleId,
    /// What it reads, at least one; the first names it.
    pub sights: Vec<Sight>,
    /// What the sum of these should be, coordinate by coordinate; `None` leaves one free.
    pub target: [Option<f64>; 3],
    /// How strictly.
    pub hold: Hold,
}

/// A site at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sight {
    pub site: usize,
    pub at: Instant,
    /// How it counts: 1, or −1 for what is taken away.
    pub sign: f64,
}

impl Goal {
    /// The coordinates asked for, with their targets.
    pub fn rows(&self) -> impl Iterator<Item = (usize, f64)> {
        self.target.into_iter().enumerate().filter_map(|(axis, target)| Some((axis, target?)))
    }

    /// The sight that names it.
    pub fn first(&self) -> Sight {
        self.sights[0]
    }

    /// Whether another asks for the same coordinates.
    pub fn same_rows(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.target[axis].is_some() == other.target[axis].is_some())
    }
}

/// A row over the places it reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Covector {
    /// Place and weights.
    pub parts: Vec<(usize, Vec<f64>)>,
}

/// A goal and where it reads.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub goal: Goal,
    /// Its sights, with their places.
    pub reads: Vec<Read>,
    pub rows: Range<usize>,
    /// The first of its soft rows.
    pub soft: Option<usize>,
}

/// A site that a handle reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    /// The place of z.
    pub place: usize,
    pub site: usize,
    pub at: Instant,
    /// How it counts: 1, or −1 for what is taken away.
    pub sign: f64,
}

impl Held {
    /// Whether another is the same handle and asks for the same, targets apart.
    pub fn reads_as(&self, other: &Self) -> bool {
        let (own, other) = (&self.goal, &other.goal);
        own.id == other.id && own.sights == other.sights && own.hold == other.hold && own.same_rows(other)
    }
}

/// All that goals read, each once, in order.
pub(super) fn places(goals: &[Goal]) -> Vec<(Instant, Order)> {
    let sights = goals.iter().flat_map(|goal| &goal.sights);
    let mut places: Vec<(Instant, Order)> = sights.map(|sight| (sight.at, Order::Position)).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Goals with their places and rows, how many rows there are, and 1/w of the soft ones.
pub(super) fn hold(goals: Vec<Goal>, places: &[(Instant, Order)]) -> (Vec<Held>, usize, Vec<f64>) {
    let read = |&Sight { site, at, sign }: &Sight| {
        let place = places.partition_point(|place| *place < (at, Order::Position));
        Read { place, site, at, sign }
    };
    let (mut held, mut rows, mut soft) = (Vec::with_capacity(goals.len()), 0, Vec::new());
    for goal in goals {
        let count = goal.rows().count();
        let compliance = goal.hold.compliance();
        let first_soft = (compliance > 0.0).then_some(soft.len());
        if first_soft.is_some() {
            soft.extend(std::iter::repeat_n(compliance, count));
        }
        let reads = goal.sights.iter().map(read).collect();
        held.push(Held { goal, reads, rows: rows..rows + count, soft: first_soft });
        rows += count;
    }
    (held, rows, soft)
}
