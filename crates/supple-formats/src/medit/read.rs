//! Reading `.mesh`.

use crate::error::quoted;
use crate::mixed::{Corners, MixedMesh, Shape};
use crate::source::{Scalar, Source};
use crate::{FormatError, MeshFile, Problem};

/// Reads a MEDIT `.mesh` file, as text.
///
/// # Errors
/// A section out of place or of another length than announced, a coordinate that is not a finite
/// number, a vertex that does not exist, a dimension other than 3, prisms, pyramids, elements of
/// second order, tets and hexahedra together, a file without triangles, tets and hexahedra.
pub fn read_medit(bytes: &[u8]) -> Result<MeshFile, FormatError> {
    let mut source = Source::new(bytes);
    read_version(&mut source)?;
    let mut mesh = MixedMesh::default();
    loop {
        source.begin_text_row("a keyword such as Vertices");
        let Some(keyword) = source.next_word() else { break };
        if !begins_a_section(&keyword) {
            return Err(source.unexpected(&keyword));
        }
        match keyword.as_ref() {
            "Dimension" => read_dimension(&mut source)?,
            "Vertices" if mesh.positions.is_empty() => read_vertices(&mut source, &mut mesh)?,
            "Vertices" => {
                return Err(source.error(Problem::DefinedTwice { what: "section", name: quoted(&keyword) }));
            }
            "Triangles" | "Quadrilaterals" | "Tetrahedra" | "Hexahedra" | "Hexaedra"
                if mesh.positions.is_empty() =>
            {
                return Err(source.error(Problem::expected("Vertices first", &keyword)));
            }
            "Triangles" => read_elements(&mut source, &mut mesh, Shape::Triangle)?,
            "Quadrilaterals" => read_elements(&mut source, &mut mesh, Shape::Quad)?,
            "Tetrahedra" => read_elements(&mut source, &mut mesh, Shape::Tet)?,
            "Hexahedra" | "Hexaedra" => read_elements(&mut source, &mut mesh, Shape::Hex)?,
            "Prisms" | "Pyramids" | "TrianglesP2" | "TetrahedraP2" | "QuadrilateralsQ2" | "HexahedraQ2"
            | "PrismsP2" | "PyramidsP2" => refuse(&mut source, &keyword)?,
            "End" => break,
            _ => skip_section(&mut source),
        }
    }
    mesh.finish(|_, _| None)
}

/// Sections begin with a letter, rows never do.
fn begins_a_section(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn read_version(source: &mut Source<'_>) -> Result<(), FormatError> {
    source.begin_text_row("MeshVersionFormatted and a number");
    let keyword = source.next_word().ok_or_else(|| FormatError::whole_file(Problem::Empty("contents")))?;
    if keyword != "MeshVersionFormatted" {
        return Err(source.unexpected(&keyword));
    }
    source.begin_text_row("the number of the version");
    source.text_count().map(drop)
}

fn read_dimension(source: &mut Source<'_>) -> Result<(), FormatError> {
    source.begin_text_row("the dimension");
    match source.text_integer()? {
        3 => Ok(()),
        dimension => Err(source.error(Problem::Unsupported(format!("a mesh in {dimension} dimensions")))),
    }
}

fn read_vertices(source: &mut Source<'_>, mesh: &mut MixedMesh) -> Result<(), FormatError> {
    for _ in 0..read_count(source)? {
        source.begin_text_row("3 coordinates and a reference");
        mesh.positions.push(source.numbers(Scalar::F64)?);
        source.text_integer()?;
    }
    Ok(())
}

fn read_elements(source: &mut Source<'_>, mesh: &mut MixedMesh, shape: Shape) -> Result<(), FormatError> {
    let expected = match shape.corners() {
        3 => "3 vertex numbers and a reference",
        4 => "4 vertex numbers and a reference",
        _ => "8 vertex numbers and a reference",
    };
    for _ in 0..read_count(source)? {
        source.begin_text_row(expected);
        let mut corners = Corners::default();
        for corner in &mut corners[..shape.corners()] {
            *corner = read_vertex_number(source, mesh.positions.len())?;
        }
        let index = mesh.add(shape, &corners).map_err(|problem| source.error(problem))?;
        let reference = source.text_integer()?;
        mesh.label(shape, &corners, index, reference);
    }
    Ok(())
}

fn read_vertex_number(source: &mut Source<'_>, count: usize) -> Result<u32, FormatError> {
    let number = source.text_integer()?;
    match usize::try_from(number) {
        Ok(index) if (1..=count).contains(&index) => Ok((index - 1) as u32),
        _ => Err(source.error(Problem::NoSuchNumber { what: "vertex", number, count, first: 1 })),
    }
}

fn read_count(source: &mut Source<'_>) -> Result<u64, FormatError> {
    source.begin_text_row("the number of rows");
    source.text_count()
}

/// Refuses a section, unless it is empty.
fn refuse(source: &mut Source<'_>, keyword: &str) -> Result<(), FormatError> {
    match read_count(source)? {
        0 => Ok(()),
        _ => Err(source.error(Problem::Unsupported(format!("a mesh with {keyword}")))),
    }
}

/// Passes over the numbers of a section, up to the next keyword.
fn skip_section(source: &mut Source<'_>) {
    loop {
        source.begin_text_row("a keyword");
        match source.peek() {
            Some(byte) if !byte.is_ascii_alphabetic() => drop(source.next_word()),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elements, Group};

    fn group(name: &str, members: &[u32]) -> Group {
        Group { name: name.into(), members: members.into() }
    }

    #[test]
    fn references_become_groups() {
        let file = read_medit(
            b"MeshVersionFormatted\n1\n\nDimension\n3\n# by hand\nVertices 5\n0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n1 1 1 9\n\
              Corners\n2\n1\n2\nRidges 1 1 Edges\n1\n1 2 4\nTriangles\n2\n1 2 3 3\n2 3 4 0\n\
              Tetrahedra\n3\n1 2 3 4 7\n2 3 4 5 -1\n1 3 4 5 7\nPrisms\n0\nEnd\nanything",
        );
        let Ok(MeshFile::Volume(file)) = file else { panic!("{file:?}") };
        assert_eq!(file.elements, Elements::Tets(vec![[0, 1, 2, 3], [1, 2, 3, 4], [0, 2, 3, 4]]));
        assert_eq!(file.vertex_groups, [group("surface-3", &[0, 1, 2])]);
        assert_eq!(file.element_groups, [group("region-7", &[0, 2]), group("region--1", &[1])]);
    }

    #[test]
    fn without_volumes_it_is_a_surface() {
        let file = read_medit(
            b"MeshVersionFormatted 2 Dimension 3 Vertices 4 0 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0\n\
              Quadrilaterals 1 1 2 3 4 5",
        );
        let Ok(MeshFile::Surface(file)) = file else { panic!("{file:?}") };
        assert_eq!(file.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(file.vertex_groups, [group("surface-5", &[0, 1, 2, 3])]);
    }
}
