//! What the colours of a viewport mean: chips for the motions, a bar with numbers for the strain.

use crate::look::Look;
use crate::numbers::percent;
use crate::widgets::id;
use crate::{Studio, colours};
use eframe::egui::{Align2, Color32, FontId, Mesh, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use supple_session::{Picture, Places};

/// How long and how high the bar is, in points.
const BAR: [f32; 2] = [160.0, 12.0];

/// Shows it in the lower left corner of a viewport, where its colours mean something.
pub fn show(look: &Look, ui: &Ui, rect: Rect, picture: Option<&Picture>) {
    let Some(strain) = picture.and_then(|picture| picture.strain.as_ref()).filter(|_| look.strain) else {
        return;
    };
    let area = Rect::from_min_size(pos2(rect.left() + 10.0, rect.bottom() - 68.0), vec2(BAR[0] + 28.0, 58.0));
    let painter = ui.painter_at(rect);
    painter.rect_filled(area, 4.0, ui.visuals().extreme_bg_color.gamma_multiply(0.82));
    let font = FontId::proportional(12.0);
    let colour = ui.visuals().strong_text_color();
    let words = format!("Strain, maximum {}", percent(strain.largest()));
    painter.text(area.min + vec2(8.0, 4.0), Align2::LEFT_TOP, &words, font.clone(), colour);
    let bar = Rect::from_min_size(area.min + vec2(14.0, 23.0), vec2(BAR[0], BAR[1]));
    painter.add(gradient(bar));
    for part in [0.0, 0.5, 1.0] {
        let at = pos2(bar.left() + part * bar.width(), bar.bottom() + 3.0);
        painter.text(at, Align2::CENTER_TOP, percent(part * look.strain_full), font.clone(), colour);
    }
    let name = format!("{words}; scale maximum {}", percent(look.strain_full));
    let id = ui.scope_id().with(("legend", rect.left() as i32));
    ui.interact(area, id, Sense::hover())
        .on_hover_text("Norm of the Green strain ½(FᵀF − I) of each element")
        .widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
}

/// Says in the upper right corner which colour is which motion, as far as they are seen.
pub fn chips(studio: &Studio, ui: &Ui, rect: Rect, picture: &Picture, is_stale: bool) {
    let is_play = rect == studio.rects[1];
    let ghost = picture.input.as_ref().is_some_and(|input| input.drawn != picture.points.drawn);
    let is_strobed = is_play && studio.snapshot.seen.as_ref().is_some_and(|seen| !seen.strobe.is_empty());
    let has_ways = studio.snapshot.seen.as_ref().is_some_and(|seen| !seen.traces.is_empty());
    let is_anchored = !picture.points.anchors(&picture.stage).is_empty();
    let touches = !picture.stage.contacts.at(picture.frame).is_empty();
    // Its colours have a bar of their own then.
    let is_strained = studio.look.strain && picture.strain.is_some();
    let mark = |colour| paint(colours::line(colour, ui.visuals()));
    let body = if is_stale { colours::STALE } else { colours::BODY };
    let all = [
        (body, if is_stale { "previous result" } else { "edited" }, is_stale || !is_strained),
        (colours::GHOST, "original", ghost && studio.look.ghost),
        (colours::STROBE, "onion skin", is_strobed && studio.look.strobe),
        (paint(colours::ORANGE), "original path", has_ways && studio.look.streamers),
        (paint(colours::SKY), "edited path", has_ways && studio.look.streamers),
        (mark(colours::BLUE), "anchored", is_anchored && studio.look.anchors),
        (mark(colours::GREEN), "contact", touches && studio.look.contacts),
    ];
    let (painter, colour) = (ui.painter_at(rect), ui.visuals().strong_text_color());
    let mut at = rect.right_top() + vec2(-10.0, 10.0);
    for (fill, words, _) in all.into_iter().filter(|(.., is_seen)| *is_seen) {
        let galley = painter.layout_no_wrap(words.to_owned(), FontId::proportional(12.0), colour);
        let area = Align2::RIGHT_TOP.anchor_size(at, galley.size() + vec2(28.0, 4.0));
        painter.rect_filled(area, 4.0, ui.visuals().extreme_bg_color.gamma_multiply(0.82));
        let chip = Rect::from_center_size(area.left_center() + vec2(12.0, 0.0), vec2(10.0, 10.0));
        let [r, g, b] = [0, 1, 2].map(|c| (255.0 * fill[c]) as u8);
        painter.rect_filled(chip, 2.0, Color32::from_rgb(r, g, b));
        painter.galley(area.min + vec2(22.0, 2.0), galley, colour);
        at.y += area.height() + 3.0;
        let heard = ui.interact(area, ui.scope_id().with(("chip", words, is_play)), Sense::hover());
        heard.widget_info(|| WidgetInfo::labeled(Role::Label, true, words));
        if !is_play {
            id(heard, &format!("chip-{}", words.replace(' ', "-")));
        }
    }
}

fn paint(colour: Color32) -> [f32; 4] {
    let [r, g, b, _] = colour.to_array().map(|x| f32::from(x) / 255.0);
    [r, g, b, 1.0]
}

/// A bar of all colours.
fn gradient(bar: Rect) -> Mesh {
    const STEPS: u16 = 32;
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let part = f32::from(step) / f32::from(STEPS);
        let colour: Color32 = colours::of_part(part);
        let x = bar.left() + part * bar.width();
        mesh.colored_vertex(pos2(x, bar.top()), colour);
        mesh.colored_vertex(pos2(x, bar.bottom()), colour);
        if step > 0 {
            let k = 2 * u32::from(step);
            mesh.add_triangle(k - 2, k - 1, k);
            mesh.add_triangle(k - 1, k, k + 1);
        }
    }
    mesh
}
