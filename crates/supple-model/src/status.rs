//! How a solution ended; one set of words for all methods.

use std::fmt;

/// How a solution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All that must hold does, at least cost, to the tolerance asked for.
    Settled,
    /// The answer cannot be improved, but hard handles contradict each other, the contacts, or what the body can do.
    Compromise,
    /// The iterations allowed were not enough; more of them go on from here.
    Unfinished,
    /// No step improves the answer, though the tolerance is not met.
    Stalled,
    /// The owner asked for the best so far, see [`Progress::stop`](crate::Progress::stop).
    Stopped,
}

impl Status {
    /// Its word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Settled => "settled",
            Self::Compromise => "compromise",
            Self::Unfinished => "unfinished",
            Self::Stalled => "stalled",
            Self::Stopped => "stopped",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
