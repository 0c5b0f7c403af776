//! Surfaces as they are drawn: points, normals, colours.

use std::sync::{Arc, OnceLock};
use supple_project::coarse;
use supple_project::method::Stage;

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
    /// Red, green, blue, and how much that counts against the colour of the surface; of what is seen through, how much of
    /// it is not there.
    pub colours: Vec<[u8; 4]>,
    /// The corners of the box around them.
    pub bounds: Option<[[f32; 3]; 2]>,
}

impl Surface {
    /// Points of a shape, without colours of their own.
    pub fn new(points: Vec<[f32; 3]>, shape: &Shape) -> Self {
        let normals = normals(&points, &shape.triangles);
        let colours = vec![[0; 4]; points.len()];
        let bounds = bounds(&points);
        Self { points, normals, colours, bounds }
    }
}

/// The corners of the box around points.
fn bounds(points: &[[f32; 3]]) -> Option<[[f32; 3]; 2]> {
    let first = *points.first()?;
    let wider = |[low, high]: [[f32; 3]; 2], p: &[f32; 3]| {
        [[0, 1, 2].map(|c| low[c].min(p[c])), [0, 1, 2].map(|c| high[c].max(p[c]))]
    };
    let all = points.iter().fold([first, first], wider);
    all.as_flattened().iter().all(|x| x.is_finite()).then_some(all)
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

    #[test]
    fn a_roof_has_the_normals_of_its_sides_and_the_sum_at_its_ridge() {
        // A ridge from 0 to 1, a steep side to 2, a flat one to 3.
        let points = vec![[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, -1.0]];
        let triangles = vec![[0, 2, 1], [0, 1, 3]];
        let surface = Surface::new(points, &Shape { triangles, ..Shape::default() });
        let (steep, flat) = ([0.0, 1.0, 1.0], [0.0, 1.0, 0.0]);
        assert_eq!((surface.normals[2], surface.normals[3]), (steep, flat));
        assert_eq!(surface.normals[0], [0.0, 2.0, 1.0]);
    }
}
