//! Reading `.msh`: what both versions share, the sections and their order.

use super::nodes::NodeTags;
use super::{version2, version4};
use crate::error::quoted;
use crate::mixed::MixedMesh;
use crate::source::{Encoding, Scalar, Source};
use crate::{FormatError, MeshFile, Problem};
use std::collections::{HashMap, HashSet};

/// Reads a Gmsh `.msh` file of version 2 or 4.1, text or binary.
///
/// # Errors
/// Another version, a section out of place or of another length than announced, a coordinate that
/// is not a finite number, a node that is not defined or defined twice, prisms, pyramids, elements of
/// higher order, tets and hexahedra together, partitions, `$ParametricNodes`, a file without
/// triangles, tets and hexahedra.
pub fn read_gmsh(bytes: &[u8]) -> Result<MeshFile, FormatError> {
    let mut source = Source::new(bytes);
    let version = read_format(&mut source)?;
    let mut mesh = MixedMesh::default();
    let mut tags = NodeTags::default();
    let mut names = HashMap::new();
    let mut entities = version4::Entities::default();
    let mut seen = HashSet::new();
    while let Some(section) = begin_section(&mut source, "a section such as $Nodes")? {
        let name = section.as_str();
        check_order(&source, name, &mut seen)?;
        match (name, version) {
            ("$PhysicalNames", _) => names = read_names(&mut source)?,
            ("$Nodes", Version::Two) => version2::read_nodes(&mut source, &mut mesh, &mut tags)?,
            ("$Elements", Version::Two) => version2::read_elements(&mut source, &mut mesh, &tags)?,
            ("$Entities", Version::Four { size }) => entities = version4::read_entities(&mut source, size)?,
            ("$Nodes", Version::Four { size }) => {
                version4::read_nodes(&mut source, size, &mut mesh, &mut tags)?;
            }
            ("$Elements", Version::Four { size }) => {
                version4::read_elements(&mut source, size, &mut mesh, &tags, &entities)?;
            }
            ("$PartitionedEntities" | "$ParametricNodes", _) => {
                return Err(source.error(Problem::Unsupported(format!("a mesh with {name}"))));
            }
            _ => source.skip_to(&end_of(name))?,
        }
        end_section(&mut source, name)?;
    }
    mesh.finish(|dimension, label| names.get(&(i64::from(dimension), label)).cloned())
}

/// Checks that a section that is read comes once, and after those it needs.
fn check_order(source: &Source<'_>, name: &str, seen: &mut HashSet<String>) -> Result<(), FormatError> {
    let expected = match name {
        "$Elements" if !seen.contains("$Nodes") => "$Nodes first",
        "$Entities" if seen.contains("$Elements") => "$Entities before $Elements",
        "$PhysicalNames" | "$Entities" | "$Nodes" | "$Elements" if !seen.insert(name.to_owned()) => {
            return Err(source.error(Problem::DefinedTwice { what: "section", name: quoted(name) }));
        }
        _ => return Ok(()),
    };
    Err(source.error(Problem::expected(expected, name)))
}

#[derive(Clone, Copy)]
enum Version {
    Two,
    /// With the type of sizes and tags.
    Four {
        size: Scalar,
    },
}

/// Reads `$MeshFormat`, which comes first, and sets the encoding.
fn read_format(source: &mut Source<'_>) -> Result<Version, FormatError> {
    match begin_section(source, "$MeshFormat")? {
        Some(name) if name == "$MeshFormat" => {}
        Some(name) => return Err(source.unexpected(&name)),
        None => return Err(FormatError::whole_file(Problem::Empty("$MeshFormat"))),
    }
    source.begin_text_row("a version, 0 or 1 for text or binary, and the size of a word");
    let version = source.word()?;
    let is_two = version == "2" || version.starts_with("2.");
    if !is_two && version != "4.1" {
        let what = format!("version {} of the format (only 2.2 and 4.1 are)", quoted(&version));
        return Err(source.error(Problem::Unsupported(what)));
    }
    let kind = source.text_integer()?;
    if kind != 0 && kind != 1 {
        return Err(source.unexpected(&kind.to_string()));
    }
    let size = match source.text_integer()? {
        8 => Scalar::U64,
        4 if kind == 0 || !is_two => Scalar::U32,
        size => return Err(source.unexpected(&size.to_string())),
    };
    source.end_text_row()?;
    if kind == 1 {
        source.set_encoding(Encoding::LittleEndian);
        source.begin_row("the number 1, which shows the order of bytes");
        match source.integer(Scalar::I32)? {
            1 => {}
            0x0100_0000 => source.set_encoding(Encoding::BigEndian),
            other => return Err(source.unexpected(&other.to_string())),
        }
    }
    end_section(source, "$MeshFormat")?;
    Ok(if is_two { Version::Two } else { Version::Four { size } })
}

/// The name of the next section, unless the file is over.
fn begin_section(source: &mut Source<'_>, expected: &'static str) -> Result<Option<String>, FormatError> {
    source.begin_text_row(expected);
    let Some(name) = source.next_word() else { return Ok(None) };
    if !name.starts_with('$') || name.starts_with("$End") {
        return Err(source.unexpected(&name));
    }
    source.end_text_row()?;
    Ok(Some(name.into_owned()))
}

fn end_section(source: &mut Source<'_>, name: &str) -> Result<(), FormatError> {
    source.begin_text_row("the end of the section");
    let end = end_of(name);
    let word = source.word()?;
    if word != end {
        return Err(source.error(Problem::expected(end, &word)));
    }
    Ok(())
}

fn end_of(name: &str) -> String {
    name.replacen('$', "$End", 1)
}

/// The names of physical groups by dimension and number. They are text in binary files too.
fn read_names(source: &mut Source<'_>) -> Result<HashMap<(i64, i64), String>, FormatError> {
    source.begin_text_row("the number of physical groups");
    let count = source.text_count()?;
    let mut names = HashMap::new();
    for _ in 0..count {
        source.begin_text_row("the dimension, number and name of a physical group");
        let key = (source.text_integer()?, source.text_integer()?.saturating_abs());
        let name = source.rest_of_line();
        let name = name.trim_matches('"').trim();
        if !name.is_empty() {
            names.insert(key, name.to_owned());
        }
    }
    Ok(names)
}
