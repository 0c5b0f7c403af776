//! Version 4.1: nodes and elements in blocks, each on an entity of the geometry.
//!
//! Sizes and tags of nodes and elements are of the type that the format section announces; tags of
//! entities and physical groups are ints.

use super::kind::shape_of;
use super::nodes::NodeTags;
use crate::mixed::MixedMesh;
use crate::source::{Scalar, Source};
use crate::{FormatError, Place, Problem};
use std::collections::HashMap;

/// The most physical groups an entity may be in: with it the memberships of a file are bounded by
/// its size.
const MAX_GROUPS_PER_ENTITY: usize = 16;

/// The numbers of the physical groups of each entity, by its dimension and tag.
pub(super) type Entities = HashMap<(i64, i64), Vec<i64>>;

pub(super) fn read_entities(source: &mut Source<'_>, size: Scalar) -> Result<Entities, FormatError> {
    source.begin_row("the numbers of points, curves, surfaces and volumes");
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = source.count(size)?;
    }
    source.end_row()?;
    let mut entities = Entities::new();
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            source.begin_row("an entity: tag, bounds, physical groups, boundary");
            let tag = source.integer(Scalar::I32)?;
            let bounds = if dimension == 0 { 3 } else { 6 };
            source.skip(Scalar::F64, bounds)?;
            let groups = read_groups(source, size)?;
            if dimension > 0 {
                let boundary = source.count(size)?;
                source.skip(Scalar::I32, boundary)?;
            }
            source.end_row()?;
            if !groups.is_empty() {
                entities.insert((dimension, tag), groups);
            }
        }
    }
    Ok(entities)
}

fn read_groups(source: &mut Source<'_>, size: Scalar) -> Result<Vec<i64>, FormatError> {
    let mut groups = Vec::new();
    for _ in 0..source.count(size)? {
        if groups.len() == MAX_GROUPS_PER_ENTITY {
            let what = format!("an entity in more than {MAX_GROUPS_PER_ENTITY} physical groups");
            return Err(source.error(Problem::Unsupported(what)));
        }
        // The sign says how the entity is turned.
        groups.push(source.integer(Scalar::I32)?.saturating_abs());
    }
    Ok(groups)
}

/// The first row of a section of blocks.
struct Header {
    place: Place,
    blocks: u64,
    total: u64,
}

impl Header {
    fn read(source: &mut Source<'_>, size: Scalar) -> Result<Self, FormatError> {
        source.begin_row("the number of blocks, their total, the lowest and the highest tag");
        let place = source.place();
        let (blocks, total) = (source.count(size)?, source.count(size)?);
        source.skip(size, 2)?;
        source.end_row()?;
        Ok(Self { place, blocks, total })
    }

    /// Checks that the blocks hold as many as announced.
    fn finish(&self, what: &'static str, found: usize) -> Result<(), FormatError> {
        if self.total == found as u64 {
            return Ok(());
        }
        let announced = usize::try_from(self.total).unwrap_or(usize::MAX);
        Err(FormatError::at_place(self.place, Problem::WrongCount { what, announced, found }))
    }
}

pub(super) fn read_nodes(
    source: &mut Source<'_>,
    size: Scalar,
    mesh: &mut MixedMesh,
    tags: &mut NodeTags,
) -> Result<(), FormatError> {
    let header = Header::read(source, size)?;
    for _ in 0..header.blocks {
        source.begin_row("a dimension, an entity, 0 or 1 for parameters, the number of nodes");
        let dimension = source.count(Scalar::I32)?;
        source.skip(Scalar::I32, 1)?;
        let has_parameters = source.integer(Scalar::I32)? != 0;
        let count = source.count(size)?;
        source.end_row()?;
        for _ in 0..count {
            source.begin_row("the number of a node");
            tags.define(source, size)?;
        }
        for _ in 0..count {
            source.begin_row("3 coordinates, then the announced parameters");
            mesh.positions.push(source.numbers(Scalar::F64)?);
            source.skip(Scalar::F64, if has_parameters { dimension } else { 0 })?;
            source.end_row()?;
        }
    }
    header.finish("nodes", mesh.positions.len())
}

pub(super) fn read_elements(
    source: &mut Source<'_>,
    size: Scalar,
    mesh: &mut MixedMesh,
    tags: &NodeTags,
    entities: &Entities,
) -> Result<(), FormatError> {
    let header = Header::read(source, size)?;
    let mut found = 0;
    for _ in 0..header.blocks {
        source.begin_row("a dimension, an entity, an element type, the number of elements");
        let entity = (source.integer(Scalar::I32)?, source.integer(Scalar::I32)?);
        let kind = source.integer(Scalar::I32)?;
        let shape = shape_of(kind).map_err(|problem| source.error(problem))?;
        let count = source.count(size)?;
        source.end_row()?;
        let groups = entities.get(&entity).map_or(&[][..], Vec::as_slice);
        for _ in 0..count {
            source.begin_row("an element number and its node numbers");
            source.integer(size)?;
            let corners = tags.corners(source, size, shape)?;
            let index = mesh.add(shape, &corners).map_err(|problem| source.error(problem))?;
            for &group in groups {
                mesh.label(shape, &corners, index, group);
            }
            source.end_row()?;
            found += 1;
        }
    }
    header.finish("elements", found)
}
