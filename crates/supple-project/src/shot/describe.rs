//! The language the schema is written in. A section of the shot file is described once, as a list
//! of its keys, and reading, writing, the known keys of an error message and the paths that follow a
//! moving shot all come from that one list.
//!
//! - [`table!`]: a struct whose fields are keys. Each key is `required`, `optional` (absent means the
//!   default of its type: nothing, or no entries) or `default` (absent means what the default of the
//!   struct says); a `quiet` one is as `default` and written only where it differs from that, a `used` one
//!   only where the struct `uses` it. `part` is a field that is several keys of the same table, and `absent` one that is
//!   not in the file. A type in brackets is written under a `[header]`, another one in one line. A
//!   `check` sees the finished struct and its section, for what a single key cannot tell.
//! - [`one_of!`]: an enum of which a table names exactly one, by its key.
//! - [`words!`]: an enum that is a word.
//! - [`plain!`]: any other value.

/// Describes a struct: `table!(Type { field: kind, field as "key": kind, .. } check function)`.
macro_rules! table {
    ([$type:ident] $($keys:tt)*) => { table!(@ $type, Blocks, $($keys)*); };
    ($type:ident $($keys:tt)*) => { table!(@ $type, Lines, $($keys)*); };
    (@ $type:ident, $list:ident, { $($field:ident $(as $key:literal)? : $kind:ident),* $(,)? }
       $(check $check:path)?) => {
        impl Keys for $type {
            const LIST: List = List::$list;

            fn names(known: &mut Vec<&'static str>) {
                $(key!($kind names known, $field $($key)?);)*
            }

            fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
                let table = Self {
                    $($field: key!($kind read section, $field $($key)?),)*
                };
                $($check(&table, section)?;)?
                Ok(table)
            }

            fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
                $(key!($kind write self table, $field $($key)?);)*
                Ok(())
            }

            fn paths(&mut self, visit: Visit<'_>) {
                $(key!($kind paths self visit, $field);)*
            }
        }
    };
}

/// What one field of a [`table!`] does, by its kind.
macro_rules! key {
    (absent read $section:ident, $field:ident) => { Default::default() };
    (absent $($other:tt)*) => {};

    (part names $known:ident, $field:ident) => {
        names(|table: &Self| &table.$field, $known)
    };
    (part read $section:ident, $field:ident) => { Keys::read_keys($section)? };
    (part write $self:ident $table:ident, $field:ident) => {
        Keys::write_keys(&$self.$field, $table)?
    };
    (part paths $self:ident $visit:ident, $field:ident) => {
        Keys::paths(&mut $self.$field, $visit)
    };

    ($kind:ident $what:ident $($context:ident)+, $field:ident) => {
        key!($kind $what $($context)+, $field stringify!($field))
    };
    ($kind:ident names $known:ident, $field:ident $key:expr) => { $known.push($key) };
    (required read $section:ident, $field:ident $key:expr) => { $section.required($key)?.read()? };
    (optional read $section:ident, $field:ident $key:expr) => {
        $section.read($key)?.unwrap_or_default()
    };
    (default read $section:ident, $field:ident $key:expr) => {
        $section.read($key)?.unwrap_or_else(|| Self::default().$field)
    };
    (quiet read $section:ident, $field:ident $key:expr) => { key!(default read $section, $field $key) };
    (quiet write $self:ident $table:ident, $field:ident $key:expr) => {
        if $self.$field != Self::default().$field {
            put($table, $key, &$self.$field)?
        }
    };
    (used read $section:ident, $field:ident $key:expr) => { key!(default read $section, $field $key) };
    (used write $self:ident $table:ident, $field:ident $key:expr) => {
        if $self.uses($key) {
            put($table, $key, &$self.$field)?
        }
    };
    ($kind:ident write $self:ident $table:ident, $field:ident $key:expr) => {
        put($table, $key, &$self.$field)?
    };
    ($kind:ident paths $self:ident $visit:ident, $field:ident $key:expr) => {
        Entry::paths(&mut $self.$field, $visit)
    };
}

/// Describes an enum of which a table names exactly one:
///
/// ```text
/// one_of!(Type {
///     key: Variant, ..                            // Variant(value), the value of its key
///     tables: key: Variant { field, .. }, ..      // key = { field = .., .. }
///     flags: key: Variant, ..                     // key = true
/// } list Style hint "behind the complaint about none or several" check function)
/// ```
macro_rules! one_of {
    ($type:ident {
        $($key:ident: $variant:ident),* $(,)?
        $(; tables: $($table_key:ident: $table:ident { $($field:ident),* }),* $(,)?)?
        $(; flags: $($flag_key:ident: $flag:ident),* $(,)?)?
    } $(list $list:ident)? $(hint $hint:literal)? $(check $check:path)?) => {
        impl $type {
            const KEYS: &[&str] = &[
                $(stringify!($key),)*
                $($(stringify!($table_key),)*)?
                $($(stringify!($flag_key),)*)?
            ];
        }

        impl Keys for $type {
            $(const LIST: List = List::$list;)?

            fn names(known: &mut Vec<&'static str>) {
                known.extend(Self::KEYS);
            }

            fn read_keys(section: &Section<'_>) -> Result<Self, ShotError> {
                let key = section.one_of(Self::KEYS, concat!($($hint)?))?;
                let field = section.required(key)?;
                let choice = match key {
                    $(stringify!($key) => Self::$variant(field.read()?),)*
                    $($(stringify!($table_key) => {
                        let inner = field.section(&[$(stringify!($field)),*])?;
                        Self::$table { $($field: inner.required(stringify!($field))?.read()?),* }
                    })*)?
                    $($(stringify!($flag_key) => {
                        field.yes()?;
                        Self::$flag
                    })*)?
                    // `Section::one_of` answers with no other key.
                    _ => return Err(field.bad("is unknown")),
                };
                $($check(&choice, &field)?;)?
                Ok(choice)
            }

            fn write_keys(&self, table: &mut dyn TableLike) -> Result<(), ShotError> {
                match self {
                    $(Self::$variant(entry) => put(table, stringify!($key), entry)?,)*
                    $($(Self::$table { $($field),* } => {
                        let mut inner = InlineTable::new();
                        $(put(&mut inner, stringify!($field), $field)?;)*
                        table.insert(stringify!($table_key), value(inner));
                    })*)?
                    $($(Self::$flag => {
                        table.insert(stringify!($flag_key), value(true));
                    })*)?
                }
                Ok(())
            }

            fn paths(&mut self, visit: Visit<'_>) {
                match self {
                    $(Self::$variant(entry) => Entry::paths(entry, visit),)*
                    $($(Self::$table { $($field),* } => {
                        $(Entry::paths($field, visit);)*
                    })*)?
                    $($(Self::$flag => {})*)?
                }
            }
        }
    };
}

/// Describes any other value: `plain!(Type, |field| how to read it, |entry| its TOML value)`.
macro_rules! plain {
    ($type:ty, |$field:ident| $read:expr, |$entry:ident| $write:expr $(, paths $paths:expr)?) => {
        impl Entry for $type {
            const LIST: List = List::Flat;

            fn read($field: &Field<'_>) -> Result<Self, ShotError> {
                $read
            }

            fn write(&self) -> Result<Item, ShotError> {
                let $entry = self;
                Ok(value($write))
            }

            $(fn paths(&mut self, visit: Visit<'_>) {
                $paths(visit, self);
            })?
        }
    };
}

/// Describes an enum that is a word: `words!(Type { Variant = "word", .. })`.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl $type {
            /// Its word in the file.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        plain!(
            $type,
            |field| field.choice(&[$(Self::$variant),*], Self::name),
            |word| word.name()
        );
    };
}

pub(super) use {key, one_of, plain, table, words};

// What the macros speak of, so that `use describe::*` is all a part of the schema needs.
pub(super) use super::entry::{Entry, Keys, List, Visit, put, value};
pub(super) use super::field::Field;
pub(super) use super::section::Section;
pub(super) use crate::error::ShotError;
pub(super) use toml_edit::{InlineTable, Item, TableLike, Value};

/// The keys of a field that is several.
pub(super) fn names<T, P: Keys>(_: fn(&T) -> &P, known: &mut Vec<&'static str>) {
    P::names(known);
}
