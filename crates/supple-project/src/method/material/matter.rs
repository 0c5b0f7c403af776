//! What a report and a file tell of a material.

use supple_spacetime::{Material, Oscillator};

/// Sᵀ C⁻¹ x: how much of each shape there is in coordinates of the modes.
pub(super) fn amounts(material: &Material, x: &[f64]) -> Vec<f64> {
    let (S, scale) = (material.mixing(), material.scale());
    (S.col_iter())
        .map(|column| column.iter().zip(x.iter().zip(scale)).map(|(s, (x, c))| s * x / c).sum())
        .collect()
}

/// Frames of `dt` seconds in which every shape swings once; none for what does not swing.
pub(super) fn periods(dt: f64, material: &Material) -> Vec<Option<f64>> {
    let period = |mode: &Oscillator| {
        let speed = mode.eigenvalue - mode.delta * mode.delta;
        (speed > 0.0).then(|| std::f64::consts::TAU / (speed.sqrt() * dt))
    };
    material.modes().iter().map(period).collect()
}
