//! The bar of rubber that is pulled up, then aside: what the basis is for (Fig. 4, 6 and 9 of the paper).

use super::{Place, seconds, under};
use supple_model::Status;
use supple_project::shot::{Components, Hold, When};

const FORCE: f64 = 400.0;

/// 400 N up, then sideways, as in the figures.
fn pulled() -> Place {
    pulled_over(60)
}

/// The same with so many frames to each pose.
fn pulled_over(frames: usize) -> Place {
    let mut place = Place::bar(2 * frames + 1);
    let [first, second] = [1, 2].map(|number| (number * frames + 1) as i32);
    place.shot.edit.poses =
        vec![under(first, &[("right", [0.0, FORCE, 0.0])]), under(second, &[("right", [0.0, 0.0, FORCE])])];
    place.basis(|basis| basis.modes = 6)
}

#[test]
fn hard_poses_are_met_and_tangents_save_force() {
    let all = pulled();
    let motion = all.solve();
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    assert!(motion.each("poses", "relative_error").iter().all(|error| *error <= 1e-8), "{:?}", motion.report);
    assert_eq!(all.inverted(&motion), 0);
    // Eq. 10.
    let time = all.shot.motion.seconds_per_frame;
    assert_eq!(time, supple_project::shot::SecondsPerFrame::Auto);
    // The spline through the same poses loses a third of the volume.
    let [own, spline] = ["volume", "spline_volume"].map(|key| motion.report.number(key, "change").unwrap());
    assert!(own.abs() < 0.02 && (-0.45..-0.25).contains(&spline), "{own} {spline}");
    let without = pulled().basis(|basis| basis.tangents = false).solve();
    let saved = without.report.energy / motion.report.energy;
    assert!(saved > 1.5, "{saved}");
    // Without modes, which do some of their work. A prototype had 7777 and 2520.
    let [poses, tangents] = [false, true]
        .map(|tangents| pulled().basis(|basis| (basis.tangents, basis.modes) = (tangents, 0)).solve());
    let saved = poses.report.energy / tangents.report.energy;
    assert!(saved >= 2.0, "{saved}");
}

/// A pose like the start asks for nothing, and nothing moves, to the bit.
#[test]
fn a_pose_like_the_start_gives_the_rest_shape() {
    let mut place = Place::bar(13);
    place.write("rest.obj", |x| *x);
    place.shot.edit.poses = vec![supple_project::shot::Pose::of_file(9, "rest.obj")];
    let motion = place.basis(|basis| basis.modes = 3).with(|shot| seconds(shot, 0.01)).solve();
    assert_eq!((motion.report.status, motion.report.energy), (Status::Settled, 0.0));
    let place = Place::bar(1);
    let body = place.body();
    for frame in &motion.frames {
        assert!(frame.iter().zip(body.positions()).all(|(a, b)| a == b));
    }
}

/// The first pose is where the motion begins if it stands there, and what comes after the last one swings on.
#[test]
fn a_pose_at_the_first_frame_is_the_start() {
    let mut place = Place::bar(41);
    place.shot.edit.poses =
        vec![under(1, &[("right", [0.0, 150.0, 0.0])]), under(21, &[("right", [0.0, -150.0, 0.0])])];
    let place = place.basis(|basis| basis.modes = 4);
    let motion = place.solve();
    assert_eq!(motion.report.status, Status::Settled);
    let body = place.body();
    let tip = body.groups.get("right").unwrap()[0].index();
    let height = |frame: usize| motion.frames[frame][tip].y - body.positions()[tip].y;
    assert!(
        height(0) > 0.1 && (height(0) + height(20)).abs() < 0.1 * height(0),
        "{} {}",
        height(0),
        height(20)
    );
    // No force acts after the last pose.
    let forces = motion.report.curve("control_force");
    assert!(forces[..19].iter().any(|w| *w > 1.0) && forces[21..].iter().all(|w| *w < 1e-6), "{forces:?}");
}

/// A soft pose is missed the more, the less it weighs; one of a group or of components asks for no more than that.
#[test]
fn soft_and_partial_poses_give() {
    let solve = |change: &dyn Fn(&mut supple_project::shot::Pose)| {
        let mut place = Place::bar(31);
        place.shot.edit.poses = vec![under(31, &[("right", [0.0, 200.0, 0.0])])];
        change(&mut place.shot.edit.poses[0]);
        let place = place.basis(|basis| basis.modes = 4).with(|shot| seconds(shot, 0.01));
        let motion = place.own(|own| own.effort = supple_project::shot::Effort::Of(1e-4)).solve();
        assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
        motion
    };
    let error = |motion: &super::Motion| motion.each("poses", "error")[0];
    let hard = solve(&|_| {});
    let firm = solve(&|pose| pose.hold = Hold::Soft(10.0));
    let soft = solve(&|pose| pose.hold = Hold::Soft(0.1));
    assert!(error(&hard) < 1e-9 && error(&hard) < error(&firm) && error(&firm) < 0.5 * error(&soft));
    assert!(soft.report.penalty > 0.0 && soft.report.energy < hard.report.energy);
    let tip = solve(&|pose| pose.group = Some("right".into()));
    assert!(error(&tip) < 1e-4 && tip.report.energy <= (1.0 + 1e-6) * hard.report.energy, "{}", error(&tip));
    let weak = solve(&|pose| (pose.group, pose.hold) = (Some("right".into()), Hold::Soft(0.1)));
    assert!(weak.report.energy < soft.report.energy, "less is asked for");
    let first = solve(&|pose| pose.components = Some(Components(vec![1])));
    assert!(first.report.energy < 0.999 * hard.report.energy);
}

/// Steps per frame, and what is said of a time that is far off.
#[test]
fn the_time_per_frame_is_that_of_the_poses() {
    let own = |place: Place| {
        let cache = place.cache();
        let mut method = supple_project::method::open(
            &place.shot,
            place.body(),
            &cache,
            &supple_model::Progress::silent(),
        )
        .unwrap();
        method.settle(&supple_model::Progress::silent()).unwrap();
        method.about().seconds_per_frame
    };
    let auto = own(pulled());
    // A prototype had 0.00923 s.
    assert!((0.006..0.014).contains(&auto), "{auto}");
    let slow = pulled_over(20).with(|shot| seconds(shot, 60.0 * auto));
    let motion = slow.own(|own| own.effort = supple_project::shot::Effort::Of(1.0)).solve();
    assert!(motion.warnings.iter().any(|said| said.contains("seconds_per_frame")), "{:?}", motion.warnings);
    let per_key = pulled_over(20).own(|own| own.time = supple_project::shot::FrameTime::PerKey).solve();
    assert_eq!(per_key.report.status, Status::Settled);
}

/// Guesses and the published solver end in the same motion.
#[test]
fn all_guesses_and_solvers_agree() {
    use supple_project::shot::{ControlSolver, Guess};
    let solve = |change: &dyn Fn(&mut supple_project::shot::Control)| {
        let mut place = Place::bar(25);
        place.shot.edit.poses = vec![supple_project::shot::Pose {
            hold: Hold::Soft(1.0),
            ..under(25, &[("right", [0.0, 150.0, 0.0])])
        }];
        let place = place.basis(|basis| basis.modes = 2).own(|own| change(own));
        place.solve()
    };
    let cost = |motion: &super::Motion| {
        motion.report.penalty + motion.report.number("effort", "").unwrap() * motion.report.energy
    };
    let plain = solve(&|_| {});
    for guess in [Guess::Pd, Guess::Arcs] {
        let other = solve(&|own| own.guess = guess);
        assert!((cost(&other) / cost(&plain) - 1.0).abs() < 1e-6, "{guess:?}");
    }
    let published = solve(&|own| own.solver = ControlSolver::Cg);
    let ratio = cost(&published) / cost(&plain);
    assert!((1.0 - 1e-9..1.0 + 1e-3).contains(&ratio), "{ratio}");
    assert!(matches!(under(1, &[]).when, When::Frame(1)));
}

/// Reduced forces, modes and poses are read from the cache the second time, and make the same motion, to the bit.
#[test]
fn a_second_solve_reads_the_cache() {
    let place = pulled();
    let first = place.solve();
    let entries = place.cache().list().unwrap().len();
    assert!(entries >= 4, "two poses, modes, coefficients: {entries}");
    let again = place.solve();
    assert_eq!(place.cache().list().unwrap().len(), entries);
    assert!(first.frames == again.frames && first.report == again.report);
}

/// A bar that swings up, down and up.
fn swings() -> Place {
    let mut place = Place::bar(37);
    let pose = |frame: i32, force: f64| under(frame, &[("right", [0.0, force, 0.0])]);
    place.shot.edit.poses = vec![pose(13, 120.0), pose(25, -120.0), pose(37, 120.0)];
    place.basis(|basis| basis.modes = 3).with(|shot| seconds(shot, 0.01))
}

fn meets(motion: &super::Motion) -> bool {
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    motion.each("poses", "relative_error").iter().all(|error| *error <= 1e-8)
}

/// A motion that may begin anywhere needs less force than one from rest.
#[test]
fn a_free_start_saves_force() {
    let rest = swings().solve();
    let free = swings()
        .with(|shot| {
            let start = Some(supple_project::shot::End::Free);
            shot.edit.ends = supple_project::shot::Ends::Apart { start, end: None };
        })
        .solve();
    assert!(meets(&rest) && meets(&free));
    assert!(free.report.energy < 0.9 * rest.report.energy);
}

/// A long motion is solved a few poses at a time: it meets them all, and takes little more force than all at once.
#[test]
fn a_long_motion_is_solved_a_few_poses_at_a_time() {
    let whole = swings().solve();
    let windows = swings().own(|own| own.keys_per_window = Some(2)).solve();
    let ratio = windows.report.energy / whole.report.energy;
    assert!(meets(&windows) && (1.0 - 1e-9..1.5).contains(&ratio), "{ratio}");
}

/// A motion begins as `[simulate] initial` says.
#[test]
fn a_motion_begins_in_the_initial_pose() {
    let place = swings();
    // Nothing where it is held, at its left end.
    let left = place.body().positions().iter().map(|x| x.x).fold(f64::INFINITY, f64::min);
    let up = move |x: &supple_mesh::Vec3| supple_mesh::Vec3::y() * 0.02 * (x.x - left).powi(2);
    place.write("bent.obj", |x| x + up(x));
    let bent = place.with(|shot| shot.simulate.initial.pose = Some("bent.obj".into()));
    let (motion, body) = (bent.solve(), bent.body());
    let begin = motion.frames[0].iter().zip(body.positions());
    let off = begin.map(|(x, rest)| (x - rest - up(rest)).norm()).fold(0.0, f64::max);
    assert!(meets(&motion) && off < 1e-6, "{off:e}");
}
