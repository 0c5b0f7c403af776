//! `[edit.control]`: what `control` has of its own.

use crate::shot::describe::*;
use crate::shot::entry::{decimal, path_text};
use crate::shot::schema::{AT_LEAST_ONE, Anchor};
use std::path::PathBuf;

/// `[edit.control]`: how the least forces are found that take a body from pose to pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Control {
    /// How it is solved.
    pub solver: ControlSolver,
    /// Where the solver begins.
    pub guess: Guess,
    /// What force costs beside poses that are missed.
    pub effort: Effort,
    /// The shapes a motion is made of.
    pub basis: ControlBasis,
    /// At most so many keys are solved for together; a longer motion is cut there. Without: all.
    pub keys_per_window: Option<usize>,
    /// Whether all frames take the same time.
    pub time: FrameTime,
    /// Where a body that nothing holds goes, and how it is turned: a table frame,x,y,z,rx,ry,rz. Without: smoothly through its
    /// poses.
    pub rigid: Option<PathBuf>,
}

table!([Control] {
    solver: quiet,
    guess: quiet,
    effort: quiet,
    basis: quiet,
    keys_per_window: optional,
    time: quiet,
    rigid: optional,
} check Control::check);

impl Control {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("keys_per_window", self.keys_per_window != Some(0), AT_LEAST_ONE)
    }
}

/// `solver`: how steps are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlSolver {
    /// `newton`: Gauss–Newton with simulations as feedback, then Newton's method on all frames at once.
    #[default]
    Newton,
    /// `cg`: conjugate gradients by the adjoint method, as published; slower.
    Cg,
}

words!(ControlSolver { Newton = "newton", Cg = "cg" });

/// `guess`: the motion a solver begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guess {
    /// `zero`: what the body does without forces.
    #[default]
    Zero,
    /// `pd`: springs and dampers pull it along a line from pose to pose.
    Pd,
    /// `arcs`: the body in balance under loads between those of its poses.
    Arcs,
}

words!(Guess { Zero = "zero", Pd = "pd", Arcs = "arcs" });

/// `effort`: ε, what force costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Effort {
    /// `auto`: so little that poses are met closely, by the time between them.
    #[default]
    Auto,
    /// This much.
    Of(f64),
}

plain!(
    Effort,
    |field| Ok(field.number_or("auto", "\"auto\" or a number")?.map_or(Self::Auto, Self::Of)),
    |effort| match effort {
        Self::Auto => Value::from("auto"),
        Self::Of(effort) => decimal(*effort),
    }
);

/// `time`: the physical time of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameTime {
    /// `fixed`: the same for all.
    #[default]
    Fixed,
    /// `per-key`: between two poses as the body would swing from one to the other.
    PerKey,
}

words!(FrameTime { Fixed = "fixed", PerKey = "per-key" });

/// `basis`: the shapes a motion is made of. Poses are always among them.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlBasis {
    /// Whether the ways are among them by which a body leaves each pose for the next.
    pub tangents: bool,
    /// Shapes on the way from pose to pose, besides.
    pub samples: usize,
    /// Modes of vibration, besides. They make the swing that nobody keyed.
    pub modes: usize,
    /// What stays in place in those modes. Without: what stays in the motion.
    pub mode_anchors: Option<Vec<Anchor>>,
    /// Shapes of a motion, instead of modes.
    pub recorded: Option<Recorded>,
    /// How many shapes at most. Without: all of them.
    pub size: Option<usize>,
}

table!(ControlBasis {
    tangents: quiet,
    samples: quiet,
    modes: quiet,
    mode_anchors: optional,
    recorded: optional,
    size: optional,
} check ControlBasis::check);

impl Default for ControlBasis {
    fn default() -> Self {
        Self { tangents: true, samples: 0, modes: 10, mode_anchors: None, recorded: None, size: None }
    }
}

impl ControlBasis {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let is_empty = self.mode_anchors.as_ref().is_some_and(Vec::is_empty);
        section.demand("mode_anchors", !is_empty, "is empty; leave it out for the anchors of the motion")?;
        section.demand("size", self.size != Some(0), AT_LEAST_ONE)
    }
}

/// `recorded`: a motion whose shapes are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// `simulate`: what `[simulate]` computes.
    Simulate,
    /// Any other text: a motion file of the body.
    File(PathBuf),
}

impl Recorded {
    /// What is not the name of a file.
    pub(super) const WORD: &str = "simulate";
}

impl Entry for Recorded {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        match field.text()? {
            Self::WORD => Ok(Self::Simulate),
            _ => field.path().map(Self::File),
        }
    }

    fn write(&self) -> Result<Item, ShotError> {
        Ok(match self {
            Self::Simulate => value(Self::WORD),
            Self::File(path) => {
                let text = path_text(path)?;
                value(if text == Self::WORD { format!("./{text}") } else { text })
            }
        })
    }

    fn paths(&mut self, visit: Visit<'_>) {
        if let Self::File(path) = self {
            visit(path);
        }
    }
}
