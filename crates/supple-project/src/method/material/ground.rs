//! What all materials of a shot share: its input and modes, scaled, its time and its poses.
//!
//! | symbol | name | is |
//! |---|---|---|
//! | W | [`Ground::basis`] | the modes, of uniform material where a file says what is made of them |
//! | λ_j | [`Ground::eigenvalues`] | their eigenvalues; times one number where `period` and `seconds_per_frame` are both said |
//! | h | [`Ground::dt`] | seconds per frame: without `seconds_per_frame` the first mode swings once in `period` |
//! | C | [`Ground::scale`] | mode j counts c_j = (λ₁/λ_j)^{space/2} times; rigid ones as they are |
//! | α, β | [`Ground::damping`] | the damping a material has at least, d ≥ α + βλ |
//! | x̄ | [`Ground::poses`] | poses in the coordinates of W |

use super::error::MaterialError;
use super::file::FromFile;
use super::matter::amounts;
use super::pose::{PoseAsk, poses};
use super::reduced::Reduced;
use crate::Cache;
use crate::body::Body;
use crate::method::drag::{DragMethod, Levels, Made, Prepared, WholeAsk, begin};
use crate::method::error::EditError;
use crate::method::time::{damping, first_stiff};
use crate::shot::{Damping, Feel, MaterialEdit, SecondsPerFrame, Shot};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use std::f64::consts::TAU;
use std::sync::{Arc, OnceLock};
use supple_elastic::Basis;
use supple_model::Progress;
use supple_spacetime::{Material, Oscillator};

/// Frames in which the first mode swings once, where nothing is said.
const PERIOD: f64 = 24.0;

/// What all materials of a shot share.
pub(super) struct Ground {
    /// The shot as what releases handles sees it.
    pub shot: Shot,
    pub body: Arc<Body>,
    pub settings: MaterialEdit,
    /// What a file says, if there is one.
    found: Option<FromFile>,
    pub prepared: Prepared,
    pub basis: Arc<Basis>,
    /// c.
    pub scale: Vec<f64>,
    pub eigenvalues: Vec<f64>,
    pub dt: f64,
    pub damping: Damping,
    pub poses: Vec<PoseAsk>,
    cache: Cache,
    /// The reduced warp, made when it is first asked for.
    reduced: OnceLock<Option<Reduced>>,
}

impl Ground {
    /// Of a shot; what `levels` has is not made again.
    pub fn new(
        shot: &Shot,
        body: Arc<Body>,
        levels: &mut Levels,
        cache: &Cache,
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let settings = shot.edit.material_settings()?;
        let mut inner = shot.clone();
        inner.edit.feel = Feel::Lively;
        inner.edit.poses.clear();
        let prepared = levels.prepare(&inner, &body, cache, &progress.part(0.0, 0.6))?;
        let found = match &settings.file {
            Some(file) => {
                let (path, part) = (shot.resolve(file), progress.part(0.6, 0.8));
                Some(FromFile::read(&path, (&inner, &body), &prepared, cache, &part)?)
            }
            None => None,
        };
        let fps = prepared.input.clock.fps;
        let asked = shot.motion.seconds_per_frame;
        let (basis, plain, (dt, faster)) = match &found {
            Some(found) => (found.basis.clone(), found.eigenvalues.clone(), (seconds(asked, fps), 1.0)),
            None => {
                let plain = prepared.modes.eigenvalues.clone();
                let time = time(asked, settings.period, &plain, fps);
                (prepared.modes.basis.clone(), plain, time)
            }
        };
        let poses = poses((shot, &body), &prepared, &basis, cache, &progress.part(0.8, 1.0))?;
        Ok(Self {
            eigenvalues: plain.iter().map(|lambda| faster * lambda).collect(),
            damping: damping(&inner.edit, dt),
            shot: inner,
            body,
            scale: scale(&plain, space(&settings)),
            settings,
            found,
            prepared,
            basis,
            dt,
            poses,
            cache: cache.clone(),
            reduced: OnceLock::new(),
        })
    }

    /// The reduced warp; none of a body whose shape no edit changes.
    pub fn reduced(&self, progress: &Progress) -> Result<Option<&Reduced>, EditError> {
        if self.reduced.get().is_none() {
            let made = Reduced::of(self, &self.cache, progress)?;
            // Whoever was faster made the same.
            let _ = self.reduced.set(made);
        }
        Ok(self.reduced_so_far())
    }

    /// The same, if it has been made.
    pub fn reduced_so_far(&self) -> Option<&Reduced> {
        self.reduced.get().and_then(Option::as_ref)
    }

    /// R.
    pub fn modes(&self) -> usize {
        self.eigenvalues.len()
    }

    /// s; what a file says is as it stands.
    pub fn space(&self) -> f64 {
        space(&self.settings)
    }

    /// How many of the modes do not deform the body.
    pub fn rigid(&self) -> usize {
        self.eigenvalues.iter().take_while(|lambda| **lambda == 0.0).count()
    }

    /// The material that a motion begins with: that of the file, or the first modes as they are.
    pub fn first(&self) -> Result<Material, EditError> {
        if let Some(found) = &self.found {
            return found.material(self.damping.mass);
        }
        let (modes, rigid) = (self.modes(), self.rigid());
        let shapes = self.settings.shapes.unwrap_or_else(|| self.settings.shapes(modes - rigid));
        if shapes == 0 || rigid + shapes > modes {
            return Err(MaterialError::Shapes { shapes, modes: modes - rigid }.into());
        }
        self.of_modes(rigid + shapes)
    }

    /// The first modes, so many of them, as they are.
    fn of_modes(&self, count: usize) -> Result<Material, EditError> {
        let oscillators = self.eigenvalues[..count].iter().map(|lambda| self.oscillator(*lambda)).collect();
        Ok(Material::new(self.scale.clone(), &Mat::identity(self.modes(), count), oscillators)?)
    }

    fn oscillator(&self, eigenvalue: f64) -> Oscillator {
        let delta = 0.5 * (self.damping.mass + self.damping.stiffness * eigenvalue);
        Oscillator { eigenvalue, delta }
    }

    /// An editor of all modes, whose handles are read in coordinates of W.
    pub fn whole(&self, progress: &Progress) -> Result<DragMethod, EditError> {
        let made = Made {
            basis: self.basis.clone(),
            oscillators: self.eigenvalues.iter().map(|lambda| self.oscillator(*lambda)).collect(),
            dt: self.dt,
            metric: Vec::new(),
            asked: Vec::new(),
        };
        begin(&self.shot, self.body.clone(), &self.prepared, Some(made), progress)
    }

    /// What edits of a material are made of.
    pub fn made(&self, material: &Material) -> Made {
        let (CS, W) = (material.shapes(), self.basis.shapes());
        let mut shapes = Mat::zeros(W.nrows(), CS.ncols());
        matmul(shapes.as_mut(), Accum::Replace, W, CS.as_ref(), 1.0, Par::Seq);
        let row = |j: usize| (0..CS.ncols()).map(|k| CS[(j, k)]).collect();
        let ask =
            |pose: &PoseAsk| WholeAsk { frame: pose.frame, z: amounts(material, &pose.x), hold: pose.hold };
        Made {
            basis: Arc::new(Basis::new(shapes, self.basis.free().clone())),
            oscillators: material.modes().to_vec(),
            dt: self.dt,
            metric: (0..CS.nrows()).map(row).collect(),
            asked: self.poses.iter().map(ask).collect(),
        }
    }

    /// An editor of a material, with the handles of the shot.
    pub fn editor(&self, material: &Material, progress: &Progress) -> Result<DragMethod, EditError> {
        begin(&self.shot, self.body.clone(), &self.prepared, Some(self.made(material)), progress)
    }

    /// The editor that all begins with; poses are where they may be.
    pub fn begin(&mut self, first: &Material, progress: &Progress) -> Result<DragMethod, EditError> {
        let poses = std::mem::take(&mut self.poses);
        let bare = self.editor(first, progress);
        self.poses = poses;
        let bare = bare?;
        self.check_poses(&bare)?;
        if self.poses.is_empty() { Ok(bare) } else { self.editor(first, progress) }
    }

    /// Where poses may not be.
    fn check_poses(&self, editor: &DragMethod) -> Result<(), MaterialError> {
        self.poses.iter().try_for_each(|pose| {
            let number = |frame: usize| self.prepared.input.clock.number(frame);
            match editor.movable(pose.frame) {
                Ok(()) => Ok(()),
                Err(Some([first, last])) => Err(MaterialError::OutsideWindow {
                    pose: pose.number,
                    frame: number(pose.frame),
                    first: number(first),
                    last: number(last),
                }),
                Err(None) => Err(MaterialError::Clamped { pose: pose.number, frame: number(pose.frame) }),
            }
        })
    }
}

/// h of a material whose eigenvalues are told per second.
fn seconds(asked: SecondsPerFrame, fps: f64) -> f64 {
    match asked {
        SecondsPerFrame::Seconds(dt) => dt,
        SecondsPerFrame::Auto => 1.0 / fps,
    }
}

/// h, and by how much eigenvalues are multiplied.
fn time(asked: SecondsPerFrame, period: Option<f64>, eigenvalues: &[f64], fps: f64) -> (f64, f64) {
    let Some(first) = first_stiff(eigenvalues) else { return (1.0 / fps, 1.0) };
    let period_of = |dt: f64| TAU / (first.sqrt() * dt);
    match (asked, period) {
        (SecondsPerFrame::Seconds(dt), None) => (dt, 1.0),
        (SecondsPerFrame::Seconds(dt), Some(period)) => (dt, (period_of(dt) / period).powi(2)),
        (SecondsPerFrame::Auto, period) => (period_of(1.0) / period.unwrap_or(PERIOD), 1.0),
    }
}

fn space(settings: &MaterialEdit) -> f64 {
    if settings.file.is_some() { 0.0 } else { settings.space }
}

/// c.
fn scale(eigenvalues: &[f64], space: f64) -> Vec<f64> {
    let first = first_stiff(eigenvalues).unwrap_or(1.0);
    let scale = |lambda: &f64| if *lambda > 0.0 { (first / lambda).powf(space / 2.0) } else { 1.0 };
    eigenvalues.iter().map(scale).collect()
}
