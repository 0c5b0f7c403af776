//! A shot in the hand, as Python sees it: points and handles in the unit and axes of the input, frames by the scene's numbers.
//!
//! A frame is that of the input, to the bit, and the offset of the edit on top: what is shown less what would be shown of the
//! input.

use crate::array::Array;
use crate::errors::{Class, Failure};
use crate::shot::{Held, spelled};
use crate::words::json;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_model::{Clock, Frame, Progress};
use supple_project::method::{self, Found, Live, Numerics, RealNumerics};
use supple_project::shot::Handle;
use supple_project::solution::{HandleAnswer, SolveOptions, solve_shot};
use supple_project::{Cache, OwnFrames, Report, Shot, Space};

/// A shot that is open for editing.
pub struct Editing {
    live: Box<dyn Live>,
    shot: Shot,
    name: PathBuf,
    cache: Cache,
    space: Space,
    own: Option<OwnFrames>,
    /// The frame of the input that was read last, counted from 0, and its points.
    base: Option<(usize, Vec<[f64; 3]>)>,
    /// What handles are called here, in their order.
    keys: Vec<u32>,
    next: u32,
    is_settled: bool,
    hand: Option<Hand>,
}

/// A handle that is held.
struct Hand {
    place: usize,
    /// Counted from 0.
    frame: usize,
    /// How far it was moved; metres with y up.
    shift: [f64; 3],
}

/// What an edit came to.
#[derive(Serialize)]
struct Settled<'a> {
    status: &'static str,
    size: f64,
    frames: usize,
    start: i32,
    fps: f64,
    modes: usize,
    iterations: usize,
    stationarity: f64,
    energy: f64,
    penalty: f64,
    handles: Vec<HandleAnswer>,
    #[serde(flatten)]
    found: Found,
    warnings: Vec<&'a str>,
}

impl Editing {
    /// Opens a shot with all of its handles.
    pub fn open(held: Held, progress: &Progress) -> Result<Self, Failure> {
        let (name, cache) = (held.name(), held.cache());
        let shot = held.shot;
        let mut opened = None;
        let result = RealNumerics::default().open(&shot, &cache, progress, &mut |live| opened = Some(live));
        if let Err(error) = result {
            progress.check()?;
            // What a window says in words, opening for the command line says with its culprit.
            let other = method::open_shot(&shot, &cache, progress).err();
            return Err(other.map_or_else(|| error.into(), Failure::from));
        }
        let live = opened.ok_or_else(|| Failure::plain("the shot has nothing to edit".to_owned()))?;
        let points = live.stage().rest.len();
        let own = OwnFrames::of(&shot)?.filter(|own| own.vertices() == points);
        let keys: Vec<u32> = (0..shot.edit.handles.len() as u32).collect();
        let next = keys.len() as u32;
        let space = Space::of_shot(&shot)?;
        let mut editing = Self {
            live,
            shot,
            name,
            cache,
            space,
            own,
            base: None,
            keys,
            next,
            is_settled: false,
            hand: None,
        };
        let edit = editing.shot.edit.clone();
        let problems = editing.live.ask(&edit, progress)?;
        match wrong(&problems) {
            Some(failure) => Err(failure),
            None => Ok(editing),
        }
    }

    /// How many points a frame has.
    pub fn vertices(&self) -> usize {
        self.live.stage().rest.len()
    }

    /// When its frames are.
    pub fn clock(&self) -> Clock {
        self.live.stage().clock
    }

    /// The triangles between the points.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        self.live.stage().triangles.clone()
    }

    /// What handles are called, in their order, and they as TOML.
    pub fn handles(&self) -> Result<(Vec<u32>, String), Failure> {
        let handles: Vec<Handle> =
            self.shot.edit.handles.iter().map(|handle| self.space.handle_outside(handle)).collect();
        Ok((self.keys.clone(), spelled(&handles)?))
    }

    /// Adds handles, and answers what they are called.
    pub fn add(&mut self, handles: &[Handle], progress: &Progress) -> Result<Vec<u32>, Failure> {
        let mut all = self.shot.edit.handles.clone();
        all.extend(handles.iter().map(|handle| self.space.handle_inside(handle)));
        self.ask(&all, progress)?;
        let keys: Vec<u32> = (self.next..self.next + handles.len() as u32).collect();
        self.next += handles.len() as u32;
        self.keys.extend(&keys);
        Ok(keys)
    }

    /// Puts another handle in the place of one.
    pub fn set(&mut self, key: u32, handle: &Handle, progress: &Progress) -> Result<(), Failure> {
        let place = self.place(key)?;
        let mut all = self.shot.edit.handles.clone();
        all[place] = self.space.handle_inside(handle);
        self.ask(&all, progress)
    }

    /// Removes a handle.
    pub fn remove(&mut self, key: u32, progress: &Progress) -> Result<(), Failure> {
        let place = self.place(key)?;
        let mut all = self.shot.edit.handles.clone();
        all.remove(place);
        self.ask(&all, progress)?;
        self.keys.remove(place);
        Ok(())
    }

    /// Asks for these handles instead of those there are; where one of them cannot be, nothing has changed.
    fn ask(&mut self, handles: &[Handle], progress: &Progress) -> Result<(), Failure> {
        if self.hand.is_some() {
            return Err(Failure::plain("a handle is held; let it go first".to_owned()));
        }
        let mut shot = self.shot.clone();
        shot.set_value("edit.handle", Some(&spelled(handles)?))
            .map_err(|error| Failure::of_handles(&error))?;
        let problems = self.live.ask(&shot.edit, progress);
        let failure = match &problems {
            Ok(problems) => wrong(problems),
            Err(error) => Some(error.into()),
        };
        if let Some(failure) = failure {
            // As it was; that was possible a moment ago.
            let _ = self.live.ask(&self.shot.edit, &Progress::silent());
            return Err(failure);
        }
        (self.shot, self.is_settled) = (shot, false);
        Ok(())
    }

    fn place(&self, key: u32) -> Result<usize, Failure> {
        self.keys
            .iter()
            .position(|other| *other == key)
            .ok_or_else(|| Failure::of(Class::Handle(None), format!("there is no handle with the key {key}")))
    }

    fn index(&self, frame: i32) -> Result<usize, Failure> {
        let clock = self.clock();
        let (first, last) = clock.span();
        clock.index(Frame(frame)).ok_or_else(|| {
            let words = format!("there is no frame {frame}; the motion has frames {first} to {last}");
            Failure::of(Class::Motion(Some(frame)), words)
        })
    }

    /// Takes a handle in the hand, as seen in a frame.
    pub fn grab(&mut self, key: u32, frame: i32, progress: &Progress) -> Result<(), Failure> {
        if self.hand.is_some() {
            return Err(Failure::plain("a handle is held already; let it go first".to_owned()));
        }
        let (place, frame) = (self.place(key)?, self.index(frame)?);
        self.live.ask(&self.shot.edit, progress)?;
        self.live.grab(place, frame, progress)?;
        self.hand = Some(Hand { place, frame, shift: [0.0; 3] });
        Ok(())
    }

    /// Moves it to so far from where it was taken; answers the error of the worst hard handle as a part of the size.
    pub fn drag(&mut self, shift: [f64; 3], out: Option<&mut Array>) -> Result<f64, Failure> {
        let Some(hand) = &mut self.hand else { return Err(Failure::plain("no handle is held".to_owned())) };
        let inside = self.space.inside(shift);
        let error = self.live.drag(inside, &Progress::silent())?;
        hand.shift = inside;
        let frame = hand.frame;
        if let Some(out) = out {
            self.show(frame, out)?;
        }
        Ok(error)
    }

    /// Moves it, and makes the frame that is shown, as a window does; the seconds that takes.
    pub fn drag_alone(&mut self, shift: [f64; 3]) -> Result<f64, Failure> {
        let Some(hand) = &mut self.hand else { return Err(Failure::plain("no handle is held".to_owned())) };
        let begin = Instant::now();
        hand.shift = self.space.inside(shift);
        self.live.drag(hand.shift, &Progress::silent())?;
        self.live.points(hand.frame);
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Makes the next moves of a hand that has gone far as good as the first ones.
    pub fn refresh(&mut self, progress: &Progress) -> Result<(), Failure> {
        Ok(self.live.refresh(progress)?)
    }

    /// Opens the hand: the handle stays where it was moved to, or goes back.
    pub fn put_down(&mut self, keep: bool) {
        let Some(hand) = self.hand.take() else { return };
        self.live.put_down();
        self.is_settled = false;
        if keep {
            self.shot.edit.shift(hand.place, hand.shift);
        }
    }

    /// Finds the motion that depends on the handles alone.
    fn find(&mut self, progress: &Progress) -> Result<(), Failure> {
        if self.is_settled || self.hand.is_some() {
            return Ok(());
        }
        if let Some(failure) = wrong(&self.live.ask(&self.shot.edit, progress)?) {
            return Err(failure);
        }
        self.live.settle(progress)?;
        self.is_settled = true;
        Ok(())
    }

    /// Finds the motion, and tells what it came to.
    pub fn settle(&mut self, progress: &Progress) -> Result<String, Failure> {
        if self.hand.is_some() {
            return Err(Failure::plain("a handle is held; let it go first".to_owned()));
        }
        self.find(&progress.part(0.0, 0.8))?;
        let report = self.live.report(&progress.part(0.8, 1.0), &mut |_| {})?;
        let stage = self.live.stage().clone();
        let warnings: Vec<String> = report.warnings().collect();
        let Report { status, iterations, stationarity, energy, penalty, .. } = report;
        json(&Settled {
            status: status.name(),
            size: stage.size,
            frames: stage.clock.frames,
            start: stage.clock.start.0,
            fps: stage.clock.fps,
            modes: stage.modes,
            iterations,
            stationarity,
            energy,
            penalty,
            handles: HandleAnswer::all(&report, stage.size),
            warnings: stage.warnings.iter().chain(&warnings).map(String::as_str).collect(),
            found: Found { findings: report.findings, curves: report.curves },
        })
    }

    /// Fills an array with a frame of the edited motion.
    pub fn read(&mut self, frame: i32, out: &mut Array, progress: &Progress) -> Result<(), Failure> {
        let frame = self.index(frame)?;
        self.find(progress)?;
        self.show(frame, out)
    }

    /// Fills an array with a frame of the input.
    pub fn read_input(&mut self, frame: i32, out: &mut Array) -> Result<(), Failure> {
        let frame = self.index(frame)?;
        self.look(frame)?;
        if let Some((_, places)) = &self.base {
            out.write(0, places);
        }
        Ok(())
    }

    /// Has the points of a frame of the input at hand.
    fn look(&mut self, frame: usize) -> Result<(), Failure> {
        if self.base.as_ref().is_some_and(|(of, _)| *of == frame) {
            return Ok(());
        }
        let mut places = self.base.take().map_or_else(Vec::new, |(_, places)| places);
        match &mut self.own {
            Some(own) => {
                places.resize(own.vertices(), [0.0; 3]);
                own.read(frame, &mut places)?;
            }
            None => {
                let input = self.live.input(frame);
                places.clear();
                places.extend(input.drawn.iter().map(|p| self.space.outside(p.map(f64::from))));
            }
        }
        self.base = Some((frame, places));
        Ok(())
    }

    fn show(&mut self, frame: usize, out: &mut Array) -> Result<(), Failure> {
        self.look(frame)?;
        let edited = self.live.points(frame);
        let input = self.live.input(frame);
        let Some((_, base)) = &self.base else { return Ok(()) };
        let (unit, axes) = (self.space.unit, Space { unit: 1.0, ..self.space });
        let turned = |p: [f32; 3]| axes.outside(p.map(f64::from));
        out.write_with(0, base.len(), |v| {
            let (p, q) = (turned(edited.drawn[v]), turned(input.drawn[v]));
            // Less what it is short of: where that is nothing, not even the sign of a zero changes.
            [0, 1, 2].map(|c| base[v][c] - (q[c] - p[c]) / unit)
        });
        Ok(())
    }

    /// Writes the edited motion to a file.
    pub fn write(
        &self,
        output: &Path,
        options: &SolveOptions,
        progress: &Progress,
    ) -> Result<String, Failure> {
        let answer = solve_shot(self.shot.clone(), [&self.name, output], &self.cache, options, progress)?;
        json(&answer)
    }

    /// The shot as it is now.
    pub fn shot(&self) -> &Shot {
        &self.shot
    }
}

/// The first handle that is wrong.
fn wrong(problems: &[Option<String>]) -> Option<Failure> {
    let (place, problem) =
        problems.iter().enumerate().find_map(|(k, problem)| Some((k, problem.as_ref()?)))?;
    Some(Failure::of_handle(place + 1, problem))
}
