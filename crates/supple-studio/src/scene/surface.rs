//! Surfaces as they are drawn: points, normals, colours.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
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

/// At most about `most` triangles between some of the points: those in a cell of a grid become one of them.
pub fn coarse(rest: &[[f32; 3]], triangles: &[[u32; 3]], most: usize) -> Vec<[u32; 3]> {
    if triangles.len() <= most || rest.is_empty() {
        return triangles.to_vec();
    }
    let low: [f32; 3] = std::array::from_fn(|k| rest.iter().map(|p| p[k]).fold(f32::INFINITY, f32::min));
    let high: [f32; 3] = std::array::from_fn(|k| rest.iter().map(|p| p[k]).fold(f32::NEG_INFINITY, f32::max));
    let longest = (0..3).map(|k| high[k] - low[k]).fold(f32::MIN_POSITIVE, f32::max);
    let mut cells = (most as f32).sqrt() * 2.0;
    loop {
        let cell = |p: &[f32; 3]| -> [i32; 3] {
            std::array::from_fn(|k| ((p[k] - low[k]) / longest * cells).floor() as i32)
        };
        let mut first: HashMap<[i32; 3], u32> = HashMap::new();
        let of: Vec<u32> =
            rest.iter().enumerate().map(|(v, p)| *first.entry(cell(p)).or_insert(v as u32)).collect();
        let fewer: Vec<[u32; 3]> = triangles
            .iter()
            .map(|t| t.map(|v| of[v as usize]))
            .filter(|[a, b, c]| a != b && b != c && c != a)
            .collect();
        if fewer.len() <= most || cells < 2.0 {
            return fewer;
        }
        cells *= 0.8;
    }
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

    #[test]
    fn a_coarse_sheet_is_small_and_covers_the_same_square() {
        let (points, triangles) = sheet(60);
        let fewer = coarse(&points, &triangles, 1000);
        assert!((200..=1000).contains(&fewer.len()), "{}", fewer.len());
        let area = |list: &[[u32; 3]]| -> f32 {
            let at = |v: u32| points[v as usize];
            let one = |[a, b, c]: &[u32; 3]| {
                let (a, b, c) = (at(*a), at(*b), at(*c));
                0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])).abs()
            };
            list.iter().map(one).sum()
        };
        assert!(area(&fewer) > 0.8 * area(&triangles) && area(&fewer) < 1.05 * area(&triangles));
        assert_eq!(coarse(&points, &triangles, 100_000), triangles);
    }
}
