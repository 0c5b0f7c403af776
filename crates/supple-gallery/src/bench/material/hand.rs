//! | work | is | residual |
//! |---|---|---|
//! | live step | a move of the hand, motion and material with it, and the frame that is edited | how far the worst hard handle is off |

use super::case::Case;
use crate::bench::median;
use crate::bench::row::Row;
use anyhow::Context;
use std::time::Instant;
use supple_model::{Frame, Progress};
use supple_project::Body;
use supple_project::method::{Live, Numerics, RealNumerics};

/// What was published: about five frames a second.
const PUBLISHED: f64 = 0.2;

pub fn rows(case: &Case) -> anyhow::Result<Vec<Row>> {
    let (shot, silent) = (&case.shot, Progress::silent());
    let mut opened: Option<Box<dyn Live>> = None;
    RealNumerics::default().open(shot, &case.cache(), &silent, &mut |live| opened = Some(live))?;
    let mut live = opened.context("the shot opens")?;
    live.ask(&shot.edit, &silent)?;
    live.settle(&silent)?;
    let when = shot.edit.handles[1].when.whole().and_then(|mut frames| frames.next());
    let frame = when.and_then(|number| live.stage().clock.index(Frame(number)));
    let frame = frame.context("the handle has a frame")?;
    live.grab(1, frame, &silent)?;
    let mut seconds = Vec::new();
    let mut error = 0.0_f64;
    for step in 1..=30 {
        let turn = 0.2 * f64::from(step);
        let begin = Instant::now();
        error = live.drag([0.05 * turn.sin(), 0.0, 0.05 * (1.0 - turn.cos())], &silent)?;
        let _ = live.points(frame);
        seconds.push(begin.elapsed().as_secs_f64());
    }
    let body = Body::load(shot)?;
    let row = Row {
        elements: Some(body.matter.elements()),
        modes: Some(shot.edit.modes),
        published_seconds: Some(PUBLISHED),
        residual: Some(error),
        ..Row::new(case.name, "live step", median(seconds))
    };
    Ok(vec![row])
}
