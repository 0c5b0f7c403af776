//! From bytes to words, strings, and where values begin and end.

use crate::blob::Blob;
use crate::error::quoted;
use crate::usd::spec::Raw;
use crate::{FormatError, Problem};

/// How much of the file is in memory at a time.
const WINDOW: u64 = 1 << 20;

/// The longest word, string or path that is held: names, not numbers.
const LONGEST: usize = 1 << 16;

/// The bytes that may end a value, or begin what has to be read by other rules.
const IS_SPECIAL: [bool; 256] = table(b"[](){}\"'@<#\n");

/// Which bytes are among these.
pub(super) const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut i = 0;
    while i < bytes.len() {
        table[bytes[i] as usize] = true;
        i += 1;
    }
    table
}

pub(super) struct Scanner {
    blob: Blob,
    window: Vec<u8>,
    /// Where the window begins in the file.
    window_at: u64,
    /// Where we are in the window.
    at: usize,
    pub line: usize,
}

impl Scanner {
    pub fn new(blob: Blob) -> Self {
        Self { blob, window: Vec::new(), window_at: 0, at: 0, line: 1 }
    }

    /// A scanner of a piece of a file that begins on this line.
    pub fn from_line(blob: Blob, line: usize) -> Self {
        Self { line, ..Self::new(blob) }
    }

    pub fn position(&self) -> u64 {
        self.window_at + self.at as u64
    }

    pub fn error(&self, problem: Problem) -> FormatError {
        FormatError::at(self.line, problem)
    }

    /// The error of something else standing here.
    pub fn unexpected(&mut self, expected: &str) -> FormatError {
        let found = match self.peek() {
            Ok(Some(byte)) => quoted(&char::from(byte).to_string()),
            Ok(None) => "the end of the file".to_owned(),
            Err(error) => return error,
        };
        self.error(Problem::Expected { expected: expected.to_owned(), found })
    }

    /// Moves the window on when it is used up. Whether there is more.
    fn fill(&mut self) -> Result<bool, FormatError> {
        if self.at < self.window.len() {
            return Ok(true);
        }
        let from = self.position();
        let length = WINDOW.min(self.blob.len() - from);
        self.window = self.blob.bytes(from, length, "text")?;
        (self.window_at, self.at) = (from, 0);
        Ok(length > 0)
    }

    pub fn peek(&mut self) -> Result<Option<u8>, FormatError> {
        Ok(self.fill()?.then(|| self.window[self.at]))
    }

    pub fn next(&mut self) -> Result<Option<u8>, FormatError> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.at += 1;
            self.line += usize::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Passes over white space, comments, and the separators `,` and `;`.
    pub fn skip_space(&mut self) -> Result<Option<u8>, FormatError> {
        loop {
            match self.peek()? {
                Some(b'#') => self.skip_line()?,
                Some(b',' | b';') => drop(self.next()?),
                Some(byte) if byte.is_ascii_whitespace() => drop(self.next()?),
                other => return Ok(other),
            }
        }
    }

    fn skip_line(&mut self) -> Result<(), FormatError> {
        while !matches!(self.next()?, None | Some(b'\n')) {}
        Ok(())
    }

    /// Takes this byte, after white space.
    pub fn expect(&mut self, byte: u8) -> Result<(), FormatError> {
        if self.skip_space()? == Some(byte) {
            self.next()?;
            return Ok(());
        }
        Err(self.unexpected(&format!("{:?}", char::from(byte))))
    }

    /// Takes this byte where it comes next, after white space.
    pub fn takes(&mut self, byte: u8) -> Result<bool, FormatError> {
        let is_next = self.skip_space()? == Some(byte);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    pub fn held(&mut self, text: &mut Vec<u8>, byte: u8) -> Result<(), FormatError> {
        if text.len() >= LONGEST {
            return Err(self.error(Problem::Unsupported(format!("a name of more than {LONGEST} bytes"))));
        }
        text.push(byte);
        Ok(())
    }

    /// The next word: letters, digits, and what names and numbers are made of. May be empty.
    pub fn word(&mut self) -> Result<String, FormatError> {
        self.skip_space()?;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()? {
            if !(byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_:.+-!|".contains(&byte)) {
                break;
            }
            self.held(&mut word, byte)?;
            self.next()?;
        }
        Ok(String::from_utf8_lossy(&word).into_owned())
    }

    /// The next word of what numbers are made of. May be empty.
    pub fn number_word(&mut self) -> Result<String, FormatError> {
        self.skip_space()?;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()?.filter(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)) {
            self.held(&mut word, byte)?;
            self.next()?;
        }
        Ok(String::from_utf8_lossy(&word).into_owned())
    }

    /// Passes over a value, whatever it is, and says where it stands.
    pub fn value(&mut self) -> Result<Raw, FormatError> {
        let first = self.skip_space()?;
        let (at, line) = (self.position(), self.line);
        match first {
            Some(b'[' | b'(' | b'{') => self.skip_brackets()?,
            Some(b'"' | b'\'') => self.quoted(&mut |_, _| Ok(()))?,
            Some(b'@') => self.between_ats(&mut |_, _| Ok(()))?,
            Some(b'<') => drop(self.path()?),
            _ => {
                let word = self.word()?;
                if word.is_empty() {
                    return Err(self.unexpected("a value"));
                }
                if word == "None" {
                    return Ok(Raw::Blocked);
                }
            }
        }
        Ok(Raw::Text { at, length: self.position() - at, line })
    }

    /// The same for the value of metadata, where a reference may have up to three parts:
    /// `@file@</prim> (offset = 1)`.
    pub fn metadata_value(&mut self) -> Result<Raw, FormatError> {
        let is_reference = matches!(self.skip_space()?, Some(b'@' | b'<'));
        let raw = self.value()?;
        let Raw::Text { at, line, .. } = raw else {
            return Ok(raw);
        };
        if is_reference && self.skip_space()? == Some(b'<') {
            self.path()?;
        }
        if is_reference && self.skip_space()? == Some(b'(') {
            self.skip_brackets()?;
        }
        Ok(Raw::Text { at, length: self.position() - at, line })
    }

    /// Passes over everything up to the bracket that closes the one here.
    fn skip_brackets(&mut self) -> Result<(), FormatError> {
        let opened = self.line;
        let mut depth = 0_usize;
        loop {
            if !self.fill()? {
                let expected = "the bracket that closes the one here".to_owned();
                let found = "the end of the file".to_owned();
                return Err(FormatError::at(opened, Problem::Expected { expected, found }));
            }
            // Numbers are most of a file: no call for each of their bytes.
            let rest = &self.window[self.at..];
            self.at += rest.iter().position(|byte| IS_SPECIAL[usize::from(*byte)]).unwrap_or(rest.len());
            match self.peek()? {
                None => {}
                Some(b'"' | b'\'') => self.quoted(&mut |_, _| Ok(()))?,
                Some(b'@') => self.between_ats(&mut |_, _| Ok(()))?,
                Some(b'<') => drop(self.path()?),
                Some(b'#') => self.skip_line()?,
                Some(byte) => {
                    self.next()?;
                    match byte {
                        b'[' | b'(' | b'{' => depth += 1,
                        b']' | b')' | b'}' => depth = depth.saturating_sub(1),
                        _ => continue,
                    }
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }
}
