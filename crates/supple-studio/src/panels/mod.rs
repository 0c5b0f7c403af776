//! The panels beside the viewports.

mod body;
mod handle;
mod handles;
mod look;
mod method;
mod number;
mod plots;
mod poses;
mod report;

use crate::Studio;
use crate::draft::Draft;
use crate::tab::{TABS, Tab};
use crate::widgets::id;
use eframe::egui::{self, Ui};
use supple_project::shot::{Goal, Shot, Site};

/// Shows the panel that is chosen.
pub fn show(studio: &mut Studio, ui: &mut Ui) {
    egui::Panel::right("panel").default_size(345.0).min_size(250.0).show(ui, |ui| {
        // What is in it never makes it wider: words that come and go must not push the views about.
        let all = ui.available_rect_before_wrap();
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(all));
        inner.set_clip_rect(all.expand(4.0).intersect(ui.clip_rect()));
        ui.advance_cursor_after_rect(all);
        let ui = &mut inner;
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            for (tab, name, hint) in TABS {
                let choice = ui.selectable_value(&mut studio.panel, tab, name).on_hover_text(hint);
                let choice = id(choice, &format!("tab-{}", name.to_lowercase()));
                // What is wrong does not go along to another panel.
                if choice.changed() && studio.draft.is_wrong {
                    studio.draft = Draft::default();
                }
            }
        });
        ui.separator();
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| match studio.panel {
            Tab::Handles => handles::show(studio, ui),
            Tab::Body => body::show(studio, ui),
            Tab::Method => method::show(studio, ui),
            Tab::Look => look::show(studio, ui),
            Tab::Report => report::show(studio, ui),
        });
    });
}

/// The vertices whose ways are shown: those handles hold, the selected one first.
pub fn traced(studio: &Studio) -> Vec<u32> {
    let edit = &studio.session.document.shot().edit;
    let selected = studio.selected.and_then(|index| edit.handle(index));
    let mut vertices = Vec::new();
    // What stands has no way to speak of.
    let others = edit.all_handles().map(|(_, handle)| handle);
    let others = others.filter(|handle| !matches!(handle.goal, Goal::Stay { .. } | Goal::Orientation(_)));
    for handle in selected.into_iter().chain(others) {
        let vertex = match &handle.site {
            Site::Vertices(list) => list.first().map(|v| v.0),
            site => studio.vertex_of(site),
        };
        if let Some(vertex) = vertex.filter(|vertex| !vertices.contains(vertex)) {
            vertices.push(vertex);
        }
    }
    vertices.truncate(6);
    vertices
}

/// Shows fields of the shot.
fn fields(studio: &mut Studio, ui: &mut Ui, show: impl FnOnce(&mut Ui, &mut Shot, &mut Draft)) {
    let generation = studio.session.document.generation();
    let mut draft = std::mem::take(&mut studio.draft);
    let mut shot = match draft.of.take() {
        Some((of, shot)) if of == generation && draft.is_dirty => shot,
        _ => {
            draft.is_dirty = false;
            Shot::clone(studio.session.document.shot())
        }
    };
    (draft.is_active, draft.is_wrong) = (false, false);
    show(ui, &mut shot, &mut draft);
    // What the document has is right, or it would not have been read.
    if draft.is_dirty && draft.is_wrong {
        draft.is_dirty = !id(ui.button("Revert invalid values"), "revert").clicked();
        draft.of = draft.is_dirty.then_some((generation, shot));
    } else if draft.is_dirty && !draft.is_active {
        draft.is_dirty = false;
        studio.session.document.change(draft.step, |document| *document = shot);
    } else if draft.is_dirty {
        draft.of = Some((generation, shot));
    }
    studio.draft = draft;
}
