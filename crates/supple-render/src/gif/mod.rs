//! Moving pictures as GIF (Graphics Interchange Format, version 89a).
//!
//! All frames share one palette, chosen from samples of the motion before the first frame is
//! written, so that what stands still keeps its colours. After the first frame only the rectangle
//! that changed is written, with unchanged pixels in it transparent: they compress to almost
//! nothing, because a pixel's dither depends on its place and colour alone.

mod lzw;
mod palette;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use crate::error::RenderError;
use crate::image::Image;
use palette::Palette;

/// Index of the palette that means "as before"; the last, after all colours.
const UNCHANGED: u8 = 255;
/// Shortest time that players do not replace by a longer one, in hundredths of a second.
const LEAST_DELAY: u64 = 2;
/// Keep the frame below (disposal 1), one index is transparent.
const OVER_THE_LAST: u8 = 0b0000_0101;
/// A global palette of 256 colours with 8 bits per channel.
const GLOBAL_PALETTE: u8 = 0b1111_0111;

/// Writes a GIF frame by frame; it repeats for ever.
///
/// ```
/// use supple_render::{GifWriter, Image};
///
/// let frame = |grey| Image { width: 32, height: 18, rgba: vec![grey; 32 * 18 * 4] };
/// let mut gif = GifWriter::new(Vec::new(), 24.0, &[&frame(40), &frame(200)])?;
/// for grey in (0..240).step_by(10) {
///     gif.frame(&frame(grey))?;
/// }
/// let bytes = gif.finish()?;
/// assert!(bytes.starts_with(b"GIF89a"));
/// # Ok::<(), supple_render::RenderError>(())
/// ```
pub struct GifWriter<W: Write> {
    to: W,
    size: [u32; 2],
    palette: Palette,
    frames_per_second: f64,
    /// How many frames were written.
    frames: u64,
    /// Indices of the last frame; empty before the first.
    last: Vec<u8>,
}

impl<W: Write> GifWriter<W> {
    /// Begins a file with the size of the first sample and colours from all of them: a few frames
    /// from the whole motion. More than 50 frames per second are shown slower.
    pub fn new(mut to: W, frames_per_second: f64, samples: &[&Image]) -> Result<Self, RenderError> {
        if !(frames_per_second.is_finite() && frames_per_second > 0.0) {
            return Err(RenderError::FrameRate { frames_per_second });
        }
        let size = samples.first().map_or([0, 0], |image| [image.width, image.height]);
        Image::check_size(size[0], size[1])?;
        let palette = Palette::of(samples, usize::from(UNCHANGED));
        to.write_all(b"GIF89a")?;
        to.write_all(&size.map(|side| (side as u16).to_le_bytes()).concat())?;
        to.write_all(&[GLOBAL_PALETTE, 0, 0])?;
        let mut colours = palette.bytes();
        colours.resize(256 * 3, 0);
        to.write_all(&colours)?;
        // How often to repeat: 0 is for ever.
        to.write_all(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")?;
        Ok(Self { to, size, palette, frames_per_second, frames: 0, last: Vec::new() })
    }

    /// Writes the next frame, which must have the size of the first sample.
    pub fn frame(&mut self, image: &Image) -> Result<(), RenderError> {
        let [width, height] = self.size;
        if [image.width, image.height] != self.size {
            let (frame, found) = (self.frames as usize, [image.width, image.height]);
            return Err(RenderError::FrameSize { frame, found, expected: self.size });
        }
        let indices = self.palette.dither(image);
        let area = if self.last.is_empty() {
            Rectangle { left: 0, top: 0, width: width as usize, height: height as usize }
        } else {
            changed(&self.last, &indices, width as usize)
        };
        let mut pixels = Vec::with_capacity(area.width * area.height);
        for y in area.top..area.top + area.height {
            for i in y * width as usize + area.left..y * width as usize + area.left + area.width {
                let same = self.last.get(i).is_some_and(|last| *last == indices[i]);
                pixels.push(if same { UNCHANGED } else { indices[i] });
            }
        }
        self.write(&area, &pixels)?;
        self.last = indices;
        self.frames += 1;
        Ok(())
    }

    fn write(&mut self, area: &Rectangle, pixels: &[u8]) -> io::Result<()> {
        // Rounded on the whole, so that the motion lasts as long as it should.
        let hundredths = |frames: u64| (frames as f64 * 100.0 / self.frames_per_second).round() as u64;
        let delay = hundredths(self.frames + 1).saturating_sub(hundredths(self.frames)).max(LEAST_DELAY);
        let [low, high] = u16::try_from(delay).unwrap_or(u16::MAX).to_le_bytes();
        self.to.write_all(&[0x21, 0xf9, 4, OVER_THE_LAST, low, high, UNCHANGED, 0])?;
        let place = [area.left, area.top, area.width, area.height].map(|c| (c as u16).to_le_bytes());
        self.to.write_all(&[0x2c])?;
        self.to.write_all(&place.concat())?;
        self.to.write_all(&[0, lzw::CODE_BITS])?;
        for block in lzw::compress(pixels).chunks(255) {
            self.to.write_all(&[block.len() as u8])?;
            self.to.write_all(block)?;
        }
        self.to.write_all(&[0])
    }

    /// Ends the file and returns what it was written to.
    pub fn finish(mut self) -> Result<W, RenderError> {
        self.to.write_all(&[0x3b])?;
        self.to.flush()?;
        Ok(self.to)
    }
}

struct Rectangle {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// The least rectangle around what differs; one pixel when nothing does.
fn changed(a: &[u8], b: &[u8], width: usize) -> Rectangle {
    let (mut low, mut high) = ([usize::MAX; 2], [0; 2]);
    for (i, _) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b) {
        let place = [i % width, i / width];
        low = [low[0].min(place[0]), low[1].min(place[1])];
        high = [high[0].max(place[0]), high[1].max(place[1])];
    }
    if low[0] > high[0] {
        return Rectangle { left: 0, top: 0, width: 1, height: 1 };
    }
    Rectangle { left: low[0], top: low[1], width: high[0] - low[0] + 1, height: high[1] - low[1] + 1 }
}
