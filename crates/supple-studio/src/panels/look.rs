//! The panel of what is shown.

use crate::Studio;
use crate::numbers::percent;
use eframe::egui::{Checkbox, Slider, Ui};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let has_both = studio.snapshot.shown.as_ref().is_some_and(|shown| shown.points.body.is_some());
    let look = &mut studio.look;
    ui.strong("Motion");
    ui.checkbox(&mut look.ghost, "Original (ghost)")
        .on_hover_text("Show the original, transparent, where the edit differs");
    ui.checkbox(&mut look.streamers, "Motion trail")
        .on_hover_text("The paths of held points: original orange, edited blue");
    ui.checkbox(&mut look.strobe, "Onion skin").on_hover_text("Several frames at once in the right view");
    ui.add_enabled(look.strobe, Slider::new(&mut look.strobe_frames, 2..=24).text("Onion skin frames"));
    ui.separator();
    ui.strong("Body");
    ui.add_enabled(has_both, Checkbox::new(&mut look.body, "Show body instead of skin"))
        .on_hover_text("The tets, voxels or cloth that are simulated")
        .on_disabled_hover_text("This shot has only a skin, or only a body");
    ui.checkbox(&mut look.wire, "Wireframe").on_hover_text("Show triangle edges");
    ui.checkbox(&mut look.strain, "Strain colours")
        .on_hover_text("Colour by Green strain: how far each element is deformed; rotation does not count");
    if look.strain {
        let parse = |text: &str| text.trim_end_matches([' ', '%']).parse::<f64>().ok().map(|x| x / 100.0);
        let full = Slider::new(&mut look.strain_full, 0.001..=2.0).logarithmic(true).custom_parser(parse);
        let full = full.custom_formatter(|x, _| percent(x as f32)).text("Scale maximum");
        ui.add(full).on_hover_text("Strain shown in the last colour");
    }
    ui.checkbox(&mut look.coarse, "Coarse while dragging")
        .on_hover_text("Draw fewer triangles while dragging on a slow machine");
    ui.separator();
    ui.strong("Overlays");
    ui.checkbox(&mut look.handles, "Handles").on_hover_text("Handles of this frame");
    ui.checkbox(&mut look.anchors, "Anchors").on_hover_text("Vertices held in place (blue)");
    ui.checkbox(&mut look.contacts, "Contacts")
        .on_hover_text("Contacts of this frame with their normals (green)");
    ui.checkbox(&mut look.scenery, "Floor and obstacles")
        .on_hover_text("Floor and obstacles of the simulation");
    ui.checkbox(&mut look.shadow, "Shadow").on_hover_text("Shadow on the ground");
    ui.checkbox(&mut look.grid, "Grid").on_hover_text("Grid on the ground");
}
