//! An edit in the window: handles are taken in the hand, dragged and let go, and frames are shown in the meantime.

use super::levels::Levels;
use super::{DragMethod, EditError, HandleKey, Settled, setup};
use crate::Cache;
use crate::body::Body;
use crate::method::EditedFrame;
use crate::method::live::{Live, LiveError, Making, Play, SoFar};
use crate::method::player::Player;
use crate::method::report::Report;
use crate::method::stage::{Points, Stage};
use crate::method::way::Way;
use crate::motion::Moving;
use crate::scenery::Scenery;
use crate::shot::{Edit, Handle, Shot};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

/// So many modes are enough to begin with.
const FIRST_MODES: usize = 60;

/// So many frames tell where the input goes.
const LOOKS: usize = 33;

/// Opens a shot for a hand, with the first modes and then with all of them; what `levels` has is not made again.
pub(in crate::method) fn open(
    shot: &Shot,
    body: &Arc<Body>,
    levels: &mut Levels,
    cache: &Cache,
    progress: &Progress,
    deliver: &mut dyn FnMut(Box<dyn Live>),
) -> Result<(), LiveError> {
    let wanted = shot.edit.modes;
    let (mut from, mut way) = (0.0, None);
    for (modes, to) in [(FIRST_MODES, 1.0 / 3.0), (usize::MAX, 1.0)] {
        if modes < wanted || to == 1.0 {
            let mut first = shot.clone();
            first.edit.modes = modes.min(wanted);
            let opened = setup::open(&first, body.clone(), levels, cache, &progress.part(from, to));
            let editor = opened.map_err(|error| LiveError::of(&error))?;
            let scenery = levels.scenery(shot, body);
            let editing = Editing::new(shot, editor, wanted, scenery, way.take());
            // The input is the same whatever the modes.
            way = Some(editing.stage.way.clone());
            deliver(Box::new(editing));
            from = to;
        }
    }
    Ok(())
}

/// A motion that can be edited.
pub(in crate::method) struct Editing {
    stage: Arc<Stage>,
    editor: DragMethod,
    player: Player,
    /// The handles that are followed, with their names in the editor; nothing when that has to be done again.
    handles: Option<Vec<(Handle, Result<HandleKey, LiveError>)>>,
    hand: Option<Dragged>,
    /// How the edit was found, while it is the one that is there.
    settled: Option<Settled>,
    /// Whether the edit follows the hand by itself; otherwise it is found anew when other frames are looked at.
    follows: bool,
}

/// A handle in the hand.
struct Dragged {
    frame: usize,
    /// How far it had gone when it was last taken.
    base: [f64; 3],
    shift: [f64; 3],
    is_worn: bool,
    /// How far the shown frame is through something.
    depth: Option<f64>,
}

impl Editing {
    pub(in crate::method) fn new(
        shot: &Shot,
        editor: DragMethod,
        wanted_modes: usize,
        scenery: Vec<Scenery>,
        way: Option<Way>,
    ) -> Self {
        let body = editor.body().clone();
        let mut stage = Stage {
            clock: editor.clock(),
            modes: editor.modes(),
            wanted_modes,
            contacts: editor.contacts().clone(),
            size: editor.size(),
            warnings: editor.warnings.iter().map(ToString::to_string).collect(),
            ..Stage::of_body(body, editor.moving(), scenery)
        };
        let mut player = Player::of_editor(&editor);
        let way = way.unwrap_or_else(|| Way::of(stage.clock.frames, LOOKS, |frame| player.input(frame)));
        stage.set_way(way, shot);
        let follows = shot.edit.exact && shot.edit.warp;
        Self { stage: Arc::new(stage), editor, player, handles: None, hand: None, settled: None, follows }
    }

    /// The editor.
    pub(in crate::method) fn editor(&self) -> &DragMethod {
        &self.editor
    }

    /// The handles that are followed and mean something.
    pub(in crate::method) fn held(&self) -> Vec<Handle> {
        let followed = self.handles.iter().flatten().filter(|(_, key)| key.is_ok());
        followed.map(|(handle, _)| handle.clone()).collect()
    }

    /// Puts another editor in place of this one, without handles.
    pub(in crate::method) fn begin_with(&mut self, editor: DragMethod) {
        self.player = Player::of_editor(&editor);
        (self.editor, self.handles, self.hand, self.settled) = (editor, None, None, None);
    }

    /// Puts another editor in place of this one, with the handles that are [held](Self::held) in their order, and how its
    /// edit was found.
    pub(in crate::method) fn replace(&mut self, editor: DragMethod, settled: Settled) {
        let mut keys = editor.handles().map(|(key, _)| key);
        for key in self.handles.iter_mut().flatten().map(|(_, key)| key).filter(|key| key.is_ok()) {
            *key = keys.next().ok_or(LiveError::NoHandle);
        }
        drop(keys);
        self.player = Player::of_editor(&editor);
        (self.editor, self.hand, self.settled) = (editor, None, Some(settled));
    }

    /// Asks for the handle in the hand at `shift` from where it was taken, and leaves the edit as it is.
    pub(in crate::method) fn aim(&mut self, shift: [f64; 3]) -> Result<(), LiveError> {
        let hand = self.hand.as_mut().ok_or(LiveError::NothingDragged)?;
        let from = std::array::from_fn(|c| shift[c] - hand.base[c]);
        self.editor.aim(from).map_err(|error| problem(&error))?;
        hand.shift = shift;
        Ok(())
    }

    /// What moves a vertex that is drawn: itself, or the body's vertices its skin rides on.
    fn point(&self, vertex: u32) -> Vec<(VertexId, f64)> {
        let skin = self.editor.body().skin.as_ref().filter(|_| self.editor.moving() == Moving::Body);
        let Some(skin) = skin else { return vec![(VertexId(vertex), 1.0)] };
        let row = skin.embedding.rows().nth(vertex as usize);
        row.map_or(Vec::new(), |(corners, weights)| {
            corners.iter().copied().zip(weights.iter().copied()).collect()
        })
    }

    fn keys(&self) -> Vec<HandleKey> {
        self.editor.handles().map(|(key, _)| key).collect()
    }
}

impl Play for Editing {
    fn points(&mut self, frame: usize) -> Points {
        let mut making = Making { frame, so_far: SoFar::Nothing };
        loop {
            if let Some(points) = self.go_on(&mut making) {
                return points;
            }
        }
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        self.player.input(frame)
    }

    fn depth(&self, frame: usize) -> Option<f64> {
        self.hand.as_ref().filter(|hand| hand.frame == frame)?.depth
    }
}

impl Live for Editing {
    fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    fn ask(&mut self, edit: &Edit, _: &Progress) -> Result<Vec<Option<String>>, LiveError> {
        let handles = &edit.handles;
        let same = |followed: &Vec<(Handle, _)>| followed.iter().map(|(handle, _)| handle).eq(handles);
        if !self.handles.as_ref().is_some_and(same) {
            // All are made anew, in their order: the motion then has the bits of one that was just opened.
            for key in self.keys() {
                // It was listed a moment ago.
                let _ = self.editor.remove(key);
            }
            let add = |handle: &Handle| {
                let key = self.editor.add(handle.clone()).map_err(|error| problem(&error));
                (handle.clone(), key)
            };
            self.handles = Some(handles.iter().map(add).collect());
            self.settled = None;
            self.player.forget();
        }
        let problems = self.handles.iter().flatten();
        Ok(problems.map(|(_, key)| key.as_ref().err().map(ToString::to_string)).collect())
    }

    fn grab(&mut self, handle: usize, frame: usize, progress: &Progress) -> Result<(), LiveError> {
        if let Some(hand) = &mut self.hand {
            hand.frame = frame;
            return self.editor.show_frame(frame).map_err(|error| LiveError::of(&error));
        }
        let followed = self.handles.as_ref().and_then(|handles| handles.get(handle));
        let key = followed.map_or(Err(LiveError::NoHandle), |(_, key)| key.clone())?;
        self.settled = None;
        self.editor.ready_rows(progress).map_err(|error| LiveError::of(&error))?;
        self.editor.grab(key, frame, progress).map_err(|error| problem(&error))?;
        self.hand = Some(Dragged { frame, base: [0.0; 3], shift: [0.0; 3], is_worn: false, depth: None });
        self.player.follow(self.editor.motion());
        Ok(())
    }

    fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<f64, LiveError> {
        let hand = self.hand.as_mut().ok_or(LiveError::NothingDragged)?;
        let from = std::array::from_fn(|c| shift[c] - hand.base[c]);
        let step = self.editor.drag(from, progress).map_err(|error| problem(&error))?;
        (hand.shift, hand.is_worn) = (shift, step.is_worn);
        self.player.forget();
        Ok(step.error)
    }

    fn go_on(&mut self, making: &mut Making) -> Option<Points> {
        if let (SoFar::Nothing, Some(hand)) = (&making.so_far, &mut self.hand) {
            let mut u = vec![0.0; 3 * self.editor.rest().len()];
            if hand.frame == making.frame && self.editor.shown(&mut u).is_ok() {
                hand.depth = self.editor.depth(making.frame, &u);
                return Some(self.player.displaced(making.frame, &u));
            }
        }
        let is_behind = self.hand.is_some() && !self.follows;
        self.player.go_on(making, || {
            if is_behind {
                // A linear solve that nobody stops cannot fail.
                let _ = self.editor.settle(&Progress::silent());
            }
            self.editor.path()
        })
    }

    fn refresh(&mut self, progress: &Progress) -> Result<(), LiveError> {
        let Some(hand) = self.hand.as_mut().filter(|hand| hand.is_worn) else { return Ok(()) };
        let put_down = self.editor.put_down();
        let taken = put_down.and_then(|key| self.editor.grab(key, hand.frame, progress));
        taken.map_err(|error| LiveError::of(&error))?;
        (hand.base, hand.is_worn) = (hand.shift, false);
        self.player.forget();
        Ok(())
    }

    fn put_down(&mut self) {
        if self.hand.take().is_some() {
            // It was in the hand.
            let _ = self.editor.put_down();
        }
        self.handles = None;
        self.player.forget();
    }

    fn settle(&mut self, progress: &Progress) -> Result<(), LiveError> {
        self.settled = None;
        self.settled = Some(self.editor.settle(progress).map_err(|error| LiveError::of(&error))?);
        self.player.follow(self.editor.motion());
        Ok(())
    }

    fn report(
        &mut self,
        progress: &Progress,
        between: &mut dyn FnMut(&mut dyn Play),
    ) -> Result<Report, LiveError> {
        let path = self.editor.path();
        let player = &mut self.player;
        let each = |_: &EditedFrame<'_>| {
            between(&mut player.under(&path));
            Ok(progress.check()?)
        };
        let solved = match self.settled.clone() {
            Some(settled) => self.editor.tell(settled, progress, each),
            None => self.editor.solve(progress, each),
        };
        let mut report = self.editor.told(solved.map_err(|error| LiveError::of(&error))?);
        for outcome in &mut report.handles {
            let place = |(_, key): &(Handle, Result<HandleKey, LiveError>)| *key == Ok(outcome.key);
            if let Some(place) = self.handles.as_ref().and_then(|handles| handles.iter().position(place)) {
                outcome.key = HandleKey(place as u32 + 1);
            }
        }
        Ok(report)
    }

    fn moved_by(&mut self, vertex: u32, frame: usize) -> [f64; 3] {
        let mut places = vec![[0.0; 3]; self.editor.rest().len()];
        self.editor.frame(frame, &mut places);
        let input = self.editor.motion().frame(frame).displacement();
        let change = |v: VertexId| -> Vec3 {
            let before =
                self.editor.rest()[v.index()] + Vec3::from_column_slice(&input[3 * v.index()..][..3]);
            Vec3::from(places[v.index()]) - before
        };
        let sum: Vec3 = self.point(vertex).iter().map(|(v, weight)| change(*v) * *weight).sum();
        sum.into()
    }

    fn force_at(&mut self, vertex: u32) -> Vec<f64> {
        self.editor.force_at(&self.point(vertex)).unwrap_or_default()
    }
}

/// What is wrong with a handle, without its name: the editor's is not its place in the shot.
fn problem(error: &EditError) -> LiveError {
    match error {
        EditError::Handle { problem, .. } => LiveError::said(problem),
        error => LiveError::of(error),
    }
}
