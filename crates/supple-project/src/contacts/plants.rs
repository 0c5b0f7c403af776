//! Plants: parts of the surface that stand still for a while as the rest goes on, a foot on the ground.
//!
//! A vertex stands from frame a on as long as it is within t of where it was at a, and goes no farther than t/2 from one
//! frame to the next, t = [`STILL`] of the size; at least [`LEAST`] frames. Neighbours that stand for half of the longest
//! stand among them at least are one plant: where a swing turns, what is above a foot is still for a moment, too, and
//! no plant of its own. It is one to keep only if
//!
//! - it moves at another time: what never does is pinned already, and what touches that is held by it;
//! - it is a part: what covers more than [`PART`] of the surface is a body at rest, and planting that would leave nothing
//!   to edit. Where a body sways slowly above its foot, much of it is still for most of the stand: of a plant that is too
//!   large only what stands for [`WHOLE`] of the longest stand is looked at again;
//! - something goes on meanwhile: a tenth of the surface moves by more than [`GOING`] of the size. At the turning point of a
//!   slow swing and in a pause all stand, and nothing is planted.
//!
//! A few vertices, apart from each other, stand for a plant; they stick, each for the frames it stands.

use super::moved::Moved;
use super::{ContactPoint, ContactsError};
use crate::motion::InputMotion;
use std::ops::RangeInclusive;
use supple_mesh::{Neighbours, Vec3, vertex_vertices};
use supple_model::{ContactKind, Progress, VertexId};

/// How far what stands may be from where it began, as a part of the size,
const STILL: f64 = 0.002;
/// and how many frames it stands at least.
const LEAST: usize = 4;
/// The largest part of the surface that is a plant.
const PART: f64 = 0.3;
/// The part of the longest stand that is nearly all of it.
const WHOLE: f64 = 0.9;
/// How far a tenth of the surface has to move while a plant stands, as a part of the size.
const GOING: f64 = 0.02;
/// Vertices that are looked at to tell that.
const LOOKED_AT: usize = 200;
/// Vertices that a plant has at least, and that stand for it at most.
const FEWEST: usize = 3;
const STANDING_FOR: usize = 6;
/// A plant in this part of the body's height, from below, is on the ground.
const LOW: f64 = 0.15;

/// A part of the surface that stands still for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plant {
    /// When any of it stands, counted from 0.
    pub frames: RangeInclusive<usize>,
    /// What stands, ascending.
    pub vertices: Vec<VertexId>,
    /// Whether it is at the lower end of the body.
    pub is_low: bool,
}

/// The frames a vertex stands.
struct Stand {
    vertex: VertexId,
    frames: RangeInclusive<usize>,
}

/// What the frames of a motion tell.
struct Read {
    stands: Vec<Stand>,
    /// Where some vertices are, frame by frame.
    seen: Vec<Vec<Vec3>>,
    /// The lowest and highest point of every frame.
    heights: Vec<[f64; 2]>,
    /// The height of every stand when it begins.
    low: Vec<f64>,
}

/// The plants of a motion, and the contacts that keep them.
pub(super) fn find(
    input: &mut InputMotion,
    moved: &Moved<'_>,
    up: Vec3,
    progress: &Progress,
) -> Result<(Vec<Plant>, Vec<ContactPoint>), ContactsError> {
    let surface = moved.surface_vertices();
    let read = read(input, moved, &surface, up, progress)?;
    let (mut plants, mut contacts) = (Vec::new(), Vec::new());
    let neighbours = vertex_vertices(moved.rest.len(), moved.triangles);
    let hangs = |stand: &Stand| neighbours[stand.vertex].iter().any(|v| moved.held[v.index()]);
    for members in together(&read.stands, &neighbours, moved.rest.len()) {
        if members.iter().any(|&k| hangs(&read.stands[k])) {
            continue;
        }
        let most = PART * surface.len() as f64;
        let members = if members.len() as f64 > most { steadiest(&members, &read.stands) } else { members };
        let all = || members.iter().map(|&k| &read.stands[k]);
        let first = all().map(|stand| *stand.frames.start()).min().unwrap_or(0);
        let last = all().map(|stand| *stand.frames.end()).max().unwrap_or(0);
        let mut vertices: Vec<VertexId> = all().map(|stand| stand.vertex).collect();
        vertices.sort_unstable();
        vertices.dedup();
        if vertices.len() < FEWEST
            || vertices.len() as f64 > most
            || !goes_on(&read.seen[first..=last], GOING * moved.size)
        {
            continue;
        }
        let [lowest, highest] = read.heights[first];
        let heights = members.iter().map(|&k| read.low[k]);
        let is_low = heights.fold(f64::INFINITY, f64::min) <= lowest + LOW * (highest - lowest);
        let number = plants.len();
        for &k in &apart(&members, &read.stands, moved.rest) {
            let Stand { vertex, frames } = &read.stands[k];
            contacts.extend(frames.clone().map(|frame| ContactPoint {
                plant: Some(number),
                ..ContactPoint::of_vertex(frame, *vertex, up, ContactKind::Stick)
            }));
        }
        plants.push(Plant { frames: first..=last, vertices, is_low });
    }
    Ok((plants, contacts))
}

fn read(
    input: &mut InputMotion,
    moved: &Moved<'_>,
    surface: &[VertexId],
    up: Vec3,
    progress: &Progress,
) -> Result<Read, ContactsError> {
    let still = STILL * moved.size;
    let free: Vec<VertexId> = surface.iter().copied().filter(|v| !moved.held[v.index()]).collect();
    let every = surface.len().div_ceil(LOOKED_AT).max(1);
    let mut positions = vec![[0.0; 3]; moved.rest.len()];
    // Since when each vertex stands, where that was, and where it was in the last frame.
    let mut since: Vec<(usize, Vec3, Vec3)> = vec![(0, Vec3::zeros(), Vec3::zeros()); free.len()];
    let mut found = Read { stands: Vec::new(), seen: Vec::new(), heights: Vec::new(), low: Vec::new() };
    let frames = input.clock.frames;
    let end = |found: &mut Read, vertex: VertexId, from: usize, to: usize, at: &Vec3| {
        // What stands all the time is pinned, not planted.
        if to - from >= LEAST && to - from < frames {
            found.stands.push(Stand { vertex, frames: from..=to - 1 });
            found.low.push(up.dot(at));
        }
    };
    for frame in 0..frames {
        progress.report("finding plants", frame as f64 / frames as f64)?;
        input.read(frame, &mut positions)?;
        let at = |v: &VertexId| Vec3::from(positions[v.index()]);
        for (vertex, since) in free.iter().zip(&mut since) {
            let x = at(vertex);
            let stands = (x - since.1).norm() <= still && (x - since.2).norm() <= 0.5 * still;
            if frame == 0 || !stands {
                end(&mut found, *vertex, since.0, frame, &since.1);
                *since = (frame, x, x);
            }
            since.2 = x;
        }
        found.seen.push(surface.iter().step_by(every).map(at).collect());
        let heights = surface.iter().map(|v| up.dot(&at(v)));
        found.heights.push(
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| [low.min(h), high.max(h)]),
        );
    }
    for (vertex, since) in free.iter().zip(&since) {
        end(&mut found, *vertex, since.0, frames, &since.1);
    }
    Ok(found)
}

/// The stands of neighbours at the same time, in parts that hang together and are not beside a longer one; by their first
/// members.
fn together(stands: &[Stand], neighbours: &Neighbours<VertexId>, vertices: usize) -> Vec<Vec<usize>> {
    let mut of_vertex: Vec<Vec<usize>> = vec![Vec::new(); vertices];
    for (k, stand) in stands.iter().enumerate() {
        of_vertex[stand.vertex.index()].push(k);
    }
    let meet = |a: &Stand, b: &Stand| {
        let end = (*a.frames.end()).min(*b.frames.end()) + 1;
        let common = end.saturating_sub(*a.frames.start().max(b.frames.start()));
        let longer = a.frames.clone().count().max(b.frames.clone().count());
        common >= LEAST && 2 * common >= longer
    };
    let mut is_taken = vec![false; stands.len()];
    let mut parts = Vec::new();
    // From the longest stands on, to which all others of their part are compared: from neighbour to neighbour a body that
    // bends would become still for ever shorter.
    let mut longest: Vec<usize> = (0..stands.len()).collect();
    longest.sort_by_key(|&k| std::cmp::Reverse(stands[k].frames.clone().count()));
    for first in longest {
        if std::mem::replace(&mut is_taken[first], true) {
            continue;
        }
        let (mut part, mut next) = (vec![first], 0);
        while next < part.len() {
            let from = stands[part[next]].vertex;
            next += 1;
            for &k in neighbours[from].iter().flat_map(|v| &of_vertex[v.index()]) {
                if !is_taken[k] && meet(&stands[first], &stands[k]) {
                    is_taken[k] = true;
                    part.push(k);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts.sort_unstable();
    // What is beside a longer stand is carried by it, and still only for a while of that.
    let length = |part: &[usize]| part.iter().map(|&k| stands[k].frames.clone().count()).max().unwrap_or(0);
    let mut part_of = vec![0; stands.len()];
    for (number, part) in parts.iter().enumerate() {
        part.iter().for_each(|&k| part_of[k] = number);
    }
    let lengths: Vec<usize> = parts.iter().map(|part| length(part)).collect();
    let overlap =
        |a: &Stand, b: &Stand| a.frames.start() <= b.frames.end() && b.frames.start() <= a.frames.end();
    let is_beside = |part: &Vec<usize>| {
        part.iter().any(|&k| {
            let stand = &stands[k];
            let around = neighbours[stand.vertex].iter().chain(std::iter::once(&stand.vertex));
            let others = around.flat_map(|v| &of_vertex[v.index()]);
            others
                .copied()
                .any(|other| lengths[part_of[other]] > lengths[part_of[k]] && overlap(stand, &stands[other]))
        })
    };
    let kept: Vec<bool> = parts.iter().map(|part| !is_beside(part)).collect();
    parts.into_iter().zip(kept).filter_map(|(part, kept)| kept.then_some(part)).collect()
}

/// The stands of a plant that last nearly as long as the longest.
fn steadiest(members: &[usize], stands: &[Stand]) -> Vec<usize> {
    let length = |k: usize| stands[k].frames.clone().count() as f64;
    let longest = members.iter().map(|&k| length(k)).fold(0.0, f64::max);
    members.iter().copied().filter(|&k| length(k) >= WHOLE * longest).collect()
}

/// Whether a tenth of the vertices that are looked at move by more than `far` in some frames.
fn goes_on(seen: &[Vec<Vec3>], far: f64) -> bool {
    let Some(first) = seen.first() else { return false };
    let moves = |v: &usize| seen.iter().any(|frame| (frame[*v] - first[*v]).norm() > far);
    10 * (0..first.len()).filter(moves).count() >= first.len()
}

/// A few stands of a plant whose vertices are far from each other, the longest first.
fn apart(members: &[usize], stands: &[Stand], rest: &[Vec3]) -> Vec<usize> {
    let length = |k: &usize| stands[*k].frames.end() - stands[*k].frames.start();
    let place = |k: &usize| rest[stands[*k].vertex.index()];
    let longest = members.iter().copied().max_by(|a, b| length(a).cmp(&length(b)).then(b.cmp(a)));
    let mut chosen: Vec<usize> = longest.into_iter().collect();
    while chosen.len() < STANDING_FOR.min(members.len()) {
        let far = |k: &usize| {
            chosen.iter().map(|other| (place(k) - place(other)).norm()).fold(f64::INFINITY, f64::min)
        };
        let farthest = members.iter().copied().max_by(|a, b| far(a).total_cmp(&far(b)).then(b.cmp(a)));
        match farthest.filter(|k| far(k) > 0.0) {
            Some(next) => chosen.push(next),
            None => break,
        }
    }
    chosen.sort_unstable();
    chosen
}
