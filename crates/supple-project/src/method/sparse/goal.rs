//! The cost of a key through the warp, with its derivatives by z and ż.
//!
//! Few points are read by rows of the inverse that are kept, without a solve; many by one solve for all of them. With
//! J = ∂W/∂z at the points, f what each costs by its displacement and g by its velocity,
//!
//! > ∂E/∂z = Jᵀf + (∂(Jż)/∂z)ᵀ g, ∂E/∂ż = Jᵀg,
//! > Gauss–Newton: the squares of these; Newton: and f·∂²W, g·∂²(Jż), g·∂²W between z and ż.

use super::ground::Ground;
use super::part::{Part, Pull};
use crate::body::Body;
use crate::method::error::EditError;
use crate::site::Row;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_elastic::{ModalRow, ModalShape, ModalSlopes};
use supple_mesh::Vec3;
use supple_spacetime::{Expansion, Goal, KeyState, Order, Wanted};

/// So many points are read by rows of their own.
const FEW: usize = 4;

/// What is left of the shape before, at one time.
#[derive(Clone, Debug)]
pub(super) struct Leftover {
    pub shape: Arc<ModalShape>,
    /// The share of it that is there.
    pub share: f64,
    /// How fast that changes, per second of the body's own time.
    pub rate: f64,
}

/// All that is asked at one time.
pub(super) struct WarpedGoal {
    ground: Arc<Ground>,
    leftover: Option<Leftover>,
    parts: Vec<Part>,
    sights: Vec<Sight>,
    reads_velocity: bool,
}

/// How the points of a part are read.
struct Sight {
    /// One for each point; none where all vertices are solved for.
    rows: Option<Vec<ModalRow>>,
    relative: Option<Arc<ModalRow>>,
}

/// The body at a state.
struct Seen<'a> {
    shape: &'a ModalShape,
    change: Option<&'a ModalShape>,
    /// Displacements and velocities of all vertices, where some part needs them.
    fields: [Option<Vec<f64>>; 2],
}

/// ∂/∂z of displacements and of velocities at all vertices, where some part needs them.
struct Slopes {
    place: Option<ModalSlopes>,
    speed: Option<ModalSlopes>,
}

impl WarpedGoal {
    pub fn new(
        body: &Body,
        ground: Arc<Ground>,
        leftover: Option<Leftover>,
        parts: Vec<Part>,
    ) -> Result<Self, EditError> {
        let mut sights = Vec::with_capacity(parts.len());
        for part in &parts {
            let row = |row: &Row| ground.warp.row(row);
            let few = part.points.len() <= FEW;
            let rows = few.then(|| part.points.iter().map(row).collect::<Result<_, _>>()).transpose()?;
            let relative = match &part.relative {
                Some(_) if part.from_center => Some(ground.center(body)?),
                Some(relative) => Some(Arc::new(row(relative)?)),
                None => None,
            };
            sights.push(Sight { rows, relative });
        }
        let reads_velocity = parts.iter().any(|part| part.order == Order::Velocity);
        Ok(Self { ground, leftover, parts, sights, reads_velocity })
    }

    /// What every part reads at a state, for reports.
    pub fn values(&self, state: KeyState<'_>) -> Vec<Vec<Vec3>> {
        let (shape, change) = self.shapes(state);
        let seen = self.look(&shape, change.as_ref());
        self.read(&seen)
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn shapes(&self, state: KeyState<'_>) -> (ModalShape, Option<ModalShape>) {
        let left = |of: fn(&Leftover) -> f64| self.leftover.as_ref().map(|left| (&*left.shape, of(left)));
        let shape = self.ground.warp.shape(state.position, left(|left| left.share));
        let change =
            self.reads_velocity.then(|| self.ground.warp.shape(state.velocity, left(|left| left.rate)));
        (shape, change)
    }

    fn needs_field(&self, order: Order) -> bool {
        self.parts.iter().zip(&self.sights).any(|(part, sight)| sight.rows.is_none() && part.order == order)
    }

    fn look<'a>(&self, shape: &'a ModalShape, change: Option<&'a ModalShape>) -> Seen<'a> {
        let warp = &self.ground.warp;
        let place = self.needs_field(Order::Position).then(|| {
            let mut u = vec![0.0; 3 * warp.vertices()];
            warp.displacement(shape, &mut u);
            u
        });
        let speed = change.filter(|_| self.needs_field(Order::Velocity)).map(|change| {
            let mut v = vec![0.0; 3 * warp.vertices()];
            warp.velocity(shape, change, &mut v);
            v
        });
        Seen { shape, change, fields: [place, speed] }
    }

    fn read(&self, seen: &Seen<'_>) -> Vec<Vec<Vec3>> {
        let warp = &self.ground.warp;
        let by_row = |row: &ModalRow, order: Order| match (order, seen.change) {
            (Order::Velocity, Some(change)) => row.velocity(warp, seen.shape, change),
            _ => row.value(warp, seen.shape),
        };
        let of = |(part, sight): (&Part, &Sight)| -> Vec<Vec3> {
            let from = sight.relative.as_ref().map_or(Vec3::zeros(), |row| by_row(row, part.order));
            match (&sight.rows, &seen.fields[part.order.index()]) {
                (Some(rows), _) => rows.iter().map(|row| by_row(row, part.order) - from).collect(),
                (None, Some(field)) => part.points.iter().map(|row| combined(row, field) - from).collect(),
                (None, None) => Vec::new(),
            }
        };
        self.parts.iter().zip(&self.sights).map(of).collect()
    }

    fn slopes(&self, seen: &Seen<'_>) -> Slopes {
        let warp = &self.ground.warp;
        let speeds = self.needs_field(Order::Velocity);
        let place = (speeds || self.needs_field(Order::Position)).then(|| warp.slopes(seen.shape));
        let speed = seen.change.filter(|_| speeds).map(|change| warp.slopes_along(seen.shape, change));
        Slopes { place, speed }
    }

    /// ∂/∂z (and ∂/∂ż) of what a part reads: for every point three rows of r (or 2r) numbers.
    fn jacobian(&self, place: usize, seen: &Seen<'_>, slopes: &Slopes, width: usize) -> Vec<f64> {
        let (part, sight, warp) = (&self.parts[place], &self.sights[place], &self.ground.warp);
        let r = warp.modes();
        let mut block = vec![0.0; 3 * r];
        let mut rows = vec![0.0; 3 * width * part.points.len()];
        // Displacements are read by z; velocities by z through how J changes, and by ż as displacements are by z.
        let halves: &[(bool, usize)] =
            if part.order == Order::Velocity { &[(true, 0), (false, r)] } else { &[(false, 0)] };
        for &(along, at) in halves {
            let add = |row: &ModalRow, weight: f64, block: &mut [f64]| match (along, seen.change) {
                (true, Some(change)) => row.add_slopes_along(warp, (seen.shape, change), weight, block),
                _ => row.add_slopes(warp, seen.shape, weight, block),
            };
            let mut from = vec![0.0; 3 * r];
            if let Some(relative) = &sight.relative {
                add(relative, -1.0, &mut from);
            }
            let field = if along { &slopes.speed } else { &slopes.place };
            for (p, point) in part.points.iter().enumerate() {
                block.copy_from_slice(&from);
                match (&sight.rows, field) {
                    (Some(own), _) => add(&own[p], 1.0, &mut block),
                    (None, Some(slopes)) => {
                        point.iter().for_each(|(v, weight)| slopes.add(*v, *weight, &mut block));
                    }
                    (None, None) => {}
                }
                for (axis, block) in block.chunks_exact(r).enumerate() {
                    rows[(3 * p + axis) * width + at..][..r].copy_from_slice(block);
                }
            }
        }
        rows
    }

    /// What forces on the points of parts of one order do at every place.
    fn stresses(&self, order: Order, pulls: &[Pull]) -> Option<Vec<Matrix3<f64>>> {
        let warp = &self.ground.warp;
        let own =
            || self.parts.iter().zip(&self.sights).zip(pulls).filter(|((part, _), _)| part.order == order);
        own().next()?;
        let mut forces = vec![Vec3::zeros(); warp.vertices()];
        for ((part, sight), pull) in own().filter(|((_, sight), _)| sight.rows.is_none()) {
            debug_assert!(sight.rows.is_none());
            for (point, force) in part.points.iter().zip(&pull.forces) {
                point.iter().for_each(|(v, weight)| forces[v.index()] += force * *weight);
            }
        }
        let mut stresses = warp.stresses(&forces);
        for ((_, sight), pull) in own() {
            for (row, force) in sight.rows.iter().flatten().zip(&pull.forces) {
                row.add_stresses(force, &mut stresses);
            }
            if let Some(relative) = &sight.relative {
                relative.add_stresses(&-pull.forces.iter().sum::<Vec3>(), &mut stresses);
            }
        }
        Some(stresses)
    }

    /// Adds what bends: the second derivatives of what is read, under the forces.
    fn add_curvature(&self, seen: &Seen<'_>, pulls: &[Pull], H: &mut Mat<f64>) {
        let (warp, r) = (&self.ground.warp, self.ground.warp.modes());
        let mut add = |block: &Mat<f64>, (row, column): (usize, usize)| {
            for l in 0..r {
                for k in 0..r {
                    H[(row + k, column + l)] += block[(k, l)];
                }
            }
        };
        let places = self.stresses(Order::Position, pulls);
        let (Some(speeds), Some(change)) = (self.stresses(Order::Velocity, pulls), seen.change) else {
            if let Some(places) = places {
                add(&warp.curvature(seen.shape, &places), (0, 0));
            }
            return;
        };
        let places = places.unwrap_or_else(|| vec![Matrix3::zeros(); speeds.len()]);
        let [own, mixed] = warp.curvatures(seen.shape, change, [&places, &speeds]);
        add(&own, (0, 0));
        add(&mixed, (r, 0));
        add(&mixed, (0, r));
    }
}

impl Goal for WarpedGoal {
    fn reads_velocity(&self) -> bool {
        self.reads_velocity
    }

    fn penalties(&self) -> Vec<f64> {
        penalties(&self.parts)
    }

    fn expand(&self, state: KeyState<'_>, part: f64, multipliers: &[f64], wanted: Wanted) -> Expansion {
        let (shape, change) = self.shapes(state);
        let seen = self.look(&shape, change.as_ref());
        let (pulls, mut expansion) = pulled(&self.parts, &self.read(&seen), part, multipliers);
        if wanted == Wanted::Cost {
            return expansion;
        }
        let r = self.ground.warp.modes();
        let width = if self.reads_velocity { 2 * r } else { r };
        let slopes = self.slopes(&seen);
        let rows: Vec<Vec<f64>> =
            (0..self.parts.len()).map(|place| self.jacobian(place, &seen, &slopes, width)).collect();
        expansion.gradient = gradient(&pulls, &rows, width);
        if wanted >= Wanted::GaussNewton {
            let mut H = squares(&self.parts, &rows, width);
            if wanted == Wanted::Newton {
                self.add_curvature(&seen, &pulls, &mut H);
            }
            expansion.hessian = Some(H);
        }
        expansion
    }
}

/// Costs of parts at what they read.
pub(super) fn pulled(
    parts: &[Part],
    values: &[Vec<Vec3>],
    fraction: f64,
    multipliers: &[f64],
) -> (Vec<Pull>, Expansion) {
    let mut expansion = Expansion::default();
    let mut left = multipliers;
    let pull = |(part, values): (&Part, &Vec<Vec3>)| {
        let (own, others) = left.split_at(part.hard_numbers().min(left.len()));
        left = others;
        let pull = part.pull(values, fraction, own);
        expansion.cost += pull.cost;
        expansion.gaps.extend(&pull.gaps);
        pull
    };
    let pulls = parts.iter().zip(values).map(pull).collect();
    (pulls, expansion)
}

/// ρ of all numbers that hold exactly.
pub(super) fn penalties(parts: &[Part]) -> Vec<f64> {
    parts.iter().flat_map(|part| std::iter::repeat_n(part.penalty(), part.hard_numbers())).collect()
}

/// Σ Jᵀf.
pub(super) fn gradient(pulls: &[Pull], rows: &[Vec<f64>], width: usize) -> Vec<f64> {
    let mut gradient = vec![0.0; width];
    for (pull, rows) in pulls.iter().zip(rows) {
        let forces = pull.forces.iter().flat_map(|force| force.data.0[0]);
        for (force, row) in forces.zip(rows.chunks_exact(width)) {
            gradient.iter_mut().zip(row).for_each(|(g, j)| *g += force * j);
        }
    }
    gradient
}

/// Σ c Jᵀ AᵀA J.
pub(super) fn squares(parts: &[Part], rows: &[Vec<f64>], width: usize) -> Mat<f64> {
    let mut stacked = Vec::new();
    for (part, rows) in parts.iter().zip(rows) {
        for (point, rows) in rows.chunks_exact(3 * width).enumerate() {
            let scale = part.weight(point).max(0.0).sqrt();
            for direction in part.directions() {
                let at = stacked.len();
                stacked.resize(at + width, 0.0);
                for (row, by) in rows.chunks_exact(width).zip(direction.iter()) {
                    stacked[at..].iter_mut().zip(row).for_each(|(out, j)| *out += scale * by * j);
                }
            }
        }
    }
    let stacked = MatRef::from_row_major_slice(&stacked, stacked.len() / width.max(1), width);
    let mut H = Mat::zeros(width, width);
    faer::linalg::matmul::matmul(H.as_mut(), Accum::Replace, stacked.transpose(), stacked, 1.0, Par::Seq);
    H
}

/// A combination of vertices in a field of three numbers each.
pub(super) fn combined(row: &Row, field: &[f64]) -> Vec3 {
    row.iter().map(|(v, weight)| Vec3::from_column_slice(&field[3 * v.index()..][..3]) * *weight).sum()
}
