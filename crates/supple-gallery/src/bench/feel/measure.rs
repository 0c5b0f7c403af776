//! What one pull did to a surface: x before, y after, d = y − x, all lengths as parts of the pull p unless said.
//!
//! | name | what it is |
//! |---|---|
//! | held | from the pulled vertex to the nearest one that never moves, at the handle's frame |
//! | here | max over vertices of \|d\| at the handle's frame |
//! | largest | the same over all frames |
//! | beyond_reach | max of \|d\| more than `reach` frames away, as a part of the largest \|d\| |
//! | beyond_more | max of \|d\| more than 1.5 `reach` frames away |
//! | moved | vertices that never moved, and now do |
//! | parted | vertices that coincided with others, and no longer do |
//! | gap | by how much touching pieces came apart |
//! | edges | the 99.9 % quantile of \|ℓ_y − ℓ_x\| / ℓ_x over edges and frames, ℓ_x ≥ 1 % of the size |
//! | follows | the share of the area with \|d\| > p/2 at the handle's frame |
//! | at_handle | max \|ℓ_y − ℓ_x\| of the edges at the handle, as a part of their mean length |
//! | step | max change of \|d\| of the pulled vertex from one frame to the next |
//! | off | how far the pulled vertex is from where it was asked to be |

use super::surface::{Film, Surface};
use serde::Serialize;
use supple_mesh::Vec3;

/// Edges shorter than this part of the size are not measured.
const SHORTEST: f64 = 0.01;
/// How many of a thousand edges are worse than the one that is told.
const WORST: f64 = 1e-3;

/// A pull to be measured, in the file's unit.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    pub vertex: usize,
    /// Counted from 0.
    pub frame: usize,
    pub by: Vec3,
    /// In frames.
    pub reach: f64,
}

/// What was seen of it; what does not apply is null.
#[derive(Clone, Debug, Serialize)]
pub struct Seen {
    pub held: Option<f64>,
    pub here: f64,
    pub largest: f64,
    pub beyond_reach: Option<f64>,
    pub beyond_more: Option<f64>,
    pub moved: usize,
    pub parted: usize,
    pub gap: Option<f64>,
    pub edges: f64,
    pub follows: f64,
    pub at_handle: f64,
    pub step: f64,
    pub off: f64,
}

impl Seen {
    /// Measures a pull on a surface, `after` being its motion with the edit.
    pub fn of(surface: &Surface, after: &Film, pull: &Pull) -> Self {
        let length = pull.by.norm();
        let moves: Vec<f64> = surface.film.iter().zip(after).map(|(x, y)| farthest(x, y)).collect();
        let largest = moves.iter().copied().fold(0.0, f64::max);
        let beyond = |reach: f64| {
            let far = moves.iter().enumerate().filter(|(t, _)| t.abs_diff(pull.frame) as f64 > reach);
            far.map(|(_, moved)| *moved).max_by(f64::total_cmp)
        };
        let (x, y) = (&surface.film[pull.frame], &after[pull.frame]);
        let offset = |v: usize| (y[v] - x[v]).norm();
        let shares = surface.shares(pull.frame);
        let held = surface.still.iter().map(|v| (x[*v] - x[pull.vertex]).norm() / length);
        Self {
            held: held.min_by(f64::total_cmp),
            here: moves[pull.frame] / length,
            largest: largest / length,
            beyond_reach: beyond(pull.reach).map(|moved| if largest > 0.0 { moved / largest } else { 0.0 }),
            beyond_more: beyond(1.5 * pull.reach).map(|moved| moved / length),
            moved: moved(surface, after),
            parted: parted(surface, after),
            gap: gap(surface, after).map(|gap| gap / length),
            edges: edges(surface, after),
            follows: (0..x.len()).filter(|v| offset(*v) > 0.5 * length).fold(0.0, |sum, v| sum + shares[v]),
            at_handle: at_handle(surface, after, pull),
            step: step(surface, after, pull.vertex) / length,
            off: (y[pull.vertex] - x[pull.vertex] - pull.by).norm() / length,
        }
    }
}

fn farthest(x: &[Vec3], y: &[Vec3]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (y - x).norm()).fold(0.0, f64::max)
}

fn moved(surface: &Surface, after: &Film) -> usize {
    let moves = |v: &&usize| surface.film.iter().zip(after).any(|(x, y)| x[**v] != y[**v]);
    surface.still.iter().filter(moves).count()
}

fn parted(surface: &Surface, after: &Film) -> usize {
    let twins = surface.twins.iter().enumerate().filter(|(v, first)| v != *first);
    twins.filter(|(v, first)| after.iter().any(|y| y[*v] != y[**first])).count()
}

fn gap(surface: &Surface, after: &Film) -> Option<f64> {
    let opened = surface.touching.iter().map(|touch| {
        let frames = surface.film.iter().zip(after);
        frames.map(|(x, y)| touch.distance(y) - touch.distance(x)).fold(0.0, f64::max)
    });
    opened.chain(surface.pieces.opened(after)).max_by(f64::total_cmp)
}

fn edges(surface: &Surface, after: &Film) -> f64 {
    let mut changes = Vec::new();
    for (x, y) in surface.film.iter().zip(after) {
        for [a, b] in &surface.edges {
            let before = (x[*a] - x[*b]).norm();
            if before >= SHORTEST * surface.size {
                changes.push(((y[*a] - y[*b]).norm() - before).abs() / before);
            }
        }
    }
    quantile(&mut changes, 1.0 - WORST).unwrap_or(0.0)
}

fn at_handle(surface: &Surface, after: &Film, pull: &Pull) -> f64 {
    let (x, y) = (&surface.film[pull.frame], &after[pull.frame]);
    let near = |edge: &&[usize; 2]| edge.iter().any(|v| surface.same(*v, pull.vertex));
    let lengths =
        surface.edges.iter().filter(near).map(|[a, b]| [(x[*a] - x[*b]).norm(), (y[*a] - y[*b]).norm()]);
    let lengths: Vec<[f64; 2]> = lengths.collect();
    let mean = lengths.iter().map(|[before, _]| before).sum::<f64>() / lengths.len().max(1) as f64;
    let change = lengths.iter().map(|[before, after]| (after - before).abs()).fold(0.0, f64::max);
    change / mean.max(SHORTEST * surface.size)
}

fn step(surface: &Surface, after: &Film, vertex: usize) -> f64 {
    let offsets: Vec<f64> =
        surface.film.iter().zip(after).map(|(x, y)| (y[vertex] - x[vertex]).norm()).collect();
    offsets.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
}

/// The least value that so large a part of them is not above; none of none.
pub fn quantile(values: &mut [f64], part: f64) -> Option<f64> {
    let rank = (part * values.len() as f64).ceil() as usize;
    let index = rank.clamp(1, values.len().max(1)) - 1;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(index, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of a row of squares along x, one unit each, that rises by a hundredth a frame but for its first side.
    fn row(squares: usize, frames: usize) -> Surface {
        let film = (0..frames).map(|t| {
            let at = |k: usize, y: f64| Vec3::new(k as f64, y, if k == 0 { 0.0 } else { 0.01 * t as f64 });
            (0..=squares).flat_map(|k| [at(k, 0.0), at(k, 1.0)]).collect()
        });
        let square = |k: usize| [[2 * k, 2 * k + 2, 2 * k + 1], [2 * k + 2, 2 * k + 3, 2 * k + 1]];
        Surface::new(film.collect(), (0..squares).flat_map(square).collect())
    }

    fn pulled(surface: &Surface, by: impl Fn(usize, usize) -> Vec3) -> Film {
        let frames = surface.film.iter().enumerate();
        frames.map(|(t, x)| x.iter().enumerate().map(|(v, x)| x + by(t, v)).collect()).collect()
    }

    const PULL: Pull = Pull { vertex: 20, frame: 5, by: Vec3::new(0.0, 0.0, 2.0), reach: 3.0 };

    #[test]
    fn a_bump_in_time_that_carries_half_of_the_row() {
        let row = row(10, 16);
        let bump = |t: usize| [2.0, 1.0, 0.5, 0.2, 0.06, 0.01][t.abs_diff(5).min(5)];
        let after = pulled(&row, |t, v| if v > 10 { Vec3::z() * bump(t) } else { Vec3::zeros() });
        let seen = Seen::of(&row, &after, &PULL);
        assert!((seen.held.unwrap() - 5.0).abs() < 0.01, "{seen:?}");
        assert!((seen.here - 1.0).abs() < 1e-12 && seen.off < 1e-12);
        assert!((seen.beyond_reach.unwrap() - 0.03).abs() < 1e-12, "{seen:?}");
        assert!((seen.beyond_more.unwrap() - 0.005).abs() < 1e-12, "more than 4.5 frames away: {seen:?}");
        assert!((seen.step - 0.5).abs() < 1e-12);
        assert!((seen.follows - 0.5).abs() < 0.01, "{seen:?}");
        assert_eq!((seen.moved, seen.parted, seen.gap), (0, 0, None));
        // The one square in between is stretched to √(1 + 4) of its length in one frame.
        assert!((seen.edges - (5.0_f64.sqrt() - 1.0)).abs() < 1e-3, "{seen:?}");
        assert!(seen.at_handle < 1e-12);
    }

    #[test]
    fn overshoot_needles_and_what_should_stand_still_are_seen() {
        let row = row(10, 16);
        let after = pulled(&row, |t, v| match v {
            20 if t == 5 => Vec3::z() * 2.0,
            8 if t == 5 => Vec3::z() * 3.0,
            8 if t == 6 => Vec3::z() * 5.0,
            0 if t == 9 => Vec3::x() * 1e-9,
            _ => Vec3::zeros(),
        });
        let seen = Seen::of(&row, &after, &PULL);
        assert!((seen.here - 1.5).abs() < 1e-12 && (seen.largest - 2.5).abs() < 1e-12);
        assert_eq!(seen.moved, 1);
        assert!((seen.step - 1.0).abs() < 1e-12);
        assert!(seen.follows < 0.1 && seen.at_handle > 1.0, "{seen:?}");
    }

    #[test]
    fn seams_and_gaps_that_open_are_seen() {
        let piece = |z: f64, x: f64| [Vec3::new(x, 0.0, z), Vec3::new(x + 1.0, 0.0, z), Vec3::new(x, 1.0, z)];
        // The first two pieces share a corner, the third lies on the first.
        let frame = |t: f64| [piece(0.0, t), piece(0.0, t + 1.0), piece(0.002, t + 0.2)].concat();
        let film: Film = (0..4).map(|t| frame(f64::from(t))).collect();
        let surface = Surface::new(film, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
        assert_eq!(surface.twins[3], 1);
        let pull = Pull { vertex: 0, frame: 1, by: Vec3::z(), reach: 1.0 };
        let together = Seen::of(&surface, &pulled(&surface, |_, _| Vec3::z()), &pull);
        assert_eq!((together.parted, together.gap.map(|gap| gap < 1e-12)), (0, Some(true)), "{together:?}");
        let apart = pulled(&surface, |_, v| Vec3::z() * (0.1 + if v < 3 { -0.1 } else { 0.0 }));
        let apart = Seen::of(&surface, &apart, &pull);
        assert_eq!(apart.parted, 1);
        assert!((apart.gap.unwrap() - 0.1).abs() < 1e-9, "{apart:?}");
    }

    #[test]
    fn quantiles_are_values_there_are() {
        let mut values: Vec<f64> = (1..=24).rev().map(f64::from).collect();
        assert_eq!(quantile(&mut values, 0.5), Some(12.0));
        assert_eq!(quantile(&mut values, 0.95), Some(23.0));
        assert_eq!(quantile(&mut values, 1.0), Some(24.0));
        assert_eq!(quantile(&mut [3.0, 1.0], 0.95), Some(3.0));
        assert_eq!(quantile(&mut [], 0.5), None);
    }
}
