//! What an edit may push a body through, and how deep it goes.
//!
//! With d(x) the distance to an obstacle, negative inside, x̄ a vertex of the input and x the same vertex of the edited
//! motion, the edit pushes it
//!
//! > min(0, d(x̄)) − d(x)
//!
//! deeper than it was. What counts are the vertices that are written: those of the body, or those of its skin. Vertices are
//! looked at side by side, and one that has a clearance c at y is not asked again before it has gone that far, see
//! [`crate::contacts`]. Nothing of it depends on the number of threads.

use super::DragMethod;
use crate::body::Body;
use crate::contacts::{Clear, ContactsError, SLACK, in_the_way, vertices_of};
use crate::motion::Moving;
use crate::shot::{NewContacts, Shot};
use crate::site::Row;
use rayon::prelude::*;
use std::sync::PoisonError;
use supple_mesh::{ContactPlane, Obstacle, Obstacles, Vec3};
use supple_model::{FrameError, VertexId};

/// Vertices looked at as one task.
const PIECE: usize = 512;
/// Vertices that are this much deeper, as a part of the size, are through.
pub(super) const THROUGH: f64 = 2e-7;

/// What an edit may push a body through.
#[derive(Debug)]
pub(super) struct Barrier {
    obstacles: Obstacles,
    /// The vertices that are written and could go through, ascending.
    vertices: Vec<VertexId>,
    /// Whether what would go through is held.
    pub holds: bool,
    /// Whether the skin of a body that follows it is written.
    pub of_skin: bool,
}

/// Where a vertex went through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Through {
    pub vertex: VertexId,
    /// How much deeper it is than in the input.
    pub depth: f64,
    /// The way out.
    pub plane: ContactPlane,
    /// How far it may be behind that: as far as in the input.
    pub allowed: f64,
    /// How far it has to go along the normal.
    pub lacks: f64,
}

/// Where vertices were when they were asked last, and how far they were from everything.
#[derive(Debug)]
pub(super) struct Clearances(Vec<Clear>);

impl Barrier {
    /// That of a shot whose body or skin moves, `of_skin` where that follows its body; none where there is nothing to go
    /// through.
    ///
    /// # Errors
    /// When an obstacle cannot be read.
    pub fn of(
        shot: &Shot,
        body: &Body,
        moving: Moving,
        of_skin: bool,
    ) -> Result<Option<Self>, ContactsError> {
        let obstacles = in_the_way(shot, body)?;
        if obstacles.all().is_empty() {
            return Ok(None);
        }
        let said = shot.contacts.clone().unwrap_or_default();
        let holds = !said.off && said.new != Some(NewContacts::Report);
        let vertices = written(body, if of_skin { Moving::Skin } else { moving });
        Ok(Some(Self { obstacles, vertices, holds, of_skin }))
    }

    /// Nothing is known yet.
    pub fn clearances(&self) -> Clearances {
        Clearances(vec![Clear::unknown(); self.vertices.len()])
    }

    /// The distance of a point from everything, negative inside.
    pub fn distance(&self, x: &Vec3) -> f64 {
        self.obstacles.all().iter().map(|obstacle| obstacle.distance(x)).fold(f64::INFINITY, f64::min)
    }

    /// What a point that is pulled comes nearest to: the normal there, and how far the point was from everything.
    pub fn faces(&self, from: &Vec3, to: &Vec3) -> Option<(Vec3, f64)> {
        let nearest = |a: &&Obstacle, b: &&Obstacle| a.distance(to).total_cmp(&b.distance(to));
        let obstacle = self.obstacles.all().iter().min_by(nearest)?;
        let plane = obstacle.entered(from, to).or_else(|| {
            let mut planes = Vec::new();
            obstacle.near(to, obstacle.distance(to).max(0.0) * (1.0 + SLACK), &mut planes);
            planes.into_iter().min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)))
        })?;
        Some((plane.normal, self.distance(from)))
    }

    /// A distance that every vertex of a frame has from everything, at least.
    pub fn clearance(&self, places: &[[f64; 3]], clear: &mut Clearances) -> f64 {
        let pieces = self.vertices.par_chunks(PIECE).zip(clear.0.par_chunks_mut(PIECE));
        let least = pieces.map(|(vertices, clear)| {
            let of = |(v, clear): (&VertexId, &mut Clear)| {
                let x = Vec3::from(places[v.index()]);
                let left = clear.left(&x);
                if left > 0.5 * clear.radius {
                    return left;
                }
                *clear = Clear::of(&self.obstacles, &x);
                clear.radius
            };
            vertices.iter().zip(clear).map(of).fold(f64::INFINITY, f64::min)
        });
        least.reduce(|| f64::INFINITY, f64::min)
    }

    /// The vertices of a frame that are at least `least` deeper than in the input, ascending.
    pub fn through(
        &self,
        [before, after]: [&[[f64; 3]]; 2],
        least: f64,
        clear: &mut Clearances,
    ) -> Vec<Through> {
        let pieces = self.vertices.par_chunks(PIECE).zip(clear.0.par_chunks_mut(PIECE));
        let found = pieces.map(|(vertices, clear)| {
            let mut found = Vec::new();
            for (vertex, clear) in vertices.iter().zip(clear) {
                let [from, to] = [before, after].map(|places| Vec3::from(places[vertex.index()]));
                if from == to || clear.left(&to) > 0.0 {
                    continue;
                }
                *clear = Clear::of(&self.obstacles, &to);
                if clear.radius <= 0.0 {
                    found.extend(self.deepest(*vertex, &from, &to).filter(|found| found.depth > least));
                }
            }
            found
        });
        found.collect::<Vec<_>>().concat()
    }

    /// Where a vertex that moves is deepest in something.
    fn deepest(&self, vertex: VertexId, from: &Vec3, to: &Vec3) -> Option<Through> {
        let of = |number: usize| {
            let obstacle = &self.obstacles.all()[number];
            let allowed = obstacle.distance(from).min(0.0);
            let depth = allowed - obstacle.distance(to);
            let entered = if allowed < 0.0 { None } else { obstacle.entered(from, to) };
            let plane = entered.or_else(|| {
                let mut planes = Vec::new();
                obstacle.near(to, 0.0, &mut planes);
                planes.into_iter().min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)))
            })?;
            Some(Through { vertex, depth, plane, allowed, lacks: allowed - plane.distance(to) })
        };
        let all = (0..self.obstacles.all().len()).filter_map(of);
        all.max_by(|a, b| a.depth.total_cmp(&b.depth)).filter(|found| found.depth > 0.0)
    }
}

/// The vertices of the surface that is written, or all where there is none.
fn written(body: &Body, of: Moving) -> Vec<VertexId> {
    let (triangles, count) = match (of, &body.skin) {
        (Moving::Skin, Some(skin)) => (skin.mesh.triangles(), skin.mesh.positions().len()),
        _ => (&body.surface[..], body.positions().len()),
    };
    if triangles.is_empty() {
        return (0..count).map(VertexId::new).collect();
    }
    vertices_of(triangles)
}

impl DragMethod {
    /// How much deeper a frame under a displacement, three numbers per vertex, is in floor or obstacles than the input;
    /// none where it is not.
    ///
    /// # Panics
    /// When there is no such frame, or there are not three numbers per vertex of the motion.
    #[must_use]
    pub fn depth(&self, index: usize, displacement: &[f64]) -> Option<f64> {
        let barrier = self.barrier.as_ref()?;
        let mut places = [Vec::new(), Vec::new()];
        let found =
            self.through_at(barrier, index, displacement, &mut places, &mut barrier.clearances()).ok()?;
        found.iter().map(|found| found.depth).max_by(f64::total_cmp)
    }

    /// A vertex that is written, as a combination of the figure's.
    pub(super) fn written_row(&self, barrier: &Barrier, vertex: VertexId) -> Row {
        match (&self.body.skin, barrier.of_skin) {
            (Some(skin), true) => {
                let (corners, weights) = skin.embedding.row(skin.weld.leaders()[vertex.index()]);
                corners.iter().copied().zip(weights.iter().copied()).filter(|(_, w)| *w != 0.0).collect()
            }
            _ => vec![(vertex, 1.0)],
        }
    }

    /// Where a vertex that is written is at rest.
    pub(super) fn written_rest(&self, barrier: &Barrier, vertex: VertexId) -> Vec3 {
        match (&self.body.skin, barrier.of_skin) {
            (Some(skin), true) => skin.mesh.positions()[vertex.index()],
            _ => self.figure.positions[vertex.index()],
        }
    }

    /// What goes through at a frame under a displacement; `places` become those written, of the input and under it.
    pub(super) fn through_at(
        &self,
        barrier: &Barrier,
        index: usize,
        u: &[f64],
        places: &mut [Vec<[f64; 3]>; 2],
        clear: &mut Clearances,
    ) -> Result<Vec<Through>, FrameError> {
        let [before, after] = places;
        self.written_places(barrier, index, self.motion.frame(index).displacement(), before)?;
        self.written_places(barrier, index, u, after)?;
        Ok(barrier.through([before, after], THROUGH * self.figure.size, clear))
    }

    /// Overwrites `places` with the vertices that are written of a frame under the displacement `u`.
    pub(super) fn written_places(
        &self,
        barrier: &Barrier,
        index: usize,
        u: &[f64],
        places: &mut Vec<[f64; 3]>,
    ) -> Result<(), FrameError> {
        places.clear();
        if let (Some(skin), Some(detail), true) = (&self.body.skin, &self.detail, barrier.of_skin) {
            let input = self.motion.frame(index).displacement();
            let mut detail = detail.lock().unwrap_or_else(PoisonError::into_inner);
            places.extend_from_slice(detail.skin(index, skin, input, u)?);
        } else {
            let moved = self.figure.positions.iter().zip(u.chunks_exact(3));
            places.extend(moved.map(|(x, u)| <[f64; 3]>::from(x + Vec3::from_column_slice(u))));
        }
        Ok(())
    }
}
