//! An edit on its way from one solver to another.

use super::layout::Layout;
use std::sync::Arc;

/// An edit that handles were answered with, for another solver with the same kernel to go on from, whatever reads the
/// handles there.
#[derive(Clone, Debug)]
pub struct KnownEdit {
    pub(crate) layout: Arc<Layout>,
    /// Its loads at the places of the handles.
    pub(crate) dual: Vec<f64>,
}
