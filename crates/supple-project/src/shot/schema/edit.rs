//! `[edit]`: what is asked of the motion, and how it may answer.

use super::{AT_LEAST_ONE, Expert, Feel, Handle, NOT_NEGATIVE, Reach, Spread};
use crate::shot::describe::*;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// `[edit]`: what is asked of the motion, and how it may answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// How the motion answers.
    pub method: Method,
    /// How it follows a pull.
    pub feel: Feel,
    /// After how many frames a pull has faded to 5 %. Without: one second. Smooth edits only.
    pub reach: Option<Reach>,
    /// The share of the body that follows a pull by more than half. Without: 0.3. Smooth edits only.
    pub spread: Option<Spread>,
    /// How many modes of vibration to compute.
    pub modes: usize,
    /// How vibration dies. Without: so that modes as fast as the frames are half critically damped.
    pub damping: Option<Damping>,
    /// What holds at the first and the last frame.
    pub ends: Ends,
    /// The frames that may change. Without: all.
    pub window: Option<RangeInclusive<i32>>,
    /// The group of the body that may change; all else stays as the input has it. Without: all of it.
    pub part: Option<String>,
    /// Whether edits turn with the body instead of stretching it.
    pub warp: bool,
    /// Whether handles hold on the warped motion, or on the linear edit that is warped afterwards.
    pub exact: bool,
    /// `[edit.expert]`: what only few need.
    pub expert: Option<Expert>,
    /// `[[edit.handle]]`: what is asked of single points.
    pub handles: Vec<Handle>,
    /// `[[edit.pose]]`: what is asked of the whole body.
    pub poses: Vec<Pose>,
}

table!([Edit] {
    method: default,
    feel: default,
    reach: default,
    spread: default,
    modes: default,
    damping: default,
    ends: default,
    window: default,
    part: default,
    warp: default,
    exact: default,
    expert: default,
    handles as "handle": default,
    poses as "pose": default,
} check Edit::check);

impl Default for Edit {
    fn default() -> Self {
        Self {
            method: Method::default(),
            feel: Feel::default(),
            reach: None,
            spread: None,
            modes: 100,
            damping: None,
            ends: Ends::default(),
            window: None,
            part: None,
            warp: true,
            exact: true,
            expert: None,
            handles: Vec::new(),
            poses: Vec::new(),
        }
    }
}

impl Edit {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("modes", self.modes > 0, AT_LEAST_ONE)
    }

    /// The expert's table, whether or not it is there.
    #[must_use]
    pub fn expert(&self) -> Expert {
        self.expert.unwrap_or_default()
    }
}

/// `method`: how the motion answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The motion follows at once while a point is dragged.
    #[default]
    Drag,
    /// A motion from few constraints, chains of motions included.
    Sparse,
    /// The material changes along with the motion.
    Material,
    /// Control forces of a nonlinear body.
    Control,
    /// Displacement curves of a skeleton.
    Character,
}

words!(Method {
    Drag = "drag",
    Sparse = "sparse",
    Material = "material",
    Control = "control",
    Character = "character",
});

/// `damping`: how vibration dies, D = `mass`·M + `stiffness`·K.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// The share of the mass, 1/s: damps slow modes and rigid motion. 0 when left out.
    pub mass: f64,
    /// The share of the stiffness, s: damps fast modes. 0 when left out.
    pub stiffness: f64,
}

table!(Damping { mass: default, stiffness: default } check Damping::check);

impl Damping {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("mass", self.mass >= 0.0, NOT_NEGATIVE)?;
        section.demand("stiffness", self.stiffness >= 0.0, NOT_NEGATIVE)
    }
}

/// `ends`: what holds where the edit begins and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// `loop`: the end is the start again.
    Loop,
    /// Each end for itself.
    Apart {
        /// Where the edit begins. Without: clamped.
        start: Option<End>,
        /// Where it ends. Without: free if that is where the motion ends, clamped otherwise.
        end: Option<End>,
    },
}

impl Default for Ends {
    /// Begins as the input does, and ends wherever it gets to.
    fn default() -> Self {
        Self::Apart { start: None, end: None }
    }
}

impl Entry for Ends {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        if field.is_text() {
            return field.choice(&[Self::Loop], |_| "loop");
        }
        if !field.is_table() {
            return Err(field.wrong_type("\"loop\" or a table"));
        }
        let section = field.section(&["start", "end"])?;
        Ok(Self::Apart { start: section.read("start")?, end: section.read("end")? })
    }

    fn write(&self) -> Result<Item, ShotError> {
        let Self::Apart { start, end } = self else { return Ok(value("loop")) };
        let mut table = InlineTable::new();
        put(&mut table, "start", start)?;
        put(&mut table, "end", end)?;
        Ok(if table.is_empty() { Item::None } else { value(table) })
    }
}

/// What holds at one end of the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The edit and its velocity vanish there.
    Clamped,
    /// Nothing.
    Free,
}

words!(End { Clamped = "clamped", Free = "free" });

/// `[[edit.pose]]`: a handle on the whole body at one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pose {
    /// The frame.
    pub frame: i32,
    /// The file of the body as it shall be there.
    pub file: PathBuf,
}

table!([Pose] { frame: required, file: required });
