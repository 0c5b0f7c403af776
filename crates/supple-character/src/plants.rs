//! Where feet stand: points of the feet that are low and slow for a while.
//!
//! A foot is the end of a chain that is near the lowest point of the figure for much of the motion; it has a toe, the last
//! joint before the end, and a heel, the point of the joint before that at the height of the ground. Where that last joint
//! never comes down it is an ankle: then the end is the toe, and the heel is below the ankle. Such a point stands
//! where it is slower than `speed` and less than `height` above the lowest place it has within `near` seconds: a floor
//! that is captured need not be level. Gaps shorter than `gap` are closed, what is shorter than `shortest` is left out.

use crate::constraint::Point;
use crate::figure::{Figure, begins_with_a_rest_pose};
use crate::motion::Motion;
use nalgebra::Vector3;

/// What counts as standing. Lengths are of a person 1.7 m tall and grow with the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantSettings {
    /// Slower than this, m/s.
    pub speed: f64,
    /// Lower than this above the lowest place nearby, m.
    pub height: f64,
    /// How far in time nearby is, s.
    pub near: f64,
    /// At least this long, s.
    pub shortest: f64,
    /// Gaps below this are closed, s.
    pub gap: f64,
}

impl Default for PlantSettings {
    fn default() -> Self {
        Self { speed: 0.2, height: 0.03, near: 0.75, shortest: 0.1, gap: 0.1 }
    }
}

/// A joint that never is lower than this part of the size is no toe: 5 cm of a grown person.
const ANKLE: f64 = 0.03;

/// A point that stands over a range of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plant {
    /// Whose point it is.
    pub joint: usize,
    /// From the joint, in its own axes.
    pub offset: Vector3<f64>,
    /// The first and the last frame.
    pub frames: (usize, usize),
}

impl Plant {
    /// The point.
    #[must_use]
    pub fn point(&self) -> Point {
        Point::Joint { joint: self.joint, offset: self.offset }
    }

    /// How far the point is from where it is on average, at most, twice: how far it slides.
    #[must_use]
    pub fn slide(&self, figure: &Figure, motion: &Motion) -> f64 {
        let path = path(figure, motion, &self.point(), self.frames);
        let mean: Vector3<f64> = path.iter().sum::<Vector3<f64>>() / path.len() as f64;
        2.0 * path.iter().map(|p| (p - mean).norm()).fold(0.0, f64::max)
    }
}

/// Where a point is in a range of frames.
fn path(figure: &Figure, motion: &Motion, point: &Point, (first, last): (usize, usize)) -> Vec<Vector3<f64>> {
    (first..=last).map(|frame| point.at(&figure.skeleton, &motion.world(&figure.skeleton, frame))).collect()
}

/// Where feet stand in a motion, in the order of time.
#[must_use]
pub fn find(figure: &Figure, motion: &Motion, frame_seconds: f64, settings: &PlantSettings) -> Vec<Plant> {
    let first = usize::from(begins_with_a_rest_pose(&figure.skeleton, motion));
    let mut plants = Vec::new();
    if motion.frames() < first + 3 {
        return plants;
    }
    for (joint, offset) in feet(figure, motion, first) {
        let point = Point::Joint { joint, offset };
        let path = path(figure, motion, &point, (first, motion.frames() - 1));
        for (from, to) in standing(figure, &path, frame_seconds, settings) {
            plants.push(Plant { joint, offset, frames: (first + from, first + to) });
        }
    }
    plants.sort_by_key(|plant| (plant.frames, plant.joint));
    plants
}

/// Ranges of frames in which a path stands.
fn standing(
    figure: &Figure,
    path: &[Vector3<f64>],
    seconds: f64,
    settings: &PlantSettings,
) -> Vec<(usize, usize)> {
    let grown = figure.size / 1.7;
    let frames = |time: f64| (time / seconds).round() as usize;
    let near = frames(settings.near).max(1);
    let height = |k: usize| path[k][figure.up];
    let is_still = |k: usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(path.len() - 1));
        let speed = (path[b] - path[a]).norm() / ((b - a) as f64 * seconds);
        let around = k.saturating_sub(near)..(k + near + 1).min(path.len());
        let lowest = around.map(height).fold(f64::INFINITY, f64::min);
        speed < settings.speed * grown && height(k) < lowest + settings.height * grown
    };
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for k in (0..path.len()).filter(|k| is_still(*k)) {
        match ranges.last_mut() {
            Some((_, last)) if k - *last <= frames(settings.gap).max(1) => *last = k,
            _ => ranges.push((k, k)),
        }
    }
    ranges.retain(|(a, b)| (b - a) as f64 * seconds >= settings.shortest && b > a);
    ranges
}

/// Points of the feet: toes and heels.
fn feet(figure: &Figure, motion: &Motion, first: usize) -> Vec<(usize, Vector3<f64>)> {
    let joints = figure.skeleton.joints();
    let up = figure.up;
    let step = ((motion.frames() - first) / 60).max(1);
    let worlds: Vec<_> =
        (first..motion.frames()).step_by(step).map(|f| motion.world(&figure.skeleton, f)).collect();
    let lowest = |world: &crate::World| world.positions.iter().map(|p| p[up]).fold(f64::INFINITY, f64::min);
    let is_leaf = |j: usize| joints.iter().all(|joint| joint.parent != Some(j));
    let is_low = |j: usize| {
        let low =
            worlds.iter().filter(|world| world.positions[j][up] < lowest(world) + 0.06 * figure.size).count();
        3 * low > worlds.len()
    };
    let comes_down = |j: usize| {
        let height = |world: &crate::World| world.positions[j][up] - lowest(world);
        worlds.iter().map(height).fold(f64::INFINITY, f64::min) < ANKLE * figure.size
    };
    let mut points: Vec<(usize, Vector3<f64>)> = Vec::new();
    for leaf in (0..joints.len()).filter(|j| is_leaf(*j) && is_low(*j)) {
        // An end that does not turn, and is there for the length of its bone only, is no joint of its own.
        let is_end = joints[leaf].turns.freedoms() == 0;
        let toe = joints[leaf].parent.filter(|joint| is_end && comes_down(*joint)).unwrap_or(leaf);
        if points.iter().any(|(joint, _)| *joint == toe) {
            continue;
        }
        points.push((toe, Vector3::zeros()));
        let Some(foot) = joints[toe].parent.filter(|foot| joints[*foot].parent.is_some()) else { continue };
        // The heel is below the foot's joint, at the height of the toe, where the foot is lowest.
        let flat = worlds.iter().min_by(|a, b| {
            let height = |world: &crate::World| world.positions[foot][up] - lowest(world);
            height(a).total_cmp(&height(b))
        });
        let Some(world) = flat else { continue };
        let drop = world.positions[foot][up] - world.positions[toe][up].min(world.positions[leaf][up]);
        if drop > 0.0 && drop < 0.15 * figure.size && !points.iter().any(|(joint, _)| *joint == foot) {
            points.push((foot, world.rotations[foot].transpose() * Vector3::ith(up, -drop)));
        }
    }
    points
}
