//! Every wrong setting is an error that names its culprit.

use supple_model::Instant;
use supple_spacetime::{
    End, Ends, Energy, FrameProblem, Kernel, Oscillator, Quantity, Reach, Settings, SpacetimeError, Start,
};

const MODE: Oscillator = Oscillator { eigenvalue: 4.0, delta: 0.1 };

fn error(modes: &[Oscillator], settings: Settings) -> SpacetimeError {
    Kernel::new(modes, settings).unwrap_err()
}

fn open(start: Start, end: End) -> Ends {
    Ends::Open { start, end }
}

#[test]
fn numbers() {
    let plain = Settings::new(10, 0.1);
    assert_eq!(error(&[], plain), SpacetimeError::NoModes);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = error(&[MODE], Settings { dt, ..plain });
        assert!(matches!(found, SpacetimeError::BadNumber { quantity: Quantity::TimeStep, .. }), "{found}");
    }
    let bad = Oscillator { eigenvalue: -1.0, ..MODE };
    let found = error(&[MODE, bad], plain);
    assert_eq!(found, SpacetimeError::BadMode { mode: 1, quantity: Quantity::Eigenvalue, value: -1.0 });
    let bad = Oscillator { delta: f64::NAN, ..MODE };
    let found = error(&[bad], plain);
    assert!(matches!(found, SpacetimeError::BadMode { mode: 0, quantity: Quantity::Damping, .. }));
    let reach = Reach { position: -1.0, velocity: 0.0 };
    let found = error(&[MODE], Settings { reach, ..plain });
    assert_eq!(found, SpacetimeError::BadNumber { quantity: Quantity::ReachPosition, value: -1.0 });
    let reach = Reach { position: 0.0, velocity: f64::INFINITY };
    let found = error(&[MODE], Settings { reach, ..plain });
    assert!(matches!(found, SpacetimeError::BadNumber { quantity: Quantity::ReachVelocity, .. }));
    let energy = Energy::WiggleFree { smoothness: f64::NAN };
    let found = error(&[MODE], Settings { energy, ..plain });
    assert!(matches!(found, SpacetimeError::BadNumber { quantity: Quantity::Smoothness, .. }));
    let found = error(&[MODE], Settings { spread: f64::NAN, ..plain });
    assert!(matches!(found, SpacetimeError::BadNumber { quantity: Quantity::Spread, .. }));
}

#[test]
fn ranges() {
    let plain = Settings::new(10, 0.1);
    assert_eq!(error(&[MODE], Settings::new(0, 0.1)), SpacetimeError::TooShort { frames: 0 });
    assert_eq!(error(&[MODE], Settings::new(1, 0.1)), SpacetimeError::TooShort { frames: 1 });
    let ends = open(Start::Rest, End::Rest);
    assert_eq!(
        error(&[MODE], Settings { ends, ..Settings::new(2, 0.1) }),
        SpacetimeError::TooShort { frames: 2 }
    );
    for window in [(4, 3), (4, 10)] {
        let found = error(&[MODE], Settings { window: Some(window), ends, ..plain });
        assert_eq!(found, SpacetimeError::BadWindow { first: window.0, last: window.1, frames: 10 });
    }
    let found = error(&[MODE], Settings { window: Some((2, 8)), ..plain });
    assert_eq!(found, SpacetimeError::FreeInside { frame: 8 });
    let reach = Reach { position: 1.0, velocity: 0.0 };
    let ends = open(Start::Free, End::Free);
    let found = error(&[MODE], Settings { window: Some((2, 9)), ends, reach, ..plain });
    assert_eq!(found, SpacetimeError::FreeInside { frame: 2 });
}

#[test]
fn what_nothing_holds() {
    let rigid = Oscillator { eigenvalue: 0.0, delta: 0.0 };
    let plain = Settings::new(10, 0.1);
    let ends = open(Start::Free, End::Free);
    assert_eq!(error(&[MODE], Settings { ends, ..plain }), SpacetimeError::FreeStart { mode: 0 });
    // Smoothness in space holds modes with stiffness only.
    let energy = Energy::WiggleFree { smoothness: 1.0 };
    assert!(Kernel::new(&[MODE], Settings { ends, energy, ..plain }).is_ok());
    assert_eq!(
        error(&[MODE, rigid], Settings { ends, energy, ..plain }),
        SpacetimeError::FreeStart { mode: 1 }
    );

    let ends = Ends::Loop { period: 10 };
    assert_eq!(error(&[MODE, rigid], Settings { ends, ..plain }), SpacetimeError::DriftingLoop { mode: 1 });
    let damped = Oscillator { eigenvalue: 0.0, delta: 1.0 };
    assert_eq!(error(&[damped], Settings { ends, ..plain }), SpacetimeError::DriftingLoop { mode: 0 });
    let omega = std::f64::consts::TAU * 3.0;
    let resonant = Oscillator { eigenvalue: omega * omega, delta: 0.0 };
    assert_eq!(error(&[resonant], Settings { ends, ..plain }), SpacetimeError::ResonantLoop { mode: 0 });
    assert!(Kernel::new(&[Oscillator { delta: 0.1, ..resonant }], Settings { ends, ..plain }).is_ok());
    let ends = Ends::Loop { period: 8 };
    assert_eq!(error(&[MODE], Settings { ends, ..plain }), SpacetimeError::BadLoop { period: 8, frames: 10 });
    let found = error(&[MODE], Settings { ends: Ends::Loop { period: 0 }, ..plain });
    assert_eq!(found, SpacetimeError::TooShort { frames: 0 });
    let found = error(&[MODE], Settings { ends: Ends::Loop { period: 10 }, window: Some((0, 5)), ..plain });
    assert_eq!(found, SpacetimeError::WindowOfLoop);
}

#[test]
fn frames_that_cannot_move() {
    let settings =
        Settings { window: Some((2, 8)), ends: open(Start::Rest, End::Rest), ..Settings::new(10, 0.1) };
    let kernel = Kernel::new(&[MODE], settings).unwrap();
    assert_eq!(kernel.movable(10), Err(FrameProblem::Missing { frame: Instant::from(10), frames: 10 }));
    assert_eq!(
        kernel.movable(1),
        Err(FrameProblem::OutsideWindow { frame: Instant::from(1), first: 2, last: 8 })
    );
    assert_eq!(kernel.movable(2), Err(FrameProblem::AtRest { frame: Instant::from(2) }));
    assert_eq!(kernel.movable(8), Err(FrameProblem::AtRest { frame: Instant::from(8) }));
    assert_eq!(kernel.movable(3), Ok(()));
}
