//! Formats: the flight of a gull goes from a point cache to glTF and from there to a series of OBJ files, a frame at a time.

use std::error::Error;
use supple_formats::{is_motion_path, open_motion};
use supple_model::Progress;
use supple_project::shot::Input;
use supple_project::{Conversion, MotionFile, Sample, Shot};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let shot = Shot::load(&Sample::named("bird")?.write(folder.path())?)?;
    let Input::File(flight) = &shot.motion.input else { return Err("a gull that does not fly".into()) };
    let Some(skin) = &shot.body.skin else { return Err("a gull without feathers".into()) };
    let progress = Progress::silent();

    // A point cache has no faces: they are those of the skin.
    let file = MotionFile {
        path: shot.resolve(flight),
        topology: Some(shot.resolve(&skin.mesh)),
        ..MotionFile::default()
    };
    let scene = folder.path().join("flight.glb");
    let converted = Conversion { file, ..Conversion::default() }.write(&scene, &progress)?;
    println!("{}: {} vertices, {} frames", converted.object, converted.vertices, converted.frames);

    let file = MotionFile { path: scene, ..MotionFile::default() };
    let series = folder.path().join("gull.####.obj");
    Conversion { file, start: Some(1001), fps: None }.write(&series, &progress)?;
    println!("a series: {}", is_motion_path(&series));
    let read = open_motion(&series)?;
    println!("{} frames from {:?} on", read.frames(), read.info().start_frame());
    Ok(())
}
