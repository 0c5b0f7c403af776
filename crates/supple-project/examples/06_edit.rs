//! Editing a motion: the tip of a swinging beam is pulled up at one frame, by hand and then exactly, and the whole
//! motion is written.

use std::error::Error;
use std::sync::Arc;
use supple_model::Progress;
use supple_project::shot::{Goal, Handle, Shot, Site, When};
use supple_project::{Body, Cache, Editor, MotionOutput, Sample};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = Sample::named("beam")?.write(folder.path())?;
    let mut shot = Shot::load(&path)?;
    shot.edit.handles.clear();
    let body = Arc::new(Body::load(&shot)?);
    let progress = Progress::silent();
    let mut editor = Editor::open(&shot, body.clone(), &Cache::of_shot(&path), &progress)?;

    let tip = Site::Group("right".into());
    let handle = editor.add(Handle::new(When::Frame(100), tip, Goal::By([0.0, 0.1, 0.0])))?;
    let shown = (100 - editor.start().0) as usize;
    editor.grab(handle, shown, &progress)?;
    for height in [0.2, 0.3, 0.4] {
        let step = editor.drag([0.0, height, 0.0], &progress)?;
        println!("pulled {height} m farther, it is {:.0e} m off", step.error);
    }
    editor.put_down()?;

    let out = folder.path().join("edited.pc2");
    let time = (editor.start(), editor.fps(), editor.frames());
    let mut output = MotionOutput::of_shot(&out, &shot, &body, editor.moving(), time)?;
    let report = editor.solve(&progress, |_, positions| Ok(output.write(positions, &[])?))?;
    let outcome = &report.handles[0];
    println!("let go: {:?}, asked for {:.2} m, {:.0e} m off", report.status, outcome.asked, outcome.error);
    println!("{} frames written", output.finish()?.frames);
    Ok(())
}
