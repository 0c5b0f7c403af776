//! What a motion file says about itself.

use supple_model::Frame;

/// The formats of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MotionFormat {
    /// Point cache 2, `.pc2`.
    Pc2,
    /// LightWave's motion designer, `.mdd`.
    Mdd,
    /// A numbered series of `.obj` files.
    ObjSeries,
    /// A numbered series of `.ply` files.
    PlySeries,
    /// Universal scene description, `.usda`: only to write, [`crate::open_scene`] reads it.
    Usd,
    /// glTF, `.glb` or `.gltf`: only to write, too.
    Gltf,
}

impl MotionFormat {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pc2 => "pc2",
            Self::Mdd => "mdd",
            Self::ObjSeries => "obj series",
            Self::PlySeries => "ply series",
            Self::Usd => "usd",
            Self::Gltf => "gltf",
        }
    }
}

/// What a motion file says about itself, and no more: what it leaves open is `None` or empty.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionInfo {
    /// The format.
    pub format: MotionFormat,
    /// How many vertices each frame has, at least one.
    pub vertices: usize,
    /// How many frames there are, at least one.
    pub frames: usize,
    /// The scene's number of the first frame. PC2 may begin between two frames, so it need not be whole.
    ///
    /// MDD only knows seconds: it is found from the first time and `fps`. It is `None` without `fps`,
    /// and where the first time is 0, which many programs write whatever the scene's number is.
    pub start: Option<f64>,
    /// How many frames of the scene lie between two of the file: PC2's rate, otherwise 1.
    pub step: f64,
    /// Frames per second, where an MDD has evenly spaced times.
    pub fps: Option<f64>,
    /// The time of every frame in seconds, as an MDD has it; otherwise empty.
    pub times: Vec<f64>,
}

impl MotionInfo {
    /// The scene's frame that is nearest to `start`.
    #[must_use]
    pub fn start_frame(&self) -> Option<Frame> {
        let start = self.start?.round();
        (start >= f64::from(i32::MIN) && start <= f64::from(i32::MAX)).then_some(Frame(start as i32))
    }

    /// What errors call a frame, counted from 0 in `index`.
    pub(super) fn number(&self, index: usize) -> f64 {
        self.start.unwrap_or(1.0) + self.step * index as f64
    }
}
