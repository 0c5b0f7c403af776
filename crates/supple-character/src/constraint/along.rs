//! The nearest place of a line to a point.

use nalgebra::Vector3;

/// The nearest point of a line through points, and the direction of the line there; none where that is a corner or an
/// end, which the point may not leave any way.
pub fn nearest(line: &[Vector3<f64>], point: &Vector3<f64>) -> (Vector3<f64>, Option<Vector3<f64>>) {
    let mut best = (f64::INFINITY, Vector3::zeros(), None);
    for pair in line.windows(2) {
        let along = pair[1] - pair[0];
        let length = along.norm_squared();
        let t = if length > 0.0 { (point - pair[0]).dot(&along) / length } else { 0.0 };
        let inside = (0.0..=1.0).contains(&t);
        let place = pair[0] + along * t.clamp(0.0, 1.0);
        let far = (point - place).norm_squared();
        if far < best.0 {
            best = (far, place, along.try_normalize(0.0).filter(|_| inside));
        }
    }
    if line.len() == 1 { (line[0], None) } else { (best.1, best.2) }
}
