//! Constraints on warped motion at least cost: what every method that holds points of a warped body in place solves.
//!
//! A body may add an edit to its input by a warp, so that a vertex is at W(z), not linear in the modal coordinates z.
//! Barbič 2012 solves for rows of U and warps afterwards, and the vertex leaves the cursor on large edits. Here the
//! warped position is what is held,
//!
//! > minimise ½⟨z,z⟩ subject to W_a(z(i_a)) = target_a,
//!
//! ⟨·,·⟩ the metric K⁻¹ of [`Kernel`](crate::Kernel), contacts included. At the solution z = Σ_a P(·,i_a) J_aᵀ λ_a with
//! J_a = ∂W_a/∂z there: loads at the goals' times, all frames by [`Path`](crate::Path). The unknowns are z at those
//! times. The rows bend more than the energy does (J changes along the step by more than its size), and plain
//! Gauss–Newton steps cycle; so the curvature of the Lagrangian is learnt as the solution goes on:
//!
//! ```text
//! z = K g, ⟨a,b⟩ = aᵀK⁻¹b = g_aᵀ b; K is conditioned on the contacts and never inverted    [layout, vector]
//! J = J(z); R = target − W(z); S = J K Jᵀ, near repetitions left out; λ = S⁺ J z           [reading, tangent]
//! repeat:                                                                                  [solve]
//!   stop if |R| < tol·L and ‖z − K Jᵀ λ‖ < stol·‖z‖
//!   B = damped BFGS of the last 40 pairs, B₀ = K⁻¹                                         [curvature]
//!   d = argmin ⟨z,d⟩ + ½⟨d,Bd⟩ + ‖R − J d‖²/2μ; μ = 0 first, if J hardly changes along d   [direction]
//!   s = min(1, ¼L / max|J d|), a part of the way for far targets
//!   z' = z + s·d;  up to twice: z' += K Jᵀ (S + μ)⁺ (what W curved away by), unless it does not help
//!   halve s until the merit falls (or all residuals are ≤ 10⁻⁵·L) and ‖J' − J‖ < 0.7 ‖J‖
//!   J' = J(z'), λ' = S'⁺ J' z';  learn the pair (z' − z, K⁻¹(z' − z) − (J' − J)ᵀ λ')
//!   the less J changed, the more μ is reduced; where steps are short it grows
//! where it ended in a saddle: a way down                                                    [saddle]
//! ```
//!
//! μ, how much handles give, starts at 10⁻² (|R|/L)² of the easiest row's S and makes far targets be reached along
//! the cheap way, where hard rows would fold the body; targets out of reach are noticed when neither less of it nor 25
//! iterations bring anything nearer.
//!
//! A method says what it asks as [`Goal`]s, which become rows of a [`Layout`]; its [`Problem`] is solved from a [`State`]
//! to a [`Tolerance`], and where that starts, how often, and what is reported are the method's own. A full iteration
//! looks at the body along one direction at a time, which it prepares ([`probe`]). With very many rows the layout keeps
//! no pairs of places, and products with P are made by sweeps ([`sweep`]).
//!
//! | per iteration | cost |
//! |---|---|
//! | readout | one Jacobian and one to three values per goal, more where a step is tried again |
//! | kernel, F frames of goals with q rows | r·F·q, and the contacts' factor times q |
//! | curvature | 80 r·F products per row |

mod asked;
mod curvature;
mod direction;
mod goal;
mod grip;
mod known;
mod layout;
mod linear;
mod paths;
mod probe;
mod reading;
mod saddle;
mod solve;
mod sweep;
mod tangent;
mod tolerance;
mod vector;

pub use asked::HandleError;
pub use grip::Grip;
pub use known::KnownEdit;
pub use linear::{LinearReadout, LinearSite};
pub use tolerance::Tolerance;

pub(crate) use asked::Stop;
pub(crate) use goal::{Covector, Goal, Held};
pub(crate) use layout::{Layout, Prior};
pub(crate) use reading::{Reading, linearized, linearized_at, of_values};
pub(crate) use solve::{
    Ending, FAR, GIVE, Gap, HOPELESS, LITTLE, NEARER, Outcome, Problem, State, largest, less_give,
};
pub(crate) use tangent::Tangent;
pub(crate) use vector::{Vector, add};
