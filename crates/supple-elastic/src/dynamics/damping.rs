//! Damping by stiffness, D = β K with K the tangent at the shape in which the step begins.
//!
//! The tangent of the moment, not that at rest, so that turning is not slowed: K(u) lets go of every rigid
//! motion of a body that is not strained. It meets the velocities at the end of the step, so the shape is
//! turned as the body will have turned by then: x ↦ c + exp(hω×)(x − c), with the mean rotation ω that
//! has the angular momentum of the body, I ω = Σ m (x − c) × v. (Without this, a spin would lose the part
//! (hω)² in every step.) Of a body that floats, only the velocity beside that rotation is damped: the spin
//! strains the body, and the tangent of a strained body resists turning.
//!
//! Anchored vertices that move take part: with the velocities w of the anchors, the free vertices feel
//! D_ff v + D_fa w, and a body that rides on its anchors feels nothing.
//!
//! K is indefinite where a body is about to buckle, and then D may drive what it should slow. Its power
//! vᵀ D v tells.

use crate::elements::displacement;
use crate::{ElasticBody, Evaluator, FreeVertices};
use nalgebra::{Matrix3, Rotation3};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::sparse::BlockMatrix;

/// The tangent at the start of the step.
#[derive(Debug)]
pub(super) struct StiffnessDamping {
    /// β, seconds.
    coefficient: f64,
    tangent: BlockMatrix,
    /// Velocities of the free vertices that are not damped.
    spin: Vec<f64>,
    /// The tangent over all vertices; made when an anchor first moves.
    whole: Option<Whole>,
}

#[derive(Debug)]
struct Whole {
    evaluator: Evaluator,
    tangent: BlockMatrix,
    /// The product of the tangent with [w on anchors, 0 elsewhere].
    product: Vec<f64>,
    moving: bool,
}

impl Whole {
    fn new(body: &Arc<ElasticBody>) -> Self {
        let evaluator = Evaluator::new(body.clone(), &FreeVertices::all(body.positions().len()));
        let tangent = evaluator.zeros();
        Self { product: vec![0.0; tangent.dim()], tangent, evaluator, moving: false }
    }
}

impl StiffnessDamping {
    pub fn new(coefficient: f64, evaluator: &Evaluator) -> Self {
        let tangent = evaluator.zeros();
        Self { coefficient, spin: vec![0.0; tangent.dim()], tangent, whole: None }
    }

    /// β.
    pub fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// K(u) over the free vertices.
    pub fn tangent(&self) -> &BlockMatrix {
        &self.tangent
    }

    /// Velocities of the free vertices that are not damped.
    pub fn spin(&self) -> &[f64] {
        &self.spin
    }

    /// Takes the tangent for a step of so many `seconds` from `u` with the velocities `v`.
    pub fn start(
        &mut self,
        evaluator: &mut Evaluator,
        free: &FreeVertices,
        [u, v, anchor_velocity]: [&[f64]; 3],
        seconds: f64,
    ) {
        let turned = Turned::new(evaluator.body(), u, v, seconds);
        self.take(evaluator, &turned.u, anchor_velocity);
        if free.vertices().len() == free.body_vertices() {
            self.spin.copy_from_slice(&turned.v);
        }
    }

    /// Takes the tangent at `u`; `anchor_velocity` is that of the anchored vertices, and zero elsewhere.
    fn take(&mut self, evaluator: &mut Evaluator, u: &[f64], anchor_velocity: &[f64]) {
        evaluator.stiffness(u, &mut self.tangent);
        let moving = anchor_velocity.iter().any(|w| *w != 0.0);
        if moving {
            let whole = self.whole.get_or_insert_with(|| Whole::new(evaluator.body()));
            whole.evaluator.stiffness(u, &mut whole.tangent);
            whole.tangent.mul(anchor_velocity, &mut whole.product);
        }
        if let Some(whole) = &mut self.whole {
            whole.moving = moving;
        }
    }

    /// Subtracts D_fa w, the pull of moving anchors, from the free vector `load`.
    pub fn subtract_pull(&self, free: &FreeVertices, load: &mut [f64]) {
        let Some(whole) = self.whole.as_ref().filter(|whole| whole.moving) else { return };
        for (v, load) in free.vertices().iter().zip(load.chunks_exact_mut(3)) {
            for c in 0..3 {
                load[c] -= self.coefficient * whole.product[3 * v.index() + c];
            }
        }
    }

    /// vᵀ D v, watts, of velocities v of all vertices less the spin; `room` has two free vectors.
    pub fn power(&self, free: &FreeVertices, velocity: &[f64], room: [&mut [f64]; 2]) -> f64 {
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let product = if let Some(whole) = self.whole.as_ref().filter(|whole| whole.moving) {
            let mut Kv = vec![0.0; velocity.len()];
            whole.tangent.mul(velocity, &mut Kv);
            dot(velocity, &Kv)
        } else {
            let [v, Kv] = room;
            free.gather(velocity, v);
            v.iter_mut().zip(&self.spin).for_each(|(v, spin)| *v -= spin);
            self.tangent.mul(v, Kv);
            dot(v, Kv)
        };
        self.coefficient * product
    }
}

/// A shape turned by the mean rotation of its motion, and the velocities of that rotation.
pub(super) struct Turned {
    pub u: Vec<f64>,
    pub v: Vec<f64>,
}

impl Turned {
    /// The displacements `u` as the mean rotation of the velocities `v` turns them within `seconds`.
    pub fn new(body: &ElasticBody, u: &[f64], v: &[f64], seconds: f64) -> Self {
        let place = |i: usize| body.positions()[i] + displacement(u, VertexId::new(i));
        let (mut mass, mut center, mut drift) = (0.0, Vec3::zeros(), Vec3::zeros());
        for (i, &m) in body.masses().iter().enumerate() {
            mass += m;
            center += place(i) * m;
            drift += displacement(v, VertexId::new(i)) * m;
        }
        center /= mass;
        drift /= mass;
        let (mut inertia, mut momentum) = (Matrix3::zeros(), Vec3::zeros());
        for (i, &m) in body.masses().iter().enumerate() {
            let arm = place(i) - center;
            inertia += (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * m;
            momentum += arm.cross(&(displacement(v, VertexId::new(i)) - drift)) * m;
        }
        // A body on a line has no rotation about it.
        let inverse = inertia.pseudo_inverse(1e-9 * inertia.trace()).unwrap_or_default();
        let spin = inverse * momentum;
        let turn = Rotation3::new(spin * seconds);
        let mut turned = Self { u: Vec::with_capacity(u.len()), v: Vec::with_capacity(u.len()) };
        for (i, x) in body.positions().iter().enumerate() {
            let arm = turn * (place(i) - center);
            turned.u.extend((center + arm - x).iter());
            turned.v.extend(spin.cross(&arm).iter());
        }
        turned
    }
}
