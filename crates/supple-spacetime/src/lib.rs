//! Edits of motion: the spacetime kernel of a body's modes, and what is asked of it as rows.
//!
//! A body's motion is edited by p(t) = U z(t), U its modes. Of all edits that do what the user asks, the least
//! costly is wanted: the one that needs the least force beside those of the equations of motion. With λ_k, δ_k
//! the eigenvalue and half the damping of mode k,
//!
//! > minimise ½ Σ_k ∫ (z̈_k + 2δ_k ż_k + λ_k z_k)² dt subject to Σ_k c_ak z_k(t_a) = target_a.
//!
//! - [`Kernel`]: the exact solution of one pull, for every mode and pair of times, made of [`Oscillator`]s
//!   under [`Settings`];
//! - [`MeanPath`]: what is given beside it, a start, an end, a constant load;
//! - [`Constraints`]: contacts and handles as [`Row`]s, added, moved and removed one by one;
//! - [`Drag`]: handles on a body that warps its edits, held where they are asked to be;
//! - [`SparseProblem`]: a motion from a few partial keys;
//! - [`ControlProblem`]: a motion of a nonlinear body that meets key poses with the least force;
//! - [`MaterialEdit`]: handles and poses on a body whose material may be another one;
//! - [`recover()`]: the material of a given motion;
//! - [`Path`]: the edit at any time, and the force that drives it.
//!
//! Bodies are not known here: a row is what a vertex sees of the modes, its rows of U, and a warped
//! position is what a [`Readout`](supple_model::Readout) says.
//!
//! ```
//! use std::sync::Arc;
//! use supple_spacetime::{Constraints, HandleId, Kernel, Order, Oscillator, Row, Settings};
//!
//! let modes = [Oscillator { eigenvalue: 4.0, delta: 0.1 }, Oscillator { eigenvalue: 90.0, delta: 1.0 }];
//! let kernel = Arc::new(Kernel::new(&modes, Settings::new(120, 1.0 / 24.0))?);
//! let mut constraints = Constraints::new(kernel);
//! constraints.add(HandleId(1), vec![Row::position(60, vec![0.7, -0.2], 0.5)])?;
//!
//! let edit = constraints.solve();
//! let mut z = [0.0; 2];
//! edit.path.at(60, Order::Position, &mut z);
//! assert!((0.7 * z[0] - 0.2 * z[1] - 0.5).abs() < 1e-12);
//! # Ok::<(), supple_spacetime::SpacetimeError>(())
//! ```

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod control;
mod drag;
mod error;
mod handle_id;
mod kernel;
mod material;
mod path;
mod rows;
mod sparse;
mod sqp;

pub use control::{
    ControlAsked, ControlCost, ControlDamping, ControlError, ControlGiven, ControlGuess, ControlIterate,
    ControlKey, ControlKeyReport, ControlPath, ControlProblem, ControlQuantity, ControlReport,
    ControlSettings, ControlSimulation, ControlSolution, ControlSolver, ControlStage, ControlStart,
    ControlTask, ControlTime, TrackSettings, Tracker,
};
pub use drag::{Drag, DragReport, DragSettings, LiveReport, LiveView, StartPoint, StartReport};
pub use error::{FrameProblem, Quantity, RowName, SpacetimeError};
pub use handle_id::HandleId;
pub use kernel::{
    End, Ends, Energy, Given, Home, Kernel, MeanPath, ModalState, Order, Oscillator, Reach, Settings, Start,
};
pub use material::{
    GivenMotion, Material, MaterialEdit, MaterialError, MaterialIterate, MaterialPart, MaterialPose,
    MaterialQuantity, MaterialReport, MaterialSettings, MaterialStage, MaterialStep, MixedReadout, Optimise,
    PoseReport, Recovered, RecoveredPath, RecoveryError, RecoverySettings, RecoveryStart, recover,
    unoptimised,
};
pub use path::{Forces, Path, Peak, States};
pub use rows::{Constraints, Edit, Hold, Report, Row, Unmet};
pub use sparse::{
    Cost, Goal, KeyState, Pin, Solver, SparseKey, SparseProblem, SparseReport, SparseSettings, SparseSolution,
};
pub use sqp::{Grip, HandleError, KnownEdit, LinearReadout, LinearSite, Tolerance};
pub use supple_model::Status;
