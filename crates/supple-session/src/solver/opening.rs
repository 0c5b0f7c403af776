//! Opening a body beside the solver.

use super::shared::{Opened, OpeningNumber, Shared};
use crate::{Generation, Opening, SolverError, Wanted};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use supple_model::{Progress, ProgressSink};
use supple_project::shot::{Handle, Shot};

/// An opening that is under way or done.
pub(super) struct Opener {
    /// The shot without handles, poses and segments: what was opened.
    bare: Shot,
    /// The last state of the document that it served.
    generation: Generation,
    progress: Progress,
}

impl Opener {
    /// Opens the body of a wish on a thread of its own; what is ready comes with the mail.
    pub fn start(shared: &Arc<Shared>, wanted: &Wanted, number: OpeningNumber) -> Self {
        let generation = wanted.generation;
        let sink = Arc::new(Sink { shared: shared.clone(), generation, pace: Mutex::default() });
        let progress = Progress::new(sink);
        shared.publish(|snapshot| {
            (snapshot.failure, snapshot.trouble) = (None, None);
            let what = "opening".to_owned();
            snapshot.opening = Some(Opening { generation, what, fraction: 0.0, seconds_left: None });
        });
        shared.post(|mail| mail.opening = Some(progress.clone()));
        let (shared, shot, cache, theirs) =
            (shared.clone(), wanted.shot.clone(), wanted.cache.clone(), progress.clone());
        std::thread::spawn(move || {
            let mut deliver = |live| {
                shared.post(|mail| {
                    if mail.delivered.as_ref().is_none_or(|other| other.number <= number) {
                        mail.delivered = Some(Opened { number, live });
                    }
                });
            };
            let open = || shared.numerics.open(&shot, &cache, &theirs, &mut deliver);
            let ended = catch_unwind(AssertUnwindSafe(open));
            let ended = match ended {
                Ok(Err(_)) if theirs.check().is_err() => Err(SolverError::OpeningCancelled),
                Ok(ended) => ended.map_err(SolverError::Method),
                Err(_) => Err(SolverError::OpeningPanicked),
            };
            shared.post(|mail| mail.ended.push((number, ended)));
        });
        Self { bare: bare(&wanted.shot), generation, progress }
    }

    /// Whether a shot differs from what was opened in what it asks for alone, or in where its files are: a state that keeps
    /// its name was saved, and nothing of it has to be read again.
    pub fn serves(&mut self, wanted: &Wanted) -> bool {
        // Files of handles and poses are read when they are followed, from the folder that was opened.
        let edit = &wanted.shot.edit;
        let is_path = |(_, handle): (_, &Handle)| handle.goal.file().is_some();
        let has_pose =
            !edit.poses.is_empty() || edit.segments.iter().any(|segment| !segment.poses.is_empty());
        let has_path = has_pose || edit.all_handles().any(is_path);
        let bare = bare(&wanted.shot);
        let is_saved = wanted.generation == self.generation && !has_path;
        if is_saved {
            self.bare = bare;
            return true;
        }
        let serves = self.bare == bare;
        if serves {
            self.generation = wanted.generation;
        }
        serves
    }
}

impl Drop for Opener {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

fn bare(shot: &Shot) -> Shot {
    let mut bare = shot.clone();
    let edit = &mut bare.edit;
    edit.handles.clear();
    edit.poses.clear();
    edit.segments.clear();
    bare
}

/// Shows how far an opening is.
struct Sink {
    shared: Arc<Shared>,
    generation: Generation,
    pace: Mutex<Option<Pace>>,
}

/// How fast a stage of an opening goes.
struct Pace {
    stage: String,
    began: Instant,
    /// How much was done then.
    from: f64,
}

/// Seconds until nothing is left, at the pace of the last `seconds` in which `from` became `to`; none while that says
/// little.
fn seconds_left(seconds: f64, from: f64, to: f64) -> Option<f64> {
    let is_known = seconds >= 1.0 && to - from >= 0.01;
    is_known.then(|| seconds * (1.0 - to).max(0.0) / (to - from))
}

impl Sink {
    /// Takes down how far a stage is; answers the seconds left.
    fn seconds_left(&self, stage: &str, fraction: f64) -> Option<f64> {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        match &*pace {
            Some(pace) if pace.stage == stage => {
                seconds_left(pace.began.elapsed().as_secs_f64(), pace.from, fraction)
            }
            _ => {
                *pace = Some(Pace { stage: stage.to_owned(), began: Instant::now(), from: fraction });
                None
            }
        }
    }
}

impl ProgressSink for Sink {
    fn update(&self, stage: &str, fraction: f64) {
        let (generation, left) = (self.generation, self.seconds_left(stage, fraction));
        self.shared.publish(|snapshot| {
            // A later opening may have begun.
            if let Some(opening) = &mut snapshot.opening
                && opening.generation == generation
            {
                (opening.what, opening.fraction) = (stage.to_owned(), fraction);
                opening.seconds_left = left;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample that is simulated showed a bar and nobody knew for how long.
    #[test]
    fn the_time_left_goes_on_at_the_pace_so_far() {
        assert_eq!(seconds_left(10.0, 0.25, 0.5), Some(20.0));
        assert_eq!(seconds_left(4.0, 0.0, 1.0), Some(0.0));
        assert_eq!((seconds_left(0.2, 0.0, 0.5), seconds_left(10.0, 0.3, 0.305)), (None, None));
    }
}
