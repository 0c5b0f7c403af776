//! What the edit of a character came to.

use super::ask::Asked;
use crate::character::Character;
use crate::method::drag::{HandleKey, Reason};
use crate::method::report::{Finding, Findings, HandleOutcome, Quantity, Report};
use supple_character::{Constraint, Goal, Point, Solution, World};
use supple_model::Status;

/// A hard handle that misses less than this part of the size is met.
const MET: f64 = 1e-6;

/// The report of a solution.
pub(super) fn of(character: &Character, asked: &Asked, found: &Solution) -> Report {
    let size = character.figure.size;
    let hard =
        asked.edit.constraints.iter().zip(&found.misses).filter(|(constraint, _)| constraint.hold.is_none());
    let worst = hard.map(|(_, miss)| *miss).fold(found.seam, f64::max);
    let passed = found.passed.iter().copied().fold(0.0, f64::max);
    let status = if found.is_stopped {
        Status::Stopped
    } else if worst <= MET * size && passed.to_degrees() <= 0.1 {
        // All that is asked holds; whether few keys could do it alone does not matter.
        Status::Settled
    } else if found.is_settled {
        Status::Compromise
    } else {
        Status::Unfinished
    };
    let looked = Looked { character, asked, after: character.placed(&found.motion) };
    let number = asked.places.iter().zip(&asked.edit.constraints).zip(&found.misses);
    Report {
        iterations: found.steps,
        held: "the other handles",
        handles: number
            .map(|((place, constraint), miss)| looked.outcome(*place, constraint, *miss))
            .collect(),
        findings: findings(&looked, found, passed),
        ..Report::of_status(status)
    }
}

/// An edit that is looked at: every frame of it is placed once.
struct Looked<'a> {
    character: &'a Character,
    asked: &'a Asked,
    /// Where the joints are, frame by frame.
    after: Vec<World>,
}

impl Looked<'_> {
    fn outcome(&self, place: usize, constraint: &Constraint, miss: f64) -> HandleOutcome {
        let (frame, pull) = self.farthest(constraint);
        let clock = &self.character.clock;
        let is_velocity = matches!(constraint.goal, Goal::Velocity(_));
        let scale = if is_velocity { 0.5 * clock.fps } else { 1.0 };
        let is_missed = constraint.hold.is_none() && miss > MET * self.character.figure.size;
        let number = clock.number(frame);
        HandleOutcome {
            key: HandleKey(place as u32 + 1),
            frame: number,
            time: f64::from(number),
            segment: None,
            rms: miss * scale,
            error: miss * scale,
            of_velocity: is_velocity,
            asked: pull,
            soft: constraint.hold.is_some(),
            redundant: false,
            reason: is_missed.then(|| self.reason(constraint, frame)),
            over_distance: None,
            plant: None,
        }
    }

    /// The frame in which a place is missed by most, and how far it was asked to go.
    fn farthest(&self, constraint: &Constraint) -> (usize, f64) {
        let skeleton = &self.character.figure.skeleton;
        let (mut frame, mut error, mut pull) = (constraint.frames.0, -1.0, 0.0_f64);
        let Goal::At(targets) = &constraint.goal else { return (frame, pull) };
        for f in constraint.frames.0..=constraint.frames.1 {
            let Some(target) = targets.get(f - constraint.frames.0) else { continue };
            let off = |world: &World| {
                let from =
                    constraint.seen_from.map_or_else(Default::default, |from| from.at(skeleton, world));
                let gap = target - (constraint.point.at(skeleton, world) - from);
                let axes = (0..3).filter(|axis| constraint.axes[*axis]);
                axes.map(|axis| gap[axis] * gap[axis]).sum::<f64>().sqrt()
            };
            pull = pull.max(off(self.character.input(f)));
            let here = off(&self.after[f]);
            if here > error {
                (frame, error) = (f, here);
            }
        }
        (frame, pull)
    }

    /// A handle that another point holds back, bone by bone, is out of reach; otherwise others ask for something else.
    fn reason(&self, constraint: &Constraint, frame: usize) -> Reason {
        let (Point::Joint { joint, .. }, Goal::At(targets)) = (constraint.point, &constraint.goal) else {
            return Reason::Contradicts;
        };
        let Some(target) = targets.get(frame - constraint.frames.0) else { return Reason::Contradicts };
        let skeleton = &self.character.figure.skeleton;
        let length = |j: usize| skeleton.joints()[j].offset.norm();
        let reaches = |other: &Constraint| {
            let (Point::Joint { joint: held, .. }, Goal::At(places)) = (other.point, &other.goal) else {
                return true;
            };
            let there = (other.frames.0..=other.frames.1).contains(&frame)
                && other.seen_from.is_none()
                && held != joint;
            let Some(place) = places.get(frame.wrapping_sub(other.frames.0)).filter(|_| there) else {
                return true;
            };
            let (up, down): (Vec<usize>, Vec<usize>) =
                (skeleton.chain(joint).collect(), skeleton.chain(held).collect());
            let between =
                up.iter().filter(|j| !down.contains(j)).chain(down.iter().filter(|j| !up.contains(j)));
            (target - place).norm() <= between.map(|j| length(*j)).sum::<f64>()
        };
        match self.asked.edit.constraints.iter().all(reaches) {
            true => Reason::Contradicts,
            false => Reason::OutOfReach,
        }
    }
}

fn findings(looked: &Looked<'_>, found: &Solution, passed: f64) -> Vec<Finding> {
    let character = looked.character;
    let skeleton = &character.figure.skeleton;
    let (mut farthest, mut turned) = ((0.0, 0, 0), (0.0, 0, 0));
    for (frame, b) in looked.after.iter().enumerate() {
        let a = character.input(frame);
        for j in 0..skeleton.joints().len() {
            let far = (a.positions[j] - b.positions[j]).norm();
            if far > farthest.0 {
                farthest = (far, frame, j);
            }
            let turn =
                character.motion.rotation(frame, j).angle_to(&found.motion.rotation(frame, j)).to_degrees();
            if turn > turned.0 {
                turned = (turn, frame, j);
            }
        }
    }
    let name = |j: usize| skeleton.joints()[j].name.clone();
    let at = |frame: usize| character.clock.number(frame);
    let finding = |key, title, text: String, found| Finding {
        key,
        title,
        text: Some(text),
        is_detail: false,
        found: Findings::One(found),
    };
    let mut all = vec![
        finding(
            "largest_move",
            "Largest move",
            format!("{:.4} m, {} at frame {}", farthest.0, name(farthest.2), at(farthest.1)),
            vec![Quantity::number("length", "m", farthest.0), Quantity::frame("frame", at(farthest.1))],
        ),
        finding(
            "largest_turn",
            "Largest turn",
            format!("{:.2}°, {} at frame {}", turned.0, name(turned.2), at(turned.1)),
            vec![Quantity::number("degrees", "°", turned.0), Quantity::frame("frame", at(turned.1))],
        ),
    ];
    if !found.passed.is_empty() {
        let degrees = passed.to_degrees();
        let text = if degrees > 0.1 { format!("passed by {degrees:.2}°") } else { "kept".to_owned() };
        all.push(finding("limits", "Limits", text, vec![Quantity::number("passed", "°", degrees)]));
    }
    if found.seam > 0.0 {
        let text = format!("closes to {:.1e} m", found.seam);
        all.push(finding("loop", "Loop", text, vec![Quantity::number("gap", "m", found.seam)]));
    }
    all
}
