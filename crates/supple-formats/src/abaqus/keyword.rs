//! Keyword lines: `*ELEMENT, TYPE=C3D4, ELSET=BODY`.

use crate::scan::Line;
use crate::{FormatError, Problem};

/// A keyword line: the keyword in capitals, and its parameters.
pub(super) struct Keyword<'a> {
    pub name: String,
    line: Line<'a>,
}

impl<'a> Keyword<'a> {
    /// The keyword of a line, if it begins with `*`.
    pub fn parse(line: &Line<'a>) -> Option<Self> {
        let name = line.text.strip_prefix('*')?.split(',').next().unwrap_or_default();
        Some(Self { name: name.trim().to_ascii_uppercase(), line: *line })
    }

    /// The parameters, as name and value.
    fn parameters(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.line.text.split(',').skip(1).map(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            (name.trim(), value.trim().trim_matches('"'))
        })
    }

    /// The value of a parameter; empty when it has none, as in `GENERATE`.
    pub fn parameter(&self, name: &str) -> Option<&'a str> {
        self.parameters().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The value of a parameter that names something.
    pub fn named(&self, name: &str) -> Result<Option<&'a str>, FormatError> {
        match self.parameter(name) {
            Some("") => Err(self.expected(name)),
            value => Ok(value),
        }
    }

    /// The value of a parameter that must be there.
    pub fn required(&self, name: &str) -> Result<&'a str, FormatError> {
        self.named(name)?.ok_or_else(|| self.expected(name))
    }

    /// Refuses parameters that would change what the rows mean.
    pub fn refuse(&self, names: &[&str]) -> Result<(), FormatError> {
        match names.iter().find(|name| self.parameter(name).is_some()) {
            Some(name) => {
                let what = format!("*{} with {name}", self.name);
                Err(self.line.error(Problem::Unsupported(what)))
            }
            None => Ok(()),
        }
    }

    fn expected(&self, parameter: &str) -> FormatError {
        self.line.error(Problem::expected(format!("{parameter}= and a value"), self.line.text))
    }
}
