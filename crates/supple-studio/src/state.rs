//! All of the studio: what a frame of its window reads and changes.

use crate::camera::{Camera, Framed, Vec3};
use crate::dialogs::Dialogs;
use crate::draft::Draft;
use crate::gesture::Pushing;
use crate::gesture::{Gesture, Press};
use crate::look::Look;
use crate::messages::Message;
use crate::pictures::Pictures;
use crate::playing::Playing;
use crate::posing::Posing;
use crate::scene::SceneRenderer;
use crate::settings::Settings;
use crate::tab::Tab;
use crate::thumbnails::Thumbnails;
use crate::toasts::Toasts;
use eframe::egui;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_project::method::{Numerics, PoseAsk, Shove, Stage};
use supple_session::{
    Document, Generation, Home, Notice, Recoverable, Session, SessionError, Snapshot, Timeline, View,
};

/// About what a viewport is, before anything was laid out.
const FIRST_RECT: egui::Rect = egui::Rect { min: egui::pos2(0.0, 0.0), max: egui::pos2(500.0, 640.0) };

/// The studio.
pub struct Studio {
    pub(crate) session: Session,
    /// What the window looks at.
    pub(crate) view: View,
    /// What there is to see.
    pub(crate) snapshot: Snapshot,
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
    /// The segment that is selected, by its place in the shot.
    pub(crate) segment: Option<usize>,
    /// The pose that is selected, by its place in the shot.
    pub(crate) pose: Option<usize>,
    /// The pose that is being made.
    pub(crate) posing: Option<Posing>,
    /// The vertices that were selected by a box or a group.
    pub(crate) picked: Vec<u32>,
    pub(crate) press: Option<Press>,
    /// The point that is pushed while the motion plays.
    pub(crate) pushing: Option<Pushing>,
    /// The handle that is being moved.
    pub(crate) gesture: Option<Gesture>,
    /// Whether the next vertex that is clicked is what the selected handle is seen from.
    pub(crate) picks_relative: bool,
    /// Whether the next drag draws a box, whatever is under it.
    pub(crate) draws_box: bool,
    pub(crate) draft: Draft,
    pub(crate) panel: Tab,
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
    /// Whether anything was pushed yet; that hint goes then.
    pub(crate) has_pushed: bool,
    /// Seconds the last frame of the window took on its thread.
    pub(crate) frame_seconds: f64,
    /// What the window is called.
    pub(crate) title: String,
    /// What the cameras were set for.
    pub(crate) framed: Option<Framed>,
    /// Where the body was that both eyes go along with, when they began to.
    pub(crate) follows: Option<Vec3>,
    /// What the timeline says of what is under the mouse.
    pub(crate) hint: &'static str,
    /// The vertex under the mouse, which a press would take.
    pub(crate) hovered: Option<u32>,
    /// What that was found for.
    pub(crate) hovered_of: Option<HoveredOf>,
    /// The files that a state of the document misses.
    pub(crate) missing: Option<(Generation, Vec<PathBuf>)>,
    /// What is remembered of the window.
    pub(crate) settings: Settings,
}

/// What the vertex under the mouse hangs on.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct HoveredOf {
    /// Where the mouse is.
    pub at: Option<egui::Pos2>,
    /// The address of the picture.
    pub picture: usize,
    pub eye: Camera,
    /// The handle that is selected.
    pub selected: Option<usize>,
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
            snapshot: Snapshot::default(),
            timeline,
            cameras: [Camera::default(); 2],
            linked: true,
            rects: [FIRST_RECT; 2],
            over: 0,
            mouse: None,
            playing: Playing::default(),
            look: Look::default(),
            selected: None,
            segment: None,
            pose: None,
            posing: None,
            picked: Vec::new(),
            press: None,
            pushing: None,
            gesture: None,
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
            has_pushed: false,
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
    pub fn answer(&self) -> &Snapshot {
        &self.snapshot
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
        let point = self.edited()?.points.drawn.get(vertex as usize)?;
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

    /// The segment that is selected, by its place in the shot.
    #[must_use]
    pub fn selected_segment(&self) -> Option<usize> {
        self.segment
    }

    /// The pose that is selected, by its place in the shot.
    #[must_use]
    pub fn selected_pose(&self) -> Option<usize> {
        self.pose
    }

    /// What is asked of the body that is being posed; nothing while none is.
    #[must_use]
    pub fn posing(&self) -> Option<&PoseAsk> {
        self.posing.as_ref().map(|posing| posing.draft.ask().as_ref())
    }

    /// What pushes the body that plays.
    #[must_use]
    pub fn shove(&self) -> Option<Shove> {
        self.view.shove
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

    /// Says what went wrong, if anything.
    pub(crate) fn hear<T, E: Into<SessionError>>(&mut self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.toasts.say(Message::Failed(error.into()))).ok()
    }

    /// Says that the document was saved.
    pub(crate) fn say_saved(&mut self) {
        let title = self.session.document.title().to_owned();
        self.toasts.say(Message::Session(Notice::Saved(title)));
    }

    /// A mark behind the title while there is something to save.
    pub(crate) fn mark(&self) -> &'static str {
        if self.session.document.is_changed() { " •" } else { "" }
    }
}
