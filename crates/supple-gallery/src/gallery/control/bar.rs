//! The bar of rubber of several figures: 400 N pull its end up, then sideways; two poses, 60 frames each.

use crate::gallery::workshop::Workshop;
use supple_project::shot::{
    Control, ControlBasis, Damping, Ends, Load, Method, Pose, Push, SecondsPerFrame, Shot, Site,
};

/// The sample.
pub const BAR: &str = "bar";
/// The frames of both poses, counted from 0.
pub const POSES: [usize; 2] = [60, 120];
/// Newtons.
pub const FORCE: f64 = 400.0;
/// Modes besides the poses.
pub const MODES: usize = 6;

/// The shot, with a basis.
pub fn shot(workshop: &Workshop, basis: ControlBasis) -> anyhow::Result<Shot> {
    let mut shot = workshop.still(BAR, POSES[1] + 1)?;
    shot.edit.choose(Method::Control);
    shot.edit.ends = Ends::default();
    shot.edit.damping = Some(Damping { mass: 0.2, stiffness: 0.003 });
    shot.edit.set_control_settings(&Control { basis, ..Control::default() })?;
    shot.motion.fps = Some(24.0);
    shot.motion.seconds_per_frame = SecondsPerFrame::Auto;
    let pose = |frame: usize, force: [f64; 3]| -> anyhow::Result<Pose> {
        let load =
            Load { site: Site::Group("right".into()), push: Push::Force(force), frames: None, stage: None };
        Ok(Pose { file: None, loads: vec![load], ..Pose::of_file(1 + i32::try_from(frame)?, "") })
    };
    shot.edit.poses = vec![pose(POSES[0], [0.0, FORCE, 0.0])?, pose(POSES[1], [0.0, 0.0, FORCE])?];
    Ok(shot)
}
