//! Files that are not what they say, and shots and scenes one does not trust.

use crate::cli::new::with_ball;
use crate::cli::run::{BAR, Place};
use std::fs;

/// `frames = 2_000_000` of a large body ended in SIGABRT, when the memory was not there.
#[cfg(target_os = "linux")]
#[test]
fn more_frames_than_fit_into_the_machine_are_refused_with_the_sum() {
    let place = Place::with_bar();
    for input in ["rest", "simulate"] {
        let frames = 2_000_000_000;
        place.write("long.toml", format!("{BAR}\n[motion]\ninput = \"{input}\"\nframes = {frames}\n"));
        let message = place.error(&["solve", "long.toml", "-o", "out.pc2"]);
        assert!(message.contains("editing 2000000000 frames of 20 vertices would take "), "{message}");
        assert!(
            message.contains("GB, but this machine has ") && message.contains("lower `frames`"),
            "{message}"
        );
    }
}

/// What a shell or a cluster allows a program is all the memory it has: beyond it the system ended the program with SIGABRT.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_counts_as_the_machine() {
    let place = Place::with_bar();
    let handle = "[[edit.handle]]\nvertex = 19\nframe = 3\nby = [0, 0, 0.1]\n";
    place.write("long.toml", format!("{BAR}\n[motion]\ninput = \"rest\"\nframes = 2_000_000\n\n{handle}"));
    let program = env!("CARGO_BIN_EXE_supple");
    for command in [
        "solve long.toml -o out.pc2",
        "render long.toml --frame 3 -o out.png",
        "plot long.toml --of path --vertex 19 -o out.png",
    ] {
        let line = format!("ulimit -v 4000000; exec {program} {command}");
        let output = place.command_of("sh", &["-c", &line]).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {message}");
        assert!(message.contains("editing 2000000 frames of 20 vertices would take "), "{message}");
        assert!(message.contains("this machine has 4.1 GB of memory"), "{message}");
    }
}

/// A link to /dev/zero named .obj took 15 GB in 20 seconds, and a pipe hung for ever, in every reader.
#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_not_read() {
    let place = Place::with_bar();
    let endings = [
        "obj", "stl", "ply", "msh", "mesh", "veg", "abq", "inp", "node", "ele", "bou", "interp", "csv",
        "pc2", "mdd", "usda", "usdc", "usdz", "gltf", "glb", "fbx", "abc", "toml",
    ];
    for ending in endings {
        let (zero, pipe) = (format!("zero.{ending}"), format!("pipe.{ending}"));
        std::os::unix::fs::symlink("/dev/zero", place.path().join(&zero)).unwrap();
        let made = std::process::Command::new("mkfifo").arg(place.path().join(&pipe)).status().unwrap();
        assert!(made.success());
        for (name, what) in [(&zero, "device"), (&pipe, "pipe")] {
            let message = place.error(&["info", name]);
            assert!(message.contains(&format!("it is a {what}, not a file")), "{name}: {message}");
        }
    }
    for line in ["mesh = \"zero.obj\"", "mesh = \"bar.veg\"\nskin = \"pipe.obj\""] {
        place.write("wrong.toml", BAR.replace("mesh = \"bar.veg\"", line));
        let message = place.error(&["prepare", "wrong.toml"]);
        assert!(message.contains(", not a file"), "{line}: {message}");
    }
    for more in ["[contacts]\nfile = \"zero.csv\"", "[simulate]\nanchors_motion = \"pipe.csv\""] {
        place.write("wrong.toml", format!("{BAR}\n[motion]\ninput = \"simulate\"\nframes = 2\n{more}\n"));
        let message = place.error(&["solve", "wrong.toml", "-o", "out.pc2"]);
        assert!(message.contains(", not a file"), "{more}: {message}");
    }
}

/// A scene could have any file of the machine read, and its first bytes shown in an error.
#[test]
fn scenes_read_nothing_but_scenes() {
    let place = with_ball();
    place.write("secret.txt", "password: swordfish");
    place.write("secret.usda", "password: swordfish");
    for asset in ["./secret.txt", "./secret.usda"] {
        let text = format!("#usda 1.0\n(\n    subLayers = [ @./ball.usda@, @{asset}@ ]\n)\n");
        place.write("over.usda", text);
        let info = place.done(&["info", "over.usda"]);
        assert!(info.contains("was ignored") && !info.contains("passw"), "{info}");
    }
    let folder = place.path().join("sub");
    fs::create_dir(&folder).unwrap();
    place.done(&["convert", "ball.usda", "sub/ball.gltf"]);
    let text = String::from_utf8(place.read("sub/ball.gltf")).unwrap();
    let whole = place.path().join("secret.txt").display().to_string();
    for uri in ["../secret.txt", whole.as_str(), "x/../../secret.txt"] {
        let changed = text.replace("\"ball.bin\"", &format!("\"{uri}\""));
        assert_ne!(changed, text);
        place.write("sub/other.gltf", changed);
        let message = place.error(&["info", "sub/other.gltf"]);
        assert!(message.contains("outside the folder of the scene"), "{message}");
    }
}

/// A shot of a stranger could read any file, by `..`, from the root on, or through a link.
#[test]
fn inside_a_folder_nothing_leaves_it() {
    let place = with_ball();
    fs::create_dir(place.path().join("theirs")).unwrap();
    place.done(&["convert", "ball.usda", "theirs/ball.usda"]);
    place.done(&["new", "theirs/ball.usda", "--cells", "4", "-o", "theirs/ball.toml", "--inside", "theirs"]);
    place.done(&["solve", "theirs/ball.toml", "-o", "out.pc2", "--inside", "theirs"]);
    place.done(&["--inside", ".", "info", "theirs/ball.toml"]);
    let text = String::from_utf8(place.read("theirs/ball.toml")).unwrap();
    let solve = ["solve", "theirs/bad.toml", "-o", "out.pc2", "--inside", "theirs"];
    place.write("theirs/bad.toml", text.replace("\"ball.usda\"", "\"../ball.usda\""));
    let message = place.error(&solve);
    assert!(message.contains("it is outside ") && message.contains("ball.usda"), "{message}");
    // The same shot is as good as any other to who trusts it.
    place.done(&["solve", "theirs/bad.toml", "-o", "out.pc2"]);
    #[cfg(unix)]
    {
        place.write("theirs/bad.toml", text.replace("\"ball.usda\"", "\"link.usda\""));
        std::os::unix::fs::symlink("../ball.usda", place.path().join("theirs/link.usda")).unwrap();
        assert!(place.error(&solve).contains("it is outside "));
        std::os::unix::fs::symlink("../kept.pc2", place.path().join("theirs/out.pc2")).unwrap();
        place.write("kept.pc2", "theirs");
        let out = ["solve", "theirs/ball.toml", "-o", "theirs/out.pc2", "--inside", "theirs"];
        assert!(place.error(&out).contains("it is outside "));
        assert_eq!(place.read("kept.pc2"), b"theirs");
        // Links to folders were followed: for what is written, and for the cache.
        fs::create_dir(place.path().join("ours")).unwrap();
        for link in ["theirs/folder", "theirs/linked.cache"] {
            std::os::unix::fs::symlink("../ours", place.path().join(link)).unwrap();
        }
        for out in ["theirs/folder/out.pc2", "theirs/folder/new.usda"] {
            let out = ["solve", "theirs/ball.toml", "-o", out, "--inside", "theirs"];
            assert!(place.error(&out).contains("it is outside "));
        }
        place.write("theirs/linked.toml", &text);
        place.done(&["prepare", "theirs/linked.toml", "--inside", "theirs"]);
        assert!(place.names("ours").is_empty(), "{:?}", place.names("ours"));
        fs::remove_dir_all(place.path().join("user-cache")).unwrap();
        place.done(&["prepare", "theirs/linked.toml"]);
        assert!(!place.names("ours").is_empty(), "who trusts it may keep the cache elsewhere");
    }
    assert!(place.error(&["info", "ball.usda", "--inside", "theirs"]).contains("it is outside "));
    assert!(place.error(&["samples", "--inside", "none"]).contains("cannot limit reading to none"));
}

/// `supple new takes/` said "unknown kind of scene", where the folder held one series.
#[test]
fn a_folder_is_told_what_is_in_it() {
    let place = with_ball();
    fs::create_dir(place.path().join("takes")).unwrap();
    let message = place.error(&["new", "takes", "-o", "ball.toml"]);
    assert!(message.contains("takes: this is a folder: name a file in it"), "{message}");
    place.done(&["convert", "ball.usda", "takes/####.obj"]);
    let message = place.error(&["new", "takes", "-o", "ball.toml"]);
    assert!(message.contains("this is a folder: name the series in it, takes/####.obj"), "{message}");
    assert_eq!(place.error(&["info", "takes"]), message);
    // And what has no name but numbers is called as its folder, in every format.
    place.done(&["convert", "takes/####.obj", "out.usda"]);
    let text = String::from_utf8(place.read("out.usda")).unwrap();
    assert!(text.contains("def Mesh \"takes\""), "{text:.300}");
    let made = place.json(&["new", "takes/####.obj", "--cells", "4", "-o", "ball.toml"]);
    assert_eq!(made["object"], "takes");
}

/// USD without a unit is taken for centimetres; exports of shots whose input says nothing were a hundredth in size.
#[test]
fn exports_say_their_unit_their_axis_and_their_name() {
    let place = Place::with_bar();
    place.write("sim.toml", format!("{BAR}\n[motion]\ninput = \"simulate\"\nframes = 2\n"));
    place.done(&["simulate", "sim.toml", "-o", "run.pc2"]);
    place.write("again.toml", format!("{BAR}\n[motion]\ninput = \"run.pc2\"\n"));
    for (command, name) in [
        (["simulate", "sim.toml", "-o", "out.usda"], "bar"),
        (["solve", "sim.toml", "-o", "out.usda"], "bar"),
        (["solve", "again.toml", "-o", "out.usda"], "run"),
    ] {
        place.done(&command);
        let text = String::from_utf8(place.read("out.usda")).unwrap();
        for line in ["metersPerUnit = 1\n", "upAxis = \"Y\"", &format!("def Mesh \"{name}\"")] {
            assert!(text.contains(line), "{command:?}: {line} in {text:.400}");
        }
    }
}

/// A layer over a file without a unit said metres and y, whatever the shot said the numbers of that file are in.
#[test]
fn layers_say_the_unit_the_shot_says() {
    let place = Place::new();
    for (head, unit, up) in [("", "0.01", "Z"), ("    metersPerUnit = 0.01\n    upAxis = \"Z\"\n", "1", "Y")]
    {
        place.write(
            "tent.usda",
            format!(
                "#usda 1.0\n(\n{head}    startTimeCode = 1\n    endTimeCode = 2\n)\ndef Mesh \"tent\"\n{{\n    \
                 point3f[] points.timeSamples = {{ 1: [(0,0,0),(1,0,0),(0,1,0),(0,0,1)], \
                 2: [(0,0,0.1),(1,0,0),(0,1,0),(0,0,1)] }}\n    int[] faceVertexCounts = [3,3,3,3]\n    \
                 int[] faceVertexIndices = [0,2,1,0,1,3,1,2,3,2,0,3]\n}}\n"
            ),
        );
        let axis = up.to_lowercase();
        let new =
            ["new", "tent.usda", "--unit", unit, "--up", &axis, "--cells", "3", "-o", "tent.toml", "--force"];
        place.done(&new);
        for flat in [&[][..], &["--flatten"]] {
            place.done(&[&["solve", "tent.toml", "-o", "out.usda"], flat].concat());
            let text = String::from_utf8(place.read("out.usda")).unwrap();
            for line in [format!("metersPerUnit = {unit}\n"), format!("upAxis = \"{up}\"")] {
                assert!(text.contains(&line), "{flat:?}: {line} in {text:.400}");
            }
        }
    }
}

/// A shot reached through a link looked for its files beside the link, where there were none.
#[cfg(unix)]
#[test]
fn a_linked_shot_finds_its_files() {
    let place = Place::with_bar();
    fs::create_dir(place.path().join("desk")).unwrap();
    std::os::unix::fs::symlink("../bar.toml", place.path().join("desk/bar.toml")).unwrap();
    let before = String::from_utf8(place.read("bar.toml")).unwrap();
    place.done(&["edit", "desk/bar.toml", "--frame", "5", "--vertex", "19", "--by", "0,0.1,0"]);
    assert!(place.path().join("desk/bar.toml").is_symlink());
    let after = String::from_utf8(place.read("bar.toml")).unwrap();
    assert!(after.starts_with(before.trim_end()) && after.contains("vertex = 19"), "{after}");
    // Both names are of one shot.
    place.done(&["edit", "bar.toml", "--frame", "6", "--vertex", "19", "--by", "0,0.1,0"]);
    assert_eq!(place.json(&["edit", "desk/bar.toml", "--list"])["handles"].as_array().unwrap().len(), 2);
    // Where its files are beside the link, they are meant, as before.
    fs::rename(place.path().join("bar.veg"), place.path().join("desk/bar.veg")).unwrap();
    place.done(&["edit", "desk/bar.toml", "--frame", "7", "--vertex", "19", "--by", "0,0.1,0"]);
    assert!(String::from_utf8(place.read("bar.toml")).unwrap().contains("mesh = \"bar.veg\""));
}

/// Points that all coincide gave "a box of -inf × -inf × -inf cannot be filled".
#[test]
fn points_that_coincide_are_said_to() {
    let place = Place::new();
    place.write("dot.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    for (kind, method) in [("solid", "tets"), ("voxels", "voxels")] {
        let body = format!(
            "[body]\nkind = \"{kind}\"\nsurface = \"dot.obj\"\nfill = {{ method = \"{method}\", cells = 8 }}\n"
        );
        place.write("dot.toml", body);
        let message = place.error(&["prepare", "dot.toml"]);
        assert!(message.contains("coincide") && !message.contains("inf"), "{message}");
    }
}

/// As many modes as a large body has would not have fit either.
#[cfg(target_os = "linux")]
#[test]
fn more_modes_than_fit_into_the_machine_are_refused_with_the_sum() {
    let place = Place::new();
    let side = 250;
    let mut text = String::new();
    for k in 0..side * side {
        text.push_str(&format!("v {} {} 0\n", k % side, k / side));
    }
    for k in (0..side * (side - 1)).filter(|k| k % side + 1 < side) {
        let [a, b, c, d] = [k + 1, k + 2, k + side + 1, k + side + 2];
        text.push_str(&format!("f {a} {b} {d}\nf {a} {d} {c}\n"));
    }
    place.write("sheet.obj", text);
    place.write("sheet.toml", "[body]\nkind = \"cloth\"\nmesh = \"sheet.obj\"\n\n[edit]\nmodes = 187500\n");
    for command in [&["prepare", "sheet.toml"][..], &["solve", "sheet.toml", "-o", "out.pc2"]] {
        let message = place.error(command);
        assert!(message.contains("modes of 62500 vertices would take 843.8 GB"), "{message}");
        assert!(message.contains("lower `modes`"), "{message}");
    }
}
