//! The small picture of a character: its bones in a few frames, beside each other as it goes.

use crate::character::Rig;
use supple_character::SkeletonError;
use supple_formats::RigFile;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// How many frames are drawn.
const FRAMES: usize = 4;

/// Points and triangles of the bones: an octahedron each, from joint to joint.
pub fn strobe(file: RigFile) -> Result<(Vec<Vec3>, Vec<[VertexId; 3]>), SkeletonError> {
    let rig = Rig::new(file, 1.0)?;
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let Some(clip) = rig.file.clips.first() else { return Ok((points, triangles)) };
    let motion = rig.motion(clip);
    for k in 0..FRAMES {
        let world = motion.world(&rig.skeleton, k * (clip.frames - 1) / (FRAMES - 1));
        for (j, joint) in rig.skeleton.joints().iter().enumerate() {
            if let Some(parent) = joint.parent.filter(|_| joint.offset.norm() > 0.0) {
                bone(world.positions[parent], world.positions[j], &mut points, &mut triangles);
            }
        }
    }
    Ok((points, triangles))
}

fn bone(from: Vec3, to: Vec3, points: &mut Vec<Vec3>, triangles: &mut Vec<[VertexId; 3]>) {
    let first = points.len();
    let along = to - from;
    let side = along.cross(&if along.x.abs() < 0.5 * along.norm() { Vec3::x() } else { Vec3::y() });
    let side = side.normalize() * (0.09 * along.norm()).clamp(0.02, 0.05);
    let other = along.normalize().cross(&side);
    let middle = from + along * 0.2;
    points.extend([from, middle + side, middle + other, middle - side, middle - other, to]);
    let id = |k: usize| VertexId::new(first + k);
    for k in 0..4 {
        let (a, b) = (id(1 + k), id(1 + (k + 1) % 4));
        triangles.extend([[id(0), b, a], [id(5), a, b]]);
    }
}
