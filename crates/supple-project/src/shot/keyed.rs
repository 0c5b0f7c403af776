//! A shot by its dotted keys, as `edit.damping.stiffness` or `edit.handle.0.by`, for those who know its words and not its
//! types. Values are TOML, and are checked as those of a file are.

use super::describe::*;
use super::field::{Node, Source};
use super::{Handle, Shot, merge, save};
use crate::error::ShotError;
use std::path::Path;
use toml_edit::{Array, DocumentMut, Table};

/// What stands in for a file in complaints about a value that is in none.
const NO_FILE: &str = "shot";

impl Shot {
    /// The value at a dotted key, as TOML; none where the shot leaves it out. Entries of lists count from 0.
    ///
    /// # Errors
    /// A key that no shot has.
    ///
    /// # Examples
    /// ```
    /// # use supple_project::shot::{Body, BodyKind, Shot};
    /// let mut shot = Shot::new(".".as_ref(), Body::new(BodyKind::Solid, "bridge.msh"))?;
    /// shot.set_value("edit.modes", Some("60"))?;
    /// shot.set_value("edit.damping.stiffness", Some("0.01"))?;
    /// assert_eq!((shot.edit.modes, shot.value("edit.modes")?.as_deref()), (60, Some("60")));
    /// assert_eq!(shot.value("edit.reach")?, None);
    ///
    /// let misspelt = shot.set_value("edit.mods", Some("60")).unwrap_err().to_string();
    /// assert!(misspelt.ends_with("unknown key `mods` in [edit]; did you mean `modes`?"), "{misspelt}");
    /// # Ok::<(), supple_project::ShotError>(())
    /// ```
    pub fn value(&self, key: &str) -> Result<Option<String>, ShotError> {
        let tree = Item::Table(save::tree(self)?);
        if let Some(found) = find(&tree, &parts(key)) {
            return Ok(Some(spelled(found)));
        }
        // What no shot knows is told apart from what this one leaves out by writing it.
        match self.clone().set_value(key, Some("0")) {
            Err(error @ ShotError::UnknownKey { .. }) => Err(error),
            _ => Ok(None),
        }
    }

    /// Gives a dotted key a value that is TOML, or leaves it out. Meshes and motions in memory stay.
    ///
    /// # Errors
    /// Whatever a file that says so would be refused for; the shot is as it was then.
    pub fn set_value(&mut self, key: &str, value: Option<&str>) -> Result<(), ShotError> {
        let value = value.map(|text| parsed(key, text)).transpose()?;
        let mut tree = Item::Table(self.said()?);
        place(&mut tree, &parts(key), value).map_err(|problem| {
            let text = String::new();
            let at = Source { file: Path::new(NO_FILE), text: &text }.at(0);
            ShotError::BadValue { at, key: key.to_owned(), problem }
        })?;
        let text = DocumentMut::from(tree.into_table().unwrap_or_default()).to_string();
        let read = Self::parse(Path::new(NO_FILE), &text)?;
        *self = Self { folder: self.folder.clone(), given: self.given.clone(), ..read };
        Ok(())
    }

    /// What it says that does not go without saying.
    fn said(&self) -> Result<Table, ShotError> {
        let mut tree = save::tree(self)?;
        let bare = save::tree(&Self::bare(self.body.clone(), self.folder.clone()))?;
        for (name, section) in tree.iter_mut().filter(|(name, _)| name != "body") {
            let (Some(section), Some(bare)) =
                (section.as_table_like_mut(), bare.get(&name).and_then(Item::as_table_like))
            else {
                continue;
            };
            for (key, plain) in bare.iter() {
                if section.get(key).is_some_and(|value| merge::same(value, plain)) {
                    section.remove(key);
                }
            }
        }
        tree.retain(|name, section| {
            name == "body" || !section.as_table_like().is_some_and(TableLike::is_empty)
        });
        Ok(tree)
    }
}

impl Handle {
    /// Handles as TOML says them: a list of tables of the keys of `[[edit.handle]]`.
    ///
    /// # Errors
    /// Whatever a file that says so would be refused for.
    ///
    /// # Examples
    /// ```
    /// use supple_project::shot::{Goal, Handle};
    ///
    /// let handles = Handle::list("[{ frame = 60, vertex = 12, by = [0, 0, 0.2] }]")?;
    /// assert_eq!(handles[0].goal, Goal::By([0.0, 0.0, 0.2]));
    /// # Ok::<(), supple_project::ShotError>(())
    /// ```
    pub fn list(text: &str) -> Result<Vec<Self>, ShotError> {
        let item = parsed("handle", text)?;
        let source = Source { file: Path::new(NO_FILE), text };
        let read = |(k, entry): (usize, &Value)| {
            let in_segment = entry.as_inline_table().is_some_and(|table| table.contains_key("at"));
            let name = if in_segment { "edit.segment[0].handle" } else { "edit.handle" };
            Self::read(&Field::new(&source, Node::Value(entry), format!("{name}[{k}]"), 0))
        };
        let whole = Field::new(&source, Node::from(&item), "handle".to_owned(), 0);
        let list = item.as_array().ok_or_else(|| whole.wrong_type("a list of tables"))?;
        list.iter().enumerate().map(read).collect()
    }

    /// It as a table of TOML, in one line.
    ///
    /// # Errors
    /// A path that is no text.
    pub fn spelled(&self) -> Result<String, ShotError> {
        let mut table = InlineTable::new();
        self.write_keys(&mut table)?;
        Ok(Value::from(table).to_string())
    }
}

fn parts(key: &str) -> Vec<&str> {
    key.split(['.', '[']).map(|part| part.trim_end_matches(']')).collect()
}

/// A value, from its text.
fn parsed(key: &str, text: &str) -> Result<Item, ShotError> {
    let value: Result<Value, _> = text.trim().parse();
    value.map(Item::Value).map_err(|error| ShotError::BadValue {
        at: Source { file: Path::new(NO_FILE), text }.at(0),
        key: key.to_owned(),
        problem: format!("is no TOML: {}", error.to_string().trim().replace('\n', ", ")),
    })
}

/// The text of a value; tables come in one line.
fn spelled(item: Item) -> String {
    item.into_value().map_or_else(|_| String::new(), |value| value.decorated("", "").to_string())
}

fn find(item: &Item, parts: &[&str]) -> Option<Item> {
    let Some((part, rest)) = parts.split_first() else { return Some(item.clone()) };
    if let Some(table) = item.as_table_like() {
        return find(table.get(part)?, rest);
    }
    let index: usize = part.parse().ok()?;
    match item {
        Item::ArrayOfTables(tables) => find(&Item::Table(tables.get(index)?.clone()), rest),
        Item::Value(Value::Array(array)) => find(&Item::Value(array.get(index)?.clone()), rest),
        _ => None,
    }
}

/// Puts a value in its place, or takes it away; what is wrong with the key, in words that follow it.
fn place(item: &mut Item, parts: &[&str], value: Option<Item>) -> Result<(), String> {
    let Some((part, rest)) = parts.split_first() else {
        *item = value.unwrap_or_default();
        return Ok(());
    };
    if item.is_none() {
        *item = Item::Table(Table::new());
    }
    // Lists are changed as values: tables that have headers of their own become those of one line.
    if let Item::ArrayOfTables(tables) = item {
        *item = Item::Value(Value::Array(std::mem::take(tables).into_array()));
    }
    if let Item::Value(Value::Array(array)) = item {
        return place_in(array, part, rest, value);
    }
    let Some(table) = item.as_table_like_mut() else {
        return Err(format!("has no key `{part}` inside: what it is in is no table"));
    };
    if rest.is_empty() {
        match value {
            Some(value) => drop(table.insert(part, value)),
            None => drop(table.remove(part)),
        }
        return Ok(());
    }
    let mut inner = table.remove(part).unwrap_or_else(|| InlineTable::new().into());
    place(&mut inner, rest, value)?;
    table.insert(part, inner);
    Ok(())
}

fn place_in(array: &mut Array, part: &str, rest: &[&str], value: Option<Item>) -> Result<(), String> {
    let entries = array.len();
    let index = part.parse().ok().filter(|index: &usize| *index < entries);
    let index =
        index.ok_or_else(|| format!("is not there: the list has {entries} entries, counted from 0"))?;
    if rest.is_empty() && value.is_none() {
        array.remove(index);
        return Ok(());
    }
    let Some(old) = array.get(index) else { return Ok(()) };
    let mut entry = Item::Value(old.clone());
    place(&mut entry, rest, value)?;
    let entry = entry.into_value().map_err(|_| "is no value".to_owned())?;
    array.replace(index, entry);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shot::{Body, BodyKind, Goal};

    fn shot() -> Shot {
        Shot::new("/tmp".as_ref(), Body::new(BodyKind::Solid, "a.msh")).unwrap()
    }

    #[test]
    fn entries_of_lists_have_numbers() {
        let mut shot = shot();
        let handles =
            "[{ frame = 3, vertex = 1, by = [0, 0, 1] }, { frame = 5, group = 'tip', to = [1, 2, 3] }]";
        shot.set_value("edit.handle", Some(handles)).unwrap();
        shot.set_value("edit.handle.1.to", Some("[4, 5, 6]")).unwrap();
        assert_eq!(shot.edit.handles[1].goal, Goal::To([4.0, 5.0, 6.0]));
        assert_eq!(shot.value("edit.handle[1].to").unwrap().as_deref(), Some("[4.0, 5.0, 6.0]"));
        shot.set_value("edit.handle.0", None).unwrap();
        assert_eq!((shot.edit.handles.len(), shot.edit.handles[0].when.range()), (1, 5..=5));
        assert!(shot.set_value("edit.handle.7.by", Some("[0, 0, 0]")).is_err());
    }

    /// A method that is chosen would be refused for what the one before it has without saying so.
    #[test]
    fn another_method_is_chosen_unless_something_was_said_that_it_does_not_use() {
        let mut one = shot();
        one.motion.input = crate::shot::Input::Rest;
        one.set_value("edit.method", Some("'sparse'")).unwrap();
        assert_eq!(one.edit.method.name(), "sparse");
        let mut other = shot();
        other.set_value("edit.reach", Some("12")).unwrap();
        let problem = other.set_value("edit.method", Some("'control'")).unwrap_err().to_string();
        assert!(problem.contains("`edit.reach` is for the method \"drag\""), "{problem}");
        assert_eq!(other.edit.method.name(), "drag");
    }

    #[test]
    fn what_is_wrong_changes_nothing() {
        let mut shot = shot();
        let before = shot.clone();
        for (key, value) in [
            ("edit.modes", "-1"),
            ("edit.modes", "'many'"),
            ("edit.modes", "1 2"),
            ("edit.modes.more", "1"),
            ("", "1"),
            ("body.mesh", "7"),
            ("nonsense", "7"),
        ] {
            assert!(shot.set_value(key, Some(value)).is_err(), "{key} = {value}");
            assert_eq!(shot, before);
        }
        assert!(shot.value("edit.raech").is_err());
    }

    #[test]
    fn a_handle_comes_back_from_its_text() {
        let text =
            "[{ frames = [3, 5], near = [0, 1, 2], plane = { point = [0, 0, 0], normal = [0, 1, 0] } }]";
        let handles = Handle::list(text).unwrap();
        assert_eq!(Handle::list(&format!("[{}]", handles[0].spelled().unwrap())).unwrap(), handles);
        assert!(Handle::list("[{ at = 'end', vertex = 1, velocity = [0, 1, 0] }]").is_ok());
        let problem = Handle::list("[{ frme = 3, vertex = 1, by = [0, 0, 1] }]").unwrap_err().to_string();
        assert!(problem.contains("did you mean `frame`"), "{problem}");
    }
}
