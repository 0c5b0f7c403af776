//! Layers of a character as a person works on them: added, renamed, deleted. A shot stays one that can be saved and read
//! again: names differ, and the window of a layer holds its handles and is inside that of the edit.

use std::ops::RangeInclusive;
use supple_project::Shot;
use supple_project::shot::{Handle, Layer};

/// Adds a layer on top of the others, with a name of its own; answers its place.
pub fn add_layer(shot: &mut Shot) -> usize {
    let layers = &mut shot.edit.layers;
    let is_free = |name: &String| layers.iter().all(|layer| layer.name != *name);
    let name = (1..).map(|number| format!("layer {number}")).find(is_free).unwrap_or_default();
    layers.push(Layer::new(name));
    layers.len() - 1
}

/// What is wrong with a name for a layer, in words.
#[must_use]
pub fn layer_name_problem(shot: &Shot, place: usize, name: &str) -> Option<&'static str> {
    let is_others = |(other, layer): (usize, &Layer)| other != place && layer.name == name;
    if name.trim().is_empty() {
        Some("A layer needs a name")
    } else if shot.edit.layers.iter().enumerate().any(is_others) {
        Some("Another layer has this name")
    } else {
        None
    }
}

/// Calls a layer otherwise, where it is named too; nothing if it cannot be called so.
pub fn rename_layer(shot: &mut Shot, place: usize, name: &str) {
    if layer_name_problem(shot, place, name).is_some() {
        return;
    }
    let Some(layer) = shot.edit.layers.get_mut(place) else { return };
    let before = std::mem::replace(&mut layer.name, name.to_owned());
    for handle in shot.edit.all_handles_mut().filter(|handle| handle.layer.as_deref() == Some(&before)) {
        handle.layer = Some(name.to_owned());
    }
}

/// Deletes a layer; its handles are answered by the edit below all layers.
pub fn delete_layer(shot: &mut Shot, place: usize) {
    if place >= shot.edit.layers.len() {
        return;
    }
    let gone = shot.edit.layers.remove(place);
    for handle in shot.edit.all_handles_mut().filter(|handle| handle.layer.as_deref() == Some(&gone.name)) {
        handle.layer = None;
    }
}

/// Whether a layer may answer a handle: all of its frames are in the layer's window.
#[must_use]
pub fn may_answer(layer: &Layer, handle: &Handle) -> bool {
    let range = handle.when.range();
    layer.window.as_ref().is_none_or(|window| holds(window, &range))
}

/// Makes windows of layers fit what has changed: they hold their handles, and go no farther than the edit. Where both
/// cannot be, the layer has the window of the edit.
pub fn fit_layers(shot: &mut Shot) {
    let edit = &mut shot.edit;
    let mut layers = std::mem::take(&mut edit.layers);
    for layer in &mut layers {
        let Some(mut window) = layer.window.clone() else { continue };
        let own = edit.handles.iter().filter(|handle| handle.layer.as_deref() == Some(&layer.name));
        for range in own.map(|handle| handle.when.range()) {
            window = *window.start().min(range.start())..=*window.end().max(range.end());
        }
        layer.window = Some(window);
        if let (Some(all), Some(window)) = (&edit.window, &layer.window)
            && !holds(all, window)
        {
            let cut = *window.start().max(all.start())..=*window.end().min(all.end());
            let mut own = edit.handles.iter().filter(|handle| handle.layer.as_deref() == Some(&layer.name));
            let is_whole = cut.start() < cut.end() && own.all(|handle| holds(&cut, &handle.when.range()));
            layer.window = is_whole.then_some(cut);
        }
    }
    edit.layers = layers;
}

fn holds(window: &RangeInclusive<i32>, range: &RangeInclusive<i32>) -> bool {
    window.start() <= range.start() && range.end() <= window.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use supple_project::shot::{Body, Goal, Site, When};

    fn shot() -> Shot {
        let mut shot = Shot::new(Path::new("/"), Body::character("walk.bvh")).unwrap();
        let handle = Handle::new(When::Frames(20..=30), Site::joint("Hand"), Goal::Stay { at: None });
        add_layer(&mut shot);
        shot.edit.handles.push(Handle { layer: Some("layer 1".into()), ..handle });
        shot
    }

    /// Whether what is written is read again as it is.
    fn is_sound(shot: &Shot) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shot.toml");
        let mut saved = shot.moved(&path, |_| None).unwrap();
        saved.save(&path).unwrap();
        Shot::load(&path).is_ok_and(|read| read.edit == saved.edit)
    }

    #[test]
    fn layers_have_names_of_their_own_and_handles_follow_them() {
        let mut shot = shot();
        assert_eq!(add_layer(&mut shot), 1);
        assert_eq!(shot.edit.layers[1].name, "layer 2");
        assert!(
            layer_name_problem(&shot, 1, "layer 1").is_some() && layer_name_problem(&shot, 1, " ").is_some()
        );
        rename_layer(&mut shot, 1, "layer 1");
        assert_eq!(shot.edit.layers[1].name, "layer 2", "not the name of another");
        rename_layer(&mut shot, 0, "arms");
        assert_eq!(shot.edit.handles[0].layer.as_deref(), Some("arms"));
        assert!(is_sound(&shot));
        delete_layer(&mut shot, 0);
        assert_eq!((shot.edit.layers.len(), &shot.edit.handles[0].layer), (1, &None));
        delete_layer(&mut shot, 7);
        assert!(is_sound(&shot));
    }

    #[test]
    fn windows_hold_their_handles_inside_that_of_the_edit() {
        let mut shot = shot();
        let mut fitted = |own: RangeInclusive<i32>, all: Option<RangeInclusive<i32>>| {
            (shot.edit.layers[0].window, shot.edit.window) = (Some(own), all);
            fit_layers(&mut shot);
            assert!(is_sound(&shot));
            shot.edit.layers[0].window.clone()
        };
        assert_eq!(fitted(10..=40, None), Some(10..=40));
        assert_eq!(fitted(25..=40, None), Some(20..=40));
        assert_eq!(fitted(10..=40, Some(15..=35)), Some(15..=35));
        assert_eq!(fitted(10..=40, Some(25..=35)), None, "the handle is outside");
        assert!(may_answer(&Layer { window: Some(20..=30), ..Layer::new("a") }, &shot.edit.handles[0]));
        assert!(!may_answer(&Layer { window: Some(21..=30), ..Layer::new("a") }, &shot.edit.handles[0]));
    }
}
