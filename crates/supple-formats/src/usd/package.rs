//! `.usdz`: a zip archive whose files are stored as they are, so that they can be read where they lie. The
//! first is the one to open. Compressed entries are not allowed by the format, and so there is nothing in an
//! archive that could become larger than it is.

use crate::blob::Blob;
use crate::error::quoted;
use crate::{FormatError, Problem};

/// The record at the end of an archive, without its comment.
const END: u64 = 22;

/// The longest comment.
const COMMENT: u64 = 0xFFFF;

/// The files of an archive, in its order.
pub(super) fn entries(blob: &Blob) -> Result<Vec<(String, Blob)>, FormatError> {
    let (count, at) = find_directory(blob)?;
    let mut entries = Vec::new();
    let mut at = u64::from(at);
    for _ in 0..count {
        let mut header = [0; 46];
        blob.read(at, &mut header, "the directory of the archive")?;
        if header[..4] != *b"PK\x01\x02" {
            return Err(broken("an entry of the directory"));
        }
        let short = |i: usize| u16::from_le_bytes([header[i], header[i + 1]]);
        let long = |i: usize| u32::from_le_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]);
        let name = blob.bytes(at + 46, short(28).into(), "the directory of the archive")?;
        let name = String::from_utf8_lossy(&name).into_owned();
        let (flags, method, packed, size, start) = (short(8), short(10), long(20), long(24), long(42));
        if method != 0 || flags & 1 != 0 || packed != size {
            let what = format!("the compressed or encrypted file {} in a .usdz", quoted(&name));
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        entries.push((name, contents(blob, start.into(), size.into())?));
        at += 46 + u64::from(short(28)) + u64::from(short(30)) + u64::from(short(32));
    }
    Ok(entries)
}

/// How many entries the directory has, and where it begins.
fn find_directory(blob: &Blob) -> Result<(u16, u32), FormatError> {
    let from = blob.len().saturating_sub(END + COMMENT);
    let tail = blob.bytes(from, blob.len() - from, "the end of the archive")?;
    let end = tail.windows(END as usize).rev().find(|window| window.starts_with(b"PK\x05\x06"));
    let end = end.ok_or_else(|| broken("the end of a zip archive"))?;
    Ok((u16::from_le_bytes([end[10], end[11]]), u32::from_le_bytes([end[16], end[17], end[18], end[19]])))
}

/// The bytes of an entry, which follow a header of their own.
fn contents(blob: &Blob, start: u64, size: u64) -> Result<Blob, FormatError> {
    let mut header = [0; 30];
    blob.read(start, &mut header, "a file of the archive")?;
    if header[..4] != *b"PK\x03\x04" {
        return Err(broken("a file of the archive"));
    }
    let short = |i: usize| u64::from(u16::from_le_bytes([header[i], header[i + 1]]));
    blob.part(start + 30 + short(26) + short(28), size).ok_or_else(|| broken("a file of the archive"))
}

fn broken(expected: &str) -> FormatError {
    let (expected, found) = (expected.to_owned(), "something else".to_owned());
    FormatError::whole_file(Problem::Expected { expected, found })
}
