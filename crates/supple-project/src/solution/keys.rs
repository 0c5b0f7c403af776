//! The whole body at every key, as files that a shot can ask for as poses: two meshes each, where the vertices of the body
//! are and how fast they move. They hold all digits, so that such poses give the same motion again.

use crate::body::Body;
use crate::method::WholeKey;
use crate::motion::{MotionError, Moving};
use crate::pose::save_pose;
use crate::shot::{At, When};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use supple_formats::motion_files;
use supple_model::Clock;

/// A key that was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyAnswer {
    /// The segment it is in, where there are some.
    pub segment: Option<usize>,
    /// When, as its segment counts: what to write as `at`. Without segments: nothing.
    pub at: Option<KeyAt>,
    /// When, in frames of the shot: without segments, what to write as `frame`.
    pub time: f64,
    /// Where the vertices of the body are: what to write as `file` of a pose.
    pub pose: PathBuf,
    /// How fast they move: what to write as `velocity` of that pose.
    pub velocity: PathBuf,
}

/// A time of a segment, as a shot says it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum KeyAt {
    /// `end`.
    Word(&'static str),
    /// So many frames after it begins.
    Frames(f64),
}

/// Keys on their way to files.
pub(super) struct KeyFiles {
    folder: PathBuf,
    keys: Vec<(WholeKey, KeyAnswer)>,
}

impl KeyFiles {
    /// Names end in words: one that ends in a number is a frame of a series.
    pub fn new(folder: &Path, keys: Vec<WholeKey>) -> Self {
        let named = |(number, key): (usize, WholeKey)| {
            let answer = KeyAnswer {
                segment: key.segment,
                at: match key.when {
                    When::At(At::End) => Some(KeyAt::Word("end")),
                    When::At(At::Frames(frames)) => Some(KeyAt::Frames(frames)),
                    _ => None,
                },
                time: key.time,
                pose: folder.join(format!("key-{number}-pose.ply")),
                velocity: folder.join(format!("key-{number}-velocity.ply")),
            };
            (key, answer)
        };
        Self { folder: folder.to_path_buf(), keys: (1..).zip(keys).map(named).collect() }
    }

    /// The files they go to.
    pub fn files(&self) -> Vec<PathBuf> {
        self.keys.iter().flat_map(|(_, key)| [key.pose.clone(), key.velocity.clone()]).collect()
    }

    /// The first of them that is a frame of the motion written to `output`, too.
    pub fn frame_of(&self, output: &Path, clock: Clock) -> Option<PathBuf> {
        // A name that is no motion's is told by who writes it.
        let frames = motion_files(output, clock.start.0, clock.frames).map_or_else(|_| Vec::new(), |it| it.1);
        let whole = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let frames: BTreeSet<PathBuf> = frames.iter().map(whole).collect();
        self.files().into_iter().find(|file| frames.contains(&whole(file)))
    }

    /// Makes their folder, if need be.
    pub fn make_folder(&self) -> Result<(), MotionError> {
        let cannot = |source| MotionError::Write { file: self.folder.clone(), source };
        std::fs::create_dir_all(&self.folder).map_err(cannot)
    }

    /// Writes them.
    pub fn write(self, body: &Body) -> Result<Vec<KeyAnswer>, MotionError> {
        for (key, answer) in &self.keys {
            save_pose(&answer.pose, body, Moving::Body, &key.positions)?;
            save_pose(&answer.velocity, body, Moving::Body, &key.velocities)?;
        }
        Ok(self.keys.into_iter().map(|(_, answer)| answer).collect())
    }
}
