//! The bytes of a `.bvh` as words and lines, and where each of them is.

use crate::error::quoted;
use crate::{FormatError, Problem};
use std::borrow::Cow;
use std::ops::Range;

/// What is left of a file. Braces are words of their own, wherever they stand.
pub struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at, line: 1 }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The line of what was read last, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next word, on this line or a later one.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        self.skip_lines();
        self.next_in_line()
    }

    /// The next word of this line.
    pub fn next_in_line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest_of_bytes();
        let blank = rest.iter().take_while(|byte| is_blank(**byte)).count();
        let rest = &rest[blank..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || is_brace(*byte);
        let length = match rest.first() {
            Some(&first) if is_brace(first) => 1,
            _ => rest.iter().position(ends).unwrap_or(rest.len()),
        };
        self.at += blank + length;
        (length > 0).then(|| &rest[..length])
    }

    /// What is left of this line before a brace, trimmed.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = self.rest_of_bytes();
        let ends = |byte: &u8| is_line_end(*byte) || is_brace(*byte);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_ascii()
    }

    /// The bytes of the next line that is not blank, braces and all.
    pub fn next_line(&mut self) -> Option<Range<usize>> {
        self.skip_lines();
        let rest = self.rest_of_bytes();
        let length = rest.iter().position(|byte| is_line_end(*byte)).unwrap_or(rest.len());
        let start = self.at;
        self.at += length;
        (length > 0).then_some(start..start + length)
    }

    /// The next word of this line, a finite number.
    pub fn number(&mut self, expected: &'static str) -> Result<f64, FormatError> {
        let word = self.next_in_line().ok_or_else(|| self.error(Problem::ends_before(expected)))?;
        number(word, expected).map_err(|problem| self.error(problem))
    }

    /// An error here.
    pub fn error(&self, problem: Problem) -> FormatError {
        FormatError::at(self.line, problem)
    }

    /// The error of this word, or of the end of the file, instead of what is expected.
    pub fn unexpected(&self, expected: impl Into<String>, found: Option<&[u8]>) -> FormatError {
        let found = found.map_or_else(|| "the end of the file".to_owned(), |word| quoted(&lossy(word)));
        self.error(Problem::Expected { expected: expected.into(), found })
    }

    /// Moves to the next byte that is not white.
    fn skip_lines(&mut self) {
        let rest = self.rest_of_bytes();
        let white = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        // A line ends with \n, with \r\n, or in files of old with \r.
        let ends = |at: &usize| match rest[*at] {
            b'\r' => rest.get(at + 1) != Some(&b'\n'),
            byte => byte == b'\n',
        };
        self.line += (0..white).filter(ends).count();
        self.at += white;
    }

    fn rest_of_bytes(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }
}

/// The finite number that a word is, or what is wrong with it.
pub fn number(word: &[u8], expected: &'static str) -> Result<f64, Problem> {
    crate::scan::finite(&lossy(word), expected)
}

/// A word as text. Bytes that are not UTF-8, harmless in names and errors elsewhere, become U+FFFD.
pub fn lossy(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() && !is_line_end(byte)
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

fn is_brace(byte: u8) -> bool {
    byte == b'{' || byte == b'}'
}
