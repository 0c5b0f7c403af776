//! A handle that is asked for, as the shot will have it: where and when it is, and whether that can move.

use super::{EditFailed, NewGoal, NewHandle, NewSite, of_character};
use crate::body::{Body, anchored};
use crate::cache::Cache;
use crate::method::{EditError, HandleProblem};
use crate::motion::handle_places;
use crate::open::{InShot, NameShot, OpenError};
use crate::shot::{At, BodyKind, Handle, Hold, Length, Method, Segment, Shot, Site, When};
use crate::site::{Points, of_skin};
use crate::source::Space;
use std::path::Path;
use supple_model::{Frame, Progress, VertexId};

/// A handle, and where the input has it.
pub(super) type Made = (Handle, Option<[f64; 3]>);

/// The handle that is asked for.
pub(super) fn make(
    path: &Path,
    new: &NewHandle,
    shot: &Shot,
    progress: &Progress,
) -> Result<Made, EditFailed> {
    let segment = segment(path, new, shot)?;
    check_time(path, new, shot, segment)?;
    let space = if new.in_file { Space::of_shot(shot)? } else { Space::default() };
    if shot.body.kind == BodyKind::Character {
        // A skeleton that cannot be read now is told when the shot is opened.
        let rig = shot
            .body
            .skeleton()
            .and_then(|skeleton| supple_formats::load_rig(shot.resolve(&skeleton.file)).ok());
        let names: Option<Vec<String>> =
            rig.map(|rig| rig.joints.into_iter().map(|joint| joint.name).collect());
        let handle = of_character::make(path, new, shot, names.as_deref(), &space)?;
        return Ok((Handle { hold: new.hold.map(Hold::Soft), ..handle }, None));
    }
    if new.layer.is_some() || new.prop.is_some() || matches!(new.goal, NewGoal::Stay(_)) {
        return Err(EditFailed::NoCharacter { shot: path.to_path_buf(), kind: shot.body.kind.name() });
    }
    let body = Body::read(shot, progress).in_shot(path).map_err(OpenError::from)?;
    let cache = Cache::of_shot(path);
    let frames = new.when.range();
    // A segment is at rest before anything is asked of it.
    let frame = if segment.is_some() { shot.motion.clock().start } else { Frame(*frames.start()) };
    let places = handle_places(shot, &body, frame, &cache, progress).in_shot(path)?;
    let (site, at) = match &new.site {
        NewSite::Near(near) => nearest(space.inside(*near), &places).ok_or(EditFailed::NoVertices)?,
        NewSite::Vertex(v) => match places.get(*v as usize) {
            Some(place) => (Site::Vertex(VertexId(*v)), Some(*place)),
            None => {
                let (shot, vertices) = (path.to_path_buf(), places.len());
                return Err(EditFailed::NoVertex { shot, vertex: *v, vertices });
            }
        },
        NewSite::Group(group) => {
            body.groups.get(group).in_shot(path)?;
            (Site::Group(group.clone()), None)
        }
        NewSite::Joint { name, offset } => (Site::Joint { name: name.clone(), offset: *offset }, None),
        NewSite::CenterOfMass => (Site::CenterOfMass, None),
    };
    check_moves(path, shot, &body, segment, &site)?;
    let goal = new.goal.goal(|point| space.inside(point));
    let mut handle = Handle::new(new.when.clone(), site, goal);
    handle.hold = new.hold.map(Hold::Soft);
    Ok((handle, at))
}

/// The segment it goes to, and its number.
fn segment<'a>(
    path: &Path,
    new: &NewHandle,
    shot: &'a Shot,
) -> Result<Option<(usize, &'a Segment)>, EditFailed> {
    let (segments, file) = (&shot.edit.segments, || path.to_path_buf());
    match new.segment {
        None if segments.is_empty() => Ok(None),
        None => Err(EditFailed::FrameBesideSegments { shot: file(), segments: segments.len() }),
        Some(number) => {
            let segment = number.checked_sub(1).and_then(|index| segments.get(index));
            let none = EditFailed::NoSegment { shot: file(), segment: number, segments: segments.len() };
            segment.map(|segment| Some((number, segment))).ok_or(none)
        }
    }
}

fn check_time(
    path: &Path,
    new: &NewHandle,
    shot: &Shot,
    segment: Option<(usize, &Segment)>,
) -> Result<(), EditFailed> {
    let file = || path.to_path_buf();
    let method = shot.edit.method;
    match (&new.when, segment) {
        (When::Frames(frames), _) if frames.is_empty() => {
            Err(EditFailed::EndsBefore { frame: *frames.start(), until: *frames.end() })
        }
        (When::Between(time), _) if !matches!(method, Method::Sparse | Method::Control) => {
            Err(EditFailed::Between { shot: file(), time: *time, method: method.name() })
        }
        (When::At(At::Frames(at)), Some((number, Segment { length: Length::Frames(frames), .. })))
            if at > frames =>
        {
            Err(EditFailed::OutsideSegment { shot: file(), segment: number, at: *at, frames: *frames })
        }
        _ => Ok(()),
    }
}

/// Something of what a handle holds must be able to move.
fn check_moves(
    path: &Path,
    shot: &Shot,
    body: &Body,
    segment: Option<(usize, &Segment)>,
    site: &Site,
) -> Result<(), EditFailed> {
    let wrong = |problem| EditFailed::Handle(InShot { shot: path.to_path_buf(), source: Box::new(problem) });
    if segment.is_some_and(|(_, segment)| segment.is_flight()) {
        return if *site == Site::CenterOfMass { Err(wrong(HandleProblem::Falls)) } else { Ok(()) };
    }
    let own = match segment.and_then(|(number, segment)| Some((number, segment.anchors.as_ref()?))) {
        Some((number, anchors)) => {
            let own = anchored(shot, anchors, body.positions(), &body.groups);
            Some(own.map_err(|error| EditError::Segment { segment: number, problem: Box::new(error) }))
        }
        None => None,
    };
    let own = own.transpose().in_shot(path)?;
    let is_held = |v: &VertexId| match &own {
        Some(own) => own.binary_search(v).is_ok(),
        None => body.free.index(*v).is_none(),
    };
    let row = Points::of(site, body).map_err(|error| wrong(error.into()))?.mean();
    // Vertices of the skin that are held with the body's own anchors, whatever they ride on.
    let skin = of_skin(site, body);
    let stays = |v: &VertexId| body.skin.as_ref().is_some_and(|skin| skin.held.get(v.index()) == Some(&true));
    let skin_stays = own.is_none() && !skin.is_empty() && skin.iter().all(stays);
    if !skin_stays && row.iter().any(|(v, weight)| *weight != 0.0 && !is_held(v)) {
        return Ok(());
    }
    let vertex = match site {
        Site::Vertex(vertex) => *vertex,
        _ => row.first().map_or(VertexId(0), |(v, _)| *v),
    };
    Err(wrong(HandleProblem::Anchored { vertex }))
}

/// The vertex nearest to a point, and its place.
fn nearest(point: [f64; 3], places: &[[f64; 3]]) -> Option<(Site, Option<[f64; 3]>)> {
    let distance = |p: &[f64; 3]| (0..3).map(|c| (p[c] - point[c]).powi(2)).sum::<f64>();
    let nearest = places.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    nearest.map(|(v, place)| (Site::Vertex(VertexId::new(v)), Some(*place)))
}
