//! The panel of what the edit comes to: residuals, energy, times, plots.

use crate::numbers::metres;
use crate::{Studio, colours};
use eframe::egui::{CollapsingHeader, Grid, RichText, Ui};
use egui_plot::{GridInput, GridMark, Line, LineStyle, Plot, PlotPoints, VLine, uniform_grid_spacer};
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
    path(studio, ui);
    if let Some(report) = report.filter(|report| !report.report.curve("force_over_time").is_empty()) {
        force(studio, ui, &report);
    }
}

fn table(ui: &mut Ui, reported: &Reported) {
    let report = &reported.report;
    let status = match report.status {
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
        row("Largest error of hard handles", metres(worst));
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
        row("Solve time", format!("{:.1} ms", 1e3 * reported.settle_seconds));
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
    };
    ui.label(format!("Solver: {work}"));
    ui.label(format!("Window: {:.1} ms per frame", 1e3 * studio.frame_seconds));
    if studio.is_slow {
        ui.weak("No GPU: drawing is coarse while dragging");
    }
}

/// The way of the selected point over time, before and after.
fn path(studio: &Studio, ui: &mut Ui) {
    let Some(seen) = studio.snapshot.seen.clone() else { return };
    let (Some(after), Some(before)) = (seen.traces.first(), seen.input_traces.first()) else { return };
    let Some(vertex) = seen.extras.traces.first() else { return };
    ui.separator();
    ui.strong(format!("Path of vertex {vertex} (m), original dashed"));
    // Above the plot: inside it would lie over the curves.
    ui.horizontal(|ui| {
        for (axis, name) in ["along x", "along y", "along z"].into_iter().enumerate() {
            let colour = colours::text(colours::AXES[axis], ui.visuals());
            ui.label(RichText::new(format!("— {name}")).color(colour));
        }
    });
    let start = f64::from(studio.timeline.clock.start.0);
    let curve = |points: &[[f32; 3]], axis: usize| -> PlotPoints<'static> {
        let origin = before.first().map_or(0.0, |p| p[axis]);
        points.iter().enumerate().map(|(f, p)| [start + f as f64, f64::from(p[axis] - origin)]).collect()
    };
    let now = f64::from(studio.timeline.number(studio.view.frame));
    let visuals = ui.visuals().clone();
    Plot::new("path")
        .height(170.0)
        .y_grid_spacer(uniform_grid_spacer(steps))
        .y_axis_formatter(|mark, _| number_at(mark))
        .allow_scroll(false)
        .show(ui, |plot| {
            for (axis, name) in ["along x", "along y", "along z"].into_iter().enumerate() {
                let colour = colours::line(colours::AXES[axis], &visuals);
                let input = Line::new("", curve(before, axis)).color(colour.gamma_multiply(0.6));
                plot.line(input.style(LineStyle::dashed_dense()));
                plot.line(Line::new(name, curve(after, axis)).color(colour).width(2.0));
            }
            plot.vline(VLine::new("", now).color(colours::line(colours::ORANGE, &visuals)));
        });
}

/// The force of the edit over time, on the selected point and on all.
fn force(studio: &Studio, ui: &mut Ui, reported: &Reported) {
    let seen = studio.snapshot.seen.as_ref().filter(|seen| seen.generation == reported.generation);
    if let Some((seen, vertex)) = seen.and_then(|seen| Some((seen, seen.extras.traces.first()?))) {
        force_plot(studio, ui, &format!("Force on vertex {vertex} (N/kg)"), &seen.force);
    }
    force_plot(studio, ui, "Force of the edit (N/√kg)", reported.report.curve("force_over_time"));
}

fn force_plot(studio: &Studio, ui: &mut Ui, title: &str, forces: &[f64]) {
    ui.separator();
    ui.strong(title);
    let start = f64::from(studio.timeline.clock.start.0);
    let points: PlotPoints<'_> =
        forces.iter().enumerate().map(|(f, force)| [start + f as f64, *force]).collect();
    let now = f64::from(studio.timeline.number(studio.view.frame));
    let visuals = ui.visuals().clone();
    Plot::new(title)
        .height(130.0)
        .y_grid_spacer(uniform_grid_spacer(steps))
        .y_axis_formatter(|mark, _| number_at(mark))
        .include_y(0.0)
        .allow_scroll(false)
        .show(ui, |plot| {
            plot.line(Line::new("force", points).color(colours::line(colours::PURPLE, &visuals)).width(2.0));
            plot.vline(VLine::new("", now).color(colours::line(colours::ORANGE, &visuals)));
        });
}

/// Steps of an axis: about four with a number, 1, 2 or 5 of some power of ten, and finer and coarser ones.
fn steps(input: GridInput) -> [f64; 3] {
    let (low, high) = input.bounds;
    let about = ((high - low) / 4.0).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(about.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= 0.8 * about);
    let step = step.unwrap_or(about);
    [step / 5.0, step, 5.0 * step]
}

/// The number at a step of an axis, with as many digits as the step has.
fn number_at(mark: GridMark) -> String {
    let digits = (-mark.step_size.log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
    if mark.value.abs() < 1e-6 * mark.step_size { "0".to_owned() } else { format!("{:.digits$}", mark.value) }
}

#[cfg(test)]
mod tests {
    use super::{number_at, short, steps};
    use egui_plot::{GridInput, GridMark};

    #[test]
    fn an_axis_has_round_steps_three_to_five_of_them() {
        for (low, high) in [(0.0, 7.3), (-0.02, 0.031), (0.0, 1900.0), (-1.0, 1.0)] {
            let [fine, step, _] = steps(GridInput { bounds: (low, high), base_step_size: 1.0 });
            let count = (high - low) / step;
            assert!((1.9..=5.1).contains(&count), "{count} steps of {step}");
            let lead = step / 10f64.powf(step.log10().floor() + 1e-9);
            assert!([1.0, 2.0, 5.0, 10.0].iter().any(|k| (lead - k).abs() < 1e-6 * k), "{step}");
            assert!((step / fine - 5.0).abs() < 1e-9);
        }
        let words = [(0.5, 0.5), (-0.04, 0.02), (0.0, 0.2), (30.0, 10.0), (1500.0, 500.0)];
        let words = words.map(|(value, step_size)| number_at(GridMark { value, step_size }));
        assert_eq!(words, ["0.5", "-0.04", "0", "30", "1500"]);
    }

    #[test]
    fn numbers_are_as_short_as_they_can_be_read() {
        let words = [0.01234567, 25.98765, -121.7, 3.0e7, 1.0e-9].map(short);
        assert_eq!(words, ["0.01235", "25.99", "-121.7", "3.000e7", "1.000e-9"]);
    }
}
