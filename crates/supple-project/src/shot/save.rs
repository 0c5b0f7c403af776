//! From a shot to its text.
//!
//! The shot is a fixed list of keys with values. A new file gets them all, in that order. A file
//! that is already a shot is edited instead: only keys whose value differs are touched, so comments,
//! order and spelling of the rest survive.

use super::schema::{Anchor, Axis, Region};
use super::{Shot, read_text};
use crate::error::ShotError;
use std::path::{Component, Path};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// One key of the file; `None` when it is left out.
struct Key {
    section: &'static str,
    name: &'static str,
    value: Option<Value>,
}

/// The text to write to `path`. Whatever it is, it reads back as this shot.
pub(super) fn text(shot: &Shot, path: &Path) -> Result<String, ShotError> {
    let keys = keys(shot)?;
    // Layouts are endless; one that does not survive editing is given up rather than the shot.
    if let Some(text) = edited(&keys, path)
        && Shot::parse(path, &text).is_ok_and(|read| read == *shot)
    {
        return Ok(text);
    }
    let text = fresh(keys);
    Shot::parse(path, &text)?;
    Ok(text)
}

fn keys(shot: &Shot) -> Result<Vec<Key>, ShotError> {
    let body = &shot.body;
    let skin = body.skin.as_ref();
    let of_body = |name, value| Key { section: "body", name, value };
    Ok(vec![
        of_body("kind", Some(body.kind.name().into())),
        of_body("mesh", Some(path_value(&body.mesh)?)),
        of_body("skin", skin.map(|skin| path_value(&skin.mesh)).transpose()?),
        of_body("embedding", skin.and_then(|s| s.embedding.as_deref()).map(path_value).transpose()?),
        of_body("material", Some(material(shot))),
        of_body("anchors", anchors(&body.anchors)?),
        of_body("regions", regions(&body.regions)),
        Key { section: "edit", name: "modes", value: Some((shot.edit.modes as i64).into()) },
    ])
}

fn fresh(keys: Vec<Key>) -> String {
    let mut document = DocumentMut::new();
    for Key { section, name, value } in keys {
        let table = document.entry(section).or_insert_with(|| Item::Table(Table::new()));
        if let (Some(table), Some(value)) = (table.as_table_like_mut(), value) {
            table.insert(name, Item::Value(value));
        }
    }
    document.to_string()
}

/// The file at `path` with only what differs changed; `None` when it is not a shot.
fn edited(keys: &[Key], path: &Path) -> Option<String> {
    let text = read_text(path).ok()?;
    let before = self::keys(&Shot::parse(path, &text).ok()?).ok()?;
    let mut document: DocumentMut = text.parse().ok()?;
    for (key, before) in keys.iter().zip(before) {
        // Both were made by the same writer, so equal values are equal text.
        if key.value.as_ref().map(Value::to_string) == before.value.as_ref().map(Value::to_string) {
            continue;
        }
        let section = document.entry(key.section).or_insert_with(|| Item::Table(Table::new()));
        set(section.as_table_like_mut()?, key);
    }
    Some(document.to_string())
}

fn set(table: &mut dyn TableLike, key: &Key) {
    match (&key.value, table.get_mut(key.name)) {
        (None, _) => {
            table.remove(key.name);
        }
        (Some(value), Some(Item::Value(old))) => {
            // A comment behind the value stays behind it.
            let decor = old.decor().clone();
            *old = value.clone();
            *old.decor_mut() = decor;
        }
        (Some(value), _) => {
            table.remove(key.name);
            table.insert(key.name, Item::Value(value.clone()));
        }
    }
}

fn material(shot: &Shot) -> Value {
    let material = &shot.body.material;
    let mut table = InlineTable::new();
    table.insert("law", material.law.name().into());
    table.insert("young", number(material.young));
    table.insert("poisson", number(material.poisson));
    table.insert("density", number(material.density));
    table.into()
}

fn anchors(anchors: &[Anchor]) -> Result<Option<Value>, ShotError> {
    let mut values = anchors.iter().map(anchor).collect::<Result<Vec<_>, _>>()?;
    Ok(match values.len() {
        0 => None,
        1 => values.pop(),
        _ => Some(lines(values)),
    })
}

fn anchor(anchor: &Anchor) -> Result<Value, ShotError> {
    let half_space = |axis: Axis, at: f64| table([("axis", axis.name().into()), ("at", number(at))]);
    let (key, value) = match anchor {
        Anchor::Vertices(vertices) => {
            ("vertices", vertices.iter().map(|vertex| i64::from(vertex.0)).collect::<Array>().into())
        }
        Anchor::Group(group) => ("group", group.as_str().into()),
        Anchor::Below { axis, at } => ("below", half_space(*axis, *at)),
        Anchor::Above { axis, at } => ("above", half_space(*axis, *at)),
        Anchor::Box { min, max } => ("box", table([("min", vector(min)), ("max", vector(max))])),
        Anchor::File(file) => ("file", path_value(file)?),
    };
    Ok(table([(key, value)]))
}

fn regions(regions: &[Region]) -> Option<Value> {
    let region = |region: &Region| {
        let numbers = [("young", region.young), ("poisson", region.poisson), ("density", region.density)];
        let numbers = numbers.into_iter().filter_map(|(key, value)| Some((key, number(value?))));
        table(std::iter::once(("group", region.group.as_str().into())).chain(numbers))
    };
    (!regions.is_empty()).then(|| lines(regions.iter().map(region)))
}

fn table(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    entries.into_iter().collect::<InlineTable>().into()
}

/// A list with one line per entry, so that a change shows as one changed line.
fn lines(values: impl IntoIterator<Item = Value>) -> Value {
    let mut array: Array = values.into_iter().map(|value| value.decorated("\n    ", "")).collect();
    array.set_trailing("\n");
    array.set_trailing_comma(true);
    array.into()
}

fn vector(values: &[f64; 3]) -> Value {
    values.iter().copied().map(number).collect::<Array>().into()
}

/// The shortest text that reads back as the same number, `2e6` rather than `2000000.0`.
fn number(value: f64) -> Value {
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-4..1e6).contains(&magnitude) {
        return value.into();
    }
    format!("{value:e}").parse().unwrap_or_else(|_| value.into())
}

/// Forward slashes on every system, so that a shot can travel.
fn path_value(path: &Path) -> Result<Value, ShotError> {
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
    Ok(text.into())
}
