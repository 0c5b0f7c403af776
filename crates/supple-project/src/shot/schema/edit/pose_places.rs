//! Poses by their place in the file: those of the edit itself first, then those of each segment.

use super::{Edit, Pose};

impl Edit {
    /// All poses, in the order of the file, with their segment, the first 0.
    pub fn all_poses(&self) -> impl Iterator<Item = (Option<usize>, &Pose)> {
        let inside = self.segments.iter().enumerate();
        let inside = inside.flat_map(|(k, segment)| segment.poses.iter().map(move |pose| (Some(k), pose)));
        self.poses.iter().map(|pose| (None, pose)).chain(inside)
    }

    /// A pose by its place, the first 0, and its segment.
    #[must_use]
    pub fn pose(&self, place: usize) -> Option<(Option<usize>, &Pose)> {
        self.all_poses().nth(place)
    }

    /// A pose by its place, the first 0, to be changed.
    pub fn pose_mut(&mut self, place: usize) -> Option<&mut Pose> {
        self.poses
            .iter_mut()
            .chain(self.segments.iter_mut().flat_map(|segment| &mut segment.poses))
            .nth(place)
    }

    /// Adds a pose behind the others of a segment, or of the edit itself; answers its place, or nothing where there is no such
    /// segment.
    pub fn add_pose(&mut self, segment: Option<usize>, pose: Pose) -> Option<usize> {
        let Some(segment) = segment else {
            self.poses.push(pose);
            return Some(self.poses.len() - 1);
        };
        self.segments.get_mut(segment)?.poses.push(pose);
        let before = self.segments[..=segment].iter().map(|segment| segment.poses.len());
        Some(self.poses.len() + before.sum::<usize>() - 1)
    }

    /// Takes a pose out by its place, the first 0; nothing if it is not there.
    pub fn remove_pose(&mut self, place: usize) -> Option<Pose> {
        let mut place = place;
        let own = std::iter::once(&mut self.poses);
        for poses in own.chain(self.segments.iter_mut().map(|segment| &mut segment.poses)) {
            if place < poses.len() {
                return Some(poses.remove(place));
            }
            place -= poses.len();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{At, Length, Segment, When};
    use super::*;

    fn pose(name: &str) -> Pose {
        Pose { when: When::At(At::End), ..Pose::of_file(1, name) }
    }

    #[test]
    fn poses_count_through_all_segments() {
        let mut edit = Edit { segments: vec![Segment::new(Length::Frames(24.0)); 3], ..Edit::default() };
        assert_eq!(edit.pose(0), None);
        assert_eq!(edit.remove_pose(0), None);
        assert_eq!(edit.add_pose(Some(2), pose("a")), Some(0));
        assert_eq!(edit.add_pose(Some(0), pose("b")), Some(0));
        assert_eq!(edit.add_pose(Some(2), pose("c")), Some(2), "behind those of its segment");
        assert_eq!(edit.add_pose(Some(3), pose("d")), None, "there is no such segment");
        let files = |edit: &Edit| edit.all_poses().map(|(_, pose)| pose.file.clone()).collect::<Vec<_>>();
        assert_eq!(files(&edit), ["b", "a", "c"].map(|name| pose(name).file));
        assert_eq!([0, 1, 2].map(|place| edit.pose(place).unwrap().0), [Some(0), Some(2), Some(2)]);
        edit.pose_mut(1).unwrap().file_frame = Some(9);
        assert_eq!(edit.segments[2].poses[0].file_frame, Some(9));
        assert_eq!(edit.remove_pose(1).unwrap().file, pose("a").file);
        assert_eq!((files(&edit).len(), edit.remove_pose(2)), (2, None));
        assert_eq!((edit.add_pose(None, pose("e")), edit.pose(0).unwrap().0), (Some(0), None));
    }
}
