//! The studio without its window: from a move of the mouse to what the graphics driver is given.
//!
//! | row | what is timed |
//! |---|---|
//! | opening | from the files, with modes in the cache, until a point can be dragged with all modes |
//! | mouse move | the document changes, the solver answers, points and normals of the shown frame are ready |
//! | of that on the thread of the window | changing the document, saying what is wanted, normals |
//! | frames played meanwhile | seconds between two frames of the right viewport while the mouse moves |
//! | frame of the window | median and worst of all frames, from opening to the report after a drag, with everything shown that can be; all but the driver's own work |
//!
//! Moves follow each other without a pause, as from a mouse that is faster than any display, and then 60 a second. The
//! residual of a mouse move is the largest error of the handle, as a part of the body's size.

use super::drag::{pulled, temp_shot::TempShot};
use super::row::Row;
use super::{BenchOptions, median};
use anyhow::{Context, ensure};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use supple_model::Progress;
use supple_project::method::RealNumerics;
use supple_project::shot::Goal;
use supple_session::{Document, Home, Session, Snapshot as Answer, View};
use supple_studio::{Headless, Shape, Surface};

/// Moves of the mouse that are timed.
const MOVES: usize = 60;
/// How far the mouse goes, as a part of the size.
const FAR: f64 = 0.03;
/// How often a display shows something new.
const DISPLAY: Duration = Duration::from_micros(16_667);
/// Nothing takes this long.
const PATIENCE: Duration = Duration::from_secs(600);

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut stage = TempShot::bridge(options, 1000, 240, progress)?;
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
    let mut session = Session::new(document, &home, Arc::<RealNumerics>::default(), wake);
    let view = View { frame: 120, playing: Some(60), input: true, ..View::default() };
    let generation = session.document.generation();
    wait(&mut session, &view, &woken, |answer| {
        answer.is_current(generation)
            && answer.report.as_ref().is_some_and(|told| told.generation == generation)
    })?;
    let opening =
        Row { modes: Some(1000), ..Row::new(&stage.name, "opening, solved", begin.elapsed().as_secs_f64()) };
    let mut rows = vec![opening];
    rows.extend(moves(&stage.name, &mut session, view, &woken)?);
    drop(session);
    rows.extend(frames_of_the_window(&stage, &home)?);
    Ok(rows)
}

/// Drags a handle about, without a pause and then as fast as a display shows it.
fn moves(name: &str, session: &mut Session, view: View, woken: &Receiver<()>) -> anyhow::Result<[Row; 5]> {
    let stage = session.solver.answer().stage.context("nothing is on the stage")?;
    session.document.begin_gesture("Drag handle");
    let view = View { hand: Some(0), ..view };
    session.update(&view);
    std::thread::sleep(Duration::from_millis(300));
    let busy = drag(session, &view, woken, Duration::ZERO)?;
    let paced = drag(session, &view, woken, DISPLAY)?;
    session.document.commit_gesture();
    let worst = busy.worst.max(paced.worst);
    ensure!(worst < 1e-3, "{name}: the handle is off by {worst:e} of the size");
    let (points, triangles) = (stage.rest.len(), stage.triangles.len());
    let row = |work: String, seconds| Row {
        elements: Some(triangles),
        modes: Some(stage.modes),
        residual: Some(worst),
        ..Row::new(name, &work, seconds)
    };
    Ok([
        row(format!("mouse move to buffers of {points} points, exact, 1 handle"), median(busy.all)),
        row("of that on the thread of the window".to_owned(), median(busy.own)),
        row("between two frames played meanwhile".to_owned(), busy.between),
        row("mouse move to buffers, 60 moves a second".to_owned(), median(paced.all)),
        row("between two frames played meanwhile, 60 moves a second".to_owned(), paced.between),
    ])
}

/// Times of a drag.
struct Times {
    /// From each move to its buffers.
    all: Vec<f64>,
    /// Of that on the thread of the window.
    own: Vec<f64>,
    /// Between two frames of the right viewport.
    between: f64,
    /// The largest error of the handle, as a part of the size.
    worst: f64,
}

/// Moves the handle once around, a move every `pace` or as soon as the one before is seen.
fn drag(session: &mut Session, view: &View, woken: &Receiver<()>, pace: Duration) -> anyhow::Result<Times> {
    let stage = session.solver.answer().stage.context("nothing is on the stage")?;
    let shape = Shape::of_stage(&stage);
    let Goal::By(from) = session.document.shot().edit.handles[0].goal else {
        anyhow::bail!("it moves by something")
    };
    let mut times = Times { all: Vec::new(), own: Vec::new(), between: 0.0, worst: 0.0 };
    let (mut played, mut last) = (0_usize, None);
    let first = Instant::now();
    for step in 0..MOVES {
        let turn = std::f64::consts::TAU * step as f64 / MOVES as f64;
        let radius = 0.5 * FAR * stage.size;
        let by = [from[0] + radius * turn.sin(), from[1], from[2] + radius * (1.0 - turn.cos())];
        let begin = Instant::now();
        session.document.update_gesture(|shot| shot.edit.handles[0].goal = Goal::By(by));
        let generation = session.document.generation();
        session.update(view);
        let said = begin.elapsed();
        let answer = wait(session, view, woken, |answer| {
            answer.shown.as_ref().is_some_and(|shown| shown.generation == generation)
        })?;
        let shown = answer.shown.context("nothing is shown")?;
        let drawing = Instant::now();
        let surface = Surface::new(shown.points.drawn.clone(), &shape);
        ensure!(surface.normals.len() == stage.rest.len(), "a normal for every point");
        times.own.push((said + drawing.elapsed()).as_secs_f64());
        times.all.push(begin.elapsed().as_secs_f64());
        times.worst = times.worst.max(answer.step.map_or(0.0, |step| step.error));
        std::thread::sleep(pace.saturating_sub(begin.elapsed()));
        let now = session.solver.answer().played.map(|played| played.generation);
        played += usize::from(now != last);
        last = now;
    }
    times.between = first.elapsed().as_secs_f64() / played.max(1) as f64;
    Ok(times)
}

/// Opens the shot, looks at everything, drags a point about and waits for the report, counting frames of the window.
fn frames_of_the_window(stage: &TempShot, home: &Home) -> anyhow::Result<[Row; 2]> {
    let mut window =
        Headless::new(Document::open(&stage.path(), home)?, home, Arc::<RealNumerics>::default());
    window.show_all();
    let mut seconds = Vec::new();
    until(&mut window, &mut seconds, is_told)?;
    let (mut vertex, there) =
        (0, window.studio().answer().stage.as_ref().map_or(0, |stage| stage.rest.len()));
    while window.studio().session().document.undo_steps().count() == 0 {
        ensure!(vertex < there, "no vertex can be grabbed");
        window.press(vertex as u32);
        for step in 0..MOVES {
            window.move_by(0.2 * (step % 7) as f32, -0.5);
            seconds.push(paced(&mut window));
        }
        window.release();
        seconds.push(paced(&mut window));
        seconds.push(paced(&mut window));
        vertex += there / 16;
    }
    until(&mut window, &mut seconds, is_told)?;
    let worst = seconds.iter().fold(0.0, |worst: f64, x| worst.max(*x));
    let work = format!("frame of the window, all shown, worst of {}", seconds.len());
    Ok([
        Row::new(&stage.name, "frame of the window, all shown", median(seconds)),
        Row::new(&stage.name, &work, worst),
    ])
}

/// A frame of the window, and the rest of a sixtieth of a second.
fn paced(window: &mut Headless) -> f64 {
    let seconds = window.frame();
    std::thread::sleep(DISPLAY.saturating_sub(Duration::from_secs_f64(seconds)));
    seconds
}

/// Whether all there is to know of the document as it is was told.
fn is_told(window: &Headless) -> bool {
    let (answer, generation) = (window.studio().answer(), window.studio().session().document.generation());
    let reported = answer.report.as_ref().is_some_and(|told| told.generation == generation);
    let seen = answer.seen.as_ref().is_some_and(|seen| seen.generation == generation);
    answer.is_current(generation) && reported && seen
}

/// Goes on until something is so.
fn until(
    window: &mut Headless,
    seconds: &mut Vec<f64>,
    done: impl Fn(&Headless) -> bool,
) -> anyhow::Result<()> {
    let begin = Instant::now();
    while !done(window) {
        if let Some(failure) = &window.studio().answer().failure {
            anyhow::bail!("{failure}");
        }
        ensure!(begin.elapsed() < PATIENCE, "no answer");
        seconds.push(paced(window));
    }
    Ok(())
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
