//! The smooth feel: how freely each mode takes part, so that a pull takes a given share of the body along.
//!
//! A smooth edit is made of the modes of the editing stiffness ([`supple_elastic::ElasticBody::editing_stiffness`]),
//! and mode k has the variance
//!
//! > g_k = 1 / ((1 + λ_k/λ_c)(1 + λ_k/16λ_c)),
//!
//! the same at every frame; in time all of them come and go as one bump ([`supple_spacetime::Energy::Smooth`]). At the
//! frame of its handle an edit is then the static deformation under a pull: with S_wv = U_w diag(g) U_vᵀ (3×3), a pull
//! by d at vertex v moves vertex w by S_wv S_vv⁻¹ d. The first factor of g alone would obey a maximum principle but be a
//! needle at v; squared it would be smooth but overshoot beside what is held; two scales have both.
//!
//! The less λ_c, the more of the body follows. It is found by bisection, so that the share of the vertices that follow
//! by more than half, its median over vertices pulled all over the body along each axis, is the `spread` asked for.
//!
//! How natural that is tells A, the 90 % quantile over the pulled vertices v of max_w ‖S_wv S_vv⁻¹‖: how far anything
//! moves when one vertex is pulled by one. Up to 1.3 nothing flies off. Vertices next to what is held are left out:
//! whatever moves them moves others more.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_elastic::{Basis, FreeVertices};
use supple_mesh::{Aabb, Vec3};
use supple_model::VertexId;

/// The second scale of g, in units of the first.
const SECOND: f64 = 16.0;
/// The most vertices that are pulled, and that are looked at.
const PULLED: usize = 60;
const LOOKED_AT: usize = 400;
/// Vertices nearer to what is held than this part of the size are next to it.
const NEXT: f64 = 0.15;
/// How far from the first eigenvalue that is not 0 λ_c is looked for, and in how many halvings.
const RANGE: [f64; 2] = [1e-4, 1e6];
const HALVINGS: usize = 24;

/// How freely modes take part in a smooth edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothness {
    /// λ_c, 1/s².
    pub cutoff: f64,
    /// The share of the body that follows a pull by more than half: the median over pulls.
    pub spread: f64,
    /// A: how far anything moves when one vertex is pulled by one, at most, in nine pulls of ten.
    pub amplification: f64,
}

impl Smoothness {
    /// What takes the share `spread` of the body along.
    pub fn new(basis: &Basis, positions: &[Vec3], eigenvalues: &[f64], spread: f64) -> Self {
        let pulls = Pulls::new(basis, positions);
        let first = eigenvalues.iter().copied().find(|lambda| *lambda > 0.0).unwrap_or(1.0);
        let [mut low, mut high] = RANGE.map(|part| (part * first).ln());
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if median_share(&pulls.answers(&variances(eigenvalues, middle.exp()))) > spread {
                low = middle;
            } else {
                high = middle;
            }
        }
        let cutoff = (0.5 * (low + high)).exp();
        let answers = pulls.answers(&variances(eigenvalues, cutoff));
        Self { cutoff, spread: median_share(&answers), amplification: amplification(&answers) }
    }

    /// g of every mode.
    pub fn variances(&self, eigenvalues: &[f64]) -> Vec<f64> {
        variances(eigenvalues, self.cutoff)
    }
}

fn variances(eigenvalues: &[f64], cutoff: f64) -> Vec<f64> {
    let of = |lambda: &f64| {
        let x = lambda / cutoff;
        1.0 / ((1.0 + x) * (1.0 + x / SECOND))
    };
    eigenvalues.iter().map(of).collect()
}

/// Vertices to pull at and to look at, as they see the modes.
struct Pulls {
    /// Rows of U of the vertices pulled, three columns each: modes × 3P.
    pulled: Mat<f64>,
    /// Whether each of these is far enough from what is held.
    is_apart: Vec<bool>,
    /// Those of the vertices looked at, three rows each: 3L × modes.
    looked_at: Mat<f64>,
}

/// What one pull does.
struct Answers {
    is_apart: bool,
    /// S_wv S_vv⁻¹ of every vertex w looked at.
    moved: Vec<Matrix3<f64>>,
}

impl Pulls {
    fn new(basis: &Basis, positions: &[Vec3]) -> Self {
        let sources = spread_out(basis.free().vertices(), positions, PULLED);
        let step = positions.len().div_ceil(LOOKED_AT).max(1);
        let targets: Vec<VertexId> = (0..positions.len()).step_by(step).map(VertexId::new).collect();
        let rows = |vertices: &[VertexId]| -> Vec<[Vec<f64>; 3]> {
            vertices.iter().map(|v| basis.row(&[(*v, 1.0)])).collect()
        };
        let (from, to) = (rows(&sources), rows(&targets));
        Self {
            is_apart: apart(&sources, basis.free(), positions),
            pulled: Mat::from_fn(basis.modes(), 3 * from.len(), |k, c| from[c / 3][c % 3][k]),
            looked_at: Mat::from_fn(3 * to.len(), basis.modes(), |c, k| to[c / 3][c % 3][k]),
        }
    }

    /// What every pull does, under modes of these variances; a vertex that cannot be moved in all directions is left
    /// out.
    fn answers(&self, variances: &[f64]) -> Vec<Answers> {
        let weighted =
            Mat::from_fn(self.pulled.nrows(), self.pulled.ncols(), |k, c| variances[k] * self.pulled[(k, c)]);
        let of = |pull: usize| {
            let own = weighted.as_ref().subcols(3 * pull, 3);
            let mut variance = Mat::<f64>::zeros(3, 3);
            let seen = self.pulled.as_ref().subcols(3 * pull, 3).transpose();
            matmul(variance.as_mut(), Accum::Replace, seen, own, 1.0, Par::Seq);
            let inverse = Matrix3::from_fn(|i, j| variance[(i, j)]).try_inverse()?;
            let mut moves = Mat::<f64>::zeros(self.looked_at.nrows(), 3);
            matmul(moves.as_mut(), Accum::Replace, self.looked_at.as_ref(), own, 1.0, Par::Seq);
            let moved =
                (0..moves.nrows() / 3).map(|w| Matrix3::from_fn(|i, j| moves[(3 * w + i, j)]) * inverse);
            Some(Answers { is_apart: self.is_apart[pull], moved: moved.collect() })
        };
        (0..self.pulled.ncols() / 3).into_par_iter().filter_map(of).collect()
    }
}

/// The median over all pulls of the share of the vertices that follow by more than half.
fn median_share(answers: &[Answers]) -> f64 {
    let share = |answers: &Answers, axis: usize| {
        let follow = answers.moved.iter().filter(|moved| moved.column(axis).norm() > 0.5).count();
        follow as f64 / answers.moved.len() as f64
    };
    quantile(answers.iter().flat_map(|answers| (0..3).map(|axis| share(answers, axis))).collect(), 0.5)
}

/// A.
fn amplification(answers: &[Answers]) -> f64 {
    let farthest = |answers: &Answers| {
        let norms = answers.moved.iter().map(|moved| moved.singular_values()[0]);
        norms.fold(1.0, f64::max)
    };
    quantile(answers.iter().filter(|answers| answers.is_apart).map(farthest).collect(), 0.9)
}

/// Whether each of some vertices is farther from what is held than [`NEXT`]; all are where nothing is held, or where
/// none would be.
fn apart(vertices: &[VertexId], free: &FreeVertices, positions: &[Vec3]) -> Vec<bool> {
    let held: Vec<Vec3> = (0..positions.len())
        .map(VertexId::new)
        .filter(|v| free.index(*v).is_none())
        .map(|v| positions[v.index()])
        .collect();
    let least = NEXT * Aabb::around(positions).size().max();
    let is_apart = |v: &VertexId| held.iter().all(|p| (p - positions[v.index()]).norm() >= least);
    let apart: Vec<bool> = vertices.iter().map(is_apart).collect();
    if apart.contains(&true) { apart } else { vec![true; vertices.len()] }
}

/// The value below which the share `part` of all lies; 1 if there is none.
fn quantile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (part * (values.len().max(1) - 1) as f64).round() as usize;
    values.get(place).copied().unwrap_or(1.0)
}

/// At most `count` of some vertices, each as far from those before as can be.
fn spread_out(vertices: &[VertexId], positions: &[Vec3], count: usize) -> Vec<VertexId> {
    let mut nearest = vec![f64::INFINITY; vertices.len()];
    let mut chosen = Vec::new();
    let mut next = 0;
    while chosen.len() < count.min(vertices.len()) {
        let place = positions[vertices[next].index()];
        chosen.push(vertices[next]);
        let mut farthest = (0.0, 0);
        for (k, v) in vertices.iter().enumerate() {
            nearest[k] = nearest[k].min((positions[v.index()] - place).norm_squared());
            if nearest[k] > farthest.0 {
                farthest = (nearest[k], k);
            }
        }
        if farthest.0 == 0.0 {
            break;
        }
        next = farthest.1;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modes of a free string of n points, λ_k = 4 sin²(πk/2n), each along all three axes.
    fn string(n: usize) -> (Basis, Vec<Vec3>, Vec<f64>) {
        let positions: Vec<Vec3> = (0..n).map(|v| Vec3::new(v as f64, 0.0, 0.0)).collect();
        let angle = |k: usize| std::f64::consts::PI * k as f64 / n as f64;
        let eigenvalues: Vec<f64> = (0..3 * n).map(|c| 4.0 * (0.5 * angle(c / 3)).sin().powi(2)).collect();
        let shapes = Mat::from_fn(3 * n, 3 * n, |row, column| {
            let (v, k) = (row / 3, column / 3);
            let scale = if k == 0 { 1.0 } else { 2.0 } / n as f64;
            let same = f64::from(u8::from(row % 3 == column % 3));
            same * scale.sqrt() * (angle(k) * (v as f64 + 0.5)).cos()
        });
        (Basis::new(shapes, FreeVertices::all(n)), positions, eigenvalues)
    }

    #[test]
    fn the_share_asked_for_follows_whatever_the_units() {
        let (basis, positions, eigenvalues) = string(40);
        for spread in [0.1, 0.3, 0.7] {
            let found = Smoothness::new(&basis, &positions, &eigenvalues, spread);
            assert!((found.spread - spread).abs() < 0.06, "{spread}: {found:?}");
            assert!(found.amplification < 1.05, "{found:?}");
            let stiffer: Vec<f64> = eigenvalues.iter().map(|lambda| 1e6 * lambda).collect();
            let other = Smoothness::new(&basis, &positions, &stiffer, spread);
            assert!((other.cutoff / found.cutoff / 1e6 - 1.0).abs() < 1e-3, "{other:?}, {found:?}");
        }
    }

    #[test]
    fn more_of_the_body_follows_where_more_is_asked_for() {
        let (basis, positions, eigenvalues) = string(40);
        let at = |spread| Smoothness::new(&basis, &positions, &eigenvalues, spread).cutoff;
        assert!(at(0.1) > at(0.3) && at(0.3) > at(0.9));
        assert_eq!(variances(&[0.0, 1.0, 16.0], 1.0), [1.0, 0.5 / (1.0 + 1.0 / 16.0), 0.5 / 17.0]);
    }
}
