//! The studio without its window: from a move of the mouse to what the graphics driver is given.
//!
//! | row | what is timed |
//! |---|---|
//! | opening | from the files, with modes in the cache, until a point can be dragged with all modes |
//! | mouse move | the document changes, the solver answers, points and normals of the shown frame are ready |
//! | of that on the thread of the window | changing the document, saying what is wanted, normals |
//!
//! The residual of a mouse move is the largest error of the handle, as a part of the body's size.

use super::drag::{pulled, stage::Stage};
use super::row::Row;
use super::{BenchArgs, median};
use anyhow::{Context, ensure};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use supple_model::Progress;
use supple_project::session::{Answer, Document, Home, Session, Supple, View};
use supple_project::shot::Goal;
use supple_studio::{Shape, Surface};

/// Moves of the mouse that are timed.
const MOVES: usize = 60;
/// How far the mouse goes, as a part of the size.
const FAR: f64 = 0.03;
/// Nothing takes this long.
const PATIENCE: Duration = Duration::from_secs(600);

pub fn run(args: &BenchArgs, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut stage = Stage::bridge(args, 1000, 240, progress)?;
    stage.shot.edit.handles = vec![pulled(&stage, 0, 120)?];
    stage.shot.save(&stage.path())?;
    let folder = tempfile::tempdir()?;
    let home = Home::in_folder(folder.path());
    let begin = Instant::now();
    let document = Document::open(&stage.path(), &home)?;
    let (sender, woken) = channel();
    let wake = move || {
        // Nobody waits any more at the end.
        let _ = sender.send(());
    };
    let mut session = Session::new(document, &home, Arc::new(Supple), wake);
    let view = View { frame: 120, playing: Some(60), ..View::default() };
    let generation = session.document.generation();
    wait(&mut session, &view, &woken, |answer| {
        answer.is_current(generation)
            && answer.report.as_ref().is_some_and(|told| told.generation == generation)
    })?;
    let opening =
        Row { modes: Some(1000), ..Row::new(&stage.name, "opening, solved", begin.elapsed().as_secs_f64()) };
    let mut rows = vec![opening];
    rows.extend(moves(&stage.name, &mut session, view, &woken)?);
    Ok(rows)
}

fn moves(name: &str, session: &mut Session, view: View, woken: &Receiver<()>) -> anyhow::Result<[Row; 2]> {
    let stage = session.solver.answer().stage.context("nothing is on the stage")?;
    let shape = Shape::of_stage(&stage);
    let Goal::By(from) = session.document.shot().edit.handles[0].goal else {
        anyhow::bail!("it moves by something")
    };
    session.document.begin_gesture("Drag handle");
    let view = View { hand: Some(0), ..view };
    session.update(&view);
    std::thread::sleep(Duration::from_millis(300));
    let (mut all, mut own, mut worst) = (Vec::new(), Vec::new(), 0.0_f64);
    for step in 0..MOVES {
        let turn = std::f64::consts::TAU * step as f64 / MOVES as f64;
        let radius = 0.5 * FAR * stage.size;
        let by = [from[0] + radius * turn.sin(), from[1], from[2] + radius * (1.0 - turn.cos())];
        let begin = Instant::now();
        session.document.update_gesture(|shot| shot.edit.handles[0].goal = Goal::By(by));
        let generation = session.document.generation();
        session.update(&view);
        let said = begin.elapsed();
        let answer = wait(session, &view, woken, |answer| {
            answer.shown.as_ref().is_some_and(|shown| shown.generation == generation)
        })?;
        let shown = answer.shown.context("nothing is shown")?;
        let drawing = Instant::now();
        let surface = Surface::new(shown.points.drawn.clone(), &shape);
        ensure!(surface.normals.len() == stage.rest.len(), "a normal for every point");
        own.push((said + drawing.elapsed()).as_secs_f64());
        all.push(begin.elapsed().as_secs_f64());
        worst = worst.max(answer.step.map_or(0.0, |step| step.error));
    }
    session.document.commit_gesture();
    ensure!(worst < 1e-3, "{name}: the handle is off by {worst:e} of the size");
    let (points, triangles) = (stage.rest.len(), stage.triangles.len());
    let row = |work: String, seconds| Row {
        elements: Some(triangles),
        modes: Some(stage.modes),
        residual: Some(worst),
        ..Row::new(name, &work, seconds)
    };
    Ok([
        row(format!("mouse move to buffers of {points} points, exact, 1 handle"), median(all)),
        row("of that on the thread of the window".to_owned(), median(own)),
    ])
}

/// Waits as a window does: it is woken when there is something new.
fn wait(
    session: &mut Session,
    view: &View,
    woken: &Receiver<()>,
    done: impl Fn(&Answer) -> bool,
) -> anyhow::Result<Answer> {
    let begin = Instant::now();
    loop {
        let answer = session.solver.answer();
        if let Some(failure) = &answer.failure {
            anyhow::bail!("{failure}");
        }
        if done(&answer) {
            return Ok(answer);
        }
        ensure!(begin.elapsed() < PATIENCE, "no answer");
        if woken.recv_timeout(Duration::from_millis(50)).is_err() {
            session.update(view);
        }
    }
}
