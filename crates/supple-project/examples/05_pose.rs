//! Static poses: a block that stands on its base is pushed at its top, first gently, then ten times as hard.

use std::error::Error;
use supple_model::Progress;
use supple_project::shot::{Load, Push, Shot, Site};
use supple_project::{Body, Moving, Sample, pose, save_pose};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut shot = Shot::load(&Sample::named("block")?.write(folder.path())?)?;
    let body = Body::load(&shot)?;
    for newtons in [100.0, 1000.0] {
        let site = Site::Group("top".into());
        shot.loads = vec![Load { site, push: Push::Force([newtons, 0.0, 0.0]), frames: None, stage: None }];
        let outcome = pose(&shot, &body, false, &Progress::silent())?;

        let moved = outcome.positions.iter().zip(body.positions()).map(|(now, rest)| now[0] - rest.x);
        let farthest = moved.fold(0.0, f64::max);
        let stage = &outcome.stages[0];
        println!("{newtons} N push it {farthest:.3} m, in {} Newton iterations", stage.iterations);
        // The anchors bear what the top is pushed with.
        let borne: f64 = stage.reactions.iter().map(|(_, force)| force.x).sum();
        println!("the base holds against it with {borne:.1} N");

        let file = folder.path().join(format!("pushed-{newtons}.obj"));
        let vertices = save_pose(&file, &body, Moving::Skin, &outcome.positions)?;
        println!("{vertices} vertices of its skin written");
    }
    Ok(())
}
