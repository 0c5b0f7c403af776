//! `frame`, `frames`, `at`: when a handle or a pose holds.

use crate::shot::describe::*;
use crate::shot::entry::count;
use crate::shot::schema::NOT_NEGATIVE;
use std::fmt;
use std::ops::RangeInclusive;

/// When a handle holds.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// `frame`: at one frame.
    Frame(i32),
    /// `frame = 24.5`: at a time between two frames.
    Between(f64),
    /// `frames`: at all of these.
    Frames(RangeInclusive<i32>),
    /// `at`: at a time of its segment.
    At(At),
}

/// `at`: a time of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum At {
    /// `end`: where the segment ends, wherever that is.
    End,
    /// This many frames after it begins.
    Frames(f64),
}

plain!(
    At,
    |field| match field.is_text() {
        true => field.choice(&[Self::End], |_| "end"),
        false => match field.number()? {
            frames if frames >= 0.0 => Ok(Self::Frames(frames)),
            _ => Err(field.bad_number(NOT_NEGATIVE)),
        },
    },
    |at| match at {
        Self::End => Value::from("end"),
        Self::Frames(frames) => count(*frames),
    }
);

impl When {
    /// The whole frames it holds at; nothing where it holds between two, or its segment counts.
    #[must_use]
    pub fn whole(&self) -> Option<RangeInclusive<i32>> {
        match self {
            Self::Frame(frame) => Some(*frame..=*frame),
            Self::Frames(frames) => Some(frames.clone()),
            Self::Between(_) | Self::At(_) => None,
        }
    }

    /// The frames it holds at, or those around a time between two. Empty where its segment counts.
    #[must_use]
    pub fn range(&self) -> RangeInclusive<i32> {
        match self {
            Self::Frame(frame) => *frame..=*frame,
            Self::Frames(frames) => frames.clone(),
            // No float is out of range of a cast.
            Self::Between(time) => time.floor() as i32..=time.ceil() as i32,
            #[expect(clippy::reversed_empty_ranges, reason = "none of the scene's frames is known to be its")]
            Self::At(_) => 1..=0,
        }
    }

    /// A time of the scene: a frame if it is whole.
    #[must_use]
    pub fn at_time(time: f64) -> Self {
        let frame = time as i32;
        if f64::from(frame) == time { Self::Frame(frame) } else { Self::Between(time) }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frame(frame) => write!(f, "frame {frame}"),
            Self::Between(time) => write!(f, "frame {time}"),
            Self::Frames(frames) if frames.start() == frames.end() => write!(f, "frame {}", frames.start()),
            Self::Frames(frames) => write!(f, "frames {} to {}", frames.start(), frames.end()),
            Self::At(At::End) => f.write_str("the end"),
            Self::At(At::Frames(frames)) => write!(f, "{frames} frames in"),
        }
    }
}

impl Keys for When {
    fn names(known: &mut Vec<&'static str>) {
        known.extend(["frame", "frames", "at"]);
    }

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
        if section.is_in("edit.segment") {
            let problem = "counts frames of the scene; inside a segment write `at`, from the segment's start";
            section.demand("frame", false, problem)?;
            section.demand("frames", false, problem)?;
            return Ok(Self::At(section.required("at")?.read()?));
        }
        section.demand("at", false, "counts from the start of a segment; outside segments write `frame`")?;
        match section.one_of(&["frame", "frames"], "")? {
            "frame" => {
                let field = section.required("frame")?;
                if !field.is_fraction() {
                    return field.read().map(Self::Frame);
                }
                let time = field.number()?;
                match (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&time) {
                    true => Ok(Self::at_time(time)),
                    false => Err(field.bad_number(&format!("must be between {} and {}", i32::MIN, i32::MAX))),
                }
            }
            key => section.required(key)?.read().map(Self::Frames),
        }
    }

    fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
        match self {
            Self::Frame(frame) => put(table, "frame", frame),
            Self::Between(time) => put(table, "frame", time),
            Self::Frames(frames) => put(table, "frames", frames),
            Self::At(at) => put(table, "at", at),
        }
    }
}
