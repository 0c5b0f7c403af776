//! Where a material starts (Li 2014, §5.2), and how far it may go.
//!
//! > λ_j ← λ_j (2π / L h)² / λ₁, d_j = α + βλ_j, c_j = (λ₁/λ_j)^{s/2}, S = (I 0)ᵀ
//!
//! for modes that are not rigid, L frames of h seconds in which the first of them swings once.

use super::error::{MaterialError, MaterialPart, MaterialQuantity};
use super::fit::Bounds;
use super::matter::Material;
use super::settings::MaterialSettings;
use super::shapes::Block;
use crate::error::{Quantity, SpacetimeError};
use crate::kernel::{Energy, Home, Kernel, Oscillator, Settings};
use nalgebra::DMatrix;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Where a material starts, and how far it may go.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub material: Material,
    pub kernel: Arc<Kernel>,
    pub time: Settings,
    /// What may change.
    pub block: Block,
    /// None for rigid modes.
    pub bounds: Vec<Option<Bounds>>,
}

pub(super) fn start(
    eigenvalues: &[f64],
    time: Settings,
    settings: &MaterialSettings,
) -> Result<Start, MaterialError> {
    settings.check()?;
    if time.energy != Energy::Force {
        return Err(MaterialError::NotOfForces);
    }
    if !(time.dt.is_finite() && time.dt > 0.0) {
        return Err(SpacetimeError::BadNumber { quantity: Quantity::TimeStep, value: time.dt }.into());
    }
    for (mode, value) in eigenvalues.iter().copied().enumerate() {
        if !(value.is_finite() && value >= 0.0) {
            return Err(SpacetimeError::BadMode { mode, quantity: Quantity::Eigenvalue, value }.into());
        }
        if mode > 0 && value < eigenvalues[mode - 1] {
            return Err(MaterialError::NotAscending { mode });
        }
    }
    let modes = eigenvalues.len();
    let rigid = eigenvalues.iter().filter(|value| **value == 0.0).count();
    if settings.shapes > modes - rigid {
        return Err(MaterialError::TooManyShapes { shapes: settings.shapes, modes: modes - rigid });
    }
    let first = eigenvalues[rigid];
    let factor = settings.period.map_or(1.0, |period| (TAU / (period * time.dt)).powi(2) / first);
    let scaled = |value: &f64| if *value > 0.0 { (first / value).powf(0.5 * settings.space) } else { 1.0 };
    let scale: Vec<f64> = eigenvalues.iter().map(scaled).collect();
    if scale.iter().any(|c| !(c.is_normal() && c.recip().is_finite())) {
        return Err(MaterialError::BadNumber { quantity: MaterialQuantity::Space, value: settings.space });
    }
    let shapes = rigid + settings.shapes;
    let mode = |value: &f64| {
        let eigenvalue = factor * value;
        let [alpha, beta] = settings.floor;
        Oscillator { eigenvalue, delta: 0.5 * (alpha + beta * eigenvalue) }
    };
    let own = eigenvalues[..shapes].iter().map(mode).collect();
    let material = Material::of(scale, DMatrix::identity(modes, shapes), own);
    // The spread in space is in the shapes, and only rigid modes have to be brought home: others are never as slow.
    let home = time.home.map(|home| Home { below: 0.0, ..home });
    let time = Settings { spread: 0.0, home, ..time };
    begun(material, time, rigid, settings)
}

fn begun(
    material: Material,
    time: Settings,
    rigid: usize,
    settings: &MaterialSettings,
) -> Result<Start, MaterialError> {
    let kernel = Arc::new(Kernel::new(material.modes(), time)?);
    let bounds = |(k, mode): (usize, &Oscillator)| {
        let far = settings.range * settings.range;
        let stiffness = [mode.eigenvalue / far, mode.eigenvalue * far];
        (k >= rigid).then_some(Bounds { stiffness, floor: settings.floor })
    };
    let bounds = material.modes().iter().enumerate().map(bounds).collect();
    let block = Block { row: rigid, column: rigid };
    Ok(Start { material, kernel, time, block, bounds })
}

impl Start {
    /// From another material of the same body.
    pub fn instead(&self, material: Material, settings: &MaterialSettings) -> Result<Self, MaterialError> {
        let (found, modes) = (material.scale().len(), self.material.scale().len());
        if found != modes {
            return Err(MaterialError::ModeCount { what: MaterialPart::Shapes, found, modes });
        }
        let rigid = self.block.row;
        let same = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-6 * other.abs();
        let is_rigid = |k: usize| material.modes()[k].eigenvalue == 0.0;
        // Rigid modes stay as they are: an identity, and nothing else in their rows and columns.
        let stays = (0..modes.min(material.S.nrows())).all(|j| {
            (0..material.S.ncols()).all(|k| {
                let expected = f64::from(u8::from(j == k));
                (j >= rigid && k >= rigid) || material.S[(j, k)] == expected
            })
        });
        let count = material.modes().len();
        let fits = count > rigid && (0..count).all(|k| is_rigid(k) == (k < rigid));
        if !(fits && stays && material.scale().iter().zip(self.material.scale()).all(same)) {
            return Err(MaterialError::ForeignShapes);
        }
        // The body's own damping is a floor for what starts below it, too.
        let damped = |mode: &Oscillator| {
            let floor = settings.floor[0] + settings.floor[1] * mode.eigenvalue;
            Oscillator { delta: mode.delta.max(0.5 * floor), ..*mode }
        };
        let damped = material.modes().iter().map(damped).collect();
        begun(material.with_modes(damped), self.time, rigid, settings)
    }
}
