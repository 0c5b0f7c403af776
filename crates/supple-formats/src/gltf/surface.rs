//! The mesh of a node as a surface.
//!
//! Each primitive has a material and arrays for its vertices; primitives that share them are faces of one set
//! of vertices. A vertex of glTF has one texture coordinate and one normal, so that programs split vertices
//! where those differ; our own writer says which belong together, in `_VERTEX`.

use super::accessor::Arrays;
use super::document::Primitive;
use super::skin::Skin;
use crate::group::Groups;
use crate::scene::Budget;
use crate::{FormatError, Problem, SurfaceFile};

/// The vertices that one or more primitives share.
pub(super) struct Part {
    /// The array of the positions.
    pub positions: usize,
    /// Those of the morph targets, where they move points.
    pub targets: Vec<Option<usize>>,
    /// Its first vertex in the whole mesh, and how many there are.
    pub first: usize,
    pub vertices: usize,
    primitive: usize,
}

/// The mesh of a node.
#[derive(Default)]
pub(super) struct Shape {
    pub parts: Vec<Part>,
    /// How many vertices all parts have.
    pub vertices: usize,
    /// The vertex of the surface that each is a part of, where some were split.
    pub sources: Option<Vec<u32>>,
    pub surface: SurfaceFile,
}

impl Shape {
    pub fn read(
        arrays: &Arrays,
        mesh: usize,
        skin: &mut Option<Skin>,
        budget: &mut Budget,
        notes: &mut Vec<String>,
    ) -> Result<Self, FormatError> {
        let meshes = &arrays.document.meshes;
        let Some(mesh) = meshes.get(mesh) else {
            let (number, count) = (mesh as i64, meshes.len());
            return Err(FormatError::whole_file(Problem::NoSuchNumber {
                what: "mesh",
                number,
                count,
                first: 0,
            }));
        };
        let mut shape = Self::default();
        let mut of_primitive = Vec::new();
        for number in 0..mesh.primitives.len() {
            of_primitive.push(shape.add_part(arrays, &mesh.primitives, number, skin, budget, notes)?);
        }
        shape.read_sources(arrays, &mesh.primitives)?;
        let mut groups = Groups::new(str::to_owned);
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            if let Some(part) = of_primitive[number] {
                let group =
                    (mesh.primitives.len() > 1).then(|| groups.named(&group_name(arrays, primitive, number)));
                shape.add_faces(arrays, primitive, part, group.map(|group| (&mut groups, group)), budget)?;
            }
        }
        shape.surface.finish_faces();
        shape.surface.vertex_groups = groups.finish();
        Ok(shape)
    }

    /// The part of a primitive, which may be that of an earlier one.
    fn add_part(
        &mut self,
        arrays: &Arrays,
        primitives: &[Primitive],
        number: usize,
        skin: &mut Option<Skin>,
        budget: &mut Budget,
        notes: &mut Vec<String>,
    ) -> Result<Option<usize>, FormatError> {
        let primitive = &primitives[number];
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            return Ok(None);
        };
        if !matches!(primitive.mode.unwrap_or(4), 4..=6) {
            notes.push("lines and points were ignored".to_owned());
            return Ok(None);
        }
        let is_same = |part: &Part| {
            let other = &primitives[part.primitive];
            part.positions == positions
                && other.attributes == primitive.attributes
                && other.targets == primitive.targets
        };
        if let Some(known) = self.parts.iter().position(is_same) {
            return Ok(Some(known));
        }
        let vertices = arrays.count(positions)?;
        budget.take_shared("vertices", positions, vertices as u64, 96)?;
        let targets: Vec<Option<usize>> =
            primitive.targets.iter().map(|target| target.get("POSITION").copied()).collect();
        for target in targets.iter().flatten() {
            let found = arrays.count(*target)?;
            if found != vertices {
                let (culprit, reference) = ("a morph target".to_owned(), "its mesh".to_owned());
                let problem =
                    Problem::OtherCount { what: "vertices", culprit, found, reference, expected: vertices };
                return Err(FormatError::whole_file(problem));
            }
        }
        if let Some(skin) = skin {
            skin.extend(arrays, primitive, vertices)?;
        }
        self.parts.push(Part { positions, targets, first: self.vertices, vertices, primitive: number });
        self.vertices += vertices;
        Ok(Some(self.parts.len() - 1))
    }

    /// Which vertices belong together, where all parts say so and every vertex is named.
    fn read_sources(&mut self, arrays: &Arrays, primitives: &[Primitive]) -> Result<(), FormatError> {
        let mut sources: Vec<u32> = Vec::new();
        for part in &self.parts {
            let Some(&accessor) = primitives[part.primitive].attributes.get("_VERTEX") else {
                return Ok(());
            };
            let numbers = arrays.numbers(accessor, 1)?;
            let is_vertex =
                |number: &f64| *number >= 0.0 && number.fract() == 0.0 && *number < self.vertices as f64;
            if numbers.len() != part.vertices || !numbers.iter().all(is_vertex) {
                return Ok(());
            }
            sources.extend(numbers.iter().map(|number| *number as u32));
        }
        let count = sources.iter().max().map_or(0, |last| *last as usize + 1);
        let mut is_named = vec![false; count];
        sources.iter().for_each(|source| is_named[*source as usize] = true);
        if is_named.iter().all(|is_named| *is_named) && count > 0 {
            self.sources = Some(sources);
        }
        Ok(())
    }

    /// How many vertices the surface has.
    pub fn surface_vertices(&self) -> usize {
        match &self.sources {
            Some(sources) => sources.iter().max().map_or(0, |last| *last as usize + 1),
            None => self.vertices,
        }
    }

    fn source(&self, vertex: u32) -> u32 {
        self.sources.as_ref().map_or(vertex, |sources| sources[vertex as usize])
    }

    fn add_faces(
        &mut self,
        arrays: &Arrays,
        primitive: &Primitive,
        part: usize,
        group: Option<(&mut Groups, usize)>,
        budget: &mut Budget,
    ) -> Result<(), FormatError> {
        let (first, vertices) = (self.parts[part].first, self.parts[part].vertices);
        let indices: Vec<u32> = match primitive.indices {
            None => (0..vertices as u32).collect(),
            Some(accessor) => {
                budget.take_shared("indices", accessor, arrays.count(accessor)? as u64, 96)?;
                let numbers = arrays.numbers(accessor, 1)?;
                if let Some(number) =
                    numbers.iter().find(|number| !(**number >= 0.0 && **number < vertices as f64))
                {
                    let (number, count) = (*number as i64, vertices);
                    let problem = Problem::NoSuchNumber { what: "vertex", number, count, first: 0 };
                    return Err(FormatError::whole_file(problem));
                }
                numbers.into_iter().map(|number| number as u32).collect()
            }
        };
        let material = primitive.material.map(|material| self.material(arrays, material));
        let has_uvs = self.add_attribute(arrays, primitive, part, "TEXCOORD_0")?;
        let has_normals = self.add_attribute(arrays, primitive, part, "NORMAL")?;
        self.add_attribute(arrays, primitive, part, "COLOR_0")?;
        let triangles = triangles(&indices, primitive.mode.unwrap_or(4));
        for triangle in triangles {
            let corners = triangle.map(|vertex| vertex + first as u32);
            let joined = corners.map(|vertex| self.source(vertex));
            self.surface.push_face(
                &joined,
                has_uvs.then_some(&corners),
                has_normals.then_some(&corners),
                material,
            );
        }
        if let Some((groups, group)) = group {
            let members: Vec<u32> = indices.iter().map(|vertex| self.source(vertex + first as u32)).collect();
            groups.members_mut(group).extend(members);
        }
        Ok(())
    }

    fn material(&mut self, arrays: &Arrays, material: usize) -> u32 {
        let name = material_name(arrays, material);
        let materials = &mut self.surface.materials;
        match materials.iter().position(|known| *known == name) {
            Some(known) => known as u32,
            None => {
                materials.push(name);
                materials.len() as u32 - 1
            }
        }
    }

    /// Takes over texture coordinates, normals or colours of the vertices of a part. Whether it has them.
    fn add_attribute(
        &mut self,
        arrays: &Arrays,
        primitive: &Primitive,
        part: usize,
        name: &str,
    ) -> Result<bool, FormatError> {
        let Some(&accessor) = primitive.attributes.get(name) else {
            return Ok(false);
        };
        let part = &self.parts[part];
        let width = match (name, arrays.document.accessors.get(accessor).map(|a| a.kind.as_str())) {
            ("TEXCOORD_0", _) => 2,
            ("COLOR_0", Some("VEC4")) => 4,
            _ => 3,
        };
        let mut numbers = arrays.numbers(accessor, width)?;
        if numbers.len() != part.vertices * width as usize {
            return Ok(false);
        }
        numbers.iter_mut().filter(|number| !number.is_finite()).for_each(|number| *number = 0.0);
        let entries = numbers.chunks_exact(width as usize).enumerate();
        match name {
            "TEXCOORD_0" => {
                self.surface.uvs.resize(self.vertices, [0.0; 2]);
                // The first row of a picture is at the top here, at the bottom elsewhere.
                entries.for_each(|(v, uv)| self.surface.uvs[part.first + v] = [uv[0], 1.0 - uv[1]]);
            }
            "NORMAL" => {
                self.surface.normals.resize(self.vertices, [0.0; 3]);
                entries.for_each(|(v, n)| self.surface.normals[part.first + v] = [n[0], n[1], n[2]]);
            }
            _ => {
                self.surface.colours.resize(self.surface_vertices(), [0.0; 3]);
                for (v, c) in entries {
                    let vertex = self.source((part.first + v) as u32) as usize;
                    self.surface.colours[vertex] = [c[0], c[1], c[2]];
                }
            }
        }
        Ok(true)
    }
}

fn material_name(arrays: &Arrays, material: usize) -> String {
    let name = arrays.document.materials.get(material).and_then(|material| material.name.clone());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("material_{material}"))
}

fn group_name(arrays: &Arrays, primitive: &Primitive, number: usize) -> String {
    primitive
        .material
        .map_or_else(|| format!("primitive_{number}"), |material| material_name(arrays, material))
}

/// The triangles of a list, a strip or a fan.
fn triangles(indices: &[u32], mode: u32) -> Vec<[u32; 3]> {
    match mode {
        5 => {
            let turned =
                |(i, t): (usize, &[u32])| if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] };
            indices.windows(3).enumerate().map(turned).collect()
        }
        6 => match indices.split_first() {
            Some((first, rest)) => rest.windows(2).map(|pair| [*first, pair[0], pair[1]]).collect(),
            None => Vec::new(),
        },
        _ => indices.as_chunks::<3>().0.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_turn_one_way() {
        assert_eq!(triangles(&[0, 1, 2, 3], 5), [[0, 1, 2], [2, 1, 3]]);
        assert_eq!(triangles(&[0, 1, 2, 3], 6), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangles(&[0, 1, 2, 3, 4, 5, 6], 4), [[0, 1, 2], [3, 4, 5]]);
    }
}
