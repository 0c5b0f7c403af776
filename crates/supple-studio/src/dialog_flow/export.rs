//! Exporting the edited motion.

use crate::Studio;
use crate::dialogs::{Choice, Exporting};
use eframe::egui::Context;

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.export.take() else { return };
    let range = studio.playing.range.clone().or(studio.timeline.window.clone());
    let what = Exporting {
        picture: studio.snapshot.played.clone().or(studio.snapshot.shown.clone()),
        around: range.unwrap_or_else(|| studio.timeline.around(studio.view.frame)),
        eye: studio.eye(1),
    };
    match dialog.show(ctx, &mut studio.dialogs.browse, &studio.session, &what) {
        Choice::Goes => {
            let task = studio.session.document.export_task(&dialog.path(), dialog.options());
            studio.session.jobs.start(task);
        }
        Choice::Cancels => studio.dialogs.browse.close(),
        Choice::Stays => studio.dialogs.export = Some(dialog),
    }
}
