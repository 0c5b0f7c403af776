//! What one step minimises, over the displacements u of the free vertices at its end:
//!
//! > Φ(u) = 1/(2βh²) ‖u − ũ‖²_M + E(u) − fᵀ(u − ũ) + γ/(2βh) ‖u − û‖²_D + κ/β V(u).
//!
//! ∂Φ/∂u = 0 is the equation of motion at the end of the step, M a′ + D v′ + R(u′) = f + c with the forces of
//! contact c = −∂V/∂u, in the notation of `scheme.rs`. D = α M + β_K K is constant within the step, and its
//! second part leaves a floating body's spin alone (`damping.rs`).
//!
//! | symbol | name | numbers |
//! |---|---|---|
//! | M | `masses` | one per free vertex |
//! | ũ, û | `coasting`, `halting` | three per free vertex |
//! | f | `load` | three per free vertex |
//! | V | `touches` | |

use super::contact::{Point, Touch};
use super::damping::StiffnessDamping;
use super::scheme::Scheme;
use crate::newton::{Objective, Value};
use crate::{Evaluator, FreeVertices};
use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_numerics::sparse::BlockMatrix;

/// Vectors that last longer than a step, so that a step allocates nothing large. Free vectors unless it says
/// otherwise.
#[derive(Debug)]
pub(super) struct Vectors {
    pub masses: Vec<f64>,
    pub coasting: Vec<f64>,
    pub halting: Vec<f64>,
    pub load: Vec<f64>,
    /// u − û, and its product with the tangent.
    pub displaced: Vec<f64>,
    pub product: Vec<f64>,
    /// R of all vertices.
    pub force: Vec<f64>,
}

impl Vectors {
    pub fn new(free: &FreeVertices, masses: &[f64]) -> Self {
        let room = vec![0.0; 3 * free.vertices().len()];
        Self {
            masses: free.vertices().iter().map(|v| masses[v.index()]).collect(),
            coasting: room.clone(),
            halting: room.clone(),
            load: room.clone(),
            displaced: room.clone(),
            product: room,
            force: vec![0.0; 3 * masses.len()],
        }
    }
}

/// Φ of one step.
pub(super) struct StepEnergy<'a> {
    pub evaluator: &'a mut Evaluator,
    pub free: &'a FreeVertices,
    pub scheme: Scheme,
    /// α.
    pub mass_damping: f64,
    pub stiffness_damping: Option<&'a StiffnessDamping>,
    pub vectors: &'a mut Vectors,
    /// What may collide, and what does.
    pub points: &'a [Point],
    pub touches: &'a [Touch],
}

impl StepEnergy<'_> {
    /// Leaves u − û, less what the spin does to it, and its product with K in the room for them, if there is
    /// damping by stiffness; its factor.
    fn damp(&mut self, u: &[f64]) -> Option<f64> {
        let damping = self.stiffness_damping?;
        let Vectors { displaced, halting, product, .. } = &mut *self.vectors;
        self.free.gather(u, displaced);
        let rate = self.scheme.rate();
        for ((x, halting), spin) in displaced.iter_mut().zip(&*halting).zip(damping.spin()) {
            *x -= halting + spin / rate;
        }
        damping.tangent().mul(displaced, product);
        Some(rate * damping.coefficient())
    }

    fn position(&self, u: &[f64], touch: &Touch) -> Vec3 {
        self.points[touch.point].position(self.evaluator.body().positions(), u)
    }
}

impl Objective for StepEnergy<'_> {
    fn value(&mut self, u: &[f64]) -> Value {
        let damping = self.damp(u).map_or(0.0, |factor| {
            let pairs = self.vectors.displaced.iter().zip(&self.vectors.product);
            0.5 * factor * pairs.map(|(x, y)| x * y).sum::<f64>()
        });
        let (inertia, drag) = (self.scheme.inertia(), self.scheme.rate() * self.mass_damping);
        let (mut kinetic, mut work) = (0.0, 0.0);
        let Vectors { masses, coasting, halting, load, .. } = &*self.vectors;
        for (k, (v, m)) in self.free.vertices().iter().zip(masses).enumerate() {
            for c in 0..3 {
                let (at, u) = (3 * k + c, u[3 * v.index() + c]);
                let (x, y) = (u - coasting[at], u - halting[at]);
                kinetic += 0.5 * m * (inertia * x * x + drag * y * y);
                work -= load[at] * x;
            }
        }
        let contact: f64 = self.touches.iter().map(|t| t.energy(&self.position(u, t))).sum();
        let strain = self.evaluator.body().energy(u);
        Value::of(&[kinetic, work, damping, strain, self.scheme.contact() * contact])
    }

    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]) {
        let damping = self.damp(u);
        self.evaluator.force(u, &mut self.vectors.force);
        let (inertia, drag) = (self.scheme.inertia(), self.scheme.rate() * self.mass_damping);
        let Vectors { masses, coasting, halting, load, product, force, .. } = &*self.vectors;
        for (k, (v, m)) in self.free.vertices().iter().zip(masses).enumerate() {
            for c in 0..3 {
                let (at, full) = (3 * k + c, 3 * v.index() + c);
                let (x, y) = (u[full] - coasting[at], u[full] - halting[at]);
                gradient[at] = m * (inertia * x + drag * y) + force[full] - load[at];
            }
        }
        if let Some(factor) = damping {
            for (g, y) in gradient.iter_mut().zip(product) {
                *g += factor * y;
            }
        }
        let scale = self.scheme.contact();
        for touch in self.touches {
            let push = scale * touch.gradient(&self.position(u, touch));
            for corner in self.points[touch.point].free() {
                for c in 0..3 {
                    gradient[3 * corner.place + c] += corner.weight * push[c];
                }
            }
        }
    }

    fn hessian(&mut self, u: &[f64], hessian: &mut BlockMatrix) {
        self.evaluator.stiffness(u, hessian);
        if let Some(damping) = self.stiffness_damping {
            hessian.add_scaled(self.scheme.rate() * damping.coefficient(), damping.tangent());
        }
        let inertia = self.scheme.inertia() + self.scheme.rate() * self.mass_damping;
        let Vectors { masses, product, .. } = &mut *self.vectors;
        for (diagonal, m) in product.chunks_exact_mut(3).zip(masses) {
            diagonal.fill(inertia * *m);
        }
        hessian.add_diagonal(product);
        for touch in self.touches {
            let block: Matrix3<f64> = self.scheme.contact() * touch.hessian(&self.position(u, touch));
            let corners = self.points[touch.point].free();
            for (k, a) in corners.iter().enumerate() {
                for b in &corners[..=k] {
                    hessian.add_block(a.place, b.place, &(block * (a.weight * b.weight)).into());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Integrator;
    use crate::{Law, Material, Solid};
    use std::sync::Arc;
    use supple_mesh::{ContactPlane, shapes::box_mesh};
    use supple_model::VertexId;

    const STEP: f64 = 1e-6;

    fn numbers(count: usize, size: f64, seed: usize) -> Vec<f64> {
        (0..count).map(|i| size * (((i + seed) * 7919 % 1013) as f64 / 506.0 - 1.0)).collect()
    }

    /// Calls `check` with Φ of a step that has everything: anchors, damping, touches that stick and slide.
    fn with_energy(integrator: Integrator, check: impl Fn(&mut StepEnergy<'_>, &[f64])) {
        let material = Material { law: Law::NeoHookean, young: 3e3, poisson: 0.3, density: 700.0 };
        let mesh = box_mesh(Vec3::repeat(1.0), [2, 1, 1]).unwrap();
        let touched = |v: u32| *mesh.tets().iter().find(|tet| tet.contains(&VertexId(v))).unwrap();
        let (tet, anchored) = (touched(7), touched(5));
        let body = Arc::new(Solid::new(mesh, material, &[]).unwrap());
        let free = FreeVertices::except(12, &[VertexId(0), VertexId(5)]).unwrap();
        let mut evaluator = Evaluator::new(body.clone(), &free);
        let mut vectors = Vectors::new(&free, body.masses());
        for (seed, vector) in [&mut vectors.coasting, &mut vectors.halting].into_iter().enumerate() {
            *vector = numbers(30, 0.1, 100 * (seed + 1));
        }
        vectors.load = numbers(30, 50.0, 7);
        let u = numbers(36, 0.05, 3);
        let mut damping = StiffnessDamping::new(0.02, &evaluator);
        let motion = [&numbers(36, 0.05, 11)[..], &numbers(36, 0.3, 5)[..], &numbers(36, 0.0, 0)[..]];
        damping.start(&mut evaluator, &free, motion, 0.1);
        let pattern = evaluator.zeros();
        let point = |weights: &[(u32, f64)]| {
            let weights = weights.iter().map(|&(v, w)| (VertexId(v), w)).collect();
            Point::new(0, weights, &*body, &free, pattern.pattern()).unwrap()
        };
        // A vertex, a point inside a tet, and one outside that rides on an anchor too.
        let points = [
            point(&[(1, 1.0)]),
            point(&tet.map(|v| v.0).into_iter().zip([0.4, 0.3, 0.2, 0.1]).collect::<Vec<_>>()),
            point(&anchored.map(|v| v.0).into_iter().zip([0.5, 0.3, 0.4, -0.2]).collect::<Vec<_>>()),
        ];
        let touch = |point: usize, depth: f64, give: f64| {
            let normal = Vec3::new(0.48, 0.6, 0.64);
            let x = points[point].position(body.positions(), &u);
            let hold = x + Vec3::new(0.1, 0.02, 0.0);
            let plane = ContactPlane { point: x + normal * depth, normal, friction: 0.5, obstacle: 0 };
            Touch { point, plane, stiffness: 4e3, offset: 0.01, borne: 0.0, hold, give, cap: 30.0 }
        };
        let touches = [
            touch(0, 0.02, 0.5),
            touch(0, 0.01, 0.03),
            touch(1, 0.03, 0.03),
            touch(2, 0.02, 0.5),
            touch(2, 0.02, 0.03),
        ];
        let mut energy = StepEnergy {
            evaluator: &mut evaluator,
            free: &free,
            scheme: Scheme::new(integrator, 0.1),
            mass_damping: 0.7,
            stiffness_damping: Some(&damping),
            vectors: &mut vectors,
            points: &points,
            touches: &touches,
        };
        check(&mut energy, &u);
    }

    /// (f(u + s) − f(u − s)) / 2s for the `i`-th free number.
    fn difference(
        free: &FreeVertices,
        u: &[f64],
        i: usize,
        mut f: impl FnMut(&[f64]) -> Vec<f64>,
    ) -> Vec<f64> {
        let mut at = |step: f64| {
            let mut u = u.to_vec();
            u[3 * free.vertices()[i / 3].index() + i % 3] += step;
            f(&u)
        };
        at(STEP).iter().zip(&at(-STEP)).map(|(a, b)| (a - b) / (2.0 * STEP)).collect()
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for integrator in [Integrator::Newmark, Integrator::ImplicitEuler] {
            with_energy(integrator, |energy, u| {
                let mut gradient = vec![0.0; 30];
                energy.gradient(u, &mut gradient);
                let mut hessian = energy.evaluator.zeros();
                energy.hessian(u, &mut hessian);
                let hessian = hessian.to_dense();
                let free = energy.free;
                let size = gradient.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
                let stiffness = (0..30).fold(0.0_f64, |m, i| m.max(hessian[(i, i)]));
                for i in 0..30 {
                    let slope = difference(free, u, i, |u| vec![energy.value(u).sum])[0];
                    assert!(
                        (slope - gradient[i]).abs() < 1e-6 * size,
                        "gradient {i}: {slope} {}",
                        gradient[i]
                    );
                    let row = difference(free, u, i, |u| {
                        let mut gradient = vec![0.0; 30];
                        energy.gradient(u, &mut gradient);
                        gradient
                    });
                    for j in 0..30 {
                        assert!((row[j] - hessian[(i, j)]).abs() < 1e-6 * stiffness, "hessian {i} {j}");
                    }
                }
            });
        }
    }
}
