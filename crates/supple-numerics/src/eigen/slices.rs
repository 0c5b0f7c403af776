//! Spectrum slicing: many eigenvalues from several shifts that know nothing of each other, sewn
//! together without a gap.
//!
//! Shift j knows exactly how many eigenvalues lie below it, N_j. Between shifts j and j+1 there are
//! d = N_{j+1} − N_j; one finds the lower half of them, the other the upper half, and a few
//! beyond. Numbering each from its own shift gives every eigenvalue its place in the whole spectrum;
//! where both found it they must agree, or one has missed an eigenvalue.

use super::krylov::{self, Found, Wanted};
use super::operator::{Scaled, ShiftInvert};
use super::plan::{self, Count, SLICE};
use super::tall::Threads;
use super::{EigenError, Spectrum};
use faer::Mat;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;
use supple_model::Progress;

/// Relative difference below which two shifts mean the same eigenvalue.
const SAME: f64 = 1e-7;

/// Factors are kept between counting and solving while they fit in so many bytes together.
const FACTOR_BYTES: usize = 2 << 30;

/// A shift, how many eigenvalues lie below it and how many it is to find on either side.
struct Slice {
    count: Count,
    below: usize,
    above: usize,
    operator: Option<ShiftInvert>,
}

/// The lowest `goal` eigenpairs of the scaled problem and a few more, ascending.
pub(super) fn lowest(
    problem: &Scaled,
    goal: usize,
    tolerance: f64,
    width: usize,
    progress: &Progress,
) -> Result<Spectrum, EigenError> {
    let lowest = problem.shifted(problem.lowest_shift())?;
    let shift = lowest.shift();
    let search = Search { problem, tolerance, floor: -1e-3 * shift, width, overlap: 2 * width / 3 };
    // A little more than a slice is not worth a second shift.
    let first = if goal <= SLICE + SLICE / 2 { goal } else { SLICE };
    let above = (first + search.overlap).min(problem.dim());
    let mut start = Slice { count: Count { shift, below: 0 }, below: 0, above, operator: Some(lowest) };
    let share = first as f64 / goal as f64;
    let mut found = search
        .solve(&start, Threads::All, &|done| progress.part(0.0, share).report("computing modes", done))?;
    // The very lowest ones are the least part of the largest eigenvalue, on which round-off depends.
    let low = found.values.partition_point(|&value| value <= -shift);
    if let Some(lowest) = start.operator.take() {
        lowest.iterate(found.vectors.as_mut().subcols_mut(0, low), Threads::All);
    }
    if first == goal {
        return Ok(Spectrum { values: found.values, vectors: found.vectors });
    }
    let mut slices = vec![start];
    slices.extend(search.place(&found.values, first, goal, progress)?);
    search.share_out(&mut slices, goal);
    let mut all = vec![found];
    all.extend(search.solve_all(&mut slices[1..], &progress.part(share, 1.0))?);
    search.sew(&slices, &all)
}

struct Search<'a> {
    problem: &'a Scaled,
    tolerance: f64,
    floor: f64,
    /// Columns of a block of the Krylov spaces.
    width: usize,
    /// Eigenvalues that neighbouring shifts both find, to compare and to choose a gap for the seam.
    overlap: usize,
}

impl Search<'_> {
    /// Factors shifts that have about equally many of the eigenvalues `first..goal` around them.
    fn place(
        &self,
        values: &[f64],
        first: usize,
        goal: usize,
        progress: &Progress,
    ) -> Result<Vec<Slice>, EigenError> {
        let seen = |below: usize| Count { shift: f64::midpoint(values[below - 1], values[below]), below };
        let mut known = vec![seen(first / 2), seen(first)];
        loop {
            let shifts = plan::scout(&known, goal);
            if shifts.is_empty() {
                break;
            }
            progress.check()?;
            known.extend(self.count(shifts, false)?.iter().map(|s| s.count));
        }
        progress.check()?;
        let centres = plan::centres(first, goal);
        let keep = 8 * self.problem.factor_len() * centres.len() <= FACTOR_BYTES;
        let shifts = centres.into_iter().map(|target| plan::guess(&known, target)).collect();
        let mut slices = self.count(shifts, keep)?;
        loop {
            let placed: Vec<Count> =
                std::iter::once(known[1]).chain(slices.iter().map(|s| s.count)).collect();
            let more = plan::divide(&placed);
            if more.is_empty() {
                break;
            }
            progress.check()?;
            slices.extend(self.count(more, false)?);
            slices.sort_by(|a, b| a.count.shift.total_cmp(&b.count.shift));
        }
        slices.retain(|s| s.count.below > first);
        slices.dedup_by_key(|s| s.count.below);
        Ok(slices)
    }

    fn count(&self, shifts: Vec<f64>, keep: bool) -> Result<Vec<Slice>, EigenError> {
        shifts
            .into_par_iter()
            .map(|shift| {
                let operator = self.problem.shifted(shift)?;
                let count = Count { shift: operator.shift(), below: operator.count_below() };
                Ok(Slice { count, below: 0, above: 0, operator: keep.then_some(operator) })
            })
            .collect()
    }

    /// Says how many eigenvalues each shift is to find below and above itself.
    fn share_out(&self, slices: &mut [Slice], goal: usize) {
        let overlap = self.overlap;
        for j in 1..slices.len() {
            let between = slices[j].count.below - slices[j - 1].count.below;
            if j == 1 {
                slices[j].below = between + 2 * overlap - slices[0].above.min(between + overlap);
            } else {
                slices[j - 1].above = (between / 2 + overlap).min(between);
                slices[j].below = (between - between / 2 + overlap).min(between);
            }
        }
        let last = slices.len() - 1;
        if last > 0 {
            let below = slices[last].count.below;
            slices[last].above = (goal + overlap).min(self.problem.dim()).saturating_sub(below);
        }
    }

    fn solve_all(&self, slices: &mut [Slice], progress: &Progress) -> Result<Vec<Found>, EigenError> {
        let threads = if slices.len() == 1 { Threads::All } else { Threads::One };
        let total = slices.len() as f64;
        let done = Mutex::new(vec![0.0; slices.len()]);
        slices
            .par_iter_mut()
            .enumerate()
            .map(|(k, slice)| {
                let report = |fraction: f64| {
                    let sum: f64 = done.lock().map_or(0.0, |mut done| {
                        done[k] = fraction;
                        done.iter().sum()
                    });
                    progress.report("computing modes", sum / total)
                };
                let found = self.solve(slice, threads, &report);
                slice.operator = None;
                found
            })
            .collect()
    }

    fn solve(
        &self,
        slice: &Slice,
        threads: Threads,
        progress: &(dyn Fn(f64) -> Result<(), supple_model::Cancelled> + Sync),
    ) -> Result<Found, EigenError> {
        progress(0.0)?;
        let factored;
        let operator = if let Some(operator) = &slice.operator {
            operator
        } else {
            factored = self.problem.shifted(slice.count.shift)?;
            &factored
        };
        let wanted = Wanted {
            width: self.width,
            below: slice.below,
            above: slice.above,
            tolerance: self.tolerance,
            floor: self.floor,
        };
        Ok(krylov::around(operator, self.problem.dim(), &wanted, threads, progress)?)
    }

    /// Joins what the shifts found, each stretch between two of them cut at its widest gap.
    fn sew(&self, slices: &[Slice], found: &[Found]) -> Result<Spectrum, EigenError> {
        let mut cuts = Vec::with_capacity(slices.len());
        for j in 1..slices.len() {
            let Count { shift, below } = slices[j].count;
            let cut = seam(&slices[j - 1], &found[j - 1], &slices[j], &found[j]);
            cuts.push(cut.ok_or(EigenError::Missed { below: shift, counted: below })?);
        }
        let last = found.last().map_or(0, |f| f.values.len() - f.below);
        cuts.push(slices[slices.len() - 1].count.below + last);
        let mut spectrum = Spectrum { values: Vec::new(), vectors: Mat::zeros(self.problem.dim(), 0) };
        spectrum.vectors.resize_with(self.problem.dim(), cuts[cuts.len() - 1], |_, _| 0.0);
        for ((slice, found), &end) in slices.iter().zip(found).zip(&cuts) {
            let begin = spectrum.values.len();
            let columns: Range<usize> = local(slice, found, begin)..local(slice, found, end);
            spectrum.values.extend_from_slice(&found.values[columns.clone()]);
            let mut target = spectrum.vectors.as_mut().subcols_mut(begin, columns.len());
            target.copy_from(found.vectors.subcols(columns.start, columns.len()));
        }
        Ok(spectrum)
    }
}

/// The place of eigenvalue `index` of the whole spectrum among those found around a shift.
fn local(slice: &Slice, found: &Found, index: usize) -> usize {
    index + found.below - slice.count.below
}

/// The index at which to pass from one shift to the next: the widest gap among the eigenvalues that
/// both found. `None` when they do not agree on those, or all of those are one.
fn seam(lower: &Slice, below: &Found, upper: &Slice, above: &Found) -> Option<usize> {
    // Indices of the whole spectrum: `below` reaches up to `end`, `above` begins at `begin`.
    let end = lower.count.below + below.values.len() - below.below;
    let begin = upper.count.below.checked_sub(above.below)?;
    if begin > end {
        return None;
    }
    let value_below = |index: usize| below.values[local(lower, below, index)];
    let value_above = |index: usize| above.values[local(upper, above, index)];
    let same = |i: usize| (value_below(i) - value_above(i)).abs() <= SAME * value_above(i).abs();
    if !(begin..end.min(upper.count.below)).all(same) {
        return None;
    }
    // Cutting at `index` takes everything before it from below and the rest from above.
    let gap = |index: usize| {
        let next = if index < upper.count.below { value_above(index) } else { upper.count.shift };
        (next - value_below(index - 1)) / next.abs()
    };
    let first = begin.max(lower.count.below + 1);
    let cut = (first..=end.min(upper.count.below)).max_by(|&a, &b| gap(a).total_cmp(&gap(b)))?;
    (gap(cut) > SAME).then_some(cut)
}
