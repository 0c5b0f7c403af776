//! A drag follows the cursor; what is left when it ends does not know the way.

use super::bodies::{Beam, Chain};
use super::{FRAMES, Random, drag, error, kernel, silent, with};
use faer::Mat;
use supple_model::Readout;
use supple_spacetime::{Drag, Grip, HandleId, Hold, Status};

const TARGETS: [[f64; 3]; 2] = [[0.4, 0.5, 0.3], [0.35, -0.1, 0.2]];

fn released(drag: &mut Drag, body: &Beam) -> (Mat<f64>, f64) {
    let report = drag.release(body, &silent()).unwrap();
    (drag.path().states(0..FRAMES).position, report.energy)
}

#[test]
fn the_way_leaves_no_trace() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
    let grips = [Grip::position(0, 25, TARGETS[0]), Grip::position(1, 12, TARGETS[1])];
    let (expected, energy) = released(&mut with(&kernel, &grips), &beam);
    assert!(energy > 0.0);
    for seed in 1..6 {
        let mut random = Random::new(seed);
        let mut drag = drag(&kernel);
        // The other handle first, a third one that goes again, and targets that wander.
        for (id, site, frame) in [(1, 1, 12), (7, 2, 18), (0, 0, 25)] {
            let grip = Grip::position(site, frame, [0.5 * random.number(), random.number(), 0.2]);
            drag.add(HandleId(id), grip).unwrap();
            drag.step(&beam, &silent()).unwrap();
        }
        for _ in 0..15 {
            let target = [0.8 * random.number(), 0.8 * random.number(), 0.8 * random.number()];
            drag.set_target(HandleId(0), target.map(Some)).unwrap();
            let report = drag.step(&beam, &silent()).unwrap();
            assert!(report.energy.is_finite());
        }
        drag.remove(HandleId(7)).unwrap();
        drag.step(&beam, &silent()).unwrap();
        for (id, target) in TARGETS.iter().enumerate() {
            drag.set_target(HandleId(id as u64), target.map(Some)).unwrap();
        }
        let (found, found_energy) = released(&mut drag, &beam);
        assert_eq!(found, expected);
        assert_eq!(found_energy.to_bits(), energy.to_bits());
        // Letting go twice changes nothing.
        assert_eq!(released(&mut drag, &beam).0, expected);
    }
}

#[test]
fn two_iterations_follow_the_cursor() {
    let (kernel, chain_kernel) = (kernel(30, 5), kernel(6, 1));
    let beam = Beam::new(30, [0.0, 1.57, 0.0], FRAMES, 0.2);
    let chain = Chain::new(20, 6, 0.0);
    let drags: [(&dyn Readout, _, [f64; 3], [f64; 3]); 2] = [
        (&beam, &kernel, [0.85, 0.0, -0.45], [0.2, 0.6, 0.3]),
        (&chain, &chain_kernel, [0.98, 0.1, 0.0], [-0.2, 0.5, 0.0]),
    ];
    for (body, kernel, from, to) in drags {
        let mut drag = with(kernel, &[Grip::position(0, 25, from)]);
        let mut iterations = 0;
        for event in 0..=60 {
            let share = event as f64 / 60.0;
            let target = std::array::from_fn(|axis| Some(from[axis] + share * (to[axis] - from[axis])));
            drag.set_target(HandleId(0), target).unwrap();
            let report = drag.step(body, &silent()).unwrap();
            assert!(report.iterations <= 2);
            iterations += report.iterations;
            assert!(event < 5 || error(&report) < 2e-2, "{} at event {event}", error(&report));
        }
        assert!(iterations > 60);
        for _ in 0..4 {
            drag.step(body, &silent()).unwrap();
        }
        let live = drag.step(body, &silent()).unwrap();
        assert_eq!(live.status, Status::Settled, "{live:?}");
        assert!(error(&live) < 1e-4);
        // What was dragged to is what is released.
        let report = drag.release(body, &silent()).unwrap();
        assert!(
            (report.energy - live.energy).abs() < 1e-3 * live.energy,
            "{} {}",
            report.energy,
            live.energy
        );
    }
}

#[test]
fn a_slow_drag_leads_where_letting_go_does() {
    let kernel = kernel(15, 5);
    let mut random = Random::new(77);
    for case in 0..40 {
        let bend = [random.number(), 2.0 * random.number(), 2.0 * random.number()];
        let beam = Beam::new(15, bend, FRAMES, if case % 2 == 0 { 0.2 } else { 0.05 });
        // Anywhere within the length of the beam, one to three at a time.
        let places = [(0, 8, 1.0), (1, 20, 0.5), (0, 32, 1.0)];
        let (mut from, mut grips) = (Vec::new(), Vec::new());
        for (site, frame, length) in &places[..1 + case % 3] {
            let here = beam.value(*site, (*frame).into(), &[0.0; 15]);
            let there = here.map(|x| x + 0.8 * length * random.number());
            let far = there.iter().map(|x| x * x).sum::<f64>().sqrt();
            from.push(here);
            grips.push(Grip::position(*site, *frame, there.map(|x| x * (0.9 * length / far).min(1.0))));
        }
        let report = with(&kernel, &grips).release(&beam, &silent()).unwrap();
        assert_eq!(report.status, Status::Settled, "case {case}: {report:?}");
        assert!(report.iterations <= 40, "case {case}: {}", report.iterations);
        let mut slow = with(&kernel, &grips);
        let mut live = None;
        for event in 1..=70 {
            let share = (event as f64 / 60.0).min(1.0);
            for (id, (grip, from)) in grips.iter().zip(&from).enumerate() {
                let target: [Option<f64>; 3] =
                    std::array::from_fn(|axis| Some(from[axis] + share * (grip.target[axis]? - from[axis])));
                slow.set_target(HandleId(id as u64), target).unwrap();
            }
            live = Some(slow.step(&beam, &silent()).unwrap());
        }
        let live = live.unwrap();
        assert_eq!(live.status, Status::Settled, "case {case}: {live:?}");
        assert!(report.energy < 1.02 * live.energy, "case {case}: {} {}", report.energy, live.energy);
    }
}

#[test]
fn coordinates_may_be_let_free() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0; 3], FRAMES, 0.2);
    let mut drag = with(&kernel, &[Grip::position(0, 25, TARGETS[0])]);
    let all = drag.release(&beam, &silent()).unwrap();
    drag.set_target(HandleId(0), [None, Some(TARGETS[0][1]), None]).unwrap();
    drag.step(&beam, &silent()).unwrap();
    let one = drag.release(&beam, &silent()).unwrap();
    assert!(error(&one) < 1e-7 && one.energy < 0.99 * all.energy);
}

#[test]
fn soft_handles_lie_between() {
    let kernel = kernel(15, 5);
    let beam = Beam::new(15, [0.0, 0.5, 0.0], FRAMES, 0.2);
    let grip = Grip::position(0, 25, TARGETS[0]);
    let hard = with(&kernel, &[grip]).release(&beam, &silent()).unwrap();
    let mut before = (f64::INFINITY, 0.0);
    for weight in [1.0, 1e2, 1e4, 1e6, 1e10] {
        let soft = Grip { hold: Hold::Soft(weight), ..grip };
        let mut drag = with(&kernel, &[soft]);
        let report = drag.release(&beam, &silent()).unwrap();
        assert_eq!(report.status, Status::Settled, "{weight}: {report:?}");
        let errors = report.errors[0].error;
        let penalty = 0.5 * weight * errors.iter().map(|e| e * e).sum::<f64>();
        assert!((report.penalty - penalty).abs() <= 1e-4 * penalty + 1e-9, "{} {penalty}", report.penalty);
        assert!(
            error(&report) < before.0 && report.energy > before.1 && report.energy < hard.energy * 1.0001
        );
        before = (error(&report), report.energy);
    }
    assert!((before.1 - hard.energy).abs() < 1e-3 * hard.energy);
}

#[test]
fn threads_do_not_matter() {
    let solve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let kernel = kernel(15, 5);
            let beam = Beam::new(15, [0.0, 1.0, 0.3], FRAMES, 0.2);
            let grips = [Grip::position(0, 25, TARGETS[0]), Grip::position(1, 12, TARGETS[1])];
            released(&mut with(&kernel, &grips), &beam)
        })
    };
    let one = solve(1);
    for threads in [2, 5] {
        assert_eq!(one, solve(threads));
    }
}
