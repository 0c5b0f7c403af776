//! How numbers read, in reports, captions and messages.

/// 31746 as 31,746.
#[must_use]
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 part", "2 parts".
#[must_use]
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A number with about four digits, in powers of ten when it is very large or small.
#[must_use]
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let magnitude = x.abs().log10().floor() as i32;
    if !(-4..6).contains(&magnitude) {
        return format!("{x:.3e}");
    }
    let decimals = usize::try_from(3 - magnitude).unwrap_or(0);
    let text = format!("{x:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Three coordinates; one that is nothing beside the others is 0.
#[must_use]
pub fn triple(x: [f64; 3], between: &str) -> String {
    let largest = x.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    x.map(|x| number(if x.abs() < 1e-9 * largest { 0.0 } else { x })).join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [0, 999, 1000, 31_746, 1_234_567].map(count),
            ["0", "999", "1,000", "31,746", "1,234,567"]
        );
        let numbers = [0.0, 1.0, 0.25, -2.34567, 1234.5678, 123_456.7, 2e6, 1.5e-7, f64::NAN];
        let texts = ["0", "1", "0.25", "-2.346", "1235", "123457", "2.000e6", "1.500e-7", "NaN"];
        assert_eq!(numbers.map(number), texts);
        assert_eq!(triple([-2.0, 8e-19, 0.5], ", "), "-2, 0, 0.5");
        assert_eq!([counted(1, "part", "parts"), counted(2000, "part", "parts")], ["1 part", "2,000 parts"]);
    }
}
