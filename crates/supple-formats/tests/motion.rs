//! Motion on disk: what a path means, what is there after a job ends in any way, and what is said of
//! files that do not fit together.

#![expect(clippy::unwrap_used, reason = "helpers of tests, in which a failure may panic")]

use std::fs;
use std::path::Path;
use supple_formats::{FormatError, MotionFormat, MotionSettings, MotionWriter, SurfaceFile};
use supple_formats::{Scene, create_motion, is_motion_path, open_motion, open_scene};
use supple_model::{Frame, FrameSource};

const FORMATS: [&str; 6] = ["a.pc2", "a.mdd", "a.####.obj", "a.####.ply", "a.usda", "a.glb"];

fn triangle() -> SurfaceFile {
    SurfaceFile { positions: vec![[0.0; 3]; 3], triangles: vec![[0, 1, 2]], ..SurfaceFile::default() }
}

fn settings(expected_frames: usize) -> MotionSettings {
    MotionSettings::new(3, Frame(8), 24.0, expected_frames)
}

fn frame(x: f64) -> [[f64; 3]; 3] {
    [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]]
}

fn write(path: &Path, xs: &[f64], expected_frames: usize) -> Result<Box<dyn MotionWriter>, FormatError> {
    let mut writer = create_motion(path, settings(expected_frames), Some(&triangle()))?;
    xs.iter().for_each(|x| writer.write(&frame(*x)).unwrap());
    Ok(writer)
}

/// The first coordinate of every frame.
fn xs(path: &Path) -> Vec<f64> {
    let mut motion: Box<dyn FrameSource> = if is_motion_path(path) {
        let motion = open_motion(path).unwrap();
        assert_eq!(motion.info().start_frame(), Some(Frame(8)));
        Scene::of_motion(motion, Some(triangle()), path).unwrap().objects.remove(0).frames
    } else {
        let mut scene = open_scene(path).unwrap();
        // glTF has no time for a mesh that does not move.
        assert!(scene.frames == 1 || scene.start == Some(Frame(8)));
        scene.objects.remove(0).frames
    };
    let frames = motion.frames();
    let read = |index| {
        let mut positions = [[0.0; 3]; 3];
        motion.read(index, &mut positions).unwrap();
        assert_eq!(positions, frame(positions[0][0]));
        positions[0][0]
    };
    (0..frames).map(read).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// The error, without the path in front of it.
fn message(path: &Path, error: &FormatError) -> String {
    let text = error.to_string();
    let path = format!("{}: ", path.display());
    text.strip_prefix(&path).unwrap_or_else(|| panic!("{text} names {path}")).to_owned()
}

#[test]
fn a_finished_motion_holds_the_frames_that_came() {
    for name in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        // As many as expected, fewer in place of more, and more than expected.
        for (written, expected) in [(3, 3), (2, 3), (5, 5), (4, 5), (1, 4), (6, 3)] {
            let frames: Vec<f64> = (0..written).map(|i| f64::from(10 * expected + i)).collect();
            write(&path, &frames, expected as usize).unwrap().finish().unwrap();
            if name == "a.mdd" && written == 1 {
                // One time gives no rate, and so no first frame.
                assert_eq!(open_motion(&path).unwrap().info().start, None);
            } else {
                assert_eq!(xs(&path), frames, "{name}");
            }
            assert_eq!(names(folder.path()).len(), if name.contains('#') { written as usize } else { 1 });
        }
    }
}

#[test]
fn an_unfinished_motion_leaves_what_was_there() {
    for name in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        drop(write(&path, &[1.0, 2.0], 2).unwrap());
        assert_eq!(names(folder.path()), [] as [&str; 0]);

        write(&path, &[1.0, 2.0], 2).unwrap().finish().unwrap();
        let before = names(folder.path());
        drop(write(&path, &[3.0, 4.0], 2).unwrap());
        assert_eq!(xs(&path), [1.0, 2.0], "{name}");

        let error = write(&path, &[], 2).unwrap().finish().unwrap_err();
        let expected = "no frame was written, so there is no file: a motion needs at least one frame";
        assert_eq!(message(&path, &error), expected);
        assert_eq!(xs(&path), [1.0, 2.0], "{name}");
        assert_eq!(names(folder.path()), before);
    }
}

#[test]
fn a_frame_that_is_refused_leaves_no_trace() {
    for name in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut writer = write(&path, &[1.0], 9).unwrap();
        let mut refused = |positions: &[[f64; 3]]| {
            let error = writer.write(positions).unwrap_err();
            message(&path, error.0.downcast_ref::<FormatError>().unwrap())
        };
        let short = "frame 9 has 2 vertices, but the motion has 3: they must have the same number";
        assert_eq!(refused(&frame(0.0)[..2]), short);
        let mut bad = frame(0.0);
        bad[2][1] = f64::NAN;
        assert_eq!(refused(&bad), "vertex 2 of frame 9 is at NaN, which is not a finite number");
        if !name.contains('#') {
            bad[2][1] = -3.5e38;
            let beyond = "vertex 2 of frame 9 is at -3.5e38, but this format only stores values up to \
                          3.4e38: write a series name.####.obj, or use a larger unit";
            assert_eq!(refused(&bad), beyond);
        }
        writer.write(&frame(2.0)).unwrap();
        writer.finish().unwrap();
        assert_eq!(xs(&path), [1.0, 2.0], "{name}");
    }
}

#[test]
fn headers_are_written_as_the_formats_say() {
    let folder = tempfile::tempdir().unwrap();
    let pc2 = folder.path().join("a.pc2");
    write(&pc2, &[1.0, 2.0], 7).unwrap().finish().unwrap();
    let bytes = fs::read(&pc2).unwrap();
    assert_eq!(bytes[..20], *b"POINTCACHE2\0\x01\0\0\0\x03\0\0\0");
    assert_eq!(bytes[20..32], [0, 0, 0, 0x41, 0, 0, 0x80, 0x3F, 2, 0, 0, 0]);
    assert_eq!((bytes.len(), &bytes[32..36]), (32 + 72, &[0, 0, 0x80, 0x3F][..]));

    let mdd = folder.path().join("a.mdd");
    write(&mdd, &[1.0, 2.0], 7).unwrap().finish().unwrap();
    let bytes = fs::read(&mdd).unwrap();
    assert_eq!(bytes[..8], [0, 0, 0, 2, 0, 0, 0, 3]);
    // 8/24 s and 9/24 s.
    assert_eq!(bytes[8..16], [0x3E, 0xAA, 0xAA, 0xAB, 0x3E, 0xC0, 0, 0]);
    assert_eq!((bytes.len(), &bytes[16..20]), (16 + 72, &[0x3F, 0x80, 0, 0][..]));
}

#[test]
fn times_that_are_not_even_are_kept_and_go_on_evenly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mdd");
    let settings = MotionSettings { times: vec![0.5, 0.25], fps: 4.0, ..settings(2) };
    let mut writer = create_motion(&path, settings, None).unwrap();
    (0..4).for_each(|_| writer.write(&frame(0.0)).unwrap());
    writer.finish().unwrap();
    let motion = open_motion(&path).unwrap();
    assert_eq!(motion.info().times, [0.5, 0.25, 0.5, 0.75]);
    assert_eq!((motion.info().fps, motion.info().start), (None, None));
}

#[test]
fn a_path_means_a_mesh_or_a_motion() {
    let folder = tempfile::tempdir().unwrap();
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let present =
        ["a.obj", "lone7.obj", "b.0009.obj", "b.0010.obj", "c-9.obj", "c-10.obj", "d#2.obj", "d#3.obj"];
    for name in present {
        fs::write(folder.path().join(name), obj).unwrap();
    }
    fs::create_dir(folder.path().join("lone8.obj")).unwrap();
    let is_motion = |name: &str| is_motion_path(folder.path().join(name));
    for name in
        ["x.pc2", "X.MDD", "b.0009.obj", "b.####.obj", "c-10.obj", "none.#.obj", "d#3.obj", "a.#.b#.obj"]
    {
        assert!(is_motion(name), "{name}");
    }
    for name in ["a.obj", "lone7.obj", "b.0011.obj", "x.csv", "x", "no/such/a.1.obj"] {
        assert!(!is_motion(name), "{name}");
    }

    for (name, start, frames) in
        [("b.0010.obj", 9, 2), ("b.#.obj", 9, 2), ("c-9.obj", 9, 2), ("d#3.obj", 2, 2)]
    {
        let motion = open_motion(folder.path().join(name)).unwrap();
        let info = motion.info();
        assert_eq!((info.format, info.vertices, info.frames), (MotionFormat::ObjSeries, 3, frames), "{name}");
        assert_eq!((info.start, info.start_frame()), (Some(f64::from(start)), Some(Frame(start))));
        assert_eq!(motion.topology().unwrap().triangles, [[0, 1, 2]]);
    }
    let error = |name: &str| {
        let path = folder.path().join(name);
        message(&path, &open_motion(&path).err().expect(name))
    };
    let one = "this is one mesh, not a motion: expected a file of a numbered series, as name.0001.obj and \
               name.0002.obj, or its pattern name.####.obj; .ply likewise";
    assert_eq!((error("a.obj").as_str(), error("lone7.obj").as_str()), (one, one));
    let unknown = "unknown motion format: expected .pc2, .mdd, or a numbered series name.####.obj or \
                   name.####.ply; for writing also .usda, .glb or .gltf";
    assert_eq!((error("a.fbx").as_str(), error("a").as_str()), (unknown, unknown));
    assert_eq!(error("none.#.obj"), "no file matches this pattern");
    assert_eq!(error("#.#.obj"), "expected one run of # for the frame number, found 2");
    for name in ["b.0011.obj", "none.pc2", "none.mdd"] {
        assert!(error(name).starts_with("cannot be read: "), "{name}");
    }
}

#[test]
fn a_series_has_every_number_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let put = |name: &str| fs::write(path(name), "v 0 0 0\n").unwrap();
    ["a.0008.obj", "a.0009.obj", "a.0012.obj"].into_iter().for_each(put);
    let error = |name: &str| message(&path(name), &open_motion(path(name)).err().unwrap());
    let gap = "number 10 of the series is missing, between a.0009.obj and a.0012.obj: add it, or renumber the files";
    assert_eq!((error("a.0008.obj").as_str(), error("a.#.obj").as_str()), (gap, gap));
    ["a.0010.obj", "a.11.obj"].into_iter().for_each(put);
    assert_eq!(open_motion(path("a.0012.obj")).unwrap().frames(), 5);
    put("a.9.obj");
    let twice = "a.0009.obj and a.9.obj are the same frame of the series: move one of them away";
    assert_eq!(error("a.0008.obj"), twice);
}

#[test]
fn frames_of_a_series_have_the_same_faces() {
    let folder = tempfile::tempdir().unwrap();
    let path = |i: usize| folder.path().join(format!("a{i}.obj"));
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let texts = [
        format!("{points}f 1 2 3\n"),
        format!("{points}v 1 1 1\nf 1 2 3\n"),
        format!("{points}f 1 2 3 4\n"),
        format!("{points}f 1 2 4\n"),
        format!("{points}f 1 2 x\n"),
    ];
    for (i, text) in texts.iter().enumerate() {
        fs::write(path(i), text).unwrap();
    }
    let mut motion = open_motion(path(3)).unwrap();
    let mut error = |i: usize| {
        let error = motion.read(i, &mut [[0.0; 3]; 4]).unwrap_err();
        message(&path(i), error.0.downcast_ref::<FormatError>().unwrap())
    };
    assert_eq!(error(1), "this frame has 5 vertices, but a0.obj has 4: they must have the same number");
    assert_eq!(error(2), "this frame has 2 triangles, but a0.obj has 1: they must have the same number");
    let other = "triangle 0 has vertices [0, 1, 3], but [0, 1, 2] in a0.obj: all frames of a series must \
                 have the same faces";
    assert_eq!(error(3), other);
    assert!(error(4).starts_with("line 5: expected a corner"));
    motion.read(0, &mut [[0.0; 3]; 4]).unwrap();
}

#[test]
fn a_new_series_does_not_mix_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    for (name, stays) in
        [("a.0007.obj", true), ("a.0010.obj", true), ("a.8.obj", true), ("a.0009.obj", false)]
    {
        fs::write(folder.path().join(name), "old").unwrap();
        let result = write(&path, &[1.0, 2.0], 2);
        if stays {
            let left =
                "already exists and is not a frame of this motion: move it away, or choose another name";
            assert_eq!(message(&path, &result.err().unwrap()), format!("{name} {left}"));
        } else {
            result.unwrap().finish().unwrap();
        }
        assert_eq!(fs::read(folder.path().join(name)).unwrap() == b"old", stays);
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert_eq!(names(folder.path()), ["a.0008.obj"]);
}

#[test]
fn what_a_format_has_no_room_for_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let error = |name: &str, settings: MotionSettings, surface: Option<&SurfaceFile>| {
        let path = folder.path().join(name);
        message(&path, &create_motion(&path, settings, surface).err().expect(name))
    };
    let good = || settings(2);
    let no_faces = "this format also stores the faces: give the surface, or write .pc2 or .mdd";
    assert_eq!(error("a.obj", good(), None), no_faces);
    let other = "the surface has 3 vertices, but the motion has 4: they must have the same number";
    assert_eq!(error("a.pc2", MotionSettings { vertices: 4, ..good() }, Some(&triangle())), other);
    assert_eq!(error("a.pc2", MotionSettings { vertices: 0, ..good() }, None), "the file has no vertices");
    let vertices = i32::MAX as usize + 1;
    let many = "a motion of more than 2147483647 vertices is not supported";
    assert_eq!(error("a.mdd", MotionSettings { vertices, ..good() }, None), many);
    let fps = "expected frames per second above 0, found 0";
    assert_eq!(error("a.mdd", MotionSettings { fps: 0.0, ..good() }, None), fps);
    let step = "expected a step between frames above 0, found NaN";
    assert_eq!(error("a.pc2", MotionSettings { step: f64::NAN, ..good() }, None), step);
    let start = "a start or time of 1e39 is not a finite number";
    assert_eq!(error("a.pc2", MotionSettings { start: 1e39, ..good() }, None), start);
    for start in [-1.0, 1.5, 3e9] {
        let first =
            format!("expected a first frame that is a whole number from 0 for numbered files, found {start}");
        assert_eq!(error("a.obj", MotionSettings { start, ..good() }, Some(&triangle())), first);
    }
    let by_two = "expected a step of 1 from frame to frame for numbered files, found 2";
    assert_eq!(error("a.obj", MotionSettings { step: 2.0, ..good() }, Some(&triangle())), by_two);
    let unknown = "unknown motion format: expected .pc2, .mdd, or a numbered series name.####.obj or \
                   name.####.ply; for writing also .usda, .glb or .gltf";
    assert_eq!(error("a.abc", good(), None), unknown);
    for name in ["no/such/a.pc2", "no/such/a.mdd", "no/such/a.obj"] {
        assert!(error(name, good(), Some(&triangle())).starts_with("cannot be written: "), "{name}");
    }
    fs::create_dir(folder.path().join("taken.pc2")).unwrap();
    assert!(error("taken.pc2", good(), None).starts_with("cannot be written: "));
    let mut read_only = fs::metadata(folder.path()).unwrap().permissions();
    fs::write(folder.path().join("kept.pc2"), "").unwrap();
    read_only.set_readonly(true);
    fs::set_permissions(folder.path().join("kept.pc2"), read_only).unwrap();
    assert_eq!(error("kept.pc2", good(), None), "cannot be written: the file is read-only");
    assert_eq!(names(folder.path()), ["kept.pc2", "taken.pc2"], "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("a.pc2"), folder.path().join("link.pc2"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    write(&path, &[1.0], 1).unwrap().finish().unwrap();
    assert_eq!(mode(&path), mode(&plain), "a new file follows the umask");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, &link).unwrap();
    write(&link, &[2.0], 1).unwrap().finish().unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!((xs(&path), mode(&path)), (vec![2.0], 0o640));
}
