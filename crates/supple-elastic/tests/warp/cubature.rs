//! Few places stand for all: how much they miss, in relation to what the prototypes of this method reached.

use crate::warp::samples::Random;
use std::sync::Arc;
use supple_elastic::{
    Basis, Cubature, FreeVertices, Law, Material, ModalWarp, ReducedBasis, ReducedError, ReducedReadout,
    ReducedSettings, ReducedWarp, Solid, Training, Warp, WarpSite, WarpedMotion,
};
use supple_mesh::Vec3;
use supple_mesh::shapes::box_mesh;
use supple_model::{Ask, Instant, Progress, Readout, VertexId};
use supple_numerics::rotation::exp;

/// A beam with its modes, held at one end unless it floats, at rest.
struct Beam {
    motion: Arc<WarpedMotion>,
    eigenvalues: Vec<f64>,
    masses: Vec<f64>,
}

fn beam(cells: [usize; 3], modes: usize, held: bool) -> Beam {
    let mesh = box_mesh(Vec3::new(2.0, 0.4, 0.4), cells).unwrap();
    let n = mesh.positions().len();
    let anchors: Vec<VertexId> =
        (0..n).filter(|v| held && mesh.positions()[*v].x == 0.0).map(VertexId::new).collect();
    let free = FreeVertices::except(n, &anchors).unwrap();
    let material = Material { law: Law::StVenantKirchhoff, young: 1e6, poisson: 0.4, density: 1000.0 };
    let body = Solid::new(mesh, material, &[]).unwrap();
    let modes = body.modes(&free, modes, &Progress::silent()).unwrap();
    let warp = Warp::new(body.mesh(), body.masses(), &free).unwrap();
    let frame = warp.input(&vec![0.0; 3 * n]);
    let eigenvalues = modes.eigenvalues().to_vec();
    let motion = Arc::new(WarpedMotion::new(warp, Arc::new(Basis::of(modes)), vec![frame]));
    Beam { motion, eigenvalues, masses: body.masses().to_vec() }
}

impl Beam {
    fn reduced(&self, settings: &ReducedSettings) -> ReducedWarp {
        let Self { motion, eigenvalues, masses } = self;
        ReducedWarp::of_motion(motion, eigenvalues, masses, settings, &Progress::silent()).unwrap()
    }
}

#[test]
fn too_few_places_are_said_to_be() {
    let settings = ReducedSettings { size: 30, places: 2, pairs: 30, held_out: 10, ..Default::default() };
    let reduced = beam([8, 2, 2], 12, true).reduced(&settings);
    assert!(!reduced.cubature().is_close() && reduced.cubature().places.len() == 2);
    assert!(reduced.cubature().error() > 0.03 && reduced.cubature().held_out() > 0.03);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let beam = beam([8, 2, 2], 14, false);
    let settings = ReducedSettings { size: 40, places: 20, pairs: 40, held_out: 10, ..Default::default() };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let reduced = Arc::new(beam.reduced(&settings));
            let mut out = reduced.basis().stiffness().to_vec();
            out.extend(reduced.cubature().places.iter().map(|place| *place as f64));
            out.extend(&reduced.cubature().weights);
            out.extend(reduced.cubature().curve.iter().flat_map(|at| [at.training, at.held_out]));
            let mut readout = ReducedReadout::new(reduced, beam.motion.clone());
            let mut random = Random(3);
            let z: Vec<f64> = (0..14).map(|_| 0.1 * random.next()).collect();
            for v in 0..9 {
                let vertices = vec![(VertexId::new(v), 1.0)];
                let site = WarpSite { vertices, at: Instant::new(0.0), axes: exp(&Vec3::zeros()) };
                readout.add(site).unwrap();
            }
            let asks: Vec<Ask<'_>> = (0..9).map(|site| Ask { site, at: Instant::new(0.0), z: &z }).collect();
            for found in readout.linearized(&asks) {
                out.extend(found.value);
                out.extend(found.rows.concat());
            }
            out.iter().map(|x| x.to_bits()).collect::<Vec<u64>>()
        })
    };
    let one = run(1);
    for threads in [2, 5] {
        assert!(run(threads) == one, "{threads} threads");
    }
}

#[test]
fn it_can_be_cancelled_at_any_time() {
    let beam = beam([6, 2, 2], 10, true);
    let settings = ReducedSettings { size: 30, places: 10, pairs: 30, held_out: 5, ..Default::default() };
    let quiet = Progress::silent();
    let Beam { motion, eigenvalues, masses } = &beam;
    let training = Training::new(motion, eigenvalues, &settings, &quiet).unwrap();
    let basis = ReducedBasis::new(motion, &training, masses, &settings, &quiet).unwrap();
    let cancelled = Progress::silent();
    cancelled.cancel();
    assert!(Training::new(motion, eigenvalues, &settings, &cancelled).is_err());
    let made = ReducedBasis::new(motion, &training, masses, &settings, &cancelled);
    assert!(matches!(made, Err(ReducedError::Cancelled(_))));
    let made = Cubature::new(motion, &basis, &training, &settings, &cancelled);
    assert!(matches!(made, Err(ReducedError::Cancelled(_))));
}

/// A pose is told by the places of the cubature alone nearly as by all of the body, and by all places exactly so.
#[test]
fn the_places_of_a_cubature_tell_a_pose_as_all_do() {
    for held in [true, false] {
        let beam = beam([8, 2, 2], 14, held);
        let settings =
            ReducedSettings { size: 40, places: 40, pairs: 60, held_out: 20, ..ReducedSettings::default() };
        let few = beam.reduced(&settings);
        let warp = beam.motion.warp();
        let modal = ModalWarp::new(warp.clone(), beam.motion.basis());
        let all =
            ReducedWarp::new(warp.clone(), beam.motion.basis(), few.basis().clone(), Cubature::all(warp));
        let all = all.unwrap();
        let (first, last) = (if held { 0 } else { 6 }, 14);
        let mut random = Random(7);
        for _ in 0..5 {
            // Poses that no edit of the modes makes: bent, and each vertex a little off.
            let shape = |size: f64, random: &mut Random| {
                let scale = |k: usize| beam.eigenvalues[first] / beam.eigenvalues[k];
                let z: Vec<f64> = (0..last)
                    .map(|k| if k < first { 0.0 } else { size * scale(k) * random.next() })
                    .collect();
                let mut u = vec![0.0; 3 * warp.vertices()];
                let mut edit = u.clone();
                beam.motion.basis().displacement(&z, &mut edit);
                warp.apply(beam.motion.frame(0), &edit, &mut u);
                u.iter_mut().for_each(|u| *u += 1e-4 * random.next());
                modal.fitted(&u)
            };
            let ((from, there), (to, asked)) = (shape(0.3, &mut random), shape(2.0, &mut random));
            let expected: Vec<f64> = asked.iter().zip(&there).map(|(to, from)| to - from).collect();
            let size = expected[first..].iter().map(|x| x * x).sum::<f64>().sqrt();
            let off = |found: &[f64]| {
                let of = found[first..].iter().zip(&expected[first..]);
                of.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt() / size
            };
            assert!(off(&all.fitted(&from, &to)) < 1e-9, "{}", off(&all.fitted(&from, &to)));
            let off = off(&few.fitted(&from, &to));
            assert!(off < 0.1, "{held} {off}");
        }
    }
}

/// What is kept somewhere and read again is what was made.
#[test]
fn parts_make_the_same_warp_again() {
    let beam = beam([6, 2, 2], 10, true);
    let settings = ReducedSettings { size: 30, places: 10, pairs: 30, held_out: 5, ..Default::default() };
    let made = beam.reduced(&settings);
    let shapes = Basis::new(made.basis().shapes().shapes().to_owned(), beam.motion.basis().free().clone());
    let basis = ReducedBasis::from_parts(shapes, made.basis().stiffness().to_vec());
    let cubature = made.cubature().as_ref().clone();
    let again = ReducedWarp::new(made.warp().clone(), beam.motion.basis(), basis, cubature).unwrap();
    let frame = beam.motion.frame(0);
    let z: Vec<f64> = (0..10).map(|k| 0.1 / (1.0 + f64::from(k))).collect();
    assert_eq!(made.coordinates(frame, &z), again.coordinates(frame, &z));
}
