//! A shot whose files are not there: which they are, and a way to say where they are now.

use crate::Studio;
use crate::widgets::id;
use eframe::egui::{Align2, Area, Frame, Id, Rect, Ui};

/// Says it in the middle of a viewport that has nothing to show.
pub fn show(studio: &mut Studio, ui: &Ui, rect: Rect) {
    if studio.snapshot.failure.is_none() || studio.dialogs.is_modal() {
        return;
    }
    let generation = studio.session.document.generation();
    if studio.missing.as_ref().is_none_or(|(of, _)| *of != generation) {
        studio.missing = Some((generation, studio.session.document.shot().missing()));
    }
    let missing = studio.missing.as_ref().map_or(Vec::new(), |(_, missing)| missing.clone());
    if missing.is_empty() {
        return;
    }
    let area = Area::new(Id::unique("missing")).pivot(Align2::CENTER_CENTER).fixed_pos(rect.center());
    area.show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width((rect.width() - 40.0).max(120.0));
            for (k, file) in missing.iter().take(6).enumerate() {
                ui.label(format!("Missing file: {}", file.display()));
                let button = ui.button("Locate …").on_hover_text("Choose the file; the shot is updated");
                let button = button.accessible_name(format!("Locate {}", file.display()));
                if id(button, &format!("locate-{k}")).clicked() {
                    studio.dialogs.locate(file);
                }
            }
        });
    });
}
