#![allow(warnings)]
use supple_model::Progress;
struct Random(u64);
impl Random {
    fn new(s: u64) -> Self {
        Self(s)
    }
    fn u(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }
    fn normal(&mut self) -> f64 {
        let (l, a) = (0.5 - 0.5 * self.u(), std::f64::consts::PI * self.u());
        (-2.0 * l.ln()).sqrt() * a.cos()
    }
}
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_project::recover::*;
use supple_project::shot::{Input, Push, SecondsPerFrame, Shot};
use supple_project::{Body, Cache, Sample, Simulator};

fn show(name: &str, a: &RecoverAnswer, shot: &Shot, t: Instant) {
    let truth = |g: &Option<String>| match g {
        None => shot.body.material.unwrap().young,
        Some(n) => shot.body.regions.iter().rfind(|r| r.group == *n).unwrap().young.unwrap(),
    };
    let of: Vec<String> = a
        .regions
        .iter()
        .map(|r| {
            format!(
                "{}: {:+.3} ±{:.3} ({:.3}){}",
                r.group.as_deref().unwrap_or("-"),
                r.young / truth(&r.group) - 1.0,
                r.uncertainty.unwrap_or(9.0),
                r.share,
                if r.determined { "*" } else { "" }
            )
        })
        .collect();
    println!(
        "{name}: {} damping {:?} held {:?} modes {:?} {:.1} s",
        of.join("  "),
        a.damping,
        a.held_out.map(|h| (h.error, h.unoptimised)),
        a.modes
            .iter()
            .filter(|m| m.share > 0.01)
            .map(|m| (m.frequency, m.damping_ratio, m.share))
            .collect::<Vec<_>>(),
        t.elapsed().as_secs_f64()
    );
}

fn two(path: &Path) {
    let shot = Shot::load(path).unwrap();
    let (body, silent) = (Body::load(&shot).unwrap(), Progress::silent());
    let part = RecoverPart::open((&shot, &body), Some(&(31..=150)), &Cache::of_shot(path), &silent).unwrap();
    for shapes in [2] {
        for weight in [1e-2, 1e-1, 1.0, 10.0] {
            for start in [RecoveryStart::Delays, RecoveryStart::Spectrum] {
                let mut out = vec![];
                for optimise in [Optimise::None, Optimise::Stiffness, Optimise::All] {
                    let settings =
                        RecoverySettings { shapes, optimise, weight, start, ..RecoverySettings::default() };
                    let found = part.recover(&settings, &silent).unwrap();
                    let missed = (found.costs.last().unwrap() - found.force) / weight;
                    out.push(missed);
                    if let Optimise::All = optimise {
                        println!(
                            "  rounds {} {:?} shares {:?} held {:?}",
                            found.costs.len(),
                            found.status,
                            found.shares,
                            part.held_out(&found)
                        );
                        println!(
                            "  periods {:?} d {:?}",
                            found.eigenvalues.iter().map(|l| 6.283 / l.sqrt()).collect::<Vec<_>>(),
                            found.damping
                        );
                    }
                }
                println!(
                    "shapes {shapes} weight {weight} start {start:?} E_c {out:?} ratio {}",
                    out[1] / out[2]
                );
            }
        }
    }
    let x = part.coordinates();
    let (r, t) = (x.nrows(), 120);
    let mean: Vec<f64> = (0..r).map(|k| (0..t).map(|i| x[(k, i)]).sum::<f64>() / t as f64).collect();
    let c = faer::Mat::from_fn(r, t, |k, i| x[(k, i)] - mean[k]);
    let svd = c.svd().unwrap();
    let s = svd.S().column_vector();
    let all: f64 = (0..s.nrows()).map(|k| s[k] * s[k]).sum();
    println!("PCA {:?}", (0..12).map(|k| s[k] * s[k] / all).collect::<Vec<_>>());
    println!(
        "rows {:?}",
        (0..6).map(|k| (0..t).map(|i| c[(k, i)] * c[(k, i)]).sum::<f64>() / all).collect::<Vec<_>>()
    );
}

/// exp WHAT SAMPLE full|quick push-scale noise seeds...
fn main() {
    let t0 = Instant::now();
    let args: Vec<String> = std::env::args().collect();
    let (what, sample, size, scale) = (&args[1], &args[2], &args[3], args[4].parse::<f64>().unwrap());
    let folder = PathBuf::from(format!(
        "/tmp/rec/{sample}-{size}-{scale}{}",
        std::env::var("FLAT").unwrap_or_default()
    ));
    let file = folder.join(format!("{sample}.toml"));
    if !file.exists() {
        let s = Sample::named(sample).unwrap();
        if size == "full" {
            s.write_full(&folder).unwrap();
        } else {
            s.write(&folder).unwrap();
        }
        if scale != 1.0 || std::env::var("FLAT").is_ok() {
            let mut shot = Shot::load(&file).unwrap();
            for load in &mut shot.loads {
                match &mut load.push {
                    Push::Track(track) => {
                        let track = folder.join(track);
                        let mut push = supple_formats::load_track(&track).unwrap();
                        push.rows.iter_mut().flat_map(|(_, row)| row).for_each(|f| *f *= scale);
                        if std::env::var("FLAT").is_ok() {
                            push.rows.iter_mut().for_each(|(_, row)| row[2] = 0.0);
                        }
                        let mut bytes = Vec::new();
                        supple_formats::write_track(&push, &mut bytes).unwrap();
                        std::fs::write(&track, bytes).unwrap();
                    }
                    Push::Force(f) => f.iter_mut().for_each(|f| *f *= scale),
                    _ => {}
                }
            }
            shot.save(&file).unwrap();
        }
    }
    if what == "two" {
        return two(&file);
    }
    let shot = Shot::load(&file).unwrap();
    let from = if sample.starts_with("dino") { 2 } else { 31 };
    let options = RecoverOptions {
        frames: Some(from..=150),
        shapes: Some(if from == 2 { 30 } else { 10 }),
        ..RecoverOptions::default()
    };
    let t = Instant::now();
    let answer = recover(&file, &options, &Progress::silent()).unwrap();
    show(&format!("{sample} {size} {scale} clean"), &answer, &shot, t);
    let noise: f64 = args[5].parse().unwrap();
    if noise == 0.0 {
        return;
    }
    let body = Body::load(&shot).unwrap();
    let mut motion =
        supple_project::InputMotion::open(&shot, &body, &Cache::of_shot(&file), &Progress::silent()).unwrap();
    let mut frames = Vec::new();
    let mut places = vec![[0.0; 3]; body.positions().len()];
    for i in 0..motion.clock.frames {
        motion.read(i, &mut places).unwrap();
        frames.push(places.clone());
    }
    let rest = body.positions();
    let n = frames.len();
    let square: f64 = frames[from as usize - 1..]
        .iter()
        .map(|f| {
            f.iter().zip(rest).map(|(p, x)| (0..3).map(|c| (p[c] - x[c]).powi(2)).sum::<f64>()).sum::<f64>()
        })
        .sum();
    let sd = noise * (square / ((n - from as usize + 1) * 3 * rest.len()) as f64).sqrt();
    for seed in &args[6..] {
        let mut random = Random::new(seed.parse().unwrap());
        let mut bytes = b"POINTCACHE2\0".to_vec();
        bytes.extend([1_i32, rest.len() as i32].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([1.0_f32, 1.0].iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend((n as i32).to_le_bytes());
        for x in frames.iter().flatten().flatten() {
            bytes.extend(((*x + sd * random.normal()) as f32).to_le_bytes());
        }
        let pc2 = folder.join(format!("noisy-{seed}.pc2"));
        std::fs::write(&pc2, bytes).unwrap();
        let mut given = shot.clone();
        given.motion.input = Input::File(pc2);
        given.motion.frames = None;
        let sps = shot
            .simulate
            .seconds_per_frame
            .map(SecondsPerFrame::Seconds)
            .unwrap_or(shot.motion.seconds_per_frame);
        given.motion.seconds_per_frame = sps;
        if std::env::var("KEEP").is_err() && from == 2 {
            given.loads.clear();
        }
        let path = folder.join(format!("noisy-{seed}.toml"));
        given.save(&path).unwrap();
        let t = Instant::now();
        match recover(&path, &options, &Progress::silent()) {
            Ok(answer) => show(&format!("{sample} {size} {scale} noise {noise}/{seed}"), &answer, &shot, t),
            Err(e) => println!("{e}"),
        }
    }
}
