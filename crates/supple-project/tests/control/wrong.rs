//! What is wrong with a shot of poses is named.

use super::{Place, seconds, under, write_points};
use supple_project::shot::{
    Components, Control, ControlSolver, Ends, Goal, Handle, Hold, Input, Length, Pose, PoseVelocity, Segment,
    Shot, Site, When,
};

fn bar() -> Place {
    let mut place = Place::bar(13);
    place.shot.edit.poses = vec![under(9, &[("right", [0.0, 100.0, 0.0])])];
    place.basis(|basis| basis.modes = 2).with(|shot| seconds(shot, 0.02))
}

fn said(change: impl FnOnce(&mut Shot)) -> String {
    bar().with(change).try_solve().err().unwrap_or_else(|| "nothing".to_owned())
}

#[test]
fn what_is_wrong_is_named() {
    let own = |shot: &mut Shot, change: fn(&mut Control)| {
        let mut own = shot.edit.control_settings().unwrap();
        change(&mut own);
        shot.edit.set_control_settings(&own).unwrap();
    };
    type Case = (Box<dyn FnOnce(&mut Shot)>, &'static str);
    let cases: Vec<Case> = vec![
        (Box::new(|shot| shot.edit.poses.clear()), "has no key pose to go to; add [[edit.pose]]"),
        (
            Box::new(|shot| shot.edit.poses.push(shot.edit.poses[0].clone())),
            "pose 2: pose 1 asks for the same vertices at frame 9",
        ),
        (
            Box::new(|shot| shot.edit.poses[0].when = When::Frame(40)),
            "pose 1: there is no frame 40; the motion has frames 1 to 13",
        ),
        (
            Box::new(|shot| shot.edit.poses[0].when = When::Between(4.5)),
            "pose 1 is at frame 4.5, but the method \"control\" takes poses at whole frames",
        ),
        (Box::new(|shot| shot.edit.poses[0].group = Some("rihgt".into())), "right"),
        (
            Box::new(|shot| shot.edit.poses[0].components = Some(Components(vec![1, 99]))),
            "pose 1: there is no component 99; the basis has ",
        ),
        (Box::new(|shot| shot.edit.poses[0].hold = Hold::Soft(-1.0)), "pose 1: the hold of the key pose"),
        (Box::new(|shot| shot.motion.input = Input::Simulate), "makes a motion from rest"),
        (Box::new(|shot| shot.edit.ends = Ends::Loop), "`ends = \"loop\"`"),
        (
            Box::new(|shot| {
                let site = Site::Group("right".into());
                shot.edit.handles = vec![Handle::new(When::Frame(3), site, Goal::By([0.0; 3]))];
            }),
            "handle 1: the method \"control\" takes whole poses; write [[edit.pose]]",
        ),
        (
            Box::new(move |shot| own(shot, |own| own.solver = ControlSolver::Cg)),
            "pose 1: `solver = \"cg\"` needs soft key poses",
        ),
        (
            Box::new(|shot| {
                shot.edit.segments = vec![Segment::new(Length::Frames(3.5))];
                shot.edit.poses.clear();
            }),
            "segment 1: `frames` must be a whole number with the method \"control\", got 3.5",
        ),
        (
            Box::new(|shot| {
                shot.edit.segments = vec![Segment::new(Length::Frames(4.0))];
                shot.edit.poses.clear();
            }),
            "segment 1: has no key pose to go to; add [[edit.segment.pose]]",
        ),
        (Box::new(|shot| shot.edit.window = Some(3..=99)), "`window = [3, 99]` goes beyond the motion"),
    ];
    for (change, expected) in cases {
        let said = said(change);
        assert!(said.contains(expected), "{said}\n{expected}");
    }
}

/// Files of poses that are of something else, or have no places.
#[test]
fn files_of_poses_that_cannot_be_are_named() {
    let place = bar();
    let (few, file) = (place.folder.path().join("few.obj"), place.folder.path().join("nan.obj"));
    write_points(&few, vec![[0.0; 3]; 7]);
    let count = place.body().positions().len();
    let place = place.with(|shot| shot.edit.poses[0] = Pose::of_file(9, &few));
    let said = place.try_solve().err().unwrap();
    assert!(
        said.starts_with("pose 1: ") && said.contains(&format!("7 vertices, but the body has {count}")),
        "{said}"
    );
    let mut text = String::from("v nan 0 0\n");
    (1..count).for_each(|_| text += "v 0 0 0\n");
    std::fs::write(&file, text + "f 1 2 3\n").unwrap();
    let place = place.with(|shot| shot.edit.poses[0] = Pose::of_file(9, &file));
    let said = place.try_solve().err().unwrap();
    assert!(
        said.starts_with("pose 1: ") && said.to_lowercase().contains("nan") || said.contains("finite"),
        "{said}"
    );
}

/// A pose with a velocity is met at that velocity.
#[test]
fn a_pose_may_have_a_velocity() {
    let mut place = bar();
    place.shot.edit.poses[0].velocity = Some(PoseVelocity::Of([0.0, 1.0, 0.0]));
    let motion = place.solve();
    let body = place.body();
    let tip = body.groups.get("right").unwrap()[0].index();
    let speed = |frame: usize| (motion.frames[frame + 1][tip] - motion.frames[frame - 1][tip]).y * 12.0;
    let still = bar().solve();
    let was = (still.frames[9][tip] - still.frames[7][tip]).y * 12.0;
    assert!((speed(8) - was).abs() > 0.05, "{} {was}", speed(8));
}

/// A pose that presses a bar along itself is one it would leave sideways: it is used, and said.
#[test]
fn a_buckled_pose_is_a_warning() {
    let place = bar();
    place.write("pressed.obj", |x| supple_mesh::Vec3::new(0.8 * x.x, x.y, x.z));
    let place = place.with(|shot| shot.edit.poses[0] = Pose::of_file(9, "pressed.obj"));
    let motion = place.solve();
    assert!(
        motion.warnings.iter().any(|said| said.starts_with("pose 1 is buckled")),
        "{:?}",
        motion.warnings
    );
}
