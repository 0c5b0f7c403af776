//! A handle of the shot, taken apart into wishes: one point, one frame, up to three coordinates each.
//!
//! | asked for | position W, input at x̄ | target |
//! |---|---|---|
//! | `to` | the mean, or each point | a; each point is as far from a as from the mean of x̄ |
//! | `by` | the same | x̄ + a |
//! | `turn` | each point (or the mean) | the point turned about the axis |
//! | `plane` | n·W alone | n·point |
//! | `path` | as `to`, frame by frame | the curve at that frame |
//! | `velocity` | the way from the frame before to the one after | a, per second of the playback |
//!
//! With `relative_to` W is the difference of two points.

use super::EditError;
use super::figure::Figure;
use super::points::points;
use super::solver::{around, seconds};
use super::time::Time;
use crate::body::Body;
use crate::method::error::HandleProblem;
use crate::motion::{Detail, PointDetail};
use crate::shot::{self, Goal, Method, Move, Shot, Site, Together};
use crate::site::{Row, facing, of_skin};
use nalgebra::{Matrix3, Rotation3, Unit};
use std::sync::{Mutex, PoisonError};
use supple_elastic::WarpedMotion;
use supple_formats::Track;
use supple_mesh::Vec3;
use supple_model::{Frame, VertexId};
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
    /// How firmly: what alone it misses is 1/(1 + h).
    pub hold: Hold,
    /// What an error costs where it is soft ([`super::firm`]).
    pub weight: f64,
    /// Its point's mass, over the mean of its handle's points.
    pub share: f64,
    /// What its vertices of the skin are beside the body: the point is there, and so is its target.
    pub beside: Vec<Beside>,
    /// What is taken back of each coordinate because it is out of reach.
    pub short: Vec3,
}

/// What the skin adds to a reading of the body at a frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Beside {
    pub frame: usize,
    /// How it counts: 1, or ±1 over the seconds of a way.
    pub share: f64,
    pub detail: PointDetail,
}

/// A point to be held.
struct Point {
    row: Row,
    /// The vertices of the skin it is, and their shares.
    riders: Row,
    /// Its mass over the mean.
    share: f64,
}

/// Everything needed to understand a handle.
pub(super) struct HandleContext<'a> {
    pub shot: &'a Shot,
    pub body: &'a Body,
    pub figure: &'a Figure,
    pub time: &'a Time,
    pub motion: &'a WarpedMotion,
    pub detail: Option<&'a Mutex<Detail>>,
}

impl HandleContext<'_> {
    /// The wishes of a handle.
    pub fn wishes(&self, handle: &shot::Handle) -> Result<Vec<Wish>, HandleProblem> {
        let goal = Asked::of(handle, self.shot)?;
        if let shot::Hold::Soft(weight) = handle.firmness(Method::Drag)
            && !(weight > 0.0 && weight.is_finite() && weight.recip().is_finite())
        {
            return Err(HandleProblem::Weight { weight });
        }
        let points = self.points(handle, &goal)?;
        let mut wishes = Vec::new();
        let not_whole = || HandleProblem::NotWhole { when: handle.when.clone() };
        for number in handle.when.whole().ok_or_else(not_whole)? {
            let (first, last) = self.time.span();
            let outside = HandleProblem::OutsideMotion { frame: number, first, last };
            let frame = self.time.index(Frame(number)).ok_or(outside)?;
            self.ask(frame, &points, &goal, handle, &mut wishes)?;
        }
        for value in wishes.iter().flat_map(|wish| wish.target).flatten() {
            if !value.is_finite() {
                return Err(HandleProblem::NotFinite { value });
            }
        }
        Ok(wishes)
    }

    /// What is held, point by point, and the mean of all.
    fn points(&self, handle: &shot::Handle, goal: &Asked) -> Result<Vec<Point>, HandleProblem> {
        let of = |site| points(site, self.body, self.figure);
        let points = of(&handle.site)?;
        let default = if matches!(goal, Asked::Turn { .. }) { Together::Each } else { Together::Mean };
        let riders = self.riders(&handle.site);
        let mut held: Vec<Point> = match handle.points.unwrap_or(default) {
            Together::Each => {
                let riders = riders.iter().map(|v| vec![(*v, 1.0)]).chain(std::iter::repeat(Vec::new()));
                let count = points.rows.len() as f64;
                let shares = points.shares.into_iter().map(|share| share * count);
                let each = points.rows.into_iter().zip(riders).zip(shares);
                each.map(|((row, riders), share)| Point { row, riders, share }).collect()
            }
            Together::Mean => vec![Point { row: points.mean(), riders: shared(&riders), share: 1.0 }],
        };
        self.check_skin(&handle.site, held.len())?;
        for point in &held {
            self.check_moves(&point.row, &handle.site)?;
        }
        if let Some(site) = &handle.relative_to {
            let (row, riders) = (of(site)?.mean(), shared(&self.riders(site)));
            for point in &mut held {
                point.row.extend(row.iter().map(|(v, weight)| (*v, -weight)));
                point.riders.extend(riders.iter().map(|(v, weight)| (*v, -weight)));
            }
        }
        Ok(held)
    }

    /// The vertices of the skin that a site is, where they are more than the body says.
    fn riders(&self, site: &Site) -> Vec<VertexId> {
        if self.detail.is_some() { of_skin(site, self.body) } else { Vec::new() }
    }

    fn detail(&self, frame: usize, riders: &Row) -> Result<PointDetail, HandleProblem> {
        match (self.detail, &self.body.skin) {
            (Some(detail), Some(skin)) if !riders.is_empty() => {
                let mut detail = detail.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(detail.of_points(frame, skin, self.motion.frame(frame).displacement(), riders)?)
            }
            _ => Ok(PointDetail::default()),
        }
    }

    /// What the skin adds to the velocity of a point, per second of the body's own time.
    fn beside_way(&self, frame: usize, riders: &Row) -> Result<Vec<Beside>, HandleProblem> {
        let (before, after) = around(frame, self.time.frames);
        let per_second = 1.0 / seconds((before, after), self.time.dt);
        let mut all = beside(after, per_second, self.detail(after, riders)?);
        all.extend(beside(before, -per_second, self.detail(before, riders)?));
        Ok(all)
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

    /// So must the vertices of the skin that are held, all of them where they are held one by one.
    fn check_skin(&self, site: &Site, points: usize) -> Result<(), HandleProblem> {
        let Some(skin) = &self.body.skin else { return Ok(()) };
        let vertices = of_skin(site, self.body);
        let anchors: Vec<VertexId> =
            vertices.iter().copied().filter(|v| skin.held.get(v.index()) == Some(&true)).collect();
        match anchors.first() {
            Some(vertex) if points == vertices.len() || anchors.len() == vertices.len() => {
                Err(HandleProblem::Anchored { vertex: *vertex })
            }
            _ => Ok(()),
        }
    }

    fn ask(
        &self,
        frame: usize,
        points: &[Point],
        goal: &Asked,
        handle: &shot::Handle,
        wishes: &mut Vec<Wish>,
    ) -> Result<(), HandleProblem> {
        let details = points.iter().map(|point| self.detail(frame, &point.riders));
        let details = details.collect::<Result<Vec<_>, _>>()?;
        let held = points.iter().zip(&details);
        let places: Vec<Vec3> =
            held.map(|(point, detail)| self.place(&point.row, frame) + detail.input).collect();
        let middle = places.iter().sum::<Vec3>() / places.len() as f64;
        let asked = handle.axes.map_or([true; 3], |axes| axes.0);
        let hold = match handle.firmness(Method::Drag) {
            shot::Hold::Hard => Hold::Hard,
            shot::Hold::Soft(weight) => Hold::Soft(weight),
        };
        for ((point, detail), place) in points.iter().zip(details).zip(places) {
            let number = f64::from(self.time.number(frame));
            let mut wish = Wish {
                frame,
                point: point.row.clone(),
                order: Order::Position,
                axes: Matrix3::identity(),
                target: [None; 3],
                hold,
                weight: 1.0,
                share: point.share,
                beside: beside(frame, 1.0, detail),
                short: Vec3::zeros(),
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
                    wish.beside = self.beside_way(frame, &point.riders)?;
                    velocity / self.time.pace()
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
        Ok(())
    }

    /// Where the input has a point.
    fn place(&self, row: &Row, frame: usize) -> Vec3 {
        place(row, &self.figure.positions, self.motion.frame(frame).displacement())
    }
}

impl Wish {
    /// Where its point is under a displacement of its frame, by the detail as it is known.
    pub fn place(&self, positions: &[Vec3], displacement: &[f64]) -> Vec3 {
        place(&self.point, positions, displacement) + self.beside()
    }

    /// Whether what it asks of the body depends on the edit.
    pub fn learns(&self) -> bool {
        !self.beside.is_empty()
    }

    /// What the skin adds in the input.
    pub fn beside_input(&self) -> Vec3 {
        self.beside.iter().map(|beside| beside.detail.input * beside.share).sum()
    }

    /// What the skin adds, as far as it is known.
    pub fn beside(&self) -> Vec3 {
        self.beside.iter().map(|beside| beside.detail.now * beside.share).sum()
    }

    /// How strictly its rows hold.
    pub fn strictly(&self) -> Hold {
        if self.hold == Hold::Hard { Hold::Hard } else { Hold::Soft(self.weight) }
    }

    /// What its point on the body should be, as far as it reaches.
    pub fn target_on_body(&self) -> [Option<f64>; 3] {
        let off = self.axes * self.beside() + self.short;
        std::array::from_fn(|axis| Some(self.target[axis]? - off[axis]))
    }
}

/// What a detail adds; nothing where there is none.
fn beside(frame: usize, share: f64, detail: PointDetail) -> Vec<Beside> {
    if detail.is_none() { Vec::new() } else { vec![Beside { frame, share, detail }] }
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
            Goal::Turn { then: Some(Move::By(_)), .. } => together("turn", "by"),
            Goal::Turn { then: Some(Move::To(_)), .. } => together("turn", "to"),
            Goal::Turn { turn, then: None } => {
                let axis = Unit::new_normalize(Vec3::from(turn.axis));
                let rotation = Rotation3::from_axis_angle(&axis, turn.degrees.to_radians());
                Ok(Self::Turn { about: turn.about.into(), rotation })
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
            goal => Err(HandleProblem::ForCharacters { goal: goal.key(), method: "drag" }),
        }
    }
}

/// Vertices that share alike.
fn shared(vertices: &[VertexId]) -> Row {
    vertices.iter().map(|v| (*v, 1.0 / vertices.len() as f64)).collect()
}

/// An error about a handle.
pub(super) fn about(handle: impl Into<String>) -> impl FnOnce(HandleProblem) -> EditError {
    let handle = handle.into();
    move |problem| EditError::Handle { handle, problem: Box::new(problem) }
}
