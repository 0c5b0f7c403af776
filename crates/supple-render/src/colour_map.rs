//! Numbers to colours, readable with any kind of colour vision and in grey print.
//!
//! Two maps, each given by nine equally spaced colours and linear in sRGB between them: one whose
//! lightness rises steadily (after Smith and van der Walt's viridis) for magnitudes, one that
//! meets in light grey (after Moreland, "Diverging Color Maps for Scientific Visualization") for
//! signed values.

use std::sync::LazyLock;

use crate::colour::{Colour, Light};

const SEQUENTIAL: [Colour; 9] = [
    Colour::rgb(68, 1, 84),
    Colour::rgb(71, 45, 123),
    Colour::rgb(59, 82, 139),
    Colour::rgb(44, 114, 142),
    Colour::rgb(33, 145, 140),
    Colour::rgb(40, 174, 128),
    Colour::rgb(94, 201, 98),
    Colour::rgb(173, 220, 48),
    Colour::rgb(253, 231, 37),
];

const DIVERGING: [Colour; 9] = [
    Colour::rgb(59, 76, 192),
    Colour::rgb(98, 130, 234),
    Colour::rgb(141, 176, 254),
    Colour::rgb(184, 208, 249),
    Colour::rgb(221, 221, 221),
    Colour::rgb(245, 196, 173),
    Colour::rgb(244, 154, 123),
    Colour::rgb(222, 96, 77),
    Colour::rgb(180, 4, 38),
];

/// Where there is no value: a grey that neither map passes through.
const MISSING: Colour = Colour::rgb(120, 120, 120);

const TABLE_STEPS: usize = 255;
type Table = [Light; TABLE_STEPS + 1];

static SEQUENTIAL_TABLE: LazyLock<Table> = LazyLock::new(|| table(ColourMap::Sequential));
static DIVERGING_TABLE: LazyLock<Table> = LazyLock::new(|| table(ColourMap::Diverging));

fn table(map: ColourMap) -> Table {
    std::array::from_fn(|i| map.colour(i as f64 / TABLE_STEPS as f64).light())
}

/// How a scalar becomes a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMap {
    /// Dark violet over green to yellow, for magnitudes.
    #[default]
    Sequential,
    /// Blue over light grey to red, for signed values; the automatic range is symmetric about 0.
    Diverging,
}

impl ColourMap {
    /// The colour at `t`, 0 the lower end and 1 the upper; grey where `t` is NaN.
    pub fn colour(self, t: f64) -> Colour {
        if t.is_nan() {
            return MISSING;
        }
        let stops = match self {
            Self::Sequential => &SEQUENTIAL,
            Self::Diverging => &DIVERGING,
        };
        let along = t.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let first = (along as usize).min(stops.len() - 2);
        let fraction = along - first as f64;
        let (a, b) = (stops[first], stops[first + 1]);
        let mix = |a: u8, b: u8| (f64::from(a) * (1.0 - fraction) + f64::from(b) * fraction).round() as u8;
        Colour::rgb(mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b))
    }

    /// [`colour`](Self::colour) as light, from a table.
    pub(crate) fn light(self, t: f64) -> Light {
        if t.is_nan() {
            return MISSING.light();
        }
        let table = match self {
            Self::Sequential => &SEQUENTIAL_TABLE,
            Self::Diverging => &DIVERGING_TABLE,
        };
        table[(t.clamp(0.0, 1.0) * TABLE_STEPS as f64).round() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_outside() {
        for (map, low, high) in [
            (ColourMap::Sequential, SEQUENTIAL[0], SEQUENTIAL[8]),
            (ColourMap::Diverging, DIVERGING[0], DIVERGING[8]),
        ] {
            assert_eq!(map.colour(0.0), low);
            assert_eq!(map.colour(1.0), high);
            assert_eq!(map.colour(f64::NEG_INFINITY), low);
            assert_eq!(map.colour(3.0), high);
            assert_eq!(map.colour(f64::NAN), MISSING);
            assert_eq!(Colour::from_light(map.light(1.0)), high);
        }
        assert_eq!(ColourMap::Diverging.colour(0.5), DIVERGING[4]);
    }

    /// Relative luminance, the one thing that survives every kind of colour vision.
    fn luminance(colour: Colour) -> f32 {
        colour.light().dot(&Light::new(0.2126, 0.7152, 0.0722))
    }

    #[test]
    fn sequential_lightness_rises_and_diverging_peaks_in_the_middle() {
        let steps = |map: ColourMap, from: f64, to: f64| {
            (0..=20).map(move |i| luminance(map.colour(from + (to - from) * f64::from(i) / 20.0)))
        };
        assert!(steps(ColourMap::Sequential, 0.0, 1.0).is_sorted());
        assert!(steps(ColourMap::Diverging, 0.0, 0.5).is_sorted());
        assert!(steps(ColourMap::Diverging, 1.0, 0.5).is_sorted());
    }
}
