//! A stand-in for the numerics: every handle moves all points, and what it is asked is written down.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use supple_model::Progress;
use supple_project::method::{
    Balance, Iterate, Live, LiveError, Making, Numerics, Play, Points, PoseAsk, PoseStep, Posing, Shove,
    SoFar, Stage,
};
use supple_project::shot::{Edit, Goal, Handle, Length, Shot};
use supple_project::{Cache, Report, Status};
use supple_session::{Document, Extras, Notice, Session, Snapshot, Solver, View, Wanted};

pub const FRAMES: usize = 10;

/// What happens on the other side.
#[derive(Default)]
pub struct Fake {
    pub log: Mutex<Vec<String>>,
    /// While this is set, a step of a drag does not end.
    pub holds_drags: AtomicBool,
    /// While this is set, an opening does not end, unless it is cancelled.
    pub holds_openings: AtomicBool,
    /// While this is set, an edit is not made ready, as where poses are fitted, unless that is cancelled.
    pub holds_asks: AtomicBool,
    /// Whether no edit can be found.
    pub fails: AtomicBool,
    /// While this is set, no edit is found, unless that is cancelled.
    pub holds_edits: AtomicBool,
    /// Whether frames that are played are made in parts, and how many parts may still be made.
    pub makes_parts: AtomicBool,
    pub parts: AtomicUsize,
    /// Whether a handle in the hand may be given any goal.
    pub retargets: AtomicBool,
    /// How many steps an edit is found in that are worth a look.
    pub iterates: AtomicUsize,
    /// While this is set, a step of a pose does not end, unless it is cancelled.
    pub holds_poses: AtomicBool,
    /// How many steps a pose takes to rest.
    pub pose_steps: AtomicUsize,
}

impl Fake {
    pub fn say(&self, what: impl Into<String>) {
        self.log.lock().unwrap().push(what.into());
    }

    pub fn count(&self, what: &str) -> usize {
        self.log.lock().unwrap().iter().filter(|line| line.starts_with(what)).count()
    }
}

pub struct Stand(pub Arc<Fake>);

impl Numerics for Stand {
    fn open(
        &self,
        shot: &Shot,
        _: &Cache,
        progress: &Progress,
        deliver: &mut dyn FnMut(Box<dyn Live>),
    ) -> Result<(), LiveError> {
        self.0.say(format!("open {}", shot.edit.modes));
        assert!(shot.edit.modes != 13, "a mistake");
        while self.0.holds_openings.load(Ordering::Relaxed) {
            progress.report("waiting", 0.5)?;
            std::thread::sleep(Duration::from_millis(1));
        }
        if shot.edit.modes == 7 {
            return Err(LiveError::Said("seven modes are no good; choose eight".to_owned()));
        }
        let stage = Stage {
            rest: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2]],
            clock: supple_model::Clock { start: supple_model::Frame(1), frames: FRAMES, fps: 24.0 },
            modes: shot.edit.modes,
            wanted_modes: shot.edit.modes,
            size: 1.0,
            ..Stage::default()
        };
        let (stage, fake) = (Arc::new(stage), self.0.clone());
        let (handles, shift) = (Vec::new(), [0.0; 3]);
        deliver(Box::new(FakeLive { stage, fake, handles, shift, settled: false, iterate: None }));
        Ok(())
    }

    fn posing(&self, _: &Shot, stage: &Stage) -> Result<Box<dyn Posing>, LiveError> {
        self.0.say("begin pose");
        Ok(Box::new(FakePosing { rest: stage.rest.clone(), fake: self.0.clone(), asked: None, steps: 0 }))
    }
}

/// Moves all points as the hand does, a step at a time.
struct FakePosing {
    rest: Vec<[f32; 3]>,
    fake: Arc<Fake>,
    asked: Option<PoseAsk>,
    steps: usize,
}

impl Posing for FakePosing {
    fn step(&mut self, ask: &PoseAsk, progress: &Progress) -> Result<PoseStep, LiveError> {
        if self.asked.as_ref() != Some(ask) {
            (self.asked, self.steps) = (Some(ask.clone()), 0);
        }
        self.steps += 1;
        let by = ask.hand.as_ref().map_or([0.0; 3], |hand| hand.by);
        self.fake.say(format!("pose {}", by[0]));
        while self.fake.holds_poses.load(Ordering::Relaxed) {
            progress.check()?;
            std::thread::sleep(Duration::from_millis(1));
        }
        if by[0] > 100.0 {
            return Err(LiveError::Said("too far".to_owned()));
        }
        let moves = self.steps <= self.fake.pose_steps.load(Ordering::Relaxed);
        let balance = if moves { Balance::Moving } else { Balance::Found };
        let moved = |p: &[f32; 3]| std::array::from_fn(|c| p[c] + by[c] as f32);
        let points = Points { drawn: self.rest.iter().map(moved).collect(), body: None };
        Ok(PoseStep { balance, points, force: ask.hand.as_ref().map(|hand| hand.by), residual: 0.0 })
    }
}

struct FakeLive {
    stage: Arc<Stage>,
    fake: Arc<Fake>,
    handles: Vec<Handle>,
    shift: [f64; 3],
    settled: bool,
    iterate: Option<Iterate>,
}

impl Play for FakeLive {
    fn points(&mut self, frame: usize) -> Points {
        let part = (frame + 1) as f64 / FRAMES as f64;
        let mut by = self.shift;
        for handle in &self.handles {
            if let Goal::By(more) = handle.goal {
                by = std::array::from_fn(|c| by[c] + more[c]);
            }
        }
        let moved = |p: &[f32; 3]| std::array::from_fn(|c| p[c] + (by[c] * part) as f32);
        Points { drawn: self.stage.rest.iter().map(moved).collect(), body: None }
    }

    fn input(&mut self, _: usize) -> Arc<Points> {
        Arc::new(Points { drawn: self.stage.rest.clone(), body: None })
    }
}

impl FakeLive {
    fn follow(&mut self, handles: &[Handle]) -> Vec<Option<String>> {
        if self.handles != handles {
            self.fake.say("follow");
        }
        self.handles = handles.to_vec();
        self.settled = false;
        let far = |handle: &Handle| matches!(handle.goal, Goal::By([x, ..]) if x > 100.0);
        handles.iter().map(|handle| far(handle).then(|| "too far".to_owned())).collect()
    }
}

impl Live for FakeLive {
    fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    /// Segments of another length bring another stage.
    fn ask(&mut self, edit: &Edit, progress: &Progress) -> Result<Vec<Option<String>>, LiveError> {
        let lengths = edit.segments.iter().map(|segment| match segment.length {
            Length::Frames(frames) => frames as usize,
            Length::Flight(_) => 3,
        });
        let lengths: Vec<usize> = lengths.collect();
        if !lengths.is_empty() {
            self.fake.say(format!("segments {lengths:?}"));
            let frames = lengths.iter().sum::<usize>() + 1;
            let joints = (0..=lengths.len()).map(|k| lengths[..k].iter().sum::<usize>() as f64).collect();
            let clock = supple_model::Clock { frames, ..self.stage.clock };
            let (rest, triangles) = (self.stage.rest.clone(), self.stage.triangles.clone());
            let (modes, size) = (self.stage.modes, self.stage.size);
            let stage = Stage {
                rest,
                triangles,
                clock,
                joints,
                modes,
                wanted_modes: modes,
                size,
                ..Stage::default()
            };
            self.stage = Arc::new(stage);
        }
        while self.fake.holds_asks.load(Ordering::Relaxed) {
            progress.report("fitting", 0.5)?;
            std::thread::sleep(Duration::from_millis(1));
        }
        let handles: Vec<Handle> = edit.all_handles().map(|(_, handle)| handle.clone()).collect();
        Ok(self.follow(&handles))
    }

    fn can_retarget(&self) -> bool {
        self.fake.retargets.load(Ordering::Relaxed)
    }

    fn retarget(&mut self, goal: &Goal, _: &Progress) -> Result<f64, LiveError> {
        let Goal::Turn { turn, .. } = goal else { return Err(LiveError::NothingDragged) };
        self.fake.say(format!("turn {}", turn.degrees));
        Ok(0.0)
    }

    fn grab(&mut self, handle: usize, frame: usize, _: &Progress) -> Result<(), LiveError> {
        self.fake.say(format!("grab {handle} at {frame}"));
        Ok(())
    }

    fn drag(&mut self, shift: [f64; 3], _: &Progress) -> Result<f64, LiveError> {
        self.fake.say(format!("drag {}", shift[0]));
        while self.fake.holds_drags.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.shift = shift;
        Ok(0.0)
    }

    fn push(&mut self, frame: usize, shove: Option<&Shove>) -> Result<Points, LiveError> {
        self.fake.say(format!("push {frame} {}", shove.is_some()));
        let by = shove.map_or([0.0; 3], |shove| shove.by);
        let moved = |p: [f32; 3]| std::array::from_fn(|c| p[c] + by[c] as f32);
        Ok(Points { drawn: self.points(frame).drawn.into_iter().map(moved).collect(), body: None })
    }

    fn go_on(&mut self, making: &mut Making) -> Option<Points> {
        if !self.fake.makes_parts.load(Ordering::Relaxed) {
            return Some(self.points(making.frame));
        }
        self.fake.say("part");
        let take = |parts: usize| parts.checked_sub(1);
        while self.fake.parts.try_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
        match std::mem::take(&mut making.so_far) {
            SoFar::Nothing => {
                let points = self.points(making.frame).drawn;
                making.so_far = SoFar::Displacement(points.into_iter().flatten().map(f64::from).collect());
                None
            }
            SoFar::Edit { edit: numbers, .. } | SoFar::Displacement(numbers) => {
                let point = |p: &[f64]| std::array::from_fn(|c| p[c] as f32);
                Some(Points { drawn: numbers.chunks_exact(3).map(point).collect(), body: None })
            }
        }
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn put_down(&mut self) {
        self.shift = [0.0; 3];
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        progress.check()?;
        self.fake.say("settle");
        if self.fake.fails.load(Ordering::Relaxed) {
            return Err(LiveError::Said("it cannot be".to_owned()));
        }
        while self.fake.holds_edits.load(Ordering::Relaxed) {
            progress.report("holding", 0.5)?;
            std::thread::sleep(Duration::from_millis(1));
        }
        self.settled = true;
        Ok(())
    }

    fn settle_watched(
        &mut self,
        progress: &Progress,
        look: &mut dyn FnMut(&mut dyn Live),
    ) -> Result<(), LiveError> {
        for number in 1..=self.fake.iterates.load(Ordering::Relaxed) {
            self.iterate = Some(Iterate { number, objective: 1.0 / number as f64 });
            look(self);
        }
        self.settle(progress)
    }

    fn iterate(&self) -> Option<Iterate> {
        self.iterate
    }

    fn report(&mut self, progress: &Progress, _: &mut dyn FnMut(&mut dyn Play)) -> Result<Report, LiveError> {
        assert!(self.settled);
        progress.check()?;
        Ok(report(self.handles.len() as f64))
    }

    fn force_at(&mut self, _: u32) -> Vec<f64> {
        (0..self.stage.clock.frames).map(|frame| frame as f64).collect()
    }

    fn moved_by(&mut self, _: u32, _: usize) -> [f64; 3] {
        [0.0; 3]
    }
}

/// A report of an edit that is all right.
pub fn report(energy: f64) -> Report {
    Report { iterations: 1, energy, ..Report::of_status(Status::Settled) }
}

/// Goes on with a session until its jobs have ended; answers what it said.
pub fn end_jobs(session: &mut Session) -> Vec<Notice> {
    let (begin, mut said) = (Instant::now(), Vec::new());
    loop {
        said.extend(session.update(&View::default()).1);
        if session.jobs.running().is_empty() {
            return said;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", session.jobs);
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What a window wants that shows frame 4 of a document and plays frame 9.
pub fn wanted(document: &Document, hand: Option<usize>) -> Wanted {
    Wanted {
        generation: document.generation(),
        shot: document.shot().clone(),
        cache: document.cache(),
        hand,
        frame: 4,
        playing: Some(9),
        input: true,
        strain: false,
        probe: None,
        extras: Arc::<Extras>::default(),
        pose: None,
        shove: None,
    }
}

/// Waits until an answer is as it should be.
pub fn until(solver: &Solver, what: &str, done: impl Fn(&Snapshot) -> bool) -> Snapshot {
    let begin = Instant::now();
    loop {
        let answer = solver.answer();
        if done(&answer) {
            return answer;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}: {answer:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
