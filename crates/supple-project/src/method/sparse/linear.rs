//! The cost of a key on the linear edit U z, which may be warped afterwards: what is asked is a linear problem.

use super::goal::{cost, flat, penalties, squares};
use super::ground::Ground;
use super::part::Part;
use faer::Mat;
use supple_mesh::Vec3;
use supple_spacetime::{Cost, Goal, KeyState, Order};

/// All that is asked at one time of the linear edit.
pub(super) struct LinearGoal {
    parts: Vec<Part>,
    /// Of every part, for each point three rows of r numbers.
    rows: Vec<Vec<f64>>,
    modes: usize,
    reads_velocity: bool,
}

impl LinearGoal {
    pub fn new(ground: &Ground, parts: Vec<Part>) -> Self {
        let rows = parts.iter().map(|part| rows(ground, part)).collect();
        let reads_velocity = parts.iter().any(|part| part.order == Order::Velocity);
        Self { parts, rows, modes: ground.basis.modes(), reads_velocity }
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What every part reads at a state.
    pub fn values(&self, state: KeyState<'_>) -> Vec<Vec<Vec3>> {
        let of = |(part, rows): (&Part, &Vec<f64>)| {
            let x = if part.order == Order::Velocity { state.velocity } else { state.position };
            let dot = |row: &[f64]| row.iter().zip(x).map(|(j, x)| j * x).sum::<f64>();
            let each = rows.chunks_exact(3 * self.modes);
            each.map(|rows| Vec3::from_fn(|axis, _| dot(&rows[axis * self.modes..][..self.modes]))).collect()
        };
        self.parts.iter().zip(&self.rows).map(of).collect()
    }

    /// How many numbers derivatives are by.
    fn width(&self) -> usize {
        self.modes * if self.reads_velocity { 2 } else { 1 }
    }
}

/// U at the points of a part, seen from what they are relative to.
fn rows(ground: &Ground, part: &Part) -> Vec<f64> {
    let from = part.relative.as_ref().map(|row| ground.basis.row(row));
    let mut rows = Vec::new();
    for point in &part.points {
        for (axis, mut row) in ground.basis.row(point).into_iter().enumerate() {
            if let Some(from) = &from {
                row.iter_mut().zip(&from[axis]).for_each(|(row, from)| *row -= from);
            }
            rows.extend(row);
        }
    }
    rows
}

impl Goal for LinearGoal {
    fn reads_velocity(&self) -> bool {
        self.reads_velocity
    }

    fn penalties(&self) -> Vec<f64> {
        penalties(&self.parts)
    }

    fn read(&self, state: KeyState<'_>) -> Vec<f64> {
        flat(&self.values(state))
    }

    fn cost(&self, read: &[f64], part: f64, multipliers: &[f64]) -> Cost {
        cost(&self.parts, read, part, multipliers)
    }

    fn rows(&self, _: KeyState<'_>) -> Vec<f64> {
        let width = self.width();
        let of = |(part, rows): (&Part, &Vec<f64>)| {
            let at = if part.order == Order::Velocity { self.modes } else { 0 };
            let mut wide = vec![0.0; rows.len() / self.modes.max(1) * width];
            for (out, row) in wide.chunks_exact_mut(width).zip(rows.chunks_exact(self.modes)) {
                out[at..at + self.modes].copy_from_slice(row);
            }
            wide
        };
        self.parts.iter().zip(&self.rows).flat_map(of).collect()
    }

    fn squares(&self, rows: &[f64]) -> Mat<f64> {
        squares(&self.parts, rows, self.width())
    }

    fn curvature(&self, _: KeyState<'_>, _: &[f64]) -> Option<Mat<f64>> {
        // Nothing bends.
        None
    }
}
