//! What touches the body, and when:
//! ```text
//! frame,vertex,nx,ny,nz,kind
//! 12,340,0,1,0,stick
//! 13,340,0,1,0,slide
//! ```
//! The frame has the scene's number, vertices count from 0, and the normal of what is touched points
//! to the body. A header alone is a motion without contacts.

use super::{Fields, rows};
use crate::load::load;
use crate::scan::{Line, text};
use crate::{FormatError, Problem};
use std::io::{self, Write};
use std::path::Path;
use supple_model::{Contact, ContactKind, Frame, VertexId};

const COLUMNS: [&str; 6] = ["frame", "vertex", "nx", "ny", "nz", "kind"];

/// How far the length of a normal may be from 1: normals written by hand have two digits.
const NORMAL_TOLERANCE: f64 = 0.01;

/// Reads a table of contacts, in the order of the file. Normals are as written, their length within
/// 1 % of 1.
///
/// # Errors
/// Another header, a row with more or fewer values, a value that is not what its column asks for, a
/// normal of another length.
pub fn read_contacts(bytes: &[u8]) -> Result<Vec<Contact>, FormatError> {
    let text = text(bytes);
    rows(&text, &COLUMNS)?.map(read_contact).collect()
}

fn read_contact(line: Line<'_>) -> Result<Contact, FormatError> {
    let mut fields = Fields::new(line, COLUMNS.len())?;
    let (frame, vertex) = (fields.text(), fields.text());
    let expected = |what: &str, found: &str| line.error(Problem::expected(what, found));
    let frame = frame.parse().map_err(|_| expected("a frame, a whole number", frame))?;
    let vertex = vertex.parse().map_err(|_| expected("a vertex, a whole number from 0", vertex))?;
    let mut normal = [0.0; 3];
    for x in &mut normal {
        *x = fields.number("a normal of three numbers")?;
    }
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() > NORMAL_TOLERANCE {
        let problem = Problem::Expected {
            expected: "a normal of length 1".to_owned(),
            found: format!("one of length {length:.3e}"),
        };
        return Err(line.error(problem));
    }
    let kind = match fields.text() {
        "stick" => ContactKind::Stick,
        "slide" => ContactKind::Slide,
        kind => return Err(expected("stick or slide", kind)),
    };
    Ok(Contact { frame: Frame(frame), vertex: VertexId(vertex), normal, kind })
}

/// Reads a table of contacts: see [`read_contacts`].
///
/// # Errors
/// Those of [`read_contacts`], and a file that cannot be read; all name the file.
pub fn load_contacts(path: impl AsRef<Path>) -> Result<Vec<Contact>, FormatError> {
    load(path.as_ref(), read_contacts)
}

/// Writes a table of contacts from which [`read_contacts`] reads the same again, bit for bit.
///
/// # Errors
/// Those of `out`.
pub fn write_contacts(contacts: &[Contact], out: impl Write) -> io::Result<()> {
    let mut writer = ContactWriter::new(out)?;
    contacts.iter().try_for_each(|contact| writer.write(contact))?;
    writer.finish().map(drop)
}

/// Writes a table of contacts one by one, as they are found.
#[derive(Debug)]
pub struct ContactWriter<W> {
    out: W,
}

impl<W: Write> ContactWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W) -> io::Result<Self> {
        writeln!(out, "{}", COLUMNS.join(","))?;
        Ok(Self { out })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&mut self, contact: &Contact) -> io::Result<()> {
        let Contact { frame: Frame(frame), vertex: VertexId(vertex), normal: [x, y, z], kind } = contact;
        let kind = match kind {
            ContactKind::Stick => "stick",
            ContactKind::Slide => "slide",
        };
        writeln!(self.out, "{frame},{vertex},{x:?},{y:?},{z:?},{kind}")
    }

    /// Ends the table, and gives the output back.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_and_written() {
        let text = "# from the floor\n Frame , vertex, nx,ny,nz,kind\r\n\n-1,7,0,1,0,stick # heel\n\
                    12, 4294967295, 0.6, -0.8, 0.00, slide\n";
        let contacts = read_contacts(text.as_bytes()).unwrap();
        let contact = |frame, vertex, normal, kind| Contact {
            frame: Frame(frame),
            vertex: VertexId(vertex),
            normal,
            kind,
        };
        let expected = [
            contact(-1, 7, [0.0, 1.0, 0.0], ContactKind::Stick),
            contact(12, u32::MAX, [0.6, -0.8, 0.0], ContactKind::Slide),
        ];
        assert_eq!(contacts, expected);
        let mut out = Vec::new();
        write_contacts(&contacts, &mut out).unwrap();
        let written =
            "frame,vertex,nx,ny,nz,kind\n-1,7,0.0,1.0,0.0,stick\n12,4294967295,0.6,-0.8,0.0,slide\n";
        assert_eq!(String::from_utf8(out).unwrap(), written);
        assert_eq!(read_contacts(b"frame,vertex,nx,ny,nz,kind").unwrap(), []);
    }
}
