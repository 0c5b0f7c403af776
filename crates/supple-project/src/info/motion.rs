//! What is in a motion file. Every frame is read once, one at a time, so a damaged one is found here.

use super::{BoundsInfo, InfoError};
use serde::Serialize;
use std::path::Path;
use supple_formats::Track;
use supple_model::{Contact, ContactKind, Progress};

/// A motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionInfo {
    /// The format.
    pub format: &'static str,
    /// How many points each frame has.
    pub vertices: usize,
    /// How many frames there are.
    pub frames: usize,
    /// The scene's number of the first, as far as the file says.
    pub start: Option<f64>,
    /// How many frames of the scene lie between two of the file.
    pub step: f64,
    /// Frames per second, as far as the file says.
    pub fps: Option<f64>,
    /// Triangles of the surface that moves, if the file has one.
    pub triangles: Option<usize>,
    /// A box around all frames.
    pub bounds: Option<BoundsInfo>,
    /// The farthest any point goes from one frame to the next.
    pub largest_step: f64,
    /// The frame it goes to, counted from 0.
    pub largest_step_to: usize,
}

impl MotionInfo {
    pub(super) fn of(path: &Path, progress: &Progress) -> Result<Self, InfoError> {
        let mut motion = supple_formats::open_motion(path)?;
        let info = motion.info().clone();
        let triangles = motion.topology().map(|surface| surface.triangles.len());
        let mut now = vec![[0.0; 3]; info.vertices];
        let mut before = now.clone();
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut largest = (0.0, 0);
        for index in 0..info.frames {
            progress.report("reading", index as f64 / info.frames as f64)?;
            motion.read(index, &mut now)?;
            for (p, q) in now.iter().zip(&before) {
                let mut step = 0.0;
                for c in 0..3 {
                    min[c] = min[c].min(p[c]);
                    max[c] = max[c].max(p[c]);
                    step += (p[c] - q[c]) * (p[c] - q[c]);
                }
                if index > 0 && step > largest.0 {
                    largest = (step, index);
                }
            }
            std::mem::swap(&mut now, &mut before);
        }
        Ok(Self {
            format: info.format.name(),
            vertices: info.vertices,
            frames: info.frames,
            start: info.start,
            step: info.step,
            fps: info.fps,
            triangles,
            bounds: Some(BoundsInfo { min, max }),
            largest_step: f64::sqrt(largest.0),
            largest_step_to: largest.1,
        })
    }
}

/// A table of contacts, or a track of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableInfo {
    /// What its columns are called, besides `frame`.
    pub columns: Vec<String>,
    /// How many rows there are.
    pub rows: usize,
    /// The first and the last frame, unless it is empty.
    pub frames: Option<[f64; 2]>,
    /// Of contacts: how many of them stick.
    pub sticking: Option<usize>,
}

impl TableInfo {
    pub(super) fn of_contacts(contacts: &[Contact]) -> Self {
        let frames = || contacts.iter().map(|contact| f64::from(contact.frame.0));
        let sticking = contacts.iter().filter(|contact| contact.kind == ContactKind::Stick).count();
        Self {
            columns: ["vertex", "nx", "ny", "nz", "kind"].map(str::to_owned).to_vec(),
            rows: contacts.len(),
            frames: (!contacts.is_empty()).then(|| {
                [frames().fold(f64::INFINITY, f64::min), frames().fold(f64::NEG_INFINITY, f64::max)]
            }),
            sticking: Some(sticking),
        }
    }

    pub(super) fn of_track(track: &Track) -> Self {
        let ends = track.rows.first().zip(track.rows.last());
        Self {
            columns: track.columns.clone(),
            rows: track.rows.len(),
            frames: ends.map(|(first, last)| [first.0, last.0]),
            sticking: None,
        }
    }
}
