//! What mouse and timeline mean.

use supple_project::method::Stage;
use supple_project::shot::{Body, BodyKind, Goal, Handle, Shot, Site, When};
use supple_session::{Along, Pull, Ray, Reach, ScreenBox, Timeline, normal_at, pick, pick_box};

const REACH: Reach = Reach { at_eye: 0.0, growth: 0.02 };

/// Two squares facing +z, one behind the other, and a vertex that no triangle has.
fn squares() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let square = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [1.0, 1.0, z], [0.0, 1.0, z]];
    let points = [square(0.0), square(-1.0)].concat().into_iter().chain([[0.5, 0.5, 3.0]]).collect();
    (points, vec![[4, 5, 6], [4, 6, 7], [0, 1, 2], [0, 2, 3]])
}

fn ray(x: f64, y: f64) -> Ray {
    let eye = [0.5, 0.5, 5.0];
    Ray { origin: eye, direction: [x - eye[0], y - eye[1], -5.0] }
}

#[test]
fn the_nearest_visible_vertex_is_picked() {
    let (points, triangles) = squares();
    for (x, y, vertex) in [(0.1, 0.2, 0), (0.9, 0.1, 1), (0.8, 0.9, 2), (0.1, 0.7, 3)] {
        let picked = pick(&points, &triangles, &ray(x, y), REACH).unwrap();
        assert_eq!(picked.vertex, vertex, "at {x}, {y}: not the one behind");
        assert!((picked.depth - (25.0 + (x - 0.5).powi(2) + (y - 0.5).powi(2)).sqrt()).abs() < 1e-9);
    }
    let beside = pick(&points, &triangles, &ray(1.05, 1.03), REACH).unwrap();
    assert_eq!(beside.vertex, 2, "beside the surface, within reach");
    assert_eq!(pick(&points, &triangles, &ray(1.5, 1.5), REACH), None);
    let back = Ray { origin: [0.5, 0.5, 5.0], direction: [0.0, 0.0, 1.0] };
    assert_eq!(pick(&points, &triangles, &back, REACH), None, "nothing behind the eye");
    assert_eq!(normal_at(&points, &triangles, 2), Some([0.0, 0.0, 1.0]));
    assert_eq!(normal_at(&points, &triangles, 8), None);
}

#[test]
fn on_the_outline_what_is_in_front_is_picked() {
    let (mut points, triangles) = squares();
    // The corner of the square in front, which a ray just beside it passes on its way to the one behind.
    points[6] = [2.0, 2.0, -1.0];
    let behind = pick(&points, &triangles, &ray(1.02, 1.0), REACH).unwrap();
    assert_eq!(behind.vertex, 2, "not the corner of what is behind");
    let aside = pick(&points, &triangles, &ray(1.1, 1.0), REACH).unwrap();
    assert_ne!(aside.vertex, 2, "farther beside it what is met is meant");
    // Two vertices in line with the eye: the mouse beside both means the nearer one.
    let line = [[0.0, 0.0, -1.0], [0.0, 0.0, 0.0], [9.0, 0.0, 0.0]];
    let eye = Ray { origin: [0.0, 0.0, 5.0], direction: [0.0, 0.001, -1.0] };
    assert_eq!(pick(&line, &[[0, 1, 2]], &eye, REACH).map(|picked| picked.vertex), Some(1));
}

#[test]
fn a_box_takes_what_is_projected_into_it() {
    let (points, mut triangles) = squares();
    let flat = |p: [f32; 3]| (p[2] < 5.0).then_some([p[0], p[1]]);
    let corners = ScreenBox { from: [1.1, -0.1], to: [0.9, 1.1] };
    assert_eq!(pick_box(&points, &triangles, corners, None, flat), [1, 2, 5, 6], "any two corners");
    triangles[0].swap(0, 1);
    triangles[1].swap(0, 1);
    let facing = pick_box(&points, &triangles, corners, Some([0.5, 0.5, 5.0]), flat);
    assert_eq!(facing, [1, 2], "the one behind is turned away");
}

fn near(found: Option<[f64; 3]>, expected: [f64; 3]) {
    let found = found.unwrap();
    assert!((0..3).all(|c| (found[c] - expected[c]).abs() < 1e-9), "{found:?}, not {expected:?}");
}

/// A ray that is along none of the axes.
fn slanted(y: f64, z: f64) -> Ray {
    let eye = [3.1, 2.3, 1.7];
    Ray { origin: eye, direction: [0.5 - eye[0], y - eye[1], z - eye[2]] }
}

#[test]
fn a_pull_goes_where_the_mouse_does_as_far_as_it_may() {
    let at = [0.5, 0.5, 0.0];
    let from = ray(0.6, 0.5);
    let axis = Pull::new(at, Along::Axis([2.0, 0.0, 0.0]), &from).unwrap();
    near(axis.shift(&from, None), [0.0; 3]);
    let flat = Pull::new(at, Along::Plane([1.0, 0.0, 0.0]), &slanted(0.1, 0.2)).unwrap();
    for k in 0..40 {
        let shift = flat.shift(&slanted(0.1 + 0.013 * f64::from(k), 0.7), None).unwrap();
        assert_eq!(shift[0], 0.0, "nothing is left across the plane: {shift:?}");
    }
    near(axis.shift(&ray(0.9, 0.5), None), [0.3, 0.0, 0.0]);
    near(axis.shift(&ray(0.9, 0.5), Some(0.25)), [0.25, 0.0, 0.0]);
    let screen = Pull::new(at, Along::Plane([0.0, 0.0, -1.0]), &from).unwrap();
    near(screen.shift(&ray(0.9, 0.1), None), [0.3, -0.4, 0.0]);
    near(screen.shift(&ray(0.9, 0.1), Some(0.25)), [0.25, -0.5, 0.0]);
    // Oblique: the nearest point of the axis is where its difference from the ray is across both.
    let (a, ray_to) = ([0.6, 0.64, 0.48], ray(1.3, -0.4));
    let oblique = Pull::new(at, Along::Axis(a), &ray(0.5, 0.5)).unwrap();
    let t = {
        let d = nalgebra::Vector3::from(ray_to.direction).normalize();
        let (o, a) = (nalgebra::Vector3::from(ray_to.origin), nalgebra::Vector3::from(a));
        let c = nalgebra::Vector3::from(at);
        let gap = |t: f64| {
            let p = c + a * t - o;
            (p - d * p.dot(&d)).norm()
        };
        let mut low_high = (-10.0, 10.0);
        for _ in 0..200 {
            let (low, high) = low_high;
            let (x, y) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            low_high = if gap(x) < gap(y) { (low, y) } else { (x, high) };
        }
        low_high.0
    };
    let shift = oblique.shift(&ray_to, None).unwrap();
    assert!((0..3).all(|c| (shift[c] - a[c] * t).abs() < 1e-6), "{shift:?}, not {t} of {a:?}");
    // Rays that say nothing.
    assert_eq!(Pull::new(at, Along::Axis([0.0, 0.0, 1.0]), &ray(0.5, 0.5)), None);
    assert_eq!(Pull::new(at, Along::Plane([0.0, 1.0, 0.0]), &ray(0.5, 0.5)), None);
    assert_eq!(Pull::new(at, Along::Axis([0.0; 3]), &from), None);
}

fn timeline() -> Timeline {
    let mut shot = Shot::new(std::path::Path::new("/p"), Body::new(BodyKind::Solid, "a.msh")).unwrap();
    shot.edit.window = Some(105..=120);
    let mut handle = Handle::new(When::Frames(103..=107), Site::CenterOfMass, Goal::By([0.0; 3]));
    handle.muted = Some(true);
    shot.edit.handles = vec![handle];
    Timeline::of(
        &shot,
        &Stage {
            clock: supple_model::Clock { start: supple_model::Frame(101), frames: 25, fps: 24.0 },
            ..Stage::default()
        },
    )
}

#[test]
fn frames_are_counted_as_the_scene_does() {
    let timeline = timeline();
    assert_eq!((timeline.number(0), timeline.number(24)), (101, 125));
    assert_eq!(
        (timeline.index(101), timeline.index(125), timeline.index(0), timeline.index(999)),
        (0, 24, 0, 24)
    );
    assert_eq!((timeline.seconds(24), timeline.at(0.5), timeline.at(7.0)), (1.0, 12, 24));
    assert_eq!((timeline.part(101), timeline.part(125), timeline.part(113)), (0.0, 1.0, 0.5));
    assert_eq!(timeline.handles[0].frames, 103..=107);
    assert!(timeline.handles[0].muted && timeline.window == Some(105..=120));
    assert_eq!(timeline.retimed(&(103..=107), 5), 108..=112);
    assert_eq!(timeline.retimed(&(103..=107), -50), 101..=105, "as far as there are frames");
    assert_eq!(timeline.retimed(&(103..=107), i32::MAX), 121..=125);
}

#[test]
fn playing_goes_round_or_stops() {
    let timeline = timeline();
    let frame = 1.0 / 24.0;
    assert_eq!(timeline.played(3, 1.5 * frame, 0..=24, true), 4);
    assert_eq!(timeline.played(24, 1.1 * frame, 0..=24, true), 0);
    assert_eq!(timeline.played(24, 1.1 * frame, 0..=24, false), 24);
    assert_eq!(
        timeline.played(12, 6.1 * frame, 10..=14, true),
        13,
        "a range of five, once around and one on"
    );
    assert_eq!(timeline.played(2, 0.0, 10..=14, true), 10, "into the range");
    assert_eq!(timeline.played(10, 1e12, 10..=99, true) / 25, 0, "never outside");
}
