//! What is in a file of a skeleton, as far as a new shot and `supple info` need it.
//!
//! BVH says neither its unit nor its axis up. The unit is the one of metres, centimetres, inches and those of the captures
//! of Carnegie Mellon that makes the figure most nearly 1.7 m tall; the axis up is y, unless the figure stands along z.

use crate::character::{GUESSED_UP, Rig, height, likely_unit, likely_up};
use crate::shot::Axis;
use crate::source::{Space, axis};
use supple_character::{Motion, SkeletonError, Turns, begins_with_a_rest_pose, use_of};
use supple_formats::{RigClip, RigFile};

/// A skeleton of a file, in metres with y up, and what its motion says of it.
#[derive(Clone, Debug)]
pub struct FoundSkeleton {
    /// The skeleton.
    pub rig: Rig,
    /// Metres in a unit of the file, and its axis up.
    pub space: Space,
    /// Why it is that unit.
    pub unit_from: UnitFrom,
    /// The axis up that the figure tells where nothing else does.
    pub likely_up: Axis,
    /// Whether nothing else did.
    pub up_is_guessed: bool,
    /// How tall the figure is, m.
    pub height: f64,
    /// The joints that turn about one axis only, whatever channels they have.
    pub hinges: Vec<String>,
    /// Whether the first frame is a pose of its own.
    pub begins_with_a_rest_pose: bool,
}

/// What says how long a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitFrom {
    /// A person.
    Option,
    /// The file.
    File,
    /// How tall the figure is in it.
    Height,
}

impl FoundSkeleton {
    /// Looks at a skeleton. What a person says of its unit and axis up comes first, then what the file says.
    ///
    /// # Errors
    /// When its joints do not fit together.
    pub fn of(file: RigFile, unit: Option<f64>, up: Option<Axis>) -> Result<Self, SkeletonError> {
        let likely_up = likely_up(&file)?;
        let said = up.or(file.up.map(axis));
        let up = said.unwrap_or(likely_up);
        let asked = unit.map(|unit| (unit, UnitFrom::Option));
        let known = asked.or(file.unit.map(|unit| (unit, UnitFrom::File)));
        let rig = Rig::new(file, 1.0, up.index())?;
        let motion = motion(&rig);
        let tall = height(&rig.skeleton, &motion, Axis::Y.index());
        let (unit, unit_from) = known.unwrap_or_else(|| (likely_unit(tall), UnitFrom::Height));
        let first_is_rest = begins_with_a_rest_pose(&rig.skeleton, &motion);
        let hinges = hinges(&rig, &motion, usize::from(first_is_rest));
        Ok(Self {
            rig: Rig::new(rig.file, unit, up.index())?,
            space: Space { unit, up },
            unit_from,
            likely_up,
            up_is_guessed: said.is_none(),
            height: tall * unit,
            hinges,
            begins_with_a_rest_pose: first_is_rest,
        })
    }

    /// How many joints there are, and how many ends of limbs.
    #[must_use]
    pub fn joints(&self) -> [usize; 2] {
        let ends = self.rig.file.joints.iter().filter(|joint| joint.end).count();
        [self.rig.file.joints.len() - ends, ends]
    }

    /// The motion that is meant where none is named.
    #[must_use]
    pub fn clip(&self) -> Option<&RigClip> {
        self.rig.file.clips.first()
    }

    /// What a person should know.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let rest = "the first frame is a reference pose, such as a T-pose, far from the second; it is left unchanged";
        let rest = self.begins_with_a_rest_pose.then(|| rest.to_owned());
        let up = (self.up_is_guessed && self.space.up != Axis::Y).then(|| GUESSED_UP.to_owned());
        self.rig.file.notes.iter().cloned().chain(rest).chain(up).collect()
    }

    /// The unit, and why it is that one.
    #[must_use]
    pub fn unit_reason(&self) -> &'static str {
        match self.unit_from {
            UnitFrom::Option => "as asked",
            UnitFrom::File => "as the file says",
            UnitFrom::Height if self.height > 0.0 => {
                "of m, cm, inch and CMU's 0.056444 m the one that makes the figure most nearly 1.7 m tall"
            }
            UnitFrom::Height => "the figure has no height to tell by",
        }
    }
}

/// The first clip; rest where there is none.
fn motion(rig: &Rig) -> Motion {
    let clip = rig.file.clips.first();
    clip.map_or_else(|| Motion::rest(&rig.skeleton, 1), |clip| rig.motion(clip))
}

/// The joints below the root that have one channel to turn about, or three and turn about one axis all the same.
fn hinges(rig: &Rig, motion: &Motion, first: usize) -> Vec<String> {
    let is_hinge = |file: usize| {
        let joint = rig.joints[file];
        let is_one = rig.of_file.iter().filter(|of| **of == file).count() == 1;
        is_one
            && match rig.skeleton.joints()[joint].turns {
                Turns::Hinge(_) => true,
                Turns::Ball => use_of(motion, joint, first).hinge().is_some(),
                Turns::Fixed => false,
            }
    };
    let joints = rig.file.joints.iter().enumerate();
    let below = joints.filter(|(file, joint)| joint.parent.is_some() && is_hinge(*file));
    below.map(|(_, joint)| joint.name.clone()).collect()
}
