//! V as a function of the shapes where all rows are linear: what the step on the shapes lowers.
//!
//! Handles read J_a x (J at the motion as it is), contacts c_a x, poses z_k. With the rows b_a = SᵀJ_aᵀ over the shapes at
//! their times, K the kernel between these, and τ what each is to read,
//!
//! > A = B K Bᵀ (+ 1/w), μ = A⁻¹ τ, z = K Bᵀ μ, V(S) = ½ τᵀμ + what poses cost that S cannot hold,
//! > ∂V/∂S = −Σ_a J_aᵀ μ_a z(i_a)ᵀ + Σ_p x̂_p (μ_p − w_p Sᵀx̂_p)ᵀ.
//!
//! Hard handles are to read what they do now: what is out of their reach stays so. This is V's own derivative where the
//! motion is the least costly one: what z does to V is nothing there.

use super::asked::{Asked, Made, Seen};
use super::poses::Posed;
use crate::kernel::{Kernel, Order};
use nalgebra::{Cholesky, DMatrix, DVector};
use std::ops::Range;
use supple_model::Instant;

/// What rows may give by, as a part of their own A: near-repetitions must not make A singular.
const RIDGE: f64 = 1e-10;

/// What a row reads at one time: shapes' share of a covector over modes, or one shape as it is.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A covector over x̂, by its place among all of them.
    Modes(usize),
    /// z_k.
    Shape(usize),
}

/// A row of the linear problem.
#[derive(Clone, Debug)]
pub(super) struct LinearRow {
    /// By place.
    pub parts: Vec<(usize, Part)>,
    /// τ; poses have theirs from S.
    pub target: f64,
    /// 1/w.
    pub compliance: f64,
}

/// All rows, and the kernel between their times.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    shapes: usize,
    places: Vec<(Instant, Order)>,
    /// K, every pair of places, shapes innermost.
    covariance: Vec<f64>,
    rows: Vec<LinearRow>,
    /// All covectors over x̂, a column each.
    covectors: Vec<Vec<f64>>,
    /// Poses and their rows.
    poses: Vec<(Posed, Range<usize>)>,
}

/// V and what it is made of.
pub(super) struct Evaluated {
    pub value: f64,
    /// ∂V/∂S.
    pub slope: DMatrix<f64>,
}

impl Linear {
    pub fn new(shapes: usize) -> Self {
        let (places, covariance, rows) = (Vec::new(), Vec::new(), Vec::new());
        Self { shapes, places, covariance, rows, covectors: Vec::new(), poses: Vec::new() }
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    fn place(&mut self, place: (Instant, Order)) -> usize {
        let known = self.places.iter().position(|known| *known == place);
        known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        })
    }

    /// A row of covectors over x̂ at times.
    fn add(&mut self, parts: Vec<((Instant, Order), Vec<f64>)>, target: f64, compliance: f64) {
        let mut own = Vec::with_capacity(parts.len());
        for (place, covector) in parts {
            own.push((self.place(place), Part::Modes(self.covectors.len())));
            self.covectors.push(covector);
        }
        self.rows.push(LinearRow { parts: own, target, compliance });
    }

    /// A row for each shape.
    fn add_pose(&mut self, pose: &Posed) {
        let place = self.place((pose.at, Order::Position));
        let first = self.rows.len();
        for k in 0..self.shapes {
            let parts = vec![(place, Part::Shape(k))];
            self.rows.push(LinearRow { parts, target: 0.0, compliance: pose.hold.compliance() });
        }
        self.poses.push((pose.clone(), first..self.rows.len()));
    }

    /// The rows of everything that is asked, as they were seen at a motion.
    pub fn add_all(&mut self, asked: &Asked<'_>, made: &Made, seen: &Seen) {
        let layout = &made.layout;
        let held = layout.held.iter().flat_map(|held| held.rows.clone().map(|_| held.goal.hold.compliance()));
        for ((row, read), compliance) in seen.rows.iter().zip(seen.reads.iter()).zip(held) {
            let parts = row.parts.iter().map(|(place, covector)| (layout.when(*place), covector.clone()));
            self.add(parts.collect(), *read, compliance);
        }
        let scale = made.material.scale();
        for row in asked.contacts.iter().filter(|row| layout.kernel().movable(row.at).is_ok()) {
            let covector = row.weights.iter().zip(scale).map(|(x, c)| x * c).collect();
            self.add(vec![((row.at, row.order), covector)], row.target, row.hold.compliance());
        }
        asked.poses.iter().for_each(|pose| self.add_pose(pose));
    }

    /// Looks the kernel up; to be called when all rows are there.
    pub fn over(mut self, kernel: &Kernel) -> Self {
        let moments: Vec<_> = self.places.iter().map(|place| kernel.moment(place.0)).collect();
        let count = self.places.len();
        self.covariance = vec![0.0; count * count * self.shapes];
        for (pair, out) in self.covariance.chunks_exact_mut(self.shapes).enumerate() {
            let place = |place: usize| (&moments[place], self.places[place].1);
            kernel.between(place(pair / count), place(pair % count), out);
        }
        self
    }

    fn between(&self, one: usize, other: usize) -> &[f64] {
        &self.covariance[(one * self.places.len() + other) * self.shapes..][..self.shapes]
    }

    /// b K b' of two parts; `seen` are the covectors over the shapes.
    fn product(&self, seen: &DMatrix<f64>, one: &(usize, Part), other: &(usize, Part)) -> f64 {
        let K = self.between(one.0, other.0);
        let column = |part: usize| &seen.as_slice()[part * self.shapes..][..self.shapes];
        match (&one.1, &other.1) {
            (Part::Shape(k), Part::Shape(l)) => {
                if k == l {
                    K[*k]
                } else {
                    0.0
                }
            }
            (Part::Shape(k), Part::Modes(part)) | (Part::Modes(part), Part::Shape(k)) => {
                K[*k] * column(*part)[*k]
            }
            (Part::Modes(a), Part::Modes(b)) => {
                column(*a).iter().zip(column(*b)).zip(K).map(|((a, b), k)| a * b * k).sum()
            }
        }
    }

    /// V and ∂V/∂S; none where the rows contradict each other.
    pub fn at(&self, S: &DMatrix<f64>) -> Option<Evaluated> {
        let (q, shapes) = (self.rows.len(), self.shapes);
        let mut seen = DMatrix::zeros(shapes, self.covectors.len());
        for (covector, mut column) in self.covectors.iter().zip(seen.column_iter_mut()) {
            column.gemv_tr(1.0, S, &nalgebra::DVectorView::from_slice(covector, covector.len()), 0.0);
        }
        let mut A = DMatrix::zeros(q, q);
        for (a, row) in self.rows.iter().enumerate() {
            for (b, other) in self.rows[..=a].iter().enumerate() {
                let mut sum = 0.0;
                for one in &row.parts {
                    for two in &other.parts {
                        sum += self.product(&seen, one, two);
                    }
                }
                (A[(a, b)], A[(b, a)]) = (sum, sum);
            }
            A[(a, a)] = A[(a, a)] * (1.0 + RIDGE) + row.compliance;
        }
        // To unit diagonal, so that soft rows and hard ones do not differ by magnitudes.
        let scale: Vec<f64> =
            (0..q).map(|a| if A[(a, a)] > 0.0 { A[(a, a)].sqrt().recip() } else { 0.0 }).collect();
        for a in 0..q {
            for b in 0..q {
                A[(a, b)] *= scale[a] * scale[b];
            }
            if scale[a] == 0.0 {
                A[(a, a)] = 1.0;
            }
        }
        let mut tau = DVector::from_iterator(q, self.rows.iter().map(|row| row.target));
        let held: Vec<DVector<f64>> = self.poses.iter().map(|(pose, _)| S.tr_mul(&pose.target)).collect();
        for ((_, rows), held) in self.poses.iter().zip(&held) {
            tau.rows_mut(rows.start, rows.len()).copy_from(held);
        }
        let scaled = DVector::from_iterator(q, tau.iter().zip(&scale).map(|(t, s)| t * s));
        let mut mu = Cholesky::new(A)?.solve(&scaled);
        mu.iter_mut().zip(&scale).for_each(|(mu, s)| *mu *= s);
        let mut value = 0.5 * tau.dot(&mu);
        let z = self.states(&seen, &mu);
        // −Σ J_aᵀ μ_a z(i_a)ᵀ: one product, a column of each for every covector.
        let mut slope = DMatrix::zeros(S.nrows(), shapes);
        for (row, mu) in self.rows.iter().zip(mu.iter()) {
            for (place, part) in &row.parts {
                let Part::Modes(part) = part else { continue };
                let covector = nalgebra::DVectorView::from_slice(&self.covectors[*part], S.nrows());
                slope.ger(-mu, &covector, &z.column(*place), 1.0);
            }
        }
        for ((pose, rows), held) in self.poses.iter().zip(&held) {
            let pulls = mu.rows(rows.start, rows.len()) - held * pose.weight;
            slope.ger(1.0, &pose.target, &pulls, 1.0);
            value += 0.5 * pose.weight * (pose.target.norm_squared() - held.norm_squared());
        }
        (value.is_finite() && slope.iter().all(|x| x.is_finite())).then_some(Evaluated { value, slope })
    }

    /// z at every place, a column each.
    fn states(&self, seen: &DMatrix<f64>, mu: &DVector<f64>) -> DMatrix<f64> {
        let (count, shapes) = (self.places.len(), self.shapes);
        let mut loads = DMatrix::zeros(shapes, count);
        for (row, mu) in self.rows.iter().zip(mu.iter()) {
            for (place, part) in &row.parts {
                match part {
                    Part::Shape(k) => loads[(*k, *place)] += mu,
                    Part::Modes(part) => loads.column_mut(*place).axpy(*mu, &seen.column(*part), 1.0),
                }
            }
        }
        let mut z = DMatrix::zeros(shapes, count);
        for place in 0..count {
            for other in 0..count {
                for (k, covariance) in self.between(place, other).iter().enumerate() {
                    z[(k, place)] += covariance * loads[(k, other)];
                }
            }
        }
        z
    }
}
