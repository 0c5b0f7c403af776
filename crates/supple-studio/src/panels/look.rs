//! The panel of what is shown.

use crate::Studio;
use crate::numbers::percent;
use crate::widgets::id;
use eframe::egui::{Checkbox, Slider, Ui};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let has_both = studio.snapshot.shown.as_ref().is_some_and(|shown| shown.points.body.is_some());
    let look = &mut studio.look;
    ui.strong("Motion");
    switch(
        ui,
        &mut look.ghost,
        "Original (ghost)",
        "look-ghost",
        "Show the original, transparent, where the edit differs",
    );
    switch(
        ui,
        &mut look.streamers,
        "Motion trail",
        "look-streamers",
        "The paths of held points: original orange, edited blue",
    );
    switch(ui, &mut look.strobe, "Onion skin", "look-strobe", "Several frames at once in the right view");
    ui.add_enabled(look.strobe, Slider::new(&mut look.strobe_frames, 2..=24).text("Onion skin frames"));
    ui.separator();
    ui.strong("Body");
    let body = ui
        .add_enabled(has_both, Checkbox::new(&mut look.body, "Show body instead of skin"))
        .on_hover_text("The tets, voxels or cloth that are simulated")
        .on_disabled_hover_text("This shot has only a skin, or only a body");
    id(body, "look-body");
    switch(ui, &mut look.wire, "Wireframe", "look-wire", "Show triangle edges");
    switch(
        ui,
        &mut look.strain,
        "Strain colours",
        "look-strain",
        "Colour by Green strain: how far each element is deformed; rotation does not count",
    );
    if look.strain {
        let parse = |text: &str| text.trim_end_matches([' ', '%']).parse::<f64>().ok().map(|x| x / 100.0);
        let full = Slider::new(&mut look.strain_full, 0.001..=2.0).logarithmic(true).custom_parser(parse);
        let full = full.custom_formatter(|x, _| percent(x as f32)).text("Scale maximum");
        ui.add(full).on_hover_text("Strain shown in the last colour");
    }
    switch(
        ui,
        &mut look.coarse,
        "Coarse while dragging",
        "look-coarse",
        "Draw fewer triangles while dragging on a slow machine",
    );
    ui.separator();
    ui.strong("Overlays");
    switch(ui, &mut look.handles, "Handles", "look-handles", "Handles of this frame");
    switch(ui, &mut look.anchors, "Anchors", "look-anchors", "Vertices held in place (blue)");
    switch(
        ui,
        &mut look.contacts,
        "Contacts",
        "look-contacts",
        "Contacts of this frame with their normals (green)",
    );
    switch(
        ui,
        &mut look.scenery,
        "Floor and obstacles",
        "look-scenery",
        "Floor and obstacles of the simulation",
    );
    switch(ui, &mut look.shadow, "Shadow", "look-shadow", "Shadow on the ground");
    switch(ui, &mut look.grid, "Grid", "look-grid", "Grid on the ground");
}

/// What can be switched on and off.
fn switch(ui: &mut Ui, on: &mut bool, name: &str, called: &str, hint: &str) {
    id(ui.checkbox(on, name).on_hover_text(hint), called);
}
