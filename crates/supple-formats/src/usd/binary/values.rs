//! Values: 64 bits each.
//! ```text
//! bit 63  an array      bit 62  the value itself is in the lower bits      bit 61  compressed
//! bits 48 to 55  the type      bits 0 to 47  the value, or where it stands
//! ```
//! Numbers that fit are inline: up to 32 bits as they are, doubles that are floats as floats, vectors of small
//! whole numbers as bytes, matrices with nothing beside such a diagonal as its bytes.

use super::coding::integers;
use super::cursor::Cursor;
use super::number::Number;
use super::tables::{Tables, missing};
use crate::blob::Blob;
use crate::{FormatError, Problem};

/// The types that are of use here, by their numbers in the format.
pub(super) mod types {
    pub const BOOL: u64 = 1;
    pub const STRING: u64 = 10;
    pub const TOKEN: u64 = 11;
    pub const ASSET: u64 = 12;
    pub const TOKENS: u64 = 41;
    pub const PAYLOAD: u64 = 47;
    pub const DOUBLES: u64 = 48;
    pub const STRINGS: u64 = 50;
    pub const BLOCK: u64 = 51;
}

/// Where an array may be packed, it is from this length on.
const SHORTEST_PACKED: u64 = 16;

/// The most entries of a packed array: as many as this, or two for each byte of the file, whose points need 12.
const MOST_PACKED: u64 = 1 << 24;
const ENTRIES_PER_BYTE: u64 = 2;

/// How many numbers of which kind a type has, and whether it is a square matrix.
fn layout(kind: u64) -> Option<(Number, u64, bool)> {
    let plain = |number, count| Some((number, count, false));
    match kind {
        1 | 2 => plain(Number::Byte, 1),
        3 => plain(Number::Int, 1),
        4 => plain(Number::Unsigned, 1),
        5 | 6 => plain(Number::Long, 1),
        7 => plain(Number::Half, 1),
        8 => plain(Number::Float, 1),
        9 | 56 => plain(Number::Double, 1),
        13 => Some((Number::Double, 4, true)),
        14 => Some((Number::Double, 9, true)),
        15 => Some((Number::Double, 16, true)),
        16 => plain(Number::Double, 4),
        17 => plain(Number::Float, 4),
        18 => plain(Number::Half, 4),
        // Vectors of 2, 3 and 4, each of double, float, half and int.
        19..=30 => {
            let number = [Number::Double, Number::Float, Number::Half, Number::Int][(kind as usize - 19) % 4];
            plain(number, 2 + (kind - 19) / 4)
        }
        _ => None,
    }
}

/// A value, taken apart.
#[derive(Clone, Copy)]
pub(super) struct Rep {
    pub kind: u64,
    pub is_array: bool,
    pub is_inline: bool,
    pub is_packed: bool,
    pub payload: u64,
}

impl Rep {
    pub fn new(bits: u64) -> Self {
        Self {
            kind: bits >> 48 & 0xFF,
            is_array: bits >> 63 & 1 == 1,
            is_inline: bits >> 62 & 1 == 1,
            is_packed: bits >> 61 & 1 == 1,
            payload: bits & 0xFFFF_FFFF_FFFF,
        }
    }
}

/// All numbers of a value, one after the other; quaternions with the real part first.
pub(in crate::usd) fn numbers(blob: &Blob, tables: &Tables, bits: u64) -> Result<Vec<f64>, FormatError> {
    let rep = Rep::new(bits);
    let mut out = Vec::new();
    if rep.kind == types::DOUBLES {
        let mut cursor = Cursor::new(blob, rep.payload);
        let count = cursor.u64("numbers")?;
        Number::Double.decode(&cursor.bytes(count.saturating_mul(8), "numbers")?, &mut out);
        return Ok(out);
    }
    let Some((number, count, is_matrix)) = layout(rep.kind) else {
        let problem = Problem::expected("numbers", &format!("a value of type {}", rep.kind));
        return Err(FormatError::whole_file(problem));
    };
    if rep.is_array {
        read_array(blob, tables, rep, (number, count), &mut out)?;
    } else if rep.is_inline {
        inline(rep.payload, number, count, is_matrix, &mut out);
    } else {
        let bytes = Cursor::new(blob, rep.payload).bytes(number.size() * count, "a value")?;
        number.decode(&bytes, &mut out);
    }
    if (16..=18).contains(&rep.kind) && (rep.is_array || !rep.is_inline) {
        let (quaternions, _) = out.as_chunks_mut::<4>();
        for quaternion in quaternions {
            quaternion.rotate_right(1);
        }
    }
    Ok(out)
}

fn inline(payload: u64, number: Number, count: u64, is_matrix: bool, out: &mut Vec<f64>) {
    let bytes = (payload as u32).to_le_bytes();
    let small = |i: usize| f64::from(bytes.get(i).copied().unwrap_or_default() as i8);
    if is_matrix {
        let side = count.isqrt() as usize;
        out.extend((0..side * side).map(|i| if i % (side + 1) == 0 { small(i / (side + 1)) } else { 0.0 }));
    } else if count > 1 {
        out.extend((0..count as usize).map(small));
    } else {
        match number {
            Number::Byte => out.push(bytes[0].into()),
            Number::Half => Number::Half.decode(&bytes[..2], out),
            Number::Int | Number::Long => Number::Int.decode(&bytes, out),
            Number::Unsigned => Number::Unsigned.decode(&bytes, out),
            Number::Float | Number::Double => Number::Float.decode(&bytes, out),
        }
    }
}

/// A cursor behind the length of an array, and that length.
fn open_array<'a>(blob: &'a Blob, tables: &Tables, rep: Rep) -> Result<(Cursor<'a>, u64), FormatError> {
    let mut cursor = Cursor::new(blob, rep.payload);
    if rep.payload == 0 {
        return Ok((cursor, 0));
    }
    if tables.version < [0, 5, 0] {
        cursor.u32("an array")?;
    }
    let count =
        if tables.version < [0, 7, 0] { cursor.u32("an array")?.into() } else { cursor.u64("an array")? };
    Ok((cursor, count))
}

fn read_array(
    blob: &Blob,
    tables: &Tables,
    rep: Rep,
    (number, per_entry): (Number, u64),
    out: &mut Vec<f64>,
) -> Result<(), FormatError> {
    let (mut cursor, count) = open_array(blob, tables, rep)?;
    if !(rep.is_packed && count >= SHORTEST_PACKED) || per_entry > 1 {
        let bytes = cursor.bytes(count.saturating_mul(number.size() * per_entry), "an array")?;
        number.decode(&bytes, out);
        return Ok(());
    }
    if count > blob.len().saturating_mul(ENTRIES_PER_BYTE).max(MOST_PACKED) {
        return Err(FormatError::whole_file(Problem::TooLarge { what: "array" }));
    }
    let size = if number == Number::Long { 8 } else { 4 };
    match number {
        Number::Int | Number::Long => {
            let list = integers(&mut cursor, count as usize, size, "an array")?;
            out.extend(list.into_iter().map(|number| number as f64));
        }
        Number::Unsigned => {
            let list = integers(&mut cursor, count as usize, size, "an array")?;
            out.extend(list.into_iter().map(|number| f64::from(number as u32)));
        }
        _ => return read_packed_floats(&mut cursor, number, count as usize, out),
    }
    Ok(())
}

/// Floats are packed when they are whole numbers, `i`, or few different ones, `t`: a table and indices.
fn read_packed_floats(
    cursor: &mut Cursor<'_>,
    number: Number,
    count: usize,
    out: &mut Vec<f64>,
) -> Result<(), FormatError> {
    let [code] = cursor.array::<1>("an array")?;
    match code {
        b'i' => {
            out.extend(integers(cursor, count, 4, "an array")?.into_iter().map(|number| number as f64));
            Ok(())
        }
        b't' => {
            let size = u64::from(cursor.u32("an array")?);
            let mut table = Vec::new();
            number.decode(&cursor.bytes(size * number.size(), "an array")?, &mut table);
            for index in integers(cursor, count, 4, "an array")? {
                let entry = usize::try_from(index).ok().and_then(|index| table.get(index));
                out.push(*entry.ok_or_else(|| missing("number", index as u64, table.len()))?);
            }
            Ok(())
        }
        _ => {
            let problem = Problem::expected("a packed array", &format!("code {code}"));
            Err(FormatError::whole_file(problem))
        }
    }
}

/// All words of a value.
pub(in crate::usd) fn words(blob: &Blob, tables: &Tables, bits: u64) -> Result<Vec<String>, FormatError> {
    let rep = Rep::new(bits);
    let is_string = matches!(rep.kind, types::STRING | types::STRINGS);
    let word = |index: u64| if is_string { tables.string(index) } else { tables.token(index) };
    let indices = match rep.kind {
        types::TOKENS | types::STRINGS => Cursor::new(blob, rep.payload).indices("words")?,
        types::TOKEN | types::STRING | types::ASSET if rep.is_array => {
            let (mut cursor, count) = open_array(blob, tables, rep)?;
            let bytes = cursor.bytes(count.saturating_mul(4), "words")?;
            let (indices, _) = bytes.as_chunks::<4>();
            indices.iter().map(|index| u32::from_le_bytes(*index)).collect()
        }
        types::TOKEN | types::STRING | types::ASSET => vec![rep.payload as u32],
        _ => {
            let problem = Problem::expected("words", &format!("a value of type {}", rep.kind));
            return Err(FormatError::whole_file(problem));
        }
    };
    // A short index may stand for a long word, so the list is checked before it is made.
    let mut length = 0_u64;
    for index in &indices {
        length += word((*index).into())?.len() as u64;
        if length > blob.len().saturating_mul(ENTRIES_PER_BYTE).max(MOST_PACKED) {
            return Err(FormatError::whole_file(Problem::TooLarge { what: "words" }));
        }
    }
    indices.into_iter().map(|index| Ok(word(index.into())?.to_owned())).collect()
}
