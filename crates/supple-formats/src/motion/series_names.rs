//! The names of a series: `curtain.0001.obj`, `curtain-12.obj`, `curtain_012.obj`, `curtain0012.obj`,
//! or the pattern `curtain.####.obj` for all of them.
//!
//! A name is what comes before its number, the number, and what comes after; the files of a series
//! share all but the number. Zeros before the number do not matter, nor does how many `#`s a pattern
//! has, except to say how many digits new files get at least.

use super::staged::folder_of;
use crate::{FormatError, Problem};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How many digits the files of a new series have unless its name says otherwise.
const USUAL_DIGITS: usize = 4;

/// What the names of a series share.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeriesNames {
    folder: PathBuf,
    before: String,
    after: String,
    digits: usize,
}

/// A file of a series.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Member {
    pub number: i32,
    pub name: String,
}

/// The series that a path means, if it means one: by a pattern, or by one of at least two files.
pub(crate) fn find_series(path: &Path) -> Result<Option<SeriesNames>, FormatError> {
    // A file may have a # in its name, and what is there is not a pattern.
    if !path.is_file() {
        return SeriesNames::of_pattern(path);
    }
    match SeriesNames::of_member(path) {
        Some((names, _)) => Ok((names.members()?.len() > 1).then_some(names)),
        None => Ok(None),
    }
}

/// The most series of a folder that are told of.
const MOST_TOLD: usize = 5;

/// The patterns of the series in a folder, with the folder, the first few of them.
pub(crate) fn what_is_in(folder: &Path) -> Vec<String> {
    let mut found: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ending == "obj" || ending == "ply" {
            let pattern = SeriesNames::of_member(&path).map(|(names, _)| names.pattern());
            *found.entry(pattern.unwrap_or_default()).or_default() += 1;
        }
    }
    let series = found.into_iter().filter(|(pattern, files)| *files > 1 && pattern.as_os_str() != "");
    series.map(|(pattern, _)| pattern.display().to_string()).take(MOST_TOLD).collect()
}

/// The files of the series that a path means.
pub(crate) fn series_files(path: &Path) -> Vec<PathBuf> {
    find_series(path).ok().flatten().and_then(|names| names.files().ok()).unwrap_or_default()
}

impl SeriesNames {
    /// The names of a series that is to be written, from frame `start`.
    pub fn for_writing(path: &Path, start: i32) -> Result<Self, FormatError> {
        if let Some(names) = Self::of_pattern(path)? {
            return Ok(names);
        }
        match Self::of_member(path) {
            Some((names, number)) if number == start => Ok(names),
            _ => Self::of_plain(path).ok_or(FormatError::whole_file(Problem::UnknownMotion)),
        }
    }

    /// `name.####.obj`.
    fn of_pattern(path: &Path) -> Result<Option<Self>, FormatError> {
        let Some((name, at)) = name_of(path).and_then(|name| Some((name, name.find('#')?))) else {
            return Ok(None);
        };
        let after = name[at..].trim_start_matches('#');
        if after.contains('#') {
            let runs = name.split(|c| c != '#').filter(|run| !run.is_empty()).count();
            return Err(FormatError::whole_file(Problem::ManyPatterns(runs)));
        }
        let digits = name.len() - at - after.len();
        Ok(Some(Self::new(path, &name[..at], after, digits)))
    }

    /// `name.0012.obj`, and its number.
    fn of_member(path: &Path) -> Option<(Self, i32)> {
        let name = name_of(path)?;
        let stem = path.file_stem()?.to_str()?;
        let before = stem.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = stem[before.len()..].parse().ok()?;
        Some((Self::new(path, before, &name[stem.len()..], stem.len() - before.len()), number))
    }

    /// `name.obj`, whose files will be `name.0001.obj` and so on.
    fn of_plain(path: &Path) -> Option<Self> {
        let name = name_of(path)?;
        let stem = path.file_stem()?.to_str()?;
        Some(Self::new(path, &format!("{stem}."), &name[stem.len()..], USUAL_DIGITS))
    }

    fn new(path: &Path, before: &str, after: &str, digits: usize) -> Self {
        let folder = folder_of(path).to_path_buf();
        Self { folder, before: before.to_owned(), after: after.to_owned(), digits }
    }

    /// The path that means all of them. How many digits they have does not matter.
    fn pattern(&self) -> PathBuf {
        self.folder.join(format!("{}{}{}", self.before, "#".repeat(USUAL_DIGITS), self.after))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name of the file of a frame, which is at least 0.
    pub fn name(&self, number: i32) -> String {
        format!("{}{number:0digits$}{}", self.before, self.after, digits = self.digits)
    }

    /// The paths of the files there are.
    pub fn files(&self) -> Result<Vec<PathBuf>, FormatError> {
        let members = self.members()?;
        Ok(members.into_iter().map(|member| self.folder.join(member.name)).collect())
    }

    /// The files there are, by number.
    pub fn members(&self) -> Result<Vec<Member>, FormatError> {
        let unreadable = |error| FormatError::whole_file(Problem::Unreadable(error)).in_file(&self.folder);
        let mut members = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            if let Ok(name) = entry.file_name().into_string()
                && let Some(number) = self.number(&name)
                && !entry.path().is_dir()
            {
                members.push(Member { number, name });
            }
        }
        members.sort();
        Ok(members)
    }

    fn number(&self, name: &str) -> Option<i32> {
        let digits = name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        // `parse` alone would take a sign too.
        if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
    }
}

fn name_of(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_patterns_of_every_form() {
        let member = |path: &str| {
            SeriesNames::of_member(Path::new(path)).map(|(names, number)| (names.name(number), number))
        };
        for (path, number) in
            [("a.0001.obj", 1), ("a-12.OBJ", 12), ("a_0012.obj", 12), ("a0012.obj", 12), ("007.obj", 7)]
        {
            assert_eq!(member(path), Some((path.to_owned(), number)));
        }
        for path in ["a.obj", "a.12.b.obj", "scan20240101123456.obj", "2.1x.obj", ".obj", "", "a/.."] {
            assert_eq!(member(path), None, "{path}");
        }
        let pattern = |path: &str| {
            SeriesNames::of_pattern(Path::new(path)).unwrap().map(|names| (names.name(7), names.name(12345)))
        };
        assert_eq!(pattern("x/a.####.obj"), Some(("a.0007.obj".to_owned(), "a.12345.obj".to_owned())));
        assert_eq!(pattern("#-cape.obj"), Some(("7-cape.obj".to_owned(), "12345-cape.obj".to_owned())));
        assert_eq!(pattern("x#/a.obj"), None, "folders are no patterns");
    }

    #[test]
    fn numbers_are_digits_alone_between_the_shared_parts() {
        let (names, _) = SeriesNames::of_member(Path::new("a.1.obj")).unwrap();
        for (name, number) in
            [("a.2.obj", Some(2)), ("a.0010.obj", Some(10)), ("a.2147483647.obj", Some(i32::MAX))]
        {
            assert_eq!(names.number(name), number);
        }
        for name in
            ["a..obj", "a.obj", "a.-1.obj", "a.+1.obj", "a.1.2.obj", "b.1.obj", "a.2147483648.obj", "a.1.OBJ"]
        {
            assert_eq!(names.number(name), None, "{name}");
        }
    }

    #[test]
    fn a_new_series_is_named_after_its_path() {
        let name = |path: &str| SeriesNames::for_writing(Path::new(path), 3).unwrap().name(4);
        assert_eq!(name("a.obj"), "a.0004.obj");
        assert_eq!(name("a_##.obj"), "a_04.obj");
        assert_eq!(name("a-03.obj"), "a-04.obj", "the first file names the others");
        assert_eq!(name("take2.obj"), "take2.0004.obj", "not the first file: a name like any other");
        let error = SeriesNames::for_writing(Path::new("a.#.b##.obj"), 3).unwrap_err().to_string();
        assert_eq!(error, "expected one run of # for the frame number, found 2");
    }
}
