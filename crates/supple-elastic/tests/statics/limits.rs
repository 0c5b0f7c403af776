//! Loads that cannot be borne, wrong input, cancellation, threads.

use crate::statics::samples::{all, at, load_on, material, poser, solve, solved, tets, weight};
use supple_elastic::{ElasticError, Law, PoserSettings, StaticsError, Status};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

#[test]
fn a_load_that_crushes_the_body_is_carried_in_part() {
    // St. Venant–Kirchhoff bears at most 0.19 E per area when pressed: beyond it turns inside out.
    let body = tets(Vec3::new(1.0, 0.25, 0.25), [8, 2, 2], material(Law::StVenantKirchhoff));
    let mut poser = poser(&body, |p| p.x == 0.0);
    let limit = 0.19 * 1e5 / 16.0;
    let load = load_on(&body, &at(&body, |p| p.x == 1.0), Vec3::new(-20.0 * limit, 0.0, 0.0));
    let report = solve(&mut poser, &load);
    assert_eq!(report.status, Status::Diverged);
    assert!(report.fraction > 0.001 && report.fraction < 0.06, "{}", report.fraction);
    assert_eq!(report.steps.last().map(|step| step.fraction), Some(report.fraction));
    // What it carries is an equilibrium.
    assert!(report.residual < 1e-5 * limit, "{}", report.residual);
    assert!(report.strain_energy > 0.0 && poser.pose().iter().all(|u| u.abs() < 1.0));
    // And the part it carries can be had at once.
    let part: Vec<f64> = load.iter().map(|f| f * report.fraction).collect();
    solved(&mut poser, &part);
}

#[test]
fn absurd_loads_are_a_status() {
    for (kind, body) in all() {
        let mut poser = poser(&body, |p| p.x < 0.2);
        for size in [1e30, 1e300] {
            let report = solve(&mut poser, &weight(&body, Vec3::new(-size, size, size)));
            assert!(poser.pose().iter().all(|u| u.is_finite()), "{kind} {size}");
            assert_eq!(report.status, Status::Diverged, "{kind} {size}");
            assert!(report.fraction < 1.0, "{kind} {size}");
        }
    }
}

#[test]
fn wrong_input_is_named() {
    let (_, body) = all().swap_remove(1);
    let mut poser = poser(&body, |p| p.x < 0.2);
    let mut load = vec![0.0; 3 * body.positions().len()];
    load[16] = f64::NAN;
    let error = poser.set_load(&load).unwrap_err();
    assert_eq!(error, StaticsError::NotFinite { what: "the load", vertex: VertexId(5) });
    assert_eq!(error.to_string(), "the load of vertex 5 is not a finite number");
    let error = poser.set_pose(&[0.0; 4]).unwrap_err();
    assert_eq!(error, StaticsError::Length { what: "the displacement", found: 4, expected: load.len() });
    let error = poser.pin(&[VertexId(9999)]).unwrap_err();
    assert!(matches!(error, StaticsError::Body(ElasticError::NoSuchVertex { .. })), "{error}");
    let all: Vec<VertexId> = (0..body.positions().len()).map(VertexId::new).collect();
    assert!(matches!(poser.pin(&all), Err(StaticsError::Body(ElasticError::AllAnchored { .. }))));
    assert!(poser.pinned().is_empty());
    let settings = PoserSettings { tolerance: 0.0, ..PoserSettings::default() };
    assert!(poser.with_settings(settings).is_err());
}

#[test]
fn a_cancelled_solve_changes_nothing() {
    let (_, body) = all().swap_remove(1);
    let mut poser = poser(&body, |p| p.x < 0.2);
    let progress = Progress::silent();
    progress.cancel();
    poser.set_load(&weight(&body, Vec3::new(0.0, -9.81, 0.0))).unwrap();
    assert!(matches!(poser.solve(&progress), Err(StaticsError::Cancelled(_))));
    assert!(poser.pose().iter().all(|&u| u == 0.0));
}

#[test]
fn poses_do_not_depend_on_threads() {
    for (kind, body) in all() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut poser = poser(&body, |p| p.x < 0.2);
                let report = solve(&mut poser, &weight(&body, Vec3::new(0.0, -3.0, 1.0)));
                (poser.pose().to_vec(), report)
            })
        };
        assert!(on(1) == on(2), "{kind}");
    }
}
