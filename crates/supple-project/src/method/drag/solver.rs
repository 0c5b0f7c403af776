//! Who answers handles: rows on the linear edit, or grips on the warped motion.

use super::firm::Reads;
use super::wish::{Wish, place};
use super::{EditError, HandleKey, Reason};
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_elastic::{WarpReadout, WarpSite, WarpedMotion};
use supple_mesh::Vec3;
use supple_model::{Ask, Linearized, Progress, Readout};
use supple_spacetime::{
    Constraints, Drag, DragReport, DragSettings, Edit, Grip, HandleId, KnownEdit, Order, Path, Row, RowName,
    StartReport, Status, Unmet,
};

/// Who answers handles.
#[derive(Debug)]
pub(super) enum Solver {
    /// Rows on the linear edit: at once, and warped afterwards.
    Linear { constraints: Box<Constraints>, edit: Box<Edit> },
    /// Grips on the warped motion.
    Exact { drag: Box<Drag>, readout: WarpReadout },
}

/// An edit to go back to.
pub(super) enum Kept {
    Linear(Box<Constraints>, Box<Edit>),
    Exact(Box<Drag>, WarpReadout),
}

/// What handles were answered with.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// How the solution ended.
    pub status: Status,
    /// Iterations it took.
    pub iterations: usize,
    /// How far the edit is from the least costly one, as a part of its size.
    pub stationarity: f64,
    /// What the edit costs.
    pub energy: f64,
    /// What the errors of soft handles cost.
    pub penalty: f64,
    /// The edits it was chosen from, in the order they were tried; none on the linear edit, which has one solution.
    pub starts: Vec<StartReport>,
    /// Why hard handles are not where they were asked to be; those that are met are left out.
    pub reasons: BTreeMap<HandleKey, Reason>,
    /// Wishes of which part was left out.
    pub(super) redundant: Vec<HandleId>,
    /// Wishes that are not met.
    pub(super) unmet: Vec<HandleId>,
}

impl Solver {
    pub fn new(
        is_exact: bool,
        mut constraints: Constraints,
        motion: &Arc<WarpedMotion>,
        size: f64,
    ) -> Result<Self, EditError> {
        if is_exact {
            let drag = Box::new(Drag::new(&constraints, DragSettings::new(size))?);
            return Ok(Self::Exact { drag, readout: WarpReadout::new(motion.clone()) });
        }
        let edit = Box::new(constraints.solve());
        Ok(Self::Linear { constraints: Box::new(constraints), edit })
    }

    /// Takes up a wish; answers the sites it reads, if it reads any.
    pub fn add(&mut self, id: HandleId, wish: &Wish, input: &Input<'_>) -> Result<Vec<usize>, EditError> {
        match self {
            Self::Linear { constraints, .. } => {
                constraints.add(id, linear_rows(wish, input))?;
                Ok(Vec::new())
            }
            Self::Exact { drag, readout } => {
                let sites = add_sites(readout, wish)?;
                let mut ends = sites.iter().map(|(site, frame, _)| (*site, (*frame).into()));
                let Some((site, at)) = ends.next() else { return Ok(Vec::new()) };
                let (less, target, hold) = (ends.next(), grip_target(wish, input), wish.strictly());
                let grip = Grip { site, at, less, target, hold };
                if let Err(error) = drag.add(id, grip) {
                    sites.iter().for_each(|(site, ..)| readout.remove(*site));
                    return Err(error.into());
                }
                Ok(sites.into_iter().map(|(site, ..)| site).collect())
            }
        }
    }

    /// What a wish reads of the modes at the edit of nothing.
    pub fn reads(&mut self, wish: &Wish, input: &Input<'_>) -> Result<Reads, EditError> {
        let Self::Exact { readout, .. } = self else {
            let row = |axis| input.motion.edit_row(wish.frame, &wish.point, wish.axes.row(axis).transpose());
            return Ok(Reads(vec![(wish.frame, wish.order, [0, 1, 2].map(row))]));
        };
        let sites = add_sites(readout, wish)?;
        let nothing = vec![0.0; readout.modes()];
        let asks: Vec<Ask<'_>> =
            sites.iter().map(|&(site, frame, _)| Ask { site, at: frame.into(), z: &nothing }).collect();
        let found = readout.linearized(&asks);
        sites.iter().for_each(|(site, ..)| readout.remove(*site));
        let read = |(&(_, frame, sign), found): (&(usize, usize, f64), Linearized)| {
            let rows = found.rows.map(|row| row.into_iter().map(|x| sign * x).collect());
            (frame, Order::Position, rows)
        };
        Ok(Reads(sites.iter().zip(found).map(read).collect()))
    }

    /// Gives a wish another target; all else of it stays.
    pub fn retarget(&mut self, id: HandleId, wish: &Wish, input: &Input<'_>) -> Result<(), EditError> {
        match self {
            Self::Linear { constraints, .. } => {
                constraints.set_targets(id, &linear_targets(wish, input))?;
            }
            Self::Exact { drag, .. } => drag.set_target(id, grip_target(wish, input))?,
        }
        Ok(())
    }

    /// Forgets a wish.
    pub fn remove(&mut self, id: HandleId, sites: &[usize]) -> Result<(), EditError> {
        match self {
            Self::Linear { constraints, .. } => constraints.remove(id)?,
            Self::Exact { drag, readout } => {
                drag.remove(id)?;
                sites.iter().for_each(|site| readout.remove(*site));
            }
        }
        Ok(())
    }

    /// The edit that depends on the handles there are and on nothing else.
    pub fn release(&mut self, progress: &Progress) -> Result<Settled, EditError> {
        match self {
            Self::Linear { constraints, edit } => {
                progress.check()?;
                **edit = constraints.solve();
                let met = edit.report.is_met();
                Ok(Settled {
                    status: if met { Status::Settled } else { Status::Compromise },
                    iterations: 1,
                    stationarity: 0.0,
                    energy: edit.energy,
                    penalty: edit.penalty,
                    starts: Vec::new(),
                    reasons: BTreeMap::new(),
                    redundant: edit.report.redundant.clone(),
                    unmet: unmet(&edit.report.unmet),
                })
            }
            Self::Exact { drag, readout } => {
                let report: DragReport = drag.release(readout, progress)?;
                Ok(Settled {
                    status: report.status,
                    iterations: report.iterations,
                    stationarity: report.stationarity,
                    energy: report.energy,
                    penalty: report.penalty,
                    starts: report.starts,
                    reasons: BTreeMap::new(),
                    redundant: report.redundant,
                    unmet: unmet(&report.unmet),
                })
            }
        }
    }

    /// What handles ask of the warped motion, with the sites they read; nothing on the linear edit.
    pub fn grips(&self) -> Option<(Vec<(HandleId, Grip)>, &WarpReadout)> {
        let Self::Exact { drag, readout } = self else { return None };
        Some((drag.handles().map(|(id, grip)| (id, *grip)).collect(), readout))
    }

    /// Goes on from the edit of another solver, whose contacts are other ones.
    pub fn go_on_from(&mut self, before: &Self) {
        if let Self::Exact { drag: before, .. } = before {
            self.begin_with(&before.known());
        }
    }

    /// Begins with an edit of the same handles.
    pub fn begin_with(&mut self, known: &KnownEdit) {
        if let Self::Exact { drag, .. } = self {
            drag.go_on_from(known);
        }
    }

    /// Begins with nothing again.
    pub fn begin_anew(&mut self) {
        if let Self::Exact { drag, .. } = self {
            drag.begin_anew();
        }
    }

    /// Whether some wishes could be met if there were no others. Rows on the linear edit are not tried.
    pub fn is_met_alone(&self, wishes: &[HandleId], progress: &Progress) -> Result<bool, EditError> {
        let Self::Exact { drag, readout } = self else { return Ok(true) };
        let mut alone = drag.clone();
        let others: Vec<HandleId> =
            drag.handles().map(|(id, _)| id).filter(|id| !wishes.contains(id)).collect();
        others.iter().try_for_each(|id| alone.remove(*id))?;
        alone.begin_anew();
        Ok(alone.release(readout, progress)?.unmet.is_empty())
    }

    /// The edit as it is, to go back to.
    pub fn kept(&self) -> Kept {
        match self {
            Self::Linear { constraints, edit } => Kept::Linear(constraints.clone(), edit.clone()),
            Self::Exact { drag, readout } => Kept::Exact(drag.clone(), readout.clone()),
        }
    }

    /// Goes back to an edit that was kept; handles are those it was kept with.
    pub fn restore(&mut self, kept: Kept) {
        *self = match kept {
            Kept::Linear(constraints, edit) => Self::Linear { constraints, edit },
            Kept::Exact(drag, readout) => Self::Exact { drag, readout },
        };
    }

    /// What each contact row pulls with to be met, in the order they were given.
    pub fn contact_multipliers(&self) -> Vec<f64> {
        match self {
            Self::Linear { edit, .. } => edit.contact_multipliers.clone(),
            Self::Exact { drag, .. } => drag.contact_multipliers(),
        }
    }

    /// Frames of hard handles as the edit as it is shows them on the warped motion, displacements of all vertices; none
    /// of what is not held there.
    pub fn shown(&self, frames: &[usize]) -> Vec<(usize, Arc<Vec<f64>>)> {
        let Self::Exact { drag, readout } = self else { return Vec::new() };
        let edits: Vec<(usize, Vec<f64>)> =
            frames.iter().filter_map(|frame| Some((*frame, drag.edit_at(*frame)?))).collect();
        let asked: Vec<(usize, &[f64])> = edits.iter().map(|(frame, z)| (*frame, z.as_slice())).collect();
        asked.iter().map(|(frame, _)| *frame).zip(readout.shown(&asked)).collect()
    }

    /// The edit as it is.
    pub fn path(&self) -> Path {
        match self {
            Self::Linear { edit, .. } => edit.path.clone(),
            Self::Exact { drag, .. } => drag.path(),
        }
    }
}

/// The wishes of rows that are not met, each once.
fn unmet(rows: &[Unmet]) -> Vec<HandleId> {
    let mut ids: Vec<HandleId> = Vec::new();
    for unmet in rows {
        if let RowName::Handle(id, _) = unmet.row
            && ids.last() != Some(&id)
        {
            ids.push(id);
        }
    }
    ids
}

/// Where the input has points, and how fast they move there.
pub(super) struct Input<'a> {
    pub positions: &'a [Vec3],
    pub motion: &'a WarpedMotion,
    /// Seconds of a frame.
    pub dt: f64,
}

impl Input<'_> {
    /// What the input makes of a wish: its position, or its velocity by differences of neighbouring frames.
    pub fn of(&self, wish: &Wish) -> Vec3 {
        let at = |frame: usize| place(&wish.point, self.positions, self.motion.frame(frame).displacement());
        match wish.order {
            Order::Position => at(wish.frame),
            Order::Velocity => {
                let (before, after) = around(wish.frame, self.motion.frames());
                (at(after) - at(before)) / self.seconds_around(wish.frame)
            }
        }
    }

    /// Seconds of the body's own time between the frames around one.
    pub fn seconds_around(&self, frame: usize) -> f64 {
        seconds(around(frame, self.motion.frames()), self.dt)
    }
}

/// The frames before and after one, as far as there are any.
pub(super) fn around(frame: usize, frames: usize) -> (usize, usize) {
    (frame.saturating_sub(1), (frame + 1).min(frames.saturating_sub(1)))
}

/// Seconds of the body's own time on the way from one frame to another, `dt` between neighbours.
pub(super) fn seconds((before, after): (usize, usize), dt: f64) -> f64 {
    (after - before).max(1) as f64 * dt
}

/// The sites of a wish with their frames and signs: its point, or the ends of its way around the frame.
fn add_sites(readout: &mut WarpReadout, wish: &Wish) -> Result<Vec<(usize, usize, f64)>, EditError> {
    let (before, after) = around(wish.frame, readout.motion().frames());
    let ends = match wish.order {
        Order::Position => vec![(wish.frame, 1.0)],
        Order::Velocity => vec![(after, 1.0), (before, -1.0)],
    };
    let mut sites: Vec<(usize, usize, f64)> = Vec::new();
    for (frame, sign) in ends {
        match readout.add(WarpSite { vertices: wish.point.clone(), at: frame.into(), axes: wish.axes }) {
            Ok(site) => sites.push((site, frame, sign)),
            Err(error) => {
                sites.iter().for_each(|(site, ..)| readout.remove(*site));
                return Err(error.into());
            }
        }
    }
    Ok(sites)
}

fn linear_rows(wish: &Wish, input: &Input<'_>) -> Vec<Row> {
    let targets = linear_targets(wish, input);
    let asked = (0..3).filter(|axis| wish.target[*axis].is_some());
    let row = |(axis, target): (usize, f64)| Row {
        at: wish.frame.into(),
        order: wish.order,
        weights: input.motion.edit_row(wish.frame, &wish.point, wish.axes.row(axis).transpose()),
        target,
        hold: wish.strictly(),
    };
    asked.zip(targets).map(row).collect()
}

/// What the edit has to add to the input.
fn linear_targets(wish: &Wish, input: &Input<'_>) -> Vec<f64> {
    let (target, there) = (wish.target_on_body(), wish.axes * input.of(wish));
    (0..3).filter_map(|axis| Some(target[axis]? - there[axis])).collect()
}

/// What a grip should read: a place, or the way around a frame.
fn grip_target(wish: &Wish, input: &Input<'_>) -> [Option<f64>; 3] {
    match wish.order {
        Order::Position => wish.target_on_body(),
        Order::Velocity => {
            let seconds = input.seconds_around(wish.frame);
            wish.target_on_body().map(|target| Some(target? * seconds))
        }
    }
}
