//! 255 colours for many, and a dither between them.
//!
//! The palette: all colours of the samples, counted in cells of 4 x 4 x 4 sRGB bytes, are one box;
//! the box with the greatest sum of squared distances from its mean is cut at the mean of the
//! channel that contributes most, again and again (after Heckbert, "Color Image Quantization for
//! Frame Buffer Display", with variance in place of population). Each box becomes its mean.
//!
//! The dither: let `p` be the palette's colour nearest to `c`, and `q` that nearest to `2c - p`, on
//! the other side. The pixel is `q` where `|c - p| / (|c - p| + |c - q|)` exceeds a threshold that
//! depends on its place, else `p`. A colour of the palette stays what it is.

use std::collections::BTreeMap;

use crate::image::Image;

/// Bits of a channel that tell cells apart.
const CELL_BITS: u32 = 6;
/// Pixels of the samples that are looked at, about.
const MOST_PIXELS: usize = 1 << 20;

/// Thresholds in sixteenths: Bayer's ordering of a 4 x 4 square.
const THRESHOLDS: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// The nearest colour to the middle of each cell, once it is known.
    nearest: Vec<Option<u8>>,
}

/// Pixels of one cell, or of a box of cells.
#[derive(Clone, Copy, Default)]
struct Pixels {
    count: f64,
    sum: [f64; 3],
    squares: [f64; 3],
}

impl Pixels {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        for k in 0..3 {
            self.sum[k] += other.sum[k];
            self.squares[k] += other.squares[k];
        }
    }

    fn mean(&self) -> [f64; 3] {
        self.sum.map(|sum| sum / self.count)
    }

    /// Sum of squared distances from the mean, per channel.
    fn spread(&self) -> [f64; 3] {
        let mean = self.mean();
        [0, 1, 2].map(|k| (self.squares[k] - self.sum[k] * mean[k]).max(0.0))
    }
}

impl Palette {
    /// At most `most` colours for pictures like these.
    pub fn of(samples: &[&Image], most: usize) -> Self {
        let pixels: usize = samples.iter().map(|image| image.rgba.len() / 4).sum();
        // Odd, so that it does not keep to some columns.
        let stride = (pixels / MOST_PIXELS) | 1;
        let mut cells: BTreeMap<usize, Pixels> = BTreeMap::new();
        for pixel in samples.iter().flat_map(|image| image.rgba.chunks_exact(4).step_by(stride)) {
            let rgb = [pixel[0], pixel[1], pixel[2]];
            let channels = rgb.map(f64::from);
            let one = Pixels { count: 1.0, sum: channels, squares: channels.map(|c| c * c) };
            cells.entry(cell(rgb)).or_default().add(&one);
        }
        let colours = boxes(cells.into_values().collect(), most)
            .iter()
            .map(|pixels| pixels.mean().map(|c| c.round() as u8))
            .collect();
        Self { colours, nearest: vec![None; 1 << (3 * CELL_BITS)] }
    }

    /// Red, green and blue of each colour.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }

    /// The picture in colours of the palette.
    pub fn dither(&mut self, image: &Image) -> Vec<u8> {
        let width = image.width as usize;
        let mut out = Vec::with_capacity(image.rgba.len() / 4);
        for (i, pixel) in image.rgba.chunks_exact(4).enumerate() {
            let colour = [pixel[0], pixel[1], pixel[2]];
            let near = self.nearest(colour);
            let error = distance(colour, self.colours[usize::from(near)]);
            if error == 0 {
                out.push(near);
                continue;
            }
            let opposite: [u8; 3] = std::array::from_fn(|k| {
                let p = self.colours[usize::from(near)][k];
                (2 * i32::from(colour[k]) - i32::from(p)).clamp(0, 255) as u8
            });
            let other = self.nearest(opposite);
            let share = {
                let far = f64::from(distance(colour, self.colours[usize::from(other)])).sqrt();
                let error = f64::from(error).sqrt();
                error / (error + far)
            };
            let threshold = (f64::from(THRESHOLDS[i / width % 4][i % width % 4]) + 0.5) / 16.0;
            out.push(if share > threshold { other } else { near });
        }
        out
    }

    fn nearest(&mut self, colour: [u8; 3]) -> u8 {
        let cell = cell(colour);
        if let Some(index) = self.nearest[cell] {
            return index;
        }
        // The middle of the cell, so that the answer does not depend on who asks first.
        let middle = colour.map(|c| c >> (8 - CELL_BITS) << (8 - CELL_BITS) | 1 << (7 - CELL_BITS));
        let nearest = self.colours.iter().enumerate().min_by_key(|(_, other)| distance(middle, **other));
        let index = nearest.map_or(0, |(index, _)| index as u8);
        self.nearest[cell] = Some(index);
        index
    }
}

fn cell(colour: [u8; 3]) -> usize {
    colour.iter().fold(0, |cell, c| cell << CELL_BITS | usize::from(c >> (8 - CELL_BITS)))
}

/// Squared distance; green counts most and blue least, as they do for brightness.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let squares: [u32; 3] = std::array::from_fn(|k| u32::from(a[k].abs_diff(b[k])).pow(2));
    3 * squares[0] + 4 * squares[1] + 2 * squares[2]
}

/// Cuts the cells into at most `most` boxes; see the module header.
fn boxes(cells: Vec<Pixels>, most: usize) -> Vec<Pixels> {
    let total = |cells: &[Pixels]| {
        cells.iter().fold(Pixels::default(), |mut sum, cell| {
            sum.add(cell);
            sum
        })
    };
    let mut done = Vec::new();
    let mut open = vec![(total(&cells), cells)];
    while !open.is_empty() && open.len() + done.len() < most {
        let spread = |(sum, _): &(Pixels, Vec<Pixels>)| sum.spread().iter().sum::<f64>();
        let widest = (0..open.len()).max_by(|&a, &b| spread(&open[a]).total_cmp(&spread(&open[b])));
        let Some((sum, cells)) = widest.map(|widest| open.swap_remove(widest)) else {
            break;
        };
        let spread = sum.spread();
        let channel = (0..3).max_by(|&a, &b| spread[a].total_cmp(&spread[b])).unwrap_or(0);
        let cut = sum.mean()[channel];
        let (low, high): (Vec<Pixels>, Vec<Pixels>) =
            cells.into_iter().partition(|cell| cell.mean()[channel] < cut);
        if low.is_empty() || high.is_empty() {
            done.push(sum);
        } else {
            open.extend([low, high].map(|cells| (total(&cells), cells)));
        }
    }
    done.extend(open.into_iter().map(|(sum, _)| sum));
    done.retain(|pixels| pixels.count > 0.0);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, colours: &[[u8; 3]]) -> Image {
        let rgba: Vec<u8> = colours.iter().flat_map(|c| [c[0], c[1], c[2], 255]).collect();
        Image { width, height: colours.len() as u32 / width, rgba }
    }

    #[test]
    fn few_colours_are_kept_exactly() {
        let colours: Vec<[u8; 3]> =
            (0..200_u32).map(|i| [(i * 73 % 256) as u8, (i * 31 % 256) as u8, i as u8]).collect();
        let picture = image(20, &colours);
        let mut palette = Palette::of(&[&picture], 255);
        let found: Vec<[u8; 3]> =
            palette.dither(&picture).iter().map(|&i| palette.colours[usize::from(i)]).collect();
        let worst = found.iter().zip(&colours).map(|(a, b)| distance(*a, *b)).max().unwrap();
        assert!(worst < 3 * 9 * 3, "{worst}");
    }

    #[test]
    fn a_dither_keeps_the_mean() {
        // Black and white alone for a grey of 100: 39 % white, in sixteenths.
        let samples = image(2, &[[0; 3], [255; 3]]);
        let mut palette = Palette::of(&[&samples], 2);
        let grey = image(16, &[[100; 3]; 256]);
        let white =
            palette.dither(&grey).iter().filter(|&&i| palette.colours[usize::from(i)] == [255; 3]).count();
        let share = white as f64 / 256.0;
        assert!((share - 100.0 / 255.0).abs() < 0.04, "{share}");
    }
}
