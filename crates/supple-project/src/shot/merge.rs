//! Changing a document only where two trees differ.
//!
//! `before` is what the document says, `after` what it shall say, both as the writer spells it; the
//! document may spell it in any other way TOML has. Tables are merged key by key and lists of tables
//! entry by entry, however deep, so that what stays keeps its comments and its place.

use toml_edit::{Array, ArrayOfTables, InlineTable, Item, Table, TableLike, Value};

/// Whether two trees of the writer say the same.
pub(super) fn same(a: &Item, b: &Item) -> bool {
    if let (Some(a), Some(b)) = (a.as_table_like(), b.as_table_like()) {
        return same_tables(a, b);
    }
    match (list(a), list(b), a, b) {
        (Some(a), Some(b), ..) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_tables(*a, b)),
        // One writer made both, so equal values are equal text.
        (None, None, Item::Value(a), Item::Value(b)) => a.to_string() == b.to_string(),
        _ => false,
    }
}

fn same_tables(a: &dyn TableLike, b: &dyn TableLike) -> bool {
    a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
}

/// Merges every key of a table.
pub(super) fn tables(document: &mut dyn TableLike, before: &dyn TableLike, after: &dyn TableLike) {
    for (key, _) in before.iter().filter(|(key, _)| !after.contains_key(key)) {
        document.remove(key);
    }
    for (key, after) in after.iter() {
        match before.get(key) {
            Some(before) if same(before, after) => {}
            before => item(document, key, before.unwrap_or(&Item::None), after),
        }
    }
}

fn item(document: &mut dyn TableLike, key: &str, before: &Item, after: &Item) {
    let empty = if after.is_inline_table() { InlineTable::new().into() } else { Item::Table(Table::new()) };
    if let (Some(before), Some(after)) = (before.as_table_like(), after.as_table_like()) {
        // Absent when all of it is at its defaults; then only what differs from them appears.
        if !document.contains_key(key) {
            document.insert(key, empty);
        }
        if let Some(table) = document.get_mut(key).and_then(Item::as_table_like_mut) {
            return tables(table, before, after);
        }
    }
    if let (Some(before), Some(after)) = (list(before), list(after))
        && document.get_mut(key).is_some_and(|item| lists(item, &before, &after))
    {
        return;
    }
    match (document.get_mut(key), after) {
        (Some(Item::Value(old)), Item::Value(new)) => {
            // A comment behind the value stays behind it.
            let decor = old.decor().clone();
            *old = new.clone();
            *old.decor_mut() = decor;
        }
        _ => {
            document.remove(key);
            document.insert(key, after.clone());
        }
    }
}

/// The entries of a list of tables.
fn list(item: &Item) -> Option<Vec<&dyn TableLike>> {
    match item {
        Item::ArrayOfTables(tables) => Some(tables.iter().map(|table| table as &dyn TableLike).collect()),
        Item::Value(Value::Array(array)) => {
            array.iter().map(|value| value.as_inline_table().map(|table| table as &dyn TableLike)).collect()
        }
        _ => None,
    }
}

/// Merges a list of tables: entries that are alike at its begin and its end stay, those between are
/// paired in order, and the rest goes or comes. False when the document has no such list.
fn lists(document: &mut Item, before: &[&dyn TableLike], after: &[&dyn TableLike]) -> bool {
    let Some(mut rows) = Rows::of(document) else { return false };
    let alike = |(a, b): &(&&dyn TableLike, &&dyn TableLike)| same_tables(**a, **b);
    let begin = before.iter().zip(after).take_while(alike).count();
    let (before, after) = (&before[begin..], &after[begin..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(alike).count();
    let (before, after) = (&before[..before.len() - end], &after[..after.len() - end]);

    let paired = before.len().min(after.len());
    for (i, (before, after)) in before.iter().zip(after).enumerate() {
        let Some(row) = rows.get(begin + i) else { return false };
        tables(row, *before, *after);
    }
    for _ in paired..before.len() {
        rows.remove(begin + paired);
    }
    for (i, table) in after.iter().enumerate().skip(paired) {
        rows.insert(begin + i, *table);
    }
    true
}

/// A list of tables in either of its spellings.
enum Rows<'a> {
    Blocks(&'a mut ArrayOfTables),
    Inline(&'a mut Array),
}

impl<'a> Rows<'a> {
    fn of(item: &'a mut Item) -> Option<Self> {
        match item {
            Item::ArrayOfTables(tables) => Some(Self::Blocks(tables)),
            Item::Value(Value::Array(array)) => Some(Self::Inline(array)),
            _ => None,
        }
    }

    fn get(&mut self, index: usize) -> Option<&mut dyn TableLike> {
        match self {
            Self::Blocks(tables) => tables.get_mut(index).map(|table| table as &mut dyn TableLike),
            Self::Inline(array) => {
                array.get_mut(index)?.as_inline_table_mut().map(|table| table as &mut dyn TableLike)
            }
        }
    }

    fn remove(&mut self, index: usize) {
        match self {
            Self::Blocks(tables) => {
                tables.remove(index);
            }
            Self::Inline(array) => {
                array.remove(index);
            }
        }
    }

    fn insert(&mut self, index: usize, row: &dyn TableLike) {
        match self {
            Self::Blocks(tables) => {
                tables.insert(index, row.iter().map(|(key, item)| (key.to_owned(), item.clone())).collect());
            }
            Self::Inline(array) => {
                let broken = |value: &Value| {
                    let prefix = value.decor().prefix().and_then(toml_edit::RawString::as_str);
                    prefix.is_some_and(|prefix| prefix.contains('\n'))
                };
                let space = match index {
                    _ if array.iter().any(broken) => "\n    ",
                    0 => "",
                    _ => " ",
                };
                let values = row.iter().filter_map(|(key, item)| Some((key, item.as_value()?.clone())));
                let table: InlineTable = values.collect();
                array.insert_formatted(index, Value::from(table).decorated(space, ""));
            }
        }
    }
}
