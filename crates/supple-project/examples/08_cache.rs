//! The cache: modes are computed once and found again by content, whatever the file is called; deleting it loses nothing.

use std::error::Error;
use supple_model::Progress;
use supple_project::{Body, Cache, Sample, Shot, prepare_modes};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = Sample::named("bar")?.write(folder.path())?;
    // Beside the shot as `Cache::of_shot(&path)`, and there alone.
    let cache = Cache::in_folders([path.with_extension("cache")]);
    let mut shot = Shot::load(&path)?;
    let prepare = |shot: &Shot, count: usize, what: &str| -> Result<(), Box<dyn Error>> {
        let body = Body::load(shot)?;
        let prepared = prepare_modes(&body, count, &cache, &Progress::silent())?;
        let how = if prepared.from_cache { "read" } else { "computed" };
        println!("{what}: {how}, the first at {:.2} Hz", prepared.modes.frequency(0));
        Ok(())
    };

    prepare(&shot, 20, "20 modes")?;
    prepare(&shot, 20, "again")?;
    prepare(&shot, 5, "fewer")?;
    if let Some(material) = &mut shot.body.material {
        material.young *= 4.0;
    }
    prepare(&shot, 20, "stiffer")?;

    for entry in cache.list()? {
        println!("{}: {} bytes", entry.kind, entry.bytes);
    }
    println!("{} entries cleared", cache.clear()?.entries);
    Ok(())
}
