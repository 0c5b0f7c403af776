//! Section `[edit]` but for its handles.

use super::{full, parse, refused};
use supple_project::shot::{
    Components, Damping, Edit, End, Ends, Expert, Feel, Hold, Method, Pose, PoseVelocity, Reach, Spread, When,
};

#[test]
fn poses_are_read() {
    let edit = full().edit;
    assert_eq!(edit.poses.len(), 4);
    assert_eq!(edit.poses[0], Pose::of_file(90, "crouch.obj"));
    let dance = Pose {
        when: When::Frames(100..=120),
        file_frame: Some(12),
        every: Some(5),
        velocity: Some(PoseVelocity::File("dance-velocity.obj".into())),
        group: Some("mast".into()),
        hold: Hold::Soft(3.0),
        ..Pose::of_file(0, "dance.pc2")
    };
    assert_eq!(edit.poses[1], dance);
    assert_eq!(dance.frames().collect::<Vec<_>>(), [100, 105, 110, 115, 120]);
    let pushed = &edit.poses[2];
    assert_eq!((pushed.file.as_ref(), pushed.loads.len(), pushed.pins.len()), (None, 1, 1));
    assert_eq!(pushed.velocity, Some(PoseVelocity::Of([0.0, 1.0, 0.0])));
    assert_eq!(edit.poses[3].components, Some(Components(vec![1, 4])));
}

#[test]
fn the_edit_is_read() {
    let edit = full().edit;
    assert_eq!(edit.method, Method::Control);
    assert_eq!(edit.damping, Some(Damping { mass: 0.1, stiffness: 0.01 }));
    assert_eq!(edit.ends, Ends::Apart { start: Some(End::Free), end: Some(End::Clamped) });
    assert_eq!(edit.window, Some(-20..=180));
    assert_eq!((edit.gravity, edit.weight), (Some([0.0, -9.81, 0.0]), Some(true)));
    assert!(edit.sparse.is_some() && edit.control.is_some() && edit.material.is_none());
    let expert = Expert { fade: Some(8.0), space: Some(-0.5), wiggle_free: Some(2.0), limit: Some(1.25) };
    assert_eq!(edit.expert, Some(expert));

    let edit = |line: &str| parse(&format!("[edit]\n{line}")).unwrap().edit;
    let linear = edit("modes = 200\npart = 'mast'\nwarp = false\nexact = false");
    assert_eq!((linear.modes, linear.part.as_deref()), (200, Some("mast")));
    assert_eq!((linear.warp, linear.exact), (false, false));
    assert_eq!(edit("ends = 'loop'"), Edit { ends: Ends::Loop, ..Edit::default() });
    assert_eq!(edit("ends = {}"), Edit::default());
    assert_eq!((edit("").feel, edit("feel = 'lively'").feel), (Feel::Smooth, Feel::Lively));
    assert_eq!(edit("reach = 12\nspread = 0.5").reach, Some(Reach(12.0)));
    assert_eq!(edit("reach = 12\nspread = 0.5").spread, Some(Spread(0.5)));
    let damping = Some(Damping { mass: 0.0, stiffness: 0.5 });
    assert_eq!(edit("damping = { stiffness = 0.5 }"), Edit { damping, ..Edit::default() });
    for method in [Method::Drag, Method::Sparse, Method::Material, Method::Control] {
        assert_eq!(edit(&format!("method = '{}'", method.name())).method, method);
    }
}

#[test]
fn mistakes_in_the_edit_are_named() {
    refused(&[
        ("[edit]\nmode = 3", "5:1: unknown key `mode` in [edit]; did you mean `modes`?"),
        ("[edit]\nmodes = 1.5", "5:9: `edit.modes` takes a whole number, found a number"),
        ("[edit]\nmodes = 0", "5:9: `edit.modes` must be at least 1, got 0"),
        ("[edit]\nmethod = 'darg'", "5:10: `edit.method` cannot be \"darg\"; did you mean `drag`?"),
        (
            "[edit]\ndamping = { masse = 1 }",
            "5:13: unknown key `masse` in [edit.damping]; did you mean `mass`?",
        ),
        ("[edit]\ndamping = { mass = -1 }", "5:20: `edit.damping.mass` must not be negative, got -1"),
        (
            "[edit]\ndamping = { stiffness = -1 }",
            "5:25: `edit.damping.stiffness` must not be negative, got -1",
        ),
        ("[edit]\nends = 'lop'", "5:8: `edit.ends` cannot be \"lop\"; did you mean `loop`?"),
        ("[edit]\nends = 1", "5:8: `edit.ends` takes \"loop\" or a table, found a whole number"),
        (
            "[edit]\nends = { strat = 'free' }",
            "5:10: unknown key `strat` in [edit.ends]; did you mean `start`?",
        ),
        (
            "[edit]\nends = { end = 'clampd' }",
            "5:16: `edit.ends.end` cannot be \"clampd\"; did you mean `clamped`?",
        ),
        ("[edit]\nfeel = 'smoth'", "5:8: `edit.feel` cannot be \"smoth\"; did you mean `smooth`?"),
        ("[edit]\nfeel = 'calm'", "5:8: `edit.feel` cannot be \"calm\"; known: `smooth`, `lively`"),
        ("[edit]\nreach = 0", "5:9: `edit.reach` must be greater than 0, got 0"),
        ("[edit]\nspread = 0.04", "5:10: `edit.spread` must be between 0.05 and 1, got 0.04"),
        ("[edit]\nspread = 1.5", "5:10: `edit.spread` must be between 0.05 and 1, got 1.5"),
        (
            "[edit]\nreach = { frames = 8 }",
            "5:9: `edit.reach` is now a number of frames, such as `reach = 24`; its old keys `frames` and \
             `space` are now `fade` and `space` in [edit.expert]",
        ),
        (
            "[edit]\nwiggle_free = 1",
            "5:1: unknown key `wiggle_free` in [edit]; it is now a key of [edit.expert]",
        ),
        ("[edit.expert]\nfade = 0", "5:8: `edit.expert.fade` must be greater than 0, got 0"),
        ("[edit.expert]\nwiggle_free = 0", "5:15: `edit.expert.wiggle_free` must be greater than 0, got 0"),
        ("[edit.expert]\nlimit = 1", "5:9: `edit.expert.limit` must be greater than 1, got 1"),
        ("[edit]\nwindow = [5, 4]", "5:10: `edit.window` ends at 4, before it begins at 5"),
        ("[edit]\nwindow = [5]", "5:10: `edit.window` takes two frames [first, last], found 1"),
        ("[edit]\nwindow = 5", "5:10: `edit.window` takes two frames [first, last], found a whole number"),
        (
            "[edit]\nwindow = [0, 3000000000]",
            "5:14: `edit.window[1]` must be between -2147483648 and 2147483647, got 3000000000",
        ),
        ("[edit]\npose = { frame = 1 }", "5:8: `edit.pose` takes a list of tables, found a table"),
        ("[[edit.pose]]\nfile = 'a.obj'", "4:1: `edit.pose[0]` takes one of frame or frames, found none"),
    ]);
}
