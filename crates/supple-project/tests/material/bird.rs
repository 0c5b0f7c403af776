//! The bird that flaps (Li et al. 2014, Fig. 8): poses that are alike on both sides, on a cage that is stiffer on one.

use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::{self, Side};
use supple_project::shot::{Optimise, Shot};
use supple_project::{Body, Cache, Sample};

/// How differently left and right move, as a part of how much they do; rms over all frames and vertices.
fn asymmetry(shot: &Shot, cache: &Cache, optimise: Optimise) -> f64 {
    let mut shot = shot.clone();
    let own = shot.edit.material_settings().unwrap();
    super::own(&mut shot, supple_project::shot::MaterialEdit { optimise, ..own });
    let (body, silent) = (Arc::new(Body::load(&shot).unwrap()), Progress::silent());
    let mut method = method::open(&shot, body, cache, &silent).unwrap();
    method.solve(&silent, &mut |_| Ok(())).unwrap();
    let about = method.about();
    let rest = about.rest.to_vec();
    let mirrored = |p: &Vec3| Vec3::new(p.x, p.y, -p.z);
    let twin = |p: &Vec3| -> usize {
        let off = |v: &usize| (rest[*v] - mirrored(p)).norm();
        let twin = (0..rest.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap();
        assert!(off(&twin) < 1e-3, "the cage is the same on both sides");
        twin
    };
    let twins: Vec<usize> = rest.iter().map(twin).collect();
    let mut positions = vec![[0.0; 3]; rest.len()];
    let (mut apart, mut whole) = (0.0, 0.0);
    for index in 0..about.clock.frames {
        method.frame(Side::Output, index, &mut positions);
        let moved: Vec<Vec3> = positions.iter().zip(&rest).map(|(p, x)| Vec3::from(*p) - x).collect();
        for (u, twin) in moved.iter().zip(&twins) {
            apart += (u - mirrored(&moved[*twin])).norm_squared();
            whole += 2.0 * u.norm_squared();
        }
    }
    (apart / whole).sqrt()
}

#[test]
fn a_bird_flaps_alike_on_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let path = Sample::named("bird-flap").unwrap().write(folder.path()).unwrap();
    let (shot, cache) = (Shot::load(&path).unwrap(), Cache::of_shot(&path));
    let [before, after] = [Optimise::None, Optimise::All].map(|what| asymmetry(&shot, &cache, what));
    assert!(before > 0.1 && after < before / 8.0, "{before} -> {after}");
}
