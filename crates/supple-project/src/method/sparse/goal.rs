//! The cost of a key through the warp, with its derivatives by z and ż.
//!
//! Points are read by rows of the inverse that are kept, without a solve; where they are very many, by one solve for all
//! vertices. With J = ∂W/∂z at the points, f what each costs by its displacement and g by its velocity,
//!
//! > ∂E/∂z = Jᵀf + (∂(Jż)/∂z)ᵀ g, ∂E/∂ż = Jᵀg,
//! > what bends: f·∂²W and g·∂²(Jż) by z twice, g·∂²W between z and ż.

use super::ground::Ground;
use super::part::Part;
use crate::body::Body;
use crate::method::error::EditError;
use crate::site::Row;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_elastic::{ModalBlock, ModalRow, ModalShape, ModalSlopes};
use supple_mesh::Vec3;
use supple_spacetime::{Cost, Goal, KeyState, Order};

/// So many points are read by rows of their own;
const FEW: usize = 4;
/// more of them together, as long as points times places are no more than this: beyond, all vertices are solved for.
const MANY: usize = 2_500_000;

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
    points: Points,
    relative: Option<Arc<ModalRow>>,
}

enum Points {
    /// One by one.
    Few(Vec<ModalRow>),
    /// As products.
    Many(Arc<ModalBlock>),
    /// All vertices are solved for.
    Solved,
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
            let points = match part.points.len() {
                few if few <= FEW => Points::Few(part.points.iter().map(row).collect::<Result<_, _>>()?),
                many if many * ground.warp.places() <= MANY => Points::Many(ground.block(&part.points)?),
                _ => Points::Solved,
            };
            let relative = match &part.relative {
                Some(_) if part.from_center => Some(ground.center(body)?),
                Some(relative) => Some(Arc::new(row(relative)?)),
                None => None,
            };
            sights.push(Sight { points, relative });
        }
        let reads_velocity = parts.iter().any(|part| part.order == Order::Velocity);
        Ok(Self { ground, leftover, parts, sights, reads_velocity })
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many numbers derivatives are by.
    fn width(&self) -> usize {
        self.ground.warp.modes() * if self.reads_velocity { 2 } else { 1 }
    }

    fn shapes(&self, state: KeyState<'_>) -> (ModalShape, Option<ModalShape>) {
        let left = |of: fn(&Leftover) -> f64| self.leftover.as_ref().map(|left| (&*left.shape, of(left)));
        let shape = self.ground.warp.shape(state.position, left(|left| left.share));
        let change =
            self.reads_velocity.then(|| self.ground.warp.shape(state.velocity, left(|left| left.rate)));
        (shape, change)
    }

    /// Whether all vertices have to be solved for.
    fn needs_field(&self, order: Order) -> bool {
        let is_solved = |sight: &Sight| matches!(sight.points, Points::Solved);
        self.parts.iter().zip(&self.sights).any(|(part, sight)| is_solved(sight) && part.order == order)
    }

    /// What every part reads at a state.
    pub fn values(&self, state: KeyState<'_>) -> Vec<Vec<Vec3>> {
        let warp = &self.ground.warp;
        let (shape, change) = self.shapes(state);
        let mut fields = [Vec::new(), Vec::new()];
        if self.needs_field(Order::Position) {
            fields[0] = vec![0.0; 3 * warp.vertices()];
            warp.displacement(&shape, &mut fields[0]);
        }
        if let Some(change) = change.as_ref().filter(|_| self.needs_field(Order::Velocity)) {
            fields[1] = vec![0.0; 3 * warp.vertices()];
            warp.velocity(&shape, change, &mut fields[1]);
        }
        let of = |(part, sight): (&Part, &Sight)| -> Vec<Vec3> {
            let change = change.as_ref().filter(|_| part.order == Order::Velocity);
            let by_row = |row: &ModalRow| match change {
                Some(change) => row.velocity(warp, &shape, change),
                None => row.value(warp, &shape),
            };
            let mut values: Vec<Vec3> = match (&sight.points, change) {
                (Points::Few(rows), _) => rows.iter().map(by_row).collect(),
                (Points::Many(block), Some(change)) => block.velocities(&shape, change),
                (Points::Many(block), None) => block.values(&shape),
                (Points::Solved, _) => {
                    part.points.iter().map(|row| combined(row, &fields[part.order.index()])).collect()
                }
            };
            if let Some(from) = sight.relative.as_ref().map(|row| by_row(row)) {
                values.iter_mut().for_each(|value| *value -= from);
            }
            values
        };
        self.parts.iter().zip(&self.sights).map(of).collect()
    }

    fn slopes(&self, shape: &ModalShape, change: Option<&ModalShape>) -> Slopes {
        let warp = &self.ground.warp;
        let speeds = self.needs_field(Order::Velocity);
        let place = (speeds || self.needs_field(Order::Position)).then(|| warp.slopes(shape));
        let speed = change.filter(|_| speeds).map(|change| warp.slopes_along(shape, change));
        Slopes { place, speed }
    }

    /// ∂/∂z (and ∂/∂ż) of what a part reads: for every point three rows of r (or 2r) numbers.
    fn jacobian(
        &self,
        place: usize,
        shape: &ModalShape,
        change: Option<&ModalShape>,
        slopes: &Slopes,
    ) -> Vec<f64> {
        let (part, sight, warp) = (&self.parts[place], &self.sights[place], &self.ground.warp);
        let (r, width) = (warp.modes(), self.width());
        let mut rows = vec![0.0; 3 * width * part.points.len()];
        // Displacements are read by z; velocities by z through how J changes, and by ż as displacements are by z.
        let halves: &[(bool, usize)] =
            if part.order == Order::Velocity { &[(true, 0), (false, r)] } else { &[(false, 0)] };
        for &(along, at) in halves {
            let change = change.filter(|_| along);
            let add = |row: &ModalRow, weight: f64, block: &mut [f64]| match change {
                Some(change) => row.add_slopes_along(warp, (shape, change), weight, block),
                None => row.add_slopes(warp, shape, weight, block),
            };
            let mut from = vec![0.0; 3 * r];
            if let Some(relative) = &sight.relative {
                add(relative, -1.0, &mut from);
            }
            let mut all = from.repeat(part.points.len());
            match (&sight.points, change) {
                (Points::Few(own), _) => {
                    all.chunks_exact_mut(3 * r).zip(own).for_each(|(block, row)| add(row, 1.0, block));
                }
                (Points::Many(block), change) => {
                    let more = match change {
                        Some(change) => block.slopes_along(warp, shape, change),
                        None => block.slopes(warp, shape),
                    };
                    all.iter_mut().zip(&more).for_each(|(all, more)| *all += more);
                }
                (Points::Solved, _) => {
                    let field = if along { &slopes.speed } else { &slopes.place };
                    for (block, point) in all.chunks_exact_mut(3 * r).zip(&part.points) {
                        for (v, weight) in point {
                            field.iter().for_each(|slopes| slopes.add(*v, *weight, block));
                        }
                    }
                }
            }
            for (row, own) in rows.chunks_exact_mut(width).zip(all.chunks_exact(r)) {
                row[at..at + r].copy_from_slice(own);
            }
        }
        rows
    }

    /// What forces on the points of parts of one order do at every place; none if there are no such parts.
    fn stresses(&self, order: Order, forces: &[&[f64]]) -> Option<Vec<Matrix3<f64>>> {
        let warp = &self.ground.warp;
        let own = || {
            let all = self.parts.iter().zip(&self.sights).zip(forces);
            all.filter(|((part, _), _)| part.order == order).map(|((part, sight), f)| (part, sight, *f))
        };
        own().next()?;
        let mut stresses = if self.needs_field(order) {
            let mut on_vertices = vec![Vec3::zeros(); warp.vertices()];
            for (part, _, forces) in own().filter(|(_, sight, _)| matches!(sight.points, Points::Solved)) {
                for (point, force) in part.points.iter().zip(vectors(forces)) {
                    point.iter().for_each(|(v, weight)| on_vertices[v.index()] += force * *weight);
                }
            }
            warp.stresses(&on_vertices)
        } else {
            vec![Matrix3::zeros(); warp.places()]
        };
        for (_, sight, forces) in own() {
            match &sight.points {
                Points::Few(rows) => {
                    rows.iter().zip(vectors(forces)).for_each(|(row, f)| row.add_stresses(&f, &mut stresses));
                }
                Points::Many(block) => {
                    block.add_stresses(&vectors(forces).collect::<Vec<_>>(), &mut stresses);
                }
                Points::Solved => {}
            }
            if let Some(relative) = &sight.relative {
                relative.add_stresses(&-vectors(forces).sum::<Vec3>(), &mut stresses);
            }
        }
        Some(stresses)
    }
}

impl Goal for WarpedGoal {
    fn reads_velocity(&self) -> bool {
        self.reads_velocity
    }

    fn penalties(&self) -> Vec<f64> {
        penalties(&self.parts)
    }

    fn read(&self, state: KeyState<'_>) -> Vec<f64> {
        flat(&self.values(state))
    }

    fn cost(&self, read: &[f64], part: f64, multipliers: &[f64]) -> Cost {
        cost(&self.parts, read, part, multipliers)
    }

    fn rows(&self, state: KeyState<'_>) -> Vec<f64> {
        let (shape, change) = self.shapes(state);
        let slopes = self.slopes(&shape, change.as_ref());
        let each = (0..self.parts.len()).map(|place| self.jacobian(place, &shape, change.as_ref(), &slopes));
        each.collect::<Vec<_>>().concat()
    }

    fn squares(&self, rows: &[f64]) -> Mat<f64> {
        squares(&self.parts, rows, self.width())
    }

    fn curvature(&self, state: KeyState<'_>, forces: &[f64]) -> Option<Mat<f64>> {
        let (warp, r) = (&self.ground.warp, self.ground.warp.modes());
        let (shape, change) = self.shapes(state);
        let forces: Vec<&[f64]> = apart(&self.parts, forces).collect();
        let places = self.stresses(Order::Position, &forces);
        let (Some(speeds), Some(change)) = (self.stresses(Order::Velocity, &forces), change) else {
            return places.map(|places| warp.curvature(&shape, &places));
        };
        let places = places.unwrap_or_else(|| vec![Matrix3::zeros(); speeds.len()]);
        let [own, mixed] = warp.curvatures(&shape, &change, [&places, &speeds]);
        Some(Mat::from_fn(2 * r, 2 * r, |k, l| match (k < r, l < r) {
            (true, true) => own[(k, l)],
            (false, true) => mixed[(k - r, l)],
            (true, false) => mixed[(k, l - r)],
            (false, false) => 0.0,
        }))
    }
}

/// All vectors, one after the other.
pub(super) fn flat(values: &[Vec<Vec3>]) -> Vec<f64> {
    values.iter().flatten().flat_map(|v| v.data.0[0]).collect()
}

/// What there is of every part among numbers of all points, three each.
fn apart<'a>(parts: &'a [Part], mut all: &'a [f64]) -> impl Iterator<Item = &'a [f64]> {
    parts.iter().map(move |part| {
        let (own, others) = all.split_at(3 * part.points.len());
        all = others;
        own
    })
}

fn vectors(numbers: &[f64]) -> impl Iterator<Item = Vec3> {
    numbers.chunks_exact(3).map(Vec3::from_column_slice)
}

/// Costs of parts at what they read.
pub(super) fn cost(parts: &[Part], read: &[f64], fraction: f64, multipliers: &[f64]) -> Cost {
    let mut cost = Cost::default();
    let mut left = multipliers;
    for (part, values) in parts.iter().zip(apart(parts, read)) {
        let (own, others) = left.split_at(part.hard_numbers().min(left.len()));
        left = others;
        let pull = part.pull(&vectors(values).collect::<Vec<_>>(), fraction, own);
        cost.cost += pull.cost;
        cost.gaps.extend(&pull.gaps);
        cost.forces.extend(pull.forces.iter().flat_map(|force| force.data.0[0]));
    }
    cost
}

/// ρ of all numbers that hold exactly.
pub(super) fn penalties(parts: &[Part]) -> Vec<f64> {
    parts.iter().flat_map(|part| std::iter::repeat_n(part.penalty(), part.hard_numbers())).collect()
}

/// Σ c Jᵀ AᵀA J.
pub(super) fn squares(parts: &[Part], rows: &[f64], width: usize) -> Mat<f64> {
    let mut stacked = Vec::new();
    let points = parts.iter().flat_map(|part| (0..part.points.len()).map(move |point| (part, point)));
    for ((part, point), rows) in points.zip(rows.chunks_exact(3 * width.max(1))) {
        let scale = part.weight(point).max(0.0).sqrt();
        for direction in part.directions() {
            let at = stacked.len();
            stacked.resize(at + width, 0.0);
            for (row, by) in rows.chunks_exact(width).zip(direction.iter()) {
                stacked[at..].iter_mut().zip(row).for_each(|(out, j)| *out += scale * by * j);
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
