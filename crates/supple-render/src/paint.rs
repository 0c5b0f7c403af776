//! Surfaces on their background, band by band.
//!
//! Solid surfaces share one depth per sample. Each translucent surface is a layer of its own: first
//! its nearest triangle at each sample is found, as if it were alone and solid, then those samples
//! that no solid surface hides are shaded and averaged to one fragment per pixel. A pixel's
//! fragments are laid over it from far to near,
//!
//! ```text
//! mixed = ((1 - o) √light + o √fragment)²,     light ← (1 - s) light + s mixed
//! ```
//!
//! with `o` the opacity and `s` the share of the samples that are seen. The roots are about how
//! bright things look: mixed in linear light, a ghost before a bright background would be pale.
//! So a ghost shows what is behind it but not its own far side, and the order of the objects does
//! not matter.

use rayon::prelude::*;

use crate::clip::{Clipper, SUBPIXELS, ScreenTriangle};
use crate::colour::{Colour, Light};
use crate::image::Image;
use crate::raster::{BAND_ROWS, Band, FLOOR, NOTHING, OFFSETS, Pixel, SAMPLES};
use crate::style::Style;
use crate::surface::{Scenery, Surface};

/// Bayer's ordering of a 4 x 4 square: any first few are spread evenly.
const ORDERED: [[f64; 4]; 4] =
    [[0.0, 8.0, 2.0, 10.0], [12.0, 4.0, 14.0, 6.0], [3.0, 11.0, 1.0, 9.0], [15.0, 7.0, 13.0, 5.0]];

/// A ghost must be nearer than a solid surface by this share of its distance to be seen before it:
/// where the two coincide the solid one is seen, without speckles.
const COINCIDENCE: f32 = 5e-4;

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

/// A translucent surface.
struct Layer {
    chunks: Vec<Chunk>,
    opacity: f32,
}

/// What a pixel shows of a layer.
#[derive(Clone, Copy)]
struct Fragment {
    light: Light,
    opacity: f32,
    /// Share of the pixel's samples where it is seen.
    share: f32,
    /// `near / w` of its nearest sample.
    depth: f32,
}

/// Memory for one band at a time.
struct Scratch {
    solid: Band,
    layer: Band,
    /// One for each pixel of the band and layer in it.
    fragments: Vec<Fragment>,
    /// Those of one pixel.
    seen: Vec<Fragment>,
}

pub(crate) struct Painter<'a> {
    surfaces: Vec<Surface<'a>>,
    solid: Vec<Chunk>,
    layers: Vec<Layer>,
    scenery: Scenery,
    /// Top and bottom.
    background: [Light; 2],
    /// How many steps of brightness lie between.
    background_steps: f64,
    width: u32,
    height: u32,
}

impl<'a> Painter<'a> {
    pub fn new(
        surfaces: Vec<Surface<'a>>,
        scenery: Scenery,
        clipper: &Clipper,
        style: &Style,
        [width, height]: [u32; 2],
    ) -> Self {
        let [top, bottom] = style.background;
        let (mut solid, mut layers) = (Vec::new(), Vec::new());
        for surface in &surfaces {
            let chunks = surface.screen_triangles(clipper).into_iter().map(Chunk::new);
            if surface.opacity() >= 1.0 {
                solid.extend(chunks);
            } else if surface.opacity() > 0.0 {
                layers.push(Layer { chunks: chunks.collect(), opacity: surface.opacity() });
            }
        }
        if let Some(ground) = &scenery.ground {
            solid.push(Chunk::new(ground.screen_triangles(&scenery.projection, clipper)));
        }
        Self {
            surfaces,
            solid,
            layers,
            scenery,
            background: style.background.map(Colour::light),
            background_steps: f64::from(top.g.abs_diff(bottom.g).max(1)),
            width,
            height,
        }
    }

    /// The picture, and per pixel the farthest `near / w` of solid surfaces among its samples.
    pub fn paint(&self) -> (Image, Vec<f32>) {
        let (width, height) = (self.width as usize, self.height as usize);
        let mut rgba = vec![255; width * height * 4];
        let mut depth = vec![0.0; width * height];
        let scratch = || Scratch {
            solid: Band::new(self.width),
            layer: Band::new(if self.layers.is_empty() { 0 } else { self.width }),
            fragments: Vec::new(),
            seen: Vec::new(),
        };
        rgba.par_chunks_mut(width * BAND_ROWS * 4)
            .zip(depth.par_chunks_mut(width * BAND_ROWS))
            .enumerate()
            .for_each_init(scratch, |scratch, (index, (rgba, depth))| {
                let (first_row, rows) = (index * BAND_ROWS, depth.len() / width);
                cover(&mut scratch.solid, &self.solid, first_row, rows);
                let layers = self.fragments(scratch, first_row, rows);
                for (i, pixel) in scratch.solid.pixels().iter().enumerate() {
                    let mut light = self.solid_light(pixel, i % width, first_row + i / width);
                    if layers > 0 {
                        let fragments = &scratch.fragments[i * layers..(i + 1) * layers];
                        lay_over(&mut light, fragments, &mut scratch.seen);
                    }
                    let colour = Colour::from_light(light);
                    rgba[i * 4..i * 4 + 3].copy_from_slice(&[colour.r, colour.g, colour.b]);
                    depth[i] = pixel.depth.iter().copied().fold(1.0, f32::min);
                }
            });
        (Image { width: self.width, height: self.height, rgba }, depth)
    }

    /// Fills the fragments of a band whose solid surfaces are drawn; returns how many layers
    /// reach into it.
    fn fragments(&self, scratch: &mut Scratch, first_row: usize, rows: usize) -> usize {
        let width = self.width as usize;
        let reaches = |layer: &&Layer| layer.chunks.iter().any(|chunk| touches(chunk.rows, first_row, rows));
        let count = self.layers.iter().filter(reaches).count();
        scratch.fragments.clear();
        let nothing = Fragment { light: Light::zeros(), opacity: 0.0, share: 0.0, depth: 0.0 };
        scratch.fragments.resize(count * rows * width, nothing);
        for (place, layer) in self.layers.iter().filter(reaches).enumerate() {
            cover(&mut scratch.layer, &layer.chunks, first_row, rows);
            let pixels = scratch.layer.pixels().iter().zip(scratch.solid.pixels());
            for (i, (pixel, solid)) in pixels.enumerate() {
                if pixel.triangle != [NOTHING; SAMPLES] {
                    let fragment = &mut scratch.fragments[i * count + place];
                    *fragment = self.fragment(pixel, solid, i % width, first_row + i / width);
                    fragment.opacity = layer.opacity;
                }
            }
        }
        count
    }

    fn fragment(&self, pixel: &Pixel, solid: &Pixel, column: usize, row: usize) -> Fragment {
        let seen: [u32; SAMPLES] = std::array::from_fn(|s| {
            let nearer = pixel.depth[s] > solid.depth[s] * (1.0 + COINCIDENCE);
            if nearer { pixel.triangle[s] } else { NOTHING }
        });
        let (mut light, mut total) = (Light::zeros(), 0.0);
        for (id, share, x, y) in shares(&seen, column, row).filter(|(id, ..)| *id != NOTHING) {
            light += self.light_at(id, x, y) * share;
            total += share;
        }
        let light = if total > 0.0 { light / total } else { light };
        let depth = pixel.depth.iter().copied().fold(0.0, f32::max);
        Fragment { light, opacity: 1.0, share: total, depth }
    }

    /// The mean light of a pixel: each triangle in it is shaded once, amid its samples.
    fn solid_light(&self, pixel: &Pixel, column: usize, row: usize) -> Light {
        let first = pixel.triangle[0];
        if pixel.triangle.iter().all(|&id| id == first) {
            return self.light_at(first, column as f64 + 0.5, row as f64 + 0.5);
        }
        let parts = shares(&pixel.triangle, column, row);
        parts.fold(Light::zeros(), |light, (id, share, x, y)| light + self.light_at(id, x, y) * share)
    }

    fn light_at(&self, id: u32, x: f64, y: f64) -> Light {
        if id == NOTHING {
            return self.background_at(x, y);
        }
        if id == FLOOR {
            let background = self.background_at(x, y);
            return match &self.scenery.ground {
                Some(ground) => ground.light_over(background, x, y, &self.scenery),
                None => background,
            };
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

fn touches((first, last): (i32, i32), first_row: usize, rows: usize) -> bool {
    first <= (first_row + rows - 1) as i32 && last >= first_row as i32
}

/// Draws into a band what reaches it.
fn cover(band: &mut Band, chunks: &[Chunk], first_row: usize, rows: usize) {
    band.clear(first_row, rows);
    for chunk in chunks.iter().filter(|chunk| touches(chunk.rows, first_row, rows)) {
        for triangle in chunk.triangles.iter().filter(|triangle| touches(triangle.span(1), first_row, rows)) {
            band.draw(triangle);
        }
    }
}

/// The different ids in a pixel, each with its share of the samples and the point amid them.
fn shares(ids: &[u32; SAMPLES], column: usize, row: usize) -> impl Iterator<Item = (u32, f32, f64, f64)> {
    let different = ids.iter().enumerate().filter(|(s, id)| !ids[..*s].contains(id));
    different.map(move |(_, &id)| {
        let (mut count, mut offset) = (0.0, [0, 0]);
        for (_, [x, y]) in ids.iter().zip(OFFSETS).filter(|(other, _)| **other == id) {
            count += 1.0;
            offset = [offset[0] + x, offset[1] + y];
        }
        let [x, y] = offset.map(|sum| f64::from(sum) / (count * f64::from(SUBPIXELS)));
        (id, count as f32 / SAMPLES as f32, column as f64 + 0.5 + x, row as f64 + 0.5 + y)
    })
}

/// Lays fragments over a light, far ones first.
fn lay_over(light: &mut Light, fragments: &[Fragment], seen: &mut Vec<Fragment>) {
    seen.clear();
    seen.extend(fragments.iter().filter(|fragment| fragment.share > 0.0));
    // Stable: of two at the same depth the later object lies over the earlier one.
    seen.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    for fragment in seen.iter() {
        let root = |light: &Light| light.map(|l| l.max(0.0).sqrt());
        let mixed = root(light).lerp(&root(&fragment.light), fragment.opacity).map(|l| l * l);
        *light = light.lerp(&mixed, fragment.share);
    }
}
