//! Whatever is done to a document is undone and done again to the last bit.

use proptest::prelude::*;
use std::path::Path;
use supple_model::VertexId;
use supple_project::Sample;
use supple_project::shot::{Goal, Handle, Hold, Shot, Site, When};
use supple_session::{Document, Generation, Home};

#[derive(Clone, Debug)]
enum Act {
    Change(Edit),
    Gesture(Vec<Edit>, bool),
    Undo,
    Redo,
    Save,
}

#[derive(Clone, Debug)]
enum Edit {
    Add(i32, [f64; 3]),
    Remove(usize),
    Move(usize, [f64; 3]),
    Mute(usize),
    Soften(usize, f64),
    Young(f64),
    Window(Option<(i32, i32)>),
    Nothing,
}

impl Edit {
    fn apply(&self, shot: &mut Shot) {
        let count = shot.edit.handles.len();
        let handle = |k: &usize| k % count.max(1);
        match self {
            Self::Add(frame, by) => {
                let site = Site::Vertex(VertexId(frame.unsigned_abs()));
                shot.edit.handles.push(Handle::new(When::Frame(*frame), site, Goal::By(*by)));
            }
            Self::Young(young) => shot.body.material.get_or_insert_default().young = *young,
            Self::Window(window) => shot.edit.window = window.map(|(a, b)| a..=b),
            Self::Nothing => {}
            _ if count == 0 => {}
            Self::Remove(k) => drop(shot.edit.handles.remove(handle(k))),
            Self::Move(k, by) => shot.edit.handles[handle(k)].goal = Goal::By(*by),
            Self::Mute(k) => shot.edit.handles[handle(k)].muted = Some(true),
            Self::Soften(k, weight) => shot.edit.handles[handle(k)].hold = Some(Hold::Soft(*weight)),
        }
    }
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(-0.0), Just(1e-300), Just(0.1), -1e6..1e6]
}

fn edit() -> impl Strategy<Value = Edit> {
    let by = || [number(), number(), number()];
    prop_oneof![
        (-5..100, by()).prop_map(|(frame, by)| Edit::Add(frame, by)),
        any::<usize>().prop_map(Edit::Remove),
        (any::<usize>(), by()).prop_map(|(k, by)| Edit::Move(k, by)),
        any::<usize>().prop_map(Edit::Mute),
        (any::<usize>(), 1e-3..1e3).prop_map(|(k, weight)| Edit::Soften(k, weight)),
        (1.0..1e9).prop_map(Edit::Young),
        prop::option::of((0..10, 10..20)).prop_map(Edit::Window),
        Just(Edit::Nothing),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => edit().prop_map(Act::Change),
        3 => (prop::collection::vec(edit(), 0..4), any::<bool>()).prop_map(|(edits, kept)| Act::Gesture(edits, kept)),
        3 => Just(Act::Undo),
        2 => Just(Act::Redo),
        1 => Just(Act::Save),
    ]
}

/// A shot with every bit of it: numbers are printed so that they differ if they do, the sign of 0 too.
fn bits(document: &Document) -> (Generation, String) {
    (document.generation(), format!("{:?}", document.shot()))
}

/// What a document should be: all states, and which of them is the current one and the saved one.
struct Model {
    states: Vec<(Generation, String)>,
    at: usize,
    saved: Generation,
}

impl Model {
    fn after_step(&mut self, document: &Document, stepped: bool) -> Result<(), TestCaseError> {
        if stepped {
            self.states.truncate(self.at + 1);
            prop_assert!(self.states.iter().all(|(generation, _)| *generation != document.generation()));
            self.states.push(bits(document));
            self.at += 1;
        }
        Ok(())
    }
}

fn check(acts: &[Act], folder: &Path) -> Result<(), TestCaseError> {
    let home = Home::in_folder(folder);
    let path = Sample::named("block").unwrap().write(&folder.join("film")).unwrap();
    let mut document = Document::open(&path, &home).unwrap();
    let mut model = Model { states: vec![bits(&document)], at: 0, saved: document.generation() };
    for act in acts {
        match act {
            Act::Change(edit) => {
                let stepped = document.change("Change", |shot| edit.apply(shot));
                model.after_step(&document, stepped)?;
            }
            Act::Gesture(edits, kept) => {
                document.begin_gesture("Gesture");
                edits.iter().for_each(|edit| document.update_gesture(|shot| edit.apply(shot)));
                if *kept {
                    let stepped = document.commit_gesture();
                    model.after_step(&document, stepped)?;
                } else {
                    document.cancel_gesture();
                }
            }
            Act::Undo => {
                prop_assert_eq!(document.undo(), model.at > 0);
                model.at = model.at.saturating_sub(1);
            }
            Act::Redo => {
                let more = model.at + 1 < model.states.len();
                prop_assert_eq!(document.redo(), more);
                model.at += usize::from(more);
            }
            Act::Save => {
                document.save().unwrap();
                model.saved = document.generation();
                let read = format!("{:?}", Shot::load(&path).unwrap());
                prop_assert_eq!(&read, &bits(&document).1, "what is saved is what is read");
                model.states[model.at] = bits(&document);
            }
        }
        prop_assert_eq!(&bits(&document), &model.states[model.at]);
        prop_assert_eq!(document.is_changed(), document.generation() != model.saved);
        prop_assert_eq!(document.undo_steps().count(), model.at);
    }
    let last = model.states.len() - 1;
    while document.undo() {
        model.at -= 1;
        prop_assert_eq!(&bits(&document), &model.states[model.at]);
    }
    prop_assert_eq!(&bits(&document), &model.states[0], "all undone");
    while document.redo() {}
    prop_assert_eq!(&bits(&document), &model.states[last], "all done again");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn undo_and_redo_restore_every_bit(acts in prop::collection::vec(act(), 0..30)) {
        let folder = tempfile::tempdir().unwrap();
        check(&acts, folder.path())?;
    }
}

#[test]
fn steps_have_names_and_gestures_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    assert!(!document.is_changed() && document.path().is_none() && document.title() == "block");
    document.change("Set modes", |shot| shot.edit.modes = 10);
    document.begin_gesture("Drag");
    let before = document.generation();
    for modes in 11..20 {
        document.update_gesture(|shot| shot.edit.modes = modes);
    }
    assert_ne!(document.generation(), before, "what is computed for it must be told apart");
    assert_eq!(document.shot().edit.modes, 19);
    document.commit_gesture();
    assert_eq!(document.undo_steps().collect::<Vec<_>>(), ["Drag", "Set modes"]);
    assert!(document.undo());
    assert_eq!((document.shot().edit.modes, document.redo_steps().next()), (10, Some("Drag")));
    document.begin_gesture("Drag");
    document.update_gesture(|shot| shot.edit.modes = 30);
    assert!(document.undo(), "the gesture alone");
    assert_eq!((document.shot().edit.modes, document.in_gesture()), (10, false));
    assert_eq!(document.redo_steps().next(), Some("Drag"));
}
