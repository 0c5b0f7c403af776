//! Editing a motion: the tip of a swinging beam is pulled up at one frame, by hand and then exactly, and the whole
//! motion is written.

use std::error::Error;
use std::sync::Arc;
use supple_model::Progress;
use supple_project::shot::{Goal, Handle, Shot, Site, When};
use supple_project::{Body, Cache, DragMethod, Sample, WriteOptions, solve_into};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = Sample::named("beam")?.write(folder.path())?;
    let mut shot = Shot::load(&path)?;
    shot.edit.handles.clear();
    let body = Arc::new(Body::load(&shot)?);
    let progress = Progress::silent();
    let mut drag = DragMethod::open(&shot, body, &Cache::of_shot(&path), &progress)?;

    let tip = Site::Group("right".into());
    let handle = drag.add(Handle::new(When::Frame(100), tip, Goal::By([0.0, 0.1, 0.0])))?;
    let shown = (100 - drag.clock().start.0) as usize;
    drag.grab(handle, shown, &progress)?;
    for height in [0.2, 0.3, 0.4] {
        let step = drag.drag([0.0, height, 0.0], &progress)?;
        println!("pulled {height} m farther, it is {:.0e} m off", step.error);
    }
    drag.put_down()?;

    let out = folder.path().join("edited.pc2");
    let solved = solve_into(&out, &shot, &mut drag, &WriteOptions::default(), &progress)?;
    let (report, outcome) = (&solved.report, &solved.report.handles[0]);
    println!(
        "let go: {}, asked for {:.2} m, {:.0e} m off",
        report.status.name(),
        outcome.asked,
        outcome.error
    );
    println!("{} frames written", solved.written.frames);
    Ok(())
}
