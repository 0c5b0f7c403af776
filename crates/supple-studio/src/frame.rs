//! One frame of the window: what the solver has to show is read, everything is drawn and acted on, and what is wanted
//! next is said.

use crate::messages::Message;
use crate::tab::Tab;
use crate::{Studio, dialog_flow, keys, menu, panels, timeline, viewport};
use eframe::egui;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_project::method::Stage;
use supple_session::{Extras, Timeline};

impl Studio {
    /// Opens or imports files that came together, as when they are dropped on the window.
    pub fn open_files(&mut self, paths: &[PathBuf]) {
        dialog_flow::take_dropped(self, paths);
    }

    /// Takes what the solver has to show, and what follows from it.
    fn read_snapshot(&mut self, now: f64) -> Option<f64> {
        self.snapshot = self.session.solver.answer();
        if let Some(stage) = self.snapshot.stage.clone() {
            self.timeline = Timeline::of(self.session.document.shot(), &stage);
            self.frame_once(&stage);
        } else {
            // What was shown is of another document.
            self.timeline = Timeline::of(self.session.document.shot(), &Stage::default());
        }
        let handles = self.session.document.shot().edit.handle_count();
        self.selected = self.selected.filter(|handle| *handle < handles);
        let segments = self.session.document.shot().edit.segments.len();
        self.segment = self.segment.filter(|segment| *segment < segments);
        let poses = self.session.document.shot().edit.all_poses().count();
        self.pose = self.pose.filter(|pose| *pose < poses);
        self.view.frame = self.view.frame.min(self.timeline.clock.frames.saturating_sub(1));
        let next = self.playing.advance(now, &self.timeline);
        self.view.playing = Some(self.playing.frame);
        next
    }

    /// What is seen of the motion at once.
    fn extras(&self) -> Extras {
        let last = self.timeline.clock.frames.saturating_sub(1);
        let count = self.look.strobe_frames.max(2);
        let strobe = match self.look.strobe {
            true => (0..count).map(|k| k * last / (count - 1)).collect(),
            false => Vec::new(),
        };
        // The plots of a path need what streamers are drawn of.
        let traced = self.look.streamers || self.panel == Tab::Report;
        let traces = if traced { panels::traced(self) } else { Vec::new() };
        Extras { strobe, traces }
    }

    /// Says what is wanted next, and takes in what jobs came to.
    fn say_wishes(&mut self, ctx: &egui::Context) {
        // Partial keys are told from where the input has them.
        self.view.input = self.look.ghost || self.has_segments();
        self.view.strain = self.look.strain;
        self.view.pose = self.posing.as_ref().map(|posing| posing.draft.ask().clone());
        let extras = self.extras();
        if *self.view.extras != extras {
            self.view.extras = Arc::new(extras);
        }
        let (_, notices) = self.session.update(&self.view);
        notices.into_iter().for_each(|notice| self.toasts.say(Message::Session(notice)));
        if let Some(wait) = self.session.wants_update_in() {
            ctx.request_repaint_after(wait.max(Duration::from_millis(10)));
        }
    }

    fn take_dropped_files(&mut self, ctx: &egui::Context) {
        let dropped = ctx.input(|input| input.raw.dropped_files.clone());
        let paths: Vec<PathBuf> = dropped.iter().map(|file| file.path().to_path_buf()).collect();
        self.open_files(&paths);
    }
}

impl eframe::App for Studio {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.show(ui);
    }

    fn on_exit(&mut self) {
        self.settings.write();
    }
}

impl Studio {
    /// One frame of the window.
    pub(crate) fn show(&mut self, ui: &mut egui::Ui) {
        let begin = Instant::now();
        let ctx = ui.ctx().clone();
        let now = ctx.input(|input| input.time);
        let next = self.read_snapshot(now);
        self.mouse = ctx.pointer_latest_pos().or(self.mouse);
        self.take_dropped_files(&ctx);
        keys::act(self, &ctx);
        self.follow_probe();
        self.follow_posed();
        menu::show(self, ui);
        timeline::show(self, ui);
        panels::show(self, ui);
        viewport::show_both(self, ui);
        dialog_flow::show(self, &ctx);
        self.toasts.show(&ctx, self.rects[1].right_top());
        self.say_wishes(&ctx);
        self.settings.remember(&ctx, self.panel);
        if let Some(next) = next {
            ctx.request_repaint_after(Duration::from_secs_f64(next.clamp(0.001, 1.0)));
        }
        let title = format!("{}{} — Supple", self.session.document.title(), self.mark());
        // Saying it again would draw the window again, and so on.
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        self.frame_seconds = begin.elapsed().as_secs_f64();
    }
}
