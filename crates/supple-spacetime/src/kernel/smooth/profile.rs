//! How an edit comes and goes in time: the covariance of two critically damped stages.
//!
//! White noise through two critically damped oscillators, one behind the other, is a process whose spectral density
//! is proportional to 1/(1 + ω²)⁴. Its covariance over the time x is
//!
//! > κ(x) = e^{−x} (1 + x + 2x²/5 + x³/15), κ'(x) = −e^{−x} (x + x² + x³/3)/5, κ''(x) = −e^{−x} (1 + x − x³/3)/5
//!
//! for x ≥ 0, and even. It is one bump without a negative lobe, and has six derivatives at 0. Frames are measured
//! so that κ is 5 % at the reach. In a loop of length X the bumps of all rounds add up,
//!
//! > Σ_m κ(x + mX) over all whole m, from Σ_{m≥0} mⁿ qᵐ = A_n(q)/(1−q)^{n+1}, q = e^{−X}
//!
//! with Euler's polynomials A_n: 1, q, q + q², q + 4q² + q³.

/// Where κ is 0.05.
const REACH: f64 = 6.876_721_153_587_661;

/// κ, κ' and κ'' at one time.
pub(super) type Jet = [f64; 3];

/// x of one frame where 5 % are left after `reach` frames.
pub(super) fn frame_length(reach: f64) -> f64 {
    REACH / reach
}

/// κ, κ', κ'' at x ≥ 0.
pub(super) fn jet(x: f64) -> Jet {
    let decay = (-x).exp();
    if decay == 0.0 {
        return [0.0; 3];
    }
    [
        decay * (1.0 + x * (1.0 + x * (0.4 + x / 15.0))),
        -decay * x * (1.0 + x * (1.0 + x / 3.0)) / 5.0,
        -decay * (1.0 + x - x * x * x / 3.0) / 5.0,
    ]
}

/// κ, κ', κ'' at x of a loop of length `round`, 0 ≤ x < round.
pub(super) fn jet_in_loop(x: f64, round: f64) -> Jet {
    // Those from rounds before, and those from rounds to come, seen backwards.
    let (behind, ahead) = (one_sided(x, round), one_sided(round - x, round));
    [behind[0] + ahead[0], behind[1] - ahead[1], behind[2] + ahead[2]]
}

/// Σ_{m≥0} of κ, κ', κ'' at x + m·round.
fn one_sided(x: f64, round: f64) -> Jet {
    let (q, gap) = ((-round).exp(), -(-round).exp_m1());
    let ratio = round / gap;
    let over = (-x).exp() / gap;
    // Σ (m·round)ⁿ e^{−x−m·round}, n = 0..3.
    let sums = [
        over,
        over * ratio * q,
        over * ratio * ratio * q * (1.0 + q),
        over * ratio * ratio * ratio * q * (1.0 + q * (4.0 + q)),
    ];
    // Σ (x + m·round)ⁿ e^{−x−m·round}.
    let powers = [
        sums[0],
        x * sums[0] + sums[1],
        x * (x * sums[0] + 2.0 * sums[1]) + sums[2],
        x * (x * (x * sums[0] + 3.0 * sums[1]) + 3.0 * sums[2]) + sums[3],
    ];
    [
        powers[0] + powers[1] + 0.4 * powers[2] + powers[3] / 15.0,
        -(powers[1] + powers[2] + powers[3] / 3.0) / 5.0,
        -(powers[0] + powers[1] - powers[3] / 3.0) / 5.0,
    ]
}
