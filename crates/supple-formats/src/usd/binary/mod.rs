//! USD as bytes, `.usdc`, the crate format, little-endian:
//! ```text
//! byte  0  "PXR-USDC"
//!       8  version: major, minor, patch, and 5 bytes of 0
//!      16  i64  where the table of contents is: u64 count, then for each section
//!                 16 bytes of name, i64 start, i64 size
//! TOKENS     words, one after the other, LZ4
//! STRINGS    u32 tokens
//! FIELDS     token and value of every pair that occurs
//! FIELDSETS  indices of fields, sets of them one after the other, each closed by −1
//! PATHS      a tree: for each path its last word, and whether children and a sibling follow
//! SPECS      path, set of fields, and kind of everything there is
//! ```
//! Sequences of whole numbers are coded as differences (see `coding`). A value is 64 bits: three flags, a
//! type, and the value itself or where it stands (see `values`).

mod coding;
mod cursor;
mod lists;
mod number;
mod specs;
mod tables;
mod values;

pub(super) use specs::read_layer;
pub(super) use tables::Tables;
pub(super) use values::{numbers, words};

/// How such a file begins.
pub(super) const MAGIC: &[u8; 8] = b"PXR-USDC";
