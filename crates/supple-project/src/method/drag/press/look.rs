//! What a solution pushes through floor and obstacles: the frames that come near anything are looked at.

use super::MOST_HELD;
use crate::method::drag::barrier::{Barrier, Through};
use crate::method::drag::{DragMethod, EditError};
use crate::site::Row as Point;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_spacetime::{Order, Path};

/// A vertex that is through, and how far the edit moves it along the way out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub through: Through,
    pub moved: f64,
}

/// What a look at the frames found.
#[derive(Default)]
pub(super) struct Look {
    /// Those that are through, the deepest of each frame first.
    pub through: BTreeMap<usize, Vec<Found>>,
    /// What is held, and how much it lacks along its normal.
    pub missing: Vec<((usize, VertexId), f64)>,
    pub deepest: f64,
    /// Frames in which elements are crushed.
    pub crushed: Vec<usize>,
}

impl Look {
    /// Frames with something through, the deepest first, that are more than so many apart.
    pub fn frames_apart(&self, between: usize) -> BTreeSet<usize> {
        let depth = |found: &[Found]| found.first().map_or(0.0, |found| found.through.depth);
        let mut all: Vec<(usize, f64)> =
            self.through.iter().map(|(frame, found)| (*frame, depth(found))).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut chosen = BTreeSet::new();
        for (frame, _) in all {
            if chosen.iter().all(|other: &usize| other.abs_diff(frame) > between) {
                chosen.insert(frame);
            }
        }
        chosen
    }
}

impl DragMethod {
    /// Looks at the frames that come near anything.
    pub(super) fn look_through(&self, barrier: &Barrier, progress: &Progress) -> Result<Look, EditError> {
        let path = self.path();
        let mut look = Look::default();
        let mut clear = barrier.clearances();
        let mut places = [Vec::new(), Vec::new()];
        for run in self.frames_near(barrier, &path, progress)? {
            let states = path.states(run.clone());
            self.motion.each(
                run,
                states.position.as_ref(),
                progress,
                |index, u| -> Result<(), EditError> {
                    let input = self.motion.frame(index).displacement();
                    let through = self.through_at(barrier, index, u, &mut places, &mut clear)?;
                    self.look_at(barrier, index, [input, u], (through, &places[1]), &mut look);
                    Ok(())
                },
            )?;
        }
        Ok(look)
    }

    fn look_at(
        &self,
        barrier: &Barrier,
        index: usize,
        [input, u]: [&[f64]; 2],
        (mut through, after): (Vec<Through>, &[[f64; 3]]),
        look: &mut Look,
    ) {
        through.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(a.vertex.cmp(&b.vertex)));
        through.truncate(MOST_HELD);
        look.deepest = through.first().map_or(look.deepest, |deepest| look.deepest.max(deepest.depth));
        let moved = |point: &Point, along: &Vec3| -> f64 {
            let at = |u: &[f64], v: &VertexId| Vec3::from_column_slice(&u[3 * v.index()..][..3]);
            point.iter().map(|(v, weight)| (at(u, v) - at(input, v)).dot(along) * weight).sum()
        };
        let found: Vec<Found> = through
            .into_iter()
            .map(|through| {
                let point = self.written_row(barrier, through.vertex);
                Found { through, moved: moved(&point, &through.plane.normal) }
            })
            .collect();
        if !found.is_empty() {
            look.through.insert(index, found);
        }
        let mut is_held = false;
        let rows = (index, VertexId(0))..=(index, VertexId(u32::MAX));
        for (key, held) in self.pressed.rows.range(rows).filter(|(_, held)| held.is_active) {
            let there = Vec3::from(after[key.1.index()]);
            look.missing.push((*key, held.allowed - held.plane.distance(&there)));
            is_held = true;
        }
        if is_held && self.is_crushed(input, u) {
            look.crushed.push(index);
        }
    }

    /// The frames that the edit changes and that come near anything, in runs.
    fn frames_near(
        &self,
        barrier: &Barrier,
        path: &Path,
        progress: &Progress,
    ) -> Result<Vec<Range<usize>>, EditError> {
        let clearances = self.input_clearances(barrier, progress)?;
        let mut runs: Vec<Range<usize>> = Vec::new();
        let (mut z, mut edit) = (vec![0.0; self.modes()], vec![0.0; 3 * self.figure.positions.len()]);
        for (index, clearance) in clearances.iter().enumerate() {
            path.at(index, Order::Position, &mut z);
            if z.iter().all(|z| *z == 0.0) {
                continue;
            }
            if *clearance > 0.0 && !self.pressed.is_at(index) {
                progress.check()?;
                self.motion.basis().displacement(&z, &mut edit);
                let farthest = edit.chunks_exact(3).map(|p| Vec3::from_column_slice(p).norm_squared());
                // The warp bends what is straight here, but does not take anything twice as far.
                if 2.0 * farthest.fold(0.0, f64::max).sqrt() < *clearance {
                    continue;
                }
            }
            match runs.last_mut() {
                Some(run) if run.end == index => run.end += 1,
                _ => runs.push(index..index + 1),
            }
        }
        Ok(runs)
    }

    /// How far every frame of the input is from anything, at least; found once.
    fn input_clearances(&self, barrier: &Barrier, progress: &Progress) -> Result<&[f64], EditError> {
        if self.clearances.get().is_none() {
            let mut clear = barrier.clearances();
            let mut places = Vec::new();
            let mut found = Vec::with_capacity(self.time.frames);
            for index in 0..self.time.frames {
                progress.check()?;
                self.written_places(barrier, index, self.motion.frame(index).displacement(), &mut places)?;
                found.push(barrier.clearance(&places, &mut clear));
            }
            // Whoever else was as quick found the same.
            let _ = self.clearances.set(found);
        }
        Ok(self.clearances.get().map_or(&[], Vec::as_slice))
    }
}
