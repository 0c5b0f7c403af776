//! Lists of changes, as of references, and what they hold.

use super::cursor::Cursor;
use super::specs::Reader;
use super::values::Rep;
use crate::FormatError;
use crate::usd::spec::{Reference, Retiming};

impl Reader<'_> {
    /// The items of a list of changes, those to delete and to reorder left out.
    pub(super) fn list<T>(
        &mut self,
        rep: Rep,
        read: impl Fn(&Self, &mut Cursor<'_>) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let mut cursor = Cursor::new(self.blob, rep.payload);
        let [flags] = cursor.array::<1>("a list")?;
        let mut items = Vec::new();
        // Explicit, added, prepended and appended ones come first, in this order.
        for flag in [2, 4, 32, 64] {
            if flags & flag != 0 {
                for _ in 0..cursor.u64("a list")? {
                    self.budget.take("lists", 1, 128)?;
                    items.push(read(self, &mut cursor)?);
                }
            }
        }
        Ok(items)
    }

    pub(super) fn path(&self, cursor: &mut Cursor<'_>) -> Result<String, FormatError> {
        self.tables.path(cursor.u32("a path")?)
    }

    pub(super) fn reference(
        &self,
        cursor: &mut Cursor<'_>,
        has_data: bool,
    ) -> Result<Reference, FormatError> {
        let asset = self.tables.string(cursor.u32("a reference")?.into())?.to_owned();
        let prim = self.path(cursor)?;
        let prim = if prim == "/" { String::new() } else { prim };
        let has_times = has_data || self.tables.version >= [0, 8, 0];
        let retiming = if has_times { read_retiming(cursor)? } else { Retiming::NONE };
        if has_data {
            // A dictionary: names, and where after each its value ends.
            for _ in 0..cursor.u64("a reference")? {
                cursor.u32("a reference")?;
                cursor.follow("a reference")?;
                cursor.u64("a reference")?;
            }
        }
        Ok(Reference { asset, prim, retiming })
    }
}

pub(super) fn read_retiming(cursor: &mut Cursor<'_>) -> Result<Retiming, FormatError> {
    let (offset, scale) = (cursor.f64("a change of times")?, cursor.f64("a change of times")?);
    Ok(if offset.is_finite() && scale.is_finite() { Retiming { scale, offset } } else { Retiming::NONE })
}
