//! The panel of what the edit comes to: residuals, energy, times, plots.

use super::plots;
use crate::Studio;
use crate::numbers::metres;
use eframe::egui::{CollapsingHeader, Grid, Ui};
use supple_project::{Reason, Report, Status};
use supple_session::{Reported, Work};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let generation = studio.session.document.generation();
    let report = studio.snapshot.report.clone();
    let is_current = report.as_ref().is_some_and(|report| report.generation == generation);
    ui.strong("Edit");
    match &report {
        None => {
            ui.weak("Nothing edited yet");
        }
        Some(report) => {
            if !is_current {
                ui.weak("Out of date; updating …");
            }
            table(ui, report);
        }
    }
    times(studio, ui);
    plots::path(studio, ui);
    if let Some(report) = report {
        plots::curves(studio, ui, &report);
    }
}

fn table(ui: &mut Ui, reported: &Reported) {
    let report = &reported.report;
    let status = match report.status {
        Status::Settled if report.handles.is_empty() => "Solved",
        Status::Settled => "All handles met",
        Status::Compromise => compromise(report),
        Status::Unfinished => "Not finished",
        Status::Stalled => "Stalled",
        Status::Stopped => "Stopped early",
    };
    let worst = report.handles.iter().filter(|handle| !handle.soft).map(|handle| handle.error);
    let worst = worst.fold(0.0, f64::max);
    grid("report", ui).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.label(value);
            ui.end_row();
        };
        row("Status", status.to_owned());
        if !report.handles.is_empty() {
            row("Largest error of hard handles", metres(worst));
        }
        for finding in report.findings.iter().filter(|finding| !finding.is_detail) {
            if let Some(text) = &finding.text {
                row(&capitalised(finding.title), capitalised(text));
            }
        }
        for handle in &report.handles {
            if let Some(frames) = &handle.plant {
                let moved = format!("Moves a planted part, frames {} to {}", frames.start(), frames.end());
                row(&format!("Handle {}", handle.key.0), moved);
            }
        }
        row(
            "Solve time",
            match reported.settle_seconds {
                long if long >= 10.0 => format!("{long:.1} s"),
                short => format!("{:.1} ms", 1e3 * short),
            },
        );
    });
    CollapsingHeader::new("Solver details").id_salt("solver-details").show(ui, |ui| details(ui, report));
}

/// A table of two columns, whose sentences are broken so that it is no wider than the panel.
fn grid(name: &str, ui: &Ui) -> Grid {
    Grid::new(name).num_columns(2).spacing([12.0, 3.0]).max_col_width(0.5 * ui.available_width() - 6.0)
}

/// What tells about the solver rather than the motion.
fn details(ui: &mut Ui, report: &Report) {
    grid("details", ui).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.label(value);
            ui.end_row();
        };
        row("Iterations", report.iterations.to_string());
        row("Optimality", format!("{:.2e}", report.stationarity));
        row("Energy", short(report.energy));
        if report.penalty > 0.0 {
            row("Energy of soft handles", short(report.penalty));
        }
        for finding in report.findings.iter().filter(|finding| finding.is_detail) {
            if let Some(text) = &finding.text {
                row(&capitalised(finding.title), capitalised(text));
            }
        }
    });
}

/// What a compromise is one between.
fn compromise(report: &Report) -> &'static str {
    let is_there = |reason: Reason| report.handles.iter().any(|handle| handle.reason == Some(reason));
    match (is_there(Reason::OutOfReach), is_there(Reason::Contradicts)) {
        (true, false) => "Compromise: a handle is out of reach",
        (true, true) => "Compromise: a handle is out of reach, others conflict",
        (false, _) if report.number("penetration", "held").is_some_and(|held| held > 0.0) => {
            "Compromise: an obstacle is in the way"
        }
        (false, true) => "Compromise: handles or contacts conflict",
        (false, false) if report.handles.is_empty() => "Compromise: not all that is asked is met",
        (false, false) => "Compromise: handles are nearly met",
    }
}

/// A sentence as it begins a line.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Four digits, without a power of ten where it reads as well.
fn short(number: f64) -> String {
    match number.abs() {
        size @ 0.001..1e5 => {
            let places = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
            format!("{number:.places$}")
        }
        _ => format!("{number:.3e}"),
    }
}

fn times(studio: &Studio, ui: &mut Ui) {
    ui.separator();
    ui.strong("Times");
    if let Some(step) = studio.snapshot.step {
        ui.label(format!("Last drag step: {:.1} ms, error {:.1e}", 1e3 * step.seconds, step.error));
    }
    let work = match studio.snapshot.work {
        Work::Idle => "Idle",
        Work::Dragging => "Dragging",
        Work::Settling => "Solving",
        Work::Reporting => "Writing the report",
        Work::Posing => "Posing the body",
    };
    ui.label(format!("Solver: {work}"));
    ui.label(format!("Window: {:.1} ms per frame", 1e3 * studio.frame_seconds));
    if let Some(posed) = &studio.snapshot.posed {
        ui.label(format!("Last step of the pose: {:.1} ms", 1e3 * posed.seconds));
    }
    if studio.is_slow {
        ui.weak("No GPU: drawing is coarse while dragging");
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_as_short_as_they_can_be_read() {
        let words = [0.01234567, 25.98765, -121.7, 3.0e7, 1.0e-9].map(short);
        assert_eq!(words, ["0.01235", "25.99", "-121.7", "3.000e7", "1.000e-9"]);
    }
}
