//! What a person should hear of, for a while.

use crate::messages::Message;
use eframe::egui::{self, Align2, Color32, RichText, vec2};

/// Seconds good news stays, and bad news, which takes longer to read; either can be closed before.
const STAYS: f64 = 6.0;
const STAYS_BAD: f64 = 20.0;
const MOST: usize = 5;

/// What was said.
#[derive(Debug, Default)]
pub struct Toasts {
    said: Vec<Toast>,
}

/// One message on the screen.
#[derive(Debug)]
struct Toast {
    message: Message,
    /// Its words.
    text: String,
    /// When it goes; not known before it is seen.
    until: Option<f64>,
}

impl Toasts {
    /// Says something.
    pub fn say(&mut self, message: Message) {
        let text = message.to_string();
        self.said.retain(|toast| !message.supersedes(&toast.message));
        // What would read as the last one does is not shown twice; nothing else hangs on the words.
        self.said.pop_if(|last| last.text == text);
        self.said.push(Toast { message, text, until: None });
        if self.said.len() > MOST {
            self.said.remove(0);
        }
    }

    /// What is said at the moment.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.said.iter().map(|toast| toast.text.as_str())
    }

    /// Shows it below a corner at the top right of something, where it covers no controls.
    pub fn show(&mut self, ctx: &egui::Context, corner: egui::Pos2) {
        let now = ctx.input(|input| input.time);
        for toast in &mut self.said {
            toast.until.get_or_insert(now + if toast.message.is_error() { STAYS_BAD } else { STAYS });
        }
        self.said.retain(|toast| toast.until.is_some_and(|until| now < until));
        let next = self.said.iter().filter_map(|toast| toast.until);
        if let Some(next) = next.reduce(f64::min) {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64((next - now).max(0.0)));
        }
        if self.said.is_empty() {
            return;
        }
        let mut closed = None;
        let area = egui::Area::new(egui::Id::unique("toasts"));
        area.pivot(Align2::RIGHT_TOP).fixed_pos(corner + vec2(-10.0, 40.0)).show(ctx, |ui| {
            for (index, toast) in self.said.iter().enumerate() {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(400.0);
                    ui.horizontal_top(|ui| {
                        let (mark, colour) = match toast.message.is_error() {
                            true => ("!", crate::colours::RED),
                            false => ("i", crate::colours::SKY),
                        };
                        let colour = crate::colours::text(colour, ui.visuals());
                        ui.label(RichText::new(mark).color(colour));
                        ui.add(egui::Label::new(RichText::new(&toast.text).color(text(ui))).wrap());
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
