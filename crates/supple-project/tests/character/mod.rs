//! Characters by whole shots: what is asked in a file is in the motion that comes out.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

mod goals;
mod hinges;
mod limits;
mod props;
mod reach;
mod samples;
mod tracked;
mod zones;

use nalgebra::Vector3;
use supple_character::{Motion, World};
use supple_model::Progress;
use supple_project::character::Character;
use supple_project::method::character::CharacterMethod;
use supple_project::method::{Method, Report};
use supple_project::shot::{Goal, Handle, Input, Shot, Site, When};
use supple_project::{HandleOutcome, Sample};
use tempfile::TempDir;

type Vec3 = Vector3<f64>;

/// A shot in a folder of its own.
pub struct Scene {
    pub folder: TempDir,
    pub shot: Shot,
}

impl Scene {
    /// A built-in shot, with what it asks.
    pub fn sample(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = Sample::named(name).unwrap().write(folder.path()).unwrap();
        Self { shot: Shot::load(&path).unwrap(), folder }
    }

    /// The walk in space, of which nothing is asked yet, and whose ends are free.
    pub fn walk() -> Self {
        Self::sample("walk-3d").with(|shot| {
            shot.edit.handles.clear();
            shot.edit.character = None;
            shot.edit.ends = supple_project::shot::Ends::default();
        })
    }

    /// The same with something changed.
    pub fn with(mut self, change: impl FnOnce(&mut Shot)) -> Self {
        change(&mut self.shot);
        self
    }

    /// The same with another handle.
    pub fn asking(mut self, handle: Handle) -> Self {
        self.shot.edit.handles.push(handle);
        self
    }

    /// The same with a file beside it.
    pub fn file(self, name: &str, text: &str) -> Self {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    /// At rest instead of as it was, for so many frames.
    pub fn at_rest(self, frames: usize) -> Self {
        self.with(|shot| {
            shot.motion.input = Input::Rest;
            shot.motion.frames = Some(frames);
            shot.motion.fps = Some(30.0);
        })
    }

    pub fn character(&self) -> Character {
        Character::load(&self.shot, &Progress::silent()).unwrap()
    }

    pub fn solved(&self) -> Solved {
        let mut method = CharacterMethod::open(&self.shot, &Progress::silent()).unwrap();
        let report = method.solve(&Progress::silent(), &mut |_| Ok(())).unwrap();
        Solved { character: self.character(), motion: method.edited().clone(), report }
    }
}

/// A shot that was solved. Frames are the scene's numbers.
pub struct Solved {
    pub character: Character,
    pub motion: Motion,
    pub report: Report,
}

impl Solved {
    fn index(&self, frame: i32) -> usize {
        (frame - self.character.clock.start.0) as usize
    }

    pub fn world(&self, frame: i32) -> World {
        self.motion.world(&self.character.figure.skeleton, self.index(frame))
    }

    /// Where a joint is.
    pub fn at(&self, joint: &str, frame: i32) -> Vec3 {
        self.world(frame).positions[self.character.joint(joint).unwrap()]
    }

    /// Where the input has it.
    pub fn input(&self, joint: &str, frame: i32) -> Vec3 {
        self.character.input(self.index(frame)).positions[self.character.joint(joint).unwrap()]
    }

    /// What became of a handle, by its place in the shot.
    pub fn handle(&self, place: usize) -> &HandleOutcome {
        self.report.handles.iter().find(|handle| handle.key.0 as usize == place + 1).unwrap()
    }

    /// What is small, for a figure of this size.
    pub fn small(&self) -> f64 {
        1e-6 * self.character.figure.size
    }

    /// The largest turn of any joint from how the input has it, in degrees.
    pub fn largest_turn(&self) -> f64 {
        let motion = &self.character.motion;
        let turn = |f: usize, j: usize| motion.rotation(f, j).angle_to(&self.motion.rotation(f, j));
        let all = (0..motion.frames()).flat_map(|f| (0..motion.joints()).map(move |j| turn(f, j)));
        all.fold(0.0, f64::max).to_degrees()
    }

    /// The largest acceleration of any joint of a motion, per frame squared.
    pub fn acceleration(&self, motion: &Motion) -> f64 {
        let worlds = self.character.placed(motion);
        let of = |w: &[World]| {
            let at = |j: usize| w[0].positions[j] - w[1].positions[j] * 2.0 + w[2].positions[j];
            (0..w[0].positions.len()).map(|j| at(j).norm()).fold(0.0, f64::max)
        };
        worlds.windows(3).map(of).fold(0.0, f64::max)
    }
}

/// A handle on a joint at a frame.
pub fn at(frame: i32, joint: &str, goal: Goal) -> Handle {
    Handle::new(When::Frame(frame), Site::joint(joint), goal)
}

/// A handle on a joint over a range of frames.
pub fn over(first: i32, last: i32, joint: &str, goal: Goal) -> Handle {
    Handle::new(When::Frames(first..=last), Site::joint(joint), goal)
}
