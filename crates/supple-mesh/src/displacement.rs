//! Displacements: how far vertices are from where they rest, three numbers for each.

use crate::Vec3;

/// p − x of every vertex, one after the other.
///
/// # Panics
/// When there is not a place for every vertex.
#[must_use]
pub fn displacement(positions: &[[f64; 3]], rest: &[Vec3]) -> Vec<f64> {
    assert_eq!(positions.len(), rest.len(), "a place for every vertex");
    positions.iter().zip(rest).flat_map(|(p, x)| <[f64; 3]>::from(Vec3::from(*p) - x)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_are_from_rest_and_flat() {
        let rest = [Vec3::new(1.0, 2.0, 3.0), Vec3::zeros()];
        assert_eq!(
            displacement(&[[1.5, 2.0, 2.0], [0.0, -1.0, 0.25]], &rest),
            [0.5, 0.0, -1.0, 0.0, -1.0, 0.25]
        );
    }
}
