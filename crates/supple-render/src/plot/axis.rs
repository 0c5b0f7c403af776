//! From values to pixels.
//!
//! With `s` the identity or log10, a value `v` of the range `[low, high]` lies at the share
//! `t = (s(v) - s(low)) / (s(high) - s(low))` of the axis.

use super::ticks::{self, Tick};
use super::{Axis, Scale};
use crate::steps::Step;

/// Values are held within this size, so that differences and their powers stay finite.
const LARGEST: f64 = 1e290;
const SMALLEST: f64 = 1e-290;
/// Pixels are held within this distance, where lines can still be cut.
const FARTHEST: f64 = 1e9;
/// A range narrower than this share of its values is a single number.
const NARROW: f64 = 1e-9;

/// An axis whose range is known, laid over pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruler {
    scale: Scale,
    range: [f64; 2],
    /// Pixels at the ends.
    ends: [f64; 2],
}

/// The range of an axis: the one asked for, or that of the values, extended to whole ticks when
/// `whole`.
pub(super) fn range(axis: &Axis, values: impl Iterator<Item = f64>, whole: bool) -> [f64; 2] {
    if let Some(range) = axis.range.filter(|range| usable(axis.scale, range)) {
        return range;
    }
    let held = values.filter_map(|v| hold(axis.scale, v));
    let found = held.fold(None, |found: Option<[f64; 2]>, v| {
        Some(found.map_or([v, v], |[low, high]| [low.min(v), high.max(v)]))
    });
    match axis.scale {
        Scale::Linear => linear_range(found.unwrap_or([0.0, 1.0]), whole),
        Scale::Log10 => logarithmic_range(found.unwrap_or([1.0, 10.0]), whole),
    }
}

fn usable(scale: Scale, [low, high]: &[f64; 2]) -> bool {
    let wide = high - low > NARROW * low.abs().max(high.abs()) && high - low > SMALLEST;
    let positive = scale == Scale::Linear || *low >= SMALLEST;
    wide && positive && low.abs() <= LARGEST && high.abs() <= LARGEST
}

/// A value that has a place on an axis, within the numbers that can be drawn.
fn hold(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        Scale::Linear => value.is_finite().then(|| value.clamp(-LARGEST, LARGEST)),
        Scale::Log10 => (value.is_finite() && value > 0.0).then(|| value.clamp(SMALLEST, LARGEST)),
    }
}

fn linear_range([low, high]: [f64; 2], whole: bool) -> [f64; 2] {
    let size = low.abs().max(high.abs());
    if high - low <= NARROW * size || high - low <= SMALLEST {
        let half = if size > SMALLEST / NARROW { size * 0.1 } else { 1.0 };
        return [low - half, high + half];
    }
    if !whole {
        return [low, high];
    }
    let step = Step::for_width(high - low, 6.0);
    [step.times(step.around(low)[0]), step.times(step.around(high)[1])]
}

fn logarithmic_range([low, high]: [f64; 2], whole: bool) -> [f64; 2] {
    if high / low < 1.0 + NARROW {
        return [low / 2.0, high * 2.0];
    }
    let margin = if whole { ((high.log10() - low.log10()) * 0.04).min(1.0) } else { 0.0 };
    [low / 10_f64.powf(margin), high * 10_f64.powf(margin)]
}

impl Ruler {
    pub fn new(scale: Scale, range: [f64; 2], ends: [f64; 2]) -> Self {
        Self { scale, range, ends }
    }

    /// The pixel of a value, which may lie far outside; `None` when the axis has no place for it.
    pub fn pixel(&self, value: f64) -> Option<f64> {
        let s = |v: f64| if self.scale == Scale::Log10 { v.log10() } else { v };
        let value = hold(self.scale, value)?;
        let [low, high] = self.range.map(s);
        let t = (s(value) - low) / (high - low);
        let pixel = self.ends[0] + (self.ends[1] - self.ends[0]) * t;
        (!pixel.is_nan()).then(|| pixel.clamp(-FARTHEST, FARTHEST))
    }

    /// The pixel of a value that is on the axis.
    pub fn pixel_within(&self, value: f64) -> Option<f64> {
        let slack = 0.5;
        let (low, high) = (self.ends[0].min(self.ends[1]), self.ends[0].max(self.ends[1]));
        self.pixel(value).filter(|p| (low - slack..=high + slack).contains(p))
    }

    /// About at most `most` labelled values.
    pub fn ticks(&self, most: f64) -> Vec<Tick> {
        ticks::labelled(self.scale, self.range, most)
    }

    /// Fainter lines between them.
    pub fn lines_between(&self) -> Vec<f64> {
        ticks::between(self.scale, self.range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, range: Option<[f64; 2]>) -> Axis {
        Axis { label: String::new(), scale, range }
    }

    #[test]
    fn ranges_follow_the_data_unless_a_usable_one_is_given() {
        let data = || [3.0, f64::NAN, -1.2, f64::INFINITY, 7.9].into_iter();
        let linear = |given| range(&axis(Scale::Linear, given), data(), false);
        assert_eq!(linear(None), [-1.2, 7.9]);
        assert_eq!(linear(Some([0.0, 2.0])), [0.0, 2.0]);
        assert_eq!(linear(Some([2.0, 2.0])), [-1.2, 7.9]);
        assert_eq!(linear(Some([f64::NAN, 2.0])), [-1.2, 7.9]);
        assert_eq!(range(&axis(Scale::Linear, None), data(), true), [-2.0, 8.0]);
        assert_eq!(range(&axis(Scale::Log10, None), data(), false), [3.0, 7.9]);
        assert_eq!(range(&axis(Scale::Log10, Some([-1.0, 4.0])), data(), false), [3.0, 7.9]);
    }

    #[test]
    fn every_range_has_a_width_and_ticks_of_its_own() {
        let awkward = [0.0, -0.0, 5e-324, 1e-300, 1.0, 1.0 + 1e-15, -3e7, f64::MAX, f64::MIN, f64::NAN];
        for scale in [Scale::Linear, Scale::Log10] {
            for a in awkward {
                for b in awkward {
                    for whole in [false, true] {
                        let range = range(&axis(scale, Some([b, a])), [a, b].into_iter(), whole);
                        assert!(range[1] > range[0], "{a} and {b}: {range:?}");
                        let ruler = Ruler::new(scale, range, [10.0, 110.0]);
                        let ticks = ruler.ticks(6.0);
                        assert!((1..20).contains(&ticks.len()), "{a} and {b}: {ticks:?}");
                        assert!(ticks.iter().all(|tick| ruler.pixel_within(tick.value).is_some()));
                    }
                }
            }
        }
    }

    #[test]
    fn values_land_where_they_should() {
        let linear = Ruler::new(Scale::Linear, [0.0, 10.0], [100.0, 0.0]);
        assert_eq!(linear.pixel(2.5), Some(75.0));
        assert_eq!(linear.pixel(-5.0), Some(150.0));
        assert_eq!(linear.pixel_within(-5.0), None);
        assert_eq!(linear.pixel(f64::NAN), None);
        let log = Ruler::new(Scale::Log10, [0.01, 100.0], [0.0, 400.0]);
        assert!((log.pixel(1.0).unwrap() - 200.0).abs() < 1e-9);
        assert!((log.pixel(1e-3).unwrap() + 100.0).abs() < 1e-9);
        assert_eq!(log.pixel(0.0), None);
    }
}
