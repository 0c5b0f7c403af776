//! What becomes of files that are dropped on the window.

use crate::Studio;
use crate::dialogs::{Dropped, ImportDialog, Leaving, UnknownFile};
use crate::messages::Message;
use std::path::PathBuf;
use supple_project::shot::Contacts;

/// Takes in files that came together.
pub fn take_dropped(studio: &mut Studio, paths: &[PathBuf]) {
    for dropped in Dropped::all(paths) {
        match dropped {
            Dropped::Shot(path) => studio.dialogs.leave(Leaving::Open(path), &studio.session),
            Dropped::Contacts(path) => contacts(studio, path),
            Dropped::Unknown(path) => studio.toasts.say(Message::UnknownFile(UnknownFile(path))),
            Dropped::Groups(path) if studio.dialogs.import.is_none() => {
                studio.toasts.say(Message::GroupsAlone(path));
            }
            other => match &mut studio.dialogs.import {
                Some(dialog) => dialog.take(other),
                None => studio.dialogs.import = import(other),
            },
        }
    }
}

fn import(dropped: Dropped) -> Option<ImportDialog> {
    match dropped {
        Dropped::CacheWithMesh(cache, mesh) => Some(ImportDialog::new(&cache).with_topology(&mesh)),
        Dropped::Cache(path) | Dropped::Mesh(path) | Dropped::Motion(path) => Some(ImportDialog::new(&path)),
        _ => None,
    }
}

/// Keeps the contacts of a table, as one step.
fn contacts(studio: &mut Studio, path: PathBuf) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    studio.session.document.change("Load contacts", |shot| {
        shot.contacts = Some(match shot.contacts.take() {
            Some(contacts) => Contacts { file: Some(path), off: false, ..contacts },
            None => Contacts::of_file(path),
        });
    });
    studio.toasts.say(Message::ContactsLoaded(name));
}
