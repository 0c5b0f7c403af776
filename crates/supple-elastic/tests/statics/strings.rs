//! Chains of springs, and cloth under its weight.

use crate::statics::samples::{SPRINGS, at, cloth, displacement, largest, poser, solve, solved, weight};
use std::sync::Arc;
use supple_elastic::{ElasticBody, Network, Poser, PoserSettings, SpringMaterial, SpringStiffness, Springs};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// A straight chain of springs along `axis`, each half a metre long.
fn chain(springs: usize, axis: Vec3) -> Arc<ElasticBody> {
    let positions = (0..=springs).map(|k| axis * (0.5 * k as f64)).collect();
    let pairs = (0..springs).map(|k| [k, k + 1].map(VertexId::new)).collect();
    let material = SpringMaterial { stiffness: SpringStiffness::PerSpring(20.0), ..SPRINGS };
    Arc::new(Springs::new(Network::new(positions, pairs).unwrap(), material, &[]).unwrap())
}

#[test]
fn a_hanging_chain_stretches_by_what_hangs_on_each_spring() {
    let chain = chain(6, Vec3::new(0.0, -1.0, 0.0));
    let mut poser = poser(&chain, |p| p.y == 0.0);
    solved(&mut poser, &weight(&chain, Vec3::new(0.0, -9.81, 0.0)));
    let mut expected = 0.0;
    for k in 1..=6 {
        let below: f64 = chain.masses()[k..].iter().sum();
        expected -= 9.81 * below / 20.0;
        assert!((poser.pose()[3 * k + 1] - expected).abs() < 1e-9, "{k}");
        assert!(poser.pose()[3 * k].abs() < 1e-9);
    }
}

#[test]
fn a_chain_between_two_ends_sags_where_forces_balance() {
    // Straight at rest it has no stiffness crosswise: the first steps live on the shift alone.
    let chain = chain(8, Vec3::new(1.0, 0.0, 0.0));
    let mut poser = poser(&chain, |p| p.x == 0.0 || p.x == 4.0);
    let report = solved(&mut poser, &weight(&chain, Vec3::new(0.0, -9.81, 0.0)));
    // The pull along x is the same in every spring, the pull along y grows by the weights between.
    let place = |k: usize| chain.positions()[k] + displacement(poser.pose(), VertexId::new(k));
    let pull = |k: usize| {
        let along = place(k + 1) - place(k);
        along * (20.0 * (1.0 - 0.5 / along.norm()))
    };
    for k in 1..8 {
        let jump = pull(k) - pull(k - 1) - Vec3::new(0.0, 9.81 * chain.masses()[k], 0.0);
        assert!(jump.norm() < 1e-8, "{k}: {jump}");
    }
    assert!(place(4).y < -0.2 && (place(3).y - place(5).y).abs() < 1e-9);
    assert!(report.residual < 1e-8);
}

/// A poser of a body that may swing about what holds it.
fn swinging(body: &Arc<ElasticBody>, test: impl Fn(&Vec3) -> bool) -> Poser {
    let settings = PoserSettings { swing: true, ..PoserSettings::default() };
    poser(body, test).with_settings(settings).unwrap()
}

#[test]
fn a_chain_held_at_one_end_stays_or_swings_down() {
    // Pulled crosswise it has to turn by a quarter: three hinges, each without stiffness.
    let chain = chain(3, Vec3::new(1.0, 0.0, 0.0));
    let load = weight(&chain, Vec3::new(0.1, -9.81, 0.0));
    let mut still = poser(&chain, |p| p.x == 0.0);
    let report = solve(&mut still, &load);
    assert_eq!(report.removed.motions, 2, "turning about itself moves nothing");
    assert!(still.pose().iter().all(|u| u.is_finite()));

    let mut poser = swinging(&chain, |p| p.x == 0.0);
    let report = solved(&mut poser, &load);
    assert_eq!(report.removed.motions, 0);
    let end = chain.positions()[3] + displacement(poser.pose(), VertexId(3));
    let stretch: f64 = (1..=3).map(|k| chain.masses()[k..].iter().sum::<f64>()).sum::<f64>() * 9.8105 / 20.0;
    assert!((end - Vec3::new(0.1, -9.81, 0.0).normalize() * (1.5 + stretch)).norm() < 1e-5, "{end}");
}

#[test]
fn cloth_held_along_one_edge_hangs_by_its_weight() {
    let cloth = cloth([1.0, 0.5], [8, 4]);
    let load = weight(&cloth, Vec3::new(0.0, -0.2, 0.0));
    let far = at(&cloth, |p| p.x == 1.0);
    let mut poser = swinging(&cloth, |p| p.x == 0.0);
    let report = solved(&mut poser, &load);
    // Held along a line only it hangs straight down.
    let mean = crate::statics::samples::mean(poser.pose(), &far);
    assert!(mean.y < -0.99 && (mean.x + 1.0).abs() < 1e-3, "{mean}");
    assert!(report.residual < 1e-7);

    // Clamped it bends: 0.2 m/s² on 5 kg/m², one metre long, D = 0.0092 N m.
    let mut poser = crate::statics::samples::poser(&cloth, |p| p.x < 0.2);
    solved(&mut poser, &load);
    let mean = crate::statics::samples::mean(poser.pose(), &far);
    assert!(mean.y < -0.6 && mean.x < -0.2 && mean.x > -0.9, "{mean}");
    // Symmetric about its middle line, up to the way it is cut into triangles.
    let [near, other] =
        [0.0, 0.5].map(|z| displacement(poser.pose(), at(&cloth, |p| p.x == 1.0 && p.z == z)[0]));
    assert!((near - other).norm() < 0.05, "{near} {other}");
}

#[test]
fn cloth_held_by_two_edges_sags_as_a_cable() {
    // A wide strip between two edges, soft in bending: EA/L(stretch) against w: the cable's cubic law,
    // sag³ = 3 w L⁴ / (64 EA) for small sag.
    let cloth = cloth([1.0, 0.1], [40, 1]);
    let mut poser = poser(&cloth, |p| p.x == 0.0 || p.x == 1.0);
    let g = 0.5;
    solved(&mut poser, &weight(&cloth, Vec3::new(0.0, -g, 0.0)));
    let sag = -crate::statics::samples::mean(poser.pose(), &at(&cloth, |p| (p.x - 0.5).abs() < 1e-12)).y;
    let (pressure, modulus) = (500.0 * 0.01 * g, 1e5 * 0.01);
    let expected = (3.0 * pressure / (64.0 * modulus)).cbrt();
    // Edges that hold the cloth's width stiffen it a little, as does bending: P h² relative to T L².
    assert!((sag / expected - 1.0).abs() < 0.05, "{sag} {expected}");
    assert!(largest(poser.pose()) < 1.2 * sag);
}
