//! A staircase to tumble down.

use crate::{MeshError, TriMesh, Vec3};
use supple_model::VertexId;

/// A staircase that leads down along x, from a landing to a floor at y = 0; metres.
///
/// The top edge of the highest step is at x = 0, z runs across. The default is made for a
/// [`dragon`](super::dragon): room for it to roll, each step as high as its belly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stairs {
    /// How many edges there are to fall over, the landing's included.
    pub steps: usize,
    /// Extent across.
    pub width: f64,
    /// Depth of a step.
    pub tread: f64,
    /// Height of a step.
    pub rise: f64,
    /// Length of the landing.
    pub landing: f64,
    /// Length of the floor.
    pub floor: f64,
    /// How deep the solid reaches below the floor.
    pub base: f64,
}

impl Default for Stairs {
    fn default() -> Self {
        Self { steps: 8, width: 4.0, tread: 0.65, rise: 0.4, landing: 4.0, floor: 5.0, base: 0.3 }
    }
}

impl Stairs {
    /// How high the landing is.
    #[must_use]
    pub fn height(&self) -> f64 {
        self.steps as f64 * self.rise
    }

    /// Left and right end and height of each level, from the landing down.
    fn levels(&self) -> Vec<[f64; 3]> {
        let edge = |k: usize| k as f64 * self.tread;
        let level = |k: usize| {
            let left = if k == 0 { -self.landing } else { edge(k - 1) };
            let right = if k == self.steps { left + self.floor } else { edge(k) };
            [left, right, (self.steps - k) as f64 * self.rise]
        };
        (0..=self.steps).map(level).collect()
    }
}

/// The closed surface of a staircase: two triangles on every tread and riser.
///
/// # Errors
/// A length that is not positive and finite.
pub fn stairs(stairs: &Stairs) -> Result<TriMesh, MeshError> {
    let levels = stairs.levels();
    // The outline seen from z > 0: along the base to the right, and back over the steps.
    let mut outline: Vec<[f64; 2]> = vec![[-stairs.landing, -stairs.base]];
    outline.extend(levels.iter().map(|[_, right, _]| [*right, -stairs.base]));
    for [left, right, height] in levels.iter().rev() {
        outline.extend([[*right, *height], [*left, *height]]);
    }
    let count = outline.len();
    let at = |[x, y]: [f64; 2], z: f64| Vec3::new(x, y, z);
    let mut positions: Vec<Vec3> = outline.iter().map(|p| at(*p, stairs.width / 2.0)).collect();
    positions.extend(outline.iter().map(|p| at(*p, -stairs.width / 2.0)));
    let mut triangles = Vec::new();
    for p in 0..count {
        let q = (p + 1) % count;
        triangles.extend([[p, count + p, count + q], [p, count + q, q]]);
    }
    // A level's end is cut into triangles around its upper left corner. The step below begins at the
    // corner after its upper right one.
    for k in 0..levels.len() {
        let upper_left = count - 1 - 2 * k;
        let mut around = vec![k, k + 1];
        if k + 1 < levels.len() {
            around.push(upper_left - 2);
        }
        around.push(upper_left - 1);
        for pair in around.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            triangles.extend([[upper_left, a, b], [count + upper_left, count + b, count + a]]);
        }
    }
    TriMesh::new(positions, triangles.into_iter().map(|t| t.map(VertexId::new)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, components};

    #[test]
    fn the_stairs_enclose_the_volume_of_their_steps() {
        let size =
            Stairs { steps: 3, width: 2.0, tread: 0.5, rise: 0.25, landing: 1.0, floor: 2.0, base: 0.1 };
        let mesh = stairs(&size).unwrap();
        let corners = mesh.triangles().iter().map(|t| t.map(|v| mesh.positions()[v.index()]));
        let volume: f64 = corners.map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum();
        let expected = 2.0 * (0.75 * 1.0 + 0.5 * 0.5 + 0.25 * 0.5 + 0.1 * (1.0 + 1.0 + 2.0));
        assert!((volume - expected).abs() < 1e-12, "{volume} {expected}");
        let bounds = Aabb::around(mesh.positions());
        assert_eq!((bounds.min, bounds.max), (Vec3::new(-1.0, -0.1, -1.0), Vec3::new(3.0, 0.75, 1.0)));
        assert_eq!(components(mesh.positions().len(), mesh.triangles()).count, 1);
        // Closed: every edge once in each direction.
        let edges = || mesh.triangles().iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]);
        let mut forward: Vec<_> = edges().collect();
        let mut back: Vec<_> = edges().map(|(a, b)| (b, a)).collect();
        forward.sort_unstable();
        back.sort_unstable();
        assert!(forward == back && forward.windows(2).all(|w| w[0] != w[1]));
    }

    #[test]
    fn stairs_without_width_are_refused() {
        assert!(stairs(&Stairs { width: 0.0, ..Stairs::default() }).is_err());
        assert!(stairs(&Stairs { rise: f64::NAN, ..Stairs::default() }).is_err());
        assert!(stairs(&Stairs { steps: 0, ..Stairs::default() }).is_ok());
    }
}
