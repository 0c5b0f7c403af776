//! Why a character cannot be had, each naming the culprit and the way out.

use std::path::PathBuf;
use supple_character::SkeletonError;
use supple_formats::FormatError;

/// Why a character cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum CharacterError {
    /// The file of the skeleton or of its motion cannot be read.
    #[error(transparent)]
    File(#[from] FormatError),
    /// The file of the motion cannot be read any more.
    #[error("{}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The joints do not fit together.
    #[error("{}: {problem}", file.display())]
    Skeleton {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: SkeletonError,
    },
    /// A file without motion.
    #[error("{}: there is no clip {clip:?} in it{}", file.display(), names(there))]
    NoClip {
        /// The file.
        file: PathBuf,
        /// What was asked for.
        clip: String,
        /// What there is.
        there: Vec<String>,
    },
    /// Skeleton and motion are two different ones.
    #[error(
        "{}: its joints and channels are not those of {}; `input` must move the skeleton of [body]",
        motion.display(), skeleton.display()
    )]
    OtherSkeleton {
        /// The file of the motion.
        motion: PathBuf,
        /// The file of the skeleton.
        skeleton: PathBuf,
    },
    /// A joint there is none of.
    #[error("there is no joint {name:?} in {}{}", file.display(), near(nearest))]
    NoJoint {
        /// What was asked for.
        name: String,
        /// The file.
        file: PathBuf,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// A joint that cannot turn as it is asked to.
    #[error("joint {name:?} cannot turn as a {turns}: its channels in {} do not", file.display())]
    Turns {
        /// The joint.
        name: String,
        /// How it was to turn.
        turns: &'static str,
        /// The file.
        file: PathBuf,
    },
    /// A limit of a channel there is none of.
    #[error("joint {name:?} has no channel that turns about {axis}, so nothing there can be limited")]
    NoChannel {
        /// The joint.
        name: String,
        /// The axis.
        axis: char,
    },
    /// More frames are asked for than there are.
    #[error("{}: it has {found} frames, and `frames` asks for {asked}", file.display())]
    TooFewFrames {
        /// The file.
        file: PathBuf,
        /// What there are.
        found: usize,
        /// What was asked for.
        asked: usize,
    },
    /// A shot of something else.
    #[error("this shot has no character; set `kind = \"character\"` and `skeleton` in [body]")]
    NoCharacter,
    /// The refit to hinges was cancelled.
    #[error(transparent)]
    Cancelled(#[from] supple_model::Cancelled),
}

fn names(there: &[String]) -> String {
    if there.is_empty() { String::new() } else { format!("; there are {}", there.join(", ")) }
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}
