//! The panel of the method: which one it is, and how it answers.
//!
//! Each method has a file of its own; fields that several have are in `shared`, those of time in `time`.

mod character;
mod control;
mod drag;
mod feel;
mod layers;
mod lively;
mod material;
mod segment;
mod shared;
mod sparse;
mod time;

use crate::Studio;
use crate::segments::{METHODS, method_name};
use crate::widgets::id;
use eframe::egui::{Button, ComboBox, Label, Ui};
use supple_project::shot::Method;

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let method = studio.session.document.shot().edit.method;
    choice(studio, ui, method);
    let about = match method {
        Method::Drag => "Drag a point at any frame; the body and the frames around it follow.",
        Method::Sparse => {
            "Say where a part is, or how fast it moves, at a few frames; the rest of the motion follows."
        }
        Method::Character => {
            "Drag a joint at any frame; the motion before and after follows, and what is planted stays."
        }
        Method::Control => {
            "Key a few poses; the body finds its way from one to the next with the least force, swing included."
        }
        Method::Material => {
            "Drag a point or key a pose; what the body is made of changes so that the motion needs little force."
        }
    };
    ui.add(Label::new(about).wrap());
    ui.separator();
    match method {
        Method::Drag => drag::show(studio, ui),
        Method::Sparse => sparse::show(studio, ui),
        Method::Character => character::show(studio, ui),
        Method::Control => control::show(studio, ui),
        Method::Material => material::show(studio, ui),
    }
}

/// Which method it is, and the others.
fn choice(studio: &mut Studio, ui: &mut Ui, method: Method) {
    ui.horizontal(|ui| {
        let label = ui.label("Editing method");
        let combo = ComboBox::from_id_salt("method").selected_text(method_name(method)).show_ui(ui, |ui| {
            for (other, name) in METHODS {
                let why_not = studio.why_not(other);
                let entry = ui.add_enabled(why_not.is_none(), Button::selectable(other == method, name));
                let entry = entry.on_disabled_hover_text(why_not.unwrap_or_default());
                if id(entry, &format!("method-{}", other.name())).clicked() && other != method {
                    studio.choose_method(other);
                }
            }
        });
        let response = combo.response.on_hover_text("How the motion responds to an edit");
        id(response.labelled_by(label.id), "method");
    });
}

/// What is on the timeline and of the body that fields need to know.
struct Around {
    /// The first and the last frame, the scene's numbers.
    frames: [i32; 2],
    /// What a frame range begins as.
    range: std::ops::RangeInclusive<i32>,
    fps: f64,
    /// Whether anything is opened yet.
    is_open: bool,
    groups: Vec<String>,
}

impl Around {
    fn of(studio: &Studio) -> Self {
        let timeline = &studio.timeline;
        let body = studio.snapshot.stage.as_ref().and_then(|stage| stage.body.as_ref());
        let groups =
            body.map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
        let range = studio.playing.range.clone();
        Self {
            frames: [timeline.number(0), timeline.number(timeline.clock.frames.saturating_sub(1))],
            range: range.unwrap_or_else(|| timeline.around(studio.view.frame)),
            fps: timeline.clock.fps,
            is_open: timeline.clock.frames > 0,
            groups,
        }
    }
}
