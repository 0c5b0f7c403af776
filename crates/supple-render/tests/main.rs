//! Tests of pictures by what can be seen on them.

mod floor;
mod ghosts;
mod golden;
mod helpers;
mod overlay;
mod pictures;
mod plots;
mod sheets;
