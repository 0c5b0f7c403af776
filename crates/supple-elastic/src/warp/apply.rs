//! Warping whole frames.
//!
//! Frames are warped eight at a time: their 24 right-hand sides pass through the factor together, which
//! costs a fraction of three at a time. The blocks do not depend on the number of threads, so neither do
//! the bits; a frame in a block and the same frame alone may differ in the last ones.

use super::floating::Rigid;
use super::input::InputFrame;
use super::target::Slope;
use super::{COLUMNS_PER_SOLVE, Warp};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_mesh::Vec3;

/// Frames warped together.
const FRAMES_PER_BLOCK: usize = COLUMNS_PER_SOLVE / 3;
/// Vertices summed as one task.
const VERTICES_PER_TASK: usize = 512;

/// Buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// A force per corner of every element.
    forces: Vec<[f64; 3]>,
    /// Three columns per frame, a number per vertex.
    columns: Vec<f64>,
    /// The same for contacts.
    held: Vec<f64>,
    /// A number per row of the factor.
    rows: Vec<f64>,
    /// Derivatives of a point by every corner of every element.
    pub gradients: Vec<[f64; 9]>,
    /// What an edit makes of every place.
    pub slopes: Vec<Slope>,
}

impl Warp {
    /// Overwrites `out` with the displacement of a frame under the edit p. Without an edit it is the input,
    /// bit for bit.
    ///
    /// # Panics
    /// When `edit` or `out` have not three numbers per vertex, or `frame` is of another body.
    pub fn apply(&self, frame: &InputFrame, edit: &[f64], out: &mut [f64]) {
        self.check_length(edit);
        self.check_length(out);
        self.block(&[frame], edit, out);
    }

    /// [`Self::apply`] to many frames, on all threads. `edits` and `out` hold one frame after the other.
    ///
    /// # Panics
    /// When `edits` or `out` have not three numbers per vertex for every frame, or a frame is of another
    /// body.
    pub fn apply_many(&self, frames: &[&InputFrame], edits: &[f64], out: &mut [f64]) {
        let size = 3 * self.vertices();
        assert!(edits.len() == frames.len() * size && out.len() == edits.len(), "an edit for every frame");
        let frames = frames.par_chunks(FRAMES_PER_BLOCK);
        let edits = edits.par_chunks(FRAMES_PER_BLOCK * size);
        let out = out.par_chunks_mut(FRAMES_PER_BLOCK * size);
        frames.zip(edits).zip(out).for_each(|((frames, edits), out)| self.block(frames, edits, out));
    }

    /// Lends buffers to `work`: making large ones takes longer than filling them.
    pub(super) fn with_room<T>(&self, work: impl FnOnce(&mut Room) -> T) -> T {
        let mut room = self.rooms.lock().ok().and_then(|mut rooms| rooms.pop()).unwrap_or_default();
        let made = work(&mut room);
        if let Ok(mut rooms) = self.rooms.lock() {
            rooms.push(room);
        }
        made
    }

    fn block(&self, frames: &[&InputFrame], edits: &[f64], out: &mut [f64]) {
        let size = 3 * self.vertices();
        if !is_nothing(edits) {
            self.with_room(|room| self.block_with(room, frames, edits, out));
        }
        // What floats is put together from how it moves as a whole and how it bends, which rounds.
        let each = frames.iter().zip(edits.chunks_exact(size)).zip(out.chunks_exact_mut(size));
        for ((frame, _), out) in each.filter(|((_, edit), _)| is_nothing(edit)) {
            out.copy_from_slice(frame.displacement());
        }
    }

    fn block_with(&self, room: &mut Room, frames: &[&InputFrame], edits: &[f64], out: &mut [f64]) {
        let n = self.vertices();
        room.forces.resize(self.incidence.corners(), [0.0; 3]);
        room.columns.resize(3 * n * frames.len(), 0.0);
        let mut wholes = Vec::with_capacity(frames.len());
        let edits = edits.chunks_exact(3 * n);
        for ((frame, edit), columns) in frames.iter().zip(edits).zip(room.columns.chunks_exact_mut(3 * n)) {
            let rigid = self.rigid(frame, edit);
            let edit = &self.shape_of(&rigid, edit);
            self.cells.forces(frame.edited(edit), &mut room.forces);
            self.sum_forces(&room.forces, columns);
            wholes.push(rigid);
        }
        self.poisson.solve(&mut room.columns, n, &mut room.rows);
        for ((frame, rigid), columns) in frames.iter().zip(&wholes).zip(room.columns.chunks_exact_mut(3 * n))
        {
            self.move_wholes(frame, rigid, columns);
        }
        self.keep_contacts(frames, room);
        for ((frame, columns), out) in
            frames.iter().zip(room.columns.chunks_exact(3 * n)).zip(out.chunks_exact_mut(3 * n))
        {
            self.add_change(frame, columns, out);
        }
    }

    /// Overwrites `out` with a frame whose shape changes by `shape`, three numbers per vertex in the frame that tumbles along,
    /// while components move as wholes.
    pub(super) fn place(&self, frame: &InputFrame, rigid: &Rigid<'_>, shape: &[f64], out: &mut [f64]) {
        self.check_length(shape);
        self.check_length(out);
        let n = self.vertices();
        self.with_room(|room| {
            room.columns.resize(3 * n, 0.0);
            for (k, d) in shape.iter().enumerate() {
                room.columns[(k % 3) * n + k / 3] = *d;
            }
            self.move_wholes(frame, rigid, &mut room.columns);
            self.keep_contacts(&[frame], room);
            self.add_change(frame, &room.columns, out);
        });
    }

    /// The forces at each vertex, added up into three columns.
    pub(super) fn sum_forces(&self, forces: &[[f64; 3]], columns: &mut [f64]) {
        let (x, yz) = columns.split_at_mut(self.vertices());
        let (y, z) = yz.split_at_mut(self.vertices());
        let tasks = x.par_chunks_mut(VERTICES_PER_TASK).zip(y.par_chunks_mut(VERTICES_PER_TASK));
        tasks.zip(z.par_chunks_mut(VERTICES_PER_TASK)).enumerate().for_each(|(task, ((x, y), z))| {
            for k in 0..x.len() {
                [x[k], y[k], z[k]] = self.incidence.sum(task * VERTICES_PER_TASK + k, forces);
            }
        });
    }

    /// From the change of shape in the frame that tumbles along to the change in space, see [`super::floating`].
    fn move_wholes(&self, frame: &InputFrame, rigid: &Rigid<'_>, columns: &mut [f64]) {
        let n = self.vertices();
        for (part, moved) in self.poisson.floating().iter().zip(&rigid.parts) {
            let turned = &rigid.rotations[part.component];
            let swing = moved.turn.map(|(_, turn)| turn - Matrix3::identity());
            for v in &part.vertices {
                let at = [v.index(), n + v.index(), 2 * n + v.index()];
                let mut d = turned * Vec3::from(at.map(|k| columns[k])) + moved.shift;
                if let Some(swing) = &swing {
                    d += swing * self.arm(frame, *v);
                }
                for (k, d) in at.into_iter().zip(d.iter()) {
                    columns[k] = *d;
                }
            }
        }
    }

    fn keep_contacts(&self, frames: &[&InputFrame], room: &mut Room) {
        if frames.iter().all(|frame| frame.held.is_none()) {
            return;
        }
        let n = self.vertices();
        room.held.clear();
        room.held.resize(room.columns.len(), 0.0);
        let columns = room.columns.chunks_exact(3 * n).zip(room.held.chunks_exact_mut(3 * n));
        for (frame, (d, forces)) in frames.iter().zip(columns) {
            if let Some(held) = &frame.held {
                held.add_forces(&held.multipliers(d, n), forces, n);
            }
        }
        self.poisson.solve(&mut room.held, n, &mut room.rows);
        for (d, back) in room.columns.iter_mut().zip(&room.held) {
            *d -= back;
        }
    }

    /// ū + d.
    fn add_change(&self, frame: &InputFrame, columns: &[f64], out: &mut [f64]) {
        let n = self.vertices();
        for v in 0..n {
            for c in 0..3 {
                out[3 * v + c] = frame.input[3 * v + c] + columns[c * n + v];
            }
        }
    }
}

/// Whether an edit moves nothing at all.
pub(super) fn is_nothing(edit: &[f64]) -> bool {
    edit.iter().all(|x| *x == 0.0)
}
