//! The table people read: a line for each thing measured, a column for each motion, `!` where a bar is missed.

use super::FeelAnswer;
use super::bars::{Bar, Line};
use std::fmt;
use supple_model::text::{counted, number};

impl FeelAnswer {
    /// The columns of the table: all motions, and all pulls together.
    fn columns(&self) -> impl Iterator<Item = (&str, &[Line])> {
        let motions = self.motions.iter().map(|motion| (motion.name.as_str(), motion.lines.as_slice()));
        motions.chain([("all", self.all.as_slice())])
    }

    /// What was missed, motion by motion.
    pub fn missed(&self) -> Option<String> {
        if self.missed == 0 {
            return None;
        }
        let bars = self.columns().flat_map(|(_, lines)| lines).filter(|line| line.bar.is_some()).count();
        let mut text = format!("{} of {bars} bars missed", self.missed);
        for (name, lines) in self.columns() {
            let missed: Vec<&str> = lines.iter().filter(|line| !line.ok).map(|line| line.measured).collect();
            if !missed.is_empty() {
                text += &format!("\n{name}: {}", missed.join("; "));
            }
        }
        Some(text)
    }
}

fn cell(line: &Line) -> String {
    let value = line.value.map_or_else(
        || "–".to_owned(),
        |value| {
            if value.abs() < 1e-4 && value != 0.0 { format!("{value:.0e}") } else { number(round(value)) }
        },
    );
    if line.ok { value } else { format!("{value} !") }
}

/// Three digits.
fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = 10_f64.powi(2 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

fn bar(line: &Line) -> String {
    match line.bar {
        None => "–".to_owned(),
        Some(Bar::AtMost(bar)) => format!("≤ {}", number(bar)),
        Some(Bar::AtLeast(bar)) => format!("≥ {}", number(bar)),
    }
}

impl fmt::Display for FeelAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![["measured", "bar"].map(str::to_owned).to_vec()];
        rows[0].extend(self.columns().map(|(name, _)| name.to_owned()));
        for (k, line) in self.all.iter().enumerate() {
            let mut row = vec![line.measured.to_owned(), bar(line)];
            row.extend(self.columns().map(|(_, lines)| cell(&lines[k])));
            rows.push(row);
        }
        let width = |c: usize| rows.iter().map(|row| row[c].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
        writeln!(f, "bench feel, {}", self.feel)?;
        for row in &rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| match c {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        writeln!(f)?;
        for motion in &self.motions {
            let seconds: f64 = motion.pulls.iter().map(|pull| pull.seconds).sum();
            writeln!(
                f,
                "{}: {} vertices, {} frames, {}; {} still, {} coinciding, {} touching; {:.1} s to import and open, {:.2} s a pull",
                motion.name,
                motion.vertices,
                motion.frames,
                motion.kind,
                motion.still,
                motion.coinciding,
                motion.touching,
                motion.import_seconds,
                seconds / motion.pulls.len().max(1) as f64
            )?;
        }
        let pulls = self.motions.iter().map(|motion| motion.pulls.len()).sum::<usize>();
        let on = counted(self.motions.len(), "motion", "motions");
        writeln!(f, "\n{} on {on}; bars missed: {}", counted(pulls, "pull", "pulls"), self.missed)
    }
}
