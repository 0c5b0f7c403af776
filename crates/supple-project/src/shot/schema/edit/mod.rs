//! `[edit]`: what is asked of the motion, and how it may answer.
//!
//! Keys that several methods share stand here, with a list of the methods that use them; what is one method's own stands
//! in a table of its own, which is kept as it is while another method is chosen.

mod character;
mod check;
mod control;
mod drag;
mod ends;
mod goal;
mod handle;
mod joints;
mod layer;
mod material;
mod own;
mod places;
mod pose;
mod pose_places;
mod prop;
mod segment;
mod site;
mod sparse;
mod when;
mod zone;

pub use character::{Character, Curve, KeySpacing, Metric};
pub use control::{Control, ControlBasis, ControlSolver, Effort, FrameTime, Guess, Recorded};
pub use drag::{Expert, Feel, Reach, Spread};
pub use ends::{End, Ends};
pub use goal::{Distance, Goal, Move, Orientation, Turn};
pub use handle::{Axes, Handle, Hold, Together};
pub use layer::Layer;
pub use material::{MaterialEdit, Optimise};
pub use own::OwnTable;
pub use pose::{Components, Pose, PoseVelocity};
pub use segment::{Flight, Land, Length, Segment};
pub use site::Site;
pub use sparse::{Sparse, SparseSolver};
pub use when::{At, When};
pub use zone::Zone;

use super::{AT_LEAST_ONE, BodyKind, NOT_NEGATIVE};
use crate::shot::describe::*;
use std::ops::RangeInclusive;

/// `[edit]`: what is asked of the motion, and how it may answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// How the motion answers.
    pub method: Method,
    /// How it follows a pull.
    pub feel: Feel,
    /// After how many frames a pull has faded to 5 %. Without: one second. Smooth edits only.
    pub reach: Option<Reach>,
    /// The share of the body that follows a pull by more than half. Without: 0.3. Smooth edits only.
    pub spread: Option<Spread>,
    /// How many modes of vibration to compute.
    pub modes: usize,
    /// How vibration dies. Without: so that modes as fast as the frames are half critically damped.
    pub damping: Option<Damping>,
    /// What holds at the first and the last frame.
    pub ends: Ends,
    /// The frames that may change. Without: all.
    pub window: Option<RangeInclusive<i32>>,
    /// The group of the body that may change; all else stays as the input has it. Without: all of it.
    pub part: Option<String>,
    /// Whether edits turn with the body instead of stretching it.
    pub warp: bool,
    /// Whether handles hold on the warped motion, or on the linear edit that is warped afterwards.
    pub exact: bool,
    /// The acceleration of free fall, per second of the playback squared: in flight. Without: none.
    pub gravity: Option<[f64; 3]>,
    /// Whether gravity acts on the ground, too. Without: no.
    pub weight: Option<bool>,
    /// `[edit.expert]`: what only few need of `drag`.
    pub expert: Option<Expert>,
    /// `[edit.sparse]`.
    pub sparse: Option<OwnTable>,
    /// `[edit.material]`.
    pub material: Option<OwnTable>,
    /// `[edit.control]`.
    pub control: Option<OwnTable>,
    /// `[edit.character]`.
    pub character: Option<OwnTable>,
    /// `[[edit.layer]]`: edits of a character on top of each other.
    pub layers: Vec<Layer>,
    /// `[[edit.handle]]`: what is asked of single points.
    pub handles: Vec<Handle>,
    /// `[[edit.pose]]`: what is asked of the whole body.
    pub poses: Vec<Pose>,
    /// `[[edit.segment]]`: the parts of a chain, which have all handles and poses then.
    pub segments: Vec<Segment>,
}

table!([Edit] {
    method: default,
    feel: used,
    reach: used,
    spread: used,
    modes: used,
    damping: used,
    ends: default,
    window: default,
    part: used,
    warp: used,
    exact: used,
    gravity: used,
    weight: used,
    expert: default,
    sparse: default,
    material: default,
    control: default,
    character: default,
    layers as "layer": used,
    handles as "handle": default,
    poses as "pose": used,
    segments as "segment": used,
});

impl Default for Edit {
    fn default() -> Self {
        Self {
            method: Method::default(),
            feel: Feel::default(),
            reach: None,
            spread: None,
            modes: 100,
            damping: None,
            ends: Ends::default(),
            window: None,
            part: None,
            warp: true,
            exact: true,
            gravity: None,
            weight: None,
            expert: None,
            sparse: None,
            material: None,
            control: None,
            character: None,
            layers: Vec::new(),
            handles: Vec::new(),
            poses: Vec::new(),
            segments: Vec::new(),
        }
    }
}

/// The methods whose edits are made of modes.
const OF_MODES: &[Method] = &[Method::Drag, Method::Sparse, Method::Material];

/// The methods whose edits are forces.
const OF_FORCES: &[Method] = &[Method::Drag, Method::Sparse, Method::Material, Method::Control];

/// The methods that know times between frames, and chains of segments.
const OF_TIMES: &[Method] = &[Method::Sparse, Method::Control];

/// The keys of `[edit]` that not all methods use, and those that do.
const OWNERS: &[(&str, &[Method])] = &[
    ("feel", &[Method::Drag]),
    ("reach", &[Method::Drag]),
    ("spread", &[Method::Drag]),
    ("modes", OF_MODES),
    ("damping", OF_FORCES),
    ("part", OF_MODES),
    ("warp", OF_MODES),
    ("exact", &[Method::Drag, Method::Sparse]),
    ("gravity", OF_TIMES),
    ("weight", OF_TIMES),
    ("pose", &[Method::Sparse, Method::Material, Method::Control]),
    ("segment", OF_TIMES),
    ("layer", &[Method::Character]),
];

impl Edit {
    /// What its keys cannot tell alone, when the method is known.
    pub(in crate::shot) fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        for (key, owners) in OWNERS {
            if let Some(field) = section.optional(key).filter(|_| !owners.contains(&self.method)) {
                return Err(field.bad(format!(
                    "is for {}, and this shot's method is {:?}",
                    methods(owners),
                    self.method.name()
                )));
            }
        }
        section.demand("modes", self.modes > 0, AT_LEAST_ONE)?;
        check::energy(self, section)?;
        check::handles(self, section)?;
        check::segments(self, section)?;
        layer::check(self, section)?;
        // Read for its mistakes; what another method keeps there is its own affair.
        match (self.method, section.optional(self.method.name())) {
            (Method::Sparse, Some(own)) => own.read::<Sparse>().map(drop),
            (Method::Material, Some(own)) => MaterialEdit::check_modes(&own, self.modes),
            (Method::Control, Some(own)) => own.read::<Control>().map(drop),
            (Method::Character, Some(own)) => own.read::<Character>().map(drop),
            _ => Ok(()),
        }
    }

    /// Whether the method uses a key of `[edit]`.
    fn uses(&self, key: &str) -> bool {
        OWNERS.iter().find(|(of, _)| *of == key).is_none_or(|(_, owners)| owners.contains(&self.method))
    }

    /// Chooses a method. What the shot says that the new one does not use goes back to its default; answers the keys
    /// that did. Tables of a method's own stay.
    pub fn choose(&mut self, method: Method) -> Vec<&'static str> {
        self.method = method;
        let plain = Self::default();
        let mut dropped = Vec::new();
        for (key, _) in OWNERS {
            if self.uses(key) {
                continue;
            }
            let is_dropped = match *key {
                "feel" => reset(&mut self.feel, plain.feel),
                "reach" => reset(&mut self.reach, None),
                "spread" => reset(&mut self.spread, None),
                "modes" => reset(&mut self.modes, plain.modes),
                "damping" => reset(&mut self.damping, None),
                "part" => reset(&mut self.part, None),
                "warp" => reset(&mut self.warp, plain.warp),
                "exact" => reset(&mut self.exact, plain.exact),
                "gravity" => reset(&mut self.gravity, None),
                "weight" => reset(&mut self.weight, None),
                "segment" => reset(&mut self.segments, Vec::new()),
                "layer" => reset(&mut self.layers, Vec::new()),
                _ => reset(&mut self.poses, Vec::new()),
            };
            if is_dropped {
                dropped.push(*key);
            }
        }
        dropped.extend(check::adapt(self));
        dropped
    }

    /// All handles, in the order of the file, with the number of their segment, the first 1.
    pub fn all_handles(&self) -> impl Iterator<Item = (Option<usize>, &Handle)> {
        let own = self.handles.iter().map(|handle| (None, handle));
        let segments = (1..).zip(&self.segments);
        own.chain(
            segments.flat_map(|(k, segment)| segment.handles.iter().map(move |handle| (Some(k), handle))),
        )
    }

    /// The expert's table, whether or not it is there.
    #[must_use]
    pub fn expert(&self) -> Expert {
        self.expert.unwrap_or_default()
    }
}

/// Puts a value back to its default; answers whether it was another.
fn reset<T: PartialEq>(value: &mut T, plain: T) -> bool {
    let is_other = *value != plain;
    *value = plain;
    is_other
}

/// `method`: how the motion answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The motion follows at once while a point is dragged.
    #[default]
    Drag,
    /// A motion from few constraints, chains of motions included.
    Sparse,
    /// The material changes along with the motion.
    Material,
    /// Control forces of a nonlinear body.
    Control,
    /// Displacement curves of a skeleton.
    Character,
}

words!(Method {
    Drag = "drag",
    Sparse = "sparse",
    Material = "material",
    Control = "control",
    Character = "character",
});

impl Method {
    /// The method of a body where none is named.
    #[must_use]
    pub fn of(kind: BodyKind) -> Self {
        if kind == BodyKind::Character { Self::Character } else { Self::default() }
    }

    /// Whether it knows times between frames.
    #[must_use]
    pub fn knows_times(self) -> bool {
        OF_TIMES.contains(&self)
    }
}

/// `damping`: how vibration dies, D = `mass`·M + `stiffness`·K.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// The share of the mass, 1/s: damps slow modes and rigid motion. 0 when left out.
    pub mass: f64,
    /// The share of the stiffness, s: damps fast modes. 0 when left out.
    pub stiffness: f64,
}

table!(Damping { mass: default, stiffness: default } check Damping::check);

impl Damping {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("mass", self.mass >= 0.0, NOT_NEGATIVE)?;
        section.demand("stiffness", self.stiffness >= 0.0, NOT_NEGATIVE)
    }
}

/// The methods a key is for, as one says it.
fn methods(owners: &[Method]) -> String {
    let names: Vec<String> = owners.iter().map(|method| format!("{:?}", method.name())).collect();
    match names.as_slice() {
        [one] => format!("the method {one}"),
        [most @ .., last] => format!("the methods {} and {last}", most.join(", ")),
        [] => "no method".to_owned(),
    }
}
