//! Two wings, one stiffer than the other, that flap through poses which are alike on both sides.

use super::{energies, silent};
use supple_spacetime::{
    Hold, LinearReadout, MaterialEdit, MaterialPose, MaterialSettings, Optimise, Order, Settings,
};

const WINGS: usize = 8;
const FRAMES: usize = 150;

/// Modes of the left and the right wing, in the order of their eigenvalues: which wing, which of its modes, and λ.
fn modes() -> Vec<(usize, usize, f64)> {
    let of = |wing: usize| {
        (0..WINGS).map(move |j| (wing, j, (1.0 + 0.3 * wing as f64) * (2.0 * j as f64 + 1.0).powi(2)))
    };
    let mut modes: Vec<_> = of(0).chain(of(1)).collect();
    modes.sort_by(|a, b| a.2.total_cmp(&b.2));
    modes
}

/// Wings up, down and up again, the same on both sides.
fn flap(optimise: Optimise, hold: Hold) -> MaterialEdit {
    let modes = modes();
    let eigenvalues: Vec<f64> = modes.iter().map(|mode| mode.2).collect();
    let settings =
        MaterialSettings { shapes: 6, optimise, floor: [0.02, 1e-3], ..MaterialSettings::new(1.0) };
    let mut edit =
        MaterialEdit::new(&eigenvalues, Settings::new(FRAMES, 1.0 / 24.0), Vec::new(), settings).unwrap();
    let shape = [1.0, 0.4, -0.15, 0.05, 0.02, 0.0, 0.01, 0.0];
    let pose = |at: usize, lift: f64| MaterialPose {
        at: at.into(),
        pose: modes.iter().map(|(_, j, _)| lift * shape[*j]).collect(),
        hold,
    };
    edit.set_poses(vec![pose(10, 1.0), pose(20, -1.0), pose(30, 1.0)]).unwrap();
    edit
}

/// How differently the wings move, as a part of how much they do: rms over all frames and modes.
fn asymmetry(edit: &MaterialEdit) -> f64 {
    let (path, material, modes) = (edit.path().unwrap(), edit.material(), modes());
    let (mut apart, mut whole) = (0.0, 0.0);
    let mut z = vec![0.0; material.modes().len()];
    for frame in 0..FRAMES {
        path.at(frame, Order::Position, &mut z);
        let x = material.coordinates(&z);
        let of =
            |wing: usize, j: usize| x[modes.iter().position(|mode| (mode.0, mode.1) == (wing, j)).unwrap()];
        for j in 0..WINGS {
            apart += (of(0, j) - of(1, j)).powi(2);
            whole += of(0, j).powi(2) + of(1, j).powi(2);
        }
    }
    (apart / whole).sqrt()
}

#[test]
fn wings_flap_alike_when_their_shapes_may_be_mixed() {
    let body = LinearReadout::new(2 * WINGS);
    for hold in [Hold::Hard, Hold::Soft(1e5)] {
        let mut plain = flap(Optimise::None, hold);
        plain.release(&body, &silent(), &mut |_| {}).unwrap();
        let mut edit = flap(Optimise::All, hold);
        let report = edit.release(&body, &silent(), &mut |_| {}).unwrap();
        let (before, after) = (asymmetry(&plain), asymmetry(&edit));
        assert!(energies(&report).windows(2).all(|pair| pair[1] <= pair[0]));
        assert!(before > 0.1 && after < before / 8.0, "{hold:?}: {before} -> {after}");
        // The shapes hold nearly all of the poses, and what they hold of hard ones is there.
        let missed = report.poses.iter().map(|pose| pose.missed).fold(0.0, f64::max);
        assert!(missed < 0.02, "{missed}");
        let (path, material) = (edit.path().unwrap(), edit.material());
        let mut z = vec![0.0; 6];
        path.at(20, Order::Position, &mut z);
        let x = material.coordinates(&z);
        assert!((x[0] + 1.0).abs() < 0.03, "{}", x[0]);
    }
}
