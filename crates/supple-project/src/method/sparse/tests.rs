//! Derivatives of what keys cost, against differences.

use super::asked::Asking;
use super::goal::{Leftover, WarpedGoal};
use super::ground::{Ground, GroundKey, Grounds};
use super::linear::LinearGoal;
use super::part::Part;
use super::placement::Placement;
use crate::shot::{self, Anchor, Axes, BodyKind, Goal as Asked, Handle, Hold, Site, Together, Turn, When};
use crate::{Body, Cache, Shot};
use faer::Mat;
use nalgebra::Rotation3;
use std::sync::Arc;
use supple_formats::{Elements, Group, MeshFile, VolumeFile};
use supple_mesh::{Vec3, shapes};
use supple_model::{Progress, VertexId};
use supple_spacetime::{Goal, KeyState};

/// A small block that stands on its group "base", with its upper face as group "top".
fn scene(flies: bool) -> (Body, Arc<Ground>) {
    let folder = tempfile::tempdir().unwrap();
    let mesh = shapes::box_mesh(Vec3::new(0.5, 1.3, 0.5), [3, 5, 3]).unwrap();
    let group = |name: &str, height: f64| {
        let there = mesh.positions().iter().enumerate().filter(|(_, p)| (p.y - height).abs() < 1e-9);
        Group { name: name.into(), members: there.map(|(v, _)| v as u32).collect() }
    };
    let file = VolumeFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        elements: Elements::Tets(mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        vertex_groups: vec![group("base", 0.0), group("top", 1.3)],
        ..VolumeFile::default()
    };
    let mut spec = shot::Body::new(BodyKind::Solid, "block");
    spec.anchors = vec![Anchor::Group("base".into())];
    let mut shot = Shot::new(folder.path(), spec).unwrap();
    shot.give_mesh("block", MeshFile::Volume(file));
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
        Handle { relative_to: Some(Site::BodyVertex(VertexId(90))), ..one(Asked::Velocity([0.3, 0.2, 0.1])) },
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

/// Rows against differences of what is read, curvature against differences of rows, forces and squares against differences
/// of the cost.
fn check(goal: &dyn Goal, modes: usize, scale: f64, name: &str) {
    let x: Vec<f64> = [some(modes, 0.4), some(modes, 7.1)].concat().iter().map(|x| scale * x).collect();
    let multipliers = some(goal.penalties().len(), 2.0);
    let state = |x: &'_ [f64]| -> [Vec<f64>; 2] { [x[..modes].to_vec(), x[modes..].to_vec()] };
    let seen = |state: &'_ [Vec<f64>; 2], of: &dyn Fn(KeyState<'_>) -> Vec<f64>| {
        of(KeyState { position: &state[0], velocity: &state[1] })
    };
    let read = |x: &[f64]| seen(&state(x), &|state| goal.read(state));
    let rows = |x: &[f64]| seen(&state(x), &|state| goal.rows(state));
    let (w, J) = (read(&x), rows(&x));
    let width = 2 * modes;
    let forces = goal.cost(&w, 0.9, &multipliers).forces;
    let own = state(&x);
    let K = goal.curvature(KeyState { position: &own[0], velocity: &own[1] }, &forces);
    let bent = K.as_ref().map_or(1.0, Mat::norm_l2);
    for k in 0..width {
        let h = 1e-5 * scale;
        let moved = |by: f64| {
            let mut x = x.clone();
            x[k] += by;
            x
        };
        let (after, before) = (moved(h), moved(-h));
        for (row, (a, b)) in read(&after).iter().zip(read(&before)).enumerate() {
            let (slope, size) = ((a - b) / (2.0 * h), norm(&J[row * width..][..width]));
            assert!(
                (slope - J[row * width + k]).abs() <= 1e-6 * size.max(1e-3),
                "{name}, {row}, {k}: {slope}"
            );
        }
        let project = |J: &[f64], l: usize| -> f64 {
            forces.iter().zip(J.chunks_exact(width)).map(|(f, row)| f * row[l]).sum()
        };
        let (after, before) = (rows(&after), rows(&before));
        for l in 0..width {
            let slope = (project(&after, l) - project(&before, l)) / (2.0 * h);
            let own = K.as_ref().map_or(0.0, |K| K[(k, l)]);
            assert!((slope - own).abs() <= 1e-6 * bent, "{name}, {k}, {l}: {slope} {own}");
        }
    }
    check_cost(goal, &w, &multipliers, name);
    check_squares(goal, &J, &w, &multipliers, name);
}

fn check_cost(goal: &dyn Goal, w: &[f64], multipliers: &[f64], name: &str) {
    let forces = goal.cost(w, 0.9, multipliers).forces;
    for k in 0..w.len() {
        let at = |by: f64| {
            let mut w = w.to_vec();
            w[k] += by;
            goal.cost(&w, 0.9, multipliers).cost
        };
        let slope = (at(1e-4) - at(-1e-4)) / 2e-4;
        assert!((slope - forces[k]).abs() <= 1e-6 * norm(&forces), "{name}, {k}: {slope} {}", forces[k]);
    }
}

/// Jᵀ ∂²E/∂w² J, along one direction: how forces change as w does.
fn check_squares(goal: &dyn Goal, J: &[f64], w: &[f64], multipliers: &[f64], name: &str) {
    let H = goal.squares(J);
    let width = H.nrows();
    let along = some(width, 5.0);
    let led: Vec<f64> =
        J.chunks_exact(width).map(|row| row.iter().zip(&along).map(|(a, b)| a * b).sum()).collect();
    let forces = |by: f64| {
        let w: Vec<f64> = w.iter().zip(&led).map(|(w, led)| w + by * led).collect();
        goal.cost(&w, 0.9, multipliers).forces
    };
    let (after, before) = (forces(0.5), forces(-0.5));
    for k in 0..width {
        let changed = after.iter().zip(&before).zip(J.chunks_exact(width));
        let expected: f64 = changed.map(|((a, b), row)| (a - b) * row[k]).sum();
        let found: f64 = (0..width).map(|l| H[(k, l)] * along[l]).sum();
        assert!((found - expected).abs() <= 1e-9 * H.norm_l2(), "{name}, {k}: {found} {expected}");
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
