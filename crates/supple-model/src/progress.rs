//! Progress, warnings and cancellation of long work, in one small type.
//!
//! A [`Progress`] is handed down to whatever takes long. The work calls [`Progress::report`] at
//! least every 50 ms; the owner of another clone may [`Progress::cancel`] at any time, after which
//! every `report` and `check` answers [`Cancelled`] and the work unwinds without changing anything. What is not as it
//! should be, but does not keep the work from being done, is said with [`Progress::warn`] as soon as it is known: it is
//! heard even when the work fails later.
//! To [`Progress::stop`] is to ask what improves its answer step by step for the best it has so far; whatever else
//! has to be done goes on to its end.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Where progress goes: a bar on a terminal, a widget, nowhere.
pub trait ProgressSink: Send + Sync {
    /// `stage` is what is being done, `fraction` (0 to 1) how much of all the work is finished.
    fn update(&self, stage: &str, fraction: f64);

    /// Something is not as it should be; the work goes on.
    fn warn(&self, _warning: &str) {}
}

/// The work was cancelled by its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A handle on running work: reports how far it is and hears when to stop. Clones share both.
#[derive(Clone)]
pub struct Progress {
    sink: Option<Arc<dyn ProgressSink>>,
    cancelled: Arc<AtomicBool>,
    stopped: Arc<AtomicBool>,
    deadline: Option<Instant>,
    from: f64,
    to: f64,
}

impl Progress {
    /// Reports nowhere; still cancellable.
    #[must_use]
    pub fn silent() -> Self {
        Self {
            sink: None,
            cancelled: Arc::default(),
            stopped: Arc::default(),
            deadline: None,
            from: 0.0,
            to: 1.0,
        }
    }

    /// Reports to `sink`.
    #[must_use]
    pub fn new(sink: Arc<dyn ProgressSink>) -> Self {
        Self { sink: Some(sink), ..Self::silent() }
    }

    /// A view of the part of the work between `from` and `to` (fractions of this one), for handing
    /// to a sub-task that counts from 0 to 1.
    #[must_use]
    pub fn part(&self, from: f64, to: f64) -> Self {
        let span = self.to - self.from;
        Self { from: self.from + span * from, to: self.from + span * to, ..self.clone() }
    }

    /// Says that `fraction` of this part of the work is done.
    ///
    /// # Errors
    /// [`Cancelled`] when the owner asked to stop.
    pub fn report(&self, stage: &str, fraction: f64) -> Result<(), Cancelled> {
        self.check()?;
        if let Some(sink) = &self.sink {
            sink.update(stage, self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0));
        }
        Ok(())
    }

    /// Says what is not as it should be, but does not keep the work from being done.
    pub fn warn(&self, warning: impl Display) {
        if let Some(sink) = &self.sink {
            sink.warn(&warning.to_string());
        }
    }

    /// The same work, which is stopped after some time from now. A time too long to count is none.
    #[must_use]
    pub fn stopped_after(&self, time: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(time), ..self.clone() }
    }

    /// Asks for the best answer so far: what is improved step by step ends with its next step.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the best answer so far will do.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Asks the work to end without any change; it does so within some 50 ms.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// # Errors
    /// [`Cancelled`] when the owner asked to stop.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.cancelled.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Record {
        fractions: Mutex<Vec<f64>>,
        warnings: Mutex<Vec<String>>,
    }

    impl ProgressSink for Record {
        fn update(&self, _: &str, fraction: f64) {
            self.fractions.lock().unwrap().push(fraction);
        }
        fn warn(&self, warning: &str) {
            self.warnings.lock().unwrap().push(warning.to_owned());
        }
    }

    #[test]
    fn parts_nest_and_cancel_reaches_them() {
        let record = Arc::new(Record::default());
        let whole = Progress::new(record.clone());
        let inner = whole.part(0.5, 1.0).part(0.0, 0.5);
        inner.report("x", 1.0).unwrap();
        assert_eq!(*record.fractions.lock().unwrap(), [0.75]);
        whole.cancel();
        assert_eq!(inner.report("x", 0.0), Err(Cancelled));
        assert_eq!(record.fractions.lock().unwrap().len(), 1);
    }

    #[test]
    fn parts_warn_as_the_whole_does_even_when_cancelled() {
        let record = Arc::new(Record::default());
        let whole = Progress::new(record.clone());
        whole.part(0.0, 0.5).warn("not cached");
        whole.cancel();
        whole.warn(format_args!("{} frames are kept", 3));
        assert_eq!(*record.warnings.lock().unwrap(), ["not cached", "3 frames are kept"]);
        Progress::silent().warn("nobody hears it");
    }

    #[test]
    fn stop_reaches_parts_and_cancels_nothing() {
        let whole = Progress::silent();
        let inner = whole.part(0.0, 0.5);
        assert!(!inner.is_stopped());
        whole.stop();
        assert!(inner.is_stopped());
        assert_eq!(inner.check(), Ok(()));
    }

    #[test]
    fn a_time_that_is_over_stops_the_work_and_its_parts() {
        let whole = Progress::silent();
        assert!(whole.stopped_after(Duration::ZERO).part(0.0, 0.5).is_stopped());
        assert!(!whole.stopped_after(Duration::from_secs(3600)).is_stopped());
        assert!(!whole.is_stopped());
    }
}
