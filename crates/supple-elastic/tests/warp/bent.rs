//! A motion that bends: few shapes and few elements, chosen for its edits, stand for the whole warp.

use std::sync::Arc;
use supple_elastic::{
    Basis, Cubature, FreeVertices, Law, Material, ReducedBasis, ReducedError, ReducedSettings, ReducedWarp,
    Solid, Training, Warp, WarpedMotion,
};
use supple_mesh::shapes::box_mesh;
use supple_mesh::{TetMesh, Vec3};
use supple_model::{Progress, VertexId};

const MODES: usize = 16;
const SETTINGS: fn() -> ReducedSettings = || ReducedSettings {
    size: 60,
    leading: 10,
    places: 40,
    pairs: 60,
    held_out: 30,
    rows: 1000,
    ..ReducedSettings::default()
};

struct Bar {
    solid: Solid,
    motion: WarpedMotion,
    eigenvalues: Vec<f64>,
}

fn mesh() -> TetMesh {
    box_mesh(Vec3::new(1.5, 0.2, 0.3), [12, 2, 3]).unwrap()
}

/// A bar held at one end, at rest and bent upwards by half a turn in all over its frames.
fn bar() -> Bar {
    let material = Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.4, density: 1000.0 };
    let solid = Solid::new(mesh(), material, &[]).unwrap();
    let held: Vec<VertexId> =
        (0..).zip(mesh().positions()).filter(|(_, x)| x.x < 1e-9).map(|(v, _)| VertexId(v)).collect();
    let free = FreeVertices::except(solid.masses().len(), &held).unwrap();
    let modes = solid.modes(&free, MODES, &Progress::silent()).unwrap();
    let eigenvalues = modes.eigenvalues().to_vec();
    let warp = Arc::new(Warp::new(&mesh(), solid.masses(), &free).unwrap());
    let bent = |turn: f64| -> Vec<f64> {
        let to = |x: &Vec3| {
            let (angle, radius) = (turn * x.x / 1.5, 1.5 / turn.max(1e-9));
            let placed = Vec3::new((radius - x.y) * angle.sin(), radius - (radius - x.y) * angle.cos(), x.z);
            if turn > 0.0 { placed - x } else { Vec3::zeros() }
        };
        mesh().positions().iter().flat_map(|x| to(x).data.0[0]).collect()
    };
    let frames: Vec<Vec<f64>> = (0..9).map(|k| bent(0.4 * f64::from(k))).collect();
    let each = frames.iter().map(Vec::as_slice);
    let inputs = warp.inputs(each, &Progress::silent()).unwrap();
    let motion = WarpedMotion::new(warp, Arc::new(Basis::of(modes)), inputs);
    Bar { solid, motion, eigenvalues }
}

impl Bar {
    fn reduced(&self, settings: &ReducedSettings) -> Result<ReducedWarp, ReducedError> {
        let masses = self.solid.masses();
        ReducedWarp::of_motion(&self.motion, &self.eigenvalues, masses, settings, &Progress::silent())
    }

    /// How far frames under edits are from those of the whole warp, as a part of the change.
    fn apart(&self, reduced: &ReducedWarp, training: &Training) -> f64 {
        let size = 3 * self.solid.masses().len();
        let (mut edit, mut whole, mut few) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
        let mut squares = 0.0;
        for pair in training.held_out() {
            let frame = self.motion.frame(pair.frame);
            self.motion.basis().displacement(&pair.z, &mut edit);
            self.motion.warp().apply(frame, &edit, &mut whole);
            reduced.displacement(frame, &pair.z, &mut few);
            let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            squares += square(&whole, &few) / square(&whole, frame.displacement());
        }
        (squares / training.held_out().len() as f64).sqrt()
    }
}

#[test]
fn forty_elements_stand_for_all() {
    let bar = bar();
    let settings = SETTINGS();
    let reduced = bar.reduced(&settings).unwrap();
    let cubature = reduced.cubature();
    let all = Cubature::all(bar.motion.warp()).places.len();
    assert!(cubature.places.len() <= 40 && 6 * cubature.places.len() < all, "of {all}");
    assert!(cubature.weights.iter().all(|weight| *weight > 0.0));
    assert!(
        cubature.places.is_sorted() && cubature.elements(bar.motion.warp()).len() == cubature.places.len()
    );
    assert!(cubature.is_close() && cubature.held_out() < 0.02, "{:?}", cubature.curve.last());
    // Each place more is chosen for the edits: their error falls, and that of others with it.
    let training: Vec<f64> = cubature.curve.iter().map(|error| error.training).collect();
    assert!(training.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{training:?}");
    assert!(cubature.curve[0].held_out > 10.0 * cubature.held_out());
    // Frames themselves, with all shapes that are left out, by the whole warp.
    let edits = Training::new(&bar.motion, &bar.eigenvalues, &settings, &Progress::silent()).unwrap();
    let apart = bar.apart(&reduced, &edits);
    assert!(apart < 0.03, "{apart}");
}

/// Twelve shapes miss much, whatever elements are looked at; sixty do not.
#[test]
fn what_is_missed_is_what_is_left_out() {
    let bar = bar();
    let settings = ReducedSettings { size: 12, places: 12, ..SETTINGS() };
    let edits = Training::new(&bar.motion, &bar.eigenvalues, &settings, &Progress::silent()).unwrap();
    let (warp, masses) = (bar.motion.warp(), bar.solid.masses());
    let apart = |size: usize| {
        let settings = ReducedSettings { size, ..settings.clone() };
        let basis = ReducedBasis::new(&bar.motion, &edits, masses, &settings, &Progress::silent()).unwrap();
        let all = Cubature::all(warp);
        bar.apart(&ReducedWarp::new(warp.clone(), bar.motion.basis(), basis, all).unwrap(), &edits)
    };
    let (few, many) = (apart(12), apart(60));
    assert!(many < 0.3 * few && many < 0.02, "{few} {many}");
}
