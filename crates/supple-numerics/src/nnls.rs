//! Non-negative least squares: min |A x − b| subject to x ≥ 0.
//!
//! The active set method (Lawson and Hanson, Solving Least Squares Problems, 1974, ch. 23), on what one orthogonal
//! factorization leaves of A, so that long columns are passed over once:
//!
//! ```text
//! A = Q R;  A, b ← R, Qᵀb;  P = those columns with x > 0
//! repeat:
//!   y = argmin over x that are 0 outside of P
//!   while some y ≤ 0:  x goes towards y until the first number is 0, which leaves P;  y again
//!   x = y;  w = Aᵀ(b − A x)
//!   done when no w outside of P is positive;  otherwise the largest joins P
//! ```
//!
//! Columns are scaled to length 1, so that the largest w is that of the column most alike to what is left; columns that
//! others in P make up already are passed over. What holds at the end is what makes a minimum: x ≥ 0, w ≤ 0, and w = 0
//! where x > 0. Meant for some hundreds of columns: a round costs as much as a factorization of those in P.

use faer::MatRef;
use supple_model::Status;

/// A gradient counts as positive above this part of |b|.
const ROUNDING: f64 = 1e-12;
/// A column of which less than this is new to those in use is passed over.
const DEPENDENT: f64 = 1e-11;
/// Rounds, for each column.
const ROUNDS: usize = 10;

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Nonnegative {
    /// x.
    pub x: Vec<f64>,
    /// |A x − b|.
    pub residual: f64,
    /// `Settled`; `Unfinished` when the rounds were not enough; `Stalled` when A or b have numbers that are not finite.
    pub status: Status,
}

/// The x ≥ 0 with the least |A x − b|.
///
/// # Panics
/// When b has not a number for each row.
///
/// # Examples
/// ```
/// use supple_numerics::nnls::nnls;
///
/// let A = faer::mat![[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
/// // Without a bound x would be (3, −1).
/// let answer = nnls(A.as_ref(), &[2.0, -1.0, 0.5]);
/// assert_eq!(answer.x, [2.0, 0.0]);
/// assert!((answer.residual - 1.25_f64.sqrt()).abs() < 1e-15);
/// ```
#[must_use]
pub fn nnls(A: MatRef<'_, f64>, b: &[f64]) -> Nonnegative {
    nnls_from(A, b, &vec![0.0; A.ncols()])
}

/// The same from the answer to a similar problem, which costs fewer rounds; what is negative in `start` counts as 0.
///
/// # Panics
/// When b has not a number for each row, or `start` for each column.
#[must_use]
pub fn nnls_from(A: MatRef<'_, f64>, b: &[f64], start: &[f64]) -> Nonnegative {
    assert!(b.len() == A.nrows() && start.len() == A.ncols(), "a number for each row and column");
    let norm_b = norm(b);
    let finite = norm_b.is_finite() && (0..A.ncols()).all(|j| A.col(j).iter().all(|a| a.is_finite()));
    if !finite {
        return Nonnegative { x: vec![0.0; A.ncols()], residual: norm_b, status: Status::Stalled };
    }
    let reduced = Reduced::new(A, b);
    let mut search = Search::new(&reduced, start);
    let status = search.run(ROUNDING * norm_b, ROUNDS * A.ncols() + ROUNDS);
    let left = norm(&search.left());
    let x = search.x.iter().zip(&reduced.lengths).map(|(x, length)| if *x > 0.0 { x / length } else { 0.0 });
    Nonnegative { x: x.collect(), residual: left.hypot(reduced.rest), status }
}

/// A and b in fewer rows, columns of length 1.
#[derive(Debug)]
struct Reduced {
    columns: Vec<Vec<f64>>,
    b: Vec<f64>,
    /// The part of |b| that no x reaches.
    rest: f64,
    /// How long the columns were; infinite for those of zeros.
    lengths: Vec<f64>,
}

impl Reduced {
    fn new(A: MatRef<'_, f64>, b: &[f64]) -> Self {
        let mut columns: Vec<Vec<f64>> = (0..A.ncols()).map(|j| A.col(j).iter().copied().collect()).collect();
        let lengths = columns.iter_mut().map(|column| {
            let length = norm(column);
            column.iter_mut().for_each(|a| *a /= length.max(f64::MIN_POSITIVE));
            if length > 0.0 { length } else { f64::INFINITY }
        });
        let lengths = lengths.collect();
        let (mut b, mut rest) = (b.to_vec(), 0.0);
        if columns.len() < b.len() {
            for j in 0..columns.len() {
                let (before, after) = columns.split_at_mut(j + 1);
                reflect(&mut before[j], j, after.iter_mut().chain([&mut b]));
            }
            rest = norm(&b[columns.len()..]);
            b.truncate(columns.len());
            columns.iter_mut().for_each(|column| column.truncate(b.len()));
        }
        Self { columns, b, rest, lengths }
    }

    /// The x that is 0 outside of some columns and has the least |A x − b|; `None` if the last of them is made up by the
    /// others.
    fn solve(&self, passive: &[usize]) -> Option<Vec<f64>> {
        if passive.len() > self.b.len() {
            return None;
        }
        let mut columns: Vec<Vec<f64>> = passive.iter().map(|j| self.columns[*j].clone()).collect();
        let mut y = self.b.clone();
        for k in 0..columns.len() {
            let (before, after) = columns.split_at_mut(k + 1);
            reflect(&mut before[k], k, after.iter_mut().chain([&mut y]));
            if before[k][k].abs() <= DEPENDENT {
                return None;
            }
        }
        for k in (0..columns.len()).rev() {
            y[k] /= columns[k][k];
            let (above, own) = y.split_at_mut(k);
            above.iter_mut().zip(&columns[k]).for_each(|(y, r)| *y -= own[0] * r);
        }
        y.truncate(passive.len());
        Some(y)
    }
}

/// Turns column k to one that ends at row k, and others with it (Householder).
fn reflect<'a>(column: &mut [f64], k: usize, others: impl Iterator<Item = &'a mut Vec<f64>>) {
    let length = norm(&column[k..]);
    if length == 0.0 {
        return;
    }
    let end = if column[k] > 0.0 { -length } else { length };
    let mut v = column[k..].to_vec();
    v[0] -= end;
    let half = 0.5 * dot(&v, &v);
    column[k] = end;
    column[k + 1..].fill(0.0);
    for other in others {
        let part = dot(&v, &other[k..]) / half;
        other[k..].iter_mut().zip(&v).for_each(|(x, v)| *x -= part * v);
    }
}

/// x on the way.
#[derive(Debug)]
struct Search<'a> {
    of: &'a Reduced,
    x: Vec<f64>,
    /// The columns with x > 0, in the order they joined.
    passive: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(of: &'a Reduced, start: &[f64]) -> Self {
        let usable = |(j, x): &(usize, &f64)| **x > 0.0 && x.is_finite() && of.lengths[*j].is_finite();
        let given: Vec<usize> = start.iter().enumerate().filter(usable).map(|(j, _)| j).collect();
        let passive = if of.solve(&given).is_some() {
            given
        } else {
            given.into_iter().fold(Vec::new(), |mut passive, j| {
                passive.push(j);
                if of.solve(&passive).is_none() {
                    passive.pop();
                }
                passive
            })
        };
        let mut x = vec![0.0; start.len()];
        passive.iter().for_each(|j| x[*j] = start[*j] * of.lengths[*j]);
        Self { of, x, passive }
    }

    fn run(&mut self, least: f64, rounds: usize) -> Status {
        let mut left = rounds;
        if !self.descend(&mut left) {
            return Status::Unfinished;
        }
        // Columns that brought nothing since x has last changed.
        let mut barred = vec![false; self.x.len()];
        while let Some(next) = self.steepest(least, &barred) {
            if left == 0 {
                return Status::Unfinished;
            }
            left -= 1;
            self.passive.push(next);
            // A column must grow; by rounding it may not.
            let grows = self.of.solve(&self.passive).is_some_and(|y| y.last().is_some_and(|y| *y > 0.0));
            if !grows {
                self.passive.pop();
                barred[next] = true;
                continue;
            }
            barred.fill(false);
            if !self.descend(&mut left) {
                return Status::Unfinished;
            }
        }
        Status::Settled
    }

    /// To the best x on P; `false` when the rounds are over.
    fn descend(&mut self, rounds: &mut usize) -> bool {
        loop {
            let Some(y) = self.of.solve(&self.passive) else {
                // Only by rounding, once others have left; its x is kept out.
                let Some(last) = self.passive.pop() else { return true };
                self.x[last] = 0.0;
                continue;
            };
            if y.iter().all(|y| *y > 0.0) {
                self.passive.iter().zip(y).for_each(|(j, y)| self.x[*j] = y);
                return true;
            }
            if *rounds == 0 {
                return false;
            }
            *rounds -= 1;
            let stop = |(j, y): (&usize, &f64)| (*y <= 0.0).then(|| self.x[*j] / (self.x[*j] - y));
            let share = self.passive.iter().zip(&y).filter_map(stop).fold(1.0, f64::min);
            let mut kept = Vec::with_capacity(self.passive.len());
            for (j, y) in self.passive.iter().zip(&y) {
                let x = self.x[*j];
                let stops = *y <= 0.0 && x / (x - y) <= share;
                self.x[*j] = if stops { 0.0 } else { x + share * (y - x) };
                if self.x[*j] > 0.0 {
                    kept.push(*j);
                } else {
                    self.x[*j] = 0.0;
                }
            }
            self.passive = kept;
        }
    }

    /// b − A x.
    fn left(&self) -> Vec<f64> {
        let mut left = self.of.b.clone();
        for j in &self.passive {
            let x = self.x[*j];
            left.iter_mut().zip(&self.of.columns[*j]).for_each(|(left, a)| *left -= x * a);
        }
        left
    }

    /// The column outside of P with the largest w, if that is more than `least`.
    fn steepest(&self, least: f64, barred: &[bool]) -> Option<usize> {
        let left = self.left();
        let outside = (0..self.x.len()).filter(|j| self.x[*j] == 0.0 && !barred[*j]);
        let slopes = outside.map(|j| (j, dot(&self.of.columns[j], &left)));
        let steepest = slopes.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        (steepest.1 > least).then_some(steepest.0)
    }
}

/// aᵀb, summed in a fixed order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}
