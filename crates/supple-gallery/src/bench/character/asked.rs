//! What the samples ask of characters, as constraints: plants and holds as they are, one drag that is still to be made.

use anyhow::{Context, bail};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};
use supple_character::{Constraint, CurveKind, Edit, Goal, Keys, Layer, Metric, Point, Targets};
use supple_project::Shot;
use supple_project::character::Character;
use supple_project::shot::{self, Distance, End, Ends, Handle, Move, Orientation, Site};

/// An edit, and the constraint that is dragged.
pub struct Asked {
    /// All that is held.
    pub edit: Edit,
    /// Which of it is dragged.
    pub dragged: usize,
    /// How far.
    pub by: Vector3<f64>,
}

impl Asked {
    /// Changes only so many frames around what is dragged, with so many keys, and nothing at their ends.
    pub fn narrow(&mut self, frames: usize, keys: usize) {
        let (first, last) = self.edit.constraints[self.dragged].frames;
        let layer = &mut self.edit.layers[0];
        let start = ((first + last) / 2).saturating_sub(frames / 2).max(layer.window.0);
        let window = (start, (start + frames - 1).min(layer.window.1));
        *layer = Layer { keys: Keys::Count(keys), window, clamped: [true; 2], ..*layer };
    }
}

/// What a sample asks, but for its drags, of which the first is to be made.
pub fn asked(shot: &Shot, character: &Character) -> anyhow::Result<Asked> {
    let settings = shot.edit.character_settings()?;
    let Ends::Apart { start, .. } = shot.edit.ends else { bail!("samples are no loops") };
    let layer = Layer {
        curve: CurveKind::BSpline,
        keys: Keys::Count(settings.keys.context("samples say how many keys")?),
        window: (0, character.clock.frames - 1),
        clamped: [start == Some(End::Clamped), false],
        smoothing: 0.0,
    };
    let mut constraints = Vec::new();
    let mut drag = None;
    for handle in &shot.edit.handles {
        let by = match handle.goal {
            shot::Goal::By(by) | shot::Goal::Stay { at: Some(Move::By(by)) } => Vector3::from(by),
            _ => Vector3::zeros(),
        };
        let is_drag = by != Vector3::zeros();
        if is_drag && drag.is_some() {
            continue;
        }
        if is_drag {
            drag = Some((constraints.len(), by));
        }
        constraints.push(constraint(character, handle)?);
    }
    let (dragged, by) = drag.context("samples have a drag")?;
    let edit = Edit {
        figure: character.figure.clone(),
        constraints,
        layers: vec![layer],
        is_loop: false,
        frame_seconds: 1.0 / character.clock.fps,
        metric: Metric::Blocks,
    };
    Ok(Asked { edit, dragged, by })
}

/// A handle before it is dragged: where the input has it.
fn constraint(character: &Character, handle: &Handle) -> anyhow::Result<Constraint> {
    let range = handle.when.range();
    let index = |frame: &i32| (frame - character.clock.start.0) as usize;
    let (first, last) = (index(range.start()), index(range.end()));
    let (skeleton, motion) = (&character.figure.skeleton, &character.motion);
    let point = |site: &Site| -> anyhow::Result<Point> {
        let Site::Joint { name, offset } = site else { bail!("samples hold joints") };
        let joint = character.joint(name).with_context(|| format!("there is no joint {name}"))?;
        Ok(Point::Joint { joint, offset: (*offset).into() })
    };
    let held = point(&handle.site)?;
    let other = handle.relative_to.as_ref().map(point).transpose()?;
    let worlds: Vec<_> = (first..=last).map(|frame| motion.world(skeleton, frame)).collect();
    let places: Vec<Vector3<f64>> = worlds.iter().map(|world| held.at(skeleton, world)).collect();
    let goal = match &handle.goal {
        shot::Goal::Stay { at: None } => Goal::Stay,
        shot::Goal::Stay { .. } => {
            Goal::At(Targets::One(places.iter().sum::<Vector3<f64>>() / places.len() as f64))
        }
        shot::Goal::By(_) => Goal::At(Targets::Each(places.iter().copied().map(Some).collect())),
        shot::Goal::Plane { point, normal } => {
            Goal::Plane { point: (*point).into(), normal: (*normal).into() }
        }
        shot::Goal::Orientation(Orientation::Input) => {
            let Point::Joint { joint, .. } = held else { bail!("samples orient joints") };
            let turn = |world: &supple_character::World| {
                let turned = Rotation3::from_matrix_unchecked(world.rotations[joint]);
                Some(UnitQuaternion::from_rotation_matrix(&turned))
            };
            Goal::Orientation(Targets::Each(worlds.iter().map(turn).collect()))
        }
        shot::Goal::Distance(Distance::Input) => {
            let other = other.context("samples say from where")?;
            let far =
                worlds.iter().zip(&places).map(|(world, p)| Some((p - other.at(skeleton, world)).norm()));
            Goal::Distance(Targets::Each(far.collect()))
        }
        goal => bail!("samples do not ask for `{}`", goal.key()),
    };
    Ok(Constraint { seen_from: other, ..Constraint::new((first, last), held, goal) })
}
