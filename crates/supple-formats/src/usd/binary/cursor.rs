//! Values of fixed size, one after the other.

use crate::FormatError;
use crate::blob::Blob;

pub(super) struct Cursor<'a> {
    blob: &'a Blob,
    pub at: u64,
}

impl<'a> Cursor<'a> {
    pub fn new(blob: &'a Blob, at: u64) -> Self {
        Self { blob, at }
    }

    pub fn bytes(&mut self, length: u64, what: &str) -> Result<Vec<u8>, FormatError> {
        let bytes = self.blob.bytes(self.at, length, what)?;
        self.at += length;
        Ok(bytes)
    }

    pub fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], FormatError> {
        let mut bytes = [0; N];
        self.blob.read(self.at, &mut bytes, what)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub fn u32(&mut self, what: &str) -> Result<u32, FormatError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub fn u64(&mut self, what: &str) -> Result<u64, FormatError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub fn f64(&mut self, what: &str) -> Result<f64, FormatError> {
        Ok(f64::from_le_bytes(self.array(what)?))
    }

    /// Goes to where the number here says, counted from its own place.
    pub fn follow(&mut self, what: &str) -> Result<(), FormatError> {
        let from = self.at;
        self.at = from.wrapping_add(self.u64(what)?);
        Ok(())
    }

    /// A count, and as many whole numbers of 32 bits.
    pub fn indices(&mut self, what: &str) -> Result<Vec<u32>, FormatError> {
        let count = self.u64(what)?;
        let bytes = self.bytes(count.saturating_mul(4), what)?;
        let (words, _) = bytes.as_chunks::<4>();
        Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }
}
