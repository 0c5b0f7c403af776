//! What a body is made of counts: finer meshes move alike, stiffer ones do not, and linear motions are those of an oracle.

use super::{Place, each, turn};
use nalgebra::{Matrix2, Matrix3, Vector2};
use supple_mesh::Vec3;
use supple_mesh::shapes::box_mesh;
use supple_model::{Progress, Status, VertexId};
use supple_project::Cache;
use supple_project::prepare_modes;
use supple_project::shot::{Damping, Goal, Handle, Region, SecondsPerFrame, Site, When};

const SIZE: [f64; 3] = [0.5, 1.3, 0.5];
const DT: f64 = 0.01;

/// A block of so many cells, its lower half ten times as stiff if it shall be.
fn block(cells: [usize; 3], is_stiff: bool) -> Place {
    let place = Place::new("block");
    let mesh = box_mesh(SIZE.into(), cells).unwrap();
    let mut text = String::from("*NODE\n");
    for (k, x) in mesh.positions().iter().enumerate() {
        text += &format!("{}, {}, {}, {}\n", k + 1, x.x, x.y, x.z);
    }
    text += "*ELEMENT, TYPE=C3D4, ELSET=all\n";
    for (k, tet) in mesh.tets().iter().enumerate() {
        let [a, b, c, d] = tet.map(|v| v.index() + 1);
        text += &format!("{}, {a}, {b}, {c}, {d}\n", k + 1);
    }
    let middle = |tet: &[VertexId; 4]| tet.iter().map(|v| mesh.positions()[v.index()].y).sum::<f64>() / 4.0;
    text += "*ELSET, ELSET=low\n";
    let low = mesh.tets().iter().enumerate().filter(|(_, tet)| middle(tet) < 0.5 * SIZE[1]);
    low.for_each(|(k, _)| text += &format!("{}\n", k + 1));
    for (name, height) in [("base", 0.0), ("top", SIZE[1])] {
        text += &format!("*NSET, NSET={name}\n");
        let own = mesh.positions().iter().enumerate().filter(|(_, x)| (x.y - height).abs() < 1e-9);
        own.for_each(|(k, _)| text += &format!("{}\n", k + 1));
    }
    std::fs::write(place.folder.path().join("made.inp"), text).unwrap();
    let mut place = place.with_mesh("made.inp");
    if is_stiff {
        let region = Region { group: "low".into(), young: Some(1e7), poisson: None, density: None };
        place.shot.body.regions = vec![region];
    }
    place.shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(DT);
    place
}

/// The vertices of the top with their shares of its mass.
fn shares(place: &Place) -> Vec<(VertexId, f64)> {
    let body = place.body();
    let members = body.groups.get("top").unwrap();
    let mass = |v: &VertexId| body.elastic.masses()[v.index()];
    let total: f64 = members.iter().map(mass).sum();
    members.iter().map(|v| (*v, mass(v) / total)).collect()
}

/// Where the middle of the top is, frame by frame.
fn top(place: &Place) -> Vec<Vec3> {
    let motion = place.solve();
    assert_eq!(motion.report.status, Status::Settled, "{:?}", motion.report);
    let shares = shares(place);
    let mean = |frame: &Vec<Vec3>| shares.iter().map(|(v, share)| frame[v.index()] * *share).sum();
    motion.frames.iter().map(mean).collect()
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// Root of the mean square over the frames, as a part of the size.
fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    (squares / a.len() as f64).sqrt() / Vec3::from(SIZE).norm()
}

#[test]
fn a_block_twice_as_fine_moves_alike_and_a_stiffer_one_does_not() {
    let moved = |cells, is_stiff| {
        let mut place = block(cells, is_stiff);
        let tilt = turn([0.5, 0.5, 0.25], [0.0, 0.0, -1.0], 90.0);
        place.shot.edit.handles = vec![each(When::Frame(25), "top", tilt)];
        top(&place)
    };
    let coarse = moved([5, 13, 5], false);
    let (finer, stiff) = (moved([10, 26, 10], false), moved([5, 13, 5], true));
    assert!(apart(&coarse, &finer) <= 0.02, "{}", apart(&coarse, &finer));
    assert!(apart(&coarse, &stiff) >= 2.0 * apart(&coarse, &finer), "{}", apart(&coarse, &stiff));
}

/// The covariance of a mode under forces that are constant over short steps, both ends at rest: with the key at `key`.
fn covariances(eigenvalue: f64, damping: &Damping, frames: usize, key: usize) -> Vec<f64> {
    let steps = 200;
    let h = DT / steps as f64;
    let A = Matrix2::new(0.0, 1.0, -eigenvalue, -(damping.mass + damping.stiffness * eigenvalue));
    // Taylor's series of the short step.
    let (mut step, mut term, mut forced) = (Matrix2::identity(), Matrix2::identity(), Matrix2::zeros());
    for n in 1..20 {
        forced += term * (h / f64::from(n));
        term *= A * (h / f64::from(n));
        step += term;
    }
    let pushed = forced * Vector2::new(0.0, 1.0);
    let Q = pushed * pushed.transpose() / h;
    let mut variances = vec![Matrix2::zeros()];
    let mut P = Matrix2::zeros();
    for _ in 1..frames {
        for _ in 0..steps {
            P = step * P * step.transpose() + Q;
        }
        variances.push(P);
    }
    let frame = (0..steps).fold(Matrix2::identity(), |all, _| step * all);
    let between = |i: usize, j: usize| -> Matrix2<f64> {
        let (late, early) = (i.max(j), i.min(j));
        let carried = (early..late).fold(Matrix2::identity(), |all, _| frame * all) * variances[early];
        if i >= j { carried } else { carried.transpose() }
    };
    let end = frames - 1;
    let inverse = variances[end].try_inverse().unwrap();
    let of = |i: usize| (between(i, key) - between(i, end) * inverse * between(end, key))[(0, 0)];
    (0..frames).map(of).collect()
}

/// One hard key on the middle of the top, no warp: z = P Uᵀ μ, S μ = what is asked.
#[test]
fn a_stiffer_block_moves_as_the_oracle_does() {
    let mut place = block([3, 7, 3], true);
    let damping = Damping { mass: 2.0, stiffness: 0.004 };
    let edit = &mut place.shot.edit;
    (edit.warp, edit.exact, edit.modes, edit.damping) = (false, false, 12, Some(damping));
    let by = [0.3, 0.02, -0.1];
    edit.handles = vec![Handle::new(When::Frame(25), Site::Group("top".into()), Goal::By(by))];
    let ours = top(&place);
    let body = place.body();
    let cache = Cache::in_folders([place.folder.path().join("oracle")]);
    let modes = prepare_modes(&body, 12, &cache, &Progress::silent()).unwrap().modes;
    let shares = shares(&place);
    let row = |k: usize| -> Vec3 {
        let shape = modes.shape(k);
        let of = |v: &VertexId| body.free.vertices().binary_search(v).unwrap();
        shares.iter().map(|(v, share)| Vec3::from_column_slice(&shape[3 * of(v)..][..3]) * *share).sum()
    };
    let rows: Vec<Vec3> = (0..12).map(row).collect();
    let P: Vec<Vec<f64>> =
        modes.eigenvalues().iter().map(|lambda| covariances(*lambda, &damping, 49, 24)).collect();
    let at = |i: usize| -> Matrix3<f64> { rows.iter().zip(&P).map(|(c, P)| c * c.transpose() * P[i]).sum() };
    let pull = at(24).try_inverse().unwrap() * Vec3::from(by);
    let expected: Vec<Vec3> = (0..49).map(|i| ours[0] + at(i) * pull).collect();
    assert!(farthest(&ours, &expected) <= 1e-4, "{}", farthest(&ours, &expected));
    assert!((ours[24] - ours[0] - Vec3::from(by)).norm() < 1e-6);
}
