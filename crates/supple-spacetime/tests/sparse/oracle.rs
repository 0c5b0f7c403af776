//! The explicit spline basis of Schulz et al. 2014, Eq. 5 and 6: energy by quadrature, continuity and ends as constraints
//! whose null space is taken by SVD.

use super::{Case, DT, Finish};
use nalgebra::{Complex, DMatrix, DVector};
use supple_spacetime::{ModalState, Oscillator};

impl Case {
    /// Times of the knots in frames.
    fn knots(&self) -> Vec<f64> {
        let mut knots: Vec<f64> =
            self.keys.iter().map(|key| key.0).chain([0.0, self.frames as f64]).collect();
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    /// The motion by the coefficients of the spline basis: interval by interval, mode by mode, four each.
    pub fn oracle(&self) -> impl Fn(f64, usize) -> Vec<f64> + use<> {
        let (knots, r) = (self.knots(), self.modes.len());
        let intervals = knots.len() - 1;
        let on = |i: usize| self.modes.iter().map(move |mode| (*mode, i));
        let basis = |(mode, i): (Oscillator, usize)| Basis::new(mode, knots[i] * DT, knots[i + 1] * DT);
        let bases: Vec<Vec<Basis>> = (0..intervals).map(|i| on(i).map(basis).collect()).collect();
        let steady: Vec<f64> = self.modes.iter().zip(&self.load).map(|(m, f)| f / m.eigenvalue).collect();
        let spline = Spline { knots, bases, steady };
        let (H, g) = self.costs(&spline);
        let (C, b) = self.joints(&spline);
        let x = constrained(&H, &g, &C, &b);
        move |time: f64, order: usize| {
            let i = spline.knots.windows(2).position(|pair| time <= pair[1]).unwrap();
            let z = |k: usize| {
                let value = spline.bases[i][k].value(time * DT, order);
                let own: f64 = (0..4).map(|a| x[spline.place(i, k) + a] * value[a]).sum();
                own + if order == 0 { spline.steady[k] } else { 0.0 }
            };
            (0..r).map(z).collect()
        }
    }

    /// The force's cost and that of the keys: ½xᵀHx − gᵀx.
    fn costs(&self, spline: &Spline) -> (DMatrix<f64>, DVector<f64>) {
        let (n, r, intervals) = (spline.count(), self.modes.len(), spline.bases.len());
        let (mut H, mut g) = (DMatrix::zeros(n, n), DVector::zeros(n));
        for (i, k) in (0..intervals).flat_map(|i| (0..r).map(move |k| (i, k))) {
            for (x, weight) in gauss(spline.knots[i] * DT, spline.knots[i + 1] * DT) {
                // z̈ + 2δż + λz − F, of which F/λ is none.
                let f = spline.bases[i][k].forced(x);
                for (a, b) in (0..16).map(|ab| (ab / 4, ab % 4)) {
                    H[(spline.place(i, k) + a, spline.place(i, k) + b)] += weight * f[a] * f[b];
                }
            }
        }
        for (at, rows) in &self.keys {
            let i = spline.knots.iter().position(|knot| knot == at).unwrap().min(intervals - 1);
            for (list, order) in [(&rows.place, 0), (&rows.speed, 1)] {
                for (row, target, weight) in list {
                    let mut full = DVector::zeros(n);
                    let mut target = *target;
                    for k in 0..r {
                        full += spline.row(i, k, *at, order) * row[k];
                        target -= if order == 0 { row[k] * spline.steady[k] } else { 0.0 };
                    }
                    H += *weight * &full * full.transpose();
                    g += &full * (*weight * target);
                }
            }
        }
        (H, g)
    }

    /// Intervals meet in place and velocity, and the ends are as they are asked to be: Cx = b.
    fn joints(&self, spline: &Spline) -> (DMatrix<f64>, DVector<f64>) {
        let (knots, intervals) = (&spline.knots, spline.bases.len());
        let mut rows: Vec<(DVector<f64>, f64)> = Vec::new();
        for (k, order) in (0..self.modes.len()).flat_map(|k| [(k, 0), (k, 1)]) {
            let value = |i: usize, t: f64| spline.row(i, k, t, order);
            rows.extend((1..intervals).map(|i| (value(i, knots[i]) - value(i - 1, knots[i]), 0.0)));
            let (from, to) = (value(0, 0.0), value(intervals - 1, self.frames as f64));
            if self.end == Finish::Loop {
                rows.push((from - to, 0.0));
                continue;
            }
            let rest = if order == 0 { -spline.steady[k] } else { 0.0 };
            let given = |s: &ModalState| if order == 0 { s.position[k] } else { s.velocity[k] };
            rows.push((from, self.start.as_ref().map_or(0.0, given) + rest));
            if self.end == Finish::Rest {
                rows.push((to, rest));
            }
        }
        let C = DMatrix::from_fn(rows.len(), spline.count(), |i, j| rows[i].0[j]);
        (C, DVector::from_fn(rows.len(), |i, _| rows[i].1))
    }
}

/// The basis of all intervals and modes, about F/λ.
struct Spline {
    /// Frames.
    knots: Vec<f64>,
    bases: Vec<Vec<Basis>>,
    steady: Vec<f64>,
}

impl Spline {
    fn count(&self) -> usize {
        4 * self.steady.len() * self.bases.len()
    }

    /// Where the coefficients of a mode in an interval begin.
    fn place(&self, interval: usize, mode: usize) -> usize {
        4 * (interval * self.steady.len() + mode)
    }

    /// What reads a mode at a time, in frames.
    fn row(&self, interval: usize, mode: usize, time: f64, order: usize) -> DVector<f64> {
        let mut row = DVector::zeros(self.count());
        let values = self.bases[interval][mode].value(time * DT, order);
        row.rows_mut(self.place(interval, mode), 4).copy_from_slice(&values);
        row
    }
}

/// min ½xᵀHx − gᵀx, Cx = b, by the null space of C.
fn constrained(H: &DMatrix<f64>, g: &DVector<f64>, C: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let square = DMatrix::from_fn(C.ncols(), C.ncols(), |i, j| if i < C.nrows() { C[(i, j)] } else { 0.0 });
    let svd = square.svd(true, true);
    let (u, vt) = (svd.u.unwrap(), svd.v_t.unwrap());
    let most = svd.singular_values.max();
    let mut x = DVector::zeros(C.ncols());
    let mut free = Vec::new();
    for (k, s) in svd.singular_values.iter().enumerate() {
        let v = vt.row(k).transpose();
        if *s > 1e-11 * most {
            let ub: f64 = (0..C.nrows()).map(|i| u[(i, k)] * b[i]).sum();
            x += &v * (ub / s);
        } else {
            free.push(v);
        }
    }
    let N = DMatrix::from_columns(&free);
    let reduced = N.transpose() * H * &N;
    let right = N.transpose() * (g - H * &x);
    x + &N * reduced.svd(true, true).solve(&right, 1e-15).unwrap()
}

/// Four functions of one mode, each at most 1 on its interval.
struct Basis {
    /// e^{rt} from one of the ends, its real or imaginary part.
    parts: [(Complex<f64>, f64, bool); 4],
    mode: Oscillator,
}

impl Basis {
    fn new(mode: Oscillator, from: f64, to: f64) -> Self {
        let root = Complex::new(mode.delta * mode.delta - mode.eigenvalue, 0.0).sqrt();
        let d = Complex::new(mode.delta, 0.0);
        let part = |r: Complex<f64>, imaginary: bool| (r, if r.re > 0.0 { to } else { from }, imaginary);
        let parts = if root.im == 0.0 {
            [part(d + root, false), part(d - root, false), part(-d + root, false), part(-d - root, false)]
        } else {
            [part(d + root, false), part(d + root, true), part(-d + root, false), part(-d + root, true)]
        };
        Self { parts, mode }
    }

    /// The functions or a derivative of them.
    fn value(&self, t: f64, order: usize) -> [f64; 4] {
        self.parts.map(|(r, from, imaginary)| {
            let value = r.powu(order as u32) * (r * (t - from)).exp();
            if imaginary { value.im } else { value.re }
        })
    }

    /// f̈ + 2δḟ + λf.
    fn forced(&self, t: f64) -> [f64; 4] {
        let (f, d, dd) = (self.value(t, 0), self.value(t, 1), self.value(t, 2));
        std::array::from_fn(|a| dd[a] + 2.0 * self.mode.delta * d[a] + self.mode.eigenvalue * f[a])
    }
}

/// Gauss's rule of five points on each of 64 pieces.
fn gauss(from: f64, to: f64) -> Vec<(f64, f64)> {
    let rule = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (-0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let pieces = 64;
    let half = 0.5 * (to - from) / f64::from(pieces);
    let mut all = Vec::new();
    for piece in 0..pieces {
        let middle = from + (2.0 * f64::from(piece) + 1.0) * half;
        all.extend(rule.iter().map(|(x, w)| (middle + half * x, half * w)));
    }
    all
}
