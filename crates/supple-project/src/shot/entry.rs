//! What every part of a shot can do: be read from its text, be written to it, and name the paths in
//! it. [`Entry`] is one value, [`Keys`] some keys of one table. Lists, options and tables of entries
//! are entries themselves, so the schema only says which key holds what: see [`describe`].
//!
//! [`describe`]: super::describe

use super::describe::plain;
use super::field::Field;
use super::section::Section;
use crate::error::ShotError;
use std::ops::RangeInclusive;
use std::path::{Component, Path, PathBuf};
use supple_model::VertexId;
use toml_edit::{Array, ArrayOfTables, InlineTable, Item, Table, TableLike, Value};

/// What to do with each path of a shot.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&mut PathBuf);

/// One value of a shot file.
pub(super) trait Entry: Sized {
    /// How several are written.
    const LIST: List;

    fn read(field: &Field<'_>) -> Result<Self, ShotError>;

    /// [`Item::None`] when its key is left out.
    fn write(&self) -> Result<Item, ShotError>;

    fn paths(&mut self, _visit: Visit<'_>) {}
}

/// Keys of one table.
pub(super) trait Keys: Sized {
    /// How several such tables are written, if these are all keys of a table.
    const LIST: List = List::Lines;

    /// Adds all keys there are.
    fn names(known: &mut Vec<&'static str>);

    fn read_keys(section: &Section<'_>) -> Result<Self, ShotError>;

    fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError>;

    fn paths(&mut self, _visit: Visit<'_>) {}
}

/// How a list is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// All in one line: vertex numbers, the only plain values there are lists of.
    Flat,
    /// One line for each entry, so that a change shows as one changed line.
    Lines,
    /// As `Lines`, but without brackets when there is only one.
    LinesOrOne,
    /// Each under its own `[[key]]`.
    Blocks,
}

/// A table with all keys of `T`, for `T` that are several keys.
impl<T: Keys> Entry for T {
    const LIST: List = T::LIST;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        T::read_keys(&field.keys::<T>()?)
    }

    fn write(&self) -> Result<Item, ShotError> {
        if T::LIST == List::Blocks {
            let mut table = Table::new();
            self.write_keys(&mut table)?;
            return Ok(table.into());
        }
        let mut table = InlineTable::new();
        self.write_keys(&mut table)?;
        Ok(value(table))
    }

    fn paths(&mut self, visit: Visit<'_>) {
        Keys::paths(self, visit);
    }
}

impl<T: Entry> Entry for Option<T> {
    const LIST: List = T::LIST;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        T::read(field).map(Some)
    }

    fn write(&self) -> Result<Item, ShotError> {
        self.as_ref().map_or(Ok(Item::None), T::write)
    }

    fn paths(&mut self, visit: Visit<'_>) {
        if let Some(entry) = self {
            entry.paths(visit);
        }
    }
}

impl<T: Entry> Entry for Vec<T> {
    const LIST: List = List::Lines;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        if T::LIST == List::LinesOrOne && !field.is_list() {
            return Ok(vec![T::read(field)?]);
        }
        let expected = match T::LIST {
            List::Flat => "a list of vertex numbers",
            List::Lines | List::LinesOrOne | List::Blocks => "a list of tables",
        };
        field.list(expected)?.iter().map(T::read).collect()
    }

    fn write(&self) -> Result<Item, ShotError> {
        let mut items = self.iter().map(T::write).collect::<Result<Vec<_>, _>>()?;
        Ok(match T::LIST {
            _ if items.is_empty() => Item::None,
            List::Flat => value(items.into_iter().flat_map(Item::into_value).collect::<Array>()),
            List::LinesOrOne if items.len() == 1 => items.swap_remove(0),
            List::Lines | List::LinesOrOne => value(lines(items.into_iter().flat_map(Item::into_value))),
            List::Blocks => items.into_iter().flat_map(Item::into_table).collect::<ArrayOfTables>().into(),
        })
    }

    fn paths(&mut self, visit: Visit<'_>) {
        for entry in self {
            entry.paths(visit);
        }
    }
}

fn lines(values: impl Iterator<Item = Value>) -> Array {
    let mut array: Array = values.map(|value| value.decorated("\n    ", "")).collect();
    array.set_trailing("\n");
    array.set_trailing_comma(true);
    array
}

const U32: RangeInclusive<i64> = 0..=u32::MAX as i64;
const I32: RangeInclusive<i64> = i32::MIN as i64..=i32::MAX as i64;

plain!(f64, |field| field.number(), |number| decimal(*number));
plain!(bool, |field| field.truth(), |truth| *truth);
plain!(String, |field| field.text().map(str::to_owned), |text| text.as_str());
plain!(PathBuf, |field| field.path(), |path| path_text(path)?, paths |visit: Visit<'_>, path| visit(path));
// In range of their types, because the reader was given that range.
plain!(VertexId, |field| field.whole(U32).map(|vertex| VertexId(vertex as u32)), |id| i64::from(id.0));
plain!(usize, |field| field.whole(U32).map(|count| count as Self), |count| *count as i64);
plain!(i32, |field| field.whole(I32).map(|frame| frame as Self), |frame| i64::from(*frame));

plain!(
    [f64; 3],
    |field| {
        let [x, y, z] = field.exactly("three numbers [x, y, z]")?;
        Ok([x.number()?, y.number()?, z.number()?])
    },
    |vector| vector.iter().copied().map(decimal).collect::<Array>()
);

// Frames: `[first, last]`, both included.
plain!(
    RangeInclusive<i32>,
    |field| {
        let [first, last] = field.exactly("two frames [first, last]")?;
        let (first, last) = (i32::read(&first)?, i32::read(&last)?);
        if first > last {
            return Err(field.bad(format!("ends at {last}, before it begins at {first}")));
        }
        Ok(first..=last)
    },
    |frames| [*frames.start(), *frames.end()].into_iter().map(i64::from).collect::<Array>()
);

/// Puts an entry under its key, unless it leaves itself out.
pub(super) fn put(table: &mut dyn TableLike, key: &str, entry: &impl Entry) -> Result<(), ShotError> {
    match entry.write()? {
        Item::None => {}
        item => {
            table.insert(key, item);
        }
    }
    Ok(())
}

/// A value as an item of a table.
pub(super) fn value(value: impl Into<Value>) -> Item {
    Item::Value(value.into())
}

/// The shortest text that reads back as the same number, `2e6` rather than `2000000.0`.
pub(super) fn decimal(number: f64) -> Value {
    let magnitude = number.abs();
    if magnitude == 0.0 || (1e-4..1e6).contains(&magnitude) {
        return number.into();
    }
    format!("{number:e}").parse().unwrap_or_else(|_| number.into())
}

/// A number of frames, without a decimal point where it is whole.
pub(super) fn count(number: f64) -> Value {
    let whole = number as i64;
    if whole as f64 == number && number.abs() < 1e15 { whole.into() } else { decimal(number) }
}

/// A path with forward slashes on every system, so that a shot can travel.
pub(super) fn path_text(path: &Path) -> Result<String, ShotError> {
    let unwritable = || ShotError::UnwritablePath { path: path.to_path_buf() };
    let mut text = String::new();
    for component in path.components() {
        let part = match component {
            Component::RootDir => "/",
            other => other.as_os_str().to_str().ok_or_else(unwritable)?,
        };
        if !text.is_empty() && !text.ends_with('/') && part != "/" {
            text.push('/');
        }
        text.push_str(part);
    }
    Ok(text)
}
