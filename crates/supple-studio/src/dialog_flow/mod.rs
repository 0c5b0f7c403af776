//! The dialogs of the studio in a frame of its window, and what is done with their answers.

mod dropped;
mod export;
mod files;
mod import;
mod prompts;

pub use dropped::take_dropped;

use crate::Studio;
use eframe::egui::Context;

/// Shows the dialogs that are open.
pub fn show(studio: &mut Studio, ctx: &Context) {
    prompts::hear_close(studio, ctx);
    prompts::recover(studio, ctx);
    prompts::hear_arrived(studio);
    prompts::overwrite(studio, ctx);
    prompts::unsaved(studio, ctx);
    files::show(studio, ctx);
    import::show(studio, ctx);
    export::show(studio, ctx);
    studio.dialogs.browse.show(ctx);
    prompts::keys(studio, ctx);
    if let Some(leaving) = studio.dialogs.ready.take() {
        prompts::leave_now(studio, ctx, leaving);
    }
}
