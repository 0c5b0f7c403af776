//! Text into lines, lines into checked values: what the readers of text share.
//!
//! Nothing here allocates on the strength of a number in the file, so that the memory of a reader is
//! bounded by the size of what it reads.

use crate::error::quoted;
use crate::{FormatError, Problem};
use std::borrow::Cow;

/// The file as text. Bytes that are not UTF-8 become U+FFFD: they are common, and harmless, in the
/// comments and names of old files, and an error with a line number anywhere else.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

/// One line, trimmed, and its number counted from 1.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
}

impl<'a> Line<'a> {
    pub fn error(&self, problem: Problem) -> FormatError {
        FormatError::at(self.number, problem)
    }

    /// The first word, and what follows it.
    pub fn split_word(&self) -> (&'a str, &'a str) {
        let (word, rest) = self.text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((self.text, ""));
        (word, rest.trim())
    }
}

/// All lines, trimmed, blank ones included.
pub(crate) fn all_lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().enumerate().map(|(i, line)| Line { number: i + 1, text: line.trim() })
}

/// The lines that hold something besides a `#` comment.
pub(crate) fn content_lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    all_lines(text)
        .map(|line| Line { text: without_comment(line.text), ..line })
        .filter(|line| !line.text.is_empty())
}

/// A comment begins with `#` at the start of a word; within a word, as in the name `part#2`, it is text.
pub(crate) fn without_comment(line: &str) -> &str {
    let starts_comment =
        |at: usize| at == 0 || line.as_bytes().get(at - 1).is_some_and(u8::is_ascii_whitespace);
    match line.match_indices('#').find(|&(at, _)| starts_comment(at)) {
        Some((at, _)) => line[..at].trim_end(),
        None => line,
    }
}

fn is_separator(c: char) -> bool {
    c == ',' || c.is_ascii_whitespace()
}

/// The values of one line, separated by white space or commas, read from left to right.
pub(crate) struct Row<'a> {
    line: usize,
    rest: &'a str,
    expected: &'static str,
}

impl<'a> Row<'a> {
    /// `expected` says in errors what the whole row should hold.
    pub fn new(line: &Line<'a>, expected: &'static str) -> Self {
        Self { line: line.number, rest: line.text, expected }
    }

    /// The next word, if there is one.
    pub fn next_word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_separator);
        let (word, rest) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Whether no word is left.
    pub fn is_at_end(&self) -> bool {
        self.rest.chars().all(is_separator)
    }

    /// The next word; the end of the line is an error.
    pub fn word(&mut self) -> Result<&'a str, FormatError> {
        self.next_word().ok_or_else(|| FormatError::at(self.line, Problem::ends_before(self.expected)))
    }

    /// The next value, a finite number.
    pub fn number(&mut self) -> Result<f64, FormatError> {
        let word = self.word()?;
        finite(word, self.expected).map_err(|problem| FormatError::at(self.line, problem))
    }

    /// The next `N` values, finite numbers.
    pub fn numbers<const N: usize>(&mut self) -> Result<[f64; N], FormatError> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }

    /// The next value, a whole number of at least 0.
    pub fn index(&mut self) -> Result<u32, FormatError> {
        let word = self.word()?;
        word.parse().map_err(|_| self.unexpected(word))
    }

    /// The next `N` values, whole numbers of at least 0.
    pub fn indices<const N: usize>(&mut self) -> Result<[u32; N], FormatError> {
        let mut indices = [0; N];
        for index in &mut indices {
            *index = self.index()?;
        }
        Ok(indices)
    }

    /// Checks that nothing follows.
    pub fn end(mut self) -> Result<(), FormatError> {
        self.next_word().map_or(Ok(()), |word| Err(self.unexpected(word)))
    }

    /// The error of a word that has no business here.
    pub fn unexpected(&self, word: &str) -> FormatError {
        FormatError::at(self.line, Problem::expected(self.expected, word))
    }
}

/// The finite number that a word is, or what is wrong with it.
pub(crate) fn finite(word: &str, expected: &'static str) -> Result<f64, Problem> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(Problem::NotFinite(quoted(word))),
        Err(_) => Err(Problem::expected(expected, word)),
    }
}

/// Checks rows that carry consecutive numbers, the first of which is 0 or 1, below a header that
/// announces how many there are; and turns those numbers into indices from 0.
pub(crate) struct Numbering {
    what: &'static str,
    plural: &'static str,
    /// The line of the header and the count it announces.
    header: Option<(usize, u32)>,
    first: u32,
    count: u32,
}

impl Numbering {
    /// `what` is counted, for errors in singular and plural.
    pub fn new(what: &'static str, plural: &'static str) -> Self {
        Self { what, plural, header: None, first: 0, count: 0 }
    }

    /// Takes the header, which must come before its rows.
    pub fn announce(&mut self, line: &Line<'_>, count: u32) {
        self.header = Some((line.number, count));
    }

    pub fn is_announced(&self) -> bool {
        self.header.is_some()
    }

    /// Takes the number of the next row.
    pub fn next(&mut self, line: &Line<'_>, number: u32) -> Result<(), FormatError> {
        if self.count == 0 {
            if number > 1 {
                let expected = format!("the first {} to have number 0 or 1", self.what);
                return Err(line.error(Problem::expected(expected, &number.to_string())));
            }
            self.first = number;
        }
        let due = u64::from(self.first) + u64::from(self.count);
        if u64::from(number) != due {
            let expected = format!("{} {due}", self.what);
            return Err(line.error(Problem::expected(expected, &number.to_string())));
        }
        self.count += 1;
        Ok(())
    }

    /// The number of the first row: 0 or 1.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The indices, from 0, of the rows with these numbers.
    pub fn indices_of<const N: usize>(
        &self,
        line: &Line<'_>,
        numbers: [u32; N],
    ) -> Result<[u32; N], FormatError> {
        indices_of(line, self.what, numbers, self.first, self.count as usize)
    }

    /// Checks that there was a header, and that as many rows came as it announced.
    pub fn finish(&self) -> Result<(), FormatError> {
        match self.header {
            None => Err(FormatError::whole_file(Problem::Empty(self.plural))),
            Some((_, announced)) if announced == self.count => Ok(()),
            Some((line, announced)) => {
                let (announced, found) = (announced as usize, self.count as usize);
                Err(FormatError::at(line, Problem::WrongCount { what: self.plural, announced, found }))
            }
        }
    }
}

/// The indices, from 0, of things numbered from `first`, of which there are `count`.
pub(crate) fn indices_of<const N: usize>(
    line: &Line<'_>,
    what: &'static str,
    mut numbers: [u32; N],
    first: u32,
    count: usize,
) -> Result<[u32; N], FormatError> {
    for number in &mut numbers {
        match number.checked_sub(first) {
            Some(index) if (index as usize) < count => *number = index,
            _ => {
                let number = i64::from(*number);
                return Err(line.error(Problem::NoSuchNumber { what, number, count, first }));
            }
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_begin_at_the_start_of_a_word() {
        let lines: Vec<_> =
            content_lines("# head\n\n  g part#2  # tail\nv 1\r\n").map(|l| (l.number, l.text)).collect();
        assert_eq!(lines, [(3, "g part#2"), (4, "v 1")]);
    }

    #[test]
    fn values_are_separated_by_space_or_commas() {
        let line = Line { number: 1, text: "1, 2.5\t-3e2,,4" };
        let mut row = Row::new(&line, "values");
        assert_eq!(row.index().unwrap(), 1);
        assert_eq!(row.numbers().unwrap(), [2.5, -300.0, 4.0]);
        row.end().unwrap();
    }

    #[test]
    fn a_byte_order_mark_is_not_text() {
        assert_eq!(text(b"\xEF\xBB\xBFv 1"), "v 1");
    }
}
