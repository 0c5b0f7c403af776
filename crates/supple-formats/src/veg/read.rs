//! Reading `.veg`.

use crate::error::quoted;
use crate::scan::{Line, Numbering, Row, content_lines, text};
use crate::{Elements, FormatError, Group, Material, Problem, Region, VolumeFile};
use std::collections::HashSet;

/// Reads a VegaFEM `.veg` file of tets or cubes.
///
/// # Errors
/// A section out of place or of another length than announced, a value that is not a finite number,
/// a vertex, element, set or material that does not exist, `*INCLUDE`, a material other than `ENU`.
pub fn read_veg(bytes: &[u8]) -> Result<VolumeFile, FormatError> {
    let text = text(bytes);
    let mut reader = Reader::new();
    for line in content_lines(&text) {
        match line.text.strip_prefix('*') {
            Some(_) => reader.begin_section(&line)?,
            None => reader.read_row(&line)?,
        }
    }
    reader.finish()
}

/// Which row comes next.
#[derive(Default)]
enum Due {
    #[default]
    Section,
    VertexCount,
    Vertex,
    ElementKind,
    ElementCount,
    Element,
    Material {
        name: String,
    },
    SetMembers,
    Region,
}

struct Reader {
    file: VolumeFile,
    due: Due,
    vertices: Numbering,
    elements: Numbering,
    set_names: HashSet<String>,
    material_names: HashSet<String>,
}

impl Reader {
    fn new() -> Self {
        Self {
            file: VolumeFile::default(),
            due: Due::Section,
            vertices: Numbering::new("vertex", "vertices"),
            elements: Numbering::new("element", "elements"),
            set_names: HashSet::new(),
            material_names: HashSet::new(),
        }
    }

    fn begin_section(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        self.check_nothing_is_due(line)?;
        let (keyword, name) = line.split_word();
        let misplaced = |before: &str| line.error(Problem::expected(format!("{before} first"), keyword));
        let twice = |what, name: &str| line.error(Problem::DefinedTwice { what, name: quoted(name) });
        self.due = match keyword.to_ascii_uppercase().trim_end_matches(',') {
            "*VERTICES" if self.vertices.is_announced() => return Err(twice("section", keyword)),
            "*ELEMENTS" if self.elements.is_announced() => return Err(twice("section", keyword)),
            "*ELEMENTS" if !self.vertices.is_announced() => return Err(misplaced("*VERTICES")),
            "*SET" if !self.elements.is_announced() => return Err(misplaced("*ELEMENTS")),
            "*VERTICES" => Due::VertexCount,
            "*ELEMENTS" => Due::ElementKind,
            "*MATERIAL" | "*SET" if name.is_empty() => {
                return Err(line.error(Problem::ends_before("a name")));
            }
            "*MATERIAL" => {
                if !self.material_names.insert(name.to_owned()) {
                    return Err(twice("material", name));
                }
                Due::Material { name: name.to_owned() }
            }
            "*SET" => {
                if !self.set_names.insert(name.to_owned()) {
                    return Err(twice("set", name));
                }
                self.file.element_groups.push(Group { name: name.to_owned(), members: Vec::new() });
                Due::SetMembers
            }
            "*REGION" => Due::Region,
            "*INCLUDE" => {
                let what = format!("*INCLUDE (put the text of {} in its place)", quoted(name));
                return Err(line.error(Problem::Unsupported(what)));
            }
            _ => return Err(line.error(Problem::expected("a section of a .veg file", keyword))),
        };
        Ok(())
    }

    /// A section may end after its list of rows, but not where a certain row must follow.
    fn check_nothing_is_due(&self, line: &Line<'_>) -> Result<(), FormatError> {
        let expected = match self.due {
            Due::Section | Due::Vertex | Due::Element | Due::SetMembers => return Ok(()),
            Due::VertexCount => "the number of vertices",
            Due::ElementKind => "TET or CUBIC",
            Due::ElementCount => "the number of elements",
            Due::Material { .. } => "a material",
            Due::Region => "a set and a material",
        };
        Err(line.error(Problem::expected(expected, line.text)))
    }

    fn read_row(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        match std::mem::take(&mut self.due) {
            Due::Section => {
                return Err(line.error(Problem::expected("a section such as *VERTICES", line.text)));
            }
            Due::VertexCount => {
                self.vertices.announce(line, Row::new(line, "the number of vertices").index()?);
                self.due = Due::Vertex;
            }
            Due::Vertex => {
                let mut row = Row::new(line, "a vertex number and 3 coordinates");
                self.vertices.next(line, row.index()?)?;
                self.file.positions.push(row.numbers()?);
                row.end()?;
                self.due = Due::Vertex;
            }
            Due::ElementKind => {
                self.file.elements = match line.text.to_ascii_uppercase().as_str() {
                    "TET" => Elements::Tets(Vec::new()),
                    "CUBIC" => Elements::Hexes(Vec::new()),
                    _ => return Err(line.error(Problem::expected("TET or CUBIC", line.text))),
                };
                self.due = Due::ElementCount;
            }
            Due::ElementCount => {
                self.elements.announce(line, Row::new(line, "the number of elements").index()?);
                self.due = Due::Element;
            }
            Due::Element => {
                self.read_element(line)?;
                self.due = Due::Element;
            }
            Due::Material { name } => self.file.materials.push(read_material(line, name)?),
            Due::SetMembers => {
                self.read_set_members(line)?;
                self.due = Due::SetMembers;
            }
            Due::Region => self.read_region(line)?,
        }
        Ok(())
    }

    fn read_element(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        let expected = match self.file.elements {
            Elements::Tets(_) => "an element number and 4 vertex numbers",
            Elements::Hexes(_) => "an element number and 8 vertex numbers",
        };
        let mut row = Row::new(line, expected);
        self.elements.next(line, row.index()?)?;
        match &mut self.file.elements {
            Elements::Tets(tets) => tets.push(self.vertices.indices_of(line, row.indices()?)?),
            Elements::Hexes(hexes) => hexes.push(self.vertices.indices_of(line, row.indices()?)?),
        }
        row.end()
    }

    fn read_set_members(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        let mut row = Row::new(line, "element numbers");
        while let Some(word) = row.next_word() {
            let number = word.parse().map_err(|_| row.unexpected(word))?;
            let [element] = self.elements.indices_of(line, [number])?;
            if let Some(group) = self.file.element_groups.last_mut() {
                group.members.push(element);
            }
        }
        Ok(())
    }

    fn read_region(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        let (group, material) = line
            .text
            .split_once(',')
            .map(|(group, material)| (group.trim(), material.trim()))
            .ok_or_else(|| line.error(Problem::expected("a set, a comma and a material", line.text)))?;
        let undefined = |what, name: &str| line.error(Problem::Undefined { what, name: quoted(name) });
        if group != Region::ALL_ELEMENTS && !self.set_names.contains(group) {
            return Err(undefined("set", group));
        }
        if !self.material_names.contains(material) {
            return Err(undefined("material", material));
        }
        self.file.regions.push(Region { group: group.to_owned(), material: material.to_owned() });
        Ok(())
    }

    fn finish(self) -> Result<VolumeFile, FormatError> {
        let missing = |what| FormatError::whole_file(Problem::Empty(what));
        match self.due {
            Due::Material { .. } => return Err(missing("material after its last *MATERIAL")),
            Due::Region => return Err(missing("set and material after its last *REGION")),
            _ => {}
        }
        self.vertices.finish()?;
        self.elements.finish()?;
        if self.file.positions.is_empty() {
            return Err(missing("vertices"));
        }
        Ok(self.file)
    }
}

fn read_material(line: &Line<'_>, name: String) -> Result<Material, FormatError> {
    let mut row = Row::new(line, "ENU, density, Young's modulus, Poisson's ratio");
    let kind = row.word()?;
    if !kind.eq_ignore_ascii_case("ENU") {
        let what = format!("a material of type {} (only ENU is)", quoted(kind));
        return Err(line.error(Problem::Unsupported(what)));
    }
    let [density, young, poisson] = row.numbers()?;
    row.end()?;
    Ok(Material { name, density, young, poisson })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_with_materials_may_count_from_0() {
        let vertices: String = (0..8).map(|v| format!("{v}, {}, {}.5, 0\n", v % 2, v / 2)).collect();
        let text = format!(
            "# Vega\n*VERTICES\n8 3 0 0\n{vertices}\n*ELEMENTS\nCUBIC\n2 8 0\n0 0 1 2 3 4 5 6 7\n1 7 6 5 4 3 2 1 0\n\
             *MATERIAL soft one\nENU, 1000, 1E7, 0.45\n*SET second\n1,\n\n*SET none\n*REGION\nallElements, soft one\n\
             *REGION\nsecond,soft one\n"
        );
        let file = read_veg(text.as_bytes()).unwrap();
        assert_eq!(file.positions[3], [1.0, 1.5, 0.0]);
        assert_eq!(file.elements, Elements::Hexes(vec![[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0]]));
        let soft = Material { name: "soft one".into(), density: 1000.0, young: 1e7, poisson: 0.45 };
        assert_eq!(file.materials, [soft]);
        let group = |name: &str, members: &[u32]| Group { name: name.into(), members: members.into() };
        assert_eq!(file.element_groups, [group("second", &[1]), group("none", &[])]);
        let groups: Vec<_> = file.regions.iter().map(|region| region.group.as_str()).collect();
        assert_eq!(groups, ["allElements", "second"]);
    }

    #[test]
    fn vertices_and_elements_count_each_for_themselves() {
        let file = read_veg(
            b"*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n*ELEMENTS\nTET\n1 4 0\n0 1 2 3 4\n*SET a\n0\n",
        )
        .unwrap();
        assert_eq!(file.elements, Elements::Tets(vec![[0, 1, 2, 3]]));
        assert_eq!(file.element_groups[0].members, [0]);
    }
}
