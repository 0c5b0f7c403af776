//! What is in a file of a skeleton and its motion.

use serde::Serialize;
use supple_formats::RigFile;

/// A skeleton and its motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkeletonInfo {
    /// How many joints, without the ends of limbs.
    pub joints: usize,
    /// How many ends of limbs.
    pub end_sites: usize,
    /// How many numbers make a pose.
    pub degrees_of_freedom: usize,
    /// How many frames there are.
    pub frames: usize,
    /// Frames per second.
    pub fps: Option<f64>,
    /// What is called another way here than in the file.
    pub notes: Vec<String>,
}

impl SkeletonInfo {
    pub(super) fn of(file: &RigFile) -> Self {
        let end_sites = file.joints.iter().filter(|joint| joint.end).count();
        let clip = file.clips.first();
        Self {
            joints: file.joints.len() - end_sites,
            end_sites,
            degrees_of_freedom: file.channel_count(),
            frames: clip.map_or(0, |clip| clip.frames),
            fps: clip.map(supple_formats::RigClip::fps),
            notes: file.notes.clone(),
        }
    }
}
