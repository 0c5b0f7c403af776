//! Where to put the shifts, so that each has about as many eigenvalues around it.
//!
//! N(σ), the number of eigenvalues below σ, is known exactly at every factored shift. Between and
//! beyond those it is guessed by a power law: eigenvalue counts of elastic bodies grow like λ^p with p
//! between ½ (a slender rod) and 3/2 (a bulky solid), slowly changing along the spectrum.

/// Eigenvalues one shift looks after: enough to repay its factorization and the first, unfruitful part
/// of the Krylov space; few enough to keep that space small.
pub(super) const SLICE: usize = 160;

/// A count: so many eigenvalues lie below `shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Count {
    pub shift: f64,
    pub below: usize,
}

/// Shifts to count at until the counts reach the goal, in the order of `known`, which is ascending and
/// has at least two entries.
pub(super) fn scout(known: &[Count], goal: usize) -> Vec<f64> {
    let reach = known[known.len() - 1].below;
    if reach >= goal {
        return Vec::new();
    }
    // The law holds for a while only: count again before going further.
    let near = reach + (goal - reach).min(2 * reach) / 2;
    let far = goal.min(3 * reach);
    [near, far].into_iter().map(|target| beyond(known, target)).collect()
}

/// The indices around which the eigenvalues `first..goal` fall into slices of equal size.
pub(super) fn centres(first: usize, goal: usize) -> Vec<usize> {
    let slices = (goal - first).div_ceil(SLICE);
    (0..slices).map(|k| first + (2 * k + 1) * (goal - first) / (2 * slices)).collect()
}

/// Where `target` eigenvalues lie below, `known` reaching past it.
pub(super) fn guess(known: &[Count], target: usize) -> f64 {
    let upper = known.partition_point(|c| c.below < target).clamp(1, known.len() - 1);
    between(known[upper - 1], known[upper], target)
}

/// Shifts inside every stretch that is too long for the two shifts at its ends, in case guesses were
/// far off; the first of `known` is where the first slice ends, not a shift.
pub(super) fn divide(known: &[Count]) -> Vec<f64> {
    let room = |k: usize| if k == 0 { SLICE / 2 } else { SLICE };
    known
        .windows(2)
        .enumerate()
        .filter(|(k, w)| {
            // Eigenvalues that no shift can tell apart are one cluster, for the neighbours to find.
            let cluster = w[1].shift - w[0].shift <= 1e-6 * w[1].shift;
            w[1].below - w[0].below > room(*k) * 4 / 3 && !cluster
        })
        .map(|(_, w)| between(w[0], w[1], usize::midpoint(w[0].below, w[1].below)))
        .collect()
}

/// Where `target` eigenvalues lie below, past the last count, by the power law through the last two;
/// a good step further in any case, as there may not be so many.
fn beyond(known: &[Count], target: usize) -> f64 {
    let (a, b) = (known[known.len() - 2], known[known.len() - 1]);
    let slope = (b.below as f64 / a.below as f64).ln() / (b.shift / a.shift).ln();
    let slope = if slope.is_finite() { slope.clamp(0.3, 3.0) } else { 1.0 };
    b.shift * (target as f64 / b.below as f64).powf(1.0 / slope).max(1.1)
}

/// The same between two counts; never so near to one that the other end hardly moves.
fn between(a: Count, b: Count, target: usize) -> f64 {
    let part = (target as f64 / a.below as f64).ln() / (b.below as f64 / a.below as f64).ln();
    let shift = a.shift * (b.shift / a.shift).powf(part);
    let margin = 0.15 * (b.shift - a.shift);
    shift.clamp(a.shift + margin, b.shift - margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_is_followed_exactly() {
        let count = |below: usize| Count { shift: (below as f64 / 3.0).powf(1.5), below };
        let expected = count(1000).shift;
        assert!((beyond(&[count(50), count(100)], 1000) / expected - 1.0).abs() < 1e-12);
        let expected = count(250).shift;
        assert!((between(count(100), count(400), 250) / expected - 1.0).abs() < 1e-12);
    }

    /// Places shifts for a spectrum given by the shift below which `n` eigenvalues lie.
    fn place(shift_of: impl Fn(usize) -> f64, size: usize, goal: usize) -> Vec<Count> {
        let count =
            |shift: f64| Count { shift, below: (1..=size).take_while(|&n| shift_of(n) < shift).count() };
        let mut known = vec![count(shift_of(SLICE / 2) * 1.0001), count(shift_of(SLICE) * 1.0001)];
        for _ in 0..20 {
            known.extend(scout(&known, goal).into_iter().map(count));
        }
        assert!(known[known.len() - 1].below >= goal);
        let mut shifts = vec![known[1]];
        shifts.extend(centres(SLICE, goal).into_iter().map(|target| count(guess(&known, target))));
        for _ in 0..40 {
            let more = divide(&shifts);
            if more.is_empty() {
                return shifts;
            }
            shifts.extend(more.into_iter().map(count));
            shifts.sort_by(|a, b| a.shift.total_cmp(&b.shift));
        }
        panic!("no end of shifts for {goal} of {size}");
    }

    #[test]
    fn shifts_reach_the_goal_and_leave_no_long_stretch() {
        // A spectrum that bends away from every power law, and one that ends at the goal.
        for (size, goal) in [(5000, 1000), (1500, 1500)] {
            let shifts = place(|n| (n as f64).powf(1.2) * (1.0 + n as f64 / 300.0), size, goal);
            assert!(shifts[shifts.len() - 1].below + SLICE * 2 / 3 >= goal);
            assert!(shifts.windows(2).all(|w| w[1].below - w[0].below <= SLICE * 4 / 3));
            assert!(shifts.len() <= goal / SLICE + 3, "{} shifts for {goal}", shifts.len());
        }
    }

    #[test]
    fn a_cluster_that_cannot_be_divided_ends_the_search() {
        let shifts = place(|n| if (300..700).contains(&n) { 300.0 } else { n as f64 }, 2000, 900);
        assert!(shifts.windows(2).any(|w| w[1].below - w[0].below >= 400));
    }
}
