//! Tables as comma-separated values: a line of column names, then rows; blank lines and `#` comments
//! anywhere. Every field must be there, and numbers are written in the shortest form that reads as
//! the same bits.

mod contacts;
mod groups;
mod mixtures;
mod track;

pub use contacts::{ContactWriter, load_contacts, read_contacts, write_contacts};
pub use groups::{load_groups, read_groups};
pub use mixtures::{Mixture, Mixtures, load_mixtures, read_mixtures, write_mixtures};
pub use track::{Track, load_track, read_track, write_track};

use crate::scan::{Line, content_lines, finite};
use crate::{FormatError, Problem};
use std::str::Split;

/// The rows of a table that has just these columns.
fn rows<'a>(text: &'a str, columns: &[&str]) -> Result<impl Iterator<Item = Line<'a>>, FormatError> {
    let mut lines = content_lines(text);
    let header = lines.next().ok_or(FormatError::whole_file(Problem::Empty("header")))?;
    let names = header.text.split(',').map(|name| name.trim().to_ascii_lowercase());
    if names.eq(columns.iter().copied()) {
        Ok(lines)
    } else {
        Err(header.error(Problem::expected(columns.join(","), header.text)))
    }
}

/// The fields of a row, from left to right.
struct Fields<'a> {
    line: Line<'a>,
    fields: Split<'a, char>,
}

impl<'a> Fields<'a> {
    /// Checks that there are as many as there are columns.
    fn new(line: Line<'a>, columns: usize) -> Result<Self, FormatError> {
        let found = line.text.split(',').count();
        if found != columns {
            let expected = format!("{columns} values with commas between them");
            return Err(line.error(Problem::Expected { expected, found: found.to_string() }));
        }
        Ok(Self { line, fields: line.text.split(',') })
    }

    /// The next field, trimmed. Past the last it is empty, as a field without a value is.
    fn text(&mut self) -> &'a str {
        self.fields.next().unwrap_or_default().trim()
    }

    /// The next field, a finite number.
    fn number(&mut self, expected: &'static str) -> Result<f64, FormatError> {
        finite(self.text(), expected).map_err(|problem| self.line.error(problem))
    }
}
