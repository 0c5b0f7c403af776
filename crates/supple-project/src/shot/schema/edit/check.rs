//! What keys of `[edit]` cannot tell alone: handles under the method of the shot, and segments in a row.

use super::{Edit, Ends, Expert, Goal, Handle, Hold, Method, Move, OF_TIMES, Pose, Segment, Together, When};
use super::{Length, joints, layer, methods};
use crate::shot::describe::*;

/// Frames of a flight that a method without flights makes a segment on the ground.
const FLIGHT: f64 = 24.0;

/// The energy of `material` is that of forces alone.
pub(super) fn energy(edit: &Edit, section: &Section<'_>) -> Result<(), ShotError> {
    let (Method::Material, Some(expert)) = (edit.method, section.optional("expert")) else { return Ok(()) };
    let Some(key) = edit.expert().lively() else { return Ok(()) };
    let instead = "is for the method \"drag\", and this shot's method is \"material\", whose keys stand in \
                   [edit.material]";
    expert.keys::<Expert>()?.demand(key, false, instead)
}

/// Handles and poses, of segments too, ask for what the method can do.
pub(super) fn handles(edit: &Edit, section: &Section<'_>) -> Result<(), ShotError> {
    for (handle, section) in edit.handles.iter().zip(section.entries::<Handle>("handle")?) {
        handle_of(edit, handle, &section)?;
    }
    for (pose, section) in edit.poses.iter().zip(section.entries::<Pose>("pose")?) {
        whole_frames(edit.method, &pose.when, &section)?;
        components(edit.method, &section)?;
    }
    for (segment, section) in edit.segments.iter().zip(section.entries::<Segment>("segment")?) {
        for section in section.entries::<Pose>("pose")? {
            components(edit.method, &section)?;
        }
        for (handle, section) in segment.handles.iter().zip(section.entries::<Handle>("handle")?) {
            handle_of(edit, handle, &section)?;
        }
    }
    Ok(())
}

fn components(method: Method, section: &Section<'_>) -> Result<(), ShotError> {
    let of = format!("is for the method \"control\", and this shot's method is {:?}", method.name());
    section.demand("components", method == Method::Control, &of)
}

fn handle_of(edit: &Edit, handle: &Handle, section: &Section<'_>) -> Result<(), ShotError> {
    let method = edit.method;
    whole_frames(method, &handle.when, section)?;
    if method == Method::Character {
        joints::check(handle, section)?;
        return layer::check_handle(edit, handle, section);
    }
    joints::refuse(method, section)?;
    if let (true, Some(then)) = (in_one_go(method), then(&handle.goal)) {
        let key = match then {
            Move::By(_) => "by",
            Move::To(_) => "to",
        };
        let of = methods(OF_TIMES);
        section.demand(
            key,
            false,
            &format!("cannot be combined with `turn` by the method {:?}, only by {of}", method.name()),
        )?;
    }
    let problem = "cannot be \"hard\" with `points = \"each\"` and the method \"sparse\"; leave it out, write \
                   a number, or hold the mean or a single point";
    section.demand("hold", !is_each_hard(method, handle), problem)
}

fn whole_frames(method: Method, when: &When, section: &Section<'_>) -> Result<(), ShotError> {
    let is_fine = method.knows_times() || !matches!(when, When::Between(_));
    let (name, of) = (method.name(), methods(OF_TIMES));
    let problem = format!("must be a whole frame with the method {name:?} (fractions are for {of})");
    section.demand("frame", is_fine, &problem)
}

/// Whether a method moves a point or turns it, not one after the other.
fn in_one_go(method: Method) -> bool {
    matches!(method, Method::Drag | Method::Material)
}

fn then(goal: &Goal) -> Option<&Move> {
    match goal {
        Goal::Turn { then, .. } => then.as_ref(),
        _ => None,
    }
}

fn is_each_hard(method: Method, handle: &Handle) -> bool {
    let (points, hold) = (handle.points, handle.hold);
    method == Method::Sparse && points == Some(Together::Each) && hold == Some(Hold::Hard)
}

/// Changes what the method of the edit cannot do, and names the keys: times between frames go to the nearest, a move
/// after a turn goes, and points that cannot be met one by one are held as firmly as goes.
pub(super) fn adapt(edit: &mut Edit) -> Vec<&'static str> {
    let method = edit.method;
    let mut changed = Vec::new();
    let mut say = |key| {
        if !changed.contains(&key) {
            changed.push(key);
        }
    };
    let whens = edit.handles.iter_mut().map(|handle| &mut handle.when);
    for when in whens.chain(edit.poses.iter_mut().map(|pose| &mut pose.when)) {
        if let (When::Between(time), false) = (&*when, method.knows_times()) {
            *when = When::Frame(time.round() as i32);
            say("frame");
        }
    }
    let inside = edit.segments.iter_mut().flat_map(|segment| &mut segment.handles);
    for handle in edit.handles.iter_mut().chain(inside) {
        if is_each_hard(method, handle) {
            handle.hold = None;
            say("hold");
        }
        if let (true, Goal::Turn { then: then @ Some(_), .. }) = (in_one_go(method), &mut handle.goal) {
            *then = None;
            say("turn");
        }
    }
    let inside = edit.segments.iter_mut().flat_map(|segment| &mut segment.poses);
    for pose in edit.poses.iter_mut().chain(inside).filter(|_| method != Method::Control) {
        if pose.components.take().is_some() {
            say("components");
        }
    }
    if method == Method::Material
        && let Some(expert) = &mut edit.expert
    {
        while let Some(key) = expert.lively() {
            say(key);
            match key {
                "fade" => expert.fade = None,
                "space" => expert.space = None,
                _ => expert.wiggle_free = None,
            }
        }
    }
    if method == Method::Control {
        for segment in &mut edit.segments {
            if segment.end.take().is_some() {
                say("end");
            }
            if segment.is_flight() {
                segment.length = Length::Frames(FLIGHT);
                say("flight");
            }
        }
    }
    changed
}

/// Segments follow each other, and have all that is asked of the motion.
pub(super) fn segments(edit: &Edit, section: &Section<'_>) -> Result<(), ShotError> {
    if edit.segments.is_empty() {
        return Ok(());
    }
    let beside = "belongs to a segment when there are segments; write";
    section.demand("handle", edit.handles.is_empty(), &format!("{beside} [[edit.segment.handle]]"))?;
    section.demand("pose", edit.poses.is_empty(), &format!("{beside} [[edit.segment.pose]]"))?;
    section.demand(
        "ends",
        edit.ends != Ends::Loop,
        "cannot be \"loop\" with segments; remove one of them",
    )?;
    section.demand("window", false, "cannot be combined with segments; remove it")?;
    if edit.method == Method::Control {
        let grounded = "is for the method \"sparse\"; the segments of this one have `frames`";
        let free = "is for the method \"sparse\"; the segments of this one end as their poses ask";
        for section in section.entries::<Segment>("segment")? {
            section.demand("flight", false, grounded)?;
            section.demand("end", false, free)?;
        }
    }
    let has_gravity = edit.gravity.is_some_and(|gravity| gravity != [0.0; 3]);
    let mut follows_flight = None;
    for (segment, section) in edit.segments.iter().zip(section.entries::<Segment>("segment")?) {
        if segment.is_flight() {
            let problem = match follows_flight {
                None => {
                    "cannot come first: it begins with the velocity of the segment before; put one with `frames` there"
                }
                Some(true) => {
                    "cannot follow a flight; join the two, or put a segment with `frames` between them"
                }
                Some(false) if !has_gravity => "needs `gravity` in [edit], as in `gravity = [0, -9.81, 0]`",
                Some(false) => "",
            };
            section.demand("flight", problem.is_empty(), problem)?;
        }
        follows_flight = Some(segment.is_flight());
    }
    Ok(())
}
