//! The arcs between poses: their tangents, how fast the body vibrates along these, and static poses inside them.

use super::problem::Problem;
use super::tangents::{self, Pose};
use super::{ArcReport, KeyBasisError};
use crate::reduction::rigid::RigidMotion;
use crate::{Poser, StaticsError};
use rayon::prelude::*;
use supple_model::Progress;

/// What is found of all arcs.
#[derive(Debug, Default)]
pub(super) struct Arcs {
    /// Of every pose.
    pub poses: Vec<Pose>,
    pub arcs: Vec<ArcReport>,
    /// T⁰ and T¹ of every arc, over free coordinates.
    pub tangents: Vec<Vec<f64>>,
    /// Static poses inside, from q₀.
    pub samples: Vec<Vec<f64>>,
}

impl Arcs {
    pub fn find(problem: &Problem<'_>, samples: usize, progress: &Progress) -> Result<Self, KeyBasisError> {
        progress.report("tangents of the poses", 0.0)?;
        let last = problem.poses.len() - 1;
        let changes: Vec<Vec<f64>> = (0..last).map(|arc| problem.change_of_load(arc)).collect();
        let pose = |i: usize| {
            // The arc that ends here, then the one that begins.
            let around = &changes[i.saturating_sub(1)..(i + 1).min(last)];
            tangents::at(problem, problem.poses[i], around, progress)
        };
        let poses = (0..=last).into_par_iter().map(pose).collect::<Result<Vec<_>, _>>()?;
        let mut found = Self { poses, ..Self::default() };
        for (i, change) in changes.iter().enumerate() {
            let begin = found.poses[i].tangents.as_ref().and_then(|own| own.last());
            let end = found.poses[i + 1].tangents.as_ref().and_then(|own| own.first());
            let both = [begin, end];
            let frequencies = both.map(|tangent| frequency(tangent?, change, &problem.masses));
            found.tangents.extend(both.into_iter().flatten().cloned());
            found.arcs.push(ArcReport { frequencies, missing_samples: 0 });
        }
        if samples > 0 {
            progress.report("poses between keys", 0.5)?;
            let inside = |arc: usize| inside(problem, arc, samples, progress);
            let all = (0..last).into_par_iter().map(inside).collect::<Result<Vec<_>, _>>()?;
            for (arc, own) in found.arcs.iter_mut().zip(all) {
                arc.missing_samples = samples - own.len();
                found.samples.extend(own);
            }
        }
        Ok(found)
    }
}

/// ω² = TᵀK T / TᵀM T, K T = f_{i+1} − f_i (Eq. 10).
fn frequency(tangent: &[f64], change: &[f64], masses: &[f64]) -> Option<f64> {
    let energy: f64 = tangent.iter().zip(change).map(|(t, f)| t * f).sum();
    let inertia: f64 = tangent.iter().zip(masses).map(|(t, m)| m * t * t).sum();
    let squared = energy / inertia;
    (squared > 0.0 && squared.is_finite()).then(|| squared.sqrt())
}

/// Static poses inside an arc, under loads at equal steps; those that bear theirs.
fn inside(
    problem: &Problem<'_>,
    arc: usize,
    samples: usize,
    progress: &Progress,
) -> Result<Vec<Vec<f64>>, KeyBasisError> {
    let mut poser = Poser::new(problem.body.clone(), problem.free.clone())?;
    poser.set_pose(problem.poses[arc])?;
    let [from, to] = [&problem.loads[arc], &problem.loads[arc + 1]];
    let silent = progress.part(0.5, 0.5);
    let mut found = Vec::new();
    for sample in 1..=samples {
        progress.check()?;
        let alpha = sample as f64 / (samples + 1) as f64;
        let load: Vec<f64> = from.iter().zip(to).map(|(a, b)| a * (1.0 - alpha) + b * alpha).collect();
        poser.set_load(&load)?;
        let report = match poser.solve(&silent) {
            Err(StaticsError::Cancelled(cancelled)) => return Err(cancelled.into()),
            report => report?,
        };
        if !report.status.is_solved() || report.fraction < 1.0 {
            break;
        }
        let mut pose = poser.pose().to_vec();
        if problem.floats {
            pose = RigidMotion::nearest(problem.body, &pose).apart(problem.body, &pose);
        }
        found.push(problem.offset(&pose));
    }
    Ok(found)
}
