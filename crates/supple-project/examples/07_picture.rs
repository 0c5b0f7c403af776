//! Pictures without a window: a mode of a bar coloured by strain, and the motion of a beam before and after its edit.

use std::error::Error;
use std::sync::Arc;
use supple_model::Progress;
use supple_project::picture::{Colouring, Drawn, Film, Picture, Side, save_png, scaled};
use supple_project::{Body, Cache, Sample, Shot, prepare_modes};
use supple_render::{UpAxis, View};

const SIZE: [u32; 2] = [320, 180];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let progress = Progress::silent();
    let draw = |picture: &Picture, name: &str| -> Result<(), Box<dyn Error>> {
        let scene = picture.scene(View::Front, UpAxis::Y, f64::from(SIZE[0]) / f64::from(SIZE[1]));
        let file = folder.path().join(name);
        save_png(&scene.render(SIZE[0], SIZE[1])?, &file)?;
        println!("{name}: {} triangles, {} bytes", picture.triangles(), std::fs::metadata(&file)?.len());
        Ok(())
    };

    let bar = Sample::named("bar")?.write(&folder.path().join("bar"))?;
    let body = Body::load(&Shot::load(&bar)?)?;
    let modes = prepare_modes(&body, 3, &Cache::of_shot(&bar), &progress)?.modes;
    let u = scaled(&body, modes.displacement(2), 0.2);
    draw(&Picture::of_displaced(&body, Drawn::Skin, &u, Colouring::Strain), "mode.png")?;

    let beam = Sample::named("beam")?.write(&folder.path().join("beam"))?;
    let shot = Shot::load(&beam)?;
    let body = Arc::new(Body::load(&shot)?);
    let mut film = Film::of_edit(&shot, body, &Cache::of_shot(&beam), Drawn::Skin, &progress)?;
    for (side, name) in [(Side::Input, "before.png"), (Side::Output, "after.png")] {
        draw(&film.picture(99, side, None)?, name)?;
    }
    Ok(())
}
