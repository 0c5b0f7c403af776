//! Handles by their place in the file: those of the edit itself first, then those of each segment.

use super::{Edit, Handle};

impl Edit {
    /// How many handles there are, in segments too.
    #[must_use]
    pub fn handle_count(&self) -> usize {
        self.handles.len() + self.segments.iter().map(|segment| segment.handles.len()).sum::<usize>()
    }

    /// A handle by its place, the first 0.
    #[must_use]
    pub fn handle(&self, place: usize) -> Option<&Handle> {
        self.all_handles().nth(place).map(|(_, handle)| handle)
    }

    /// A handle by its place, the first 0, to be changed.
    pub fn handle_mut(&mut self, place: usize) -> Option<&mut Handle> {
        self.all_handles_mut().nth(place)
    }

    /// All handles in the order of the file, to be changed.
    pub fn all_handles_mut(&mut self) -> impl Iterator<Item = &mut Handle> {
        self.handles.iter_mut().chain(self.segments.iter_mut().flat_map(|segment| &mut segment.handles))
    }

    /// The segment that a handle is in, the first 0; none for one of the edit itself, and for one that is not there.
    #[must_use]
    pub fn segment_of(&self, place: usize) -> Option<usize> {
        self.all_handles().nth(place)?.0.map(|number| number - 1)
    }

    /// Adds a handle behind the others of a segment, or of the edit itself; answers its place.
    ///
    /// # Panics
    /// When there is no such segment.
    pub fn add_handle(&mut self, segment: Option<usize>, handle: Handle) -> usize {
        let Some(segment) = segment else {
            self.handles.push(handle);
            return self.handles.len() - 1;
        };
        self.segments[segment].handles.push(handle);
        let before = self.segments[..=segment].iter().map(|segment| segment.handles.len());
        self.handles.len() + before.sum::<usize>() - 1
    }

    /// Takes a handle out by its place, the first 0; nothing if it is not there.
    pub fn remove_handle(&mut self, place: usize) -> Option<Handle> {
        let mut place = place;
        let own = std::iter::once(&mut self.handles);
        for handles in own.chain(self.segments.iter_mut().map(|segment| &mut segment.handles)) {
            if place < handles.len() {
                return Some(handles.remove(place));
            }
            place -= handles.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{At, Goal, Length, Segment, Site, When};
    use super::*;

    fn handle(x: f64) -> Handle {
        Handle::new(When::At(At::End), Site::CenterOfMass, Goal::By([x, 0.0, 0.0]))
    }

    #[test]
    fn places_count_through_all_segments() {
        let mut edit = Edit { segments: vec![Segment::new(Length::Frames(24.0)); 3], ..Edit::default() };
        assert_eq!((edit.handle_count(), edit.handle(0)), (0, None));
        assert_eq!(edit.remove_handle(0), None);
        assert_eq!(edit.add_handle(Some(2), handle(1.0)), 0);
        assert_eq!(edit.add_handle(Some(0), handle(2.0)), 0);
        assert_eq!(edit.add_handle(Some(2), handle(3.0)), 2, "behind those of its segment");
        let goals = |edit: &Edit| edit.all_handles().map(|(_, h)| h.goal.clone()).collect::<Vec<_>>();
        assert_eq!(goals(&edit), [2.0, 1.0, 3.0].map(|x| handle(x).goal));
        assert_eq!([0, 1, 2, 3].map(|place| edit.segment_of(place)), [Some(0), Some(2), Some(2), None]);
        edit.handle_mut(1).unwrap().goal = Goal::By([9.0, 0.0, 0.0]);
        assert_eq!(edit.segments[2].handles[0], handle(9.0));
        assert_eq!(edit.remove_handle(1), Some(handle(9.0)));
        assert_eq!((edit.handle_count(), edit.handle(1)), (2, Some(&handle(3.0))));
        assert_eq!(edit.remove_handle(2), None);
    }

    #[test]
    fn handles_of_the_edit_itself_come_first() {
        let mut edit = Edit::default();
        assert_eq!([edit.add_handle(None, handle(1.0)), edit.add_handle(None, handle(2.0))], [0, 1]);
        assert_eq!((edit.segment_of(1), edit.remove_handle(0)), (None, Some(handle(1.0))));
        assert_eq!(edit.handles, [handle(2.0)]);
    }
}
