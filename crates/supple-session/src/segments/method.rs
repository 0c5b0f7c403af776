//! Another method for a shot.

use super::change::end_segments;
use supple_model::Clock;
use supple_project::Shot;
use supple_project::shot::Method;

/// Chooses a method for a shot whose frames are these; answers what it does not use and the shot had, in words. A motion
/// of one segment stays as long as it was, with its keys; several go with theirs.
pub fn choose_method(shot: &mut Shot, method: Method, clock: Clock) -> Vec<&'static str> {
    let has_segments = matches!(method, Method::Sparse | Method::Control);
    if !has_segments && !shot.edit.segments.is_empty() {
        end_segments(shot, clock);
        shot.motion.frames = Some(shot.motion.frames.unwrap_or(clock.frames).max(1));
    }
    let mut dropped: Vec<&str> = shot.edit.choose(method).into_iter().map(in_words).collect();
    // A table that another method kept unread would make a shot that cannot be read.
    let unread = match method {
        Method::Sparse if shot.edit.sparse_settings().is_err() => shot.edit.sparse.take(),
        Method::Control if shot.edit.control_settings().is_err() => shot.edit.control.take(),
        Method::Material if has_too_many_shapes(shot) => shot.edit.material.take(),
        _ => None,
    };
    if unread.is_some() {
        dropped.push("solver settings, which cannot be read");
    }
    dropped
}

/// Whether the table of `material` cannot be read, or asks for more shapes than there are modes.
fn has_too_many_shapes(shot: &Shot) -> bool {
    let own = shot.edit.material_settings();
    own.map_or(true, |own| own.shapes.is_some_and(|shapes| shapes > shot.edit.modes))
}

/// What a key of `[edit]` is called in the window.
#[must_use]
pub fn in_words(key: &'static str) -> &'static str {
    match key {
        "part" => "affected region",
        "warp" => "preserve shape",
        "exact" => "exact handles",
        "weight" => "weight on the ground",
        "pose" => "key poses",
        "segment" => "segments and their handles",
        "layer" => "layers",
        "frame" => "times between frames (now at the nearest frame)",
        "hold" => "hard hold on every vertex (now soft)",
        "turn" => "offsets of rotated handles",
        "components" => "components of poses",
        "end" => "ends of segments",
        "flight" => "flights (now on the ground)",
        "modes" => "number of modes",
        "fade" | "space" | "wiggle_free" => "settings of a lively feel",
        // The others are called there as here.
        other => other,
    }
}
