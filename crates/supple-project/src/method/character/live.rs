//! A character in a window: joints are taken in the hand, and the whole motion follows.

use super::ask::Asked;
use super::report;
use crate::character::Character;
use crate::method::live::{Live, LiveError, NearMark, Play};
use crate::method::report::Report;
use crate::method::stage::{Points, Stage, single};
use crate::method::way::Way;
use crate::shot::{Edit, Goal, Handle, Shot};
use nalgebra::Vector3;
use std::sync::Arc;
use supple_character::{Constraint, Drag, Motion, Solution, World, release};
use supple_model::Progress;

/// So many frames tell where the input goes.
const LOOKS: usize = 24;
/// Handles that hold within so many seconds are near.
const NEAR: f64 = 0.5;

/// Opens a character for a window: it is ready at once.
pub(in crate::method) fn open_live(
    shot: &Shot,
    progress: &Progress,
    deliver: &mut dyn FnMut(Box<dyn Live>),
) -> Result<(), LiveError> {
    let said = |error: &dyn std::error::Error| LiveError::said(error);
    let character = Arc::new(Character::load(shot, progress).map_err(|error| said(&error))?);
    let asked = Asked::layers(shot, &character).map_err(|error| said(&error))?;
    let rest: Vec<[f32; 3]> = character.bones.rest.iter().map(single).collect();
    let name = |j: &usize| character.rig.file.joints[character.rig.of_file[*j]].name.clone();
    let mut stage = Stage {
        triangles: character.bones.triangles.iter().map(|triangle| triangle.map(|v| v.0)).collect(),
        clock: character.clock,
        // A character is edited by its joints: there is nothing to prepare.
        modes: 1,
        wanted_modes: 1,
        size: character.figure.size,
        weights: weights(&character),
        joint_names: character.bones.joints.iter().map(name).collect(),
        warnings: character.notes.clone(),
        rest,
        ..Stage::default()
    };
    let mut live = CharacterLive {
        stage: Arc::new(stage.clone()),
        shot: shot.clone(),
        handles: Vec::new(),
        character,
        asked,
        solution: None,
        drag: None,
    };
    stage.way = Way::of(stage.clock.frames, LOOKS, |frame| live.input(frame));
    live.stage = Arc::new(stage);
    deliver(Box::new(live));
    Ok(())
}

/// What points weigh, so that their middle is the centre of mass: that sums up joints by their shares.
fn weights(character: &Character) -> Vec<f64> {
    let mut weights = vec![0.0; character.bones.rest.len()];
    for (j, share) in character.figure.skeleton.shares().iter().enumerate() {
        if let Some(point) = character.bones.end(|own| own == j) {
            weights[point.index()] += share;
        }
    }
    weights
}

struct CharacterLive {
    stage: Arc<Stage>,
    shot: Shot,
    character: Arc<Character>,
    /// What is asked, as the shot says it.
    handles: Vec<Handle>,
    asked: Asked,
    solution: Option<Arc<Solution>>,
    /// What is in the hand, and what a length of shift means for it.
    drag: Option<(Drag, f64)>,
}

impl CharacterLive {
    fn settled(&self) -> &Motion {
        self.solution.as_ref().map_or(&self.character.motion, |solution| &solution.motion)
    }

    fn world(&self, frame: usize) -> World {
        match &self.drag {
            Some((drag, _)) => drag.world(frame),
            None => self.settled().world(&self.character.figure.skeleton, frame),
        }
    }

    fn drawn(&self, world: &World) -> Points {
        Points { drawn: self.character.bones.at(world).map(|place| single(&place)).collect(), body: None }
    }

    /// Makes the constraints be those of some handles; answers for each what is wrong with it.
    fn take(&mut self, handles: &[Handle]) -> Vec<Option<String>> {
        self.drag = None;
        let Ok(mut asked) = Asked::layers(&self.shot, &self.character) else {
            return vec![Some("the layers of the shot cannot be used".to_owned()); handles.len()];
        };
        let mut problems = Vec::with_capacity(handles.len());
        for (k, handle) in handles.iter().enumerate() {
            let constraint = asked.constraint(&self.shot, &self.character, handle);
            problems.push(constraint.as_ref().err().map(ToString::to_string));
            if let Ok(Some(constraint)) = constraint {
                asked.edit.constraints.push(constraint);
                asked.places.push(k);
            }
        }
        self.asked = asked;
        self.handles = handles.to_vec();
        problems
    }

    /// What a handle asks for in the hand: a plant that floats is where the input has it, as the shot will say when it is
    /// moved.
    fn in_hand(&self, handle: &Handle) -> Option<supple_character::Goal> {
        let goal = handle.goal.shifted([0.0; 3])?;
        let placed = Handle { goal, ..handle.clone() };
        let constraint = self.asked.constraint(&self.shot, &self.character, &placed).ok()??;
        Some(constraint.goal)
    }
}

impl Play for CharacterLive {
    fn points(&mut self, frame: usize) -> Points {
        let world = self.world(frame);
        self.drawn(&world)
    }

    fn near(&self, frame: usize) -> Vec<NearMark> {
        let reach = (NEAR * self.character.clock.fps).ceil() as usize;
        let skeleton = &self.character.figure.skeleton;
        let mark = |(constraint, place): (&Constraint, &usize)| {
            let nearest = frame.clamp(constraint.frames.0, constraint.frames.1);
            let away = nearest.abs_diff(frame);
            (1..=reach).contains(&away).then(|| NearMark {
                handle: *place,
                at: single(&constraint.point.at(skeleton, &self.world(nearest))),
                away,
                stays: matches!(self.handles[*place].goal, Goal::Stay { .. }),
            })
        };
        self.asked.edit.constraints.iter().zip(&self.asked.places).filter_map(mark).collect()
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        Arc::new(self.drawn(self.character.input(frame)))
    }
}

impl Live for CharacterLive {
    fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    fn ask(&mut self, edit: &Edit, _: &Progress) -> Result<Vec<Option<String>>, LiveError> {
        self.shot.edit = edit.clone();
        Ok(self.take(&edit.handles))
    }

    fn grab(&mut self, handle: usize, _frame: usize, _: &Progress) -> Result<(), LiveError> {
        let own = self.handles.get(handle).ok_or(LiveError::NoHandle)?;
        let mut edit = self.asked.edit.clone();
        let mut taken = Vec::new();
        for (index, place) in self.asked.places.iter().enumerate() {
            let other = &self.handles[*place];
            if *place != handle && !other.goes_with(own) {
                continue;
            }
            if let Some(goal) = self.in_hand(other) {
                edit.constraints[index].goal = goal;
            }
            taken.push(index);
        }
        taken.sort_by_key(|index| self.asked.places[*index] != handle);
        if taken.first().is_none_or(|index| self.asked.places[*index] != handle) {
            return Err(LiveError::NoHandle);
        }
        // A velocity is per second, and what is asked for per frame.
        let scale = if matches!(own.goal, Goal::Velocity(_)) { 1.0 / self.character.clock.fps } else { 1.0 };
        self.drag = Some((Drag::new(edit, self.settled().clone(), &taken), scale));
        Ok(())
    }

    fn drag(&mut self, shift: [f64; 3], _: &Progress) -> Result<f64, LiveError> {
        let (drag, scale) = self.drag.as_mut().ok_or(LiveError::NothingDragged)?;
        let miss = drag.step(&(Vector3::from(shift) * *scale));
        Ok(miss / self.character.figure.size)
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        if let Some((drag, _)) = &mut self.drag {
            drag.go_on();
        }
        Ok(())
    }

    fn put_down(&mut self) {
        self.drag = None;
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        let found = release(&self.asked.edit, &self.character.motion, progress)?;
        self.drag = None;
        self.solution = Some(Arc::new(found));
        Ok(())
    }

    fn report(&mut self, progress: &Progress, _: &mut dyn FnMut(&mut dyn Play)) -> Result<Report, LiveError> {
        if self.solution.is_none() {
            self.settle(progress)?;
        }
        let found = self.solution.clone().ok_or(LiveError::NotYet)?;
        Ok(report::of(&self.character, &self.asked, &found))
    }

    fn force_at(&mut self, _: u32) -> Vec<f64> {
        Vec::new()
    }

    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3] {
        let (before, after) = (self.input(frame), self.points(frame));
        let at = |points: &Points| points.drawn.get(vertex as usize).copied().unwrap_or_default();
        let (before, after) = (at(&before), at(&after));
        std::array::from_fn(|axis| f64::from(after[axis] - before[axis]))
    }
}
