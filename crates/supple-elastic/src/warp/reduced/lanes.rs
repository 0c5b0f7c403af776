//! The loops over modes that reading a site spends its time in, many modes side by side.

use supple_numerics::simd;

/// Modes that are worked on side by side; rows of modes are padded to a multiple of it.
pub(super) const LANES: usize = 16;

/// Overwrites `out` with N z for stations after one another, z padded as the rows of N are.
pub(super) fn strains(N: &[f64], z: &[f64], out: &mut [[f64; 9]]) {
    simd::widest(
        #[inline(always)]
        || {
            for (rows, out) in N.chunks_exact(9 * z.len()).zip(out) {
                for (row, out) in rows.chunks_exact(z.len()).zip(out) {
                    let mut sums = [0.0; LANES];
                    for (n, z) in row.chunks_exact(LANES).zip(z.chunks_exact(LANES)) {
                        for lane in 0..LANES {
                            sums[lane] += n[lane] * z[lane];
                        }
                    }
                    let mut width = LANES / 2;
                    while width > 0 {
                        for lane in 0..width {
                            sums[lane] += sums[lane + width];
                        }
                        width /= 2;
                    }
                    *out = sums[0];
                }
            }
        },
    );
}

/// Adds Σ_e M_e N_e to three rows, M three rows of nine numbers for each station.
pub(super) fn add_products(maps: &[[[f64; 9]; 3]], N: &[f64], stride: usize, rows: &mut [f64]) {
    simd::widest(
        #[inline(always)]
        || {
            for from in (0..stride).step_by(LANES) {
                let mut sums = [[0.0; LANES]; 3];
                for (map, N) in maps.iter().zip(N.chunks_exact(9 * stride)) {
                    for (b, row) in N.chunks_exact(stride).enumerate() {
                        let Some(n) = row[from..].first_chunk::<LANES>() else { continue };
                        for (sums, map) in sums.iter_mut().zip(map) {
                            for lane in 0..LANES {
                                sums[lane] += map[b] * n[lane];
                            }
                        }
                    }
                }
                for (row, sums) in rows.chunks_exact_mut(stride).zip(&sums) {
                    row[from..from + LANES].iter_mut().zip(sums).for_each(|(row, sum)| *row += sum);
                }
            }
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_matrices() {
        let (stations, stride) = (3, 2 * LANES);
        let number = |k: usize| ((k * 7 + 3) % 11) as f64 - 5.0;
        let N: Vec<f64> = (0..9 * stations * stride).map(number).collect();
        let z: Vec<f64> = (0..stride).map(|k| number(k + 4)).collect();
        let maps: Vec<[[f64; 9]; 3]> = (0..stations)
            .map(|e| [0, 1, 2].map(|i| std::array::from_fn(|b| number(e + 3 * i + b))))
            .collect();
        let mut found = vec![[0.0; 9]; stations];
        strains(&N, &z, &mut found);
        let mut rows = vec![1.0; 3 * stride];
        add_products(&maps, &N, stride, &mut rows);
        for (row, found) in found.as_flattened().iter().enumerate() {
            let expected: f64 = (0..stride).map(|k| N[row * stride + k] * z[k]).sum();
            assert_eq!(*found, expected);
        }
        for i in 0..3 {
            for k in 0..stride {
                let of = |e: usize| (0..9).map(|b| maps[e][i][b] * N[(9 * e + b) * stride + k]).sum::<f64>();
                assert_eq!(rows[i * stride + k], 1.0 + (0..stations).map(of).sum::<f64>());
            }
        }
    }
}
