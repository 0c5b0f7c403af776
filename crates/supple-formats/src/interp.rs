//! How a skin rides on a body, `.interp`: one row for each skin vertex, with its number, then pairs
//! of a body vertex and a weight.
//! ```text
//! 0 58 0.25 7398 0.25 0 0.5 8830 0
//! 1 77 0.5 9122 0.5 1 0 9123 0
//! ```
//! All count from 0, and all rows have the same number of pairs: four on a tet, eight in a cube.

use crate::scan::{Row, content_lines, text};
use crate::{FormatError, Problem};

/// The contents of an `.interp` file: x_i = Σ_k w_ik X_(j_ik) for skin vertex i.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterpolationFile {
    /// How many pairs each skin vertex has.
    pub pairs_per_vertex: usize,
    /// Body vertex j_ik and weight w_ik, skin vertex by skin vertex.
    pub pairs: Vec<(u32, f64)>,
}

impl InterpolationFile {
    /// The pairs of each skin vertex in turn.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[(u32, f64)]> {
        self.pairs.chunks_exact(self.pairs_per_vertex.max(1))
    }
}

/// Reads an `.interp` file. The body is not at hand, so its vertex numbers are not checked.
///
/// # Errors
/// Rows out of order or of different lengths, a value that is not a finite number, an empty file.
pub fn read_interp(bytes: &[u8]) -> Result<InterpolationFile, FormatError> {
    let text = text(bytes);
    let mut file = InterpolationFile::default();
    for (due, line) in (0_u32..).zip(content_lines(&text)) {
        let mut row = Row::new(&line, "a skin vertex, then pairs of body vertex and weight");
        let skin_vertex = row.index()?;
        if skin_vertex != due {
            let expected = format!("the row of skin vertex {due}");
            return Err(line.error(Problem::expected(expected, &skin_vertex.to_string())));
        }
        let start = file.pairs.len();
        loop {
            file.pairs.push((row.index()?, row.number()?));
            if row.is_at_end() {
                break;
            }
        }
        let pairs = file.pairs.len() - start;
        if due == 0 {
            file.pairs_per_vertex = pairs;
        } else if pairs != file.pairs_per_vertex {
            let expected = format!("as many pairs as in the first row, {}", file.pairs_per_vertex);
            return Err(line.error(Problem::Expected { expected, found: pairs.to_string() }));
        }
    }
    if file.pairs.is_empty() {
        return Err(FormatError::whole_file(Problem::Empty("rows")));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_pairs() {
        let file = read_interp(b"0 5 0.25 7 0.75\n1 6 1.000001 5 -0.000001\n").unwrap();
        let rows: Vec<_> = file.rows().collect();
        assert_eq!(rows, [[(5, 0.25), (7, 0.75)], [(6, 1.000001), (5, -0.000001)]]);
        assert_eq!(read_interp(b"0 3 1").unwrap().pairs_per_vertex, 1);
    }
}
