//! `supple render` of motions, and `supple plot`.

use crate::cli::run::{BAR, Place};
use serde_json::json;
use std::fs;

/// The vertex at (4, 1, 0.5) of the bar.
const TIP: usize = 19;

/// `edit.toml`: the bar at rest for 24 frames from 5 on, its tip lifted at frame 12.
fn lifted() -> Place {
    let place = Place::with_bar();
    let handle = format!("[[edit.handle]]\nframe = 12\nvertex = {TIP}\nby = [0.0, 0.8, 0.0]\n");
    place.write("edit.toml", format!("{BAR}\n{handle}\n[motion]\nframes = 24\nstart = 5\n"));
    place
}

/// Renders `edit.toml` small and reads what was written.
fn draw(place: &Place, name: &str, more: &[&str]) -> Vec<u8> {
    place.done(&[&["render", "edit.toml", "--size", "160x90", "-o", name], more].concat());
    place.read(name)
}

/// Pixels of a PNG, red, green, blue.
fn pixels(bytes: &[u8]) -> (u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    (info.width, rgb)
}

#[test]
fn an_edit_is_seen_where_and_when_it_happens() {
    let place = lifted();
    let plain = ["--no-caption", "--eye", "2,0.5,12", "--target", "2,0.5,0"];
    let frame = |number: &str, more: &[&str]| {
        draw(&place, "a.png", &[&["--frame", number], &plain[..], more].concat())
    };
    // The first frame is clamped: nothing has happened yet.
    assert!(frame("5", &[]) == frame("5", &["--input"]));
    let (edited, input) = (frame("12", &[]), frame("12", &["--input"]));
    assert!(frame("5", &[]) == input, "the input is at rest");
    let ((width, edited), (_, input)) = (pixels(&edited), pixels(&input));
    let changed: Vec<(u32, u32)> = edited
        .chunks_exact(3)
        .zip(input.chunks_exact(3))
        .enumerate()
        .filter(|(_, (a, b))| a != b)
        .map(|(i, _)| (i as u32 % width, i as u32 / width))
        .collect();
    // 90 pixels are 2 · 12 tan 14° = 5.98 m: the bar lies between pixel 50 and 110 across, from 37 to 53 down, and its
    // tip goes up by 0.8 m, 12 pixels.
    assert!(changed.len() > 200, "{}", changed.len());
    assert!(changed.iter().all(|(x, y)| (48..118).contains(x) && (20..60).contains(y)), "{changed:?}");
    // Other frames and overlays differ from each other.
    let mut all = vec![frame("12", &[]), frame("13", &[]), frame("12", &["--input"])];
    for more in [
        &["--ghost"][..],
        &["--handles"],
        &["--streamers", "19"],
        &["--colour", "strain"],
        &["--colour", "displacement"],
        &["--colour", "edit"],
        &["--floor"],
        &["--floor=-0.5"],
        &["--wireframe"],
    ] {
        all.push(frame("12", more));
    }
    for i in 0..all.len() {
        assert!(all[..i].iter().all(|other| *other != all[i]), "picture {i}");
    }
}

#[test]
fn the_answer_tells_handles_and_frames() {
    let place = lifted();
    let answer = place.json(&["render", "edit.toml", "--sheet", "4", "--size", "80x60", "-o", "a.png"]);
    assert_eq!((&answer["kind"], &answer["edited"]), (&json!("sheet"), &json!(true)));
    assert_eq!(answer["frames"], json!([5, 13, 20, 28]));
    let handle = &answer["handles"][0];
    assert_eq!((&handle["handle"], &handle["frame"]), (&json!(1), &json!(12)));
    assert!(handle["relative_error"].as_f64().unwrap() < 1e-6, "{answer}");
    let (width, _) = pixels(&place.read("a.png"));
    assert_eq!(answer["width"], width);
    let strobe = place.json(&[
        "render",
        "edit.toml",
        "--strobe",
        "3",
        "--frames",
        "10..14",
        "-o",
        "b.png",
        "--size",
        "80x60",
    ]);
    assert_eq!((&strobe["kind"], &strobe["frames"]), (&json!("strobe"), &json!([10, 12, 14])));
    assert!(place.read("a.png") != place.read("b.png"));
    let text = place.done(&["render", "edit.toml", "--frame", "12", "-o", "c.png"]);
    assert!(text.contains("handle 1 at frame 12: error"), "{text}");
}

/// How many frames a GIF has.
fn gif_frames(bytes: &[u8]) -> usize {
    assert!(bytes.starts_with(b"GIF89a"));
    bytes.windows(4).filter(|window| *window == [0x21, 0xf9, 4, 5]).count()
}

#[test]
fn a_gif_has_every_frame_and_the_same_bytes_on_any_number_of_threads() {
    let place = lifted();
    let gif = draw(&place, "a.gif", &["--ghost"]);
    assert_eq!(gif_frames(&gif), 24);
    assert!(gif == draw(&place, "b.gif", &["--ghost", "--threads", "1"]));
    assert_eq!(gif_frames(&draw(&place, "c.gif", &["--every", "4"])), 6);
    let answer = place.json(&["render", "edit.toml", "--every", "4", "--size", "40x30", "-o", "d.gif"]);
    assert_eq!((&answer["fps"], &answer["kind"]), (&json!(6.0), &json!("video")), "as fast as before");
    // What stands still is walked around, and a mode swings.
    assert_eq!(gif_frames(&draw(&place, "e.gif", &["--turntable"])), 72);
    assert_eq!(gif_frames(&draw(&place, "f.gif", &["--mode", "1"])), 48);
    assert_eq!(gif_frames(&draw(&place, "g.gif", &["--frame", "12", "--turntable"])), 72);
    let names = place.names(".");
    assert!(!names.iter().any(|name| name.starts_with(".supple")), "{names:?}");
}

#[cfg(unix)]
#[test]
fn an_mp4_goes_through_ffmpeg_and_its_absence_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let place = lifted();
    let args = ["render", "edit.toml", "--size", "64x36", "-o", "a.mp4"];
    let run = |path: &std::path::Path| place.command(&args).env("PATH", path).output().unwrap();
    let tools = place.path().join("tools");
    fs::create_dir(&tools).unwrap();
    let missing = run(&tools);
    let said = String::from_utf8(missing.stderr).unwrap();
    assert_eq!(missing.status.code(), Some(1));
    assert!(said.contains("a.mp4") && said.contains("ffmpeg") && said.contains("install"), "{said}");
    // One that keeps what it is given.
    let script = |name: &str, text: &str| {
        fs::write(tools.join(name), text).unwrap();
        fs::set_permissions(tools.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    script(
        "ffmpeg",
        "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\nfor last; do :; done\n/bin/cat > \"$last\"\n",
    );
    let written = run(&tools);
    assert!(written.status.success(), "{}", String::from_utf8(written.stderr).unwrap());
    assert_eq!(place.read("a.mp4").len(), 24 * 64 * 36 * 4);
    // One that fails leaves what was there.
    script("ffmpeg", "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\necho no such codec >&2\nexit 1\n");
    let failed = run(&tools);
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(!failed.status.success() && said.contains("no such codec"), "{said}");
    assert_eq!(place.read("a.mp4").len(), 24 * 64 * 36 * 4);
    let names = place.names(".");
    assert!(!names.iter().any(|name| name.starts_with(".supple")), "{names:?}");
}

#[test]
fn motion_files_are_drawn_by_themselves() {
    let place = lifted();
    let shot = draw(&place, "shot.png", &["--frame", "12", "--no-caption"]);
    fs::create_dir(place.path().join("series")).unwrap();
    for file in ["m.pc2", "m.mdd", "m.usda", "m.glb", "series/m.####.obj", "series/m.####.ply"] {
        place.done(&["solve", "edit.toml", "-o", file]);
        let topology = ["--topology", "series/m.0005.obj"];
        let more: &[&str] = if file.ends_with("pc2") || file.ends_with("mdd") { &topology } else { &[] };
        if !more.is_empty() {
            let message = place.error(&["render", file, "-o", "a.png"]);
            assert!(message.contains(file) && message.contains("--topology"), "{message}");
            place.done(&["solve", "edit.toml", "-o", "series/m.####.obj"]);
        }
        let args = ["render", file, "--size", "160x90", "--no-caption", "-o", "a.png"];
        let answer = place.json(&[&args[..], &["--sheet", "2"], more].concat());
        let frames = answer["frames"].as_array().unwrap();
        let [first, last] = [&frames[0], &frames[1]].map(|frame| frame.as_i64().unwrap());
        assert_eq!(last - first, 23, "{file}: {answer}");
        let number = (first + 7).to_string();
        place.done(&[&args[..], &["--frame", &number], more].concat());
        if file.ends_with("obj") {
            assert!(place.read("a.png") == shot, "text has every digit");
        }
    }
    place.done(&["render", "m.glb", "--colour", "strain", "--size", "64x48", "-o", "a.gif"]);
    assert_eq!(gif_frames(&place.read("a.gif")), 24);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let place = lifted();
    place.write("still.toml", format!("{BAR}\n[motion]\nframes = 8\n"));
    place.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
    for (args, words) in [
        (&["edit.toml", "--frame", "4", "-o", "a.png"][..], "the motion has frames 5 to 28"),
        (&["edit.toml", "--frames", "6..40", "-o", "a.png"], "there is no frame 40"),
        (
            &["edit.toml", "--frame", "12", "--streamers", "20", "-o", "a.png"],
            "has 20 vertices, counted from 0",
        ),
        (&["edit.toml", "--sheet", "-o", "a.gif"], "a sheet is a still picture"),
        (&["edit.toml", "--strobe", "-o", "a.gif"], "a strobe is a still picture"),
        (&["edit.toml", "--frame", "12", "-o", "a.gif"], "--frame gives a still picture"),
        (&["edit.toml", "--turntable", "-o", "a.png"], "a turntable is a video"),
        (&["edit.toml", "--colour", "strain", "-o", "a.png"], "--frame"),
        (&["still.toml", "--frame", "3", "--ghost", "-o", "a.png"], "the shot has no edits"),
        (&["still.toml", "--frame", "3", "--handles", "-o", "a.png"], "the shot has no edits"),
        (&["still.toml", "--frame", "3", "--colour", "edit", "-o", "a.png"], "the shot has no edits"),
        (&["a.obj", "--frame", "3", "-o", "a.png"], "a mesh has no frames"),
        (&["a.obj", "-o", "a.gif"], "--turntable"),
    ] {
        let message = place.error(&[&["render"], args].concat());
        assert!(message.contains(words), "{args:?}: {message}");
        assert!(
            message.contains(args[0]) || message.contains("a.png") || message.contains("a.gif"),
            "{message}"
        );
    }
    assert!(!place.path().join("a.png").exists() && !place.path().join("a.gif").exists());
}

#[test]
fn plots_have_labelled_axes_and_the_numbers_in_the_answer() {
    let place = lifted();
    for (of, x, y, series) in [
        ("path", "frame", "y (m)", 2),
        ("force", "frame", "force (N/√kg)", 1),
        ("spectrum", "frequency (1/s of playback)", "power (m²)", 2),
        ("convergence", "modes", "relative error over all frames", 1),
        ("modes", "mode", "frequency (Hz)", 1),
    ] {
        let answer = place.json(&["plot", "edit.toml", "--of", of, "-o", "a.png"]);
        assert_eq!((&answer["x"], &answer["y"]), (&json!(x), &json!(y)), "{of}");
        assert_eq!(answer["series"].as_array().unwrap().len(), series, "{of}");
        assert_eq!(pixels(&place.read("a.png")).0, 960);
        place.done(&["plot", "edit.toml", "--of", of, "-o", "a.svg"]);
        let text = String::from_utf8(place.read("a.svg")).unwrap();
        assert!(text.contains("<svg") && text.contains(x) && text.contains(y), "{of}: {text}");
    }
    let path =
        place.json(&["plot", "edit.toml", "--of", "path", "--vertex", "19", "--axis", "y", "-o", "a.png"]);
    let (edited, input) = (&path["series"][0], &path["series"][1]);
    assert_eq!((&edited["name"], &input["name"]), (&json!("edited"), &json!("input")));
    // Frame 12 is the eighth.
    let at = |series: &serde_json::Value| series["points"][7][1].as_f64().unwrap();
    assert!((at(edited) - 1.8).abs() < 1e-6 && (at(input) - 1.0).abs() < 1e-12, "{path}");
    let modes = place.json(&["plot", "edit.toml", "--of", "modes", "-o", "a.png"]);
    let first = &place.json(&["prepare", "edit.toml"])["frequencies"][0];
    assert_eq!(&modes["series"][0]["points"][0][1], first);
    place.write("still.toml", format!("{BAR}\n[motion]\nframes = 8\n"));
    assert!(
        place
            .error(&["plot", "still.toml", "--of", "force", "-o", "a.png"])
            .contains("the shot has no edits")
    );
    assert_eq!(place.run(&["plot", "edit.toml", "--of", "path", "-o", "a.pdf"]).code, Some(2));
}
