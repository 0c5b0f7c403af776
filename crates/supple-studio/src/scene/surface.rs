//! Surfaces as they are drawn: points, normals, colours.

use std::sync::{Arc, OnceLock};
use supple_project::picture::coarse;
use supple_project::session::Stage;

/// A surface has at most so many triangles when pictures have to be quick.
const COARSE: usize = 12_000;

/// The triangles of a surface.
#[derive(Debug, Default)]
pub struct Shape {
    /// All of them.
    pub triangles: Vec<[u32; 3]>,
    rest: Vec<[f32; 3]>,
    coarse: OnceLock<Vec<[u32; 3]>>,
    is_begun: OnceLock<()>,
}

impl Shape {
    /// The triangles between points that are drawn.
    pub fn new(rest: &[[f32; 3]], triangles: Vec<[u32; 3]>) -> Arc<Self> {
        Arc::new(Self { triangles, rest: rest.to_vec(), ..Self::default() })
    }

    /// Fewer triangles, between some of the same points, for when pictures have to be quick; they are made beside the
    /// window when first asked for, and there is nothing until they are there.
    pub fn coarse(self: &Arc<Self>) -> Option<&[[u32; 3]]> {
        self.is_begun.get_or_init(|| {
            let shape = self.clone();
            std::thread::spawn(move || {
                shape.coarse.get_or_init(|| coarse(&shape.rest, &shape.triangles, COARSE));
            });
        });
        self.coarse.get().map(Vec::as_slice)
    }

    /// What a stage draws.
    pub fn of_stage(stage: &Stage) -> Arc<Self> {
        Self::new(&stage.rest, stage.triangles.clone())
    }
}

/// Points of a surface, and what they look like.
#[derive(Debug, Default)]
pub struct Surface {
    /// Where they are.
    pub points: Vec<[f32; 3]>,
    /// Across the surface there.
    pub normals: Vec<[f32; 3]>,
    /// Red, green, blue, and how much that counts against the colour of the surface.
    pub colours: Vec<[u8; 4]>,
}

impl Surface {
    /// Points of a shape, without colours of their own.
    pub fn new(points: Vec<[f32; 3]>, shape: &Shape) -> Self {
        let normals = normals(&points, &shape.triangles);
        let colours = vec![[0; 4]; points.len()];
        Self { points, normals, colours }
    }
}

/// The sum of the area normals of the triangles around each point; the shader makes their lengths one.
fn normals(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0_f32; 3]; points.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| points[v as usize]);
        let (p, q): ([f32; 3], [f32; 3]) =
            (std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
        let n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        for v in triangle {
            let sum = &mut normals[*v as usize];
            for k in 0..3 {
                sum[k] += n[k];
            }
        }
    }
    normals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of n × n points.
    fn sheet(n: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
        let points = (0..n * n).map(|v| [(v % n) as f32, 0.0, (v / n) as f32]).collect();
        let corner = |k: u32| k / (n - 1) * n + k % (n - 1);
        let two = |k: u32| {
            let a = corner(k);
            [[a, a + n, a + 1], [a + 1, a + n, a + n + 1]]
        };
        (points, (0..(n - 1) * (n - 1)).flat_map(two).collect())
    }

    #[test]
    fn a_flat_sheet_has_one_normal() {
        let (points, triangles) = sheet(4);
        let surface = Surface::new(points, &Shape { triangles, ..Shape::default() });
        assert!(surface.normals.iter().all(|n| n[0] == 0.0 && n[1] > 0.0 && n[2] == 0.0));
    }
}
