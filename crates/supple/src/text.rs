//! How numbers, lists and errors read.

use std::fmt::{self, Display, Write};

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

/// 31746 as 31,746.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 part", "2 parts".
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A number with about four digits, in powers of ten when it is very large or small.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let magnitude = x.abs().log10().floor() as i32;
    if !(-4..6).contains(&magnitude) {
        return format!("{x:.3e}");
    }
    let decimals = usize::try_from(3 - magnitude).unwrap_or(0);
    let text = format!("{x:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// Three coordinates; one that is nothing beside the others is 0.
pub fn triple(x: [f64; 3], between: &str) -> String {
    let largest = x.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    x.map(|x| number(if x.abs() < 1e-9 * largest { 0.0 } else { x })).join(between)
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
    fn numbers_read_well() {
        assert_eq!(
            [0, 999, 1000, 31_746, 1_234_567].map(count),
            ["0", "999", "1,000", "31,746", "1,234,567"]
        );
        let numbers = [0.0, 1.0, 0.25, -2.34567, 1234.5678, 123_456.7, 2e6, 1.5e-7, f64::NAN];
        let texts = ["0", "1", "0.25", "-2.346", "1235", "123457", "2.000e6", "1.500e-7", "NaN"];
        assert_eq!(numbers.map(number), texts);
        assert_eq!(triple([-2.0, 8e-19, 0.5], ", "), "-2, 0, 0.5");
        assert_eq!(
            [0, 999, 1000, 999_949, 999_950, 8 << 30].map(bytes).join(", "),
            "0 bytes, 999 bytes, 1.0 kB, 999.9 kB, 1.0 MB, 8.6 GB"
        );
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
