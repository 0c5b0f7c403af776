//! `[edit.material]`: what `material` has of its own.

use crate::shot::describe::*;
use crate::shot::schema::{AT_LEAST_ONE, POSITIVE};
use std::path::PathBuf;

/// `[edit.material]`: how the material of the body changes along with its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialEdit {
    /// How many shapes the motion is made of, mixtures of the modes. Without: 30, or as many as there are modes.
    pub shapes: Option<usize>,
    /// Frames in which the first shape swings once, to begin with. Without: 24, or as `seconds_per_frame` has it.
    pub period: Option<f64>,
    /// How many times as fast or as slow a shape may become as it begins.
    pub range: f64,
    /// How much large shapes come before small ones: 0 not at all, 1 as frequencies say.
    pub space: f64,
    /// What of the material is chosen.
    pub optimise: Optimise,
    /// A material that was found: a table of frequencies, damping and mixtures, instead of one to begin with.
    pub file: Option<PathBuf>,
}

table!([MaterialEdit] {
    shapes: optional,
    period: optional,
    range: quiet,
    space: quiet,
    optimise: quiet,
    file: optional,
} check MaterialEdit::check);

impl Default for MaterialEdit {
    fn default() -> Self {
        Self { shapes: None, period: None, range: 4.0, space: 1.0, optimise: Optimise::default(), file: None }
    }
}

impl MaterialEdit {
    /// Shapes where the shot does not say how many.
    const SHAPES: usize = 30;

    /// How many shapes a motion of so many modes is made of.
    #[must_use]
    pub fn shapes(&self, modes: usize) -> usize {
        self.shapes.unwrap_or(Self::SHAPES).min(modes)
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("shapes", self.shapes != Some(0), AT_LEAST_ONE)?;
        section.demand("period", self.period.is_none_or(|frames| frames > 0.0), POSITIVE)?;
        section.demand("range", self.range >= 1.0, AT_LEAST_ONE)?;
        let known = "comes with `file`; remove one of them";
        section.demand("shapes", self.file.is_none(), known)?;
        section.demand("period", self.file.is_none(), known)?;
        section.demand("space", self.file.is_none(), known)
    }

    /// What the modes of the edit have to do with it.
    pub(super) fn check_modes(own: &Field<'_>, modes: usize) -> Result<(), ShotError> {
        match own.read::<Self>()?.shapes.filter(|shapes| *shapes > modes) {
            None => Ok(()),
            Some(shapes) => Err(own.bad(format!(
                "asks for {shapes} shapes, but `modes = {modes}` in [edit]; lower `shapes`, or raise `modes`"
            ))),
        }
    }
}

/// `optimise`: what of the material is chosen so that the motion needs little force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimise {
    /// `none`: it stays as it begins.
    None,
    /// `stiffness`: stiffness and damping of each shape.
    Stiffness,
    /// `all`: the shapes, too.
    #[default]
    All,
}

words!(Optimise { None = "none", Stiffness = "stiffness", All = "all" });
