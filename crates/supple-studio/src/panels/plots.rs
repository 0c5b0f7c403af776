//! Plots of the report: the path of a point, and what changes from frame to frame or from step to step of the solver.

use crate::widgets::id;
use crate::{Studio, colours};
use eframe::egui::{RichText, Ui};
use egui_plot::{GridInput, GridMark, Line, LineStyle, Plot, PlotPoints, Points, VLine, uniform_grid_spacer};
use supple_project::method::Curve;
use supple_session::Reported;

/// The way of the selected point over time, before and after.
pub fn path(studio: &Studio, ui: &mut Ui) {
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

/// The curves of a report; beside the force of an edit that on the selected point.
pub fn curves(studio: &Studio, ui: &mut Ui, reported: &Reported) {
    let seen = studio.snapshot.seen.as_ref().filter(|seen| seen.generation == reported.generation);
    for curve in reported.report.curves.iter().filter(|curve| !curve.values.is_empty()) {
        if curve.is_of_steps() {
            of_steps(ui, curve);
            continue;
        }
        if curve.key == "force_over_time"
            && let Some((seen, vertex)) = seen.and_then(|seen| Some((seen, seen.extras.traces.first()?)))
        {
            of_frames(studio, ui, (&format!("Force on vertex {vertex} (N/kg)"), "vertex-force"), &seen.force);
        }
        of_frames(studio, ui, (&title(curve), curve.key), &curve.values);
    }
}

/// What a curve is called, with its unit.
fn title(curve: &Curve) -> String {
    if curve.unit.is_empty() { curve.title.to_owned() } else { format!("{} ({})", curve.title, curve.unit) }
}

/// What changes from frame to frame.
fn of_frames(studio: &Studio, ui: &mut Ui, (title, called): (&str, &str), values: &[f64]) {
    ui.separator();
    id(ui.strong(title), &format!("curve-{called}"));
    let start = f64::from(studio.timeline.clock.start.0);
    let points: PlotPoints<'_> =
        values.iter().enumerate().map(|(f, value)| [start + f as f64, *value]).collect();
    let now = f64::from(studio.timeline.number(studio.view.frame));
    let visuals = ui.visuals().clone();
    Plot::new(title)
        .height(130.0)
        .y_grid_spacer(uniform_grid_spacer(steps))
        .y_axis_formatter(|mark, _| number_at(mark))
        .include_y(0.0)
        .allow_scroll(false)
        .show(ui, |plot| {
            plot.line(Line::new(title, points).color(colours::line(colours::PURPLE, &visuals)).width(2.0));
            plot.vline(VLine::new("", now).color(colours::line(colours::ORANGE, &visuals)));
        });
}

/// What changes from step to step of the solver, in powers of ten where it is positive: it falls by many.
fn of_steps(ui: &mut Ui, curve: &Curve) {
    ui.separator();
    id(ui.strong(title(curve)), &format!("curve-{}", curve.key));
    let is_log = curve.values.iter().all(|value| *value > 0.0);
    let height = |value: &f64| if is_log { value.log10() } else { *value };
    let points: Vec<[f64; 2]> =
        curve.values.iter().enumerate().map(|(k, value)| [(k + 1) as f64, height(value)]).collect();
    let colour = colours::line(colours::PURPLE, ui.visuals());
    Plot::new(curve.key)
        .height(130.0)
        .x_grid_spacer(uniform_grid_spacer(|input| steps(input).map(|step| step.max(1.0))))
        .y_grid_spacer(uniform_grid_spacer(steps))
        .y_axis_formatter(move |mark, _| if is_log { power_at(mark) } else { number_at(mark) })
        .allow_scroll(false)
        .show(ui, |plot| {
            // A single step is a dot, not a line.
            plot.points(Points::new("", points.clone()).color(colour).radius(2.5));
            plot.line(Line::new(curve.title, points).color(colour).width(2.0));
        });
}

/// The number whose power of ten is at a step of an axis.
fn power_at(mark: GridMark) -> String {
    let value = 10f64.powf(mark.value);
    if (1e-3..1e5).contains(&value) { format!("{value:.3}") } else { format!("{value:.1e}") }
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
    use super::{number_at, power_at, steps};
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
    fn powers_of_ten_are_numbers_again() {
        let words = [0.0, 2.0, -2.0, -5.0, 6.0].map(|value| power_at(GridMark { value, step_size: 1.0 }));
        assert_eq!(words, ["1.000", "100.000", "0.010", "1.0e-5", "1.0e6"]);
    }
}
