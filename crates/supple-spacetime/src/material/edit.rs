//! Handles and poses on a body whose material may be another one, and the motion and material that grant them.

use super::asked::{Asked, Found, Made};
use super::error::MaterialError;
use super::fit::Bounds;
use super::matter::Material;
use super::poses::{MaterialPose, Posed};
use super::report::{Ended, MaterialIterate, MaterialReport, MaterialStage};
use super::rounds::{Search, Watch};
use super::settings::{MaterialSettings, Optimise};
use super::shapes::Block;
use super::start::{Start, start};
use crate::HandleId;
use crate::error::SpacetimeError;
use crate::kernel::Settings;
use crate::path::Path;
use crate::rows::Row;
use crate::sqp::{Grip, KnownEdit, State, Tolerance};
use std::collections::BTreeMap;
use std::sync::Arc;
use supple_model::{Progress, Readout};

/// Handles and poses on a body whose material may be another one, and the motion and material that grant them.
///
/// The readout is the body's over its R modes, handed in with every call; it must stay the same one, and sites may be added
/// to it. Calls, in the order of a session:
///
/// 1. [`Self::new`] with the eigenvalues of the R modes, [`Self::add`] for handles, [`Self::set_poses`];
/// 2. while a handle is dragged, [`Self::set_target`] and [`Self::step`] for each event (motion, stiffness and damping), and
///    [`Self::improve`] when nothing moves (a whole round, shapes too);
/// 3. [`Self::release`]: from the start again, a function of handles and poses alone;
/// 4. [`Self::material`] and [`Self::path`]: with x = C S z ([`Material::coordinates`]) the body is where the readout says at
///    x; U·[`Material::shapes`] with [`Material::modes`] are an ordinary basis and kernel. [`Self::hold`] solves for the motion alone
///    with another readout, that of the full warp say, from where it is.
#[derive(Clone, Debug)]
pub struct MaterialEdit {
    time: Settings,
    settings: MaterialSettings,
    contacts: Vec<Row>,
    handles: BTreeMap<HandleId, Grip>,
    given: Vec<MaterialPose>,
    poses: Vec<Posed>,
    start: Start,
    found: Option<Found>,
    /// Whether handles came or went, or poses changed, since `found`.
    is_stale: bool,
}

impl MaterialEdit {
    /// Of a body's modes, in the order of their eigenvalues λ ≥ 0, exactly 0 for rigid ones, which come first. `time` says
    /// what frames there are, the ends and the reach; its `spread` does not count, and nothing of `home` but rigid modes.
    /// Contacts are rows over the body's modes.
    ///
    /// # Errors
    /// When a number cannot be what it is, there are not so many modes, the kernel cannot be made or has not the energy of
    /// forces, or a contact is wrong.
    pub fn new(
        eigenvalues: &[f64],
        time: Settings,
        contacts: Vec<Row>,
        settings: MaterialSettings,
    ) -> Result<Self, MaterialError> {
        let start = start(eigenvalues, time, &settings)?;
        let edit = Self {
            time: start.time,
            settings,
            contacts,
            handles: BTreeMap::new(),
            given: Vec::new(),
            poses: Vec::new(),
            start,
            found: None,
            is_stale: true,
        };
        for (index, row) in edit.contacts.iter().enumerate() {
            if row.weights.len() != eigenvalues.len() {
                let (weights, modes) = (row.weights.len(), eigenvalues.len());
                let row = crate::RowName::Contact(index);
                return Err(SpacetimeError::WeightCount { row, weights, modes }.into());
            }
        }
        Made::new(&edit.asked(), edit.start.material.clone(), &Progress::silent())?;
        Ok(edit)
    }

    /// Starts from a material in place of the body's own modes: one that was found before, or in another motion. Its
    /// stiffnesses are taken as they are; they may go as far from there.
    ///
    /// # Errors
    /// When it is one of other modes, or has another number of shapes or rigid modes.
    pub fn start_from(&mut self, material: Material) -> Result<(), MaterialError> {
        self.start = self.start.instead(material, &self.settings)?;
        (self.found, self.is_stale) = (None, true);
        self.set_poses(self.given.clone())
    }

    /// The handles there are, in the order of their ids.
    pub fn handles(&self) -> impl Iterator<Item = (HandleId, &Grip)> {
        self.handles.iter().map(|(id, grip)| (*id, grip))
    }

    /// Adds a handle.
    ///
    /// # Errors
    /// When the id is taken, the frame is outside the window or at rest, or a number is not finite.
    pub fn add(&mut self, id: HandleId, grip: Grip) -> Result<(), MaterialError> {
        if self.handles.contains_key(&id) {
            return Err(SpacetimeError::HandleTaken(id).into());
        }
        grip.check(&self.start.kernel, id)?;
        self.handles.insert(id, grip);
        self.is_stale = true;
        Ok(())
    }

    /// Gives a handle another target; the coordinates asked for may be others, too.
    ///
    /// # Errors
    /// When there is no such handle, no coordinate is asked for, or a target is not finite.
    pub fn set_target(&mut self, id: HandleId, target: [Option<f64>; 3]) -> Result<(), MaterialError> {
        let grip = self.handles.get_mut(&id).ok_or(SpacetimeError::NoHandle(id))?;
        let moved = Grip { target, ..*grip };
        moved.check(&self.start.kernel, id)?;
        *grip = moved;
        self.is_stale = true;
        Ok(())
    }

    /// Removes a handle.
    ///
    /// # Errors
    /// When there is no such handle.
    pub fn remove(&mut self, id: HandleId) -> Result<(), MaterialError> {
        self.handles.remove(&id).ok_or(SpacetimeError::NoHandle(id))?;
        self.is_stale = true;
        Ok(())
    }

    /// The poses that are asked for whole.
    ///
    /// # Errors
    /// When one has not a finite number for each of the body's modes, its weight is not positive, or nothing can be asked at
    /// its time.
    pub fn set_poses(&mut self, poses: Vec<MaterialPose>) -> Result<(), MaterialError> {
        let scale = self.start.material.scale().to_vec();
        let kernel = &self.start.kernel;
        for (number, pose) in poses.iter().enumerate() {
            pose.check(number, kernel, scale.len())?;
        }
        self.poses = poses.iter().map(|pose| pose.posed(&scale, kernel)).collect();
        (self.given, self.found, self.is_stale) = (poses, None, true);
        Ok(())
    }

    /// What is asked.
    fn asked(&self) -> Asked<'_> {
        Asked {
            time: self.time,
            settings: &self.settings,
            contacts: &self.contacts,
            poses: &self.poses,
            handles: &self.handles,
        }
    }

    /// Solves from nothing and from the start: what results depends on handles, poses and contacts, and on nothing else.
    /// `watch` sees every step. Stopped, the best so far is kept.
    ///
    /// # Errors
    /// When the readout has other modes, lacks a site or is not finite, or the caller cancels; then nothing changes.
    pub fn release(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
        watch: &mut dyn FnMut(&MaterialIterate<'_>),
    ) -> Result<MaterialReport, MaterialError> {
        self.check(readout)?;
        let asked = self.asked();
        let made = Made::new(&asked, self.start.material.clone(), progress)?;
        let mut best = asked.settled(Arc::new(made), readout, &progress.part(0.0, 0.2))?;
        let mut watch = Watch { look: watch, steps: Vec::new(), round: 0 };
        watch.seen(MaterialStage::Motion, &best);
        let how = (self.settings.release, self.settings.release_iterations);
        let ended = self.search(readout, how).run(&mut best, &mut watch, &progress.part(0.2, 1.0))?;
        Ok(self.accept(best, ended, watch, how.0))
    }

    /// What one event of a drag asks for: a few iterations from where the last ones ended, then stiffness and damping, and
    /// as many again.
    ///
    /// # Errors
    /// As [`Self::release`].
    pub fn step(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<MaterialReport, MaterialError> {
        self.warm(readout, progress, false)
    }

    /// A whole round from where the last ones ended, shapes too: while nothing moves.
    ///
    /// # Errors
    /// As [`Self::release`].
    pub fn improve(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<MaterialReport, MaterialError> {
        self.warm(readout, progress, true)
    }

    /// The motion alone, from where it is, to the tolerance of a release and with any readout of the same sites.
    ///
    /// # Errors
    /// As [`Self::release`].
    pub fn hold(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
    ) -> Result<MaterialReport, MaterialError> {
        self.check(readout)?;
        let how = (self.settings.release, self.settings.release_iterations);
        let best = self.caught_up(readout, how, progress)?;
        let mut look = |_: &MaterialIterate<'_>| {};
        let mut watch = Watch { look: &mut look, steps: Vec::new(), round: 0 };
        watch.seen(MaterialStage::Motion, &best);
        Ok(self.accept(best, Ended::Settled, watch, how.0))
    }

    fn warm(
        &mut self,
        readout: &dyn Readout,
        progress: &Progress,
        reshapes: bool,
    ) -> Result<MaterialReport, MaterialError> {
        self.check(readout)?;
        let how = (self.settings.drag, self.settings.drag_iterations);
        let mut best = self.caught_up(readout, how, progress)?;
        let mut look = |_: &MaterialIterate<'_>| {};
        let mut watch = Watch { look: &mut look, steps: Vec::new(), round: 0 };
        watch.seen(MaterialStage::Motion, &best);
        let search = self.search(readout, how);
        if self.settings.optimise != Optimise::None {
            search.stiffen(&mut best, &mut watch, progress)?;
        }
        if reshapes && self.settings.optimise == Optimise::All {
            watch.round = 1;
            search.reshape(&mut best, &mut watch, progress)?;
        }
        Ok(self.accept(best, Ended::Settled, watch, how.0))
    }

    /// The motion at the material as it is, with handles and poses as they are now.
    fn caught_up(
        &self,
        readout: &dyn Readout,
        how: (Tolerance, usize),
        progress: &Progress,
    ) -> Result<Found, MaterialError> {
        let asked = self.asked();
        let Some(known) = &self.found else {
            let made = Arc::new(Made::new(&asked, self.start.material.clone(), progress)?);
            let state = State::at(crate::sqp::Vector::zero(made.layout.length()));
            return asked.solved(made, state, readout, how, progress);
        };
        if !self.is_stale {
            return asked.solved(known.made.clone(), known.state.clone(), readout, how, progress);
        }
        let made = Arc::new(known.made.with_handles(&asked));
        let edit = made.layout.adopt(&known.made.layout, &known.state.edit.dual);
        asked.solved(made, State::at(edit), readout, how, progress)
    }

    fn search<'a>(&'a self, readout: &'a dyn Readout, how: (Tolerance, usize)) -> Search<'a> {
        let (bounds, block): (&[Option<Bounds>], Block) = (&self.start.bounds, self.start.block);
        Search { asked: self.asked(), bounds, block, readout, how }
    }

    fn accept(
        &mut self,
        best: Found,
        ended: Ended,
        watch: Watch<'_>,
        tolerance: Tolerance,
    ) -> MaterialReport {
        let Watch { steps, round, .. } = watch;
        let told = (ended, round, steps);
        let report = MaterialReport::of(&self.asked(), (&self.start.material, &best), told, tolerance);
        (self.found, self.is_stale) = (Some(best), false);
        report
    }

    /// The material as it is; that of the start before anything is solved.
    #[must_use]
    pub fn material(&self) -> &Material {
        self.found.as_ref().map_or(&self.start.material, |found| &found.made.material)
    }

    /// The material of the start.
    #[must_use]
    pub fn start(&self) -> &Material {
        &self.start.material
    }

    /// The motion as it is, in the coordinates of the material's shapes; none before anything is solved.
    #[must_use]
    pub fn path(&self) -> Option<Path> {
        self.found.as_ref().map(|found| found.made.path(&found.state))
    }

    /// The motion as it is, for a [`Drag`](crate::Drag) under the same material to go on from; none before anything is solved.
    #[must_use]
    pub fn known(&self) -> Option<KnownEdit> {
        let known = |found: &Found| KnownEdit {
            layout: Arc::new(found.made.layout.clone()),
            dual: found.state.edit.dual.clone(),
        };
        self.found.as_ref().map(known)
    }

    /// Whether the readout fits modes and handles.
    fn check(&self, readout: &dyn Readout) -> Result<(), SpacetimeError> {
        let (found, modes) = (readout.modes(), self.start.material.scale().len());
        if found != modes {
            return Err(SpacetimeError::ReadoutModes { found, modes });
        }
        let sites = readout.sites();
        for (&id, grip) in &self.handles {
            if let Some(site) = grip.sites().find(|site| *site >= sites) {
                return Err(SpacetimeError::NoSite { id, site, sites });
            }
        }
        Ok(())
    }
}
