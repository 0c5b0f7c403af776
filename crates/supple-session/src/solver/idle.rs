//! What the solver does when there is nothing more urgent: probes, the report, what is seen at once.

use super::shared::Shared;
use super::worker::Worker;
use crate::picture::Made;
use crate::{Generation, Picture, Probe, Reported, Seen, Wanted, Work};
use std::sync::Arc;
use supple_model::Progress;
use supple_project::method::{Live, Play, Stage};

impl Worker {
    /// How far the edit moves the vertex that was asked for.
    pub fn probe(&mut self, wanted: &Wanted) {
        let (Some(vertex), Some(settled), Some(opened)) = (wanted.probe, &self.settled, &mut self.opened)
        else {
            return;
        };
        let live = &mut opened.live;
        let stage = live.stage();
        let frame = stage.nearest(wanted.frame);
        if !stage.can_edit() || vertex as usize >= stage.rest.len() {
            return;
        }
        let by = live.moved_by(vertex, frame);
        let probe = Probe { generation: settled.generation, vertex, frame, by };
        self.shared.publish(|snapshot| snapshot.probe = Some(probe));
    }

    /// What is seen at once, frame by frame; wishes for other frames are served in between.
    pub fn see(&mut self, wanted: &Wanted) {
        let (Some(settled), Some(opened)) = (&self.settled, &mut self.opened) else { return };
        let live = &mut opened.live;
        let (generation, extras, stage) = (settled.generation, wanted.extras.clone(), live.stage().clone());
        let of = Some((generation, extras.clone()));
        if self.seen == of {
            return;
        }
        let none = || vec![Vec::new(); extras.traces.len()];
        let mut seen = Seen {
            generation,
            strobe: Vec::new(),
            traces: none(),
            input_traces: none(),
            force: extras.traces.first().map(|vertex| live.force_at(*vertex)).unwrap_or_default(),
            extras: extras.clone(),
        };
        let traced = if extras.traces.is_empty() { 0 } else { stage.clock.frames };
        let strobe = extras.strobe.iter().map(|frame| (*frame, true));
        for (frame, is_strobe) in strobe.chain((0..traced).map(|frame| (frame, false))) {
            if self.shared.is_overtaken(wanted) {
                return;
            }
            if let Some(newer) = self.shared.other_frames(wanted) {
                serve(&self.shared, live.as_mut(), &stage, &newer, generation);
                (self.wanted, self.shown) = (Some(newer), None);
            }
            if is_strobe {
                seen.strobe.push(live.points(stage.nearest(frame)).drawn);
                continue;
            }
            let (edited, input) = (live.points(frame).drawn, live.input(frame));
            for (k, vertex) in extras.traces.iter().enumerate() {
                seen.traces[k].extend(edited.get(*vertex as usize));
                seen.input_traces[k].extend(input.drawn.get(*vertex as usize));
            }
        }
        self.seen = of;
        let seen = Arc::new(seen);
        self.shared.publish(|snapshot| snapshot.seen = Some(seen));
    }

    /// What the edit comes to.
    pub fn report(&mut self, wanted: &Wanted) {
        let (Some(settled), Some(opened)) = (&self.settled, &mut self.opened) else { return };
        let (generation, live) = (settled.generation, &mut opened.live);
        if self.reported == Some(generation) || !live.stage().can_edit() {
            return;
        }
        let progress = self.shared.begin(wanted, Progress::silent());
        self.shared.publish(|snapshot| snapshot.work = Work::Reporting);
        let (shared, stage) = (self.shared.clone(), live.stage().clone());
        let (latest, shown) = (&mut self.wanted, &mut self.shown);
        let report = live.report(&progress, &mut |play| {
            if let Some(newer) = shared.other_frames(wanted) {
                serve(&shared, play, &stage, &newer, generation);
                *shown = None;
                *latest = Some(newer);
            }
        });
        self.shared.end();
        self.shared.publish(|snapshot| snapshot.work = Work::Idle);
        if let Ok(report) = report {
            let settle_seconds = self.settle_seconds;
            let reported = Arc::new(Reported { generation, report, settle_seconds });
            self.reported = Some(generation);
            self.shared.publish(|snapshot| snapshot.report = Some(reported));
        }
    }
}

/// Shows a step on the way to an edit, in the frames that are wanted by now. It is of no state of the document: it is not yet
/// what that says.
pub(super) fn show_iterate(shared: &Shared, live: &mut dyn Live, wanted: &Wanted) {
    let latest = shared.other_frames(wanted);
    let (stage, iterate) = (live.stage().clone(), live.iterate());
    serve(shared, live, &stage, latest.as_ref().unwrap_or(wanted), Generation::default());
    shared.publish(|snapshot| (snapshot.iterate, snapshot.stage) = (iterate, Some(stage)));
    if let Some(latest) = latest {
        shared.put_back(latest);
    }
}

/// Shows the frames of a wish from what plays an edit.
fn serve(shared: &Shared, play: &mut dyn Play, stage: &Arc<Stage>, wanted: &Wanted, generation: Generation) {
    let mut picture = |frame: usize| {
        let frame = stage.nearest(frame);
        let points = play.points(frame);
        Picture::of(play, stage, wanted, Made { generation, frame, points })
    };
    let shown = picture(wanted.frame);
    let played = wanted.playing.map(picture);
    shared.publish(|snapshot| {
        snapshot.shown = Some(shown);
        snapshot.played = played.or(snapshot.played.take());
    });
}
