//! Holding what nothing holds: rigid motions taken out of a Newton step.
//!
//! A body that floats, or hangs on too few anchors, can move without deforming. With N the rigid motions
//! left to it, mass-orthonormal (NᵀMN = I), the step d solves
//!
//! ```text
//! [ H  Cᵀ ] [ d ]   [ −g ]
//! [ C  0  ] [ λ ] = [  0 ],   C = NᵀM,
//! ```
//!
//! so it neither shifts nor turns the body. H may be singular, and indefinite along N where forces press
//! (turning round would relieve them), although the whole matrix is regular. So H is *grounded*: as many
//! single coordinates E as there are motions are tied to springs s, A = H + s E Eᵀ, whose pattern is that
//! of H and which is as good to factor as if the body stood on these coordinates. With μ = Eᵀd,
//!
//! ```text
//! d = A⁻¹(−g + s E μ − Cᵀλ),   Eᵀd = μ,   C d = 0:
//! ```
//!
//! two small unknowns per motion, exact whatever s is.
//!
//! Parts of a body that do not touch have motions of their own, up to six. H does not couple them, so the
//! k-th motions of all parts share one vector, a *layer*: at most six solves for E and six for Cᵀ, and a
//! small system per part.

use super::factored::Solve;
use faer::Mat;
use nalgebra::{DMatrix, DVector, Dyn, LU};

/// The rigid motions left to a body, over its free vertices.
#[derive(Clone, Debug)]
pub(crate) struct Gauge {
    /// The part of every free vertex.
    part: Vec<usize>,
    /// How many motions each part has.
    counts: Vec<usize>,
    /// N: layer k holds the k-th motion of every part.
    motions: Vec<Vec<f64>>,
    /// M N, the rows of C, in the same layers.
    weighted: Vec<Vec<f64>>,
    /// `grounds[part][k]`: the coordinate that grounds its k-th motion.
    grounds: Vec<Vec<usize>>,
}

impl Gauge {
    /// The gauge of motions given per part: `motions[p][k]` is the k-th of part p, over all free vertices,
    /// zero off the part, mass-orthonormal. `part` and `masses` are per free vertex. `None` when there is
    /// no motion at all.
    pub fn new(part: Vec<usize>, masses: &[f64], motions: &[Vec<Vec<f64>>]) -> Option<Self> {
        let counts: Vec<usize> = motions.iter().map(Vec::len).collect();
        let layers = counts.iter().copied().max().filter(|&k| k > 0)?;
        let mut sums = vec![vec![0.0; 3 * part.len()]; layers];
        for motion in motions.iter().flat_map(|own| own.iter().enumerate()) {
            for (sum, value) in sums[motion.0].iter_mut().zip(motion.1) {
                *sum += value;
            }
        }
        let weighted =
            sums.iter().map(|layer| layer.iter().enumerate().map(|(i, n)| n * masses[i / 3]).collect());
        let grounds = motions.iter().map(|own| ground(own)).collect();
        Some(Self { weighted: weighted.collect(), part, counts, motions: sums, grounds })
    }

    /// How many motions there are.
    pub fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Takes out of `gradient` what only pushes or turns: g ← g − M N Nᵀ g.
    pub fn project(&self, gradient: &mut [f64]) {
        let pushes = self.dots(&self.motions, gradient);
        for (layer, pushes) in self.weighted.iter().zip(&pushes) {
            for (i, g) in gradient.iter_mut().enumerate() {
                *g -= layer[i] * pushes[self.part[i / 3]];
            }
        }
    }

    /// Takes the rigid motion out of a step: d ← d − N C d.
    pub fn steady(&self, step: &mut [f64]) {
        let amounts = self.dots(&self.weighted, step);
        for (layer, amounts) in self.motions.iter().zip(&amounts) {
            for (i, d) in step.iter_mut().enumerate() {
                *d -= layer[i] * amounts[self.part[i / 3]];
            }
        }
    }

    /// Adds s E Eᵀ, as a diagonal.
    pub fn ground(&self, stiffness: f64, diagonal: &mut [f64]) {
        for &coordinate in self.grounds.iter().flatten() {
            diagonal[coordinate] += stiffness;
        }
    }

    /// The products of `x` with every layer, part by part: `[layer][part]`.
    fn dots(&self, layers: &[Vec<f64>], x: &[f64]) -> Vec<Vec<f64>> {
        let dot = |layer: &Vec<f64>| {
            let mut sums = vec![0.0; self.counts.len()];
            for (i, (a, b)) in layer.iter().zip(x).enumerate() {
                sums[self.part[i / 3]] += a * b;
            }
            sums
        };
        layers.iter().map(dot).collect()
    }

    /// Eᵀx and C x of every part, in this order.
    fn rows(&self, x: &[f64]) -> Vec<DVector<f64>> {
        let weighted = self.dots(&self.weighted, x);
        let of_part = |(p, &count): (usize, &usize)| {
            let grounds = self.grounds[p].iter().map(|&i| x[i]);
            DVector::from_iterator(2 * count, grounds.chain((0..count).map(|k| weighted[k][p])))
        };
        self.counts.iter().enumerate().map(of_part).collect()
    }
}

/// The coordinates that tell these motions apart best: those with the largest entry of what the ones
/// before leave, one after the other.
fn ground(motions: &[Vec<f64>]) -> Vec<usize> {
    let mut rest: Vec<Vec<f64>> = motions.to_vec();
    let mut chosen = Vec::with_capacity(motions.len());
    for _ in motions {
        let size = |i: usize| rest.iter().map(|motion| motion[i] * motion[i]).sum::<f64>();
        let best =
            (0..rest[0].len()).map(|i| (i, size(i))).fold((0, -1.0), |a, b| if b.1 > a.1 { b } else { a });
        let row: Vec<f64> = rest.iter().map(|motion| motion[best.0]).collect();
        for i in 0..rest[0].len() {
            let along = rest.iter().zip(&row).map(|(motion, r)| motion[i] * r).sum::<f64>() / best.1;
            for (motion, r) in rest.iter_mut().zip(&row) {
                motion[i] -= along * r;
            }
        }
        chosen.push(best.0);
    }
    chosen
}

/// What a factor of A needs beside itself to solve the whole system.
#[derive(Debug)]
pub(super) struct Border {
    /// s A⁻¹E and −A⁻¹Cᵀ, in layers.
    columns: Mat<f64>,
    /// Per part, the system for μ and λ.
    systems: Vec<LU<f64, Dyn, Dyn>>,
}

impl Border {
    /// The border of `factor`, which is grounded by springs of this stiffness.
    pub fn new(gauge: &Gauge, stiffness: f64, factor: &dyn Solve) -> Self {
        let (rows, layers) = (3 * gauge.part.len(), gauge.motions.len());
        let mut columns = Mat::zeros(rows, 2 * layers);
        for grounds in &gauge.grounds {
            for (k, &coordinate) in grounds.iter().enumerate() {
                columns[(coordinate, k)] = stiffness;
            }
        }
        for (k, layer) in gauge.weighted.iter().enumerate() {
            for (i, value) in layer.iter().enumerate() {
                columns[(i, layers + k)] = -value;
            }
        }
        factor.solve(columns.as_mut());
        let rows_of: Vec<Vec<DVector<f64>>> =
            (0..2 * layers).map(|column| gauge.rows(columns.col_as_slice(column))).collect();
        let system = |(p, &count): (usize, &usize)| {
            let column = |k: usize| if k < count { k } else { layers + k - count };
            let entry =
                |i: usize, k: usize| rows_of[column(k)][p][i] - f64::from(u8::from(i == k && k < count));
            DMatrix::from_fn(2 * count, 2 * count, entry).lu()
        };
        let systems = gauge.counts.iter().enumerate().map(system).collect();
        Self { columns, systems }
    }

    /// Turns x = A⁻¹ b into the d of the whole system with right-hand side b; `false` when a part's system
    /// is singular.
    pub fn complete(&self, gauge: &Gauge, x: &mut [f64]) -> bool {
        let layers = gauge.motions.len();
        let rows = gauge.rows(x);
        let mut factors = vec![vec![0.0; gauge.counts.len()]; 2 * layers];
        for (p, &count) in gauge.counts.iter().enumerate().filter(|part| *part.1 > 0) {
            let Some(solution) = self.systems[p].solve(&-&rows[p]) else {
                return false;
            };
            for k in 0..count {
                factors[k][p] = solution[k];
                factors[layers + k][p] = solution[count + k];
            }
        }
        for (column, factors) in factors.iter().enumerate() {
            let column = self.columns.col_as_slice(column);
            for (i, x) in x.iter_mut().enumerate() {
                *x += column[i] * factors[gauge.part[i / 3]];
            }
        }
        true
    }
}
