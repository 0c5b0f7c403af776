//! What stands between marks: strings in quotes, paths of files between `@`s, paths of prims in `<>`.

use super::scanner::Scanner;
use crate::FormatError;

impl Scanner {
    /// A string in quotes of any form.
    pub fn string(&mut self) -> Result<String, FormatError> {
        match self.skip_space()? {
            Some(b'"' | b'\'') => {}
            _ => return Err(self.unexpected("a name in quotes")),
        }
        let mut text = Vec::new();
        self.quoted(&mut |scanner, byte| scanner.held(&mut text, byte))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Passes a string in quotes, one or three at each end, giving its bytes to `each`.
    pub fn quoted(
        &mut self,
        each: &mut dyn FnMut(&mut Self, u8) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let quote = self.next()?.unwrap_or(b'"');
        let mut quotes = 1;
        while quotes < 3 && self.peek()? == Some(quote) {
            self.next()?;
            quotes += 1;
        }
        if quotes == 2 {
            return Ok(());
        }
        let mut closing = 0;
        loop {
            let Some(byte) = self.next()? else {
                return Err(self.unexpected("the end of a string"));
            };
            if byte == quote {
                closing += 1;
                if closing == quotes {
                    return Ok(());
                }
                continue;
            }
            for _ in 0..std::mem::take(&mut closing) {
                each(self, quote)?;
            }
            match byte {
                b'\n' if quotes == 1 => return Err(self.unexpected("the end of a string on its line")),
                b'\\' => match self.next()? {
                    Some(b'n') => each(self, b'\n')?,
                    Some(b't') => each(self, b'\t')?,
                    Some(other) => each(self, other)?,
                    None => {}
                },
                _ => each(self, byte)?,
            }
        }
    }

    /// The path of an asset, `@…@` or `@@@…@@@`.
    pub fn asset(&mut self) -> Result<String, FormatError> {
        let mut text = Vec::new();
        self.between_ats(&mut |scanner, byte| scanner.held(&mut text, byte))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    pub fn between_ats(
        &mut self,
        each: &mut dyn FnMut(&mut Self, u8) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let mut ats = 0;
        while ats < 3 && self.peek()? == Some(b'@') {
            self.next()?;
            ats += 1;
        }
        if ats == 2 {
            return Ok(());
        }
        let mut closing = 0;
        while closing < ats {
            match self.next()? {
                None => return Err(self.unexpected("the @ that ends the path of a file")),
                Some(b'@') => closing += 1,
                Some(byte) => {
                    for _ in 0..std::mem::take(&mut closing) {
                        each(self, b'@')?;
                    }
                    each(self, byte)?;
                }
            }
        }
        Ok(())
    }

    /// A path of a prim, `<…>`.
    pub fn path(&mut self) -> Result<String, FormatError> {
        self.expect(b'<')?;
        let mut text = Vec::new();
        loop {
            match self.next()? {
                Some(b'>') => return Ok(String::from_utf8_lossy(&text).into_owned()),
                Some(byte) => self.held(&mut text, byte)?,
                None => return Err(self.unexpected("the > that ends a path")),
            }
        }
    }
}
