//! Widgets that several rooms of the window share: dialogs, what is wrong with a field, names that stay.

use crate::colours;
use eframe::egui::text::{CCursor, CCursorRange};
use eframe::egui::text_edit::TextEditState;
use eframe::egui::{Context, Id, Key, Label, Modal, Modifiers, Popup, Response, RichText, ScrollArea, Ui};

/// Gives a widget a name of its own that stays when its words change: for tests, and for programs that drive the window.
pub fn id(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_author_id(name));
    response
}

/// Puts the keyboard into a field, whose text gives way to what is typed.
pub fn take_up(field: &Response, text: &str) {
    field.request_focus();
    let mut state = TextEditState::load(&field.ctx, field.id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(all));
    state.store(&field.ctx, field.id);
}

/// A dialog in the middle of the window; answers whether it was closed by Esc.
pub fn modal(ctx: &Context, title: &str, width: f32, content: impl FnOnce(&mut Ui)) -> bool {
    let has_popup = Popup::is_any_open(ctx);
    let shown = Modal::new(Id::unique(title)).show(ctx, |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 40.0));
        ui.heading(title);
        ui.add_space(6.0);
        content(ui);
    });
    // Esc closes what has popped up in it, or over it, first.
    let is_meant = shown.is_top_modal && !has_popup;
    is_meant && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
}

/// What is in a large dialog above its buttons: in a small window it is scrolled.
pub fn scrolled(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = ui.ctx().content_rect().height() - 130.0;
    ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, content);
}

/// Says beside a field what is wrong with it.
pub fn field_error(ui: &mut Ui, words: &str) {
    let colour = colours::text(colours::RED, ui.visuals());
    ui.add(Label::new(RichText::new(words).color(colour)).wrap());
}
