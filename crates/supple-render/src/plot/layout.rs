//! Where everything in a plot goes.
//!
//! From the top: title, legend, the label of y, the curves, the numbers of x, its label. The
//! legend stands outside the curves, so that it never hides one, and the label of y is written
//! level, so that it can be read without turning one's head.

use super::axis::{self, Ruler};
use super::drawing::{Anchor, Area, Drawing, Shape, dashes};
use super::{Look, Plot, Rule, Scale};
use crate::colour::Colour;
use crate::stroke::Point;
use crate::text::Text;

const INK: Colour = Colour::rgb(38, 42, 50);
const AXIS: Colour = Colour::rgb(110, 116, 126);
const GRID: Colour = Colour::rgb(222, 225, 230);
const FAINT_GRID: Colour = Colour::rgb(240, 241, 244);
const RULE: Colour = Colour::rgb(96, 100, 108);

/// Sizes that follow from that of the letters.
struct Sizes {
    /// Height of a capital letter.
    cap: f64,
    line: f64,
    margin: f64,
    curve: f64,
    hairline: f64,
    dot: f64,
    dash: [f64; 2],
}

impl Sizes {
    fn new(width: u32, height: u32) -> Self {
        // A narrow plot has as much room for letters as a wide one of the same proportions.
        let size = f64::from(height).min(f64::from(width) * 0.625);
        let cap = (size * 0.0185).max(6.5);
        Self {
            cap,
            line: cap * 1.9,
            margin: cap * 1.5,
            curve: cap * 0.2,
            hairline: (cap * 0.08).max(1.0),
            dot: cap * 0.34,
            dash: [cap * 0.75, cap * 0.6],
        }
    }

    fn width_of(&self, words: &str) -> f64 {
        Text::plain(self.cap, INK).width(words)
    }
}

/// The plot as shapes in a picture of this size.
pub(super) fn draw(plot: &Plot, width: u32, height: u32) -> Drawing {
    let mut canvas = Canvas { sizes: Sizes::new(width, height), shapes: Vec::new() };
    let ranges = ranges(plot);
    let top = canvas.heading(plot, f64::from(width));
    let sizes = &canvas.sizes;
    let bottom =
        f64::from(height) - sizes.margin - sizes.line * if plot.x.label.is_empty() { 1.0 } else { 2.0 };
    let bottom = bottom.max(top + 1.0);
    let most_y = ((bottom - top) / (sizes.cap * 4.5)).clamp(2.0, 10.0);
    // The numbers of y say how far to the left the axis may go; their pixels do not matter yet.
    let y = Ruler::new(plot.y.scale, ranges[1], [bottom, top]);
    let numbers = y.ticks(most_y).iter().map(|tick| sizes.width_of(&tick.label)).fold(0.0, f64::max);
    let left = sizes.margin + numbers + sizes.cap * 0.8;
    let right = (f64::from(width) - sizes.margin * 1.6).max(left + 1.0);
    let x = Ruler::new(plot.x.scale, ranges[0], [left, right]);
    let area = Area { left, top, right, bottom };

    canvas.axes(plot, &area, [&x, &y], most_y);
    canvas.rules(plot, &area, [&x, &y]);
    for index in 0..plot.series.len() {
        canvas.series(plot, index, &area, [&x, &y]);
    }
    canvas.rule_labels(plot, &area, [&x, &y]);
    Drawing { width, height, shapes: canvas.shapes }
}

/// Ranges of x and y. A point counts only when both axes have a place for it.
fn ranges(plot: &Plot) -> [[f64; 2]; 2] {
    let drawable = |scale: Scale, v: f64| v.is_finite() && (scale == Scale::Linear || v > 0.0);
    let points = || {
        let all = plot.series.iter().flat_map(|series| &series.points);
        all.filter(|p| drawable(plot.x.scale, p[0]) && drawable(plot.y.scale, p[1]))
    };
    let at = |rules: &[Rule]| rules.iter().map(|rule| rule.at).collect::<Vec<f64>>();
    [
        axis::range(&plot.x, points().map(|p| p[0]).chain(at(&plot.verticals)), false),
        axis::range(&plot.y, points().map(|p| p[1]).chain(at(&plot.horizontals)), true),
    ]
}

struct Canvas {
    sizes: Sizes,
    shapes: Vec<Shape>,
}

impl Canvas {
    fn words(&mut self, words: &str, at: Point, anchor: Anchor, colour: Colour) {
        let cap_height = self.sizes.cap;
        self.shapes.push(Shape::Words { words: clean(words), at, anchor, cap_height, colour });
    }

    fn lines(&mut self, paths: Vec<Vec<Point>>, width: f64, colour: Colour) {
        self.shapes.push(Shape::Lines { paths, width, colour });
    }

    /// Title, legend and the label of y; returns where the curves may begin.
    fn heading(&mut self, plot: &Plot, width: f64) -> f64 {
        let (margin, line, cap) = (self.sizes.margin, self.sizes.line, self.sizes.cap);
        let mut top = margin;
        if !plot.title.is_empty() {
            let words = clean(&plot.title);
            let at = [margin, top];
            let shape =
                Shape::Words { words, at, anchor: Anchor::Start, cap_height: cap * 1.25, colour: INK };
            self.shapes.push(shape);
            top += line * 1.35;
        }
        top = self.legend(plot, width, top);
        if !plot.y.label.is_empty() {
            self.words(&plot.y.label, [margin, top], Anchor::Start, AXIS);
            top += line;
        }
        top + cap * 0.7
    }

    /// A sample of each named series with its name, in as many rows as needed.
    fn legend(&mut self, plot: &Plot, width: f64, mut top: f64) -> f64 {
        let (margin, line, cap) = (self.sizes.margin, self.sizes.line, self.sizes.cap);
        let sample = cap * 2.4;
        let mut left = margin;
        let named = plot.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        for (index, series) in named {
            let entry = sample + cap * 0.7 + self.sizes.width_of(&clean(&series.name));
            if left > margin && left + entry > width - margin {
                (left, top) = (margin, top + line);
            }
            let (y, colour) = (top + cap / 2.0, plot.colour_of(index));
            let ends = [[left, y], [left + sample, y]];
            if series.look != Look::Points {
                let paths = if series.dashed { self.dashed(&[ends.to_vec()]) } else { vec![ends.to_vec()] };
                self.lines(paths, self.sizes.curve, colour);
            }
            if series.look != Look::Line {
                let centres = vec![[left + sample / 2.0, y]];
                self.shapes.push(Shape::Dots { centres, radius: self.sizes.dot, colour });
            }
            self.words(&series.name, [left + sample + cap * 0.7, top], Anchor::Start, INK);
            left += entry + cap * 2.0;
        }
        if left > margin { top + line * 1.1 } else { top }
    }

    fn axes(&mut self, plot: &Plot, area: &Area, [x, y]: [&Ruler; 2], most_y: f64) {
        let (cap, hairline) = (self.sizes.cap, self.sizes.hairline);
        let upright = |x: f64| vec![[x, area.top], [x, area.bottom]];
        let level = |y: f64| vec![[area.left, y], [area.right, y]];
        let widest = |most: f64| {
            let ticks = x.ticks(most);
            ticks.iter().map(|tick| self.sizes.width_of(&tick.label)).fold(0.0, f64::max)
        };
        // Room for the widest number, which fewer numbers might have fewer digits for.
        let room = widest(8.0) + cap * 2.2;
        let most_x = ((area.right - area.left) / room).clamp(1.0, 10.0);
        let (x_ticks, y_ticks) = (x.ticks(most_x), y.ticks(most_y));
        let on = |ruler: &Ruler, values: &[f64]| -> Vec<f64> {
            values.iter().filter_map(|&value| ruler.pixel_within(value)).map(crisp).collect()
        };
        let values = |ticks: &[super::ticks::Tick]| ticks.iter().map(|tick| tick.value).collect::<Vec<f64>>();

        let faint_x = on(x, &x.lines_between()).into_iter().map(upright);
        let faint = faint_x.chain(on(y, &y.lines_between()).into_iter().map(level)).collect();
        let grid_x = on(x, &values(&x_ticks)).into_iter().map(upright);
        let grid = grid_x.chain(on(y, &values(&y_ticks)).into_iter().map(level)).collect();
        self.lines(faint, hairline, FAINT_GRID);
        self.lines(grid, hairline, GRID);
        self.lines(vec![level(crisp(area.bottom))], hairline, AXIS);

        for tick in &x_ticks {
            if let Some(at) = x.pixel_within(tick.value) {
                self.words(&tick.label, [at, area.bottom + cap * 0.75], Anchor::Middle, INK);
            }
        }
        for tick in &y_ticks {
            if let Some(at) = y.pixel_within(tick.value) {
                self.words(&tick.label, [area.left - cap * 0.8, at - cap / 2.0], Anchor::End, INK);
            }
        }
        if !plot.x.label.is_empty() {
            let at = [(area.left + area.right) / 2.0, area.bottom + self.sizes.line + cap * 0.75];
            self.words(&plot.x.label, at, Anchor::Middle, AXIS);
        }
    }

    fn rules(&mut self, plot: &Plot, area: &Area, [x, y]: [&Ruler; 2]) {
        let upright = |x: f64| vec![[crisp(x), area.bottom], [crisp(x), area.top]];
        let level = |y: f64| vec![[area.left, crisp(y)], [area.right, crisp(y)]];
        let places = |rules: &[Rule], ruler: &Ruler| -> Vec<f64> {
            rules.iter().filter_map(|rule| ruler.pixel_within(rule.at)).collect()
        };
        let mut paths: Vec<_> = places(&plot.verticals, x).into_iter().map(upright).collect();
        paths.extend(places(&plot.horizontals, y).into_iter().map(level));
        let paths = self.dashed(&paths);
        self.lines(paths, self.sizes.hairline * 1.2, RULE);
    }

    /// Labels of upright lines at their top, in the first of several rows where there is room;
    /// those of level lines over their right end.
    fn rule_labels(&mut self, plot: &Plot, area: &Area, [x, y]: [&Ruler; 2]) {
        let (cap, line) = (self.sizes.cap, self.sizes.line);
        let labelled = |rule: &&Rule| !rule.label.is_empty();
        let mut uprights: Vec<(f64, &str)> = plot
            .verticals
            .iter()
            .filter(labelled)
            .filter_map(|rule| Some((x.pixel_within(rule.at)?, rule.label.as_str())))
            .collect();
        uprights.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut rows: Vec<f64> = Vec::new();
        for (at, label) in uprights {
            let width = self.sizes.width_of(&clean(label));
            let beyond = at + cap * 0.5 + width > area.right && at - cap * 0.5 - width > area.left;
            let (start, anchor) =
                if beyond { (at - cap * 0.5 - width, Anchor::End) } else { (at + cap * 0.5, Anchor::Start) };
            let row = rows.iter().position(|end| *end < start).unwrap_or(rows.len());
            rows.resize(rows.len().max(row + 1), 0.0);
            rows[row] = start + width + cap * 0.5;
            let place = if beyond { at - cap * 0.5 } else { start };
            self.words(label, [place, area.top + cap * 0.5 + line * row as f64], anchor, RULE);
        }
        for rule in plot.horizontals.iter().filter(labelled) {
            if let Some(at) = y.pixel_within(rule.at) {
                let over = at - cap * 1.5;
                let top = if over < area.top { at + cap * 0.5 } else { over };
                self.words(&rule.label, [area.right - cap * 0.4, top], Anchor::End, RULE);
            }
        }
    }

    fn series(&mut self, plot: &Plot, index: usize, area: &Area, [x, y]: [&Ruler; 2]) {
        let (series, colour) = (&plot.series[index], plot.colour_of(index));
        let places: Vec<Option<Point>> =
            series.points.iter().map(|p| Some([x.pixel(p[0])?, y.pixel(p[1])?])).collect();
        let runs: Vec<Vec<Point>> = places
            .split(Option::is_none)
            .filter(|run| !run.is_empty())
            .map(|run| run.iter().copied().flatten().collect())
            .collect();
        if series.look != Look::Points {
            let inside: Vec<Vec<Point>> = runs.iter().flat_map(|run| area.clip(run)).collect();
            let paths = if series.dashed { self.dashed(&inside) } else { inside };
            self.lines(paths, self.sizes.curve, colour);
        }
        // A line of one point would not be seen.
        let dotted = runs.iter().filter(|run| series.look != Look::Line || run.len() == 1);
        let centres: Vec<Point> = dotted.flatten().copied().filter(|p| area.contains(*p)).collect();
        if !centres.is_empty() {
            self.shapes.push(Shape::Dots { centres, radius: self.sizes.dot, colour });
        }
    }

    fn dashed(&self, paths: &[Vec<Point>]) -> Vec<Vec<Point>> {
        let [on, off] = self.sizes.dash;
        paths.iter().flat_map(|path| dashes(path, on, off)).collect()
    }
}

/// The middle of the pixel, so that a hairline fills it instead of half of two.
fn crisp(at: f64) -> f64 {
    at.floor() + 0.5
}

/// Text in one line: line ends and other controls become blanks.
fn clean(words: &str) -> String {
    words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
