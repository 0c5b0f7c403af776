//! Collision with obstacles that do not move: which half-spaces a point has to stay in.
//!
//! An obstacle is a solid. Of a point that moves from x to x′ within a time step, a solver of contact
//! needs to know planes (p, n), n of unit length, such that
//!
//!   n · (x′ − p) ≥ 0  for all of them  ⟹  x′ is not inside,
//!
//! few of them, and none that forbids places the point could well go to. Two questions find them:
//!
//! - [`Obstacle::near`], before the step: the planes of what lies within a margin of x. That is the
//!   nearest point of a convex solid, and on a [mesh](ObstacleMesh) every face x is in front of, so
//!   that both sides of a concave corner count, while past a convex edge only the edge itself does.
//! - [`Obstacle::entered`], after a trial: the plane where the straight way from x to x′ enters, found
//!   as a root in t and not by sampling, so that nothing is too fast or too thin to be met.
//!
//! Imposing the first, trying, adding the second, and trying again ends with x′ outside: x satisfies
//! all these planes, so there is always an answer, and a way that enters nothing ends outside.
//!
//! ```
//! use supple_mesh::{Aabb, Obstacle, ObstacleShape, Vec3};
//! let step = Aabb { min: Vec3::zeros(), max: Vec3::new(1.0, 0.2, 1.0) };
//! let step = Obstacle::new(ObstacleShape::Box(step), 0.4)?;
//! let (from, to) = (Vec3::new(0.5, 9.0, 0.5), Vec3::new(0.5, -9.0, 0.5));
//! let plane = step.entered(&from, &to).expect("the step is in between");
//! assert_eq!((plane.point.y, plane.normal), (0.2, Vec3::y()));
//! # Ok::<(), supple_mesh::ObstacleError>(())
//! ```
//!
//! | file | obstacle | distance |
//! |---|---|---|
//! | `floor.rs` | half-space | up · x − height |
//! | `sphere.rs` | ball | ‖x − c‖ − r |
//! | `cuboid.rs` | box along the axes | to the clamped point, or to the nearest face |
//! | `mesh/` | what a triangle mesh encloses | to the nearest triangle, its sign from a pseudo-normal |
//!
//! What a surface touches of itself is found in `itself.rs`.

mod cuboid;
mod error;
mod floor;
mod mesh;
mod self_contact;
mod sphere;
#[cfg(test)]
mod tests;

use crate::{Aabb, Vec3};
use cuboid::Cuboid;
pub use error::ObstacleError;
use floor::Floor;
pub use mesh::ObstacleMesh;
pub use self_contact::{SelfContact, SelfTouch};
use sphere::Sphere;

/// A solid that does not move and that nothing may enter.
#[derive(Clone, Debug)]
pub struct Obstacle {
    solid: Solid,
    friction: f64,
}

/// What an obstacle is like.
#[derive(Clone, Debug)]
pub enum ObstacleShape {
    /// All x with up · x ≤ height, `up` taken at unit length.
    Floor {
        /// How high it is along `up`, metres.
        height: f64,
        /// The direction out of the floor; its length does not matter.
        up: Vec3,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        center: Vec3,
        /// Its radius, metres.
        radius: f64,
    },
    /// A solid box.
    Box(Aabb),
    /// What a mesh encloses.
    Mesh(ObstacleMesh),
}

/// A half-space a point has to stay in front of: normal · (x − point) ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPlane {
    /// Where on the obstacle it touches.
    pub point: Vec3,
    /// The unit normal, pointing out of the obstacle.
    pub normal: Vec3,
    /// The obstacle's coefficient of friction.
    pub friction: f64,
    /// Which of several [`Obstacles`] it belongs to; 0 when one alone was asked.
    pub obstacle: usize,
}

impl ContactPlane {
    /// How far a point is in front of the plane, negative behind it.
    #[must_use]
    pub fn distance(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }
}

/// A shape as it is asked about.
#[derive(Clone, Debug)]
enum Solid {
    Floor(Floor),
    Sphere(Sphere),
    Cuboid(Cuboid),
    Mesh(ObstacleMesh),
}

/// A contact plane without its obstacle.
#[derive(Clone, Copy, Debug)]
struct Plane {
    point: Vec3,
    normal: Vec3,
}

impl Plane {
    fn distance(&self, x: &Vec3) -> f64 {
        self.normal.dot(&(x - self.point))
    }
}

impl Obstacle {
    /// Checks and takes an obstacle with a coefficient of friction: 0 is ice, 0.3 wood, 1 rubber.
    ///
    /// # Errors
    /// A number that is not finite, a direction without length, a box or ball without volume, a
    /// friction below 0: see [`ObstacleError`].
    pub fn new(shape: ObstacleShape, friction: f64) -> Result<Self, ObstacleError> {
        if !(friction >= 0.0 && friction.is_finite()) {
            return Err(ObstacleError::Friction { friction });
        }
        let solid = match shape {
            ObstacleShape::Floor { height, up } => Solid::Floor(Floor::new(height, up)?),
            ObstacleShape::Sphere { center, radius } => Solid::Sphere(Sphere::new(center, radius)?),
            ObstacleShape::Box(bounds) => Solid::Cuboid(Cuboid::new(bounds)?),
            ObstacleShape::Mesh(mesh) => Solid::Mesh(mesh),
        };
        Ok(Self { solid, friction })
    }

    /// The coefficient of friction.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// The distance from x to the surface, negative inside.
    #[must_use]
    pub fn distance(&self, x: &Vec3) -> f64 {
        match &self.solid {
            Solid::Floor(floor) => floor.distance(x),
            Solid::Sphere(sphere) => sphere.distance(x),
            Solid::Cuboid(cuboid) => cuboid.distance(x),
            Solid::Mesh(mesh) => mesh.distance(x),
        }
    }

    /// A radius around x within which no point is inside; what is inside has none.
    #[must_use]
    pub fn clearance(&self, x: &Vec3) -> f64 {
        let clear = match &self.solid {
            Solid::Mesh(mesh) => mesh.clearance(x),
            _ => self.distance(x),
        };
        clear.max(0.0)
    }

    /// Appends the planes of what is within `margin` of a point at `from`, which may be inside, at any
    /// depth: then the planes lead out the nearest way. Nothing when the obstacle is farther away.
    pub fn near(&self, from: &Vec3, margin: f64, out: &mut Vec<ContactPlane>) {
        match &self.solid {
            Solid::Floor(floor) => out.extend(floor.near(from, margin).map(|p| self.contact(p))),
            Solid::Sphere(sphere) => out.extend(sphere.near(from, margin).map(|p| self.contact(p))),
            Solid::Cuboid(cuboid) => out.extend(cuboid.near(from, margin).map(|p| self.contact(p))),
            Solid::Mesh(mesh) => out.extend(mesh.near(from, margin).into_iter().map(|p| self.contact(p))),
        }
    }

    /// The plane where a point on its straight way first enters from outside, `None` if it does not.
    /// `to` is behind that plane, by as little as rounding: a solver that meets planes up to a
    /// tolerance takes less than that as met.
    ///
    /// A convex obstacle that holds `from` is not entered: [`Obstacle::near`] has its plane. Of a mesh
    /// other parts may still be: see [`ObstacleMesh`].
    #[must_use]
    pub fn entered(&self, from: &Vec3, to: &Vec3) -> Option<ContactPlane> {
        let plane = match &self.solid {
            Solid::Floor(floor) => floor.entered(from, to),
            Solid::Sphere(sphere) => sphere.entered(from, to),
            Solid::Cuboid(cuboid) => cuboid.entered(from, to),
            Solid::Mesh(mesh) => mesh.entered(from, to),
        };
        plane.map(|p| self.contact(p))
    }

    fn contact(&self, Plane { point, normal }: Plane) -> ContactPlane {
        ContactPlane { point, normal, friction: self.friction, obstacle: 0 }
    }
}

/// All that is in the way; planes name their obstacle by its place.
#[derive(Clone, Debug, Default)]
pub struct Obstacles(Vec<Obstacle>);

impl Obstacles {
    /// Takes obstacles in order.
    #[must_use]
    pub fn new(obstacles: Vec<Obstacle>) -> Self {
        Self(obstacles)
    }

    /// The obstacles in order.
    #[must_use]
    pub fn all(&self) -> &[Obstacle] {
        &self.0
    }

    /// The least [`Obstacle::clearance`]; without end when nothing is in the way. Whatever moves less than it,
    /// less a margin, has nothing [`near`](Self::near) by that margin.
    #[must_use]
    pub fn clearance(&self, x: &Vec3) -> f64 {
        self.0.iter().map(|obstacle| obstacle.clearance(x)).fold(f64::INFINITY, f64::min)
    }

    /// Appends [`Obstacle::near`] of each.
    pub fn near(&self, from: &Vec3, margin: f64, out: &mut Vec<ContactPlane>) {
        for (number, obstacle) in self.0.iter().enumerate() {
            let first = out.len();
            obstacle.near(from, margin, out);
            out[first..].iter_mut().for_each(|plane| plane.obstacle = number);
        }
    }

    /// Appends [`Obstacle::entered`] of each, so that one cannot hide another.
    pub fn entered(&self, from: &Vec3, to: &Vec3, out: &mut Vec<ContactPlane>) {
        for (number, obstacle) in self.0.iter().enumerate() {
            out.extend(obstacle.entered(from, to).map(|plane| ContactPlane { obstacle: number, ..plane }));
        }
    }
}
