//! Contacts found in the frames of a motion, for input that came without.
//!
//! At every frame each vertex of the surface is asked what is within a distance of it, or what it is in:
//! floor, obstacles and a mesh answer with planes ([`Obstacles::near`]), the surface itself with a triangle
//! ([`SelfTouch`]). Frames are read some at a time and looked at side by side; each is looked at for itself,
//! so that neither the number of threads nor how many are read at a time changes anything.

use super::moved::Moved;
use super::{ContactPoint, ContactsError, SAME_NORMAL};
use crate::body::{Body, Matter, thickness};
use crate::motion::InputMotion;
use crate::shot::{self, Detect, Obstacle, ObstacleShape, Shot};
use crate::simulate::load_obstacles;
use rayon::prelude::*;
use supple_mesh::{ContactPlane, Obstacles, SelfContact, SelfTouch, Vec3};
use supple_model::{Cancelled, ContactKind, Progress, VertexId};

/// Points of the frames that are held at a time.
const HELD_POINTS: usize = 1 << 20;
/// Frames that are held at a time, at most.
const HELD_FRAMES: usize = 16;
/// Vertices asked about between two looks at whether to go on.
const PIECE: usize = 1024;

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
    let mut held = vec![vec![[0.0; 3]; count]; at_a_time.min(input.frames)];
    let mut found = Vec::new();
    for first in (0..input.frames).step_by(at_a_time) {
        progress.report("finding contacts", first as f64 / input.frames as f64)?;
        let frames = at_a_time.min(input.frames - first);
        for (k, positions) in held[..frames].iter_mut().enumerate() {
            input.read(first + k, positions)?;
        }
        let of_frames = held[..frames]
            .par_iter()
            .enumerate()
            .map(|(k, positions)| touchable.at(first + k, positions, progress))
            .collect::<Result<Vec<_>, Cancelled>>()?;
        found.extend(of_frames.into_iter().flatten());
    }
    Ok(found)
}

impl Touchable {
    fn load(what: &Detect, shot: &Shot, body: &Body, moved: &Moved<'_>) -> Result<Self, ContactsError> {
        let mut scene = shot.clone();
        if !what.obstacles {
            scene.simulate.floor = None;
            scene.simulate.obstacles.clear();
        }
        if let Some(height) = what.floor {
            scene.simulate.floor = Some(shot::Floor { height, friction: 0.0 });
        }
        let mesh = what.mesh.iter().cloned().map(ObstacleShape::Mesh);
        scene.simulate.obstacles.extend(mesh.map(|shape| Obstacle { shape, friction: None }));
        // As a simulation would: the vertices of a cloth are the middle of its thickness.
        let gap = match body.matter {
            Matter::Cloth(_) => thickness(&shot.body.material.unwrap_or_default(), body.positions()),
            _ => 0.0,
        };
        let obstacles = Obstacles::new(load_obstacles(&scene, gap)?);
        let within = what.within * moved.size;
        let itself = what.itself.then(|| SelfTouch::new(moved.rest, moved.triangles, within + gap));
        let vertices = if obstacles.all().is_empty() { Vec::new() } else { moved.surface_vertices() };
        Ok(Self { obstacles, itself, vertices, within })
    }

    /// What touches something at a frame.
    fn at(
        &self,
        frame: usize,
        positions: &[[f64; 3]],
        progress: &Progress,
    ) -> Result<Vec<ContactPoint>, Cancelled> {
        let pieces = self.vertices.par_chunks(PIECE).map(|piece| {
            progress.check()?;
            Ok(self.obstacles_at(frame, positions, piece))
        });
        let mut found = pieces.collect::<Result<Vec<_>, Cancelled>>()?.concat();
        if let Some(itself) = &self.itself {
            let positions: Vec<Vec3> = positions.iter().map(|p| Vec3::from(*p)).collect();
            let touches = itself.find(&positions, progress)?;
            found.extend(touches.iter().map(|touch| self_contact(frame, touch)));
        }
        Ok(found)
    }

    fn obstacles_at(&self, frame: usize, positions: &[[f64; 3]], vertices: &[VertexId]) -> Vec<ContactPoint> {
        let mut found = Vec::new();
        let mut planes: Vec<ContactPlane> = Vec::new();
        for &vertex in vertices {
            planes.clear();
            self.obstacles.near(&Vec3::from(positions[vertex.index()]), self.within, &mut planes);
            for (k, plane) in planes.iter().enumerate() {
                // A step may stand on the floor: two obstacles, one plane.
                let is_told = planes[..k].iter().any(|p| p.normal.dot(&plane.normal) > SAME_NORMAL);
                if !is_told {
                    found.push(ContactPoint::of_vertex(frame, vertex, plane.normal, ContactKind::Slide));
                }
            }
        }
        found
    }
}

fn self_contact(frame: usize, touch: &SelfContact) -> ContactPoint {
    let touched = touch.corners.iter().zip(touch.weights).filter(|(_, weight)| *weight != 0.0);
    let vertices =
        std::iter::once((touch.vertex, 1.0)).chain(touched.map(|(corner, weight)| (*corner, -weight)));
    ContactPoint { frame, vertices: vertices.collect(), normal: touch.normal, kind: ContactKind::Slide }
}
