//! The loop over modes that edits of all places spend their time in, many modes side by side.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strains_are_products_of_matrices() {
        let (stations, stride) = (3, 2 * LANES);
        let number = |k: usize| ((k * 7 + 3) % 11) as f64 - 5.0;
        let N: Vec<f64> = (0..9 * stations * stride).map(number).collect();
        let z: Vec<f64> = (0..stride).map(|k| number(k + 4)).collect();
        let mut found = vec![[0.0; 9]; stations];
        strains(&N, &z, &mut found);
        for (row, found) in found.as_flattened().iter().enumerate() {
            let expected: f64 = (0..stride).map(|k| N[row * stride + k] * z[k]).sum();
            assert_eq!(*found, expected);
        }
    }
}
