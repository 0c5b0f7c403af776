//! Numbers as text: the shortest that reads back as the same; parts of directions to seven digits, which is as exact
//! as single precision is at 1.

/// Appends a number that is finite.
fn push_number(text: &mut Vec<u8>, number: f32) {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format_finite(number);
    text.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
}

/// Appends a number from -1 to 1.
fn push_part(text: &mut Vec<u8>, number: f32) {
    const ONE: u32 = 10_000_000;
    let scaled = (f64::from(number) * f64::from(ONE)).round() as i32;
    if scaled < 0 {
        text.push(b'-');
    }
    let mut rest = scaled.unsigned_abs();
    let mut digits = *b"0.0000000";
    for at in (2..9).rev() {
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    digits[0] = b'0' + (rest % 10) as u8;
    let length = digits
        .iter()
        .rposition(|digit| *digit != b'0')
        .map_or(1, |last| if last == 1 { 1 } else { last + 1 });
    text.extend_from_slice(&digits[..length]);
}

/// Appends `[(x, y, z), …]`.
pub(super) fn push_tuples<'a, const N: usize>(
    text: &mut Vec<u8>,
    tuples: impl IntoIterator<Item = &'a [f32; N]>,
) {
    push_list(text, tuples, push_number);
}

/// The same for directions of length 1.
pub(super) fn push_directions<'a>(text: &mut Vec<u8>, directions: impl IntoIterator<Item = &'a [f32; 3]>) {
    push_list(text, directions, push_part);
}

fn push_list<'a, const N: usize>(
    text: &mut Vec<u8>,
    tuples: impl IntoIterator<Item = &'a [f32; N]>,
    push: impl Fn(&mut Vec<u8>, f32),
) {
    text.push(b'[');
    for (i, tuple) in tuples.into_iter().enumerate() {
        text.extend_from_slice(if i == 0 { b"(" } else { b", (" });
        for (i, number) in tuple.iter().enumerate() {
            if i > 0 {
                text.extend_from_slice(b", ");
            }
            push(text, *number);
        }
        text.push(b')');
    }
    text.push(b']');
}

/// Appends `[1, 2, …]`.
pub(super) fn push_integers(text: &mut Vec<u8>, integers: impl IntoIterator<Item = u32>) {
    text.push(b'[');
    for (i, integer) in integers.into_iter().enumerate() {
        if i > 0 {
            text.extend_from_slice(b", ");
        }
        text.extend_from_slice(integer.to_string().as_bytes());
    }
    text.push(b']');
}

/// A name USD takes: letters, digits and `_`, not beginning with a digit.
pub(super) fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { name } else { format!("_{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        let text = |number| {
            let mut text = Vec::new();
            push_number(&mut text, number);
            String::from_utf8(text).unwrap()
        };
        assert_eq!([text(0.0), text(-1.0), text(0.1), text(16_777_216.0)], ["0", "-1", "0.1", "16777216"]);
        for number in [f32::MIN_POSITIVE, f32::MAX, -1e-45, 0.3, 1e10, 123_456.79, 1e-7] {
            assert_eq!(text(number).parse::<f32>().unwrap().to_bits(), number.to_bits());
        }
    }

    #[test]
    fn parts_of_directions_have_seven_digits() {
        let text = |number| {
            let mut text = Vec::new();
            push_part(&mut text, number);
            String::from_utf8(text).unwrap()
        };
        let numbers = [0.0, -0.0, 1.0, -1.0, 0.5, -0.025, 1e-7, -1e-9, 1.000_000_1, f32::NAN];
        let texts = ["0", "0", "1", "-1", "0.5", "-0.025", "0.0000001", "0", "1.0000001", "0"];
        assert_eq!(numbers.map(text), texts);
        for number in [0.123_456_78, -0.987_654_3, 0.577_350_26, std::f32::consts::FRAC_1_SQRT_2] {
            assert!((text(number).parse::<f32>().unwrap() - number).abs() <= 6e-8);
        }
    }

    #[test]
    fn names_become_identifiers() {
        assert_eq!(["cape", "9 lives", "", "a.b-c"].map(identifier), ["cape", "_9_lives", "_", "a_b_c"]);
    }
}
