//! A value over time, given by keys.
//!
//! Between keys it is a cubic; its slope at a key is that of the line from the key before to the key
//! after, and 0 where the key is a turning point or a hold, so that the curve never swings beyond its keys
//! there: what animation programs call automatic, clamped tangents.

/// Keys in order of time.
#[derive(Clone, Debug)]
pub struct Curve {
    keys: Vec<Key>,
}

/// A value at a frame.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub frame: f64,
    pub value: f64,
}

impl Curve {
    /// A curve through keys in order of their frames, at least one.
    pub fn new(keys: impl IntoIterator<Item = Key>) -> Self {
        Self { keys: keys.into_iter().collect() }
    }

    /// The value at a frame; before the first and after the last key it stays.
    pub fn at(&self, frame: f64) -> f64 {
        let next = self.keys.partition_point(|key| key.frame <= frame);
        if next == 0 || next == self.keys.len() {
            return self.keys[next.max(1) - 1].value;
        }
        let (a, b) = (self.keys[next - 1], self.keys[next]);
        let span = b.frame - a.frame;
        let t = (frame - a.frame) / span;
        let (rise, slopes) = (b.value - a.value, [self.slope(next - 1) * span, self.slope(next) * span]);
        // Hermite's cubic as a straight line and what the slopes differ from it.
        let bend = (slopes[0] - rise) * (1.0 - t) - (slopes[1] - rise) * t;
        a.value + rise * t + bend * t * (1.0 - t)
    }

    fn slope(&self, n: usize) -> f64 {
        if n == 0 || n + 1 == self.keys.len() {
            return 0.0;
        }
        let [before, key, after] = [n - 1, n, n + 1].map(|k| self.keys[k]);
        match (key.value - before.value) * (after.value - key.value) > 0.0 {
            true => (after.value - before.value) / (after.frame - before.frame),
            false => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(keys: &[[f64; 2]]) -> Curve {
        Curve::new(keys.iter().map(|&[frame, value]| Key { frame, value }))
    }

    #[test]
    fn a_curve_meets_its_keys_smoothly_and_swings_beyond_no_turning_point() {
        let keys = [[0.0, 0.0], [4.0, 3.0], [9.0, 4.0], [11.0, -2.0], [20.0, -2.0], [24.0, 0.0]];
        let curve = curve(&keys);
        for [frame, value] in keys {
            let [before, at, after] = [-1e-4, 0.0, 1e-4].map(|d| curve.at(frame + d));
            assert!((at - value).abs() < 1e-12);
            assert!((after - 2.0 * at + before).abs() < 1e-6, "a corner at {frame}");
        }
        for n in 0..=260 {
            let frame = f64::from(n) / 10.0;
            assert!((-2.0..=4.0).contains(&curve.at(frame)), "{frame}");
        }
        assert!((curve.at(15.0) + 2.0).abs() < 1e-12, "a hold holds");
        assert_eq!((curve.at(-3.0), curve.at(99.0)), (0.0, 0.0));
    }

    #[test]
    fn keys_on_a_line_give_the_line() {
        let curve = curve(&[[0.0, 0.0], [2.0, 1.0], [6.0, 3.0], [7.0, 3.5], [10.0, 5.0]]);
        for frame in [2.5, 4.0, 6.3] {
            assert!((curve.at(frame) - 0.5 * frame).abs() < 1e-12);
        }
    }
}
