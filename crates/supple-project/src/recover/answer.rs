//! What a recovery came to.

use super::given::Given;
use serde::Serialize;
use std::f64::consts::TAU;
use std::path::PathBuf;
use supple_spacetime::Recovered;

/// The material of a motion: what `supple recover --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct RecoverAnswer {
    /// The shot file; empty for a shot in memory.
    pub shot: PathBuf,
    /// The first and the last frame that were learnt from.
    pub frames: [i32; 2],
    /// How many of them count: nothing pushes the body in them.
    pub counted: usize,
    /// Physical time from frame to frame, s.
    pub seconds_per_frame: f64,
    /// What swings in the motion, the slowest first.
    pub modes: Vec<RecoveredMode>,
    /// How well the frames after these are told; `None` if there are none.
    pub held_out: Option<HeldOut>,
    /// How stiff the regions of the body are; none for bodies that are no solids.
    pub regions: Vec<RecoveredRegion>,
    /// How vibration dies in the whole body; `None` without `regions`.
    pub damping: Option<RecoveredDamping>,
    /// How the search ended: `settled`, `unfinished` or `stopped`.
    pub status: &'static str,
    /// Its rounds.
    pub rounds: usize,
    /// The shot that was written.
    pub next_shot: Option<PathBuf>,
    /// The table of modes it names.
    pub material: Option<PathBuf>,
    /// How long it took.
    pub seconds: f64,
}

/// A mode of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RecoveredMode {
    /// √λ/2π, Hz.
    pub frequency: f64,
    /// d/(2√λ).
    pub damping_ratio: f64,
    /// The part of the motion it has, a mean of squares in the mass of the body.
    pub share: f64,
}

/// Frames that were not learnt from, told from the last that was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HeldOut {
    /// How far they are off, as a part of their motion; root mean squares in the mass of the body.
    pub error: f64,
    /// The same with uniform material that is only scaled to the motion.
    pub unoptimised: f64,
    /// How many there are.
    pub frames: usize,
}

/// How stiff a region is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecoveredRegion {
    /// Its group; `None` for the body outside of all regions.
    pub group: Option<String>,
    /// Young's modulus, Pa, if the density is as the shot says.
    pub young: f64,
    /// Whether the motion says enough of it.
    pub determined: bool,
    /// The part of `young` it is uncertain by, as far as is known; `None` where nothing is.
    pub uncertainty: Option<f64>,
    /// The part of the strain energy it bears.
    pub share: f64,
}

/// How vibration dies, D = `mass`·M + `stiffness`·K.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RecoveredDamping {
    /// 1/s.
    pub mass: f64,
    /// s.
    pub stiffness: f64,
}

impl RecoverAnswer {
    pub(super) fn of(
        given: &Given,
        found: &Recovered,
        held_out: Option<HeldOut>,
        stiffness: Option<(Vec<RecoveredRegion>, RecoveredDamping)>,
    ) -> Self {
        let mode = |k: usize| {
            let omega = found.eigenvalues[k].sqrt();
            RecoveredMode {
                frequency: omega / TAU / given.seconds_per_frame,
                damping_ratio: found.damping[k] / (2.0 * omega),
                share: found.shares[k],
            }
        };
        let (regions, damping) =
            stiffness.map_or((Vec::new(), None), |(regions, damping)| (regions, Some(damping)));
        Self {
            shot: PathBuf::new(),
            frames: given.numbers(),
            counted: given.runs.iter().map(ExactSizeIterator::len).sum(),
            seconds_per_frame: given.seconds_per_frame,
            modes: (0..found.eigenvalues.len()).map(mode).collect(),
            held_out,
            regions,
            damping,
            status: found.status.name(),
            rounds: found.costs.len() - 1,
            next_shot: None,
            material: None,
            seconds: 0.0,
        }
    }
}
