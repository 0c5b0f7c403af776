//! A handle of the shot, taken apart into wishes: one point, one frame, up to three coordinates each.
//!
//! | asked for | position W, input at x̄ | target |
//! |---|---|---|
//! | `to` | the mean, or each point | a; each point is as far from a as from the mean of x̄ |
//! | `by` | the same | x̄ + a |
//! | `turn` | each point (or the mean) | the point turned about the axis |
//! | `plane` | n·W alone | n·point |
//! | `path` | as `to`, frame by frame | the curve at that frame |
//! | `velocity` | Ẇ, less that of the input | a, per second of the playback |
//!
//! With `relative_to` W is the difference of two points.

use super::EditError;
use super::error::HandleProblem;
use super::figure::Figure;
use super::points::points;
use super::time::Clock;
use crate::body::Body;
use crate::shot::{self, Goal, Shot, Site, Together};
use crate::site::{Points, Row};
use nalgebra::{Matrix3, Rotation3, Unit};
use supple_elastic::WarpedMotion;
use supple_formats::Track;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_spacetime::{Hold, Order};

/// What is asked of one point at one frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    /// When, counted from 0.
    pub frame: usize,
    /// The point, as a combination of the figure's vertices; a difference of points sums to 0.
    pub point: Row,
    /// Position or velocity.
    pub order: Order,
    /// The coordinates that are read, a row each.
    pub axes: Matrix3<f64>,
    /// What they should be; of a velocity per second of the body's own time, the input's included.
    pub target: [Option<f64>; 3],
    /// How firmly.
    pub hold: Hold,
}

/// Everything needed to understand a handle.
pub(super) struct Scene<'a> {
    pub shot: &'a Shot,
    pub body: &'a Body,
    pub figure: &'a Figure,
    pub clock: &'a Clock,
    pub motion: &'a WarpedMotion,
}

impl Scene<'_> {
    /// The wishes of a handle.
    pub fn wishes(&self, handle: &shot::Handle) -> Result<Vec<Wish>, HandleProblem> {
        let goal = Asked::of(handle, self.shot)?;
        if let shot::Hold::Soft(weight) = handle.hold
            && !(weight > 0.0 && weight.is_finite() && weight.recip().is_finite())
        {
            return Err(HandleProblem::Weight { weight });
        }
        let points = self.points(handle, &goal)?;
        let mut wishes = Vec::new();
        for number in handle.when.range() {
            let (first, last) = self.clock.span();
            let outside = HandleProblem::OutsideMotion { frame: number, first, last };
            let frame = self.clock.index(number).ok_or(outside)?;
            self.ask(frame, &points, &goal, handle, &mut wishes);
        }
        for value in wishes.iter().flat_map(|wish| wish.target).flatten() {
            if !value.is_finite() {
                return Err(HandleProblem::NotFinite { value });
            }
        }
        Ok(wishes)
    }

    /// What is held, point by point, and the mean of all.
    fn points(&self, handle: &shot::Handle, goal: &Asked) -> Result<Vec<Row>, HandleProblem> {
        let of = |site| points(site, self.body, self.figure);
        let points = of(&handle.site)?;
        let default = if matches!(goal, Asked::Turn { .. }) { Together::Each } else { Together::Mean };
        let mut rows = match handle.points.unwrap_or(default) {
            Together::Each => points.rows,
            Together::Mean => vec![mean(&points)],
        };
        for row in &rows {
            self.check_moves(row, &handle.site)?;
        }
        if let Some(site) = &handle.relative_to {
            let other = mean(&of(site)?);
            for row in &mut rows {
                row.extend(other.iter().map(|(v, weight)| (*v, -weight)));
            }
        }
        Ok(rows)
    }

    /// A point must ride on something that moves.
    fn check_moves(&self, row: &Row, site: &Site) -> Result<(), HandleProblem> {
        if row.iter().any(|(v, weight)| *weight != 0.0 && self.figure.free.index(*v).is_some()) {
            return Ok(());
        }
        // A vertex of the skin rides on others; the user knows it by its own number.
        let vertex = match site {
            Site::Vertex(vertex) => *vertex,
            _ => row.first().map_or(VertexId(0), |(v, _)| *v),
        };
        Err(match &self.shot.edit.part {
            Some(part) => HandleProblem::OutsidePart { vertex, part: part.clone() },
            None => HandleProblem::Anchored { vertex },
        })
    }

    fn ask(&self, frame: usize, points: &[Row], goal: &Asked, handle: &shot::Handle, wishes: &mut Vec<Wish>) {
        let places: Vec<Vec3> = points.iter().map(|row| self.place(row, frame)).collect();
        let middle = places.iter().sum::<Vec3>() / places.len() as f64;
        let asked = handle.axes.map_or([true; 3], |axes| axes.0);
        let hold = match handle.hold {
            shot::Hold::Hard => Hold::Hard,
            shot::Hold::Soft(weight) => Hold::Soft(weight),
        };
        for (row, place) in points.iter().zip(places) {
            let number = f64::from(self.clock.number(frame));
            let mut wish = Wish {
                frame,
                point: row.clone(),
                order: Order::Position,
                axes: Matrix3::identity(),
                target: [None; 3],
                hold,
            };
            let target = match goal {
                Asked::To(to) => place + to - middle,
                Asked::By(by) => place + by,
                Asked::Path(track, columns) => {
                    let values = track.at(number);
                    place + Vec3::from(columns.map(|c| values[c])) - middle
                }
                Asked::Turn { about, rotation } => about + rotation * (place - about),
                Asked::Velocity(velocity) => {
                    wish.order = Order::Velocity;
                    velocity / self.clock.pace()
                }
                Asked::Plane { normal, at } => {
                    wish.axes = facing(normal);
                    wish.target[0] = Some(*at);
                    wishes.push(wish);
                    continue;
                }
            };
            wish.target = std::array::from_fn(|c| asked[c].then_some(target[c]));
            wishes.push(wish);
        }
    }

    /// Where the input has a point.
    fn place(&self, row: &Row, frame: usize) -> Vec3 {
        place(row, &self.figure.positions, self.motion.frame(frame).displacement())
    }
}

/// Where a point is under a displacement.
pub(super) fn place(row: &Row, positions: &[Vec3], displacement: &[f64]) -> Vec3 {
    let at =
        |v: VertexId| positions[v.index()] + Vec3::from_column_slice(&displacement[3 * v.index()..][..3]);
    row.iter().map(|(v, weight)| at(*v) * *weight).sum()
}

/// What a handle asks, with what it reads from files.
enum Asked {
    To(Vec3),
    By(Vec3),
    Velocity(Vec3),
    Path(Track, [usize; 3]),
    Turn { about: Vec3, rotation: Rotation3<f64> },
    Plane { normal: Unit<Vec3>, at: f64 },
}

impl Asked {
    fn of(handle: &shot::Handle, shot: &Shot) -> Result<Self, HandleProblem> {
        let together = |goal, key| Err(HandleProblem::Together { goal, key });
        match &handle.goal {
            Goal::Plane { .. } if handle.axes.is_some() => together("plane", "axes"),
            Goal::Turn { .. } if handle.relative_to.is_some() => together("turn", "relative_to"),
            Goal::To(to) => Ok(Self::To((*to).into())),
            Goal::By(by) => Ok(Self::By((*by).into())),
            Goal::Velocity(velocity) => Ok(Self::Velocity((*velocity).into())),
            Goal::Plane { point, normal } => {
                let normal = Unit::new_normalize(Vec3::from(*normal));
                Ok(Self::Plane { normal, at: normal.dot(&Vec3::from(*point)) })
            }
            Goal::Turn { about, axis, degrees } => {
                let axis = Unit::new_normalize(Vec3::from(*axis));
                let rotation = Rotation3::from_axis_angle(&axis, degrees.to_radians());
                Ok(Self::Turn { about: (*about).into(), rotation })
            }
            Goal::Path(path) => {
                let file = shot.resolve(path);
                let track = supple_formats::load_track(&file)?;
                let column = |name: &'static str| {
                    track
                        .column(name)
                        .ok_or_else(|| HandleProblem::Column { file: file.clone(), column: name })
                };
                let columns = [column("x")?, column("y")?, column("z")?];
                Ok(Self::Path(track, columns))
            }
        }
    }
}

fn mean(points: &Points) -> Row {
    let rows = points.rows.iter().zip(&points.shares);
    rows.flat_map(|(row, share)| row.iter().map(move |(v, weight)| (*v, share * weight))).collect()
}

/// An orthonormal frame whose first row is `normal`.
fn facing(normal: &Unit<Vec3>) -> Matrix3<f64> {
    let aside = if normal.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    let first = normal.cross(&aside).normalize();
    let second = normal.cross(&first);
    Matrix3::from_rows(&[normal.transpose(), first.transpose(), second.transpose()])
}

/// An error about a handle.
pub(super) fn about(handle: impl Into<String>) -> impl FnOnce(HandleProblem) -> EditError {
    let handle = handle.into();
    move |problem| EditError::Handle { handle, problem: Box::new(problem) }
}
