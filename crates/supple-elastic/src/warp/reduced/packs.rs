//! Places of a cubature in packs, a few side by side: what reading a site spends its time in.
//!
//! With N_e the nine rows of place e, s_e = N_e z is what an edit is there, Δ_e the change it asks for and C_e what a site
//! makes of that:
//!
//! > y = Σ_e C_e : Δ_e(s_e), ∂y/∂z = Σ_e (∂(C_e : Δ_e)/∂s) N_e.
//!
//! Every number of a place is kept beside those of its neighbours, and each step is done for all places of a pack at once.
//! The last pack is filled up with places that ask for nothing.

use super::super::target::{Stand, Turning};
use super::stations::Stations;
use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_numerics::{rotation, simd};

/// Places of a pack.
pub(super) const SIDE: usize = 8;
/// Numbers of a pack whose sums fit into the registers together.
const PART: usize = 3;
/// Modes whose sums do.
const MODES: usize = 2;

/// A number of each place of a pack.
pub(super) type Pack = [f64; SIDE];
/// ∂y/∂s of a pack: a row for each coordinate.
pub(super) type Maps = [[Pack; 9]; 3];

/// N of all packs: mode by mode, nine numbers each.
#[derive(Debug)]
pub(super) struct PackedRows {
    modes: usize,
    numbers: Vec<[Pack; 9]>,
}

impl PackedRows {
    pub fn of(stations: &Stations) -> Self {
        let (modes, stride) = (stations.modes(), stations.stride());
        let mut numbers = vec![[[0.0; SIDE]; 9]; modes * stations.count().div_ceil(SIDE)];
        for e in 0..stations.count() {
            let pack = &mut numbers[modes * (e / SIDE)..][..modes];
            for (b, row) in stations.rows(e).chunks_exact(stride).enumerate() {
                pack.iter_mut().zip(row).for_each(|(number, x)| number[b][e % SIDE] = *x);
            }
        }
        Self { modes, numbers }
    }

    /// s of all packs.
    pub fn strains(&self, z: &[f64]) -> Vec<[Pack; 9]> {
        let mut found = vec![[[0.0; SIDE]; 9]; self.numbers.len() / self.modes.max(1)];
        simd::widest(
            #[inline(always)]
            || {
                for (numbers, out) in self.numbers.chunks_exact(self.modes.max(1)).zip(&mut found) {
                    for (part, out) in out.chunks_exact_mut(PART).enumerate() {
                        let mut sums = [[0.0; SIDE]; PART];
                        for (n, z) in numbers.iter().zip(z) {
                            for (sum, n) in sums.iter_mut().zip(&n[PART * part..]) {
                                for lane in 0..SIDE {
                                    sum[lane] += n[lane] * z;
                                }
                            }
                        }
                        out.copy_from_slice(&sums);
                    }
                }
            },
        );
        found
    }

    /// Σ_e M_e N_e: three rows of a number for each mode, one after the other.
    pub fn products(&self, maps: &[Maps]) -> Vec<f64> {
        let mut rows = vec![0.0; 3 * self.modes];
        simd::widest(
            #[inline(always)]
            || {
                let even = self.modes - self.modes % MODES;
                for from in (0..even).step_by(MODES) {
                    let found = self.of_modes::<MODES>(maps, from);
                    for (k, i) in (0..MODES).flat_map(|k| [(k, 0), (k, 1), (k, 2)]) {
                        rows[i * self.modes + from + k] = found[k][i];
                    }
                }
                for from in even..self.modes {
                    let [found] = self.of_modes::<1>(maps, from);
                    (0..3).for_each(|i| rows[i * self.modes + from] = found[i]);
                }
            },
        );
        rows
    }

    /// The same of K modes.
    #[inline(always)]
    fn of_modes<const K: usize>(&self, maps: &[Maps], from: usize) -> [[f64; 3]; K] {
        let mut sums = [[[0.0; SIDE]; 3]; K];
        for (map, numbers) in maps.iter().zip(self.numbers.chunks_exact(self.modes.max(1))) {
            let Some(numbers) = numbers[from..].first_chunk::<K>() else { continue };
            for b in 0..9 {
                for (sums, n) in sums.iter_mut().zip(numbers) {
                    for (sum, map) in sums.iter_mut().zip(map) {
                        for lane in 0..SIDE {
                            sum[lane] += map[b][lane] * n[b][lane];
                        }
                    }
                }
            }
        }
        sums.map(|rows| rows.map(|pack| total(&pack)))
    }
}

/// How a frame has all packs.
#[derive(Debug)]
pub(super) struct PackedStands {
    turning: Turning,
    numbers: Vec<[Pack; 30]>,
}

impl PackedStands {
    /// Of places that all turn on alike.
    pub fn of(stands: &[Stand], turning: Turning) -> Self {
        let mut numbers = vec![[[0.0; SIDE]; 30]; stands.len().div_ceil(SIDE)];
        for (e, stand) in stands.iter().enumerate() {
            let pack = &mut numbers[e / SIDE];
            pack.iter_mut().zip(stand.numbers()).for_each(|(pack, x)| pack[e % SIDE] = x);
        }
        Self { turning, numbers }
    }
}

/// What a site makes of the changes of all packs: C, three matrices for every place.
#[derive(Debug)]
pub(super) struct PackedPulls(Vec<[[Pack; 9]; 3]>);

impl PackedPulls {
    pub fn of(pulls: &[[Matrix3<f64>; 3]]) -> Self {
        let mut packs = vec![[[[0.0; SIDE]; 9]; 3]; pulls.len().div_ceil(SIDE)];
        for (e, pulls) in pulls.iter().enumerate() {
            for (pack, pull) in packs[e / SIDE].iter_mut().zip(pulls) {
                pack.iter_mut().zip(pull).for_each(|(pack, x)| pack[e % SIDE] = *x);
            }
        }
        Self(packs)
    }

    /// y under the edits s.
    pub fn value(&self, stands: &PackedStands, strains: &[[Pack; 9]]) -> Vec3 {
        self.read(stands, strains, |_, _| ())
    }

    /// y, and ∂y/∂s of every pack.
    pub fn slopes(&self, stands: &PackedStands, strains: &[[Pack; 9]]) -> (Vec3, Vec<Maps>) {
        let mut maps = vec![[[[0.0; SIDE]; 9]; 3]; self.0.len()];
        let y = self.read(
            stands,
            strains,
            #[inline(always)]
            |pack, found| maps[pack] = *found,
        );
        (y, maps)
    }

    /// y; `see` is handed ∂y/∂s of every pack.
    #[inline(always)]
    fn read(&self, stands: &PackedStands, strains: &[[Pack; 9]], mut see: impl FnMut(usize, &Maps)) -> Vec3 {
        let mut sums = [[0.0; SIDE]; 3];
        simd::widest(
            #[inline(always)]
            || {
                let packs = self.0.iter().zip(&stands.numbers).zip(strains);
                for (pack, ((pulls, stand), strain)) in packs.enumerate() {
                    let maps = match stands.turning {
                        Turning::Added => slopes(Turning::Added, pulls, stand, strain, &mut sums),
                        Turning::Composed => slopes(Turning::Composed, pulls, stand, strain, &mut sums),
                    };
                    see(pack, &maps);
                }
            },
        );
        Vec3::from(sums.map(|pack| total(&pack)))
    }
}

/// ∂y/∂s of a pack; y is added to the sums.
#[inline(always)]
fn slopes(
    turning: Turning,
    pulls: &[[Pack; 9]; 3],
    stand: &[Pack; 30],
    strain: &[Pack; 9],
    sums: &mut [Pack; 3],
) -> Maps {
    let Slopes { change, Y, turned, jacobian } = Slopes::new(turning, stand, strain);
    let mut maps = [[[0.0; SIDE]; 9]; 3];
    for i in 0..3 {
        let (B, map) = (&pulls[i], &mut maps[i]);
        for k in 0..9 {
            add(&mut sums[i], &B[k], &change[k]);
        }
        // v with B : a× Y = a · v, and what it is by π.
        let mut v = [[0.0; SIDE]; 3];
        for (c, (one, other)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
            for k in 0..3 {
                add(&mut v[c], &Y[3 * k + one], &B[3 * k + other]);
                take(&mut v[c], &Y[3 * k + other], &B[3 * k + one]);
            }
        }
        for c in 0..3 {
            for r in 0..3 {
                add(&mut map[c], &jacobian[3 * c + r], &v[r]);
            }
        }
        // The symmetric part of Qᵀ B.
        for (k, (row, column)) in [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            for r in 0..3 {
                add(&mut map[3 + k], &turned[3 * row + r], &B[3 * column + r]);
                if row != column {
                    add(&mut map[3 + k], &turned[3 * column + r], &B[3 * row + r]);
                }
            }
        }
    }
    maps
}

/// [`super::super::target::Slope`] of all places of a pack, matrices column by column.
struct Slopes {
    change: [Pack; 9],
    Y: [Pack; 9],
    turned: [Pack; 9],
    jacobian: [Pack; 9],
}

impl Slopes {
    #[inline(always)]
    fn new(turning: Turning, stand: &[Pack; 30], strain: &[Pack; 9]) -> Self {
        let mut omega = [strain[0], strain[1], strain[2]];
        if turning == Turning::Added {
            for c in 0..3 {
                for lane in 0..SIDE {
                    omega[c][lane] += stand[9 + c][lane];
                }
            }
        }
        let mut square = [0.0; SIDE];
        for c in 0..3 {
            add(&mut square, &omega[c], &omega[c]);
        }
        let [a, b, c] = rotation::coefficients_of_many(&square);
        let mut diagonal = [0.0; SIDE];
        for lane in 0..SIDE {
            diagonal[lane] = 1.0 - b[lane] * square[lane];
        }
        let mut turned = rodrigues(&omega, [&diagonal, &a, &b]);
        let mut jacobian = rodrigues(&omega, [&a, &b, &c]);
        if turning == Turning::Composed {
            let own = std::array::from_fn(|k| stand[12 + k]);
            (turned, jacobian) = (product(&own, &turned), product(&own, &jacobian));
        }
        let mut stretched = [[0.0; SIDE]; 9];
        for (k, of) in [3, 8, 7, 8, 4, 6, 7, 6, 5].into_iter().enumerate() {
            for lane in 0..SIDE {
                stretched[k][lane] = stand[21 + k][lane] + strain[of][lane];
            }
        }
        let Y = product(&turned, &stretched);
        let mut size = [0.0; SIDE];
        for number in strain {
            for lane in 0..SIDE {
                size[lane] += number[lane].abs();
            }
        }
        let mut change = [[0.0; SIDE]; 9];
        for k in 0..9 {
            for lane in 0..SIDE {
                let moved = Y[k][lane] - stand[k][lane];
                change[k][lane] = if size[lane] == 0.0 { 0.0 } else { moved };
            }
        }
        Self { change, Y, turned, jacobian }
    }
}

/// x I + y ω× + z ωωᵀ.
#[inline(always)]
fn rodrigues(omega: &[Pack; 3], [x, y, z]: [&Pack; 3]) -> [Pack; 9] {
    let mut out = [[0.0; SIDE]; 9];
    for k in 0..9 {
        for lane in 0..SIDE {
            out[k][lane] = z[lane] * omega[k % 3][lane] * omega[k / 3][lane];
        }
    }
    for c in 0..3 {
        let (d, e) = ((c + 1) % 3, (c + 2) % 3);
        for lane in 0..SIDE {
            let turn = y[lane] * omega[c][lane];
            out[4 * c][lane] += x[lane];
            out[3 * d + e][lane] += turn;
            out[3 * e + d][lane] -= turn;
        }
    }
    out
}

/// A B.
#[inline(always)]
fn product(A: &[Pack; 9], B: &[Pack; 9]) -> [Pack; 9] {
    let mut out = [[0.0; SIDE]; 9];
    for at in 0..9 {
        for k in 0..3 {
            add(&mut out[at], &A[3 * k + at % 3], &B[3 * (at / 3) + k]);
        }
    }
    out
}

/// Adds a b.
#[inline(always)]
fn add(sum: &mut Pack, a: &Pack, b: &Pack) {
    for lane in 0..SIDE {
        sum[lane] += a[lane] * b[lane];
    }
}

/// Takes a b away.
#[inline(always)]
fn take(sum: &mut Pack, a: &Pack, b: &Pack) {
    for lane in 0..SIDE {
        sum[lane] -= a[lane] * b[lane];
    }
}

/// The sum of a pack, in pairs.
#[inline(always)]
fn total(pack: &Pack) -> f64 {
    let half = [0, 1, 2, 3].map(|lane| pack[lane] + pack[SIDE / 2 + lane]);
    (half[0] + half[2]) + (half[1] + half[3])
}

#[cfg(test)]
mod tests;
