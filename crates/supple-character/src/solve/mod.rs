//! Sequential quadratic programming over one displacement curve.
//!
//! > minimise ½ xᵀ (T ⊗ G) x + Σ ρ(r(x)) / ε,  r = c − g
//!
//! (Gleicher 1997, Eq. 1 and 4, with rows that cannot all be met: §4.1). A step solves
//!
//! > (T ⊗ G + Jᵀ J / ε) Δ = Jᵀ r / ε − (T ⊗ G) x,
//!
//! which is the damped system (J G⁻¹ Jᵀ + ε) λ = … of its Eq. 9 by the inversion lemma, but in blocks along the keys: linear
//! in frames, whatever the number of rows ([`supple_numerics::banded`]). Places that float and rows between frames stand at
//! the border.
//!
//! ρ is ½ r² up to `give` and grows like |r| beyond: a row that cannot be met pulls no harder than that, so the others hold.
//! Rows that are bounds count while they are passed, or a step would pass them.
//!
//! ```text
//! descend: x = 0; repeat
//!            read rows and J at x, assemble, factor, solve for Δ
//!            near the end, mix Δ with the last few (Anderson)
//!            shorten Δ until the merit falls; harder where it does not (Levenberg)
//! restore: the least Δ with J Δ = r for rows that can be met, a few times
//! ```

mod active;
mod assemble;
mod descend;
mod evaluate;
mod mix;
mod problem;
mod restore;

pub use descend::{descend, step_once};
pub use evaluate::{RowId, Rows, evaluate};
pub use problem::{Asked, Ground, Penalty, Problem, State};
pub use restore::restore;

#[cfg(test)]
mod tests;
