//! V's derivatives by stiffness, damping and shapes, against differences of V itself.

use super::Random;
use crate::kernel::{Order, Oscillator, Settings};
use crate::material::asked::{Asked, Found, Made};
use crate::material::linear::Linear;
use crate::material::matter::Material;
use crate::material::poses::{MaterialPose, Posed};
use crate::material::settings::MaterialSettings;
use crate::material::stiefel::polar;
use crate::rows::{Hold, Row};
use crate::sqp::{Grip, Tolerance};
use crate::{HandleId, Kernel};
use nalgebra::DMatrix;
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::{Ask, Linearized, Progress, Readout};

const MODES: usize = 7;
const SHAPES: usize = 3;

/// A point that bends: W = tanh-like in every coordinate, so that J changes with x.
struct Bent {
    rows: [Vec<f64>; 3],
}

impl Readout for Bent {
    fn modes(&self) -> usize {
        MODES
    }

    fn sites(&self) -> usize {
        1
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        self.linearized(asks).into_iter().map(|found| found.value).collect()
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        let of = |ask: &Ask<'_>| {
            let lift = |row: &Vec<f64>| row.iter().zip(ask.z).map(|(c, x)| c * x).sum::<f64>();
            let value = self.rows.each_ref().map(|row| lift(row).sin() + 0.2 * lift(&self.rows[0]).powi(2));
            let rows = self.rows.each_ref().map(|row| {
                let (cos, both) = (lift(row).cos(), 0.4 * lift(&self.rows[0]));
                row.iter().zip(&self.rows[0]).map(|(own, first)| cos * own + both * first).collect()
            });
            Linearized { value, rows }
        };
        asks.iter().map(of).collect()
    }
}

/// What is asked in these tests: hard and soft handles, a contact, a hard and a soft pose.
struct Case {
    settings: MaterialSettings,
    handles: BTreeMap<HandleId, Grip>,
    contacts: Vec<Row>,
    poses: Vec<Posed>,
    body: Bent,
    material: Material,
}

impl Case {
    fn new() -> Self {
        let mut numbers = Random::new(23);
        let mut row = || (0..MODES).map(|_| numbers.number()).collect::<Vec<f64>>();
        let body = Bent { rows: [row(), row(), row()] };
        let scale: Vec<f64> = (0..MODES).map(|j| 1.0 / (1.0 + 0.3 * j as f64)).collect();
        let S = DMatrix::from_fn(MODES, SHAPES, |_, _| numbers.number());
        let S = polar(&S, &DMatrix::identity(MODES, SHAPES));
        let modes = [(2.0, 0.2), (5.0, 0.1), (11.0, 0.4)];
        let modes = modes.map(|(eigenvalue, delta)| Oscillator { eigenvalue, delta }).to_vec();
        let material = Material::of(scale.clone(), S, modes);
        let kernel = Kernel::new(material.modes(), time()).unwrap();
        let mut handles = BTreeMap::new();
        let grip = |at: f64, target: [Option<f64>; 3], hold| Grip {
            target,
            hold,
            ..Grip::position(0, at, [0.0; 3])
        };
        handles.insert(HandleId(1), grip(4.0, [Some(0.5), Some(-0.2), None], Hold::Hard));
        handles.insert(HandleId(2), grip(7.5, [Some(-0.3), None, Some(0.4)], Hold::Soft(8.0)));
        let pose = |at: f64, hold, numbers: &mut Random| {
            let pose = (0..MODES).map(|_| 0.3 * numbers.number()).collect();
            MaterialPose { at: at.into(), pose, hold }.posed(&scale, &kernel)
        };
        let poses = vec![pose(10.0, Hold::Soft(4.0), &mut numbers), pose(2.0, Hold::Hard, &mut numbers)];
        let contact = (0..MODES).map(|_| numbers.number()).collect();
        let contacts = vec![Row { order: Order::Velocity, ..Row::position(6, contact, 0.1) }];
        let tight = Tolerance { position: 1e-12, stationarity: 1e-9 };
        let settings = MaterialSettings { release: tight, ..MaterialSettings::new(1.0) };
        Self { settings, handles, contacts, poses, body, material }
    }

    fn asked(&self) -> Asked<'_> {
        let Self { settings, handles, contacts, poses, .. } = self;
        Asked { time: time(), settings, contacts, poses, handles }
    }

    fn found(&self, material: Material) -> Found {
        let made = Made::new(&self.asked(), material, &Progress::silent()).unwrap();
        self.asked().settled(Arc::new(made), &self.body, &Progress::silent()).unwrap()
    }
}

fn time() -> Settings {
    Settings::new(13, 0.25)
}

/// A difference of fourth order.
fn difference(V: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (V(h) - V(-h)) - (V(2.0 * h) - V(-2.0 * h))) / (12.0 * h)
}

#[test]
fn by_stiffness_and_damping() {
    let case = Case::new();
    let found = case.found(case.material.clone());
    let moments = found.made.path(&found.state).moments().unwrap();
    for k in 0..SHAPES {
        let V = |stiffness: f64, damping: f64| {
            let mut modes = case.material.modes().to_vec();
            modes[k].eigenvalue += stiffness;
            modes[k].delta += 0.5 * damping;
            case.found(case.material.with_modes(modes)).value
        };
        let by_stiffness = difference(|h| V(h, 0.0));
        let by_damping = difference(|h| V(0.0, h));
        let size = by_stiffness.abs().max(by_damping.abs()).max(0.01);
        assert!((by_stiffness - moments[k].fz).abs() < 1e-6 * size, "{by_stiffness} {}", moments[k].fz);
        assert!((by_damping - moments[k].fv).abs() < 1e-6 * size, "{by_damping} {}", moments[k].fv);
    }
}

/// What the step on the shapes is made of.
fn linear(case: &Case, found: &Found) -> Linear {
    let asked = case.asked();
    let seen = asked.seen(found, &case.body).unwrap();
    let mut linear = Linear::new(SHAPES);
    linear.add_all(&asked, &found.made, &seen);
    linear.over(found.made.layout.kernel())
}

#[test]
fn by_shapes() {
    let case = Case::new();
    let found = case.found(case.material.clone());
    let at = linear(&case, &found).at(&case.material.S).unwrap();
    assert!((at.value / found.value - 1.0).abs() < 1e-7, "{} {}", at.value, found.value);
    let size = at.slope.amax();
    for place in 0..MODES * SHAPES {
        let V = |h: f64| {
            let mut S = case.material.S.clone();
            S[place] += h;
            let mut material = case.material.clone();
            material = material.with_shapes(S);
            case.found(material).value
        };
        let by_shape = difference(V);
        assert!((by_shape - at.slope[place]).abs() < 1e-6 * size, "{place}: {by_shape} {}", at.slope[place]);
    }
}

/// Where rows are linear the same holds anywhere, not only where S began.
#[test]
fn by_shapes_far_from_where_rows_were_read() {
    let case = Case::new();
    let found = case.found(case.material.clone());
    let linear = linear(&case, &found);
    let mut numbers = Random::new(31);
    let S = DMatrix::from_fn(MODES, SHAPES, |_, _| numbers.number());
    let at = linear.at(&S).unwrap();
    for place in 0..MODES * SHAPES {
        let V = |h: f64| {
            let mut S = S.clone();
            S[place] += h;
            linear.at(&S).unwrap().value
        };
        let by_shape = difference(V);
        assert!((by_shape - at.slope[place]).abs() < 1e-6 * at.slope.amax());
    }
}
