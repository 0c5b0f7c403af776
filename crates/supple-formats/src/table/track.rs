//! Numbers that change over time, such as where an anchor is or how strong a force:
//! ```text
//! frame,x,y,z
//! 1,0,0,0
//! 24.5,0.5,0,0
//! ```
//! Rows are keys at scene frames, ascending, whole or not. Between two keys the values go straight
//! from one to the other; before the first and after the last they stay.

use super::Fields;
use crate::error::quoted;
use crate::load::load;
use crate::scan::{Line, content_lines, text};
use crate::{FormatError, Problem};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

/// The name of the first column.
const FRAME: &str = "frame";

/// Keys of one or more columns of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The names of the columns after that of the frame, no two the same.
    pub columns: Vec<String>,
    /// For each key its frame, ascending, and the values of all columns.
    pub rows: Vec<(f64, Vec<f64>)>,
}

impl Track {
    /// The values of all columns at a frame of the scene; none when the track has no keys.
    #[must_use]
    pub fn at(&self, frame: f64) -> Vec<f64> {
        let next = self.rows.partition_point(|(key, _)| *key <= frame);
        let after = self.rows.get(next);
        match (next.checked_sub(1).map(|before| &self.rows[before]), after) {
            (Some((start, a)), Some((end, b))) if *start < frame => {
                let t = (frame - start) / (end - start);
                a.iter().zip(b).map(|(a, b)| (1.0 - t) * a + t * b).collect()
            }
            (Some((_, values)), _) | (None, Some((_, values))) => values.clone(),
            (None, None) => Vec::new(),
        }
    }

    /// The place of the column with this name among the values.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// Reads a track.
///
/// # Errors
/// A header that does not begin with `frame` or has no other column, columns without a name or with
/// that of another, a row with more or fewer values than columns or with one that is not a finite
/// number, frames that do not ascend or that no scene can have, no rows.
pub fn read_track(bytes: &[u8]) -> Result<Track, FormatError> {
    let text = text(bytes);
    let mut lines = content_lines(&text);
    let header = lines.next().ok_or(FormatError::whole_file(Problem::Empty("header")))?;
    let mut track = Track { columns: read_columns(header)?, rows: Vec::new() };
    for line in lines {
        let mut fields = Fields::new(line, track.columns.len() + 1)?;
        let frame = fields.number("the number of a frame")?;
        if frame < f64::from(i32::MIN) || frame > f64::from(i32::MAX) {
            let expected = "the number of a frame, which has at most 31 bits";
            return Err(line.error(Problem::expected(expected, &frame.to_string())));
        }
        if let Some(&(before, _)) = track.rows.last()
            && frame <= before
        {
            return Err(line.error(Problem::NotAscending { frame, before }));
        }
        let values: Result<_, _> = track.columns.iter().map(|_| fields.number("a number")).collect();
        track.rows.push((frame, values?));
    }
    if track.rows.is_empty() {
        return Err(FormatError::whole_file(Problem::Empty("rows")));
    }
    Ok(track)
}

fn read_columns(header: Line<'_>) -> Result<Vec<String>, FormatError> {
    let mut names = header.text.split(',').map(str::trim);
    let expected = "a header of frame and the names of the columns";
    if !names.next().is_some_and(|first| first.eq_ignore_ascii_case(FRAME)) {
        return Err(header.error(Problem::expected(expected, header.text)));
    }
    let columns: Vec<String> = names.map(str::to_owned).collect();
    if columns.is_empty() || columns.iter().any(String::is_empty) {
        return Err(header.error(Problem::expected(expected, header.text)));
    }
    let mut seen = HashSet::new();
    match columns.iter().find(|column| !seen.insert(column.as_str())) {
        Some(twice) => Err(header.error(Problem::DefinedTwice { what: "column", name: quoted(twice) })),
        None => Ok(columns),
    }
}

/// Reads a track: see [`read_track`].
///
/// # Errors
/// Those of [`read_track`], and a file that cannot be read; all name the file.
pub fn load_track(path: impl AsRef<Path>) -> Result<Track, FormatError> {
    load(path.as_ref(), read_track)
}

/// Writes a track from which [`read_track`] reads the same again, bit for bit. In the names of
/// columns, commas, `#`, white space and control characters become `_`.
///
/// # Errors
/// Those of `out`.
pub fn write_track(track: &Track, mut out: impl Write) -> io::Result<()> {
    write!(out, "{FRAME}")?;
    for column in &track.columns {
        write!(out, ",{}", plain_name(column))?;
    }
    writeln!(out)?;
    for (frame, values) in &track.rows {
        write!(out, "{frame:?}")?;
        for value in values {
            write!(out, ",{value:?}")?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// A name that a table has room for.
fn plain_name(name: &str) -> String {
    let plain = |c: char| if c == ',' || c == '#' || c.is_whitespace() || c.is_control() { '_' } else { c };
    if name.is_empty() { "_".to_owned() } else { name.chars().map(plain).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_straight_between_keys_and_stay_outside() {
        let track = read_track(b"frame, x, y\n1,0,5\n# a comment\n3,4,5\n3.5,-4,1e308\n").unwrap();
        assert_eq!(track.columns, ["x", "y"]);
        let cases: &[(f64, [f64; 2])] = &[
            (-10.0, [0.0, 5.0]),
            (1.0, [0.0, 5.0]),
            (1.5, [1.0, 5.0]),
            (2.0, [2.0, 5.0]),
            (3.0, [4.0, 5.0]),
            (3.25, [0.0, 5e307]),
            (3.5, [-4.0, 1e308]),
            (99.0, [-4.0, 1e308]),
        ];
        for (frame, values) in cases {
            assert_eq!(track.at(*frame), values, "at {frame}");
        }
        assert_eq!((track.column("y"), track.column("z")), (Some(1), None));
    }

    #[test]
    fn values_of_opposite_sign_and_any_size_do_not_overflow() {
        let track = Track { columns: vec!["x".into()], rows: vec![(0.0, vec![-1e308]), (4.0, vec![1e308])] };
        assert_eq!(track.at(2.0), [0.0]);
        assert_eq!(track.at(3.0), [5e307]);
    }

    #[test]
    fn a_track_without_keys_has_no_values() {
        assert_eq!(Track::default().at(1.0), [] as [f64; 0]);
    }
}
