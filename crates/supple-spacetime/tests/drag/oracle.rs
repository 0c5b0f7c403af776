//! Conditions of optimality from the definitions alone: dense kernels, and finite differences of positions.

use super::Random;
use nalgebra::{DMatrix, DVector};
use supple_model::{Instant, Readout};
use supple_spacetime::{Grip, Kernel, MeanPath, Order, Path, Row};

/// All states that handles read, z after z and ż after ż, and what there is to know about them.
pub struct Oracle<'a> {
    body: &'a dyn Readout,
    grips: &'a [Grip],
    modes: usize,
    places: Vec<(Instant, Order)>,
    /// The kernel between all states, conditioned on contacts.
    pub P: DMatrix<f64>,
    /// Where the edit is.
    pub z: DVector<f64>,
    /// What is given of that, at no cost.
    given: DVector<f64>,
}

impl<'a> Oracle<'a> {
    pub fn new(
        kernel: &Kernel,
        body: &'a dyn Readout,
        grips: &'a [Grip],
        contacts: &[Row],
        path: &Path,
    ) -> Self {
        let modes = kernel.modes();
        let mut places: Vec<(Instant, Order)> = Vec::new();
        for grip in grips {
            places.push((grip.at, Order::Position));
            places.extend(grip.less.map(|(_, at)| (at, Order::Position)));
        }
        places.sort();
        places.dedup();
        let n = places.len() * modes;
        let mut covariance = vec![0.0; modes];
        let mut K = DMatrix::zeros(n, n);
        let mut cross = DMatrix::zeros(n, contacts.len());
        let mut own = DMatrix::zeros(contacts.len(), contacts.len());
        let mut z = DVector::zeros(n);
        for (i, &a) in places.iter().enumerate() {
            for (j, &b) in places.iter().enumerate() {
                kernel.covariance(a, b, &mut covariance);
                (0..modes).for_each(|k| K[(i * modes + k, j * modes + k)] = covariance[k]);
            }
            for (j, row) in contacts.iter().enumerate() {
                kernel.covariance(a, (row.at, row.order), &mut covariance);
                (0..modes).for_each(|k| cross[(i * modes + k, j)] = covariance[k] * row.weights[k]);
            }
            path.at(a.0, a.1, &mut z.as_mut_slice()[i * modes..(i + 1) * modes]);
        }
        for (i, a) in contacts.iter().enumerate() {
            for (j, b) in contacts.iter().enumerate() {
                kernel.covariance((a.at, a.order), (b.at, b.order), &mut covariance);
                own[(i, j)] = (0..modes).map(|k| a.weights[k] * b.weights[k] * covariance[k]).sum();
            }
        }
        let P = match own.try_inverse() {
            Some(inverse) if !contacts.is_empty() => K - &cross * inverse * cross.transpose(),
            _ => K,
        };
        Self { body, grips, modes, places, P, z, given: DVector::zeros(n) }
    }

    /// The same where a path is given.
    pub fn beside(mut self, mean: &MeanPath) -> Self {
        for (place, given) in self.places.iter().zip(self.given.as_mut_slice().chunks_exact_mut(self.modes)) {
            mean.at(place.0, place.1, given);
        }
        self
    }

    fn at<'z>(&self, z: &'z DVector<f64>, at: Instant, order: Order) -> &'z [f64] {
        let place = self.places.binary_search(&(at, order)).unwrap();
        &z.as_slice()[place * self.modes..(place + 1) * self.modes]
    }

    /// What all handles read at the states `z`.
    pub fn value(&self, z: &DVector<f64>) -> DVector<f64> {
        let mut rows = Vec::new();
        for grip in self.grips {
            let read_at = |site, at| self.body.value(site, at, self.at(z, at, Order::Position));
            let mut read = read_at(grip.site, grip.at);
            if let Some((site, at)) = grip.less {
                let less = read_at(site, at);
                read = std::array::from_fn(|axis| read[axis] - less[axis]);
            }
            rows.extend((0..3).filter(|&axis| grip.target[axis].is_some()).map(|axis| read[axis]));
        }
        DVector::from_vec(rows)
    }

    pub fn targets(&self) -> DVector<f64> {
        DVector::from_vec(self.grips.iter().flat_map(|grip| grip.target).flatten().collect())
    }

    /// ∂value/∂z by central differences.
    pub fn jacobian(&self, z: &DVector<f64>) -> DMatrix<f64> {
        let step = 1e-5;
        let columns: Vec<DVector<f64>> = (0..z.len())
            .map(|k| {
                let (mut after, mut before) = (z.clone(), z.clone());
                after[k] += step;
                before[k] -= step;
                (self.value(&after) - self.value(&before)) / (2.0 * step)
            })
            .collect();
        DMatrix::from_columns(&columns)
    }

    /// ½ uᵀ P⁻¹ u, u = z − z̄.
    pub fn energy(&self, z: &DVector<f64>) -> f64 {
        let u = z - &self.given;
        0.5 * u.dot(&self.P.clone().lu().solve(&u).unwrap())
    }

    /// The gradient of the Lagrangian over the size of the edit, in the metric of the energy if P has one.
    pub fn stationarity(&self) -> f64 {
        let J = self.jacobian(&self.z);
        let S = &J * &self.P * J.transpose();
        let u = &self.z - &self.given;
        let lambda = S.pseudo_inverse(1e-13).unwrap() * (&J * &u);
        let rest = &u - &self.P * J.transpose() * lambda;
        match self.P.clone().cholesky() {
            Some(P) => (rest.dot(&P.solve(&rest)) / u.dot(&P.solve(&u))).sqrt(),
            None => rest.norm() / u.norm(),
        }
    }

    /// The least energy of some edits beside this one that hold the handles as well, over its own.
    pub fn least_beside(&self, random: &mut Random, size: f64) -> f64 {
        let own = self.energy(&self.z);
        let factor = self.P.clone().cholesky().unwrap().l();
        let targets = self.value(&self.z);
        let mut least = f64::INFINITY;
        for _ in 0..20 {
            let v = &factor * DVector::from_vec(random.numbers(self.z.len()));
            let mut z =
                &self.z + &v * (size * (2.0 * own).sqrt() / (2.0 * self.energy(&(&v + &self.given))).sqrt());
            for _ in 0..20 {
                let J = self.jacobian(&z);
                let missing = &targets - self.value(&z);
                if missing.amax() < 1e-10 {
                    break;
                }
                let S = &J * &self.P * J.transpose();
                z += &self.P * J.transpose() * S.pseudo_inverse(1e-13).unwrap() * missing;
            }
            if (&targets - self.value(&z)).amax() < 1e-8 {
                least = least.min(self.energy(&z) / own);
            }
        }
        least
    }
}
