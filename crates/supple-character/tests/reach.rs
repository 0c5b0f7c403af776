//! A metre out of reach, whichever way: the feet stay, and nothing turns over.

use crate::walker::{self, at, hold, largest_turn};
use nalgebra::Vector3;
use supple_character::{Constraint, Goal, Skeleton, Targets, release};
use supple_model::Progress;

const FRAMES: usize = 70;
/// Both feet stand.
const PULLED: usize = 40;

/// Along the axes, and between all three.
fn directions() -> Vec<Vector3<f64>> {
    let all = (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z])));
    let kept = all.filter(|v| matches!(v.iter().map(|x| x * x).sum::<i32>(), 1 | 3));
    kept.map(|v| Vector3::from(v.map(f64::from)).normalize()).collect()
}

/// How far one joint can be from another, bones laid end to end.
fn reach(skeleton: &Skeleton, a: usize, b: usize) -> f64 {
    let (up, down): (Vec<usize>, Vec<usize>) = (skeleton.chain(a).collect(), skeleton.chain(b).collect());
    let between = up.iter().filter(|j| !down.contains(j)).chain(down.iter().filter(|j| !up.contains(j)));
    between.map(|j| skeleton.joints()[*j].offset.norm()).sum()
}

/// Pulls a joint away from a foot that stands, a metre farther than bones are long, all ways; `stand` are the sides that do.
fn sweep(pulled: usize, stand: &[usize]) {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    let names = walker::names(&edit.figure.skeleton);
    let skeleton = edit.figure.skeleton.clone();
    let mut plants: Vec<Constraint> = Vec::new();
    for side in stand {
        for joint in [names.toes[*side], names.feet[*side]] {
            let of = |frames: (usize, usize)| {
                hold(frames, joint, Goal::At(Targets::One(at(&skeleton, &motion, frames.0, joint))))
            };
            plants.extend(walker::stances(FRAMES, *side).into_iter().map(of));
        }
    }
    let toe = names.toes[stand[0]];
    let from = at(&skeleton, &motion, PULLED, toe);
    let far = reach(&skeleton, toe, pulled) + 1.0;
    let mut wrong = Vec::new();
    for direction in directions() {
        edit.constraints = plants.clone();
        edit.constraints.push(hold((PULLED, PULLED), pulled, Goal::At(Targets::One(from + direction * far))));
        let solution = release(&edit, &motion, &Progress::silent()).expect("nobody cancels");
        let (turn, joint, frame) = largest_turn(&motion, &solution.motion);
        let worst = solution.misses[..plants.len()].iter().copied().fold(0.0, f64::max);
        let line = format!(
            "{:?}: plants {:.4} m, pulled {:.3} m short, {turn:.0}° of {} at {frame}, {} steps, settled {}",
            direction.as_slice(),
            worst,
            solution.misses[plants.len()],
            skeleton.joints()[joint].name,
            solution.steps,
            solution.is_settled
        );
        println!("{line}");
        let is_right =
            worst <= 0.01 && turn <= 120.0 && solution.is_settled && solution.misses[plants.len()] > 0.99;
        if !is_right {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_hand_out_of_reach_whichever_way() {
    let names = walker::names(&walker::skeleton());
    sweep(names.hands[0], &[0, 1]);
}

#[test]
fn a_foot_out_of_reach_whichever_way() {
    let names = walker::names(&walker::skeleton());
    sweep(names.feet[1], &[0]);
}
