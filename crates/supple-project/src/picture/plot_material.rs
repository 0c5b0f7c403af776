//! What there is to plot of a material: its shapes over time, how fast they swing, and what the solver made of the energy.

use super::Film;
use crate::method::material::{Prepared, PreparedError};
use crate::method::{Findings, Method, Value};
use supple_render::{Colour, Look, Plot, Scale, Series};

/// Shapes beyond these are not drawn.
const SHAPES: usize = 7;

/// What the motion cost after every step of the solver.
pub(super) fn energy(film: &Film, colour: Colour) -> Plot {
    let mut plot = Plot::new("Energy by step of the solver");
    (plot.x.label, plot.y.label) = ("step".into(), "energy".into());
    plot.y.scale = Scale::Log10;
    let values = film.report().map(|report| report.curve("cost_by_iteration")).unwrap_or_default();
    let points = values.iter().enumerate().map(|(step, energy)| [step as f64, *energy]);
    plot.series.push(Series { colour: Some(colour), look: Look::Both, ..Series::line("", points) });
    plot
}

/// How much there is of the first shapes, frame by frame.
pub(super) fn amplitudes(film: &Film) -> Plot {
    let mut plot = Plot::new("Shapes over time");
    (plot.x.label, plot.y.label) = ("frame".into(), "amount of the shape (√kg m)".into());
    let shapes = film.method().map(Method::amplitudes).unwrap_or_default();
    for (k, shape) in shapes.iter().take(SHAPES).enumerate() {
        let point = |(index, z): (usize, &f64)| [f64::from(film.clock.number(index)), *z];
        plot.series.push(Series::line(format!("shape {}", k + 1), shape.iter().enumerate().map(point)));
    }
    plot
}

/// Frames in which every shape swings once, before and after; a colour each.
pub(super) fn periods(film: &Film, colours: [Colour; 2]) -> Plot {
    let mut plot = Plot::new("Frames in which each shape swings once");
    (plot.x.label, plot.y.label) = ("shape".into(), "frames".into());
    plot.y.scale = Scale::Log10;
    let [before, after] = colours;
    for (name, key, colour) in [("before", "periods_before", before), ("after", "periods", after)] {
        let points =
            list(film, key).into_iter().enumerate().filter_map(|(k, frames)| Some([(k + 1) as f64, frames?]));
        plot.series.push(Series { colour: Some(colour), look: Look::Both, ..Series::line(name, points) });
    }
    plot
}

/// What the reduced warp misses, by the places it looks at: of the changes it was made for, and of others; a colour each.
pub(super) fn cubature(found: &Prepared, colours: [Colour; 2]) -> Plot {
    let mut plot = Plot::new("What few elements miss of the whole warp");
    (plot.x.label, plot.y.label) = ("elements that are looked at".into(), "relative error".into());
    plot.y.scale = Scale::Log10;
    let [training, held_out] = colours;
    type Of = fn(&PreparedError) -> f64;
    let each: [(&str, Of, Colour); 2] =
        [("made for", |error| error.training, training), ("others", |error| error.held_out, held_out)];
    for (name, of, colour) in each {
        let points = found.curve.iter().map(|error| [error.places as f64, of(error)]);
        plot.series.push(Series { colour: Some(colour), ..Series::line(name, points) });
    }
    plot
}

/// A list of the finding about the material.
fn list(film: &Film, key: &str) -> Vec<Option<f64>> {
    let finding =
        film.report().and_then(|report| report.findings.iter().find(|found| found.key == "material"));
    let Some(Findings::One(found)) = finding.map(|finding| &finding.found) else { return Vec::new() };
    let Some(Value::List(values)) = found.iter().find(|found| found.name == key).map(|found| &found.value)
    else {
        return Vec::new();
    };
    values.iter().map(|value| if let Value::Number(number) = value { Some(*number) } else { None }).collect()
}
