//! Round steps: 1, 2 or 5 times a power of ten, for axes and floors.

/// `digit` 10^`exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    digit: f64,
    exponent: i32,
}

impl Step {
    /// The least step of which at most `most` fit into `width`.
    pub fn for_width(width: f64, most: f64) -> Self {
        let least = width / most.max(1.0);
        let exponent = least.log10().floor() as i32;
        for (digit, exponent) in
            [(1.0, exponent), (2.0, exponent), (5.0, exponent), (1.0, exponent + 1), (2.0, exponent + 1)]
        {
            let step = Self { digit, exponent };
            // The logarithm of 1000 may be a little less than 3.
            if step.times(1.0) >= least * (1.0 - 1e-9) {
                return step;
            }
        }
        Self { digit: 5.0, exponent: exponent + 1 }
    }

    /// `n` steps. Powers of ten below 1 are not exact but their inverses are.
    pub fn times(self, n: f64) -> f64 {
        let n = n * self.digit;
        if self.exponent >= 0 { n * 10_f64.powi(self.exponent) } else { n / 10_f64.powi(-self.exponent) }
    }

    pub fn exponent(self) -> i32 {
        self.exponent
    }

    /// `digit` 10^`exponent`.
    pub fn power(digit: f64, exponent: i32) -> f64 {
        Self { digit, exponent }.times(1.0)
    }

    /// The multiple at or below `value`, and the one at or above.
    pub fn around(self, value: f64) -> [f64; 2] {
        let n = value / self.times(1.0);
        let near = n.round();
        let on_it = (n - near).abs() < 1e-9 * near.abs().max(1.0);
        if on_it { [near, near] } else { [n.floor(), n.ceil()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_width_has_between_two_fifths_of_the_ticks_asked_for_and_all_of_them() {
        for e in -280..=280 {
            for digit in [1.0, 1.9, 2.0, 3.7, 5.0, 9.99] {
                let width = digit * 10_f64.powi(e);
                let steps = width / Step::for_width(width, 8.0).times(1.0);
                assert!((3.2 - 1e-6..8.0 + 1e-6).contains(&steps), "{steps} steps in {width}");
            }
        }
    }
}
