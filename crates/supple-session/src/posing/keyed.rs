//! Poses of a shot: moved in time, and told in a line.

use supple_project::shot::{At, Hold, Pose, Shot, When};

/// Moves a pose to another time: by so many frames from where it is, of its segment or of the scene, no farther than those go.
pub fn retime_pose(shot: &mut Shot, place: usize, by: f64, [first, last]: [f64; 2]) {
    let Some(pose) = shot.edit.pose_mut(place) else { return };
    let by = by.round();
    pose.when = match &pose.when {
        When::Frame(frame) => When::Frame((f64::from(*frame) + by).clamp(first, last) as i32),
        When::Between(time) => When::at_time((time + by).clamp(first, last)),
        When::Frames(frames) => {
            let (start, end) = (f64::from(*frames.start()), f64::from(*frames.end()));
            let by = by.min(last - end).max(first - start) as i32;
            When::Frames(frames.start() + by..=frames.end() + by)
        }
        When::At(at) => {
            let length = last - first;
            let frames = match at {
                At::End => length,
                At::Frames(frames) => *frames,
            };
            match (frames + by).max(0.0) {
                frames if frames > length - 0.5 => When::At(At::End),
                frames => When::At(At::Frames(frames)),
            }
        }
    };
}

/// What a pose is, in a line.
#[must_use]
pub fn pose_words(pose: &Pose) -> String {
    let count = |count: usize, one: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {one}s")),
    };
    let from = match &pose.file {
        Some(file) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        None => {
            let parts = [count(pose.loads.len(), "load"), count(pose.pins.len(), "pin")];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
    };
    let group = pose.group.as_ref().map_or(String::new(), |group| format!(" · group {group}"));
    let hold = if let Hold::Soft(hold) = pose.hold { format!(" · soft {hold}") } else { String::new() };
    format!("{} · {from}{group}{hold}", pose.when)
}
