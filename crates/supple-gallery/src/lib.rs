//! What shows and measures the rest: the figures of the papers, made again, and the benches.
//!
//! - [`gallery`]: a page of pictures, plots and numbers, one folder per paper and one file per figure;
//! - [`mod@bench`]: whole capabilities against the clock, with the published figure beside ours.

pub mod bench;
pub mod gallery;
