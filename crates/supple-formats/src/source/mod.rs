//! Values from bytes that are text, binary, or one after the other: for formats that come as both.
//!
//! A reader asks for the values of a row in the order of the format; the encoding says how each is
//! taken. In text a row ends with its line, which [`Source::end_row`] checks, so that an error is
//! found on the line where it stands; in binary nothing separates rows. Every value that is taken
//! shortens what is left, so a loop over an announced count ends with the file at the latest.

mod text;

use crate::scan::finite;
use crate::{FormatError, Place, Problem};

/// How values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a value in a binary file. In text it only tells whole numbers from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// The largest number of a type of few bytes that counts from 0.
    pub fn largest(self) -> Option<f64> {
        match self {
            Self::U8 => Some(f64::from(u8::MAX)),
            Self::U16 => Some(f64::from(u16::MAX)),
            _ => None,
        }
    }

    fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

/// The bytes of a file, read from front to back.
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The line of `at`, counted from 1, while the file is text.
    line: usize,
    encoding: Encoding,
    /// What the row being read should hold, for errors.
    expected: &'static str,
    /// Where the value read last begins, for errors.
    place: Place,
}

impl<'a> Source<'a> {
    /// Begins as text.
    pub fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { bytes, at, line: 1, encoding: Encoding::Text, expected: "", place: Place::Line(1) }
    }

    /// What follows is written so.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    pub fn is_text(&self) -> bool {
        self.encoding == Encoding::Text
    }

    /// Where the value read last begins.
    pub fn place(&self) -> Place {
        self.place
    }

    /// An error at the value read last.
    pub fn error(&self, problem: Problem) -> FormatError {
        FormatError::at_place(self.place, problem)
    }

    /// The error of a value, the one read last, that has no business in its row.
    pub fn unexpected(&self, found: &str) -> FormatError {
        self.error(Problem::expected(self.expected, found))
    }

    /// The error of a row that is over too early.
    fn ends(&self) -> FormatError {
        let found = if self.at < self.bytes.len() { "the end of the line" } else { "the end of the file" };
        self.error(Problem::Expected { expected: self.expected.to_owned(), found: found.to_owned() })
    }

    fn mark(&mut self) {
        self.place = if self.is_text() { Place::Line(self.line) } else { Place::Byte(self.at) };
    }

    /// Begins a row; `expected` says in errors what it should hold.
    pub fn begin_row(&mut self, expected: &'static str) {
        if self.is_text() {
            self.begin_text_row(expected);
        } else {
            self.expected = expected;
            self.mark();
        }
    }

    /// Ends a row: in text nothing else may stand on its line.
    pub fn end_row(&mut self) -> Result<(), FormatError> {
        if self.is_text() { self.end_text_row() } else { Ok(()) }
    }

    /// The next value, a finite number.
    pub fn number(&mut self, scalar: Scalar) -> Result<f64, FormatError> {
        if self.is_text() {
            let word = self.word()?;
            return finite(&word, self.expected).map_err(|problem| self.error(problem));
        }
        let number = match scalar {
            Scalar::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
            _ => self.integer(scalar)? as f64,
        };
        match number.is_finite() {
            true => Ok(number),
            false => Err(self.error(Problem::NotFinite(number.to_string()))),
        }
    }

    /// The next three values, finite numbers.
    pub fn numbers(&mut self, scalar: Scalar) -> Result<[f64; 3], FormatError> {
        Ok([self.number(scalar)?, self.number(scalar)?, self.number(scalar)?])
    }

    /// The next value, a whole number.
    pub fn integer(&mut self, scalar: Scalar) -> Result<i64, FormatError> {
        if self.is_text() {
            return self.text_integer();
        }
        Ok(match scalar {
            Scalar::I8 => i8::from_le_bytes(self.take()?).into(),
            Scalar::U8 => u8::from_le_bytes(self.take()?).into(),
            Scalar::I16 => i16::from_le_bytes(self.take()?).into(),
            Scalar::U16 => u16::from_le_bytes(self.take()?).into(),
            Scalar::I32 => i32::from_le_bytes(self.take()?).into(),
            Scalar::U32 => u32::from_le_bytes(self.take()?).into(),
            Scalar::I64 => i64::from_le_bytes(self.take()?),
            Scalar::U64 => {
                let integer = u64::from_le_bytes(self.take()?);
                i64::try_from(integer).map_err(|_| self.unexpected(&integer.to_string()))?
            }
            Scalar::F32 | Scalar::F64 => {
                let number = self.number(scalar)?;
                let is_whole = number.fract() == 0.0 && number.abs() < 2f64.powi(53);
                is_whole.then_some(number as i64).ok_or_else(|| self.unexpected(&number.to_string()))?
            }
        })
    }

    /// The next value, a whole number of at least 0.
    pub fn count(&mut self, scalar: Scalar) -> Result<u64, FormatError> {
        let integer = self.integer(scalar)?;
        self.not_negative(integer)
    }

    fn not_negative(&self, integer: i64) -> Result<u64, FormatError> {
        u64::try_from(integer).map_err(|_| self.unexpected(&integer.to_string()))
    }

    /// Passes over values, whatever they are.
    pub fn skip(&mut self, scalar: Scalar, count: u64) -> Result<(), FormatError> {
        if self.is_text() {
            return (0..count).try_for_each(|_| self.word().map(drop));
        }
        self.mark();
        let left = (self.bytes.len() - self.at) as u64;
        match count.checked_mul(scalar.size()) {
            Some(size) if size <= left => self.at += size as usize,
            _ => {
                self.at = self.bytes.len();
                return Err(self.ends());
            }
        }
        Ok(())
    }

    /// The next `N` bytes of binary data, the lowest first.
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        self.mark();
        let Some(&(mut bytes)) = self.bytes[self.at..].first_chunk::<N>() else {
            self.at = self.bytes.len();
            return Err(self.ends());
        };
        self.at += N;
        if self.encoding == Encoding::BigEndian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// Checks that the file ends here; in text white space and comments may follow.
    pub fn end_file(&mut self) -> Result<(), FormatError> {
        self.begin_row("the end of the file");
        let left = self.bytes.len() - self.at;
        match left {
            0 => Ok(()),
            _ if self.is_text() => {
                let word = self.next_word().unwrap_or_default();
                Err(self.unexpected(&word))
            }
            _ => {
                let (expected, found) = (self.expected.to_owned(), format!("{left} bytes more"));
                Err(self.error(Problem::Expected { expected, found }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_binary_hold_the_same_values() {
        let mut text = Source::new(b"\xEF\xBB\xBF -2 300 # ok\n\n# comment\n1.5");
        let mut little = Source::new(b"\xFE\x2C\x01\x00\x00\xC0\x3F");
        let mut big = Source::new(b"\xFE\x01\x2C\x3F\xC0\x00\x00");
        little.set_encoding(Encoding::LittleEndian);
        big.set_encoding(Encoding::BigEndian);
        for source in [&mut text, &mut little, &mut big] {
            source.begin_row("two numbers");
            assert_eq!(source.integer(Scalar::I8).unwrap(), -2);
            assert_eq!(source.count(Scalar::U16).unwrap(), 300);
            if source.is_text() {
                assert_eq!(
                    source.end_row().unwrap_err().to_string(),
                    "line 1: expected two numbers, found \"#\""
                );
                source.rest_of_line();
            }
            source.begin_row("a number");
            assert_eq!(source.number(Scalar::F32).unwrap(), 1.5);
            source.end_file().unwrap();
            assert!(
                source.number(Scalar::F32).unwrap_err().to_string().ends_with("found the end of the file")
            );
        }
        assert_eq!((text.place, little.place), (Place::Line(4), Place::Byte(7)));
    }

    #[test]
    fn announced_lengths_beyond_the_file_are_errors() {
        let mut source = Source::new(&[0; 16]);
        source.set_encoding(Encoding::BigEndian);
        source.begin_row("data");
        source.skip(Scalar::F64, 1).unwrap();
        for count in [2, u64::MAX] {
            let error = source.skip(Scalar::F64, count).unwrap_err().to_string();
            assert!(error.ends_with("expected data, found the end of the file"), "{error}");
        }
    }
}
