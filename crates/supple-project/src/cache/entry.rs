//! One entry on disk: a header that says what must follow, then the payload.
//!
//! | bytes | field |
//! |---|---|
//! | 0..8 | magic |
//! | 8..12 | version of this header |
//! | 12..16 | version of the kind |
//! | 16..48 | name of the kind, padded with zeros |
//! | 48..80 | key |
//! | 80..88 | length of the payload |
//! | 88..120 | BLAKE3 hash of the payload |
//!
//! Integers are little-endian. The reader knows every field but the last two in advance, and those
//! two it checks against the payload, so no byte of the file goes unchecked.

use super::key::{CacheKey, Kind};
use crate::error::Damage;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

const MAGIC: [u8; 8] = *b"\x89SUPPLE\n";
const HEADER_VERSION: u32 = 1;
const HEADER_LENGTH: usize = 120;
const BLOCK: usize = 256 * 1024;

/// The contents of an entry, checked, to be read from front to back or from any place on.
#[derive(Debug)]
pub struct Payload {
    file: BufReader<File>,
    length: u64,
    remaining: u64,
}

impl Payload {
    /// How many bytes are left to read.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Goes on from `position`, counted in bytes from the front.
    ///
    /// # Errors
    /// When the payload ends before, or the disk fails.
    pub fn go_to(&mut self, position: u64) -> io::Result<()> {
        let remaining = self.length.checked_sub(position).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.file.seek(SeekFrom::Start(HEADER_LENGTH as u64 + position))?;
        self.remaining = remaining;
        Ok(())
    }

    /// Reads one count.
    ///
    /// # Errors
    /// When the payload ends before, or the disk fails.
    pub fn u64(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads `count` numbers. Allocates nothing that the payload cannot fill.
    ///
    /// # Errors
    /// When the payload ends before, or the disk fails.
    pub fn f64s(&mut self, count: usize) -> io::Result<Vec<f64>> {
        if (count as u64).checked_mul(8).is_none_or(|bytes| bytes > self.remaining) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut values = Vec::with_capacity(count);
        let mut block = vec![0; BLOCK.min(count * 8)];
        while values.len() < count {
            let part = &mut block[..BLOCK.min((count - values.len()) * 8)];
            self.read_exact(part)?;
            let (words, _) = part.as_chunks();
            values.extend(words.iter().map(|word| f64::from_le_bytes(*word)));
        }
        Ok(values)
    }
}

impl Read for Payload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (&mut self.file).take(self.remaining).read(buffer)?;
        self.remaining -= count as u64;
        Ok(count)
    }
}

/// Where the contents of an entry are written, from front to back.
#[derive(Debug)]
pub struct PayloadWriter<'a> {
    file: BufWriter<&'a File>,
    hash: blake3::Hasher,
    length: u64,
}

impl PayloadWriter<'_> {
    /// Writes one count.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn u64(&mut self, value: u64) -> io::Result<()> {
        self.write_all(&value.to_le_bytes())
    }

    /// Writes numbers; a matrix goes column after column.
    ///
    /// # Errors
    /// When the disk is full or fails.
    pub fn f64s(&mut self, values: &[f64]) -> io::Result<()> {
        let mut block = Vec::with_capacity(BLOCK.min(values.len() * 8));
        for part in values.chunks(BLOCK / 8) {
            block.clear();
            block.extend(part.iter().flat_map(|value| value.to_le_bytes()));
            self.write_all(&block)?;
        }
        Ok(())
    }
}

impl Write for PayloadWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.length += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole entry to an empty file. The header, which needs the hash, comes last, so an
/// interrupted file has no magic.
pub(super) fn write(
    mut file: &File,
    kind: Kind,
    key: &CacheKey,
    fill: impl FnOnce(&mut PayloadWriter<'_>) -> io::Result<()>,
) -> io::Result<()> {
    file.seek(SeekFrom::Start(HEADER_LENGTH as u64))?;
    let mut payload = PayloadWriter { file: BufWriter::new(file), hash: blake3::Hasher::new(), length: 0 };
    fill(&mut payload)?;
    payload.flush()?;
    let header = Header {
        header_version: HEADER_VERSION,
        kind_version: kind.version(),
        kind_name: padded(kind.name()),
        key: *key.as_bytes(),
        length: payload.length,
        hash: *payload.hash.finalize().as_bytes(),
    };
    drop(payload);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.to_bytes())
}

/// Checks a whole entry and answers with its payload, ready to be read.
///
/// The payload is hashed in one pass and decoded in a second, which then comes from memory the
/// system holds anyway; so nothing unchecked is ever decoded, and nothing is held twice.
pub(super) fn open(mut file: File, kind: Kind, key: &CacheKey) -> Result<Payload, Damage> {
    let found = file.metadata()?.len();
    let header = Header::read(&mut file)?;
    for (found, expected) in [(header.header_version, HEADER_VERSION), (header.kind_version, kind.version())]
    {
        if found != expected {
            return Err(Damage::OtherVersion { found, expected });
        }
    }
    if header.kind_name != padded(kind.name()) || header.key != *key.as_bytes() {
        return Err(Damage::Misnamed);
    }
    let expected = header.length.saturating_add(HEADER_LENGTH as u64);
    if found != expected {
        return Err(Damage::WrongLength { expected, found });
    }
    let mut hash = blake3::Hasher::new();
    hash.update_reader(&mut file)?;
    if *hash.finalize().as_bytes() != header.hash {
        return Err(Damage::Altered);
    }
    file.seek(SeekFrom::Start(HEADER_LENGTH as u64))?;
    Ok(Payload { file: BufReader::new(file), length: header.length, remaining: header.length })
}

struct Header {
    header_version: u32,
    kind_version: u32,
    kind_name: [u8; Kind::MAX_NAME],
    key: [u8; 32],
    length: u64,
    hash: [u8; 32],
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_LENGTH);
        bytes.extend(MAGIC);
        bytes.extend(self.header_version.to_le_bytes());
        bytes.extend(self.kind_version.to_le_bytes());
        bytes.extend(self.kind_name);
        bytes.extend(self.key);
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(self.hash);
        bytes
    }

    fn read(file: &mut File) -> Result<Self, Damage> {
        fn take<const N: usize>(file: &mut File) -> Result<[u8; N], Damage> {
            let mut bytes = [0; N];
            match file.read_exact(&mut bytes) {
                Ok(()) => Ok(bytes),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Damage::Foreign),
                Err(error) => Err(error.into()),
            }
        }
        if take::<8>(file)? != MAGIC {
            return Err(Damage::Foreign);
        }
        Ok(Self {
            header_version: u32::from_le_bytes(take(file)?),
            kind_version: u32::from_le_bytes(take(file)?),
            kind_name: take(file)?,
            key: take(file)?,
            length: u64::from_le_bytes(take(file)?),
            hash: take(file)?,
        })
    }
}

fn padded(name: &str) -> [u8; Kind::MAX_NAME] {
    let mut bytes = [0; Kind::MAX_NAME];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::KeyHasher;

    const KIND: Kind = Kind::new("modes", 3);

    fn key() -> CacheKey {
        KeyHasher::new(KIND).str("what", "small").finish()
    }

    fn file_with(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        file
    }

    /// 120 + 8 + 24 bytes.
    fn small_entry() -> Vec<u8> {
        let mut file = tempfile::tempfile().unwrap();
        write(&file, KIND, &key(), |payload| {
            payload.u64(3)?;
            payload.f64s(&[1.5, -0.0, f64::MAX])
        })
        .unwrap();
        file.rewind().unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_was_written_is_read() {
        let mut payload = open(file_with(&small_entry()), KIND, &key()).unwrap();
        assert_eq!(payload.remaining(), 32);
        assert_eq!(payload.u64().unwrap(), 3);
        let values = payload.f64s(3).unwrap();
        assert_eq!(
            values.iter().map(|v| v.to_bits()).collect::<Vec<_>>(),
            [1.5, -0.0, f64::MAX].map(f64::to_bits)
        );
        assert_eq!(payload.remaining(), 0);
        assert_eq!(payload.u64().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn asking_for_more_than_there_is_fails_before_allocating() {
        let mut payload = open(file_with(&small_entry()), KIND, &key()).unwrap();
        for count in [5, usize::MAX / 8, usize::MAX] {
            assert_eq!(payload.f64s(count).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        }
        assert_eq!(payload.f64s(4).unwrap().len(), 4, "a failed request reads nothing");
    }

    #[test]
    fn a_matrix_larger_than_one_block_survives() {
        let values: Vec<f64> = (0..100_003).map(|i| f64::from(i).sqrt()).collect();
        let mut file = tempfile::tempfile().unwrap();
        write(&file, KIND, &key(), |payload| payload.f64s(&values)).unwrap();
        file.rewind().unwrap();
        let mut payload = open(file, KIND, &key()).unwrap();
        let beginning = payload.f64s(40_000).unwrap();
        let rest = payload.f64s(60_003).unwrap();
        assert!([beginning, rest].concat() == values);
        payload.go_to(8 * 70_000).unwrap();
        assert_eq!(payload.f64s(2).unwrap(), values[70_000..70_002]);
        assert_eq!(payload.remaining(), 8 * 30_001);
        assert_eq!(payload.go_to(8 * 100_003 + 1).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(payload.f64s(1).unwrap(), values[70_002..70_003], "a failed move moves nothing");
    }

    #[test]
    fn every_truncation_is_noticed() {
        let whole = small_entry();
        for length in 0..whole.len() {
            let damage = open(file_with(&whole[..length]), KIND, &key()).unwrap_err();
            match damage {
                Damage::Foreign => assert!(length < HEADER_LENGTH),
                Damage::WrongLength { expected: 152, found } => assert_eq!(found, length as u64),
                other => panic!("truncated to {length}: {other}"),
            }
        }
        let longer = [whole.as_slice(), &[0]].concat();
        assert!(matches!(open(file_with(&longer), KIND, &key()), Err(Damage::WrongLength { .. })));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let whole = small_entry();
        for byte in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[byte] ^= 1 << bit;
                let damage = open(file_with(&bytes), KIND, &key()).unwrap_err();
                let expected = match byte {
                    0..8 => matches!(damage, Damage::Foreign),
                    8..16 => matches!(damage, Damage::OtherVersion { .. }),
                    16..80 => matches!(damage, Damage::Misnamed),
                    80..88 => matches!(damage, Damage::WrongLength { .. }),
                    _ => matches!(damage, Damage::Altered),
                };
                assert!(expected, "byte {byte} bit {bit}: {damage}");
            }
        }
    }

    #[test]
    fn another_schema_is_not_read() {
        let newer = Kind::new("modes", 4);
        let damage = open(file_with(&small_entry()), newer, &key()).unwrap_err();
        assert!(matches!(damage, Damage::OtherVersion { found: 3, expected: 4 }), "{damage}");
    }
}
