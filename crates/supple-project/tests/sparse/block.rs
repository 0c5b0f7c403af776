//! One key on the top of a block: stretched, tilted and twisted (Schulz et al. 2014, Fig. 9).

use super::{Motion, Place, each, turn};
use supple_model::Status;
use supple_project::shot::{Damping, Ends, Goal, Handle, Hold, Length, OwnTable, Segment, Site, When};

const KEY: i32 = 25;
const TOP: [f64; 3] = [0.0, 0.5, 0.0];

fn goals() -> [(&'static str, Goal, f64); 3] {
    [
        ("stretch", Goal::By([0.0, 0.4, 0.0]), 0.03),
        ("tilt", turn(TOP, [0.0, 0.0, 1.0], 90.0), 0.01),
        ("twist", turn(TOP, [0.0, 1.0, 0.0], 180.0), 0.03),
    ]
}

fn keyed(goal: Goal) -> Place {
    let mut place = Place::new("block");
    place.shot.edit.handles = vec![each(When::Frame(KEY), "top", goal)];
    place
}

/// How much larger the block is at the key, as a part of its volume.
fn swollen(place: &Place, motion: &Motion) -> f64 {
    let body = place.body();
    let volume = |x: &[supple_mesh::Vec3]| -> f64 {
        let of =
            |[a, b, c]: &[supple_model::VertexId; 3]| x[a.index()].dot(&x[b.index()].cross(&x[c.index()]));
        body.surface.iter().map(of).sum()
    };
    volume(&motion.frames[KEY as usize - 1]) / volume(body.positions()) - 1.0
}

#[test]
fn keys_are_met_where_the_linear_motion_warped_afterwards_is_far_off() {
    for (name, goal, most) in goals() {
        let mut place = keyed(goal);
        let ours = place.solve();
        assert_eq!(ours.report.status, Status::Settled, "{name}: {:?}", ours.report);
        let off = |motion: &Motion| motion.report.handles[0].rms / motion.report.handles[0].asked;
        assert!(off(&ours) <= most, "{name}: {}", off(&ours));
        if name == "tilt" {
            assert!(swollen(&place, &ours).abs() < 0.05, "{}", swollen(&place, &ours));
            place.shot.edit.exact = false;
            let warped = place.solve();
            let there = missed(&place, &warped);
            assert!(there >= 0.2, "warped afterwards: {there}");
            // And the report says so.
            assert!((off(&warped) - there).abs() < 1e-6, "{} {there}", off(&warped));
            place.shot.edit.warp = false;
            let linear = place.solve();
            assert!(swollen(&place, &linear) >= 0.15, "linear: {}", swollen(&place, &linear));
        }
    }
}

/// How far the top of a motion is from where a tilt asks it to be, as a part of the way.
fn missed(place: &Place, motion: &Motion) -> f64 {
    let body = place.body();
    let rotation =
        nalgebra::Rotation3::from_axis_angle(&supple_mesh::Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
    let about = supple_mesh::Vec3::from(TOP);
    let (mut off, mut way) = (0.0, 0.0);
    for v in body.groups.get("top").unwrap() {
        let (rest, mass) = (body.positions()[v.index()], body.elastic.masses()[v.index()]);
        let goal = about + rotation * (rest - about);
        off += mass * (motion.frames[KEY as usize - 1][v.index()] - goal).norm_squared();
        way += mass * (goal - rest).norm_squared();
    }
    (off / way).sqrt()
}

#[test]
fn solvers_end_in_the_same_energy() {
    for (name, goal, _) in goals() {
        let mut place = keyed(goal);
        let newton = place.solve().report;
        for solver in ["gauss-newton", "bfgs"] {
            place.shot = own(&place.shot, &format!("solver = \"{solver}\""));
            let other = place.solve().report;
            // Where it does not converge it says so.
            if other.status == Status::Settled {
                let (a, b) = (newton.energy + newton.penalty, other.energy + other.penalty);
                assert!((a - b).abs() <= 1e-6 * a, "{name}, {solver}: {a} {b}");
            } else {
                assert_ne!(name, "tilt", "{solver}: {:?}", other.status);
            }
        }
    }
}

/// The shot with other settings of its method.
fn own(shot: &supple_project::Shot, line: &str) -> supple_project::Shot {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    std::fs::write(
        &file,
        format!(
            "[body]\nkind = \"solid\"\nmesh = \"x.msh\"\n[edit]\nmethod = \"sparse\"\n[edit.sparse]\n{line}\n"
        ),
    )
    .unwrap();
    let own: Option<OwnTable> = supple_project::Shot::load(&file).unwrap().edit.sparse;
    let mut shot = shot.clone();
    shot.edit.sparse = own;
    shot
}

/// The error of the mean falls like 1/κ.
#[test]
fn a_soft_mean_misses_what_its_hold_says() {
    for kappa in [1.0, 1e2, 1e4, 1e6] {
        let mut place = Place::new("block");
        let mut handle =
            Handle::new(When::Frame(KEY), Site::Group("top".into()), Goal::By([0.002, 0.0, 0.0]));
        handle.hold = Some(Hold::Soft(kappa));
        place.shot.edit.handles = vec![handle];
        let told = &place.solve().report.handles[0];
        let off = (1.0 + kappa) * told.error / told.asked;
        assert!((0.5..2.0).contains(&off), "{kappa}: {off}");
    }
}

/// Times between frames are times as all others.
#[test]
fn a_key_between_frames_is_met_there() {
    let mut place = Place::new("block");
    place.shot.edit.handles = vec![
        Handle::new(When::Between(24.5), Site::Group("top".into()), Goal::By([0.3, -0.05, 0.0])),
        Handle::new(When::Between(30.25), Site::CenterOfMass, Goal::Velocity([0.0, 1.0, 0.0])),
    ];
    let motion = place.solve();
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    let times: Vec<f64> = motion.report.handles.iter().map(|handle| handle.time).collect();
    assert_eq!(times, [24.5, 30.25]);
    assert!(motion.report.handles.iter().all(|handle| handle.error < 1e-6), "{:?}", motion.report.handles);
}

#[test]
fn a_loop_closes() {
    let mut place = keyed(turn(TOP, [0.0, 0.0, 1.0], 40.0));
    place.shot.edit.ends = Ends::Loop;
    place.shot.edit.damping = Some(Damping { mass: 0.5, stiffness: 0.002 });
    let motion = place.solve();
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    let (first, last) = (&motion.frames[0], motion.frames.last().unwrap());
    let off = first.iter().zip(last).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(off <= 1e-9 * motion.size, "{off:e}");
    assert!(first.iter().zip(&motion.frames[12]).any(|(a, b)| (a - b).norm() > 0.01 * motion.size));
}

#[test]
fn what_is_wrong_is_named() {
    let wrong = |change: &dyn Fn(&mut Place)| {
        let mut place = keyed(Goal::By([0.0, 0.1, 0.0]));
        change(&mut place);
        place.try_solve().map(|_| ()).unwrap_err()
    };
    let handle = |site| Handle::new(When::Frame(KEY), site, Goal::By([0.0, 0.1, 0.0]));
    let said = wrong(&|place| place.shot.edit.handles = vec![handle(Site::Group("toe".into()))]);
    assert!(said.starts_with("handle 1: ") && said.contains("toe"), "{said}");
    let said = wrong(&|place| place.shot.edit.handles = vec![handle(Site::Group("base".into()))]);
    assert!(said.contains("anchored"), "{said}");
    let said = wrong(&|place| place.shot.edit.handles[0].when = When::Frame(1));
    assert!(said.contains("where the motion is given"), "{said}");
    let said = wrong(&|place| place.shot.edit.handles[0].when = When::Frame(99));
    assert!(said.contains("frames 1 to 49"), "{said}");
    let said = wrong(&|place| {
        place.shot.edit.modes = 2;
        place.shot.edit.handles = vec![handle(Site::CenterOfMass)];
    });
    assert!(said.contains("3 numbers") && said.contains("2 modes"), "{said}");
    let said = wrong(&|place| {
        place.shot.edit.handles.clear();
        place.shot.motion.frames = None;
        place.shot.edit.part = Some("top".into());
        place.shot.edit.segments = vec![Segment::new(Length::Frames(12.0))];
    });
    assert!(said.contains("`part` cannot be combined"), "{said}");
}
