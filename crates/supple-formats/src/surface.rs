//! What a surface file holds.
//!
//! Faces with more than 3 corners become fans of triangles about their first corner. How many corners each
//! had is kept, so that a writer can put the polygon together again: corners 0, 1 and 2 are those of its
//! first triangle, and each further triangle adds its last corner.

use crate::Group;

/// The contents of a surface file, as they stand in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceFile {
    /// Where the vertices are, in the order of the file.
    pub positions: Vec<[f64; 3]>,
    /// The corners of every triangle, indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
    /// How many corners each face of the file has, in its order: one with n corners is n − 2 of the
    /// `triangles`. Empty when all are triangles.
    pub polygons: Vec<u32>,
    /// Texture coordinates, in the order of the file.
    pub uvs: Vec<[f64; 2]>,
    /// For every triangle the indices into `uvs` of its corners, where it has them; empty when no
    /// triangle has.
    pub triangle_uvs: Vec<Option<[u32; 3]>>,
    /// Normals, in the order of the file and as long as they are there.
    pub normals: Vec<[f64; 3]>,
    /// For every triangle the indices into `normals` of its corners, as for `triangle_uvs`.
    pub triangle_normals: Vec<Option<[u32; 3]>>,
    /// Red, green and blue of every vertex, usually from 0 to 1; empty when the file has no colours.
    pub colours: Vec<[f64; 3]>,
    /// The names of the materials, in the order of the file.
    pub materials: Vec<String>,
    /// For every triangle the index of its material, where it has one; empty when no triangle has.
    pub triangle_materials: Vec<Option<u32>>,
    /// Named groups of vertices, each sorted and without repetition.
    pub vertex_groups: Vec<Group>,
}

/// A face of the file: where its triangles begin, and how many corners it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Face {
    pub triangle: usize,
    pub corners: usize,
}

impl Face {
    /// Its corners in a table of triangles, in order.
    pub fn of(self, table: &[[u32; 3]]) -> impl Iterator<Item = u32> + '_ {
        let first = table.get(self.triangle).into_iter().flatten().copied();
        let rest = table.get(self.triangle + 1..self.triangle + self.corners - 2).unwrap_or_default();
        first.chain(rest.iter().map(|triangle| triangle[2]))
    }

    /// The same in a table that has an entry for every face.
    pub fn of_all(self, table: &[Option<[u32; 3]>]) -> impl Iterator<Item = u32> + '_ {
        let first = table.get(self.triangle).into_iter().flatten().flatten().copied();
        let rest = table.get(self.triangle + 1..self.triangle + self.corners - 2).unwrap_or_default();
        first.chain(rest.iter().flatten().map(|triangle| triangle[2]))
    }

    /// The same in a table that has no entry for some faces.
    pub fn of_some(self, table: &[Option<[u32; 3]>]) -> Option<Vec<u32>> {
        let entries = table.get(self.triangle..self.triangle + self.corners - 2)?;
        let mut corners: Vec<u32> = entries.first().copied()??.into();
        for entry in &entries[1..] {
            corners.push((*entry)?[2]);
        }
        Some(corners)
    }
}

impl SurfaceFile {
    /// How many faces the file has, whatever their corners.
    #[must_use]
    pub fn faces(&self) -> usize {
        if self.polygons_fit() { self.polygons.len() } else { self.triangles.len() }
    }

    /// The faces of the file, in its order.
    pub(crate) fn face_list(&self) -> impl Iterator<Item = Face> + '_ {
        let all_triangles = !self.polygons_fit();
        let mut triangle = 0;
        (0..self.faces()).map(move |f| {
            let corners = if all_triangles { 3 } else { self.polygons[f] as usize };
            let face = Face { triangle, corners };
            triangle += corners - 2;
            face
        })
    }

    /// Whether `polygons` is there and speaks of these triangles, and not of those of another mesh.
    fn polygons_fit(&self) -> bool {
        let triangles = |corners: &u32| (*corners as usize).checked_sub(2).filter(|n| *n > 0);
        let count =
            self.polygons.iter().try_fold(0_usize, |sum, corners| sum.checked_add(triangles(corners)?));
        !self.polygons.is_empty() && count == Some(self.triangles.len())
    }

    /// A surface of polygons, each as the indices of its corners, at least 3; they become triangles as those of files do.
    ///
    /// # Panics
    /// When a polygon has fewer corners.
    #[must_use]
    pub fn of_polygons<'a>(positions: Vec<[f64; 3]>, polygons: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut surface = Self { positions, ..Self::default() };
        polygons.for_each(|corners| surface.push_face(corners, None, None, None));
        surface.finish_faces();
        surface
    }

    /// Adds a face of at least 3 corners. What it has of texture coordinates and normals is given for each
    /// corner.
    pub(crate) fn push_face(
        &mut self,
        corners: &[u32],
        uvs: Option<&[u32]>,
        normals: Option<&[u32]>,
        material: Option<u32>,
    ) {
        self.polygons.push(corners.len() as u32);
        for i in 1..corners.len() - 1 {
            let fan = |list: &[u32]| [list[0], list[i], list[i + 1]];
            let before = self.triangles.len();
            self.triangles.push(fan(corners));
            put(&mut self.triangle_uvs, before, uvs.map(fan));
            put(&mut self.triangle_normals, before, normals.map(fan));
            put(&mut self.triangle_materials, before, material);
        }
    }

    /// After the last face: drops the tables that say nothing.
    pub(crate) fn finish_faces(&mut self) {
        if self.polygons.iter().all(|corners| *corners == 3) {
            self.polygons = Vec::new();
        }
        for table in [&mut self.triangle_uvs, &mut self.triangle_normals] {
            if table.iter().all(Option::is_none) {
                *table = Vec::new();
            }
        }
        if self.triangle_materials.iter().all(Option::is_none) {
            self.triangle_materials = Vec::new();
        }
    }
}

/// Adds an entry behind `before` others to a table that begins with the first entry that says something: most tables say
/// nothing, and they are several times as large as the triangles.
fn put<T: Copy>(table: &mut Vec<Option<T>>, before: usize, entry: Option<T>) {
    if entry.is_some() && table.is_empty() {
        table.resize(before, None);
    }
    if entry.is_some() || !table.is_empty() {
        table.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_come_back_from_their_fans() {
        let mut file = SurfaceFile::default();
        file.push_face(&[4, 5, 6], None, None, None);
        file.push_face(&[0, 1, 2, 3, 4], Some(&[9, 8, 7, 6, 5]), None, Some(2));
        file.push_face(&[6, 5, 4, 3], None, None, None);
        file.finish_faces();
        let faces: Vec<Vec<u32>> = file.face_list().map(|face| face.of(&file.triangles).collect()).collect();
        assert_eq!(faces, [vec![4, 5, 6], vec![0, 1, 2, 3, 4], vec![6, 5, 4, 3]]);
        let uvs: Vec<_> = file.face_list().map(|face| face.of_some(&file.triangle_uvs)).collect();
        assert_eq!(uvs, [None, Some(vec![9, 8, 7, 6, 5]), None]);
        assert!(file.triangle_normals.is_empty());
        assert_eq!(file.triangle_materials, [None, Some(2), Some(2), Some(2), None, None]);
    }

    #[test]
    fn sizes_of_another_mesh_do_not_count() {
        for polygons in [vec![4], vec![2, 3], vec![3, 3, 3], vec![u32::MAX; 3], vec![]] {
            let file = SurfaceFile {
                triangles: vec![[0, 1, 2], [2, 1, 3], [0, 0, 0], [1, 1, 1]],
                polygons,
                ..SurfaceFile::default()
            };
            assert_eq!(file.faces(), 4);
            assert!(file.face_list().enumerate().all(|(f, face)| face == Face { triangle: f, corners: 3 }));
        }
    }
}
