//! Reading OBJ.

use super::MAX_GROUPS_PER_FACE;
use crate::group::Groups;
use crate::scan::{Line, Row, all_lines, text, without_comment};
use crate::{FormatError, Problem, SurfaceFile};
use std::collections::HashMap;

/// The most corners of a face: more is a list of something else.
const MOST_CORNERS: usize = 1 << 16;

/// For so many corners the room of one face is kept for the next.
const FEW_CORNERS: usize = 1 << 10;

/// Reads a Wavefront OBJ file. Its vertices keep their numbers, less one.
///
/// # Errors
/// A coordinate that is not a finite number, a face with fewer than 3 corners, a corner that does
/// not exist, a file without vertices.
pub fn read_obj(bytes: &[u8]) -> Result<SurfaceFile, FormatError> {
    let text = text(bytes);
    let mut reader = Reader::new();
    let mut joined = String::new();
    let mut lines = all_lines(&text).map(|line| Line { text: without_comment(line.text), ..line });
    while let Some(line) = lines.next() {
        let Some(start) = line.text.strip_suffix('\\') else {
            reader.read_line(&line)?;
            continue;
        };
        joined.clear();
        joined.push_str(start);
        for next in lines.by_ref() {
            joined.push(' ');
            joined.push_str(next.text.strip_suffix('\\').unwrap_or(next.text));
            if !next.text.ends_with('\\') {
                break;
            }
        }
        reader.read_line(&Line { number: line.number, text: joined.trim() })?;
    }
    reader.finish()
}

#[derive(Clone, Copy)]
struct Corner {
    vertex: u32,
    uv: Option<u32>,
    normal: Option<u32>,
}

/// Faces may refer to what comes later in the file, so the highest reference is checked at the end.
#[derive(Clone, Copy, Default)]
struct Highest {
    /// One more than the index, so that 0 means none.
    number: u32,
    line: usize,
}

struct Reader {
    file: SurfaceFile,
    groups: Groups,
    group_statement: Vec<usize>,
    object: Option<usize>,
    material: Option<usize>,
    /// The corners of the face being read, kept to save its allocation.
    corners: Vec<Corner>,
    highest_vertex: Highest,
    highest_uv: Highest,
    highest_normal: Highest,
    /// The material of the next face, an index into those of the file.
    face_material: Option<u32>,
    /// The index of a material, by its group.
    materials: HashMap<usize, u32>,
    /// Whether every vertex so far has a colour.
    has_colours: bool,
}

impl Reader {
    fn new() -> Self {
        Self {
            file: SurfaceFile::default(),
            groups: Groups::new(str::to_owned),
            group_statement: Vec::new(),
            object: None,
            material: None,
            corners: Vec::new(),
            highest_vertex: Highest::default(),
            highest_uv: Highest::default(),
            highest_normal: Highest::default(),
            face_material: None,
            materials: HashMap::new(),
            has_colours: true,
        }
    }

    fn read_line(&mut self, line: &Line<'_>) -> Result<(), FormatError> {
        let (keyword, rest) = line.split_word();
        let values = Line { text: rest, ..*line };
        match keyword {
            "v" => self.read_vertex(&values)?,
            "vn" => self.file.normals.push(read_normal(&values)),
            "vt" => self.file.uvs.push(read_uv(&values)?),
            "f" => self.read_face(&values)?,
            "l" | "p" => {
                self.read_corners(&values)?;
                self.put_corners_into_groups();
            }
            "g" => self.read_groups(&values)?,
            "o" => self.object = (!rest.is_empty()).then(|| self.groups.named(rest)),
            "usemtl" => self.read_material(rest),
            _ => {}
        }
        Ok(())
    }

    /// Coordinates, then perhaps a weight, or the colour that many programs write there.
    fn read_vertex(&mut self, values: &Line<'_>) -> Result<(), FormatError> {
        self.file.positions.push(Row::new(values, "3 coordinates").numbers()?);
        if self.has_colours {
            let mut words = values.text.split_ascii_whitespace().skip(3).map(|word| word.parse().ok());
            let colour = [words.next(), words.next(), words.next()]
                .map(|word| word.flatten().filter(|x: &f64| x.is_finite()));
            match colour {
                [Some(r), Some(g), Some(b)] => self.file.colours.push([r, g, b]),
                _ => (self.has_colours, self.file.colours) = (false, Vec::new()),
            }
        }
        Ok(())
    }

    fn read_material(&mut self, name: &str) {
        self.material = (!name.is_empty()).then(|| self.groups.named(name));
        self.face_material = self.material.map(|group| {
            let materials = &mut self.file.materials;
            *self.materials.entry(group).or_insert_with(|| {
                materials.push(name.to_owned());
                materials.len() as u32 - 1
            })
        });
    }

    fn read_groups(&mut self, values: &Line<'_>) -> Result<(), FormatError> {
        self.group_statement.clear();
        for name in values.text.split_ascii_whitespace() {
            if self.group_statement.len() == MAX_GROUPS_PER_FACE {
                let what = format!("a face in more than {MAX_GROUPS_PER_FACE} groups");
                return Err(values.error(Problem::Unsupported(what)));
            }
            self.group_statement.push(self.groups.named(name));
        }
        Ok(())
    }

    fn read_face(&mut self, values: &Line<'_>) -> Result<(), FormatError> {
        self.read_corners(values)?;
        if self.corners.len() < 3 {
            let found = self.corners.len().to_string();
            return Err(values.error(Problem::Expected { expected: "at least 3 corners".into(), found }));
        }
        let list = |of: fn(&Corner) -> Option<u32>| self.corners.iter().map(of).collect::<Option<Vec<u32>>>();
        let (uvs, normals) = (list(|corner| corner.uv), list(|corner| corner.normal));
        let vertices: Vec<u32> = self.corners.iter().map(|corner| corner.vertex).collect();
        self.file.push_face(&vertices, uvs.as_deref(), normals.as_deref(), self.face_material);
        self.put_corners_into_groups();
        Ok(())
    }

    fn put_corners_into_groups(&mut self) {
        for &group in self.group_statement.iter().chain(&self.object).chain(&self.material) {
            self.groups.members_mut(group).extend(self.corners.iter().map(|corner| corner.vertex));
        }
    }

    fn read_corners(&mut self, values: &Line<'_>) -> Result<(), FormatError> {
        self.corners.clear();
        self.corners.shrink_to(FEW_CORNERS);
        for word in values.text.split_ascii_whitespace() {
            let number = |part: &str| {
                part.parse::<i64>().map_err(|_| {
                    values.error(Problem::expected(
                        "a corner: vertex, vertex/texture or vertex/texture/normal",
                        word,
                    ))
                })
            };
            if self.corners.len() == MOST_CORNERS {
                let what = format!("a face of more than {MOST_CORNERS} corners");
                return Err(values.error(Problem::Unsupported(what)));
            }
            let mut parts = word.splitn(3, '/');
            let vertex = number(parts.next().unwrap_or_default())?;
            let uv = parts.next().filter(|uv| !uv.is_empty()).map(number).transpose()?;
            let normal = parts.next().filter(|normal| !normal.is_empty()).map(number).transpose()?;
            let (vertices, uvs) = (self.file.positions.len(), self.file.uvs.len());
            let normals = self.file.normals.len();
            let vertex = resolve(values, "vertex", vertex, vertices, &mut self.highest_vertex)?;
            let uv = uv.map(|uv| resolve(values, "texture coordinate", uv, uvs, &mut self.highest_uv));
            let normal =
                normal.and_then(|n| resolve(values, "normal", n, normals, &mut self.highest_normal).ok());
            self.corners.push(Corner { vertex, uv: uv.transpose()?, normal });
        }
        Ok(())
    }

    fn finish(self) -> Result<SurfaceFile, FormatError> {
        let mut file = self.file;
        if file.positions.is_empty() {
            return Err(FormatError::whole_file(Problem::Empty("vertices")));
        }
        self.highest_vertex.check("vertex", file.positions.len())?;
        self.highest_uv.check("texture coordinate", file.uvs.len())?;
        // Normals can be computed again: those that do not exist are no reason to refuse a file.
        if self.highest_normal.number as usize > file.normals.len() {
            file.triangle_normals = Vec::new();
        }
        file.finish_faces();
        file.vertex_groups = self.groups.finish();
        Ok(file)
    }
}

impl Highest {
    fn check(self, what: &'static str, count: usize) -> Result<(), FormatError> {
        if self.number as usize <= count {
            return Ok(());
        }
        let number = i64::from(self.number);
        Err(FormatError::at(self.line, Problem::NoSuchNumber { what, number, count, first: 1 }))
    }
}

/// u, then v unless the texture is one-dimensional; a third coordinate is skipped.
fn read_uv(values: &Line<'_>) -> Result<[f64; 2], FormatError> {
    let mut row = Row::new(values, "texture coordinates");
    let u = row.number()?;
    let v = if row.is_at_end() { 0.0 } else { row.number()? };
    Ok([u, v])
}

/// A normal; what is no number is 0, as programs write for faces without an area.
fn read_normal(values: &Line<'_>) -> [f64; 3] {
    let mut words = values.text.split_ascii_whitespace().map(str::parse::<f64>);
    [(); 3].map(|()| words.next().and_then(Result::ok).filter(|x| x.is_finite()).unwrap_or(0.0))
}

/// The index of a reference: from 1 counted from the start, from −1 backwards from the latest.
fn resolve(
    line: &Line<'_>,
    what: &'static str,
    number: i64,
    count: usize,
    highest: &mut Highest,
) -> Result<u32, FormatError> {
    let index = if number > 0 { Some(number - 1) } else { (count as i64).checked_add(number) };
    let index = index.filter(|_| number != 0).and_then(|index| u32::try_from(index).ok());
    match index {
        Some(index) if index < u32::MAX => {
            if index + 1 > highest.number {
                *highest = Highest { number: index + 1, line: line.number };
            }
            Ok(index)
        }
        _ => Err(line.error(Problem::NoSuchNumber { what, number, count, first: 1 })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;

    fn group(name: &str, members: &[u32]) -> Group {
        Group { name: name.into(), members: members.into() }
    }

    #[test]
    fn corners_come_in_every_form() {
        let file = read_obj(
            b"mtllib x.mtl\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5 # colours\nv 0 1 0\n\
              vt 0 0\nvt 1\nvt 1 1 0\nvn 0 0 1\n\
              f 1/1/1 2/2/1 3/3/1\nf 1//1 3//1 4//1\nf 1/1 -3/-2 -2/-1\nf 1 2 \\\n 3 4\n",
        )
        .unwrap();
        assert_eq!(file.positions, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(file.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2], [0, 1, 2], [0, 2, 3]]);
        assert_eq!(file.uvs, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]);
        assert_eq!(file.triangle_uvs, [Some([0, 1, 2]), None, Some([0, 1, 2]), None, None]);
    }

    #[test]
    fn groups_hold_the_vertices_of_their_faces() {
        let file = read_obj(
            b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 2 2\no Some Thing\ng a b\nf 4 3 2\ng b\nusemtl red\n\
              f 1 2 3\ng nothing\ng\np 5\n",
        )
        .unwrap();
        assert_eq!(
            file.vertex_groups,
            [
                group("Some Thing", &[0, 1, 2, 3, 4]),
                group("a", &[1, 2, 3]),
                group("b", &[0, 1, 2, 3]),
                group("red", &[0, 1, 2, 4])
            ]
        );
    }

    #[test]
    fn faces_may_precede_their_vertices() {
        let file = read_obj(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0").unwrap();
        assert_eq!(file.triangles, [[0, 1, 2]]);
        assert!(file.triangle_uvs.is_empty());
    }

    /// A file of one face with nine million corners took 38 times its size of memory.
    #[test]
    fn a_face_has_an_end() {
        let face = |corners: usize| format!("v 0 0 0\nf{}\n", " 1".repeat(corners));
        let file = read_obj(face(MOST_CORNERS).as_bytes()).unwrap();
        assert_eq!((file.triangles.len(), file.triangle_uvs.capacity()), (MOST_CORNERS - 2, 0));
        let error = read_obj(face(MOST_CORNERS + 1).as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 2: a face of more than 65536 corners is not supported");
    }

    #[test]
    fn tables_begin_with_the_first_entry() {
        let file = read_obj(
            b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1 2 3\nusemtl red\nf 1/1 2/1 3/1\nf 1 3 4\n",
        );
        let file = file.unwrap();
        assert_eq!(file.triangle_uvs, [None, Some([0, 0, 0]), None]);
        assert_eq!(file.triangle_materials, [None, Some(0), Some(0)]);
        assert!(file.triangle_normals.is_empty());
    }

    #[test]
    fn a_comment_does_not_continue() {
        assert_eq!(read_obj(b"# c:\\\nv 0 0 0\nv 1 \\\n 2 \\\n\\\n3").unwrap().positions.len(), 2);
    }
}
