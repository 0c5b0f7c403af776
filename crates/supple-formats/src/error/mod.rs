//! What can be wrong with a file: where, and what.

mod problem;

pub use problem::Problem;

use std::path::{Path, PathBuf};
use supple_model::FrameError;

/// A file that cannot be read or written: the file and place where known, and the problem.
///
/// Shown as `bridge.abq: line 17: expected a node number and 3 coordinates, found "x"`.
#[derive(Debug, thiserror::Error)]
#[error("{}{problem}", shown(.path.as_deref(), *.place))]
pub struct FormatError {
    /// The file, once [`FormatError::in_file`] has said which; readers of bytes do not know it.
    pub path: Option<PathBuf>,
    /// Where in it; `None` when the file as a whole is at fault.
    pub place: Option<Place>,
    /// What is wrong there.
    pub problem: Problem,
}

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of text, counted from 1.
    Line(usize),
    /// A byte of a binary file, counted from 0.
    Byte(usize),
}

impl FormatError {
    /// The same error, saying in which file it was found.
    #[must_use]
    pub fn in_file(self, path: impl AsRef<Path>) -> Self {
        Self { path: Some(path.as_ref().to_path_buf()), ..self }
    }

    /// The same error, saying of which object of a scene it is.
    pub(crate) fn of_object(self, object: &str) -> Self {
        let is_named = |problem: &Problem| {
            matches!(
                problem,
                Problem::OfObject { .. } | Problem::OtherTopology { .. } | Problem::OtherFaces { .. }
            )
        };
        if is_named(&self.problem) {
            return self;
        }
        let problem = Problem::OfObject { object: quoted(object), problem: Box::new(self.problem) };
        Self { problem, ..self }
    }

    /// The error of a frame that comes from one of our readers.
    pub(crate) fn of_frame(error: FrameError) -> Self {
        match error.0.downcast::<Self>() {
            Ok(error) => *error,
            Err(other) => Self::whole_file(Problem::rejected("a reader of frames", &other.to_string())),
        }
    }

    /// An error on one line.
    pub(crate) fn at(line: usize, problem: Problem) -> Self {
        Self::at_place(Place::Line(line), problem)
    }

    /// An error at one place.
    pub(crate) fn at_place(place: Place, problem: Problem) -> Self {
        Self { path: None, place: Some(place), problem }
    }

    /// An error of the file as a whole.
    pub(crate) fn whole_file(problem: Problem) -> Self {
        Self { path: None, place: None, problem }
    }
}

/// What a source or sink of frames says instead: the same, boxed.
impl From<FormatError> for FrameError {
    fn from(error: FormatError) -> Self {
        Self(Box::new(error))
    }
}

/// A text that is to be shown in an error: in quotes and cut short, since it may be anything.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
        None => format!("{text:?}"),
    }
}

fn shown(path: Option<&Path>, place: Option<Place>) -> String {
    let path = path.map_or_else(String::new, |path| format!("{}: ", path.display()));
    match place {
        Some(Place::Line(line)) => format!("{path}line {line}: "),
        Some(Place::Byte(byte)) => format!("{path}byte {byte}: "),
        None => path,
    }
}
