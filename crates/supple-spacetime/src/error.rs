//! What can be wrong with a kernel or with rows, each naming the culprit.

use crate::HandleId;
use supple_model::{Cancelled, Instant};

/// A number that was given and cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Seconds per frame.
    TimeStep,
    /// The eigenvalue of a mode.
    Eigenvalue,
    /// Half the damping of a mode.
    Damping,
    /// How much positions away from the input cost.
    ReachPosition,
    /// How much velocities away from the input cost.
    ReachVelocity,
    /// How much spatial smoothness counts in the energy without oscillations.
    Smoothness,
    /// Frames after which little is left of a smooth edit.
    Reach,
    /// How easily a mode moves under the smooth energy.
    Variance,
    /// How far in space an edit spreads.
    Spread,
    /// The size of the body.
    BodySize,
    /// A tolerance.
    Tolerance,
    /// Where a path begins, if that is given.
    StartPosition,
    /// How fast it begins.
    StartVelocity,
    /// Where it ends.
    EndPosition,
    /// How fast it ends.
    EndVelocity,
    /// A constant force along it.
    Load,
}

impl Quantity {
    /// What it must be.
    fn range(self) -> &'static str {
        match self {
            Self::TimeStep | Self::Reach | Self::BodySize | Self::Tolerance => "positive and finite",
            Self::Spread => "finite and not too large",
            _ => "at least 0 and finite",
        }
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TimeStep => "the time step",
            Self::Eigenvalue => "an eigenvalue",
            Self::Damping => "a mode's damping",
            Self::ReachPosition => "the cost of positions",
            Self::ReachVelocity => "the cost of velocities",
            Self::Smoothness => "the weight of smoothness",
            Self::Reach => "the reach in frames",
            Self::Variance => "the variance",
            Self::Spread => "the spread in space",
            Self::BodySize => "the size of the body",
            Self::Tolerance => "a tolerance",
            Self::StartPosition => "the start position",
            Self::StartVelocity => "the start velocity",
            Self::EndPosition => "the end position",
            Self::EndVelocity => "the end velocity",
            Self::Load => "the constant load",
        })
    }
}

/// Which row is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowName {
    /// A contact, counted from 0 in the order given.
    Contact(usize),
    /// A row of a handle, counted from 0.
    Handle(HandleId, usize),
}

impl std::fmt::Display for RowName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Contact(index) => write!(f, "contact row {index}"),
            Self::Handle(id, row) => write!(f, "row {row} of {id}"),
        }
    }
}

/// Why a time cannot carry a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameProblem {
    /// There is no such time.
    #[error("frame {frame} is beyond the motion's {frames} frames")]
    Missing {
        /// The time asked for, in frames from 0.
        frame: Instant,
        /// How many there are.
        frames: usize,
    },
    /// The edit is limited to a window that does not hold this frame.
    #[error("frame {frame} is outside the window {first} to {last}")]
    OutsideWindow {
        /// The time asked for.
        frame: Instant,
        /// The first frame of the window.
        first: usize,
        /// The last frame of the window.
        last: usize,
    },
    /// The edit is held at zero there.
    #[error("frame {frame} is clamped by the choice of ends, so it cannot be edited")]
    AtRest {
        /// The time asked for.
        frame: Instant,
    },
}

/// What can be wrong with a kernel or with rows.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpacetimeError {
    /// A body without modes cannot be edited.
    #[error("there are no modes")]
    NoModes,
    /// A time at which nothing can be asked.
    #[error(transparent)]
    KeyTime(FrameProblem),
    /// A whole pose of another number of modes.
    #[error("a pose has {found} numbers for {modes} modes")]
    PinCount {
        /// What it has.
        found: usize,
        /// What it needs.
        modes: usize,
    },
    /// A number is not finite, or has the wrong sign.
    #[error("{quantity} must be {}, got {value}", quantity.range())]
    BadNumber {
        /// Which.
        quantity: Quantity,
        /// What it is.
        value: f64,
    },
    /// A number of one mode is not finite, or has the wrong sign.
    #[error("{quantity} of mode {mode} must be at least 0 and finite, got {value}")]
    BadMode {
        /// The mode.
        mode: usize,
        /// Which number.
        quantity: Quantity,
        /// What it is.
        value: f64,
    },
    /// What is given of a path has not one number per mode.
    #[error("{quantity} is given for {found} modes, but the kernel has {modes}")]
    GivenCount {
        /// What is given.
        quantity: Quantity,
        /// For how many modes.
        found: usize,
        /// How many there are.
        modes: usize,
    },
    /// A number given for one mode is not finite.
    #[error("{quantity} of mode {mode} must be finite, got {value}")]
    NotFinite {
        /// The mode.
        mode: usize,
        /// Which number.
        quantity: Quantity,
        /// What it is.
        value: f64,
    },
    /// A state can be given only where the kernel holds one.
    #[error("{quantity} can be given only where the edit is clamped to a frame")]
    NotClamped {
        /// What is given.
        quantity: Quantity,
    },
    /// Only one energy knows of forces.
    #[error("a constant load needs the energy of forces")]
    LoadWithoutForces,
    /// Nothing moves a body whose modes have no variance.
    #[error("the variances of all modes are zero, so nothing can be edited")]
    NoVariance,
    /// The smooth energy is given by variances, not by oscillators.
    #[error("the smooth energy needs the variances of the modes, not their oscillators")]
    SmoothEnergy,
    /// Variances are what the smooth energy needs, and no other.
    #[error("variances of the modes are for the smooth energy only")]
    NotSmooth,
    /// Smooth edits begin and end at frames.
    #[error("a smooth edit cannot be clamped between two frames")]
    HalfFrame,
    /// Between two ends at rest a reach this long leaves nothing that numbers can tell from zero.
    #[error(
        "a reach of {reach} frames is too long for {frames} frames between two clamped ends; lower `reach`, \
         or free an end"
    )]
    ReachTooLong {
        /// The reach, in frames.
        reach: f64,
        /// Frames of the edit.
        frames: usize,
    },
    /// No frame is left between the ends.
    #[error("{frames} frames are too few to edit between clamped ends")]
    TooShort {
        /// Frames of the window, of the loop or of the motion.
        frames: usize,
    },
    /// The window is not a range of the motion's frames.
    #[error("the window {first} to {last} is not a range of the {frames} frames")]
    BadWindow {
        /// Its first frame.
        first: usize,
        /// Its last frame.
        last: usize,
        /// Frames of the motion.
        frames: usize,
    },
    /// A window's end inside the motion must be at rest, or the edit would tear off there.
    #[error("the window ends at frame {frame} inside the motion, so it cannot be free there")]
    FreeInside {
        /// The end.
        frame: usize,
    },
    /// A loop has the length of the motion, or one frame less.
    #[error("a loop of {period} frames does not fit a motion of {frames} frames; use {frames} or one less")]
    BadLoop {
        /// Its length.
        period: usize,
        /// Frames of the motion.
        frames: usize,
    },
    /// A window of a loop has no meaning.
    #[error("a loop cannot be limited to a window")]
    WindowOfLoop,
    /// Nothing holds this mode where a free start leaves it.
    #[error("mode {mode} starts freely, but nothing fixes its start: positions need a cost")]
    FreeStart {
        /// The mode.
        mode: usize,
    },
    /// A mode without stiffness could be anywhere in a loop.
    #[error("mode {mode} has no stiffness and drifts in a loop: positions need a cost")]
    DriftingLoop {
        /// The mode.
        mode: usize,
    },
    /// A mode swings a whole number of times in the loop, undamped, so it swings for free.
    #[error("mode {mode} swings freely in a loop of this length; add damping")]
    ResonantLoop {
        /// The mode.
        mode: usize,
    },
    /// A row stands at a frame that cannot carry it.
    #[error("{row}: {problem}")]
    Frame {
        /// The row.
        row: RowName,
        /// What is wrong.
        problem: FrameProblem,
    },
    /// A row has not one weight per mode.
    #[error("{row} has {weights} weights for {modes} modes")]
    WeightCount {
        /// The row.
        row: RowName,
        /// How many it has.
        weights: usize,
        /// How many there must be.
        modes: usize,
    },
    /// A weight of a row is not finite.
    #[error("{row} has a weight that is not finite for mode {mode}")]
    BadWeight {
        /// The row.
        row: RowName,
        /// The mode.
        mode: usize,
    },
    /// A target is not finite.
    #[error("the target of {row} must be finite, got {value}")]
    BadTarget {
        /// The row.
        row: RowName,
        /// What it is.
        value: f64,
    },
    /// The weight of a soft row is not positive and finite.
    #[error("the weight of {row} must be greater than 0, got {value}")]
    BadHold {
        /// The row.
        row: RowName,
        /// What it is.
        value: f64,
    },
    /// A handle needs rows.
    #[error("{0} has no rows")]
    EmptyHandle(HandleId),
    /// This handle is there already.
    #[error("{0} already exists")]
    HandleTaken(HandleId),
    /// There is no such handle.
    #[error("there is no {0}")]
    NoHandle(HandleId),
    /// A handle has one target per row.
    #[error("{id} has {rows} rows, but {targets} targets were given")]
    TargetCount {
        /// The handle.
        id: HandleId,
        /// Its rows.
        rows: usize,
        /// Targets given.
        targets: usize,
    },
    /// A handle holds a site that the body does not have.
    #[error("{id} uses site {site}, but there are {sites} sites")]
    NoSite {
        /// The handle.
        id: HandleId,
        /// Its site.
        site: usize,
        /// How many there are.
        sites: usize,
    },
    /// The body was read with another number of modes than the kernel has.
    #[error("the body has {found} modes, but the kernel has {modes}")]
    ReadoutModes {
        /// Those of the body.
        found: usize,
        /// Those of the kernel.
        modes: usize,
    },
    /// The body's position or its derivative is not finite.
    #[error("{id} uses site {site}, whose position at frame {at} is not finite")]
    BadReadout {
        /// The handle.
        id: HandleId,
        /// Its site.
        site: usize,
        /// When it is read.
        at: Instant,
    },
    /// Stopped by the caller.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
