//! The loops over modes that everything here spends its time in, a few modes side by side.

use supple_numerics::simd;

/// Directions that are worked on side by side; rows of many directions are padded to a multiple of it.
pub(super) const LANES: usize = 4;

/// Adds maps N to three rows, N the nine rows of a place.
#[inline]
pub(super) fn add_combined(maps: &[[f64; 9]; 3], N: &[f64], stride: usize, sums: &mut [f64]) {
    simd::widest(
        #[inline(always)]
        || {
            for from in (0..stride).step_by(LANES) {
                let mut added = [[0.0; LANES]; 3];
                for b in 0..9 {
                    let n: [f64; LANES] = std::array::from_fn(|lane| N[b * stride + from + lane]);
                    for (added, row) in added.iter_mut().zip(maps) {
                        for lane in 0..LANES {
                            added[lane] += row[b] * n[lane];
                        }
                    }
                }
                for (i, added) in added.iter().enumerate() {
                    for (sum, added) in sums[i * stride + from..][..LANES].iter_mut().zip(added) {
                        *sum += added;
                    }
                }
            }
        },
    );
}

/// N z, z padded as the rows of N are.
#[inline]
pub(super) fn products(N: &[f64], z: &[f64]) -> [f64; 9] {
    simd::widest(
        #[inline(always)]
        || {
            std::array::from_fn(|b| {
                let mut sums = [0.0; LANES];
                let row = &N[b * z.len()..][..z.len()];
                for (n, z) in row.chunks_exact(LANES).zip(z.chunks_exact(LANES)) {
                    for lane in 0..LANES {
                        sums[lane] += n[lane] * z[lane];
                    }
                }
                (sums[0] + sums[1]) + (sums[2] + sums[3])
            })
        },
    )
}
