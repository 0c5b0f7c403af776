//! The material of a motion: what comes back of a simulation whose material is known, and what is refused.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use supple_model::{Progress, ProgressSink};
use supple_project::recover::{
    Optimise, RecoverAnswer, RecoverError, RecoverFailed, RecoverOptions, RecoveryStart, recover,
};
use supple_project::shot::{Input, Push, SecondsPerFrame, Shot, Substeps};
use supple_project::{Body, Cache, Sample, Simulator, prepare_modes};

const FRAMES: usize = 220;
const YOUNG: [(Option<&str>, f64); 3] = [(None, 5e7), (Some("middle"), 1.2e7), (Some("outer"), 1e8)];

/// Its folder, its shot and its frames.
type Beam = (tempfile::TempDir, Shot, Vec<Vec<[f64; 3]>>);

/// The beam of the samples, pushed a quarter as hard, and its frames, made once.
fn beam() -> &'static Beam {
    static BEAM: OnceLock<Beam> = OnceLock::new();
    BEAM.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let file = Sample::named("beam").unwrap().write(folder.path()).unwrap();
        let mut shot = Shot::load(&file).unwrap();
        let Push::Track(track) = &shot.loads[0].push else { panic!("a track") };
        let track = shot.resolve(track);
        let mut push = supple_formats::load_track(&track).unwrap();
        push.rows.iter_mut().flat_map(|(_, row)| row).for_each(|force| *force /= 4.0);
        let mut bytes = Vec::new();
        supple_formats::write_track(&push, &mut bytes).unwrap();
        fs::write(&track, bytes).unwrap();
        shot.motion.frames = Some(FRAMES);
        // Time steps of the sample swing half a percent too slow.
        shot.simulate.substeps = Substeps::Count(4);
        shot.save(&file).unwrap();
        let body = Body::load(&shot).unwrap();
        let mut frames = Vec::new();
        let each = |frame: supple_project::SimulatedFrame<'_>| {
            frames.push(frame.positions.to_vec());
            Ok(())
        };
        Simulator::new(&shot, &body, &Progress::silent()).unwrap().run(each, &Progress::silent()).unwrap();
        (folder, shot, frames)
    })
}

/// A shot whose input is these frames, in a file.
fn given(folder: &Path, frames: &[Vec<[f64; 3]>], change: impl FnOnce(&mut Shot)) -> PathBuf {
    let mut bytes = b"POINTCACHE2\0".to_vec();
    bytes.extend([1_i32, frames[0].len() as i32].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([1.0_f32, 1.0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend((frames.len() as i32).to_le_bytes());
    bytes.extend(frames.iter().flatten().flatten().flat_map(|x| (*x as f32).to_le_bytes()));
    fs::write(folder.join("motion.pc2"), bytes).unwrap();
    let mut shot = beam().1.clone();
    shot.motion.input = Input::File(folder.join("motion.pc2"));
    shot.motion.frames = None;
    change(&mut shot);
    let file = folder.join("given.toml");
    shot.save(&file).unwrap();
    file
}

fn from(first: i32, last: i32) -> RecoverOptions {
    RecoverOptions { frames: Some(first..=last), ..RecoverOptions::default() }
}

fn run(shot: &Path, options: &RecoverOptions) -> RecoverAnswer {
    recover(shot, options, &Progress::silent()).unwrap()
}

/// |a − b| / b.
fn off(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

/// The frequency and the damping ratio of the modes the beam really has.
fn truth() -> Vec<(f64, f64)> {
    let shot = &beam().1;
    let body = Body::load(shot).unwrap();
    let nowhere = Cache::in_folders(Vec::<PathBuf>::new());
    let modes = prepare_modes(&body, 8, &nowhere, &Progress::silent()).unwrap().modes;
    let damping = shot.simulate.damping;
    let of = |lambda: &f64| {
        let omega = lambda.sqrt();
        (omega / std::f64::consts::TAU, (damping.mass + damping.stiffness * lambda) / (2.0 * omega))
    };
    modes.eigenvalues().iter().map(of).collect()
}

/// How far a recovered mode is from the nearest one of the beam: its frequency and its damping.
fn apart(mode: &supple_project::recover::RecoveredMode) -> (f64, f64) {
    let nearest = |(f, _): &(f64, f64)| off(mode.frequency, *f);
    let (f, ratio) = truth().into_iter().min_by(|a, b| nearest(a).total_cmp(&nearest(b))).unwrap();
    (off(mode.frequency, f), off(mode.damping_ratio, ratio))
}

#[test]
fn the_material_of_a_simulation_comes_back() {
    let (folder, _, _) = beam();
    let (shot, next) = (folder.path().join("beam.toml"), folder.path().join("next.toml"));
    let answer = run(&shot, &RecoverOptions { output: Some(next.clone()), ..from(1, 125) });
    assert_eq!((answer.frames, answer.counted, answer.status), ([1, 125], 95, "settled"));
    let held = answer.held_out.unwrap();
    assert_eq!(held.frames, FRAMES - 125);
    assert!(held.error <= held.unoptimised / 20.0, "{held:?}");
    let strong: Vec<_> = answer.modes.iter().filter(|mode| mode.share > 0.01).collect();
    assert!(strong.len() >= 2, "{:?}", answer.modes);
    for mode in &strong {
        let (frequency, damping) = apart(mode);
        assert!(frequency < 5e-3 && damping < 0.1, "{mode:?} {:?}", truth());
    }
    assert!(answer.modes.windows(2).all(|pair| pair[0].frequency <= pair[1].frequency));
    for (region, (group, young)) in answer.regions.iter().zip(YOUNG) {
        assert_eq!(region.group.as_deref(), group);
        // The free end bears half a percent of the energy.
        assert!(!region.determined || off(region.young, young) < 0.02, "{:?}", answer.regions);
    }
    assert!(answer.regions[..2].iter().all(|region| region.determined), "{:?}", answer.regions);
    let damping = answer.damping.unwrap();
    assert!(off(damping.mass, 0.1) < 0.2 && off(damping.stiffness, 5e-4) < 0.2, "{damping:?}");

    // The next shot has all of that.
    let written = Shot::load(&next).unwrap();
    assert_eq!(written.motion.seconds_per_frame, SecondsPerFrame::Seconds(1.0 / 24.0));
    assert!(off(written.body.regions[0].young.unwrap(), 1.2e7) < 0.02);
    let text = fs::read_to_string(&next).unwrap();
    assert!(text.contains("file = \"next.material.csv\""), "{text}");
    let own = written.edit.damping.unwrap();
    assert_eq!((own.mass, own.stiffness), (damping.mass, damping.stiffness));
    let table = answer.material.unwrap();
    assert_eq!(table, folder.path().join("next.material.csv"));
    let modes = supple_formats::load_mixtures(&table).unwrap().modes;
    assert_eq!(modes.len(), answer.modes.len());
    for (mode, told) in modes.iter().zip(&answer.modes) {
        assert!(off(mode.eigenvalue.sqrt() / std::f64::consts::TAU, told.frequency) < 1e-12);
        let length: f64 = mode.parts.iter().map(|s| s * s).sum();
        assert!((length - 1.0).abs() < 1e-9 && mode.parts.len() == 80);
    }
    let again =
        recover(&shot, &RecoverOptions { output: Some(shot.clone()), ..from(1, 125) }, &Progress::silent());
    assert!(matches!(again, Err(RecoverFailed::Output(_))));
}

/// The published start, and the published method without shapes, are there to be compared with.
#[test]
fn less_is_recovered_of_less() {
    let shot = beam().0.path().join("beam.toml");
    let held = |options: RecoverOptions| run(&shot, &options).held_out.unwrap();
    let all = held(from(1, 125));
    let plain = held(RecoverOptions { optimise: Optimise::None, ..from(1, 125) });
    let stiffness = held(RecoverOptions { optimise: Optimise::Stiffness, ..from(1, 125) });
    let published = held(RecoverOptions { start: RecoveryStart::Spectrum, ..from(1, 125) });
    assert!(plain.unoptimised == all.unoptimised && stiffness.error > 3.0 * all.error);
    assert!(published.error < published.unoptimised, "{published:?}");
    let two = run(&shot, &RecoverOptions { shapes: Some(2), ..from(1, 125) });
    assert_eq!(two.modes.len(), 2);
    assert!(two.held_out.unwrap().error <= two.held_out.unwrap().unoptimised / 3.0);
    let whole = run(&shot, &from(1, FRAMES as i32));
    assert_eq!(whole.held_out, None);
}

/// Every vertex of every frame is off by 5 % of the motion.
#[test]
fn noise_is_borne() {
    let folder = tempfile::tempdir().unwrap();
    let mut frames = beam().2.clone();
    let rest = Body::load(&beam().1).unwrap().positions().to_vec();
    let free = |i: usize| i >= 31;
    let square: f64 = (0..FRAMES)
        .filter(|i| free(*i))
        .flat_map(|i| {
            frames[i].iter().zip(&rest).map(|(p, x)| (0..3).map(|c| (p[c] - x[c]).powi(2)).sum::<f64>())
        })
        .sum();
    let size = 0.05 * (square / (3 * rest.len() * (FRAMES - 31)) as f64).sqrt() * 3_f64.sqrt();
    let mut state = 1_u64;
    for x in frames.iter_mut().flatten().flatten() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *x += size * ((state >> 11) as f64 * f64::powi(2.0, -52) - 1.0);
    }
    let shot = given(folder.path(), &frames, |_| {});
    let answer = run(&shot, &from(1, 150));
    let held = answer.held_out.unwrap();
    assert!(held.error <= held.unoptimised / 3.0, "{held:?}");
    let main = answer.modes.iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap();
    let (frequency, damping) = apart(main);
    assert!(frequency < 5e-3 && damping < 0.2, "{main:?} {:?}", truth());
    for (region, (_, young)) in answer.regions.iter().zip(YOUNG) {
        assert!(region.share < 0.05 || off(region.young, young) < 0.2, "{:?}", answer.regions);
        assert!(!region.determined || off(region.young, young) < 0.2, "{:?}", answer.regions);
    }
}

#[test]
fn what_tells_nothing_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let frames = &beam().2;
    let refused = |frames: &[Vec<[f64; 3]>], options: &RecoverOptions, change: fn(&mut Shot)| {
        let shot = given(folder.path(), frames, change);
        match recover(&shot, options, &Progress::silent()).unwrap_err() {
            RecoverFailed::Recover(error) => {
                let text = error.to_string();
                assert!(text.starts_with(&shot.display().to_string()), "{text}");
                (*error.source, text)
            }
            other => panic!("{other}"),
        }
    };
    let plain = |_: &mut Shot| {};
    let half = RecoverOptions::default();
    let (error, text) = refused(&vec![frames[50].clone(); 40], &half, plain);
    assert!(matches!(error, RecoverError::Motion { .. }) && text.contains("nothing moves"), "{text}");
    let mut broken = frames[40..140].to_vec();
    broken[20][7][1] = f64::NAN;
    let (error, text) = refused(&broken, &half, |shot| shot.loads.clear());
    // Readers of files may find it first; of a frame not asked for nothing is said.
    assert!(matches!(error, RecoverError::NotFinite { .. } | RecoverError::Frame(_)), "{text}");
    let (_, text) = refused(&frames[31..71], &from(1, 40), |shot| shot.loads.clear());
    assert!(text.contains("swings once in") && text.contains("two swings"), "{text}");
    let (error, text) = refused(frames, &from(1, 35), plain);
    assert!(matches!(error, RecoverError::Loaded { .. }) && text.contains("loads"), "{text}");
    let (error, text) = refused(frames, &from(100, 300), plain);
    assert!(matches!(error, RecoverError::Frames { last: 220, .. }) && text.contains("--frames 100..300"));
    // Every fifteenth frame of a swing of thirty.
    let fast: Vec<_> = (0..60).map(|i| frames[31 + (i * 15) % 180].clone()).collect();
    let (_, text) = refused(&fast, &from(1, 12), |shot| shot.loads.clear());
    assert!(text.contains("swing"), "{text}");
}

#[test]
fn other_bodies_are_told_what_cannot_be_found() {
    struct Heard(Mutex<Vec<String>>);
    impl ProgressSink for Heard {
        fn update(&self, _: &str, _: f64) {}
        fn warn(&self, warning: &str) {
            self.0.lock().unwrap().push(warning.to_owned());
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let shot = given(folder.path(), &beam().2, |shot| {
        shot.body.kind = supple_project::shot::BodyKind::Springs;
        shot.body.regions.clear();
    });
    let heard = Arc::new(Heard(Mutex::default()));
    let answer = recover(&shot, &from(31, 125), &Progress::new(heard.clone())).unwrap();
    assert!(answer.regions.is_empty() && answer.damping.is_none() && !answer.modes.is_empty());
    let held = answer.held_out.unwrap();
    assert!(held.error <= held.unoptimised / 3.0, "{held:?}");
    let warnings = heard.0.lock().unwrap().clone();
    assert!(warnings.iter().any(|warning| warning.contains("solids and voxels")), "{warnings:?}");
}

#[test]
fn cancelling_stopping_and_threads() {
    let shot = beam().0.path().join("beam.toml");
    let progress = Progress::silent();
    progress.stop();
    let options = RecoverOptions { start: RecoveryStart::Spectrum, ..from(1, 125) };
    let stopped = recover(&shot, &options, &progress).unwrap();
    assert_eq!((stopped.status, stopped.rounds), ("stopped", 0));
    progress.cancel();
    assert!(recover(&shot, &options, &progress).is_err());
    let bits = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let answer = pool.install(|| run(&shot, &from(1, 125)));
        let modes = answer.modes.iter().flat_map(|mode| [mode.frequency, mode.damping_ratio, mode.share]);
        let regions = answer.regions.iter().map(|region| region.young);
        modes.chain(regions).chain([answer.held_out.unwrap().error]).map(f64::to_bits).collect::<Vec<u64>>()
    };
    assert_eq!(bits(1), bits(2));
}
