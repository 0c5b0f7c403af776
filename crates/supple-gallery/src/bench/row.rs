//! One measurement, as JSON and as a line of a table.

use serde::Serialize;
use std::path::Path;

/// One measurement. What does not apply is null.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// What it was measured on.
    pub case: String,
    /// What was done.
    pub work: String,
    /// How long that took, the median where it was repeated.
    pub seconds: f64,
    /// The time in the paper, on the authors' machine.
    pub published_seconds: Option<f64>,
    /// The time of another program.
    pub peer_seconds: Option<f64>,
    /// Which program, and whether it ran beside this one or was timed earlier.
    pub peer: Option<&'static str>,
    /// How far the result is from right, by an independent computation; relative.
    pub residual: Option<f64>,
    /// The same for the peer's result.
    pub peer_residual: Option<f64>,
    /// How many elements the body has, or triangles the picture.
    pub elements: Option<usize>,
    /// How many modes.
    pub modes: Option<usize>,
    /// How many frames a motion has; this and what follows is there only for characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<usize>,
    /// How many freedoms a frame has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dofs: Option<usize>,
    /// How many numbers are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// How far feet slid that stand, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_before: Option<f64>,
    /// How far they slide now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_after: Option<f64>,
    /// How far any joint is from where it was, metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_move: Option<f64>,
    /// The largest acceleration of any joint against what it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration_ratio: Option<f64>,
    /// How many threads there were.
    pub threads: usize,
    /// The most memory this process has held so far.
    pub peak_rss_mib: Option<f64>,
}

impl Row {
    /// A row of this moment: threads and memory are filled in.
    pub fn new(case: &str, work: &str, seconds: f64) -> Self {
        Self {
            case: case.into(),
            work: work.into(),
            seconds,
            threads: rayon::current_num_threads(),
            peak_rss_mib: peak_rss_mib(Path::new("/proc/self/status")),
            ..Self::default()
        }
    }
}

/// The most memory a process has held, by its status; `None` where the system does not tell.
pub fn peak_rss_mib(status: &Path) -> Option<f64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

/// A table people can read; a number in parentheses says how many times longer the other took.
pub fn table(bench: &str, rows: &[Row]) -> String {
    let heads =
        ["case", "work", "ours", "published", "peer", "residual", "elements", "modes", "threads", "peak MiB"];
    let mut cells = vec![heads.map(String::from).to_vec()];
    for row in rows {
        let other = |seconds: Option<f64>| {
            seconds.map_or_else(
                || "–".to_owned(),
                |other| format!("{} ({:.1}×)", duration(other), other / row.seconds),
            )
        };
        let number = |n: Option<usize>| n.map_or_else(|| "–".to_owned(), |n| n.to_string());
        cells.push(vec![
            row.case.clone(),
            row.work.clone(),
            duration(row.seconds),
            other(row.published_seconds),
            other(row.peer_seconds),
            row.residual.map_or_else(|| "–".to_owned(), |r| format!("{r:.1e}")),
            number(row.elements),
            number(row.modes),
            row.threads.to_string(),
            row.peak_rss_mib.map_or_else(|| "–".to_owned(), |m| format!("{m:.0}")),
        ]);
    }
    if rows.iter().any(|row| row.dofs.is_some()) {
        characters(rows, &mut cells);
    }
    let width = |c: usize| cells.iter().map(|row| row[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..cells[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let padded = row.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| {
            // Words to the left, numbers to the right.
            if c < 2 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut peers: Vec<&str> = rows.iter().filter_map(|row| row.peer).collect();
    peers.dedup();
    let notes: String = peers.iter().map(|peer| format!("\npeer: {peer}")).collect();
    format!("bench {bench}\n{}{notes}\n", cells.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// What rows of characters have, in the place of elements and modes.
fn characters(rows: &[Row], cells: &mut [Vec<String>]) {
    let heads = ["frames", "dofs", "rows", "slide mm", "moved mm", "acceleration"].map(String::from);
    cells[0].splice(6..8, heads);
    for (row, cells) in rows.iter().zip(&mut cells[1..]) {
        let number = |n: Option<usize>| n.map_or_else(|| "–".to_owned(), |n| n.to_string());
        let slide = row.slide_before.zip(row.slide_after);
        let slide = slide.map(|(before, after)| format!("{:.1} → {:.2e}", 1e3 * before, 1e3 * after));
        let moved = row.largest_move.map(|moved| format!("{:.1}", 1e3 * moved));
        let ratio = row.acceleration_ratio.map(|ratio| format!("{ratio:.2}×"));
        let measured = [slide, moved, ratio].map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
        let own = [row.frames, row.dofs, row.rows].map(number).into_iter().chain(measured);
        cells.splice(6..8, own);
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 100.0 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", 1e3 * s),
        s => format!("{:.1} µs", 1e6 * s),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lines_up_and_shows_ratios() {
        let row = |case: &str, seconds| Row {
            published_seconds: Some(774.0),
            residual: Some(1e-9),
            peer: Some("another program"),
            threads: 2,
            peak_rss_mib: None,
            ..Row::new(case, "r = 1000", seconds)
        };
        let text = table("modes", &[row("bridge", 10.0), row("x", 0.5)]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[2].starts_with("bridge  r = 1000"));
        assert!(lines[2].contains("774 s (77.4×)"));
        assert!(lines[3].contains("500.00 ms"));
        assert_eq!(lines[4], "peer: another program");
        assert_eq!(lines[2].find("1.0e-9"), lines[3].find("1.0e-9"));
    }
}
