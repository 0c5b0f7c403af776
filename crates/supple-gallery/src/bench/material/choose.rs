//! | work | is | residual |
//! |---|---|---|
//! | optimise | from nothing to within 5 % of the energy after 300 rounds | how far above that energy |
//! | one handle | the motion under the material as it is, Fig. 6 | how far it is from the least costly one |

use super::case::Case;
use crate::bench::median;
use crate::bench::row::Row;
use anyhow::{Context, ensure};
use std::sync::Arc;
use std::time::Instant;
use supple_model::Progress;
use supple_project::Body;
use supple_project::method::material::MaterialPart;
use supple_project::shot::{Axes, Goal, Handle, MaterialEdit, Method, Optimise, Site, When};

/// A sample, and the published seconds of its row in Table 1.
const TABLE: [(&str, f64); 4] =
    [("t-rex-jump", 3.04), ("flower-circle", 1.189), ("bird-flap", 1.052), ("skateboard", 1.731)];
/// Rounds whose energy is the measure,
const ROUNDS: usize = 300;
/// and how near to it is near enough.
const NEAR: f64 = 1.05;
/// Runs of each.
const REPEATS: usize = 3;
/// What Fig. 6 took, and its handle: the frame, and how far it is moved.
const ONE: (f64, i32, [f64; 3]) = (0.017, 60, [0.35, 0.0, 0.2]);

pub fn rows(case: &Case) -> anyhow::Result<Vec<Row>> {
    let published = TABLE.iter().find(|(name, _)| *name == case.name).context("a row of the table")?.1;
    Ok(vec![optimise(case, published)?])
}

/// A choice of which every step has a time.
struct Run {
    seconds: Vec<f64>,
    energies: Vec<f64>,
    rounds: usize,
}

fn run(part: &MaterialPart, rounds: usize) -> anyhow::Result<Run> {
    let begin = Instant::now();
    let (mut seconds, mut energies) = (Vec::new(), Vec::new());
    let chosen = part.choose(Some(rounds), &Progress::silent(), &mut |energy| {
        seconds.push(begin.elapsed().as_secs_f64());
        energies.push(energy);
    })?;
    ensure!(chosen.missed <= 1e-6, "a handle is {:e} of the size off", chosen.missed);
    ensure!(energies.is_sorted_by(|a, b| a >= b), "the energy rose");
    Ok(Run { seconds, energies, rounds: chosen.rounds })
}

fn optimise(case: &Case, published: f64) -> anyhow::Result<Row> {
    let body = Arc::new(Body::load(&case.shot)?);
    let part = MaterialPart::open(&case.shot, &body, &case.cache())?;
    let whole = run(&part, ROUNDS)?;
    let least = whole.energies.last().copied().context("there are no steps")?;
    let near = |run: &Run| run.energies.iter().position(|energy| *energy <= NEAR * least);
    let step = near(&whole).context("there are no steps")?;
    // Two steps of a round or fewer: so many rounds have surely as many steps, if there are so many.
    let rounds = step.max(1).min(whole.rounds.max(1));
    let mut seconds = vec![whole.seconds[step]];
    for _ in 1..REPEATS {
        let again = run(&part, rounds)?;
        seconds.extend(near(&again).map(|step| again.seconds[step]));
    }
    Ok(Row {
        elements: Some(body.matter.elements()),
        modes: Some(part.shapes()),
        published_seconds: Some(published),
        residual: Some(whole.energies[step] / least - 1.0),
        ..Row::new(case.name, "optimise", median(seconds))
    })
}

/// A handle on a flower that the wind bends.
pub fn one_handle(case: &Case) -> anyhow::Result<Vec<Row>> {
    let mut shot = case.shot.clone();
    shot.edit.choose(Method::Material);
    shot.edit.modes = 80;
    let own = MaterialEdit { optimise: Optimise::None, ..MaterialEdit::default() };
    shot.edit.set_material_settings(&own)?;
    let body = Arc::new(Body::load(&shot)?);
    let (published, frame, by) = ONE;
    // How high the flower is when it bends that far is its own affair.
    let axes = Some(Axes([true, false, true]));
    shot.edit.handles =
        vec![Handle { axes, ..Handle::new(When::Frame(frame), Site::Group("disc".into()), Goal::By(by)) }];
    let part = MaterialPart::open(&shot, &body, &case.cache())?;
    let mut seconds = Vec::new();
    let mut stationarity = 0.0;
    for _ in 0..=REPEATS {
        let begin = Instant::now();
        let found = part.choose(None, &Progress::silent(), &mut |_| {})?;
        seconds.push(begin.elapsed().as_secs_f64());
        ensure!(found.missed <= 1e-6, "the handle is {:e} of the size off", found.missed);
        stationarity = found.stationarity;
    }
    let row = Row {
        elements: Some(body.matter.elements()),
        modes: Some(part.shapes()),
        published_seconds: Some(published),
        residual: Some(stationarity),
        ..Row::new(case.name, "one handle", median(seconds.split_off(1)))
    };
    Ok(vec![row])
}
