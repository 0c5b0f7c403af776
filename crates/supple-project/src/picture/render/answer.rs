//! What `supple render` tells of the picture it wrote.

use crate::text::{count, counted, number};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use supple_project::picture::Film;

/// What kind of picture is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Still,
    Sheet,
    Strobe,
    Video,
}

#[derive(Serialize)]
pub struct Answer {
    pub file: PathBuf,
    pub output: PathBuf,
    pub kind: Kind,
    pub width: u32,
    pub height: u32,
    pub triangles: usize,
    pub mode: Option<u32>,
    pub frequency: Option<f64>,
    pub edited: bool,
    /// The frames that are drawn, as the scene counts them; none of something without a motion.
    pub frames: Vec<i32>,
    pub fps: Option<f64>,
    pub handles: Vec<HandleAnswer>,
    pub seconds: f64,
}

#[derive(Serialize)]
pub struct HandleAnswer {
    handle: u32,
    frame: i32,
    error: f64,
    relative_error: f64,
}

/// How far the handles of a motion are off.
pub fn handle_errors(film: &Film) -> Vec<HandleAnswer> {
    let size = film.method().map_or(1.0, |method| method.about().size);
    let outcomes = film.report().map(|report| report.handles.as_slice()).unwrap_or_default();
    let answer = |outcome: &supple_project::HandleOutcome| HandleAnswer {
        handle: outcome.key.0,
        frame: outcome.frame,
        error: outcome.error,
        relative_error: outcome.error / size,
    };
    outcomes.iter().map(answer).collect()
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (output, triangles) = (self.output.display(), count(self.triangles));
        write!(f, "wrote {output}, {} × {}, {triangles} triangles", self.width, self.height)?;
        if let (Some(fps), [first, .., last]) = (self.fps, self.frames.as_slice()) {
            let frames = counted(self.frames.len(), "frame", "frames");
            write!(f, ", {frames}, {first} to {last}, {} fps", number(fps))?;
        }
        writeln!(f)?;
        for handle in &self.handles {
            let (key, frame) = (handle.handle, handle.frame);
            writeln!(f, "handle {key} at frame {frame}: error {:.1e} of the size", handle.relative_error)?;
        }
        Ok(())
    }
}
