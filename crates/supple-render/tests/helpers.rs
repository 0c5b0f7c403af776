//! What several tests of pictures need.

#![expect(clippy::unwrap_used, reason = "the helpers of these tests may panic too")]

use supple_render::Image;

/// Numbers that are too large, too small or none at all, in an order that is always the same.
pub fn awkward_numbers() -> impl FnMut() -> f64 {
    let awkward = [0.0, -0.0, 1e-320, 1e-30, 0.1, 1.0, -3.0, 5.0, 1e15, -1e15, 1e150, -1e300, f64::NAN];
    let mut state = 1_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        awkward[(state >> 33) as usize % awkward.len()]
    }
}

/// Checks that a picture has the same bits on any number of threads.
pub fn is_the_same_on_all_threads(render: impl Fn() -> Image + Sync) {
    let pictures = [1, 2, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&render)
    });
    assert!(pictures[0] == pictures[1] && pictures[0] == pictures[2]);
}
