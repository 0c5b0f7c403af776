//! What was expensive to compute, kept on disk and found again by content.
//!
//! An entry is named by a [`Kind`] (what it is, with a schema version) and a [`CacheKey`] (the hash
//! of everything the result depends on). Paths and dates never enter the key, so moving or touching
//! a mesh keeps its entries, and changing one digit of it does not.
//!
//! A parameter that only asks for more of the same (the number of modes) stays out of the key: the
//! entry stores as many as were computed, a smaller request reads the beginning, and a larger one
//! replaces the entry. For a matrix that means: the count first, then column after column.
//!
//! Every entry is written under a temporary name and renamed, so readers in this and other
//! processes see whole entries only. Every read checks header, length and hash ([`Damage`] lists
//! what can be wrong); whatever fails is removed and computed again. Nothing here fails a job: the
//! worst is a [`CacheWarning`](crate::CacheWarning) and lost time.
//!
//! [`Damage`]: crate::Damage

mod answer;
mod entry;
mod folder;
mod key;
mod store;

pub use answer::{CacheCleared, CacheFailed, CacheLine, CacheListing, clear, list};
pub use entry::{Payload, PayloadWriter};
pub use folder::{Entry, user_folder};
pub use key::{CacheKey, KeyHasher, Kind};
pub use store::{Cache, Cleared};
