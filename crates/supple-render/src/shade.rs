//! The light on a surface point.
//!
//! A soft studio: a warm key light from the upper left of the camera, a cool fill light from the
//! right, ambient light that is brighter from the sky than from the ground, and a small highlight.
//! With unit normal `n`, direction `v` to the eye, lights `l` and `h` halfway between `l` and `v`:
//!
//! ```text
//! colour = base (A(n·sky) + Σ_l L_l wrap(n·l)) + S (n·h)^32,   wrap(c) = max(0, (c + q) / (1 + q))²
//! ```
//!
//! `wrap` lets light reach round the terminator (`q` = 0.35) and fade out without a kink, so that
//! no part of a shape is flat black.
//!
//! With a sun, that is the key light, and `L_key` and `S` are multiplied by the share of it that
//! reaches the point.

use nalgebra::Vector3;

use crate::camera::Projection;
use crate::colour::Light;
use crate::style::Style;

/// How far light reaches past the terminator, as a cosine.
const WRAP: f32 = 0.35;
const KEY: Light = Light::new(0.95, 0.92, 0.87);
const FILL: Light = Light::new(0.23, 0.25, 0.30);
const AMBIENT_SKY: Light = Light::new(0.34, 0.36, 0.40);
const AMBIENT_GROUND: Light = Light::new(0.13, 0.12, 0.12);
const HIGHLIGHT: f32 = 0.07;

/// The lights of one picture, in the scene's axes.
pub(crate) struct Studio {
    key: Vector3<f32>,
    fill: Vector3<f32>,
    sky: Vector3<f32>,
}

impl Studio {
    pub fn new(projection: &Projection, style: &Style) -> Self {
        let place = |right: f64, up: f64, back: f64| {
            (projection.right * right + projection.up * up + projection.back * back).normalize().cast()
        };
        Self {
            key: sun(style).map_or_else(|| place(-0.50, 0.68, 0.75), Vector3::cast),
            fill: place(0.85, 0.10, 0.50),
            sky: style.sky.try_normalize(0.0).unwrap_or_else(Vector3::y).cast(),
        }
    }

    /// The colour of a point; `normal` on the side that is seen, all directions unit vectors, `key`
    /// the share of the key light that reaches it.
    pub fn light(&self, base: Light, normal: &Vector3<f32>, to_eye: &Vector3<f32>, key: f32) -> Light {
        let halfway = (self.key + to_eye).normalize();
        let gloss = normal.dot(&halfway).max(0.0).powi(32) * HIGHLIGHT * key;
        base.component_mul(&self.received(normal, key)) + Light::repeat(gloss)
    }

    /// How much darker a point with this normal is than it would be without the shadow.
    pub fn shade(&self, normal: &Vector3<f32>, key: f32) -> Light {
        self.received(normal, key).component_div(&self.received(normal, 1.0))
    }

    fn received(&self, normal: &Vector3<f32>, key: f32) -> Light {
        let sky = normal.dot(&self.sky) * 0.5 + 0.5;
        let ambient = AMBIENT_GROUND.lerp(&AMBIENT_SKY, sky);
        ambient + KEY * wrapped(normal.dot(&self.key)) * key + FILL * wrapped(normal.dot(&self.fill))
    }
}

/// The direction to the sun, when the style has one.
pub(crate) fn sun(style: &Style) -> Option<Vector3<f64>> {
    style.sun.and_then(|sun| sun.try_normalize(0.0)).filter(|sun| sun.iter().all(|c| c.is_finite()))
}

fn wrapped(cosine: f32) -> f32 {
    let lit = ((cosine + WRAP) / (1.0 + WRAP)).max(0.0);
    lit * lit
}
