//! A captured walk of `--data`, and the same walk over and over.

use super::asked::Asked;
use super::{Row, drag_row};
use crate::bench::{BenchOptions, median};
use anyhow::ensure;
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use std::path::Path;
use std::time::Instant;
use supple_character::plants::{self, Plant, PlantSettings};
use supple_character::{
    Constraint, CurveKind, Edit, Figure, Goal, Keys, Layer, Metric, Motion, Point, Solution, Targets, World,
    release,
};
use supple_formats::{Channel, RigClip};
use supple_model::Progress;
use supple_project::Shot;
use supple_project::character::Character;
use supple_project::shot::{Body, Input};

const FILE: &str = "cmu-02_01-walk.bvh";
/// How many frames the walk has when it is repeated.
const LONG: usize = 4_500;
/// Runs of what is not a step.
const REPEATS: usize = 3;

/// A motion, and what is known of it.
struct Capture {
    figure: Figure,
    motion: Motion,
    /// The first frame that may change.
    first: usize,
    frame_seconds: f64,
    plants: Vec<Plant>,
}

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let Some(folder) = &options.data else { return Ok(Vec::new()) };
    if options.name.is_none() && !folder.join(FILE).exists() {
        return Ok(Vec::new());
    }
    let mut rows = Vec::new();
    let character = load(folder)?;
    if options.wants("cmu-walk") {
        progress.report("cmu-walk", 0.8)?;
        let walk = Capture::new(&character, &character.clip);
        let asked = walk.held(&character)?;
        let row = drag_row("cmu-walk", &asked, &walk.motion)?;
        let (release, found) = walk.release(&asked)?;
        ensure!(found.rows >= 5_000, "cmu-walk: only {} rows", found.rows);
        rows.extend([Row { rows: Some(found.rows), ..row }, release, walk.clean("cmu-walk")?]);
    }
    if options.wants("cmu-4500") {
        progress.report("cmu-4500", 0.9)?;
        let walk = Capture::new(&character, &repeated(&character));
        let asked = walk.window(&character)?;
        rows.extend([drag_row("cmu-4500", &asked, &walk.motion)?, walk.clean("cmu-4500")?]);
    }
    Ok(rows)
}

fn load(folder: &Path) -> anyhow::Result<Character> {
    let mut shot = Shot::new(folder, Body::character(FILE))?;
    shot.motion.input = Input::File(FILE.into());
    Ok(Character::load(&shot, &Progress::silent())?)
}

/// The walk again and again, each time from where it got to.
fn repeated(character: &Character) -> RigClip {
    let (clip, width) = (&character.clip, character.rig.file.channel_count());
    let row = |frame: usize| &clip.values[frame * width..(frame + 1) * width];
    let once = clip.frames - character.first;
    let moves: Vec<usize> = character.rig.file.joints[0]
        .channels
        .iter()
        .enumerate()
        .filter(|(_, channel)| matches!(channel, Channel::Move(0 | 2)))
        .map(|(k, _)| k)
        .collect();
    let mut values = Vec::with_capacity(LONG * width);
    for frame in 0..LONG {
        let (round, own) = ((frame / once) as f64, character.first + frame % once);
        let mut next = row(own).to_vec();
        for k in &moves {
            next[*k] += round * (row(clip.frames - 1)[*k] - row(character.first)[*k]);
        }
        values.extend(next);
    }
    RigClip { frames: LONG, values, ..clip.clone() }
}

impl Capture {
    fn new(character: &Character, clip: &RigClip) -> Self {
        let motion = character.rig.motion(clip);
        let figure = Figure::new(character.rig.skeleton.clone(), Vec::new(), 1, &motion);
        let frame_seconds = 1.0 / clip.fps();
        let plants = plants::find(&figure, &motion, frame_seconds, &PlantSettings::default());
        let first = if clip.frames == character.clip.frames { character.first } else { 0 };
        Self { figure, motion, first, frame_seconds, plants }
    }

    fn is_toe(&self, plant: &Plant) -> bool {
        plant.offset == Vector3::zeros()
    }

    /// Toes stay where they stand; while the heel of the same foot stands, too, the foot keeps one orientation.
    fn standing(&self) -> Vec<Constraint> {
        let mut constraints = Vec::new();
        for toe in self.plants.iter().filter(|plant| self.is_toe(plant)) {
            constraints.push(Constraint::new(toe.frames, toe.point(), Goal::Stay));
            let foot = self.figure.skeleton.joints()[toe.joint].parent;
            for heel in self.plants.iter().filter(|plant| !self.is_toe(plant) && Some(plant.joint) == foot) {
                let frames = (toe.frames.0.max(heel.frames.0), toe.frames.1.min(heel.frames.1));
                if frames.0 < frames.1 {
                    let world = self.motion.world(&self.figure.skeleton, (frames.0 + frames.1) / 2);
                    let turned = Rotation3::from_matrix_unchecked(world.rotations[heel.joint]);
                    let turned = UnitQuaternion::from_rotation_matrix(&turned);
                    let goal = Goal::Orientation(Targets::One(turned));
                    constraints.push(Constraint::new(frames, Point::joint(heel.joint), goal));
                }
            }
        }
        constraints
    }

    fn edit(&self, constraints: Vec<Constraint>, window: (usize, usize), clamped: [bool; 2]) -> Edit {
        Edit {
            figure: self.figure.clone(),
            constraints,
            layers: vec![Layer {
                curve: CurveKind::BSpline,
                keys: Keys::Seconds(0.2),
                window,
                clamped,
                smoothing: 0.0,
            }],
            is_loop: false,
            frame_seconds: self.frame_seconds,
            metric: Metric::Blocks,
        }
    }

    fn whole(&self) -> (usize, usize) {
        (self.first, self.motion.frames() - 1)
    }

    /// A hand in the middle of a window is pulled up from where a motion has it.
    fn pulled(
        &self,
        character: &Character,
        motion: &Motion,
        window: (usize, usize),
    ) -> anyhow::Result<Constraint> {
        let hand = joint(character, "LeftHand")?;
        let frame = (window.0 + window.1) / 2;
        let place = motion.world(&self.figure.skeleton, frame).positions[hand];
        Ok(Constraint::new((frame, frame), Point::joint(hand), Goal::At(Targets::One(place))))
    }

    /// A hand is pulled while feet stand, the other hand and the head keep their way, and hips and head their turn: the way
    /// and the turn that they have once feet stand, which is what a figure can do. (In the capture feet slide under hips that
    /// legs and back, nearly straight, leave no other place.)
    fn held(&self, character: &Character) -> anyhow::Result<Asked> {
        let window = self.whole();
        let stands = self.edit(self.standing(), window, [false; 2]);
        let stands = release(&stands, &self.motion, &Progress::silent())?.motion;
        let worlds: Vec<_> =
            (window.0..=window.1).map(|frame| stands.world(&self.figure.skeleton, frame)).collect();
        let mut constraints = vec![self.pulled(character, &stands, window)?];
        for name in ["RightHand", "Head"] {
            let joint = joint(character, name)?;
            let path = worlds.iter().map(|world| Some(world.positions[joint])).collect();
            constraints.push(Constraint::new(window, Point::joint(joint), Goal::At(Targets::Each(path))));
        }
        for name in ["Hips", "Head"] {
            let joint = joint(character, name)?;
            let turn = |world: &World| {
                let turned = world.rotations[joint];
                Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turned)))
            };
            let goal = Goal::Orientation(Targets::Each(worlds.iter().map(turn).collect()));
            constraints.push(Constraint::new(window, Point::joint(joint), goal));
        }
        constraints.extend(self.standing());
        let edit = self.edit(constraints, window, [false; 2]);
        Ok(Asked { edit, dragged: 0, by: Vector3::new(0.05, 0.15, 0.0) })
    }

    /// Two seconds in the middle of it.
    fn window(&self, character: &Character) -> anyhow::Result<Asked> {
        let half = (1.0 / self.frame_seconds).round() as usize;
        let middle = self.motion.frames() / 2;
        let window = (middle - half, middle + half);
        let mut constraints = vec![self.pulled(character, &self.motion, window)?];
        constraints.extend(self.standing());
        let edit = self.edit(constraints, window, [true; 2]);
        Ok(Asked { edit, dragged: 0, by: Vector3::new(0.05, 0.15, 0.0) })
    }

    /// The motion that answers, from nothing.
    fn release(&self, asked: &Asked) -> anyhow::Result<(Row, Solution)> {
        let mut edit = asked.edit.clone();
        edit.constraints[asked.dragged].goal =
            supple_character::moved(&edit.constraints[asked.dragged].goal, &asked.by);
        let (seconds, found) = timed(&edit, &self.motion)?;
        Ok((self.row("cmu-walk", "release", seconds, &found), found))
    }

    /// Feet that stand no longer slide.
    fn clean(&self, name: &str) -> anyhow::Result<Row> {
        let edit = self.edit(self.standing(), self.whole(), [false; 2]);
        let (seconds, found) = timed(&edit, &self.motion)?;
        let slide = |motion: &Motion| {
            let toes = self.plants.iter().filter(|plant| self.is_toe(plant));
            toes.map(|plant| plant.slide(&self.figure, motion)).fold(0.0, f64::max)
        };
        Ok(Row {
            slide_before: Some(slide(&self.motion)),
            slide_after: Some(slide(&found.motion)),
            largest_move: Some(self.moved(&found.motion)),
            acceleration_ratio: Some(self.acceleration(&found.motion) / self.acceleration(&self.motion)),
            ..self.row(name, "clean", seconds, &found)
        })
    }

    fn row(&self, name: &str, work: &str, seconds: f64, found: &Solution) -> Row {
        Row {
            frames: Some(self.motion.frames()),
            dofs: Some(self.figure.skeleton.freedoms()),
            rows: Some(found.rows),
            residual: Some(found.misses.iter().copied().fold(0.0, f64::max) / self.figure.size),
            ..Row::new(name, work, seconds)
        }
    }

    /// How far any joint is from where it was, at most.
    fn moved(&self, after: &Motion) -> f64 {
        let far = |frame: usize| {
            let [a, b] = [&self.motion, after].map(|m| m.world(&self.figure.skeleton, frame).positions);
            a.iter().zip(&b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
        };
        (0..after.frames()).map(far).fold(0.0, f64::max)
    }

    /// The largest acceleration of any joint, per frame squared.
    fn acceleration(&self, motion: &Motion) -> f64 {
        let (first, last) = self.whole();
        let worlds: Vec<_> =
            (first..=last).map(|f| motion.world(&self.figure.skeleton, f).positions).collect();
        let at = |w: &[Vec<Vector3<f64>>], j: usize| (w[0][j] - 2.0 * w[1][j] + w[2][j]).norm();
        let largest = |w: &[Vec<Vector3<f64>>]| (0..w[0].len()).map(|j| at(w, j)).fold(0.0, f64::max);
        worlds.windows(3).map(largest).fold(0.0, f64::max)
    }
}

fn joint(character: &Character, name: &str) -> anyhow::Result<usize> {
    character.joint(name).ok_or_else(|| anyhow::anyhow!("{FILE} has no joint {name}"))
}

/// The median of some runs, and what the last one found.
fn timed(edit: &Edit, motion: &Motion) -> anyhow::Result<(f64, Solution)> {
    let silent = Progress::silent();
    let mut found = release(edit, motion, &silent)?;
    let mut seconds = Vec::new();
    for _ in 0..REPEATS {
        let begin = Instant::now();
        found = release(edit, motion, &silent)?;
        seconds.push(begin.elapsed().as_secs_f64());
    }
    Ok((median(seconds), found))
}
