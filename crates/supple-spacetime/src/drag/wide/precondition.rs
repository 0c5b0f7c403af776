//! An approximation of S⁻¹: every frame's rows given those of some frames before.
//!
//! If the rows had random values with the covariance S, those of frame i would be known from the frames before up
//! to a rest: x_i = B_i x_before + e_i, cov(e_i) = D_i = L_i L_iᵀ, and
//!
//! > S⁻¹ = Wᵀ D⁻¹ W, W x = (x_i − B_i x_before)_i.
//!
//! An edit has inertia, so its near past says nearly all that the past has to say: with only some [`ROWS`] rows of the
//! frames before, B_i = S_ib S_bb⁻¹ and D_i = S_ii − B_i S_bi are small systems of exact entries of S, and the product
//! above is close to S⁻¹ (Vecchia 1988). Time and memory grow with the frames alone, whatever the kernel, and however
//! handles come and go along them. Contacts are left out.
//!
//! Rows that repeat others of their frame are left out. Where frames are many to the reach of an edit, S is as good
//! as singular, so a little is added to its diagonal.

use super::conjugate::Inverse;
use super::rows::Rows;
use crate::rows::dot;
use crate::sqp::Layout;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, Mat, Par};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use supple_model::Instant;

/// Rows of frames before that are looked at,
const ROWS: usize = 96;
/// on at least so many frames and at most so many.
const FRAMES: (usize, usize) = (6, 32);
/// What is added to the diagonal of S, as a part of it.
const JITTER: f64 = 1e-9;
/// Rows of which less than this part is left once the others of their frame are known repeat these.
const REPEATED: f64 = 1e-4;

/// The rows of one frame that are not left out.
struct Block {
    rows: Vec<usize>,
    /// The first frame before that is looked at, counted in blocks.
    first: usize,
    /// B, own rows × rows before.
    before: Mat<f64>,
    /// L.
    rest: Mat<f64>,
}

/// The approximation of S⁻¹.
pub(super) struct Preconditioner {
    blocks: Vec<Block>,
    kept: Vec<bool>,
}

impl Preconditioner {
    /// For rows that give `give`.
    pub fn new(layout: &Layout, rows: &Rows, give: f64) -> Self {
        let mut kept = vec![true; layout.rows];
        let all = times(layout);
        let found: Vec<Vec<usize>> =
            all.into_par_iter().map(|own| distinct(&gram(layout, rows, &own, &own), own)).collect();
        kept.fill(false);
        found.iter().flatten().for_each(|row| kept[*row] = true);
        let firsts: Vec<usize> = (0..found.len()).map(|at| first(&found, at)).collect();
        // S between every frame and those before that it looks at, itself last.
        let band = |at: usize| -> Vec<Mat<f64>> {
            let mut own: Vec<Mat<f64>> =
                (firsts[at]..=at).map(|other| gram(layout, rows, &found[at], &found[other])).collect();
            if let Some(last) = own.last_mut() {
                for (local, row) in found[at].iter().enumerate() {
                    last[(local, local)] *= 1.0 + JITTER;
                    last[(local, local)] += rows.compliance(layout, *row) + give;
                }
            }
            own
        };
        let bands: Vec<Vec<Mat<f64>>> = (0..found.len()).into_par_iter().map(band).collect();
        let made: Vec<(Mat<f64>, Mat<f64>)> =
            (0..found.len()).into_par_iter().map(|at| regress(&bands, &firsts, at)).collect();
        let blocks = found.into_iter().zip(firsts).zip(made);
        let blocks = blocks.map(|((rows, first), (before, rest))| Block { rows, first, before, rest });
        Self { blocks: blocks.collect(), kept }
    }

    /// √(xᵀ S̃⁻¹ x), what it costs to mend a residual.
    pub fn cost(&self, x: &DVector<f64>) -> f64 {
        self.rests(x).iter().map(Mat::squared_norm_l2).sum::<f64>().sqrt()
    }

    /// Whether a row is not left out.
    pub fn keeps(&self, row: usize) -> bool {
        self.kept[row]
    }

    /// The largest entry of rows that are left out.
    pub fn left_out(&self, x: &DVector<f64>) -> f64 {
        x.iter().zip(&self.kept).filter(|(_, kept)| !**kept).map(|(x, _)| x.abs()).fold(0.0, f64::max)
    }

    /// L_i⁻¹ (x_i − B_i x_before) of every frame.
    fn rests(&self, x: &DVector<f64>) -> Vec<Mat<f64>> {
        let of = |(at, block): (usize, &Block)| {
            let mut e = Mat::from_fn(block.rows.len(), 1, |local, _| x[block.rows[local]]);
            for (column, row) in self.before(at).enumerate() {
                let x = x[row];
                for (e, b) in e.col_mut(0).iter_mut().zip(block.before.col(column).iter()) {
                    *e -= b * x;
                }
            }
            solve_lower_triangular_in_place(block.rest.as_ref(), e.as_mut(), Par::Seq);
            e
        };
        self.blocks.par_iter().enumerate().map(of).collect()
    }

    /// The rows that a frame looks at.
    fn before(&self, at: usize) -> impl Iterator<Item = usize> {
        self.blocks[self.blocks[at].first..at].iter().flat_map(|block| block.rows.iter().copied())
    }
}

impl Inverse for Preconditioner {
    fn kept(&self, x: &DVector<f64>) -> DVector<f64> {
        DVector::from_fn(x.len(), |row, _| if self.kept[row] { x[row] } else { 0.0 })
    }

    /// S̃⁻¹ x; zero where rows are left out.
    fn solve(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut rests = self.rests(x);
        let back = |(block, e): (&Block, &mut Mat<f64>)| {
            solve_upper_triangular_in_place(block.rest.transpose(), e.as_mut(), Par::Seq);
            let mut before = Mat::zeros(block.before.ncols(), 1);
            matmul(before.as_mut(), Accum::Replace, block.before.transpose(), e.as_ref(), 1.0, Par::Seq);
            before
        };
        let befores: Vec<Mat<f64>> = self.blocks.par_iter().zip(&mut rests).map(back).collect();
        let mut out = DVector::zeros(x.len());
        for (at, (block, before)) in self.blocks.iter().zip(&befores).enumerate() {
            for (row, e) in block.rows.iter().zip(rests[at].col(0).iter()) {
                out[*row] += e;
            }
            for (row, before) in self.before(at).zip(before.col(0).iter()) {
                out[row] -= before;
            }
        }
        out
    }
}

/// The rows of every time, in order.
fn times(layout: &Layout) -> Vec<Vec<usize>> {
    let mut sorted: Vec<(Instant, usize)> =
        layout.held.iter().enumerate().map(|(index, held)| (held.goal.first().at, index)).collect();
    sorted.sort_unstable();
    let mut times: Vec<(Instant, Vec<usize>)> = Vec::new();
    for (at, index) in sorted {
        match times.last_mut() {
            Some((last, rows)) if *last == at => rows.extend(layout.held[index].rows.clone()),
            _ => times.push((at, layout.held[index].rows.clone().collect())),
        }
    }
    times.into_iter().map(|(_, rows)| rows).collect()
}

/// The first block that block `at` looks at.
fn first(blocks: &[Vec<usize>], at: usize) -> usize {
    let (mut first, mut rows) = (at, 0);
    while first > 0 && at - first < FRAMES.1 && (at - first < FRAMES.0 || rows < ROWS) {
        first -= 1;
        rows += blocks[first].len();
    }
    first
}

/// S between rows, without what gives.
fn gram(layout: &Layout, rows: &Rows, one: &[usize], other: &[usize]) -> Mat<f64> {
    let mut out = Mat::zeros(one.len(), other.len());
    let mut covariance = vec![0.0; layout.modes];
    let mut pulled = vec![0.0; layout.modes];
    let mut looked_up = None;
    for (b, row) in other.iter().enumerate() {
        for (q, d) in &rows.rows[*row].parts {
            let mut ready = None;
            for (a, row) in one.iter().enumerate() {
                for (p, c) in &rows.rows[*row].parts {
                    if looked_up != Some((*p, *q)) {
                        layout.look_up(*p, *q, &mut covariance);
                        looked_up = Some((*p, *q));
                    }
                    if ready != looked_up {
                        pulled.iter_mut().zip(&covariance).zip(d).for_each(|((x, k), d)| *x = k * d);
                        ready = looked_up;
                    }
                    out[(a, b)] += dot(c, &pulled);
                }
            }
        }
    }
    out
}

/// Those rows of a frame that no others repeat; M is their Gram matrix.
fn distinct(M: &Mat<f64>, rows: Vec<usize>) -> Vec<usize> {
    let n = rows.len();
    let mut L = Mat::<f64>::zeros(n, n);
    let mut kept = Vec::with_capacity(n);
    for a in 0..n {
        for b in 0..=a {
            let known: f64 = (0..b).map(|c| L[(a, c)] * L[(b, c)]).sum();
            let left = M[(a, b)] - known;
            if a != b {
                L[(a, b)] = if L[(b, b)] > 0.0 { left / L[(b, b)] } else { 0.0 };
            } else if left > REPEATED * M[(a, a)] {
                L[(a, a)] = left.sqrt();
                kept.push(rows[a]);
            }
        }
    }
    kept
}

/// B and L of a block, from S between blocks.
fn regress(bands: &[Vec<Mat<f64>>], firsts: &[usize], at: usize) -> (Mat<f64>, Mat<f64>) {
    let between = |one: usize, other: usize| &bands[one][other - firsts[one]];
    let own = between(at, at);
    let starts: Vec<usize> = (firsts[at]..at)
        .scan(0, |sum, other| {
            let start = *sum;
            *sum += between(other, other).nrows();
            Some(start)
        })
        .collect();
    let size = bands[at].iter().map(Mat::ncols).sum::<usize>() - own.ncols();
    let mut S = Mat::zeros(size, size);
    let mut across = Mat::zeros(size, own.nrows());
    for (i, one) in (firsts[at]..at).enumerate() {
        across
            .as_mut()
            .subrows_mut(starts[i], between(one, one).nrows())
            .copy_from(between(at, one).transpose());
        for (j, other) in (firsts[at]..=one).enumerate() {
            if other >= firsts[one] {
                let block = between(one, other);
                S.as_mut().submatrix_mut(starts[i], starts[j], block.nrows(), block.ncols()).copy_from(block);
            }
        }
    }
    let mut rest = own.clone();
    if size > 0 && cholesky(&mut S) {
        let mut white = across.clone();
        solve_lower_triangular_in_place(S.as_ref(), white.as_mut(), Par::Seq);
        matmul(rest.as_mut(), Accum::Add, white.transpose(), white.as_ref(), -1.0, Par::Seq);
        solve_upper_triangular_in_place(S.transpose(), white.as_mut(), Par::Seq);
        for a in 0..rest.nrows() {
            // Round-off may take more than there is.
            rest[(a, a)] = rest[(a, a)].max(0.5 * JITTER * own[(a, a)]);
        }
        if cholesky(&mut rest) {
            return (white.transpose().to_owned(), rest);
        }
    }
    let mut rest = own.clone();
    let before = Mat::zeros(own.nrows(), size);
    if !cholesky(&mut rest) {
        rest = Mat::from_fn(own.nrows(), own.nrows(), |a, b| if a == b { own[(a, a)].sqrt() } else { 0.0 });
    }
    (before, rest)
}

/// Overwrites the lower part by its Cholesky factor; false where there is none.
fn cholesky(A: &mut Mat<f64>) -> bool {
    let n = A.nrows();
    let mut memory =
        MemBuffer::new(factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    factor::cholesky_in_place(A.as_mut(), Default::default(), Par::Seq, stack, Default::default()).is_ok()
}

/// The same for S + V N Vᵀ, by Woodbury's formula.
pub(super) struct Bent<'a> {
    plain: &'a Preconditioner,
    V: &'a DMatrix<f64>,
    /// S̃⁻¹ V.
    solved: DMatrix<f64>,
    /// (I + N VᵀS̃⁻¹V)⁻¹ N.
    small: DMatrix<f64>,
}

impl<'a> Bent<'a> {
    /// None where S̃ + V N Vᵀ has no inverse.
    pub fn new(plain: &'a Preconditioner, V: &'a DMatrix<f64>, N: &DMatrix<f64>) -> Option<Self> {
        let columns: Vec<DVector<f64>> =
            (0..V.ncols()).map(|k| plain.solve(&V.column(k).into_owned())).collect();
        let solved = DMatrix::from_fn(V.nrows(), V.ncols(), |row, k| columns[k][row]);
        let system = DMatrix::identity(V.ncols(), V.ncols()) + N * V.tr_mul(&solved);
        let small = system.lu().solve(N)?;
        small.iter().all(|x| x.is_finite()).then_some(Self { plain, V, solved, small })
    }
}

impl Inverse for Bent<'_> {
    fn solve(&self, x: &DVector<f64>) -> DVector<f64> {
        let y = self.plain.solve(x);
        let known = &self.small * self.V.tr_mul(&y);
        y - &self.solved * known
    }

    fn kept(&self, x: &DVector<f64>) -> DVector<f64> {
        self.plain.kept(x)
    }
}
