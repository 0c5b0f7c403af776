//! Pictures of the window. `SUPPLE_PICTURES=DIR` keeps them, to be looked at.

use crate::studio::stage::{
    Stage, click, drag, edit_view, find, go_to, press_id, sample, settle, shot, studio, until,
};
use eframe::egui::{Key, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use supple_project::Sample;
use supple_project::method::RealNumerics;
use supple_project::shot::Input;
use supple_session::{Document, Home};

/// The window, as rows of red, green, blue and cover.
pub struct Picture {
    pub size: [u32; 2],
    pixels: Vec<u8>,
}

pub fn picture(stage: &mut Stage, name: &str) -> Picture {
    stage.remove_cursor();
    stage.step();
    let image = stage.render().unwrap();
    let picture = Picture { size: [image.width(), image.height()], pixels: image.into_raw() };
    if let Some(folder) = std::env::var_os("SUPPLE_PICTURES") {
        let file = File::create(PathBuf::from(folder).join(format!("{name}.png"))).unwrap();
        let mut encoder = png::Encoder::new(file, picture.size[0], picture.size[1]);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(&picture.pixels).unwrap();
    }
    picture
}

/// How many pixels of a rectangle differ.
pub fn differing(a: &Picture, b: &Picture, within: Rect) -> usize {
    assert_eq!(a.size, b.size);
    let is_inside = |at: usize| {
        let (x, y) = (at as u32 % a.size[0], at as u32 / a.size[0]);
        within.contains(Pos2::new(x as f32, y as f32))
    };
    let pixels = a.pixels.chunks_exact(4).zip(b.pixels.chunks_exact(4)).enumerate();
    pixels.filter(|(at, (p, q))| is_inside(*at) && p.iter().zip(*q).any(|(p, q)| p.abs_diff(*q) > 12)).count()
}

#[test]
fn both_views_show_what_is_pulled() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("bird", folder.path(), true);
    settle(&mut stage);
    stage.key_press(Key::Space);
    go_to(&mut stage, 60);
    stage.step();
    let opened = picture(&mut stage, "opened");
    let (left, right) = (edit_view(&stage), play_view(&stage));
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let tip = (0..rest.len()).max_by(|a, b| rest[*a][2].total_cmp(&rest[*b][2])).unwrap() as u32;
    let at = stage.state().place_on_screen(tip, left).unwrap();
    let handles = shot(&stage).edit.handles.len();
    click(&mut stage, at);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() > handles);
    settle(&mut stage);
    drag(&mut stage, at, &[at + vec2(0.0, -25.0), at + vec2(5.0, -60.0), at + vec2(8.0, -90.0)]);
    settle(&mut stage);
    let seen = |studio: &supple_studio::Studio| {
        let generation = studio.session().document.generation();
        studio.answer().seen.as_ref().is_some_and(|seen| seen.generation == generation)
    };
    until(&mut stage, "streamers", seen);
    // What stands still has smooth edges.
    stage.remove_cursor();
    stage.run_steps(20);
    let pulled = picture(&mut stage, "pulled");
    let (in_left, in_right) = (differing(&opened, &pulled, left), differing(&opened, &pulled, right));
    assert!(in_left > 2000 && in_right > 400, "{in_left} and {in_right} pixels differ");
    let again = picture(&mut stage, "again");
    assert_eq!(differing(&pulled, &again, left), 0, "nothing moves by itself");
    looks(&mut stage, &pulled, left);
}

/// Every way of looking changes the picture.
fn looks(stage: &mut Stage, before: &Picture, left: Rect) {
    press_id(stage, "tab-look");
    let mut last = before.pixels.clone();
    for (name, file) in [("look-anchors", "no-anchors"), ("look-strain", "strain"), ("look-wire", "edges")] {
        press_id(stage, name);
        until(stage, "the strain", |studio| {
            let strained = |picture: &Arc<supple_session::Picture>| {
                picture.strain.as_ref().is_some_and(|strain| strain.largest() > 0.01)
            };
            let answer = studio.answer();
            let both = [&answer.shown, &answer.played];
            name == "look-anchors" || both.iter().all(|picture| picture.as_ref().is_some_and(strained))
        });
        let now = picture(stage, file);
        let old = Picture { size: now.size, pixels: last };
        let count = differing(&old, &now, left);
        let least = if name == "look-anchors" { 40 } else { 300 };
        assert!(count > least, "{name}: {count} pixels differ");
        last = now.pixels;
    }
    for name in ["look-strain", "look-wire", "look-strobe"] {
        press_id(stage, name);
    }
    until(stage, "the strobe", |studio| {
        studio.answer().seen.as_ref().is_some_and(|seen| !seen.strobe.is_empty())
    });
    picture(stage, "strobe");
    for (tab, file) in [("tab-report", "report"), ("tab-body", "body-panel"), ("tab-method", "method-panel")]
    {
        press_id(stage, tab);
        stage.remove_cursor();
        stage.run_steps(20);
        picture(stage, file);
    }
    stage.key_press(Key::F1);
    stage.run_steps(3);
    picture(stage, "keys");
    let is_listed = |stage: &Stage| stage.query_by_label("Keyboard and mouse").is_some();
    assert!(is_listed(stage));
    stage.key_press(Key::Escape);
    stage.run_steps(3);
    assert!(!is_listed(stage), "Esc closes the list");
}

fn play_view(stage: &Stage) -> Rect {
    find(stage, "play-view").rect()
}

#[test]
fn the_body_under_a_skin_is_shown_light_and_dark() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let mut document = Document::sample(Sample::named("bird").unwrap(), &home).unwrap();
    document.change("let it rest", |shot| {
        shot.motion.input = Input::Rest;
        shot.motion.frames = Some(20);
        shot.edit.modes = 12;
        shot.edit.handles.clear();
    });
    let mut stage = studio(document, &home, Arc::<RealNumerics>::default(), true);
    settle(&mut stage);
    stage.key_press(Key::Space);
    stage.step();
    let skin = picture(&mut stage, "skin");
    press_id(&mut stage, "tab-look");
    press_id(&mut stage, "look-body");
    let body = picture(&mut stage, "body");
    let count = differing(&skin, &body, edit_view(&stage));
    assert!(count > 500, "{count} pixels differ");
    for name in ["menu-view", "theme-light"] {
        press_id(&mut stage, name);
    }
    stage.key_press(Key::Escape);
    stage.step();
    let light = picture(&mut stage, "light");
    assert!(differing(&body, &light, edit_view(&stage)) > 50_000, "the background is light");
}
