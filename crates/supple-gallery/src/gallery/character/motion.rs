//! A built-in motion of a character, edited, and what is measured on it.
//!
//! | measured | is |
//! |---|---|
//! | slide of a plant | twice the largest distance of its point from where it is on average |
//! | missing | how far a handle is from what it asks, at most |
//! | added acceleration | the peak of the second difference of what the edit adds to the way of a point |

use crate::gallery::page::Section;
use crate::gallery::workshop::Workshop;
use anyhow::Context;
use supple_character::{Motion as Frames, Point};
use supple_mesh::Vec3;
use supple_model::{Progress, Status};
use supple_project::method::{Method, Side};
use supple_project::shot::{Goal, Handle, Move, Site};
use supple_project::{CharacterMethod, Report, Shot};

/// A motion that is edited.
pub struct Motion {
    pub shot: Shot,
    pub method: CharacterMethod,
    pub report: Report,
}

/// What the paper says of an example, Table 1.
pub struct Published {
    pub freedoms: &'static str,
    pub keys: &'static str,
    pub frames: &'static str,
    pub constraints: &'static str,
}

impl Motion {
    /// A built-in shot as it is.
    pub fn of(workshop: &Workshop, sample: &str, progress: &Progress) -> anyhow::Result<Self> {
        Self::solve(workshop.whole_shot(sample)?, progress).with_context(|| sample.to_owned())
    }

    /// A variant of a built-in shot.
    pub fn solve(shot: Shot, progress: &Progress) -> anyhow::Result<Self> {
        let mut method = CharacterMethod::open(&shot, &progress.part(0.0, 0.2))?;
        let report = method.solve(&progress.part(0.2, 1.0), &mut |_| Ok(()))?;
        Ok(Self { shot, method, report })
    }

    fn frames_of(&self, side: Side) -> &Frames {
        match side {
            Side::Input => &self.method.character().motion,
            Side::Output => self.method.edited(),
        }
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.method.character().clock.frames
    }

    /// The frame with a number of the scene, counted from 0.
    pub fn index(&self, number: i32) -> usize {
        (number - self.method.character().clock.start.0).max(0) as usize
    }

    /// Where a site is in a frame, counted from 0.
    pub fn place(&self, side: Side, index: usize, site: &Site) -> anyhow::Result<Vec3> {
        let Site::Joint { name, offset } = site else { anyhow::bail!("the examples hold joints") };
        let character = self.method.character();
        let joint = character.joint(name).with_context(|| format!("there is no joint {name}"))?;
        let skeleton = &character.figure.skeleton;
        let world = self.frames_of(side).world(skeleton, index);
        Ok(Point::Joint { joint, offset: Vec3::from(*offset) }.at(skeleton, &world))
    }

    /// The way of a site through frames, counted from 0, from one to another.
    pub fn way(&self, side: Side, site: &Site, (from, to): (usize, usize)) -> anyhow::Result<Vec<Vec3>> {
        (from..=to).map(|index| self.place(side, index, site)).collect()
    }

    /// The same through all of them.
    pub fn whole_way(&self, side: Side, site: &Site) -> anyhow::Result<Vec<Vec3>> {
        self.way(side, site, (0, self.frames() - 1))
    }

    /// So many frames, as evenly as can be, counted from 0, from the first to the last of a stretch.
    pub fn spread(&self, from: usize, to: usize, several: usize) -> Vec<usize> {
        let last = to.min(self.frames() - 1);
        let from = from.min(last);
        (0..several).map(|k| from + (k * (last - from) + (several - 1) / 2) / (several - 1).max(1)).collect()
    }

    /// The first and the last frame of a handle, counted from 0.
    pub fn stretch(&self, handle: &Handle) -> (usize, usize) {
        let range = handle.when.range();
        (self.index(*range.start()), self.index(*range.end()))
    }

    /// How far the worst of some plants slides.
    pub fn slide(&self, side: Side, plants: &[Handle]) -> anyhow::Result<f64> {
        let mut worst = 0.0_f64;
        for plant in plants.iter().filter(|handle| matches!(handle.goal, Goal::Stay { .. })) {
            let way = self.way(side, &plant.site, self.stretch(plant))?;
            let mean = way.iter().sum::<Vec3>() / way.len() as f64;
            worst = way.iter().map(|place| 2.0 * (place - mean).norm()).fold(worst, f64::max);
        }
        Ok(worst)
    }

    /// The peak of the acceleration that the edit adds to a site, m/s².
    pub fn added_acceleration(&self, site: &Site) -> anyhow::Result<f64> {
        let fps = self.method.character().clock.fps;
        let (before, after) = (self.whole_way(Side::Input, site)?, self.whole_way(Side::Output, site)?);
        let added: Vec<Vec3> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
        let bends = added.windows(3).map(|p| (p[0] - 2.0 * p[1] + p[2]).norm() * fps * fps);
        Ok(bends.fold(0.0, f64::max))
    }

    /// What all of them are measured by, beside what the paper says.
    pub fn numbers(&self, section: &mut Section, published: &Published) -> anyhow::Result<()> {
        let character = self.method.character();
        let skeleton = &character.figure.skeleton;
        let keys = self.shot.edit.character_settings()?.keys.unwrap_or_default();
        section.published("freedoms", skeleton.freedoms() as f64, "", published.freedoms);
        section.published("keys", keys as f64, "", published.keys);
        section.published("frames", self.frames() as f64, "", published.frames);
        let rows = self.method.solution().map_or(0, |found| found.rows);
        section.published("constraints in all frames", rows as f64, "", published.constraints);
        let settled = if self.report.status == Status::Settled { 1.0 } else { 0.0 };
        section.number("settled (1: yes)", settled, "");
        let missing = self.report.handles.iter().map(|handle| handle.error).fold(0.0, f64::max);
        section.number("missing of a goal, at most", 1e3 * missing, "mm");
        let slide = self.slide(Side::Output, &self.shot.edit.handles)?;
        section.number("plants slide, at most", 1e3 * slide, "mm");
        let number = |finding: &str, name: &str| self.report.number(finding, name).unwrap_or(0.0);
        section.number("a joint moves, at most", 100.0 * number("largest_move", "length"), "cm");
        section.number("a joint turns, at most", number("largest_turn", "degrees"), "°");
        if !character.figure.limits.is_empty() {
            section.number("joint limits are passed by, at most", number("limits", "passed"), "°");
        }
        Ok(())
    }
}

/// A joint, as a site.
pub fn joint(name: &str) -> Site {
    Site::joint(name)
}

/// How far a handle pulls what it holds.
pub fn pull(handle: &Handle) -> Option<Vec3> {
    match handle.goal {
        Goal::By(by) | Goal::Stay { at: Some(Move::By(by)) } => {
            Some(Vec3::from(by)).filter(|by| by.norm() > 0.0)
        }
        _ => None,
    }
}

/// The handles of a shot that pull, and those that only hold.
pub fn apart(shot: &Shot) -> (Vec<Handle>, Vec<Handle>) {
    shot.edit.handles.iter().cloned().partition(|handle| pull(handle).is_some())
}
