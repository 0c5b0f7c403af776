//! The system of a step: blocks along the keys, places and rows between frames at the border.

use super::evaluate::{Evaluated, FrameRows, Rows};
use super::problem::{Problem, State};
use crate::constraint::{Read, read};
use crate::curve::Curve;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::Solve;
use faer::{Accum, Col, Mat, MatMut, MatRef, Par};
use nalgebra::Vector3;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use supple_numerics::banded::{BlockBanded, Border, NotPositive};

/// Frames whose products are held at a time.
const CHUNK: usize = 32;

/// The room of a matrix, kept from step to step: to get it anew takes as long as to fill it.
#[derive(Debug, Default)]
pub struct Memory(Mutex<Option<BlockBanded>>);

impl Memory {
    /// Zeros of this shape, always the same one.
    fn take(&self, blocks: usize, size: usize, bandwidth: usize) -> BlockBanded {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match kept {
            Some(mut matrix) => {
                matrix.clear();
                matrix
            }
            None => BlockBanded::new(blocks, size, bandwidth),
        }
    }

    fn give_back(&self, matrix: BlockBanded) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(matrix);
    }
}

/// (T ⊗ G) x.
#[must_use]
pub fn metric_times(problem: &Problem<'_>, x: &[f64]) -> Vec<f64> {
    let n = problem.freedoms.len();
    let keys = problem.curve.keys();
    let mut Gx = Mat::zeros(n, keys);
    matmul(
        Gx.as_mut(),
        Accum::Replace,
        &problem.metric,
        MatRef::from_column_major_slice(x, n, keys),
        1.0,
        Par::Seq,
    );
    let mut out = vec![0.0; x.len()];
    for k in 0..keys {
        let near = k.saturating_sub(problem.curve.bandwidth())..(k + problem.curve.bandwidth() + 1).min(keys);
        for l in near {
            let cost = problem.curve.cost(k, l);
            out[k * n..(k + 1) * n].iter_mut().zip(Gx.col(l).iter()).for_each(|(out, g)| *out += cost * g);
        }
    }
    out
}

/// The least step that does what rows ask, each as hard as `weight` says: 0 is not at all.
pub struct Step<'a, 'b> {
    pub problem: &'a Problem<'b>,
    pub at: &'a Evaluated,
    pub state: &'a State,
    /// How hard rows are.
    pub weight: &'a (dyn Fn(&Rows) -> f64 + Sync),
    /// Whether what the edit costs so far is lowered, too.
    pub with_cost: bool,
    /// What the metric of the step is multiplied by.
    pub damping: f64,
}

impl Step<'_, '_> {
    /// Δx and Δ of the places.
    pub fn solve(&self) -> Result<State, NotPositive> {
        let problem = self.problem;
        let n = problem.freedoms.len();
        let (keys, curve) = (problem.curve.keys(), problem.curve);
        let mut A = problem.memory.take(keys, n, curve.bandwidth());
        self.add_metric(&mut A);
        let mut x = if self.with_cost { metric_times(problem, &self.state.x) } else { vec![0.0; keys * n] };
        x.iter_mut().for_each(|value| *value = -*value);
        let mut border = Border::new(n);
        let places: Vec<usize> = self.state.places.iter().map(|_| border.add(3)).collect();
        let mut y = vec![0.0; 3 * places.len()];
        for frames in self.at.frames.chunks(CHUNK) {
            let products: Vec<Product> = frames.par_iter().map(|frame| self.product(frame)).collect();
            for (frame, product) in frames.iter().zip(&products) {
                add_frame(curve, frame.frame, product, &mut A, &mut x);
                self.add_places(frame, &mut border, &places, &mut y);
            }
        }
        self.add_spans(&mut border, &mut y);
        for (k, (home, cost)) in problem.homes.iter().enumerate() {
            for axis in 0..3 {
                // A place that nothing reads stays where it is.
                border.corner_mut()[(3 * k + axis, 3 * k + axis)] +=
                    if cost[axis] > 0.0 { cost[axis] } else { 1.0 };
                if self.with_cost {
                    y[3 * k + axis] -= cost[axis] * (self.state.places[k][axis] - home[axis]);
                }
            }
        }
        let factored = A.factor();
        if factored.is_ok() {
            border.factor(&A);
            border.solve(&A, &mut x, &mut y);
        }
        problem.memory.give_back(A);
        factored?;
        let places = y.chunks_exact(3).take(places.len()).map(Vector3::from_column_slice).collect();
        Ok(State { x, places })
    }

    fn add_metric(&self, A: &mut BlockBanded) {
        let (curve, G) = (self.problem.curve, &self.problem.metric);
        // Joints cost for themselves: most of G is zero.
        let n = G.nrows();
        let entries = (0..n).flat_map(|c| (0..n).map(move |r| (r, c))).filter(|at| G[*at] != 0.0);
        let entries: Vec<(usize, f64)> = entries.map(|(r, c)| (c * n + r, G[(r, c)])).collect();
        for k in 0..curve.keys() {
            for l in k.saturating_sub(curve.bandwidth())..=k {
                let cost = curve.cost(k, l) * self.damping;
                let block = A.block_values(k, l);
                entries.iter().for_each(|(at, g)| block[*at] += cost * g);
            }
        }
    }

    /// Jᵀ κ J and Jᵀ κ r of a frame.
    fn product(&self, frame: &FrameRows) -> Product {
        let n = self.problem.freedoms.len();
        let mut scaled = Vec::with_capacity(frame.J.len());
        let mut right = vec![0.0; n];
        let mut at = 0;
        for rows in &frame.rows {
            let weight = (self.weight)(rows);
            for row in 0..rows.count {
                let J = &frame.J[at..at + n];
                at += n;
                if weight > 0.0 {
                    let root = weight.sqrt();
                    scaled.extend(J.iter().map(|value| root * value));
                    right.iter_mut().zip(J).for_each(|(right, J)| *right += weight * rows.r[row] * J);
                }
            }
        }
        let count = scaled.len() / n.max(1);
        let J = MatRef::from_column_major_slice(&scaled, n, count);
        let mut H = vec![0.0; n * n];
        if count > 0 {
            let out = MatMut::from_column_major_slice_mut(&mut H, n, n);
            matmul(out, Accum::Replace, J, J.transpose(), 1.0, Par::Seq);
        }
        Product { H, right }
    }

    /// Rows that ask for a place that floats: r = place − p.
    fn add_places(&self, frame: &FrameRows, border: &mut Border, groups: &[usize], y: &mut [f64]) {
        let n = self.problem.freedoms.len();
        let mut at = 0;
        for rows in &frame.rows {
            let J = &frame.J[at..at + rows.count * n];
            at += rows.count * n;
            let weight = (self.weight)(rows);
            let Some(place) = rows.place.filter(|_| weight > 0.0) else { continue };
            let axes = self.axes(rows);
            for (key, b) in self.problem.curve.support(frame.frame).iter() {
                let mut block = border.block_mut(groups[place], key);
                for (row, axis) in axes.iter().enumerate() {
                    let column = block.as_mut().col_mut(*axis);
                    column.iter_mut().zip(&J[row * n..]).for_each(|(out, J)| *out -= weight * b * J);
                }
            }
            let start = border.start(groups[place]);
            for (row, axis) in axes.iter().enumerate() {
                border.corner_mut()[(start + axis, start + axis)] += weight;
                y[start + axis] -= weight * rows.r[row];
            }
        }
    }

    /// The coordinates that rows of a place are about.
    fn axes(&self, rows: &Rows) -> Vec<usize> {
        let super::RowId::Constraint(c) = rows.id else { return Vec::new() };
        (0..3).filter(|axis| self.problem.constraints[c].axes[*axis]).collect()
    }

    /// Rows between frames, each with a multiplier.
    fn add_spans(&self, border: &mut Border, y: &mut Vec<f64>) {
        let n = self.problem.freedoms.len();
        for span in &self.at.spans {
            let weight = (self.weight)(&span.rows);
            if weight <= 0.0 {
                continue;
            }
            let group = border.add(span.rows.count);
            let start = border.start(group);
            for (frame, J) in &span.parts {
                for (key, b) in self.problem.curve.support(*frame).iter() {
                    let mut block = border.block_mut(group, key);
                    for row in 0..span.rows.count {
                        let column = block.as_mut().col_mut(row);
                        column.iter_mut().zip(&J[row * n..]).for_each(|(out, J)| *out += b * J);
                    }
                }
            }
            for row in 0..span.rows.count {
                border.corner_mut()[(start + row, start + row)] = -1.0 / weight;
                y.push(span.rows.r[row]);
            }
        }
    }
}

/// Jᵀ κ J and Jᵀ κ r of a frame.
struct Product {
    /// n × n, by columns.
    H: Vec<f64>,
    right: Vec<f64>,
}

fn add_frame(curve: &Curve, frame: usize, product: &Product, A: &mut BlockBanded, x: &mut [f64]) {
    let n = product.right.len();
    let support = curve.support(frame);
    for (k, a) in support.iter() {
        x[k * n..(k + 1) * n].iter_mut().zip(&product.right).for_each(|(x, right)| *x += a * right);
        for (l, b) in support.iter().filter(|(l, _)| *l <= k) {
            let (block, factor) = (A.block_values(k, l), a * b);
            block.iter_mut().zip(&product.H).for_each(|(out, H)| *out += factor * H);
        }
    }
}

/// How far one frame of a curve follows another that is pulled: bᵀ T⁻¹ b.
pub struct TimeKernel<'a> {
    curve: &'a Curve,
    factor: BlockBanded,
}

impl<'a> TimeKernel<'a> {
    /// Of a curve.
    pub fn new(curve: &'a Curve) -> Self {
        let mut factor = BlockBanded::new(curve.keys(), 1, curve.bandwidth());
        for k in 0..curve.keys() {
            for l in k.saturating_sub(curve.bandwidth())..=k {
                factor.block_mut(k, l)[(0, 0)] = curve.cost(k, l);
            }
        }
        // T is positive definite: every key is seen by some frame.
        let _ = factor.factor();
        Self { curve, factor }
    }

    /// Between two frames.
    pub fn between(&self, a: usize, b: usize) -> f64 {
        let mut x = vec![0.0; self.curve.keys()];
        self.curve.support(a).iter().for_each(|(k, weight)| x[k] = weight);
        self.factor.solve(&mut x);
        self.curve.support(b).iter().map(|(k, weight)| weight * x[k]).sum()
    }
}

/// J G⁻¹ Jᵀ of a constraint in a frame, in the direction it asks for; the largest where it asks for nothing.
pub fn variance(problem: &Problem<'_>, c: usize, frame: usize) -> f64 {
    let n = problem.freedoms.len();
    let constraint = &problem.constraints[c];
    let skeleton = &problem.figure.skeleton;
    let posed = problem.freedoms.pose(skeleton, problem.motion, frame, &vec![0.0; n]);
    let mut plain = constraint.clone();
    if matches!(plain.goal, crate::Goal::SameAs(_) | crate::Goal::Velocity(_) | crate::Goal::Stay) {
        plain.goal = crate::Goal::At(crate::Targets::One(Vector3::zeros()));
    }
    let Some(found) = read(skeleton, &posed.world, &plain, (frame, 0), None, problem.scale) else {
        return 1.0;
    };
    let Read { rows, r, .. } = found;
    let mut J = vec![0.0; rows * n];
    found.jacobian(skeleton, &posed, &plain, &mut vec![0.0; 3 * n], &mut J);
    let length = r[..rows].iter().map(|r| r * r).sum::<f64>().sqrt();
    let llt = problem.metric.llt(faer::Side::Lower);
    let Ok(llt) = llt else { return 1.0 };
    let of = |direction: &[f64]| {
        let row = Col::from_fn(n, |i| (0..rows).map(|k| direction[k] * J[k * n + i]).sum::<f64>());
        let solved = llt.solve(&row);
        row.iter().zip(solved.iter()).map(|(a, b)| a * b).sum::<f64>()
    };
    if length > 1e-9 {
        return of(&r.map(|r| r / length));
    }
    (0..rows)
        .map(|k| of(&std::array::from_fn::<_, 3, _>(|i| f64::from(u8::from(i == k)))))
        .fold(0.0, f64::max)
}
