//! The shot: file, cache, samples and the wiring of bodies to methods.
