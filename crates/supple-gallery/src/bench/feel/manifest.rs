//! `motions.json`: the motions in a folder, and what `supple new` has to be told about each.

use anyhow::{Context, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use supple_project::shot::Axis;
use supple_project::{MotionFile, parse_unit};

/// What a folder of motions has to say of itself.
const NAME: &str = "motions.json";

/// A motion of the folder.
#[derive(Debug, Deserialize)]
pub struct Entry {
    pub name: String,
    file: PathBuf,
    /// Frames per second.
    pub fps: f64,
    #[serde(default)]
    options: Options,
}

/// Options of `supple new`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    topology: Option<PathBuf>,
    object: Option<String>,
    unit: Option<String>,
    up: Option<String>,
}

impl Entry {
    /// The motions of a folder.
    pub fn read(folder: &Path) -> anyhow::Result<Vec<Self>> {
        let path = folder.join(NAME);
        let wanted = || format!("{}; run bench/motions/make.py to make it", path.display());
        let text = std::fs::read_to_string(&path).with_context(wanted)?;
        let entries: Vec<Self> = serde_json::from_str(&text).with_context(wanted)?;
        if entries.is_empty() {
            bail!("{}: lists no motion", path.display());
        }
        Ok(entries)
    }

    /// The file, as `supple new` would be told of it.
    pub fn motion_file(&self, folder: &Path) -> anyhow::Result<MotionFile> {
        let Options { topology, object, unit, up } = &self.options;
        let wrong = || format!("{}: {}", folder.join(NAME).display(), self.name);
        let unit = unit.as_deref().map(parse_unit).transpose().with_context(wrong)?;
        let up = match up.as_deref() {
            None => None,
            Some("x") => Some(Axis::X),
            Some("y") => Some(Axis::Y),
            Some("z") => Some(Axis::Z),
            Some(other) => bail!("{}: up must be x, y or z, got {other}", wrong()),
        };
        Ok(MotionFile {
            path: folder.join(&self.file),
            topology: topology.as_ref().map(|file| folder.join(file)),
            object: object.clone(),
            unit,
            up,
        })
    }
}
