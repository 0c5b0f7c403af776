//! scratch
use std::sync::Arc;
use std::time::Instant;
use supple_elastic::*;
use supple_model::Progress;
use supple_project::shot::{Feel, Method, Shot};
use supple_project::{Body, Cache, DragMethod, Sample, prepare_modes};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (name, pairs, places) = (&args[1], args[2].parse::<usize>().unwrap(), args[3].parse::<usize>().unwrap());
    let folder = std::path::PathBuf::from("/tmp/red").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("s").join(format!("{name}.toml"));
    let file = if file.exists() { file } else { Sample::named(name).unwrap().write_full(&folder.join("s")).unwrap() };
    let mut shot = Shot::load(&file).unwrap();
    let cache = Cache::in_folders([folder.join("cache")]);
    shot.edit.choose(Method::Drag);
    (shot.edit.feel, shot.edit.modes) = (Feel::Lively, 80);
    shot.edit.handles.clear();
    shot.edit.poses.clear();
    let silent = Progress::silent();
    let body = Arc::new(Body::load(&shot).unwrap());
    let modes = prepare_modes(&body, 80, &cache, &silent).unwrap().modes;
    let begin = Instant::now();
    let editor = DragMethod::open(&shot, body.clone(), &cache, &silent).unwrap();
    println!("open {:.2}", begin.elapsed().as_secs_f64());
    let (motion, masses) = (editor.motion().clone(), body.elastic.masses());
    let settings = ReducedSettings { pairs, places, ..ReducedSettings::default() };
    let begin = Instant::now();
    let training = Training::new(&motion, modes.eigenvalues(), &settings, &silent).unwrap();
    println!("training {:.2}", begin.elapsed().as_secs_f64());
    let basis = ReducedBasis::new(&motion, &training, masses, &settings, &silent).unwrap();
    println!("basis {:.2}", begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let cubature = Cubature::new(&motion, &basis, &training, &settings, &silent).unwrap();
    println!("cubature {:.2}", begin.elapsed().as_secs_f64());
    for c in cubature.curve.iter().rev().step_by(10) { println!("{} {:.5} {:.5}", c.places, c.training, c.held_out); }
    println!("elements {}", cubature.elements(motion.warp()).len());
    let e = modes.eigenvalues();
    println!("lambda {:.3e} {:.3e} {:.3e} {:.3e}", e[0], e[1], e[9], e[79]);
}
