//! Colours as people write them (sRGB bytes) and as light adds up (linear).
//!
//! `linear = ((s + 0.055) / 1.055)^2.4` for `s > 0.04045`, else `s / 12.92` (IEC 61966-2-1).
//! Shading, averaging of samples and blending all happen in linear light; only stored bytes are
//! sRGB. Both directions are tables, because two powers per channel would cost more than the
//! shading itself.

use std::sync::LazyLock;

use nalgebra::Vector3;

/// Linear light, red, green and blue, 1 = white.
pub(crate) type Light = Vector3<f32>;

/// Entries of the encoding table: steps of a fifth of a byte in the darkest tones.
const ENCODE_STEPS: usize = 1 << 14;

static DECODE: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| decode(byte as f64 / 255.0) as f32));

static ENCODE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    (0..=ENCODE_STEPS).map(|i| (encode(i as f64 / ENCODE_STEPS as f64) * 255.0).round() as u8).collect()
});

fn decode(s: f64) -> f64 {
    if s > 0.04045 { ((s + 0.055) / 1.055).powf(2.4) } else { s / 12.92 }
}

fn encode(linear: f64) -> f64 {
    if linear > 0.003_130_8 { 1.055 * linear.powf(1.0 / 2.4) - 0.055 } else { linear * 12.92 }
}

/// An opaque sRGB colour, as in a web page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, 0 to 255.
    pub r: u8,
    /// Green, 0 to 255.
    pub g: u8,
    /// Blue, 0 to 255.
    pub b: u8,
}

impl Colour {
    /// The colour with these sRGB bytes.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b }
    }

    pub(crate) fn light(self) -> Light {
        Vector3::new(self.r, self.g, self.b).map(|byte| DECODE[usize::from(byte)])
    }

    /// The nearest colour; light outside 0 to 1 is cut off, NaN becomes black.
    pub(crate) fn from_light(light: Light) -> Self {
        let byte = |x: f32| ENCODE[(x.clamp(0.0, 1.0) * ENCODE_STEPS as f32 + 0.5) as usize];
        Self::rgb(byte(light.x), byte(light.y), byte(light.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_round_trip() {
        for byte in 0..=255 {
            let grey = Colour::rgb(byte, byte, byte);
            assert_eq!(Colour::from_light(grey.light()), grey);
        }
    }

    #[test]
    fn half_the_light_is_byte_188() {
        assert_eq!(Colour::from_light(Light::repeat(0.5)).r, 188);
        assert_eq!(Colour::from_light(Light::repeat(7.0)).r, 255);
        assert_eq!(Colour::from_light(Light::repeat(f32::NAN)).r, 0);
    }
}
