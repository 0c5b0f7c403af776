//! Typed indices.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the `index`-th entry.
            ///
            /// # Panics
            /// When `index` does not fit in 32 bits: no mesh Supple can hold is that large.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an index below 2^32"))
            }

            /// The position of this entry in its array.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($word, " {}"), self.0)
            }
        }
    };
}

id!(
    /// A vertex of a mesh, counted from 0.
    VertexId,
    "vertex"
);
id!(
    /// A triangle or volume element of a mesh, counted from 0.
    ElementId,
    "element"
);
