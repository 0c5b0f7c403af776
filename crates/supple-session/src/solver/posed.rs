//! A pose that is being made: the solver follows the hand a step at a time, and plays the motion meanwhile.

use super::shared::{OpeningNumber, Patient};
use super::worker::Worker;
use crate::picture::Made;
use crate::{Picture, Posed, SolverError, Wanted, Work};
use std::sync::Arc;
use std::time::Instant;
use supple_project::method::{Balance, LiveError, PoseAsk, Posing};

/// A body that is posed.
pub(super) struct Posable {
    /// Which opening it is of.
    number: OpeningNumber,
    /// None where it cannot be posed.
    posing: Option<Box<dyn Posing>>,
    /// What there is nothing more to be done for.
    done: Option<Arc<PoseAsk>>,
    /// Whether it was said why there is no step.
    is_troubled: bool,
}

impl Worker {
    /// Makes a step towards the pose of a wish, and shows frames; answers whether it should be called again at once.
    pub fn work_on_pose(&mut self, wanted: &Wanted) -> bool {
        self.put_down();
        let goes_on = self.is_of_this() && self.pose(wanted);
        self.show(wanted);
        let is_played = self.play(wanted);
        (goes_on || !is_played) && !self.shared.has_mail()
    }

    /// Nothing is posed any more.
    pub fn end_pose(&mut self) {
        if let Some(posable) = self.posable.take() {
            self.shared.publish(|snapshot| {
                (snapshot.posed, snapshot.work) = (None, Work::Idle);
                snapshot.trouble = snapshot.trouble.take().filter(|_| !posable.is_troubled);
            });
        }
    }

    /// A step; answers whether there is more to be done.
    fn pose(&mut self, wanted: &Wanted) -> bool {
        let (Some(ask), Some(opened)) = (&wanted.pose, &mut self.opened) else { return false };
        let stage = opened.live.stage().clone();
        if self.posable.as_ref().is_none_or(|posable| posable.number != opened.number) {
            self.shared.publish(|snapshot| snapshot.work = Work::Posing);
            let posing = self.shared.numerics.posing(&wanted.shot, &stage);
            let trouble = posing.as_ref().err().cloned().map(SolverError::Method);
            let is_troubled = trouble.is_some();
            self.shared.publish(|snapshot| (snapshot.posed, snapshot.trouble) = (None, trouble));
            let (number, posing) = (opened.number, posing.ok());
            self.posable = Some(Posable { number, posing, done: None, is_troubled });
        }
        let Some(posable) = &mut self.posable else { return false };
        let Some(posing) = posable.posing.as_mut().filter(|_| posable.done.as_ref() != Some(ask)) else {
            return false;
        };
        let begin = Instant::now();
        let progress = self.shared.begin(wanted, Patient::progress(&self.shared));
        let step = posing.step(ask, &progress);
        self.shared.end();
        self.shared.publish(|snapshot| snapshot.solving = None);
        let step = match step {
            Ok(step) => step,
            // The next wish says what else to do, or to try again.
            Err(LiveError::Cancelled) => return false,
            Err(problem) => {
                (posable.done, posable.is_troubled) = (Some(ask.clone()), true);
                let trouble = Some(SolverError::Method(problem));
                self.shared.publish(|snapshot| snapshot.trouble = trouble);
                return false;
            }
        };
        let made =
            Made { generation: wanted.generation, frame: stage.nearest(wanted.frame), points: step.points };
        let bare = Wanted { input: false, ..wanted.clone() };
        let picture = Picture::of(opened.live.as_mut(), &stage, &bare, made);
        let posed = Posed {
            ask: ask.clone(),
            picture,
            balance: step.balance,
            force: step.force,
            residual: step.residual,
            seconds: begin.elapsed().as_secs_f64(),
        };
        let moves = step.balance == Balance::Moving;
        (posable.done, posable.is_troubled) = ((!moves).then(|| ask.clone()), false);
        self.shared.publish(|snapshot| {
            (snapshot.posed, snapshot.trouble) = (Some(Arc::new(posed)), None);
            snapshot.work = if moves { Work::Posing } else { Work::Idle };
        });
        moves
    }
}
