//! Curves over axes: a point's path, modal amplitudes, times against sizes.
//!
//! | step | file | does |
//! |---|---|---|
//! | measure | `axis.rs`, `ticks.rs` | range of the data, round numbers 1-2-5 on it, value → pixel |
//! | lay out | `layout.rs` | title, legend, labels and curves as shapes in pixels |
//! | draw | `raster.rs`, `svg.rs` | the same shapes as a picture or as SVG text |
//!
//! Any numbers may be plotted: a point that is not finite, or not positive on a logarithmic axis,
//! is left out and leaves a gap in its line.

mod axis;
mod drawing;
mod layout;
mod raster;
mod svg;
mod ticks;

use crate::colour::Colour;
use crate::error::RenderError;
use crate::image::Image;

/// Colours of series that have none of their own, told apart with any kind of colour vision
/// (Okabe and Ito, "Color Universal Design"), those that stand out best on white first.
const SERIES_COLOURS: [Colour; 8] = [
    Colour::rgb(0, 114, 178),
    Colour::rgb(213, 94, 0),
    Colour::rgb(0, 158, 115),
    Colour::rgb(204, 121, 167),
    Colour::rgb(230, 159, 0),
    Colour::rgb(86, 180, 233),
    Colour::rgb(0, 0, 0),
    Colour::rgb(240, 228, 66),
];

/// Several series over common axes.
///
/// ```
/// use supple_render::{Plot, Rule, Series};
///
/// let mut plot = Plot::new("Tip of the mast");
/// plot.x.label = "frame".to_owned();
/// plot.y.label = "height (m)".to_owned();
/// plot.series.push(Series::line("edited", (0..240).map(|i| [f64::from(i), f64::from(i % 24)])));
/// plot.verticals.push(Rule::new(60.0, "handle"));
/// let image = plot.image(640, 360)?;
/// let text = plot.svg(640, 360);
/// # assert!(image.width == 640 && text.contains("handle"));
/// # Ok::<(), supple_render::RenderError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// Written over the plot; may be empty.
    pub title: String,
    /// The axis that runs to the right.
    pub x: Axis,
    /// The axis that runs upwards.
    pub y: Axis,
    /// What is drawn, later series over earlier ones.
    pub series: Vec<Series>,
    /// Upright lines at values of x: the frame of a handle.
    pub verticals: Vec<Rule>,
    /// Level lines at values of y: a published time, a limit.
    pub horizontals: Vec<Rule>,
}

/// One of the two axes of a plot.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// What it measures, with the unit; may be empty.
    pub label: String,
    /// How values are spread.
    pub scale: Scale,
    /// The values at its ends; those of the data when `None`, or when the range given is empty,
    /// not finite, or not positive on a logarithmic axis.
    pub range: Option<[f64; 2]>,
}

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences, equal distances.
    #[default]
    Linear,
    /// Equal ratios, equal distances.
    Log10,
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend; it has none there when this is empty.
    pub name: String,
    /// `[x, y]`, in the order in which the line runs.
    pub points: Vec<[f64; 2]>,
    /// How the points are drawn.
    pub look: Look,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Its colour; one by its place among the series when `None`.
    pub colour: Option<Colour>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// Joined by a line; a point without neighbours is a disc.
    #[default]
    Line,
    /// Discs.
    Points,
    /// Discs, joined by a line.
    Both,
}

/// A line across the plot at one value.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The value.
    pub at: f64,
    /// Written beside the line; may be empty.
    pub label: String,
}

impl Rule {
    /// A line at a value.
    pub fn new(at: f64, label: impl Into<String>) -> Self {
        Self { at, label: label.into() }
    }
}

impl Series {
    /// Points joined by a line.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().collect(),
            look: Look::Line,
            dashed: false,
            colour: None,
        }
    }
}

impl Plot {
    /// An empty plot with linear axes.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// The plot as a picture, `width` x `height` pixels.
    pub fn image(&self, width: u32, height: u32) -> Result<Image, RenderError> {
        Image::check_size(width, height)?;
        Ok(raster::image(&layout::draw(self, width, height)))
    }

    /// The plot as an SVG document with the same layout; its text is text.
    pub fn svg(&self, width: u32, height: u32) -> String {
        svg::document(&layout::draw(self, width, height))
    }

    fn colour_of(&self, series: usize) -> Colour {
        let own = self.series.get(series).and_then(|series| series.colour);
        own.unwrap_or(SERIES_COLOURS[series % SERIES_COLOURS.len()])
    }
}
