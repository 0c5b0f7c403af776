//! Forces that are written make the same motion again; pushed, it is held by tracking.

use super::{Place, seconds, under};
use std::path::PathBuf;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::control::replay;
use supple_project::method::{self, Live, Numerics, RealNumerics, Shove};
use supple_project::shot::{Load, Push, Shot, Site};

/// A bar with two poses, its motion, and its forces in a file.
fn written() -> (Place, Vec<Vec<Vec3>>, PathBuf) {
    let mut place = Place::bar(49);
    place.shot.edit.poses =
        vec![under(25, &[("right", [0.0, 200.0, 0.0])]), under(49, &[("right", [0.0, 0.0, 150.0])])];
    let place = place.basis(|basis| basis.modes = 4).with(|shot| seconds(shot, 0.012));
    let file = place.folder.path().join("forces.csv");
    let (cache, progress) = (place.cache(), Progress::silent());
    let mut method = method::open(&place.shot, place.body(), &cache, &progress).unwrap();
    method.settle(&progress).unwrap();
    method.write_forces(&file).unwrap().unwrap();
    let frames = place.solve().frames;
    (place, frames, file)
}

fn replayed(
    place: &Place,
    shot: &Shot,
    file: &std::path::Path,
    track: bool,
) -> Result<Vec<Vec<Vec3>>, String> {
    let progress = Progress::silent();
    let done = replay(shot, &place.body(), file, track, &place.cache(), &progress);
    let done = done.map_err(|error| error.to_string())?;
    Ok((0..done.clock().frames).map(|index| done.positions(index)).collect())
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn forces_alone_make_the_motion_again() {
    let (place, frames, file) = written();
    let again = replayed(&place, &place.shot, &file, false).unwrap();
    let size = 2.0;
    let off = frames.iter().zip(&again).map(|(a, b)| apart(a, b)).fold(0.0, f64::max);
    assert!(off <= 1e-8 * size, "{off:e}");
}

#[test]
fn a_push_is_tracked() {
    let (place, frames, file) = written();
    let mut pushed = place.shot.clone();
    let push = Push::Force([0.0, 0.0, 500.0]);
    pushed.loads.push(Load { site: Site::Group("right".into()), push, frames: Some(8..=12), stage: None });
    let [open, held] = [false, true].map(|track| replayed(&place, &pushed, &file, track).unwrap());
    let peak = |motion: &[Vec<Vec3>]| frames.iter().zip(motion).map(|(a, b)| apart(a, b)).fold(0.0, f64::max);
    let end = |motion: &[Vec<Vec3>]| apart(&frames[48], &motion[48]);
    assert!(peak(&open) > 0.1 * 2.0, "{}", peak(&open));
    assert!(end(&held) <= 0.01 * 2.0 && peak(&held) < peak(&open), "{} {}", end(&held), end(&open));
}

/// In a window the body is pushed while it plays: it gives way, is held, and finds back; from an earlier frame on it is the
/// motion itself.
#[test]
fn a_hand_pushes_what_plays() {
    let (place, frames, _) = written();
    let (cache, silent) = (place.cache(), Progress::silent());
    let mut opened: Option<Box<dyn Live>> = None;
    RealNumerics::default().open(&place.shot, &cache, &silent, &mut |live| opened = Some(live)).unwrap();
    let mut live = opened.unwrap();
    assert!(live.push(3, None).is_err(), "nothing is found yet");
    live.ask(&place.shot.edit, &silent).unwrap();
    live.settle(&silent).unwrap();
    let farthest = (0..).zip(&frames[0]).max_by(|a, b| a.1.x.total_cmp(&b.1.x)).unwrap().0;
    let shove = Shove { vertex: farthest, by: [0.0, 0.0, 0.5] };
    let off = |live: &mut dyn Live, frame: usize, shove: Option<&Shove>| {
        let points = live.push(frame, shove).unwrap();
        let own = points.body.unwrap_or(points.drawn);
        let far = own.iter().zip(&frames[frame]).map(|(a, b)| (Vec3::from(a.map(f64::from)) - b).norm());
        far.fold(0.0, f64::max) / 2.0
    };
    assert!(off(live.as_mut(), 8, None) < 1e-6, "nothing pushes");
    let pushed = (9..=13).map(|frame| off(live.as_mut(), frame, Some(&shove))).fold(0.0, f64::max);
    // The hand draws by a quarter of the length, for five frames.
    assert!((0.1..0.3).contains(&pushed), "{pushed}");
    let end = off(live.as_mut(), 48, None);
    assert!(end < 1e-3, "it finds back: {pushed} {end}");
    assert!(off(live.as_mut(), 20, None) < 1e-6, "again");
    let elsewhere = Shove { vertex: u32::MAX, by: [1.0; 3] };
    assert!(live.push(21, Some(&elsewhere)).unwrap_err().to_string().starts_with("the point that is pushed"));
}

#[test]
fn forces_of_another_basis_are_refused() {
    let (place, _, file) = written();
    let mut other = place.shot.clone();
    other.edit.poses[1] = under(49, &[("right", [0.0, 0.0, 151.0])]);
    let said = replayed(&place, &other, &file, false).unwrap_err();
    assert!(said.contains("forces of another basis") || said.contains("another basis"), "{said}");
    let text = std::fs::read_to_string(&file).unwrap();
    let cut: Vec<&str> = text.lines().collect();
    std::fs::write(&file, cut[..cut.len() - 1].join("\n")).unwrap();
    let said = replayed(&place, &place.shot, &file, false).unwrap_err();
    assert!(said.contains("there are forces for 47 frames, but this motion takes 48"), "{said}");
    std::fs::write(&file, text.replacen("\n1,", "\n1,nan,", 1)).unwrap();
    let said = replayed(&place, &place.shot, &file, false).unwrap_err();
    assert!(said.contains("line 3 has something that is no finite number"), "{said}");
    std::fs::write(&file, "frame,x\n1,2\n").unwrap();
    assert!(replayed(&place, &place.shot, &file, false).unwrap_err().contains("name of a basis"));
}
