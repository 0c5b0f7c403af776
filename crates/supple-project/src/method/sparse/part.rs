//! What a handle or a pose asks of some points at one time, in the coordinates of the rest shape.
//!
//! With w the displacement of a point, or its velocity, and a what it is asked to be, it costs
//!
//! > ½ c Σ_p μ_p |A (w_p − a_p)|², μ the points' shares of their mass, A the coordinates that are asked for,
//!
//! c = κ/S with S the kernel's variance of the points' mean, so that alone it misses 1/(1+κ). What is hard is one point:
//! it costs λ·g + ½ρ|g|², g its error in units of the tolerance, with the same c behind ρ.

use crate::site::Row;
use nalgebra::{Matrix3, Rotation3, Unit};
use supple_mesh::Vec3;
use supple_spacetime::Order;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    /// A handle, by its place among all of the file, the first 1.
    Handle(u32),
    /// A pose, likewise.
    Pose(usize),
}

/// What is asked of some points at one time.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub asker: Asker,
    /// Displacement or velocity.
    pub order: Order,
    pub points: Vec<Row>,
    /// What they are seen from.
    pub relative: Option<Row>,
    /// Whether that is the centre of mass.
    pub from_center: bool,
    /// μ.
    pub shares: Vec<f64>,
    /// a.
    pub aim: Aim,
    /// Rows are directions.
    pub axes: Matrix3<f64>,
    pub asked: [bool; 3],
    pub is_hard: bool,
    /// κ.
    pub firmness: f64,
    /// What anchors that were moved do to every point by themselves.
    pub base: Vec<Vec3>,
    /// c.
    pub stiffness: f64,
    /// The unit of the errors of what is hard.
    pub unit: f64,
}

/// What points are asked to do.
#[derive(Clone, Debug)]
pub(super) enum Aim {
    /// Be displaced by this, or move this fast, point by point.
    Each(Vec<Vec3>),
    /// Be turned about an axis, then shifted.
    Turn {
        /// Where they are at rest.
        from: Vec<Vec3>,
        about: Vec3,
        axis: Unit<Vec3>,
        /// Radians.
        angle: f64,
        shift: Vec3,
    },
}

impl Aim {
    /// What is asked when a part of the way is.
    pub fn targets(&self, fraction: f64) -> Vec<Vec3> {
        match self {
            Self::Each(each) => each.iter().map(|by| by * fraction).collect(),
            Self::Turn { from, about, axis, angle, shift } => {
                let turn = Rotation3::from_axis_angle(axis, angle * fraction);
                from.iter().map(|x| about + turn * (x - about) + shift * fraction - x).collect()
            }
        }
    }
}

/// What a part does at a state.
pub(super) struct Pull {
    pub cost: f64,
    /// On every point.
    pub forces: Vec<Vec3>,
    /// Of what is hard.
    pub gaps: Vec<f64>,
}

impl Part {
    /// How many numbers hold exactly.
    pub fn hard_numbers(&self) -> usize {
        if self.is_hard { self.asked.iter().filter(|asked| **asked).count() } else { 0 }
    }

    /// ρ of each of them.
    pub fn penalty(&self) -> f64 {
        self.stiffness * self.unit * self.unit
    }

    /// What an error of a point costs.
    pub fn weight(&self, point: usize) -> f64 {
        self.stiffness * if self.is_hard { 1.0 } else { self.shares[point] }
    }

    /// w − a of every point, when a part of the way is asked for.
    pub fn errors(&self, values: &[Vec3], fraction: f64) -> Vec<Vec3> {
        let targets = self.aim.targets(fraction);
        let of = |((value, target), base): ((&Vec3, Vec3), &Vec3)| base + value - target;
        values.iter().zip(targets).zip(&self.base).map(of).collect()
    }

    /// The directions that are asked for.
    pub fn directions(&self) -> impl Iterator<Item = Vec3> {
        (0..3).filter(|axis| self.asked[*axis]).map(|axis| self.axes.row(axis).transpose())
    }

    /// Cost and forces.
    pub fn pull(&self, values: &[Vec3], fraction: f64, multipliers: &[f64]) -> Pull {
        let errors = self.errors(values, fraction);
        let mut pull = Pull { cost: 0.0, forces: vec![Vec3::zeros(); errors.len()], gaps: Vec::new() };
        let mut multipliers = multipliers.iter();
        for (point, (error, force)) in errors.iter().zip(&mut pull.forces).enumerate() {
            for direction in self.directions() {
                let off = direction.dot(error);
                let size = if self.is_hard {
                    let (gap, multiplier) = (off / self.unit, multipliers.next().copied().unwrap_or(0.0));
                    pull.cost += gap * (multiplier + 0.5 * self.penalty() * gap);
                    pull.gaps.push(gap);
                    (multiplier + self.penalty() * gap) / self.unit
                } else {
                    pull.cost += 0.5 * self.weight(point) * off * off;
                    self.weight(point) * off
                };
                *force += direction * size;
            }
        }
        pull
    }

    /// Root of the mean square of the errors in the coordinates that are asked for, shares as weights; and of what was
    /// asked for.
    pub fn measured(&self, values: &[Vec3]) -> (f64, f64) {
        let mean = |each: &[Vec3]| {
            let square = |v: &Vec3| self.directions().map(|d| d.dot(v).powi(2)).sum::<f64>();
            each.iter().zip(&self.shares).map(|(v, share)| share * square(v)).sum::<f64>().sqrt()
        };
        (mean(&self.errors(values, 1.0)), mean(&self.aim.targets(1.0)))
    }
}
