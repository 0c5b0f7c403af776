//! `[edit.METHOD]`: what a method has of its own, kept as it is while another one is chosen.

use super::{Character, Control, Edit, MaterialEdit, Recorded, Sparse};
use crate::shot::describe::*;
use crate::shot::entry::path_text;
use crate::shot::field::{Node, Source};
use std::path::{Path, PathBuf};
use toml_edit::{Document, DocumentMut, Table};

/// A table that is kept and not read.
#[derive(Clone, Debug)]
pub struct OwnTable(Table);

impl OwnTable {
    /// A table that says this; none where that is the default.
    fn of<T: Keys + Default + PartialEq>(settings: &T) -> Result<Option<Self>, ShotError> {
        let mut table = Table::new();
        settings.write_keys(&mut table)?;
        Ok((*settings != T::default()).then_some(Self(table)))
    }

    /// What it says, read as the table `name` of its method.
    fn as_table<T: Entry>(&self, name: &str) -> Result<T, ShotError> {
        let text = self.0.to_string();
        // Only what another method kept can be wrong, and nobody knows its file any more.
        let source = Source { file: Path::new("shot.toml"), text: &text };
        let document = Document::parse(&*text).map_err(|error| ShotError::Syntax {
            at: source.at(error.span().map_or(0, |span| span.start)),
            message: error.message().replace('\n', ", "),
        })?;
        Field::new(&source, Node::Table(document.as_table()), name.to_owned(), 0).read()
    }
}

impl Edit {
    /// What `[edit.sparse]` says, whether or not it is there.
    ///
    /// # Errors
    /// When something else is in that table, which is read with the shot only if its method is `sparse`.
    pub fn sparse_settings(&self) -> Result<Sparse, ShotError> {
        self.sparse.as_ref().map_or_else(|| Ok(Sparse::default()), |own| own.as_table("edit.sparse"))
    }

    /// Says what `[edit.sparse]` should; nothing where that is the default.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_sparse_settings(&mut self, settings: Sparse) -> Result<(), ShotError> {
        self.sparse = OwnTable::of(&settings)?;
        Ok(())
    }

    /// What `[edit.material]` says, whether or not it is there.
    ///
    /// # Errors
    /// When something else is in that table, which is read with the shot only if its method is `material`.
    pub fn material_settings(&self) -> Result<MaterialEdit, ShotError> {
        self.material
            .as_ref()
            .map_or_else(|| Ok(MaterialEdit::default()), |own| own.as_table("edit.material"))
    }

    /// Says what `[edit.material]` should; nothing where that is the default.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_material_settings(&mut self, settings: &MaterialEdit) -> Result<(), ShotError> {
        self.material = OwnTable::of(settings)?;
        Ok(())
    }

    /// What `[edit.control]` says, whether or not it is there.
    ///
    /// # Errors
    /// When something else is in that table, which is read with the shot only if its method is `control`.
    pub fn control_settings(&self) -> Result<Control, ShotError> {
        self.control.as_ref().map_or_else(|| Ok(Control::default()), |own| own.as_table("edit.control"))
    }

    /// Says what `[edit.control]` should; nothing where that is the default.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_control_settings(&mut self, settings: &Control) -> Result<(), ShotError> {
        self.control = OwnTable::of(settings)?;
        Ok(())
    }

    /// What `[edit.character]` says, whether or not it is there.
    ///
    /// # Errors
    /// When something else is in that table, which is read with the shot only if its method is `character`.
    pub fn character_settings(&self) -> Result<Character, ShotError> {
        self.character.as_ref().map_or_else(|| Ok(Character::default()), |own| own.as_table("edit.character"))
    }

    /// Says what `[edit.character]` should; nothing where that is the default.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn set_character_settings(&mut self, settings: Character) -> Result<(), ShotError> {
        self.character = OwnTable::of(&settings)?;
        Ok(())
    }
}

/// What of a method's own table names a file: a key of it, or of a table in it.
const FILES: [&[&str]; 3] = [&["rigid"], &["file"], &["basis", "recorded"]];

impl OwnTable {
    /// The texts in it that name files.
    fn files(&mut self, visit: Visit<'_>) {
        for keys in FILES {
            let Some((first, rest)) = keys.split_first() else { continue };
            let found = rest.iter().try_fold(self.0.get_mut(first), |item, key| Some(item?.get_mut(*key)));
            let Some(item) = found.flatten() else { continue };
            // A word of the schema is not the name of a file.
            let Some(text) = item.as_str().filter(|text| *text != Recorded::WORD) else { continue };
            let mut path = PathBuf::from(text);
            visit(&mut path);
            if let Ok(text) = path_text(&path) {
                *item = value(text);
            }
        }
    }
}

impl PartialEq for OwnTable {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl Entry for OwnTable {
    const LIST: List = List::Blocks;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        // By its text: a part of one document is not at home in another.
        let text = field.table_text()?;
        let document: DocumentMut = text.parse().map_err(|_| field.bad("cannot be kept"))?;
        Ok(Self(document.as_table().clone()))
    }

    fn write(&self) -> Result<Item, ShotError> {
        Ok(self.0.clone().into())
    }

    fn paths(&mut self, visit: Visit<'_>) {
        self.files(visit);
    }
}
