//! Values of a TOML document that know their name and place, so that every complaint about them
//! does too.

use super::entry::{Entry, Keys};
use super::section::Section;
use super::suggest;
use crate::error::{At, ShotError};
use std::ops::{Range, RangeInclusive};
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

/// What the parser made of a value.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
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
    /// The value at `node`, in a table that is at `parent`.
    pub(super) fn new(source: &'a Source<'a>, node: Node<'a>, name: String, parent: usize) -> Self {
        let offset = node.span().map_or(parent, |span| span.start);
        Self { source, node, name, offset }
    }

    /// The whole document.
    pub(super) fn root(source: &'a Source<'a>, table: &'a Table) -> Self {
        Self::new(source, Node::Table(table), String::new(), 0)
    }

    /// The value as what belongs there.
    pub(super) fn read<T: Entry>(&self) -> Result<T, ShotError> {
        T::read(self)
    }

    /// The value as a table of these keys; any other key is an error.
    pub(super) fn section(&self, known: &[&'static str]) -> Result<Section<'a>, ShotError> {
        let table: &'a dyn TableLike = match self.node {
            Node::Table(table) => table,
            Node::Value(Value::InlineTable(table)) => table,
            _ => return Err(self.wrong_type("a table")),
        };
        Section::new(self.source, table, self.name.clone(), self.offset, known)
    }

    /// The value as a table with the keys of `T`.
    pub(super) fn keys<T: Keys>(&self) -> Result<Section<'a>, ShotError> {
        let mut known = Vec::new();
        T::names(&mut known);
        self.section(&known)
    }

    /// The keys and values of a table, as text.
    pub(super) fn table_text(&self) -> Result<String, ShotError> {
        match self.node {
            Node::Table(table) => Ok(table.to_string()),
            Node::Value(Value::InlineTable(table)) => Ok(table.clone().into_table().to_string()),
            _ => Err(self.wrong_type("a table")),
        }
    }

    /// Whether the value is a list.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.node, Node::Tables(_) | Node::Value(Value::Array(_)))
    }

    /// Whether the value is a table.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.node, Node::Table(_) | Node::Value(Value::InlineTable(_)))
    }

    /// Whether the value is text.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.node, Node::Value(Value::String(_)))
    }

    /// Whether the value is a number with a decimal point or a power of ten.
    pub(super) fn is_fraction(&self) -> bool {
        matches!(self.node, Node::Value(Value::Float(_)))
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

    /// The value as a list of just so many.
    pub(super) fn exactly<const N: usize>(
        &self,
        expected: &'static str,
    ) -> Result<[Field<'a>; N], ShotError> {
        let list = self.list(expected)?;
        list.try_into().map_err(|list: Vec<_>| self.bad(format!("takes {expected}, found {}", list.len())))
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
        if number.is_finite() { Ok(number) } else { Err(self.bad_number("must be a finite number")) }
    }

    /// The value as a number greater than zero, or nothing when it is `word` instead.
    pub(super) fn number_or(
        &self,
        word: &'static str,
        expected: &'static str,
    ) -> Result<Option<f64>, ShotError> {
        match self.node {
            Node::Value(Value::String(_)) => self.choice(&[word], |word| word).map(|_| None),
            Node::Value(Value::Float(_) | Value::Integer(_)) => match self.number()? {
                number if number > 0.0 => Ok(Some(number)),
                _ => Err(self.bad_number("must be greater than 0")),
            },
            _ => Err(self.wrong_type(expected)),
        }
    }

    /// The value as a whole number of this range.
    pub(super) fn whole(&self, range: RangeInclusive<i64>) -> Result<i64, ShotError> {
        let Node::Value(Value::Integer(number)) = self.node else {
            return Err(self.wrong_type("a whole number"));
        };
        let number = *number.value();
        if range.contains(&number) {
            return Ok(number);
        }
        let (least, greatest) = range.into_inner();
        Err(self.bad(format!("must be between {least} and {greatest}, got {number}")))
    }

    /// The value as true or false.
    pub(super) fn truth(&self) -> Result<bool, ShotError> {
        match self.node {
            Node::Value(Value::Boolean(truth)) => Ok(*truth.value()),
            _ => Err(self.wrong_type("true or false")),
        }
    }

    /// The value as `true`, the only answer a choice that is made by naming it takes.
    pub(super) fn yes(&self) -> Result<(), ShotError> {
        match self.node {
            Node::Value(Value::Boolean(yes)) if *yes.value() => Ok(()),
            Node::Value(Value::Boolean(_)) => Err(self.bad("must be true, or left out")),
            _ => Err(self.wrong_type("true")),
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

    /// A complaint about a number, which is named.
    pub(super) fn bad_number(&self, problem: &str) -> ShotError {
        let got = match self.node {
            Node::Value(Value::Integer(number)) => format!(", got {}", number.value()),
            // Not a number is `nan` in TOML; what is very large or small has a power of ten.
            Node::Value(Value::Float(number)) => format!(", got {:?}", number.value()).to_lowercase(),
            _ => String::new(),
        };
        self.bad(problem.to_owned() + &got)
    }

    /// A complaint about a value of another type than `expected`.
    pub(super) fn wrong_type(&self, expected: &'static str) -> ShotError {
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
