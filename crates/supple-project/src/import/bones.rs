//! A skeleton as a surface that moves, to be looked at and to be written as points: an octahedron for each bone.

use super::error::ImportError;
use super::skeleton::FoundSkeleton;
use crate::character::Rig;
use nalgebra::Vector3;
use std::path::Path;
use supple_character::{Motion, Skeleton};
use supple_formats::{
    FormatError, MotionFormat, MotionInfo, MotionReader, RigClip, RigFile, Scene, SurfaceFile,
};
use supple_model::{FrameError, FrameSource};

/// Where the four corners around a bone are along it, and how far from it, as parts of its length.
const WAIST: [f64; 2] = [0.2, 0.1];

/// The frames of a skeleton's bones, in the unit and axes of its file.
struct Bones {
    skeleton: Skeleton,
    motion: Motion,
    /// For each vertex the joint that carries it, and where it is in that joint's axes.
    vertices: Vec<(usize, Vector3<f64>)>,
    surface: SurfaceFile,
    info: MotionInfo,
}

/// The skeleton of the file at `path` as a scene of one object.
pub(super) fn scene(found: &FoundSkeleton, path: &Path) -> Result<Scene, ImportError> {
    let wrong = |source| ImportError::Skeleton { file: path.to_path_buf(), source };
    let bones = Bones::of(&found.rig.file).map_err(wrong)?;
    let named = |error: FormatError| if error.path.is_some() { error } else { error.in_file(path) };
    let scene = Scene::of_motion(Box::new(bones), None, path).map_err(named)?;
    let (unit, up) = (Some(found.space.unit), Some(found.space.up_axis()));
    Ok(Scene { metres_per_unit: unit, up, notes: found.notes(), ..scene })
}

impl Bones {
    fn of(file: &RigFile) -> Result<Self, supple_character::SkeletonError> {
        let rig = Rig::new(file.clone(), 1.0, 1)?;
        let clip = file.clips.first();
        let motion = clip.map_or_else(|| Motion::rest(&rig.skeleton, 1), |clip| rig.motion(clip));
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for joint in rig.skeleton.joints() {
            if let Some(parent) = joint.parent.filter(|_| joint.offset.norm() > 0.0) {
                add(parent, &joint.offset, &mut vertices, &mut triangles);
            }
        }
        if vertices.is_empty() {
            // All joints are at one place: a mark there.
            add(0, &Vector3::y(), &mut vertices, &mut triangles);
        }
        let surface =
            SurfaceFile { positions: vec![[0.0; 3]; vertices.len()], triangles, ..SurfaceFile::default() };
        let info = MotionInfo {
            format: MotionFormat::Pc2,
            vertices: vertices.len(),
            frames: motion.frames(),
            start: None,
            step: 1.0,
            fps: clip.map(RigClip::fps),
            times: Vec::new(),
        };
        Ok(Self { skeleton: rig.skeleton, motion, vertices, surface, info })
    }
}

/// Adds the octahedron of a bone that `joint` carries.
fn add(
    joint: usize,
    bone: &Vector3<f64>,
    vertices: &mut Vec<(usize, Vector3<f64>)>,
    triangles: &mut Vec<[u32; 3]>,
) {
    let first = vertices.len() as u32;
    let side = Vector3::ith(bone.iamin(), 1.0).cross(bone).normalize() * (WAIST[1] * bone.norm());
    let other = bone.normalize().cross(&side);
    let waist = bone * WAIST[0];
    let corners = [Vector3::zeros(), waist + side, waist + other, waist - side, waist - other, *bone];
    vertices.extend(corners.map(|corner| (joint, corner)));
    for k in 0..4 {
        let (a, b) = (1 + k, 1 + (k + 1) % 4);
        triangles.extend([[0, b, a], [5, a, b]].map(|triangle| triangle.map(|v| first + v)));
    }
}

impl FrameSource for Bones {
    fn vertices(&self) -> usize {
        self.vertices.len()
    }

    fn frames(&self) -> usize {
        self.motion.frames()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        let world = self.motion.world(&self.skeleton, index);
        for (out, (joint, v)) in positions.iter_mut().zip(&self.vertices) {
            *out = (world.positions[*joint] + world.rotations[*joint] * v).into();
        }
        Ok(())
    }
}

impl MotionReader for Bones {
    fn info(&self) -> &MotionInfo {
        &self.info
    }

    fn topology(&self) -> Option<&SurfaceFile> {
        Some(&self.surface)
    }
}
