//! Both themes can be read, and so can screens with twice the points: by the shapes that are drawn, without a driver.

use crate::studio::puppet::block;
use crate::studio::stage::{Stage, click, key, place, press_id, shot, until};
use eframe::egui::epaint::{ClippedShape, Shape, TextShape};
use eframe::egui::{Color32, Key, Pos2, Rect, Rgba};

/// Words, their colour, and what is behind them.
struct Words {
    text: String,
    colour: Color32,
    behind: Color32,
}

/// All words of the window, over everything that was filled below each.
fn words(stage: &Stage) -> Vec<Words> {
    let visuals = stage.ctx.global_style().visuals.clone();
    let (is_dark, shadow) = (visuals.dark_mode, visuals.extreme_bg_color);
    let scene = if is_dark { Color32::from_rgb(34, 36, 42) } else { Color32::from_rgb(229, 232, 237) };
    let (mut filled, mut found): (Vec<(Rect, Color32)>, Vec<Words>) = Default::default();
    let shapes = stage.output().shapes.iter().flat_map(|ClippedShape { clip_rect, shape, .. }| {
        let list = if let Shape::Vec(list) = shape { list.as_slice() } else { std::slice::from_ref(shape) };
        list.iter().map(|shape| (shape, *clip_rect))
    });
    for (shape, clip) in shapes {
        match shape {
            Shape::Rect(rect) if rect.fill.a() > 0 => filled.push((rect.rect.intersect(clip), rect.fill)),
            // The scene is drawn by a driver; what is behind it is known.
            Shape::Callback(callback) => filled.push((callback.rect.intersect(clip), scene)),
            Shape::Text(text) => {
                // What is written in the colour of what is behind is the shadow of other words.
                let words = sections(text, clip, &filled).into_iter().filter(|words| words.colour != shadow);
                found.extend(words);
            }
            _ => {}
        }
    }
    found
}

fn sections(text: &TextShape, clip: Rect, filled: &[(Rect, Color32)]) -> Vec<Words> {
    let middle = text.pos + text.galley.rect.center().to_vec2();
    if !clip.contains(middle) || text.opacity_factor < 1.0 {
        return Vec::new();
    }
    let behind = behind(middle, filled);
    let colour = |own: Color32| match text.override_text_color {
        Some(colour) => colour,
        None if own == Color32::PLACEHOLDER => text.fallback_color,
        None => own,
    };
    let job = &text.galley.job;
    let part = |section: &eframe::egui::text::LayoutSection| Words {
        text: job.text.chars().take(60).collect(),
        colour: colour(section.format.color),
        behind,
    };
    job.sections.iter().map(part).filter(|words| words.text.chars().any(char::is_alphanumeric)).collect()
}

/// What is seen below a place, through everything that covers it in part.
fn behind(at: Pos2, filled: &[(Rect, Color32)]) -> Color32 {
    let under = filled.iter().filter(|(rect, _)| rect.contains(at)).map(|(_, colour)| *colour);
    under.fold(Color32::BLACK, Color32::blend)
}

fn contrast(a: Color32, b: Color32) -> f32 {
    let luminance = |colour: Color32| {
        let [r, g, b, _] = Rgba::from(colour).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// What cannot be used in these tests, and need not be read.
const DISABLED: [&str; 1] = ["Show body instead of skin"];

pub fn check(stage: &Stage, place: &str) {
    let words = words(stage);
    assert!(words.len() > 20, "{place}: there is something to read");
    let mut faint = Vec::new();
    for Words { text, colour, behind } in words {
        let seen = behind.blend(colour);
        let contrast = contrast(seen, behind);
        if contrast < 4.5 && !DISABLED.contains(&text.as_str()) {
            faint.push(format!("{text:?} has a contrast of {contrast:.2}: {seen:?} on {behind:?}"));
        }
    }
    assert!(faint.is_empty(), "{place}: {faint:#?}");
}

/// A studio with a handle that is selected, another one that is muted, and the mouse away.
fn with_handles(folder: &std::path::Path) -> Stage {
    let mut stage = block(folder, false);
    for vertex in corners(&stage) {
        let count = shot(&stage).edit.handles.len();
        let at = place(&mut stage, vertex);
        click(&mut stage, at);
        until(&mut stage, "a handle", |studio| {
            studio.session().document.shot().edit.handles.len() == count + 1
        });
        key(&mut stage, Key::H);
    }
    key(&mut stage, Key::H);
    stage
}

/// The two vertices nearest to the eye at the top.
fn corners(stage: &Stage) -> [u32; 2] {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let farthest = |way: [f32; 3]| {
        let along = |v: &usize| (0..3).map(|c| rest[*v][c] * way[c]).sum::<f32>();
        (0..rest.len()).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap() as u32
    };
    [farthest([1.0, 1.0, 1.0]), farthest([-1.0, 1.0, 1.0])]
}

#[test]
fn all_words_have_the_contrast_to_be_read_dark_and_light() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_handles(folder.path());
    press_id(&mut stage, "tab-look");
    press_id(&mut stage, "look-strobe");
    for theme in ["theme-dark", "theme-light"] {
        press_id(&mut stage, "menu-view");
        press_id(&mut stage, theme);
        key(&mut stage, Key::Escape);
        for tab in ["handles", "body", "method", "look", "report"] {
            press_id(&mut stage, &format!("tab-{tab}"));
            stage.remove_cursor();
            // What fades in needs a moment.
            stage.run_steps(20);
            check(&stage, &format!("{theme}, {tab}"));
        }
    }
}
