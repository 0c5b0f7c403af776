//! Imports and exports: what is asked, what is seen of it, what is refused; files that are dropped.

use crate::studio::files::{drop_files, leaning_cube};
use crate::studio::names;
use crate::studio::stage::{
    Stage, ctrl, find, key, press_id, says, see, sees, set, settle, shot, studio, try_find, type_into,
    type_text, until,
};
use crate::studio::views::{differing, picture};
use eframe::egui::{Key, Pos2, Rect, Theme, vec2};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_model::Progress;
use supple_project::method::RealNumerics;
use supple_project::shot::Input;
use supple_project::{Conversion, MotionFile, Sample};
use supple_session::{Document, Home};

/// A tent that moves, 1 × 2 × 1, on a floor that does not.
const PARTY: &str = include_str!("../../../supple-project/tests/import/party.usda");

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    fs::write(folder.join(name), text).unwrap();
    folder.join(name)
}

fn field(stage: &Stage, name: &str) -> String {
    find(stage, name).value().unwrap_or_default()
}

/// A studio on a bar that rests for twelve frames.
fn resting(folder: &Path, draws: bool) -> Stage {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("bar").unwrap(), &home).unwrap();
    document.change("let it rest", |shot| {
        (shot.motion.input, shot.motion.frames, shot.edit.modes) = (Input::Rest, Some(12), 6);
        shot.edit.handles.clear();
    });
    let mut stage = studio(document, &home, Arc::<RealNumerics>::default(), draws);
    settle(&mut stage);
    stage
}

#[test]
fn an_import_is_seen_as_it_will_be() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), true);
    stage.key_press(Key::Space);
    drop_files(&mut stage, &[write(folder.path(), "party.usda", PARTY)]);
    see(&mut stage, "1.00 m wide, 2.00 m high, 1.00 m deep");
    see(&mut stage, "/root/tent: 4 vertices");
    assert!(sees(&stage, "1 other object becomes scenery"));
    // Its two frames take turns; the pictures are of the same one.
    let first = |stage: &mut Stage, name: &str| {
        see(stage, "frame 1");
        picture(stage, name)
    };
    let metres = first(&mut stage, "import");
    let view = find(&stage, "import-view").rect();
    press_id(&mut stage, "up-z");
    assert!(sees(&stage, "1.00 m wide, 1.00 m high, 2.00 m deep"), "it lies now");
    let lying = first(&mut stage, "import-lying");
    assert!(differing(&metres, &lying, view) > 2000, "and is seen to");
    press_id(&mut stage, "unit-cm");
    assert!(sees(&stage, "1.00 cm wide, 1.00 cm high, 2.00 cm deep"));
    let small = first(&mut stage, "import-small");
    assert!(differing(&lying, &small, view) > 300, "there is no person beside something that small");
    press_id(&mut stage, "import-object");
    find(&stage, "object-/root/floor").click();
    stage.step();
    see(&mut stage, "10.0 cm wide");
    stage.ctx.set_theme(Theme::Light);
    stage.step();
    names::check(&stage, "import");
    picture(&mut stage, "import-light");
}

/// A walker left the picture of its import after a second, which then showed its rest shape alone.
#[test]
fn an_import_that_travels_is_seen_on_the_spot() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), true);
    stage.key_press(Key::Space);
    let goes = PARTY.replace(
        "2: [(0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 2, 0)]",
        "2: [(40, 0, 9), (41, 0, 9), (40, 0, 10), (40, 2, 9)]",
    );
    // The floor would go by behind it.
    let goes = goes.replace("def Mesh \"floor\"", "def Xform \"floor\"");
    drop_files(&mut stage, &[write(folder.path(), "party.usda", &goes)]);
    see(&mut stage, "/root/tent: 4 vertices");
    assert!(!sees(&stage, "other object"));
    let view = find(&stage, "import-view").rect();
    let mut shown = |frame: &str| {
        see(&mut stage, frame);
        picture(&mut stage, &frame.replace(' ', "-"))
    };
    let (first, last) = (shown("showing frame 1"), shown("showing frame 2"));
    let count = differing(&first, &last, view);
    assert!(count < 100, "{count} pixels are others");
}

#[test]
fn what_is_wrong_with_an_import_is_said_beside_its_field() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    let groups = write(folder.path(), "groups.csv", "name,index\ntop,3\nfar,9\n");
    drop_files(&mut stage, &[write(folder.path(), "party.usda", PARTY)]);
    see(&mut stage, "/root/tent: 4 vertices");
    drop_files(&mut stage, std::slice::from_ref(&groups));
    assert_eq!(field(&stage, "import-groups"), groups.display().to_string(), "a table falls into its field");
    see(&mut stage, "the group \"far\" has vertex 9");
    press_id(&mut stage, "import");
    assert!(stage.state().session().jobs.running().is_empty(), "nothing is begun");
    write(folder.path(), "good.csv", "name,index\ntop,3\n");
    type_into(&mut stage, "import-groups", &folder.path().join("good.csv").display().to_string());
    see(&mut stage, "Groups: top (1)");
    type_into(&mut stage, "import-rest", "9");
    see(&mut stage, "there is no frame 9; the file has frames 1 to 2");
    type_into(&mut stage, "import-rest", "2");
    see(&mut stage, "Rest shape: frame 2");
    type_into(&mut stage, "import-unit", "ell");
    see(&mut stage, "use mm, cm");
    type_into(&mut stage, "import-unit", "0.5");
    see(&mut stage, "50.0 cm wide, 1.00 m high");
    press_id(&mut stage, "import");
    press_id(&mut stage, "unsaved-discard");
    until(&mut stage, "the import", |studio| says(studio, "2 frames, rest shape frame 2"));
    let motion = &shot(&stage).motion;
    assert_eq!((motion.unit, motion.object.as_deref()), (Some(0.5), Some("/root/tent")));
}

#[test]
fn an_export_says_what_it_will_write_and_asks_before_it_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), true);
    stage.key_press(Key::Space);
    stage.step();
    let there = write(folder.path(), "there.pc2", "somebody's work");
    ctrl(&mut stage, Key::E);
    type_into(&mut stage, "export-path", &folder.path().join("film.mov").display().to_string());
    see(&mut stage, "film.mov: unknown motion format");
    press_id(&mut stage, "export");
    assert!(stage.state().session().jobs.running().is_empty(), "a wrong ending is refused at once");
    type_into(&mut stage, "export-path", &there.display().to_string());
    see(&mut stage, "12, 1 to 12");
    assert!(sees(&stage, "metres, Y up") && sees(&stage, "of the body"));
    stage.ctx.set_theme(Theme::Light);
    stage.step();
    picture(&mut stage, "export-light");
    stage.ctx.set_theme(Theme::Dark);
    stage.step();
    picture(&mut stage, "export");
    press_id(&mut stage, "export-range");
    see(&mut stage, "7, 4 to 10");
    set(&mut stage, "export-to", "12");
    see(&mut stage, "9, 4 to 12");
    names::check(&stage, "export");
    press_id(&mut stage, "export");
    assert_eq!(fs::read(&there).unwrap(), b"somebody's work", "it asks first");
    press_id(&mut stage, "export");
    until(&mut stage, "the file", |studio| says(studio, "9 frames written to"));
    assert!(fs::metadata(&there).unwrap().len() > 1000);
}

#[test]
fn dialogs_fit_a_small_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), true);
    stage.set_size(vec2(720.0, 480.0));
    drop_files(&mut stage, &[write(folder.path(), "party.usda", PARTY)]);
    see(&mut stage, "/root/tent: 4 vertices");
    let window = Rect::from_min_size(Pos2::ZERO, vec2(720.0, 480.0));
    for _ in 0..3 {
        stage.step();
    }
    picture(&mut stage, "import-tiny");
    assert!(window.contains_rect(find(&stage, "import").rect()), "it can be reached");
    press_id(&mut stage, "import-cancel");
    ctrl(&mut stage, Key::E);
    for _ in 0..3 {
        stage.step();
    }
    picture(&mut stage, "export-tiny");
    assert!(window.contains_rect(find(&stage, "export").rect()));
}

#[test]
fn saving_over_another_shot_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    let there = write(folder.path(), "there.toml", "somebody's work");
    press_id(&mut stage, "menu-file");
    find(&stage, "do-save-as").click();
    stage.step();
    stage.step();
    type_into(&mut stage, "file-path", &there.display().to_string());
    press_id(&mut stage, "file-go");
    assert!(sees(&stage, "already exists and will be replaced"));
    assert_eq!(fs::read(&there).unwrap(), b"somebody's work");
    press_id(&mut stage, "file-go");
    until(&mut stage, "saved", |studio| says(studio, "Saved there.toml"));
    assert!(fs::read_to_string(&there).unwrap().contains("[body]"));
}

/// A dialog that opened with a path in it took what was typed somewhere into its middle, and after a path that was refused
/// keys went nowhere.
#[test]
fn what_is_typed_into_a_dialog_takes_the_place_of_what_it_proposes() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    press_id(&mut stage, "menu-file");
    press_id(&mut stage, "do-save-as");
    stage.run_steps(2);
    assert!(field(&stage, "file-path").ends_with("bar.toml"));
    type_text(&mut stage, "gone/away.toml");
    assert_eq!(field(&stage, "file-path"), "gone/away.toml");
    key(&mut stage, Key::Escape);
    ctrl(&mut stage, Key::O);
    stage.run_steps(2);
    type_text(&mut stage, "no-such.toml");
    key(&mut stage, Key::Enter);
    stage.run_steps(2);
    assert!(sees(&stage, "There is no file"));
    type_text(&mut stage, "2");
    assert_eq!(field(&stage, "file-path"), "no-such.toml2");
}

#[test]
fn files_of_every_kind_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    let party = write(folder.path(), "party.usda", PARTY);
    let tent = MotionFile { path: party.clone(), object: Some("tent".into()), ..MotionFile::default() };
    let convert = |name: &str| {
        let out = folder.path().join(name);
        let conversion = Conversion { file: tent.clone(), ..Conversion::default() };
        conversion.write(&out, &Progress::silent()).unwrap();
        out
    };
    let series = folder.path().join("tent.0001.obj");
    convert("tent.####.obj");
    let cases = [
        (vec![party.clone()], "USD: 2 frames"),
        (vec![convert("tent.glb")], "glTF: 2 frames"),
        (vec![convert("tent.gltf")], "glTF: 2 frames"),
        (vec![series, folder.path().join("tent.0002.obj")], "motion: 2 frames"),
    ];
    for (files, words) in cases {
        drop_files(&mut stage, &files);
        see(&mut stage, words);
        assert_eq!(field(&stage, "import-path"), files[0].display().to_string());
        press_id(&mut stage, "import-cancel");
    }
    let [mesh, cache] = leaning_cube(folder.path());
    for order in [[&mesh, &cache], [&cache, &mesh]] {
        for together in [true, false] {
            let order = order.map(Clone::clone);
            let drops: Vec<&[PathBuf]> = if together { vec![&order] } else { order.chunks(1).collect() };
            drops.into_iter().for_each(|files| drop_files(&mut stage, files));
            see(&mut stage, "motion: 6 frames");
            assert_eq!(field(&stage, "import-path"), cache.display().to_string());
            assert_eq!(field(&stage, "import-topology"), mesh.display().to_string());
            press_id(&mut stage, "import-cancel");
        }
    }
}

#[test]
fn shots_tables_and_what_is_neither_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    let contacts = write(folder.path(), "touch.csv", "frame,vertex,nx,ny,nz,kind\n2,5,0,1,0,slide\n");
    drop_files(&mut stage, std::slice::from_ref(&contacts));
    let kept = shot(&stage).contacts.as_ref().map(|contacts| contacts.file.clone());
    assert_eq!(kept, Some(Some(contacts)));
    ctrl(&mut stage, Key::Z);
    assert!(shot(&stage).contacts.is_none(), "one step of undo");
    drop_files(&mut stage, &[write(folder.path(), "groups.csv", "name,index\ntop,3\n")]);
    assert!(says(stage.state(), "groups.csv: vertex groups are imported with a motion"));
    drop_files(&mut stage, &[write(folder.path(), "film.mov", "no motion of ours")]);
    assert!(says(stage.state(), "film.mov: unknown file type"));
    drop_files(&mut stage, &[folder.path().join("gone.usdz")]);
    see(&mut stage, "gone.usdz: ");
    press_id(&mut stage, "import-cancel");
    let other = Sample::named("block").unwrap().write(&folder.path().join("other")).unwrap();
    drop_files(&mut stage, std::slice::from_ref(&other));
    press_id(&mut stage, "unsaved-discard");
    assert_eq!(stage.state().session().document.path(), Some(other.as_path()));
}

/// *Open* took shots alone, and refused the motion a newcomer has.
#[test]
fn open_takes_every_known_ending() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    let [mesh, cache] = leaning_cube(folder.path());
    for file in [&mesh, &cache, &write(folder.path(), "party.usda", PARTY)] {
        ctrl(&mut stage, Key::O);
        type_into(&mut stage, "file-path", &file.display().to_string());
        press_id(&mut stage, "file-go");
        assert!(try_find(&stage, "import").is_some(), "{} goes on to the import", file.display());
        assert_eq!(field(&stage, "import-path"), file.display().to_string());
        press_id(&mut stage, "import-cancel");
    }
    let film = write(folder.path(), "film.mov", "no motion of ours");
    ctrl(&mut stage, Key::O);
    type_into(&mut stage, "file-path", &film.display().to_string());
    press_id(&mut stage, "file-go");
    assert!(sees(&stage, "film.mov: unknown file type"), "it says so where it was asked");
    press_id(&mut stage, "file-cancel");
}

/// Without a portal *Browse* did nothing at all.
#[test]
fn where_the_system_has_no_dialog_files_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = resting(folder.path(), false);
    let inside = folder.path().join("shots");
    fs::create_dir_all(&inside).unwrap();
    write(&inside, "film.toml", "not read");
    write(&inside, "notes.txt", "");
    stage.state_mut().use_own_file_list();
    ctrl(&mut stage, Key::O);
    type_into(&mut stage, "file-path", &folder.path().join("none.toml").display().to_string());
    press_id(&mut stage, "browse");
    press_id(&mut stage, "list-shots");
    // Between pictures and scripts the only shot of a folder was hard to find.
    assert!(try_find(&stage, "list-notes.txt").is_none(), "what cannot be opened is not listed");
    press_id(&mut stage, "list-film.toml");
    names::check(&stage, "the list of files");
    press_id(&mut stage, "list-go");
    stage.step();
    assert!(try_find(&stage, "list-go").is_none(), "it closes");
    assert_eq!(find(&stage, "file-path").value(), Some(inside.join("film.toml").display().to_string()));
    press_id(&mut stage, "browse");
    press_id(&mut stage, "list-up");
    assert!(try_find(&stage, "list-shots").is_some());
    stage.key_press(Key::Escape);
    stage.run_steps(3);
    assert!(
        try_find(&stage, "list-up").is_none() && try_find(&stage, "file-path").is_some(),
        "Esc closes the list alone"
    );
    press_id(&mut stage, "file-cancel");
    ctrl(&mut stage, Key::S);
    press_id(&mut stage, "browse");
    assert!(
        find(&stage, "list-name").value().is_some_and(|name| name.ends_with(".toml")),
        "a name to save under"
    );
    press_id(&mut stage, "list-back");
}
