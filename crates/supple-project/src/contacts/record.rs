//! Contacts that whoever made the motion wrote down.

use super::moved::Moved;
use super::{ContactName, ContactPoint, ContactsError};
use crate::motion::InputMotion;
use std::path::{Path, PathBuf};
use supple_mesh::Vec3;
use supple_model::Contact;

/// Those a file lists, of the vertices of what moves.
pub(super) fn of_file(
    path: PathBuf,
    input: &InputMotion,
    moved: &Moved<'_>,
) -> Result<Vec<ContactPoint>, ContactsError> {
    points(&supple_formats::load_contacts(&path)?, Some(&path), input, moved)
}

/// Those the simulation of the input recorded.
pub(super) fn of_simulation(
    input: &InputMotion,
    moved: &Moved<'_>,
) -> Result<Vec<ContactPoint>, ContactsError> {
    points(&input.contacts, None, input, moved)
}

fn points(
    contacts: &[Contact],
    file: Option<&Path>,
    input: &InputMotion,
    moved: &Moved<'_>,
) -> Result<Vec<ContactPoint>, ContactsError> {
    let point = |(index, &Contact { frame, vertex, normal, kind }): (usize, &Contact)| {
        let contact = || ContactName { file: file.map(Path::to_path_buf), number: index + 1 };
        let Some(index) = input.clock.index(frame) else {
            let first = i64::from(input.clock.start.0);
            let last = first + input.clock.frames as i64 - 1;
            return Err(ContactsError::NoFrame { contact: contact(), frame, first, last });
        };
        let count = moved.rest.len();
        if vertex.index() >= count {
            return Err(ContactsError::NoVertex { contact: contact(), vertex, of: moved.name, count });
        }
        let normal = Vec3::from(normal);
        // Scaled first, so that squares neither overflow nor vanish; but a unit normal keeps its bits.
        let largest = normal.amax();
        let scale = if (0.5..2.0).contains(&largest) { 1.0 } else { largest };
        let unit = (normal / scale).normalize();
        if !unit.iter().all(|x| x.is_finite()) {
            return Err(ContactsError::BadNormal { contact: contact(), normal });
        }
        Ok(ContactPoint::of_vertex(index, vertex, unit, kind))
    };
    contacts.iter().enumerate().map(point).collect()
}
