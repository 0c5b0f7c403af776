//! `ends`: what holds where an edit begins and where it ends.

use crate::shot::describe::*;

/// `ends`: what holds where the edit begins and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// `loop`: the end is the start again.
    Loop,
    /// Each end for itself.
    Apart {
        /// Where the edit begins. Without: clamped.
        start: Option<End>,
        /// Where it ends. Without: free if that is where the motion ends, clamped otherwise.
        end: Option<End>,
    },
}

impl Default for Ends {
    /// Begins as the input does, and ends wherever it gets to.
    fn default() -> Self {
        Self::Apart { start: None, end: None }
    }
}

impl Entry for Ends {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        if field.is_text() {
            return field.choice(&[Self::Loop], |_| "loop");
        }
        if !field.is_table() {
            return Err(field.wrong_type("\"loop\" or a table"));
        }
        let section = field.section(&["start", "end"])?;
        Ok(Self::Apart { start: section.read("start")?, end: section.read("end")? })
    }

    fn write(&self) -> Result<Item, ShotError> {
        let Self::Apart { start, end } = self else { return Ok(value("loop")) };
        let mut table = InlineTable::new();
        put(&mut table, "start", start)?;
        put(&mut table, "end", end)?;
        Ok(if table.is_empty() { Item::None } else { value(table) })
    }
}

/// What holds at one end of the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The edit and its velocity vanish there.
    Clamped,
    /// Nothing.
    Free,
}

words!(End { Clamped = "clamped", Free = "free" });
