//! How lists, sizes and errors read.

use std::fmt::{self, Display, Write};
use std::path::Path;

/// Lines of a name and a value, the values below each other.
#[derive(Default)]
pub struct Rows(Vec<(&'static str, String)>);

impl Rows {
    /// Adds a line.
    pub fn add(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        self.0.push((name, value.to_string()));
        self
    }

    /// Adds a line where there is a value.
    pub fn add_some(&mut self, name: &'static str, value: Option<impl Display>) -> &mut Self {
        if let Some(value) = value {
            self.add(name, value);
        }
        self
    }
}

impl Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.0.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in &self.0 {
            let mut lines = value.lines();
            writeln!(f, "{name:<width$}  {}", lines.next().unwrap_or_default())?;
            for line in lines {
                writeln!(f, "{:<width$}  {line}", "")?;
            }
        }
        Ok(())
    }
}

/// A path as it is typed in a shell: quoted where that would take it for several words, or for more than a name.
pub fn typed(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:+@%,=".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path;
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}

/// The first of what may be many, and how many more there are.
pub fn few(all: &[String], between: &str) -> String {
    const MOST: usize = 12;
    if all.len() <= MOST + 1 {
        return all.join(between);
    }
    format!("{}{between}… and {} more", all[..MOST].join(between), all.len() - MOST)
}

/// A size in the unit that suits it.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return format!("{n} bytes");
    }
    let mut size = n as f64 / 1000.0;
    let mut unit = 0;
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// An error with its causes, each said once: many errors quote their cause themselves.
pub fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            let _ = write!(text, "{}{cause}", if text.is_empty() { "" } else { ": " });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn sizes_read_well() {
        assert_eq!(
            [0, 999, 1000, 999_949, 999_950, 8 << 30].map(bytes).join(", "),
            "0 bytes, 999 bytes, 1.0 kB, 999.9 kB, 1.0 MB, 8.6 GB"
        );
    }

    /// What is said to be typed next was several words where a folder's name is.
    #[test]
    fn paths_can_be_typed() {
        let typed = |path: &str| typed(Path::new(path));
        assert_eq!(typed("film/tübe_1.toml"), "film/tübe_1.toml");
        assert_eq!(typed("my film/shot.toml"), "'my film/shot.toml'");
        assert_eq!(typed("it's $HOME"), r"'it'\''s $HOME'");
    }

    /// An import of three thousand objects printed twelve thousand words.
    #[test]
    fn long_lists_are_cut() {
        let names = |count: usize| (1..=count).map(|k| format!("/copy{k}")).collect::<Vec<_>>();
        assert_eq!(few(&names(2), ", "), "/copy1, /copy2");
        assert!(few(&names(13), ", ").ends_with("/copy12, /copy13"));
        assert!(few(&names(3000), "\n").ends_with("\n/copy12\n… and 2988 more"));
    }

    #[test]
    fn rows_align_and_indent_further_lines() {
        let mut rows = Rows::default();
        rows.add("a", 1).add("long", "x\ny").add_some("none", None::<u8>);
        assert_eq!(rows.to_string(), "a     1\nlong  x\n      y\n");
    }

    #[test]
    fn a_cause_that_was_quoted_is_not_repeated() {
        let error = anyhow::anyhow!("denied").context("cannot write a.png: denied");
        assert_eq!(message(&error), "cannot write a.png: denied");
        let error = Err::<(), _>(error).context("bridge.toml").unwrap_err();
        assert_eq!(message(&error), "bridge.toml: cannot write a.png: denied");
    }
}
