//! Normals of a surface that moves.
//!
//! A file has the normals of one shape. What they say beyond it is which corners are shaded as one: those of a vertex
//! v that share a normal form a *smoothing group* g, across a hard edge there are two. In a frame with positions x
//! the normal of a group is that of the faces f around it, each as heavy as its area:
//!
//! > n_g = ± a_g/|a_g|,  a_g = Σ_{f ∋ g} a_f,  a_f = ½ Σ_{(i,j,k) ∈ f} (x_j − x_i) × (x_k − x_i)
//!
//! | symbol | name | what |
//! |---|---|---|
//! | g | index into `surface.normals` | one per vertex where no vertex has two, else in the order of the corners |
//! | a_g | `sums` | three numbers, then Σ of the squared edges, against which a length counts as none |
//! | ± | `sign` | minus where the file's normals look away from the side its faces are seen from |
//!
//! Where the faces of a group have no area, it keeps the normal of the file.

mod groups;

use crate::SurfaceFile;
use groups::Groups;

/// What a sum of areas is at least, as a part of the squares of the edges, to have a direction.
const FLAT: f64 = 1e-12;

/// How far the normals of a file are against its faces, from −1 to 1, when those are taken to be turned around.
const TURNED: f64 = -0.5;

/// What a normal of no length becomes.
const UP: [f64; 3] = [0.0, 1.0, 0.0];

/// The normals of a surface in every shape it takes.
pub(crate) struct MovingNormals {
    /// The surface with one normal for each smoothing group, of length 1, and one for every corner.
    surface: SurfaceFile,
    is_per_vertex: bool,
    sign: f64,
    sums: Vec<[f64; 4]>,
    normals: Vec<[f32; 3]>,
}

impl MovingNormals {
    /// Those of a surface, unless it has none.
    pub fn of(surface: &SurfaceFile) -> Option<Self> {
        if surface.normals.is_empty() || surface.triangle_normals.iter().all(Option::is_none) {
            return None;
        }
        let mut groups = Groups::new(surface.positions.len());
        let mut table: Vec<[u32; 3]> = Vec::with_capacity(surface.triangles.len());
        for (t, triangle) in surface.triangles.iter().enumerate() {
            let own = surface.triangle_normals.get(t).copied().flatten();
            let normal = |i: usize| surface.normals.get(own?[i] as usize).copied().map(unit);
            table.push([0, 1, 2].map(|i| groups.of_corner(triangle[i], normal(i))));
        }
        let is_per_vertex = groups.are_per_vertex();
        let mut normals = groups.normals();
        if is_per_vertex {
            table.clone_from(&surface.triangles);
            normals = groups.by_vertex(surface);
        }
        for normal in normals.iter_mut().filter(|normal| **normal == [0.0; 3]) {
            *normal = UP;
        }
        let (sums, singles) = (vec![[0.0; 4]; normals.len()], Vec::with_capacity(normals.len()));
        let triangle_normals = table.into_iter().map(Some).collect();
        let surface = SurfaceFile { normals, triangle_normals, ..surface.clone() };
        let mut moving = Self { surface, is_per_vertex, sign: 1.0, sums, normals: singles };
        let positions = std::mem::take(&mut moving.surface.positions);
        moving.add_up(&positions);
        moving.surface.positions = positions;
        moving.sign = moving.find_sign();
        Some(moving)
    }

    /// The surface, whose normals are the groups.
    pub fn surface(&self) -> &SurfaceFile {
        &self.surface
    }

    /// The same without what is not needed for normals: all but the faces.
    #[must_use]
    pub fn without_rest(mut self) -> Self {
        let SurfaceFile { triangles, polygons, normals, triangle_normals, .. } = self.surface;
        self.surface =
            SurfaceFile { triangles, polygons, normals, triangle_normals, ..SurfaceFile::default() };
        self
    }

    /// Whether each vertex has one normal, of the same index.
    pub fn is_per_vertex(&self) -> bool {
        self.is_per_vertex
    }

    /// The normal of every group where the vertices are at these positions, of length 1.
    pub fn at(&mut self, positions: &[[f64; 3]]) -> &[[f32; 3]] {
        self.add_up(positions);
        self.normals.clear();
        let sign = self.sign;
        self.normals.extend(self.sums.iter().zip(&self.surface.normals).map(|(sum, own)| {
            let length = length([sum[0], sum[1], sum[2]]);
            // Also false for what is not finite.
            let has_direction = length > FLAT * sum[3] && length < f64::INFINITY;
            let normal = if has_direction { [0, 1, 2].map(|i| sign * sum[i] / length) } else { *own };
            normal.map(|x| x as f32)
        }));
        &self.normals
    }

    /// The sums of all groups, in the order of the faces.
    fn add_up(&mut self, positions: &[[f64; 3]]) {
        self.sums.fill([0.0; 4]);
        let surface = &self.surface;
        for face in surface.face_list() {
            let range = face.triangle..face.triangle + face.corners - 2;
            let mut area = [0.0; 4];
            for triangle in &surface.triangles[range] {
                let doubled = doubled_area(triangle.map(|vertex| positions[vertex as usize]));
                (0..4).for_each(|i| area[i] += doubled[i]);
            }
            for group in face.of_all(&surface.triangle_normals) {
                let sum = &mut self.sums[group as usize];
                (0..4).for_each(|i| sum[i] += area[i]);
            }
        }
    }

    /// Of the positions that were last added up, which the normals of the file belong to.
    fn find_sign(&self) -> f64 {
        let (mut along, mut all) = (0.0, 0.0);
        for (sum, own) in self.sums.iter().zip(&self.surface.normals) {
            along += (0..3).map(|i| sum[i] * own[i]).sum::<f64>();
            all += length([sum[0], sum[1], sum[2]]);
        }
        if along < TURNED * all { -1.0 } else { 1.0 }
    }
}

/// Makes the normals of a surface, which are those of `before`, those of the positions it has.
pub(crate) fn carry_normals(surface: &mut SurfaceFile, before: Vec<[f64; 3]>) {
    if before == surface.positions {
        return;
    }
    let positions = std::mem::replace(&mut surface.positions, before);
    if let Some(mut moving) = MovingNormals::of(surface) {
        moving.at(&positions);
        surface.normals = moving.normals.iter().map(|normal| normal.map(f64::from)).collect();
        surface.triangle_normals = moving.surface.triangle_normals;
    }
    surface.positions = positions;
}

/// Twice the area of a triangle, as a vector, and the squares of two edges.
fn doubled_area([a, b, c]: [[f64; 3]; 3]) -> [f64; 4] {
    let (u, v) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0], square(u) + square(v)]
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}

/// At length 1, or 0 where there is no direction.
fn unit(normal: [f64; 3]) -> [f64; 3] {
    let length = length(normal);
    if length > 0.0 && length < f64::INFINITY { normal.map(|x| x / length) } else { [0.0; 3] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A roof: two quads that meet in the edge 1–2 with a normal each, one of them said twice.
    fn roof() -> SurfaceFile {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let mut file = SurfaceFile {
            positions: vec![
                [-1.0, 0.0, 0.0],
                [0.0, 0.0, 1.0],
                [0.0, 1.0, 1.0],
                [-1.0, 1.0, 0.0],
                [1.0, 0.0, 0.0],
                [1.0, 1.0, 0.0],
            ],
            normals: vec![[-half, 0.0, half], [3.0, 0.0, 3.0], [half, 1e-5, half]],
            ..SurfaceFile::default()
        };
        file.push_face(&[0, 1, 2, 3], None, Some(&[0; 4]), None);
        file.push_face(&[1, 4, 5, 2], None, Some(&[1, 2, 1, 2]), None);
        file.finish_faces();
        file
    }

    fn near(a: [f32; 3], b: [f64; 3]) -> bool {
        (0..3).all(|i| (f64::from(a[i]) - b[i]).abs() < 1e-6)
    }

    #[test]
    fn corners_of_a_vertex_are_one_where_their_normals_are() {
        let mut moving = MovingNormals::of(&roof()).unwrap();
        assert!(!moving.is_per_vertex());
        assert_eq!(
            moving.surface().triangle_normals,
            [Some([0, 1, 2]), Some([0, 2, 3]), Some([4, 5, 6]), Some([4, 6, 7])]
        );
        // Laid flat, then folded the other way.
        for height in [0.0, -1.0] {
            let mut positions = roof().positions;
            (positions[1][2], positions[2][2]) = (height, height);
            let length = (1.0 + height * height).sqrt();
            let normals = moving.at(&positions);
            assert!(normals[..4].iter().all(|n| near(*n, [-height / length, 0.0, 1.0 / length])));
            assert!(normals[4..].iter().all(|n| near(*n, [height / length, 0.0, 1.0 / length])));
        }
    }

    #[test]
    fn a_vertex_with_one_normal_keeps_its_number() {
        let mut file = roof();
        file.normals = vec![[0.0, 0.0, 1.0]; 3];
        file.positions.push([9.0; 3]);
        let mut moving = MovingNormals::of(&file).unwrap();
        assert!(moving.is_per_vertex());
        assert_eq!(
            moving.surface().triangle_normals,
            file.triangles.iter().copied().map(Some).collect::<Vec<_>>()
        );
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let normals = moving.at(&file.positions);
        assert!(near(normals[0], [-half, 0.0, half]) && near(normals[1], [0.0, 0.0, 1.0]), "{normals:?}");
        assert!(near(normals[6], UP), "a vertex without faces");
    }

    #[test]
    fn faces_without_area_keep_the_normal_of_the_file() {
        let mut moving = MovingNormals::of(&roof()).unwrap();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let line: Vec<[f64; 3]> = (0..6).map(|i| [0.1 * f64::from(i), 0.3 * f64::from(i), 0.0]).collect();
        for positions in [vec![[1.0; 3]; 6], line, vec![[1e300, -1e300, 1e300]; 6]] {
            let normals = moving.at(&positions);
            assert!(
                near(normals[0], [-half, 0.0, half]) && near(normals[4], [half, 0.0, half]),
                "{normals:?}"
            );
        }
    }

    #[test]
    fn faces_may_be_wound_against_their_normals() {
        let mut file = roof();
        file.normals.iter_mut().for_each(|normal| *normal = normal.map(|x| -x));
        let mut moving = MovingNormals::of(&file).unwrap();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(near(moving.at(&file.positions)[0], [half, 0.0, -half]));
        // Without a shape to compare with, the faces decide.
        file.positions.fill([0.0; 3]);
        let mut moving = MovingNormals::of(&file).unwrap();
        assert!(near(moving.at(&roof().positions)[0], [-half, 0.0, half]));
    }

    #[test]
    fn without_normals_there_are_none() {
        let mut file = roof();
        file.triangle_normals.fill(None);
        assert!(MovingNormals::of(&file).is_none());
        file.triangle_normals[2] = Some([1, 9, 1]);
        assert!(MovingNormals::of(&file).is_some(), "and a number that is none is passed over");
        assert!(MovingNormals::of(&SurfaceFile::default()).is_none());
    }
}
