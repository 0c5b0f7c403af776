//! From a shot to an editor, and from an editor to the next one when an edit is baked.

use super::barrier::Barrier;
use super::feel::Smoothness;
use super::figure::Figure;
use super::handles::Handles;
use super::levels::{Levels, Prepared};
use super::press::Pressed;
use super::solver::Solver;
use super::time::{Time, notes, reach, seconds_per_frame, settings};
use super::{DragMethod, EditError};
use crate::Cache;
use crate::body::Body;
use crate::contacts::{ContactPoint, Contacts, ContactsError};
use crate::method::time::oscillators;
use crate::modes::check_modes;
use crate::motion::{MotionError, Moving};
use crate::shot::{Feel, Shot};
use std::sync::{Arc, OnceLock};
use supple_elastic::{WarpContact, WarpedMotion};
use supple_formats::check_memory;
use supple_mesh::Vec3;
use supple_model::{ContactKind, Progress};
use supple_spacetime::{Constraints, Kernel, Row};

/// The last frame repeats the first if no vertex is farther off than this part of the size.
const CLOSED: f64 = 1e-6;

/// See [`DragMethod::open`]; what `levels` has is not made again.
pub(super) fn open(
    shot: &Shot,
    body: Arc<Body>,
    levels: &mut Levels,
    cache: &Cache,
    progress: &Progress,
) -> Result<DragMethod, EditError> {
    if !shot.edit.poses.is_empty() {
        return Err(EditError::Pose);
    }
    let Prepared { input, contacts, moved, frames, modes, warnings } =
        levels.prepare(shot, &body, cache, &progress.part(0.0, 0.9))?;
    let dt = seconds_per_frame(shot, &modes.eigenvalues, input.clock.fps);
    let parts = Parts {
        shot: shot.clone(),
        body,
        figure: moved.figure.clone(),
        time: Time { clock: input.clock, dt },
        contacts,
        eigenvalues: modes.eigenvalues.clone(),
        closes: repeats(&input.displacements, CLOSED * moved.figure.size),
    };
    let motion = WarpedMotion::new(moved.warp.clone(), modes.basis.clone(), frames.to_vec());
    let mut editor = parts.assemble(motion, &progress.part(0.9, 1.0))?;
    editor.warnings = warnings;
    editor.detail = input.detail.clone();
    let barrier = levels.barrier(shot, &editor.body, &input);
    editor.stand_in_the_way(barrier)?;
    for handle in &shot.edit.handles {
        editor.add(handle.clone())?;
    }
    Ok(editor)
}

impl DragMethod {
    /// Lets go, makes the edited motion the input, and begins anew without handles. Contacts stay.
    ///
    /// # Errors
    /// When the caller cancels; then nothing changes.
    pub fn bake(&mut self, progress: &Progress) -> Result<(), EditError> {
        let before = self.kept();
        match self.baked(progress) {
            Ok(next) => *self = next,
            Err(error) => {
                self.restore(before);
                return Err(error);
            }
        }
        Ok(())
    }

    fn baked(&mut self, progress: &Progress) -> Result<Self, EditError> {
        self.settle(&progress.part(0.0, 0.3))?;
        let mut frames = Vec::with_capacity(self.time.frames);
        self.each_displacement(&progress.part(0.3, 0.6), |_, u| {
            frames.push(u.to_vec());
            Ok(())
        })?;
        let parts = Parts {
            shot: self.shot.clone(),
            body: self.body.clone(),
            figure: self.figure.clone(),
            time: self.time,
            contacts: self.contacts.clone(),
            eigenvalues: self.eigenvalues.clone(),
            closes: repeats(&frames, CLOSED * self.figure.size),
        };
        let (warp, basis) = (self.motion.warp().clone(), self.motion.basis().clone());
        let (each, reading) = (frames.iter().map(Vec::as_slice), progress.part(0.6, 0.8));
        let inputs = match self.shot.edit.feel {
            Feel::Smooth => warp.steady_inputs(each, &reading)?,
            Feel::Lively => warp.inputs(each, &reading)?,
        };
        let mut next = parts.assemble(WarpedMotion::new(warp, basis, inputs), &progress.part(0.8, 1.0))?;
        let barrier = Barrier::of(&self.shot, &self.body, self.figure.of, false);
        next.stand_in_the_way(barrier.map(|barrier| barrier.map(Arc::new)))?;
        Ok(next)
    }

    /// Takes in what an edit could push the body through. Where nobody said what to do about that, obstacles that cannot
    /// be read are no reason not to edit.
    fn stand_in_the_way(
        &mut self,
        barrier: Result<Option<Arc<Barrier>>, ContactsError>,
    ) -> Result<(), EditError> {
        let is_said = self.shot.contacts.as_ref().is_some_and(|contacts| contacts.new.is_some());
        match barrier {
            Ok(barrier) => self.barrier = barrier,
            Err(error) if is_said => return Err(error.into()),
            Err(error) => self
                .notes
                .push(format!("the edit may go through obstacles, because they cannot be read: {error}")),
        }
        Ok(())
    }
}

/// What an editor is made of, before its frames are.
struct Parts {
    shot: Shot,
    body: Arc<Body>,
    figure: Arc<Figure>,
    time: Time,
    contacts: Contacts,
    eigenvalues: Vec<f64>,
    /// Whether the last frame repeats the first.
    closes: bool,
}

impl Parts {
    fn assemble(self, mut motion: WarpedMotion, progress: &Progress) -> Result<DragMethod, EditError> {
        let Self { shot, body, figure, time, contacts, eigenvalues, closes } = self;
        let settings = settings(&shot.edit, &time, &eigenvalues, closes)?;
        let spread = shot.edit.spread.unwrap_or_default().0;
        let smoothness = (shot.edit.feel == Feel::Smooth)
            .then(|| Smoothness::new(motion.basis(), &figure.positions, &eigenvalues, spread));
        let kernel = Arc::new(match &smoothness {
            Some(smoothness) => Kernel::smooth(&smoothness.variances(&eigenvalues), settings)?,
            None => Kernel::new(&oscillators(&shot.edit, &eigenvalues, time.dt), settings)?,
        });
        motion.set_plain(!shot.edit.warp);
        motion.set_reach(reach(&shot.edit, &time).ceil() as usize);
        hold_contacts(&mut motion, &contacts)?;
        let motion = Arc::new(motion);
        let rows = contacts
            .clusters
            .iter()
            .flat_map(|cluster| contact_rows(&motion, &cluster.contact, Vec3::zeros()))
            .collect();
        let constraints = Constraints::with_contacts(kernel.clone(), rows, progress)?;
        let is_exact = shot.edit.exact && shot.edit.warp;
        let base = constraints.clone();
        let solver = Solver::new(is_exact, constraints, &motion, figure.size)?;
        let handles = Handles::default();
        let notes = notes(&shot, &time);
        let warnings = Vec::new();
        Ok(DragMethod {
            shot,
            subject: body.clone(),
            body,
            figure,
            time,
            bare: motion.clone(),
            motion,
            kernel,
            contacts,
            base,
            barrier: None,
            clearances: OnceLock::new(),
            pressed: Pressed::default(),
            eigenvalues,
            smoothness,
            solver,
            handles,
            hand: None,
            detail: None,
            notes,
            warnings,
        })
    }
}

/// Checks that all frames of a motion fit into this machine while they are edited: they are held whole, with the rotation
/// of every element, and with the edit of every mode.
pub(super) fn check_room(body: &Body, of: Moving, frames: usize, modes: usize) -> Result<(), MotionError> {
    let (vertices, elements) = match (of, &body.skin) {
        (Moving::Skin, Some(skin)) => (skin.mesh.positions().len(), skin.mesh.triangles().len()),
        _ => (body.positions().len(), body.matter.elements()),
    };
    let modes = modes.min(3 * body.positions().len());
    // A displacement as it is read, as it is kept and as it tumbles; a turn; several paths of a mode; and what is kept of
    // a frame whatever its size.
    let size = 72 * vertices + 24 * elements + 64 * modes + 512;
    check_memory(frames as u64, size as u64, || format!("editing {frames} frames of {vertices} vertices"))
        .map_err(|problem| MotionError::Memory { problem, way_out: "lower `frames` in [motion]" })?;
    check_modes(body, modes)
}

fn repeats(frames: &[Vec<f64>], tolerance: f64) -> bool {
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return false };
    first.iter().zip(last).all(|(a, b)| (a - b).abs() <= tolerance)
}

/// The rows of a contact on the linear edit, as it moves the contact in space: by `shift`, along n where it slides,
/// altogether where it sticks.
pub(super) fn contact_rows(motion: &WarpedMotion, contact: &ContactPoint, shift: Vec3) -> Vec<Row> {
    let directions = match contact.kind {
        ContactKind::Slide => vec![contact.normal],
        ContactKind::Stick => vec![Vec3::x(), Vec3::y(), Vec3::z()],
    };
    let row = |direction: &Vec3| motion.edit_row(contact.frame, &contact.vertices, *direction);
    directions
        .iter()
        .map(|direction| Row::position(contact.frame, row(direction), shift.dot(direction)))
        .collect()
}

/// Makes every frame keep its contacts, see [`hold_frame`].
fn hold_contacts(motion: &mut WarpedMotion, contacts: &Contacts) -> Result<(), EditError> {
    (0..motion.frames())
        .try_for_each(|frame| hold_frame(motion, contacts, frame, &[], |_| Some(Vec3::zeros())))
}

/// Makes a frame keep its contacts, moved by `shift` unless that lets them go, and `more`, and after a change of contacts both sets, one fading into the other.
pub(super) fn hold_frame(
    motion: &mut WarpedMotion,
    contacts: &Contacts,
    frame: usize,
    more: &[WarpContact],
    shift: impl Fn(&ContactPoint) -> Option<Vec3>,
) -> Result<(), EditError> {
    let of_frame = |frame: usize| -> Vec<WarpContact> {
        contacts
            .at(frame)
            .iter()
            .filter_map(|contact| Some(kept(contact, shift(contact)?)))
            .chain(more.iter().cloned())
            .collect()
    };
    let held = of_frame(frame);
    if !(held.is_empty() && contacts.at(frame).is_empty()) {
        motion.hold(frame, &held)?;
    }
    if let Some(change) = contacts.changed_before(frame) {
        let mut other = motion.frame(frame).clone();
        motion.warp().hold(&mut other, &of_frame(change.saturating_sub(1)))?;
        motion.blend(frame, other, 1.0 - (frame - change + 1) as f64 / (contacts.blend + 1) as f64);
    }
    Ok(())
}

fn kept(contact: &ContactPoint, shift: Vec3) -> WarpContact {
    WarpContact {
        vertices: contact.vertices.clone(),
        normal: (contact.kind == ContactKind::Slide).then_some(contact.normal),
        shift,
    }
}
