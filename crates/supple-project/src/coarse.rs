//! Fewer triangles between some of the same points, for pictures that have to be quick or small.

use std::collections::HashMap;

/// At most about `most` triangles between some of the points: those in a cell of a grid become one of them.
#[must_use]
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
