//! Numbers by their types, from bytes.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Byte,
    Int,
    Unsigned,
    Long,
    Half,
    Float,
    Double,
}

impl Number {
    pub fn size(self) -> u64 {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Int | Self::Unsigned | Self::Float => 4,
            Self::Long | Self::Double => 8,
        }
    }

    pub fn decode(self, bytes: &[u8], out: &mut Vec<f64>) {
        fn all<const N: usize>(bytes: &[u8], out: &mut Vec<f64>, decode: impl Fn([u8; N]) -> f64) {
            let (chunks, _) = bytes.as_chunks::<N>();
            out.extend(chunks.iter().map(|chunk| decode(*chunk)));
        }
        match self {
            Self::Byte => all(bytes, out, |[byte]| byte.into()),
            Self::Int => all(bytes, out, |bytes| i32::from_le_bytes(bytes).into()),
            Self::Unsigned => all(bytes, out, |bytes| u32::from_le_bytes(bytes).into()),
            Self::Long => all(bytes, out, |bytes| i64::from_le_bytes(bytes) as f64),
            Self::Half => all(bytes, out, |bytes| half(u16::from_le_bytes(bytes))),
            Self::Float => all(bytes, out, |bytes| f32::from_le_bytes(bytes).into()),
            Self::Double => all(bytes, out, f64::from_le_bytes),
        }
    }
}

/// A number of 16 bits: sign, 5 bits of exponent, 10 of fraction.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_small_floats() {
        for (bits, value) in [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_953_125),
            (1, 2f64.powi(-24)),
            (0x7BFF, 65504.0),
        ] {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7C00).is_infinite() && half(0x7E00).is_nan());
    }
}
