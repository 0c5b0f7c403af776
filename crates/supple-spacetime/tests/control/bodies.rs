//! Bodies in few coordinates for tests, all derivatives by hand.

use crate::random::Random;
use supple_model::ReducedDynamics;

/// Independent springs: R = λ z.
#[derive(Debug)]
pub struct Springs(pub Vec<f64>);

/// ½ Σ s², s = a·z + ½ zᵀBz: strains that are quadratic in z, as those of a StVK body are.
#[derive(Debug)]
pub struct Strains {
    r: usize,
    /// a, then B by columns, of each strain.
    strains: Vec<(Vec<f64>, Vec<f64>)>,
}

/// Points in a plane, each joined to the one before it by a stiff spring and held in its place by a soft one; z are
/// displacements, in a basis.
#[derive(Debug)]
pub struct Chain {
    pub points: usize,
    pub stiff: f64,
    pub soft: f64,
    /// Columns of 2 × points numbers, orthonormal.
    pub basis: Vec<Vec<f64>>,
}

fn states<'a>(
    z: &'a [f64],
    force: &'a mut [f64],
    r: usize,
) -> impl Iterator<Item = (&'a [f64], &'a mut [f64])> {
    z.chunks_exact(r).zip(force.chunks_exact_mut(r))
}

impl ReducedDynamics for Springs {
    fn coordinates(&self) -> usize {
        self.0.len()
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        for (k, force) in force.iter_mut().enumerate() {
            *force = self.0[k % self.0.len()] * z[k];
        }
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        self.force(z, force);
        let r = self.0.len();
        for (k, entry) in stiffness.iter_mut().enumerate() {
            let (i, j) = (k % r, k / r % r);
            *entry = if i == j { self.0[i] } else { 0.0 };
        }
    }

    fn curvature(&self, _: &[f64], _: &[f64], curvature: &mut [f64]) {
        curvature.fill(0.0);
    }
}

impl Strains {
    /// Random strains of a body of size 1 that is `bent` nonlinear, softest first.
    pub fn random(r: usize, bent: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let strain = |k: usize| {
            let mut a: Vec<f64> = random.numbers(r).iter().map(|a| 0.6 * a).collect();
            a[k % r] += 3.0 + 2.0 * (k % r) as f64;
            let mut B = vec![0.0; r * r];
            for i in 0..r {
                for j in 0..=i {
                    let b = bent * random.number();
                    B[i * r + j] = b;
                    B[j * r + i] = b;
                }
            }
            (a, B)
        };
        Self { r, strains: (0..2 * r).map(strain).collect() }
    }

    fn at<'a>(&'a self, z: &'a [f64]) -> impl Iterator<Item = (f64, Vec<f64>, &'a [f64])> {
        self.strains.iter().map(move |(a, B)| {
            let mut g = a.clone();
            for (column, z) in B.chunks_exact(self.r).zip(z) {
                g.iter_mut().zip(column).for_each(|(g, b)| *g += b * z);
            }
            let s = 0.5 * z.iter().zip(a.iter().zip(&g)).map(|(z, (a, g))| z * (a + g)).sum::<f64>();
            (s, g, B.as_slice())
        })
    }
}

impl ReducedDynamics for Strains {
    fn coordinates(&self) -> usize {
        self.r
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        force.fill(0.0);
        for (z, force) in states(z, force, self.r) {
            for (s, g, _) in self.at(z) {
                force.iter_mut().zip(&g).for_each(|(force, g)| *force += s * g);
            }
        }
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        self.force(z, force);
        stiffness.fill(0.0);
        let r = self.r;
        for (z, K) in z.chunks_exact(r).zip(stiffness.chunks_exact_mut(r * r)) {
            for (s, g, B) in self.at(z) {
                (0..r * r).for_each(|k| K[k] += g[k % r] * g[k / r] + s * B[k]);
            }
        }
    }

    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        curvature.fill(0.0);
        let r = self.r;
        let of = z.chunks_exact(r).zip(lambda.chunks_exact(r));
        for ((z, lambda), C) in of.zip(curvature.chunks_exact_mut(r * r)) {
            for (_, g, B) in self.at(z) {
                let along: f64 = g.iter().zip(lambda).map(|(g, l)| g * l).sum();
                let bent: Vec<f64> = (0..r).map(|i| (0..r).map(|j| B[j * r + i] * lambda[j]).sum()).collect();
                (0..r * r).for_each(|k| {
                    let (i, j) = (k % r, k / r);
                    C[k] += along * B[k] + g[i] * bent[j] + bent[i] * g[j];
                });
            }
        }
    }
}

impl Chain {
    /// A basis of all coordinates, turned at random (or as they are if the seed is 0).
    pub fn complete(points: usize, stiff: f64, soft: f64, seed: u64) -> Self {
        let n = 2 * points;
        let mut random = Random::new(seed);
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for k in 0..n {
            let mut column = if seed == 0 { vec![0.0; n] } else { random.numbers(n) };
            column[k] += 1.0;
            for _ in 0..2 {
                for other in &basis {
                    let along: f64 = column.iter().zip(other).map(|(a, b)| a * b).sum();
                    column.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
                }
            }
            let length = column.iter().map(|a| a * a).sum::<f64>().sqrt();
            basis.push(column.iter().map(|a| a / length).collect());
        }
        Self { points, stiff, soft, basis }
    }

    /// The same in the first r of its coordinates.
    pub fn few(mut self, r: usize) -> Self {
        self.basis.truncate(r);
        self
    }

    pub fn expanded(&self, z: &[f64]) -> Vec<f64> {
        let mut q = vec![0.0; 2 * self.points];
        for (column, z) in self.basis.iter().zip(z) {
            q.iter_mut().zip(column).for_each(|(q, u)| *q += u * z);
        }
        q
    }

    pub fn projected(&self, q: &[f64]) -> Vec<f64> {
        self.basis.iter().map(|column| column.iter().zip(q).map(|(u, q)| u * q).sum()).collect()
    }

    /// Force, stiffness and, under λ, its derivative of all points, in their own coordinates.
    pub fn whole(&self, q: &[f64], lambda: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let n = q.len();
        let (mut R, mut K, mut C) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n * n]);
        for k in 0..n {
            R[k] += self.soft * q[k];
            K[k * (n + 1)] += self.soft;
        }
        for point in 0..self.points {
            let place = |of: &[f64], k: usize, x: usize| if k == 0 { 0.0 } else { of[2 * (k - 1) + x] };
            // The first is joined to a fixed one; all are 1 apart at rest, along x.
            let p =
                [0, 1].map(|x| place(q, point + 1, x) - place(q, point, x) + if x == 0 { 1.0 } else { 0.0 });
            let l = [0, 1].map(|x| place(lambda, point + 1, x) - place(lambda, point, x));
            let length = p[0].hypot(p[1]);
            let along = p[0] * l[0] + p[1] * l[1];
            let (k, third) = (self.stiff, 1.0 / length.powi(3));
            let entry = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
            for i in 0..2 {
                let force = k * (1.0 - 1.0 / length) * p[i];
                for (end, sign) in [(point + 1, 1.0), (point, -1.0)] {
                    if end > 0 {
                        R[2 * (end - 1) + i] += sign * force;
                    }
                }
                for j in 0..2 {
                    let stiffness = k * ((1.0 - 1.0 / length) * entry(i, j) + third * p[i] * p[j]);
                    let bend = k
                        * third
                        * (l[i] * p[j] + along * entry(i, j) + p[i] * l[j]
                            - 3.0 * along * p[i] * p[j] / (length * length));
                    for (a, s) in [(point + 1, 1.0), (point, -1.0)] {
                        for (b, t) in [(point + 1, 1.0), (point, -1.0)] {
                            if a > 0 && b > 0 {
                                let at = (2 * (b - 1) + j) * n + 2 * (a - 1) + i;
                                K[at] += s * t * stiffness;
                                C[at] += s * t * bend;
                            }
                        }
                    }
                }
            }
        }
        (R, K, C)
    }

    fn square(&self, whole: &[f64]) -> Vec<f64> {
        let n = 2 * self.points;
        let mut out = Vec::new();
        for right in &self.basis {
            let product: Vec<f64> =
                (0..n).map(|i| (0..n).map(|j| whole[j * n + i] * right[j]).sum()).collect();
            out.extend(self.projected(&product));
        }
        out
    }
}

impl ReducedDynamics for Chain {
    fn coordinates(&self) -> usize {
        self.basis.len()
    }

    fn force(&self, z: &[f64], force: &mut [f64]) {
        for (z, force) in states(z, force, self.basis.len()) {
            let q = self.expanded(z);
            force.copy_from_slice(&self.projected(&self.whole(&q, &vec![0.0; q.len()]).0));
        }
    }

    fn stiffness(&self, z: &[f64], force: &mut [f64], stiffness: &mut [f64]) {
        self.force(z, force);
        let r = self.basis.len();
        for (z, K) in z.chunks_exact(r).zip(stiffness.chunks_exact_mut(r * r)) {
            let q = self.expanded(z);
            K.copy_from_slice(&self.square(&self.whole(&q, &vec![0.0; q.len()]).1));
        }
    }

    fn curvature(&self, z: &[f64], lambda: &[f64], curvature: &mut [f64]) {
        let r = self.basis.len();
        let of = z.chunks_exact(r).zip(lambda.chunks_exact(r));
        for ((z, lambda), C) in of.zip(curvature.chunks_exact_mut(r * r)) {
            C.copy_from_slice(&self.square(&self.whole(&self.expanded(z), &self.expanded(lambda)).2));
        }
    }
}
