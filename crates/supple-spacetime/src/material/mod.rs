//! Materials that are changed, so that a motion needs little force (Li et al. 2014).
//!
//! - [`recover`]: the material of a given motion.

mod recover;

pub use recover::{
    GivenMotion, Recovered, RecoveredPath, RecoveryError, RecoverySettings, RecoveryStart, RecoverySteps,
    recover, unoptimised,
};
