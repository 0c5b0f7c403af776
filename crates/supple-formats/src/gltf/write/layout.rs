//! The vertices of glTF, and the arrays that do not change over time.
//!
//! A vertex of ours that has several texture coordinates or normals is written once for each; the first keeps
//! its number, the others come after all.

use crate::SurfaceFile;
use std::collections::HashMap;

/// An array at the beginning of the buffer.
pub(super) struct Array {
    pub at: u64,
    pub count: usize,
    pub kind: &'static str,
    pub component_type: u32,
    pub name: &'static str,
}

/// The faces of one material: which array of indices, and which material.
pub(super) struct Faces {
    pub array: usize,
    pub material: Option<u32>,
}

/// What becomes of the normals of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Normals {
    Dropped,
    /// An array at the beginning.
    Fixed,
    /// In every frame others.
    Moving,
}

pub(super) struct Layout {
    /// The vertex of the surface that each one is.
    pub sources: Vec<u32>,
    /// The normal of the surface that each one has, where those move.
    normals: Option<Vec<u32>>,
    pub arrays: Vec<Array>,
    pub faces: Vec<Faces>,
    pub materials: Vec<String>,
    /// The contents of the arrays, one after the other.
    pub bytes: Vec<u8>,
}

impl Layout {
    pub fn new(surface: &SurfaceFile, normals: Normals) -> Self {
        let mut layout = Self {
            sources: (0..surface.positions.len() as u32).collect(),
            normals: None,
            arrays: Vec::new(),
            faces: Vec::new(),
            materials: surface.materials.clone(),
            bytes: Vec::new(),
        };
        let has_uvs = !surface.triangle_uvs.is_empty();
        let has_normals = normals != Normals::Dropped && !surface.triangle_normals.is_empty();
        let (triangles, values) = layout.split(surface, has_uvs, has_normals);
        layout.push_faces(surface, &triangles);
        if has_uvs {
            let uv = |value: &Value| {
                value.0.and_then(|uv| surface.uvs.get(uv as usize)).copied().unwrap_or_default()
            };
            let uvs = values.iter().map(uv).map(|[u, v]| [u as f32, (1.0 - v) as f32]);
            layout.push_floats("TEXCOORD_0", "VEC2", values.len(), uvs.flatten());
        }
        if has_normals && normals == Normals::Moving {
            layout.normals = Some(values.iter().map(|value| value.1.unwrap_or(u32::MAX)).collect());
        } else if has_normals {
            let normal = |value: &Value| value.1.and_then(|n| surface.normals.get(n as usize)).copied();
            let normals = values.iter().map(|value| unit(normal(value).unwrap_or_default()));
            layout.push_floats("NORMAL", "VEC3", values.len(), normals.flatten());
        }
        if !surface.colours.is_empty() && surface.colours.len() == surface.positions.len() {
            let colours: Vec<f32> =
                layout.sources.iter().flat_map(|v| surface.colours[*v as usize].map(|x| x as f32)).collect();
            layout.push_floats("COLOR_0", "VEC3", values.len(), colours);
        }
        // Whole numbers are exact as floats up to here, and other types are not allowed.
        if layout.sources.len() > surface.positions.len() && layout.sources.len() < 1 << 24 {
            let sources: Vec<f32> = layout.sources.iter().map(|v| *v as f32).collect();
            layout.push_floats("_VERTEX", "SCALAR", values.len(), sources);
        }
        layout
    }

    /// The triangles over glTF's vertices, and what each of those has.
    fn split(
        &mut self,
        surface: &SurfaceFile,
        has_uvs: bool,
        has_normals: bool,
    ) -> (Vec<[u32; 3]>, Vec<Value>) {
        let mut values: Vec<Option<Value>> = vec![None; surface.positions.len()];
        let mut copies: HashMap<(u32, Value), u32> = HashMap::new();
        let mut triangles = Vec::with_capacity(surface.triangles.len());
        for (t, triangle) in surface.triangles.iter().enumerate() {
            let uvs = surface.triangle_uvs.get(t).copied().flatten().filter(|_| has_uvs);
            let normals = surface.triangle_normals.get(t).copied().flatten().filter(|_| has_normals);
            triangles.push([0, 1, 2].map(|i| {
                let vertex = triangle[i];
                let value: Value = (uvs.map(|uvs| uvs[i]), normals.map(|normals| normals[i]));
                let own = &mut values[vertex as usize];
                if *own.get_or_insert(value) == value {
                    return vertex;
                }
                *copies.entry((vertex, value)).or_insert_with(|| {
                    self.sources.push(vertex);
                    values.push(Some(value));
                    values.len() as u32 - 1
                })
            }));
        }
        (triangles, values.into_iter().map(|value| value.unwrap_or((None, None))).collect())
    }

    fn push_faces(&mut self, surface: &SurfaceFile, triangles: &[[u32; 3]]) {
        let material = |t: usize| {
            let material = surface.triangle_materials.get(t).copied().flatten();
            material.filter(|material| (*material as usize) < surface.materials.len())
        };
        let count = surface.materials.len() as u32;
        for of in std::iter::once(None).chain((0..count).map(Some)) {
            let at = self.bytes.len() as u64;
            let chosen = (0..triangles.len()).filter(|t| material(*t) == of);
            let indices: Vec<u32> = chosen.flat_map(|t| triangles[t]).collect();
            if indices.is_empty() {
                continue;
            }
            self.bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
            self.faces.push(Faces { array: self.arrays.len(), material: of });
            self.arrays.push(Array {
                at,
                count: indices.len(),
                kind: "SCALAR",
                component_type: 5125,
                name: "",
            });
        }
    }

    fn push_floats(
        &mut self,
        name: &'static str,
        kind: &'static str,
        count: usize,
        numbers: impl IntoIterator<Item = f32>,
    ) {
        let at = self.bytes.len() as u64;
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        self.bytes.extend(numbers.into_iter().flat_map(|number| finite(number).to_le_bytes()));
        self.arrays.push(Array { at, count, kind, component_type: 5126, name });
    }

    /// The points of the surface as those of glTF's vertices.
    pub fn push_points(&self, points: &[[f32; 3]], bytes: &mut Vec<u8>) {
        for source in &self.sources {
            bytes.extend(points[*source as usize].iter().flat_map(|x| x.to_le_bytes()));
        }
    }

    /// The same for normals that move; `none` for a vertex without faces.
    pub fn push_normals(&self, normals: &[[f32; 3]], none: [f32; 3], bytes: &mut Vec<u8>) {
        for normal in self.normals.iter().flatten() {
            let normal = normals.get(*normal as usize).unwrap_or(&none);
            bytes.extend(normal.iter().flat_map(|x| x.to_le_bytes()));
        }
    }

    /// Whether every frame has normals of its own.
    pub fn has_moving_normals(&self) -> bool {
        self.normals.is_some()
    }

    /// How many bytes the points of a frame take.
    pub fn point_bytes(&self) -> u64 {
        12 * self.sources.len() as u64
    }

    /// How many bytes a frame takes: its points, then its normals.
    pub fn frame_bytes(&self) -> u64 {
        self.point_bytes() * if self.has_moving_normals() { 2 } else { 1 }
    }
}

/// Texture coordinate and normal of a corner.
type Value = (Option<u32>, Option<u32>);

/// At length 1, as glTF asks; what has no length points up.
fn unit(normal: [f64; 3]) -> [f32; 3] {
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { normal.map(|x| (x / length) as f32) } else { [0.0, 1.0, 0.0] }
}

/// The box around points.
pub(super) fn bounds(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for point in points {
        for i in 0..3 {
            bounds[0][i] = bounds[0][i].min(point[i]);
            bounds[1][i] = bounds[1][i].max(point[i]);
        }
    }
    bounds
}
