//! Lists of fixed vertices, `.bou`.
//!
//! Two dialects share the ending. Without a comma anywhere, the first number is a count and as many
//! vertices follow, counted from 0:
//! ```text
//! 3
//! 0 4 7
//! ```
//! With a comma anywhere, every number is a vertex, counted from 1, as VegaFEM writes it:
//! ```text
//! 1,5,8,
//! ```
//! Nothing else tells them apart, so a list without commas whose count is wrong is an error, never
//! a guess: it may well be a counted list that was cut short. A single vertex in VegaFEM's dialect
//! is written with its comma, `5,`.

use crate::scan::{Line, Row, content_lines, text};
use crate::{FormatError, Problem};

/// Reads the fixed vertices of a `.bou` file, in its order, counted from 0 in either dialect.
///
/// # Errors
/// A word that is no vertex number, a count that is not met, an empty file.
pub fn read_bou(bytes: &[u8]) -> Result<Vec<u32>, FormatError> {
    let text = text(bytes);
    if content_lines(&text).any(|line| line.text.contains(',')) {
        read_listed(&text)
    } else {
        read_counted(&text)
    }
}

/// Count, then vertices from 0.
fn read_counted(text: &str) -> Result<Vec<u32>, FormatError> {
    let mut header: Option<(Line<'_>, u32)> = None;
    let mut vertices = Vec::new();
    for line in content_lines(text) {
        for_each_number(&line, |number| {
            match header {
                None => header = Some((line, number)),
                Some(_) => vertices.push(number),
            }
            Ok(())
        })?;
    }
    let (line, announced) = header.ok_or_else(|| FormatError::whole_file(Problem::Empty("vertices")))?;
    let (announced, found) = (announced as usize, vertices.len());
    if announced != found {
        return Err(line.error(Problem::WrongCount { what: "vertices", announced, found }));
    }
    Ok(vertices)
}

/// Vertices from 1.
fn read_listed(text: &str) -> Result<Vec<u32>, FormatError> {
    let mut vertices = Vec::new();
    for line in content_lines(text) {
        for_each_number(&line, |number| {
            let expected = "vertex numbers from 1 in a list with commas";
            let vertex = number.checked_sub(1).ok_or_else(|| line.error(Problem::expected(expected, "0")))?;
            vertices.push(vertex);
            Ok(())
        })?;
    }
    Ok(vertices)
}

fn for_each_number(
    line: &Line<'_>,
    mut take: impl FnMut(u32) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    let mut row = Row::new(line, "a vertex number");
    while let Some(word) = row.next_word() {
        take(word.parse().map_err(|_| row.unexpected(word))?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dialects_count_from_0_in_the_end() {
        assert_eq!(read_bou(b"3\n0\t4\n7\n").unwrap(), [0, 4, 7]);
        assert_eq!(read_bou(b"1,5,\n8\n").unwrap(), [0, 4, 7]);
        assert_eq!(read_bou(b"0").unwrap(), [] as [u32; 0]);
        assert_eq!(read_bou(b"5,").unwrap(), [4]);
    }

    #[test]
    fn a_comma_in_a_comment_does_not_choose_the_dialect() {
        assert_eq!(read_bou(b"# fixed, all of them\n2 0 1").unwrap(), [0, 1]);
    }
}
