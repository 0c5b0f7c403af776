//! TetGen's pair of files: `.node` with the vertices, `.ele` with the tets.
//! ```text
//! # .node: vertices, dimension, attributes, boundary markers     # .ele: tets, corners, attributes
//! 4 3 0 0                                                        1 4 1
//! 1  0.0 0.0 0.0                                                 1  1 2 3 4  7
//! 2  1.0 0.0 0.0
//! ```
//! The number of the first vertex says whether both count from 0 or from 1. Attributes and markers
//! of vertices are skipped. The first attribute of a tet is the region it lies in: the tets of
//! region 7 become the element group `region-7`.

use crate::group::Groups;
use crate::scan::{Line, Numbering, Row, content_lines, indices_of, text};
use crate::{Elements, FormatError, Problem, VolumeFile};

/// The contents of a `.node` file.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeFile {
    /// Where the vertices are.
    pub positions: Vec<[f64; 3]>,
    /// The number of the first vertex, 0 or 1, by which the `.ele` file counts too.
    pub first_number: u32,
}

/// Reads a TetGen `.node` file.
///
/// # Errors
/// A header that announces another dimension or number of vertices, vertices out of order, a
/// coordinate that is not a finite number.
pub fn read_node(bytes: &[u8]) -> Result<NodeFile, FormatError> {
    let text = text(bytes);
    let mut lines = content_lines(&text);
    let (header, [count, dimension]) = read_header(&mut lines, "vertices", "the number of vertices, then 3")?;
    if dimension != 3 {
        return Err(header.error(Problem::Unsupported(format!("a mesh in {dimension} dimensions"))));
    }
    let mut numbering = Numbering::new("vertex", "vertices");
    numbering.announce(&header, count);
    let mut positions = Vec::new();
    for line in lines {
        let mut row = Row::new(&line, "a vertex number and 3 coordinates");
        numbering.next(&line, row.index()?)?;
        positions.push(row.numbers()?);
    }
    numbering.finish()?;
    if positions.is_empty() {
        return Err(FormatError::whole_file(Problem::Empty("vertices")));
    }
    Ok(NodeFile { positions, first_number: numbering.first() })
}

/// Reads a TetGen `.ele` file on the vertices of its `.node` file.
///
/// # Errors
/// A header that announces anything but tets of 4 corners or another number of them, tets out of
/// order, a corner that is not in the `.node` file.
pub fn read_ele(bytes: &[u8], nodes: NodeFile) -> Result<VolumeFile, FormatError> {
    let text = text(bytes);
    let mut lines = content_lines(&text);
    let (header, [count, corners, attributes]) =
        read_header(&mut lines, "tets", "the numbers of tets, corners and attributes")?;
    if corners != 4 {
        return Err(header.error(Problem::Unsupported(format!("an element with {corners} corners"))));
    }
    let NodeFile { positions, first_number } = nodes;
    let mut numbering = Numbering::new("tet", "tets");
    numbering.announce(&header, count);
    let mut regions = Groups::new(str::to_owned);
    let mut tets = Vec::new();
    for line in lines {
        let mut row = Row::new(&line, "a tet number, 4 vertex numbers and the announced attributes");
        numbering.next(&line, row.index()?)?;
        let tet: [u32; 4] = indices_of(&line, "vertex", row.indices()?, first_number, positions.len())?;
        if attributes > 0 {
            // Through `Debug`, which turns to exponents where `Display` writes out 300 digits.
            let region = format!("region-{:?}", row.number()?);
            let region = regions.named(region.strip_suffix(".0").unwrap_or(&region));
            regions.members_mut(region).push(tets.len() as u32);
        }
        tets.push(tet);
    }
    numbering.finish()?;
    let elements = Elements::Tets(tets);
    Ok(VolumeFile { positions, elements, element_groups: regions.finish(), ..VolumeFile::default() })
}

/// The first line, and the numbers it begins with.
fn read_header<'a, const N: usize>(
    lines: &mut impl Iterator<Item = Line<'a>>,
    what: &'static str,
    expected: &'static str,
) -> Result<(Line<'a>, [u32; N]), FormatError> {
    let header = lines.next().ok_or_else(|| FormatError::whole_file(Problem::Empty(what)))?;
    let numbers = Row::new(&header, expected).indices()?;
    Ok((header, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;

    const NODES: &[u8] =
        b"5 3 1 1 # head\n1 0 0 0 9.5 1\n2 1 0 0 9.5 1\n3 0 1 0 9.5 1\n4 0 0 1 9.5 0\n5 1 1 1 9.5 0\n# end\n";

    #[test]
    fn attributes_of_tets_become_groups() {
        let nodes = read_node(NODES).unwrap();
        assert_eq!(nodes.positions[4], [1.0; 3]);
        let file = read_ele(b"3 4 1\n1 1 2 3 4 -3.5\n2 2 3 4 5 2\n3 1 3 4 5 -3.50\n", nodes).unwrap();
        assert_eq!(file.elements, Elements::Tets(vec![[0, 1, 2, 3], [1, 2, 3, 4], [0, 2, 3, 4]]));
        let group = |name: &str, members: &[u32]| Group { name: name.into(), members: members.into() };
        assert_eq!(file.element_groups, [group("region--3.5", &[0, 2]), group("region-2", &[1])]);
    }

    #[test]
    fn vertices_may_count_from_0() {
        let nodes = read_node(b"4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n").unwrap();
        let file = read_ele(b"1 4 0\n0 0 1 2 3\n", nodes).unwrap();
        assert_eq!(file.elements, Elements::Tets(vec![[0, 1, 2, 3]]));
    }
}
