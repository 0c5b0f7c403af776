//! What an edit came to: handles, energy, forces, volume, contacts.

use super::barrier::Clearances;
use super::outcome::{ContactOutcome, Deepest, EditReport, ForcePeak, Inverted, Penetration, VolumeChange};
use super::solver::Settled;
use super::wish::{Wish, place};
use super::{DragMethod, EditError, HandleKey};
use crate::body::{RestMesh, split_into_tets};
use crate::contacts::ContactPoint;
use crate::method::EditedFrame;
use crate::method::report::HandleOutcome;
use crate::motion::Moving;
use crate::shot;
use std::collections::BTreeMap;
use supple_elastic::FreeVertices;
use supple_mesh::{Vec3, signed_volume};
use supple_model::{ContactKind, Progress, VertexId};
use supple_spacetime::{Order, Path};

/// An element of less than this part of its volume at rest is flat.
const FLAT: f64 = 0.05;

/// An element of less than this part of its volume in the input is crushed.
const CRUSHED: f64 = 0.15;

/// A handle that lacks less than this part of its pull is nearly met.
const NEARLY: f64 = 5e-3;

/// Collects what is seen of the frames as they go by.
#[derive(Default)]
struct Seen {
    /// What is deepest in something, and what the last frames were from it.
    deepest: Option<Deepest>,
    clear: Option<Clearances>,
    written: [Vec<[f64; 3]>; 2],
    volume: VolumeChange,
    inverted: Option<Inverted>,
    drift: f64,
    /// Where the points of wishes are, by frame and wish.
    places: BTreeMap<(HandleKey, usize), Vec3>,
}

/// Volumes of the elements of a frame, summed.
#[derive(Default)]
struct Volumes {
    before: f64,
    after: f64,
    /// Elements that the edit turned inside out.
    turned: usize,
    /// Elements that the input has inside out.
    turned_before: usize,
}

impl Volumes {
    /// Counts an element. One that the input has pressed flat or turned itself is not the edit's.
    fn add(&mut self, [rest, before, after]: [f64; 3]) {
        self.before += before;
        self.after += after;
        self.turned += usize::from(before > FLAT * rest && after <= 0.0);
        self.turned_before += usize::from(before <= 0.0);
    }
}

impl DragMethod {
    /// Lets go: finds the edit that depends on the handles there are and on nothing else, hands on every frame
    /// of the edited motion, and tells what it came to.
    ///
    /// # Errors
    /// Whatever `each` answers, and cancellation; then the edit stays as it was.
    pub fn solve(
        &mut self,
        progress: &Progress,
        each: impl FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<EditReport, EditError> {
        let before = self.kept();
        let solved = self.settle_and_show(progress, each);
        if solved.is_err() {
            self.restore(before);
        }
        solved
    }

    fn settle_and_show(
        &mut self,
        progress: &Progress,
        each: impl FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<EditReport, EditError> {
        let outcome = self.settle(&progress.part(0.0, 0.4))?;
        self.tell(outcome, &progress.part(0.4, 1.0), each)
    }

    /// Hands on every frame of an edit that was found, and tells what it came to.
    ///
    /// # Errors
    /// Whatever `each` answers, and cancellation.
    pub(in crate::method) fn tell(
        &self,
        outcome: Settled,
        progress: &Progress,
        mut each: impl FnMut(&EditedFrame<'_>) -> Result<(), EditError>,
    ) -> Result<EditReport, EditError> {
        let mut seen = Seen::default();
        let mut positions = vec![[0.0; 3]; self.figure.positions.len()];
        self.each_displacement(progress, |index, u| {
            self.look(index, u, &mut seen);
            self.look_deeper(index, u, &mut seen)?;
            self.displaced(u, &mut positions);
            let input = self.motion.frame(index).displacement();
            each(&EditedFrame { index, input, positions: &positions })
        })?;
        Ok(self.report(outcome, &seen))
    }

    /// Lets go, and tells what the edit came to without showing it.
    ///
    /// # Errors
    /// Cancellation.
    pub fn release(&mut self, progress: &Progress) -> Result<EditReport, EditError> {
        self.solve(progress, |_| Ok(()))
    }

    fn look(&self, index: usize, u: &[f64], seen: &mut Seen) {
        let input = self.motion.frame(index).displacement();
        if let Some(Volumes { before, after, turned, turned_before }) = self.volumes(input, u) {
            let (change, frame) = (after / before - 1.0, self.time.number(index));
            if change.abs() > seen.volume.largest.abs() {
                seen.volume = VolumeChange { largest: change, frame };
            }
            if seen.inverted.is_none_or(|worst| turned > worst.count) {
                seen.inverted = Some(Inverted { count: turned, frame, input: turned_before });
            }
        }
        for contact in self.contacts.at(index) {
            let shift = self.shift_of(contact);
            seen.drift = seen.drift.max(drift(contact, shift, |v| vector(u, v) - vector(input, v)));
        }
        for (key, held) in &self.handles.there {
            for (number, held) in held.wishes.iter().enumerate().filter(|(_, held)| held.wish.frame == index)
            {
                seen.places.insert((*key, number), held.wish.place(&self.figure.positions, u));
            }
        }
    }

    /// Looks for what an edit pushed into something.
    fn look_deeper(&self, index: usize, u: &[f64], seen: &mut Seen) -> Result<(), EditError> {
        let Some(barrier) = &self.barrier else { return Ok(()) };
        if self.motion.frame(index).displacement() == u {
            return Ok(());
        }
        let clear = seen.clear.get_or_insert_with(|| barrier.clearances());
        for found in self.through_at(barrier, index, u, &mut seen.written, clear)? {
            if seen.deepest.is_none_or(|deepest| found.depth > deepest.depth) {
                let frame = self.time.number(index);
                seen.deepest = Some(Deepest { vertex: found.vertex, frame, depth: found.depth });
            }
        }
        Ok(())
    }

    /// Whether elements that the input has right have lost nearly all of their volume.
    pub(super) fn is_crushed(&self, input: &[f64], u: &[f64]) -> bool {
        let mut is_crushed = false;
        self.each_volume(input, u, |[rest, before, after]| {
            is_crushed |= before > FLAT * rest && after <= CRUSHED * before;
        });
        is_crushed
    }

    /// The volumes of a frame; none for surfaces.
    fn volumes(&self, input: &[f64], u: &[f64]) -> Option<Volumes> {
        let mut sum = Volumes::default();
        self.each_volume(input, u, |element| sum.add(element)).then_some(sum)
    }

    /// Hands on the volume of every element at rest, in the input and under `u`; answers whether there are any.
    fn each_volume(&self, input: &[f64], u: &[f64], mut each: impl FnMut([f64; 3])) -> bool {
        if self.figure.of == Moving::Skin {
            return false;
        }
        let at = |u: &[f64], v: VertexId| self.figure.positions[v.index()] + vector(u, v);
        let tet = |u: &[f64], tet: &[VertexId; 4]| {
            let [a, b, c, d] = tet.map(|v| at(u, v));
            signed_volume(a, b, c, d)
        };
        let rest = vec![0.0; input.len()];
        match &self.body.rest {
            RestMesh::Tets(mesh) => {
                let of = |corners: &[VertexId; 4]| [&rest[..], input, u].map(|u| tet(u, corners));
                mesh.tets().iter().map(of).for_each(&mut each);
                true
            }
            RestMesh::Voxels(mesh) => {
                let of = |u: &[f64], voxel: &[VertexId; 8]| -> f64 {
                    split_into_tets(voxel).iter().map(|corners| tet(u, corners)).sum()
                };
                let of = |voxel: &[VertexId; 8]| [&rest[..], input, u].map(|u| of(u, voxel));
                mesh.voxels().iter().map(of).for_each(&mut each);
                true
            }
            RestMesh::Triangles(_) => false,
        }
    }

    fn report(&self, outcome: Settled, seen: &Seen) -> EditReport {
        let path = self.path();
        let forces = self.forces();
        let has_volume = self.figure.of == Moving::Body && !matches!(self.body.rest, RestMesh::Triangles(_));
        EditReport {
            status: outcome.status,
            iterations: outcome.iterations,
            stationarity: outcome.stationarity,
            energy: outcome.energy,
            penalty: outcome.penalty,
            handles: self.outcomes(&path, seen, &outcome),
            starts: outcome.starts,
            held: if self.shot.edit.part.is_some() { "the edge of the edited part" } else { "the anchors" },
            force: forces.as_ref().and_then(|forces| self.force(forces)),
            force_over_time: forces.map(|forces| forces.norms).unwrap_or_default(),
            smoothness: self.smoothness,
            volume: has_volume.then_some(seen.volume),
            inverted: seen.inverted.filter(|_| has_volume),
            contacts: ContactOutcome {
                all: self.contacts.all.len(),
                clusters: self.contacts.clusters.len(),
                plants: self.contacts.plants.len(),
                linear_drift: self.linear_drift(&path),
                drift: seen.drift / self.figure.size,
            },
            penetration: (self.barrier.as_ref())
                .map(|_| Penetration { deepest: seen.deepest, held: self.pressed.count() }),
        }
    }

    /// The force on all of the edit over time; none where edits have no force.
    pub(in crate::method) fn forces(&self) -> Option<supple_spacetime::Forces> {
        self.path().forces_measured(self.made.as_ref().map_or(&[], |made| &made.metric))
    }

    fn outcomes(&self, path: &Path, seen: &Seen, outcome: &Settled) -> Vec<HandleOutcome> {
        let mut outcomes = Vec::new();
        let over_distance = self.pulls_over_distance();
        for (key, held) in &self.handles.there {
            let soft = matches!(held.handle.firmness(shot::Method::Drag), shot::Hold::Soft(_));
            let mut found: Option<HandleOutcome> = None;
            for (number, held) in held.wishes.iter().enumerate() {
                let wish = &held.wish;
                let of_velocity = wish.order == Order::Velocity;
                let unit = if of_velocity { self.time.pace() } else { 1.0 };
                let there = match seen.places.get(&(*key, number)) {
                    Some(place) if !of_velocity => *place,
                    _ => self.velocity(path, wish),
                };
                let input = super::solver::Input {
                    positions: &self.figure.positions,
                    motion: &self.motion,
                    dt: self.time.dt,
                };
                let error = missing(wish, there) * unit;
                let redundant = outcome.redundant.contains(&held.id);
                let asked = missing(wish, input.of(wish) + wish.beside_input()) * unit;
                let worst = found.as_ref().is_none_or(|found| error > found.error);
                let so_far = found.as_ref().is_some_and(|found| found.redundant);
                if worst {
                    let frame = self.time.number(wish.frame);
                    let redundant = redundant || so_far;
                    found = Some(HandleOutcome {
                        key: *key,
                        frame,
                        time: f64::from(frame),
                        segment: None,
                        rms: error,
                        error,
                        of_velocity,
                        asked,
                        soft,
                        redundant,
                        reason: outcome.reasons.get(key).copied(),
                        over_distance: over_distance.get(key).copied(),
                        plant: self.planted(*key),
                    });
                } else if let Some(found) = &mut found {
                    found.redundant |= redundant;
                }
            }
            // So many points that modes cannot follow each to the last digit are not out of reach.
            if let Some(found) = found.as_mut().filter(|found| found.shortfall() < NEARLY) {
                found.reason = None;
            }
            outcomes.extend(found);
        }
        outcomes
    }

    /// How fast the written frames have the point of a wish, per second of the body's own time.
    fn velocity(&self, path: &Path, wish: &Wish) -> Vec3 {
        let mut u = vec![0.0; 3 * self.figure.positions.len()];
        let mut at = |frame: usize| {
            self.show(path, frame, frame, &mut u);
            place(&wish.point, &self.figure.positions, &u)
        };
        let (before, after) = super::solver::around(wish.frame, self.time.frames);
        let way = at(after) - at(before);
        way / super::solver::seconds((before, after), self.time.dt) + wish.beside()
    }

    /// M U f where ‖f‖ is largest.
    fn force(&self, forces: &supple_spacetime::Forces) -> Option<ForcePeak> {
        let norm = match &self.made {
            Some(_) => forces.norms.iter().copied().fold(0.0, f64::max),
            None => forces.peak.iter().map(|f| f * f).sum::<f64>().sqrt(),
        };
        if norm == 0.0 {
            return None;
        }
        let basis = self.motion.basis();
        let mut own = vec![0.0; 3 * self.figure.positions.len()];
        basis.displacement(&forces.peak, &mut own);
        let mut shape = vec![0.0; own.len()];
        let nearest = (forces.peak_frame.round() as usize).min(self.time.frames.saturating_sub(1));
        self.motion.in_space(nearest, &own, &mut shape);
        let newtons = |v: &VertexId| vector(&shape, *v).norm() * self.figure.weights[v.index()];
        let free: &FreeVertices = basis.free();
        let strongest = free.vertices().iter().max_by(|a, b| newtons(a).total_cmp(&newtons(b)))?;
        let frame = f64::from(self.time.start.0) + forces.peak_frame;
        let largest = (self.figure.of == Moving::Body).then(|| (newtons(strongest), *strongest));
        Some(ForcePeak { frame, norm, largest })
    }

    /// How far the linear edit leaves the planes of the clusters' contacts, as a part of the size.
    fn linear_drift(&self, path: &Path) -> f64 {
        let mut z = vec![0.0; self.modes()];
        let mut worst: f64 = 0.0;
        for cluster in &self.contacts.clusters {
            let contact = &cluster.contact;
            path.at(contact.frame, Order::Position, &mut z);
            let directions = match contact.kind {
                ContactKind::Slide => vec![contact.normal],
                ContactKind::Stick => vec![Vec3::x(), Vec3::y(), Vec3::z()],
            };
            for direction in directions {
                let row = self.motion.edit_row(contact.frame, &contact.vertices, direction);
                let moved: f64 = row.iter().zip(&z).map(|(c, z)| c * z).sum();
                worst = worst.max((moved - self.shift_of(contact).dot(&direction)).abs());
            }
        }
        worst / self.figure.size
    }
}

/// How far a contact moves out of its plane, or at all if it sticks.
fn drift(contact: &ContactPoint, shift: Vec3, change: impl Fn(VertexId) -> Vec3) -> f64 {
    let moved: Vec3 = contact.vertices.iter().map(|(v, weight)| change(*v) * *weight).sum::<Vec3>() - shift;
    match contact.kind {
        ContactKind::Slide => moved.dot(&contact.normal).abs(),
        ContactKind::Stick => moved.norm(),
    }
}

/// The length of what a wish lacks where its point is at `there`.
fn missing(wish: &Wish, there: Vec3) -> f64 {
    let there = wish.axes * there;
    let squares = (0..3).filter_map(|axis| Some((wish.target[axis]? - there[axis]).powi(2)));
    squares.sum::<f64>().sqrt()
}

fn vector(u: &[f64], v: VertexId) -> Vec3 {
    Vec3::from_column_slice(&u[3 * v.index()..][..3])
}
