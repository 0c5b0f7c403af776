//! What a shot asks of a character, as layers and constraints.

use super::check;
use crate::character::Character;
use crate::method::error::{EditError, HandleProblem};
use crate::shot::{
    Curve, Distance, End, Ends, Goal as ShotGoal, Handle, Hold, Input, KeySpacing, Metric as ShotMetric,
    Move, Orientation, Shot, Site, When, Zone,
};
use crate::simulate::zone_mesh;
use nalgebra::{Quaternion, Rotation3, UnitQuaternion, Vector3};
use std::ops::RangeInclusive;
use std::sync::Arc;
use supple_character::{
    Constraint, CurveKind, Edit, Goal, Keys, Layer, Metric, Point, Region, Shape, Targets,
};
use supple_mesh::{Obstacle, Vec3};

/// ℓ of the first layer where the input stays at rest, seconds.
const AT_REST: f64 = 0.2;

/// What is asked, and by which handle of the shot.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// What the solver is given.
    pub edit: Edit,
    /// For each constraint the place of its handle in the shot.
    pub places: Vec<usize>,
}

impl Asked {
    /// All that a shot asks.
    pub fn of(shot: &Shot, character: &Character) -> Result<Self, EditError> {
        let mut asked = Self::layers(shot, character)?;
        for (k, handle) in shot.edit.handles.iter().enumerate() {
            let constraint = asked.constraint(shot, character, handle);
            let about = |problem| EditError::Handle {
                handle: format!("handle {}", k + 1),
                problem: Box::new(problem),
            };
            if let Some(constraint) = constraint.map_err(about)? {
                asked.edit.constraints.push(constraint);
                asked.places.push(k);
            }
        }
        Ok(asked)
    }

    /// The layers of a shot, before any handle.
    pub fn layers(shot: &Shot, character: &Character) -> Result<Self, EditError> {
        check::shot(shot)?;
        let settings = shot.edit.character_settings().map_err(|error| EditError::Shot(Box::new(error)))?;
        let window = shot.edit.window.clone().map(|window| inside(character, &window)).transpose()?;
        let whole = (character.first.min(character.clock.frames - 1), character.clock.frames - 1);
        let base = window.unwrap_or(whole);
        // A window that begins with the frame that may be changed first has nothing before it to go on from.
        let clamped = |window: (usize, usize)| {
            let (start, end) = match shot.edit.ends {
                Ends::Apart { start, end } => (start, end),
                Ends::Loop => (None, None),
            };
            [
                start.map_or(window.0 > whole.0, |end| end == End::Clamped),
                end.map_or(window.1 < whole.1, |end| end == End::Clamped),
            ]
        };
        let mut layers = vec![Layer {
            curve: kind(settings.curve),
            keys: keys(settings.spacing()),
            window: base,
            clamped: clamped(base),
            // Where there is no motion yet the edit is the motion: that it is smooth matters, not that it is small.
            smoothing: if shot.motion.input == Input::Rest { AT_REST } else { 0.0 },
        }];
        for layer in &shot.edit.layers {
            let own =
                layer.window.clone().map(|window| inside(character, &window)).transpose()?.unwrap_or(base);
            layers.push(Layer {
                curve: kind(layer.curve(&settings)),
                keys: keys(layer.spacing(&settings)),
                window: own,
                clamped: [own.0 > whole.0, own.1 < whole.1],
                smoothing: layer.smoothing.unwrap_or(0.0),
            });
        }
        let edit = Edit {
            figure: character.figure.clone(),
            constraints: Vec::new(),
            layers,
            is_loop: shot.edit.ends == Ends::Loop,
            frame_seconds: 1.0 / character.clock.fps,
            metric: match settings.metric {
                ShotMetric::Blocks => Metric::Blocks,
                ShotMetric::Diagonal => Metric::Diagonal,
            },
        };
        Ok(Self { edit, places: Vec::new() })
    }

    /// What a handle asks; nothing where it, or its layer, is muted.
    pub fn constraint(
        &self,
        shot: &Shot,
        character: &Character,
        handle: &Handle,
    ) -> Result<Option<Constraint>, HandleProblem> {
        let layer = handle
            .layer
            .as_deref()
            .and_then(|name| shot.edit.layers.iter().position(|layer| layer.name == name));
        let is_muted = layer.is_some_and(|k| shot.edit.layers[k].muted == Some(true));
        if handle.muted == Some(true) || is_muted {
            return Ok(None);
        }
        check::handle(handle)?;
        let frames = frames_of(character, &handle.when)?;
        let layer = layer.map_or(0, |k| k + 1);
        let window = self.edit.layers[layer].window;
        let number = |index: usize| character.clock.number(index);
        if let Some(frame) = [frames.0, frames.1].into_iter().find(|f| !(window.0..=window.1).contains(f)) {
            return Err(HandleProblem::OutsideWindow {
                frame: number(frame),
                first: number(window.0),
                last: number(window.1),
            });
        }
        if let Some(frame) = self.clamped_frame(layer, frames) {
            return Err(HandleProblem::Clamped { frame: number(frame) });
        }
        let point = point_of(character, &handle.site)?;
        let seen_from = handle.relative_to.as_ref().map(|site| point_of(character, site)).transpose()?;
        let reader = Reader { shot, character, frames, point, seen_from };
        Ok(Some(Constraint {
            frames,
            point,
            seen_from,
            axes: handle.axes.map_or([true; 3], |axes| axes.0),
            goal: reader.goal(&handle.goal)?,
            hold: match handle.hold {
                None | Some(Hold::Hard) => None,
                Some(Hold::Soft(hold)) => Some(hold),
            },
            layer,
        }))
    }

    /// A single frame at which a layer cannot change anything.
    fn clamped_frame(&self, layer: usize, frames: (usize, usize)) -> Option<usize> {
        let layer = &self.edit.layers[layer];
        let is_clamped =
            |f: usize| layer.clamped[0] && f == layer.window.0 || layer.clamped[1] && f == layer.window.1;
        (frames.0 == frames.1 && is_clamped(frames.0)).then_some(frames.0)
    }
}

fn kind(curve: Curve) -> CurveKind {
    match curve {
        Curve::BSpline => CurveKind::BSpline,
        Curve::Linear => CurveKind::Linear,
        Curve::Cubic => CurveKind::Cubic,
        Curve::Hierarchical => CurveKind::Hierarchical,
    }
}

fn keys(spacing: KeySpacing) -> Keys {
    match spacing {
        KeySpacing::Count(count) => Keys::Count(count),
        KeySpacing::Seconds(seconds) => Keys::Seconds(seconds),
    }
}

/// A window as indices, if the motion has it.
fn inside(character: &Character, window: &RangeInclusive<i32>) -> Result<(usize, usize), EditError> {
    let index = |frame: i32| character.clock.index(supple_model::Frame(frame));
    match (index(*window.start()), index(*window.end())) {
        (Some(first), Some(last)) if first <= last => Ok((first, last)),
        _ => {
            let (first, last) = character.clock.span();
            Err(EditError::Window { window: window.clone(), first, last })
        }
    }
}

fn frames_of(character: &Character, when: &When) -> Result<(usize, usize), HandleProblem> {
    let whole = when.whole().ok_or_else(|| HandleProblem::NotWhole { when: when.clone() })?;
    let (first, last) = character.clock.span();
    let index = |frame: i32| {
        let found = character.clock.index(supple_model::Frame(frame));
        found.ok_or(HandleProblem::OutsideMotion { frame, first, last })
    };
    Ok((index(*whole.start())?, index(*whole.end())?))
}

fn point_of(character: &Character, site: &Site) -> Result<Point, HandleProblem> {
    match site {
        Site::Joint { name, offset } => {
            let joint = character.joint(name).ok_or_else(|| HandleProblem::NoJoint {
                name: name.clone(),
                nearest: character.nearest(name),
            })?;
            Ok(Point::Joint { joint, offset: Vector3::from(*offset) })
        }
        Site::CenterOfMass => Ok(Point::CenterOfMass),
        _ => Err(HandleProblem::NotOfCharacter { site: site.key() }),
    }
}

/// Reads what is asked of a point over its frames.
struct Reader<'a> {
    shot: &'a Shot,
    character: &'a Character,
    frames: (usize, usize),
    point: Point,
    seen_from: Option<Point>,
}

impl Reader<'_> {
    /// Where the input has the point, from where it is seen.
    fn input(&self, frame: usize) -> Vector3<f64> {
        let skeleton = &self.character.figure.skeleton;
        let world = self.character.input(frame);
        let from = self.seen_from.map_or_else(Vector3::zeros, |from| from.at(skeleton, world));
        self.point.at(skeleton, world) - from
    }

    fn each<T>(&self, of: impl Fn(usize) -> T) -> Targets<T> {
        Targets::Each((self.frames.0..=self.frames.1).map(|frame| Some(of(frame))).collect())
    }

    fn goal(&self, goal: &ShotGoal) -> Result<Goal, HandleProblem> {
        Ok(match goal {
            ShotGoal::To(to) => Goal::At(Targets::One((*to).into())),
            ShotGoal::By(by) => Goal::At(self.each(|frame| self.input(frame) + Vector3::from(*by))),
            ShotGoal::Stay { at: None } => Goal::Stay,
            ShotGoal::Stay { at: Some(Move::To(to)) } => Goal::At(Targets::One((*to).into())),
            ShotGoal::Stay { at: Some(Move::By(by)) } => {
                let count = (self.frames.1 + 1 - self.frames.0) as f64;
                let sum: Vector3<f64> = (self.frames.0..=self.frames.1).map(|frame| self.input(frame)).sum();
                Goal::At(Targets::One(sum / count + Vector3::from(*by)))
            }
            ShotGoal::Path(path) => self.path(path)?,
            ShotGoal::Along(path) => {
                Goal::Along(self.table(path)?.into_iter().map(|(_, place)| place).collect())
            }
            ShotGoal::Plane { point, normal } => {
                Goal::Plane { point: (*point).into(), normal: (*normal).into() }
            }
            ShotGoal::Velocity(velocity) => {
                Goal::Velocity(Vector3::from(*velocity) / self.character.clock.fps)
            }
            ShotGoal::Distance(Distance::Metres(metres)) => Goal::Distance(Targets::One(*metres)),
            ShotGoal::Distance(Distance::Input) => {
                Goal::Distance(self.each(|frame| self.input(frame).norm()))
            }
            ShotGoal::SameAs(frame) => Goal::SameAs(frames_of(self.character, &When::Frame(*frame))?.0),
            ShotGoal::Orientation(Orientation::Quaternion([x, y, z, w])) => Goal::Orientation(Targets::One(
                UnitQuaternion::from_quaternion(Quaternion::new(*w, *x, *y, *z)),
            )),
            ShotGoal::Orientation(Orientation::Input) => {
                Goal::Orientation(self.each(|frame| self.turned(frame)))
            }
            ShotGoal::Inside(zone) => Goal::Inside(self.region(zone)?),
            ShotGoal::Outside(zone) => Goal::Outside(self.region(zone)?),
            ShotGoal::Turn { .. } => return Err(HandleProblem::NotOfCharacter { site: "turn" }),
        })
    }

    /// How the input has the joint of the point turned.
    fn turned(&self, frame: usize) -> UnitQuaternion<f64> {
        let Point::Joint { joint, .. } = self.point else { return UnitQuaternion::identity() };
        let turned = Rotation3::from_matrix_unchecked(self.character.input(frame).rotations[joint]);
        UnitQuaternion::from_rotation_matrix(&turned)
    }

    /// The rows of a table of places.
    fn table(&self, path: &std::path::Path) -> Result<Vec<(f64, Vector3<f64>)>, HandleProblem> {
        let file = self.shot.resolve(path);
        let track = supple_formats::load_track(&file)?;
        let column = |name: &'static str| {
            track.column(name).ok_or_else(|| HandleProblem::Column { file: file.clone(), column: name })
        };
        let [x, y, z] = [column("x")?, column("y")?, column("z")?];
        let place = |values: &[f64]| Vector3::new(values[x], values[y], values[z]);
        Ok(track.rows.iter().map(|(frame, values)| (*frame, place(values))).collect())
    }

    /// A timed path. Between rows that are more than a frame apart nothing is asked where the table skips frames of a
    /// tracked point; a table of few rows is a curve through them.
    fn path(&self, path: &std::path::Path) -> Result<Goal, HandleProblem> {
        let rows = self.table(path)?;
        let is_tracked =
            rows.windows(2).filter(|pair| pair[1].0 - pair[0].0 <= 1.0).count() * 2 >= rows.len();
        let at = |frame: usize| {
            let number = f64::from(self.character.clock.number(frame));
            let next = rows.partition_point(|(key, _)| *key <= number);
            match (next.checked_sub(1).map(|k| rows[k]), rows.get(next).copied()) {
                (Some((key, place)), _) if key == number => Some(place),
                (Some((a, p)), Some((b, q))) if !is_tracked || b - a <= 1.0 => {
                    Some(p + (q - p) * ((number - a) / (b - a)))
                }
                (Some((_, place)), None) | (None, Some((_, place))) if !is_tracked => Some(place),
                _ => None,
            }
        };
        Ok(Goal::At(Targets::Each((self.frames.0..=self.frames.1).map(at).collect())))
    }

    fn region(&self, zone: &Zone) -> Result<Region, HandleProblem> {
        Ok(match zone {
            Zone::Box { min, max } => Region::Box { min: (*min).into(), max: (*max).into() },
            Zone::Sphere { center, radius } => Region::Sphere { center: (*center).into(), radius: *radius },
            Zone::Below { axis, at } => Region::Below { normal: Vector3::ith(axis.index(), 1.0), at: *at },
            Zone::Mesh(path) => {
                let file = self.shot.resolve(path);
                let mesh = zone_mesh(file.clone());
                let mesh =
                    mesh.map_err(|problem| HandleProblem::Zone { file, problem: problem.to_string() })?;
                Region::shape(Arc::new(Solid(mesh)))
            }
        })
    }
}

/// A closed mesh as a region.
struct Solid(Obstacle);

impl Shape for Solid {
    fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let distance = self.0.distance(point);
        // The direction in which it grows, by differences: a distance has slope 1.
        let step = 1e-6 * (1.0 + distance.abs());
        let along = |axis: usize| {
            let by = Vec3::ith(axis, step);
            self.0.distance(&(point + by)) - self.0.distance(&(point - by))
        };
        let slope = Vector3::new(along(0), along(1), along(2));
        (distance, slope.try_normalize(1e-12).unwrap_or_else(Vector3::y))
    }
}
