//! Colours that people who confuse red with green can tell apart too (Okabe and Ito's set), dark or light enough to be
//! read.
//!
//! What is read has a contrast of 4.5 to what is behind it, lines and marks one of 3 (WCAG 2.2, 1.4.3 and 1.4.11), where
//! the contrast of luminances L ≥ l is (L + 0.05) / (l + 0.05). [`text`] and [`line`] mix black or white into a colour
//! until it has.

use eframe::egui::{self, Color32, Context, Theme, Visuals};

pub const ORANGE: Color32 = Color32::from_rgb(230, 159, 0);
pub const SKY: Color32 = Color32::from_rgb(86, 180, 233);
pub const GREEN: Color32 = Color32::from_rgb(0, 158, 115);
pub const BLUE: Color32 = Color32::from_rgb(0, 114, 178);
pub const RED: Color32 = Color32::from_rgb(213, 94, 0);
pub const PURPLE: Color32 = Color32::from_rgb(204, 121, 167);

/// Of the axes x, y, z.
pub const AXES: [Color32; 3] = [RED, GREEN, SKY];

/// The edited body.
pub const BODY: [f32; 4] = [0.72, 0.76, 0.82, 1.0];
/// The input, seen through.
pub const GHOST: [f32; 4] = [0.90, 0.62, 0.0, 0.35];
/// Other frames of a strobe, seen through.
pub const STROBE: [f32; 4] = [0.34, 0.70, 0.91, 0.22];
/// A shot that is not yet what the document says.
pub const STALE: [f32; 4] = [0.55, 0.55, 0.55, 1.0];
/// What is in the scene beside the body.
pub const SCENERY: [f32; 4] = [0.45, 0.47, 0.50, 1.0];

/// What is in a file beside the object that is imported.
pub const PALE: [f32; 4] = [0.60, 0.61, 0.63, 0.5];

/// Behind the scene.
pub fn background(visuals: &Visuals) -> [f32; 3] {
    if visuals.dark_mode { [0.135, 0.145, 0.165] } else { [0.90, 0.91, 0.93] }
}

/// The least contrast of words.
const WORDS: f32 = 4.5;
/// The least contrast of lines and marks.
const LINES: f32 = 3.0;

/// A colour for words, in panels and over the scene.
pub fn text(colour: Color32, visuals: &Visuals) -> Color32 {
    readable(colour, visuals, WORDS)
}

/// A colour for lines and marks.
pub fn line(colour: Color32, visuals: &Visuals) -> Color32 {
    readable(colour, visuals, LINES)
}

/// A colour with a contrast to what is behind: the scene, which is nearer to any colour than panels are.
fn readable(colour: Color32, visuals: &Visuals, contrast: f32) -> Color32 {
    let behind = background(visuals).map(|x| (255.0 * x) as u8);
    let behind = Color32::from_rgb(behind[0], behind[1], behind[2]);
    let end = if visuals.dark_mode { Color32::WHITE } else { Color32::BLACK };
    let mixed = |step: u8| colour.lerp_to_gamma(end, f32::from(step) / 32.0);
    (0..32).map(mixed).find(|mixed| contrast_of(*mixed, behind) >= contrast).unwrap_or(end)
}

/// The contrast of two colours, 1 to 21.
fn contrast_of(a: Color32, b: Color32) -> f32 {
    let luminance = |colour: Color32| {
        let [r, g, b, _] = egui::Rgba::from(colour).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// Makes words of both themes have the contrast they need; egui's weak ones have not.
pub fn set_themes(ctx: &Context) {
    for (theme, mut visuals, words, weak) in
        [(Theme::Dark, Visuals::dark(), 195, 145), (Theme::Light, Visuals::light(), 50, 100)]
    {
        visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(words);
        visuals.weak_text_color = Some(Color32::from_gray(weak));
        visuals.disabled_alpha = 0.8;
        ctx.set_visuals_of(theme, visuals);
    }
}

/// Lines of the grid.
pub fn grid(visuals: &Visuals) -> [u8; 4] {
    if visuals.dark_mode { [255, 255, 255, 22] } else { [0, 0, 0, 30] }
}

/// A colour for strokes of the scene.
pub fn rgba(colour: Color32, cover: f32) -> [u8; 4] {
    [colour.r(), colour.g(), colour.b(), (255.0 * cover) as u8]
}

/// The colours of a magnitude, from none to all of a scale: dark, violet, green, yellow.
const SCALE: [[u8; 3]; 5] = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/// The colour at a part of a scale, 0 to 1; lightness rises along it, so that it can be read in grey too.
pub fn of_part(part: f32) -> Color32 {
    let along = part.clamp(0.0, 1.0) * (SCALE.len() - 1) as f32;
    let first = (along as usize).min(SCALE.len() - 2);
    let fraction = along - first as f32;
    let mix = |c: usize| {
        let (a, b) = (f32::from(SCALE[first][c]), f32::from(SCALE[first + 1][c]));
        (a + (b - a) * fraction).round() as u8
    };
    Color32::from_rgb(mix(0), mix(1), mix(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Color32; 7] = [ORANGE, SKY, GREEN, BLUE, RED, PURPLE, Color32::GRAY];

    #[test]
    fn contrast_is_as_it_is_defined() {
        assert!((contrast_of(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-3);
        // The least grey that may be read on white, a well-known number.
        let grey = contrast_of(Color32::from_gray(118), Color32::WHITE);
        assert!((grey - 4.54).abs() < 0.01, "{grey}");
        assert!((contrast_of(RED, RED) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn every_colour_can_be_read_on_everything_behind_it() {
        for visuals in [Visuals::dark(), Visuals::light()] {
            let scene = background(&visuals).map(|x| (255.0 * x) as u8);
            let behind = [
                Color32::from_rgb(scene[0], scene[1], scene[2]),
                visuals.panel_fill,
                visuals.window_fill,
                visuals.extreme_bg_color,
            ];
            for (colour, behind) in ALL.into_iter().flat_map(|colour| behind.map(|behind| (colour, behind))) {
                let (words, marks) = (text(colour, &visuals), line(colour, &visuals));
                assert!(contrast_of(words, behind) >= WORDS, "{words:?} on {behind:?}");
                assert!(contrast_of(marks, behind) >= LINES, "{marks:?} on {behind:?}");
            }
        }
    }

    /// What people without receptors for green see (Machado, Oliveira and Fernandes 2009, severity 1), linear.
    fn as_seen(colour: Color32) -> [f32; 3] {
        let [r, g, b, _] = egui::Rgba::from(colour).to_array();
        let rows = [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.01182, 0.04294, 0.968_881],
        ];
        rows.map(|row| row[0] * r + row[1] * g + row[2] * b)
    }

    #[test]
    fn the_axes_and_both_motions_stay_apart_for_who_confuses_red_and_green() {
        for visuals in [Visuals::dark(), Visuals::light()] {
            let [x, y, z] = AXES.map(|axis| line(axis, &visuals));
            let (before, after) = (line(ORANGE, &visuals), line(SKY, &visuals));
            for (a, b) in [(x, y), (y, z), (z, x), (before, after)] {
                let (p, q) = (as_seen(a), as_seen(b));
                let away = (0..3).map(|c| (p[c] - q[c]).powi(2)).sum::<f32>().sqrt();
                assert!(away > 0.15, "{a:?} and {b:?} are {away} apart");
            }
        }
    }

    #[test]
    fn a_scale_begins_dark_ends_light_and_rises_between() {
        let light = |part: f32| {
            let colour = of_part(part);
            2.0 * f32::from(colour.r()) + 7.0 * f32::from(colour.g()) + f32::from(colour.b())
        };
        assert!((0..20).all(|k| light(k as f32 / 20.0) < light((k + 1) as f32 / 20.0)));
        assert_eq!((of_part(-1.0), of_part(7.0)), (of_part(0.0), of_part(1.0)));
    }
}
