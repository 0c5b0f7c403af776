//! Two shapes made of 24 modes that have to follow a motion of others: a step on what handles lack with the motion as it is
//! stalls, one on V does not.

use super::Random;
use crate::material::stiefel::{Polar, polar};
use crate::material::{MaterialEdit, MaterialSettings, Optimise};
use crate::rows::Hold;
use crate::sqp::{Grip, LinearReadout, LinearSite};
use crate::{HandleId, Order, Settings};
use nalgebra::{DMatrix, DVector};
use supple_model::Progress;
use supple_numerics::lbfgs::Pairs;

const MODES: usize = 24;
const SITES: usize = 3;
const FRAMES: usize = 60;
const WEIGHT: f64 = 1e4;

/// When a site is to be where.
type Place = (usize, [f64; 3]);

/// Handles on three sites at eleven frames, where a motion of two other shapes has them; the rows of the sites.
fn case(optimise: Optimise) -> (MaterialEdit, LinearReadout, Vec<Vec<f64>>, Vec<Place>) {
    let mut numbers = Random::new(41);
    let dt = 0.25;
    let eigenvalues: Vec<f64> = (0..MODES).map(|j| (0.4 + 0.25 * j as f64).powi(2)).collect();
    let settings = MaterialSettings {
        shapes: 2,
        optimise,
        period: None,
        space: 0.0,
        floor: [0.01, 1e-3],
        rounds: if optimise == Optimise::All { 4 } else { 1 },
        gain: 0.0,
        ..MaterialSettings::new(1.0)
    };
    let mut edit = MaterialEdit::new(&eigenvalues, Settings::new(FRAMES, dt), Vec::new(), settings).unwrap();
    let mut body = LinearReadout::new(MODES);
    let mut all = Vec::new();
    for _ in 0..SITES {
        let rows = [0; 3].map(|_| (0..MODES).map(|_| numbers.number()).collect::<Vec<f64>>());
        all.extend(rows.iter().cloned());
        body.add(LinearSite { rows, input: vec![[0.0; 3]; FRAMES] });
    }
    let other = DMatrix::from_fn(MODES, 2, |_, _| numbers.number());
    let other = polar(&other, &DMatrix::identity(MODES, 2));
    let mut asked = Vec::new();
    for i in 0..11 {
        let at = 5 + 5 * i;
        let t = at as f64 * dt;
        let x = &other * DVector::from_column_slice(&[(0.5 * t).sin(), 0.6 * (0.9 * t).sin()]);
        for site in 0..SITES {
            let place =
                [0, 1, 2].map(|axis| x.iter().zip(&all[3 * site + axis]).map(|(x, c)| x * c).sum::<f64>());
            let id = HandleId((SITES * i + site) as u64);
            let hold = Hold::Soft(WEIGHT);
            edit.add(id, Grip { hold, ..Grip::position(site, at, place) }).unwrap();
            asked.push((at, place));
        }
    }
    (edit, body, all, asked)
}

/// The paper's step: L-BFGS on what handles lack, the motion as it is.
fn fitted(S: &DMatrix<f64>, z: &[DVector<f64>], rows: &[Vec<f64>], asked: &[Place]) -> DMatrix<f64> {
    let look = |Y: &DMatrix<f64>| {
        let polar = Polar::new(Y.clone()).unwrap();
        let (mut value, mut slope) = (0.0, DMatrix::zeros(MODES, 2));
        for (number, (_, place)) in asked.iter().enumerate() {
            for axis in 0..3 {
                let row = DVector::from_column_slice(&rows[3 * (number % SITES) + axis]);
                let lacking = (row.transpose() * &polar.S * &z[number])[0] - place[axis];
                value += 0.5 * WEIGHT * lacking * lacking;
                slope += &row * z[number].transpose() * (WEIGHT * lacking);
            }
        }
        (value, polar.pull_back(&slope), polar.S)
    };
    let mut Y = S.clone();
    let (mut value, mut slope, mut S) = look(&Y);
    let mut pairs = Pairs::new(12);
    for _ in 0..50 {
        let mut direction = slope.clone();
        let first = pairs.scale().unwrap_or(0.1 / slope.norm());
        pairs.correct(direction.as_mut_slice(), |x| {
            x.iter_mut().for_each(|x| *x *= first);
            true
        });
        let mut s = 1.0;
        for _ in 0..30 {
            let next = look(&(&Y - &direction * s));
            if next.0 < value {
                let step = &direction * -s;
                pairs.push(step.as_slice().to_vec(), (&next.1 - &slope).as_slice().to_vec());
                Y += step;
                (value, slope, S) = next;
                break;
            }
            s *= 0.5;
        }
    }
    S
}

#[test]
fn a_step_on_v_does_not_stall_on_firm_handles() {
    let silent = Progress::silent();
    let (mut edit, body, ..) = case(Optimise::All);
    let report = edit.release(&body, &silent, &mut |_| {}).unwrap();
    let (own, begun) = (report.energy + report.penalty, report.steps[0].energy);

    // The same rounds with the paper's step on the shapes, twice as many of them.
    let (mut other, _, rows, asked) = case(Optimise::Stiffness);
    let mut papers = f64::INFINITY;
    for _ in 0..8 {
        let report = other.release(&body, &silent, &mut |_| {}).unwrap();
        papers = report.energy + report.penalty;
        let path = other.path().unwrap();
        let z: Vec<DVector<f64>> = asked
            .iter()
            .map(|(at, _)| {
                let mut z = DVector::zeros(2);
                path.at(*at, Order::Position, z.as_mut_slice());
                z
            })
            .collect();
        let now = other.material().clone();
        let S = fitted(&now.S, &z, &rows, &asked);
        other.start_from(now.with_shapes(S)).unwrap();
    }
    assert!(own < papers, "{own} against {papers}");
    assert!(own < 1e-4 * begun, "{own} of {begun}");
}
