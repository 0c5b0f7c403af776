//! What is asked for, checked, and what all steps share.

use super::{KeyBasisError, KeyBasisSettings, KeyPose};
use crate::newton::{Gauge, rigid_gauge};
use crate::{ElasticBody, FreeVertices};
use nalgebra::Matrix3;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::sparse::{BlockMatrix, BlockPattern, Symbolic};

/// A chain of poses on a body.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub body: &'a Arc<ElasticBody>,
    pub free: &'a FreeVertices,
    /// q₀, then the keys.
    pub poses: Vec<&'a [f64]>,
    /// f of every pose, zero on held vertices.
    pub loads: Vec<Vec<f64>>,
    /// M over free coordinates.
    pub masses: Vec<f64>,
    /// K at rest.
    pub rest_stiffness: BlockMatrix,
    pub symbolic: Arc<Symbolic>,
    /// Whether nothing holds the body.
    pub floats: bool,
    /// Which vertices share elements.
    pattern: Arc<BlockPattern>,
}

impl<'a> Problem<'a> {
    pub fn new(
        body: &'a Arc<ElasticBody>,
        free: &'a FreeVertices,
        start: &'a [f64],
        keys: &[KeyPose<'a>],
        settings: &KeyBasisSettings<'_>,
    ) -> Result<Self, KeyBasisError> {
        let vertices = body.positions().len();
        check_settings(settings, vertices)?;
        check("the pose the motion begins in", start, vertices)?;
        for (k, key) in keys.iter().enumerate() {
            check(&format!("key {k}"), key.displacement, vertices)?;
            key.load.map_or(Ok(()), |load| check(&format!("the load of key {k}"), load, vertices))?;
        }
        let rest_stiffness = body.stiffness(&vec![0.0; 3 * vertices], free);
        let places: Vec<[f64; 3]> =
            free.vertices().iter().map(|v| body.positions()[v.index()].into()).collect();
        let symbolic = Arc::new(Symbolic::new(rest_stiffness.pattern(), Some(&places))?);
        let poses: Vec<&[f64]> =
            std::iter::once(start).chain(keys.iter().map(|key| key.displacement)).collect();
        let known = std::iter::once(None).chain(keys.iter().map(|key| key.load));
        let loads = known
            .zip(&poses)
            .map(|(load, pose)| masked(free, load.map_or_else(|| body.force(pose), <[f64]>::to_vec)));
        Ok(Self {
            loads: loads.collect(),
            poses,
            masses: masses(body, free),
            rest_stiffness,
            symbolic,
            floats: free.vertices().len() == vertices,
            pattern: body.assembly(&FreeVertices::all(vertices)).pattern().clone(),
            body,
            free,
        })
    }

    /// The rigid motions to be taken out of a tangent at `pose`: of a body that floats those at rest, which all columns do
    /// without, otherwise those that what holds the body leaves in the pose.
    pub fn gauge(&self, pose: &[f64]) -> Option<Gauge> {
        let rest = self.body.positions();
        if self.floats {
            return rigid_gauge(self.body, &self.pattern, self.free, rest, false);
        }
        let moved = rest.iter().zip(pose.chunks_exact(3)).map(|(x, u)| x + Vec3::from_column_slice(u));
        rigid_gauge(self.body, &self.pattern, self.free, &moved.collect::<Vec<_>>(), false)
    }

    /// The six ways a body that floats moves without a change of shape; none of one that is held.
    pub fn rigid_fields(&self) -> Vec<Vec<f64>> {
        if !self.floats {
            return Vec::new();
        }
        let (body, rest) = (self.body, self.body.positions());
        let mass: f64 = body.masses().iter().sum();
        let centre = body.masses().iter().zip(rest).map(|(m, x)| x * *m).sum::<Vec3>() / mass;
        let field =
            |of: &dyn Fn(&Vec3) -> Vec3| rest.iter().flat_map(|x| of(&(x - centre)).data.0[0]).collect();
        let axes = Matrix3::<f64>::identity();
        let shift = |axis: usize| field(&|_| axes.column(axis).into());
        let turn = |axis: usize| field(&|x| Vec3::from(axes.column(axis)).cross(x));
        (0..3).map(shift).chain((0..3).map(turn)).collect()
    }

    /// q − q₀ over free coordinates.
    pub fn offset(&self, pose: &[f64]) -> Vec<f64> {
        let difference: Vec<f64> = pose.iter().zip(self.poses[0]).map(|(q, q0)| q - q0).collect();
        self.gathered(&difference)
    }

    /// The entries of free vertices.
    pub fn gathered(&self, full: &[f64]) -> Vec<f64> {
        let mut free = vec![0.0; self.masses.len()];
        self.free.gather(full, &mut free);
        free
    }

    /// f_{i+1} − f_i of an arc, over free coordinates.
    pub fn change_of_load(&self, arc: usize) -> Vec<f64> {
        let change: Vec<f64> = self.loads[arc + 1].iter().zip(&self.loads[arc]).map(|(b, a)| b - a).collect();
        self.gathered(&change)
    }

    /// The farthest that a pose has a held vertex from where q₀ has it.
    pub fn held_offset(&self, pose: &[f64]) -> f64 {
        let held = (0..self.free.body_vertices()).filter(|&v| self.free.index(VertexId::new(v)).is_none());
        let offset = |v: usize| {
            let at = |q: &[f64]| Vec3::from_column_slice(&q[3 * v..3 * v + 3]);
            (at(pose) - at(self.poses[0])).norm()
        };
        held.map(offset).fold(0.0, f64::max)
    }
}

/// The mass of every free coordinate.
pub(super) fn masses(body: &ElasticBody, free: &FreeVertices) -> Vec<f64> {
    free.vertices().iter().flat_map(|v| [body.masses()[v.index()]; 3]).collect()
}

/// `values` with zeros on held vertices.
fn masked(free: &FreeVertices, mut values: Vec<f64>) -> Vec<f64> {
    for (v, value) in values.chunks_exact_mut(3).enumerate() {
        if free.index(VertexId::new(v)).is_none() {
            value.fill(0.0);
        }
    }
    values
}

fn check_settings(settings: &KeyBasisSettings<'_>, vertices: usize) -> Result<(), KeyBasisError> {
    if let Some(modes) = settings.modes.filter(|modes| modes.vertices() != vertices) {
        return Err(KeyBasisError::Modes { found: modes.vertices(), expected: vertices });
    }
    for (k, pose) in settings.recorded.iter().enumerate() {
        check(&format!("recorded pose {k}"), pose, vertices)?;
    }
    for (k, field) in settings.kept.iter().enumerate() {
        check(&format!("kept field {k}"), field, vertices)?;
    }
    Ok(())
}

/// Passes three finite numbers per vertex; calls them `what` otherwise.
fn check(what: &str, values: &[f64], vertices: usize) -> Result<(), KeyBasisError> {
    if values.len() != 3 * vertices {
        let what = what.to_owned();
        return Err(KeyBasisError::Length { what, found: values.len(), expected: 3 * vertices });
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(KeyBasisError::NotFinite { what: what.to_owned(), vertex: VertexId::new(i / 3) }),
        None => Ok(()),
    }
}
