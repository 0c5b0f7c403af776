//! The step on the shapes: L-BFGS on the Stiefel manifold, SᵀS = I, of what is left of V where all rows are linear.
//!
//! S = polar(Y) ([`super::stiefel`]), so that Y has no constraints. Rigid modes are no part of it: they stay as they are.
//! Where whole poses are asked for, the polar factor of Σ w x̂ zᵀ, the best S for the motion as it is, is another start: the
//! better one is taken.

use super::linear::{Evaluated, Linear};
use super::stiefel::{Polar, polar};
use nalgebra::DMatrix;
use supple_model::{Cancelled, Progress};
use supple_numerics::lbfgs::Pairs;

/// Pairs that are remembered.
const PAIRS: usize = 20;
/// A step lowers V by at least this part of what its slope says,
const ARMIJO: f64 = 1e-4;
/// and goes on while V still falls by more than this part of it (weak Wolfe conditions): so every step tells of V's curvature.
const FLATTER: f64 = 0.9;
/// Lengths of a step that are tried.
const TRIES: usize = 20;
/// Steps end when one lowers V by less than this part.
const LITTLE: f64 = 1e-6;

/// The block of S that may change: its first row and column, rigid modes before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub row: usize,
    pub column: usize,
}

impl Block {
    pub fn of(self, S: &DMatrix<f64>) -> DMatrix<f64> {
        S.view((self.row, self.column), (S.nrows() - self.row, S.ncols() - self.column)).into_owned()
    }

    pub fn put(self, S: &DMatrix<f64>, block: &DMatrix<f64>) -> DMatrix<f64> {
        let mut S = S.clone();
        S.view_mut((self.row, self.column), block.shape()).copy_from(block);
        S
    }
}

/// A point of the search.
struct Point {
    polar: Polar,
    value: f64,
    /// ∂V/∂Y.
    slope: DMatrix<f64>,
    Y: DMatrix<f64>,
}

/// The shapes after at most so many steps, and how many were taken; none where no step lowers V. `toward`, if there is one,
/// is Σ w x̂ zᵀ.
pub(super) fn improved(
    linear: &Linear,
    (S, block): (&DMatrix<f64>, Block),
    toward: Option<&DMatrix<f64>>,
    steps: usize,
    progress: &Progress,
) -> Result<Option<DMatrix<f64>>, Cancelled> {
    let look = |Y: DMatrix<f64>| -> Option<Point> {
        let polar = Polar::new(Y.clone())?;
        let Evaluated { value, slope } = linear.at(&block.put(S, &polar.S))?;
        let slope = polar.pull_back(&block.of(&slope));
        Some(Point { polar, value, slope, Y })
    };
    let Some(mut at) = look(block.of(S)) else { return Ok(None) };
    let begun = at.value;
    if let Some(toward) = toward
        && let Some(other) = look(polar(&block.of(toward), &at.polar.S))
        && other.value < at.value
    {
        at = other;
    }
    let mut pairs = Pairs::new(PAIRS);
    for _ in 0..steps {
        progress.check()?;
        if progress.is_stopped() {
            break;
        }
        let Some(next) = stepped(&look, &at, &mut pairs) else { break };
        let gain = at.value - next.value;
        at = next;
        if gain <= LITTLE * at.value.abs() {
            break;
        }
    }
    Ok((at.value < begun).then(|| block.put(S, &at.polar.S)))
}

/// One step; none where none lowers V.
fn stepped(look: &impl Fn(DMatrix<f64>) -> Option<Point>, at: &Point, pairs: &mut Pairs) -> Option<Point> {
    let size = at.slope.norm();
    if size.is_nan() || size <= 0.0 {
        return None;
    }
    for attempt in 0..2 {
        let mut direction = at.slope.clone();
        // The first step turns shapes by a tenth of a radian together.
        let first = pairs.scale().unwrap_or(0.1 / size);
        let is_made = pairs.correct(direction.as_mut_slice(), |x| {
            x.iter_mut().for_each(|x| *x *= first);
            true
        });
        direction.neg_mut();
        let descent = at.slope.dot(&direction);
        if is_made
            && descent < 0.0
            && let Some(next) = searched(look, at, &direction, descent)
        {
            let (step, change) = (&next.Y - &at.Y, &next.slope - &at.slope);
            pairs.push(step.as_slice().to_vec(), change.as_slice().to_vec());
            return Some(next);
        }
        if attempt == 0 {
            if pairs.is_empty() {
                return None;
            }
            *pairs = Pairs::new(PAIRS);
        }
    }
    None
}

/// A point along a direction that is low enough and flat enough, between lengths that are too short and too long; the
/// lowest that is low enough if none is flat enough, and none if none is low enough.
fn searched(
    look: &impl Fn(DMatrix<f64>) -> Option<Point>,
    at: &Point,
    direction: &DMatrix<f64>,
    descent: f64,
) -> Option<Point> {
    let (mut short, mut long) = (0.0, f64::INFINITY);
    let mut s = (1.0 / direction.norm()).min(1.0);
    let mut lowest: Option<Point> = None;
    for _ in 0..TRIES {
        let next = look(&at.Y + direction * s);
        match next.filter(|next| next.value <= at.value + ARMIJO * s * descent) {
            None => {
                if lowest.is_some() && long.is_finite() {
                    break;
                }
                long = s;
            }
            Some(next) => {
                let is_flat = next.slope.dot(direction) >= FLATTER * descent;
                if lowest.as_ref().is_none_or(|lowest| next.value < lowest.value) {
                    lowest = Some(next);
                }
                if is_flat {
                    break;
                }
                short = s;
            }
        }
        s = if long.is_finite() { 0.5 * (short + long) } else { 2.0 * s };
    }
    lowest
}
