//! Deterministic CPU pictures, no driver, no window.
