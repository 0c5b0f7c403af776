//! Memory that was freed goes back to the system, not only to the allocator: another stage of the work, or Python, may need it.

#![expect(unsafe_code, reason = "the C library has no other door to it")]

/// Gives back what is not in use. It takes some milliseconds.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: it may be called at any time, from any thread; whether anything was given back does not matter.
        unsafe {
            malloc_trim(0);
        }
    }
}
