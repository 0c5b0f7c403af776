//! A built-in motion from keys, solved, and what is measured on it.
//!
//! | measured | is |
//! |---|---|
//! | keys are off by | the root of the mean square over the points of a key, the worst of all keys |
//! | velocities are off by | the same, as a part of their goal |
//! | lost velocity | the kinetic energy that the modes of a segment cannot take over from the one before |
//! | below the ground | the lowest vertex of all frames, as a part of the height |
//! | dip | how far the centre of mass goes below where it is at rest, as a part of the height |

use crate::gallery::page::{Section, short};
use crate::gallery::workshop::Workshop;
use anyhow::Context;
use std::sync::Arc;
use supple_mesh::{Aabb, Vec3};
use supple_model::{Progress, Status};
use supple_project::method::{self, Findings, Method, Quantity, Value};
use supple_project::{Body, Report, Shot};

/// A motion from keys, solved.
pub struct Motion {
    pub body: Arc<Body>,
    pub method: Box<dyn Method>,
    pub report: Report,
    /// Where the vertices of the body are, frame by frame.
    pub frames: Vec<Vec<Vec3>>,
    modes: usize,
}

/// What the paper says of a motion, Table 1.
pub struct Published {
    pub tets: &'static str,
    pub segments: &'static str,
}

/// A segment as the report has it.
struct Segment {
    begins: f64,
    frames: f64,
    flies: bool,
    status: &'static str,
    iterations: f64,
    lost_velocity: f64,
}

impl Motion {
    /// Solves a built-in shot.
    pub fn of(workshop: &Workshop, sample: &str, progress: &Progress) -> anyhow::Result<Self> {
        Self::solve(workshop, sample, &workshop.whole_shot(sample)?, progress)
    }

    /// Solves a variant of a built-in shot.
    pub fn solve(
        workshop: &Workshop,
        sample: &str,
        shot: &Shot,
        progress: &Progress,
    ) -> anyhow::Result<Self> {
        let body = Arc::new(Body::load(shot)?);
        let opening = progress.part(0.0, 0.3);
        let mut method = method::open(shot, body.clone(), &workshop.cache(sample), &opening)
            .with_context(|| sample.to_owned())?;
        let mut frames = Vec::new();
        let report = method.solve(&progress.part(0.3, 1.0), &mut |frame| {
            frames.push(frame.positions.iter().map(|place| Vec3::from(*place)).collect());
            Ok(())
        })?;
        Ok(Self { body, method, report, frames, modes: shot.edit.modes })
    }

    /// So many frames, as evenly as can be, counted from 0, from the first to the last of a stretch.
    pub fn spread(&self, from: usize, to: usize, several: usize) -> Vec<usize> {
        let last = to.min(self.frames.len().saturating_sub(1));
        let from = from.min(last);
        (0..several).map(|k| from + (k * (last - from) + (several - 1) / 2) / (several - 1).max(1)).collect()
    }

    /// How high the body is at rest.
    pub fn height(&self) -> f64 {
        Aabb::around(self.body.positions()).size().y
    }

    /// Where the centre of mass is.
    pub fn center(&self, places: &[Vec3]) -> Vec3 {
        let masses = self.body.elastic.masses();
        let sum: Vec3 = places.iter().zip(masses).map(|(place, mass)| place * *mass).sum();
        sum / masses.iter().sum::<f64>()
    }

    /// How much larger the body is at a frame, as a part of its volume at rest.
    pub fn swollen(&self, index: usize) -> f64 {
        let volume = |x: &[Vec3]| -> f64 {
            let triangles = self.body.surface.iter();
            triangles.map(|[a, b, c]| x[a.index()].dot(&x[b.index()].cross(&x[c.index()]))).sum()
        };
        volume(&self.frames[index]) / volume(self.body.positions()) - 1.0
    }

    /// What all motions are measured by, beside what the paper says.
    pub fn numbers(&self, section: &mut Section, published: &Published) {
        let (report, size) = (&self.report, self.method.about().size);
        let worst = |of_velocity: bool, of: &dyn Fn(&supple_project::HandleOutcome) -> f64| {
            let handles = report.handles.iter().filter(|handle| handle.of_velocity == of_velocity);
            handles.map(of).fold(0.0, f64::max)
        };
        section.published("elements", self.body.matter.elements() as f64, "tets", published.tets);
        section.published("segments", self.segments().len() as f64, "", published.segments);
        section.published("modes", self.modes as f64, "", if self.modes == 10 { "10" } else { "30" });
        let solved = if report.status == Status::Settled { 1.0 } else { 0.0 };
        section.number("settled (1: yes)", solved, "");
        section.published("iterations, all segments", report.iterations as f64, "", "5–30 each");
        section.number(
            "keys are off by (root mean square), at most",
            100.0 * worst(false, &|handle| handle.rms / size),
            "% of the size",
        );
        if report.handles.iter().any(|handle| handle.of_velocity) {
            let share = worst(true, &|handle| handle.rms / handle.asked.max(f64::MIN_POSITIVE));
            section.number("velocities are off by, at most", 100.0 * share, "% of their goal");
        }
        let inverted = report.number("inverted", "elements").unwrap_or(0.0);
        section.number("elements turned inside out, at most", inverted, "");
    }

    /// What is measured on motions that stand on the ground and leave it, segment by segment.
    pub fn ground_numbers(&self, section: &mut Section) {
        let lowest = self.frames.iter().flatten().map(|place| place.y).fold(f64::INFINITY, f64::min);
        let percent = |depth: f64| 100.0 * depth / self.height();
        section.number("deepest below the ground", percent((-lowest).max(0.0)), "% of the height");
        let rest = self.center(self.body.positions()).y;
        let heights: Vec<f64> = self.frames.iter().map(|places| self.center(places).y).collect();
        let mut rows = Vec::new();
        for (index, segment) in self.segments().iter().enumerate() {
            let from = (segment.begins.ceil() as usize).min(heights.len() - 1);
            let to = ((segment.begins + segment.frames).floor() as usize).min(heights.len() - 1).max(from);
            let least = heights[from..=to].iter().copied().fold(f64::INFINITY, f64::min);
            let dip = percent(rest - least);
            let name = |what: &str| format!("segment {}: {what}", index + 1);
            section.tabled(name("dip of the centre of mass"), dip, "% of the height");
            section.tabled(name("lost velocity"), 100.0 * segment.lost_velocity, "% of the energy");
            section.tabled(name("iterations"), segment.iterations, "");
            rows.push(vec![
                (index + 1).to_string(),
                if segment.flies { "flight" } else { "ground" }.to_owned(),
                short(segment.frames),
                segment.status.to_owned(),
                short(segment.iterations),
                format!("{} %", short(100.0 * segment.lost_velocity)),
                format!("{} %", short(dip)),
            ]);
        }
        let head = [
            "segment",
            "on",
            "frames",
            "status",
            "iterations",
            "lost velocity",
            "dip of the centre of mass, of the height",
        ];
        section.table(&head, rows);
    }

    fn segments(&self) -> Vec<Segment> {
        let finding = self.report.findings.iter().find(|finding| finding.key == "segments");
        let Some(Findings::Several(all)) = finding.map(|finding| &finding.found) else { return Vec::new() };
        let start = f64::from(self.method.about().clock.start.0);
        let segment = |quantities: &Vec<Quantity>| {
            let value = |name: &str| quantities.iter().find(|q| q.name == name).map(|q| &q.value);
            let number = |name: &str| match value(name) {
                Some(Value::Number(number)) => *number,
                Some(Value::Count(count)) => *count as f64,
                _ => 0.0,
            };
            Segment {
                begins: number("start") - start,
                frames: number("frames"),
                flies: value("flight") == Some(&Value::Truth(true)),
                status: if let Some(Value::Word(word)) = value("status") { word } else { "" },
                iterations: number("iterations"),
                lost_velocity: number("lost_velocity"),
            }
        };
        all.iter().map(segment).collect()
    }
}
