//! `prop`: handles on one thing, which are moved as one.

use super::{Edit, Goal, Handle};

impl Handle {
    /// Whether it goes along when another handle is moved: both are on one thing, and each is at a place.
    #[must_use]
    pub fn goes_with(&self, other: &Self) -> bool {
        self.prop.is_some()
            && self.prop == other.prop
            && self.goal.is_at_a_place()
            && other.goal.is_at_a_place()
    }
}

impl Edit {
    /// Gives a handle, by its place, another goal. Where that is only farther, all that is on the same thing goes as far.
    pub fn set_goal(&mut self, place: usize, goal: Goal) {
        let by = self.handle(place).and_then(|handle| handle.goal.shift_to(&goal));
        let others = by.map_or_else(Vec::new, |_| self.going_with(place));
        for handle in self.all_handles_mut().enumerate().filter_map(|(k, h)| others.contains(&k).then_some(h))
        {
            if let Some(shifted) = by.and_then(|by| handle.goal.shifted(by)) {
                handle.goal = shifted;
            }
        }
        if let Some(handle) = self.handle_mut(place) {
            handle.goal = goal;
        }
    }

    /// Moves a handle, and all that is on the same thing; answers the places of all that moved, none where its goal is not
    /// at a place.
    pub fn shift(&mut self, place: usize, by: [f64; 3]) -> Vec<usize> {
        let Some(goal) = self.handle(place).and_then(|handle| handle.goal.shifted(by)) else {
            return Vec::new();
        };
        let mut moved = self.going_with(place);
        self.set_goal(place, goal);
        moved.push(place);
        moved.sort_unstable();
        moved
    }

    /// The other handles that are moved with one.
    fn going_with(&self, place: usize) -> Vec<usize> {
        let Some(own) = self.handle(place) else { return Vec::new() };
        let all = self.all_handles().enumerate();
        all.filter(|(k, (_, handle))| *k != place && handle.goes_with(own)).map(|(k, _)| k).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Move, Orientation, Site, When};
    use super::*;

    fn handle(goal: Goal, prop: Option<&str>) -> Handle {
        Handle { prop: prop.map(str::to_owned), ..Handle::new(When::Frame(1), Site::joint("Hand"), goal) }
    }

    #[test]
    fn all_that_is_on_one_thing_is_moved_as_one() {
        let by = |x: f64| Goal::By([x, 0.0, 1.0]);
        let turned = Goal::Orientation(Orientation::Input);
        let mut edit = Edit {
            handles: vec![
                handle(by(0.1), Some("box")),
                handle(by(0.2), Some("lamp")),
                handle(Goal::Stay { at: None }, Some("box")),
                handle(turned.clone(), Some("box")),
                handle(Goal::Velocity([1.0; 3]), Some("box")),
                handle(by(0.3), None),
            ],
            ..Edit::default()
        };
        let goals = |edit: &Edit| edit.handles.iter().map(|h| h.goal.clone()).collect::<Vec<_>>();
        let before = goals(&edit);
        assert_eq!(edit.shift(0, [0.5, 0.0, 0.0]), [0, 2]);
        let after = goals(&edit);
        assert_eq!(after[0], Goal::By([0.6, 0.0, 1.0]));
        assert_eq!(after[2], Goal::Stay { at: Some(Move::By([0.5, 0.0, 0.0])) });
        for other in [1, 3, 4, 5] {
            assert_eq!(after[other], before[other], "{other}");
        }
        // The other way round, by a goal of its own.
        edit.set_goal(2, Goal::Stay { at: Some(Move::By([0.0; 3])) });
        let back = goals(&edit)[0].shift_to(&before[0]).unwrap();
        assert!(back.iter().all(|x| x.abs() < 1e-12), "{back:?}");
        // What is no move of the thing leaves the others alone.
        edit.set_goal(0, Goal::To([1.0; 3]));
        assert_eq!(goals(&edit)[2], Goal::Stay { at: Some(Move::By([0.0; 3])) });
        assert_eq!((edit.shift(3, [1.0; 3]), goals(&edit)[3].clone()), (vec![], turned));
        assert!(edit.shift(9, [1.0; 3]).is_empty());
    }
}
