//! What the window says to a person, and the words for it.

use crate::dialogs::UnknownFile;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use supple_model::text::counted;
use supple_session::{Notice, PoseRefused, SegmentError, SessionError};

/// Something the window says. Its words are those of [`Display`].
#[derive(Debug)]
pub enum Message {
    /// What the session has to say.
    Session(Notice),
    /// Something that was asked for could not be done.
    Failed(SessionError),
    /// A step was undone; what it is called.
    Undone(String),
    /// A step was done again; what it is called.
    Redone(String),
    /// What a killed process left is open.
    Recovered,
    /// So many vertices stay in place now.
    Anchored(usize),
    /// Nothing stays in place any more.
    AnchorsRemoved,
    /// A table of contacts is kept by the edit; the name of its file.
    ContactsLoaded(String),
    /// The selected handle cannot be taken at this frame.
    HandleInactive,
    /// Handles cannot be moved yet.
    StillPreparing,
    /// Handles cannot be added yet.
    StillOpening,
    /// A pose cannot be made or keyed.
    Pose(PoseRefused),
    /// The method is asked for poses only.
    PosesOnly,
    /// Nothing is picked that could be pinned.
    NothingPicked,
    /// Segments cannot be changed like that.
    Segment(SegmentError),
    /// Another method was chosen; what it is called, and what of the shot it does not use.
    MethodChosen {
        /// What it is called.
        name: &'static str,
        /// What is gone, in words.
        dropped: Vec<&'static str>,
    },
    /// The motion is one of segments now; what they do not have.
    SegmentsBegun {
        /// What is gone, in words.
        dropped: Vec<&'static str>,
    },
    /// Joints stand now: how many, and when.
    Planted(usize, RangeInclusive<i32>),
    /// What should stand does already.
    PlantedAlready,
    /// Nothing is picked that could stand.
    NothingToPlant,
    /// Only joints can stand.
    PlantsNeedCharacter,
    /// The method cannot turn parts.
    RotateNeedsKeys,
    /// The selected handle cannot be turned.
    CannotRotate,
    /// A handle would be relative to its own vertex.
    RelativeToItself,
    /// A file of which nothing is known.
    UnknownFile(UnknownFile),
    /// A table of groups without a motion.
    GroupsAlone(PathBuf),
}

impl Message {
    /// Whether something went wrong.
    pub fn is_error(&self) -> bool {
        match self {
            Self::Session(notice) => notice.is_error(),
            Self::Undone(_)
            | Self::Redone(_)
            | Self::Recovered
            | Self::Anchored(_)
            | Self::AnchorsRemoved
            | Self::ContactsLoaded(_)
            | Self::HandleInactive
            | Self::Planted(..)
            | Self::PlantedAlready
            | Self::MethodChosen { .. }
            | Self::SegmentsBegun { .. } => false,
            Self::Failed(_)
            | Self::Pose(_)
            | Self::PosesOnly
            | Self::NothingPicked
            | Self::Segment(_)
            | Self::CannotRotate
            | Self::NothingToPlant
            | Self::PlantsNeedCharacter
            | Self::RotateNeedsKeys
            | Self::StillPreparing
            | Self::StillOpening
            | Self::RelativeToItself
            | Self::UnknownFile(_)
            | Self::GroupsAlone(_) => true,
        }
    }

    /// Whether it takes the place of one that was said before: of many steps back or forth the last is enough.
    pub fn supersedes(&self, other: &Self) -> bool {
        let kinds = (self, other);
        matches!(kinds, (Self::Undone(_), Self::Undone(_)) | (Self::Redone(_), Self::Redone(_)))
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let words = match self {
            Self::Session(notice) => return notice.fmt(f),
            Self::Failed(error) => return error.fmt(f),
            Self::Undone(step) => return write!(f, "Undone: {step}"),
            Self::Redone(step) => return write!(f, "Redone: {step}"),
            Self::Anchored(count) => return write!(f, "Anchored {count} vertices"),
            Self::ContactsLoaded(file) => {
                return write!(f, "Contacts loaded from {file}; the edit keeps them");
            }
            Self::UnknownFile(error) => return error.fmt(f),
            Self::Segment(problem) => return problem.fmt(f),
            Self::Pose(refused) => return refused.fmt(f),
            Self::PosesOnly => "This method is asked for poses. Choose Pose (Shift+P) and pull at the body.",
            Self::NothingPicked => "Select what to pin: click points, or drag a box beside the body.",
            Self::MethodChosen { name, dropped } => return without(f, &format!("Method: {name}"), dropped),
            Self::SegmentsBegun { dropped } => return without(f, "The motion is a segment now", dropped),
            Self::GroupsAlone(path) => return groups_alone(f, path),
            Self::Planted(count, frames) => return planted(f, *count, frames),
            Self::PlantedAlready => "It is planted here already",
            Self::NothingToPlant => "Click a joint, or point at one, and press P to plant it.",
            Self::PlantsNeedCharacter => "Only joints of a character can be planted.",
            Self::Recovered => "Recovered. Save to keep it.",
            Self::AnchorsRemoved => "All anchors removed; the body is free to move",
            Self::HandleInactive => "The selected handle is not active at this frame",
            Self::StillPreparing => "Still preparing the vibration modes. Editing starts in a moment.",
            Self::StillOpening => "The shot is still opening. Add handles in a moment.",
            Self::RotateNeedsKeys => "To rotate a part, choose the method Sparse keys.",
            Self::CannotRotate => {
                "This handle cannot be rotated. Select vertices or a group handle with an offset or a position."
            }
            Self::RelativeToItself => "A handle cannot be relative to its own vertex. Click another vertex.",
        };
        f.write_str(words)
    }
}

/// What was done, and what of the shot went with it.
fn without(f: &mut Formatter<'_>, done: &str, dropped: &[&str]) -> fmt::Result {
    match dropped {
        [] => write!(f, "{done}."),
        _ => write!(f, "{done}. No longer used: {}. Undo brings it back.", dropped.join(", ")),
    }
}

/// How many joints were planted, and when.
fn planted(f: &mut Formatter<'_>, count: usize, frames: &RangeInclusive<i32>) -> fmt::Result {
    let joints = counted(count, "joint", "joints");
    let (first, last) = (frames.start(), frames.end());
    write!(f, "{joints} planted, frames {first} to {last}; drag the ends on the timeline")
}

fn groups_alone(f: &mut Formatter<'_>, path: &Path) -> fmt::Result {
    let way = "Drop the motion first, then drop this file on the import dialog";
    write!(f, "{}: vertex groups are imported with a motion. {way}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Toasts found out by their first word what a message was about.
    #[test]
    fn of_many_steps_back_the_last_is_enough() {
        let undone = |step: &str| Message::Undone(step.to_owned());
        assert!(undone("Drag point").supersedes(&undone("Add handle")));
        assert!(!undone("Drag point").supersedes(&Message::Redone("Drag point".to_owned())));
        assert!(!Message::Recovered.supersedes(&Message::Recovered));
    }

    #[test]
    fn words_are_those_that_were_always_said() {
        let saved = Message::Session(Notice::Saved("film.toml".to_owned()));
        assert_eq!((saved.to_string().as_str(), saved.is_error()), ("Saved film.toml", false));
        let failed = Message::Failed(SessionError::Untitled);
        let words = "the shot is untitled; save it to a file first";
        assert_eq!((failed.to_string().as_str(), failed.is_error()), (words, true));
        let chosen =
            Message::MethodChosen { name: "Drag", dropped: vec!["gravity", "segments and their handles"] };
        let words = "Method: Drag. No longer used: gravity, segments and their handles. Undo brings it back.";
        assert_eq!((chosen.to_string().as_str(), chosen.is_error()), (words, false));
        let chosen = Message::MethodChosen { name: "Drag", dropped: Vec::new() };
        assert_eq!(chosen.to_string(), "Method: Drag.");
        let groups = Message::GroupsAlone("a.csv".into()).to_string();
        assert!(groups.ends_with("Drop the motion first, then drop this file on the import dialog"));
        assert!(groups.starts_with("a.csv: vertex groups are imported with a motion. "));
        let unknown = Message::UnknownFile(UnknownFile("a.mov".into())).to_string();
        assert!(unknown.starts_with("a.mov: unknown file type. Supple opens shots (.toml), motions (.usda "));
        assert!(unknown.ends_with(
            ".mdd, series of .obj or .ply, .bvh), meshes (.obj .ply .stl), and tables of contacts or groups (.csv)"
        ));
    }
}
