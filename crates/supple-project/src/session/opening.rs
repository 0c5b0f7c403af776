//! Opening a body beside the solver.

use super::Generation;
use super::jobs::stopped;
use super::solver::Shared;
use super::wishes::{Opening, Wanted};
use crate::shot::{Goal, Handle, Shot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use supple_model::{Progress, ProgressSink};

const CANCELLED: &str = "opening was cancelled; open it again to edit";

/// An opening that is under way or done.
pub(super) struct Opener {
    /// The shot without its handles: what was opened.
    bare: Shot,
    /// The last state of the document that it served.
    generation: Generation,
    progress: Progress,
}

impl Opener {
    /// Opens the body of a wish on a thread of its own; what is ready comes with the mail.
    pub fn start(shared: &Arc<Shared>, wanted: &Wanted, number: u64) -> Self {
        let generation = wanted.generation;
        let sink = Arc::new(Sink { shared: shared.clone(), generation });
        let progress = Progress::new(sink);
        shared.publish(|answer| {
            (answer.failure, answer.trouble) = (None, None);
            answer.opening = Some(Opening { generation, what: "opening".to_owned(), fraction: 0.0 });
        });
        shared.post(|mail| mail.opening = Some(progress.clone()));
        let (shared, shot, cache, theirs) =
            (shared.clone(), wanted.shot.clone(), wanted.cache.clone(), progress.clone());
        std::thread::spawn(move || {
            let mut deliver = |live| {
                shared.post(|mail| {
                    if mail.delivered.as_ref().is_none_or(|(other, _)| *other <= number) {
                        mail.delivered = Some((number, live));
                    }
                });
            };
            let open = || shared.numerics.open(&shot, &cache, &theirs, &mut deliver);
            let ended = catch_unwind(AssertUnwindSafe(open));
            let ended = match ended {
                Ok(Err(_)) if theirs.check().is_err() => Err(CANCELLED.to_owned()),
                Ok(ended) => ended,
                Err(_) => Err(stopped("opening the shot")),
            };
            shared.post(|mail| mail.ended.push((number, ended)));
        });
        Self { bare: bare(&wanted.shot), generation, progress }
    }

    /// Whether a shot differs from what was opened in its handles alone, or in where its files are: a state that keeps
    /// its name was saved, and nothing of it has to be read again.
    pub fn serves(&mut self, wanted: &Wanted) -> bool {
        // Paths of handles are read when they are followed, from the folder that was opened.
        let is_path = |handle: &Handle| matches!(handle.goal, Goal::Path(_));
        let has_path = wanted.shot.edit.handles.iter().any(is_path);
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
    bare.edit.handles.clear();
    bare
}

/// Shows how far an opening is.
struct Sink {
    shared: Arc<Shared>,
    generation: Generation,
}

impl ProgressSink for Sink {
    fn update(&self, stage: &str, fraction: f64) {
        let generation = self.generation;
        self.shared.publish(|answer| {
            // A later opening may have begun.
            if let Some(opening) = &mut answer.opening
                && opening.generation == generation
            {
                (opening.what, opening.fraction) = (stage.to_owned(), fraction);
            }
        });
    }
}
