//! Files: imports, wrong ones, jobs that are cancelled, what was not saved.

use crate::studio::stage::{
    Stage, ctrl, find, press_id, press_id as press, sample, says, see, settle, shot, try_find, type_into,
    until,
};
use eframe::egui::accesskit::Toggled;
use eframe::egui::{DroppedFile, Key};
use egui_kittest::kittest::{NodeT, Queryable};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_project::shot::Input;

/// A cube of 3 × 3 × 3 points on its surface that leans to the side, as an OBJ and a PC2 of six frames.
pub fn leaning_cube(folder: &Path) -> [PathBuf; 2] {
    let files = [folder.join("cube.obj"), folder.join("cube.pc2")];
    let at = |i: usize, j: usize, k: usize| [i, j, k].map(|x| x as f32 / 2.0);
    let mut points: Vec<[f32; 3]> = Vec::new();
    let mut faces = String::new();
    let mut index = |p: [f32; 3]| match points.iter().position(|q| *q == p) {
        Some(found) => found + 1,
        None => {
            points.push(p);
            points.len()
        }
    };
    for side in 0..6 {
        let (axis, far) = (side % 3, side / 3 * 2);
        let place = |a: usize, b: usize| {
            let mut cell = [0; 3];
            (cell[axis], cell[(axis + 1) % 3], cell[(axis + 2) % 3]) = (far, a, b);
            at(cell[0], cell[1], cell[2])
        };
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let square = [place(a, b), place(a + 1, b), place(a + 1, b + 1), place(a, b + 1)].map(&mut index);
            let [p, q, r, s] = if far == 2 { square } else { [square[3], square[2], square[1], square[0]] };
            faces += &format!("f {p} {q} {r}\nf {p} {r} {s}\n");
        }
    }
    let lines: String = points.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    fs::write(&files[0], lines + &faces).unwrap();
    let frames = 6_i32;
    let mut bytes = b"POINTCACHE2\0".to_vec();
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend((points.len() as i32).to_le_bytes());
    bytes.extend(1.0_f32.to_le_bytes());
    bytes.extend(1.0_f32.to_le_bytes());
    bytes.extend(frames.to_le_bytes());
    for frame in 0..frames {
        for [x, y, z] in &points {
            for value in [x + 0.05 * frame as f32 * y * y, *y, *z] {
                bytes.extend(value.to_le_bytes());
            }
        }
    }
    fs::write(&files[1], bytes).unwrap();
    files
}

/// A file that somebody lets fall on the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

pub fn drop_files(stage: &mut Stage, paths: &[PathBuf]) {
    let dropped = |path: &PathBuf| Arc::new(Dropped(path.clone())) as Arc<dyn DroppedFile + Send + Sync>;
    stage.input_mut().dropped_files = paths.iter().map(dropped).collect();
    stage.step();
    stage.step();
}

#[test]
fn a_point_cache_and_its_mesh_are_dropped_and_imported() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("block", folder.path(), false);
    let files = leaning_cube(folder.path());
    drop_files(&mut stage, &files);
    see(&mut stage, "6 frames, 1 to 6");
    press(&mut stage, "import");
    until(&mut stage, "the import", |studio| says(studio, "6 frames"));
    let Input::File(motion) = &shot(&stage).motion.input else { panic!("the file is the input") };
    assert!(motion.to_string_lossy().ends_with(".pc2"), "{motion:?}");
    until(&mut stage, "the new body", |studio| {
        studio.answer().is_current(studio.session().document.generation())
    });
    assert_eq!(stage.state().answer().stage.as_ref().unwrap().clock.frames, 6);
    // The export said that the body is written, of a motion that goes back on its skin.
    ctrl(&mut stage, Key::E);
    see(&mut stage, "of the skin");
    let node = |name| find(&stage, name).accesskit_node();
    assert_eq!(node("export-skin").toggled(), Some(Toggled::True));
    assert!(node("export-body").is_disabled(), "there is nothing to choose");
}

/// An import replaced the open shot without asking and kept its file, so that Ctrl+S wrote it over the other shot.
#[test]
fn an_import_asks_about_the_open_shot_and_never_writes_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("block", folder.path(), false);
    let file = folder.path().join("kept.toml");
    ctrl(&mut stage, Key::S);
    type_into(&mut stage, "file-path", &file.display().to_string());
    press(&mut stage, "file-go");
    until(&mut stage, "saved", |studio| studio.session().document.path() == Some(file.as_path()));
    let kept = fs::read(&file).unwrap();
    add_handle(&mut stage);
    drop_files(&mut stage, &leaning_cube(folder.path()));
    see(&mut stage, "6 frames, 1 to 6");
    press(&mut stage, "import");
    press(&mut stage, "unsaved-cancel");
    assert!(stage.state().session().jobs.running().is_empty(), "nothing is begun");
    assert_eq!(stage.state().session().document.title(), "kept.toml");
    drop_files(&mut stage, &leaning_cube(folder.path()));
    see(&mut stage, "6 frames, 1 to 6");
    press(&mut stage, "import");
    press(&mut stage, "unsaved-discard");
    until(&mut stage, "the import", |studio| studio.session().document.title() == "cube");
    let document = &stage.state().session().document;
    assert!(document.path().is_none() && document.is_changed(), "it has no file yet");
    ctrl(&mut stage, Key::S);
    let field = find(&stage, "file-path").value().unwrap_or_default();
    assert!(field.ends_with("cube.toml"), "it is called after what was imported: {field}");
    stage.key_press(Key::Escape);
    stage.step();
    assert_eq!(fs::read(&file).unwrap(), kept, "the other shot is as it was");
}

/// A shot that the command line, or another window, has written since it was opened was written over unasked.
#[test]
fn a_shot_that_another_program_changed_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("block", folder.path(), false);
    let file = folder.path().join("shared.toml");
    ctrl(&mut stage, Key::S);
    type_into(&mut stage, "file-path", &file.display().to_string());
    press(&mut stage, "file-go");
    until(&mut stage, "saved", |studio| studio.session().document.path() == Some(file.as_path()));
    let modes = |file: &Path| supple_project::shot::Shot::load(file).unwrap().edit.modes;
    let write = |modes: usize| {
        let mut theirs = supple_project::shot::Shot::load(&file).unwrap();
        theirs.edit.modes = modes;
        theirs.save(&file).unwrap();
    };
    add_handle(&mut stage);
    write(21);
    ctrl(&mut stage, Key::S);
    press(&mut stage, "changed-cancel");
    assert_eq!(modes(&file), 21, "nothing is lost");
    ctrl(&mut stage, Key::S);
    press(&mut stage, "changed-reload");
    assert_eq!((shot(&stage).edit.modes, stage.state().session().document.is_changed()), (21, false));
    add_handle(&mut stage);
    write(22);
    ctrl(&mut stage, Key::S);
    press(&mut stage, "changed-save-as");
    let other = folder.path().join("mine.toml");
    type_into(&mut stage, "file-path", &other.display().to_string());
    press(&mut stage, "file-go");
    until(&mut stage, "saved", |studio| studio.session().document.path() == Some(other.as_path()));
    assert_eq!((modes(&file), modes(&other)), (22, 21), "both are kept");
    add_handle(&mut stage);
    let mut theirs = supple_project::shot::Shot::load(&other).unwrap();
    theirs.edit.modes = 23;
    theirs.save(&other).unwrap();
    ctrl(&mut stage, Key::S);
    press(&mut stage, "changed-overwrite");
    until(&mut stage, "saved", |studio| !studio.session().document.is_changed());
    assert_eq!(modes(&other), 21, "the other's is gone, as was said");
}

#[test]
fn a_wrong_file_is_named_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("block", folder.path(), false);
    let before = shot(&stage).clone();
    ctrl(&mut stage, Key::O);
    type_into(&mut stage, "file-path", "/nowhere/none.toml");
    press(&mut stage, "file-go");
    assert!(stage.query_by_label_contains("There is no file /nowhere/none.toml").is_some());
    stage.key_press(Key::Escape);
    stage.step();
    let wrong = folder.path().join("wrong.toml");
    fs::write(&wrong, "[body]\nkind = \"sold\"\n").unwrap();
    drop_files(&mut stage, std::slice::from_ref(&wrong));
    assert!(says(stage.state(), "wrong.toml"), "{:?}", stage.state().notices().collect::<Vec<_>>());
    let noise = folder.path().join("noise.glb");
    fs::write(&noise, [7; 100]).unwrap();
    drop_files(&mut stage, &[noise]);
    see(&mut stage, "noise.glb: ");
    press(&mut stage, "import");
    assert!(try_find(&stage, "import").is_some(), "it is not begun");
    assert!(stage.state().session().jobs.running().is_empty());
    assert_eq!(*shot(&stage), before);
    assert_eq!(stage.state().session().document.title(), "block");
}

#[test]
fn an_export_is_cancelled_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("bird", folder.path(), false);
    let file = folder.path().join("edited.glb");
    ctrl(&mut stage, Key::E);
    type_into(&mut stage, "export-path", &file.display().to_string());
    press(&mut stage, "export");
    see(&mut stage, "Cancel Export edited.glb");
    press_id(&mut stage, "cancel-job");
    until(&mut stage, "the end of it", |studio| says(studio, "Export edited.glb: cancelled"));
    assert!(!file.exists());
    settle(&mut stage);
    ctrl(&mut stage, Key::E);
    type_into(&mut stage, "export-path", &file.display().to_string());
    press(&mut stage, "export");
    until(&mut stage, "the file", |studio| says(studio, "frames written to"));
    assert!(fs::metadata(&file).unwrap().len() > 1000);
}

#[test]
fn what_was_not_saved_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("block", folder.path(), false);
    add_handle(&mut stage);
    assert!(stage.state().session().document.is_changed());
    press_id(&mut stage, "menu-samples");
    press(&mut stage, "sample-bar");
    assert!(stage.query_by_label_contains("has unsaved changes").is_some());
    press(&mut stage, "unsaved-cancel");
    assert_eq!(stage.state().session().document.title(), "block");
    press_id(&mut stage, "menu-samples");
    press(&mut stage, "sample-bar");
    press(&mut stage, "unsaved-discard");
    until(&mut stage, "another shot", |studio| studio.session().document.title() == "bar");
    assert!(!stage.state().session().document.is_changed());
    add_handle(&mut stage);
    press_id(&mut stage, "menu-samples");
    press(&mut stage, "sample-beam");
    press(&mut stage, "unsaved-save");
    let file = folder.path().join("kept.toml");
    type_into(&mut stage, "file-path", &file.display().to_string());
    press(&mut stage, "file-go");
    until(&mut stage, "saved, and another shot", |studio| studio.session().document.title() == "beam");
    let kept = supple_project::shot::Shot::load(&file).unwrap();
    assert_eq!(kept.edit.handles.last().unwrap().site, supple_project::shot::Site::CenterOfMass);
    supple_project::Body::load(&kept).unwrap();
}

/// Makes a handle, once the shot is there.
fn add_handle(stage: &mut Stage) {
    until(stage, "the shot", |studio| studio.answer().stage.is_some());
    press(stage, "add-centre-of-mass");
}

/// A handle that was made before the shot was opened was one at a frame that is not there.
#[test]
fn no_handle_is_made_before_the_shot_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let waits = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let home = supple_session::Home::in_folder(folder.path());
    let sample = supple_project::Sample::named("block").unwrap();
    let document = supple_session::Document::sample(sample, &home).unwrap();
    let puppet = crate::studio::puppet::Puppet { waits: waits.clone(), step: 0.01 };
    let mut stage = crate::studio::stage::studio(document, &home, Arc::new(puppet), false);
    stage.run_steps(2);
    let count = shot(&stage).edit.handles.len();
    press(&mut stage, "add-centre-of-mass");
    assert_eq!(shot(&stage).edit.handles.len(), count);
    assert!(says(stage.state(), "in a moment"));
    waits.store(false, std::sync::atomic::Ordering::Relaxed);
    add_handle(&mut stage);
    assert_eq!(shot(&stage).edit.handles.len(), count + 1);
}
