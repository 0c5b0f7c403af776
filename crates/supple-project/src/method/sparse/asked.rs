//! Handles and poses of a segment, as parts of keys: where points go, seen from the rest shape.
//!
//! | asked for | displacement of a point that is at X on the rest shape |
//! |---|---|
//! | `to` | R⁻¹(a) − the mean of X, all points alike |
//! | `by` | R⁻¹ a |
//! | `turn`, then `by` or `to` | where the turn takes X, then as above |
//! | `plane` | along the normal only |
//! | `velocity` | R⁻¹ a, per second of the body's own time |
//!
//! In flight everything is seen from the centre of mass, which goes its own way.

use super::flight::Ballistic;
use super::goal::combined;
use super::ground::{Ground, center_at_rest, center_of_mass};
use super::part::{Aim, Asker, Part};
use super::placement::Placement;
use crate::body::Body;
use crate::key_poses::KeyPose;
use crate::method::error::HandleProblem;
use crate::shot::{Goal, Handle, Hold, Method, Move, Site, Together};
use crate::site::{Points, Row, facing};
use nalgebra::{Matrix3, Unit};
use supple_mesh::Vec3;
use supple_model::{Instant, VertexId};
use supple_spacetime::{Kernel, Order};

/// A direction in which the kernel moves this much less than in its easiest is taken for this easy.
const STIFFEST: f64 = 1e-6;
/// A target whose mean goes less far than this part of its points has no direction.
const NO_DIRECTION: f64 = 1e-3;

/// The rest shape of a segment at one time, to which handles and poses are told.
pub(super) struct Asking<'a> {
    pub body: &'a Body,
    pub ground: &'a Ground,
    /// Where the rest shape stands then.
    pub placement: Placement,
    /// How its centre of mass moves then, in flight; per second of the body's own time.
    pub falling: Option<Vec3>,
    /// Seconds of the body's own time in a second of the playback.
    pub pace: f64,
    /// What moved anchors do by themselves, three numbers per vertex.
    pub carried: Option<&'a [f64]>,
}

impl Asking<'_> {
    /// The same, so many seconds into a flight.
    pub fn after(&self, flight: Option<&Ballistic>, seconds: f64) -> Self {
        let mut then = Self { ..*self };
        if let Some(flight) = flight {
            then.placement.shift = flight.at(seconds) - self.placement.turn * center_at_rest(self.body);
            then.falling = Some(flight.speed_at(seconds));
        }
        then
    }

    /// What a handle asks.
    pub fn handle(&self, handle: &Handle, number: u32) -> Result<Part, HandleProblem> {
        let together = |goal, key| Err(HandleProblem::Together { goal, key });
        match &handle.goal {
            Goal::Path(_) => return Err(HandleProblem::NotForKeys { goal: "path" }),
            goal if goal.is_for_characters() => {
                return Err(HandleProblem::ForCharacters { goal: goal.key(), method: "sparse" });
            }
            Goal::Plane { .. } if handle.axes.is_some() => return together("plane", "axes"),
            Goal::Turn { .. } if handle.relative_to.is_some() => return together("turn", "relative_to"),
            _ => {}
        }
        let points = Points::of(&handle.site, self.body)?;
        let turns = matches!(handle.goal, Goal::Turn { .. });
        let default = if turns { Together::Each } else { Together::Mean };
        let each = handle.points.unwrap_or(default) == Together::Each && points.rows.len() > 1;
        let (points, shares) =
            if each { (points.rows, points.shares) } else { (vec![points.mean()], vec![1.0]) };
        self.check_moves(&points, &handle.site)?;
        let from = handle.relative_to.as_ref().map(|site| Points::of(site, self.body)).transpose()?;
        let sees_center = matches!(handle.relative_to, Some(Site::CenterOfMass));
        let relative = match from {
            Some(from) => Some(from.mean()),
            None => self.falling.map(|_| center_of_mass(self.body)),
        };
        let from_center = relative.is_some() && (handle.relative_to.is_none() || sees_center);
        let is_free = handle.relative_to.is_none();
        let (is_hard, firmness) = firmness(handle, each)?;
        let order = if matches!(handle.goal, Goal::Velocity(_)) { Order::Velocity } else { Order::Position };
        let turn = &self.placement.turn;
        let (axes, asked) = match &handle.goal {
            Goal::Plane { normal, .. } => {
                (facing(&Unit::new_normalize(Vec3::from(*normal))) * turn, [true, false, false])
            }
            _ => (Matrix3::identity() * turn, handle.axes.map_or([true; 3], |axes| axes.0)),
        };
        let aim = self.aim(handle, &points, &shares, relative.as_ref().filter(|_| !is_free), is_free);
        if let Some(bad) = aim.targets(1.0).iter().flat_map(|t| t.data.0[0]).find(|x| !x.is_finite()) {
            return Err(HandleProblem::NotFinite { value: bad });
        }
        let base = self.base(&points, relative.as_ref(), order);
        Ok(Part {
            asker: Asker::Handle(number),
            order,
            points,
            relative,
            from_center,
            shares,
            aim,
            axes,
            asked,
            is_hard,
            firmness,
            base,
            stiffness: 1.0,
            unit: 1.0,
        })
    }

    /// What a pose asks of its vertices, softly; one part for where they are, one for how fast they move.
    pub fn pose(&self, pose: &KeyPose) -> Vec<Part> {
        let all: Vec<VertexId>;
        let vertices = match &pose.vertices {
            Some(vertices) => vertices,
            None => {
                all = (0..self.body.positions().len()).map(VertexId::new).collect();
                &all
            }
        };
        let masses = self.body.elastic.masses();
        let free: Vec<VertexId> =
            vertices.iter().copied().filter(|v| self.ground.held.binary_search(v).is_err()).collect();
        let total: f64 = free.iter().map(|v| masses[v.index()]).sum();
        let relative = self.falling.map(|_| center_of_mass(self.body));
        let part = |order: Order, field: &[f64]| {
            let points: Vec<Row> = free.iter().map(|v| vec![(*v, 1.0)]).collect();
            let center = relative.as_ref().map_or(Vec3::zeros(), |row| combined(row, field));
            Part {
                asker: Asker::Pose(pose.number),
                order,
                aim: Aim::Each(points.iter().map(|row| combined(row, field) - center).collect()),
                base: self.base(&points, relative.as_ref(), order),
                shares: free.iter().map(|v| masses[v.index()] / total).collect(),
                points,
                relative: relative.clone(),
                from_center: relative.is_some(),
                axes: Matrix3::identity(),
                asked: [true; 3],
                is_hard: false,
                firmness: match pose.hold {
                    Hold::Soft(firmness) => firmness,
                    Hold::Hard => Handle::EACH,
                },
                stiffness: 1.0,
                unit: 1.0,
            }
        };
        if free.is_empty() {
            return Vec::new();
        }
        let mut parts = vec![part(Order::Position, &pose.displacement)];
        parts.extend(
            pose.velocity.as_ref().map(|velocity| part(Order::Velocity, &self.velocity_of(velocity))),
        );
        parts
    }

    /// A field of velocities per second of the playback, as the rest shape sees it in its own time.
    pub fn velocity_of(&self, velocity: &[f64]) -> Vec<f64> {
        let own = |v: &[f64]| self.placement.local_direction(&Vec3::from_column_slice(v)) / self.pace;
        velocity.chunks_exact(3).flat_map(|v| own(v).data.0[0]).collect()
    }

    fn base(&self, points: &[Row], relative: Option<&Row>, order: Order) -> Vec<Vec3> {
        let Some(carried) = self.carried.filter(|_| order == Order::Position) else {
            return vec![Vec3::zeros(); points.len()];
        };
        let from = relative.map_or(Vec3::zeros(), |row| combined(row, carried));
        points.iter().map(|row| combined(row, carried) - from).collect()
    }

    fn aim(
        &self,
        handle: &Handle,
        points: &[Row],
        shares: &[f64],
        relative: Option<&Row>,
        is_free: bool,
    ) -> Aim {
        let rest = flat(self.body.positions());
        let at: Vec<Vec3> = points.iter().map(|row| combined(row, &rest)).collect();
        let middle: Vec3 = at.iter().zip(shares).map(|(x, share)| x * *share).sum();
        let from = relative.map_or(Vec3::zeros(), |row| combined(row, &rest));
        let local = |to: &[f64; 3]| {
            let to = Vec3::from(*to);
            if is_free { self.placement.local(&to) } else { self.placement.local_direction(&to) + from }
        };
        let direction = |by: &[f64; 3]| self.placement.local_direction(&Vec3::from(*by));
        let alike = |by: Vec3| Aim::Each(vec![by; at.len()]);
        match &handle.goal {
            Goal::To(to) => alike(local(to) - middle),
            Goal::By(by) => alike(direction(by)),
            Goal::Velocity(velocity) => {
                let own = direction(velocity) / self.pace;
                let fallen = self.falling.filter(|_| is_free);
                alike(own - fallen.map_or(Vec3::zeros(), |v| self.placement.local_direction(&v)))
            }
            Goal::Plane { point, normal } => {
                let normal = Unit::new_normalize(direction(normal));
                let to = local(point) - from;
                Aim::Each(at.iter().map(|x| *normal * normal.dot(&(to - (x - from)))).collect())
            }
            Goal::Turn { turn, then } => {
                let about = self.placement.local(&turn.about.into());
                let axis = Unit::new_normalize(direction(&turn.axis));
                let angle = turn.degrees.to_radians();
                let turned = nalgebra::Rotation3::from_axis_angle(&axis, angle) * (middle - about) + about;
                let shift = match then {
                    None => Vec3::zeros(),
                    Some(Move::By(by)) => direction(by),
                    Some(Move::To(to)) => local(to) - turned,
                };
                Aim::Turn { from: at, about, axis, angle, shift }
            }
            // Refused before.
            _ => alike(Vec3::zeros()),
        }
    }

    /// A point must ride on something that moves, and the centre of mass is nobody's in flight.
    fn check_moves(&self, points: &[Row], site: &Site) -> Result<(), HandleProblem> {
        if self.falling.is_some() && matches!(site, Site::CenterOfMass) {
            return Err(HandleProblem::Falls);
        }
        let is_held = |row: &Row| {
            row.iter().all(|(v, weight)| *weight == 0.0 || self.ground.held.binary_search(v).is_ok())
        };
        match points.iter().find(|row| is_held(row)).and_then(|row| row.first()) {
            Some((vertex, _)) if points.iter().all(is_held) => {
                let vertex = if let Site::Vertex(seen) = site { *seen } else { *vertex };
                Err(HandleProblem::Anchored { vertex })
            }
            _ => Ok(()),
        }
    }
}

/// Gives a part its stiffness, from the variance of its mean under the kernel; what is hard gets its unit.
pub(super) fn weigh(part: &mut Part, ground: &Ground, kernel: &Kernel, at: Instant, size: f64) {
    let mut covariance = vec![0.0; kernel.modes()];
    kernel.covariance((at, part.order), (at, part.order), &mut covariance);
    let mean: Row = part
        .points
        .iter()
        .zip(&part.shares)
        .flat_map(|(row, share)| row.iter().map(move |(v, weight)| (*v, share * weight)))
        .collect();
    let mut rows = ground.basis.row(&mean);
    if let Some(relative) = &part.relative {
        for (row, from) in rows.iter_mut().zip(ground.basis.row(relative)) {
            row.iter_mut().zip(from).for_each(|(row, from)| *row -= from);
        }
    }
    let entry = |i: usize, j: usize| {
        rows[i].iter().zip(&rows[j]).zip(&covariance).map(|((a, b), p)| a * b * p).sum::<f64>()
    };
    let S = part.axes * Matrix3::from_fn(entry) * part.axes.transpose();
    let asked: Vec<usize> = (0..3).filter(|axis| part.asked[*axis]).collect();
    let easiest = asked.iter().map(|a| S[(*a, *a)]).fold(f64::MIN_POSITIVE, f64::max);
    let targets = part.aim.targets(1.0);
    let goal: Vec3 = part.axes * targets.iter().zip(&part.shares).map(|(t, share)| t * *share).sum::<Vec3>();
    let goal = Vec3::from_fn(|axis, _| if part.asked[axis] { goal[axis] } else { 0.0 });
    let farthest = targets.iter().map(Vec3::norm).fold(0.0, f64::max);
    let variance = if goal.norm() > NO_DIRECTION * farthest && goal.norm() > 0.0 {
        goal.dot(&(S * goal)) / goal.norm_squared()
    } else {
        asked.iter().map(|a| S[(*a, *a)]).sum::<f64>() / asked.len().max(1) as f64
    };
    part.stiffness = part.firmness / variance.max(STIFFEST * easiest);
    part.unit = match part.order {
        Order::Position => size,
        // A velocity is as good as a length that it makes in the time in which the body swings.
        Order::Velocity => {
            let swing = ground.eigenvalues.iter().copied().find(|l| *l > 0.0).unwrap_or(1.0).sqrt();
            farthest.max(size * swing)
        }
    };
}

fn firmness(handle: &Handle, each: bool) -> Result<(bool, f64), HandleProblem> {
    match handle.firmness(Method::Sparse) {
        Hold::Soft(weight) if !(weight > 0.0 && weight.is_finite()) => Err(HandleProblem::Weight { weight }),
        Hold::Soft(weight) => Ok((false, weight)),
        Hold::Hard => Ok((!each, Handle::EACH)),
    }
}

fn flat(positions: &[Vec3]) -> Vec<f64> {
    positions.iter().flat_map(|x| x.data.0[0]).collect()
}
