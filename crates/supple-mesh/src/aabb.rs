//! Axis-aligned boxes.

use crate::Vec3;

/// An axis-aligned box, both borders included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the smallest coordinates.
    pub min: Vec3,
    /// The corner with the largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The box that holds nothing: growing it by a point gives that point.
    pub const EMPTY: Self = Self {
        min: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The smallest box around `points`.
    #[must_use]
    pub fn around(points: &[Vec3]) -> Self {
        points.iter().fold(Self::EMPTY, |b, p| Self { min: b.min.inf(p), max: b.max.sup(p) })
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The box with every face moved outward by `margin`.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Edge lengths.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The middle.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Whether the point lies inside or on the border.
    #[must_use]
    pub fn contains(&self, point: &Vec3) -> bool {
        (0..3).all(|i| self.min[i] <= point[i] && point[i] <= self.max[i])
    }

    /// Squared distance from the point to the box, zero inside.
    #[must_use]
    pub fn distance_squared(&self, point: &Vec3) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let gap = (self.min[i] - point[i]).max(point[i] - self.max[i]).max(0.0);
            sum += gap * gap;
        }
        sum
    }
}
