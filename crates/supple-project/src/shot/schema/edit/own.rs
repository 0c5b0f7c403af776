//! `[edit.METHOD]`: what a method has of its own, kept as it is while another one is chosen.

use crate::shot::describe::*;
use crate::shot::field::{Node, Source};
use std::path::Path;
use toml_edit::{Document, DocumentMut, Table};

/// A table that is kept and not read.
#[derive(Clone, Debug)]
pub struct OwnTable(Table);

impl OwnTable {
    /// A table that says this.
    pub(super) fn of<T: Keys>(settings: &T) -> Result<Self, ShotError> {
        let mut table = Table::new();
        settings.write_keys(&mut table)?;
        Ok(Self(table))
    }

    /// What it says, read as the table `name` of its method.
    pub(super) fn as_table<T: Entry>(&self, name: &str) -> Result<T, ShotError> {
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
}
