//! The shot file, `shot.toml`: one project as text that people write, read and diff.
//!
//! ```toml
//! [body]
//! kind = "solid"
//! mesh = "bridge.msh"
//! skin = "bridge-fine.obj"
//! material = { young = 2e6, poisson = 0.45, density = 1000.0 }
//! anchors = { below = { axis = "y", at = 0.05 } }
//! regions = [{ group = "mast", young = 2e7 }]
//!
//! [edit]
//! modes = 200
//! ```
//!
//! - `anchors` takes one of `vertices = [..]`, `group = ".."`, `below`/`above = { axis, at }`,
//!   `box = { min, max }` or `file = ".."`, or a list of such tables, whose union it is.
//! - Only `kind` and `mesh` are required. An unknown key is an error that names the nearest known
//!   one, with file, line and column.
//! - Paths are relative to the file. Saving keeps comments and layout of everything that did not
//!   change, and moves relative paths along when the file goes elsewhere.

mod field;
mod parse;
mod relative;
mod save;
mod schema;
mod suggest;

pub use schema::{Anchor, Axis, Body, BodyKind, Edit, Law, Material, Region, Skin};

use crate::error::ShotError;
use field::Source;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No shot is this large; a mesh or a film picked by mistake may be.
const LARGEST_FILE: u64 = 64 << 20;

/// One project: a body and what to do with it, in the folder its paths start from.
///
/// ```
/// # use std::path::Path;
/// # use supple_project::{Body, BodyKind, Shot};
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let mut shot = Shot::new(folder, Body::new(BodyKind::Solid, "bridge.msh"))?;
/// shot.edit.modes = 200;
/// shot.save(&folder.join("bridge.toml"))?;
/// assert_eq!(Shot::load(&folder.join("bridge.toml"))?, shot);
///
/// let misspelt = "[body]\nkind = 'solid'\nmesh = 'bridge.msh'\nmaterial = { yung = 2e6 }";
/// assert_eq!(
///     Shot::parse(Path::new("bridge.toml"), misspelt).unwrap_err().to_string(),
///     "bridge.toml:4:14: unknown key `yung` in [body.material]; did you mean `young`?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// What moves.
    pub body: Body,
    /// How the motion may answer.
    pub edit: Edit,
    folder: PathBuf,
}

impl Shot {
    /// A new shot whose relative paths start from `folder`.
    ///
    /// # Errors
    /// When `folder` is relative and there is no current folder.
    pub fn new(folder: &Path, body: Body) -> Result<Self, ShotError> {
        Ok(Self { body, edit: Edit::default(), folder: absolute(folder)? })
    }

    /// Reads a shot file.
    ///
    /// # Errors
    /// Names the file, line, column and key to blame: see [`ShotError`].
    pub fn load(path: &Path) -> Result<Self, ShotError> {
        Self::parse(path, &read_text(path)?)
    }

    /// Reads the text of a shot file that is, or will be, at `path`.
    ///
    /// # Errors
    /// As [`Shot::load`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ShotError> {
        let (body, edit) = parse::shot(path, text)?;
        Ok(Self { body, edit, folder: folder_of(path)? })
    }

    /// The folder relative paths start from.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a path of this shot leads.
    #[must_use]
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    /// Writes the shot to `path`, whole or not at all, and moves it there: its paths become relative
    /// to the new folder. A file already there keeps its permissions, comments and layout wherever
    /// its values did not change.
    ///
    /// # Errors
    /// When the file cannot be written, a path is not text, or the shot holds a value that
    /// [`Shot::load`] would refuse; neither file nor shot has changed then.
    pub fn save(&mut self, path: &Path) -> Result<(), ShotError> {
        let mut moved = self.clone();
        moved.move_to(folder_of(path)?);
        let text = save::text(&moved, path)?;
        crate::atomic::replace(path, text.as_bytes())
            .map_err(|source| ShotError::Write { file: path.to_path_buf(), source })?;
        *self = moved;
        Ok(())
    }

    fn move_to(&mut self, folder: PathBuf) {
        let body = &mut self.body;
        let skin =
            body.skin.iter_mut().flat_map(|skin| std::iter::once(&mut skin.mesh).chain(&mut skin.embedding));
        let anchors = body.anchors.iter_mut().filter_map(|anchor| match anchor {
            Anchor::File(file) => Some(file),
            _ => None,
        });
        for path in std::iter::once(&mut body.mesh).chain(skin).chain(anchors) {
            *path = relative::rebase(path, &self.folder, &folder);
        }
        self.folder = folder;
    }
}

fn folder_of(path: &Path) -> Result<PathBuf, ShotError> {
    absolute(path.parent().unwrap_or(Path::new("")))
}

/// So that changing the current folder changes nothing. Symbolic links stay as they are.
fn absolute(folder: &Path) -> Result<PathBuf, ShotError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::path::absolute(folder).map_err(|source| ShotError::Read { file: folder.to_path_buf(), source })
}

fn read_text(path: &Path) -> Result<String, ShotError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // One byte more tells a file of the largest size from a larger one, whatever its metadata say.
        File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| ShotError::Read { file: path.to_path_buf(), source })?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(ShotError::TooLarge { file: path.to_path_buf(), limit: LARGEST_FILE });
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..good]);
        ShotError::NotText { at: Source { file: path, text: &text }.at(good) }
    })
}
