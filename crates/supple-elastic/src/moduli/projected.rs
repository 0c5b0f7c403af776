//! What test modes see of every frame.

use super::ModuliProblem;
use crate::elements::Batch;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::{Cancelled, Progress, VertexId};

/// Frames of which the strain energy is taken, about so many.
const ENERGIES: usize = 40;

/// Every frame seen by the test modes v.
#[derive(Debug)]
pub(super) struct Projected {
    /// vᵀR_g, by frame, test mode and region.
    pub forces: Vec<Vec<Vec<f64>>>,
    /// vᵀM u, by frame and test mode.
    pub momenta: Vec<Vec<f64>>,
    /// vᵀM e of each axis e, by test mode.
    pub weights: Vec<[f64; 3]>,
    /// The mean strain energy of every region of modulus 1.
    pub energies: Vec<f64>,
}

impl Projected {
    pub fn new(
        problem: &ModuliProblem<'_>,
        batch: &dyn Batch,
        frames: &[Vec<f64>],
        tests: &[Vec<f64>],
        progress: &Progress,
    ) -> Result<Self, Cancelled> {
        let count = problem.regions.iter().map(|g| g + 1).max().unwrap_or(0);
        let corners = batch.corners();
        let per_element = batch.corners_per_element();
        let masses = problem.body.masses();
        let done = AtomicUsize::new(0);
        let step = (frames.len() / ENERGIES).max(1);
        let see = |(i, u): (usize, &Vec<f64>)| {
            progress.report(
                "measuring forces",
                done.fetch_add(1, Ordering::Relaxed) as f64 / frames.len() as f64,
            )?;
            let mut forces = vec![[0.0; 3]; corners.len()];
            batch.forces(u, &mut forces);
            let of_tests =
                tests.iter().map(|v| by_region(problem.regions, count, per_element, &corners, &forces, v));
            let momentum = |v: &Vec<f64>| -> f64 {
                v.iter().zip(u).enumerate().map(|(k, (v, u))| masses[k / 3] * v * u).sum()
            };
            let mut energies = vec![0.0; count];
            if i % step == 0 {
                let mut of_element = vec![0.0; batch.elements()];
                batch.energies(u, &mut of_element);
                problem.regions.iter().zip(&of_element).for_each(|(g, energy)| energies[*g] += energy);
            }
            Ok((of_tests.collect(), tests.iter().map(momentum).collect(), energies))
        };
        type Seen = (Vec<Vec<f64>>, Vec<f64>, Vec<f64>);
        let seen: Vec<Result<Seen, Cancelled>> = frames.par_iter().enumerate().map(see).collect();
        let mut found =
            Self { forces: Vec::new(), momenta: Vec::new(), weights: Vec::new(), energies: vec![0.0; count] };
        for seen in seen {
            let (forces, momenta, energies) = seen?;
            found.forces.push(forces);
            found.momenta.push(momenta);
            found.energies.iter_mut().zip(energies).for_each(|(sum, energy)| *sum += energy);
        }
        let weight = |v: &Vec<f64>| {
            std::array::from_fn(|c| v.iter().skip(c).step_by(3).zip(masses).map(|(v, m)| v * m).sum())
        };
        found.weights = tests.iter().map(weight).collect();
        Ok(found)
    }
}

/// vᵀR_g of every region.
fn by_region(
    regions: &[usize],
    count: usize,
    per_element: usize,
    corners: &[VertexId],
    forces: &[[f64; 3]],
    v: &[f64],
) -> Vec<f64> {
    let mut sums = vec![0.0; count];
    let elements = corners.chunks_exact(per_element).zip(forces.chunks_exact(per_element));
    for (g, (corners, forces)) in regions.iter().zip(elements) {
        for (vertex, force) in corners.iter().zip(forces) {
            let v = &v[3 * vertex.index()..][..3];
            sums[*g] += v[0] * force[0] + v[1] * force[1] + v[2] * force[2];
        }
    }
    sums
}
