//! What cannot be, by name.

use super::{at_rest, eigenvalues, silent};
use supple_spacetime::{
    Energy, Grip, HandleId, Hold, LinearReadout, Material, MaterialEdit, MaterialError, MaterialPose,
    MaterialSettings, Oscillator, Row, Settings,
};

fn of(
    shapes: usize,
    change: impl Fn(&mut MaterialSettings, &mut Settings),
) -> Result<MaterialEdit, MaterialError> {
    let mut settings = MaterialSettings { shapes, ..MaterialSettings::new(1.0) };
    let mut time = at_rest(20);
    change(&mut settings, &mut time);
    MaterialEdit::new(&eigenvalues(6), time, Vec::new(), settings)
}

fn message<T>(result: Result<T, MaterialError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn numbers_that_cannot_be_are_named() {
    assert!(message(of(7, |_, _| {})).starts_with("7 shapes cannot be made of 6 modes"));
    assert!(message(of(0, |_, _| {})).contains("at least one shape"));
    let bad = |change: fn(&mut MaterialSettings)| message(of(3, |settings, _| change(settings)));
    assert!(bad(|settings| settings.period = Some(0.0)).starts_with("the period"));
    assert!(bad(|settings| settings.range = 0.5).starts_with("the range"));
    assert!(bad(|settings| settings.space = f64::NAN).starts_with("the spread"));
    assert!(bad(|settings| settings.space = 1e9).starts_with("the spread"));
    assert!(bad(|settings| settings.floor = [-1.0, 0.0]).starts_with("the least damping"));
    assert!(bad(|settings| settings.size = f64::INFINITY).starts_with("the size"));
    assert!(bad(|settings| settings.gain = f64::NAN).starts_with("the least gain"));
    assert!(bad(|settings| settings.release.position = 0.0).starts_with("a tolerance"));
    let smooth = |_: &mut MaterialSettings, time: &mut Settings| time.energy = Energy::Smooth { reach: 5.0 };
    assert!(message(of(3, smooth)).contains("energy of forces"));
    let free =
        |_: &mut MaterialSettings, time: &mut Settings| time.energy = Energy::WiggleFree { smoothness: 1.0 };
    assert!(message(of(3, free)).contains("energy of forces"));
    let settings = MaterialSettings { shapes: 2, ..MaterialSettings::new(1.0) };
    let with = |modes: &[f64], contacts: Vec<Row>| MaterialEdit::new(modes, at_rest(20), contacts, settings);
    assert!(message(with(&[2.0, 1.0], Vec::new())).starts_with("mode 1 is slower"));
    assert!(message(with(&[1.0, f64::NAN], Vec::new())).contains("mode 1"));
    assert!(message(with(&[0.0, 0.0], Vec::new())).starts_with("2 shapes"));
    assert!(message(with(&[], Vec::new())).starts_with("2 shapes"));
    let contact = Row::position(3, vec![1.0], 0.0);
    assert!(message(with(&[1.0, 2.0], vec![contact])).contains("contact row 0 has 1 weights for 2 modes"));
}

#[test]
fn poses_handles_and_bodies_that_do_not_fit_are_named() {
    let mut edit = of(3, |_, _| {}).unwrap();
    let pose = |at: f64, pose: Vec<f64>, hold: Hold| vec![MaterialPose { at: at.into(), pose, hold }];
    let hard = Hold::Hard;
    assert!(message(edit.set_poses(pose(5.0, vec![1.0; 4], hard))).starts_with("pose 0 has 4 numbers"));
    assert!(message(edit.set_poses(pose(5.0, vec![f64::NAN; 6], hard))).starts_with("pose 0 has a number"));
    assert!(message(edit.set_poses(pose(0.0, vec![1.0; 6], hard))).starts_with("pose 0 at frame 0"));
    assert!(message(edit.set_poses(pose(90.0, vec![1.0; 6], hard))).contains("beyond the motion"));
    assert!(message(edit.set_poses(pose(5.0, vec![1.0; 6], Hold::Soft(0.0)))).starts_with("pose 0"));
    edit.add(HandleId(1), Grip::position(0, 5, [0.0; 3])).unwrap();
    assert!(message(edit.add(HandleId(1), Grip::position(0, 5, [0.0; 3]))).contains("already"));
    let mut release = |body: LinearReadout| message(edit.release(&body, &silent(), &mut |_| {}));
    assert!(release(LinearReadout::new(5)).contains("5 modes, but the kernel has 6"));
    assert!(release(LinearReadout::new(6)).contains("site 0, but there are 0"));
}

#[test]
fn foreign_materials_are_refused() {
    let mut edit = of(3, |_, _| {}).unwrap();
    let scale = edit.start().scale().to_vec();
    let own = edit.start().mixing();
    let modes = edit.start().modes().to_vec();
    let made = |scale: Vec<f64>, S: &faer::Mat<f64>, modes: Vec<Oscillator>| Material::new(scale, S, modes);
    assert!(message(made(vec![1.0; 5], &own, modes.clone())).contains("6 numbers for 5 modes"));
    assert!(
        message(made(scale.clone(), &own, modes[..2].to_vec()))
            .contains("3 shapes, but stiffness and damping of 2")
    );
    let crooked = faer::Mat::from_fn(6, 3, |_, _| 0.5);
    assert!(message(made(scale.clone(), &crooked, modes.clone())).contains("orthonormal"));
    let negative = vec![Oscillator { eigenvalue: -1.0, delta: 0.0 }; 3];
    assert!(made(scale.clone(), &own, negative).is_err());
    // Of another body.
    let other = Material::new(vec![1.0; 6], &own, modes.clone()).unwrap();
    assert_eq!(edit.start_from(other), Err(MaterialError::ForeignShapes));
    let before = edit.start().clone();
    edit.start_from(Material::new(scale, &own, modes).unwrap()).unwrap();
    assert_eq!(*edit.start(), before);
}

/// Rigid modes keep their place, their shape and their lack of stiffness.
#[test]
fn rigid_modes_stay() {
    let settings = MaterialSettings { shapes: 2, floor: [0.1, 0.01], ..MaterialSettings::new(1.0) };
    let modes = [0.0, 0.0, 3.0, 8.0, 20.0, 40.0];
    let mut edit = MaterialEdit::new(&modes, at_rest(20), Vec::new(), settings).unwrap();
    let mut body = LinearReadout::new(6);
    let rows = [vec![1.0, 0.1, 0.4, 0.3, -0.6, 0.9], vec![0.2, 1.0, -0.5, 0.8, 0.7, -0.2], vec![0.3; 6]];
    let site = body.add(supple_spacetime::LinearSite { rows, input: vec![[0.0; 3]; 20] });
    for (id, at) in [5, 9, 14].into_iter().enumerate() {
        let lift = if id == 1 { -1.0 } else { 1.0 };
        edit.add(HandleId(id as u64), Grip::position(site, at, [lift, 0.3, 0.2 * lift])).unwrap();
    }
    let report = edit.release(&body, &silent(), &mut |_| {}).unwrap();
    assert!(report.unmet.is_empty() && report.steps.len() > 2, "{report:?}");
    let (S, start) = (edit.material().mixing(), edit.start().clone());
    assert_ne!(S, start.mixing());
    for j in 0..6 {
        for k in 0..4 {
            if j < 2 || k < 2 {
                assert_eq!(S[(j, k)], f64::from(u8::from(j == k)));
            }
        }
    }
    assert_eq!(edit.material().modes()[..2], start.modes()[..2]);
    assert!(report.periods[0][1].is_infinite());
    // No rigid modes in the first shapes: theirs is the one that swings once in 24 frames.
    assert!((report.periods[2][0] - 24.0).abs() < 1e-9);
}
