//! `[edit.METHOD]`: what a method has of its own, kept as it is while another one is chosen.

use crate::shot::describe::*;
use toml_edit::{DocumentMut, Table};

/// A table that is kept and not read.
#[derive(Clone, Debug)]
pub struct OwnTable(Table);

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
