//! The header of a PLY file: which elements follow, and how they are written.

use crate::error::quoted;
use crate::source::{Encoding, Scalar, Source};
use crate::{FormatError, Problem};
use std::collections::HashSet;

pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
}

/// A kind of element, such as vertices.
pub(super) struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
}

pub(super) struct Property {
    pub name: String,
    /// The type of its value, or of the items of its list.
    pub scalar: Scalar,
    /// The type of the length, for a list.
    pub list: Option<Scalar>,
}

impl Header {
    /// Reads the header, and its last line to the end.
    pub fn read(source: &mut Source<'_>) -> Result<Self, FormatError> {
        source.begin_text_row("ply");
        let magic = source.word()?;
        if magic != "ply" {
            return Err(source.unexpected(&magic));
        }
        source.end_text_row()?;
        let encoding = read_format(source)?;
        let mut elements: Vec<Element> = Vec::new();
        let mut names = HashSet::new();
        loop {
            source.begin_text_row("comment, element, property or end_header");
            let keyword = source.word()?;
            match keyword.as_ref() {
                "comment" | "obj_info" => drop(source.rest_of_line()),
                "element" => {
                    let element = read_element(source)?;
                    if !names.insert(element.name.clone()) {
                        let name = quoted(&element.name);
                        return Err(source.error(Problem::DefinedTwice { what: "element", name }));
                    }
                    elements.push(element);
                }
                "property" => match elements.last_mut() {
                    Some(element) => element.properties.push(read_property(source)?),
                    None => return Err(source.error(Problem::expected("element first", &keyword))),
                },
                "end_header" => break,
                _ => return Err(source.unexpected(&keyword)),
            }
        }
        source.end_text_row()?;
        Ok(Self { encoding, elements })
    }

    /// The element of this name, if there is one.
    pub fn element(&self, name: &str) -> Option<&Element> {
        self.elements.iter().find(|element| element.name == name)
    }
}

fn read_format(source: &mut Source<'_>) -> Result<Encoding, FormatError> {
    let expected = "format, then ascii, binary_little_endian or binary_big_endian, then 1.0";
    source.begin_text_row(expected);
    let keyword = source.word()?;
    if keyword != "format" {
        return Err(source.unexpected(&keyword));
    }
    let format = source.word()?;
    let encoding = match format.as_ref() {
        "ascii" => Encoding::Text,
        "binary_little_endian" => Encoding::LittleEndian,
        "binary_big_endian" => Encoding::BigEndian,
        _ => return Err(source.unexpected(&format)),
    };
    let version = source.word()?;
    if version != "1.0" {
        return Err(source.unexpected(&version));
    }
    source.end_text_row()?;
    Ok(encoding)
}

fn read_element(source: &mut Source<'_>) -> Result<Element, FormatError> {
    source.begin_text_row("the name of an element and how many there are");
    let name = source.word()?.into_owned();
    let count = source.text_count()?;
    source.end_text_row()?;
    Ok(Element { name, count, properties: Vec::new() })
}

fn read_property(source: &mut Source<'_>) -> Result<Property, FormatError> {
    source.begin_text_row("a type or list, and the name of a property");
    let word = source.word()?;
    let (list, scalar) = if word == "list" {
        (Some(read_scalar(source, None)?), read_scalar(source, None)?)
    } else {
        (None, read_scalar(source, Some(&word))?)
    };
    let name = source.word()?.into_owned();
    source.end_text_row()?;
    Ok(Property { name, scalar, list })
}

/// The type that a word names: the one given, or the next.
fn read_scalar(source: &mut Source<'_>, word: Option<&str>) -> Result<Scalar, FormatError> {
    let word = match word {
        Some(word) => word.into(),
        None => source.word()?,
    };
    Ok(match word.as_ref() {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "int64" => Scalar::I64,
        "uint64" => Scalar::U64,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        _ => return Err(source.unexpected(&word)),
    })
}
