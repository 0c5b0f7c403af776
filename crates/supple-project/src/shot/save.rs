//! From a shot to its text.
//!
//! A shot writes itself as a tree of keys with all their values, which is what a new file gets. A
//! file that is already a shot is edited instead, and only where the trees of the old and the new
//! shot differ, so comments, order and spelling of the rest survive: see [`merge`]. So do the marks by which some editors
//! tell text.

use super::entry::Keys;
use super::{Shot, merge, read_text};
use crate::error::ShotError;
use std::path::Path;
use toml_edit::{DocumentMut, Table};

/// The text to write to `path`, and the shot it reads back as.
pub(super) fn text(shot: &Shot, path: &Path) -> Result<(String, Shot), ShotError> {
    let fresh = fresh(shot)?;
    // A link to the file may be in another folder.
    let read = |text: &str| Shot::parse(path, text).map(|read| Shot { folder: shot.folder.clone(), ..read });
    let saved = read(&fresh)?;
    // Layouts are endless; one that does not survive editing is given up rather than the shot.
    let edited = edited(shot, path).filter(|text| read(text).is_ok_and(|read| read == saved));
    Ok((edited.unwrap_or(fresh), saved))
}

/// It as keys and values, all of them.
pub(super) fn tree(shot: &Shot) -> Result<Table, ShotError> {
    let mut table = Table::new();
    shot.write_keys(&mut table)?;
    Ok(table)
}

/// The text of a new file: sections nobody touched are left out.
fn fresh(shot: &Shot) -> Result<String, ShotError> {
    let bare = tree(&Shot::bare(shot.body.clone(), shot.folder.clone()))?;
    let mut document = DocumentMut::from(tree(shot)?);
    document.retain(|key, section| {
        key == "body" || !bare.get(key).is_some_and(|bare| merge::same(bare, section))
    });
    Ok(document.to_string())
}

/// The file at `path` with only what differs changed; `None` when it is not a shot.
fn edited(shot: &Shot, path: &Path) -> Option<String> {
    let text = read_text(path).ok()?;
    let before = tree(&Shot::parse(path, &text).ok()?).ok()?;
    let mut document: DocumentMut = text.parse().ok()?;
    merge::tables(document.as_table_mut(), &before, &tree(shot).ok()?);
    Some(as_before(&text, document.to_string()))
}

/// A new text with the byte order mark of the old one, if that had one, and with its ends of lines.
fn as_before(old: &str, new: String) -> String {
    const MARK: char = '\u{feff}';
    let mut text = new;
    if old.contains("\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if old.starts_with(MARK) && !text.starts_with(MARK) {
        text.insert(0, MARK);
    }
    text
}
