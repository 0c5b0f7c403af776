//! The rigid motions that anchors and pins leave to a body.
//!
//! The free vertices fall into parts that no element joins. A part moves rigidly by
//!
//! > y ↦ t + ω × (y − c), six numbers,
//!
//! and each held vertex h that shares an element with it forbids three of them: t + ω × (h − c) = 0. What
//! is left is a null space of dimension 6 (nothing holds it), 3 (one vertex does), 1 (a line does) or 0; a
//! part that lies on a line has one motion less, since turning about that line moves nothing.

use super::gauge::Gauge;
use crate::{ElasticBody, FreeVertices};
use nalgebra::{Matrix3x6, Matrix6, Matrix6xX, Vector6};
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::sparse::BlockPattern;

/// Eigenvalues below this part of the largest are zero: held vertices this close (squared) to a line are on
/// it.
const ZERO: f64 = 1e-12;

/// The motions left to `body` in the shape `places`; `pattern` joins all vertices that share elements. With
/// `swing` parts that something holds keep theirs.
pub(crate) fn rigid_gauge(
    body: &ElasticBody,
    pattern: &BlockPattern,
    free: &FreeVertices,
    places: &[Vec3],
    swing: bool,
) -> Option<Gauge> {
    let (part_of, parts) = parts(pattern, free);
    let held = touching(pattern, free, &part_of, parts);
    let mut members = vec![Vec::new(); parts];
    for (k, &part) in part_of.iter().enumerate() {
        members[part].push(k);
    }
    let masses: Vec<f64> = free.vertices().iter().map(|v| body.masses()[v.index()]).collect();
    let own: Vec<Vec3> = free.vertices().iter().map(|v| places[v.index()]).collect();
    let motions: Vec<Vec<Vec<f64>>> = (0..parts)
        .map(|p| {
            let held: Vec<Vec3> = held[p].iter().map(|&v| places[v]).collect();
            if swing && !held.is_empty() {
                return Vec::new();
            }
            motions(&own, &masses, &members[p], &held)
        })
        .collect();
    Gauge::new(part_of, &masses, &motions)
}

/// The part of every free vertex, and how many there are.
fn parts(pattern: &BlockPattern, free: &FreeVertices) -> (Vec<usize>, usize) {
    let n = free.vertices().len();
    let mut neighbours = vec![Vec::new(); n];
    for (j, &v) in free.vertices().iter().enumerate() {
        for i in pattern.rows(v.index())[1..].iter().filter_map(|&w| free.index(VertexId::new(w))) {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
    }
    let mut part = vec![usize::MAX; n];
    let mut count = 0;
    for first in 0..n {
        if part[first] != usize::MAX {
            continue;
        }
        part[first] = count;
        let mut open = vec![first];
        while let Some(v) = open.pop() {
            for &w in &neighbours[v] {
                if part[w] == usize::MAX {
                    part[w] = count;
                    open.push(w);
                }
            }
        }
        count += 1;
    }
    (part, count)
}

/// The held vertices that share an element with each part, ascending.
fn touching(pattern: &BlockPattern, free: &FreeVertices, part: &[usize], parts: usize) -> Vec<Vec<usize>> {
    let mut held = vec![Vec::new(); parts];
    let place = |v: usize| free.index(VertexId::new(v));
    for j in 0..free.body_vertices() {
        for &i in &pattern.rows(j)[1..] {
            match (place(i), place(j)) {
                (Some(k), None) => held[part[k]].push(j),
                (None, Some(k)) => held[part[k]].push(i),
                _ => {}
            }
        }
    }
    for list in &mut held {
        list.sort_unstable();
        list.dedup();
    }
    held
}

/// The motions of one part, mass-orthonormal, over all free vertices.
fn motions(places: &[Vec3], masses: &[f64], members: &[usize], held: &[Vec3]) -> Vec<Vec<f64>> {
    let mass: f64 = members.iter().map(|&k| masses[k]).sum();
    let centre = members.iter().map(|&k| places[k] * masses[k]).sum::<Vec3>() / mass;
    // Lengths in units of the part's size, so that turning and shifting are alike.
    let own = members.iter().map(|&k| &places[k]);
    let radius = own.chain(held).map(|y| (y - centre).norm()).fold(0.0, f64::max);
    let radius = if radius > 0.0 { radius } else { 1.0 };
    let field = |y: &Vec3| {
        let mut field = Matrix3x6::zeros();
        field.fixed_columns_mut::<3>(0).fill_with_identity();
        field.fixed_columns_mut::<3>(3).copy_from(&(-(y - centre) / radius).cross_matrix());
        field
    };
    let forbidden: Matrix6<f64> = held.iter().map(|y| field(y).tr_mul(&field(y))).sum();
    let left = null_space(&forbidden);
    let gram: Matrix6<f64> =
        members.iter().map(|&k| field(&places[k]).tr_mul(&field(&places[k])) * masses[k]).sum();
    if left.is_empty() {
        return Vec::new();
    }
    let B = Matrix6xX::from_columns(&left);
    let eigen = (B.transpose() * gram * &B).symmetric_eigen();
    let largest = eigen.eigenvalues.max();
    let kept = (0..left.len()).filter(|&k| eigen.eigenvalues[k] > ZERO * largest);
    kept.map(|k| {
        let motion = &B * eigen.eigenvectors.column(k) / eigen.eigenvalues[k].sqrt();
        let mut full = vec![0.0; 3 * places.len()];
        for &v in members {
            full[3 * v..3 * v + 3].copy_from_slice((field(&places[v]) * motion).as_slice());
        }
        full
    })
    .collect()
}

/// An orthonormal basis of the null space of a positive semidefinite matrix.
fn null_space(matrix: &Matrix6<f64>) -> Vec<Vector6<f64>> {
    let eigen = matrix.symmetric_eigen();
    let largest = eigen.eigenvalues.max();
    (0..6)
        .filter(|&k| eigen.eigenvalues[k] <= ZERO * largest)
        .map(|k| eigen.eigenvectors.column(k).into_owned())
        .collect()
}
