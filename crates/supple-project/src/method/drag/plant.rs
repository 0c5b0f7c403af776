//! Handles on what is planted move the plant.
//!
//! A plant sticks where it stands, at all its frames. A handle that holds a point of it, at any of these frames, asks for
//! another place; instead of tearing at the plant it takes it along: all contacts of the plant shall be where the input has
//! them and by the handle's pull farther, for as long as the plant stands. Of several handles the first decides.
//! While such a handle is in the hand the plant is let go, and the point follows; letting go of the handle moves the plant.

use super::handles::HeldWish;
use super::piece::is_limited;
use super::press::Pressed;
use super::{DragMethod, EditError, HandleKey};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

impl DragMethod {
    /// Moves plants with the handles on them, before anything is solved.
    pub(super) fn move_plants(&mut self, progress: &Progress) -> Result<(), EditError> {
        let mut plants: BTreeMap<usize, Vec3> = BTreeMap::new();
        for key in self.handles.there.keys() {
            for held in self.wishes_of(*key) {
                if let Some(plant) = self.plant_of(held) {
                    let pull = held.wish.axes.transpose() * (self.pull(&held.wish) - held.wish.short);
                    plants.entry(plant).or_insert(pull);
                }
            }
        }
        if plants.is_empty() {
            return Ok(());
        }
        self.under(Pressed::of_plants(plants), progress)?;
        Ok(())
    }

    /// Takes back what is held out of floor and obstacles, and lets go of the plants a handle is on: they would hold the
    /// hand back.
    pub(super) fn loosen(&mut self, key: HandleKey, progress: &Progress) -> Result<(), EditError> {
        let loose: BTreeSet<usize> = self.wishes_of(key).filter_map(|held| self.plant_of(held)).collect();
        if self.pressed.is_empty() && loose.is_empty() || self.pressed.is_only_loose(&loose) {
            return Ok(());
        }
        if loose.is_empty() {
            return self.lift();
        }
        self.under(Pressed::of_loose(loose), progress)?;
        Ok(())
    }

    /// The plant that a wish is on.
    fn plant_of(&self, held: &HeldWish) -> Option<usize> {
        if !is_limited(&held.wish) {
            return None;
        }
        self.contacts.plants.iter().position(|plant| {
            let stands = |v: &VertexId| plant.vertices.binary_search(v).is_ok();
            let on_it = held.wish.point.iter().filter(|(v, _)| stands(v)).map(|(_, weight)| weight);
            plant.frames.contains(&held.wish.frame) && on_it.sum::<f64>() > 0.5
        })
    }

    /// The frames of the plant that a handle moves, the scene's numbers.
    pub(super) fn planted(&self, key: HandleKey) -> Option<RangeInclusive<i32>> {
        let plant = self.wishes_of(key).find_map(|held| self.plant_of(held))?;
        let frames = &self.contacts.plants[plant].frames;
        Some(self.time.number(*frames.start())..=self.time.number(*frames.end()))
    }
}
