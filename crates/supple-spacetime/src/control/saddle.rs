//! Leaving a saddle: the direction in which Newton's matrix bends down most, against Gauss and Newton's.
//!
//! > C v = μ H v, C the curvature of the forces, H Gauss and Newton's matrix: down where μ < −1
//!
//! by power iterations, first for the largest |μ|, then for the lowest.

use super::error::ControlError;
use super::model::{Balance, Model, Point, least};
use super::normal::{Normal, Shape};
use super::small::{add, add_product, dot};
use supple_model::Progress;

/// Power iterations, each time.
const ROUNDS: usize = 40;
/// Lengths that are tried, a third each.
const LENGTHS: i32 = 12;

/// A motion that costs less; none if the matrix bends down nowhere, or no length was found.
pub(super) fn left(
    model: &Model,
    point: &Point,
    balance: Balance,
    progress: &Progress,
) -> Result<Option<Vec<f64>>, ControlError> {
    let shape = Shape { balance, curvature: None, holds: model.is_hard(), damping: 0.0, every: 0.0 };
    let Some(normal) = Normal::new(model, point, &shape) else { return Ok(None) };
    let lambda = model.rows.multipliers(balance.effort, &point.w);
    let curvature = model.curvature(&point.z, &lambda, progress)?;
    let bends = Bends { model, normal, curvature };
    let (_, most) = bends.largest(0.0);
    let (v, lowest) = bends.largest(most.abs());
    let is_saddle = lowest + most.abs() < -1.0;
    if !is_saddle {
        return Ok(None);
    }
    let longest = dot(&point.z, &point.z).max(f64::MIN_POSITIVE).sqrt() / dot(&v, &v).sqrt();
    let moved = |s: f64| {
        let mut z = point.z.clone();
        add(&mut z, s * longest, &v);
        z
    };
    let lengths = (0..LENGTHS).flat_map(|k| [3.0_f64.powi(-k), -(3.0_f64.powi(-k))]);
    let mut paths: Vec<Vec<f64>> = lengths.map(moved).collect();
    let objective = model.cost(&point.z, &point.w, balance).objective;
    let best = least(&model.costs(&paths, balance, progress)?, objective);
    Ok(best.map(|best| paths.swap_remove(best)))
}

struct Bends<'a> {
    model: &'a Model,
    normal: Normal,
    curvature: Vec<f64>,
}

impl Bends<'_> {
    /// The direction with the largest |μ − shift|, and its μ − shift.
    fn largest(&self, shift: f64) -> (Vec<f64>, f64) {
        let r = self.model.size();
        let count = self.model.frames() * r;
        // Not the same in any two frames, and nowhere 0.
        let begin = (0..count).map(|k| 1.0 + (0.7 * k as f64).sin() * 0.5).collect();
        let given = self.model.first() * r;
        let mut v: Vec<f64> = self.model.released(begin);
        v[..given].fill(0.0);
        let mut value = 0.0;
        let gaps = vec![0.0; self.model.gaps(&v).len()];
        for _ in 0..ROUNDS {
            let mut Cv = vec![0.0; count];
            for (f, own) in Cv.chunks_exact_mut(r).enumerate().skip(self.model.first()) {
                add_product(own, 1.0, &self.curvature[f * r * r..][..r * r], &v[f * r..][..r]);
            }
            // −H⁻¹ C v.
            let mut next: Vec<f64> = self.normal.step(&self.model.released(Cv), &gaps);
            next.iter_mut().zip(&v).for_each(|(next, v)| *next = -*next - shift * v);
            value = dot(&next, &v) / dot(&v, &v).max(f64::MIN_POSITIVE);
            let size = dot(&next, &next).sqrt();
            if !(size > 0.0 && size.is_finite()) {
                break;
            }
            v = next.iter().map(|x| x / size).collect();
        }
        (v, value)
    }
}
