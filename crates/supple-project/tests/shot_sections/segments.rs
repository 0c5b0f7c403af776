//! Chains, `[[edit.segment]]`, and what the method `sparse` needs of the rest of a shot.

use super::{parse, refused};
use supple_project::shot::{Anchor, At, End, Flight, Land, Length, SparseSolver, When};

const SPARSE: &str = "[edit]\nmethod = 'sparse'\ngravity = [0, -9.81, 0]\n";

/// A shot of the method `sparse` with these lines from line 7 on; what is said of it.
fn refused_after(cases: &[(&str, &str)]) {
    for (lines, expected) in cases {
        let error = parse(&format!("{SPARSE}{lines}")).unwrap_err().to_string();
        assert_eq!(error, format!("bridge.toml:{expected}"), "{lines}");
    }
}

#[test]
fn segments_are_read() {
    let shot = parse(&format!(
        "{SPARSE}[edit.sparse]\nsolver = 'gauss-newton'\n[[edit.segment]]\nanchors = {{ group = 'feet' }}\nframes = \
         24.5\nmodes = 12\nend = 'clamped'\n[[edit.segment.handle]]\nat = 'end'\ncenter_of_mass = true\nvelocity \
         = [0, 3, 0]\n[[edit.segment.pose]]\nat = 3\nfile = 'a.obj'\n[[edit.segment]]\nflight = {{ land = 0.8 \
         }}\n[[edit.segment]]\nframes = 3"
    ))
    .unwrap();
    assert_eq!(shot.edit.sparse_settings().unwrap().solver, SparseSolver::GaussNewton);
    let [first, flight, last] = shot.edit.segments.as_slice() else { panic!("three") };
    assert_eq!(first.anchors, Some(vec![Anchor::Group("feet".into())]));
    assert_eq!((first.length, first.modes, first.end), (Length::Frames(24.5), Some(12), Some(End::Clamped)));
    assert_eq!(first.handles[0].when, When::At(At::End));
    assert_eq!(first.poses[0].when, When::At(At::Frames(3.0)));
    assert_eq!(flight.length, Length::Flight(Flight { land: Land::Height(0.8) }));
    assert_eq!((last.length, last.anchors.as_ref()), (Length::Frames(3.0), None));
}

#[test]
fn lengths_that_are_none_are_named() {
    refused_after(&[
        ("[[edit.segment]]\nframes = 0", "8:10: `edit.segment[0].frames` must be greater than 0, got 0"),
        (
            "[[edit.segment]]\nframes = -3.5",
            "8:10: `edit.segment[0].frames` must be greater than 0, got -3.5",
        ),
        ("[[edit.segment]]\nframes = nan", "8:10: `edit.segment[0].frames` must be a finite number, got nan"),
        ("[[edit.segment]]\nframes = inf", "8:10: `edit.segment[0].frames` must be a finite number, got inf"),
        (
            "[[edit.segment]]\nframes = 'long'",
            "8:10: `edit.segment[0].frames` takes a number, found a string",
        ),
        ("[[edit.segment]]\nmodes = 3", "7:1: `edit.segment[0]` takes one of frames or flight, found none"),
        (
            "[[edit.segment]]\nframes = 3\nflight = {}",
            "7:1: `edit.segment[0]` takes one of frames or flight, found frames and flight",
        ),
        (
            "[[edit.segment]]\nflight = { land = nan }",
            "8:19: `edit.segment[0].flight.land` must be a finite number, got nan",
        ),
        (
            "[[edit.segment]]\nflight = { land = 'reast' }",
            "8:19: `edit.segment[0].flight.land` cannot be \"reast\"; did you mean `rest`?",
        ),
        ("[[edit.segment]]\nframes = 3\nmodes = 0", "9:9: `edit.segment[0].modes` must be at least 1, got 0"),
        (
            "[[edit.segment]]\nfrmes = 3",
            "8:1: unknown key `frmes` in [edit.segment[0]]; did you mean `frames`?",
        ),
        (
            "[[edit.segment]]\nframes = 3\nanchors = []",
            "9:11: `edit.segment[0].anchors` is empty; leave it out for the anchors of [body]",
        ),
    ]);
}

#[test]
fn flights_in_the_wrong_place_are_named() {
    let ground = "[[edit.segment]]\nframes = 3\n";
    let flight = "[[edit.segment]]\nflight = {}\n";
    let twice = format!("{ground}{flight}{flight}");
    refused_after(&[
        (
            flight,
            "8:10: `edit.segment[0].flight` cannot come first: it begins with the velocity of the segment before; \
             put one with `frames` there",
        ),
        (
            &twice,
            "12:10: `edit.segment[2].flight` cannot follow a flight; join the two, or put a segment with `frames` \
             between them",
        ),
        (
            &format!("{ground}{flight}anchors = {{ group = 'feet' }}"),
            "11:11: `edit.segment[1].anchors` holds nothing in a flight; leave it out",
        ),
        (
            &format!("{ground}{flight}end = 'free'"),
            "11:7: `edit.segment[1].end` is for segments on the ground; a flight ends where it lands",
        ),
    ]);
    for gravity in ["", "gravity = [0, 0, 0]\n"] {
        let said =
            parse(&format!("[edit]\nmethod = 'sparse'\n{gravity}{ground}{flight}")).unwrap_err().to_string();
        let expected = "`edit.segment[1].flight` needs `gravity` in [edit], as in `gravity = [0, -9.81, 0]`";
        assert!(said.ends_with(expected), "{said}");
    }
}

#[test]
fn times_and_keys_in_the_wrong_place_are_named() {
    let handle = "group = 'top'\nby = [0, 1, 0]\n";
    let inside =
        |when: &str| format!("[[edit.segment]]\nframes = 3\n[[edit.segment.handle]]\n{when}\n{handle}");
    let scene = "counts frames of the scene; inside a segment write `at`, from the segment's start";
    refused_after(&[
        (
            &inside("at = 3.5"),
            "10:6: `edit.segment[0].handle[0].at` must be within its segment of 3 frames, got 3.5",
        ),
        (&inside("at = -1"), "10:6: `edit.segment[0].handle[0].at` must not be negative, got -1"),
        (&inside("at = nan"), "10:6: `edit.segment[0].handle[0].at` must be a finite number, got nan"),
        (&inside("at = 'ned'"), "10:6: `edit.segment[0].handle[0].at` cannot be \"ned\"; known: `end`"),
        (&inside("frame = 2"), &format!("10:9: `edit.segment[0].handle[0].frame` {scene}")),
        (&inside("frames = [1, 2]"), &format!("10:10: `edit.segment[0].handle[0].frames` {scene}")),
        (&inside(""), "9:1: [edit.segment[0].handle[0]] needs the key `at`"),
        (
            &format!("[[edit.handle]]\nat = 3\n{handle}"),
            "8:6: `edit.handle[0].at` counts from the start of a segment; outside segments write `frame`",
        ),
        (
            &format!("[[edit.handle]]\nframe = 3\n{handle}[[edit.segment]]\nframes = 3"),
            "7:1: `edit.handle` belongs to a segment when there are segments; write [[edit.segment.handle]]",
        ),
        (
            "[[edit.pose]]\nframe = 3\nfile = 'a.obj'\n[[edit.segment]]\nframes = 3",
            "7:1: `edit.pose` belongs to a segment when there are segments; write [[edit.segment.pose]]",
        ),
        (
            "ends = 'loop'\n[[edit.segment]]\nframes = 3",
            "7:8: `edit.ends` cannot be \"loop\" with segments; remove one of them",
        ),
        (
            "window = [1, 2]\n[[edit.segment]]\nframes = 3",
            "7:10: `edit.window` cannot be combined with segments; remove it",
        ),
        (
            "[[edit.segment]]\nframes = 3\n[motion]\nframes = 9",
            "10:10: `motion.frames` cannot be combined with segments, which have their own lengths; remove it",
        ),
        (
            &format!("[[edit.handle]]\nframe = 3\npoints = 'each'\nhold = 'hard'\n{handle}"),
            "10:8: `edit.handle[0].hold` cannot be \"hard\" with `points = \"each\"` and the method \"sparse\"; leave \
             it out, write a number, or hold the mean or a single point",
        ),
    ]);
}

#[test]
fn what_sparse_does_not_take_is_named() {
    let rest = "cannot be the input of the method \"sparse\", which makes a motion from rest; write `input = \"rest\"`";
    refused_after(&[
        ("[motion]\ninput = 'run.pc2'", &format!("8:9: `motion.input` {rest}")),
        ("[motion]\ninput = 'simulate'", &format!("8:9: `motion.input` {rest}")),
        ("modes = 0", "7:9: `edit.modes` must be at least 1, got 0"),
        (
            "[edit.sparse]\nsolver = 'newtn'",
            "8:10: `edit.sparse.solver` cannot be \"newtn\"; did you mean `newton`?",
        ),
        ("[edit.sparse]\nfade = -1", "8:8: `edit.sparse.fade` must not be negative, got -1"),
        (
            "[edit.sparse]\nsolvr = 'newton'",
            "8:1: unknown key `solvr` in [edit.sparse]; did you mean `solver`?",
        ),
    ]);
    refused(&[
        (
            "[[edit.handle]]\nframe = 3.5\nvertex = 1\nby = [0, 1, 0]",
            "5:9: `edit.handle[0].frame` must be a whole frame with the method \"drag\" (fractions are for the methods \
             \"sparse\" and \"control\"), got 3.5",
        ),
        (
            "[[edit.segment]]\nframes = 3",
            "4:1: `edit.segment` is for the methods \"sparse\" and \"control\", and this shot's method is \"drag\"",
        ),
    ]);
}
