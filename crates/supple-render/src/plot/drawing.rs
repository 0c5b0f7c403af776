//! Shapes in pixels: what a plot is made of, however it is drawn.

use crate::colour::Colour;
use crate::stroke::Point;

/// A finished layout; shapes are drawn in order, on white.
pub(super) struct Drawing {
    pub width: u32,
    pub height: u32,
    pub shapes: Vec<Shape>,
}

pub(super) enum Shape {
    /// Polylines with round ends and joints; dashes are polylines of their own.
    Lines { paths: Vec<Vec<Point>>, width: f64, colour: Colour },
    /// Discs with a white rim.
    Dots { centres: Vec<Point>, radius: f64, colour: Colour },
    /// One line of text, white around its letters; `at` is at the top of its capitals.
    Words { words: String, at: Point, anchor: Anchor, cap_height: f64, colour: Colour },
}

/// Which part of a line of text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A box of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    /// The parts of a polyline inside the box.
    pub fn clip(&self, points: &[Point]) -> Vec<Vec<Point>> {
        let mut out: Vec<Vec<Point>> = Vec::new();
        let mut open = false;
        for ends in points.windows(2) {
            let Some([from, to]) = self.cut(ends[0], ends[1]) else {
                open = false;
                continue;
            };
            match out.last_mut().filter(|_| open) {
                Some(path) => path.push(to),
                None => out.push(vec![from, to]),
            }
            open = to == ends[1];
        }
        out
    }

    pub fn contains(&self, [x, y]: Point) -> bool {
        let slack = 0.5;
        (self.left - slack..=self.right + slack).contains(&x)
            && (self.top - slack..=self.bottom + slack).contains(&y)
    }

    /// The part of a segment inside the box (Liang and Barsky, "A New Concept and Method for Line
    /// Clipping").
    fn cut(&self, a: Point, b: Point) -> Option<[Point; 2]> {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let along = [b[0] - a[0], b[1] - a[1]];
        let sides = [
            (-along[0], a[0] - self.left),
            (along[0], self.right - a[0]),
            (-along[1], a[1] - self.top),
            (along[1], self.bottom - a[1]),
        ];
        for (speed, room) in sides {
            if speed == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if speed < 0.0 {
                enter = enter.max(room / speed);
            } else {
                leave = leave.min(room / speed);
            }
        }
        // A whole end is kept bit for bit, so that consecutive segments can be joined again.
        let at = |t: f64| [a[0] + along[0] * t, a[1] + along[1] * t];
        let from = if enter <= 0.0 { a } else { at(enter) };
        let to = if leave >= 1.0 { b } else { at(leave) };
        (enter <= leave).then_some([from, to])
    }
}

/// A polyline cut into dashes of `on` pixels with `off` pixels between.
pub(super) fn dashes(points: &[Point], on: f64, off: f64) -> Vec<Vec<Point>> {
    let mut out = Vec::new();
    let (mut drawing, mut left) = (true, on);
    let mut dash: Vec<Point> = points.first().copied().into_iter().collect();
    for ends in points.windows(2) {
        let [a, b] = [ends[0], ends[1]];
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let t = gone / length;
            let here = [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
            if drawing {
                dash.push(here);
                out.push(std::mem::take(&mut dash));
            } else {
                dash = vec![here];
            }
            drawing = !drawing;
            left = if drawing { on } else { off };
        }
        left -= length - gone;
        if drawing {
            dash.push(b);
        }
    }
    if dash.len() > 1 {
        out.push(dash);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };

    #[test]
    fn lines_are_cut_at_the_box_and_joined_inside() {
        let inside = [[1.0, 1.0], [5.0, 9.0], [9.0, 2.0]];
        assert_eq!(AREA.clip(&inside), [inside.to_vec()]);
        let crossing = [[-10.0, 5.0], [20.0, 5.0], [20.0, 7.0], [5.0, 7.0]];
        assert_eq!(AREA.clip(&crossing), [[[0.0, 5.0], [10.0, 5.0]], [[10.0, 7.0], [5.0, 7.0]]]);
        assert!(AREA.clip(&[[-5.0, 2.0], [2.0, -5.0], [20.0, -5.0]]).is_empty());
        let far = AREA.clip(&[[5.0, 1e290], [5.0, -1e290]]);
        assert!(far.iter().flatten().all(|p| AREA.contains(*p)));
    }

    #[test]
    fn dashes_have_their_length_round_corners_too() {
        let cut = dashes(&[[0.0, 0.0], [3.0, 0.0], [3.0, 10.0]], 4.0, 2.0);
        assert_eq!(
            cut,
            [
                vec![[0.0, 0.0], [3.0, 0.0], [3.0, 1.0]],
                vec![[3.0, 3.0], [3.0, 7.0]],
                vec![[3.0, 9.0], [3.0, 10.0]]
            ]
        );
        assert!(dashes(&[], 4.0, 2.0).is_empty() && dashes(&[[1.0, 1.0]], 4.0, 2.0).is_empty());
    }
}
