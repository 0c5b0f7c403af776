//! A skeleton as a surface that moves, to be looked at and to be written as points.

use super::error::ImportError;
use super::skeleton::FoundSkeleton;
use crate::character::{Bones, Rig};
use crate::shot::Axis;
use std::path::Path;
use supple_character::{Motion, Skeleton, SkeletonError};
use supple_formats::{
    FormatError, MotionFormat, MotionInfo, MotionReader, RigClip, RigFile, Scene, SurfaceFile,
};
use supple_model::{FrameError, FrameSource};

/// The frames of a skeleton's bones, in the unit and axes of its file.
struct BoneFrames {
    skeleton: Skeleton,
    motion: Motion,
    bones: Bones,
    surface: SurfaceFile,
    info: MotionInfo,
}

/// The skeleton of the file at `path` as a scene of one object.
pub(super) fn scene(found: &FoundSkeleton, path: &Path) -> Result<Scene, ImportError> {
    let wrong = |source| ImportError::Skeleton { file: path.to_path_buf(), source };
    let frames = BoneFrames::of(&found.rig.file).map_err(wrong)?;
    let named = |error: FormatError| if error.path.is_some() { error } else { error.in_file(path) };
    let scene = Scene::of_motion(Box::new(frames), None, path).map_err(named)?;
    let (unit, up) = (Some(found.space.unit), Some(found.space.up_axis()));
    Ok(Scene { metres_per_unit: unit, up, notes: found.notes(), ..scene })
}

impl BoneFrames {
    fn of(file: &RigFile) -> Result<Self, SkeletonError> {
        // With y up nothing is turned.
        let rig = Rig::new(file.clone(), 1.0, Axis::Y.index())?;
        let clip = file.clips.first();
        let motion = clip.map_or_else(|| Motion::rest(&rig.skeleton, 1), |clip| rig.motion(clip));
        let bones = Bones::new(&rig.skeleton, |_| true);
        let surface = SurfaceFile {
            positions: bones.rest.iter().map(|place| (*place).into()).collect(),
            triangles: bones.triangles.iter().map(|triangle| triangle.map(|v| v.0)).collect(),
            ..SurfaceFile::default()
        };
        let info = MotionInfo {
            format: MotionFormat::Pc2,
            vertices: bones.rest.len(),
            frames: motion.frames(),
            start: None,
            step: 1.0,
            fps: clip.map(RigClip::fps),
            times: Vec::new(),
        };
        Ok(Self { skeleton: rig.skeleton, motion, bones, surface, info })
    }
}

impl FrameSource for BoneFrames {
    fn vertices(&self) -> usize {
        self.bones.rest.len()
    }

    fn frames(&self) -> usize {
        self.motion.frames()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        let world = self.motion.world(&self.skeleton, index);
        positions.iter_mut().zip(self.bones.at(&world)).for_each(|(out, place)| *out = place.into());
        Ok(())
    }
}

impl MotionReader for BoneFrames {
    fn info(&self) -> &MotionInfo {
        &self.info
    }

    fn topology(&self) -> Option<&SurfaceFile> {
        Some(&self.surface)
    }
}
