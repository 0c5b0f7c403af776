//! Materials that are chosen over few elements: made once, kept, told, and as good as over all of them.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use crate::edit::bodies::{Kind, LENGTH, START, Scene};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::method::{self, material};
use supple_project::picture::{PlotOf, PlotOptions, plot};
use supple_project::prepare::{PrepareOptions, prepare};
use supple_project::shot::{Goal, Handle, MaterialEdit, Method, Site, When};
use supple_project::{Body, Report, Status};

/// A stem whose end is pulled far aside, at three frames.
fn pulled() -> Scene {
    let scene = Scene::at_rest(Kind::Solid);
    let body = scene.body();
    let far = |v: &usize| body.positions()[*v].x;
    let tip = (0..body.positions().len()).max_by(|a, b| far(a).total_cmp(&far(b))).unwrap();
    scene.with(|shot| {
        shot.edit.choose(Method::Material);
        shot.motion.frames = Some(80);
        shot.edit.modes = 24;
        let own = MaterialEdit { shapes: Some(8), ..MaterialEdit::default() };
        shot.edit.set_material_settings(&own).unwrap();
        for (frame, by) in [(20, 0.3), (30, -0.3), (40, 0.3)] {
            let by = [0.0, by * LENGTH, 0.1 * LENGTH];
            let site = Site::Vertex(VertexId::new(tip));
            let handle = Handle::new(When::Frame(START + frame), site, Goal::By(by));
            shot.edit
                .handles
                .push(Handle { axes: Some(supple_project::shot::Axes([false, true, true])), ..handle });
        }
    })
}

fn solve(scene: &Scene) -> (Report, Vec<Vec<Vec3>>) {
    let (body, progress) = (Arc::new(Body::load(&scene.shot).unwrap()), Progress::silent());
    let mut method = method::open(&scene.shot, body, &scene.cache(), &progress).unwrap();
    let report = method.solve(&progress, &mut |_| Ok(())).unwrap();
    let mut places = vec![[0.0; 3]; method.about().rest.len()];
    let frames = (0..method.about().clock.frames).map(|index| {
        method.frame(method::Side::Output, index, &mut places);
        places.iter().map(|p| Vec3::from(*p)).collect()
    });
    let frames = frames.collect();
    (report, frames)
}

#[test]
fn a_material_is_chosen_over_few_elements_and_that_is_told() {
    let scene = pulled();
    let (report, frames) = solve(&scene);
    assert_eq!(report.status, Status::Settled);
    let told = |name: &str| report.number("material", name).unwrap();
    let all = scene.body().matter.elements();
    assert!(told("elements") <= 80.0 && told("elements") < all as f64, "{} of {all}", told("elements"));
    assert!(told("cubature_error") < 0.03 && told("cubature_held_out") < 0.03);
    assert!(report.curve("cubature_by_place").len() >= 10);
    assert!(told("force_after") < told("force_before"));
    // From the cache the same, to the bit.
    let (again, same) = solve(&scene);
    assert_eq!(again.energy.to_bits(), report.energy.to_bits());
    assert!(frames == same);
}

#[test]
fn it_is_prepared_once_and_drawn() {
    let scene = pulled();
    let file = scene.folder.path().join("pulled.toml");
    scene.shot.clone().save(&file).unwrap();
    let silent = Progress::silent();
    let first = prepare(&file, &PrepareOptions::default(), &silent).unwrap().material.unwrap();
    let second = prepare(&file, &PrepareOptions::default(), &silent).unwrap().material.unwrap();
    assert!(!first.from_cache && second.from_cache && first.is_close);
    assert_eq!((first.curve.clone(), first.elements, first.modes), (second.curve, second.elements, 24));
    let picture = scene.folder.path().join("cubature.png");
    let answer = plot(&file, &picture, PlotOf::Cubature, &PlotOptions::default(), &silent).unwrap();
    assert_eq!(answer.series.len(), 2);
    assert_eq!(answer.series[1].points.len(), first.curve.len());
    assert!(picture.exists());
    // Other modes are another reduced warp.
    let mut other = scene.shot.clone();
    other.edit.modes = 20;
    let cache = supple_project::Cache::of_shot(&file);
    let body = Arc::new(Body::load(&other).unwrap());
    let made = material::prepare(&other, body, &cache, &silent).unwrap().unwrap();
    assert!(!made.from_cache && made.modes == 20);
    let cancelled = Progress::silent();
    cancelled.cancel();
    let body = Arc::new(Body::load(&scene.shot).unwrap());
    assert!(material::prepare(&scene.shot, body, &cache, &cancelled).is_err());
}
