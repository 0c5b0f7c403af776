//! Round-ended strokes: how much of each pixel they cover.
//!
//! A stroke of radius `r` is every point within `r` of a set of segments. With `d` the distance of
//! a pixel's centre from the nearest segment, its coverage is `clamp(r + 1/2 - d, 0, 1)`. Because
//! the nearest segment alone counts, a pixel at a joint is covered once and no joint is darker
//! than the line.

/// A place on the screen, in pixels.
pub(crate) type Point = [f64; 2];

/// A pixel under a stroke.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub x: i64,
    pub y: i64,
    /// Share of the pixel that is covered, more than 0.
    pub coverage: f64,
    /// The nearest segment, and where on it: 0 at its first end, 1 at its second.
    pub segment: usize,
    pub along: f64,
}

/// The nearest segment so far; `along` as in [`Touch`].
#[derive(Clone, Copy)]
struct Nearest {
    distance: f32,
    along: f32,
    segment: u32,
}

const NONE: Nearest = Nearest { distance: f32::INFINITY, along: 0.0, segment: 0 };

/// Calls `paint` once for each pixel of a `size` picture that the strokes touch, row by row.
/// Segments that are not finite are left out.
pub(crate) fn stroke(size: [u32; 2], segments: &[[Point; 2]], radius: f64, mut paint: impl FnMut(Touch)) {
    let reach = radius + 1.0;
    let Some((first, last)) = bounds(size, segments, reach) else {
        return;
    };
    let width = (last[0] - first[0] + 1) as usize;
    let mut nearest = vec![NONE; width * (last[1] - first[1] + 1) as usize];
    for (index, segment) in segments.iter().enumerate().filter(|(_, segment)| is_finite(segment)) {
        let (top, bottom) = pixels(segment[0][1], segment[1][1], reach);
        for y in top.max(first[1])..=bottom.min(last[1]) {
            let (left, right) = columns(segment, y, reach);
            for x in left.max(first[0])..=right.min(last[0]) {
                let (distance, along) = distance([x as f64 + 0.5, y as f64 + 0.5], segment);
                let here = &mut nearest[(y - first[1]) as usize * width + (x - first[0]) as usize];
                if (distance as f32) < here.distance {
                    *here = Nearest { distance: distance as f32, along: along as f32, segment: index as u32 };
                }
            }
        }
    }
    for (i, here) in nearest.iter().enumerate() {
        let coverage = (radius + 0.5 - f64::from(here.distance)).clamp(0.0, 1.0);
        if coverage > 0.0 {
            paint(Touch {
                x: first[0] + (i % width) as i64,
                y: first[1] + (i / width) as i64,
                coverage,
                segment: here.segment as usize,
                along: f64::from(here.along),
            });
        }
    }
}

/// Calls `paint` with each pixel of a `size` picture that a triangle touches and its coverage; the
/// triangle is first enlarged by `margin` pixels on all sides. Nothing when it has no area.
pub(crate) fn fill(size: [u32; 2], corners: [Point; 3], margin: f64, mut paint: impl FnMut(i64, i64, f64)) {
    let [a, b, c] = corners;
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let Some((first, last)) = bounds(size, &[[a, b], [b, c]], margin + 1.0) else {
        return;
    };
    if area == 0.0 || !area.is_finite() {
        return;
    }
    let sides = [[a, b], [b, c], [c, a]].map(|[p, q]| {
        let length = (q[0] - p[0]).hypot(q[1] - p[1]) * area.signum();
        // Distance from the line through the side, positive outside.
        move |x: f64, y: f64| ((q[1] - p[1]) * (x - p[0]) - (q[0] - p[0]) * (y - p[1])) / length
    });
    for y in first[1]..=last[1] {
        for x in first[0]..=last[0] {
            let outside =
                sides.iter().map(|side| side(x as f64 + 0.5, y as f64 + 0.5)).fold(f64::MIN, f64::max);
            let coverage = (margin + 0.5 - outside).clamp(0.0, 1.0);
            if coverage > 0.0 {
                paint(x, y, coverage);
            }
        }
    }
}

/// The segments between consecutive points.
pub(crate) fn chain(points: &[Point]) -> Vec<[Point; 2]> {
    points.windows(2).map(|ends| [ends[0], ends[1]]).collect()
}

fn is_finite(segment: &[Point; 2]) -> bool {
    segment.iter().flatten().all(|c| c.is_finite())
}

/// First and last pixel (column, row) that any segment may touch.
fn bounds(size: [u32; 2], segments: &[[Point; 2]], reach: f64) -> Option<([i64; 2], [i64; 2])> {
    let (mut first, mut last) = ([i64::MAX; 2], [i64::MIN; 2]);
    for segment in segments.iter().filter(|segment| is_finite(segment)) {
        for axis in 0..2 {
            let (low, high) = pixels(segment[0][axis], segment[1][axis], reach);
            first[axis] = first[axis].min(low);
            last[axis] = last[axis].max(high);
        }
    }
    for axis in 0..2 {
        first[axis] = first[axis].max(0);
        last[axis] = last[axis].min(i64::from(size[axis]) - 1);
    }
    (first[0] <= last[0] && first[1] <= last[1]).then_some((first, last))
}

/// First and last pixel within `reach` of the interval between two coordinates.
fn pixels(a: f64, b: f64, reach: f64) -> (i64, i64) {
    ((a.min(b) - reach).floor() as i64, (a.max(b) + reach).ceil() as i64)
}

/// First and last column within `reach` of the part of a segment that is within `reach` of a row.
fn columns([a, b]: &[Point; 2], row: i64, reach: f64) -> (i64, i64) {
    let (fall, middle) = (b[1] - a[1], row as f64 + 0.5);
    let at = |y: f64| {
        let t = ((y - a[1]) / fall).clamp(0.0, 1.0);
        a[0] * (1.0 - t) + b[0] * t
    };
    if fall == 0.0 {
        pixels(a[0], b[0], reach)
    } else {
        pixels(at(middle - reach), at(middle + reach), reach)
    }
}

/// Distance of a point from a segment, and where its nearest point lies on it.
fn distance(p: Point, [a, b]: &[Point; 2]) -> (f64, f64) {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let t = if length_squared > 0.0 {
        (((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    ((p[0] - a[0] - along[0] * t).hypot(p[1] - a[1] - along[1] * t), t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touches(segments: &[[Point; 2]], radius: f64) -> Vec<Touch> {
        let mut out = Vec::new();
        stroke([40, 30], segments, radius, |touch| out.push(touch));
        out
    }

    #[test]
    fn coverage_adds_up_to_the_area_of_the_stroke() {
        let segment = [[8.3, 7.1], [30.2, 21.9]];
        let length = 21.9_f64.hypot(14.8);
        let area = length * 4.0 + std::f64::consts::PI * 4.0;
        let found: f64 = touches(&[segment], 2.0).iter().map(|touch| touch.coverage).sum();
        assert!((found - area).abs() < 0.01 * area, "{found} instead of {area}");
    }

    #[test]
    fn a_joint_is_covered_once_and_each_pixel_knows_its_segment() {
        let found = touches(&chain(&[[5.0, 10.0], [20.0, 10.0], [35.0, 10.0]]), 1.5);
        let mut pixels: Vec<_> = found.iter().map(|touch| (touch.y, touch.x)).collect();
        assert!(pixels.is_sorted());
        pixels.dedup();
        assert_eq!(pixels.len(), found.len());
        for touch in found.iter().filter(|touch| (6..34).contains(&touch.x)) {
            assert_eq!(touch.segment, usize::from(touch.x >= 20));
            let x = [5.0, 20.0][touch.segment] + 15.0 * touch.along;
            assert!((x - touch.x as f64 - 0.5).abs() < 1e-5);
        }
    }

    #[test]
    fn rows_pass_over_nothing_they_should_touch() {
        // Every direction, against the distance at all pixels.
        for k in 0..24 {
            let (sin, cos) = (f64::from(k) * 0.27).sin_cos();
            let segment = [[20.0 - 13.0 * cos, 15.0 - 13.0 * sin], [20.0 + 13.0 * cos, 15.0 + 13.0 * sin]];
            let all = (0..30).flat_map(|y| (0..40).map(move |x| [f64::from(x) + 0.5, f64::from(y) + 0.5]));
            let expected = all.filter(|p| distance(*p, &segment).0 < 1.7 + 0.499_999).count();
            assert_eq!(touches(&[segment], 1.7).len(), expected);
        }
    }

    #[test]
    fn a_filled_triangle_has_its_area() {
        let corners = [[5.2, 4.1], [33.7, 9.3], [14.4, 26.6]];
        for corners in [corners, [corners[0], corners[2], corners[1]]] {
            let mut area = 0.0;
            fill([40, 30], corners, 0.0, |_, _, coverage| area += coverage);
            let exact = (28.5 * 22.5 - 5.2 * 9.2) / 2.0;
            assert!((area - exact).abs() < 0.01 * exact, "{area} instead of {exact}");
        }
        fill([40, 30], [[1.0, 1.0], [9.0, 9.0], [5.0, 5.0]], 0.0, |_, _, _| panic!("no area"));
        fill([40, 30], [[f64::NAN, 1.0], [9.0, 9.0], [5.0, 5.0]], 0.0, |_, _, _| panic!("no place"));
    }

    #[test]
    fn what_is_far_away_or_not_finite_is_left_out() {
        let far = [[1e300, 1e300], [-1e300, 1e300]];
        let broken = [[f64::NAN, 1.0], [3.0, f64::INFINITY]];
        assert!(touches(&[far, broken], 2.0).is_empty());
        assert!(touches(&[], 2.0).is_empty());
    }
}
