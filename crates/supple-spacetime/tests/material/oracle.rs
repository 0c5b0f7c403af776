//! V of a material against a solution over a fine grid of time that knows no kernel.

use super::silent;
use nalgebra::{DMatrix, DVector};
use supple_spacetime::{
    Grip, HandleId, Hold, LinearReadout, LinearSite, MaterialEdit, MaterialPose, MaterialSettings,
    Oscillator, Settings,
};

const DT: f64 = 0.2;

/// What an impulse does to an oscillator that swings.
fn impulse(mode: &Oscillator, t: f64) -> f64 {
    let omega = (mode.eigenvalue - mode.delta * mode.delta).sqrt();
    if t > 0.0 { (-mode.delta * t).exp() * (omega * t).sin() / omega } else { 0.0 }
}

#[test]
fn the_energy_is_the_least_over_forces_on_a_fine_grid() {
    let eigenvalues: Vec<f64> = (0..5).map(|k| (1.0 + k as f64).powi(2)).collect();
    let settings = MaterialSettings { shapes: 3, floor: [0.1, 0.02], ..MaterialSettings::new(1.0) };
    let mut edit = MaterialEdit::new(&eigenvalues, Settings::new(16, DT), Vec::new(), settings).unwrap();
    let mut body = LinearReadout::new(5);
    let rows = [[0.6, -0.3, 0.5, 0.2, 0.9], [0.1, 0.8, -0.4, 0.7, -0.5], [0.0; 5]].map(|row| row.to_vec());
    let site = body.add(LinearSite { rows: rows.clone(), input: vec![[0.0; 3]; 16] });
    let asked = [(5.0, [0.4, 0.2], Hold::Hard), (9.3, [-0.3, 0.1], Hold::Soft(20.0))];
    for (id, (at, target, hold)) in asked.into_iter().enumerate() {
        let target = [Some(target[0]), Some(target[1]), None];
        edit.add(HandleId(id as u64), Grip { target, hold, ..Grip::position(site, at, [0.0; 3]) }).unwrap();
    }
    let pose = [0.2, -0.1, 0.3, 0.15, 0.05];
    let weight = 6.0;
    edit.set_poses(vec![MaterialPose { at: 13.0.into(), pose: pose.to_vec(), hold: Hold::Soft(weight) }])
        .unwrap();
    let report = edit.release(&body, &silent(), &mut |_| {}).unwrap();
    let V = report.energy + report.penalty;

    // Rows over the shapes, when, target and 1/w; those of the pose over all of x̂.
    let material = edit.material();
    let columns = material.columns();
    let through = |row: &[f64]| -> Vec<f64> {
        columns.iter().map(|column| column.iter().zip(row).map(|(c, r)| c * r).sum()).collect()
    };
    let mut asks: Vec<(Vec<f64>, f64, f64, f64)> = Vec::new();
    for (at, target, hold) in asked {
        let compliance = if let Hold::Soft(weight) = hold { 1.0 / weight } else { 0.0 };
        for axis in 0..2 {
            asks.push((through(&rows[axis]), at, target[axis], compliance));
        }
    }
    for j in 0..5 {
        let mut row = vec![0.0; 5];
        row[j] = 1.0 / material.scale()[j];
        asks.push((through(&row), 13.0, pose[j] / material.scale()[j], 1.0 / weight));
    }
    // ½Σ f² h with z(t) = Σ_i g(t − s_i) f_i h: the least norm that reads what is asked.
    let parts = 4000;
    let h = 15.0 * DT / parts as f64;
    let reads = DMatrix::from_fn(asks.len(), 3 * parts, |a, column| {
        let (k, i) = (column / parts, column % parts);
        let (row, at, ..) = &asks[a];
        row[k] * impulse(&material.modes()[k], at * DT - (i as f64 + 0.5) * h) * h.sqrt()
    });
    let mut A = &reads * reads.transpose();
    let tau = DVector::from_iterator(asks.len(), asks.iter().map(|ask| ask.2));
    for (a, ask) in asks.iter().enumerate() {
        A[(a, a)] += ask.3;
    }
    let dense = 0.5 * tau.dot(&A.lu().solve(&tau).unwrap());
    assert!((dense / V - 1.0).abs() < 1e-5, "{V}, on the grid {dense}");
}
