//! The material that was recovered from a motion, mode by mode:
//! ```text
//! vertices,1377
//! uniform,1.0,6.3,39.2
//! mode,eigenvalue,damping,s1,s2,s3
//! 1,24.3,0.11,0.98,-0.02,0.2
//! 2,130.4,0.165,0.03,0.99,-0.1
//! ```
//! A row is a mode, numbered from 1: its eigenvalue λ (1/s²), its damping d (1/s), z̈ + d ż + λ z = f, and its mixture s of
//! the modes of the same body made of uniform material, none of them rigid, the lowest first, orthonormal in the mass.
//! The lines before the names, which may be missing, tell the body, so that no other one takes its modes: how many vertices it
//! has, and the eigenvalues of those of uniform material, the first of them 1.

use super::Fields;
use crate::load::load;
use crate::scan::{Line, content_lines, text};
use crate::{FormatError, Problem};
use std::io::{self, Write};
use std::path::Path;

/// What the lines before the names begin with.
const VERTICES: &str = "vertices";
const UNIFORM: &str = "uniform";
/// The names of the first columns.
const NAMES: [&str; 3] = ["mode", "eigenvalue", "damping"];

/// Modes as mixtures of other modes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixtures {
    /// How many vertices the body has, where that is known.
    pub vertices: Option<usize>,
    /// The eigenvalues of the modes that are mixed, as multiples of the first, ascending; empty where they are not known.
    pub uniform: Vec<f64>,
    /// Each of them, ascending.
    pub modes: Vec<Mixture>,
}

/// A mode as a mixture of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixture {
    /// λ, 1/s².
    pub eigenvalue: f64,
    /// d, 1/s.
    pub damping: f64,
    /// s, as long in every mode.
    pub parts: Vec<f64>,
}

/// Reads modes as mixtures.
///
/// # Errors
/// A number of vertices that is none, a header that is another, modes that are not numbered 1, 2, …, a row with more or fewer
/// values than columns or with one that is not a finite number, an eigenvalue that is not positive, a negative damping, no rows.
pub fn read_mixtures(bytes: &[u8]) -> Result<Mixtures, FormatError> {
    let text = text(bytes);
    let mut lines = content_lines(&text);
    let mut next = || lines.next().ok_or(FormatError::whole_file(Problem::Empty("header")));
    let begins = |line: &Line<'_>, name: &str| line.text.split(',').next().is_some_and(|s| s.trim() == name);
    let mut header = next()?;
    let (mut vertices, mut uniform) = (None, Vec::new());
    if begins(&header, VERTICES) {
        let mut fields = Fields::new(header, 2)?;
        fields.text();
        let count = fields.text();
        let found = count.parse().ok().filter(|count| *count > 0);
        vertices = Some(found.ok_or_else(|| header.error(Problem::expected("a number of vertices", count)))?);
        header = next()?;
    }
    let told = begins(&header, UNIFORM).then_some(header);
    if told.is_some() {
        header = next()?;
    }
    let names: Vec<&str> = header.text.split(',').map(str::trim).collect();
    let parts = names.len().saturating_sub(NAMES.len());
    let is_numbered = |(k, name): (usize, &&str)| name.strip_prefix('s') == Some(&(k + 1).to_string());
    if parts == 0
        || names[..NAMES.len()] != NAMES
        || !names[NAMES.len()..].iter().enumerate().all(is_numbered)
    {
        return Err(header.error(Problem::expected("mode,eigenvalue,damping,s1,s2 and so on", header.text)));
    }
    if let Some(line) = told {
        let mut fields = Fields::new(line, 1 + parts)?;
        fields.text();
        uniform = (0..parts).map(|_| fields.number("an eigenvalue")).collect::<Result<_, _>>()?;
    }
    let mut mixtures = Mixtures { vertices, uniform, modes: Vec::new() };
    for line in lines {
        let mut fields = Fields::new(line, names.len())?;
        let number = (mixtures.modes.len() + 1).to_string();
        let found = fields.text();
        if found != number {
            return Err(line.error(Problem::expected(format!("mode {number}"), found)));
        }
        let eigenvalue = fields.number("an eigenvalue")?;
        if eigenvalue <= 0.0 {
            let found = eigenvalue.to_string();
            return Err(
                line.error(Problem::expected("an eigenvalue above 0, for a mode has stiffness", &found))
            );
        }
        let damping = fields.number("a damping")?;
        if damping < 0.0 {
            let found = damping.to_string();
            return Err(line.error(Problem::expected("a damping, which is not negative", &found)));
        }
        let parts: Result<_, _> = (0..parts).map(|_| fields.number("a number")).collect();
        mixtures.modes.push(Mixture { eigenvalue, damping, parts: parts? });
    }
    if mixtures.modes.is_empty() {
        return Err(FormatError::whole_file(Problem::Empty("rows")));
    }
    Ok(mixtures)
}

/// Reads modes as mixtures: see [`read_mixtures`].
///
/// # Errors
/// Those of [`read_mixtures`], and a file that cannot be read; all name the file.
pub fn load_mixtures(path: impl AsRef<Path>) -> Result<Mixtures, FormatError> {
    load(path.as_ref(), read_mixtures)
}

/// Writes modes from which [`read_mixtures`] reads the same again, bit for bit.
///
/// # Errors
/// Those of `out`.
pub fn write_mixtures(mixtures: &Mixtures, mut out: impl Write) -> io::Result<()> {
    if let Some(vertices) = mixtures.vertices {
        writeln!(out, "{VERTICES},{vertices}")?;
    }
    if !mixtures.uniform.is_empty() {
        let numbers: Vec<String> = mixtures.uniform.iter().map(|number| format!("{number:?}")).collect();
        writeln!(out, "{UNIFORM},{}", numbers.join(","))?;
    }
    write!(out, "{}", NAMES.join(","))?;
    for k in 0..mixtures.modes.first().map_or(0, |mode| mode.parts.len()) {
        write!(out, ",s{}", k + 1)?;
    }
    writeln!(out)?;
    for (k, mode) in mixtures.modes.iter().enumerate() {
        write!(out, "{},{:?},{:?}", k + 1, mode.eigenvalue, mode.damping)?;
        for part in &mode.parts {
            write!(out, ",{part:?}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mode = |k: usize| Mixture {
            eigenvalue: 0.1 + k as f64,
            damping: 1e-300 * k as f64,
            parts: vec![1.0 / 3.0, -0.0, 1e17],
        };
        let uniform = vec![1.0, 6.3, 39.2];
        let cases = [
            (None, Vec::new(), ""),
            (Some(12), Vec::new(), "vertices,12\n"),
            (None, uniform.clone(), "uniform,1.0,6.3,39.2\n"),
            (Some(12), uniform, "vertices,12\nuniform,1.0,6.3,39.2\n"),
        ];
        for (vertices, uniform, begins) in cases {
            let given = Mixtures { vertices, uniform, modes: vec![mode(0), mode(1)] };
            let mut bytes = Vec::new();
            write_mixtures(&given, &mut bytes).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.starts_with(&format!("{begins}mode,eigenvalue,damping,s1,s2,s3\n1,0.1,0.0,")));
            assert_eq!(read_mixtures(text.as_bytes()).unwrap(), given);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let head = "mode,eigenvalue,damping,s1,s2\n";
        let wrong = |text: &str| read_mixtures(text.as_bytes()).unwrap_err().to_string();
        assert!(wrong("").contains("header"));
        assert!(wrong("vertices,12\n").contains("header"));
        assert!(wrong("vertices,many\n").contains("a number of vertices"));
        assert!(wrong("mode,eigenvalue,damping\n1,2,3\n").contains("mode,eigenvalue,damping,s1"));
        assert!(wrong("mode,eigenvalue,damping,s2\n").contains("s1"));
        assert!(wrong(head).contains("rows"));
        assert!(wrong(&format!("{head}2,1,1,0,0\n")).contains("mode 1"));
        assert!(wrong(&format!("{head}1,1,1,0\n")).contains("line 2"));
        assert!(wrong(&format!("uniform,1\n{head}1,1,1,0,0\n")).contains("line 1"));
        assert!(wrong(&format!("uniform,1,x\n{head}1,1,1,0,0\n")).contains("line 1"));
        assert!(wrong("uniform,1,2\n").contains("header"));
        assert!(wrong(&format!("{head}1,-1,1,0,0\n")).contains("above 0"));
        assert!(wrong(&format!("{head}1,0,1,0,0\n")).contains("has stiffness"));
        assert!(wrong(&format!("{head}1,1,-1,0,0\n")).contains("not negative"));
        assert!(wrong(&format!("{head}1,1,nan,0,0\n")).contains("line 2"));
        assert!(wrong(&format!("{head}1,1,1,0,x\n")).contains('x'));
    }
}
