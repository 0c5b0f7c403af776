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
use crate::shot::{self, Feel, Shot};
use std::sync::{Arc, OnceLock};
use supple_elastic::{Basis, WarpContact, WarpedMotion};
use supple_formats::check_memory;
use supple_mesh::Vec3;
use supple_model::{ContactKind, Progress};
use supple_spacetime::{Constraints, Hold, Home, Kernel, Order, Oscillator, Row};

/// The last frame repeats the first if no vertex is farther off than this part of the size.
const CLOSED: f64 = 1e-6;

/// What an edit is made of where that is not the body's modes as they are: another method's choice.
#[derive(Clone, Debug)]
pub(in crate::method) struct Made {
    /// The shapes.
    pub basis: Arc<Basis>,
    /// How each of them swings.
    pub oscillators: Vec<Oscillator>,
    /// h, physical seconds per frame.
    pub dt: f64,
    /// C: the size of a force f is ‖C f‖, an entry per shape in each row.
    pub metric: Vec<Vec<f64>>,
    /// What is asked of all shapes together, beside what handles ask.
    pub asked: Vec<WholeAsk>,
}

/// What is asked of all shapes at a frame.
#[derive(Clone, Debug)]
pub(in crate::method) struct WholeAsk {
    /// When, counted from 0.
    pub frame: usize,
    /// How much of each there shall be.
    pub z: Vec<f64>,
    /// How firmly: what alone it misses is 1/(1 + h).
    pub hold: shot::Hold,
}

impl Made {
    fn eigenvalues(&self) -> Vec<f64> {
        self.oscillators.iter().map(|oscillator| oscillator.eigenvalue).collect()
    }

    /// The rows of what is asked.
    pub(super) fn rows(&self, kernel: &Kernel) -> Vec<Row> {
        let mut variances = vec![0.0; kernel.modes()];
        let mut rows = Vec::new();
        for ask in &self.asked {
            let place = (ask.frame, Order::Position);
            kernel.covariance(place, place, &mut variances);
            for (k, (target, variance)) in ask.z.iter().zip(&variances).enumerate() {
                let mut weights = vec![0.0; variances.len()];
                weights[k] = 1.0;
                let hold = match ask.hold {
                    shot::Hold::Soft(weight) if *variance > 0.0 => Hold::Soft(weight / variance),
                    _ => Hold::Hard,
                };
                rows.push(Row { hold, ..Row::position(ask.frame, weights, *target) });
            }
        }
        rows
    }
}

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
    let prepared = levels.prepare(shot, &body, cache, &progress.part(0.0, 0.9))?;
    let mut editor = begin(shot, body, &prepared, None, &progress.part(0.9, 1.0))?;
    editor.warnings = prepared.warnings;
    Ok(editor)
}

/// An editor of what is prepared, with the handles of `shot`; its edits are made of the body's modes, or of what is given.
pub(in crate::method) fn begin(
    shot: &Shot,
    body: Arc<Body>,
    prepared: &Prepared,
    made: Option<Made>,
    progress: &Progress,
) -> Result<DragMethod, EditError> {
    let Prepared { input, contacts, moved, frames, modes, barrier, notes, warnings: _ } = prepared;
    let (basis, eigenvalues, dt) = match &made {
        Some(made) => (made.basis.clone(), made.eigenvalues(), made.dt),
        None => {
            let dt = seconds_per_frame(shot, &modes.eigenvalues, input.clock.fps);
            (modes.basis.clone(), modes.eigenvalues.clone(), dt)
        }
    };
    let parts = Parts {
        shot: shot.clone(),
        body,
        figure: moved.figure.clone(),
        time: Time { clock: input.clock, dt },
        contacts: contacts.clone(),
        eigenvalues,
        made,
        closes: repeats(&input.displacements, CLOSED * moved.figure.size),
    };
    let motion = WarpedMotion::new(moved.warp.clone(), basis, frames.to_vec());
    let mut editor = parts.assemble(motion, progress)?;
    editor.detail = input.detail.clone();
    editor.barrier.clone_from(barrier);
    editor.notes.extend(notes.iter().cloned());
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
            made: self.made.clone().map(|made| Made { asked: Vec::new(), ..made }),
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
        let (barrier, note) = in_the_way(&self.shot, barrier.map(|barrier| barrier.map(Arc::new)))?;
        next.barrier = barrier;
        next.notes.extend(note);
        Ok(next)
    }
}

/// What an edit could push the body through. Where nobody said what to do about that, obstacles that cannot be read are no
/// reason not to edit, but something to be told.
pub(super) fn in_the_way(
    shot: &Shot,
    barrier: Result<Option<Arc<Barrier>>, ContactsError>,
) -> Result<(Option<Arc<Barrier>>, Option<String>), EditError> {
    let is_said = shot.contacts.as_ref().is_some_and(|contacts| contacts.new.is_some());
    match barrier {
        Ok(barrier) => Ok((barrier, None)),
        Err(error) if is_said => Err(error.into()),
        Err(error) => {
            let note = format!("the edit may go through obstacles, because they cannot be read: {error}");
            Ok((None, Some(note)))
        }
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
    made: Option<Made>,
    /// Whether the last frame repeats the first.
    closes: bool,
}

impl Parts {
    fn assemble(self, mut motion: WarpedMotion, progress: &Progress) -> Result<DragMethod, EditError> {
        let Self { shot, body, figure, time, contacts, eigenvalues, made, closes } = self;
        let mut settings = settings(&shot.edit, &time, &eigenvalues, closes)?;
        if made.is_some() {
            // However slow a shape becomes, it swings; only what is rigid has to be brought home.
            settings.home = settings.home.map(|home| Home { below: 0.0, ..home });
        }
        progress.check()?;
        let spread = shot.edit.spread.unwrap_or_default().0;
        let smoothness = (shot.edit.feel == Feel::Smooth)
            .then(|| Smoothness::new(motion.basis(), &figure.positions, &eigenvalues, spread));
        let kernel = Arc::new(match (&made, &smoothness) {
            (Some(made), _) => Kernel::new(&made.oscillators, settings)?,
            (None, Some(smoothness)) => Kernel::smooth(&smoothness.variances(&eigenvalues), settings)?,
            (None, None) => Kernel::new(&oscillators(&shot.edit, &eigenvalues, time.dt), settings)?,
        });
        progress.check()?;
        motion.set_plain(!shot.edit.warp);
        motion.set_reach(reach(&shot.edit, &time).ceil() as usize);
        hold_contacts(&mut motion, &contacts)?;
        let motion = Arc::new(motion);
        let rows = contacts
            .clusters
            .iter()
            .flat_map(|cluster| contact_rows(&motion, &cluster.contact, Vec3::zeros()))
            .chain(made.iter().flat_map(|made| made.rows(&kernel)))
            .collect();
        let constraints = Constraints::with_contacts(kernel.clone(), rows, progress)?;
        let is_exact = made.is_some() || shot.edit.exact && shot.edit.warp;
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
            made,
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
