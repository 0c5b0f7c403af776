//! The edited motion of a character in every format it can be written in: the same places in all of them.

use crate::cli::run::Place;
use serde_json::Value;
use supple_formats::open_motion;

/// How many frames the jump has.
const FRAMES: usize = 37;
/// Numbers of the formats are single, or have six digits: this much of a metre is lost.
const CLOSE: f64 = 2e-5;

/// All frames of a point cache.
fn frames(place: &Place, name: &str) -> Vec<Vec<[f64; 3]>> {
    let mut motion = open_motion(place.path().join(name)).unwrap();
    let vertices = motion.vertices();
    let mut frame = |index: usize| {
        let mut positions = vec![[0.0; 3]; vertices];
        motion.read(index, &mut positions).unwrap();
        positions
    };
    (0..FRAMES).map(&mut frame).collect()
}

/// How far two motions are apart at most.
fn apart(one: &[Vec<[f64; 3]>], other: &[Vec<[f64; 3]>]) -> f64 {
    assert_eq!(one[0].len(), other[0].len());
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.flat_map(|(a, b)| (0..3).map(|c| (a[c] - b[c]).abs())).fold(0.0, f64::max)
}

#[test]
fn every_format_has_the_same_edited_bones() {
    let place = Place::new();
    place.done(&["sample", "jump-2d", "-o", "jump"]);
    let solve = |name: &str| -> Value { place.json(&["solve", "jump/jump-2d.toml", "-o", name]) };
    let answer = solve("a.pc2");
    assert_eq!(answer["frames"], FRAMES);
    let edited = frames(&place, "a.pc2");
    place.done(&["convert", "jump/jump-2d.bvh", "input.pc2"]);
    assert!(apart(&edited, &frames(&place, "input.pc2")) > 0.1, "it is edited");
    solve("a.mdd");
    assert!(apart(&edited, &frames(&place, "a.mdd")) < CLOSE);
    for (k, name) in ["a.glb", "a.usda", "a.####.obj", "a.bvh"].into_iter().enumerate() {
        solve(name);
        // What others read of it.
        let again = format!("again-{k}.pc2");
        place.done(&["convert", name, &again]);
        let far = apart(&edited, &frames(&place, &again));
        assert!(far < CLOSE, "{name}: {far}");
    }
    assert_eq!(place.names(".").iter().filter(|name| name.ends_with(".obj")).count(), FRAMES);
}
