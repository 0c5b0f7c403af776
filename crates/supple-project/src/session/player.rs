//! Frames for the eye: from displacements to the points that are drawn.

use super::live::Play;
use super::stage::{Points, single};
use crate::body::Body;
use crate::edit::{Editor, Playback};
use crate::motion::{Detail, InputMotion, Moving};
use crate::shot::Shot;
use std::sync::Arc;
use supple_elastic::WarpedMotion;
use supple_mesh::Vec3;
use supple_spacetime::Path;

/// Turns frames into points.
pub(super) struct Player {
    body: Arc<Body>,
    of: Moving,
    frames: Frames,
    detail: Option<Detail>,
    /// The edit as it was last asked for.
    path: Option<Path>,
}

enum Frames {
    /// The input as it is read.
    Read(InputMotion),
    /// The input in memory, and the modes.
    Kept(Arc<WarpedMotion>, Playback),
}

impl Player {
    pub fn of_input(shot: &Shot, body: Arc<Body>, input: InputMotion) -> Result<Self, String> {
        let detail = Detail::of(shot, &body).map_err(|error| error.to_string())?;
        Ok(Self { of: input.of, frames: Frames::Read(input), detail, body, path: None })
    }

    pub fn of_editor(shot: &Shot, editor: &Editor) -> Result<Self, String> {
        let body = editor.body().clone();
        let detail = Detail::of(shot, &body).map_err(|error| error.to_string())?;
        let frames = Frames::Kept(editor.motion().clone(), editor.playback());
        Ok(Self { of: editor.moving(), frames, detail, body, path: None })
    }

    /// The edit is another now.
    pub fn forget(&mut self) {
        self.path = None;
    }

    /// A frame of the input.
    pub fn input(&mut self, frame: usize) -> Points {
        let u = self.displacement(frame);
        self.displaced(frame, &u)
    }

    /// A frame under the edit, which is asked for once.
    pub fn points_under(&mut self, frame: usize, path: impl FnOnce() -> Path) -> Points {
        let path = self.path.take().unwrap_or_else(path);
        let points = self.under(&path).points(frame);
        self.path = Some(path);
        points
    }

    /// Plays an edit.
    pub fn under<'a>(&'a mut self, path: &'a Path) -> Under<'a> {
        Under { player: self, path }
    }

    /// The points of a frame that is displaced by `u`, from rest.
    pub fn displaced(&mut self, frame: usize, u: &[f64]) -> Points {
        let Some(skin) = self.body.skin.as_ref() else {
            return Points { drawn: moved(self.body.positions(), u), body: None };
        };
        if self.of == Moving::Skin {
            return Points { drawn: moved(skin.mesh.positions(), u), body: None };
        }
        let body = Some(moved(self.body.positions(), u));
        if let (Some(detail), Frames::Kept(motion, _)) = (&mut self.detail, &self.frames)
            && let Ok(places) = detail.skin(frame, skin, motion.frame(frame).displacement(), u)
        {
            return Points { drawn: places.iter().map(|p| single(&Vec3::from(*p))).collect(), body };
        }
        let mut places = vec![Vec3::zeros(); skin.mesh.positions().len()];
        skin.follow(u, &mut places);
        Points { drawn: places.iter().map(single).collect(), body }
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
                places.iter().zip(rest).flat_map(|(p, x)| <[f64; 3]>::from(Vec3::from(*p) - x)).collect()
            }
        }
    }
}

impl Play for Player {
    fn points(&mut self, frame: usize) -> Points {
        self.input(frame)
    }
}

/// Plays one edit.
pub(super) struct Under<'a> {
    player: &'a mut Player,
    path: &'a Path,
}

impl Play for Under<'_> {
    fn points(&mut self, frame: usize) -> Points {
        let Frames::Kept(motion, playback) = &self.player.frames else { return self.player.input(frame) };
        let mut u = vec![0.0; motion.frame(frame).displacement().len()];
        playback.frame(self.path, frame, &mut u);
        self.player.displaced(frame, &u)
    }
}

fn moved(rest: &[Vec3], u: &[f64]) -> Vec<[f32; 3]> {
    rest.iter().zip(u.chunks_exact(3)).map(|(x, u)| single(&(x + Vec3::from_column_slice(u)))).collect()
}
