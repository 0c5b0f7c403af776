//! Edits of skeleton motion from outside the crate, as the shots make them.
