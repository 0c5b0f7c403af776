//! The tables of a file: words, fields, paths.

use super::coding::{integers, table_size, unpack};
use super::cursor::Cursor;
use crate::blob::Blob;
use crate::error::quoted;
use crate::{FormatError, Place, Problem};

/// No path, or the end of a set of fields.
pub(super) const NONE: u32 = u32::MAX;

/// So many paths may always be announced without being there.
const FEW_PATHS: usize = 1024;

/// What values and specs refer to by number.
pub(in crate::usd) struct Tables {
    pub version: [u8; 3],
    pub tokens: Vec<String>,
    /// Indices of tokens.
    pub strings: Vec<u32>,
    /// Index of a token, and a value.
    pub fields: Vec<(u32, u64)>,
    pub fieldsets: Vec<u32>,
    pub paths: Vec<PathEntry>,
}

/// A path: the one above it, and its last word.
#[derive(Clone, Copy, Debug)]
pub(in crate::usd) struct PathEntry {
    pub parent: u32,
    pub token: u32,
    pub is_property: bool,
}

/// What there is at a path.
pub(super) struct SpecEntry {
    pub path: u32,
    pub fieldset: u32,
    pub kind: i64,
}

/// Where a section begins.
struct Sections(Vec<(String, u64)>);

impl Sections {
    fn read(blob: &Blob) -> Result<([u8; 3], Self), FormatError> {
        let mut cursor = Cursor::new(blob, 8);
        let [major, minor, patch, ..] = cursor.array::<8>("the header")?;
        if (major, minor) < (0, 4) || major > 0 {
            let problem = Problem::Unsupported(format!("version {major}.{minor}.{patch} of .usdc"));
            return Err(FormatError::at_place(Place::Byte(8), problem));
        }
        cursor.at = cursor.u64("the header")?;
        let count = cursor.u64("the table of contents")?;
        if count > 64 {
            return Err(FormatError::whole_file(Problem::TooLarge { what: "table of contents" }));
        }
        let mut sections = Vec::new();
        for _ in 0..count {
            let name = cursor.array::<16>("the table of contents")?;
            let name = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
            let start = cursor.u64("the table of contents")?;
            cursor.u64("the table of contents")?;
            sections.push((name, start));
        }
        Ok(([major, minor, patch], Self(sections)))
    }

    fn find<'a>(&self, blob: &'a Blob, name: &'static str) -> Result<Cursor<'a>, FormatError> {
        match self.0.iter().find(|(section, _)| section == name) {
            Some((_, start)) => Ok(Cursor::new(blob, *start)),
            None => Err(FormatError::whole_file(Problem::Empty(name))),
        }
    }
}

impl Tables {
    pub(super) fn read(blob: &Blob) -> Result<(Self, Vec<SpecEntry>), FormatError> {
        let (version, sections) = Sections::read(blob)?;
        let tokens = read_tokens(&mut sections.find(blob, "TOKENS")?)?;
        let strings = sections.find(blob, "STRINGS")?.indices("strings")?;
        let fields = read_fields(&mut sections.find(blob, "FIELDS")?)?;
        let mut cursor = sections.find(blob, "FIELDSETS")?;
        let count = table_size(cursor.u64("sets of fields")?, "sets of fields")?;
        let fieldsets = unsigned(integers(&mut cursor, count, 4, "sets of fields")?);
        let paths = read_paths(&mut sections.find(blob, "PATHS")?, &tokens)?;
        let specs = read_specs(&mut sections.find(blob, "SPECS")?, paths.len())?;
        Ok((Self { version, tokens, strings, fields, fieldsets, paths }, specs))
    }

    pub fn token(&self, index: u64) -> Result<&str, FormatError> {
        let token = usize::try_from(index).ok().and_then(|index| self.tokens.get(index));
        token.map(String::as_str).ok_or_else(|| missing("word", index, self.tokens.len()))
    }

    pub fn string(&self, index: u64) -> Result<&str, FormatError> {
        let string = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        self.token((*string.ok_or_else(|| missing("string", index, self.strings.len()))?).into())
    }

    /// The path as text; the parts of variants, `{set=name}`, are left out.
    pub fn path(&self, index: u32) -> Result<String, FormatError> {
        let mut names = Vec::new();
        let mut at = index;
        loop {
            let entry =
                self.paths.get(at as usize).ok_or_else(|| missing("path", at.into(), self.paths.len()))?;
            if entry.parent == NONE {
                break;
            }
            names.push((self.token(entry.token.into())?, entry.is_property));
            at = entry.parent;
        }
        let mut path = String::new();
        for (name, is_property) in names.iter().rev().filter(|(name, _)| !name.starts_with('{')) {
            path.push(if *is_property { '.' } else { '/' });
            path.push_str(name);
        }
        Ok(if path.is_empty() && index != NONE { "/".to_owned() } else { path })
    }
}

pub(super) fn missing(what: &'static str, number: u64, count: usize) -> FormatError {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    FormatError::whole_file(Problem::NoSuchNumber { what, number, count, first: 0 })
}

fn unsigned(numbers: Vec<i64>) -> Vec<u32> {
    numbers.into_iter().map(|number| number as u32).collect()
}

fn read_tokens(cursor: &mut Cursor<'_>) -> Result<Vec<String>, FormatError> {
    let count = table_size(cursor.u64("words")?, "words")?;
    let size = cursor.u64("words")?;
    let packed = cursor.u64("words")?;
    let bytes = unpack(&cursor.bytes(packed, "words")?, size, "words")?;
    let words = bytes.strip_suffix(b"\0").unwrap_or(&bytes).split(|byte| *byte == 0);
    let tokens: Vec<String> = match bytes.is_empty() {
        true => Vec::new(),
        false => words.map(|word| String::from_utf8_lossy(word).into_owned()).collect(),
    };
    if tokens.len() != count {
        let problem = Problem::WrongCount { what: "words", announced: count, found: tokens.len() };
        return Err(FormatError::whole_file(problem));
    }
    Ok(tokens)
}

fn read_fields(cursor: &mut Cursor<'_>) -> Result<Vec<(u32, u64)>, FormatError> {
    let count = table_size(cursor.u64("fields")?, "fields")?;
    let tokens = unsigned(integers(cursor, count, 4, "fields")?);
    let packed = cursor.u64("fields")?;
    let bytes = unpack(&cursor.bytes(packed, "fields")?, 8 * count as u64, "fields")?;
    let (values, _) = bytes.as_chunks::<8>();
    if values.len() != count {
        let problem = Problem::WrongCount { what: "fields", announced: count, found: values.len() };
        return Err(FormatError::whole_file(problem));
    }
    Ok(tokens.into_iter().zip(values.iter().map(|value| u64::from_le_bytes(*value))).collect())
}

/// The tree of paths, written from the root down: the next entry is a child when the jump is −1 or above 0;
/// a sibling is so many entries on when it is above 0, and the next entry when it is 0.
fn read_paths(cursor: &mut Cursor<'_>, tokens: &[String]) -> Result<Vec<PathEntry>, FormatError> {
    let total = table_size(cursor.u64("paths")?, "paths")?;
    let count = table_size(cursor.u64("paths")?, "paths")?;
    let numbers = unsigned(integers(cursor, count, 4, "paths")?);
    let words = integers(cursor, count, 4, "paths")?;
    let jumps = integers(cursor, count, 4, "paths")?;
    // Some paths may be left out of the tree, but a number alone is no reason to make room for millions.
    if total > 2 * count + FEW_PATHS {
        let problem = Problem::WrongCount { what: "paths", announced: total, found: count };
        return Err(FormatError::whole_file(problem));
    }
    let mut paths: Vec<Option<PathEntry>> = vec![None; total];
    let mut pending = if count > 0 { vec![(0, NONE)] } else { Vec::new() };
    let mut is_seen = vec![false; count];
    while let Some((mut at, mut parent)) = pending.pop() {
        loop {
            let Some(seen) = is_seen.get_mut(at) else {
                return Err(missing("entry of the paths", at as u64, count));
            };
            if std::mem::replace(seen, true) {
                return Err(FormatError::whole_file(Problem::Cycle {
                    what: "the table of paths".to_owned(),
                }));
            }
            let number = numbers[at];
            let token = words[at].unsigned_abs() as u32;
            if parent != NONE && token as usize >= tokens.len() {
                return Err(missing("word", token.into(), tokens.len()));
            }
            let entry = PathEntry { parent, token, is_property: words[at] < 0 };
            match paths.get_mut(number as usize) {
                Some(place @ None) => *place = Some(entry),
                Some(Some(_)) => {
                    let name = quoted(&number.to_string());
                    return Err(FormatError::whole_file(Problem::DefinedTwice { what: "path", name }));
                }
                None => return Err(missing("path", number.into(), total)),
            }
            let jump = jumps[at];
            let (has_child, has_sibling) = (jump > 0 || jump == -1, jump >= 0);
            if has_child {
                if has_sibling {
                    pending.push((at + jump as usize, parent));
                }
                parent = number;
            } else if !has_sibling {
                break;
            }
            at += 1;
        }
    }
    // What the tree does not reach is of no use, and has no name.
    let orphan = PathEntry { parent: NONE, token: 0, is_property: false };
    Ok(paths.into_iter().map(|path| path.unwrap_or(orphan)).collect())
}

fn read_specs(cursor: &mut Cursor<'_>, paths: usize) -> Result<Vec<SpecEntry>, FormatError> {
    let count = table_size(cursor.u64("specs")?, "specs")?;
    let numbers = unsigned(integers(cursor, count, 4, "specs")?);
    let sets = unsigned(integers(cursor, count, 4, "specs")?);
    let kinds = integers(cursor, count, 4, "specs")?;
    if let Some(&path) = numbers.iter().find(|path| **path as usize >= paths) {
        return Err(missing("path", path.into(), paths));
    }
    let specs = numbers.into_iter().zip(sets).zip(kinds);
    Ok(specs.map(|((path, fieldset), kind)| SpecEntry { path, fieldset, kind }).collect())
}
