//! The obstacles around a body, and which of their planes its points have to stay in front of.

use super::{ContactStep, Contacts, Point, STIFFNESS, Touch, Touches};
use crate::dynamics::SimulationError;
use crate::{ElasticBody, FreeVertices};
use rayon::prelude::*;
use supple_mesh::{Aabb, ContactPlane, Obstacle, Obstacles};
use supple_model::VertexId;
use supple_numerics::sparse::BlockPattern;

/// Obstacles within this part of the body's size are near.
const MARGIN: f64 = 1e-4;
/// A point may be this part of the body's size deeper in an obstacle than its planes let it.
const SLACK: f64 = 1e-6;
/// How far friction lets what it holds slip, as a part of the body's size.
const GIVE: f64 = 1e-4;
/// Points asked about as one task.
const POINTS_PER_TASK: usize = 64;

/// The obstacles, and what of the body may meet them.
#[derive(Debug)]
pub(in crate::dynamics) struct Surroundings {
    obstacles: Obstacles,
    /// What the caller named, in that order.
    points: Vec<Point>,
    /// Those of them that are not anchored with every corner, ascending.
    colliding: Vec<usize>,
    /// The body's size, metres.
    size: f64,
}

impl Surroundings {
    /// Takes the obstacles and the points that collide; those that cannot move are left out. `pattern` is
    /// that of the stiffness over the free vertices.
    pub fn new(
        obstacles: Vec<Obstacle>,
        points: Vec<Vec<(VertexId, f64)>>,
        body: &ElasticBody,
        free: &FreeVertices,
        pattern: &BlockPattern,
    ) -> Result<Self, SimulationError> {
        let points = points.into_iter().enumerate();
        let points = points.map(|(number, weights)| Point::new(number, weights, body, free, pattern));
        let points: Vec<Point> = points.collect::<Result<_, _>>()?;
        let colliding = (0..points.len()).filter(|&k| points[k].is_free()).collect();
        let size = Aabb::around(body.positions()).size().norm();
        Ok(Self { obstacles: Obstacles::new(obstacles), points, colliding, size })
    }

    /// All points, those that do not collide too.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// What points that coast from `u` to `coasting` would touch. Friction goes on from the `last`
    /// contacts.
    pub fn touches(&self, step: &ContactStep<'_>, u: &[f64], coasting: &[f64], last: &Contacts) -> Touches {
        let planes = self.ask(|point, planes| {
            let from = step.position(u, point);
            self.obstacles.near(&from, MARGIN * self.size, planes);
            let near = planes.len();
            self.obstacles.entered(&from, &step.position(coasting, point), planes);
            // A plane that is near already holds what it would hold once more.
            let mut k = near;
            while k < planes.len() {
                if planes[..near].iter().any(|old| alike(old, &planes[k])) {
                    planes.swap_remove(k);
                } else {
                    k += 1;
                }
            }
        });
        let mut list: Vec<Touch> = planes.iter().map(|found| self.touch(step, u, found)).collect();
        list.iter_mut().for_each(|touch| last.resume(touch));
        Touches { list }
    }

    /// The planes that points entered on their way from `start` to `u` although their touches hold.
    pub fn entered(
        &self,
        step: &ContactStep<'_>,
        touches: &Touches,
        start: &[f64],
        u: &[f64],
    ) -> Vec<(usize, ContactPlane)> {
        self.ask(|point, planes| {
            let (from, to) = (step.position(start, point), step.position(u, point));
            self.obstacles.entered(&from, &to, planes);
            if planes.is_empty() {
                return;
            }
            // Planes are springs: what they hold back is as deep as they are pressed.
            let held = touches.of(point).iter().map(|t| -t.plane.distance(&to)).fold(0.0, f64::max);
            planes.retain(|plane| -plane.distance(&to) > held + SLACK * self.size);
        })
    }

    /// A point that began the step at `start` meets a plane.
    pub fn touch(
        &self,
        step: &ContactStep<'_>,
        start: &[f64],
        &(point, plane): &(usize, ContactPlane),
    ) -> Touch {
        Touch {
            point,
            plane,
            stiffness: STIFFNESS * step.unit(point),
            offset: 0.0,
            borne: 0.0,
            hold: step.position(start, point),
            give: GIVE * self.size,
            cap: 0.0,
        }
    }

    /// Asks for the planes of every point that collides, in order.
    fn ask(&self, planes_of: impl Fn(usize, &mut Vec<ContactPlane>) + Sync) -> Vec<(usize, ContactPlane)> {
        let runs = self.colliding.par_chunks(POINTS_PER_TASK).map(|run| {
            let (mut found, mut planes) = (Vec::new(), Vec::new());
            for &point in run {
                planes.clear();
                planes_of(point, &mut planes);
                found.extend(planes.drain(..).map(|plane| (point, plane)));
            }
            found
        });
        runs.collect::<Vec<_>>().concat()
    }
}

/// Whether one plane can stand for another.
fn alike(a: &ContactPlane, b: &ContactPlane) -> bool {
    a.obstacle == b.obstacle && a.normal.dot(&b.normal) > 1.0 - 1e-9
}
