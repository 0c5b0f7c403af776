//! The eigensolver against closed forms, a dense solver and itself on other thread counts.

use faer::Mat;
use std::f64::consts::PI;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::{Cancelled, Progress, ProgressSink};
use supple_numerics::eigen::{EigenError, EigenPairs, lowest};
use supple_numerics::sparse::{Assembly, BlockMatrix};

/// A box lattice of unit masses; neighbours are coupled by k in every coordinate, which therefore do
/// not mix. Free ends.
fn lattice(size: [usize; 3], k: [f64; 3]) -> (BlockMatrix, Vec<f64>) {
    copies_of(size, k, 1)
}

/// Several such lattices, not coupled to each other.
fn copies_of(size: [usize; 3], k: [f64; 3], copies: usize) -> (BlockMatrix, Vec<f64>) {
    let index = |p: [usize; 3]| p[0] + size[0] * (p[1] + size[1] * p[2]);
    let n: usize = size.iter().product();
    let mut springs = Vec::new();
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                for axis in 0..3 {
                    let mut q = [x, y, z];
                    q[axis] += 1;
                    if q[axis] < size[axis] {
                        springs.push([Some(index([x, y, z])), Some(index(q))]);
                    }
                }
            }
        }
    }
    let block =
        |sign: f64| std::array::from_fn(|r| std::array::from_fn(|c| if r == c { sign * k[r] } else { 0.0 }));
    let blocks: Vec<[[f64; 3]; 3]> =
        springs.iter().flat_map(|_| [block(1.0), block(-1.0), block(1.0)]).collect();
    let springs: Vec<[Option<usize>; 2]> = (0..copies)
        .flat_map(|copy| springs.iter().map(move |s| s.map(|v| v.map(|v: usize| v + n * copy))))
        .collect();
    let blocks = blocks.repeat(copies);
    let n = n * copies;
    let assembly = Assembly::new(n, springs.iter());
    let mut matrix = assembly.zeros();
    assembly.sum(&blocks, &mut matrix);
    (matrix, vec![1.0; n])
}

/// Its eigenvalues: k_c Σ_axis 4 sin²(π m / 2 size), m < size, for every coordinate c. Ascending.
fn lattice_values(size: [usize; 3], k: [f64; 3]) -> Vec<f64> {
    let line = |n: usize| (0..n).map(move |m| 4.0 * (PI * m as f64 / (2 * n) as f64).sin().powi(2));
    let mut values = Vec::new();
    for k in k {
        for x in line(size[0]) {
            for y in line(size[1]) {
                values.extend(line(size[2]).map(|z| k * (x + y + z)));
            }
        }
    }
    values.sort_by(f64::total_cmp);
    values
}

fn check(pairs: &EigenPairs, stiffness: &BlockMatrix, mass: &[f64], expected: &[f64]) {
    let largest = expected.iter().copied().fold(0.0, f64::max);
    for (k, (value, expected)) in pairs.values.iter().zip(expected).enumerate() {
        assert!((value - expected).abs() <= 1e-9 * expected + 1e-12 * largest, "{k}: {value} {expected}");
    }
    let certificate = &pairs.certificate;
    assert_eq!(certificate.found, certificate.counted);
    assert!(certificate.counted >= pairs.values.len());
    assert!(certificate.residuals.iter().all(|&r| r <= 1e-8), "{:?}", certificate.residuals);
    assert!(certificate.orthonormality <= 1e-8);
    // The certificate itself, by an independent computation.
    let n = stiffness.dim();
    let mut kx = vec![0.0; n];
    for (k, value) in pairs.values.iter().enumerate() {
        let x = pairs.vectors.col_as_slice(k);
        stiffness.mul(x, &mut kx);
        let error: f64 = (0..n).map(|i| (kx[i] - value * mass[i / 3] * x[i]).powi(2)).sum();
        let size: f64 = kx.iter().map(|v| v * v).sum();
        assert!(error.sqrt() <= 1e-8 * size.sqrt() + 1e-12 * largest, "mode {k}");
        let length: f64 = (0..n).map(|i| mass[i / 3] * x[i] * x[i]).sum();
        assert!((length - 1.0).abs() < 1e-8);
    }
}

#[test]
fn a_lattice_has_its_closed_form_spectrum_dense_and_sliced() {
    for (size, count) in [([5, 4, 3], 180), ([12, 9, 7], 40), ([12, 9, 7], 700)] {
        let k = [1.0, 1.3, 2.1];
        let (stiffness, mass) = lattice(size, k);
        let pairs = lowest(&stiffness, &mass, None, count, &Progress::silent()).unwrap();
        assert_eq!(pairs.values.len(), count);
        check(&pairs, &stiffness, &mass, &lattice_values(size, k)[..count]);
        assert_eq!(pairs.values.iter().filter(|&&v| v == 0.0).count(), 3, "three translations");
    }
}

#[test]
fn repeated_eigenvalues_come_out_whole() {
    // A cube with equal springs: multiplicities up to 18.
    let (size, k) = ([8, 8, 8], [1.0; 3]);
    let (stiffness, mass) = lattice(size, k);
    for count in [60, 400] {
        let pairs = lowest(&stiffness, &mass, None, count, &Progress::silent()).unwrap();
        check(&pairs, &stiffness, &mass, &lattice_values(size, k)[..count]);
    }
}

#[test]
fn every_mode_of_a_system_can_be_had() {
    let (size, k) = ([9, 8, 5], [1.0, 1.7, 0.4]);
    let (stiffness, mass) = lattice(size, k);
    let count = stiffness.dim();
    assert!(count > 1000, "beyond what is solved densely");
    let pairs = lowest(&stiffness, &mass, None, count, &Progress::silent()).unwrap();
    check(&pairs, &stiffness, &mass, &lattice_values(size, k));
    assert_eq!(pairs.certificate.counted, count);
}

#[test]
fn uneven_masses_agree_with_a_dense_solver() {
    let (stiffness, _) = lattice([11, 7, 5], [1.0, 1.3, 2.1]);
    let n = stiffness.dim();
    let mass: Vec<f64> = (0..n / 3).map(|v| 1.0 + (v * 37 % 101) as f64 / 20.0).collect();
    let dense = stiffness.to_dense();
    let scaled = Mat::from_fn(n, n, |i, j| dense[(i, j)] / (mass[i / 3] * mass[j / 3]).sqrt());
    let expected = scaled.self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
    let positions: Vec<[f64; 3]> =
        (0..n / 3).map(|v| [(v % 11) as f64, (v / 11 % 7) as f64, (v / 77) as f64]).collect();
    let pairs = lowest(&stiffness, &mass, Some(&positions), 300, &Progress::silent()).unwrap();
    check(&pairs, &stiffness, &mass, &expected[..300]);
}

#[test]
fn the_same_bits_on_any_number_of_threads_and_signs_are_canonical() {
    let (stiffness, mass) = lattice([12, 9, 7], [1.0, 1.3, 2.1]);
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| lowest(&stiffness, &mass, None, 420, &Progress::silent()).unwrap())
    };
    let one = solve(1);
    for threads in [2, 5] {
        let other = solve(threads);
        assert_eq!(one.values, other.values);
        assert!(one.vectors == other.vectors);
        assert_eq!(one.certificate, other.certificate);
    }
    for k in 0..420 {
        let x = one.vectors.col_as_slice(k);
        let largest = x.iter().map(|v| v.abs()).fold(0.0, f64::max);
        let first = x.iter().find(|v| v.abs() >= (1.0 - 1e-6) * largest).unwrap();
        assert!(*first > 0.0);
    }
}

#[test]
fn wrong_requests_are_named() {
    let (stiffness, mut mass) = lattice([3, 3, 3], [1.0; 3]);
    let ask = |mass: &[f64], count| lowest(&stiffness, mass, None, count, &Progress::silent()).unwrap_err();
    let error = ask(&mass, 82);
    assert_eq!(error.to_string(), "82 modes requested, but the body has only 81 degrees of freedom");
    assert_eq!(ask(&mass, 0), EigenError::None);
    mass[4] = 0.0;
    assert_eq!(ask(&mass, 5), EigenError::BadMatrix { row: 4 });
    mass[4] = f64::NAN;
    assert_eq!(ask(&mass, 5), EigenError::BadMatrix { row: 4 });
}

/// Cancels at its n-th report.
struct CancelAt(AtomicUsize, std::sync::OnceLock<Progress>);

impl ProgressSink for CancelAt {
    fn update(&self, _: &str, fraction: f64) {
        assert!((0.0..=1.0).contains(&fraction));
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.1.get().expect("set before the work starts").cancel();
        }
    }
}

#[test]
fn work_can_be_cancelled_wherever_it_is() {
    let (stiffness, mass) = lattice([12, 9, 7], [1.0, 1.3, 2.1]);
    for reports in [1, 5, 40, 80] {
        let sink = Arc::new(CancelAt(AtomicUsize::new(reports), std::sync::OnceLock::new()));
        let progress = Progress::new(sink.clone());
        sink.1.set(progress.clone()).ok().unwrap();
        let result = lowest(&stiffness, &mass, None, 500, &progress);
        assert_eq!(result.unwrap_err(), EigenError::Cancelled(Cancelled), "after {reports} reports");
    }
}

#[test]
fn many_equal_pieces_have_every_mode_as_often_as_there_are_pieces() {
    // Thirty loose copies of one lattice: every eigenvalue thirty times, more than any block holds.
    let (size, k, copies) = ([5, 3, 2], [1.0, 1.3, 2.1], 30);
    let piece = lattice_values(size, k);
    let mut expected: Vec<f64> = piece.iter().flat_map(|v| std::iter::repeat_n(*v, copies)).collect();
    expected.truncate(240);
    let (stiffness, mass) = copies_of(size, k, copies);
    let pairs = lowest(&stiffness, &mass, None, 240, &Progress::silent()).unwrap();
    check(&pairs, &stiffness, &mass, &expected);
}
