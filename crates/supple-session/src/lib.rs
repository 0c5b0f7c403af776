//! A shot that a person edits, without the window: everything a window needs that is not drawing.
//!
//! - [`Session`]: all of it, brought together once per frame of a window; what it has to say is a [`Notice`];
//! - [`Document`]: the shot, its file, undo, save, autosave; [`Home`], [`Recent`], [`Recoverable`] beside it;
//! - [`Solver`]: makes a [`Snapshot`] of what the window wants to see, on a thread of its own;
//! - [`Jobs`]: imports, exports, bakes beside the window, with progress and cancel;
//! - [`pick`], [`pick_box`], [`Pull`], [`Spin`], [`Timeline`], [`handle_list`]: what mouse, timeline and list mean;
//! - [`PoseDraft`]: a pose that is being made by hand, until it is part of the shot;
//! - [`Layout`], [`add_segment`] and others: segments; [`add_layer`] and others: layers; [`rigid_goal`], [`turned`]: parts
//!   that are moved and turned.
//!
//! It sees a shot and the methods that edit it through the public names of `supple-project` alone.

mod adopt;
mod document;
mod error;
mod gizmo;
mod handle_list;
mod history;
mod home;
mod job_kind;
mod jobs;
mod layers;
mod notice;
mod outcome;
mod pick;
mod picture;
mod places;
mod posing;
mod recent;
mod recovery;
mod rigid;
mod segments;
mod session;
mod snapshot;
mod solver;
mod spin;
mod tasks;
mod timeline;
mod wanted;

pub use adopt::Adopted;
pub use document::Document;
pub use error::{JobError, SessionError, SolverError};
pub use gizmo::{Along, Pull};
pub use handle_list::{HandleRow, HandleState, goal_words, handle_list};
pub use history::Generation;
pub use home::Home;
pub use job_kind::JobKind;
pub use jobs::{Finished, JobId, JobState, Jobs, Task};
pub use layers::{add_layer, delete_layer, fit_layers, layer_name_problem, may_answer, rename_layer};
pub use notice::Notice;
pub use outcome::{Exported, Outcome};
pub use pick::{Picked, Ray, Reach, ScreenBox, normal_at, pick, pick_box};
pub use picture::Picture;
pub use places::Places;
pub use posing::{PoseDraft, PoseRefused, PoseThen, pose_words, retime_pose};
pub use recent::Recent;
pub use recovery::{Autosave, Recoverable};
pub use rigid::{rigid_goal, turned};
pub use segments::{
    EARTH, Layout, SegmentError, add_segment, begin_segments, choose_method, delete_segment, in_words,
    least_frames, resize_segment, set_flight, split_segment,
};
pub use session::{Session, View};
pub use snapshot::{Opening, Posed, Probe, Reported, Seen, Snapshot, Step, Work};
pub use solver::Solver;
pub use spin::Spin;
pub use timeline::{PoseMark, SegmentMark, Timeline, TimelineMark};
pub use wanted::{Extras, Wanted};
