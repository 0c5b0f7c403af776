//! Opening, saving and finding files again.

use super::take_dropped;
use crate::Studio;
use crate::dialogs::{Choice, Dropped, FileError, UnknownFile, What, absolute};
use eframe::egui::Context;
use std::path::{Path, PathBuf};
use supple_session::SessionError;

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.file.take() else { return };
    let choice = dialog.show(ctx, &mut studio.dialogs.browse, studio.session.document.path());
    if choice == Choice::Goes {
        match act(studio, &dialog.what, dialog.path()) {
            Ok(()) => return,
            Err(problem) => dialog.problem = Some(problem),
        }
    }
    if choice == Choice::Cancels {
        studio.dialogs.browse.close();
    } else {
        studio.dialogs.file = Some(dialog);
    }
}

/// Whether a path stands for many files.
fn is_series(path: &Path) -> bool {
    path.to_string_lossy().contains(['#', '%'])
}

fn act(studio: &mut Studio, what: &What, path: PathBuf) -> Result<(), FileError> {
    if path.as_os_str().is_empty() {
        return Err(FileError::NoPath);
    }
    match what {
        What::Open if matches!(Dropped::of(&path), Dropped::Unknown(_)) => {
            return Err(UnknownFile(path).into());
        }
        What::Open if !path.is_file() && !is_series(&path) => return Err(FileError::NoFile(path)),
        // A motion or a mesh goes on to the import.
        What::Open => take_dropped(studio, &[path]),
        What::Locate(_) if !path.is_file() => return Err(FileError::NoFile(path)),
        What::Locate(file) => {
            let to = absolute(&path);
            studio.session.document.change("Locate file", |shot| shot.relocate(file, &to));
        }
        What::Save => match studio.session.save_as(&path) {
            Err(SessionError::ChangedOnDisk { .. }) => studio.dialogs.overwrite(),
            saved => {
                if saved? {
                    studio.say_saved();
                }
            }
        },
    }
    Ok(())
}
