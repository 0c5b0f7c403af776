//! How an iteration ended.

use serde::{Deserialize, Serialize};

/// The end of an iterative computation. Not reaching a tolerance is an answer the caller reports,
/// never a panic and never hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every tolerance was met.
    Converged,
    /// The iteration limit or round-off stopped it first; the residuals say how far it came.
    NotConverged,
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::NotConverged => "not converged",
        })
    }
}
