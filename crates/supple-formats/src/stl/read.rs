//! Reading STL.

use super::{HEADER, TRIANGLE};
use crate::group::Groups;
use crate::source::{Encoding, Scalar, Source};
use crate::{FormatError, Place, Problem, SurfaceFile};
use std::collections::HashMap;

/// Reads an STL file, text or binary.
///
/// # Errors
/// A text out of order, another number of triangles than announced, a coordinate that is not a finite
/// number, a file without triangles.
pub fn read_stl(bytes: &[u8]) -> Result<SurfaceFile, FormatError> {
    let file = if is_text(bytes) { read_text(bytes)? } else { read_binary(bytes)? };
    if file.triangles.is_empty() {
        return Err(FormatError::whole_file(Problem::Empty("triangles")));
    }
    Ok(file)
}

/// The number of triangles that a binary file announces, unless it is too short for one.
fn announced(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*count)).ok()
}

/// No text has the length that its own letters announce as a binary file (it would be gigabytes),
/// so the right length means binary. Otherwise a damaged binary file shows by its zeros.
fn is_text(bytes: &[u8]) -> bool {
    let body = bytes.len().checked_sub(HEADER + 4);
    let length_is_right = announced(bytes).is_some_and(|count| count.checked_mul(TRIANGLE) == body);
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let begins_as_text = text.first_chunk::<5>().is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    !length_is_right && begins_as_text && !bytes[..bytes.len().min(HEADER + 4)].contains(&0)
}

fn read_binary(bytes: &[u8]) -> Result<SurfaceFile, FormatError> {
    let Some(announced) = announced(bytes) else {
        let expected = "the word solid, or a header of 84 bytes".to_owned();
        let found = format!("{} bytes", bytes.len());
        return Err(FormatError::whole_file(Problem::Expected { expected, found }));
    };
    let body = &bytes[HEADER + 4..];
    let found = body.len() / TRIANGLE;
    // A few bytes of padding at the end do no harm.
    if announced != found {
        let problem = Problem::WrongCount { what: "triangles", announced, found };
        return Err(FormatError::at_place(Place::Byte(HEADER), problem));
    }
    let mut source = Source::new(bytes);
    source.set_encoding(Encoding::LittleEndian);
    source.begin_row("3 corners");
    source.skip(Scalar::U8, (HEADER + 4) as u64)?;
    // A closed surface has half as many vertices as triangles.
    let mut welder = Welder { index_of: HashMap::with_capacity(announced / 2), ..Welder::default() };
    for _ in 0..announced {
        source.skip(Scalar::F32, 3)?;
        let mut triangle = [0; 3];
        for corner in &mut triangle {
            *corner = welder.vertex(source.numbers(Scalar::F32)?);
        }
        welder.file.triangles.push(triangle);
        source.skip(Scalar::U16, 1)?;
    }
    Ok(welder.file)
}

fn read_text(bytes: &[u8]) -> Result<SurfaceFile, FormatError> {
    let mut source = Source::new(bytes);
    let mut welder = Welder::default();
    let mut groups = Groups::new(str::to_owned);
    loop {
        source.begin_text_row("solid");
        if source.peek().is_none() {
            break;
        }
        read_words(&mut source, "solid", &["solid"])?;
        let name = source.rest_of_line();
        let group = (!name.is_empty()).then(|| groups.named(&name));
        while !read_end_or_facet(&mut source)? {
            let triangle = read_facet(&mut source, &mut welder)?;
            if let Some(group) = group {
                groups.members_mut(group).extend(triangle);
            }
        }
    }
    Ok(SurfaceFile { vertex_groups: groups.finish(), ..welder.file })
}

/// Whether the solid ends here; otherwise a facet begins.
fn read_end_or_facet(source: &mut Source<'_>) -> Result<bool, FormatError> {
    source.begin_text_row("facet or endsolid");
    let word = source.word()?;
    let is_end = word.eq_ignore_ascii_case("endsolid");
    if !is_end && !word.eq_ignore_ascii_case("facet") {
        return Err(source.unexpected(&word));
    }
    // The name once more, or a normal, which may be anything: many programs write NaN.
    source.rest_of_line();
    Ok(is_end)
}

/// Reads what follows the line of the normal.
fn read_facet(source: &mut Source<'_>, welder: &mut Welder) -> Result<[u32; 3], FormatError> {
    read_words(source, "outer loop", &["outer", "loop"])?;
    let mut triangle = [0; 3];
    for corner in &mut triangle {
        read_words(source, "vertex and 3 coordinates", &["vertex"])?;
        *corner = welder.vertex(source.numbers(Scalar::F32)?);
        source.end_text_row()?;
    }
    read_words(source, "endloop", &["endloop"])?;
    read_words(source, "endfacet", &["endfacet"])?;
    welder.file.triangles.push(triangle);
    Ok(triangle)
}

/// Reads the words that a row begins with, in any case.
fn read_words(source: &mut Source<'_>, expected: &'static str, words: &[&str]) -> Result<(), FormatError> {
    source.begin_text_row(expected);
    for due in words {
        let word = source.word()?;
        if !word.eq_ignore_ascii_case(due) {
            return Err(source.unexpected(&word));
        }
    }
    Ok(())
}

/// Makes one vertex of corners with equal coordinates.
#[derive(Default)]
struct Welder {
    file: SurfaceFile,
    index_of: HashMap<[u64; 3], u32>,
}

impl Welder {
    fn vertex(&mut self, position: [f64; 3]) -> u32 {
        // Adding 0 turns −0 into 0, and leaves all else as it is.
        let key = position.map(|x| (x + 0.0).to_bits());
        *self.index_of.entry(key).or_insert_with(|| {
            self.file.positions.push(position);
            (self.file.positions.len() - 1) as u32
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Group, write_stl};

    const TEXT: &str = "solid lid of box\n facet normal nan nan nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n\
        vertex 0 1e0 0\n endloop\n endfacet\nendsolid lid of box\nSOLID\nFACET NORMAL 0 0 1\nOUTER LOOP\n\
        VERTEX 1 -0 0\nVERTEX 1 1 0\nVERTEX 1 1 0\nENDLOOP\nENDFACET\nENDSOLID\n";

    #[test]
    fn equal_corners_are_one_vertex_and_degenerate_triangles_stay() {
        let file = read_stl(TEXT.as_bytes()).unwrap();
        assert_eq!(file.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!(file.triangles, [[0, 1, 2], [1, 3, 3]]);
        assert_eq!(file.vertex_groups, [Group { name: "lid of box".into(), members: vec![0, 1, 2] }]);
    }

    #[test]
    fn a_binary_file_may_begin_with_solid() {
        let file = SurfaceFile { vertex_groups: Vec::new(), ..read_stl(TEXT.as_bytes()).unwrap() };
        let mut bytes = Vec::new();
        write_stl(&file, &mut bytes).unwrap();
        for header in ["solid facet normal", "solid ", "\u{0}"] {
            bytes[..80].fill(b' ');
            bytes[..header.len()].copy_from_slice(header.as_bytes());
            assert_eq!(read_stl(&bytes).unwrap(), file);
            // Cut short or padded it is still binary.
            assert_eq!(read_stl(&[&bytes[..], b"\r\n"].concat()).unwrap(), file);
            let error = read_stl(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
            assert_eq!(error, "byte 80: the file announces 2 triangles here, but 1 follow");
        }
    }
}
