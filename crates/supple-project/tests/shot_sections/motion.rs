//! Section `[motion]`.

use super::{full, parse, refused};
use supple_project::shot::{Axis, Input, Motion, SecondsPerFrame};

#[test]
fn the_motion_is_read() {
    let motion = Motion {
        input: Input::File("bridge-sim.pc2".into()),
        start: Some(-20),
        frames: Some(240),
        fps: Some(24.0),
        seconds_per_frame: SecondsPerFrame::Seconds(0.02),
        ..Motion::default()
    };
    assert_eq!(full().motion, motion);
    let imported = parse(
        "[motion]\ninput = 'party.usda'\nobject = '/root/cape'\ntopology = 'cape.obj'\nunit = 0.01\nup = 'z'\nfit = true",
    );
    let expected = Motion {
        input: Input::File("party.usda".into()),
        object: Some("/root/cape".into()),
        topology: Some("cape.obj".into()),
        unit: Some(0.01),
        up: Some(Axis::Z),
        fit: Some(true),
        ..Motion::default()
    };
    assert_eq!(imported.unwrap().motion, expected);
    for (text, input) in [
        ("rest", Input::Rest),
        ("simulate", Input::Simulate),
        ("./rest", Input::File("./rest".into())),
        ("rest.pc2", Input::File("rest.pc2".into())),
        ("takes/rest", Input::File("takes/rest".into())),
        ("walk", Input::File("walk".into())),
    ] {
        let motion =
            parse(&format!("[motion]\ninput = '{text}'\nseconds_per_frame = 'auto'")).unwrap().motion;
        assert_eq!(motion, Motion { input, ..Motion::default() });
    }
}

#[test]
fn mistakes_in_the_motion_are_named() {
    refused(&[
        ("[motion]\nimput = 'rest'", "5:1: unknown key `imput` in [motion]; did you mean `input`?"),
        ("[motion]\ninput = 'rest'\nup = 'z'", "6:6: `motion.up` needs a file, but `input` is not a file"),
        ("[motion]\ninput = 'a.pc2'\nunit = 0.0", "6:8: `motion.unit` must be greater than 0, got 0.0"),
        (
            "[motion]\ninput = 'simulte'",
            "5:9: `motion.input` cannot be \"simulte\"; did you mean `simulate`, or the file `./simulte`?",
        ),
        ("[motion]\ninput = 3", "5:9: `motion.input` takes a string, found a whole number"),
        ("[motion]\nframes = 0", "5:10: `motion.frames` must be at least 1, got 0"),
        ("[motion]\nframes = 2.0", "5:10: `motion.frames` takes a whole number, found a number"),
        ("[motion]\nfps = 0", "5:7: `motion.fps` must be greater than 0, got 0"),
        ("[motion]\nfps = inf", "5:7: `motion.fps` must be a finite number, got inf"),
        (
            "[motion]\nseconds_per_frame = -1",
            "5:21: `motion.seconds_per_frame` must be greater than 0, got -1",
        ),
        // Numbers of frames ran out.
        (
            "[motion]\nstart = 2147483647",
            "5:9: `motion.start` must be between -1000000000 and 1000000000, got 2147483647",
        ),
        // 1e-300 came out as NaN, and 1e300 in 300 digits.
        (
            "[motion]\nseconds_per_frame = 1e-300",
            "5:21: `motion.seconds_per_frame` must be between 1e-9 and 1e6 seconds, got 1e-300",
        ),
        (
            "[motion]\nseconds_per_frame = 1e300",
            "5:21: `motion.seconds_per_frame` must be between 1e-9 and 1e6 seconds, got 1e300",
        ),
        (
            "[motion]\nfps = 1e-300",
            "5:7: `motion.fps` must be between 1e-6 and 1e9 frames per second, got 1e-300",
        ),
        (
            "[simulate]\nseconds_per_frame = 1e-300",
            "5:21: `simulate.seconds_per_frame` must be between 1e-9 and 1e6 seconds, got 1e-300",
        ),
        (
            "[motion]\nseconds_per_frame = 'atuo'",
            "5:21: `motion.seconds_per_frame` cannot be \"atuo\"; did you mean `auto`?",
        ),
        (
            "[motion]\nseconds_per_frame = [1]",
            "5:21: `motion.seconds_per_frame` takes a number of seconds or \"auto\", found a list",
        ),
    ]);
}
