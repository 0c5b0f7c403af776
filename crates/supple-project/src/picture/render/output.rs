//! Pictures on their way to a file: one, several on a sheet, or many that move. They are drawn in parallel, as many at a
//! time as there are threads, and written in their order.

use super::RenderFailed;
use super::camera::View;
use crate::picture::{Picture, VideoFormat, VideoWriter};
use rayon::prelude::*;
use std::path::Path;
use supple_model::Progress;
use supple_render::{Image, Sheet};

/// Frames from which the colours of a GIF are chosen.
const SAMPLES: usize = 6;

/// Draws pictures one after the other, and hands them on in their order.
fn each(
    count: usize,
    mut picture: impl FnMut(usize) -> Result<Picture, RenderFailed>,
    view: View<'_>,
    progress: &Progress,
    mut take: impl FnMut(usize, Image) -> Result<(), RenderFailed>,
) -> Result<(), RenderFailed> {
    let numbers: Vec<usize> = (0..count).collect();
    for batch in numbers.chunks(rayon::current_num_threads().max(1)) {
        progress.report("drawing", batch[0] as f64 / count as f64)?;
        let pictures: Vec<(usize, Picture)> =
            batch.iter().map(|k| Ok((*k, picture(*k)?))).collect::<Result<_, RenderFailed>>()?;
        let drawn = pictures.par_iter().map(|(k, picture)| view.draw(picture, *k));
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
    mut picture: impl FnMut(usize) -> Result<Picture, RenderFailed>,
    view: View<'_>,
    progress: &Progress,
) -> Result<(), RenderFailed> {
    let samples = if format == VideoFormat::Gif { SAMPLES.min(count) } else { 1 };
    let mut first = Vec::new();
    for k in 0..samples {
        progress.report("choosing colours", 0.0)?;
        let index = k * count / samples;
        first.push(view.draw(&picture(index)?, index)?);
    }
    let mut writer = VideoWriter::create(path, format, fps, &first.iter().collect::<Vec<_>>())?;
    drop(first);
    each(count, picture, view, &progress.part(0.05, 1.0), |_, image| Ok(writer.frame(&image)?))?;
    progress.check()?;
    Ok(writer.finish()?)
}

/// Puts pictures beside each other.
pub fn sheet(
    names: &[String],
    picture: impl FnMut(usize) -> Result<Picture, RenderFailed>,
    view: View<'_>,
    progress: &Progress,
) -> Result<Image, RenderFailed> {
    let mut sheet = Sheet::new();
    each(names.len(), picture, view, progress, |k, image| {
        sheet.push(image, names[k].clone());
        Ok(())
    })?;
    Ok(sheet.image()?)
}
