//! Tables of a TOML document that know their name and place, and have no keys nobody reads.

use super::entry::{Entry, Keys};
use super::field::{Field, Node, Source};
use super::suggest;
use crate::error::ShotError;
use toml_edit::TableLike;

/// A table whose keys are all known.
pub(super) struct Section<'a> {
    source: &'a Source<'a>,
    table: &'a dyn TableLike,
    name: String,
    offset: usize,
}

impl<'a> Section<'a> {
    /// A table of these keys; any other key is an error.
    pub(super) fn new(
        source: &'a Source<'a>,
        table: &'a dyn TableLike,
        name: String,
        offset: usize,
        known: &[&'static str],
    ) -> Result<Self, ShotError> {
        let section = Self { source, table, name, offset };
        match table.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(section),
            Some((key, _)) => Err(ShotError::UnknownKey {
                at: source.at(section.key_offset(key)),
                key: key.to_owned(),
                table: section.title(),
                advice: suggest::advice(key, known),
            }),
        }
    }

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

    /// The value of `key` as what belongs there, if it is there.
    pub(super) fn read<T: Entry>(&self, key: &str) -> Result<Option<T>, ShotError> {
        self.optional(key).as_ref().map(Field::read).transpose()
    }

    /// The tables of the list at `key`, each with the keys of `T`; none when it is not there.
    pub(super) fn entries<T: Keys>(&self, key: &str) -> Result<Vec<Section<'a>>, ShotError> {
        let Some(field) = self.optional(key) else { return Ok(Vec::new()) };
        field.list("a list of tables")?.iter().map(Field::keys::<T>).collect()
    }

    /// Whether this table belongs to an entry of the list at the dotted key `list`.
    pub(super) fn is_in(&self, list: &str) -> bool {
        self.name.strip_prefix(list).is_some_and(|rest| rest.starts_with('['))
    }

    /// Those of `choices` that are there.
    pub(super) fn present(&self, choices: &[&'static str]) -> Vec<&'static str> {
        choices.iter().copied().filter(|key| self.table.contains_key(key)).collect()
    }

    /// Complains about `key`, when it is there, unless its value is as it has to be.
    pub(super) fn demand(&self, key: &str, holds: bool, problem: &str) -> Result<(), ShotError> {
        match self.optional(key) {
            Some(field) if !holds && problem.starts_with("must") => Err(field.bad_number(problem)),
            Some(field) if !holds => Err(field.bad(problem)),
            _ => Ok(()),
        }
    }

    /// The one key of `choices` that is there; `hint` goes behind the complaint about none or several.
    pub(super) fn one_of(&self, choices: &[&'static str], hint: &str) -> Result<&'static str, ShotError> {
        let found = self.present(choices);
        if let [key] = found.as_slice() {
            return Ok(key);
        }
        Err(self.bad(format!(
            "takes one of {}, found {}{hint}",
            listed(choices, "or"),
            if found.is_empty() { "none".to_owned() } else { listed(&found, "and") }
        )))
    }

    /// A complaint about the table as a whole, in words that follow its name.
    pub(super) fn bad(&self, problem: impl Into<String>) -> ShotError {
        ShotError::BadValue {
            at: self.source.at(self.offset),
            key: self.name.clone(),
            problem: problem.into(),
        }
    }

    fn key_offset(&self, key: &str) -> usize {
        self.table.key(key).and_then(toml_edit::Key::span).map_or(self.offset, |span| span.start)
    }

    fn title(&self) -> String {
        if self.name.is_empty() { "the shot".to_owned() } else { format!("[{}]", self.name) }
    }
}

/// "a, b or c".
fn listed(words: &[&str], last: &str) -> String {
    match words {
        [most @ .., end] if !most.is_empty() => format!("{} {last} {end}", most.join(", ")),
        _ => words.concat(),
    }
}
