//! One project: from the files a shot names to bodies, their modes and pictures of them.
//!
//! - [`Shot`]: the project as a text file, `shot.toml`, typed and checked, with paths relative to itself;
//!   what it can say is in [`shot`];
//! - [`Body`]: the body a shot describes, ready to move;
//! - [`prepare_modes`]: its modes, computed once;
//! - [`DragMethod`]: a motion that is being edited: handles, the motion that follows them, and a report;
//! - [`Cache`]: what was expensive to compute, kept beside the shot and keyed by content, so that
//!   deleting it loses nothing and a damaged entry is recomputed, never trusted;
//! - [`Contacts`]: what touches something in the input motion, for edits to keep;
//! - [`Import`]: a shot from an animated surface, [`ImportPreview`] before it; [`Conversion`]: from one format of motion to another;
//! - [`SAMPLES`]: shots this program makes itself;
//! - [`info`]: what is in a file; [`picture`]: what a body looks like.
//!
//! Every command of the command line is one function here, of plain arguments, an options struct and a
//! [`Progress`](supple_model::Progress), that answers what its `--json` prints: [`import::import()`],
//! [`import::convert()`], [`edit::edit()`], [`prepare::prepare()`], [`recover::recover()`], [`solution::solve()`], [`solution::simulate()`],
//! [`solution::pose()`], [`solution::fit()`], [`picture::render()`], [`picture::plot()`], [`info::info()`],
//! [`cache::list()`], [`cache::clear()`], [`samples::list()`], [`samples::write()`]. Warnings go to the progress as
//! they come.

/// The page about this library, whose code is run as every example here is.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct RustPage;

pub mod atomic;
mod body;
pub mod cache;
pub mod character;
mod coarse;
mod contacts;
pub mod edit;
mod error;
pub mod feet;
mod fit;
pub mod import;
pub mod info;
mod key_poses;
mod lock;
pub mod method;
mod modes;
mod motion;
mod open;
mod outputs;
pub mod picture;
mod pose;
pub mod prepare;
pub mod recover;
pub mod samples;
mod scenery;
pub mod shot;
mod simulate;
mod site;
pub mod solution;
mod source;
mod subject;

pub use body::{Body, BodyError, Matter, OtherBody, Skin};
pub use cache::{Cache, CacheKey, Cleared, Entry, KeyHasher, Kind, Payload, PayloadWriter, user_folder};
pub use coarse::coarse;
pub use contacts::{Cluster, ContactName, ContactPoint, Contacts, ContactsError, Plant};
pub use error::{At, CacheWarning, Damage, ShotError};
pub use fit::{FitOptions, Skins, fit};
pub use import::{
    Conversion, Converted, Edges, Import, ImportChecked, ImportError, ImportField, ImportKind, ImportPreview,
    ImportWrong, Imported, ImportedCharacter, NewShot, PreviewFrame, PreviewObject, PreviewScene,
    PreviewState, RestShape,
};
pub use key_poses::{KeyPose, KeyPoseError, KeyPoseProblem, key_poses};
pub use lock::ShotLock;
pub use method::drag::{
    ContactOutcome, Deepest, DragMethod, DragStep, EditError, EditReport, ForcePeak, HandleKey, HandleMark,
    HandleProblem, Inverted, Penetration, Playback, Reason, Settled, Smoothness, StartPoint, StartReport,
    VolumeChange,
};
pub use method::{CharacterMethod, HandleOutcome, Report};
pub use modes::{PreparedModes, check_modes, prepare_modes, prepare_modes_of};
pub use motion::{Detail, FitSummary, InputMotion, MotionError, Moving, handle_places};
pub use open::{InShot, OpenError};
pub use outputs::{Overwrites, Reads, beside};
pub use pose::{PoseFormat, PoseOutcome, pose, save_pose, save_reactions};
pub use samples::{SAMPLES, Sample, SampleError};
pub use shot::Shot;
pub use simulate::{SimulateError, SimulateReport, SimulatedFrame, Simulator, scenery};
pub use site::SiteError;
pub use solution::{
    ExportError, ExportOptions, ExportOriginal, ExportPlan, MotionOutput, Solved, WriteOptions, Written,
    save_baked, solve_into,
};
pub use source::{MotionFile, OwnFrames, SourceError, Space, UNITS, UnitError, parse_unit};
pub use subject::Subject;
pub use supple_model::Status;
