//! Chains of springs against their closed forms.

use crate::modes::{assert_certified, modes};
use std::f64::consts::PI;
use supple_elastic::{FreeVertices, Network, SpringMass, SpringMaterial, SpringStiffness, Springs};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_numerics::eigen;

const STIFFNESS: f64 = 40.0;
const MASS: f64 = 0.3;
/// Vertices that move.
const FREE: usize = 12;

/// `springs` springs of length 0.1 in a row along `direction`.
fn chain(springs: usize, direction: Vec3, stiffness: f64) -> Springs {
    let positions = (0..=springs).map(|v| direction * (0.1 * v as f64)).collect();
    let pairs = (0..springs).map(|s| [s, s + 1].map(VertexId::new)).collect();
    let material = SpringMaterial {
        stiffness: SpringStiffness::PerSpring(stiffness),
        mass: SpringMass::PerVertex(MASS),
    };
    Springs::new(Network::new(positions, pairs).unwrap(), material, &[]).unwrap()
}

/// λ_j = 4 (k/m) sin²(jπ / 2(n+1)), j = 1…n, of n equal masses between equal springs held at both ends.
fn held_at_both_ends(stiffness: f64) -> Vec<f64> {
    let angle = |j: usize| j as f64 * PI / (2 * (FREE + 1)) as f64;
    (1..=FREE).map(|j| 4.0 * stiffness / MASS * angle(j).sin().powi(2)).collect()
}

fn assert_all_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < tolerance, "{found} is not {expected}");
    }
}

/// The eigenvalues of a displaced chain whose vertices `held` do not move.
fn displaced(chain: &Springs, u: &[f64], held: &[usize]) -> Vec<f64> {
    let anchors: Vec<VertexId> = held.iter().copied().map(VertexId::new).collect();
    let free = FreeVertices::except(chain.positions().len(), &anchors).unwrap();
    let stiffness = chain.stiffness(u, &free);
    let masses = vec![MASS; free.vertices().len()];
    eigen::lowest(&stiffness, &masses, None, 3 * masses.len(), &Progress::silent()).unwrap().values
}

#[test]
fn a_chain_at_rest_vibrates_lengthwise_only() {
    let chain = chain(FREE + 1, Vec3::new(0.6, 0.0, 0.8), STIFFNESS);
    let last = chain.positions()[FREE + 1];
    let modes = modes(&chain, |p| *p == Vec3::zeros() || *p == last, 3 * FREE);
    assert_certified(&modes);
    // Crosswise there is no resistance: two free directions per vertex.
    assert_eq!(modes.rigid(), 2 * FREE);
    assert_all_close(&modes.eigenvalues()[2 * FREE..], &held_at_both_ends(STIFFNESS), 1e-10);
}

#[test]
fn a_stretched_chain_is_a_string_under_tension() {
    // Every spring 0.1 long at rest and 0.15 long now: tension 0.05 k, crosswise stiffness tension / 0.15.
    let chain = chain(FREE + 1, Vec3::x(), STIFFNESS);
    let u: Vec<f64> = chain.positions().iter().flat_map(|x| (x * 0.5).data.0[0]).collect();
    let crosswise = held_at_both_ends(STIFFNESS * 0.05 / 0.15);
    let mut expected = [held_at_both_ends(STIFFNESS), crosswise.clone(), crosswise].concat();
    expected.sort_by(f64::total_cmp);
    assert_all_close(&displaced(&chain, &u, &[0, FREE + 1]), &expected, 1e-10);
}

#[test]
fn a_hanging_chain_swings_as_bernoulli_says() {
    // Three masses on links of length a: λ = (g/a) x with x the zeros of the third Laguerre polynomial
    // (Bernoulli 1733). The springs are so stiff that their stretch under the weight does not count.
    let (gravity, stiffness) = (9.81, 1e9);
    let chain = chain(3, -Vec3::z(), stiffness);
    let weight = MASS * gravity;
    // Each spring bears the masses below it: 3, 2 and 1.
    let mut u = vec![0.0; 12];
    u[5] = -3.0 * weight / stiffness;
    u[8] = u[5] - 2.0 * weight / stiffness;
    u[11] = u[8] - weight / stiffness;
    let force = chain.force(&u);
    assert!((1..4).all(|v| (force[3 * v + 2] + weight).abs() < 1e-5 * weight), "in equilibrium: {force:?}");
    let found = displaced(&chain, &u, &[0]);
    let zeros = [0.415_774_556_783, 2.294_280_360_279, 6.289_945_082_937];
    // Every swing is possible along x and along y.
    let expected: Vec<f64> = zeros.iter().flat_map(|x| [gravity / 0.1 * x; 2]).collect();
    assert_all_close(&found[..6], &expected, 1e-6);
}
