//! Poses from skins.

use crate::statics::samples::{distance, largest, material, noise};
use faer::linalg::solvers::Solve;
use nalgebra::Rotation3;
use std::sync::Arc;
use supple_elastic::{
    ElasticBody, FitReport, FitSettings, Fitter, FreeVertices, Law, Smoothness, Solid, StaticsError, fit,
    vertex_areas,
};
use supple_mesh::{Embedding, Surface, TetMesh, Vec3, shapes::box_mesh};
use supple_model::{Progress, VertexId};

const LENGTH: f64 = 2.0;

fn mesh(cells: [usize; 3]) -> TetMesh {
    box_mesh(Vec3::new(LENGTH, 0.3, 0.3), cells).unwrap()
}

fn solid(mesh: &TetMesh, law: Law) -> Arc<ElasticBody> {
    Arc::new(Solid::new(mesh.clone(), material(law), &[]).unwrap())
}

/// Points on the surface of the mesh: its vertices and the middles of triangles.
fn skin(mesh: &TetMesh) -> Vec<Vec3> {
    let surface = Surface::of(mesh).to_mesh(mesh.positions()).unwrap();
    let mut points = surface.positions().to_vec();
    let corners = |t: &[VertexId; 3]| t.map(|v| surface.positions()[v.index()]);
    points.extend(surface.triangles().iter().map(|t| corners(t).iter().sum::<Vec3>() / 3.0));
    points
}

/// A beam bent to an arc of `angle` and twisted by `twist` on the way.
fn bent(x: &Vec3, angle: f64, twist: f64) -> Vec3 {
    let s = x.x / LENGTH;
    let section =
        Rotation3::from_axis_angle(&Vec3::x_axis(), twist * s) * Vec3::new(0.0, x.y - 0.15, x.z - 0.15);
    let radius = LENGTH / angle;
    let turn = Rotation3::from_axis_angle(&Vec3::z_axis(), angle * s);
    turn * section + Vec3::new(radius * (angle * s).sin(), radius * (1.0 - (angle * s).cos()), 0.15)
}

fn displacements(points: &[Vec3], map: impl Fn(&Vec3) -> Vec3) -> Vec<f64> {
    points.iter().flat_map(|x| (map(x) - x).data.0[0]).collect()
}

/// A u.
fn on_skin(embedding: &Embedding, u: &[f64]) -> Vec<f64> {
    let body: Vec<Vec3> = u.chunks_exact(3).map(Vec3::from_column_slice).collect();
    let mut skin = vec![Vec3::zeros(); embedding.elements().len()];
    embedding.apply(&body, &mut skin);
    skin.iter().flat_map(|v| v.data.0[0]).collect()
}

fn relative(beta: f64) -> FitSettings {
    FitSettings { smoothness: Smoothness::Relative(beta), ..FitSettings::default() }
}

fn fitted(
    body: &Arc<ElasticBody>,
    embedding: &Embedding,
    target: &[f64],
    settings: FitSettings,
) -> FitReport {
    let report = fit(body.clone(), embedding, target, settings, &Progress::silent()).unwrap();
    assert!(report.status.is_solved(), "{:?} {:?}", report.status, report.values);
    assert!(report.values.windows(2).all(|w| w[1] <= w[0] * (1.0 + 1e-12)), "{:?}", report.values);
    report
}

#[test]
fn large_bends_and_twists_are_recovered() {
    for law in [Law::StVenantKirchhoff, Law::NeoHookean] {
        let mesh = mesh([16, 3, 3]);
        let body = solid(&mesh, law);
        let points = skin(&mesh);
        let embedding = Embedding::of(&mesh, &points);
        for (angle, twist) in [(1.57, 0.0), (3.0, 0.0), (0.5, 3.0), (1.57, 1.57)] {
            let pose = displacements(mesh.positions(), |x| bent(x, angle, twist));
            let target = on_skin(&embedding, &pose);
            let report = fitted(&body, &embedding, &target, relative(1e-7));
            assert!(report.skin_rms < 1e-4, "{law:?} {angle} {twist}: {}", report.skin_rms);
            assert!(report.skin_max >= report.skin_rms && report.iterations < 25, "{}", report.iterations);
            // The inside was not seen: it lies where little strain puts it, near the smooth map.
            let error = distance(&report.pose, &pose);
            assert!(error < 0.012, "{law:?} {angle} {twist}: {error}");
        }
    }
}

#[test]
fn a_body_seen_everywhere_is_recovered_exactly() {
    let mesh = mesh([8, 2, 2]);
    let body = solid(&mesh, Law::NeoHookean);
    // All vertices, inner ones too.
    let embedding = Embedding::of(&mesh, mesh.positions());
    let mut pose = displacements(mesh.positions(), |x| bent(x, 1.57, 1.0));
    for (u, n) in pose.iter_mut().zip(noise(1000, 4)) {
        *u += 0.005 * n;
    }
    let target = on_skin(&embedding, &pose);
    let errors = [1e-4, 1e-6, 1e-9]
        .map(|beta| distance(&fitted(&body, &embedding, &target, relative(beta)).pose, &pose));
    assert!(errors[2] < 1e-6 && errors[1] < 0.1 * errors[0] && errors[2] < 0.1 * errors[1], "{errors:?}");
}

#[test]
fn rigid_motions_of_any_angle_are_exact() {
    let mesh = mesh([8, 2, 2]);
    let body = solid(&mesh, Law::StVenantKirchhoff);
    let points = skin(&mesh);
    let turn = Rotation3::from_euler_angles(1.0, -2.5, 2.0);
    let map = |x: &Vec3| turn * x + Vec3::new(3.0, -1.0, 2.0);
    let target = displacements(&points, map);
    let report = fitted(&body, &Embedding::of(&mesh, &points), &target, FitSettings::default());
    assert!(distance(&report.pose, &displacements(mesh.positions(), map)) < 1e-6);
    assert!(report.iterations < 12, "{}", report.iterations);
}

#[test]
fn more_smoothness_takes_out_more_noise() {
    let mesh = mesh([16, 3, 3]);
    let body = solid(&mesh, Law::NeoHookean);
    let points = skin(&mesh);
    let embedding = Embedding::of(&mesh, &points);
    let clean = displacements(&points, |x| bent(x, 1.0, 0.0));
    let target: Vec<f64> = clean.iter().zip(noise(clean.len(), 9)).map(|(c, n)| c + 0.02 * n).collect();
    let reports = [1e-6, 3e-2, 1.0].map(|beta| fitted(&body, &embedding, &target, relative(beta)));
    let rms = |report: &FitReport| {
        let skin = on_skin(&embedding, &report.pose);
        (skin.iter().zip(&clean).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / clean.len() as f64).sqrt()
    };
    let errors = reports.each_ref().map(rms);
    assert!(errors[1] < 0.85 * errors[0] && errors[2] < 0.85 * errors[1], "{errors:?}");
    assert!(reports[2].strain_energy < 0.2 * reports[0].strain_energy);
    assert!(reports[0].skin_rms < reports[1].skin_rms && reports[1].skin_rms < reports[2].skin_rms);
}

#[test]
fn the_linear_law_gives_the_normal_equations() {
    let mesh = mesh([5, 2, 2]);
    let body = solid(&mesh, Law::Linear);
    let points = skin(&mesh);
    let embedding = Embedding::of(&mesh, &points);
    let anchors: Vec<VertexId> =
        (0..mesh.positions().len()).filter(|&v| mesh.positions()[v].x == 0.0).map(VertexId::new).collect();
    let free = FreeVertices::except(mesh.positions().len(), &anchors).unwrap();
    let target = noise(3 * points.len(), 5);
    let weights: Vec<f64> = noise(points.len(), 6).iter().map(|w| 1.5 + w).collect();
    let beta = 3e-4;
    let settings = FitSettings { smoothness: Smoothness::Absolute(beta), ..FitSettings::default() };
    let fitter = Fitter::new(body.clone(), free.clone(), &embedding, settings).unwrap();
    let mut fitter = fitter.with_weights(&weights).unwrap();
    assert_eq!(fitter.beta(), beta);
    let report = fitter.fit(&target, &Progress::silent()).unwrap();

    // (2AᵀWA + βK) u = 2AᵀWū, densely.
    let n = 3 * free.vertices().len();
    let mut A = faer::Mat::<f64>::zeros(3 * points.len(), n);
    for (s, (vertices, blends)) in embedding.rows().enumerate() {
        for (v, b) in vertices.iter().zip(blends) {
            if let Some(k) = free.index(*v) {
                for c in 0..3 {
                    A[(3 * s + c, 3 * k + c)] += b;
                }
            }
        }
    }
    let WA = faer::Mat::from_fn(A.nrows(), n, |i, j| 2.0 * weights[i / 3] * A[(i, j)]);
    let K = body.stiffness(&vec![0.0; 3 * mesh.positions().len()], &free).to_dense();
    let H = A.transpose() * &WA + faer::Scale(beta) * &K;
    let rhs = WA.transpose() * faer::Col::from_fn(target.len(), |i| target[i]);
    let dense = H.partial_piv_lu().solve(rhs);
    let mut expected = vec![0.0; 3 * mesh.positions().len()];
    free.scatter(&(0..n).map(|i| dense[i]).collect::<Vec<_>>(), &mut expected);
    assert!(
        distance(&report.pose, &expected) < 1e-8 * largest(&expected),
        "{}",
        distance(&report.pose, &expected)
    );
}

#[test]
fn relative_smoothness_does_not_depend_on_units() {
    let mesh = mesh([6, 2, 2]);
    let points = skin(&mesh);
    let embedding = Embedding::of(&mesh, &points);
    let target: Vec<f64> = displacements(&points, |x| bent(x, 1.0, 0.5));
    let soft = fitted(&solid(&mesh, Law::NeoHookean), &embedding, &target, relative(0.01));
    // The same in millimetres and another stiffness.
    let scaled = |points: &[Vec3]| points.iter().map(|x| x * 1000.0).collect::<Vec<_>>();
    let large = TetMesh::new(scaled(mesh.positions()), mesh.tets().to_vec()).unwrap();
    let stiff = supple_elastic::Material { young: 7.0, ..material(Law::NeoHookean) };
    let body: Arc<ElasticBody> = Arc::new(Solid::new(large.clone(), stiff, &[]).unwrap());
    let target: Vec<f64> = target.iter().map(|t| 1000.0 * t).collect();
    let large = fitted(&body, &Embedding::of(&large, &scaled(&points)), &target, relative(0.01));
    let back: Vec<f64> = large.pose.iter().map(|u| u / 1000.0).collect();
    assert!(distance(&back, &soft.pose) < 1e-6, "{}", distance(&back, &soft.pose));
    assert!(soft.skin_rms > 1e-4, "it costs something");
}

#[test]
fn a_sequence_starts_where_the_last_pose_was() {
    let mesh = mesh([12, 2, 2]);
    let body = solid(&mesh, Law::StVenantKirchhoff);
    let surface = Surface::of(&mesh).to_mesh(mesh.positions()).unwrap();
    let points = surface.positions().to_vec();
    let areas = vertex_areas(&surface);
    assert!((areas.iter().sum::<f64>() - (4.0 * LENGTH * 0.3 + 2.0 * 0.09)).abs() < 1e-12);
    let embedding = Embedding::of(&mesh, &points);
    let free = FreeVertices::all(mesh.positions().len());
    let new = || {
        Fitter::new(body.clone(), free.clone(), &embedding, relative(0.01))
            .unwrap()
            .with_weights(&areas)
            .unwrap()
    };
    let mut fitter = new();
    for angle in [0.5, 1.0, 1.02, 1.5] {
        let target = displacements(&points, |x| bent(x, angle, 0.0));
        let warm = fitter.fit(&target, &Progress::silent()).unwrap();
        let cold = new().fit(&target, &Progress::silent()).unwrap();
        assert!(distance(&warm.pose, &cold.pose) < 1e-5, "{angle}: {}", distance(&warm.pose, &cold.pose));
        assert!(warm.iterations <= cold.iterations, "{angle}");
    }
    // The same skin again costs next to nothing.
    let target = displacements(&points, |x| bent(x, 1.5, 0.0));
    assert!(fitter.fit(&target, &Progress::silent()).unwrap().iterations <= 1);
}

#[test]
fn fits_do_not_depend_on_threads_and_can_be_cancelled() {
    let mesh = mesh([8, 2, 2]);
    let body = solid(&mesh, Law::NeoHookean);
    let points = skin(&mesh);
    let embedding = Embedding::of(&mesh, &points);
    let target = displacements(&points, |x| bent(x, 1.0, 1.0));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fitted(&body, &embedding, &target, FitSettings::default()))
    };
    assert!(on(1) == on(2));
    let progress = Progress::silent();
    progress.cancel();
    let result = fit(body, &embedding, &target, FitSettings::default(), &progress);
    assert!(matches!(result, Err(StaticsError::Cancelled(_))));
}

#[test]
fn wrong_input_is_named() {
    let mesh = mesh([2, 1, 1]);
    let body = solid(&mesh, Law::NeoHookean);
    let points = skin(&mesh);
    let embedding = Embedding::of(&mesh, &points);
    let free = FreeVertices::all(mesh.positions().len());
    let new = || Fitter::new(body.clone(), free.clone(), &embedding, FitSettings::default()).unwrap();
    let mut target = vec![0.0; 3 * points.len()];
    target[7] = f64::INFINITY;
    let error = new().fit(&target, &Progress::silent()).unwrap_err();
    assert_eq!(error.to_string(), "the displacement of the skin of vertex 2 is not a finite number");
    assert!(matches!(new().fit(&[0.0], &Progress::silent()), Err(StaticsError::Length { found: 1, .. })));
    assert!(matches!(new().with_weights(&[1.0]), Err(StaticsError::Weights { found: 1, .. })));
    assert_eq!(new().with_weights(&vec![0.0; points.len()]).unwrap_err(), StaticsError::NoSkin);
    let weights: Vec<f64> = (0..points.len()).map(|s| if s == 3 { -1.0 } else { 1.0 }).collect();
    let error = new().with_weights(&weights).unwrap_err();
    assert_eq!(error, StaticsError::Weight { vertex: VertexId(3), value: -1.0 });
    let zero = FitSettings { smoothness: Smoothness::Relative(0.0), ..FitSettings::default() };
    assert!(fit(body.clone(), &embedding, &[], zero, &Progress::silent()).is_err());
    let none = Embedding::of(&mesh, &[]);
    assert_eq!(
        fit(body, &none, &[], FitSettings::default(), &Progress::silent()).unwrap_err(),
        StaticsError::NoSkin
    );
}
