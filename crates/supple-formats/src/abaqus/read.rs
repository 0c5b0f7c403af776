//! Reading Abaqus input.

use super::keyword::Keyword;
use super::labels::Labels;
use crate::error::quoted;
use crate::scan::{Line, Row, all_lines, text};
use crate::{Elements, FormatError, Problem, VolumeFile};

/// Reads the mesh of an Abaqus `.inp` or `.abq` file.
///
/// # Errors
/// A label that is not defined or defined twice, a coordinate that is not a finite number, a type
/// of element other than tets and hexahedra or both together, `*INCLUDE`, a file without nodes.
pub fn read_abaqus(bytes: &[u8]) -> Result<VolumeFile, FormatError> {
    let text = text(bytes);
    let mut reader = Reader::new(bytes.len());
    for line in all_lines(&text).filter(|line| !line.text.is_empty() && !line.text.starts_with("**")) {
        match Keyword::parse(&line) {
            Some(keyword) => reader.begin_section(&line, &keyword)?,
            None => reader.read_row(&line)?,
        }
    }
    reader.finish()
}

/// What the rows below a keyword are. Sets are indices into those of [`Labels`].
#[derive(Clone, Copy)]
enum Section {
    Skipped,
    Nodes { set: Option<usize> },
    Elements { set: Option<usize> },
    NodeSet { set: usize, ranges: bool },
    ElementSet { set: usize, ranges: bool },
}

struct Reader {
    positions: Vec<[f64; 3]>,
    elements: Elements,
    nodes: Labels,
    element_labels: Labels,
    section: Section,
    /// The label and corners of the element being read, which may take several lines.
    element: [u32; 9],
    /// How many of those are read.
    element_values: usize,
}

impl Reader {
    fn new(bytes: usize) -> Self {
        Self {
            positions: Vec::new(),
            elements: Elements::default(),
            nodes: Labels::new("node", bytes),
            element_labels: Labels::new("element", bytes),
            section: Section::Skipped,
            element: [0; 9],
            element_values: 0,
        }
    }

    fn begin_section(&mut self, line: &Line<'_>, keyword: &Keyword<'_>) -> Result<(), FormatError> {
        self.check_element_is_complete(&quoted(line.text)).map_err(|problem| line.error(problem))?;
        self.section = match keyword.name.as_str() {
            "NODE" => {
                keyword.refuse(&["INPUT", "SYSTEM"])?;
                Section::Nodes { set: keyword.named("NSET")?.map(|name| self.nodes.set(name)) }
            }
            "ELEMENT" => {
                keyword.refuse(&["INPUT", "OFFSET"])?;
                self.choose_elements(line, keyword.required("TYPE")?)?;
                Section::Elements { set: keyword.named("ELSET")?.map(|name| self.element_labels.set(name)) }
            }
            "NSET" => {
                keyword.refuse(&["ELSET"])?;
                let set = self.nodes.set(keyword.required("NSET")?);
                Section::NodeSet { set, ranges: keyword.parameter("GENERATE").is_some() }
            }
            "ELSET" => {
                let set = self.element_labels.set(keyword.required("ELSET")?);
                Section::ElementSet { set, ranges: keyword.parameter("GENERATE").is_some() }
            }
            "INCLUDE" => {
                let what = "*INCLUDE (paste the included file here instead)";
                return Err(line.error(Problem::Unsupported(what.to_owned())));
            }
            _ => Section::Skipped,
        };
        Ok(())
    }

    fn choose_elements(&mut self, line: &Line<'_>, kind: &str) -> Result<(), FormatError> {
        let chosen = match kind.to_ascii_uppercase().as_str() {
            "C3D4" | "C3D4H" => Elements::Tets(Vec::new()),
            "C3D8" | "C3D8R" | "C3D8H" | "C3D8I" => Elements::Hexes(Vec::new()),
            _ => {
                let what = format!("element type {}", quoted(kind));
                return Err(line.error(Problem::Unsupported(what)));
            }
        };
        if self.elements.is_empty() {
            self.elements = chosen;
        } else if std::mem::discriminant(&self.elements) != std::mem::discriminant(&chosen) {
            return Err(line.error(Problem::Unsupported("a mesh of tets and hexahedra together".to_owned())));
        }
        Ok(())
    }

    fn read_row(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        match self.section {
            Section::Skipped => Ok(()),
            Section::Nodes { set } => {
                let mut row = Row::new(line, "a node number and 3 coordinates");
                self.nodes.define(line, row.index()?, set)?;
                self.positions.push(row.numbers()?);
                Ok(())
            }
            Section::Elements { set } => self.read_element_row(line, set),
            Section::NodeSet { set, ranges: false } => self.nodes.read_members(line, set),
            Section::NodeSet { set, ranges: true } => self.nodes.read_range(line, set),
            Section::ElementSet { set, ranges: false } => self.element_labels.read_members(line, set),
            Section::ElementSet { set, ranges: true } => self.element_labels.read_range(line, set),
        }
    }

    /// A comma at the end of a line continues an element that is not complete on the next.
    fn read_element_row(&mut self, line: &Line<'_>, set: Option<usize>) -> Result<(), FormatError> {
        let (due, expected) = self.element_row();
        let mut row = Row::new(line, expected);
        while self.element_values < due {
            if row.is_at_end() && line.text.ends_with(',') {
                return Ok(());
            }
            self.element[self.element_values] = row.index()?;
            self.element_values += 1;
        }
        row.end()?;
        self.element_values = 0;
        let [label, corners @ ..] = self.element;
        self.element_labels.define(line, label, set)?;
        match &mut self.elements {
            Elements::Tets(tets) => {
                let [a, b, c, d, ..] = corners;
                tets.push(self.nodes.indices_of(line, [a, b, c, d])?);
            }
            Elements::Hexes(hexes) => hexes.push(self.nodes.indices_of(line, corners)?),
        }
        Ok(())
    }

    /// How many values an element has, and what they are.
    fn element_row(&self) -> (usize, &'static str) {
        match self.elements {
            Elements::Tets(_) => (5, "an element number and 4 node numbers"),
            Elements::Hexes(_) => (9, "an element number and 8 node numbers"),
        }
    }

    /// Checks that no element is left in the middle.
    fn check_element_is_complete(&self, found: &str) -> Result<(), Problem> {
        if self.element_values == 0 {
            return Ok(());
        }
        Err(Problem::Expected { expected: self.element_row().1.to_owned(), found: found.to_owned() })
    }

    fn finish(self) -> Result<VolumeFile, FormatError> {
        self.check_element_is_complete("the end of the file").map_err(FormatError::whole_file)?;
        if self.positions.is_empty() {
            return Err(FormatError::whole_file(Problem::Empty("nodes")));
        }
        Ok(VolumeFile {
            positions: self.positions,
            elements: self.elements,
            vertex_groups: self.nodes.into_groups(),
            element_groups: self.element_labels.into_groups(),
            ..VolumeFile::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;

    fn group(name: &str, members: &[u32]) -> Group {
        Group { name: name.into(), members: members.into() }
    }

    const NODES: &str = "*Heading\n a title, 1, 2\n** comment\n*NODE, NSET=All\n10, 0., 0., 0.\n40, 1., 0., 0.\n\
                         20, 0., 1., 0.\n4000000000, 0., 0., 1.\n7, 1.e0, 1., 1.\n";

    #[test]
    fn labels_become_indices_in_the_order_of_the_file() {
        let file = read_abaqus(
            (NODES.to_owned()
                + "*element, type=c3d4, elset=Body\n5, 10, 40, 20, 4000000000\n3, 40, 20,\n 4000000000, 7\n\
                   *NSET, nset=base\n10, 7,\n40\n*nset, NSET=more\nBASE, 20\n*NSET, NSET=Base\n10, 20\n\
                   *ELSET, ELSET=one\n3\n*MATERIAL, NAME=steel\n*ELASTIC\n1, 2\n")
                .as_bytes(),
        )
        .unwrap();
        assert_eq!(file.positions[4], [1.0; 3]);
        assert_eq!(file.elements, Elements::Tets(vec![[0, 1, 2, 3], [1, 2, 3, 4]]));
        assert_eq!(
            file.vertex_groups,
            [group("All", &[0, 1, 2, 3, 4]), group("base", &[0, 1, 2, 4]), group("more", &[0, 1, 2, 4])]
        );
        assert_eq!(file.element_groups, [group("Body", &[0, 1]), group("one", &[1])]);
    }

    #[test]
    fn ranges_hold_the_labels_that_exist() {
        let sets = "*NSET, NSET=wide, GENERATE\n1, 4294967295, 1\n*NSET, NSET=tens, GENERATE\n10, 49, 10\n\
                    *NSET, NSET=odd, GENERATE\n1, 4294967295, 2\n*NSET, NSET=short, GENERATE\n 6,8\n";
        let file = read_abaqus((NODES.to_owned() + sets).as_bytes()).unwrap();
        assert_eq!(
            file.vertex_groups[1..],
            [
                group("wide", &[0, 1, 2, 3, 4]),
                group("tens", &[0, 1, 2]),
                group("odd", &[4]),
                group("short", &[4])
            ]
        );
    }

    #[test]
    fn hexahedra_may_take_two_lines() {
        let nodes: String = (1..=8).map(|n| format!("{n}, {n}., 0., 0.\n")).collect();
        let text =
            format!("*NODE\n{nodes}*ELEMENT, TYPE=C3D8R\n1, 1, 2, 3, 4,\n5, 6, 7, 8,\n2, 8,7,6,5,4,3,2,1\n");
        let file = read_abaqus(text.as_bytes()).unwrap();
        assert_eq!(file.elements, Elements::Hexes(vec![[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0]]));
    }
}
