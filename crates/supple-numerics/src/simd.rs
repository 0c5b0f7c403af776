//! The widest instructions of the processor at hand, whatever the program was compiled for.

/// Runs `work`, compiled for them. Only what is inlined gains. No product is fused with a sum, so the bits are those of
/// any other processor.
#[inline(always)]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
