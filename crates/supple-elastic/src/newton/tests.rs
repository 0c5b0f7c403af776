//! The minimiser on functions whose minima are known.

use super::{Gauge, Limits, Newton, Objective, Status, Value, norm};
use crate::FreeVertices;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress, VertexId};
use supple_numerics::sparse::{BlockMatrix, BlockPattern};

/// Row, column and value of entries of a matrix.
type Entries = Vec<(usize, usize, f64)>;

/// A function of the coordinates of a few vertices, its gradient, and the lower triangle of its Hessian.
struct Function {
    free: FreeVertices,
    value: fn(&[f64]) -> Vec<f64>,
    gradient: fn(&[f64]) -> Vec<f64>,
    hessian: fn(&[f64]) -> Entries,
}

impl Objective for Function {
    fn value(&mut self, u: &[f64]) -> Value {
        Value::of(&(self.value)(u))
    }

    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]) {
        self.free.gather(&(self.gradient)(u), gradient);
    }

    fn hessian(&mut self, u: &[f64], hessian: &mut BlockMatrix) {
        hessian.multiply(0.0);
        for (i, j, x) in (self.hessian)(u) {
            let (Some(a), Some(b)) =
                (self.free.index(VertexId::new(i / 3)), self.free.index(VertexId::new(j / 3)))
            else {
                continue;
            };
            let mut block = [[0.0; 3]; 3];
            block[i % 3][j % 3] = x;
            if a == b {
                block[j % 3][i % 3] = x;
            }
            hessian.add_block(a, b, &block);
        }
    }
}

fn newton(free: &FreeVertices) -> Newton {
    let n = free.vertices().len();
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let hessian = BlockMatrix::zeros(Arc::new(BlockPattern::new(n, pairs)));
    Newton::new(free.clone(), hessian, &vec![Vec3::zeros(); free.body_vertices()]).unwrap()
}

const LIMITS: Limits = Limits { gradient: 1e-10, iterations: 100 };

/// 100 (y − x²)² + (1 − x)² + z²: a bent valley, indefinite above it.
fn rosenbrock() -> Function {
    Function {
        free: FreeVertices::all(1),
        value: |u| vec![100.0 * (u[1] - u[0] * u[0]).powi(2), (1.0 - u[0]).powi(2), u[2] * u[2]],
        gradient: |u| {
            let bend = 200.0 * (u[1] - u[0] * u[0]);
            vec![-2.0 * bend * u[0] - 2.0 * (1.0 - u[0]), bend, 2.0 * u[2]]
        },
        hessian: |u| {
            let xx = 1200.0 * u[0] * u[0] - 400.0 * u[1] + 2.0;
            vec![(0, 0, xx), (1, 0, -400.0 * u[0]), (1, 1, 200.0), (2, 2, 2.0)]
        },
    }
}

#[test]
fn it_follows_a_bent_valley_downhill_all_the_way() {
    let mut function = rosenbrock();
    for start in [[-1.2, 1.0, 0.5], [0.0, 3.0, 1.0]] {
        let mut u = start.to_vec();
        let outcome =
            newton(&function.free).minimise(&mut function, &mut u, LIMITS, &Progress::silent()).unwrap();
        assert_eq!(outcome.status, Status::Converged);
        assert!((u[0] - 1.0).abs() + (u[1] - 1.0).abs() + u[2].abs() < 1e-10, "{u:?}");
        assert!(outcome.values.windows(2).all(|w| w[1] < w[0]), "{:?}", outcome.values);
        assert_eq!(outcome.values.len(), outcome.iterations + 1);
        // At (0, 3) the Hessian has an entry of −1198.
        assert_eq!(outcome.shifted, start[1] > 2.0);
        assert_eq!(outcome.factorizations > outcome.iterations, start[1] > 2.0);
    }
}

#[test]
fn it_leaves_a_saddle_by_the_shift() {
    // x⁴ − 2x² + y² + z² has its minima at x = ±1; x = 0.1 lies on the hill between.
    let mut function = Function {
        free: FreeVertices::all(1),
        value: |u| vec![u[0].powi(4), -2.0 * u[0] * u[0], u[1] * u[1], u[2] * u[2]],
        gradient: |u| vec![4.0 * u[0].powi(3) - 4.0 * u[0], 2.0 * u[1], 2.0 * u[2]],
        hessian: |u| vec![(0, 0, 12.0 * u[0] * u[0] - 4.0), (1, 1, 2.0), (2, 2, 2.0)],
    };
    let mut u = vec![0.1, 1.0, -1.0];
    let outcome =
        newton(&function.free).minimise(&mut function, &mut u, LIMITS, &Progress::silent()).unwrap();
    assert_eq!(outcome.status, Status::Converged);
    assert!((u[0] - 1.0).abs() < 1e-9 && outcome.shifted);
}

#[test]
fn it_says_when_rounding_is_all_that_is_left() {
    // A gradient that is noise below 1e-3.
    let mut function = Function {
        free: FreeVertices::all(1),
        value: |u| vec![1e8 * (u[0].exp() - u[0]), u[1] * u[1], u[2] * u[2]],
        gradient: |u| {
            vec![1e8 * (u[0].exp() - 1.0) + 1e-3 * (1e13 * u[0] + 1.0).sin(), 2.0 * u[1], 2.0 * u[2]]
        },
        hessian: |u| vec![(0, 0, 1e8 * u[0].exp()), (1, 1, 2.0), (2, 2, 2.0)],
    };
    let mut u = vec![0.7, 0.0, 0.0];
    let limits = Limits { gradient: 0.0, iterations: 100 };
    let outcome =
        newton(&function.free).minimise(&mut function, &mut u, limits, &Progress::silent()).unwrap();
    assert_eq!(outcome.status, Status::Rounding);
    assert!(u[0].abs() < 1e-10 && outcome.residual < 2e-3 && outcome.iterations < 20, "{outcome:?}");
}

#[test]
fn what_has_no_minimum_diverges_or_runs_out() {
    // −x falls for ever; its Hessian is the shift alone.
    let mut function = Function {
        free: FreeVertices::all(1),
        value: |u| vec![-u[0], u[1] * u[1], u[2] * u[2]],
        gradient: |u| vec![-1.0, 2.0 * u[1], 2.0 * u[2]],
        hessian: |_| vec![(0, 0, 0.0), (1, 1, 2.0), (2, 2, 2.0)],
    };
    let mut u = vec![0.0; 3];
    let outcome =
        newton(&function.free).minimise(&mut function, &mut u, LIMITS, &Progress::silent()).unwrap();
    assert_eq!((outcome.status, outcome.iterations), (Status::Unfinished, 100));
    let mut nan = rosenbrock();
    nan.gradient = |_| vec![f64::NAN; 3];
    let outcome = newton(&nan.free).minimise(&mut nan, &mut u, LIMITS, &Progress::silent()).unwrap();
    assert_eq!(outcome.status, Status::Diverged);
}

#[test]
fn anchored_vertices_stay_and_cancelling_works() {
    let mut function = Function { free: FreeVertices::except(2, &[VertexId(1)]).unwrap(), ..pair() };
    let mut u = vec![3.0, 0.0, 0.0, 0.5, 0.25, 0.0];
    let mut newton = newton(&function.free);
    newton.minimise(&mut function, &mut u, LIMITS, &Progress::silent()).unwrap();
    assert_eq!(u[3..], [0.5, 0.25, 0.0]);
    assert!((u[0] + 0.5).abs() < 1e-9 && (u[1] - 0.25).abs() < 1e-9, "{u:?}");
    let progress = Progress::silent();
    progress.cancel();
    u[0] = 2.0;
    assert_eq!(newton.minimise(&mut function, &mut u, LIMITS, &progress).unwrap_err(), Cancelled);
}

/// ½ |b − a − (1, 0, 0)|² − a_y: two vertices joined by a spring, and a force that would send them off.
fn pair() -> Function {
    Function {
        free: FreeVertices::all(2),
        value: |u| {
            let d = [u[3] - u[0] - 1.0, u[4] - u[1], u[5] - u[2]];
            vec![0.5 * d.iter().map(|d| d * d).sum::<f64>()]
        },
        gradient: |u| {
            let d = [u[3] - u[0] - 1.0, u[4] - u[1], u[5] - u[2]];
            vec![-d[0], -d[1], -d[2], d[0], d[1], d[2]]
        },
        hessian: |_| {
            let diagonal = (0..6).map(|i| (i, i, 1.0));
            diagonal.chain((0..3).map(|i| (i + 3, i, -1.0))).collect()
        },
    }
}

#[test]
fn a_gauge_keeps_the_weighted_mean_and_leaves_forces_out_that_only_push() {
    // Masses 1 and 3: three motions, all of them shifts.
    let masses = [1.0, 3.0];
    let motion = |c: usize| (0..6).map(|i| if i % 3 == c { 0.5 } else { 0.0 }).collect();
    let gauge = Gauge::new(vec![0, 0], &masses, &[(0..3).map(motion).collect()]).unwrap();
    assert_eq!(gauge.count(), 3);
    let mut push = vec![1.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    gauge.project(&mut push);
    assert!(norm(&push) < 1e-15, "a push by mass is all removed: {push:?}");

    let mut function = pair();
    function.value = |u| {
        let d = [u[3] - u[0] - 1.0, u[4] - u[1], u[5] - u[2]];
        vec![0.5 * d.iter().map(|d| d * d).sum::<f64>(), -u[1]]
    };
    function.gradient = |u| {
        let d = [u[3] - u[0] - 1.0, u[4] - u[1], u[5] - u[2]];
        vec![-d[0], -d[1] - 1.0, -d[2], d[0], d[1], d[2]]
    };
    let mut newton = newton(&function.free);
    newton.set_gauge(Some(Arc::new(gauge)));
    let mut u = vec![0.0; 6];
    let outcome = newton.minimise(&mut function, &mut u, LIMITS, &Progress::silent()).unwrap();
    assert_eq!((outcome.status, outcome.iterations), (Status::Converged, 1));
    // The spring is one long; of the unit force on the first a quarter is its share of the push.
    let expected = [-0.75, 0.5625, 0.0, 0.25, -0.1875, 0.0];
    assert!(u.iter().zip(expected).all(|(u, e)| (u - e).abs() < 1e-12), "{u:?}");
}
