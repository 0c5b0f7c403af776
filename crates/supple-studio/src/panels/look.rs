//! The panel of what is shown.

use crate::Studio;
use crate::legend::percent;
use eframe::egui::{Checkbox, Slider, Ui};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let has_both = studio.answer.shown.as_ref().is_some_and(|shown| shown.points.body.is_some());
    let look = &mut studio.look;
    ui.strong("Motion");
    ui.checkbox(&mut look.ghost, "Input ghost")
        .on_hover_text("The input, seen through, where the edit differs");
    ui.checkbox(&mut look.streamers, "Streamers")
        .on_hover_text("The ways of held points: input orange, edited blue");
    ui.checkbox(&mut look.strobe, "Strobe").on_hover_text("Several frames at once, in the right view");
    ui.add_enabled(look.strobe, Slider::new(&mut look.strobe_frames, 2..=24).text("frames of the strobe"));
    ui.separator();
    ui.strong("Body");
    ui.add_enabled(has_both, Checkbox::new(&mut look.body, "Body instead of skin"))
        .on_hover_text("The tets, voxels or cloth that are solved")
        .on_disabled_hover_text("The skin is all that moves here, or there is none");
    ui.checkbox(&mut look.wire, "Edges").on_hover_text("The edges of the triangles");
    ui.checkbox(&mut look.strain, "Strain colours")
        .on_hover_text("How far the elements are strained: the norm of the Green strain, 0 under any turn");
    if look.strain {
        let parse = |text: &str| text.trim_end_matches([' ', '%']).parse::<f64>().ok().map(|x| x / 100.0);
        let full = Slider::new(&mut look.strain_full, 0.001..=2.0).logarithmic(true).custom_parser(parse);
        let full = full.custom_formatter(|x, _| percent(x as f32)).text("at the last colour");
        ui.add(full).on_hover_text("How far what has the last colour is strained, or farther");
    }
    ui.checkbox(&mut look.coarse, "Coarser while dragging")
        .on_hover_text("Fewer triangles while a point is dragged, where drawing is slow");
    ui.separator();
    ui.strong("Marks");
    ui.checkbox(&mut look.handles, "Handles").on_hover_text("Marks of the handles of this frame");
    ui.checkbox(&mut look.anchors, "Anchors").on_hover_text("What stays in place, blue");
    ui.checkbox(&mut look.contacts, "Contacts")
        .on_hover_text("What touches in this frame, green, with normals");
    ui.checkbox(&mut look.scenery, "Floor and obstacles").on_hover_text("What the motion was simulated with");
    ui.checkbox(&mut look.shadow, "Shadow").on_hover_text("Below the body, so that its height can be read");
    ui.checkbox(&mut look.grid, "Grid").on_hover_text("A grid on the ground, below what is looked at");
}
