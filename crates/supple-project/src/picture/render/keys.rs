//! Pictures of the keys of a motion, side by side, each where it is: the camera goes along.

use super::answer::handle_errors;
use super::camera::{Cameras, View};
use super::{FloorOptions, Refusal, RenderAnswer, RenderFailed, Task, output};
use crate::picture::keys::{KeyPicture, along, around, key_pictures};
use crate::picture::{Drawn, Picture, save_png};
use crate::shot::Shot;
use supple_model::Progress;
use supple_render::UpAxis;

/// Draws them.
pub fn draw(task: &Task<'_>, progress: &Progress) -> Result<RenderAnswer, RenderFailed> {
    let options = task.options;
    let (film, shot) = task.open_shot(progress)?;
    let drawn = options.drawn.unwrap_or(Drawn::Skin);
    let keys = film.method().map(|method| key_pictures(method, drawn)).unwrap_or_default();
    if keys.is_empty() {
        return Err(Refusal::NoEdits { option: "--keys" }.of(task.file));
    }
    let (up, size) = (options.up(), task.size());
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    // A camera that is given stays where it is.
    let ways = if options.camera.given.is_some() { Vec::new() } else { along(&keys, up) };
    let cameras = Cameras::new(&options.camera, up, &around(&keys, &ways), aspect, keys.len());
    let cameras = cameras.going_along(ways);
    let view = View { cameras: &cameras, up, size };
    let names: Vec<String> = keys.iter().map(|key| key.name.clone()).collect();
    let floor = floor(task, &shot, &keys);
    let tile = |k: usize| {
        let mut key = keys[k].clone();
        key.picture.wireframe = options.wireframe;
        if let Some(height) = floor {
            key.stand_on(height);
        }
        Ok(key.picture)
    };
    let image = output::sheet(&names, tile, view, &progress.part(0.6, 1.0))?;
    save_png(&image, task.output)?;
    Ok(RenderAnswer {
        width: image.width,
        height: image.height,
        triangles: film
            .method()
            .map_or(0, |method| Picture::of_body(method.about().subject, drawn).triangles()),
        edited: true,
        frames: keys.iter().map(|key| key.time.round() as i32).collect(),
        handles: handle_errors(&film),
        ..task.answer()
    })
}

/// What they stand on: what is asked for, else the floor of the shot.
fn floor(task: &Task<'_>, shot: &Shot, keys: &[KeyPicture]) -> Option<f64> {
    let axis = if task.options.up() == UpAxis::Z { 2 } else { 1 };
    let lowest = || keys.iter().map(|key| key.body.min[axis]).fold(f64::INFINITY, f64::min);
    let of_shot = shot.simulate.floor.as_ref().map(|floor| floor.height);
    task.options.floor.height(lowest).or(of_shot.filter(|_| task.options.floor == FloorOptions::OfShot))
}
