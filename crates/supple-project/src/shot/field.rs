//! Values of a TOML document that know their name and place, so that every complaint about them
//! does too.

use super::suggest;
use crate::error::{At, ShotError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml_edit::{ArrayOfTables, Item, Table, TableLike, Value};

/// The text being read and where it came from.
pub(super) struct Source<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
}

impl Source<'_> {
    /// The line and column of a byte.
    pub(super) fn at(&self, offset: usize) -> At {
        let before = &self.text[..self.text.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        At {
            file: self.file.to_path_buf(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

#[derive(Clone, Copy)]
enum Node<'a> {
    Value(&'a Value),
    Table(&'a Table),
    Tables(&'a ArrayOfTables),
    Absent,
}

impl Node<'_> {
    fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Value(value) => value.span(),
            Self::Table(table) => table.span(),
            Self::Tables(tables) => tables.span(),
            Self::Absent => None,
        }
    }
}

impl<'a> From<&'a Item> for Node<'a> {
    fn from(item: &'a Item) -> Self {
        match item {
            Item::Value(value) => Self::Value(value),
            Item::Table(table) => Self::Table(table),
            Item::ArrayOfTables(tables) => Self::Tables(tables),
            Item::None => Self::Absent,
        }
    }
}

/// One value.
pub(super) struct Field<'a> {
    source: &'a Source<'a>,
    node: Node<'a>,
    /// Its dotted key, such as `body.material.young`.
    name: String,
    /// Where it is; where its table is when the parser does not say.
    offset: usize,
}

impl<'a> Field<'a> {
    fn new(source: &'a Source<'a>, node: Node<'a>, name: String, parent: usize) -> Self {
        let offset = node.span().map_or(parent, |span| span.start);
        Self { source, node, name, offset }
    }

    /// The whole document.
    pub(super) fn root(source: &'a Source<'a>, table: &'a Table) -> Self {
        Self::new(source, Node::Table(table), String::new(), 0)
    }

    /// The value as a table of these keys; any other key is an error.
    pub(super) fn section(&self, known: &'static [&'static str]) -> Result<Section<'a>, ShotError> {
        let table: &'a dyn TableLike = match self.node {
            Node::Table(table) => table,
            Node::Value(Value::InlineTable(table)) => table,
            _ => return Err(self.wrong_type("a table")),
        };
        let section = Section { source: self.source, table, name: self.name.clone(), offset: self.offset };
        if let Some((key, _)) = table.iter().find(|(key, _)| !known.contains(key)) {
            return Err(ShotError::UnknownKey {
                at: self.source.at(section.key_offset(key)),
                key: key.to_owned(),
                table: section.title(),
                advice: suggest::advice(key, known),
            });
        }
        Ok(section)
    }

    /// Whether the value is a list.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.node, Node::Tables(_) | Node::Value(Value::Array(_)))
    }

    /// The value as a list, written either as `[a, b]` or as repeated `[[key]]` tables.
    pub(super) fn list(&self, expected: &'static str) -> Result<Vec<Field<'a>>, ShotError> {
        let nodes: Vec<Node<'a>> = match self.node {
            Node::Value(Value::Array(array)) => array.iter().map(Node::Value).collect(),
            Node::Tables(tables) => tables.iter().map(Node::Table).collect(),
            _ => return Err(self.wrong_type(expected)),
        };
        let field = |(i, node)| Field::new(self.source, node, format!("{}[{i}]", self.name), self.offset);
        Ok(nodes.into_iter().enumerate().map(field).collect())
    }

    /// The value as text that is not empty.
    pub(super) fn text(&self) -> Result<&'a str, ShotError> {
        match self.node {
            Node::Value(Value::String(text)) if text.value().is_empty() => Err(self.bad("is empty")),
            Node::Value(Value::String(text)) => Ok(text.value()),
            _ => Err(self.wrong_type("a string")),
        }
    }

    /// The value as a path, as written.
    pub(super) fn path(&self) -> Result<PathBuf, ShotError> {
        let text = self.text()?;
        if text.contains('\0') {
            return Err(self.bad("is not a path: it contains a zero byte"));
        }
        Ok(PathBuf::from(text))
    }

    /// The value as the one of these choices it names.
    pub(super) fn choice<T: Copy>(&self, choices: &[T], name: fn(T) -> &'static str) -> Result<T, ShotError> {
        let text = self.text()?;
        choices.iter().copied().find(|choice| name(*choice) == text).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|choice| name(*choice)).collect();
            self.bad(format!("cannot be {text:?}; {}", suggest::advice(text, &names)))
        })
    }

    /// The value as a finite number.
    pub(super) fn number(&self) -> Result<f64, ShotError> {
        let number = match self.node {
            Node::Value(Value::Float(number)) => *number.value(),
            // Exact up to 2⁵³, and rounded beyond like any decimal.
            Node::Value(Value::Integer(number)) => *number.value() as f64,
            _ => return Err(self.wrong_type("a number")),
        };
        if number.is_finite() { Ok(number) } else { Err(self.bad("has to be a finite number")) }
    }

    /// The value as a whole number that fits in 32 bits.
    pub(super) fn count(&self) -> Result<u32, ShotError> {
        let Node::Value(Value::Integer(number)) = self.node else {
            return Err(self.wrong_type("a whole number"));
        };
        u32::try_from(*number.value())
            .map_err(|_| self.bad(format!("has to be between 0 and {}, not {}", u32::MAX, number.value())))
    }

    /// The value as three finite numbers.
    pub(super) fn vector(&self) -> Result<[f64; 3], ShotError> {
        const EXPECTED: &str = "three numbers [x, y, z]";
        match self.list(EXPECTED)?.as_slice() {
            [x, y, z] => Ok([x.number()?, y.number()?, z.number()?]),
            other => Err(self.bad(format!("takes {EXPECTED}, found {}", other.len()))),
        }
    }

    /// A complaint about the value itself, in words that follow its name.
    pub(super) fn bad(&self, problem: impl Into<String>) -> ShotError {
        ShotError::BadValue {
            at: self.source.at(self.offset),
            key: self.name.clone(),
            problem: problem.into(),
        }
    }

    fn wrong_type(&self, expected: &'static str) -> ShotError {
        let found = match self.node {
            Node::Value(Value::String(_)) => "a string",
            Node::Value(Value::Integer(_)) => "a whole number",
            Node::Value(Value::Float(_)) => "a number",
            Node::Value(Value::Boolean(_)) => "true or false",
            Node::Value(Value::Datetime(_)) => "a date",
            Node::Value(Value::Array(_)) | Node::Tables(_) => "a list",
            Node::Value(Value::InlineTable(_)) | Node::Table(_) => "a table",
            Node::Absent => "nothing",
        };
        ShotError::WrongType { at: self.source.at(self.offset), key: self.name.clone(), expected, found }
    }
}

/// A table whose keys are all known.
pub(super) struct Section<'a> {
    source: &'a Source<'a>,
    table: &'a dyn TableLike,
    name: String,
    offset: usize,
}

impl<'a> Section<'a> {
    /// The value of `key`, if it is there.
    pub(super) fn optional(&self, key: &str) -> Option<Field<'a>> {
        let node = Node::from(self.table.get(key)?);
        let name = if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) };
        Some(Field::new(self.source, node, name, self.key_offset(key)))
    }

    /// The value of `key`, which has to be there.
    pub(super) fn required(&self, key: &'static str) -> Result<Field<'a>, ShotError> {
        self.optional(key).ok_or_else(|| ShotError::MissingKey {
            at: self.source.at(self.offset),
            table: self.title(),
            key,
        })
    }

    /// The finite number of `key`, if it is there.
    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, ShotError> {
        self.optional(key).map(|field| field.number()).transpose()
    }

    /// The keys that are there.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.table.iter().map(|(key, _)| key)
    }

    fn key_offset(&self, key: &str) -> usize {
        self.table.key(key).and_then(toml_edit::Key::span).map_or(self.offset, |span| span.start)
    }

    fn title(&self) -> String {
        if self.name.is_empty() { "the shot".to_owned() } else { format!("[{}]", self.name) }
    }
}
