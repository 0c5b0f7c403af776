//! The file a motion came from, for what an edit leaves alone.
//!
//! Inside, points are in metres with y up, displacements from rest are rounded, and so are the ways back: whatever an edit did
//! not move is taken from the file instead, to the bit.

use super::MotionError;
use crate::shot::Shot;
use crate::source::{Inside, frames_of};
use supple_mesh::{Vec3, Weld, displacement};
use supple_model::{FrameError, FrameSource, VertexId};

/// The frames of a shot's file, where they are those of what is edited.
pub(crate) struct Original {
    frames: Inside,
    /// Which of its vertices are one.
    weld: Weld,
    places: Vec<[f64; 3]>,
}

impl Original {
    /// That of a shot whose input moves the vertices of `weld`; `None` where they are not those of a file.
    pub fn of(shot: &Shot, weld: Weld) -> Result<Option<Self>, MotionError> {
        let vertices = weld.leaders().len();
        let frames = frames_of(shot)?.map(|(_, frames, ..)| frames);
        let frames = frames.filter(|frames| frames.vertices() == vertices);
        Ok(frames.map(|frames| Self { frames, weld, places: vec![[0.0; 3]; vertices] }))
    }

    /// A frame as the file shall have it: its own points where `edited` is what `input` is, and for vertices that are one the
    /// way of their leader from where each of them was.
    pub fn written(
        &mut self,
        index: usize,
        edited: &[[f64; 3]],
        input: &[[f64; 3]],
    ) -> Result<Vec<[f64; 3]>, FrameError> {
        self.frames.read_outside(index, &mut self.places)?;
        let space = self.frames.space;
        let place = |(v, own): (usize, &[f64; 3])| {
            let leader = self.weld.leaders()[v].index();
            if edited[leader] == input[leader] {
                return *own;
            }
            let moved = Vec3::from(edited[leader]) - Vec3::from(input[leader]);
            let is_joined = self.weld.has_copies(VertexId::new(v));
            space.outside(if is_joined { (Vec3::from(space.inside(*own)) + moved).into() } else { edited[v] })
        };
        Ok(self.places.iter().enumerate().map(place).collect())
    }
}

/// Where the vertices of a frame are that is displaced by `u`, by the sum that makes every position of an edited motion.
pub(crate) fn displaced(rest: &[Vec3], u: &[f64]) -> Vec<[f64; 3]> {
    rest.iter().zip(u.chunks_exact(3)).map(|(x, u)| (x + Vec3::from_column_slice(u)).into()).collect()
}

/// The displacement of vertices at `positions`, and that of the input, to the bit, where they are where the input has them.
pub(crate) fn displacement_over(positions: &[[f64; 3]], rest: &[Vec3], input: &[f64]) -> Vec<f64> {
    let mut u = displacement(positions, rest);
    let before = displaced(rest, input);
    for v in (0..positions.len()).filter(|v| positions[*v] == before[*v]) {
        u[3 * v..3 * v + 3].copy_from_slice(&input[3 * v..3 * v + 3]);
    }
    u
}
