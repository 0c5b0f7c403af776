//! Version 2: a flat list of nodes, and one of elements that carry their labels.

use super::kind::shape_of;
use super::nodes::NodeTags;
use crate::FormatError;
use crate::mixed::{Corners, MixedMesh, Shape};
use crate::source::{Scalar, Source};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The number of rows, which is text in binary files too.
fn read_count(source: &mut Source<'_>, expected: &'static str) -> Result<u64, FormatError> {
    source.begin_text_row(expected);
    let count = source.text_count()?;
    source.end_text_row()?;
    Ok(count)
}

pub(super) fn read_nodes(
    source: &mut Source<'_>,
    mesh: &mut MixedMesh,
    tags: &mut NodeTags,
) -> Result<(), FormatError> {
    for _ in 0..read_count(source, "the number of nodes")? {
        source.begin_row("a node number and 3 coordinates");
        tags.define(source, Scalar::I32)?;
        mesh.positions.push(source.numbers(Scalar::F64)?);
        source.end_row()?;
    }
    Ok(())
}

pub(super) fn read_elements(
    source: &mut Source<'_>,
    mesh: &mut MixedMesh,
    tags: &NodeTags,
) -> Result<(), FormatError> {
    let mut elements = ElementReader { mesh, tags, labelled: HashMap::new() };
    let mut left = read_count(source, "the number of elements")?;
    while left > 0 {
        if source.is_text() {
            source.begin_row("an element number, type, number of labels, labels and node numbers");
            source.integer(Scalar::I32)?;
            let (shape, labels) = (read_shape(source)?, source.count(Scalar::I32)?);
            elements.read(source, shape, labels)?;
            source.end_row()?;
            left -= 1;
            continue;
        }
        // In binary, elements that have type and number of labels in common follow one header.
        source.begin_row("an element type, number of elements and number of labels");
        let shape = read_shape(source)?;
        let count = source.count(Scalar::I32)?;
        if count == 0 || count > left {
            return Err(source.unexpected(&count.to_string()));
        }
        let labels = source.count(Scalar::I32)?;
        for _ in 0..count {
            source.begin_row("an element number, labels and node numbers");
            source.integer(Scalar::I32)?;
            elements.read(source, shape, labels)?;
        }
        left -= count;
    }
    Ok(())
}

fn read_shape(source: &mut Source<'_>) -> Result<Shape, FormatError> {
    let kind = source.integer(Scalar::I32)?;
    shape_of(kind).map_err(|problem| source.error(problem))
}

struct ElementReader<'a> {
    mesh: &'a mut MixedMesh,
    tags: &'a NodeTags,
    /// The elements that have a label: with another they may come again.
    labelled: HashMap<(Shape, Corners), u32>,
}

impl ElementReader<'_> {
    /// Reads the labels and corners of an element.
    fn read(&mut self, source: &mut Source<'_>, shape: Shape, labels: u64) -> Result<(), FormatError> {
        let label = if labels > 0 { source.integer(Scalar::I32)?.saturating_abs() } else { 0 };
        source.skip(Scalar::I32, labels.saturating_sub(1))?;
        let corners = self.tags.corners(source, Scalar::I32, shape)?;
        let mut add = || self.mesh.add(shape, &corners).map_err(|problem| source.error(problem));
        if label == 0 {
            add()?;
            return Ok(());
        }
        let index = match self.labelled.entry((shape, corners)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(add()?),
        };
        self.mesh.label(shape, &corners, index, label);
        Ok(())
    }
}
