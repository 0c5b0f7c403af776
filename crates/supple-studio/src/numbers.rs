//! Numbers for people: round steps, lengths and parts in words.

/// About a fiftieth of the size, a one, two or five of its power of ten.
pub fn snap_step(size: f64) -> f64 {
    let about = size / 50.0;
    let power = 10.0_f64.powf(about.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|x| x * power).into_iter().find(|step| *step >= about).unwrap_or(about)
}

/// A length in words, three digits of it.
pub fn metres(length: f64) -> String {
    let (factor, unit) = match length.abs() {
        0.0 => return "0 m".to_owned(),
        l if l >= 1000.0 => (1e-3, "km"),
        l if l >= 1.0 => (1.0, "m"),
        l if l >= 0.01 => (100.0, "cm"),
        l if l >= 1e-4 => (1e3, "mm"),
        l if l >= 1e-7 => (1e6, "µm"),
        l if l.is_finite() => return format!("{length:.2e} m"),
        _ => return "not a number".to_owned(),
    };
    let value = length * factor;
    if value.abs() >= 1e5 {
        return format!("{value:.2e} {unit}");
    }
    let digits = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {unit}")
}

/// A part in words, two digits of it.
pub fn percent(part: f32) -> String {
    match 100.0 * part {
        value if value >= 9.95 || value == 0.0 => format!("{value:.0} %"),
        value if value >= 0.995 => format!("{value:.1} %"),
        value => format!("{value:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_easily() {
        let words = [1.0, -0.25, 0.004, 180.0, 25_000.0, 0.0].map(metres);
        assert_eq!(words, ["1.00 m", "-25.0 cm", "4.00 mm", "180 m", "25.0 km", "0 m"]);
        assert_eq!([2.5e-6, 3e-9, 4e12].map(metres), ["2.50 µm", "3.00e-9 m", "4.00e9 km"]);
    }

    #[test]
    fn steps_are_round_numbers() {
        let steps = [0.5, 1.0, 7.0, 300.0].map(snap_step);
        for (step, wanted) in steps.into_iter().zip([0.01, 0.02, 0.2, 10.0]) {
            assert!((step / wanted - 1.0).abs() < 1e-9, "{step} is not {wanted}");
        }
    }
}
