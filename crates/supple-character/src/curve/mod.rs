//! Displacement curves: an edit over a range of frames by a few keys.
//!
//! > d(f) = Σ_k b_k(f) x_k,  b at most four keys wide,
//! > cost ½ Σ xᵀ (T ⊗ G) x,  T = diag(Bᵀ 1) + ℓ⁴ B̈ᵀ B̈
//!
//! T is what a curve costs in time, and G what a freedom costs in a frame (see `metric`). Each key costs for itself, as many
//! frames as are its (Gleicher 1997, Eq. 4): counted with their overlap, Bᵀ B, neighbours would take turns, and the figure
//! would draw back before and after every pull. ℓ > 0 is what keeps a curve with a key on every frame smooth.
//! `hierarchical` has the space of the B-spline and the cost of its wavelet coefficients, one by one.

mod basis;
mod hierarchical;

use basis::Raw;

/// What a displacement curve is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveKind {
    /// Straight between keys.
    Linear,
    /// Cubic pieces through the keys.
    Cubic,
    /// Cubic B-splines, which reach the keys at both ends.
    #[default]
    BSpline,
    /// The same curves, whose cost is counted coarse to fine.
    Hierarchical,
    /// A key on every frame.
    Frames,
}

/// What a curve is asked to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveSettings {
    /// What it is made of.
    pub kind: CurveKind,
    /// Its first and last frame.
    pub window: (usize, usize),
    /// Keys that may move; ignored where every frame has one.
    pub keys: usize,
    /// Whether the edit and its velocity vanish at the first and the last frame.
    pub clamped: [bool; 2],
    /// ℓ, in frames.
    pub smoothing: f64,
}

/// b(f): the keys a frame hangs on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Support {
    /// The first key.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// b_k.
    pub weights: [f64; 4],
}

impl Support {
    /// The keys and their weights.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.count).map(|i| (self.first + i, self.weights[i]))
    }
}

/// A displacement curve without its coefficients.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    first: usize,
    keys: usize,
    supports: Vec<Support>,
    bandwidth: usize,
    /// T, row by row: entries (k, k − bandwidth) … (k, k).
    cost: Vec<f64>,
}

impl Curve {
    /// A curve. One that has fewer frames than a key needs has a key on every frame.
    #[must_use]
    pub fn new(settings: &CurveSettings) -> Self {
        let frames = settings.window.1 + 1 - settings.window.0;
        let Raw { keys, mut supports } = basis::raw(settings, frames);
        let (drop, keys) = basis::dropped(settings, keys, &supports);
        for support in &mut supports {
            basis::without(support, drop, keys);
        }
        let mut bandwidth = supports.iter().map(|s| s.count.saturating_sub(1)).max().unwrap_or(0);
        let stencils =
            if settings.smoothing > 0.0 { basis::stencils(settings, &supports) } else { Vec::new() };
        for stencil in &stencils {
            if let (Some((a, _)), Some((b, _))) = (stencil.first(), stencil.last()) {
                bandwidth = bandwidth.max(b - a);
            }
        }
        if settings.kind == CurveKind::Hierarchical {
            bandwidth = keys.saturating_sub(1);
        }
        let bandwidth = bandwidth.min(keys.saturating_sub(1));
        let mut curve = Self {
            first: settings.window.0,
            keys,
            supports,
            bandwidth,
            cost: vec![0.0; keys * (bandwidth + 1)],
        };
        let overlaps: Vec<Vec<(usize, f64)>> = match settings.kind {
            CurveKind::Hierarchical => curve.supports.iter().map(|s| s.iter().collect()).collect(),
            _ => Vec::new(),
        };
        for row in overlaps.iter().chain(&stencils) {
            for (k, a) in row {
                for (l, b) in row.iter().filter(|(l, _)| l <= k) {
                    curve.cost[k * (bandwidth + 1) + bandwidth + l - k] += a * b;
                }
            }
        }
        if settings.kind != CurveKind::Hierarchical {
            for (k, weight) in curve.supports.iter().flat_map(Support::iter) {
                curve.cost[k * (bandwidth + 1) + bandwidth] += weight;
            }
        }
        if settings.kind == CurveKind::Hierarchical {
            hierarchical::cost(&mut curve.cost, keys);
        }
        curve
    }

    /// How many keys may move.
    #[must_use]
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// How far apart keys are that cost something together.
    #[must_use]
    pub fn bandwidth(&self) -> usize {
        self.bandwidth
    }

    /// Its first and last frame.
    #[must_use]
    pub fn window(&self) -> (usize, usize) {
        (self.first, self.first + self.supports.len() - 1)
    }

    /// The keys a frame hangs on; none outside of the window.
    #[must_use]
    pub fn support(&self, frame: usize) -> Support {
        let own = frame.checked_sub(self.first).and_then(|f| self.supports.get(f));
        own.copied().unwrap_or_default()
    }

    /// T at keys k and l.
    #[must_use]
    pub fn cost(&self, k: usize, l: usize) -> f64 {
        let (k, l) = (k.max(l), k.min(l));
        if k - l > self.bandwidth {
            0.0
        } else {
            self.cost[k * (self.bandwidth + 1) + self.bandwidth + l - k]
        }
    }

    /// d(f) of coefficients, `out.len()` numbers per key.
    pub fn at(&self, frame: usize, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let n = out.len();
        for (k, weight) in self.support(frame).iter() {
            out.iter_mut().zip(&x[k * n..(k + 1) * n]).for_each(|(d, x)| *d += weight * x);
        }
    }
}

#[cfg(test)]
mod tests;
