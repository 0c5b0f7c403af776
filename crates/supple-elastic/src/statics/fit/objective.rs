//! What a fit minimises, and the smooth start it is minimised from.

use super::skin::Skin;
use crate::newton::{Objective, Value};
use crate::{Evaluator, FreeVertices};
use supple_numerics::sparse::BlockMatrix;

/// Φ(u) = Σ w |A u − ū|² + β E(u).
#[derive(Debug)]
pub(super) struct FitObjective {
    pub evaluator: Evaluator,
    pub free: FreeVertices,
    pub skin: Skin,
    /// ū.
    pub target: Vec<f64>,
    pub beta: f64,
    residual: Vec<f64>,
    force: Vec<f64>,
}

impl FitObjective {
    pub fn new(evaluator: Evaluator, free: FreeVertices, skin: Skin) -> Self {
        let (skin_room, room) = (vec![0.0; 3 * skin.count()], vec![0.0; 3 * free.body_vertices()]);
        Self { evaluator, free, target: skin_room.clone(), skin, beta: 1.0, residual: skin_room, force: room }
    }

    /// A u − ū.
    pub fn residual(&mut self, u: &[f64]) -> &[f64] {
        self.skin.residual(u, &self.target, &mut self.residual);
        &self.residual
    }
}

impl Objective for FitObjective {
    fn value(&mut self, u: &[f64]) -> Value {
        let energy = self.evaluator.body().energy(u);
        self.skin.residual(u, &self.target, &mut self.residual);
        Value::of(&[self.skin.value(&self.residual), self.beta * energy])
    }

    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]) {
        self.evaluator.force(u, &mut self.force);
        for r in &mut self.force {
            *r *= self.beta;
        }
        self.skin.residual(u, &self.target, &mut self.residual);
        self.skin.add_gradient(&self.residual, &mut self.force);
        self.free.gather(&self.force, gradient);
    }

    fn hessian(&mut self, u: &[f64], hessian: &mut BlockMatrix) {
        self.evaluator.stiffness(u, hessian);
        hessian.multiply(self.beta);
        hessian.add_scaled(1.0, self.skin.hessian());
    }
}

/// Φ₀(u) = Σ w |A u − ū|² + ½ uᵀ L u, quadratic: the smoothest displacement near the skin's.
///
/// L = γ tr(K_ij)/3 I, block by block, with K the stiffness at rest: a Laplacian weighted by stiffness, see
/// [`laplacian`](crate::newton::laplacian). Its minima reproduce affine displacements, hence rotations by any angle, which those of E's own quadratic form
/// do not.
#[derive(Debug)]
pub(super) struct Start<'a> {
    pub fit: &'a mut FitObjective,
    pub laplacian: &'a BlockMatrix,
}

impl Start<'_> {
    /// L u over the free vertices, and u there.
    fn product(&self, u: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut x = vec![0.0; self.laplacian.dim()];
        self.fit.free.gather(u, &mut x);
        let mut y = vec![0.0; x.len()];
        self.laplacian.mul(&x, &mut y);
        (y, x)
    }
}

impl Objective for Start<'_> {
    fn value(&mut self, u: &[f64]) -> Value {
        let (Lu, x) = self.product(u);
        let smooth: f64 = Lu.iter().zip(&x).map(|(a, b)| a * b).sum();
        self.fit.residual(u);
        Value::of(&[self.fit.skin.value(&self.fit.residual), 0.5 * smooth])
    }

    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]) {
        self.fit.residual(u);
        let mut full = vec![0.0; u.len()];
        self.fit.skin.add_gradient(&self.fit.residual, &mut full);
        self.fit.free.gather(&full, gradient);
        for (g, l) in gradient.iter_mut().zip(self.product(u).0) {
            *g += l;
        }
    }

    fn hessian(&mut self, _: &[f64], hessian: &mut BlockMatrix) {
        hessian.copy_from(self.laplacian);
        hessian.add_scaled(1.0, self.fit.skin.hessian());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newton::laplacian;
    use crate::{Law, Material, Solid};
    use std::sync::Arc;
    use supple_mesh::{Embedding, Vec3, shapes::box_mesh};
    use supple_model::VertexId;

    fn objective() -> FitObjective {
        let mesh = box_mesh(Vec3::new(1.0, 0.5, 0.5), [2, 1, 1]).unwrap();
        let skin: Vec<Vec3> = (0..20).map(|k| Vec3::new(0.05, 0.024, 0.02) * f64::from(k)).collect();
        let embedding = Embedding::of(&mesh, &skin);
        let material = Material { law: Law::StVenantKirchhoff, young: 30.0, poisson: 0.3, density: 1.0 };
        let body = Arc::new(Solid::new(mesh, material, &[]).unwrap());
        let free = FreeVertices::except(12, &[VertexId(3)]).unwrap();
        let evaluator = Evaluator::new(body, &free);
        let skin = Skin::new(&embedding, &free, evaluator.zeros()).unwrap();
        let mut objective = FitObjective::new(evaluator, free, skin);
        objective.beta = 0.02;
        objective.target = (0..60).map(|k| 0.1 * f64::from(k).sin()).collect();
        objective
    }

    /// Gradient and Hessian against central differences.
    fn check(objective: &mut dyn Objective, free: &FreeVertices, mut hessian: BlockMatrix) {
        let mut u: Vec<f64> = (0..36).map(|k| 0.05 * (1.7 * f64::from(k)).cos()).collect();
        let n = hessian.dim();
        let (mut g, mut plus, mut minus) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        objective.gradient(&u, &mut g);
        objective.hessian(&u, &mut hessian);
        let H = hessian.to_dense();
        let size = g.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
        for i in 0..n {
            let place = 3 * free.vertices()[i / 3].index() + i % 3;
            let (at, h) = (u[place], 1e-5);
            u[place] = at + h;
            let high = objective.value(&u).sum;
            objective.gradient(&u, &mut plus);
            u[place] = at - h;
            let low = objective.value(&u).sum;
            objective.gradient(&u, &mut minus);
            u[place] = at;
            assert!(((high - low) / (2.0 * h) - g[i]).abs() < 1e-8 * size, "gradient {i}");
            for k in 0..n {
                let difference = (plus[k] - minus[k]) / (2.0 * h);
                assert!((difference - H[(k, i)]).abs() < 1e-7 * size.max(H[(i, i)]), "hessian {k} {i}");
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        let mut fit = objective();
        let (free, room) = (fit.free.clone(), fit.evaluator.zeros());
        check(&mut fit, &free, room.clone());
        let mut stiffness = room.clone();
        fit.evaluator.stiffness(&[0.0; 36], &mut stiffness);
        let mut laplacian = laplacian(&stiffness);
        laplacian.multiply(0.01);
        check(&mut Start { fit: &mut fit, laplacian: &laplacian }, &free, room);
    }

    #[test]
    fn the_laplacian_is_blind_to_affine_displacements_inside() {
        let mesh = box_mesh(Vec3::new(1.0, 0.8, 0.9), [3, 3, 3]).unwrap();
        let material = Material { law: Law::NeoHookean, young: 30.0, poisson: 0.4, density: 1.0 };
        let solid = Solid::new(mesh, material, &[]).unwrap();
        let free = FreeVertices::all(64);
        let L = laplacian(&solid.stiffness(&[0.0; 192], &free));
        let turn = nalgebra::Rotation3::from_euler_angles(1.0, 2.0, 3.0);
        let u: Vec<f64> = solid.positions().iter().flat_map(|x| (turn * x - x).data.0[0]).collect();
        let mut force = vec![0.0; 192];
        L.mul(&u, &mut force);
        let inside = 1 + 4 + 16; // vertex (1, 1, 1)
        assert!(force.iter().any(|f| f.abs() > 0.1));
        assert!(force[3 * inside..3 * inside + 3].iter().all(|f| f.abs() < 1e-12), "{force:?}");
    }
}
