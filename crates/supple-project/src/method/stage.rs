//! What was opened, for the eye: a stage that stays, and points on it that move.

use super::drag::riders;
use super::way::Way;
use crate::body::Body;
use crate::contacts::Contacts;
use crate::motion::Moving;
use crate::scenery::Scenery;
use crate::shot::{Shot, Site};
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_elastic::vertex_areas;
use supple_mesh::{Aabb, Vec3};
use supple_model::{Clock, VertexId};

/// What is opened: all of it that stays while handles are moved.
///
/// The points that are drawn are those a handle's `vertex` counts: of the skin where there is one, of the body
/// otherwise.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The points that are drawn, at rest.
    pub rest: Vec<[f32; 3]>,
    /// The triangles between them.
    pub triangles: Vec<[u32; 3]>,
    /// The body, for all else there is to know; none where a stand-in is opened.
    pub body: Option<Arc<Body>>,
    /// The vertices of the skin that ride on each group of the body, by its name; none without a skin.
    pub riders: BTreeMap<String, Vec<u32>>,
    /// Those that ride on what stays in place.
    pub anchored: Vec<u32>,
    /// For each point the joint that one means by it; empty for what has no joints.
    pub joint_names: Vec<String>,
    /// When its frames are.
    pub clock: Clock,
    /// Where segments begin and the last one ends, in frames from the first, as they were found; empty before that, and
    /// without segments.
    pub joints: Vec<f64>,
    /// How many modes edits are made of so far: with none, the input is shown and cannot be edited yet.
    pub modes: usize,
    /// How many there will be.
    pub wanted_modes: usize,
    /// The contacts an edit keeps.
    pub contacts: Contacts,
    /// The diagonal of the box around what moves, at rest: the unit of errors.
    pub size: f64,
    /// What the points that move weigh: masses of the body, areas of the skin where it is all that moves; without them
    /// all weigh the same.
    pub weights: Vec<f64>,
    /// Where the input goes.
    pub way: Way,
    /// What stands around: the floor and obstacles.
    pub scenery: Vec<Scenery>,
    /// What a person should know, as of a cache that cannot be written.
    pub warnings: Vec<String>,
}

impl Stage {
    /// The points and triangles of a body, or of its skin, and what stands around it.
    pub(crate) fn of_body(body: Arc<Body>, moving: Moving, scenery: Vec<Scenery>) -> Self {
        let rest: &[Vec3] = body.skin.as_ref().map_or(body.positions(), |skin| skin.mesh.positions());
        let (low, high) = rest.iter().fold((rest[0], rest[0]), |(low, high), p| (low.inf(p), high.sup(p)));
        let ride = |members: &[VertexId]| riders(&body, members).map(|v| v.0).collect();
        let groups = body.groups.iter().filter(|_| body.skin.is_some());
        Self {
            riders: groups.map(|(name, members)| (name.to_owned(), ride(members))).collect(),
            anchored: ride(&body.anchors),
            rest: rest.iter().map(single).collect(),
            triangles: visible_triangles(&body),
            size: (high - low).norm(),
            weights: weights(&body, moving),
            scenery,
            body: Some(body),
            ..Self::default()
        }
    }

    /// Takes the way of the motion, and puts the floor under all of it.
    pub(crate) fn set_way(&mut self, way: Way, shot: &Shot) {
        self.way = way;
        // The floor is the last of what stands around.
        let others = self.scenery.len().saturating_sub(1);
        let around = self.scenery.iter().take(others).flat_map(|other| &other.points);
        let seen: Vec<Vec3> = self
            .rest
            .iter()
            .chain(&self.way.outline)
            .chain(around)
            .map(|p| Vec3::from(p.map(f64::from)))
            .collect();
        if let Ok(Some(floor)) = crate::simulate::floor(&shot.simulate, &Aabb::around(&seen))
            && let Some(last) = self.scenery.last_mut()
        {
            *last = Scenery::plain(&floor);
        }
    }

    /// The point that is at a joint, for a point of its bone; the same point where there are no joints. Bones are octahedra:
    /// the first of six points is at their upper joint, the last at their lower one.
    #[must_use]
    pub fn at_joint(&self, point: u32) -> u32 {
        match (self.joint_names.is_empty(), point % 6) {
            (true, _) | (false, 5) => point,
            (false, corner) => point - corner,
        }
    }

    /// What a handle on a point holds: its joint, where it has one.
    #[must_use]
    pub fn site(&self, point: u32) -> Site {
        self.joint_names.get(point as usize).map_or_else(|| Site::Vertex(VertexId(point)), Site::joint)
    }

    /// The point that is at the joint of a name: where a bone of it begins, or else where one ends.
    #[must_use]
    pub fn point_of(&self, joint: &str) -> Option<usize> {
        let is_it = |point: &usize| self.joint_names[*point] == joint;
        let ends = |corner: usize| (corner..self.joint_names.len()).step_by(6);
        ends(0).find(is_it).or_else(|| ends(5).find(is_it))
    }

    /// Where a point is that a joint carries, so far from it along axes of its own, with the points of bones drawn there.
    ///
    /// At rest those axes are the scene's. A bone of the joint tells how they are turned: its waist has four corners, two and
    /// two across from each other, at right angles to the way to its tip. A joint without a bone is turned as the bone that
    /// leads to it.
    #[must_use]
    pub fn carried(&self, drawn: &[[f32; 3]], joint: &str, offset: [f64; 3]) -> Option<[f64; 3]> {
        let point = self.point_of(joint)?;
        let first = point - point % 6;
        let at = |of: &[[f32; 3]], v: usize| of.get(v).map(|p| Vec3::from(p.map(f64::from)));
        let across =
            |of: &[[f32; 3]], (from, to): (usize, usize)| Some(at(of, first + to)? - at(of, first + from)?);
        let offset = Vec3::from(offset);
        let mut place = at(drawn, point)?;
        for ends in [(3, 1), (4, 2), (0, 5)] {
            let (rest, now) = (across(&self.rest, ends)?, across(drawn, ends)?);
            place += now * (rest.dot(&offset) / rest.norm_squared().max(f64::MIN_POSITIVE));
        }
        Some(place.into())
    }

    /// A frame, or the last one beyond it.
    #[must_use]
    pub fn nearest(&self, frame: usize) -> usize {
        frame.min(self.clock.frames.saturating_sub(1))
    }

    /// Whether handles can be moved.
    #[must_use]
    pub fn can_edit(&self) -> bool {
        self.modes > 0
    }
}

/// What the points that move weigh, as the methods have it.
fn weights(body: &Body, moving: Moving) -> Vec<f64> {
    match (moving, &body.skin) {
        (Moving::Skin, Some(skin)) => vertex_areas(&skin.mesh),
        _ => body.elastic.masses().to_vec(),
    }
}

fn visible_triangles(body: &Body) -> Vec<[u32; 3]> {
    let list = body.skin.as_ref().map_or(body.surface.as_slice(), |skin| skin.mesh.triangles());
    list.iter().map(|triangle| triangle.map(|v| v.0)).collect()
}

/// The one place where display copies are made.
pub(super) fn single(p: &Vec3) -> [f32; 3] {
    [p.x as f32, p.y as f32, p.z as f32]
}

/// A frame, as points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// The points that are drawn.
    pub drawn: Vec<[f32; 3]>,
    /// The vertices of the body, where its skin is drawn and the body moves.
    pub body: Option<Vec<[f32; 3]>>,
}
