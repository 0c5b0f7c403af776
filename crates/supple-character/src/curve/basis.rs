//! The functions curves are made of, frame by frame.

use super::{CurveKind, CurveSettings, Support};

/// All functions of a kind, before those are dropped that do not vanish where they must.
pub(super) struct Raw {
    pub keys: usize,
    pub supports: Vec<Support>,
}

/// How many keys are dropped at a clamped end, so that the curve and its velocity vanish there.
fn at_an_end(kind: CurveKind) -> usize {
    match kind {
        CurveKind::Linear | CurveKind::Frames => 1,
        CurveKind::Cubic | CurveKind::BSpline | CurveKind::Hierarchical => 2,
    }
}

/// The functions of a curve over so many frames.
pub(super) fn raw(settings: &CurveSettings, frames: usize) -> Raw {
    let least = match settings.kind {
        CurveKind::Linear | CurveKind::Cubic => 2,
        CurveKind::BSpline | CurveKind::Hierarchical => 4,
        CurveKind::Frames => 1,
    };
    let ends = settings.clamped.iter().filter(|clamped| **clamped).count();
    let keys = (settings.keys + ends * at_an_end(settings.kind)).max(least);
    if settings.kind == CurveKind::Frames || keys >= frames {
        let supports = (0..frames).map(|f| Support { first: f, count: 1, weights: [1.0, 0.0, 0.0, 0.0] });
        return Raw { keys: frames, supports: supports.collect() };
    }
    let keys = if settings.kind == CurveKind::Hierarchical {
        super::hierarchical::rounded(keys, frames)
    } else {
        keys
    };
    let last = (frames - 1) as f64;
    let support = |f: usize| {
        let t = f as f64 / last;
        match settings.kind {
            CurveKind::Linear => linear(t, keys),
            CurveKind::Cubic => cubic(t, keys),
            _ => b_spline(t, keys),
        }
    };
    Raw { keys, supports: (0..frames).map(support).collect() }
}

/// Keys dropped at the start, and how many are left.
pub(super) fn dropped(settings: &CurveSettings, keys: usize, supports: &[Support]) -> (usize, usize) {
    // Where keys are as dense as frames, each is a function of its own.
    let each = if keys == supports.len() { 1 } else { at_an_end(settings.kind) };
    let [start, end] = settings.clamped.map(|clamped| if clamped { each } else { 0 });
    (start.min(keys), keys.saturating_sub(start + end))
}

/// A support in the numbers of the keys that are left.
pub(super) fn without(support: &mut Support, drop: usize, keys: usize) {
    let all = *support;
    *support = Support::default();
    for (k, weight) in all.iter().filter(|(k, _)| (drop..drop + keys).contains(k)) {
        if support.count == 0 {
            support.first = k - drop;
        }
        support.weights[support.count] = weight;
        support.count += 1;
    }
}

/// ℓ² times the second difference at every frame; beyond a clamped end the curve goes on as zero.
pub(super) fn stencils(settings: &CurveSettings, supports: &[Support]) -> Vec<Vec<(usize, f64)>> {
    let scale = settings.smoothing * settings.smoothing;
    let last = supports.len() as i64 - 1;
    let from = if settings.clamped[0] { -1 } else { 1 };
    let to = if settings.clamped[1] { last + 1 } else { last - 1 };
    let inside = |f: i64| usize::try_from(f).ok().and_then(|f| supports.get(f));
    (from..=to)
        .map(|f| {
            let mut row: Vec<(usize, f64)> = Vec::new();
            for (frame, factor) in [(f - 1, 1.0), (f, -2.0), (f + 1, 1.0)] {
                for (k, weight) in inside(frame).into_iter().flat_map(Support::iter) {
                    match row.iter_mut().find(|(l, _)| *l == k) {
                        Some((_, sum)) => *sum += scale * factor * weight,
                        None => row.push((k, scale * factor * weight)),
                    }
                }
            }
            row.sort_by_key(|(k, _)| *k);
            row
        })
        .collect()
}

/// The piece of a curve with so many pieces that t is in, and how far along.
fn piece(t: f64, pieces: usize) -> (usize, f64) {
    let u = t * pieces as f64;
    let i = (u.floor() as usize).min(pieces - 1);
    (i, u - i as f64)
}

fn linear(t: f64, keys: usize) -> Support {
    let (i, s) = piece(t, keys - 1);
    Support { first: i, count: 2, weights: [1.0 - s, s, 0.0, 0.0] }
}

/// Catmull and Rom's pieces; beyond the ends the curve goes straight on.
fn cubic(t: f64, keys: usize) -> Support {
    let (i, s) = piece(t, keys - 1);
    let (s2, s3) = (s * s, s * s * s);
    let w = [
        0.5 * (-s + 2.0 * s2 - s3),
        0.5 * (2.0 - 5.0 * s2 + 3.0 * s3),
        0.5 * (s + 4.0 * s2 - 3.0 * s3),
        0.5 * (s3 - s2),
    ];
    let first = i.saturating_sub(1);
    let mut support = Support { first, count: (i + 3).min(keys) - first, weights: [0.0; 4] };
    let mut add = |k: usize, weight: f64| support.weights[k - first] += weight;
    add(i, w[1]);
    add(i + 1, w[2]);
    if i > 0 {
        add(i - 1, w[0]);
    } else {
        add(i, 2.0 * w[0]);
        add(i + 1, -w[0]);
    }
    if i + 2 < keys {
        add(i + 2, w[3]);
    } else {
        add(i + 1, 2.0 * w[3]);
        add(i, -w[3]);
    }
    support
}

/// Cubic B-splines on even knots, four times at both ends (Cox and de Boor's recursion).
fn b_spline(t: f64, keys: usize) -> Support {
    let pieces = keys - 3;
    let (i, s) = piece(t, pieces);
    let u = i as f64 + s;
    let knot = |j: usize| (j.saturating_sub(3)).min(pieces) as f64;
    let span = i + 3;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    for degree in 1..4 {
        let mut saved = 0.0;
        for r in 0..degree {
            let (right, left) = (knot(span + r + 1) - u, u - knot(span + 1 + r - degree));
            let part = weights[r] / (right + left);
            weights[r] = saved + right * part;
            saved = left * part;
        }
        weights[degree] = saved;
    }
    Support { first: i, count: 4, weights }
}

/// Two-scale relation of the B-splines on half as many pieces: row k holds the coarse functions that key k of the fine
/// curve is made of. `fine` is the number of fine keys.
pub(super) fn refinement(fine: usize) -> Vec<Vec<(usize, f64)>> {
    let pieces = fine - 3;
    let coarse = pieces / 2;
    let knot = |j: usize, pieces: usize| (j.saturating_sub(3)).min(pieces) as f64;
    // The blossom of a coarse curve at three fine knots is the fine key; de Boor's algorithm on each unit key.
    (0..fine)
        .map(|k| {
            let arguments = [1, 2, 3].map(|r| knot(k + r, pieces) / 2.0);
            let middle = arguments[1].min(coarse as f64 - 0.5);
            let span = (middle.floor() as usize).min(coarse - 1) + 3;
            let mut rows = vec![];
            for unit in span - 3..=span {
                let mut points = [0.0; 4];
                points[unit + 3 - span] = 1.0;
                for (level, u) in arguments.iter().enumerate() {
                    for r in (level + 1..4).rev() {
                        let (a, b) = (knot(span - 3 + r, coarse), knot(span + r - level, coarse));
                        let s = (u - a) / (b - a);
                        points[r] = (1.0 - s) * points[r - 1] + s * points[r];
                    }
                }
                if points[3].abs() > 1e-15 {
                    rows.push((unit, points[3]));
                }
            }
            rows
        })
        .collect()
}
