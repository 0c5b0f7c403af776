//! Contacts found in the frames of a motion, for input that came without.
//!
//! At every frame each vertex of the surface is asked what is within a distance of it, or what it is in:
//! floor, obstacles and a mesh answer with planes ([`Obstacles::near`]), the surface itself with a triangle
//! ([`SelfTouch`]).
//!
//! Most vertices are far from everything most of the time. One that has a clearance c at x touches nothing at
//! y as long as ‖y − x‖ < c − d, and is not asked again before.
//!
//! Frames are read some at a time, and vertices followed through them side by side. Each is followed from the
//! first frame to the last, so that neither the number of threads nor how many frames are read at a time
//! changes anything.

use super::clear::Clear;
use super::moved::Moved;
use super::{ContactPoint, ContactsError};
use crate::body::{Body, Matter, thickness};
use crate::motion::InputMotion;
use crate::shot::{self, Detect, Input, Obstacle, ObstacleShape, Shot};
use crate::simulate::load_obstacles;
use rayon::prelude::*;
use supple_mesh::{ContactPlane, Obstacles, SelfContact, SelfTouch, Vec3};
use supple_model::{Cancelled, ContactKind, Progress, VertexId};

/// Planes whose normals have a cosine above this, an angle of 30° below, are one: what touches two slides
/// along their edge only, which has to be one.
const CORNER: f64 = 0.866_025_403_784_438_6;
/// Points of the frames that are held at a time.
const HELD_POINTS: usize = 1 << 20;
/// Frames that are held at a time, at most.
const HELD_FRAMES: usize = 16;
/// Vertices asked about between two looks at whether to go on.
const PIECE: usize = 256;

/// What there is to touch.
struct Touchable {
    obstacles: Obstacles,
    itself: Option<SelfTouch>,
    /// The vertices that can touch an obstacle.
    vertices: Vec<VertexId>,
    within: f64,
}

/// Finds the contacts of a motion.
pub(super) fn detect(
    what: &Detect,
    shot: &Shot,
    body: &Body,
    input: &mut InputMotion,
    moved: &Moved<'_>,
    progress: &Progress,
) -> Result<Vec<ContactPoint>, ContactsError> {
    let touchable = Touchable::load(what, shot, body, moved)?;
    let count = moved.rest.len();
    let at_a_time = (HELD_POINTS / count.max(1)).clamp(1, HELD_FRAMES);
    let mut held = vec![vec![[0.0; 3]; count]; at_a_time.min(input.clock.frames)];
    let mut clear = vec![Clear::unknown(); touchable.vertices.len()];
    let mut found = Vec::new();
    for first in (0..input.clock.frames).step_by(at_a_time) {
        progress.report("finding contacts", first as f64 / input.clock.frames as f64)?;
        let frames = at_a_time.min(input.clock.frames - first);
        for (k, positions) in held[..frames].iter_mut().enumerate() {
            input.read(first + k, positions)?;
        }
        found.extend(touchable.obstacles_in(first, &held[..frames], &mut clear, progress)?);
        found.extend(touchable.itself_in(first, &held[..frames], progress)?);
    }
    Ok(found)
}

impl Touchable {
    fn load(what: &Detect, shot: &Shot, body: &Body, moved: &Moved<'_>) -> Result<Self, ContactsError> {
        let gap = gap(shot, body);
        let obstacles = Obstacles::new(load_obstacles(&scene(what, shot), gap)?);
        let within = what.within * moved.size;
        let itself = what.itself.then(|| SelfTouch::new(moved.rest, moved.triangles, within + gap));
        let vertices = if obstacles.all().is_empty() { Vec::new() } else { moved.surface_vertices() };
        Ok(Self { obstacles, itself, vertices, within })
    }

    /// What touches an obstacle in some frames, vertex by vertex.
    fn obstacles_in(
        &self,
        first: usize,
        frames: &[Vec<[f64; 3]>],
        clear: &mut [Clear],
        progress: &Progress,
    ) -> Result<Vec<ContactPoint>, Cancelled> {
        let pieces = self.vertices.par_chunks(PIECE).zip(clear.par_chunks_mut(PIECE));
        let found = pieces.map(|(vertices, clear)| {
            progress.check()?;
            let mut found = Vec::new();
            for (vertex, clear) in vertices.iter().zip(clear) {
                for (k, positions) in frames.iter().enumerate() {
                    let x = Vec3::from(positions[vertex.index()]);
                    if !self.is_clear(&x, clear) {
                        self.add_planes(first + k, *vertex, &x, &mut found);
                    }
                }
            }
            Ok(found)
        });
        Ok(found.collect::<Result<Vec<_>, Cancelled>>()?.concat())
    }

    /// Whether a vertex at x touches no obstacle, as far as its clearance tells; looked up anew if need be.
    fn is_clear(&self, x: &Vec3, clear: &mut Clear) -> bool {
        let is_clear = |clear: &Clear| clear.left(x) > self.within;
        if is_clear(clear) {
            return true;
        }
        *clear = Clear::of(&self.obstacles, x);
        is_clear(clear)
    }

    /// Adds the contacts of a vertex at x.
    fn add_planes(&self, frame: usize, vertex: VertexId, x: &Vec3, found: &mut Vec<ContactPoint>) {
        let mut planes: Vec<ContactPlane> = Vec::new();
        self.obstacles.near(x, self.within, &mut planes);
        for (k, plane) in planes.iter().enumerate() {
            // The facets of a hollow are one surface, and so are a step and the floor it stands on.
            let is_told = planes[..k].iter().any(|p| p.normal.dot(&plane.normal) > CORNER);
            if !is_told {
                found.push(ContactPoint::of_vertex(frame, vertex, plane.normal, ContactKind::Slide));
            }
        }
    }

    /// Where the surface touches itself in some frames.
    fn itself_in(
        &self,
        first: usize,
        frames: &[Vec<[f64; 3]>],
        progress: &Progress,
    ) -> Result<Vec<ContactPoint>, Cancelled> {
        let Some(itself) = &self.itself else { return Ok(Vec::new()) };
        let found = frames.par_iter().enumerate().map(|(k, positions)| {
            let positions: Vec<Vec3> = positions.iter().map(|p| Vec3::from(*p)).collect();
            let touches = itself.find(&positions, progress)?;
            Ok(touches.iter().map(|touch| self_contact(first + k, touch)).collect::<Vec<_>>())
        });
        Ok(found.collect::<Result<Vec<_>, Cancelled>>()?.concat())
    }
}

/// All that an edit could push a body through: floor and obstacles of `[simulate]`, and what contacts are looked for with.
pub(crate) fn in_the_way(shot: &Shot, body: &Body) -> Result<Obstacles, ContactsError> {
    let gap = gap(shot, body);
    let said = shot.contacts.clone().unwrap_or_default();
    let looks_at_them = said.detect.as_ref().is_some_and(|what| what.obstacles);
    let mut known = shot.clone();
    // What moves is not where its mesh is.
    known.simulate.obstacles.retain(|obstacle| obstacle.object.is_none());
    if said.new.is_none() && !looks_at_them && matches!(shot.motion.input, Input::File(_)) {
        // Whatever else was in the file of the motion: it may move there, or be worn.
        known.simulate.obstacles.retain(|obstacle| !matches!(obstacle.shape, ObstacleShape::Mesh(_)));
    }
    let mut all = load_obstacles(&known, gap)?;
    if let Some(what) = &said.detect {
        all.extend(load_obstacles(&scene(&Detect { obstacles: false, ..what.clone() }, shot), gap)?);
    }
    Ok(Obstacles::new(all))
}

/// A shot with what is looked at as its floor and obstacles.
fn scene(what: &Detect, shot: &Shot) -> Shot {
    let mut scene = shot.clone();
    if !what.obstacles {
        scene.simulate.floor = None;
        scene.simulate.obstacles.clear();
    }
    if let Some(height) = what.floor {
        scene.simulate.floor = Some(shot::Floor { height, friction: 0.0 });
    }
    scene.simulate.obstacles.retain(|obstacle| obstacle.object.is_none());
    let mesh = what.mesh.iter().cloned().map(ObstacleShape::Mesh);
    scene.simulate.obstacles.extend(mesh.map(|shape| Obstacle { shape, object: None, friction: None }));
    scene
}

/// As a simulation would: the vertices of a cloth are the middle of its thickness.
fn gap(shot: &Shot, body: &Body) -> f64 {
    match body.matter {
        Matter::Cloth(_) => thickness(&shot.body.material.unwrap_or_default(), body.positions()),
        _ => 0.0,
    }
}

fn self_contact(frame: usize, touch: &SelfContact) -> ContactPoint {
    let touched = touch.corners.iter().zip(touch.weights).filter(|(_, weight)| *weight != 0.0);
    let vertices =
        std::iter::once((touch.vertex, 1.0)).chain(touched.map(|(corner, weight)| (*corner, -weight)));
    ContactPoint {
        frame,
        vertices: vertices.collect(),
        normal: touch.normal,
        kind: ContactKind::Slide,
        plant: None,
    }
}
