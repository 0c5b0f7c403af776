//! Frames for the eye: from displacements to the points that are drawn.

use super::drag::{DragMethod, Playback};
use super::live::{LiveError, Making, Play, SoFar};
use super::stage::{Points, single};
use crate::body::Body;
use crate::motion::{Detail, InputMotion, Moving};
use crate::shot::Shot;
use std::sync::{Arc, Mutex, PoisonError};
use supple_elastic::WarpedMotion;
use supple_mesh::{Vec3, displacement};
use supple_spacetime::Path;

/// Turns frames into points.
pub(super) struct Player {
    body: Arc<Body>,
    of: Moving,
    frames: Frames,
    detail: Option<Arc<Mutex<Detail>>>,
    /// The edit as it was last asked for.
    path: Option<Path>,
    /// Frames of the input that were last asked for: the one that is edited is asked for again and again.
    inputs: Vec<(usize, Arc<Points>)>,
}

/// Entries of U, of each of three directions, that are passed over in a part of a frame: one or two milliseconds.
const PASS: usize = 5_000_000;

/// So many frames of the input are kept: the one that is edited, and the one that is played.
const KEPT_INPUTS: usize = 2;

enum Frames {
    /// The input as it is read.
    Read(InputMotion),
    /// The input in memory, and the modes.
    Kept(Arc<WarpedMotion>, Playback),
}

impl Player {
    pub fn of_input(shot: &Shot, body: Arc<Body>, input: InputMotion) -> Result<Self, LiveError> {
        let detail = Detail::of(shot, &body).map_err(|error| LiveError::said(&error))?;
        let detail = detail.map(|detail| Arc::new(Mutex::new(detail)));
        Ok(Self { of: input.of, frames: Frames::Read(input), detail, body, path: None, inputs: Vec::new() })
    }

    pub fn of_editor(editor: &DragMethod) -> Self {
        let frames = Frames::Kept(editor.motion().clone(), editor.playback());
        let (body, detail) = (editor.body().clone(), editor.detail().cloned());
        Self { of: editor.moving(), frames, detail, body, path: None, inputs: Vec::new() }
    }

    /// The edit is another now.
    pub fn forget(&mut self) {
        self.path = None;
    }

    /// The motion shows its edit in another way now.
    pub fn follow(&mut self, shown: &Arc<WarpedMotion>) {
        if let Frames::Kept(motion, _) = &mut self.frames {
            *motion = shown.clone();
        }
        self.forget();
    }

    /// A frame of the input.
    pub fn input(&mut self, frame: usize) -> Arc<Points> {
        let known = self.inputs.iter().position(|(of, _)| *of == frame);
        let input = if let Some(place) = known {
            self.inputs.remove(place)
        } else {
            let u = self.displacement(frame);
            (frame, Arc::new(self.displaced(frame, &u)))
        };
        // What is being simulated may change yet.
        if matches!(self.frames, Frames::Kept(..)) {
            self.inputs.truncate(KEPT_INPUTS - 1);
            self.inputs.insert(0, input.clone());
        }
        input.1
    }

    /// A part of a frame under the edit, which is asked for once.
    pub fn go_on(&mut self, making: &mut Making, path: impl FnOnce() -> Path) -> Option<Points> {
        let mut z = Vec::new();
        if let (SoFar::Nothing, Frames::Kept(_, playback)) = (&making.so_far, &self.frames) {
            z = playback.z(self.path.get_or_insert_with(path), making.frame);
        }
        self.go_on_at(making, || z)
    }

    /// The same where there is so much of each mode, which is asked for when a frame is begun.
    pub fn go_on_at(&mut self, making: &mut Making, z: impl FnOnce() -> Vec<f64>) -> Option<Points> {
        let Frames::Kept(motion, playback) = &self.frames else {
            return Some(Points::clone(&self.input(making.frame)));
        };
        making.so_far = match std::mem::take(&mut making.so_far) {
            SoFar::Nothing => SoFar::Edit { z: z(), edit: Vec::new() }.and_more(playback),
            SoFar::Edit { z, edit } if edit.len() < 3 * playback.modes().vertices() => {
                SoFar::Edit { z, edit }.and_more(playback)
            }
            SoFar::Edit { edit, .. } => {
                let mut u = vec![0.0; edit.len()];
                motion.apply(making.frame, &edit, &mut u);
                SoFar::Displacement(u)
            }
            SoFar::Displacement(u) => return Some(self.displaced(making.frame, &u)),
        };
        None
    }

    /// Plays an edit.
    pub fn under<'a>(&'a mut self, path: &'a Path) -> Under<'a> {
        Under { player: self, path }
    }

    /// The points of a frame that is displaced by `u`, from rest.
    pub fn displaced(&mut self, frame: usize, u: &[f64]) -> Points {
        let Some(skin) = self.body.skin.as_ref() else { return drawn(&self.body, u) };
        if self.of == Moving::Skin {
            return Points { drawn: moved(skin.mesh.positions(), u), body: None };
        }
        if let (Some(detail), Frames::Kept(motion, _)) = (&self.detail, &self.frames)
            && let Ok(places) = detail.lock().unwrap_or_else(PoisonError::into_inner).skin(
                frame,
                skin,
                motion.frame(frame).displacement(),
                u,
            )
        {
            let body = Some(moved(self.body.positions(), u));
            return Points { drawn: places.iter().map(|p| single(&Vec3::from(*p))).collect(), body };
        }
        drawn(&self.body, u)
    }

    /// The input, from rest. A frame that cannot be read stands still; opening the shot says why.
    fn displacement(&mut self, frame: usize) -> Vec<f64> {
        match &mut self.frames {
            Frames::Kept(motion, _) => motion.frame(frame).displacement().to_vec(),
            Frames::Read(input) => {
                let rest = match (self.of, &self.body.skin) {
                    (Moving::Skin, Some(skin)) => skin.mesh.positions(),
                    _ => self.body.positions(),
                };
                let mut places = vec![[0.0; 3]; rest.len()];
                if input.read(frame, &mut places).is_err() {
                    return vec![0.0; 3 * rest.len()];
                }
                displacement(&places, rest)
            }
        }
    }
}

impl SoFar {
    /// With the linear edit of more vertices.
    fn and_more(self, playback: &Playback) -> Self {
        let Self::Edit { z, mut edit } = self else { return self };
        let (modes, have) = (playback.modes(), edit.len());
        edit.resize((have + 3 * PASS.div_ceil(modes.modes().max(1))).min(3 * modes.vertices()), 0.0);
        modes.displacement_from(have / 3, &z, &mut edit[have..]);
        Self::Edit { z, edit }
    }
}

impl Play for Player {
    fn points(&mut self, frame: usize) -> Points {
        Points::clone(&Self::input(self, frame))
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        Self::input(self, frame)
    }
}

/// Plays one edit.
pub(super) struct Under<'a> {
    player: &'a mut Player,
    path: &'a Path,
}

impl Play for Under<'_> {
    fn points(&mut self, frame: usize) -> Points {
        let Frames::Kept(motion, playback) = &self.player.frames else { return self.player.points(frame) };
        let mut u = vec![0.0; motion.frame(frame).displacement().len()];
        playback.frame(self.path, frame, &mut u);
        self.player.displaced(frame, &u)
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        self.player.input(frame)
    }
}

/// The points of a body that is displaced by `u`, from rest, and of the skin that follows it.
pub(super) fn drawn(body: &Body, u: &[f64]) -> Points {
    let own = moved(body.positions(), u);
    let Some(skin) = &body.skin else { return Points { drawn: own, body: None } };
    let mut places = vec![Vec3::zeros(); skin.mesh.positions().len()];
    skin.follow(u, &mut places);
    Points { drawn: places.iter().map(single).collect(), body: Some(own) }
}

fn moved(rest: &[Vec3], u: &[f64]) -> Vec<[f32; 3]> {
    rest.iter().zip(u.chunks_exact(3)).map(|(x, u)| single(&(x + Vec3::from_column_slice(u)))).collect()
}
