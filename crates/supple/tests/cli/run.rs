//! Running the program, and small files to run it on.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use supple_formats::{Elements, VolumeFile};
use supple_mesh::{Vec3, shapes};
use tempfile::TempDir;

/// A folder of its own, with a cache folder of its own in it.
pub struct Place(TempDir);

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_supple"), args)
    }

    /// Another program, run in the same place.
    pub fn command_of(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.path()).env("XDG_CACHE_HOME", self.path().join("user-cache"));
        // No window, whoever runs the tests.
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }

    /// A run that must end well.
    pub fn done(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}: {run:?}");
        run.stdout
    }

    /// A run with `--json` that must end well.
    pub fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.done(&[args, &["--json"]].concat())).unwrap()
    }

    /// A run that must fail: its message, which it gives as text and as JSON alike.
    pub fn error(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{args:?}: {run:?}");
        let message = run.stderr.strip_prefix("error: ").unwrap().trim_end().to_owned();
        let run = self.run(&[args, &["--json"]].concat());
        let answer: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((run.code, answer), (Some(1), serde_json::json!({ "error": message })));
        message
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    /// The names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let listing = fs::read_dir(self.path().join(folder)).unwrap();
        let mut names: Vec<String> =
            listing.map(|item| item.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// `bar.veg`, a bar 4 × 1 × 0.5 of 24 tets, and `bar.toml`, which holds it at x = 0: 48 degrees of
    /// freedom, mass 2000.
    pub fn with_bar() -> Self {
        let place = Self::new();
        place.write_veg("bar.veg", &bar());
        place.write("bar.toml", BAR);
        place
    }

    pub fn write_veg(&self, name: &str, file: &VolumeFile) {
        let mut bytes = Vec::new();
        supple_formats::write_veg(file, &mut bytes).unwrap();
        self.write(name, bytes);
    }
}

/// The section of the bar's body.
macro_rules! bar_body {
    () => {
        r#"[body]
kind = "solid"
mesh = "bar.veg"
material = { young = 1e6, poisson = 0.3, density = 1000.0 }
anchors = { below = { axis = "x", at = 0.0 } }
"#
    };
}
pub(crate) use bar_body;

pub const BAR: &str = concat!(
    bar_body!(),
    r#"
[edit]
feel = "lively"
modes = 10
"#
);

/// A bar that hops, from frame 5 on.
pub const HOP: &str = concat!(
    bar_body!(),
    r#"
[motion]
start = 5
seconds_per_frame = 0.01

[edit]
method = "sparse"
modes = 10
gravity = [0, -9.81, 0]

[[edit.segment]]
frames = 12
[[edit.segment.handle]]
at = "end"
center_of_mass = true
velocity = [0, 3, 0]

[[edit.segment]]
flight = {}

[[edit.segment]]
frames = 9.5
"#
);

pub fn bar() -> VolumeFile {
    let mesh = shapes::box_mesh(Vec3::new(4.0, 1.0, 0.5), [4, 1, 1]).unwrap();
    VolumeFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        elements: Elements::Tets(mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        ..VolumeFile::default()
    }
}

/// The keys of a JSON object, sorted.
pub fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
