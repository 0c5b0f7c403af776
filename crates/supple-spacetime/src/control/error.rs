//! What can be wrong with a motion that is to be controlled, each naming the culprit.

use supple_model::Cancelled;

/// A number that was given and cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlQuantity {
    /// Seconds per frame.
    TimeStep,
    /// α.
    MassDamping,
    /// β.
    StiffnessDamping,
    /// ε.
    Effort,
    /// A tolerance.
    Tolerance,
    /// How firmly tracking holds a motion.
    Firmness,
}

impl ControlQuantity {
    /// Whether 0 is one of its values.
    fn may_be_zero(self) -> bool {
        matches!(self, Self::MassDamping | Self::StiffnessDamping | Self::Firmness)
    }

    fn range(self) -> &'static str {
        if self.may_be_zero() { "at least 0 and finite" } else { "positive and finite" }
    }

    pub(super) fn check(self, value: f64) -> Result<(), ControlError> {
        let is_fine = value.is_finite() && (value > 0.0 || (self.may_be_zero() && value == 0.0));
        if is_fine { Ok(()) } else { Err(ControlError::BadNumber { quantity: self, value }) }
    }
}

impl std::fmt::Display for ControlQuantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TimeStep => "the time step",
            Self::MassDamping => "the damping by mass",
            Self::StiffnessDamping => "the damping by stiffness",
            Self::Effort => "the effort",
            Self::Tolerance => "the tolerance",
            Self::Firmness => "the firmness of tracking",
        })
    }
}

/// Numbers that are given for every coordinate, or for every coordinate of every frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlGiven {
    /// The frame before the first.
    Before,
    /// The first frame.
    First,
    /// A constant force.
    Load,
    /// Known forces, frame by frame.
    Pushes,
    /// The forces of control.
    Forces,
    /// The motion to begin with.
    Guess,
}

impl ControlGiven {
    pub(super) fn check(self, values: &[f64], wanted: usize) -> Result<(), ControlError> {
        if values.len() != wanted {
            return Err(ControlError::Count { given: self, found: values.len(), wanted });
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(ControlError::NotFinite { given: self, index }),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for ControlGiven {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Before => "the frame before the start",
            Self::First => "the first frame",
            Self::Load => "the constant load",
            Self::Pushes => "the loads by frame",
            Self::Forces => "the control forces",
            Self::Guess => "the motion to start from",
        })
    }
}

/// What can be wrong with a motion that is to be controlled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// A body that cannot move.
    #[error("the body has no coordinates to control")]
    NoCoordinates,
    /// Nothing happens between fewer than two frames.
    #[error("a controlled motion needs at least 2 frames, got {frames}")]
    TooShort {
        /// How many there are.
        frames: usize,
    },
    /// A number is not finite, or has the wrong sign.
    #[error("{quantity} must be {}, got {value}", quantity.range())]
    BadNumber {
        /// Which.
        quantity: ControlQuantity,
        /// What it is.
        value: f64,
    },
    /// Too few numbers, or too many.
    #[error("{given} must be {wanted} numbers, got {found}")]
    Count {
        /// Which.
        given: ControlGiven,
        /// How many there are.
        found: usize,
        /// How many there must be.
        wanted: usize,
    },
    /// One of them is not finite.
    #[error("{given} must be finite, but number {index} is not")]
    NotFinite {
        /// Which.
        given: ControlGiven,
        /// The first that is not finite, counted from 0.
        index: usize,
    },
    /// Nothing is asked for.
    #[error("there are no key poses")]
    NoKeys,
    /// A key stands beyond the motion.
    #[error("the key pose at frame {frame} is outside the motion, whose last frame is {last}")]
    KeyOutside {
        /// Where it stands.
        frame: usize,
        /// The motion's last frame.
        last: usize,
    },
    /// The start is given already.
    #[error(
        "the key pose at frame 0 is at the start of the motion, which is given; free the start or move the key"
    )]
    KeyAtStart,
    /// Only one key may stand at a frame.
    #[error("there are two key poses at frame {frame}")]
    TwoKeys {
        /// Where they stand.
        frame: usize,
    },
    /// A key has too few numbers, or too many.
    #[error("the key pose at frame {frame} must have {wanted} numbers, got {found}")]
    KeyCount {
        /// Where it stands.
        frame: usize,
        /// How many it has.
        found: usize,
        /// How many it must have.
        wanted: usize,
    },
    /// A number of a key is not finite.
    #[error("the key pose at frame {frame} must be finite")]
    KeyNotFinite {
        /// Where it stands.
        frame: usize,
    },
    /// A weight of a key is negative or not finite.
    #[error("the weights of the key pose at frame {frame} must be at least 0 and finite, got {value}")]
    KeyWeight {
        /// Where it stands.
        frame: usize,
        /// What the weight is.
        value: f64,
    },
    /// A soft key weighs nothing.
    #[error("the hold of the key pose at frame {frame} must be positive and finite, got {value}")]
    KeyHold {
        /// Where it stands.
        frame: usize,
        /// What the hold is.
        value: f64,
    },
    /// Nothing of the body counts at a key.
    #[error("the key pose at frame {frame} asks for nothing: all its weights are 0")]
    KeyEmpty {
        /// Where it stands.
        frame: usize,
    },
    /// A free start is known by the keys alone.
    #[error("a free start needs at least 2 key poses, got {keys}")]
    FreeStart {
        /// How many there are.
        keys: usize,
    },
    /// Windows must overlap.
    #[error("`keys_per_window` must be at least 2, got {keys}")]
    WindowKeys {
        /// How many there are.
        keys: usize,
    },
    /// Conjugate gradients know soft keys alone.
    #[error("`solver = \"cg\"` needs soft key poses, but the one at frame {frame} is hard; give it a `hold`")]
    HardKey {
        /// Where it stands.
        frame: usize,
    },
    /// Conjugate gradients need a start.
    #[error("`solver = \"cg\"` needs a start that is given, not a free one")]
    FreeStartOfCg,
    /// The body has no force there.
    #[error("the body has no elastic force in the pose of frame {frame}: an element is turned inside out")]
    NoForce {
        /// The frame.
        frame: usize,
    },
    /// A time step has no solution that was found.
    #[error("the simulation does not converge at frame {frame}; shorten the time step or lower the forces")]
    Simulation {
        /// The frame that was looked for.
        frame: usize,
    },
    /// Stopped by the caller.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
