//! Derivatives of what keys cost, against differences.

use super::asked::Asking;
use super::goal::{Leftover, WarpedGoal};
use super::ground::{Ground, GroundKey, Grounds};
use super::linear::LinearGoal;
use super::part::Part;
use super::placement::Placement;
use crate::shot::{Axes, Goal as Asked, Handle, Hold, Site, Together, Turn, When};
use crate::{Body, Cache, Sample, Shot};
use nalgebra::Rotation3;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_spacetime::{Goal, KeyState, Wanted};

fn scene(flies: bool) -> (Body, Arc<Ground>) {
    let folder = tempfile::tempdir().unwrap();
    let shot = Shot::load(&Sample::named("block").unwrap().write(folder.path()).unwrap()).unwrap();
    let body = Body::load(&shot).unwrap();
    let held = if flies { Vec::new() } else { body.anchors.clone() };
    let key = GroundKey { held, flies, modes: 7 };
    let cache = Cache::in_folders([folder.path().join("cache")]);
    let ground = Grounds::default().get(&body, key, &cache, &Progress::silent()).unwrap();
    (body, ground)
}

fn at_rest<'a>(body: &'a Body, ground: &'a Ground) -> Asking<'a> {
    let turn = Rotation3::from_euler_angles(0.2, 0.5, -0.3).into_inner();
    let placement = Placement { turn, shift: Vec3::new(0.3, -0.1, 0.2) };
    let falling = ground.flies.then(|| Vec3::new(0.1, -2.0, 0.3));
    Asking { body, ground, placement, falling, pace: 0.7, carried: None }
}

/// All that keys can ask at one time.
fn handles(flies: bool) -> Vec<Handle> {
    let top = || Site::Group("top".into());
    let each =
        |goal: Asked| Handle { points: Some(Together::Each), ..Handle::new(When::Frame(3), top(), goal) };
    let one = |goal: Asked| Handle::new(When::Frame(3), Site::BodyVertex(VertexId(77)), goal);
    let turn = Turn { about: [0.0, 1.0, 0.1], axis: [0.2, 1.0, 0.0], degrees: 70.0 };
    let mut all = vec![
        each(Asked::from(turn)),
        each(Asked::Velocity([0.4, -1.0, 0.2])),
        Handle { axes: Some(Axes([true, false, true])), ..one(Asked::By([0.1, 0.2, -0.1])) },
        one(Asked::Velocity([0.3, 0.2, 0.1])),
        Handle {
            hold: Some(Hold::Soft(3.0)),
            ..one(Asked::Plane { point: [0.0; 3], normal: [1.0, 2.0, 0.5] })
        },
        Handle { relative_to: Some(Site::CenterOfMass), ..each(Asked::By([0.1, -0.2, 0.3])) },
        Handle {
            relative_to: Some(Site::BodyVertex(VertexId(300))),
            ..one(Asked::Velocity([0.3, 0.2, 0.1]))
        },
    ];
    if !flies {
        all.push(Handle::new(When::Frame(3), Site::CenterOfMass, Asked::Velocity([1.5, 3.0, 0.0])));
        all.push(Handle::new(When::Frame(3), Site::CenterOfMass, Asked::To([0.1, 0.9, 0.0])));
    }
    all
}

fn parts(asking: &Asking<'_>) -> Vec<Part> {
    let handles = handles(asking.ground.flies);
    let part = |(number, handle): (u32, &Handle)| {
        let mut part = asking.handle(handle, number).unwrap();
        (part.stiffness, part.unit) = (3.0 + f64::from(number), 0.8);
        part
    };
    (1..).zip(&handles).map(part).collect()
}

/// Numbers that look like chance and are not.
fn some(count: usize, seed: f64) -> Vec<f64> {
    (0..count).map(|k| 0.25 * (1.0 + 2.3 * k as f64 + seed).sin()).collect()
}

fn check(goal: &dyn Goal, modes: usize, scale: f64, name: &str) {
    let x: Vec<f64> = [some(modes, 0.4), some(modes, 7.1)].concat().iter().map(|x| scale * x).collect();
    let multipliers = some(goal.penalties().len(), 2.0);
    let at = |x: &[f64], wanted| {
        let state = KeyState { position: &x[..modes], velocity: &x[modes..] };
        goal.expand(state, 0.9, &multipliers, wanted)
    };
    let exact = at(&x, Wanted::Newton);
    let H = exact.hessian.unwrap();
    let (size, bent) = (norm(&exact.gradient), H.norm_l2());
    for k in 0..2 * modes {
        let h = 1e-5 * scale;
        let moved = |by: f64| {
            let mut x = x.clone();
            x[k] += by;
            at(&x, Wanted::Gradient)
        };
        let (after, before) = (moved(h), moved(-h));
        let slope = (after.cost - before.cost) / (2.0 * h);
        assert!(
            (slope - exact.gradient[k]).abs() <= 1e-6 * size,
            "{name}, {k}: {slope} {}",
            exact.gradient[k]
        );
        for l in 0..2 * modes {
            let slope = (after.gradient[l] - before.gradient[l]) / (2.0 * h);
            assert!((slope - H[(k, l)]).abs() <= 1e-6 * bent, "{name}, {k}, {l}: {slope} {}", H[(k, l)]);
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn what_keys_cost_through_the_warp_has_the_derivatives_it_says() {
    for flies in [false, true] {
        let (body, ground) = scene(flies);
        let asking = at_rest(&body, &ground);
        // What a segment before left of its shape counts, and fades while it does.
        let shape = Arc::new(ground.warp.shape(&some(7, 3.3), None));
        for left in [None, Some(Leftover { shape, share: 0.4, rate: -0.7 })] {
            let name = format!("flies {flies}, left {}", left.is_some());
            let goal = WarpedGoal::new(&body, ground.clone(), left, parts(&asking)).unwrap();
            check(&goal, 7, 1.0 / ground.eigenvalues[0].sqrt(), &name);
        }
    }
}

#[test]
fn so_has_what_they_cost_without_it() {
    let (body, ground) = scene(false);
    check(&LinearGoal::new(&ground, parts(&at_rest(&body, &ground))), 7, 1.0, "linear");
}
