//! Pictures in memory and as PNG.

use std::io::Write;

use crate::colour::{Colour, Light};
use crate::error::{MAX_PIXELS, MAX_SIDE, RenderError};

/// An opaque 8-bit sRGB picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue, alpha of each pixel; rows from the top, pixels from the left.
    pub rgba: Vec<u8>,
}

impl Image {
    pub(crate) fn check_size(width: u32, height: u32) -> Result<(), RenderError> {
        let sides = 1..=MAX_SIDE;
        let pixels = u64::from(width) * u64::from(height);
        if sides.contains(&width) && sides.contains(&height) && pixels <= MAX_PIXELS {
            Ok(())
        } else {
            Err(RenderError::ImageSize { width, height })
        }
    }

    /// Encodes the picture as a PNG marked as sRGB, without the alpha that all pixels have in common.
    pub fn write_png(&self, to: impl Write) -> Result<(), RenderError> {
        let mut encoder = png::Encoder::new(to, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        let rgb: Vec<u8> = self.rgba.chunks_exact(4).flat_map(|pixel| pixel[..3].iter().copied()).collect();
        writer.write_image_data(&rgb)?;
        writer.finish()?;
        Ok(())
    }

    /// Lays `light` over one pixel, 0 ≤ `alpha` ≤ 1; a pixel outside the picture is ignored.
    pub(crate) fn blend(&mut self, x: i64, y: i64, light: Light, alpha: f64) {
        let inside = (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y);
        if !inside || alpha <= 0.0 {
            return;
        }
        let start = (y as usize * self.width as usize + x as usize) * 4;
        let pixel = &mut self.rgba[start..start + 3];
        let below = Colour::rgb(pixel[0], pixel[1], pixel[2]).light();
        let mixed = Colour::from_light(below.lerp(&light, alpha as f32));
        pixel.copy_from_slice(&[mixed.r, mixed.g, mixed.b]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Image {
        Image { width: 3, height: 2, rgba: (0..24).map(|i| i * 10).collect() }
    }

    #[test]
    fn png_round_trip() {
        let image = sample();
        let mut bytes = Vec::new();
        image.write_png(&mut bytes).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (3, 2, png::ColorType::Rgb));
        let opaque: Vec<u8> = image.rgba.chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
        assert_eq!(rgb, opaque);
    }

    #[test]
    fn a_failing_writer_is_an_error() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        assert!(matches!(sample().write_png(Full), Err(RenderError::Png(_))));
    }

    #[test]
    fn blending_adds_light_not_bytes() {
        let mut image = Image { width: 1, height: 1, rgba: vec![0, 0, 0, 255] };
        image.blend(0, 0, Light::repeat(1.0), 0.5);
        image.blend(-1, 0, Light::repeat(1.0), 1.0);
        image.blend(0, 1, Light::repeat(1.0), 1.0);
        assert_eq!(image.rgba, [188, 188, 188, 255]);
    }
}
