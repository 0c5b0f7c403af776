//! Where handles are in the edited motion and where they were asked to be, for the eye.
//!
//! A handle that asks for some coordinates only is asked to be at its own place with these coordinates changed, so that
//! the way between the two is its error.

use super::{DragMethod, HandleKey};
use supple_mesh::Vec3;
use supple_spacetime::Order;

/// A point that a handle holds at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandleMark {
    /// The handle.
    pub key: HandleKey,
    /// Where the edited motion has the point.
    pub at: Vec3,
    /// Where it was asked to be.
    pub asked: Vec3,
}

impl DragMethod {
    /// The points that handles on positions hold at a frame, counted from 0. Handles on velocities and on differences of
    /// points have no place.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn marks(&self, index: usize) -> Vec<HandleMark> {
        let held = self
            .handles
            .there
            .iter()
            .flat_map(|(key, held)| held.wishes.iter().map(move |w| (*key, &w.wish)));
        let here: Vec<_> = held
            .filter(|(_, wish)| wish.frame == index && wish.order == Order::Position)
            .filter(|(_, wish)| (wish.point.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-6)
            .collect();
        if here.is_empty() {
            return Vec::new();
        }
        let mut u = vec![0.0; 3 * self.figure.positions.len()];
        self.show(&self.path(), index, index, &mut u);
        let mark = |(key, wish): (HandleKey, &super::wish::Wish)| {
            let at = wish.place(&self.figure.positions, &u);
            let there = wish.axes * at;
            let lacking =
                Vec3::from_fn(|axis, _| wish.target[axis].map_or(0.0, |target| target - there[axis]));
            HandleMark { key, at, asked: at + wish.axes.transpose() * lacking }
        };
        here.into_iter().map(mark).collect()
    }
}
