//! What a person should hear of, for a while.

use eframe::egui::{self, Align2, Color32, RichText, vec2};
use supple_project::session::Notice;

/// Seconds good news stays, and bad news, which takes longer to read; either can be closed before.
const STAYS: f64 = 6.0;
const STAYS_BAD: f64 = 20.0;
const MOST: usize = 5;

/// What was said.
#[derive(Debug, Default)]
pub struct Toasts {
    said: Vec<(Notice, Option<f64>)>,
}

impl Toasts {
    /// Says something.
    pub fn say(&mut self, notice: Notice) {
        if self.said.last().is_some_and(|(last, _)| *last == notice) {
            self.said.pop();
        }
        self.said.push((notice, None));
        if self.said.len() > MOST {
            self.said.remove(0);
        }
    }

    /// Says that something is done.
    pub fn good(&mut self, text: impl Into<String>) {
        self.say(Notice { text: text.into(), is_error: false });
    }

    /// Says that something is done, instead of what was said like it before.
    pub fn instead(&mut self, begins: &str, text: impl Into<String>) {
        self.said.retain(|(notice, _)| notice.is_error || !notice.text.starts_with(begins));
        self.good(text);
    }

    /// Says that something went wrong.
    pub fn bad(&mut self, text: impl Into<String>) {
        self.say(Notice { text: text.into(), is_error: true });
    }

    /// What is said at the moment.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.said.iter().map(|(notice, _)| notice.text.as_str())
    }

    /// Shows it below a corner at the top right of something, where it covers no controls.
    pub fn show(&mut self, ctx: &egui::Context, corner: egui::Pos2) {
        let now = ctx.input(|input| input.time);
        for (notice, until) in &mut self.said {
            until.get_or_insert(now + if notice.is_error { STAYS_BAD } else { STAYS });
        }
        self.said.retain(|(_, until)| until.is_some_and(|until| now < until));
        let next = self.said.iter().filter_map(|(_, until)| *until);
        if let Some(next) = next.reduce(f64::min) {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64((next - now).max(0.0)));
        }
        if self.said.is_empty() {
            return;
        }
        let mut closed = None;
        let area = egui::Area::new(egui::Id::unique("toasts"));
        area.pivot(Align2::RIGHT_TOP).fixed_pos(corner + vec2(-10.0, 40.0)).show(ctx, |ui| {
            for (index, (notice, _)) in self.said.iter().enumerate() {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(400.0);
                    ui.horizontal_top(|ui| {
                        let (mark, colour) = match notice.is_error {
                            true => ("!", crate::colours::RED),
                            false => ("i", crate::colours::SKY),
                        };
                        let colour = crate::colours::text(colour, ui.visuals());
                        ui.label(RichText::new(mark).color(colour));
                        ui.add(egui::Label::new(RichText::new(&notice.text).color(text(ui))).wrap());
                        let close = ui.small_button("×").on_hover_text("Close");
                        if close.accessible_name("Close notice").clicked() {
                            closed = Some(index);
                        }
                    });
                });
            }
        });
        if let Some(index) = closed {
            self.said.remove(index);
        }
    }
}

fn text(ui: &egui::Ui) -> Color32 {
    ui.visuals().strong_text_color()
}
