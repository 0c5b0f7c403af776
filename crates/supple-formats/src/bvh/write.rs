//! Writing `.bvh`.

use super::skeleton::{DEEPEST, LONGEST_NAME, MOST_JOINTS};
use crate::error::quoted;
use crate::{Channel, FormatError, Problem, RigClip, RigFile, RigJoint};
use std::borrow::Cow;
use std::io::{self, Write};

/// Writes a skeleton and one clip as BVH: offsets and the time between frames exactly, numbers of frames with six decimals.
///
/// Joints are written inside of each other, so they may come in another order, and the numbers of a frame with them. White
/// space, control characters and braces in names become `_`; the names of ends are lost, since they have none.
///
/// # Errors
/// What the format has no room for: no root or several, turns at rest, ends that move or on which something hangs, a channel
/// twice, no channels or frames, more joints or longer names than are read again, another number of values than channels; values that are not finite; those of `out`.
pub fn write_bvh(file: &RigFile, clip: &RigClip, mut out: impl Write) -> Result<(), FormatError> {
    check_joints(file)?;
    check_clip(clip, file.channel_count())?;
    let order = depth_first(&file.joints);
    write_joints(file, &order, &mut out).map_err(unwritable)?;
    let first = file.first_channels();
    let columns: Vec<usize> = order
        .iter()
        .flat_map(|(joint, _)| first[*joint]..first[*joint] + file.joints[*joint].channels.len())
        .collect();
    let (frames, seconds) = (clip.frames, clip.seconds_per_frame);
    writeln!(out, "MOTION\nFrames: {frames}\nFrame Time: {seconds}").map_err(unwritable)?;
    for row in clip.values.chunks_exact(columns.len()) {
        for (place, column) in columns.iter().enumerate() {
            out.write_all(if place == 0 { b"" } else { b" " }).map_err(unwritable)?;
            write_value(row[*column], &mut out)?;
        }
        out.write_all(b"\n").map_err(unwritable)?;
    }
    out.flush().map_err(unwritable)
}

/// Writes one number of a frame.
pub fn write_value(value: f64, out: &mut impl Write) -> Result<(), FormatError> {
    if !value.is_finite() {
        return Err(FormatError::whole_file(Problem::NotFinite(value.to_string())));
    }
    write!(out, "{value:.6}").map_err(unwritable)
}

fn unwritable(error: io::Error) -> FormatError {
    FormatError::whole_file(Problem::Unwritable(error))
}

fn refused(what: String) -> FormatError {
    FormatError::whole_file(Problem::Unsupported(what))
}

fn check_joints(file: &RigFile) -> Result<(), FormatError> {
    if file.joints.len() > MOST_JOINTS {
        return Err(refused(format!("a .bvh file of {} joints", file.joints.len())));
    }
    let roots = file.joints.iter().filter(|joint| joint.parent.is_none()).count();
    if roots != 1 {
        return Err(refused(format!("a .bvh file of {roots} roots")));
    }
    let mut depths = Vec::with_capacity(file.joints.len());
    for (index, joint) in file.joints.iter().enumerate() {
        let named = |what: &str| refused(format!("{what} in a .bvh file (joint {})", quoted(&joint.name)));
        let depth = match joint.parent {
            None if joint.end => return Err(named("an end without a joint")),
            None => 0,
            Some(parent) if parent >= index => return Err(named("a joint before its parent")),
            Some(parent) if file.joints[parent].end => return Err(named("a joint on an end")),
            Some(parent) => depths[parent] + 1,
        };
        if depth >= DEEPEST {
            return Err(named(&format!("a joint on more than {DEEPEST} others")));
        }
        depths.push(depth);
        if joint.name.len() > LONGEST_NAME && !joint.end {
            return Err(named(&format!("a name of more than {LONGEST_NAME} bytes")));
        }
        if joint.rest_rotation != RigJoint::NO_TURN {
            return Err(named("a turn at rest"));
        }
        if joint.end && !joint.channels.is_empty() {
            return Err(named("an end that moves"));
        }
        let is_wrong = |(place, channel): (usize, &Channel)| {
            let (Channel::Move(axis) | Channel::Turn(axis)) = *channel;
            axis > 2 || joint.channels[..place].contains(channel)
        };
        if joint.channels.iter().enumerate().any(is_wrong) {
            return Err(named("a channel twice, or one of no axis,"));
        }
        if joint.offset.iter().any(|x| !x.is_finite()) {
            return Err(named("an offset that is not finite"));
        }
    }
    Ok(())
}

fn check_clip(clip: &RigClip, channels: usize) -> Result<(), FormatError> {
    if channels == 0 || clip.frames == 0 {
        return Err(refused("a .bvh file without channels or frames".to_owned()));
    }
    let time = clip.seconds_per_frame;
    if !(time.is_finite() && time > 0.0 && time.recip().is_finite()) {
        return Err(refused(format!("a time of {time} seconds between frames")));
    }
    if clip.frames.checked_mul(channels) != Some(clip.values.len()) {
        let (culprit, reference) = ("the clip".to_owned(), format!("a clip of {} frames", clip.frames));
        let (found, expected) = (clip.values.len(), clip.frames.saturating_mul(channels));
        let problem = Problem::OtherCount { what: "values", culprit, found, reference, expected };
        return Err(FormatError::whole_file(problem));
    }
    Ok(())
}

/// All joints with their depth, each followed by what hangs on it.
fn depth_first(joints: &[RigJoint]) -> Vec<(usize, usize)> {
    let mut children = vec![Vec::new(); joints.len()];
    let mut waiting = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => waiting.push((index, 0)),
        }
    }
    let mut order = Vec::with_capacity(joints.len());
    while let Some((index, depth)) = waiting.pop() {
        order.push((index, depth));
        // Backwards in the list, so the first child is the next one to come.
        waiting.extend(children[index].iter().map(|child| (*child, depth + 1)));
    }
    order
}

fn write_joints(file: &RigFile, order: &[(usize, usize)], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "HIERARCHY")?;
    for (place, &(index, depth)) in order.iter().enumerate() {
        let joint = &file.joints[index];
        let tabs = "\t".repeat(depth);
        match joint.parent {
            _ if joint.end => writeln!(out, "{tabs}End Site")?,
            None => writeln!(out, "{tabs}ROOT {}", plain_name(&joint.name))?,
            Some(_) => writeln!(out, "{tabs}JOINT {}", plain_name(&joint.name))?,
        }
        let [x, y, z] = joint.offset;
        writeln!(out, "{tabs}{{\n{tabs}\tOFFSET {x} {y} {z}")?;
        if !joint.end {
            write!(out, "{tabs}\tCHANNELS {}", joint.channels.len())?;
            for channel in &joint.channels {
                match *channel {
                    Channel::Move(axis) => write!(out, " {}position", ["X", "Y", "Z"][axis])?,
                    Channel::Turn(axis) => write!(out, " {}rotation", ["X", "Y", "Z"][axis])?,
                }
            }
            writeln!(out)?;
        }
        let next = order.get(place + 1).map_or(0, |(_, depth)| *depth);
        for level in (next..=depth).rev() {
            writeln!(out, "{}}}", "\t".repeat(level))?;
        }
    }
    Ok(())
}

/// A name that every reader takes for one word.
fn plain_name(name: &str) -> Cow<'_, str> {
    let breaks = |c: char| c.is_whitespace() || c.is_control() || c == '{' || c == '}';
    match name {
        "" => "_".into(),
        _ if name.contains(breaks) => name.replace(breaks, "_").into(),
        _ => name.into(),
    }
}
