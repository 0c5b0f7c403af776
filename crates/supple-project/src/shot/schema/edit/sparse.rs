//! `[edit.sparse]`: what `sparse` has of its own.

use crate::shot::describe::*;
use crate::shot::schema::NOT_NEGATIVE;

/// `[edit.sparse]`: how a motion is found from a few keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sparse {
    /// How it is solved.
    pub solver: SparseSolver,
    /// The frames over which a shape fades that the next segment cannot hold.
    pub fade: f64,
}

table!([Sparse] { solver: default, fade: default } check Sparse::check);

impl Default for Sparse {
    fn default() -> Self {
        Self { solver: SparseSolver::default(), fade: 12.0 }
    }
}

impl Sparse {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("fade", self.fade >= 0.0, NOT_NEGATIVE)
    }
}

/// `solver`: how steps are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SparseSolver {
    /// `newton`: Gauss–Newton with the curvature of the warp.
    #[default]
    Newton,
    /// `gauss-newton`: without that curvature.
    GaussNewton,
    /// `bfgs`: curvature learnt from the steps.
    Bfgs,
}

words!(SparseSolver { Newton = "newton", GaussNewton = "gauss-newton", Bfgs = "bfgs" });
