//! The choice of a material, step by step, to be timed and drawn: nothing of it is released on the whole body.

use super::ground::Ground;
use super::optimise::{asked, settings};
use super::reader::Reader;
use crate::Cache;
use crate::body::Body;
use crate::method::drag::{DragMethod, Levels};
use crate::method::error::EditError;
use crate::shot::Shot;
use std::sync::Arc;
use supple_model::{Progress, Status};
use supple_spacetime::{Material, MaterialEdit, MaterialReport};

/// A shot whose material can be chosen.
pub struct MaterialPart {
    ground: Ground,
    first: Material,
    editor: DragMethod,
    reader: Reader,
}

/// A material that was chosen.
#[derive(Clone, Debug)]
pub struct ChosenMaterial {
    /// How it ended.
    pub status: Status,
    /// Rounds of all steps.
    pub rounds: usize,
    /// What every step changed, and V after it.
    pub steps: Vec<(&'static str, f64)>,
    /// How far the motion is from the least costly one of the material.
    pub stationarity: f64,
    /// How far the worst hard handle is off, as the choice reads it; a part of the size.
    pub missed: f64,
    /// How much there is of each shape, frame by frame.
    pub amplitudes: Vec<Vec<f64>>,
}

impl MaterialPart {
    /// Makes a shot ready. What is in the cache is read.
    ///
    /// # Errors
    /// Names the part of the shot to blame.
    pub fn open(shot: &Shot, body: &Arc<Body>, cache: &Cache) -> Result<Self, EditError> {
        let silent = Progress::silent();
        let mut ground = Ground::new(shot, body.clone(), &mut Levels::default(), cache, &silent)?;
        let first = ground.first()?;
        let editor = ground.begin(&first, &silent)?;
        let reader = Reader::new(&ground, &silent)?;
        Ok(Self { ground, first, editor, reader })
    }

    /// R.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.ground.modes()
    }

    /// How many shapes the motion is made of.
    #[must_use]
    pub fn shapes(&self) -> usize {
        self.first.modes().len()
    }

    /// Frames.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.editor.clock().frames
    }

    /// At how many elements the body is looked at; none where it is looked at as a whole.
    #[must_use]
    pub fn elements(&self) -> Option<usize> {
        self.reader.reduced().map(|reduced| reduced.elements)
    }

    /// Chooses the material as the shot says, in so many rounds if that is said, however little one gains; `look` is told V
    /// after every step.
    ///
    /// # Errors
    /// Whatever the solver says.
    pub fn choose(
        &self,
        rounds: Option<usize>,
        progress: &Progress,
        look: &mut dyn FnMut(f64),
    ) -> Result<ChosenMaterial, EditError> {
        let plain = settings(&self.ground, &self.first);
        let settings = match rounds {
            Some(rounds) => supple_spacetime::MaterialSettings { rounds, gain: 0.0, ..plain },
            None => plain,
        };
        let mut edit = asked(&self.ground, &self.first, &self.editor, &self.reader, settings)?;
        let report =
            edit.release(self.reader.readout()?, progress, &mut |iterate| look(iterate.step.energy))?;
        Ok(self.chosen(&edit, report))
    }

    fn chosen(&self, edit: &MaterialEdit, report: MaterialReport) -> ChosenMaterial {
        let missed = report.unmet.iter().map(|unmet| unmet.residual.abs()).fold(0.0, f64::max);
        let amplitudes = edit.path().map_or(Vec::new(), |path| {
            let states = path.states(0..self.frames());
            states.position.row_iter().map(|row| row.iter().copied().collect()).collect()
        });
        ChosenMaterial {
            status: report.status,
            rounds: report.rounds,
            steps: report.steps.iter().map(|step| (step.stage.name(), step.energy)).collect(),
            stationarity: report.stationarity,
            missed: missed / self.editor.size(),
            amplitudes,
        }
    }
}
