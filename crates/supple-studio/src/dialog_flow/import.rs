//! Importing an animated surface.

use crate::Studio;
use crate::dialogs::{Choice, Leaving};
use eframe::egui::Context;

pub fn show(studio: &mut Studio, ctx: &Context) {
    let Some(mut dialog) = studio.dialogs.import.take() else { return };
    match dialog.show(ctx, &mut studio.dialogs.browse) {
        Choice::Goes => {
            studio.dialogs.leave(Leaving::Import(Box::new(dialog.import())), &studio.session);
        }
        Choice::Cancels => studio.dialogs.browse.close(),
        Choice::Stays => studio.dialogs.import = Some(dialog),
    }
}
