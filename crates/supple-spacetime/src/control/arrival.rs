//! What a free start costs: the forces that lead there from rest, long before the first frame.
//!
//! Stiff shapes that damping takes away before the first key would cost nothing at the start: a key that asks for a little of
//! them was met by a start that is exponentially larger. With K, R and f at z = 0, d = α + βλ and a white force in each mode of
//! K, the steady variances are 1/2dλ and 1/2d, so that those forces cost
//!
//! > Σ d (λ (x − x̄)² + v²),  x = ½(z₀ + z₋), v = (z₀ − z₋)/h,  K x̄ = f − R.
//!
//! Without damping every state is reached for nothing, nothing dies away, and nothing is added.

use super::targets::Target;
use super::task::ControlTask;
use faer::MatRef;
use supple_model::ReducedDynamics;
use supple_numerics::eigen::symmetric_eigen;

/// Shapes with eigenvalues below this part of the largest move freely: wherever they are, they rest.
const FREE: f64 = 1e-12;

/// The cost as soft targets of the first two frames.
pub(super) fn arrival(dynamics: &dyn ReducedDynamics, task: &ControlTask) -> Vec<Target> {
    let r = dynamics.coordinates();
    let (mut R, mut K) = (vec![0.0; r], vec![0.0; r * r]);
    dynamics.stiffness(&vec![0.0; r], &mut R, &mut K);
    let K = MatRef::from_column_major_slice(&K, r, r);
    let Some((values, modes)) = symmetric_eigen(K) else { return Vec::new() };
    let largest = values.iter().copied().fold(0.0, f64::max);
    let (mut place, mut speed) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for k in 0..r {
        let mode = || (0..r).map(|l| modes[(l, k)]);
        let lambda = if values[k] > FREE * largest { values[k] } else { 0.0 };
        let damped = 2.0 * (task.damping.mass + task.damping.stiffness * lambda);
        if damped * lambda > 0.0 {
            let load = |l: usize| task.load.get(l).copied().unwrap_or_default() - R[l];
            let rest = mode().enumerate().map(|(l, m)| m * load(l)).sum::<f64>() / lambda;
            let root = (damped * lambda).sqrt();
            place.0.extend(mode().map(|m| root * m));
            place.1.push(root * rest);
        }
        if damped > 0.0 {
            let root = damped.sqrt();
            speed.0.extend(mode().map(|m| root * m));
            speed.1.push(0.0);
        }
    }
    let rate = 1.0 / task.time.before;
    let of = |parts: [f64; 2], (rows, goal)| Target::of_forces(parts.to_vec(), rows, goal);
    [of([0.5, 0.5], place), of([-rate, rate], speed)].into_iter().filter(|t| !t.goal.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Oscillator;
    use crate::control::keys::ControlKey;
    use crate::control::task::{ControlDamping, ControlStart};
    use crate::control::time::ControlTime;

    /// Two springs.
    #[derive(Debug)]
    struct Springs;

    const STIFFNESS: [f64; 2] = [9.0, 30.0];

    impl ReducedDynamics for Springs {
        fn coordinates(&self) -> usize {
            2
        }
        fn force(&self, z: &[f64], force: &mut [f64]) {
            force.iter_mut().enumerate().for_each(|(k, force)| *force = STIFFNESS[k % 2] * z[k]);
        }
        fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
            self.force(z, force);
            stiffness.iter_mut().enumerate().for_each(|(k, s)| *s = [9.0, 0.0, 0.0, 30.0][k % 4]);
        }
        fn curvature(&self, _: &[f64], _: &[f64], curvature: &mut [f64]) {
            curvature.fill(0.0);
        }
    }

    /// It is what forces cost that lead an oscillator from rest to a state, in a long time: ½ sᵀ P⁻¹ s.
    #[test]
    fn it_is_what_leads_there_from_rest() {
        let damping = ControlDamping { mass: 0.3, stiffness: 0.04 };
        let (h, load) = (0.1, [1.5, -2.0]);
        let keys = vec![ControlKey::soft(4, vec![0.0; 2], 1.0), ControlKey::soft(8, vec![0.0; 2], 1.0)];
        let task = ControlTask {
            damping,
            start: ControlStart::Free,
            load: load.to_vec(),
            ..ControlTask::new(ControlTime::even(9, h), 2, keys)
        };
        let z = [0.2, -0.1, 0.5, 0.3];
        let cost: f64 = arrival(&Springs, &task).iter().map(|target| target.miss(&z, 2)).sum();
        let of = |k: usize| {
            let delta = 0.5 * (damping.mass + damping.stiffness * STIFFNESS[k]);
            let P = Oscillator { eigenvalue: STIFFNESS[k], delta }.noise(200.0);
            let x = 0.5 * (z[k] + z[k + 2]) - load[k] / STIFFNESS[k];
            let s = nalgebra::Vector2::new(x, (z[k + 2] - z[k]) / h);
            0.5 * s.dot(&(P.try_inverse().expect("it is reached") * s))
        };
        let exact = of(0) + of(1);
        assert!((cost - exact).abs() < 1e-6 * exact, "{cost} {exact}");
    }
}
