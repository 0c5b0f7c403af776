//! What is measured on motions: where points go, how far parts turn; and what memory is taken.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::{DragMethod, EditReport};

/// All frames of some vertices of the edited motion and of the input, and what the edit came to.
pub struct Watched {
    /// By vertex, then by frame.
    pub output: Vec<Vec<Vec3>>,
    pub input: Vec<Vec<Vec3>>,
    pub report: EditReport,
}

/// Lets go of the handles and watches vertices of the motion that follows.
pub fn watch(editor: &mut DragMethod, vertices: &[VertexId], progress: &Progress) -> anyhow::Result<Watched> {
    let mut output = vec![Vec::with_capacity(editor.clock().frames); vertices.len()];
    let report = editor.solve(progress, |frame| {
        for (path, v) in output.iter_mut().zip(vertices) {
            path.push(Vec3::from(frame.positions[v.index()]));
        }
        Ok(())
    })?;
    let path = |v: &VertexId| (0..editor.clock().frames).map(|frame| input_at(editor, frame, *v)).collect();
    let input = vertices.iter().map(path).collect();
    Ok(Watched { output, input, report })
}

/// The worst error of a handle, as a part of the size.
pub fn handle_error(editor: &DragMethod, report: &EditReport) -> f64 {
    report.handles.iter().map(|handle| handle.error / editor.size()).fold(0.0, f64::max)
}

/// Where the input has a vertex.
pub fn input_at(editor: &DragMethod, index: usize, v: VertexId) -> Vec3 {
    let u = editor.motion().frame(index).displacement();
    editor.rest()[v.index()] + Vec3::from_column_slice(&u[3 * v.index()..][..3])
}

/// All vertices of the input at a frame.
pub fn input_frame(editor: &DragMethod, index: usize) -> Vec<Vec3> {
    (0..editor.rest().len()).map(|v| input_at(editor, index, VertexId::new(v))).collect()
}

/// All vertices of the edited motion at a frame.
pub fn output_frame(editor: &DragMethod, index: usize) -> Vec<Vec3> {
    let mut positions = vec![[0.0; 3]; editor.rest().len()];
    editor.frame(index, &mut positions);
    positions.into_iter().map(Vec3::from).collect()
}

/// The vertex of what moves that lies farthest along a direction, at rest.
pub fn farthest(editor: &DragMethod, direction: Vec3) -> VertexId {
    farthest_of((0..editor.rest().len()).map(VertexId::new), editor, direction)
}

/// The same among some vertices.
pub fn farthest_of(
    vertices: impl IntoIterator<Item = VertexId>,
    editor: &DragMethod,
    direction: Vec3,
) -> VertexId {
    let far = |v: &VertexId| editor.rest()[v.index()].dot(&direction);
    vertices.into_iter().max_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(VertexId(0))
}

/// The rotation that best takes points from one place to another (Kabsch, A solution for the best rotation to
/// relate two sets of vectors, 1976): of Σ (y − ȳ)(x − x̄)ᵀ = UΣVᵀ it is U diag(1, 1, det UVᵀ) Vᵀ.
pub fn rotation(from: &[Vec3], to: &[Vec3]) -> Rotation3<f64> {
    let mean = |points: &[Vec3]| points.iter().sum::<Vec3>() / points.len() as f64;
    let (x0, y0) = (mean(from), mean(to));
    let sum: Matrix3<f64> = from.iter().zip(to).map(|(x, y)| (y - y0) * (x - x0).transpose()).sum();
    let svd = sum.svd(true, true);
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else { return Rotation3::identity() };
    let sign = Matrix3::from_diagonal(&Vec3::new(1.0, 1.0, (u * vt).determinant().signum()));
    Rotation3::from_matrix_unchecked(u * sign * vt)
}

/// The angle of a rotation about an axis, degrees, in (−180, 180]: that of its twist, what is left of it when the
/// turning of the axis itself is taken away. Of the quaternion (w, v) it is 2 atan2(v · axis, w).
pub fn angle_about(rotation: &Rotation3<f64>, axis: Vec3) -> f64 {
    let turned = UnitQuaternion::from_rotation_matrix(rotation);
    let degrees = 2.0 * turned.imag().dot(&axis.normalize()).atan2(turned.w).to_degrees();
    let whole = degrees.rem_euclid(360.0);
    if whole > 180.0 { whole - 360.0 } else { whole }
}

/// The curve of Catmull and Rom through keys at even distances, at the share t ∈ [0, 1] between keys k and k + 1;
/// beyond the ends it goes on as it stands there.
pub fn catmull_rom(keys: &[f64], k: usize, t: f64) -> f64 {
    let key = |k: usize| keys[k.min(keys.len() - 1)];
    let (a, b, c, d) = (key(k.saturating_sub(1)), key(k), key(k + 1), key(k + 2));
    let (t2, t3) = (t * t, t * t * t);
    0.5 * (2.0 * b + (c - a) * t + (2.0 * a - 5.0 * b + 4.0 * c - d) * t2 + (3.0 * (b - c) + d - a) * t3)
}

/// What this process holds now, MiB; `None` where the system does not tell.
pub fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_found_again_and_its_angle_too() {
        let points: Vec<Vec3> = (0..9)
            .map(|i| Vec3::new(f64::from(i).sin(), f64::from(i * i).cos(), 0.3 * f64::from(i)))
            .collect();
        let axis = Vec3::new(1.0, -2.0, 0.5);
        for degrees in [45.0_f64, -60.0, 179.0] {
            let turn = Rotation3::from_scaled_axis(axis.normalize() * degrees.to_radians());
            let moved: Vec<Vec3> = points.iter().map(|p| turn * p + Vec3::new(3.0, 1.0, -2.0)).collect();
            let angle = angle_about(&rotation(&points, &moved), axis);
            assert!((angle - degrees).abs() < 1e-9, "{degrees}: {angle}");
        }
    }

    #[test]
    fn a_spline_goes_through_its_keys_and_keeps_straight_lines() {
        let keys = [0.0, 1.0, -2.0, 5.0];
        for (k, key) in keys.iter().enumerate() {
            assert!((catmull_rom(&keys, k, 0.0) - key).abs() < 1e-12);
        }
        assert!((catmull_rom(&[0.0, 1.0, 2.0, 3.0], 1, 0.25) - 1.25).abs() < 1e-12);
    }
}
