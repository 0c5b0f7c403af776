//! How sequences are made small: LZ4 blocks, and whole numbers as differences.
//!
//! n whole numbers of s bytes are x_i = x_{i−1} + d_i, x_{−1} = 0. The block holds the difference that is most
//! frequent (s bytes), then 2 bits for each d_i, four to a byte and the lowest first: 0 the frequent one, else
//! how many bytes follow for it in the third part (s/4, s/2 or s).

use super::cursor::Cursor;
use crate::{FormatError, Problem};

/// The most entries of any table of a file.
const MOST_ENTRIES: u64 = 1 << 24;

/// The most a byte of an LZ4 block can stand for.
const LZ4_RATIO: u64 = 255;

fn broken(what: &'static str) -> FormatError {
    let expected = format!("a compressed block of {what}");
    FormatError::whole_file(Problem::Expected { expected, found: "a broken one".to_owned() })
}

/// A count of the file, unless it is beyond what tables can have.
pub(super) fn table_size(count: u64, what: &'static str) -> Result<usize, FormatError> {
    if count > MOST_ENTRIES {
        return Err(FormatError::whole_file(Problem::TooLarge { what }));
    }
    Ok(count as usize)
}

/// Unpacks a block that begins with its number of chunks: 0 for one LZ4 block, else each with its length.
pub(super) fn unpack(bytes: &[u8], size: u64, what: &'static str) -> Result<Vec<u8>, FormatError> {
    if size > (bytes.len() as u64 + 1) * LZ4_RATIO {
        return Err(broken(what));
    }
    let mut out = Vec::with_capacity(size as usize);
    let Some((&chunks, mut rest)) = bytes.split_first() else {
        return Err(broken(what));
    };
    if chunks == 0 {
        lz4(rest, size as usize, &mut out).ok_or_else(|| broken(what))?;
        return Ok(out);
    }
    for _ in 0..chunks {
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(|| broken(what))?;
        let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| broken(what))?;
        let (chunk, after) = after.split_at_checked(length).ok_or_else(|| broken(what))?;
        lz4(chunk, size as usize, &mut out).ok_or_else(|| broken(what))?;
        rest = after;
    }
    Ok(out)
}

/// Appends what an LZ4 block stands for, never beyond `size` bytes in all. Copies reach back within the block.
fn lz4(mut block: &[u8], size: usize, out: &mut Vec<u8>) -> Option<()> {
    let begin = out.len();
    let take = |block: &mut &[u8]| -> Option<u8> {
        let (&byte, rest) = block.split_first()?;
        *block = rest;
        Some(byte)
    };
    // A length of 15 in half a byte goes on in whole ones, as long as they are full.
    let length = |block: &mut &[u8], mut length: usize| -> Option<usize> {
        if length == 15 {
            loop {
                let byte = take(block)?;
                length = length.checked_add(byte.into())?;
                if byte != 255 {
                    break;
                }
            }
        }
        Some(length)
    };
    while !block.is_empty() {
        let token = take(&mut block)?;
        let literals = length(&mut block, (token >> 4).into())?;
        let (plain, rest) = block.split_at_checked(literals)?;
        if plain.len() > size - out.len() {
            return None;
        }
        out.extend_from_slice(plain);
        block = rest;
        if block.is_empty() {
            break;
        }
        let offset = usize::from(u16::from_le_bytes([take(&mut block)?, take(&mut block)?]));
        let copied = length(&mut block, (token & 15).into())?.checked_add(4)?;
        if offset == 0 || offset > out.len() - begin || copied > size - out.len() {
            return None;
        }
        for _ in 0..copied {
            out.push(out[out.len() - offset]);
        }
    }
    Some(())
}

/// `count` whole numbers of `size` bytes, 4 or 8, which begin with the length of their block.
pub(super) fn integers(
    cursor: &mut Cursor<'_>,
    count: usize,
    size: usize,
    what: &'static str,
) -> Result<Vec<i64>, FormatError> {
    let length = cursor.u64(what)?;
    let block = cursor.bytes(length, what)?;
    let codes = count.div_ceil(4);
    let most = (size + codes + count * size) as u64;
    let bytes = unpack(&block, most.min((block.len() as u64 + 1) * LZ4_RATIO), what)?;
    let (frequent, rest) = bytes.split_at_checked(size).ok_or_else(|| broken(what))?;
    let (codes, mut rest) = rest.split_at_checked(codes).ok_or_else(|| broken(what))?;
    let frequent = signed(frequent);
    let mut last = 0_i64;
    let mut out = Vec::with_capacity(count);
    for i in 0..count {
        let difference = match (codes[i / 4] >> (2 * (i % 4))) & 3 {
            0 => frequent,
            code => {
                let (bytes, after) = rest.split_at_checked(size >> (3 - code)).ok_or_else(|| broken(what))?;
                rest = after;
                signed(bytes)
            }
        };
        last = last.wrapping_add(difference);
        // Narrow numbers wrap around as narrow ones.
        out.push(if size == 4 { i64::from(last as i32) } else { last });
    }
    Ok(out)
}

/// Little-endian, of any length up to 8.
fn signed(bytes: &[u8]) -> i64 {
    let mut wide = [if bytes.last().is_some_and(|byte| *byte >= 0x80) { 0xFF } else { 0 }; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(wide)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::Blob;

    #[test]
    fn blocks_copy_what_came_before() {
        // "abcd" plain, then 10 bytes from 4 back, then "xyz" plain.
        let block = [0, 0x46, b'a', b'b', b'c', b'd', 4, 0, 0x30, b'x', b'y', b'z'];
        assert_eq!(unpack(&block, 17, "words").unwrap(), b"abcdabcdabcdabxyz");
        assert!(unpack(&block, 16, "words").is_err(), "no more than announced");
        for end in 0..block.len() {
            let _ = unpack(&block[..end], 17, "words");
        }
        assert!(unpack(&[0, 0x10, b'a', 9, 0], 100, "words").is_err(), "nothing is that far back");
    }

    #[test]
    fn numbers_are_sums_of_differences() {
        // The example of the format's own documentation: 123, 124, 125, 100125, 100125, 100126, 100126.
        let mut plain = vec![1, 0, 0, 0];
        plain.extend([0b11_00_00_01, 0b00_01_00_01, 123, 0xA0, 0x86, 0x01, 0x00, 0, 0]);
        let mut block = vec![0, (plain.len() as u8) << 4];
        block.extend(&plain);
        let mut bytes = (block.len() as u64).to_le_bytes().to_vec();
        bytes.extend(&block);
        let blob = Blob::memory(bytes);
        let found = integers(&mut Cursor::new(&blob, 0), 7, 4, "numbers").unwrap();
        assert_eq!(found, [123, 124, 125, 100_125, 100_125, 100_126, 100_126]);
    }
}
