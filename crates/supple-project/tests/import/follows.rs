//! The body follows the surface.

use crate::import::files::{Place, Settings, ball, file};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::{Body, Cache, InputMotion, Moving};

#[test]
fn a_body_turns_bends_and_flies_as_its_surface_does() {
    let surface = ball();
    // A bend about z that a body of a few cells can hold: x goes along a circle of radius 5.
    let to = |p: &Vec3, t: f64| {
        let (angle, radius) = (0.2 * t * p.x, 5.0 / t.max(1e-9) - p.y);
        let bent =
            if t == 0.0 { *p } else { Vec3::new(radius * angle.sin(), 5.0 / t - radius * angle.cos(), p.z) };
        nalgebra::Rotation3::new(Vec3::new(2.5 * t, -t, 0.0)) * bent + Vec3::new(4.0, 0.0, 1.0) * t
    };
    let at = |t: f64| -> Vec<[f64; 3]> {
        surface.positions.iter().map(|p| to(&Vec3::from(*p), t).into()).collect()
    };
    let times = [0.0, 0.3, 0.6, 1.0];
    let frames: Vec<Vec<[f64; 3]>> = times.iter().map(|t| at(*t)).collect();
    let place = Place::new();
    let path = place.motion("a.####.obj", &surface, &frames, Settings::default());
    let imported = place.import(file(&path)).unwrap();
    let fit = imported.fit.unwrap();
    assert!(fit.max < 0.02 && fit.rms <= fit.max && fit.unsettled == 0, "{fit:?}");
    let body = Body::load(&imported.shot).unwrap();
    let cache = Cache::of_shot(&place.path("shot.toml"));
    let mut motion = InputMotion::open(&imported.shot, &body, &cache, &Progress::silent()).unwrap();
    assert!(motion.from_cache && motion.of == Moving::Body && motion.fit == Some(fit));
    let mut positions = vec![[0.0; 3]; body.positions().len()];
    for (index, t) in times.iter().enumerate() {
        motion.read(index, &mut positions).unwrap();
        let off = positions.iter().zip(body.positions()).map(|(p, x)| (Vec3::from(*p) - to(x, *t)).norm());
        let off = off.fold(0.0, f64::max);
        assert!(off < if *t == 0.0 { 1e-9 } else { 0.03 }, "{t}: {off}");
    }
}

#[test]
fn another_motion_is_fitted_anew() {
    let surface = ball();
    let moved: Vec<[f64; 3]> = surface.positions.iter().map(|[x, y, z]| [x + 1.0, *y, *z]).collect();
    let place = Place::new();
    let settings = Settings::default();
    let path = place.motion("a.####.obj", &surface, &[surface.positions.clone(), moved.clone()], settings);
    let imported = place.import(file(&path)).unwrap();
    let body = Body::load(&imported.shot).unwrap();
    let cache = Cache::of_shot(&place.path("shot.toml"));
    let farther: Vec<[f64; 3]> = moved.iter().map(|[x, y, z]| [x + 1.0, *y, *z]).collect();
    place.motion("a.####.obj", &surface, &[surface.positions.clone(), farther], settings);
    let mut motion = InputMotion::open(&imported.shot, &body, &cache, &Progress::silent()).unwrap();
    assert!(!motion.from_cache);
    let mut positions = vec![[0.0; 3]; body.positions().len()];
    motion.read(1, &mut positions).unwrap();
    assert!(positions.iter().zip(body.positions()).all(|(p, x)| (p[0] - x.x - 2.0).abs() < 1e-6));
}
