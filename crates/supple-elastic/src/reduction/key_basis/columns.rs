//! The columns of a basis: taken by origin, cut to the size, turned.

use super::super::orthonormal::{Orthonormal, dot};
use super::arcs::Arcs;
use super::problem::Problem;
use super::{KeyBasisError, KeyBasisReport, KeyBasisSettings, Origin, OriginReport};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use std::f64::consts::TAU;
use supple_model::Progress;
use supple_numerics::eigen::symmetric_eigen;
use supple_numerics::sparse::BlockMatrix;

/// A key is in the basis already when less than this part of it, or of the largest key, is new.
const SAME_KEY: f64 = 1e-10;
/// The same of all else.
const SAME: f64 = 1e-6;
/// Principal components of less than this part of the first are rounding, or details that no one misses.
const LEAST_RECORDED: f64 = 1e-3;

/// The columns over free coordinates, UᵀMU = I and UᵀK(0)U diagonal.
pub(super) fn columns(
    problem: &Problem<'_>,
    arcs: &Arcs,
    settings: &KeyBasisSettings<'_>,
    report: &mut KeyBasisReport,
    progress: &Progress,
) -> Result<Mat<f64>, KeyBasisError> {
    let mut columns = Orthonormal::without(&problem.masses, problem.rigid_fields());
    let keys: Vec<Vec<f64>> = problem.poses[1..].iter().map(|pose| problem.offset(pose)).collect();
    take(&mut columns, Origin::Keys, keys, SAME_KEY, report, progress)?;
    let kept = settings.kept.iter().map(|field| problem.gathered(field)).collect();
    take(&mut columns, Origin::Kept, kept, SAME_KEY, report, progress)?;
    let whole = columns.count();
    // As long as they are given: principal components weigh them by it.
    let mut others: Vec<Vec<f64>> = Vec::new();
    let mut add = |columns: &mut Orthonormal<'_>, origin, given: Vec<Vec<f64>>| {
        others.extend_from_slice(&given);
        take(columns, origin, given, SAME, report, progress)
    };
    if settings.tangents {
        add(&mut columns, Origin::Tangents, arcs.tangents.clone())?;
    }
    add(&mut columns, Origin::Samples, arcs.samples.clone())?;
    add(&mut columns, Origin::Modes, modes(problem, settings, arcs))?;
    if !settings.recorded.is_empty() {
        let recorded: Vec<Vec<f64>> = settings.recorded.iter().map(|pose| problem.offset(pose)).collect();
        let (components, _) = columns.principal(&recorded, settings.recorded_size, LEAST_RECORDED);
        add(&mut columns, Origin::Recorded, components)?;
    }
    if let Some(size) = settings.size.filter(|size| *size < columns.count()) {
        columns = cut(problem, settings, size.max(whole), &others, report);
    }
    if columns.count() == 0 {
        return Err(KeyBasisError::Empty);
    }
    turned(&columns.matrix(), problem, report)
}

/// Takes columns of one origin.
fn take(
    columns: &mut Orthonormal<'_>,
    origin: Origin,
    given: Vec<Vec<f64>>,
    part: f64,
    report: &mut KeyBasisReport,
    progress: &Progress,
) -> Result<(), KeyBasisError> {
    let scale = match origin {
        Origin::Keys => given.iter().map(|x| columns.norm(x)).fold(0.0, f64::max),
        _ => 0.0,
    };
    let mut own = OriginReport { origin, given: given.len(), taken: 0 };
    for column in given {
        progress.check()?;
        own.taken += usize::from(columns.push(column, part, scale));
    }
    if own.given > 0 {
        report.origins.push(own);
    }
    Ok(())
}

/// The same keys and kept fields, and the principal components of all others.
fn cut<'a>(
    problem: &'a Problem<'_>,
    settings: &KeyBasisSettings<'_>,
    size: usize,
    others: &[Vec<f64>],
    report: &mut KeyBasisReport,
) -> Orthonormal<'a> {
    let before: usize = report.origins.iter().map(|origin| origin.taken).sum();
    let mut columns = Orthonormal::without(&problem.masses, problem.rigid_fields());
    let keys: Vec<Vec<f64>> = problem.poses[1..].iter().map(|pose| problem.offset(pose)).collect();
    let scale = keys.iter().map(|x| columns.norm(x)).fold(0.0, f64::max);
    for key in keys {
        columns.push(key, SAME_KEY, scale);
    }
    for field in settings.kept {
        columns.push(problem.gathered(field), SAME_KEY, 0.0);
    }
    let (components, singular) = columns.principal(others, size - columns.count(), SAME);
    for component in components {
        columns.push(component, SAME, 0.0);
    }
    report.singular_values = singular;
    report.cut = before - columns.count();
    columns
}

/// Shapes over free coordinates, as far displaced as the same energy takes them: the softest as far as a mean key or
/// tangent, so that principal components weigh them alike.
fn modes(problem: &Problem<'_>, settings: &KeyBasisSettings<'_>, arcs: &Arcs) -> Vec<Vec<f64>> {
    let Some(basis) = settings.modes else { return Vec::new() };
    let shape = |k: usize| {
        let mut out = vec![0.0; problem.masses.len()];
        for (place, v) in out.chunks_exact_mut(3).zip(problem.free.vertices()) {
            if let Some(row) = basis.free().index(*v) {
                for (c, u) in place.iter_mut().enumerate() {
                    *u = basis.shapes()[(3 * row + c, k)];
                }
            }
        }
        out
    };
    let mut shapes: Vec<Vec<f64>> = (0..basis.modes()).map(shape).collect();
    let mut product = vec![0.0; problem.masses.len()];
    let stiffness = shapes.iter().map(|shape| {
        problem.rest_stiffness.mul(shape, &mut product);
        let energy: f64 = shape.iter().zip(&product).map(|(u, Ku)| u * Ku).sum();
        energy / dot(&problem.masses, shape, shape)
    });
    let squared: Vec<f64> = stiffness.collect();
    // Rigid motions have none.
    let largest = squared.iter().copied().fold(0.0, f64::max);
    let softest = squared.iter().copied().filter(|s| *s > 1e-9 * largest).fold(f64::INFINITY, f64::min);
    let norm = |x: &[f64]| dot(&problem.masses, x, x);
    let lengths: Vec<f64> = problem.poses[1..]
        .iter()
        .map(|pose| norm(&problem.offset(pose)))
        .chain(arcs.tangents.iter().map(|tangent| norm(tangent)))
        .collect();
    let mean = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).sqrt();
    let mean = if mean > 0.0 { mean } else { 1.0 };
    for (shape, squared) in shapes.iter_mut().zip(&squared) {
        let amplitude = mean * (softest / squared.max(softest)).sqrt() / norm(shape).sqrt();
        if amplitude.is_finite() {
            shape.iter_mut().for_each(|x| *x *= amplitude);
        }
    }
    shapes
}

/// The columns turned until UᵀK(0)U is diagonal, its entries ascending; the largest entry of each is positive.
fn turned(
    columns: &Mat<f64>,
    problem: &Problem<'_>,
    report: &mut KeyBasisReport,
) -> Result<Mat<f64>, KeyBasisError> {
    let (values, vectors) =
        symmetric_eigen(projected(&problem.rest_stiffness, columns).as_ref()).ok_or(KeyBasisError::Empty)?;
    let mut out = Mat::zeros(columns.nrows(), columns.ncols());
    matmul(out.as_mut(), Accum::Replace, columns.as_ref(), vectors.as_ref(), 1.0, Par::Seq);
    for k in 0..out.ncols() {
        let column = out.col_as_slice_mut(k);
        let largest = column.iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { *x } else { m });
        if largest < 0.0 {
            column.iter_mut().for_each(|x| *x = -*x);
        }
    }
    report.frequencies = values.iter().map(|value| value.max(0.0).sqrt() / TAU).collect();
    Ok(out)
}

/// UᵀK U.
fn projected(stiffness: &BlockMatrix, columns: &Mat<f64>) -> Mat<f64> {
    let mut products = Mat::zeros(columns.nrows(), columns.ncols());
    for k in 0..columns.ncols() {
        stiffness.mul(columns.col_as_slice(k), products.col_as_slice_mut(k));
    }
    let mut out = Mat::zeros(columns.ncols(), columns.ncols());
    matmul(out.as_mut(), Accum::Replace, columns.transpose(), products.as_ref(), 1.0, Par::Seq);
    out
}
