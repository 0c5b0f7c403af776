//! From a scene to a picture: project, cover and shade band by band, then annotate.

use rayon::prelude::*;

use crate::clip::{Clipper, SUBPIXELS, ScreenTriangle};
use crate::colour::{Colour, Light};
use crate::error::RenderError;
use crate::image::Image;
use crate::legend;
use crate::markers;
use crate::raster::{BAND_ROWS, Band, NOTHING, OFFSETS, Pixel, SAMPLES};
use crate::scene::Scene;
use crate::shade::Studio;
use crate::surface::{Scenery, Surface};
use crate::text::Text;

impl Scene<'_> {
    /// The picture of the scene, `width` x `height` pixels.
    pub fn render(&self, width: u32, height: u32) -> Result<Image, RenderError> {
        Image::check_size(width, height)?;
        self.check()?;
        let projection = self.camera.projection(width, height)?;
        let mut first_id = 0;
        let surfaces: Vec<Surface<'_>> = self
            .objects
            .iter()
            .map(|object| {
                let surface = Surface::new(object, first_id, &projection, &self.style);
                first_id += object.triangles.len() as u32;
                surface
            })
            .collect();
        let clipper = Clipper::new(projection.near, width, height);
        let chunks =
            surfaces.iter().flat_map(|surface| surface.screen_triangles(&clipper)).map(Chunk::new).collect();
        let [top, bottom] = self.style.background;
        let painter = Painter {
            surfaces,
            chunks,
            scenery: Scenery { projection, studio: Studio::new(&projection, &self.style.sky) },
            background: self.style.background.map(Colour::light),
            background_steps: f64::from(top.g.abs_diff(bottom.g).max(1)),
            width,
            height,
        };
        let (mut image, depth) = painter.paint();
        markers::draw(&mut image, &depth, &self.markers, &projection);
        legend::draw(&mut image, self);
        let text = Text::for_picture(height, &self.style);
        let margin = text.cap_height * 1.6;
        for (line, words) in self.caption.lines().enumerate() {
            text.draw(&mut image, words, margin, margin + text.line_height() * line as f64);
        }
        Ok(image)
    }
}

/// Bayer's ordering of a 4 x 4 square: any first few are spread evenly.
const ORDERED: [[f64; 4]; 4] =
    [[0.0, 8.0, 2.0, 10.0], [12.0, 4.0, 14.0, 6.0], [3.0, 11.0, 1.0, 9.0], [15.0, 7.0, 13.0, 5.0]];

/// Consecutive screen triangles with the rows they touch, so that bands can pass them over.
struct Chunk {
    triangles: Vec<ScreenTriangle>,
    rows: (i32, i32),
}

impl Chunk {
    fn new(triangles: Vec<ScreenTriangle>) -> Self {
        let rows = triangles
            .iter()
            .map(|triangle| triangle.span(1))
            .fold((i32::MAX, i32::MIN), |rows, (top, bottom)| (rows.0.min(top), rows.1.max(bottom)));
        Self { triangles, rows }
    }
}

struct Painter<'a> {
    surfaces: Vec<Surface<'a>>,
    chunks: Vec<Chunk>,
    scenery: Scenery,
    /// Top and bottom.
    background: [Light; 2],
    /// How many steps of brightness lie between.
    background_steps: f64,
    width: u32,
    height: u32,
}

impl Painter<'_> {
    /// The surfaces on the background, and per pixel the farthest `near / w` among its samples.
    fn paint(&self) -> (Image, Vec<f32>) {
        let (width, height) = (self.width as usize, self.height as usize);
        let mut rgba = vec![255; width * height * 4];
        let mut depth = vec![0.0; width * height];
        rgba.par_chunks_mut(width * BAND_ROWS * 4)
            .zip(depth.par_chunks_mut(width * BAND_ROWS))
            .enumerate()
            .for_each_init(
                || Band::new(self.width),
                |band, (index, (rgba, depth))| {
                    self.cover(band, index * BAND_ROWS, depth.len() / width);
                    for (i, pixel) in band.pixels().iter().enumerate() {
                        let colour =
                            Colour::from_light(self.resolve(pixel, i % width, index * BAND_ROWS + i / width));
                        rgba[i * 4..i * 4 + 3].copy_from_slice(&[colour.r, colour.g, colour.b]);
                        depth[i] = pixel.depth.iter().copied().fold(1.0, f32::min);
                    }
                },
            );
        (Image { width: self.width, height: self.height, rgba }, depth)
    }

    fn cover(&self, band: &mut Band, first_row: usize, rows: usize) {
        band.clear(first_row, rows);
        let (top, bottom) = (first_row as i32, (first_row + rows - 1) as i32);
        let touched = |(first, last): (i32, i32)| first <= bottom && last >= top;
        for chunk in self.chunks.iter().filter(|chunk| touched(chunk.rows)) {
            for triangle in chunk.triangles.iter().filter(|triangle| touched(triangle.span(1))) {
                band.draw(triangle);
            }
        }
    }

    /// The mean light of a pixel: each triangle in it is shaded once, amid its samples.
    fn resolve(&self, pixel: &Pixel, column: usize, row: usize) -> Light {
        let centre = (column as f64 + 0.5, row as f64 + 0.5);
        let first = pixel.triangle[0];
        if pixel.triangle.iter().all(|&id| id == first) {
            return self.light_at(first, centre.0, centre.1);
        }
        let mut light = Light::zeros();
        for (s, &id) in pixel.triangle.iter().enumerate() {
            if pixel.triangle[..s].contains(&id) {
                continue;
            }
            let (mut count, mut offset) = (0.0, [0, 0]);
            for (_, [x, y]) in pixel.triangle.iter().zip(OFFSETS).filter(|(other, _)| **other == id) {
                count += 1.0;
                offset = [offset[0] + x, offset[1] + y];
            }
            let [x, y] = offset.map(|sum| f64::from(sum) / (count * f64::from(SUBPIXELS)));
            light += self.light_at(id, centre.0 + x, centre.1 + y) * (count as f32 / SAMPLES as f32);
        }
        light
    }

    fn light_at(&self, id: u32, x: f64, y: f64) -> Light {
        if id == NOTHING {
            return self.background_at(x, y);
        }
        let after = self.surfaces.partition_point(|surface| surface.first_id() <= id);
        let scale = f64::from(self.height) / 720.0;
        self.surfaces[after - 1].light_at(id, x, y, scale, &self.scenery)
    }

    /// A gradient from top to bottom; each pixel is moved up or down by up to half a step of
    /// brightness in a fixed pattern, because bands of equal bytes would be seen.
    fn background_at(&self, x: f64, y: f64) -> Light {
        let threshold = ORDERED[y as usize % 4][x as usize % 4] / 16.0 - 15.0 / 32.0;
        let down = y / f64::from(self.height) + threshold / self.background_steps;
        self.background[0].lerp(&self.background[1], down.clamp(0.0, 1.0) as f32)
    }
}
