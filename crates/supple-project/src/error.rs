//! What can go wrong with a shot or its cache, each naming the culprit and the way out.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// A place in a text file, shown as `bridge.toml:4:14`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The file.
    pub file: PathBuf,
    /// Its line, counted from 1.
    pub line: usize,
    /// The character in that line, counted from 1.
    pub column: usize,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// A shot file that cannot be read, understood or written.
#[derive(Debug, thiserror::Error)]
pub enum ShotError {
    /// The file cannot be opened or read.
    #[error("cannot read {}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Somebody else changes the shot, or nobody can.
    #[error("cannot change {}: {source}", file.display())]
    Lock {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is too large to be a shot.
    #[error("{} is larger than {limit} bytes, so it is not a shot file", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// The largest accepted size, in bytes.
        limit: u64,
    },
    /// The file is not text.
    #[error("{at}: not UTF-8 text; a shot is a TOML text file")]
    NotText {
        /// The first bad byte.
        at: At,
    },
    /// The text is not TOML.
    #[error("{at}: {message}")]
    Syntax {
        /// Where the parser stopped.
        at: At,
        /// What it expected.
        message: String,
    },
    /// A key no table of a shot has.
    #[error("{at}: unknown key `{key}` in {table}; {advice}")]
    UnknownKey {
        /// The key.
        at: At,
        /// Its name as written.
        key: String,
        /// The table it is in.
        table: String,
        /// The nearest known key, or all of them.
        advice: String,
    },
    /// A key that has to be there.
    #[error("{at}: {table} needs the key `{key}`")]
    MissingKey {
        /// The table.
        at: At,
        /// Its name.
        table: String,
        /// The key it lacks.
        key: &'static str,
    },
    /// A value of another type than its key takes.
    #[error("{at}: `{key}` takes {expected}, found {found}")]
    WrongType {
        /// The value.
        at: At,
        /// Its dotted key.
        key: String,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A value of the right type that makes no sense.
    #[error("{at}: `{key}` {problem}")]
    BadValue {
        /// The value.
        at: At,
        /// Its dotted key.
        key: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A path that cannot be spelled in a text file.
    #[error("the path {path:?} is not UTF-8 text, so a shot file cannot hold it; rename it")]
    UnwritablePath {
        /// The path.
        path: PathBuf,
    },
    /// The file cannot be written; what was there before is untouched.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl ShotError {
    /// The place in a text file that is to blame, where there is one.
    #[must_use]
    pub fn at(&self) -> Option<&At> {
        match self {
            Self::NotText { at }
            | Self::Syntax { at, .. }
            | Self::UnknownKey { at, .. }
            | Self::MissingKey { at, .. }
            | Self::WrongType { at, .. }
            | Self::BadValue { at, .. } => Some(at),
            Self::Read { .. }
            | Self::Lock { .. }
            | Self::TooLarge { .. }
            | Self::UnwritablePath { .. }
            | Self::Write { .. } => None,
        }
    }
}

/// Why the cache could not help. Never a reason to fail a job: the work is done again, or its
/// result is not kept.
#[derive(Debug, thiserror::Error)]
pub enum CacheWarning {
    /// An entry was there but cannot be trusted; it was removed and counts as a miss.
    #[error("ignored the cache entry {}: {damage}", file.display())]
    Damaged {
        /// The entry.
        file: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// There is no folder to write to.
    #[error("not cached: there is no home folder; set XDG_CACHE_HOME")]
    NoFolder,
    /// A folder or file could not be written: full, read-only, gone.
    #[error("not cached: cannot write {}: {source}", path.display())]
    NotWritten {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The cache folder could not be listed or emptied.
    #[error("cannot tidy the cache folder {}: {source}", path.display())]
    NotTidied {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What is wrong with a cache entry.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The file does not begin as an entry does.
    #[error("it is not a Supple cache entry")]
    Foreign,
    /// Another version of Supple wrote it.
    #[error("it was written with schema version {found}, but this program uses version {expected}")]
    OtherVersion {
        /// The version in the file.
        found: u32,
        /// The version this program reads.
        expected: u32,
    },
    /// It holds something else than its name says.
    #[error("its content does not match its name")]
    Misnamed,
    /// It is shorter or longer than its header says.
    #[error("it has {found} bytes instead of {expected}")]
    WrongLength {
        /// The length in bytes by the header.
        expected: u64,
        /// The length in bytes of the file.
        found: u64,
    },
    /// The contents do not match their hash.
    #[error("its contents do not match their checksum")]
    Altered,
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}
