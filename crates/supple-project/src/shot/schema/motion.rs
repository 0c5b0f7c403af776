//! `[motion]`: the frames of the body before any edit.

use super::{AT_LEAST_ONE, Axis, POSITIVE, SECONDS, SECONDS_RANGE};
use crate::shot::describe::*;
use crate::shot::entry::{decimal, path_text};
use crate::shot::suggest;
use std::path::PathBuf;
use supple_model::{Clock, Frame};

/// `[motion]`: the frames of the body before any edit, and what time they take.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Where the frames come from.
    pub input: Input,
    /// The path of the object in a file that holds several, as `/root/cape`. Without: the only one.
    pub object: Option<String>,
    /// The mesh whose vertices a point cache moves, for its faces. Without: those of the skin or the body.
    pub topology: Option<PathBuf>,
    /// How long a unit of the file is, in metres. Without: as the file says, and 1 where it says nothing.
    pub unit: Option<f64>,
    /// Which axis of the file points up. Without: as the file says, and y where it says nothing.
    pub up: Option<Axis>,
    /// Whether frames of the skin are carried to the body, which then moves and holds the rest as detail, or
    /// edited as they are. Without: as they are.
    pub fit: Option<bool>,
    /// The scene's number of the first frame. Without: as the input says, and [`Motion::START`] where
    /// it says nothing.
    pub start: Option<i32>,
    /// How many to use. Without: as many as the input has, and [`Motion::FRAMES`] where it has no end.
    pub frames: Option<usize>,
    /// Frames per second of the playback. Without: as the input says, and [`Motion::FPS`] where it
    /// says nothing.
    pub fps: Option<f64>,
    /// Physical time between two frames.
    pub seconds_per_frame: SecondsPerFrame,
}

table!([Motion] {
    input: default,
    object: optional,
    topology: optional,
    unit: optional,
    up: optional,
    fit: optional,
    start: optional,
    frames: optional,
    fps: optional,
    seconds_per_frame: default,
} check Motion::check);

impl Motion {
    /// The first frame of a motion that has no numbers of its own.
    pub const START: i32 = 1;
    /// The number of frames of a motion that has no end of its own: ten seconds.
    pub const FRAMES: usize = 240;
    /// The frames per second of a motion that has no rate of its own: film.
    pub const FPS: f64 = 24.0;

    /// What is said of frames per second that cannot be.
    pub const FPS_RANGE: &str = "must be between 1e-6 and 1e9 frames per second";

    /// What is said of a first frame that cannot be.
    pub const START_RANGE: &str = "must be between -1000000000 and 1000000000";

    /// Whether a motion can begin there: all of its frames have numbers then.
    #[must_use]
    pub fn is_start(start: i32) -> bool {
        (-1_000_000_000..=1_000_000_000).contains(&start)
    }

    /// Whether a motion can have so many frames per second.
    #[must_use]
    pub fn is_fps(fps: f64) -> bool {
        SECONDS.contains(&(1.0 / fps))
    }

    /// When the frames of a motion are that is made here.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock {
            start: Frame(self.start.unwrap_or(Self::START)),
            frames: self.frames.unwrap_or(Self::FRAMES),
            fps: self.fps.unwrap_or(Self::FPS),
        }
    }

    /// Whether frames of the skin are carried to the body.
    #[must_use]
    pub fn is_fitted(&self) -> bool {
        self.fit == Some(true)
    }

    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        let is_file = matches!(self.input, Input::File(_));
        for key in ["object", "topology", "unit", "up", "fit"] {
            section.demand(key, is_file, "needs a file, but `input` is not a file")?;
        }
        section.demand("unit", self.unit.is_none_or(|unit| unit > 0.0), POSITIVE)?;
        section.demand("start", self.start.is_none_or(Self::is_start), Self::START_RANGE)?;
        section.demand("frames", self.frames.is_none_or(|frames| frames > 0), AT_LEAST_ONE)?;
        section.demand("fps", self.fps.is_none_or(|fps| fps > 0.0), POSITIVE)?;
        section.demand("fps", self.fps.is_none_or(Self::is_fps), Self::FPS_RANGE)?;
        let is_time = match self.seconds_per_frame {
            SecondsPerFrame::Seconds(seconds) => SECONDS.contains(&seconds),
            SecondsPerFrame::Auto => true,
        };
        section.demand("seconds_per_frame", is_time, SECONDS_RANGE)
    }
}

/// `input`: where frames come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// `rest`: the body at rest in every frame.
    #[default]
    Rest,
    /// `simulate`: computed from [`Simulate`](super::Simulate) and kept in the cache.
    Simulate,
    /// Any other text: a motion file. One that looks like these words is written `./rest`.
    File(PathBuf),
}

impl Input {
    const WORDS: [&str; 2] = ["rest", "simulate"];

    /// The word that `text` is or was meant to be, if it is no file: files have an extension, or
    /// name their folder.
    fn word(text: &str) -> Option<&'static str> {
        let bare = !text.contains(['.', '/', '\\']);
        bare.then(|| suggest::nearest(text, &Self::WORDS)).flatten()
    }
}

impl Entry for Input {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        let text = field.text()?;
        match Self::word(text) {
            None => field.path().map(Self::File),
            Some(word) if word != text => {
                Err(field.bad(format!("cannot be {text:?}; did you mean `{word}`, or the file `./{text}`?")))
            }
            Some("rest") => Ok(Self::Rest),
            Some(_) => Ok(Self::Simulate),
        }
    }

    fn write(&self) -> Result<Item, ShotError> {
        Ok(match self {
            Self::Rest => value("rest"),
            Self::Simulate => value("simulate"),
            Self::File(path) => {
                let text = path_text(path)?;
                value(if Self::word(&text).is_some() { format!("./{text}") } else { text })
            }
        })
    }

    fn paths(&mut self, visit: Visit<'_>) {
        if let Self::File(path) = self {
            visit(path);
        }
    }
}

/// `seconds_per_frame`: the physical time between two frames. The larger, the farther an edit reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SecondsPerFrame {
    /// `auto`: so that the first mode of the body swings once in 24 frames.
    #[default]
    Auto,
    /// This many.
    Seconds(f64),
}

plain!(
    SecondsPerFrame,
    |field| Ok(field.number_or("auto", "a number of seconds or \"auto\"")?.map_or(Self::Auto, Self::Seconds)),
    |time| match time {
        Self::Auto => Value::from("auto"),
        Self::Seconds(seconds) => decimal(*seconds),
    }
);
