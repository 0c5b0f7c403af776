//! Time as the poses of a motion suggest it (Eq. 10): from one to the next in a quarter of the oscillation along the tangent
//! between them,
//!
//! > h = π / (2 ω n), ω² = TᵀK T / TᵀM T, n the frames from one pose to the next.
//!
//! | in the shot | seconds per frame |
//! |---|---|
//! | `seconds_per_frame = "auto"` | the mean of h |
//! | `time = "per-key"` | h of every arc; all of them scaled where the shot says a mean |

use super::basis;
use super::entry::Entry;
use super::setup::Setup;
use super::stretch::Stretch;
use crate::method::error::EditError;
use crate::shot::{FrameTime, SecondsPerFrame};
use supple_elastic::{ArcReport, KeyBasisReport};
use supple_model::Progress;
use supple_spacetime::ControlTime;

/// A time per frame that is so many times another one idles, or hardly moves.
const FAR: f64 = 10.0;

/// What time the frames of a motion take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timing {
    /// The mean, seconds per frame.
    pub mean: f64,
    /// What Eq. 10 suggests, where it is known.
    natural: Option<f64>,
    is_even: bool,
}

impl Timing {
    /// Of a motion that begins like this.
    pub fn new(
        setup: &Setup,
        stretches: &[Stretch],
        entry: &Entry,
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let is_even = setup.own.time == FrameTime::Fixed;
        if let (SecondsPerFrame::Seconds(mean), true) = (setup.shot.motion.seconds_per_frame, is_even) {
            return Ok(Self { mean, natural: None, is_even });
        }
        let mut known = Vec::new();
        let mut from = entry.displacement.clone();
        for stretch in stretches {
            let report = basis::of_tangents(setup, stretch, &from, progress)?;
            known.extend(naturals(&report, stretch).into_iter().flatten());
            if let Some((_, pose)) = stretch.poses.last() {
                from.clone_from(&pose.displacement);
            }
        }
        let natural = mean(&known);
        let mean = match setup.shot.motion.seconds_per_frame {
            SecondsPerFrame::Seconds(mean) => mean,
            SecondsPerFrame::Auto => natural.unwrap_or(1.0 / setup.clock.fps),
        };
        Ok(Self { mean, natural, is_even })
    }

    /// When the frames of a part are.
    pub fn of(self, report: &KeyBasisReport, stretch: &Stretch, before: Option<f64>) -> ControlTime {
        let time = if self.is_even {
            ControlTime::even(stretch.frames + 1, self.mean)
        } else {
            let scale = self.natural.map_or(1.0, |natural| self.mean / natural);
            let mut frames = arc_frames(stretch);
            let mut steps: Vec<f64> =
                naturals(report, stretch).into_iter().map(|h| h.map_or(self.mean, |h| h * scale)).collect();
            let rest = stretch.frames - frames.iter().sum::<usize>();
            if rest > 0 {
                frames.push(rest);
                steps.push(self.mean);
            }
            ControlTime::arcs(&frames.into_iter().zip(steps).collect::<Vec<_>>())
        };
        match before {
            Some(before) => time.after(before),
            None => time,
        }
    }
}

/// Frames from one pose to the next, the start the first.
fn arc_frames(stretch: &Stretch) -> Vec<usize> {
    let mut ends: Vec<usize> = stretch.poses.iter().map(|(frame, _)| *frame).collect();
    ends.dedup();
    let begins = std::iter::once(0).chain(ends.iter().copied());
    begins.zip(&ends).map(|(from, to)| to - from).collect()
}

/// h of every arc, where it is known.
fn naturals(report: &KeyBasisReport, stretch: &Stretch) -> Vec<Option<f64>> {
    let frames = arc_frames(stretch);
    let arcs = report.arcs.iter().map(ArcReport::quarter_period).chain(std::iter::repeat(None));
    frames.iter().zip(arcs).map(|(frames, quarter)| Some(quarter? / (*frames).max(1) as f64)).collect()
}

/// What is said of a time per frame that is far from that of Eq. 10.
pub(super) fn warning(seconds: f64, all: &[(&KeyBasisReport, &Stretch)]) -> Option<String> {
    let known: Vec<f64> =
        all.iter().flat_map(|(report, stretch)| naturals(report, stretch)).flatten().collect();
    let natural = mean(&known)?;
    let times = seconds / natural;
    let (far, does) = match times {
        times if times >= FAR => (times, "longer: the motion idles and then rushes to its poses"),
        times if times <= 1.0 / FAR => (1.0 / times, "shorter: the motion hardly gets from pose to pose"),
        _ => return None,
    };
    Some(format!(
        "`seconds_per_frame = {seconds:.3e}` is {far:.0} times {does}; its poses suggest {natural:.3e} (\"auto\")"
    ))
}

fn mean(all: &[f64]) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}
