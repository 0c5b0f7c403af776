//! Arrays of numbers within the buffers.

use super::document::{Accessor, Document};
use crate::blob::Blob;
use crate::{FormatError, Problem};

/// The most entries that an array may have without bytes for them: such arrays are 0 but for a few.
const MOST_EMPTY: u64 = 1 << 24;

/// The arrays of a file, read when they are asked for.
pub(super) struct Arrays {
    pub document: Document,
    pub buffers: Vec<Blob>,
}

fn missing(what: &'static str, number: usize, count: usize) -> FormatError {
    FormatError::whole_file(Problem::NoSuchNumber { what, number: number as i64, count, first: 0 })
}

/// How many numbers an entry has.
fn components(kind: &str) -> Option<u64> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

fn size(component_type: u32) -> Option<u64> {
    Some(match component_type {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => return None,
    })
}

/// One number from the front of `bytes`. Normalized whole numbers are parts of their largest.
fn number(bytes: &[u8], component_type: u32, normalized: bool) -> f64 {
    let of = |number: f64, largest: f64| if normalized { (number / largest).max(-1.0) } else { number };
    match (component_type, bytes) {
        (5120, [a, ..]) => of(f64::from(*a as i8), 127.0),
        (5121, [a, ..]) => of(f64::from(*a), 255.0),
        (5122, [a, b, ..]) => of(f64::from(i16::from_le_bytes([*a, *b])), 32767.0),
        (5123, [a, b, ..]) => of(f64::from(u16::from_le_bytes([*a, *b])), 65535.0),
        (5125, [a, b, c, d, ..]) => f64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        (_, [a, b, c, d, ..]) => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
        _ => 0.0,
    }
}

impl Arrays {
    fn accessor(&self, index: usize) -> Result<&Accessor, FormatError> {
        let accessors = &self.document.accessors;
        accessors.get(index).ok_or_else(|| missing("accessor", index, accessors.len()))
    }

    /// How many entries an array has; `width` numbers each is what it should have.
    pub fn count(&self, index: usize) -> Result<usize, FormatError> {
        let accessor = self.accessor(index)?;
        self.check(accessor)?;
        Ok(accessor.count as usize)
    }

    /// Checks that the bytes are there before memory is asked for.
    fn check(&self, accessor: &Accessor) -> Result<(u64, u64), FormatError> {
        let (Some(width), Some(size)) = (components(&accessor.kind), size(accessor.component_type)) else {
            let found = format!("{} of component type {}", accessor.kind, accessor.component_type);
            return Err(FormatError::whole_file(Problem::expected("an array of numbers", &found)));
        };
        if accessor.buffer_view.is_none() && accessor.count > MOST_EMPTY {
            return Err(FormatError::whole_file(Problem::TooLarge { what: "arrays" }));
        }
        if let Some(view) = accessor.buffer_view {
            self.span(view, accessor.byte_offset, accessor.count, width * size)?;
        }
        Ok((width, size))
    }

    /// Where `count` entries of `size` bytes are: the buffer, the first byte, the step, and how many bytes.
    fn span(
        &self,
        view: usize,
        offset: u64,
        count: u64,
        size: u64,
    ) -> Result<(&Blob, u64, u64, u64), FormatError> {
        let views = &self.document.buffer_views;
        let view = views.get(view).ok_or_else(|| missing("buffer view", view, views.len()))?;
        let buffer = self.buffers.get(view.buffer);
        let buffer = buffer.ok_or_else(|| missing("buffer", view.buffer, self.buffers.len()))?;
        let stride = view.byte_stride.filter(|stride| *stride > 0).unwrap_or(size);
        let length = match count {
            0 => Some(0),
            _ => stride.checked_mul(count - 1).and_then(|length| length.checked_add(size)),
        };
        let is_within = |length: &u64| offset.checked_add(*length).is_some_and(|end| end <= view.byte_length);
        let start = view.byte_offset.checked_add(offset);
        match (length.filter(is_within), start) {
            (Some(length), Some(start)) if buffer.part(start, length).is_some() => {
                Ok((buffer, start, stride, length))
            }
            _ => {
                let expected = format!("an array of {count} entries of {size} bytes");
                let found = format!("a view of {} bytes", view.byte_length);
                Err(FormatError::whole_file(Problem::Expected { expected, found }))
            }
        }
    }

    /// All numbers of an array whose entries have `width` of them.
    pub fn numbers(&self, index: usize, width: u64) -> Result<Vec<f64>, FormatError> {
        let accessor = self.accessor(index)?;
        let (found, size) = self.check(accessor)?;
        if found != width {
            let problem = Problem::expected(format!("an array of {width} numbers per entry"), &accessor.kind);
            return Err(FormatError::whole_file(problem));
        }
        let total = (accessor.count * width) as usize;
        let mut numbers = match accessor.buffer_view {
            None => vec![0.0; total],
            Some(view) => {
                let (buffer, start, stride, length) =
                    self.span(view, accessor.byte_offset, accessor.count, width * size)?;
                let bytes = buffer.bytes(start, length, "an array")?;
                decode(&bytes, stride as usize, accessor, (width as usize, size as usize), total)
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let is_used = sparse.count <= accessor.count;
            let list = |part: &super::document::SparsePart, kind: &str, component_type| Accessor {
                buffer_view: Some(part.buffer_view),
                byte_offset: part.byte_offset,
                component_type,
                normalized: accessor.normalized && kind != "SCALAR",
                count: if is_used { sparse.count } else { 0 },
                kind: kind.to_owned(),
                sparse: None,
            };
            let places = self.plain(&list(&sparse.indices, "SCALAR", sparse.indices.component_type))?;
            let values = self.plain(&list(&sparse.values, &accessor.kind, accessor.component_type))?;
            for (place, values) in places.iter().zip(values.chunks_exact(width as usize)) {
                let at = *place as usize * width as usize;
                let Some(entry) = numbers.get_mut(at..at + width as usize) else {
                    return Err(missing("entry of a sparse array", *place as usize, accessor.count as usize));
                };
                entry.copy_from_slice(values);
            }
        }
        Ok(numbers)
    }

    fn plain(&self, accessor: &Accessor) -> Result<Vec<f64>, FormatError> {
        let (width, size) = self.check(accessor)?;
        let view = accessor.buffer_view.unwrap_or_default();
        let (buffer, start, stride, length) =
            self.span(view, accessor.byte_offset, accessor.count, width * size)?;
        let bytes = buffer.bytes(start, length, "an array")?;
        Ok(decode(
            &bytes,
            stride as usize,
            accessor,
            (width as usize, size as usize),
            (accessor.count * width) as usize,
        ))
    }

    /// Points: an array of 3 numbers per entry, finite ones.
    pub fn points(&self, index: usize) -> Result<Vec<[f64; 3]>, FormatError> {
        let numbers = self.numbers(index, 3)?;
        let (points, _) = numbers.as_chunks::<3>();
        Ok(points.to_vec())
    }
}

fn decode(
    bytes: &[u8],
    stride: usize,
    accessor: &Accessor,
    (width, size): (usize, usize),
    total: usize,
) -> Vec<f64> {
    if accessor.component_type == 5126 && stride == 4 * width {
        // Most of a file: floats without gaps.
        let (floats, _) = bytes.as_chunks::<4>();
        return floats.iter().map(|float| f64::from(f32::from_le_bytes(*float))).collect();
    }
    let mut numbers = Vec::with_capacity(total);
    for entry in bytes.chunks(stride) {
        for component in entry.chunks_exact(size).take(width) {
            numbers.push(number(component, accessor.component_type, accessor.normalized));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::document::{Sparse, SparsePart, View};

    #[test]
    fn arrays_have_steps_and_exceptions() {
        let bytes: Vec<u8> = vec![1, 0, 9, 2, 255, 9, 3, 128, 9, 1, 7, 8];
        let view =
            |byte_offset, byte_length, byte_stride| View { buffer: 0, byte_offset, byte_length, byte_stride };
        let sparse = |buffer_view| SparsePart { buffer_view, byte_offset: 0, component_type: 5121 };
        let accessor = Accessor {
            buffer_view: Some(0),
            component_type: 5121,
            count: 3,
            kind: "VEC2".to_owned(),
            sparse: Some(Sparse { count: 1, indices: sparse(1), values: sparse(2) }),
            ..Accessor::default()
        };
        let document = Document {
            accessors: vec![accessor],
            buffer_views: vec![view(0, 9, Some(3)), view(9, 1, None), view(10, 2, None)],
            ..Document::default()
        };
        let mut arrays = Arrays { document, buffers: vec![Blob::memory(bytes)] };
        assert_eq!(arrays.numbers(0, 2).unwrap(), [1.0, 0.0, 7.0, 8.0, 3.0, 128.0]);
        assert!(arrays.numbers(0, 3).is_err() && arrays.numbers(1, 2).is_err());
        for count in [4, u64::MAX, u64::MAX / 3] {
            arrays.document.accessors[0].count = count;
            assert!(arrays.numbers(0, 2).is_err(), "{count}");
            assert!(arrays.count(0).is_err(), "{count}");
        }
        assert_eq!(number(&[128], 5120, true), -1.0);
        assert_eq!(number(&[255, 127], 5122, true), 1.0);
    }
}
