//! A motion and its material in the window: both follow a handle that is dragged ([`super::warm`]), and when it is let go they
//! are found anew, from the beginning.

use super::find::{Chosen, Found, find};
use super::ground::Ground;
use super::pose::poses;
use super::warm::Warm;
use crate::Cache;
use crate::body::Body;
use crate::method::drag::{Editing, Levels};
use crate::method::error::EditError;
use crate::method::live::{Live, LiveError, Making, Play, SoFar};
use crate::method::report::Report;
use crate::method::stage::{Points, Stage};
use crate::shot::{Edit, Goal, Optimise, Pose, Shot};
use std::sync::Arc;
use supple_model::Progress;
use supple_spacetime::Material;

/// Opens a shot for a hand; what `levels` has is not made again.
pub(in crate::method) fn open(
    shot: &Shot,
    body: &Arc<Body>,
    levels: &mut Levels,
    cache: &Cache,
    progress: &Progress,
    deliver: &mut dyn FnMut(Box<dyn Live>),
) -> Result<(), LiveError> {
    // Poses are asked for later: one that cannot be had is no reason not to look at the others.
    let mut bare = shot.clone();
    bare.edit.poses.clear();
    let opened = begin(&bare, body, levels, cache, progress);
    let (ground, first, editing) = opened.map_err(|error| LiveError::of(&error))?;
    deliver(Box::new(Changing {
        asked: Some(Vec::new()),
        shot: shot.clone(),
        cache: cache.clone(),
        ground,
        first,
        editing,
        chosen: None,
        warm: None,
    }));
    Ok(())
}

fn begin(
    shot: &Shot,
    body: &Arc<Body>,
    levels: &mut Levels,
    cache: &Cache,
    progress: &Progress,
) -> Result<(Ground, Material, Editing), EditError> {
    let mut ground = Ground::new(shot, body.clone(), levels, cache, &progress.part(0.0, 0.9))?;
    let first = ground.first()?;
    let editor = ground.begin(&first, &progress.part(0.9, 1.0))?;
    let (modes, scenery) = (editor.modes(), levels.scenery(shot, body));
    Ok((ground, first, Editing::new(shot, editor, modes, scenery, None)))
}

/// A motion whose material changes.
struct Changing {
    shot: Shot,
    cache: Cache,
    ground: Ground,
    first: Material,
    editing: Editing,
    /// How the material was chosen, while it is the one that is there.
    chosen: Option<Chosen>,
    /// The material that follows the hand, while there is one and it may change.
    warm: Option<Warm>,
    /// The poses there are; none if those that were asked for last cannot be.
    asked: Option<Vec<Pose>>,
}

impl Changing {
    /// Asks for other poses; the material is that it begins with again.
    fn pose(&mut self, asked: &[Pose], progress: &Progress) -> Result<(), EditError> {
        let mut shot = self.shot.clone();
        shot.edit.poses = asked.to_vec();
        let Ground { body, prepared, basis, .. } = &self.ground;
        self.ground.poses = poses((&shot, body), prepared, basis, &self.cache, &progress.part(0.0, 0.9))?;
        self.ground.shot.edit.handles.clear();
        let editor = self.ground.begin(&self.first, &progress.part(0.9, 1.0))?;
        self.editing.begin_with(editor);
        Ok(())
    }
}

impl Play for Changing {
    fn points(&mut self, frame: usize) -> Points {
        let mut making = Making { frame, so_far: SoFar::Nothing };
        loop {
            if let Some(points) = self.go_on(&mut making) {
                return points;
            }
        }
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        self.editing.input(frame)
    }

    fn depth(&self, frame: usize) -> Option<f64> {
        self.editing.depth(frame)
    }
}

impl Live for Changing {
    fn stage(&self) -> &Arc<Stage> {
        self.editing.stage()
    }

    fn ask(&mut self, edit: &Edit, progress: &Progress) -> Result<Vec<Option<String>>, LiveError> {
        if self.asked.as_ref() != Some(&edit.poses) {
            self.asked = None;
            self.pose(&edit.poses, progress).map_err(|error| LiveError::of(&error))?;
            (self.asked, self.chosen) = (Some(edit.poses.clone()), None);
        }
        self.editing.ask(edit, progress)
    }

    fn grab(&mut self, handle: usize, frame: usize, progress: &Progress) -> Result<(), LiveError> {
        self.editing.grab(handle, frame, &progress.part(0.0, 0.2))?;
        if self.warm.is_none() && self.ground.settings.optimise != Optimise::None {
            self.ground.shot.edit.handles = self.editing.held();
            let now = self.chosen.as_ref().map_or(&self.first, |chosen| &chosen.material);
            let (of, editor) = ((&self.first, now), self.editing.editor());
            let warm = Warm::new(&self.ground, of, editor, &progress.part(0.2, 1.0));
            self.warm = Some(warm.map_err(|error| LiveError::of(&error))?);
        }
        Ok(())
    }

    fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<f64, LiveError> {
        let Some(warm) = &mut self.warm else { return self.editing.drag(shift, progress) };
        self.editing.aim(shift)?;
        let off = warm.follow(self.editing.editor(), progress).map_err(|error| LiveError::of(&error))?;
        Ok(off / self.editing.editor().size())
    }

    fn can_retarget(&self) -> bool {
        self.editing.can_retarget()
    }

    fn retarget(&mut self, goal: &Goal, progress: &Progress) -> Result<f64, LiveError> {
        self.editing.retarget(goal, progress)
    }

    fn go_on(&mut self, making: &mut Making) -> Option<Points> {
        match &mut self.warm {
            Some(warm) => warm.go_on(making),
            None => self.editing.go_on(making),
        }
    }

    fn refresh(&mut self, progress: &Progress) -> Result<(), LiveError> {
        match &mut self.warm {
            Some(warm) => warm.improve(progress).map_err(|error| LiveError::of(&error)),
            None => self.editing.refresh(progress),
        }
    }

    fn put_down(&mut self) {
        self.warm = None;
        self.editing.put_down();
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        self.ground.shot.edit.handles = self.editing.held();
        let found = find(&self.ground, &self.first, progress);
        let Found { editor, settled, chosen } = found.map_err(|error| LiveError::of(&error))?;
        self.editing.replace(editor, settled);
        self.chosen = Some(chosen);
        Ok(())
    }

    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, LiveError> {
        let mut report = self.editing.report(progress, between)?;
        if let Some(chosen) = &self.chosen {
            chosen.add_to(&mut report, &self.ground, self.editing.editor());
        }
        Ok(report)
    }

    fn force_at(&mut self, vertex: u32) -> Vec<f64> {
        self.editing.force_at(vertex)
    }

    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3] {
        self.editing.moved_by(vertex, frame)
    }
}
