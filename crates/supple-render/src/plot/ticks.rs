//! Round numbers for axes, and how to write them.
//!
//! Linear: the multiples of the least `m 10^e`, `m` = 1, 2 or 5, of which at most `most` lie in
//! the range. Logarithmic: powers of ten, every `n`-th when there are many; below two decades also
//! twice and five times these; below that the linear ones.

use super::Scale;
use crate::steps::Step;

/// Ticks of a logarithmic axis between its labels fade into a grey when there are more decades.
const MOST_DIVIDED_DECADES: i32 = 8;

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// Labelled values within `[low, high]`, at most about `most`.
pub(super) fn labelled(scale: Scale, [low, high]: [f64; 2], most: f64) -> Vec<Tick> {
    match scale {
        Scale::Linear => linear([low, high], most),
        Scale::Log10 => logarithmic([low, high], most),
    }
}

/// Values between the labelled ones that get a fainter line.
pub(super) fn between(scale: Scale, [low, high]: [f64; 2]) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    if scale == Scale::Linear || last - first > MOST_DIVIDED_DECADES {
        return Vec::new();
    }
    let values = (first..=last).flat_map(|e| (2..=9).map(move |digit| Step::power(f64::from(digit), e)));
    values.filter(|value| (low..=high).contains(value)).collect()
}

fn linear([low, high]: [f64; 2], most: f64) -> Vec<Tick> {
    let step = Step::for_width(high - low, most);
    let (first, last) = (step.around(low)[1], step.around(high)[0]);
    let values: Vec<f64> = (0..=(last - first) as usize).map(|i| step.times(first + i as f64)).collect();
    let largest = low.abs().max(high.abs()).log10().floor() as i32;
    let label = |value: f64| {
        if value == 0.0 {
            "0".to_owned()
        } else if largest < 5 && step.exponent() >= -5 {
            format!("{value:.0$}", (-step.exponent()).max(0) as usize)
        } else {
            let digits = value.abs().log10().floor() as i32 - step.exponent();
            format!("{value:.0$e}", digits.clamp(0, 15) as usize)
        }
    };
    values.into_iter().map(|value| Tick { value, label: label(value) }).collect()
}

fn logarithmic([low, high]: [f64; 2], most: f64) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |value: f64| (low * (1.0 - 1e-12)..=high * (1.0 + 1e-12)).contains(&value);
    let tick = |digit: f64, e: i32| Tick { value: Step::power(digit, e), label: power_label(digit, e) };
    let powers: Vec<i32> = (first..=last).filter(|e| inside(Step::power(1.0, *e))).collect();
    if powers.len() >= 3 {
        let stride = ((powers.len() - 1) as f64 / most.max(1.0)).ceil() as i32;
        // Multiples of the stride, whatever the range: 1e-10 and 1 rather than 1e-7 and 1e3.
        return powers.into_iter().filter(|e| e.rem_euclid(stride) == 0).map(|e| tick(1.0, e)).collect();
    }
    let digits = (first..=last).flat_map(|e| [1.0, 2.0, 5.0].map(|digit| tick(digit, e)));
    let divided: Vec<Tick> = digits.filter(|tick| inside(tick.value)).collect();
    if divided.len() >= 3 { divided } else { linear([low, high], most) }
}

fn power_label(digit: f64, exponent: i32) -> String {
    match exponent {
        -3..=-1 => format!("{:.1$}", Step::power(digit, exponent), exponent.unsigned_abs() as usize),
        0..=4 => format!("{:.0}", Step::power(digit, exponent)),
        _ => format!("{digit}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, range: [f64; 2], most: f64) -> Vec<String> {
        labelled(scale, range, most).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_few() {
        assert_eq!(labels(Scale::Linear, [0.0, 240.0], 6.0), ["0", "50", "100", "150", "200"]);
        assert_eq!(labels(Scale::Linear, [0.0, 240.0], 12.0).len(), 13);
        assert_eq!(labels(Scale::Linear, [-0.31, 0.42], 4.0), ["-0.2", "0", "0.2", "0.4"]);
        assert_eq!(labels(Scale::Linear, [0.1, 0.7], 3.0), ["0.2", "0.4", "0.6"]);
        assert_eq!(labels(Scale::Linear, [0.0, 4e-7], 4.0), ["0", "1e-7", "2e-7", "3e-7", "4e-7"]);
        assert_eq!(labels(Scale::Linear, [9.5e6, 1.1e7], 3.0), ["9.5e6", "1.00e7", "1.05e7", "1.10e7"]);
        assert_eq!(labels(Scale::Linear, [7.0, 7.002], 2.0), ["7.000", "7.001", "7.002"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_or_divide_them() {
        assert_eq!(labels(Scale::Log10, [0.001, 20.0], 8.0), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(labels(Scale::Log10, [1e-12, 1e12], 8.0).len(), 9);
        assert_eq!(labels(Scale::Log10, [1e-12, 1e12], 8.0)[0], "1e-12");
        assert_eq!(labels(Scale::Log10, [1e-290, 1e290], 2.0), ["1e-290", "1", "1e290"]);
        assert_eq!(labels(Scale::Log10, [0.9, 60.0], 8.0), ["1", "2", "5", "10", "20", "50"]);
        assert_eq!(labels(Scale::Log10, [3.0e5, 3.4e5], 4.0), ["3.0e5", "3.1e5", "3.2e5", "3.3e5", "3.4e5"]);
        assert_eq!(between(Scale::Log10, [1.0, 20.0]), [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 20.0]);
        assert!(between(Scale::Log10, [1e-20, 1.0]).is_empty());
        assert!(between(Scale::Linear, [1.0, 20.0]).is_empty());
    }
}
