//! All of the studio, and one frame of its window.

use crate::camera::{Camera, Vec3};
use crate::dialogs::Dialogs;
use crate::framing::Framed;
use crate::hand::{Hand, Press};
use crate::look::Look;
use crate::panels::Draft;
use crate::pictures::Pictures;
use crate::playing::Playing;
use crate::scene::SceneRenderer;
use crate::settings::Settings;
use crate::thumbnails::Thumbnails;
use crate::toasts::Toasts;
use crate::{keys, menu, panels, timeline, viewport};
use eframe::egui;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use supple_project::method::{Numerics, Stage};
use supple_project::session::{
    Answer, Document, Extras, Generation, Home, Notice, Recoverable, Session, Timeline, View,
};

/// About what a viewport is, before anything was laid out.
const FIRST_RECT: egui::Rect = egui::Rect { min: egui::pos2(0.0, 0.0), max: egui::pos2(500.0, 640.0) };

/// The studio.
pub struct Studio {
    pub(crate) session: Session,
    /// What the window looks at.
    pub(crate) view: View,
    /// What there is to see.
    pub(crate) answer: Answer,
    pub(crate) timeline: Timeline,
    /// The eyes of the left and the right viewport.
    pub(crate) cameras: [Camera; 2],
    /// Whether both are the same.
    pub(crate) linked: bool,
    /// Where the viewports are in the window.
    pub(crate) rects: [egui::Rect; 2],
    /// The viewport the mouse is or was over, which keys are for where the viewports differ.
    pub(crate) over: usize,
    /// Where the mouse is, or was last.
    pub(crate) mouse: Option<egui::Pos2>,
    pub(crate) playing: Playing,
    pub(crate) look: Look,
    /// The handle that is selected, by its place in the shot.
    pub(crate) selected: Option<usize>,
    /// The vertices that were selected by a box or a group.
    pub(crate) picked: Vec<u32>,
    pub(crate) press: Option<Press>,
    pub(crate) hand: Option<Hand>,
    /// Whether the next vertex that is clicked is what the selected handle is seen from.
    pub(crate) picks_relative: bool,
    /// Whether the next drag draws a box, whatever is under it.
    pub(crate) draws_box: bool,
    pub(crate) draft: Draft,
    pub(crate) panel: panels::Tab,
    pub(crate) dialogs: Dialogs,
    pub(crate) toasts: Toasts,
    pub(crate) pictures: Pictures,
    /// Of the samples.
    pub(crate) thumbnails: Thumbnails,
    /// How many triangles of the body both viewports draw.
    pub(crate) triangles: [Arc<AtomicUsize>; 2],
    /// Whether a picture takes long here.
    pub(crate) is_slow: bool,
    /// Whether anything was dragged yet; the hint goes then.
    pub(crate) has_dragged: bool,
    /// Seconds the last frame of the window took on its thread.
    pub(crate) frame_seconds: f64,
    /// What the window is called.
    title: String,
    /// What the cameras were set for.
    pub(crate) framed: Option<Framed>,
    /// Where the body was that both eyes go along with, when they began to.
    pub(crate) follows: Option<Vec3>,
    /// What the timeline says of what is under the mouse.
    pub(crate) hint: &'static str,
    /// The vertex under the mouse, which a press would take.
    pub(crate) hovered: Option<u32>,
    /// Where the mouse was when that was found, the picture, the eye and the handle that was selected.
    pub(crate) hovered_of: Option<(Option<egui::Pos2>, usize, Camera, Option<usize>)>,
    /// The files that a state of the document misses.
    pub(crate) missing: Option<(Generation, Vec<PathBuf>)>,
    /// What is remembered of the window.
    settings: Settings,
}

impl Studio {
    /// A studio in a window that is being made. What killed processes `left` is offered to be recovered.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        document: Document,
        home: &Home,
        numerics: Arc<dyn Numerics>,
        left: Vec<Recoverable>,
    ) -> Self {
        let is_slow = context.wgpu_render_state.as_ref().is_some_and(SceneRenderer::install);
        let mut studio = Self::in_context(&context.egui_ctx, document, home, numerics, left);
        (studio.is_slow, studio.look.coarse) = (is_slow, is_slow);
        studio
    }

    /// A studio whose viewports stay empty.
    pub(crate) fn in_context(
        ctx: &egui::Context,
        document: Document,
        home: &Home,
        numerics: Arc<dyn Numerics>,
        left: Vec<Recoverable>,
    ) -> Self {
        crate::colours::set_themes(ctx);
        let settings = Settings::of(home);
        settings.apply(ctx);
        let panel = settings.panel();
        let ctx = ctx.clone();
        let session = Session::new(document, home, numerics, move || ctx.request_repaint());
        let timeline = Timeline::of(session.document.shot(), &Stage::default());
        Self {
            session,
            view: View { input: true, playing: Some(0), ..View::default() },
            answer: Answer::default(),
            timeline,
            cameras: [Camera::default(); 2],
            linked: true,
            rects: [FIRST_RECT; 2],
            over: 0,
            mouse: None,
            playing: Playing::default(),
            look: Look::default(),
            selected: None,
            picked: Vec::new(),
            press: None,
            hand: None,
            picks_relative: false,
            draws_box: false,
            draft: Draft::default(),
            panel,
            dialogs: Dialogs::new(left),
            toasts: Toasts::default(),
            pictures: Pictures::default(),
            thumbnails: Thumbnails::default(),
            triangles: Default::default(),
            is_slow: false,
            has_dragged: false,
            frame_seconds: 0.0,
            title: String::new(),
            framed: None,
            follows: None,
            hint: "",
            hovered: None,
            hovered_of: None,
            missing: None,
            settings,
        }
    }

    /// The session, to look into.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What there is to see at the moment.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// What is being said to the person.
    pub fn notices(&self) -> impl Iterator<Item = &str> {
        self.toasts.texts()
    }

    /// The frame that is edited, counted from 0.
    #[must_use]
    pub fn frame(&self) -> usize {
        self.view.frame
    }

    /// The frame that is played, counted from 0.
    #[must_use]
    pub fn playing_frame(&self) -> usize {
        self.playing.frame
    }

    /// How many triangles of the body the left viewport draws.
    #[must_use]
    pub fn drawn_triangles(&self) -> usize {
        self.triangles[0].load(Ordering::Relaxed)
    }

    /// Where the left viewport shows a vertex, in the rectangle it has.
    #[must_use]
    pub fn place_on_screen(&self, vertex: u32, rect: egui::Rect) -> Option<egui::Pos2> {
        let point = self.answer.shown.as_ref()?.points.drawn.get(vertex as usize)?;
        self.point_on_screen(point.map(f64::from), rect)
    }

    /// Where the left viewport shows a point of the scene, in the rectangle it has.
    #[must_use]
    pub fn point_on_screen(&self, point: [f64; 3], rect: egui::Rect) -> Option<egui::Pos2> {
        self.eye(0).project(&Vec3::from(point), rect)
    }

    /// The handle that is selected, by its place in the shot.
    #[must_use]
    pub fn selected(&self) -> Option<usize> {
        self.selected
    }

    /// The vertex under the mouse, which a press would take.
    #[must_use]
    pub fn hovered(&self) -> Option<u32> {
        self.hovered
    }

    /// The vertices that are picked, ascending.
    #[must_use]
    pub fn picked(&self) -> &[u32] {
        &self.picked
    }

    /// Looks for files in a list of its own, as where the system has no dialog for that.
    pub fn use_own_file_list(&mut self) {
        self.dialogs.use_own_list();
    }

    /// Opens or imports files that came together, as when they are dropped on the window.
    pub fn open_files(&mut self, paths: &[PathBuf]) {
        crate::dialogs::take_dropped(self, paths);
    }

    /// Takes what the solver has to show, and what follows from it.
    fn read_answer(&mut self, now: f64) -> Option<f64> {
        self.answer = self.session.solver.answer();
        if let Some(stage) = self.answer.stage.clone() {
            self.timeline = Timeline::of(self.session.document.shot(), &stage);
            self.frame_once(&stage);
        } else {
            // What was shown is of another document.
            self.timeline = Timeline::of(self.session.document.shot(), &Stage::default());
        }
        let handles = self.session.document.shot().edit.handles.len();
        self.selected = self.selected.filter(|handle| *handle < handles);
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
        let traced = self.look.streamers || self.panel == panels::Tab::Report;
        let traces = if traced { panels::traced(self) } else { Vec::new() };
        Extras { strobe, traces }
    }

    /// Says what is wanted next, and takes in what jobs came to.
    fn say_wishes(&mut self, ctx: &egui::Context) {
        (self.view.input, self.view.strain) = (self.look.ghost, self.look.strain);
        let extras = self.extras();
        if *self.view.extras != extras {
            self.view.extras = Arc::new(extras);
        }
        let (_, notices) = self.session.update(&self.view);
        for notice in notices {
            if !notice.text.starts_with("Autosave: cancelled") {
                self.toasts.say(notice);
            }
        }
        if let Some(wait) = self.session.wants_update_in() {
            ctx.request_repaint_after(wait.max(Duration::from_millis(10)));
        }
    }

    /// Says what went wrong, if anything.
    pub(crate) fn hear<T, E: std::fmt::Display>(&mut self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.toasts.say(Notice { text: error.to_string(), is_error: true })).ok()
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
        let next = self.read_answer(now);
        self.mouse = ctx.pointer_latest_pos().or(self.mouse);
        self.take_dropped_files(&ctx);
        keys::act(self, &ctx);
        self.follow_probe();
        menu::show(self, ui);
        timeline::show(self, ui);
        panels::show(self, ui);
        viewport::show_both(self, ui);
        crate::dialogs::show(self, &ctx);
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

    /// A mark behind the title while there is something to save.
    pub(crate) fn mark(&self) -> &'static str {
        if self.session.document.is_changed() { " •" } else { "" }
    }
}
