//! Seeded random numbers, so that every run makes the same choices.

use faer::MatMut;

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Those of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [−1, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }

    /// Normally distributed, with mean 0 and variance 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let (length, angle) = (0.5 - 0.5 * self.uniform(), std::f64::consts::PI * self.uniform());
        (-2.0 * length.ln()).sqrt() * angle.cos()
    }

    /// Overwrites all entries, column by column.
    pub fn fill(&mut self, mut x: MatMut<'_, f64>) {
        for j in 0..x.ncols() {
            for i in 0..x.nrows() {
                x[(i, j)] = self.uniform();
            }
        }
    }
}
