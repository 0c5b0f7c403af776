//! `[contacts]`: what touches the body in the input motion, and has to stay so.

use super::{AT_LEAST_ONE, POSITIVE};
use crate::shot::describe::*;
use std::path::PathBuf;
use supple_model::ContactKind;

/// `[contacts]`: what touches the body in the input motion, and has to stay so. Where they are known from may be said
/// in several ways at once; without any: what the simulation of the input recorded, if it is simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// A file that lists them.
    pub file: Option<PathBuf>,
    /// Found in the frames of the input motion.
    pub detect: Option<Detect>,
    /// Recorded by whatever made the input motion.
    pub from: Option<Recorder>,
    /// What becomes of what an edit would push through floor and obstacles. Without: it is held, if there are any.
    pub new: Option<NewContacts>,
    /// What has to stay so. Without: as recorded, and where nothing is said they slide.
    pub kind: Option<ContactKind>,
    /// `off = true`: nothing is held, and what stands here is kept for later.
    pub off: bool,
    /// Which of them are held as one.
    pub cluster: Clustering,
    /// Frames over which the difference is spread when what touches changes; 0 when left out: none.
    pub blend: usize,
}

table!([Contacts] {
    file: optional,
    detect: optional,
    from: optional,
    new: optional,
    kind: optional,
    off: quiet,
    cluster: quiet,
    blend: quiet,
});

impl Contacts {
    /// Contacts that a file lists.
    #[must_use]
    pub fn of_file(file: impl Into<PathBuf>) -> Self {
        Self { file: Some(file.into()), ..Self::default() }
    }

    /// Contacts that are found in the frames.
    #[must_use]
    pub fn detected(detect: Detect) -> Self {
        Self { detect: Some(detect), ..Self::default() }
    }

    /// Whether it does not say where contacts are known from.
    #[must_use]
    pub fn names_none(&self) -> bool {
        self.file.is_none() && self.detect.is_none() && self.from.is_none()
    }

    /// Contacts that the simulation of the input recorded.
    #[must_use]
    pub fn recorded() -> Self {
        Self { from: Some(Recorder::Simulation), ..Self::default() }
    }
}

/// `new`: what becomes of what an edit would push through floor and obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewContacts {
    /// `hold`: it is held on their surface.
    Hold,
    /// `report`: it goes through, and the report says how deep.
    Report,
}

words!(NewContacts { Hold = "hold", Report = "report" });

/// Who records contacts while making a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorder {
    /// The simulation of the input.
    Simulation,
}

words!(Recorder { Simulation = "simulation" });

/// `detect`: what vertices are looked at for touching it.
#[derive(Clone, Debug, PartialEq)]
pub struct Detect {
    /// The height of the floor. Without: that of `[simulate]`, if its obstacles are looked at.
    pub floor: Option<f64>,
    /// Whether `floor` and `obstacles` of `[simulate]` are looked at; not when left out.
    pub obstacles: bool,
    /// The file of a surface that does not move.
    pub mesh: Option<PathBuf>,
    /// `self`: whether the surface itself is; not when left out.
    pub itself: bool,
    /// Whether parts that stand still for a while are kept there; not when left out.
    pub plants: bool,
    /// How near a touch is, as a part of the body's size.
    pub within: f64,
}

table!(Detect {
    floor: quiet,
    obstacles: quiet,
    mesh: quiet,
    itself as "self": quiet,
    plants: quiet,
    within: quiet,
} check Detect::check);

impl Default for Detect {
    /// Nothing, at two thousandths of the body's size.
    fn default() -> Self {
        Self { floor: None, obstacles: false, mesh: None, itself: false, plants: false, within: 0.002 }
    }
}

impl Detect {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("within", self.within > 0.0, POSITIVE)?;
        if self.touches() || self.plants {
            return Ok(());
        }
        Err(section.bad("has nothing to detect: add floor, obstacles, mesh, self or plants"))
    }

    /// Whether there is anything to touch.
    pub(crate) fn touches(&self) -> bool {
        self.floor.is_some() || self.obstacles || self.mesh.is_some() || self.itself
    }
}

/// `cluster`: which contacts are held as one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clustering {
    /// `false`: each is held for itself.
    Apart,
    /// Those that hang together are one, as long as that is no larger than this.
    Together(ClusterLimits),
}

impl Default for Clustering {
    fn default() -> Self {
        Self::Together(ClusterLimits::default())
    }
}

impl Entry for Clustering {
    const LIST: List = List::Flat;

    fn read(field: &Field<'_>) -> Result<Self, ShotError> {
        if field.is_table() {
            return field.read().map(Self::Together);
        }
        let yes = field.truth().map_err(|_| field.wrong_type("true, false or a table"))?;
        Ok(if yes { Self::default() } else { Self::Apart })
    }

    fn write(&self) -> Result<Item, ShotError> {
        match self {
            Self::Apart => Ok(value(false)),
            Self::Together(limits) => limits.write(),
        }
    }
}

/// `cluster`: how large a cluster of contacts may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterLimits {
    /// How many frames it may last. It is held at one of them: the fewer, the less it gives between.
    pub frames: usize,
    /// How large it may be, as a part of the body's size.
    pub size: f64,
}

table!(ClusterLimits { frames: default, size: default } check ClusterLimits::check);

impl Default for ClusterLimits {
    /// A third of a second of film, a tenth of the body.
    fn default() -> Self {
        Self { frames: 8, size: 0.1 }
    }
}

impl ClusterLimits {
    fn check(&self, section: &Section<'_>) -> Result<(), ShotError> {
        section.demand("frames", self.frames > 0, AT_LEAST_ONE)?;
        section.demand("size", self.size > 0.0, POSITIVE)
    }
}

// `kind`: what has to stay so at a contact.
plain!(
    ContactKind,
    |field| field.choice(&[ContactKind::Slide, ContactKind::Stick], ContactKind::name),
    |kind| kind.name()
);
