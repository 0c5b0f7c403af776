//! Which triangle is seen at each sample of a band of rows.
//!
//! Every pixel has [`SAMPLES`] sample points. With `E_k(x, y) = a_k x + b_k y + c_k` the edge
//! functions of a triangle (Pineda, "A Parallel Algorithm for Polygon Rasterization"), a sample is
//! covered when all three are positive; on an edge it belongs to the triangle whose interior lies
//! to the right, or below a level edge. The covered sample keeps the triangle with the largest
//! `near / w`, the first one on a tie.

use crate::clip::{SUBPIXELS, ScreenTriangle};

/// Rows per band; fixed, so that the picture does not depend on the number of threads.
pub(crate) const BAND_ROWS: usize = 16;
/// Samples per pixel.
pub(crate) const SAMPLES: usize = 8;
/// The id at samples that no triangle covers.
pub(crate) const NOTHING: u32 = u32::MAX;

/// The id at samples that show the floor.
pub(crate) const FLOOR: u32 = u32::MAX - 1;

/// Columns from which on it is worth solving for the covered ones.
const NARROWING_PAYS: i64 = 6;

/// Sample points relative to the pixel's centre, in 1/256 pixel: eight different rows and columns
/// (the customary pattern of graphics hardware), so that edges near level or upright step evenly.
pub(crate) const OFFSETS: [[i32; 2]; SAMPLES] =
    [[16, -48], [-16, 48], [80, 16], [-48, -80], [-80, 80], [-112, -16], [48, 112], [112, -112]];

/// The samples of one pixel: together one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Pixel {
    /// `near / w` of what is seen; 0 where nothing is.
    pub depth: [f32; SAMPLES],
    /// Id of the triangle that is seen, or [`NOTHING`].
    pub triangle: [u32; SAMPLES],
}

const EMPTY: Pixel = Pixel { depth: [0.0; SAMPLES], triangle: [NOTHING; SAMPLES] };

/// One edge function, evaluated at pixel centres and corrected per sample.
struct Edge {
    /// Changes per pixel along x and y.
    per_column: i64,
    per_row: i64,
    /// Value at the centre of pixel (0, 0).
    origin: i64,
    /// What to add at each sample.
    samples: [i64; SAMPLES],
    /// Smallest and largest of these.
    least: i64,
    most: i64,
}

impl Edge {
    /// The edge from `p` to `q`, positive on the side it turns to (clockwise on the screen).
    fn new(p: [i32; 2], q: [i32; 2]) -> Self {
        let [px, py, qx, qy] = [p[0], p[1], q[0], q[1]].map(i64::from);
        let (a, b) = (py - qy, qx - px);
        // Integers greater than -1 are not negative: subtracting 1 excludes the edge itself.
        let owns_edge = a > 0 || (a == 0 && b > 0);
        let c = -(a * px + b * py) - i64::from(!owns_edge);
        let samples = OFFSETS.map(|[x, y]| a * i64::from(x) + b * i64::from(y));
        let (step, centre) = (i64::from(SUBPIXELS), i64::from(SUBPIXELS / 2));
        Self {
            per_column: a * step,
            per_row: b * step,
            origin: (a + b) * centre + c,
            least: samples.iter().copied().fold(i64::MAX, i64::min),
            most: samples.iter().copied().fold(i64::MIN, i64::max),
            samples,
        }
    }

    fn at(&self, column: i64, row: i64) -> i64 {
        self.origin + self.per_column * column + self.per_row * row
    }

    /// Narrows `columns` (first, last) to where some sample of the row can be covered.
    fn narrow(&self, row: i64, columns: &mut (i64, i64)) {
        // at(column) + most >= 0, solved for the column.
        let value = self.at(0, row) + self.most;
        if self.per_column > 0 {
            columns.0 = columns.0.max((-value).div_euclid(self.per_column));
        } else if self.per_column < 0 {
            columns.1 = columns.1.min(value.div_euclid(-self.per_column));
        } else if value < 0 {
            columns.1 = -1;
        }
    }
}

/// `near / w` over a triangle: linear, held within the range of the corners.
struct Depth {
    origin: f64,
    per_column: f64,
    per_row: f64,
    samples: [f32; SAMPLES],
    range: (f32, f32),
}

impl Depth {
    fn new(triangle: &ScreenTriangle) -> Self {
        let [p, q, r] = triangle.corners.map(|c| c.map(|v| f64::from(v) / f64::from(SUBPIXELS)));
        let [d, dq, dr] = triangle.depth;
        let (qx, qy, rx, ry) = (q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]);
        let area = qx * ry - qy * rx;
        let per_column = ((dq - d) * ry - (dr - d) * qy) / area;
        let per_row = ((dr - d) * qx - (dq - d) * rx) / area;
        Self {
            origin: d + per_column * (0.5 - p[0]) + per_row * (0.5 - p[1]),
            per_column,
            per_row,
            samples: OFFSETS.map(|offset| {
                let [x, y] = offset.map(|v| f64::from(v) / f64::from(SUBPIXELS));
                (per_column * x + per_row * y) as f32
            }),
            range: (d.min(dq).min(dr) as f32, d.max(dq).max(dr) as f32),
        }
    }

    fn at(&self, column: i64, row: i64) -> f32 {
        (self.origin + self.per_column * column as f64 + self.per_row * row as f64) as f32
    }
}

/// Some consecutive rows of the picture while they are drawn.
pub(crate) struct Band {
    width: usize,
    first_row: i64,
    rows: usize,
    pixels: Vec<Pixel>,
}

impl Band {
    /// Memory for bands of pictures this wide.
    pub fn new(width: u32) -> Self {
        let width = width as usize;
        Self { width, first_row: 0, rows: 0, pixels: vec![EMPTY; width * BAND_ROWS] }
    }

    /// Makes this the empty band of `rows` rows from `first_row` on.
    pub fn clear(&mut self, first_row: usize, rows: usize) {
        self.first_row = first_row as i64;
        self.rows = rows;
        self.pixels.fill(EMPTY);
    }

    /// The pixels of the rows, from the top and from the left.
    pub fn pixels(&self) -> &[Pixel] {
        &self.pixels[..self.rows * self.width]
    }

    /// Draws the part of a triangle that lies in the band.
    pub fn draw(&mut self, triangle: &ScreenTriangle) {
        let (left, right) = triangle.span(0);
        let (top, bottom) = triangle.span(1);
        let top = i64::from(top).max(self.first_row);
        let bottom = i64::from(bottom).min(self.first_row + self.rows as i64 - 1);
        let columns = (i64::from(left.max(0)), i64::from(right).min(self.width as i64 - 1));
        if top > bottom || columns.0 > columns.1 {
            return;
        }
        let [p, q, r] = triangle.corners;
        let edges = [Edge::new(p, q), Edge::new(q, r), Edge::new(r, p)];
        let depth = Depth::new(triangle);
        for row in top..=bottom {
            let mut columns = columns;
            // A few pixels are tested sooner than the divisions are done.
            if columns.1 - columns.0 > NARROWING_PAYS {
                edges.iter().for_each(|edge| edge.narrow(row, &mut columns));
            }
            if columns.0 > columns.1 {
                continue;
            }
            let start = (row - self.first_row) as usize * self.width;
            let range = start + columns.0 as usize..=start + columns.1 as usize;
            for (column, pixel) in (columns.0..).zip(&mut self.pixels[range]) {
                let values = [0, 1, 2].map(|k| edges[k].at(column, row));
                let nearness = depth.at(column, row);
                if (0..3).all(|k| values[k] + edges[k].least >= 0) {
                    cover(pixel, &[true; SAMPLES], nearness, &depth, triangle.source);
                } else {
                    let covered = std::array::from_fn(|s| {
                        // The sign bit of the union is set when any of the three is negative.
                        (0..3).fold(0, |signs, k| signs | (values[k] + edges[k].samples[s])) >= 0
                    });
                    cover(pixel, &covered, nearness, &depth, triangle.source);
                }
            }
        }
    }
}

/// Gives the covered samples to the triangle where it is nearer than what is there.
#[inline]
fn cover(pixel: &mut Pixel, covered: &[bool; SAMPLES], nearness: f32, depth: &Depth, source: u32) {
    for s in 0..SAMPLES {
        let here = (nearness + depth.samples[s]).max(depth.range.0).min(depth.range.1);
        let wins = covered[s] & (here > pixel.depth[s]);
        pixel.depth[s] = if wins { here } else { pixel.depth[s] };
        pixel.triangle[s] = if wins { source } else { pixel.triangle[s] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [[f64; 2]; 3], depth: [f64; 3], source: u32) -> ScreenTriangle {
        let corners = corners.map(|c| c.map(|v| (v * f64::from(SUBPIXELS)).round() as i32));
        ScreenTriangle { corners, depth, source }
    }

    fn drawn(width: u32, rows: usize, triangles: &[ScreenTriangle]) -> Band {
        let mut band = Band::new(width);
        band.clear(0, rows);
        triangles.iter().for_each(|t| band.draw(t));
        band
    }

    fn samples(band: &Band) -> impl Iterator<Item = u32> {
        band.pixels().iter().flat_map(|p| p.triangle)
    }

    #[test]
    fn coverage_approaches_the_exact_area() {
        // Half of a 12.3 x 10.7 rectangle.
        let t = triangle([[1.2, 2.3], [13.5, 2.3], [1.2, 13.0]], [0.5; 3], 0);
        let band = drawn(16, 16, &[t]);
        let covered = samples(&band).filter(|&id| id == 0).count() as f64 / SAMPLES as f64;
        let exact = 12.3 * 10.7 / 2.0;
        assert!((covered - exact).abs() < 0.01 * exact, "{covered} instead of {exact}");
    }

    #[test]
    fn an_edge_through_a_pixel_covers_its_share_of_samples() {
        // x < cut, for cuts every eighth of a pixel: exactly that many of the eight columns.
        for eighths in 0..=8 {
            let cut = 5.0 + f64::from(eighths) / 8.0;
            let quad = [
                triangle([[0.0, 0.0], [cut, 0.0], [cut, 16.0]], [0.5; 3], 0),
                triangle([[0.0, 0.0], [cut, 16.0], [0.0, 16.0]], [0.5; 3], 0),
            ];
            let band = drawn(16, 16, &quad);
            let pixel = band.pixels()[8 * 16 + 5];
            let covered = pixel.triangle.iter().filter(|&&id| id == 0).count();
            assert_eq!(covered as i32, eighths);
        }
    }

    #[test]
    fn triangles_around_a_point_share_every_sample_exactly_once() {
        // A fan that fills the picture; its hub lies on a sample point, spokes pass through others.
        let hub = [8.5 + 16.0 / 256.0, 8.5 - 48.0 / 256.0];
        let rim = [
            [-5.0, -4.0],
            [8.5, -9.0],
            [20.0, -4.0],
            [25.0, 8.3125],
            [20.0, 20.0],
            [3.0, 30.0],
            [-9.0, 18.0],
        ];
        let fan: Vec<_> = (0..rim.len())
            .map(|i| triangle([hub, rim[i], rim[(i + 1) % rim.len()]], [0.5; 3], i as u32))
            .collect();
        let mut hits = vec![0; 16 * 16 * SAMPLES];
        for t in &fan {
            for (hit, id) in hits.iter_mut().zip(samples(&drawn(16, 16, std::slice::from_ref(t)))) {
                *hit += i32::from(id != NOTHING);
            }
        }
        assert!(hits.iter().all(|&n| n == 1));
    }

    #[test]
    fn the_nearer_triangle_wins_and_the_first_on_a_tie() {
        let corners = [[-1.0, -1.0], [40.0, -1.0], [-1.0, 40.0]];
        let [far, near, equal] = [(0.2, 0), (0.6, 1), (0.6, 2)].map(|(d, id)| triangle(corners, [d; 3], id));
        for order in [[far, near, equal], [near, far, equal], [near, equal, far]] {
            assert!(samples(&drawn(16, 16, &order)).all(|id| id == 1));
        }
    }

    #[test]
    fn crossing_triangles_change_place_where_their_depths_are_equal() {
        // Depth rises to the right in one, falls in the other; they meet at x = 8.
        let corners = [[0.0, -16.0], [16.0, -16.0], [0.0, 48.0]];
        let full = [[16.0, -16.0], [16.0, 48.0], [0.0, 48.0]];
        let rising = |c: [[f64; 2]; 3], id| triangle(c, c.map(|p| 0.1 + p[0] / 100.0), id);
        let falling = |c: [[f64; 2]; 3], id| triangle(c, c.map(|p| 0.26 - p[0] / 100.0), id);
        let band =
            drawn(16, 16, &[rising(corners, 0), rising(full, 0), falling(corners, 1), falling(full, 1)]);
        for (i, pixel) in band.pixels().iter().enumerate() {
            let expected = u32::from(i % 16 < 8);
            assert!(pixel.triangle.iter().all(|&id| id == expected), "pixel {i}");
        }
    }
}
