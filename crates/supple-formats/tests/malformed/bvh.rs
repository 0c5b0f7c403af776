//! Skeletons that move.

use crate::malformed::assert_messages;
use crate::samples::rigs::BVH;
use supple_formats::read_bvh;

/// What is said of the sample with one of its texts replaced.
fn assert_replaced(cases: &[(&str, &str, &str)]) {
    for (there, instead, message) in cases {
        assert!(BVH.contains(there), "{there:?} is not in the sample");
        assert_messages(read_bvh, &[(BVH.replacen(there, instead, 1).as_str(), message)]);
    }
}

#[test]
fn joints() {
    assert_messages(
        read_bvh,
        &[
            ("", "line 1: expected HIERARCHY, found the end of the file"),
            ("\n\nMOTION", "line 3: expected HIERARCHY, found \"MOTION\""),
            ("HIERARCHY\nJOINT a", "line 2: expected ROOT, found \"JOINT\""),
            ("HIERARCHY\nROOT \n{", "line 2: expected the name of a joint, found the end of the line"),
            ("HIERARCHY\nROOT a\nOFFSET", "line 3: expected {, found \"OFFSET\""),
            (
                "HIERARCHY\nROOT a {\n",
                "line 3: expected OFFSET, CHANNELS, JOINT, End Site or the } of joint \"a\", found the end of the file",
            ),
        ],
    );
}

#[test]
fn offsets_and_channels() {
    assert_replaced(&[
        (
            "0.5 -4.25 0\n",
            "0.5 -4.25\n",
            "line 8: expected 3 numbers of an OFFSET, found the end of the line",
        ),
        ("0.5 -4.25 0\n", "0.5 -4.25 x\n", "line 8: expected 3 numbers of an OFFSET, found \"x\""),
        ("0.5 -4.25 0\n", "0.5 nan 0\n", "line 8: \"nan\" is not a finite number"),
        ("0.5 -4.25 0\n", "0.5 1e999 0\n", "line 8: \"1e999\" is not a finite number"),
        (
            "0.5 -4.25 0\n",
            "0.5 -4.25 0 1\n",
            "line 8: expected OFFSET, CHANNELS, JOINT, End Site or the } of joint \"LeftLeg\", found \"1\"",
        ),
        ("OFFSET 0.5 -4.25 0\n", "\n", "line 10: expected OFFSET of joint \"LeftLeg\" first, found \"End\""),
        (
            "CHANNELS 1 Xrotation\n",
            "\n",
            "line 10: expected CHANNELS of joint \"LeftLeg\" first (CHANNELS 0 where nothing moves), found \"End\"",
        ),
        ("CHANNELS 1 Xrotation\n", "OFFSET 0 0 0\n", "line 9: OFFSET of joint \"LeftLeg\" is defined twice"),
        ("OFFSET 0.5 -4.25 0\n", "CHANNELS 0\n", "line 9: CHANNELS of joint \"LeftLeg\" is defined twice"),
        (
            "CHANNELS 1 ",
            "CHANNELS 2 ",
            "line 9: expected as many channels as announced (2), as Xposition or Zrotation, found the end of the line",
        ),
        (
            "CHANNELS 1 ",
            "CHANNELS 0 ",
            "line 9: expected OFFSET, CHANNELS, JOINT, End Site or the } of joint \"LeftLeg\", found \"Xrotation\"",
        ),
        (
            "CHANNELS 1 ",
            "CHANNELS ",
            "line 9: expected how many channels there are, 0 to 6, found \"Xrotation\"",
        ),
        ("CHANNELS 1 ", "CHANNELS 7 ", "line 9: expected how many channels there are, 0 to 6, found \"7\""),
        (
            "CHANNELS 1 Xrotation",
            "CHANNELS 1 Wrotation",
            "line 9: expected as many channels as announced (1), as Xposition or Zrotation, found \"Wrotation\"",
        ),
        ("Xposition Yposition", "Xposition xPosition", "line 5: channel \"xPosition\" is defined twice"),
    ]);
}

#[test]
fn ends_and_braces() {
    assert_replaced(&[
        (
            "End Site",
            "End Sight",
            "line 10: expected OFFSET, CHANNELS, JOINT, End Site or the } of joint \"LeftLeg\", found \"End\"",
        ),
        (
            "OFFSET 0 -4.5 1e-05",
            "JOINT a",
            "line 12: expected OFFSET or the } of an End Site, found \"JOINT\"",
        ),
        (
            "OFFSET 0 -4.5 1e-05",
            "CHANNELS 1 Xrotation",
            "line 12: expected OFFSET or the } of an End Site, found \"CHANNELS\"",
        ),
        (
            "\t}\n}\n",
            "\t}\n",
            "line 15: expected OFFSET, CHANNELS, JOINT, End Site or the } of joint \"Hips\", found \"MOTION\"",
        ),
        ("MOTION", "}\nMOTION", "line 16: expected MOTION, found \"}\""),
        (
            "MOTION",
            "ROOT b\n{",
            "line 16: a second ROOT (save each skeleton in a separate file) is not supported",
        ),
        ("MOTION", "JOINT b\n{", "line 16: expected MOTION, found \"JOINT\""),
    ]);
}

#[test]
fn frames() {
    assert_replaced(&[
        ("Frames: 2\n", "", "line 18: expected Frames: and a number, found \"0 9 0 10 20 30 12.5\""),
        ("Frames: 2", "Frames: many", "line 17: expected a number of frames, found \"many\""),
        ("Frames: 2", "Frames: -2", "line 17: expected a number of frames, found \"-2\""),
        ("Frames: 2", "Frames:", "line 17: expected a number of frames, found \"\""),
        ("Frames: 2", "Frames: 0", "line 17: the file has no frames"),
        (
            "Frames: 2",
            "Frames: 1",
            "line 20: expected the end of the file after frame 1, the last it announces, found \"0.1 9.25 -0.5 -10 +20 -.5 12.750000\"",
        ),
        (
            "Frames: 2",
            "Frames: 3",
            "line 17: the file announces 3 frames, but 2 follow: it is incomplete, export or copy it again",
        ),
        (
            "Frames: 2",
            "Frames: 18446744073709551615",
            "line 17: the file announces 18446744073709551615 frames, but 2 follow: it is incomplete, export or copy it again",
        ),
        (
            "Frames: 2",
            "Frame Time: 1\nFrame Time: 1",
            "line 18: expected Frames: and a number, found \"Frame Time: 1\"",
        ),
        (
            "Frame Time: .0083333\n",
            "",
            "line 18: expected Frame Time: and seconds, found \"0 9 0 10 20 30 12.5\"",
        ),
        (
            "Frame Time: .0083333",
            "Frame Time: 0",
            "line 18: expected a time of more than 0 seconds between frames, found \"0\"",
        ),
        (
            "Frame Time: .0083333",
            "Frame Time: 1e-320",
            "line 18: expected a time of more than 0 seconds between frames, found \"1e-320\"",
        ),
        ("Frame Time: .0083333", "Frame Time: inf", "line 18: \"inf\" is not a finite number"),
        ("10 20 30 12.5", "10 20 30", "line 19: expected 7 numbers, one for each channel, found 6"),
        ("10 20 30 12.5", "10 20 30 12.5 9", "line 19: expected 7 numbers, one for each channel, found 8"),
        ("10 20 30 12.5", "10 20 -NaN 12.5", "line 19: \"-NaN\" is not a finite number"),
        ("10 20 30 12.5", "10 20 3O 12.5", "line 19: expected a number, found \"3O\""),
        (
            "12.750000\n",
            "12.750000\n}\n",
            "line 21: expected the end of the file after frame 2, the last it announces, found \"}\"",
        ),
    ]);
    let begin = BVH.find("MOTION").unwrap_or_default();
    assert_messages(
        read_bvh,
        &[
            (&BVH[..begin], "line 16: expected MOTION, found the end of the file"),
            (&BVH[..begin + 6], "line 16: expected Frames: and a number, found the end of the file"),
            (
                "HIERARCHY ROOT a\n{ OFFSET 0 0 0\nCHANNELS 0 }\nMOTION\nFrames: 9\nFrame Time: 1\n",
                "the file has no channels",
            ),
        ],
    );
}

/// Joints without end, beside and inside of each other, and a long name that every end repeats: refused before they cost
/// anything.
#[test]
fn too_many_joints() {
    let root = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
    let joint = "JOINT a {OFFSET 0 0 0 CHANNELS 0\n";
    let assert_refused = |text: String, message: &str| match read_bvh(text.as_bytes()) {
        Ok(_) => panic!("accepted, instead of {message}"),
        Err(error) => assert_eq!(error.to_string(), message),
    };
    let wide = format!("{root}{}", format!("{joint}}}").repeat(200_000));
    assert_refused(wide, "line 65541: a file of more than 65536 joints is not supported");
    let deep = format!("{root}{}", joint.repeat(200_000));
    assert_refused(
        deep,
        "line 1005: a file with more than 1000 joints inside of each other is not supported",
    );
    let long = format!("HIERARCHY\nROOT {}\n{{", "n".repeat(1_000_000));
    let shown = "n".repeat(40);
    assert_refused(long, &format!("line 2: expected a name of at most 256 bytes, found \"{shown}…\""));
}
