//! The material of a given motion (Li et al. 2014, §6.3): which shapes S swing in it, how fast and how damped.
//!
//! A motion is given by its modal coordinates x̄ frame by frame, R of them, orthonormal in the mass. Wanted are r < R
//! directions that swing each for itself, and need little force to do so:
//!
//! > min ½ Σ_k ∫ (z̈_k + d_k ż_k + λ_k z_k)² dt + ½γ Σ_i |x₀ + S z(i) − x̄_i|², SᵀS = I, d ≥ 0,
//!
//! x₀ where the body is when it does not move: gravity holds it elsewhere than at rest. The sum over i runs over the frames
//! in which nothing pushes. Time is counted in frames, and x̄ scaled to one, its root mean square over frames.
//!
//! | symbol | name | shape | |
//! |---|---|---|---|
//! | x̄ | [`GivenMotion::coordinates`] | R × frames | |
//! | λ, d | [`Recovered::eigenvalues`], [`Recovered::damping`] | r | 1/frame², 1/frame |
//! | S | [`Recovered::shapes`] | R × r | |
//! | x₀ | [`Recovered::rest`] | R | |
//! | γ | [`RecoverySettings::weight`] | | |
//!
//! ```text
//! λ, d, S ← dynamic modes of x̄ under delays ([`delays`]), or the spectrum ([`spectrum`]); x₀ ← the mean of x̄
//! until a round gains less than the tolerance:
//!   z_k  ← the least costly path through (Sᵀ(x̄ − x₀))_k, its first state free ([`smoother`]), every k
//!   λ, d ← least squares with z fixed between frames too, a constant load beside them, which moves x₀ ([`step`])
//!   S    ← polar factor of Σ (x̄ − x₀) zᵀ; x₀ ← what remains of it on the average ([`shapes`])
//! ```
//!
//! As SᵀS = I the modes do not know of each other in the first two steps. No step raises the sum.

mod data;
mod delays;
mod dense;
mod error;
mod result;
mod rounds;
mod settings;
mod shapes;
mod smoother;
mod spectrum;
mod step;
#[cfg(test)]
mod tests;

pub use data::GivenMotion;
pub use error::RecoveryError;
pub use result::{Path as RecoveredPath, Recovered};
pub use settings::{RecoverySettings, RecoveryStart};

use crate::material::settings::Optimise;
use data::Data;
use supple_model::Progress;

/// Recovers the material of a motion.
///
/// # Errors
/// A motion that has none, see [`RecoveryError`]; cancellation. To [stop](Progress::stop) gives the best so far.
pub fn recover(
    motion: &GivenMotion<'_>,
    settings: &RecoverySettings,
    progress: &Progress,
) -> Result<Recovered, RecoveryError> {
    let data = Data::new(motion)?;
    progress.report("finding modes", 0.0)?;
    let found = delays::start(&data, settings)?;
    let start = match (settings.optimise, settings.start) {
        (Optimise::All, RecoveryStart::Delays) => found,
        _ => spectrum::start(&data, motion.eigenvalues, settings)?,
    };
    rounds::run(&data, start, settings, progress)
}

/// What the motion would be of a uniform material: the eigenvalues given, scaled so that the most significant one has the
/// frequency at which it swings, undamped. This is where the published method begins, and what a recovered material is
/// compared with.
///
/// # Errors
/// As [`recover`].
pub fn unoptimised(
    motion: &GivenMotion<'_>,
    settings: &RecoverySettings,
    progress: &Progress,
) -> Result<Recovered, RecoveryError> {
    let settings =
        RecoverySettings { optimise: Optimise::None, weight: settings::PUBLISHED_WEIGHT, ..*settings };
    let data = Data::new(motion)?;
    let start = spectrum::start(&data, motion.eigenvalues, &settings)?;
    rounds::run(&data, start, &settings, progress)
}
