//! A layer: what one file says, before files are put together. Values are left where they are in the file
//! until they are asked for; a layer in memory is its tree of prims and where their values stand.

use super::binary::Tables;
use super::{binary, text};
use crate::blob::Blob;
use crate::{FormatError, Problem};
use std::collections::HashMap;
use std::sync::Arc;

/// How times of a file become those of the one that refers to it: t' = scale·t + offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Retiming {
    pub scale: f64,
    pub offset: f64,
}

impl Retiming {
    pub const NONE: Self = Self { scale: 1.0, offset: 0.0 };

    pub fn apply(self, time: f64) -> f64 {
        self.scale * time + self.offset
    }

    /// First `inner`, then this.
    pub fn after(self, inner: Self) -> Self {
        Self { scale: self.scale * inner.scale, offset: self.scale * inner.offset + self.offset }
    }
}

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Raw {
    /// Text of a file, and the line it begins on.
    Text { at: u64, length: u64, line: usize },
    /// What stands in a binary file for a value.
    Binary(u64),
    /// Nothing, on purpose: weaker values do not count.
    Blocked,
}

/// Where the values of a layer are read from. Copies share the file.
#[derive(Clone)]
pub(super) struct Values {
    pub blob: Blob,
    /// Those of a binary file; a text has none.
    pub tables: Option<Arc<Tables>>,
}

impl Values {
    /// All numbers of a value, one after the other, whether it is one, a tuple or an array of them.
    pub fn numbers(&self, raw: &Raw) -> Result<Vec<f64>, FormatError> {
        match (raw, &self.tables) {
            (Raw::Text { at, length, line }, _) => text::numbers(&self.blob, *at, *length, *line),
            (Raw::Binary(rep), Some(tables)) => binary::numbers(&self.blob, tables, *rep),
            _ => Ok(Vec::new()),
        }
    }

    /// All words of a value: tokens, strings, paths of assets.
    pub fn words(&self, raw: &Raw) -> Result<Vec<String>, FormatError> {
        match (raw, &self.tables) {
            (Raw::Text { at, length, line }, _) => text::words(&self.blob, *at, *length, *line),
            (Raw::Binary(rep), Some(tables)) => binary::words(&self.blob, tables, *rep),
            _ => Ok(Vec::new()),
        }
    }
}

/// Whether a prim is there, or only said more of, or a pattern for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Specifier {
    Def,
    #[default]
    Over,
    Class,
}

/// A reference to a prim of this or another file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reference {
    /// Empty for this file.
    pub asset: String,
    /// Empty for the file's default prim.
    pub prim: String,
    pub retiming: Retiming,
}

/// An attribute: its value, and those at certain times.
#[derive(Clone, Debug, Default)]
pub(super) struct AttributeSpec {
    pub name: String,
    pub type_name: String,
    pub value: Option<Raw>,
    /// By time, ascending.
    pub samples: Vec<(f64, Raw)>,
    pub interpolation: Option<String>,
}

/// What a layer says of a prim.
#[derive(Debug, Default)]
pub(super) struct PrimSpec {
    pub name: String,
    pub specifier: Specifier,
    pub type_name: String,
    pub children: Vec<u32>,
    pub attributes: Vec<AttributeSpec>,
    pub relationships: Vec<(String, Vec<String>)>,
    pub references: Vec<Reference>,
    pub payloads: Vec<Reference>,
    /// Paths of classes in this file, specializes among them.
    pub inherits: Vec<String>,
    pub selections: Vec<(String, String)>,
    /// Set, name, and the prim that holds what the variant says.
    pub variants: Vec<(String, String, u32)>,
    pub active: Option<bool>,
    pub instanceable: Option<bool>,
    /// Whether its animation is split over several files, which is not read.
    pub has_clips: bool,
}

/// What a layer says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Metadata {
    pub up_axis: Option<String>,
    pub metres_per_unit: Option<f64>,
    pub codes_per_second: Option<f64>,
    pub frames_per_second: Option<f64>,
    pub start: Option<f64>,
    pub end: Option<f64>,
    pub default_prim: Option<String>,
    pub sublayers: Vec<(String, Retiming)>,
}

/// What one file says.
pub(super) struct Layer {
    pub values: Values,
    pub metadata: Metadata,
    /// The first is the root, whose children are the prims at the top.
    pub prims: Vec<PrimSpec>,
    /// The children of prims that have many, by name.
    by_name: HashMap<u32, HashMap<String, u32>>,
}

/// From how many children on they are found by a table.
const MANY: usize = 16;

impl Layer {
    /// Reads a layer, text or binary, whichever it is.
    pub fn read(blob: Blob) -> Result<Self, FormatError> {
        let mut magic = [0; 8];
        let there = blob.len().min(8) as usize;
        blob.read(0, &mut magic[..there], "the beginning")?;
        if magic == *binary::MAGIC {
            binary::read_layer(blob)
        } else if magic.starts_with(text::MAGIC) {
            text::read_layer(blob)
        } else {
            let expected = "a USD file, which begins with #usda or PXR-USDC";
            let found = String::from_utf8_lossy(&magic[..there]);
            Err(FormatError::whole_file(Problem::expected(expected, &found)))
        }
    }

    /// The child of this name.
    pub fn child(&self, prim: u32, name: &str) -> Option<u32> {
        let children = &self.prims[prim as usize].children;
        if children.len() > MANY {
            return self.by_name.get(&prim)?.get(name).copied();
        }
        children.iter().copied().find(|&child| self.prims[child as usize].name == name)
    }

    /// A layer of these prims, all with their children.
    pub fn new(values: Values, metadata: Metadata, prims: Vec<PrimSpec>) -> Self {
        let many = prims.iter().enumerate().filter(|(_, prim)| prim.children.len() > MANY);
        let names = |prim: &PrimSpec| {
            // The first of a name counts, as it does in a short list.
            let pairs = prim.children.iter().rev().map(|&child| (prims[child as usize].name.clone(), child));
            pairs.collect()
        };
        let by_name = many.map(|(number, prim)| (number as u32, names(prim))).collect();
        Self { values, metadata, prims, by_name }
    }
}

/// The most attributes of a prim: they are looked for one by one.
pub(super) const MOST_ATTRIBUTES: usize = 4096;

/// The most prims of a layer: far beyond any shot, and few enough for the memory they take.
pub(super) const MOST_PRIMS: usize = 1 << 22;
