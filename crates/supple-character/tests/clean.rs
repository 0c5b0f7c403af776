//! Foot skate out of a walk whose true plants are known.

use crate::walker::{self, FPS, acceleration, farthest, largest_turn};
use supple_character::plants::{self, Plant, PlantSettings};
use supple_character::{Constraint, Figure, Goal, release};
use supple_model::Progress;

const FRAMES: usize = 420;

/// The walker with feet that slide by this much, at most, and the plants found in it.
fn sliding(slide: f64) -> (Figure, supple_character::Motion, Vec<Plant>) {
    let skeleton = walker::skeleton();
    let worst = |amount: f64| {
        let motion = walker::walk(&skeleton, FRAMES, amount);
        let figure = Figure::new(skeleton.clone(), Vec::new(), 1, &motion);
        let toes = walker::names(&skeleton).toes;
        let slides = (0..2).flat_map(|side| {
            let (figure, motion) = (&figure, &motion);
            let plant = move |frames| Plant { joint: toes[side], offset: Default::default(), frames };
            walker::stances(FRAMES, side).into_iter().map(move |frames| plant(frames).slide(figure, motion))
        });
        slides.fold(0.0, f64::max)
    };
    let amount = slide * 0.01 / worst(0.01).max(1e-9);
    assert!((worst(amount) - slide).abs() < 1e-9);
    let motion = walker::walk(&skeleton, FRAMES, amount);
    let figure = Figure::new(skeleton, Vec::new(), 1, &motion);
    let found = plants::find(&figure, &motion, 1.0 / FPS, &PlantSettings::default());
    (figure, motion, found)
}

/// The walker walks as it is meant to: feet that stand, stand still, and knees bend about one axis.
#[test]
fn the_walk_itself_is_without_slide() {
    let skeleton = walker::skeleton();
    let motion = walker::walk(&skeleton, FRAMES, 0.0);
    let figure = Figure::new(skeleton, Vec::new(), 1, &motion);
    let names = walker::names(&figure.skeleton);
    for side in 0..2 {
        for frames in walker::stances(FRAMES, side) {
            let plant = Plant { joint: names.toes[side], offset: Default::default(), frames };
            assert!(plant.slide(&figure, &motion) < 1e-9, "{frames:?} {}", plant.slide(&figure, &motion));
        }
    }
    assert!(supple_character::use_of(&motion, names.knee, 0).hinge().is_some());
    assert!(acceleration(&figure.skeleton, &motion) < 120.0, "{}", acceleration(&figure.skeleton, &motion));
}

#[test]
fn plants_are_found_where_feet_truly_stand() {
    for slide in [0.0, 0.043, 0.075] {
        let (figure, _, found) = sliding(slide);
        let names = walker::names(&figure.skeleton);
        for side in 0..2 {
            let truth = walker::stances(FRAMES, side);
            for joint in [names.toes[side], names.feet[side]] {
                let own: Vec<_> =
                    found.iter().filter(|plant| plant.joint == joint).map(|p| p.frames).collect();
                assert_eq!(own.len(), truth.len(), "{slide} {own:?} {truth:?}");
                for ((a, b), (c, d)) in own.iter().zip(&truth) {
                    assert!(a.abs_diff(*c) <= 3 && b.abs_diff(*d) <= 3, "{slide} {own:?} {truth:?}");
                }
            }
        }
        assert!(found.iter().all(|p| names.toes.contains(&p.joint) || names.feet.contains(&p.joint)));
    }
}

#[test]
fn cleaned_feet_stand_still_and_little_else_changes() {
    for slide in [0.043, 0.075] {
        let (figure, motion, found) = sliding(slide);
        let mut edit = walker::of(figure, FRAMES);
        edit.constraints = found.iter().map(|p| Constraint::new(p.frames, p.point(), Goal::Stay)).collect();
        let solution = release(&edit, &motion, &Progress::silent()).expect("nobody cancels");
        let before = found.iter().map(|p| p.slide(&edit.figure, &motion)).fold(0.0, f64::max);
        let after = found.iter().map(|p| p.slide(&edit.figure, &solution.motion)).fold(0.0, f64::max);
        let skeleton = &edit.figure.skeleton;
        let (far, turn) =
            (farthest(skeleton, &motion, &solution.motion), largest_turn(&motion, &solution.motion).0);
        let ratio = acceleration(skeleton, &solution.motion) / acceleration(skeleton, &motion);
        println!(
            "{slide}: {} rows, {} steps, settled {}, slide {before:.4} -> {after:.2e} m, farthest {far:.4} m, turn {turn:.1}, accelerations {ratio:.2}",
            solution.rows, solution.steps, solution.is_settled
        );
        assert!(before > 0.8 * slide);
        assert!(after < 1e-4, "{after}");
        assert!(far < 0.05, "{far}");
        assert!(turn < 15.0, "{turn}");
        assert!(ratio <= 1.3, "{ratio}");
        assert!(solution.misses.iter().all(|miss| *miss <= 1e-6 * edit.figure.size), "{:?}", solution.misses);
        assert!(solution.is_settled && !solution.is_stopped);
    }
}

/// Captured feet tremble by a millimetre from frame to frame. To take that out smoothly is dear, and a pose in which it is
/// cheaper lies far aside: a walk of Carnegie Mellon was moved by 76 mm where its feet slid by 30.
#[test]
fn feet_that_tremble_move_the_pose_no_farther() {
    let (figure, motion, _) = sliding(0.03);
    let mut trembling = motion.clone();
    let noise = |k: usize| ((k as f64 * 12.9898 + 4.1414).sin() * 43_758.545_3).rem_euclid(1.0) - 0.5;
    for frame in 0..FRAMES {
        let shift =
            nalgebra::Vector3::new(noise(3 * frame), noise(3 * frame + 1), noise(3 * frame + 2)) * 0.003;
        trembling.set(frame, 0, motion.rotation(frame, 0), motion.translation(frame, 0) + shift);
    }
    let names = walker::names(&figure.skeleton);
    let mut edit = walker::of(figure, FRAMES);
    for side in 0..2 {
        let stays = |frames| walker::hold(frames, names.toes[side], Goal::Stay);
        edit.constraints.extend(walker::stances(FRAMES, side).into_iter().map(stays));
    }
    let moved = |motion: &supple_character::Motion| {
        let solution = release(&edit, motion, &Progress::silent()).expect("nobody cancels");
        assert!(solution.misses.iter().all(|miss| *miss <= 1e-6 * edit.figure.size), "{:?}", solution.misses);
        farthest(&edit.figure.skeleton, motion, &solution.motion)
    };
    let (calm, trembles) = (moved(&motion), moved(&trembling));
    println!("{calm:.4} m without trembling, {trembles:.4} m with it");
    assert!(trembles < calm + 0.006, "{calm} {trembles}");
}
