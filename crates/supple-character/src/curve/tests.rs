use super::*;

fn settings(kind: CurveKind) -> CurveSettings {
    CurveSettings { kind, window: (5, 44), keys: 8, clamped: [false; 2], smoothing: 0.0 }
}

const KEYED: [CurveKind; 4] =
    [CurveKind::Linear, CurveKind::Cubic, CurveKind::BSpline, CurveKind::Hierarchical];

/// Constant and straight coefficients give constant and straight curves (for B-splines: at Greville's places).
#[test]
fn curves_reproduce_constants_and_lines() {
    for kind in KEYED {
        let curve = Curve::new(&settings(kind));
        let n = curve.keys();
        let knot = |j: usize| (j.saturating_sub(3)).min(n - 3) as f64 / (n - 3) as f64;
        let place = |k: usize| match kind {
            CurveKind::Linear | CurveKind::Cubic => k as f64 / (n - 1) as f64,
            _ => (knot(k + 1) + knot(k + 2) + knot(k + 3)) / 3.0,
        };
        let x: Vec<f64> = (0..n).flat_map(|k| [1.0, place(k)]).collect();
        for f in 5..=44 {
            let mut d = [0.0; 2];
            curve.at(f, &x, &mut d);
            assert!((d[0] - 1.0).abs() < 1e-14, "{kind:?} {f} {d:?}");
            assert!((d[1] - (f - 5) as f64 / 39.0).abs() < 1e-13, "{kind:?} {f} {d:?}");
        }
    }
}

/// Where an end is clamped the edit vanishes, and so does its velocity as far as the kind has one.
#[test]
fn clamped_curves_vanish_at_their_ends_and_outside() {
    for kind in KEYED.into_iter().chain([CurveKind::Frames]) {
        let curve = Curve::new(&CurveSettings { clamped: [true; 2], ..settings(kind) });
        let x: Vec<f64> = (0..curve.keys()).map(|k| 1.0 + k as f64).collect();
        let at = |f: usize| {
            let mut d = [0.0];
            curve.at(f, &x, &mut d);
            d[0]
        };
        assert_eq!([at(4), at(5), at(44), at(45)], [0.0; 4], "{kind:?}");
        assert!(at(20) > 0.5);
        if !matches!(kind, CurveKind::Linear | CurveKind::Frames) {
            // It leaves zero like f², not like f.
            let window = (5, 1004);
            let curve = Curve::new(&CurveSettings { clamped: [true; 2], window, ..settings(kind) });
            let x = vec![1.0; curve.keys()];
            let at = |f: usize| {
                let mut d = [0.0];
                curve.at(f, &x, &mut d);
                d[0]
            };
            for (near, far) in [(6, 7), (1003, 1002)] {
                let ratio = at(far) / at(near);
                assert!((3.5..4.1).contains(&ratio), "{kind:?} {ratio}");
            }
        }
    }
}

/// xᵀ T x is the sum of squares of the keys, each for its frames, and of second differences of the curve.
#[test]
fn the_cost_is_what_the_curve_adds_up_to() {
    for kind in [CurveKind::Linear, CurveKind::Cubic, CurveKind::BSpline, CurveKind::Frames] {
        for clamped in [[false; 2], [true, false], [true; 2]] {
            let curve = Curve::new(&CurveSettings { clamped, smoothing: 1.7, ..settings(kind) });
            let x: Vec<f64> = (0..curve.keys()).map(|k| (k as f64 * 1.3).sin()).collect();
            let at = |f: i64| {
                let mut d = [0.0];
                if let Ok(f) = usize::try_from(f) {
                    curve.at(f, &x, &mut d);
                }
                d[0]
            };
            let (from, to) = (if clamped[0] { 4 } else { 6 }, if clamped[1] { 45 } else { 43 });
            let own = |f: usize| curve.support(f).iter().map(|(k, b)| b * x[k] * x[k]).sum::<f64>();
            let square: f64 = (5..=44).map(own).sum();
            let bend: f64 = (from..=to).map(|f| (at(f + 1) - 2.0 * at(f) + at(f - 1)).powi(2)).sum();
            let expected = square + 1.7_f64.powi(4) * bend;
            let n = curve.keys();
            let cost: f64 = (0..n)
                .flat_map(|k| (0..n).map(move |l| (k, l)))
                .map(|(k, l)| x[k] * curve.cost(k, l) * x[l])
                .sum();
            assert!((cost - expected).abs() < 1e-11 * expected, "{kind:?} {clamped:?} {cost} {expected}");
        }
    }
}

/// The least edit that moves one frame: it drew back before and after it.
#[test]
fn an_edit_comes_and_goes_once() {
    for kind in [CurveKind::Linear, CurveKind::BSpline] {
        let curve = Curve::new(&settings(kind));
        // x = T⁻¹ bᵀ, T being diagonal.
        let mut x = vec![0.0; curve.keys()];
        curve.support(24).iter().for_each(|(k, b)| x[k] = b / curve.cost(k, k));
        let at = |f: usize| {
            let mut d = [0.0];
            curve.at(f, &x, &mut d);
            d[0]
        };
        let values: Vec<f64> = (5..=44).map(at).collect();
        let peaks = values.windows(3).filter(|v| v[0] < v[1] && v[1] > v[2]).count();
        assert!(peaks == 1 && values.iter().all(|value| *value >= 0.0), "{kind:?}: {values:?}");
        assert!(at(24) > 0.0 && (0..curve.keys()).all(|k| (0..k).all(|l| curve.cost(k, l) == 0.0)));
    }
}

/// The coarse curve on fine keys is the same curve.
#[test]
fn refinement_keeps_the_curve() {
    for pieces in [4, 6, 8, 16] {
        let rows = basis::refinement(pieces + 3);
        let curve = |keys: usize| {
            Curve::new(&CurveSettings {
                kind: CurveKind::BSpline,
                window: (0, 60),
                keys,
                clamped: [false; 2],
                smoothing: 0.0,
            })
        };
        let coarse: Vec<f64> = (0..pieces / 2 + 3).map(|k| (k as f64 * 0.9).cos()).collect();
        let fine: Vec<f64> = rows.iter().map(|row| row.iter().map(|(c, w)| w * coarse[*c]).sum()).collect();
        for f in 0..=60 {
            let (mut a, mut b) = ([0.0], [0.0]);
            curve(pieces / 2 + 3).at(f, &coarse, &mut a);
            curve(pieces + 3).at(f, &fine, &mut b);
            assert!((a[0] - b[0]).abs() < 1e-13, "{pieces} {f}: {} {}", a[0], b[0]);
        }
    }
}

/// A wide bump costs less next to a narrow one than it does key by key.
#[test]
fn coarse_to_fine_wide_changes_are_cheap() {
    let of = |kind| Curve::new(&CurveSettings { keys: 19, ..settings(kind) });
    let (plain, levels) = (of(CurveKind::BSpline), of(CurveKind::Hierarchical));
    let cost = |curve: &Curve, x: &dyn Fn(usize) -> f64| -> f64 {
        let n = curve.keys();
        (0..n).flat_map(|k| (0..n).map(move |l| (k, l))).map(|(k, l)| x(k) * curve.cost(k, l) * x(l)).sum()
    };
    assert_eq!(plain.keys(), levels.keys());
    let wide = |_: usize| 1.0;
    let narrow = |k: usize| f64::from(k == 9);
    let ratio = |curve: &Curve| cost(curve, &wide) / cost(curve, &narrow);
    assert!(ratio(&levels) < ratio(&plain), "{} {}", ratio(&levels), ratio(&plain));
}
