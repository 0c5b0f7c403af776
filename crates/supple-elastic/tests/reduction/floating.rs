//! Bodies that nothing holds: their rigid motion apart, and bases that have none of it.

use crate::reduction::samples::{Chain, beam, missing};
use crate::statics::samples::{at, distance, largest, load_on, noise, solve};
use faer::Mat;
use faer::prelude::Solve;
use nalgebra::{Matrix3, Rotation3};
use std::f64::consts::PI;
use supple_elastic::{
    Basis, ElasticBody, FreeVertices, KeyBasisSettings, Law, Poser, RigidMotion, RigidState,
};
use supple_mesh::Vec3;
use supple_model::Progress;

/// A beam that is stretched, then bent, in flight.
fn chain() -> Chain {
    let body = beam(Law::StVenantKirchhoff);
    let free = FreeVertices::all(body.positions().len());
    let mut poser = Poser::new(body.clone(), free.clone()).unwrap();
    let part = |test: &dyn Fn(&Vec3) -> bool, force: Vec3| load_on(&body, &at(&body, test), force);
    let sum = |loads: &[Vec<f64>]| -> Vec<f64> {
        (0..loads[0].len()).map(|i| loads.iter().map(|load| load[i]).sum()).collect()
    };
    let ends = |force: Vec3| [part(&|p| p.x == 0.0, -force), part(&|p| p.x == 1.0, force)];
    let bend = [
        part(&|p| p.x == 0.0, Vec3::new(0.0, 12.0, 3.0)),
        part(&|p| p.x == 1.0, Vec3::new(0.0, 12.0, 3.0)),
        part(&|p| p.x == 0.5, Vec3::new(0.0, -24.0, -6.0)),
    ];
    let (mut keys, mut loads) = (Vec::new(), Vec::new());
    for load in [sum(&ends(Vec3::new(60.0, 0.0, 0.0))), sum(&bend)] {
        solve(&mut poser, &load);
        let pose = poser.pose().to_vec();
        let motion = RigidMotion::nearest(&body, &pose);
        keys.push(motion.apart(&body, &pose));
        loads.push(motion.directions_apart(&load));
    }
    let start = vec![0.0; keys[0].len()];
    loads.insert(0, start.clone());
    Chain { body, free, start, keys, loads }
}

/// Σ m d and Σ m (x − x̄) × d.
fn moments(body: &ElasticBody, d: &[f64]) -> [Vec3; 2] {
    let centre = RigidMotion::rest(body).centre;
    let mut out = [Vec3::zeros(); 2];
    for (v, (m, d)) in body.masses().iter().zip(d.chunks_exact(3).map(Vec3::from_column_slice)).enumerate() {
        out[0] += d * *m;
        out[1] += (body.positions()[v] - centre).cross(&d) * *m;
    }
    out
}

/// Rigid motions at rest, M N, orthonormal in nothing.
fn rigid_loads(body: &ElasticBody) -> Mat<f64> {
    let centre = RigidMotion::rest(body).centre;
    let axes = Matrix3::<f64>::identity();
    Mat::from_fn(3 * body.positions().len(), 6, |i, k| {
        let (v, c) = (i / 3, i % 3);
        let axis: Vec3 = axes.column(k % 3).into();
        let field = if k < 3 { axis } else { axis.cross(&(body.positions()[v] - centre)) };
        body.masses()[v] * field[c]
    })
}

#[test]
fn rigid_motion_and_deformation_are_told_apart_and_joined_again() {
    let body = beam(Law::StVenantKirchhoff);
    let still = RigidMotion::nearest(&body, &vec![0.0; 3 * body.positions().len()]);
    assert_eq!(still.centre, RigidMotion::rest(&body).centre);
    assert!((still.turn - Matrix3::identity()).norm() < 1e-14);
    for (angles, size) in [([0.3, -2.0, 1.0], 0.1), ([3.1, 0.2, -2.9], 0.03), ([0.0, 0.0, PI - 1e-6], 0.2)] {
        let turn = Rotation3::from_euler_angles(angles[0], angles[1], angles[2]).into_inner();
        let moved =
            body.positions().iter().flat_map(|x| (turn * x + Vec3::new(5.0, -3.0, 1.0) - x).data.0[0]);
        let noise = noise(3 * body.positions().len(), 17);
        let u: Vec<f64> = moved.zip(&noise).map(|(u, n)| u + size * n).collect();
        let motion = RigidMotion::nearest(&body, &u);
        let d = motion.apart(&body, &u);
        for moment in moments(&body, &d) {
            assert!(moment.norm() < 1e-12 * body.masses().iter().sum::<f64>(), "{moment}");
        }
        let mut again = vec![f64::NAN; u.len()];
        motion.joined(&body, &d, &mut again);
        assert!(distance(&u, &again) < 1e-13);
        // No other turn leaves less.
        let left = |motion: &RigidMotion| -> f64 {
            let d = motion.apart(&body, &u);
            d.iter().enumerate().map(|(i, d)| body.masses()[i / 3] * d * d).sum()
        };
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            for angle in [-1e-3, 1e-3, 1.0] {
                let other = Rotation3::new(axis * angle).into_inner() * motion.turn;
                assert!(left(&RigidMotion { turn: other, ..motion }) > left(&motion));
            }
        }
    }
}

/// d(t) of a tumbling, shaking body, by differences, has the velocity that is said.
#[test]
fn velocities_of_the_deformation_are_its_derivative() {
    let body = beam(Law::StVenantKirchhoff);
    let (shape, spin, shift) =
        (noise(3 * body.positions().len(), 23), Vec3::new(0.7, -1.2, 2.0), Vec3::new(3.0, 0.5, -1.0));
    let u = |t: f64| -> Vec<f64> {
        let turn = Rotation3::new(spin * t).into_inner();
        let place = |(x, d): (&Vec3, &[f64])| {
            turn * (x + Vec3::from_column_slice(d) * (0.05 * t.sin() + 0.1)) + shift * t - x
        };
        body.positions().iter().zip(shape.chunks_exact(3)).flat_map(|pair| place(pair).data.0[0]).collect()
    };
    let (t, h) = (0.8, 1e-5);
    let difference =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (a - b) / (2.0 * h)).collect() };
    let velocity = difference(&u(t + h), &u(t - h));
    let state = RigidState::nearest(&body, &u(t), &velocity);
    let apart = |t: f64| RigidMotion::nearest(&body, &u(t)).apart(&body, &u(t));
    let expected = difference(&apart(t + h), &apart(t - h));
    let found = state.velocity_apart(&body, &u(t), &velocity);
    assert!(distance(&found, &expected) < 1e-8 * largest(&velocity));
    let moved = (RigidMotion::nearest(&body, &u(t + h)).turn, RigidMotion::nearest(&body, &u(t - h)).turn);
    let expected = supple_numerics::rotation::log(&(moved.0 * moved.1.transpose())) / (2.0 * h);
    assert!((state.spin - expected).norm() < 1e-7 && (state.spin - spin).norm() > 1e-6);
    let mass: f64 = body.masses().iter().sum();
    assert!(moments(&body, &found).iter().all(|moment| moment.norm() < 1e-9 * mass));
}

#[test]
fn the_basis_has_no_rigid_motion_and_its_tangents_solve_the_gauged_system() {
    let chain = chain();
    let (basis, report) = chain.made(&KeyBasisSettings::default());
    assert_eq!(basis.coordinates(), 6);
    assert!(report.orthonormality < 1e-12 && report.poses.iter().all(|found| found.residual < 1e-12));
    let MN = rigid_loads(&chain.body);
    let rigid = (MN.transpose() * basis.basis().shapes()).norm_max();
    assert!(rigid < 1e-12, "{rigid}");
    let n = chain.start.len();
    for (pose, arc, end) in
        [(&chain.start, 0, 0), (&chain.keys[0], 0, 1), (&chain.keys[0], 1, 0), (&chain.keys[1], 1, 1)]
    {
        // The whole system, dense.
        let K = chain.body.stiffness(pose, &chain.free).to_dense();
        let system = Mat::from_fn(n + 6, n + 6, |i, j| match (i < n, j < n) {
            (true, true) => K[(i, j)],
            (true, false) => MN[(i, j - n)],
            (false, true) => MN[(j, i - n)],
            (false, false) => 0.0,
        });
        let poses = [&chain.start, &chain.keys[0], &chain.keys[1]];
        let change: Vec<f64> = chain
            .body
            .force(poses[arc + 1])
            .iter()
            .zip(chain.body.force(poses[arc]))
            .map(|(b, a)| b - a)
            .collect();
        let right = Mat::from_fn(n + 6, 1, |i, _| if i < n { change[i] } else { 0.0 });
        let solution = system.partial_piv_lu().solve(&right);
        let T: Vec<f64> = (0..n).map(|i| solution[(i, 0)]).collect();
        assert!(missing(&basis, &T) < 1e-8, "{}", missing(&basis, &T));
        let dot = |of: &dyn Fn(usize) -> f64| -> f64 { (0..n).map(|i| of(i) * T[i]).sum() };
        let squared = dot(&|i| change[i]) / dot(&|i| chain.body.masses()[i / 3] * T[i]);
        let omega = report.arcs[arc].frequencies[end].unwrap();
        assert!((omega.powi(2) / squared - 1.0).abs() < 1e-8);
    }
}

#[test]
fn modes_samples_and_recorded_poses_lose_their_rigid_motion_too() {
    let chain = chain();
    let modes = Basis::of(chain.body.modes(&chain.free, 9, &Progress::silent()).unwrap());
    let recorded: Vec<Vec<f64>> = (0..4)
        .map(|k| {
            let u: Vec<f64> = noise(chain.start.len(), 40 + k).iter().map(|x| 0.02 * x).collect();
            RigidMotion::nearest(&chain.body, &u).apart(&chain.body, &u)
        })
        .collect();
    let settings =
        KeyBasisSettings { modes: Some(&modes), samples: 1, recorded: &recorded, ..Default::default() };
    let (basis, report) = chain.made(&settings);
    let taken = |origin| report.taken(origin);
    use supple_elastic::Origin::{Modes, Recorded, Samples};
    assert_eq!((taken(Modes), taken(Recorded)), (3, 4));
    assert!(taken(Samples) > 0 && report.arcs.iter().all(|arc| arc.missing_samples == 0));
    let rigid = (rigid_loads(&chain.body).transpose() * basis.basis().shapes()).norm_max();
    assert!(rigid < 1e-11, "{rigid}");
    assert!(report.frequencies[0] > 0.1, "{:?}", report.frequencies);
}
