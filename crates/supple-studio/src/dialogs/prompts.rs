//! What has to be asked before something is lost, and the list of keys.

use super::{Leaving, modal};
use crate::{Studio, keys};
use eframe::egui::{Align2, Context, Grid, ScrollArea, ViewportCommand, Window};
use std::time::Duration;
use supple_project::Sample;
use supple_project::session::Recoverable;

/// Asks before a window is closed that has something unsaved.
pub fn hear_close(studio: &mut Studio, ctx: &Context) {
    let is_asked = ctx.input(|input| input.viewport().close_requested());
    if is_asked && !studio.dialogs.quits && studio.session.document.is_changed() {
        ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        studio.dialogs.leaving = Some(Leaving::Quit);
    }
}

pub fn unsaved(studio: &mut Studio, ctx: &Context) {
    if studio.dialogs.leaving.is_none() || studio.dialogs.file.is_some() {
        return;
    }
    if !studio.session.document.is_changed() {
        // It was saved beside the window.
        studio.dialogs.ready = studio.dialogs.leaving.take();
        return;
    }
    let title = studio.session.document.title().to_owned();
    let is_saving = studio.session.is_saving();
    let (mut saves, mut discards, mut cancels) = (false, false, false);
    let escaped = modal(ctx, "Save the changes?", 380.0, |ui| {
        ui.label(format!("{title} was changed and not saved."));
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            if is_saving {
                ui.spinner();
                ui.label("It is being saved …");
            } else {
                saves = ui.button("Save").clicked();
                discards = ui.button("Do not save").clicked();
            }
            cancels = ui.button("Cancel").clicked();
        });
    });
    if cancels || escaped {
        studio.dialogs.leaving = None;
    } else if discards {
        studio.dialogs.ready = studio.dialogs.leaving.take();
    } else if saves {
        keys::save(studio);
    }
}

/// Does what waited.
pub fn leave_now(studio: &mut Studio, ctx: &Context, leaving: Leaving) {
    studio.let_go();
    match leaving {
        Leaving::Open(path) => {
            let opened = studio.session.open(&path);
            if studio.hear(opened).is_none() && !path.exists() {
                // A list that cannot be written is no reason to stop.
                let _ = studio.session.recent().remove(&path);
            }
        }
        Leaving::Sample(name) => {
            if let Some(sample) = studio.hear(Sample::named(name)) {
                studio.session.open_sample(sample);
            }
        }
        Leaving::Quit => {
            studio.dialogs.quits = true;
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }
}

pub fn recover(studio: &mut Studio, ctx: &Context) {
    if studio.dialogs.left.is_empty() {
        return;
    }
    let (mut recovers, mut discards, mut later) = (None, None, false);
    let escaped = modal(ctx, "Recover unsaved work?", 460.0, |ui| {
        ui.label("Supple did not end as it should. This was not saved:");
        for (index, left) in studio.dialogs.left.iter().enumerate() {
            ui.horizontal(|ui| {
                let name = name(left);
                ui.label(format!("{name}, {}", ago(left)));
                if ui.button("Recover").accessible_name(format!("Recover {name}")).clicked() {
                    recovers = Some(index);
                }
                if ui.button("Discard").accessible_name(format!("Discard {name}")).clicked() {
                    discards = Some(index);
                }
            });
        }
        ui.add_space(6.0);
        later = ui.button("Later").on_hover_text("It is offered again at the next start").clicked();
    });
    if let Some(index) = recovers {
        let left = studio.dialogs.left.remove(index);
        let recovered = studio.session.recover(left);
        if studio.hear(recovered).is_some() {
            studio.toasts.good("recovered; save it to keep it");
        }
        studio.dialogs.left.clear();
    } else if let Some(index) = discards {
        let discarded = studio.dialogs.left.remove(index).discard();
        studio.hear(discarded);
    } else if later || escaped {
        studio.dialogs.left.clear();
    }
}

fn name(left: &Recoverable) -> String {
    let file = left.path.as_ref().and_then(|path| path.file_name());
    file.map_or("an untitled shot".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn ago(left: &Recoverable) -> String {
    let seconds = left.when.elapsed().unwrap_or(Duration::ZERO).as_secs();
    match seconds {
        0..120 => format!("{seconds} seconds ago"),
        120..7200 => format!("{} minutes ago", seconds / 60),
        7200..172_800 => format!("{} hours ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86400),
    }
}

/// The list of keys and what the mouse does.
pub fn keys(studio: &mut Studio, ctx: &Context) {
    let mut open = studio.dialogs.show_keys;
    let window = Window::new("Keys and mouse").open(&mut open).default_width(460.0);
    window.pivot(Align2::CENTER_CENTER).default_pos(ctx.content_rect().center()).show(ctx, |ui| {
        ScrollArea::vertical().max_height(520.0).show(ui, |ui| {
            Grid::new("keys").num_columns(2).striped(true).spacing([16.0, 3.0]).show(ui, |ui| {
                for (mouse, does) in keys::MOUSE {
                    ui.strong(*mouse);
                    ui.label(*does);
                    ui.end_row();
                }
                for shortcut in keys::SHORTCUTS {
                    ui.strong(ctx.format_shortcut(&shortcut.keys));
                    ui.label(shortcut.does);
                    ui.end_row();
                }
            });
        });
    });
    studio.dialogs.show_keys = open;
}
