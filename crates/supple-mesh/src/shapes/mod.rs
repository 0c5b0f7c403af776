//! Shapes Supple makes itself: bodies to start from, to test with and to show.

mod box_mesh;

pub use box_mesh::box_mesh;
