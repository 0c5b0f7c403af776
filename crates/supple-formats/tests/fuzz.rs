//! Every reader on damaged files: 20,000 mutations of small valid ones, the same on every run.
//!
//! Whatever the bytes, a reader returns. What it accepts has finite coordinates, indices that exist,
//! and no more of anything than the bytes give reason for. Each entry of [`FUZZ_TARGETS`] takes any
//! bytes, so a coverage-guided fuzzer can be put in front of it as it stands.

mod behind;
mod checks;
mod mutate;
mod seeds;
mod targets;

use mutate::{Random, mutate};
use seeds::seeds;
use std::panic::catch_unwind;
use targets::FUZZ_TARGETS;

const MUTATIONS: u64 = 20_000;

/// For the reader of a library, which takes a millisecond for each.
const SLOW_MUTATIONS: u64 = 3_000;

fn fuzz(name: &str) {
    let (_, target) = FUZZ_TARGETS.iter().find(|(target, _)| *target == name).expect("a known reader");
    let seeds = seeds(name);
    for seed in &seeds {
        assert!(target(seed), "the seed itself is valid: {}", String::from_utf8_lossy(seed));
    }
    let mut accepted = 0;
    let mutations = if name == "fbx" { SLOW_MUTATIONS } else { MUTATIONS };
    for run in 0..mutations {
        let mut random = Random(run);
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(6) {
            mutate(&mut bytes, &mut random);
        }
        match catch_unwind(|| target(&bytes)) {
            Ok(was_accepted) => accepted += u64::from(was_accepted),
            Err(_) => panic!("{name}, run {run}, fails on {:?}", String::from_utf8_lossy(&bytes)),
        }
    }
    // Were all refused, or none, the mutations would not reach both sides of the checks.
    assert!(accepted > mutations / 100 && accepted < mutations * 99 / 100, "{accepted} were accepted");
}

#[test]
fn obj_survives_any_bytes() {
    fuzz("obj");
}

#[test]
fn stl_survives_any_bytes() {
    fuzz("stl");
}

#[test]
fn ply_survives_any_bytes() {
    fuzz("ply");
}

#[test]
fn gmsh_survives_any_bytes() {
    fuzz("gmsh");
}

#[test]
fn medit_survives_any_bytes() {
    fuzz("medit");
}

#[test]
fn veg_survives_any_bytes() {
    fuzz("veg");
}

#[test]
fn abaqus_survives_any_bytes() {
    fuzz("abaqus");
}

#[test]
fn node_survives_any_bytes() {
    fuzz("node");
}

#[test]
fn ele_survives_any_bytes() {
    fuzz("ele");
}

#[test]
fn bou_survives_any_bytes() {
    fuzz("bou");
}

#[test]
fn interp_survives_any_bytes() {
    fuzz("interp");
}

#[test]
fn pc2_survives_any_bytes() {
    fuzz("pc2");
}

#[test]
fn mdd_survives_any_bytes() {
    fuzz("mdd");
}

#[test]
fn usda_survives_any_bytes() {
    fuzz("usda");
}

#[test]
fn usdc_survives_any_bytes() {
    fuzz("usdc");
}

#[test]
fn usdz_survives_any_bytes() {
    fuzz("usdz");
}

#[test]
fn gltf_survives_any_bytes() {
    fuzz("gltf");
}

#[test]
fn glb_survives_any_bytes() {
    fuzz("glb");
}

#[test]
fn fbx_survives_any_bytes() {
    fuzz("fbx");
}

#[test]
fn bvh_survives_any_bytes() {
    fuzz("bvh");
}

#[test]
fn contacts_survive_any_bytes() {
    fuzz("contacts");
}

#[test]
fn groups_survive_any_bytes() {
    fuzz("groups");
}

#[test]
fn mixtures_survive_any_bytes() {
    fuzz("mixtures");
}

#[test]
fn tracks_survive_any_bytes() {
    fuzz("track");
}

#[test]
fn every_target_survives_noise_that_is_not_text() {
    for (name, target) in FUZZ_TARGETS {
        let mut random = Random(7);
        for length in 0..300 {
            let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            assert!(!target(&bytes), "{name} takes noise for a file: {bytes:?}");
        }
    }
}
