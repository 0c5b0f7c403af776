//! The bytes of a file that is too large to hold: read in pieces, from wherever they are asked for.

use crate::{FormatError, Place, Problem};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A file, a part of one, or bytes in memory. Copies share the file.
#[derive(Clone)]
pub(crate) struct Blob {
    data: Data,
    start: u64,
    length: u64,
}

#[derive(Clone)]
enum Data {
    Memory(Arc<[u8]>),
    File(Arc<Mutex<File>>),
}

impl Blob {
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        crate::open_file(path)
            .and_then(Self::of_file)
            .map_err(|error| FormatError::whole_file(Problem::Unreadable(error)).in_file(path))
    }

    /// A file that is open already.
    pub fn of_file(mut file: File) -> std::io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        Ok(Self { data: Data::File(Arc::new(Mutex::new(file))), start: 0, length })
    }

    pub fn memory(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { start: 0, length: bytes.len() as u64, data: Data::Memory(bytes) }
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    /// The part from `at` on, unless it ends beyond this.
    pub fn part(&self, at: u64, length: u64) -> Option<Self> {
        let end = at.checked_add(length)?;
        (end <= self.length).then(|| Self { data: self.data.clone(), start: self.start + at, length })
    }

    /// Fills `bytes` from `at` on; `what` they are is for the error.
    pub fn read(&self, at: u64, bytes: &mut [u8], what: &str) -> Result<(), FormatError> {
        self.check(at, bytes.len() as u64, what)?;
        let from = self.start + at;
        match &self.data {
            Data::Memory(memory) => {
                let from = from as usize;
                bytes.copy_from_slice(&memory[from..from + bytes.len()]);
                Ok(())
            }
            Data::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(from))
                    .and_then(|_| file.read_exact(bytes))
                    .map_err(|error| FormatError::whole_file(Problem::Unreadable(error)))
            }
        }
    }

    /// The `length` bytes from `at` on. Whether they are there is checked before any are asked of memory.
    pub fn bytes(&self, at: u64, length: u64, what: &str) -> Result<Vec<u8>, FormatError> {
        self.check(at, length, what)?;
        let mut bytes = vec![0; length as usize];
        self.read(at, &mut bytes, what)?;
        Ok(bytes)
    }

    fn check(&self, at: u64, length: u64, what: &str) -> Result<(), FormatError> {
        if at.checked_add(length).is_some_and(|end| end <= self.length) {
            return Ok(());
        }
        let expected = format!("{length} bytes of {what}");
        let found = format!("the end of the file at byte {}", self.length);
        Err(FormatError::at_place(Place::Byte(at as usize), Problem::Expected { expected, found }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_where_they_end() {
        let blob = Blob::memory(vec![0, 1, 2, 3, 4, 5]);
        let part = blob.part(2, 3).unwrap();
        assert_eq!(part.bytes(0, 3, "x").unwrap(), [2, 3, 4]);
        assert!(blob.part(4, 3).is_none() && blob.part(u64::MAX, 2).is_none());
        let error = part.bytes(1, 3, "points").unwrap_err().to_string();
        assert_eq!(error, "byte 1: expected 3 bytes of points, found the end of the file at byte 3");
        assert!(part.bytes(u64::MAX, u64::MAX, "points").is_err());
    }
}
