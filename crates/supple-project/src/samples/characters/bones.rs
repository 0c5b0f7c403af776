//! The small picture of a character: its bones in a few frames, beside each other as it goes.

use crate::character::{Bones, Rig};
use crate::shot::Shot;
use supple_character::SkeletonError;
use supple_formats::RigFile;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// How many frames are drawn.
const FRAMES: usize = 4;

/// Points and triangles of the bones in frames spread over the motion.
pub fn strobe(file: RigFile, shot: &Shot) -> Result<(Vec<Vec3>, Vec<[VertexId; 3]>), SkeletonError> {
    let rig = Rig::new(file, 1.0, 1)?;
    let joints = rig.skeleton.joints();
    let said = |j: usize| shot.body.skeleton().and_then(|skeleton| skeleton.joint(&joints[j].name));
    let is_dropped = |j: usize| said(j).is_some_and(|joint| joint.drop);
    let bones = Bones::new(&rig.skeleton, |j| !rig.skeleton.chain(j).any(is_dropped));
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for clip in &rig.file.clips {
        let motion = rig.motion(clip);
        for k in 0..FRAMES {
            let first = points.len();
            let world = motion.world(&rig.skeleton, k * (clip.frames - 1) / (FRAMES - 1));
            points.extend(bones.at(&world));
            let moved = |t: &[VertexId; 3]| t.map(|v| VertexId::new(v.index() + first));
            triangles.extend(bones.triangles.iter().map(moved));
        }
    }
    Ok((points, triangles))
}
