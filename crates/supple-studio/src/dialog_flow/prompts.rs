//! What has to be asked before something is lost, and the list of keys.

use crate::dialogs::Leaving;
use crate::messages::Message;
use crate::widgets::{id, modal};
use crate::{Studio, keys};
use eframe::egui::{Align2, Context, Grid, ScrollArea, TextStyle, ViewportCommand, Window, vec2};
use std::path::Path;
use std::time::Duration;
use supple_project::Sample;
use supple_session::Recoverable;

/// Asks before a window is closed that has something unsaved.
pub fn hear_close(studio: &mut Studio, ctx: &Context) {
    let is_asked = ctx.input(|input| input.viewport().close_requested());
    if is_asked && !studio.dialogs.quits && studio.session.document.is_changed() {
        ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        studio.dialogs.leaving = Some(Leaving::Quit);
    }
}

pub fn unsaved(studio: &mut Studio, ctx: &Context) {
    let waits = studio.dialogs.file.is_some() || studio.dialogs.overwrites;
    if studio.dialogs.leaving.is_none() || waits {
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
    let escaped = modal(ctx, "Save changes?", 380.0, |ui| {
        ui.label(format!("{title} has unsaved changes."));
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            if is_saving {
                ui.spinner();
                ui.label("Saving …");
            } else {
                saves = id(ui.button("Save"), "unsaved-save").clicked();
                discards = id(ui.button("Don't save"), "unsaved-discard").clicked();
            }
            cancels = id(ui.button("Cancel"), "unsaved-cancel").clicked();
        });
    });
    if cancels || escaped {
        if let Some(Leaving::Arrived) = studio.dialogs.leaving.take() {
            studio.session.forget_arrived();
        }
    } else if discards {
        studio.dialogs.ready = studio.dialogs.leaving.take();
    } else if saves {
        keys::save(studio);
    }
}

/// An import that came while the shot was changed: asks before it takes its place.
pub fn hear_arrived(studio: &mut Studio) {
    if studio.session.has_arrived() && studio.dialogs.leaving.is_none() && studio.gesture.is_none() {
        studio.dialogs.leave(Leaving::Arrived, &studio.session);
    }
}

/// Asks what becomes of a file that another program has written since it was opened.
pub fn overwrite(studio: &mut Studio, ctx: &Context) {
    if !studio.dialogs.overwrites || studio.dialogs.file.is_some() {
        return;
    }
    let title = studio.session.document.title().to_owned();
    let (mut overwrites, mut elsewhere, mut reloads, mut cancels) = (false, false, false, false);
    let escaped = modal(ctx, "File changed on disk", 440.0, |ui| {
        ui.label(format!("Another program changed {title} after you opened it."));
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let button =
                ui.button("Overwrite").on_hover_text("Keep this version; the version on disk is lost");
            overwrites = id(button, "changed-overwrite").clicked();
            let button = ui.button("Save as …").on_hover_text("Keep both versions");
            elsewhere = id(button, "changed-save-as").clicked();
            let button = ui.button("Reload").on_hover_text("Load the version on disk; this version is lost");
            reloads = id(button, "changed-reload").clicked();
            cancels = id(ui.button("Cancel"), "changed-cancel").clicked();
        });
    });
    if overwrites || elsewhere || reloads || cancels || escaped {
        studio.dialogs.overwrites = false;
    }
    if overwrites {
        studio.session.document.allow_overwriting();
        keys::save(studio);
    } else if elsewhere {
        studio.dialogs.save_as(&studio.session);
    } else if reloads && let Some(path) = studio.session.document.path().map(Path::to_path_buf) {
        leave_now(studio, ctx, Leaving::Open(path));
    } else if cancels || escaped {
        studio.dialogs.leaving = None;
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
        Leaving::Import(import) => studio.session.import(*import),
        Leaving::Arrived => {
            if let Some(notice) = studio.session.open_arrived() {
                studio.toasts.say(Message::Session(notice));
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
        ui.label("Supple closed unexpectedly. Unsaved work can be recovered:");
        for (index, left) in studio.dialogs.left.iter().enumerate() {
            ui.horizontal(|ui| {
                let name = name(left);
                ui.label(format!("{name}, {}", ago(left)));
                let recover = ui.button("Recover").accessible_name(format!("Recover {name}"));
                if id(recover, &format!("recover-{index}")).clicked() {
                    recovers = Some(index);
                }
                let discard = ui.button("Discard").accessible_name(format!("Discard {name}"));
                if id(discard, &format!("discard-{index}")).clicked() {
                    discards = Some(index);
                }
            });
        }
        ui.add_space(6.0);
        later = ui.button("Later").on_hover_text("Ask again at the next start").clicked();
    });
    if let Some(index) = recovers {
        let left = studio.dialogs.left.remove(index);
        let recovered = studio.session.recover(left);
        if studio.hear(recovered).is_some() {
            studio.toasts.say(Message::Recovered);
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
    file.map_or("Untitled shot".to_owned(), |name| name.to_string_lossy().into_owned())
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

/// The list of keys and what the mouse does: all of it at once, in as many columns as that takes.
pub fn keys(studio: &mut Studio, ctx: &Context) {
    let mut open = studio.dialogs.show_keys;
    let room = ctx.content_rect().size() - vec2(40.0, 90.0);
    let window = Window::new("Keyboard and mouse").open(&mut open).resizable(false).max_size(room);
    window.pivot(Align2::CENTER_CENTER).default_pos(ctx.content_rect().center()).show(ctx, |ui| {
        let mouse = keys::MOUSE.iter().map(|(mouse, does)| (*does, (*mouse).to_owned()));
        let lines: Vec<(&str, String)> = mouse.chain(keys::list(ctx)).collect();
        // As close as they can be read, so that all are seen at once in a window of common size.
        ui.spacing_mut().interact_size.y = ui.text_style_height(&TextStyle::Body);
        let rows = lines.len().div_ceil(if room.x < 1100.0 { 1 } else { 2 });
        let area = ScrollArea::both().max_width(room.x).max_height(room.y);
        area.min_scrolled_width(room.x).min_scrolled_height(room.y).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for (k, column) in lines.chunks(rows).enumerate() {
                    let grid = Grid::new(("keys", k)).num_columns(2).striped(true).spacing([10.0, 3.0]);
                    grid.show(ui, |ui| {
                        for (does, keys) in column {
                            ui.strong(keys.as_str());
                            ui.label(*does);
                            ui.end_row();
                        }
                    });
                }
            });
        });
    });
    studio.dialogs.show_keys = open;
}
