//! The numbers and words of a value, once they are asked for.

use super::scanner::{Scanner, table};
use crate::blob::Blob;
use crate::{FormatError, Problem};

/// The bytes between numbers.
const SEPARATES: [bool; 256] = table(b" \t\r\n\x0C[](),;");

/// All numbers of the value at `at`; brackets do not matter.
pub(in crate::usd) fn numbers(
    blob: &Blob,
    at: u64,
    length: u64,
    line: usize,
) -> Result<Vec<f64>, FormatError> {
    let bytes = blob.bytes(at, length, "a value")?;
    let separates = |byte: &u8| SEPARATES[usize::from(*byte)];
    let mut numbers = Vec::new();
    let mut rest = bytes.as_slice();
    loop {
        rest = &rest[rest.iter().take_while(|byte| separates(byte)).count()..];
        if rest.is_empty() {
            return Ok(numbers);
        }
        if rest[0] == b'#' {
            rest = &rest[rest.iter().take_while(|byte| **byte != b'\n').count()..];
            continue;
        }
        let end = rest.iter().position(separates).unwrap_or(rest.len());
        let word = &rest[..end];
        match number(word) {
            Some(number) => numbers.push(number),
            None => {
                let before = &bytes[..bytes.len() - rest.len()];
                let line = line + before.iter().filter(|byte| **byte == b'\n').count();
                let found = String::from_utf8_lossy(word);
                return Err(FormatError::at(line, Problem::expected("a number", &found)));
            }
        }
        rest = &rest[end..];
    }
}

fn number(word: &[u8]) -> Option<f64> {
    match word {
        b"true" => Some(1.0),
        b"false" => Some(0.0),
        _ => std::str::from_utf8(word).ok()?.parse().ok(),
    }
}

/// All words of the value at `at`: what stands in quotes, between `@`s, or alone.
pub(in crate::usd) fn words(
    blob: &Blob,
    at: u64,
    length: u64,
    line: usize,
) -> Result<Vec<String>, FormatError> {
    let Some(part) = blob.part(at, length) else {
        return Ok(Vec::new());
    };
    let mut scanner = Scanner::from_line(part, line);
    let mut words = Vec::new();
    loop {
        match scanner.skip_space()? {
            None => return Ok(words),
            Some(b'"' | b'\'') => words.push(scanner.string()?),
            Some(b'@') => words.push(scanner.asset()?),
            Some(b'<') => words.push(scanner.path()?),
            Some(b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'=') => drop(scanner.next()?),
            Some(_) => {
                let word = scanner.word()?;
                if word.is_empty() {
                    return Err(scanner.unexpected("a word"));
                }
                words.push(word);
            }
        }
    }
}
