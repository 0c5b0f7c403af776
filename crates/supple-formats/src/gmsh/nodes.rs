//! From the tags of nodes, which may be any numbers, to indices.

use crate::mixed::{Corners, Shape};
use crate::source::{Scalar, Source};
use crate::{FormatError, Problem};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct NodeTags {
    index_of: HashMap<i64, u32>,
}

impl NodeTags {
    /// Reads the tag of a node and gives it the next index.
    pub fn define(&mut self, source: &mut Source<'_>, scalar: Scalar) -> Result<(), FormatError> {
        let tag = source.integer(scalar)?;
        let index = self.index_of.len() as u32;
        match self.index_of.insert(tag, index) {
            None => Ok(()),
            Some(_) => Err(source.error(Problem::DefinedTwice { what: "node", name: tag.to_string() })),
        }
    }

    /// Reads the tags at the corners of an element as indices.
    pub fn corners(
        &self,
        source: &mut Source<'_>,
        scalar: Scalar,
        shape: Shape,
    ) -> Result<Corners, FormatError> {
        let mut corners = Corners::default();
        for corner in &mut corners[..shape.corners()] {
            let tag = source.integer(scalar)?;
            *corner = *self
                .index_of
                .get(&tag)
                .ok_or_else(|| source.error(Problem::Undefined { what: "node", name: tag.to_string() }))?;
        }
        Ok(corners)
    }
}
