//! Lines and words, whatever the encoding of the values: binary files have headers of text.

use super::Source;
use crate::{FormatError, Problem};
use std::borrow::Cow;

impl<'a> Source<'a> {
    /// The next byte, if there is one.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Begins a row of text, whatever the encoding: moves to the next word, past ends of lines and
    /// comments.
    pub fn begin_text_row(&mut self, expected: &'static str) {
        self.expected = expected;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b'#' => {
                    self.rest_of_line();
                    continue;
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => break,
            }
            self.at += 1;
        }
        self.mark();
    }

    /// Ends a row of text, whatever the encoding, together with its line.
    pub fn end_text_row(&mut self) -> Result<(), FormatError> {
        let place = self.place;
        if let Some(word) = self.next_word() {
            return Err(self.unexpected(&word));
        }
        self.place = place;
        if self.at < self.bytes.len() {
            self.at += 1;
            self.line += 1;
        }
        Ok(())
    }

    /// The next word of the line, if there is one.
    pub fn next_word(&mut self) -> Option<Cow<'a, str>> {
        let is_blank = |byte: &u8| *byte != b'\n' && byte.is_ascii_whitespace();
        self.at += self.bytes[self.at..].iter().take_while(|byte| is_blank(byte)).count();
        self.mark();
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| String::from_utf8_lossy(&rest[..length]))
    }

    /// The next word of the line; its end is an error.
    pub fn word(&mut self) -> Result<Cow<'a, str>, FormatError> {
        self.next_word().ok_or_else(|| self.ends())
    }

    /// The next word of the line, a whole number.
    pub fn text_integer(&mut self) -> Result<i64, FormatError> {
        let word = self.word()?;
        word.parse().map_err(|_| self.unexpected(&word))
    }

    /// The next word of the line, a whole number of at least 0.
    pub fn text_count(&mut self) -> Result<u64, FormatError> {
        let integer = self.text_integer()?;
        self.not_negative(integer)
    }

    /// What is left of the line, trimmed.
    pub fn rest_of_line(&mut self) -> Cow<'a, str> {
        self.mark();
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.at += length;
        String::from_utf8_lossy(rest[..length].trim_ascii())
    }

    /// Moves to where `mark` stands next; `expected` is the same for errors.
    pub fn skip_to(&mut self, mark: &str) -> Result<(), FormatError> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.windows(mark.len()).position(|window| window == mark.as_bytes()) else {
            let found = "the end of the file".to_owned();
            return Err(self.error(Problem::Expected { expected: mark.to_owned(), found }));
        };
        self.line += rest[..length].iter().filter(|&&byte| byte == b'\n').count();
        self.at += length;
        Ok(())
    }
}
