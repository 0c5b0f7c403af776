//! Where a body is and how it moves.

use super::{Energies, Momentum, SimulationError};
use crate::ElasticBody;
use crate::elements::displacement;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// Displacement, velocity and acceleration of all vertices.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub time: f64,
    pub u: Vec<f64>,
    pub v: Vec<f64>,
    /// That of all forces but contacts; `None` before the first step, which knows the first loads.
    pub a: Option<Vec<f64>>,
    /// The loads on all vertices at the end of the last step.
    pub load: Option<Vec<f64>>,
    /// The energy that came from nowhere, or went there, joules.
    pub drift: f64,
    /// How often the next step is cut in halves before it is tried.
    pub cuts: usize,
}

impl State {
    /// The state in which a simulation starts.
    pub fn new(u: Vec<f64>, v: Vec<f64>) -> Self {
        Self { time: 0.0, u, v, a: None, load: None, drift: 0.0, cuts: 0 }
    }

    pub fn energies(&self, body: &ElasticBody, gravity: [f64; 3]) -> Energies {
        let g = Vec3::from(gravity);
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (i, m) in body.masses().iter().enumerate() {
            let vertex = VertexId::new(i);
            kinetic += 0.5 * m * displacement(&self.v, vertex).norm_squared();
            potential -= m * g.dot(&displacement(&self.u, vertex));
        }
        Energies { kinetic, strain: body.energy(&self.u), gravity: potential }
    }

    pub fn momentum(&self, body: &ElasticBody) -> Momentum {
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (i, (x, m)) in body.positions().iter().zip(body.masses()).enumerate() {
            let vertex = VertexId::new(i);
            let v = displacement(&self.v, vertex);
            linear += v * *m;
            angular += (x + displacement(&self.u, vertex)).cross(&v) * *m;
        }
        Momentum { linear: linear.into(), angular: angular.into() }
    }
}

/// Checks that a vector has three finite numbers for every vertex that `counts`.
pub(super) fn check_vector(
    name: &'static str,
    vector: &[f64],
    vertices: usize,
    counts: impl Fn(VertexId) -> bool,
) -> Result<(), SimulationError> {
    if vector.len() != 3 * vertices {
        return Err(SimulationError::Length { name, expected: 3 * vertices, found: vector.len() });
    }
    for (v, numbers) in vector.chunks_exact(3).enumerate() {
        let vertex = VertexId::new(v);
        if counts(vertex) && !numbers.iter().all(|x| x.is_finite()) {
            return Err(SimulationError::NotFinite { name, vertex });
        }
    }
    Ok(())
}
