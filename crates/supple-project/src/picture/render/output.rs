//! Pictures on their way to a file: one, several on a sheet, or many that move. They are drawn in parallel, as many at a
//! time as there are threads, and written in their order.

use super::camera::Cameras;
use rayon::prelude::*;
use std::path::Path;
use supple_model::Progress;
use supple_project::picture::{Picture, VideoFormat, VideoWriter};
use supple_render::{Camera, Image, RenderError, Sheet, UpAxis};

/// Frames from which the colours of a GIF are chosen.
const SAMPLES: usize = 6;

/// Draws a picture with a camera of its own.
pub fn draw(
    picture: &Picture,
    camera: Camera,
    up: UpAxis,
    [width, height]: [u32; 2],
) -> Result<Image, RenderError> {
    picture.scene_from(camera, up).render(width, height)
}

/// Draws pictures one after the other, and hands them on in their order.
pub fn each(
    count: usize,
    mut picture: impl FnMut(usize) -> anyhow::Result<Picture>,
    (cameras, up, size): (&Cameras, UpAxis, [u32; 2]),
    progress: &Progress,
    mut take: impl FnMut(usize, Image) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let numbers: Vec<usize> = (0..count).collect();
    for batch in numbers.chunks(rayon::current_num_threads().max(1)) {
        progress.report("drawing", batch[0] as f64 / count as f64)?;
        let pictures: Vec<(usize, Picture)> =
            batch.iter().map(|k| Ok((*k, picture(*k)?))).collect::<anyhow::Result<_>>()?;
        let drawn = pictures.par_iter().map(|(k, picture)| draw(picture, cameras.at(*k), up, size));
        let images: Vec<Image> = drawn.collect::<Result<_, _>>()?;
        for (k, image) in batch.iter().zip(images) {
            take(*k, image)?;
        }
    }
    Ok(())
}

/// Writes a moving picture.
pub fn video(
    (path, format, fps): (&Path, VideoFormat, f64),
    count: usize,
    mut picture: impl FnMut(usize) -> anyhow::Result<Picture>,
    scene: (&Cameras, UpAxis, [u32; 2]),
    progress: &Progress,
) -> anyhow::Result<()> {
    let (cameras, up, size) = scene;
    let samples = if format == VideoFormat::Gif { SAMPLES.min(count) } else { 1 };
    let mut first = Vec::new();
    for k in 0..samples {
        progress.report("choosing colours", 0.0)?;
        let index = k * count / samples;
        first.push(draw(&picture(index)?, cameras.at(index), up, size)?);
    }
    let mut writer = VideoWriter::create(path, format, fps, &first.iter().collect::<Vec<_>>())?;
    drop(first);
    each(count, picture, scene, &progress.part(0.05, 1.0), |_, image| Ok(writer.frame(&image)?))?;
    progress.check()?;
    Ok(writer.finish()?)
}

/// Puts pictures beside each other.
pub fn sheet(
    names: &[String],
    picture: impl FnMut(usize) -> anyhow::Result<Picture>,
    scene: (&Cameras, UpAxis, [u32; 2]),
    progress: &Progress,
) -> anyhow::Result<Image> {
    let mut sheet = Sheet::new();
    each(names.len(), picture, scene, progress, |k, image| {
        sheet.push(image, names[k].clone());
        Ok(())
    })?;
    Ok(sheet.image()?)
}
