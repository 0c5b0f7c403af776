//! Forward simulation: a soft bar sags under its weight and swings, frame by frame, into a motion file.

use std::error::Error;
use supple_model::Progress;
use supple_project::shot::{Input, Shot};
use supple_project::{Body, MotionOutput, Moving, Sample, Simulator};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut shot = Shot::load(&Sample::named("bar")?.write(folder.path())?)?;
    shot.motion.input = Input::Simulate;
    shot.motion.frames = Some(12);
    shot.simulate.gravity = [0.0, -9.81, 0.0];

    let body = Body::load(&shot)?;
    let tip = body.positions().len() - 1;
    let out = folder.path().join("bar.pc2");
    let clock = shot.motion.clock();
    let mut output = MotionOutput::of_shot(&out, &shot, &body, Moving::Body, clock)?;

    let progress = Progress::silent();
    let report = Simulator::new(&shot, &body, &progress)?.run(
        |frame| {
            println!("frame {:2}: the tip is at y = {:6.3} m", frame.frame.0, frame.positions[tip][1]);
            Ok(output.write(frame.positions, frame.contacts)?)
        },
        &progress,
    )?;
    let written = output.finish()?;
    println!("{} time steps, {} Newton iterations", report.steps, report.iterations);
    println!("{} frames in {} bytes", written.frames, std::fs::metadata(&out)?.len());
    Ok(())
}
