//! What can be wrong with a file: where, and what.

use std::path::{Path, PathBuf};

/// A file that cannot be read: the file and place where known, and the problem.
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

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Something else stands where a value was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the format asks for here.
        expected: String,
        /// What is here: the text in quotes, or "the end of the line".
        found: String,
    },
    /// NaN, an infinity, or a number too large to hold.
    #[error("{0} is not a finite number")]
    NotFinite(String),
    /// A reference by number to something that does not exist.
    #[error("{what} {number} does not exist: there are {count}, numbered from {first}")]
    NoSuchNumber {
        /// What is referred to: "vertex", "element".
        what: &'static str,
        /// The number as the file writes it.
        number: i64,
        /// How many there are.
        count: usize,
        /// The number the file gives to the first of them.
        first: u32,
    },
    /// A reference by name or label to something not defined so far.
    #[error("{what} {name} is not defined before this point")]
    Undefined {
        /// What is referred to: "node", "set", "material".
        what: &'static str,
        /// Its name or label.
        name: String,
    },
    /// A name or label given twice, where each may be given once.
    #[error("{what} {name} is defined twice")]
    DefinedTwice {
        /// What it names.
        what: &'static str,
        /// The name or label.
        name: String,
    },
    /// A header that announces another number of rows than follow it.
    #[error("{announced} {what} are announced here, but {found} follow")]
    WrongCount {
        /// What is counted.
        what: &'static str,
        /// How many the header announces.
        announced: usize,
        /// How many follow.
        found: usize,
    },
    /// A lawful feature of the format that has no place in Supple.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// More set members than a file of this size has reason to hold.
    #[error("the sets have more than {limit} members, too many for a file of this size")]
    TooManyMembers {
        /// The most that are accepted.
        limit: usize,
    },
    /// A file without a part that it needs.
    #[error("the file has no {0}")]
    Empty(&'static str),
    /// A file name whose ending names no known format.
    #[error(
        "unknown kind of mesh file: expected .obj, .stl, .ply, .msh, .mesh, .veg, .abq, .inp, .node or .ele"
    )]
    UnknownExtension,
    /// The file could not be read from disk.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
}

impl FormatError {
    /// The same error, saying in which file it was found.
    #[must_use]
    pub fn in_file(self, path: impl AsRef<Path>) -> Self {
        Self { path: Some(path.as_ref().to_path_buf()), ..self }
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

impl Problem {
    /// Something else than `expected` stands here.
    pub(crate) fn expected(expected: impl Into<String>, found: &str) -> Self {
        Self::Expected { expected: expected.into(), found: quoted(found) }
    }

    /// The line is over where `expected` should stand.
    pub(crate) fn ends_before(expected: impl Into<String>) -> Self {
        Self::Expected { expected: expected.into(), found: "the end of the line".to_owned() }
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
