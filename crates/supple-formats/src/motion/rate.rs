//! Frames per second from times.
//!
//! Files that only know seconds have t_i = (start + i) / fps with 24 bits for each. `fps` is read from them as
//! the simplest number that gives all t_i within that rounding: first a whole number of frames per second, then
//! one of the television rates n / 1.001, then one with two digits after the point, then what the ends of the
//! table say. Times that are not even, as those of keys, are whole frames of one of the usual rates.

/// How far a time may be from its frame, as a part of the largest time: the rounding of f32 is half
/// an f32::EPSILON, and programs that compute in f32 add a few of those.
const TIME_ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The lowest rate of frames that is taken for one.
const SLOWEST: f64 = 10.0;

/// The rates that keys may lie on, the likeliest first.
const USUAL: [f64; 12] = [
    24.0,
    25.0,
    30.0,
    60.0,
    24_000.0 / 1001.0,
    30_000.0 / 1001.0,
    60_000.0 / 1001.0,
    48.0,
    50.0,
    120.0,
    12.0,
    15.0,
];

/// How far a time may be from its frame, in seconds.
pub(super) fn rounding(times: &[f64]) -> f64 {
    TIME_ROUNDING * times.iter().fold(0.0, |largest, time| time.abs().max(largest))
}

pub(super) fn even_rate(times: &[f64]) -> Option<f64> {
    let (first, last) = (*times.first()?, *times.last()?);
    let measured = (times.len() - 1) as f64 / (last - first);
    let rounding = rounding(times);
    // False for one frame, times that do not ascend, and frames too close to tell apart.
    if !(measured > 0.0 && rounding * measured < 0.1) {
        return None;
    }
    let is_even = |fps: f64| {
        let mut frames = times.iter().enumerate();
        frames.all(|(i, time)| (time - (first + i as f64 / fps)).abs() <= rounding)
    };
    let television = (measured * 1.001).round() * 1000.0 / 1001.0;
    let candidates = [measured.round(), television, (measured * 100.0).round() / 100.0, measured];
    // What the files have no number for is not a rate: times may be as close as the smallest numbers are.
    candidates.into_iter().find(|&fps| fps > 0.0 && (fps as f32).is_finite() && is_even(fps))
}

/// The rate of ascending times: even ones, or the usual rate of which all are whole frames.
pub(crate) fn rate_of_times(times: &[f64]) -> Option<f64> {
    let largest = times.last().copied().unwrap_or_default().abs();
    let is_frame = |fps: f64, time: &f64| {
        let frame = time * fps;
        (frame - frame.round()).abs() <= 1e-3 + TIME_ROUNDING * largest * fps
    };
    let even = even_rate(times);
    let all = |fps: &f64| times.iter().all(|time| is_frame(*fps, time));
    // Below that, times are rather those of keys, evenly spaced by chance.
    even.filter(|fps| *fps >= SLOWEST).or_else(|| USUAL.into_iter().find(all)).or(even)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_be_closer_than_a_rate_can_say() {
        let times: Vec<f64> = (0..3_u32).map(|i| f64::from(f32::from_bits(1_500_000 * i))).collect();
        assert_eq!(even_rate(&times), None);
        assert_eq!(
            even_rate(&times.iter().map(|time| time * 1e10).collect::<Vec<_>>())
                .map(f64::log10)
                .map(f64::floor),
            Some(28.0)
        );
    }

    fn table(start: f64, fps: f64, frames: usize) -> Vec<f64> {
        (0..frames).map(|i| f64::from(((start + i as f64) / fps) as f32)).collect()
    }

    #[test]
    fn even_times_give_back_the_rate() {
        for fps in [24.0, 25.0, 30_000.0 / 1001.0, 24_000.0 / 1001.0, 60.0, 1000.0, 12.5, 0.25] {
            for first in [1.0, 1001.0, -30.0, 0.5] {
                for frames in [120, 3000] {
                    let times = table(first, fps, frames);
                    assert_eq!(even_rate(&times), Some(fps), "{frames} frames from {first}");
                }
            }
        }
        let odd = table(1.0, 23.4567, 3000);
        assert!((even_rate(&odd).unwrap() - 23.4567).abs() < 1e-4);
    }

    #[test]
    fn uneven_times_have_no_even_rate() {
        let uneven: &[&[f64]] =
            &[&[], &[1.0], &[0.0, 0.0], &[1.0, 0.0], &[0.0, 0.04, 0.07], &[1e6, 1e6 + 0.0625]];
        for times in uneven {
            assert_eq!(even_rate(times), None, "{times:?}");
        }
    }

    #[test]
    fn keys_lie_on_frames_of_a_usual_rate() {
        assert_eq!(rate_of_times(&table(10.0, 25.0, 5)), Some(25.0));
        assert_eq!(rate_of_times(&[0.0, 1.0 / 24.0, 0.5, 2.0]), Some(24.0));
        assert_eq!(rate_of_times(&[0.0, f64::from(7.0_f32 / 30.0), 0.5]), Some(30.0));
        assert_eq!(rate_of_times(&[0.0, 0.25, 0.5]), Some(24.0), "every sixth frame");
        assert_eq!(rate_of_times(&[0.0, 0.01, 0.0234]), None);
        assert_eq!(rate_of_times(&table(0.0, 100.0, 50)), Some(100.0));
    }
}
