//! Products with U, against sums written out.

use crate::warp::samples::{Random, apart};
use faer::Mat;
use supple_elastic::{Basis, FreeVertices};
use supple_model::VertexId;

/// Enough vertices for several tasks, some of them anchored.
fn sample(anchors: &[usize], modes: usize) -> (Basis, Mat<f64>) {
    let n = 1300;
    let anchors: Vec<VertexId> = anchors.iter().map(|v| VertexId::new(*v)).collect();
    let free = FreeVertices::except(n, &anchors).unwrap();
    let mut random = Random(7);
    let shapes = Mat::from_fn(3 * free.vertices().len(), modes, |_, _| random.next());
    let mut full = Mat::zeros(3 * n, modes);
    for (place, v) in free.vertices().iter().enumerate() {
        for k in 0..modes {
            for c in 0..3 {
                full[(3 * v.index() + c, k)] = shapes[(3 * place + c, k)];
            }
        }
    }
    (Basis::new(shapes, free), full)
}

fn samples() -> Vec<(Basis, Mat<f64>)> {
    let first: Vec<usize> = (0..600).collect();
    vec![sample(&[], 21), sample(&[0, 5, 511, 512, 1299], 40), sample(&first, 3)]
}

#[test]
fn products_are_what_sums_give() {
    for (basis, U) in samples() {
        let (rows, modes) = U.shape();
        assert_eq!((basis.vertices(), basis.modes()), (rows / 3, modes));
        let mut random = Random(13);
        let Z = Mat::from_fn(modes, 5, |_, _| random.next());
        let expected = &U * &Z;
        let mut many = vec![f64::NAN; rows * 5];
        basis.displacements(Z.as_ref(), &mut many);
        let display = basis.display();
        for k in 0..5 {
            let wanted = expected.col_as_slice(k);
            let mut one = vec![f64::NAN; rows];
            basis.displacement(Z.col_as_slice(k), &mut one);
            assert!(apart(&one, wanted) < 1e-13 && apart(&many[k * rows..][..rows], wanted) < 1e-13);
            display.displacement(Z.col_as_slice(k), &mut one);
            let error = apart(&one, wanted);
            assert!(error < 3e-6 && error > 1e-9, "{error}");
        }
        let Y = Mat::from_fn(rows, 6, |_, _| random.next());
        let projected = basis.project(Y.as_ref());
        assert!((projected - U.transpose() * &Y).norm_max() < 1e-11);
        let vertices = [(VertexId(3), 0.4), (VertexId(700), -1.5)];
        for (axis, row) in basis.row(&vertices).iter().enumerate() {
            for k in 0..modes {
                let wanted = 0.4 * U[(9 + axis, k)] - 1.5 * U[(2100 + axis, k)];
                assert!((row[k] - wanted).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (basis, U) = sample(&[4, 900], 40);
            let mut random = Random(19);
            let Z = Mat::from_fn(40, 3, |_, _| random.next());
            let mut out = vec![0.0; 5 * U.nrows()];
            let (many, rest) = out.split_at_mut(3 * U.nrows());
            let (one, shown) = rest.split_at_mut(U.nrows());
            basis.displacements(Z.as_ref(), many);
            basis.displacement(Z.col_as_slice(0), one);
            basis.display().displacement(Z.col_as_slice(1), shown);
            let J = basis.project(U.as_ref().subcols(0, 3));
            out.extend((0..3).flat_map(|k| J.col_as_slice(k).to_vec()));
            out
        })
    };
    let one = run(1);
    for threads in [2, 5] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}
