//! The classes of what goes wrong: `supple.Error` and those below it, with what they know.

use crate::array::NotFinite;
use pyo3::prelude::*;
use std::path::Path;
use supple_formats::FormatError;
use supple_model::{Cancelled, FrameError};
use supple_project::feet::PlantsFailed;
use supple_project::import::ImportError;
use supple_project::info::InfoError;
use supple_project::method::{EditError, LiveError};
use supple_project::picture::{FilmError, RenderFailed};
use supple_project::prepare::{ModesFailed, PrepareFailed};
use supple_project::recover::{RecoverError, RecoverFailed};
use supple_project::samples::SampleFailed;
use supple_project::solution::{PoseFailed, SimulateFailed, SolveFailed};
use supple_project::{
    At, BodyError, InShot, MotionError, OpenError, Overwrites, SampleError, ShotError, SimulateError,
    SourceError,
};

/// What kind of thing is to blame, and which.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Class {
    #[default]
    Error,
    Shot(Option<At>),
    Format,
    Body,
    Motion(Option<i32>),
    Handle(Option<u32>),
    Cancelled,
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    class: Class,
    message: String,
}

impl Failure {
    /// What has no class of its own.
    pub fn plain(message: String) -> Self {
        Self { class: Class::Error, message }
    }

    /// What is of a class.
    pub fn of(class: Class, message: String) -> Self {
        Self { class, message }
    }

    /// What is wrong with a handle, by its number, the first 1.
    pub fn of_handle(number: usize, problem: &str) -> Self {
        Self { class: Class::Handle(Some(number as u32)), message: format!("handle {number}: {problem}") }
    }

    /// What is wrong with handles that are in no shot yet.
    pub fn of_handles(error: &ShotError) -> Self {
        Self { class: Class::Handle(None), ..Self::from(error) }
    }
}

impl<E: Fault> From<E> for Failure {
    fn from(error: E) -> Self {
        let (class, message) = (error.class(), error.to_string());
        match class {
            // What is in no file has no place there.
            Class::Shot(Some(at)) if at.file == Path::new("shot") => {
                let place = format!("{at}: ");
                let message = message.replacen(&place, "", 1);
                Self { class: Class::Shot(None), message }
            }
            class => Self { class, message },
        }
    }
}

/// A failure as what Python raises.
pub fn raised(failure: impl Into<Failure>) -> PyErr {
    let Failure { class, message } = failure.into();
    Python::attach(|py| exception(py, &class, &message).map_or_else(|error| error, PyErr::from_value))
}

fn exception<'py>(py: Python<'py>, class: &Class, message: &str) -> PyResult<Bound<'py, PyAny>> {
    let name = match class {
        Class::Error => "Error",
        Class::Shot(_) => "ShotError",
        Class::Format => "FormatError",
        Class::Body => "BodyError",
        Class::Motion(_) => "MotionError",
        Class::Handle(_) => "HandleError",
        Class::Cancelled => "Cancelled",
    };
    let error = py.import("supple._errors")?.getattr(name)?.call1((message,))?;
    match class {
        Class::Shot(Some(at)) => {
            error.setattr("file", at.file.display().to_string())?;
            error.setattr("line", at.line)?;
            error.setattr("column", at.column)?;
        }
        Class::Motion(Some(frame)) => error.setattr("frame", frame)?,
        Class::Handle(Some(handle)) => error.setattr("handle", handle)?,
        _ => {}
    }
    Ok(error)
}

/// What went wrong, with its class.
pub trait Fault: std::fmt::Display {
    fn class(&self) -> Class;
}

impl<E: Fault> Fault for &E {
    fn class(&self) -> Class {
        (*self).class()
    }
}

impl<E: Fault> Fault for Box<E> {
    fn class(&self) -> Class {
        self.as_ref().class()
    }
}

impl<E: Fault> Fault for InShot<E> {
    fn class(&self) -> Class {
        self.source.class()
    }
}

/// Errors some of whose variants are other errors, and the class of the rest.
macro_rules! faults {
    ($($type:ident: $($variant:ident)* => $rest:expr;)*) => {
        $(impl Fault for $type {
            fn class(&self) -> Class {
                match self {
                    $(Self::$variant(error) => error.class(),)*
                    _ => $rest,
                }
            }
        })*
    };
}

impl Fault for Cancelled {
    fn class(&self) -> Class {
        Class::Cancelled
    }
}

impl Fault for ShotError {
    fn class(&self) -> Class {
        Class::Shot(self.at().cloned())
    }
}

impl Fault for FormatError {
    fn class(&self) -> Class {
        Class::Format
    }
}

impl Fault for Overwrites {
    fn class(&self) -> Class {
        Class::Error
    }
}

impl Fault for FrameError {
    fn class(&self) -> Class {
        if self.0.is::<FormatError>() {
            return Class::Format;
        }
        Class::Motion(self.0.downcast_ref::<NotFinite>().map(|point| point.frame))
    }
}

impl Fault for BodyError {
    fn class(&self) -> Class {
        match self {
            Self::Format(error) => error.class(),
            Self::Cancelled(error) => error.class(),
            _ => Class::Body,
        }
    }
}

impl Fault for LiveError {
    fn class(&self) -> Class {
        match self {
            Self::Cancelled => Class::Cancelled,
            Self::NoHandle => Class::Handle(None),
            _ => Class::Error,
        }
    }
}

impl Fault for SourceError {
    fn class(&self) -> Class {
        match self {
            Self::Format(error) => error.class(),
            Self::Frame(error) => error.class(),
            _ => Class::Motion(None),
        }
    }
}

impl Fault for SimulateError {
    fn class(&self) -> Class {
        match self {
            Self::Format(error) => error.class(),
            Self::Frame(error) => error.class(),
            Self::Cancelled(_) => Class::Cancelled,
            _ => Class::Body,
        }
    }
}

impl Fault for MotionError {
    fn class(&self) -> Class {
        match self {
            Self::Format(error) => error.class(),
            Self::Source(error) => error.class(),
            Self::Frame(error) => error.class(),
            Self::Simulate(error) => error.class(),
            Self::Cancelled(_) => Class::Cancelled,
            Self::NoFrame { frame, .. } => Class::Motion(Some(frame.0)),
            _ => Class::Motion(None),
        }
    }
}

impl Fault for EditError {
    fn class(&self) -> Class {
        match self {
            // `handle 3`: names are made of numbers, and reports call handles by them.
            Self::Handle { handle, .. } => {
                Class::Handle(handle.rsplit(' ').next().and_then(|number| number.parse().ok()))
            }
            Self::NoHandle(_) | Self::EmptyHand => Class::Handle(None),
            Self::NoBody(error) => error.class(),
            Self::Segment { problem, .. } => problem.class(),
            Self::Shot(error) => error.class(),
            Self::Motion(error) => error.class(),
            Self::Frame(error) => error.class(),
            Self::Cancelled(_) => Class::Cancelled,
            Self::Group(_) | Self::NothingMoves { .. } | Self::Body(_) | Self::Warp(_) | Self::Modes(_) => {
                Class::Body
            }
            _ => Class::Error,
        }
    }
}

impl Fault for ImportError {
    fn class(&self) -> Class {
        match self {
            Self::Source(error) => error.class(),
            Self::Format(error) => error.class(),
            Self::Frame(error) => error.class(),
            Self::Body(error) => error.class(),
            Self::Shot(error) => error.class(),
            Self::Motion(error) => error.class(),
            Self::Pieces { .. } => Class::Body,
            Self::NoFrame { frame, .. } => Class::Motion(Some(*frame)),
            Self::OtherRest { .. } => Class::Motion(None),
            Self::Cancelled(_) => Class::Cancelled,
            _ => Class::Error,
        }
    }
}

faults! {
    OpenError: Shot Body => Class::Body;
    InfoError: Shot Format Frame Cancelled => Class::Format;
    SolveFailed: Open Output Edit Bake => Class::Error;
    SimulateFailed: Open Output Simulate Replay => Class::Error;
    PoseFailed: Open Pose Output => Class::Error;
    ModesFailed: Memory => Class::Body;
    PrepareFailed: Open Modes Input Method => Class::Body;
    SampleError: Motion Frame Shot => Class::Error;
    SampleFailed: Sample Cancelled => Class::Error;
    RecoverError: Input Frame Body Shot Cancelled => Class::Motion(None);
    RecoverFailed: Open Recover => Class::Error;
    PlantsFailed: Shot Edit Cancelled => Class::Error;
    FilmError: Cancelled => Class::Motion(None);
    RenderFailed: Open OfShot Film Scenery Modes Cancelled => Class::Error;
}
