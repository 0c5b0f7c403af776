//! Contact sheets: several pictures in one, each with its caption.

use crate::colour::Colour;
use crate::error::RenderError;
use crate::image::Image;
use crate::text::Text;

const INK: Colour = Colour::rgb(38, 42, 50);
/// Proportions that a sheet without given columns comes close to.
const ASPECT: f64 = 16.0 / 9.0;
/// How much an empty place counts against them.
const EMPTY: f64 = 0.15;

/// Pictures in rows on white, with captions below them.
///
/// ```
/// use supple_render::{Image, Sheet};
///
/// let mut sheet = Sheet::new();
/// for frame in 0..6 {
///     let picture = Image { width: 160, height: 90, rgba: vec![200; 160 * 90 * 4] };
///     sheet.push(picture, format!("frame {frame}"));
/// }
/// let image = sheet.image()?;
/// assert!(image.width > 3 * 160);
/// # Ok::<(), supple_render::RenderError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Written over the pictures; may be empty.
    pub title: String,
    /// Pictures in a row; as suits a wide screen when `None` or 0.
    pub columns: Option<usize>,
    /// Pictures with their captions.
    pub tiles: Vec<(Image, String)>,
}

impl Sheet {
    /// A sheet without pictures.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a picture after the others; the caption may be empty.
    pub fn push(&mut self, picture: Image, caption: impl Into<String>) {
        self.tiles.push((picture, caption.into()));
    }

    /// The sheet as one picture; an error when it would be too large or there is nothing on it.
    pub fn image(&self) -> Result<Image, RenderError> {
        let layout = Layout::new(self);
        Image::check_size(layout.width, layout.height)?;
        let mut image = Image {
            width: layout.width,
            height: layout.height,
            rgba: vec![255; layout.width as usize * layout.height as usize * 4],
        };
        let text = Text::plain(layout.cap, INK);
        if !self.title.is_empty() {
            let title = Text::plain(layout.cap * 1.25, INK);
            title.draw(&mut image, &self.title, f64::from(layout.gap), f64::from(layout.gap));
        }
        for (index, (picture, caption)) in self.tiles.iter().enumerate() {
            let [left, top] = layout.corner(index);
            // Pictures of different sizes are each in the middle of their place.
            let x = left + (layout.tile[0] - picture.width) / 2;
            let y = top + (layout.tile[1] - picture.height) / 2;
            paste(&mut image, picture, x as usize, y as usize);
            let below = f64::from(top + layout.tile[1]) + layout.cap * 0.7;
            let words = shortened(caption, &text, f64::from(layout.tile[0]));
            text.draw(&mut image, &words, f64::from(left), below);
        }
        Ok(image)
    }
}

struct Layout {
    width: u32,
    height: u32,
    columns: u32,
    /// Room for the largest picture.
    tile: [u32; 2],
    /// Room for a caption below, for the title above, and between.
    caption: u32,
    title: u32,
    gap: u32,
    /// Height of a capital letter.
    cap: f64,
}

impl Layout {
    fn new(sheet: &Sheet) -> Self {
        let count = u32::try_from(sheet.tiles.len()).unwrap_or(u32::MAX);
        let tile = sheet.tiles.iter().fold([0, 0], |[width, height]: [u32; 2], (picture, _)| {
            [width.max(picture.width), height.max(picture.height)]
        });
        let cap = (f64::from(tile[1]) * 0.032).max(7.0);
        let captioned = sheet.tiles.iter().any(|(_, caption)| !caption.is_empty());
        let caption = if captioned { (cap * 2.2).ceil() as u32 } else { 0 };
        let title = if sheet.title.is_empty() { 0 } else { (cap * 2.8).ceil() as u32 };
        let gap = (cap * 1.2).ceil() as u32;
        let given = sheet.columns.filter(|&columns| columns > 0);
        let given = given.map(|columns| u32::try_from(columns).unwrap_or(u32::MAX).min(count.max(1)));
        let size = |columns: u32| {
            let across =
                |count: u32, one: u32| count.saturating_mul(one.saturating_add(gap)).saturating_add(gap);
            let rows = count.div_ceil(columns);
            [across(columns, tile[0]), across(rows, tile[1].saturating_add(caption)).saturating_add(title)]
        };
        let columns = given.unwrap_or_else(|| {
            let far = |&columns: &u32| {
                let [width, height] = size(columns).map(f64::from);
                let empty = count.div_ceil(columns) * columns - count;
                (width / height / ASPECT).ln().abs() + EMPTY * f64::from(empty)
            };
            (1..=count.max(1)).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(1)
        });
        // Nothing has no size.
        let [width, height] = if count == 0 { [0, 0] } else { size(columns) };
        Self { width, height, columns, tile, caption, title, gap, cap }
    }

    /// The top left corner of the room for a picture.
    fn corner(&self, index: usize) -> [u32; 2] {
        let (column, row) = (index as u32 % self.columns, index as u32 / self.columns);
        [
            self.gap + column * (self.tile[0] + self.gap),
            self.gap + self.title + row * (self.tile[1] + self.caption + self.gap),
        ]
    }
}

fn paste(image: &mut Image, picture: &Image, left: usize, top: usize) {
    let (width, row_length) = (image.width as usize * 4, picture.width as usize * 4);
    let rows = picture.rgba.chunks_exact(row_length).take(picture.height as usize);
    for (row, into) in rows.zip(image.rgba.chunks_exact_mut(width).skip(top)) {
        into[left * 4..left * 4 + row_length].copy_from_slice(row);
    }
}

/// As much of the words as fits, with dots for the rest.
fn shortened(words: &str, text: &Text, room: f64) -> String {
    if text.width(words) <= room {
        return words.to_owned();
    }
    let mut kept = words.to_owned();
    while !kept.is_empty() && text.width(&kept) + text.width("...") > room {
        kept.pop();
    }
    kept + "..."
}
