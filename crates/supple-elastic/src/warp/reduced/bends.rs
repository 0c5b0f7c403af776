//! How the warp bends the modes: its second derivatives at rest.
//!
//! A body at rest under the edit U z changes by d(z) = Σ_i φ_i z_i + ½ Σ_ij φ_ij z_i z_j + …, where the second derivatives
//! fit, as d does, what every place is asked for:
//!
//! > φ_ij = argmin_φ Σ_q V_q |G_q φ − Δ_ij|²,
//! > Δ_ij = ½ (π_i× π_j× + π_j× π_i×) + π_i× ε_j + π_j× ε_i.
//!
//! They are to the warp what modal derivatives are to elastic forces (Barbič and James, Real-Time Subspace Integration for
//! St. Venant–Kirchhoff Deformable Models, 2005): where a mode leads as it grows. Those take the stiffness of a uniform
//! material and its derivative; these are of the very map that the basis is for, and take the one factor the warp has.

use super::super::COLUMNS_PER_SOLVE;
use super::super::Warp;
use super::stations::Stations;
use crate::FreeVertices;
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress};

/// Fields made together.
const FIELDS_PER_TASK: usize = COLUMNS_PER_SOLVE / 3;
/// Tasks between looks at the progress.
const TASKS_PER_LOOK: usize = 8;

/// Pairs i ≤ j of the first so many modes.
pub(super) fn pairs_of(count: usize) -> Vec<(usize, usize)> {
    (0..count).flat_map(|i| (i..count).map(move |j| (i, j))).collect()
}

/// φ_ij of [`pairs_of`], over free vertices; `stations` are all places.
pub(super) fn bends(
    warp: &Warp,
    stations: &Stations,
    free: &FreeVertices,
    count: usize,
    progress: &Progress,
) -> Result<Vec<Vec<f64>>, Cancelled> {
    let parts: Vec<Vec<(Matrix3<f64>, Matrix3<f64>)>> = (0..count).map(|k| parts(stations, k)).collect();
    let pairs = pairs_of(count);
    fitted(warp, free, pairs.len(), progress, &|k, changes| {
        let (i, j) = pairs[k];
        for (change, ((Wi, Ei), (Wj, Ej))) in changes.iter_mut().zip(parts[i].iter().zip(&parts[j])) {
            *change = (Wi * Wj + Wj * Wi) * 0.5 + Wi * Ej + Wj * Ei;
        }
    })
}

/// π× and ε of a mode at every place.
fn parts(stations: &Stations, k: usize) -> Vec<(Matrix3<f64>, Matrix3<f64>)> {
    let of = |e: usize| {
        let s: [f64; 9] = std::array::from_fn(|b| stations.rows(e)[b * stations.stride() + k]);
        let strain = Matrix3::new(s[3], s[8], s[7], s[8], s[4], s[6], s[7], s[6], s[5]);
        (Vec3::new(s[0], s[1], s[2]).cross_matrix(), strain)
    };
    (0..stations.count()).map(of).collect()
}

/// The fields over free vertices that fit changes of all places best; `change` overwrites those of the k-th.
pub(super) fn fitted(
    warp: &Warp,
    free: &FreeVertices,
    count: usize,
    progress: &Progress,
    change: &(dyn Fn(usize, &mut [Matrix3<f64>]) + Sync),
) -> Result<Vec<Vec<f64>>, Cancelled> {
    let n = warp.vertices();
    let mut fields = Vec::with_capacity(count);
    let tasks: Vec<usize> = (0..count).step_by(FIELDS_PER_TASK).collect();
    for (done, tasks) in tasks.chunks(TASKS_PER_LOOK).enumerate() {
        progress.report("shaping", (done * TASKS_PER_LOOK * FIELDS_PER_TASK) as f64 / count as f64)?;
        let made = tasks.par_iter().map(|first| {
            let own = *first..count.min(first + FIELDS_PER_TASK);
            let mut columns = vec![0.0; 3 * n * own.len()];
            let mut changes = vec![Matrix3::zeros(); warp.places()];
            let mut forces = vec![[0.0; 3]; warp.incidence.corners()];
            for (k, columns) in own.zip(columns.chunks_exact_mut(3 * n)) {
                change(k, &mut changes);
                warp.cells.forces_of(&changes, &mut forces);
                warp.sum_forces(&forces, columns);
            }
            warp.poisson.solve(&mut columns, n, &mut Vec::new());
            let field = |columns: &[f64]| -> Vec<f64> {
                free.vertices().iter().flat_map(|v| [0, 1, 2].map(|c| columns[c * n + v.index()])).collect()
            };
            columns.chunks_exact(3 * n).map(field).collect::<Vec<_>>()
        });
        fields.extend(made.collect::<Vec<_>>().into_iter().flatten());
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Basis;
    use faer::Mat;
    use supple_mesh::shapes::box_mesh;
    use supple_model::VertexId;

    /// Against second differences of the warp itself.
    #[test]
    fn bends_are_the_second_derivatives_of_the_warp() {
        let mesh = box_mesh(Vec3::new(1.0, 0.3, 0.2), [4, 2, 1]).unwrap();
        let n = mesh.positions().len();
        for held in [true, false] {
            let anchors: Vec<VertexId> =
                (0..n).filter(|v| held && mesh.positions()[*v].x == 0.0).map(VertexId::new).collect();
            let free = FreeVertices::except(n, &anchors).unwrap();
            let warp = Warp::new(&mesh, &vec![1.0; n], &free).unwrap();
            let shapes = Mat::from_fn(3 * free.vertices().len(), 3, |row, k| {
                let x = mesh.positions()[free.vertices()[row / 3].index()];
                ((1.0 + k as f64) * x.x + (row % 3) as f64 + x.y).sin() * if held { x.x } else { 1.0 }
            });
            let basis = Basis::new(shapes, free.clone());
            let stations = Stations::new(&warp, &basis, (0..warp.places()).collect());
            let found = bends(&warp, &stations, &free, 3, &Progress::silent()).unwrap();
            let rest = warp.input(&vec![0.0; 3 * n]);
            let at = |z: [f64; 3]| {
                let (mut p, mut u) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
                basis.displacement(&z, &mut p);
                warp.apply(&rest, &p, &mut u);
                // What floats moves as a whole with its mean; bends have none.
                for part in warp.poisson.floating() {
                    let shift = part.shift(&p);
                    part.vertices.iter().for_each(|v| (0..3).for_each(|c| u[3 * v.index() + c] -= shift[c]));
                }
                let mut gathered = vec![0.0; 3 * free.vertices().len()];
                free.gather(&u, &mut gathered);
                gathered
            };
            let h = 1e-3;
            for ((i, j), field) in pairs_of(3).into_iter().zip(&found) {
                let moved = |a: f64, b: f64| {
                    let mut z = [0.0; 3];
                    z[i] += a;
                    z[j] += b;
                    at(z)
                };
                let second = |h: f64| -> Vec<f64> {
                    let (pp, pm, mp, mm) = (moved(h, h), moved(h, -h), moved(-h, h), moved(-h, -h));
                    (0..field.len()).map(|k| (pp[k] - pm[k] - mp[k] + mm[k]) / (4.0 * h * h)).collect()
                };
                let (near, far) = (second(h), second(2.0 * h));
                let size = field.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                for ((found, near), far) in field.iter().zip(near).zip(far) {
                    let exact = (4.0 * near - far) / 3.0;
                    assert!((found - exact).abs() < 1e-6 * size, "{i} {j}: {found} {exact}");
                }
            }
        }
    }
}
